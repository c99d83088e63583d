//! The calls about payment methods and their forms.

use std::collections::BTreeMap;

use app::files::LinkedFile;
use app::payment_methods::{Listed, Typed};
use axum::extract::State;
use domain::ids::PaymentMethodId;
use domain::payment_methods::{FieldKind, MethodForm};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::envelope::{Answer, Done, Envelope, Null};
use crate::extract::{Command, CommandKey, PathId, Session};
use crate::files::FileDto;
use crate::identity::EmptyBody;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(forms))
        .routes(routes!(list))
        .routes(routes!(create))
        .routes(routes!(get, update))
        .routes(routes!(delete))
}

/// The form for a type of payment method.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MethodForm)]
#[serde(rename_all = "camelCase")]
struct FormItem {
    /// The type.
    #[serde(rename = "type")]
    kind: String,
    /// The codes of the currencies in which the type can be used.
    currencies: Vec<String>,
    /// The fields, in the order in which to show them.
    fields: Vec<FieldItem>,
}

/// A field of a form.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MethodField)]
#[serde(rename_all = "camelCase")]
struct FieldItem {
    name: String,
    required: bool,
    /// The maximum number of characters.
    max_length: usize,
    /// The kind of value.
    kind: FieldKind,
    /// Whether others see the value masked.
    secret: bool,
    /// A regular expression that the whole value must match after its separators are removed: spaces in a number;
    /// spaces, dots, hyphens and brackets in a telephone number; spaces and hyphens in an IBAN, which may also have
    /// lowercase letters. Null if there is no restriction.
    pattern: Option<String>,
    /// An example of a value.
    example: Option<String>,
    /// The currencies for which the field is shown; null for all currencies of the form.
    currencies: Option<Vec<String>>,
}

impl From<MethodForm> for FormItem {
    fn from(form: MethodForm) -> Self {
        let fields = form.fields.into_iter().map(|field| FieldItem {
            name: field.name,
            required: field.required,
            max_length: field.max_length,
            kind: field.kind,
            secret: field.secret,
            pattern: field.pattern,
            example: field.example,
            currencies: field.currencies,
        });
        Self { kind: form.kind, currencies: form.currencies, fields: fields.collect() }
    }
}

/// A payment method, as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentMethod)]
#[serde(rename_all = "camelCase")]
struct MethodItem {
    id: Uuid,
    #[serde(rename = "type")]
    kind: String,
    currency: String,
    /// The values by field name.
    fields: BTreeMap<String, String>,
    /// The pictures by field name, such as the QR code.
    pictures: BTreeMap<String, FileDto>,
    /// Whether an advert or order uses the method, which can then be neither changed nor deleted.
    in_use: bool,
}

impl From<Listed> for MethodItem {
    fn from(listed: Listed) -> Self {
        let Listed { method, in_use, pictures } = listed;
        let pictures = shown(&pictures);
        Self { id: method.id.0, kind: method.kind, currency: method.currency, fields: method.fields, pictures, in_use }
    }
}

/// The payment method to save.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = PaymentMethodBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MethodBody {
    #[serde(rename = "type")]
    kind: String,
    currency: String,
    /// The values by field name, as in the form of the type.
    fields: BTreeMap<String, String>,
}

impl From<MethodBody> for Typed {
    fn from(body: MethodBody) -> Self {
        Self { kind: body.kind, currency: body.currency, fields: body.fields }
    }
}

/// Lists the forms of all types of payment methods, in the order in which to show them.
#[utoipa::path(get, path = "/payment/method/forms", tag = "payment methods",
    responses((status = 200, body = Envelope<Vec<FormItem>>)), security(("session" = [])))]
async fn forms(State(state): State<ApiState>, _: Session) -> Answer<Vec<FormItem>> {
    Ok(Done(state.methods.forms().await?.into_iter().map(Into::into).collect()))
}

