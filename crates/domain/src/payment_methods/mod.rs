//! Payment methods: how people pay one another outside the platform. The forms are data; the rules are these.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ids::{PaymentMethodId, UserId};
use crate::refusal::Refusal;

/// The most methods a person may keep.
pub const MOST: u32 = 20;
/// The most characters of any field, whatever its form says.
pub const LONGEST_FIELD: usize = 100;
/// Characters of an account number that stay readable when it is masked.
const SHOWN: usize = 4;

/// Values by field name.
pub type Fields = BTreeMap<String, String>;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    /// Letters, digits and signs.
    Text,
    /// Digits only.
    Number,
    /// The id of an uploaded picture.
    Picture,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldForm {
    /// Its name.
    pub name: String,
    /// Whether it must be filled.
    pub required: bool,
    /// The most characters.
    pub max_length: usize,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether others see it masked: account numbers.
    pub secret: bool,
}

/// What to ask for a type of method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodForm {
    /// The type's name.
    pub kind: String,
    /// The currencies in which it is used.
    pub currencies: Vec<String>,
    /// Its fields, in the order of the screen.
    pub fields: Vec<FieldForm>,
}

/// A payment method that somebody keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentMethod {
    /// Its id.
    pub id: PaymentMethodId,
    /// Whose.
    pub user: UserId,
    /// Its type.
    pub kind: String,
    /// Its currency.
    pub currency: String,
    /// Its values.
    pub fields: Fields,
    /// Equal for methods that are the same.
    pub digest: [u8; 32],
    /// Counts its changes.
    pub version: i32,
}

impl MethodForm {
    /// Reads what a person typed: trimmed, empty fields left out, each checked against its form.
    ///
    /// A refusal names the field as `fields` when the name is not one of the form's.
    pub fn fill(&self, currency: &str, typed: &Fields) -> Result<Fields, MethodError> {
        if !self.currencies.iter().any(|known| known == currency) {
            return Err(MethodError::new("currency", "not a currency of this type"));
        }
        if let Some(unknown) = typed.keys().find(|name| !self.fields.iter().any(|field| field.name == **name)) {
            return Err(MethodError::new(format!("fields.{unknown}"), "not a field of this type"));
        }
        let mut filled = Fields::new();
        for field in &self.fields {
            let value = typed.get(&field.name).map(|value| value.trim()).unwrap_or_default();
            if value.is_empty() {
                if field.required {
                    return Err(MethodError::new(format!("fields.{}", field.name), "empty"));
                }
                continue;
            }
            field.check(value).map_err(|reason| MethodError::new(format!("fields.{}", field.name), reason))?;
            filled.insert(field.name.clone(), value.to_owned());
        }
        Ok(filled)
    }

    /// The digest of what makes two methods the same: the type, the currency and the account, without case and spaces.
    pub fn digest(&self, currency: &str, fields: &Fields) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut part = |text: &str| {
            let folded: String =
                text.chars().filter(|c| !c.is_whitespace() && *c != '-').flat_map(char::to_lowercase).collect();
            hash.update(folded.len().to_be_bytes());
            hash.update(folded.as_bytes());
        };
        part(&self.kind);
        part(currency);
        for field in self.fields.iter().filter(|field| field.secret) {
            part(&field.name);
            part(fields.get(&field.name).map(String::as_str).unwrap_or_default());
        }
        hash.finalize().into()
    }

    /// The values as somebody sees them who need not pay: account numbers but for their last digits.
    pub fn masked(&self, fields: &Fields) -> Fields {
        let secret = |name: &str| self.fields.iter().any(|field| field.name == name && field.secret);
        let shown = |(name, value): (&String, &String)| {
            // A picture of a QR code is the account number in another form.
            let picture = self.fields.iter().any(|field| field.name == *name && field.kind == FieldKind::Picture);
            (!picture).then(|| (name.clone(), if secret(name) { mask(value) } else { value.clone() }))
        };
        fields.iter().filter_map(shown).collect()
    }
}

impl FieldForm {
    fn check(&self, value: &str) -> Result<(), &'static str> {
        if value.chars().count() > self.max_length.min(LONGEST_FIELD) {
            return Err("too long");
        }
        if value.chars().any(char::is_control) {
            return Err("letters, digits and signs only");
        }
        match self.kind {
            FieldKind::Text => Ok(()),
            FieldKind::Number if value.bytes().all(|b| b.is_ascii_digit() || b == b' ') => Ok(()),
            FieldKind::Number => Err("digits only"),
            FieldKind::Picture if value.parse::<crate::ids::FileId>().is_ok() => Ok(()),
            FieldKind::Picture => Err("not the id of an uploaded picture"),
        }
    }
}

