//! Commands and queries on a user's own adverts.

pub(crate) mod dto;

use std::sync::Arc;

use app::Context;
use app::adverts::{self, PostAdvert};
use app::trading::CommandKind;
use axum::extract::{FromRef, State};
use domain::adverts::AdvertCommand;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::money::Price;
use domain::refusal::Refusal;
use domain::trade::Side;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::AdvertDto;
use crate::commands::{DepositBody, SecurityPasswords, Seen, allowed, amount, carry_out, given, money_field};
use crate::enums::{AdvertKind, AdvertSide};
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Asked, Command, CommandKey, Page, PageOf, PathId, Query, Session};
use crate::middleware::Middleware;

pub(crate) fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
    Arc<dyn SecurityPasswords>: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(page_by_user))
        .routes(routes!(one))
        .routes(routes!(cancel))
        .routes(routes!(deposit))
        .routes(routes!(switch))
        .routes(routes!(delete))
        .routes(routes!(online, set_online))
}

/// The advert to post.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateAdvert {
    /// Whether the advertiser sells or buys the base.
    side: AdvertSide,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    kind: AdvertKind,
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// The price of one unit of the base, in the quote, as a decimal string with at most `priceDecimals` decimals (see
    /// the pair).
    price: String,
    /// The quantity of the base, as a decimal string with at most 8 decimals.
    quantity: String,
    /// The minimum total of an order, in the quote, as a decimal string.
    order_min: String,
    /// The maximum total of an order, in the quote, as a decimal string.
    order_max: String,
    /// The user's payment methods to offer, for a fiat quote. Their currency must be the quote.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    payment_method_ids: Vec<PaymentMethodId>,
    /// The time that a buyer has to pay, in minutes. Defaults to the pair's payment window.
    #[serde(default)]
    window_minutes: Option<u32>,
    /// A note to other traders, of at most 100 characters, without forbidden words, links or contact information
    /// (1030).
    #[serde(default)]
    remark: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Switch {
    /// The version of the advert that the user saw.
    version: i64,
    /// Whether the advert takes orders.
    online: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Online {
    /// Whether the user takes orders.
    online: bool,
}

/// Posts an advert.
///
/// A sell advert needs a deposit before it goes online: the response contains the address and the deadline.
#[utoipa::path(post, path = "/c2c/advert/create", tag = "adverts", security(("session" = [])),
    params(("Idempotency-Key" = String, Header)), request_body = CreateAdvert,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn create(
    State(context): State<Context>,
    Session(who): Session,
    Command { key, body }: Command<CreateAdvert>,
) -> Answer<AdvertDto> {
    let pair = app::market::pair(&context, &body.base, &body.quote).await?;
    let wanted = PostAdvert {
        pair: pair.id,
        side: body.side.into(),
        automatic: body.kind == AdvertKind::Automatic,
        quantity: amount("quantity", &body.quantity, pair.base.decimals)?,
        price: Price::parse(&body.price).map_err(|error| money_field("price", error))?,
        min_total: amount("orderMin", &body.order_min, pair.quote.decimals)?,
        max_total: amount("orderMax", &body.order_max, pair.quote.decimals)?,
        methods: body.payment_method_ids,
        remark: body.remark.filter(|remark| !remark.trim().is_empty()),
        payment_minutes: body.window_minutes,
    };
    let carried = carry_out(&context, who.user, key, CommandKind::PostAdvert(wanted)).await?;
    let id = carried.id.map(AdvertId).ok_or_else(|| ApiError::internal(&"an advert without an id"))?;
    shown(&context, who.user, id).await
}

/// Lists the user's own adverts, newest first.
#[utoipa::path(get, path = "/c2c/advert/pageByUser", tag = "adverts", security(("session" = [])), params(Page),
    responses((status = 200, body = Envelope<PageOf<AdvertDto>>)))]
async fn page_by_user(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
) -> Answer<PageOf<AdvertDto>> {
    let (views, total) = adverts::page(&context, who.user, page.offset(), page.limit()).await?;
    Ok(Done(page.of(views.iter().map(AdvertDto::from).collect(), total)))
}