/// Lists the user's own payment methods, oldest first.
#[utoipa::path(get, path = "/payment/method/list", tag = "payment methods",
    responses((status = 200, body = Envelope<Vec<MethodItem>>)), security(("session" = [])))]
async fn list(State(state): State<ApiState>, Session(who): Session) -> Answer<Vec<MethodItem>> {
    Ok(Done(state.methods.list(who.user).await?.into_iter().map(Into::into).collect()))
}

/// Returns one of the user's own payment methods.
#[utoipa::path(get, path = "/payment/method/{id}", tag = "payment methods",
    params(("id" = Uuid, Path, description = "The ID of the payment method")),
    responses((status = 200, body = Envelope<MethodItem>)), security(("session" = [])))]
async fn get(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<PaymentMethodId>,
) -> Answer<MethodItem> {
    Ok(Done(state.methods.get(who.user, id).await?.into()))
}

/// Adds a payment method. Refused with 5024 and the existing method if it is a duplicate, and with 5040 if the user has
/// 20 methods.
#[utoipa::path(post, path = "/payment/method", tag = "payment methods", request_body = MethodBody,
    params(CommandKey), responses((status = 200, body = Envelope<MethodItem>)), security(("session" = [])))]
async fn create(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { key, body }: Command<MethodBody>,
) -> Answer<MethodItem> {
    Ok(Done(state.methods.create(&key, who.user, &body.into()).await?.into()))
}

/// Changes a payment method. Refused with 5039 while an advert or order uses it.
#[utoipa::path(post, path = "/payment/method/{id}", tag = "payment methods", request_body = MethodBody,
    params(("id" = Uuid, Path, description = "The ID of the payment method"), CommandKey),
    responses((status = 200, body = Envelope<MethodItem>)), security(("session" = [])))]
async fn update(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<PaymentMethodId>,
    Command { key, body }: Command<MethodBody>,
) -> Answer<MethodItem> {
    Ok(Done(state.methods.update(&key, who.user, id, &body.into()).await?.into()))
}

/// Deletes a payment method. Refused with 5039 while an advert or order uses it.
#[utoipa::path(post, path = "/payment/method/delete/{id}", tag = "payment methods", request_body = EmptyBody,
    params(("id" = Uuid, Path, description = "The ID of the payment method"), CommandKey),
    responses((status = 200, body = Envelope<Null>)), security(("session" = [])))]
async fn delete(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<PaymentMethodId>,
    Command { key, .. }: Command<EmptyBody>,
) -> Answer<()> {
    Ok(Done(state.methods.delete(&key, who.user, id).await?))
}

/// A payment method of the user, or of the other party of an open order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PaymentMethodDetails)]
pub(crate) struct PaymentMethodDto {
    pub(crate) id: String,
    /// The type, as in the forms.
    pub(crate) r#type: String,
    pub(crate) currency: String,
    /// The values by field name.
    pub(crate) fields: BTreeMap<String, String>,
    /// The pictures by field name, such as the QR code. Shown to the buyer of an open order; otherwise empty.
    pub(crate) pictures: BTreeMap<String, FileDto>,
}

impl From<&domain::payment_methods::PaymentMethod> for PaymentMethodDto {
    fn from(method: &domain::payment_methods::PaymentMethod) -> Self {
        Self::new(method, &BTreeMap::new())
    }
}

/// Returns the DTOs of pictures.
fn shown(pictures: &BTreeMap<String, LinkedFile>) -> BTreeMap<String, FileDto> {
    pictures.iter().map(|(name, linked)| (name.clone(), linked.into())).collect()
}

impl PaymentMethodDto {
    pub(crate) fn new(
        method: &domain::payment_methods::PaymentMethod,
        pictures: &BTreeMap<String, LinkedFile>,
    ) -> Self {
        Self {
            pictures: shown(pictures),
            id: method.id.to_string(),
            r#type: method.kind.clone(),
            currency: method.currency.clone(),
            fields: method.fields.clone(),
        }
    }
}
