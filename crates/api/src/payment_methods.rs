//! Payment methods.

use std::collections::BTreeMap;

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
use crate::extract::{Command, PathId, Session};
use crate::identity::Nothing;
use crate::state::ApiState;

/// The calls of payment methods.
pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(forms))
        .routes(routes!(list))
        .routes(routes!(create))
        .routes(routes!(get, update))
        .routes(routes!(delete))
}

/// What to ask for a type of method.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MethodForm)]
#[serde(rename_all = "camelCase")]
struct FormItem {
    /// The type's name.
    #[serde(rename = "type")]
    kind: String,
    /// The currencies in which it is used.
    currencies: Vec<String>,
    /// Its fields, in the order of the screen.
    fields: Vec<FieldItem>,
}

/// One field of a form.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MethodField)]
#[serde(rename_all = "camelCase")]
struct FieldItem {
    /// Its name.
    name: String,
    /// Whether it must be filled.
    required: bool,
    /// The most characters.
    max_length: usize,
    /// What it holds.
    kind: FieldItemKind,
    /// Whether others see it masked.
    secret: bool,
    /// A regular expression that the whole value must match, without what only groups it: spaces in a number; spaces, dots,
    /// hyphens and brackets in a telephone number; spaces, hyphens and small letters in an IBAN. Null if anything will do.
    pattern: Option<String>,
    /// What a value looks like.
    example: Option<String>,
    /// The currencies in which it is asked for; null if in all of the form's.
    currencies: Option<Vec<String>>,
}

/// What a field holds.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MethodFieldKind)]
#[serde(rename_all = "camelCase")]
enum FieldItemKind {
    /// Letters, digits and signs.
    Text,
    /// Digits only.
    Number,
    /// A telephone number.
    Phone,
    /// An international bank account number. Its check digits must be right.
    Iban,
    /// The id of an uploaded picture.
    Picture,
}

impl From<MethodForm> for FormItem {
    fn from(form: MethodForm) -> Self {
        let fields = form.fields.into_iter().map(|field| FieldItem {
            name: field.name,
            required: field.required,
            max_length: field.max_length,
            kind: match field.kind {
                FieldKind::Text => FieldItemKind::Text,
                FieldKind::Number => FieldItemKind::Number,
                FieldKind::Phone => FieldItemKind::Phone,
                FieldKind::Iban => FieldItemKind::Iban,
                FieldKind::Picture => FieldItemKind::Picture,
            },
            secret: field.secret,
            pattern: field.pattern,
            example: field.example,
            currencies: field.currencies,
        });
        Self { kind: form.kind, currencies: form.currencies, fields: fields.collect() }
    }
}

/// A payment method, to its owner.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentMethod)]
#[serde(rename_all = "camelCase")]
struct MethodItem {
    /// Its id.
    id: Uuid,
    /// Its type.
    #[serde(rename = "type")]
    kind: String,
    /// Its currency.
    currency: String,
    /// Values by field name.
    fields: BTreeMap<String, String>,
    /// Whether an advert or an order uses it: then it can be neither changed nor deleted.
    in_use: bool,
}

impl From<Listed> for MethodItem {
    fn from(listed: Listed) -> Self {
        let Listed { method, in_use } = listed;
        Self { id: method.id.0, kind: method.kind, currency: method.currency, fields: method.fields, in_use }
    }
}

/// A payment method as its owner types it.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = PaymentMethodBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MethodBody {
    /// Its type.
    #[serde(rename = "type")]
    kind: String,
    /// Its currency.
    currency: String,
    /// Values by field name, as the type's form asks for them.
    fields: BTreeMap<String, String>,
}

impl From<MethodBody> for Typed {
    fn from(body: MethodBody) -> Self {
        Self { kind: body.kind, currency: body.currency, fields: body.fields }
    }
}

/// What to ask for each type of method, in the order of the screen.
#[utoipa::path(get, path = "/payment/method/forms", tag = "payment methods",
    responses((status = 200, body = Envelope<Vec<FormItem>>)), security(("session" = [])))]
async fn forms(State(state): State<ApiState>, _: Session) -> Answer<Vec<FormItem>> {
    Ok(Done(state.methods.forms().await?.into_iter().map(Into::into).collect()))
}

/// One's own methods, the oldest first.
#[utoipa::path(get, path = "/payment/method/list", tag = "payment methods",
    responses((status = 200, body = Envelope<Vec<MethodItem>>)), security(("session" = [])))]
async fn list(State(state): State<ApiState>, Session(who): Session) -> Answer<Vec<MethodItem>> {
    Ok(Done(state.methods.list(who.user).await?.into_iter().map(Into::into).collect()))
}

/// One of one's own methods.
#[utoipa::path(get, path = "/payment/method/{id}", tag = "payment methods",
    params(("id" = Uuid, Path, description = "The method")),
    responses((status = 200, body = Envelope<MethodItem>)), security(("session" = [])))]
async fn get(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<PaymentMethodId>,
) -> Answer<MethodItem> {
    Ok(Done(state.methods.get(who.user, id).await?.into()))
}

/// Keeps a new method. 5024 names the existing one when it is the same; 5040 at the twenty-first.
#[utoipa::path(post, path = "/payment/method", tag = "payment methods", request_body = MethodBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<MethodItem>)), security(("session" = [])))]
async fn create(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { key, body }: Command<MethodBody>,
) -> Answer<MethodItem> {
    Ok(Done(state.methods.create(&key, who.user, &body.into()).await?.into()))
}

/// Changes a method. 5039 while an advert or an order uses it.
#[utoipa::path(post, path = "/payment/method/{id}", tag = "payment methods", request_body = MethodBody,
    params(("id" = Uuid, Path, description = "The method"),
           ("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<MethodItem>)), security(("session" = [])))]
async fn update(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<PaymentMethodId>,
    Command { key, body }: Command<MethodBody>,
) -> Answer<MethodItem> {
    Ok(Done(state.methods.update(&key, who.user, id, &body.into()).await?.into()))
}

/// Takes a method out of the list. 5039 while an advert or an order uses it.
#[utoipa::path(post, path = "/payment/method/delete/{id}", tag = "payment methods", request_body = Nothing,
    params(("id" = Uuid, Path, description = "The method"),
           ("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<Null>)), security(("session" = [])))]
async fn delete(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<PaymentMethodId>,
    Command { key, .. }: Command<Nothing>,
) -> Answer<()> {
    Ok(Done(state.methods.delete(&key, who.user, id).await?))
}

/// A payment method: of one's own, or of the other side of a running order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = UsedMethod)]
pub(crate) struct PaymentMethodDto {
    /// Its id.
    pub(crate) id: String,
    /// Its type, as in the forms.
    pub(crate) r#type: String,
    /// Its currency.
    pub(crate) currency: String,
    /// Values by field name.
    pub(crate) fields: BTreeMap<String, String>,
}

impl From<&domain::payment_methods::PaymentMethod> for PaymentMethodDto {
    fn from(method: &domain::payment_methods::PaymentMethod) -> Self {
        Self {
            id: method.id.to_string(),
            r#type: method.kind.clone(),
            currency: method.currency.clone(),
            fields: method.fields.clone(),
        }
    }
}
