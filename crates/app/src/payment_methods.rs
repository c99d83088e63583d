//! Manages users' payment methods. A method that an advert or order uses cannot be changed.

use std::collections::BTreeMap;

use domain::clock::Timestamp;
use domain::files::{Access, Attachment, FileKind};
use domain::ids::{FileId, PaymentMethodId, UserId};
use domain::payment_methods::{Fields, MethodForm, PaymentMethod, check_count};
use domain::refusal::Refusal;
use store::payment_methods as rows;
use store::{Tx, users};

use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::files::{self, LinkedFile, Viewer, Wanted};
use crate::{Context, Error, Result};

/// A payment method as its owner entered it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    pub kind: String,
    pub currency: String,
    pub fields: Fields,
}

/// A payment method in its owner's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub method: PaymentMethod,
    /// Whether an open advert or order uses the method. If so, it can be neither changed nor deleted.
    pub in_use: bool,
    /// The pictures of the method, by the names of their fields.
    pub pictures: BTreeMap<String, LinkedFile>,
}

#[derive(Clone)]
pub struct PaymentMethods {
    context: Context,
}

impl PaymentMethods {
    pub fn new(context: Context) -> Self {
        Self { context }
    }

    /// Returns the form of each type, in the order of the screen.
    pub async fn forms(&self) -> Result<Vec<MethodForm>> {
        let (mut tx, _) = self.context.begin().await?;
        Ok(rows::forms(&mut tx).await?)
    }

    pub async fn list(&self, user: UserId) -> Result<Vec<Listed>> {
        let (mut tx, now) = self.context.begin().await?;
        let used = rows::in_use(&mut tx, user).await?;
        let methods = rows::of_user(&mut tx, user).await?;
        let forms = rows::forms(&mut tx).await?;
        let ids: Vec<_> = methods.iter().flat_map(|method| pictures(&forms, method)).map(|(_, file)| file).collect();
        let mut links =
            files::links(&self.context, &mut tx, now, Viewer::User(user), Access::Owner(user), &ids).await?;
        let listed = methods.into_iter().map(|method| Listed {
            in_use: used.contains(&method.id),
            pictures: pictures(&forms, &method)
                .into_iter()
                .filter_map(|(name, file)| Some((name, links.remove(&file)?)))
                .collect(),
            method,
        });
        Ok(listed.collect())
    }

    pub async fn get(&self, user: UserId, id: PaymentMethodId) -> Result<Listed> {
        let found = self.list(user).await?.into_iter().find(|listed| listed.method.id == id);
        Ok(found.ok_or(Refusal::PaymentMethodMissing)?)
    }

    pub async fn create(&self, key: &IdempotencyKey, user: UserId, typed: &Typed) -> Result<Listed> {
        let (mut tx, now) = self.context.begin().await?;
        users::lock(&mut tx, &[user]).await?;
        if let Some(Response { id: Some(id), .. }) = key.response(&mut tx, user).await? {
            drop(tx);
            return self.get(user, PaymentMethodId(id)).await;
        }
        let had = rows::of_user(&mut tx, user).await?;
        let Checked { fields, digest, pictures } = checked(&mut tx, typed, &had, None).await?;
        check_count(had.len())?;
        let id = PaymentMethodId(self.context.fresh(now));
        let (kind, currency) = (typed.kind.clone(), typed.currency.clone());
        let method = PaymentMethod { id, user, kind, currency, fields, digest, version: 1 };
        rows::insert(&mut tx, &method, now).await?;
        attach(&mut tx, &method, &pictures, now).await?;
        key.remember(&mut tx, user, Response { id: Some(id.0), version: 0 }, now).await?;
        tx.commit().await?;
        self.get(user, id).await
    }

    /// Changes a method that is not in use.
    pub async fn update(
        &self,
        key: &IdempotencyKey,
        user: UserId,
        id: PaymentMethodId,
        typed: &Typed,
    ) -> Result<Listed> {
        let (mut tx, now) = self.context.begin().await?;
        users::lock(&mut tx, &[user]).await?;
        if key.response(&mut tx, user).await?.is_some() {
            drop(tx);
            return self.get(user, id).await;
        }
        let had = rows::of_user(&mut tx, user).await?;
        let old = had.iter().find(|method| method.id == id).ok_or(Refusal::PaymentMethodMissing)?;
        if rows::in_use(&mut tx, user).await?.contains(&id) {
            return Err(Refusal::PaymentMethodInUse.into());
        }
        let Checked { fields, digest, pictures } = checked(&mut tx, typed, &had, Some(id)).await?;
        let (kind, currency) = (typed.kind.clone(), typed.currency.clone());
        let method = PaymentMethod { kind, currency, fields, digest, ..old.clone() };
        rows::update(&mut tx, &method, now).await?;
        attach(&mut tx, &method, &pictures, now).await?;
        key.remember(&mut tx, user, Response { id: Some(id.0), version: 0 }, now).await?;
        tx.commit().await?;
        self.get(user, id).await
    }