/// Dots for all but the last characters; all dots when there are too few to hide any.
fn mask(value: &str) -> String {
    let count = value.chars().count();
    let hidden = if count > SHOWN.saturating_mul(2) { count.saturating_sub(SHOWN) } else { count };
    value.chars().enumerate().map(|(place, c)| if place < hidden { '•' } else { c }).collect()
}

/// A value that does not fit its form. It becomes a [`Refusal::InvalidField`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodError {
    /// The field, as `fields.account`.
    pub field: String,
    /// What is wrong; `empty` for a required field without a value.
    pub reason: &'static str,
}

impl MethodError {
    fn new(field: impl Into<String>, reason: &'static str) -> Self {
        Self { field: field.into(), reason }
    }
}

impl From<MethodError> for Refusal {
    fn from(error: MethodError) -> Self {
        Self::InvalidField { field: error.field, reason: error.reason }
    }
}

/// Refuses one method more than a person may keep.
pub fn check_count(had: usize) -> Result<(), Refusal> {
    if u32::try_from(had).unwrap_or(u32::MAX) < MOST {
        Ok(())
    } else {
        Err(Refusal::PaymentMethodLimit { limit: MOST })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> MethodForm {
        let field = |name: &str, required, kind, secret| FieldForm {
            name: name.into(),
            required,
            max_length: 19,
            kind,
            secret,
        };
        MethodForm {
            kind: "bankCard".into(),
            currencies: vec!["CNY".into()],
            fields: vec![
                field("name", true, FieldKind::Text, false),
                field("account", true, FieldKind::Number, true),
                field("qrCode", false, FieldKind::Picture, false),
            ],
        }
    }

    fn typed(pairs: &[(&str, &str)]) -> Fields {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn values_are_trimmed_and_empty_ones_left_out() {
        let filled = form().fill("CNY", &typed(&[("name", " Li Lei "), ("account", "6222 0211"), ("qrCode", " ")]));
        assert_eq!(filled.unwrap(), typed(&[("name", "Li Lei"), ("account", "6222 0211")]));
    }

    #[test]
    fn what_does_not_fit_names_its_field() {
        let good = [("name", "Li"), ("account", "6222")];
        let with = |name, value| typed(&[good.as_slice(), &[(name, value)]].concat());
        for (currency, fields, field, reason) in [
            ("USD", typed(&good), "currency", "not a currency of this type"),
            ("CNY", with("other", "1"), "fields.other", "not a field of this type"),
            ("CNY", with("name", " "), "fields.name", "empty"),
            ("CNY", with("account", "62x"), "fields.account", "digits only"),
            ("CNY", with("account", "12345678901234567890"), "fields.account", "too long"),
            ("CNY", with("name", "a\nb"), "fields.name", "letters, digits and signs only"),
            ("CNY", with("qrCode", "../x"), "fields.qrCode", "not the id of an uploaded picture"),
        ] {
            assert_eq!(form().fill(currency, &fields), Err(MethodError::new(field, reason)));
        }
    }

    #[test]
    fn the_same_account_is_the_same_method() {
        let digest = |name, account| form().digest("CNY", &typed(&[("name", name), ("account", account)]));
        assert_eq!(digest("Li", "6222 0211"), digest("Lei", "6222-0211"));
        assert_ne!(digest("Li", "6222 0211"), digest("Li", "6222 0212"));
        assert_ne!(digest("Li", "1"), form().digest("USD", &typed(&[("account", "1")])));
    }

    #[test]
    fn others_see_the_last_digits_and_no_picture() {
        let fields = typed(&[("name", "Li"), ("account", "6222021100001234"), ("qrCode", "x")]);
        assert_eq!(form().masked(&fields), typed(&[("name", "Li"), ("account", "••••••••••••1234")]));
        assert_eq!(form().masked(&typed(&[("account", "12345678")])), typed(&[("account", "••••••••")]));
    }

    #[test]
    fn the_twenty_first_is_refused() {
        assert_eq!(check_count(19), Ok(()));
        assert_eq!(check_count(20), Err(Refusal::PaymentMethodLimit { limit: 20 }));
    }
}