/// Returns one of the user's own adverts.
#[utoipa::path(get, path = "/c2c/advert/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path)), responses((status = 200, body = Envelope<AdvertDto>)))]
async fn one(State(context): State<Context>, Session(who): Session, PathId(id): PathId<AdvertId>) -> Answer<AdvertDto> {
    shown(&context, who.user, id).await
}

/// Cancels an advert before it is online, or revokes an online one. The remaining escrow is returned to the bound
/// address.
#[utoipa::path(post, path = "/c2c/advert/cancel/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Seen,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn cancel(asked: Asked<AdvertId, Seen>) -> Answer<AdvertDto> {
    act(&asked, asked.body.version, AdvertCommand::Cancel).await
}

/// Returns the deposits that the chain shows by now.
///
/// The call credits no deposit. With `fromBalance`, temporary balance is moved into the escrow.
#[utoipa::path(post, path = "/c2c/advert/deposit/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = DepositBody,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn deposit(
    State(passwords): State<Arc<dyn SecurityPasswords>>,
    asked: Asked<AdvertId, DepositBody>,
) -> Answer<AdvertDto> {
    let view = adverts::one(&asked.context, asked.user, asked.id).await?;
    if let Some(offered) = &asked.body.from_balance {
        let (base, quote) = (&view.assets.0, &view.assets.1);
        let escrowed = if view.advert.terms.side == Side::Sell { base } else { quote };
        let amount = given(offered, escrowed.decimals)?;
        allowed(passwords.as_ref(), &asked).await?;
        perform(&asked, CommandKind::FundFromBalance { target: FundingTarget::Advert(asked.id), amount }).await
    } else {
        Ok(Done(AdvertDto::from(&view)))
    }
}

/// Takes an advert online or offline.
#[utoipa::path(post, path = "/c2c/advert/switch/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Switch,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn switch(asked: Asked<AdvertId, Switch>) -> Answer<AdvertDto> {
    act(&asked, asked.body.version, AdvertCommand::Switch { online: asked.body.online }).await
}

/// Hides an advert that has ended.
#[utoipa::path(post, path = "/c2c/advert/delete/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Seen,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn delete(asked: Asked<AdvertId, Seen>) -> Answer<AdvertDto> {
    act(&asked, asked.body.version, AdvertCommand::Delete).await
}

/// Returns whether the user is online.
#[utoipa::path(get, path = "/c2c/advert/online", tag = "adverts", security(("session" = [])),
    responses((status = 200, body = Envelope<Online>)))]
async fn online(State(context): State<Context>, Session(who): Session) -> Answer<Online> {
    let online = adverts::is_online(&context, who.user).await?;
    Ok(Done(Online { online }))
}

/// Takes the user online or offline, with all of their adverts. Open orders continue.
#[utoipa::path(post, path = "/c2c/advert/online", tag = "adverts", security(("session" = [])),
    params(Online, ("Idempotency-Key" = String, Header)), responses((status = 200, body = Envelope<Online>)))]
async fn set_online(
    State(context): State<Context>,
    Session(who): Session,
    CommandKey(key): CommandKey,
    Query(wanted): Query<Online>,
) -> Answer<Online> {
    carry_out(&context, who.user, key, CommandKind::Switch { online: wanted.online }).await?;
    Ok(Done(wanted))
}

async fn act<B>(asked: &Asked<AdvertId, B>, seen: i64, act: AdvertCommand) -> Answer<AdvertDto> {
    perform(asked, CommandKind::Advert { id: asked.id, seen, act }).await
}

/// Executes a command. If `version` is out of date, the refusal contains the current advert.
async fn perform<B>(asked: &Asked<AdvertId, B>, what: CommandKind) -> Answer<AdvertDto> {
    let Asked { context, user, id, key, .. } = asked;
    match carry_out(context, *user, key.clone(), what).await {
        Ok(_) => shown(context, *user, *id).await,
        Err(error) if error.is(&Refusal::Stale) => {
            Err(error.showing(&AdvertDto::from(&adverts::one(context, *user, *id).await?)))
        }
        Err(error) => Err(error),
    }
}

async fn shown(context: &Context, user: UserId, id: AdvertId) -> Answer<AdvertDto> {
    Ok(Done(AdvertDto::from(&adverts::one(context, user, id).await?)))
}