    /// Deletes a method that is not in use.
    pub async fn delete(&self, key: &IdempotencyKey, user: UserId, id: PaymentMethodId) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        users::lock(&mut tx, &[user]).await?;
        if key.response(&mut tx, user).await?.is_some() {
            return Ok(());
        }
        let had = rows::of_user(&mut tx, user).await?;
        if !had.iter().any(|method| method.id == id) {
            return Err(Refusal::PaymentMethodMissing.into());
        }
        if rows::in_use(&mut tx, user).await?.contains(&id) {
            return Err(Refusal::PaymentMethodInUse.into());
        }
        rows::delete(&mut tx, id, now).await?;
        store::files::release_pictures(&mut tx, id, &[], now).await?;
        key.remember(&mut tx, user, Response { id: Some(id.0), version: 0 }, now).await?;
        Ok(tx.commit().await?)
    }
}

/// The fields of a method that match its form.
struct Checked {
    fields: Fields,
    digest: [u8; 32],
    pictures: Vec<(String, FileId)>,
}

/// Checks the fields of a method and returns them with their digest and pictures. Refuses a duplicate of another method of the user;
/// `but` is the method that is being edited.
async fn checked(tx: &mut Tx, typed: &Typed, had: &[PaymentMethod], but: Option<PaymentMethodId>) -> Result<Checked> {
    let form = rows::forms(tx).await?.into_iter().find(|form| form.kind == typed.kind);
    let form = form.ok_or(Refusal::Invalid { field: "type", reason: "unknown" })?;
    let fields = form.fill(&typed.currency, &typed.fields).map_err(Refusal::from)?;
    let digest = form.digest(&typed.currency, &fields);
    match had.iter().find(|method| method.digest == digest && Some(method.id) != but) {
        Some(twin) => Err(Refusal::PaymentMethodExists { existing: twin.id }.into()),
        None => Ok(Checked { digest, pictures: form.pictures(&fields), fields }),
    }
}

/// Attaches the pictures of a method that it did not have before, and detaches those that it has no longer.
async fn attach(tx: &mut Tx, method: &PaymentMethod, pictures: &[(String, FileId)], now: Timestamp) -> Result<()> {
    let target = Attachment::PaymentMethod(method.id);
    let ids: Vec<_> = pictures.iter().map(|(_, file)| *file).collect();
    let kept = store::files::lock(tx, &ids).await?;
    let kept: Vec<_> = kept.iter().filter(|file| file.attached == Some(target)).map(|file| file.id).collect();
    store::files::release_pictures(tx, method.id, &kept, now).await?;
    for (name, file) in pictures.iter().filter(|(_, file)| !kept.contains(file)) {
        let wanted = Wanted { user: method.user, files: &[*file], kind: FileKind::Image, field: "fields" };
        files::attach(tx, wanted, target, now).await.map_err(|error| match error {
            Error::Refused(Refusal::Invalid { reason, .. }) => {
                Refusal::InvalidField { field: format!("fields.{name}"), reason }.into()
            }
            other => other,
        })?;
    }
    Ok(())
}

/// Returns the pictures of a method by the names of their fields.
pub(crate) fn pictures(forms: &[MethodForm], method: &PaymentMethod) -> Vec<(String, FileId)> {
    let form = forms.iter().find(|form| form.kind == method.kind);
    form.map(|form| form.pictures(&method.fields)).unwrap_or_default()
}

/// Masks the account details of a method. Removes all fields if the method's type no longer exists.
pub(crate) fn masked(forms: &[MethodForm], method: PaymentMethod) -> PaymentMethod {
    let form = forms.iter().find(|form| form.kind == method.kind);
    let fields = form.map(|form| form.masked(&method.fields)).unwrap_or_default();
    PaymentMethod { fields, ..method }
}
