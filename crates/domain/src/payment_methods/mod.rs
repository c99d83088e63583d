//! Payment methods: how users pay each other outside the platform. This module validates user input against the
//! configured forms.

use std::collections::BTreeMap;

use regex_lite::Regex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ids::{FileId, PaymentMethodId, UserId};
use crate::refusal::Refusal;

/// The maximum number of payment methods per user.
pub const MAX_METHODS: u32 = 20;
/// The maximum length of any field in characters, even if its form allows more.
const LONGEST_FIELD: usize = 100;
/// The number of characters that stay visible in a masked account number.
const SHOWN_CHARACTERS: usize = 4;

/// Values, keyed by field name.
pub type Fields = BTreeMap<String, String>;

/// The kind of value in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MethodFieldKind))]
pub enum FieldKind {
    Text,
    Number,
    /// A phone number; digits can be grouped in any way.
    Phone,
    Iban,
    /// The ID of an uploaded picture.
    Picture,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldForm {
    pub name: String,
    pub required: bool,
    /// The maximum length in characters.
    pub max_length: usize,
    pub kind: FieldKind,
    /// Whether other users see only a masked value, such as an account number.
    pub secret: bool,
    /// A regular expression that must match the whole value after separators are removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The currencies for which the field is shown. If `None`, all currencies of the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currencies: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MethodForm {
    #[serde(rename = "type")]
    pub kind: String,
    pub currencies: Vec<String>,
    /// In the order shown on the screen.
    pub fields: Vec<FieldForm>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentMethod {
    pub id: PaymentMethodId,
    pub user: UserId,
    pub kind: String,
    pub currency: String,
    pub fields: Fields,
    /// Equal for methods of the same account: see [`MethodForm::digest`].
    pub digest: [u8; 32],
    /// Increases with every change.
    pub version: i32,
}

impl PaymentMethod {
    /// Returns the account holder's name, which every form contains.
    pub fn holder(&self) -> Option<&str> {
        self.fields.get("name").map(String::as_str)
    }
}

impl MethodForm {
    /// Validates user input: trims values, drops empty fields and checks each value.
    ///
    /// Errors name the field as `fields.NAME` or `currency`.
    pub fn fill(&self, currency: &str, typed: &Fields) -> Result<Fields, MethodError> {
        if !self.currencies.iter().any(|known| known == currency) {
            return Err(MethodError::new("currency", "not a currency of this type"));
        }
        let fields = || self.fields.iter().filter(|field| field.is_asked_in(currency));
        if let Some(unknown) = typed.keys().find(|name| !fields().any(|field| field.name == **name)) {
            return Err(MethodError::new(format!("fields.{unknown}"), "not a field of this type"));
        }
        let mut filled = Fields::new();
        for field in fields() {
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

    /// Returns a digest that identifies the account: a hash of type, currency and secret fields, without case, spaces
    /// and hyphens.
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

    /// Returns the pictures among the values: the name of the field, and the file.
    pub fn pictures(&self, fields: &Fields) -> Vec<(String, FileId)> {
        let pictures = self.fields.iter().filter(|field| field.kind == FieldKind::Picture);
        pictures.filter_map(|field| Some((field.name.clone(), fields.get(&field.name)?.parse().ok()?))).collect()
    }

    /// Returns the values as shown to users who do not have to pay: account numbers are masked, pictures omitted.
    pub fn masked(&self, fields: &Fields) -> Fields {
        let secret = |name: &str| self.fields.iter().any(|field| field.name == name && field.secret);
        let shown = |(name, value): (&String, &String)| {
            // Pictures are omitted because a QR code contains the account number.
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
        let compact = self.compact(value);
        match self.kind {
            FieldKind::Number if !compact.bytes().all(|b| b.is_ascii_digit()) => return Err("digits only"),
            FieldKind::Picture if value.parse::<FileId>().is_err() => {
                return Err("not the id of an uploaded picture");
            }
            FieldKind::Iban if !is_iban(&compact) => return Err("not an IBAN"),
            _ => {}
        }
        let Some(pattern) = &self.pattern else { return Ok(()) };
        match Regex::new(&format!("^(?:{pattern})$")) {
            Ok(pattern) if pattern.is_match(&compact) => Ok(()),
            _ => Err("not of the field's form"),
        }
    }

    /// Returns the value without separators, for comparison with the pattern.
    fn compact(&self, value: &str) -> String {
        let without = |signs: &[char]| value.chars().filter(|c| !signs.contains(c)).collect::<String>();
        match self.kind {
            FieldKind::Text | FieldKind::Picture => value.to_owned(),
            FieldKind::Number => without(&[' ']),
            FieldKind::Phone => without(&[' ', '-', '.', '(', ')']),
            FieldKind::Iban => without(&[' ', '-']).to_ascii_uppercase(),
        }
    }

    fn is_asked_in(&self, currency: &str) -> bool {
        self.currencies.as_ref().is_none_or(|known| known.iter().any(|one| one == currency))
    }
}

/// Returns whether the check digits of an IBAN are correct (ISO 13616): after the first four characters are moved to
/// the end and letters replaced by numbers from 10, the remainder modulo 97 must be 1.
fn is_iban(text: &str) -> bool {
    let Some((front, rest)) = text.split_at_checked(4) else { return false };
    let mut remainder = 0_u32;
    for c in rest.chars().chain(front.chars()) {
        let Some(digit) = c.to_digit(36).filter(|_| c.is_ascii()) else { return false };
        let factor = if digit < 10 { 10 } else { 100 };
        remainder = remainder.wrapping_mul(factor).wrapping_add(digit).wrapping_rem(97);
    }
    (15..=34).contains(&text.len()) && remainder == 1
}

/// Replaces all but the last characters with dots, or every character if the value is too short to hide enough.
fn mask(value: &str) -> String {
    let count = value.chars().count();
    let hidden =
        if count > SHOWN_CHARACTERS.saturating_mul(2) { count.saturating_sub(SHOWN_CHARACTERS) } else { count };
    value.chars().enumerate().map(|(place, c)| if place < hidden { '•' } else { c }).collect()
}

/// A value that does not match its form. Becomes a [`Refusal::InvalidField`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodError {
    /// For example `fields.account`.
    pub field: String,
    /// `empty` for a required field without a value.
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

/// Refuses another method if the user already has the maximum number.
pub fn check_count(had: usize) -> Result<(), Refusal> {
    if u32::try_from(had).unwrap_or(u32::MAX) < MAX_METHODS {
        Ok(())
    } else {
        Err(Refusal::PaymentMethodLimit { limit: MAX_METHODS })
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
            pattern: None,
            example: None,
            currencies: None,
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
    fn invalid_values_are_refused_with_the_field_name() {
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
    fn separators_do_not_matter_when_a_value_is_matched() {
        let check = |kind, pattern: Option<&str>, value: &str| {
            let pattern = pattern.map(str::to_owned);
            let (name, max_length) = ("x".to_owned(), 40);
            let (example, currencies) = (None, None);
            FieldForm { name, required: true, max_length, kind, secret: true, pattern, example, currencies }
                .check(value)
        };
        let phone = Some("([+]?82|0)1[0-9]{8,9}");
        for value in ["01012345678", "010-1234-5678", "+82 (10) 1234 5678"] {
            assert_eq!(check(FieldKind::Phone, phone, value), Ok(()), "{value}");
        }
        for value in ["12345", "x01012345678", "01012345678 ext"] {
            assert_eq!(check(FieldKind::Phone, phone, value), Err("not of the field's form"), "{value}");
        }
        let upi = Some("[A-Za-z0-9._-]{2,64}@[A-Za-z]{2,32}");
        assert_eq!(check(FieldKind::Text, upi, "anna.k@okbank"), Ok(()));
        assert_eq!(check(FieldKind::Text, upi, "anna k@okbank"), Err("not of the field's form"));
        for iban in [
            "DE89 3704 0044 0532 0130 00",
            "gb29nwbk60161331926819",
            "TR33-0006-1005-1978-6457-8413-26",
            "AT61 1904 3002 3457 3201",
        ] {
            assert_eq!(check(FieldKind::Iban, None, iban), Ok(()), "{iban}");
        }
        for wrong in ["DE89 3704 0044 0532 0130 01", "DE89", "", "ÄÄ89370400440532013000", "6222021100001234"] {
            assert_eq!(check(FieldKind::Iban, None, wrong), Err("not an IBAN"), "{wrong}");
        }
        assert_eq!(
            check(FieldKind::Text, Some("("), "x"),
            Err("not of the field's form"),
            "an invalid pattern matches nothing"
        );
    }

    #[test]
    fn a_field_is_required_only_in_its_currencies() {
        let mut form = form();
        form.currencies.push("EUR".into());
        form.fields[1].currencies = Some(vec!["CNY".into()]);
        assert_eq!(form.fill("EUR", &typed(&[("name", "Li")])), Ok(typed(&[("name", "Li")])));
        let unknown = form.fill("EUR", &typed(&[("name", "Li"), ("account", "1")]));
        assert_eq!(unknown, Err(MethodError::new("fields.account", "not a field of this type")));
        assert_eq!(form.fill("CNY", &typed(&[("name", "Li")])), Err(MethodError::new("fields.account", "empty")));
    }

    #[test]
    fn the_same_account_is_the_same_method() {
        let digest = |name, account| form().digest("CNY", &typed(&[("name", name), ("account", account)]));
        assert_eq!(digest("Li", "6222 0211"), digest("Lei", "6222-0211"));
        assert_ne!(digest("Li", "6222 0211"), digest("Li", "6222 0212"));
        assert_ne!(digest("Li", "1"), form().digest("USD", &typed(&[("account", "1")])));
    }

    #[test]
    fn others_see_only_the_last_digits_and_no_picture() {
        let fields = typed(&[("name", "Li"), ("account", "6222021100001234"), ("qrCode", "x")]);
        assert_eq!(form().masked(&fields), typed(&[("name", "Li"), ("account", "••••••••••••1234")]));
        assert_eq!(form().masked(&typed(&[("account", "12345678")])), typed(&[("account", "••••••••")]));
    }

    #[test]
    fn the_pictures_are_the_files_in_the_fields_for_pictures() {
        let id = uuid::Uuid::from_u128(7);
        let fields = typed(&[("name", &id.to_string()), ("account", "6222"), ("qrCode", &id.to_string())]);
        assert_eq!(form().pictures(&fields), [("qrCode".to_owned(), FileId(id))]);
        assert_eq!(form().pictures(&typed(&[("name", "Li")])), []);
    }

    #[test]
    fn the_holder_is_the_name_in_the_form() {
        let method = PaymentMethod {
            id: PaymentMethodId(uuid::Uuid::nil()),
            user: UserId(uuid::Uuid::nil()),
            kind: "bankCard".into(),
            currency: "CNY".into(),
            fields: typed(&[("account", "6222"), ("name", "Li")]),
            digest: [0; 32],
            version: 1,
        };
        assert_eq!(method.holder(), Some("Li"));
        assert_eq!(PaymentMethod { fields: Fields::new(), ..method }.holder(), None);
    }

    #[test]
    fn a_twenty_first_payment_method_is_refused() {
        assert_eq!(check_count(19), Ok(()));
        assert_eq!(check_count(20), Err(Refusal::PaymentMethodLimit { limit: 20 }));
    }
}
