//! Commands and queries on orders.

pub(crate) mod dto;

use std::sync::Arc;

use app::Context;
use app::orders::{self, PlaceOrder, Size};
use app::trading::CommandKind;
use axum::extract::{FromRef, State};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, FileId, OrderId, PaymentMethodId, UserId};
use domain::money::Price;
use domain::orders::{Order, OrderCommand, Requirements, State as OrderState, requirements};
use domain::refusal::Refusal;
use domain::trade::Party;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::OrderDto;
use crate::commands::{DepositBody, SecurityPasswords, Seen, allowed, amount, carry_out, given, money_field};
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Asked, Command, CommandKey, Page, PageOf, PathId, Query, Session};
use crate::identity::SealedText;
use crate::middleware::Middleware;

pub(crate) fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
    Arc<dyn SecurityPasswords>: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(place))
        .routes(routes!(page))
        .routes(routes!(one))
        .routes(routes!(take))
        .routes(routes!(cancel))
        .routes(routes!(pay))
        .routes(routes!(confirm))
        .routes(routes!(recover))
        .routes(routes!(ask_cancel))
        .routes(routes!(agree_cancel))
        .routes(routes!(deposit))
        .routes(routes!(update_read))
}

/// The order to place.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateOrder {
    #[schema(value_type = String)]
    advert_id: AdvertId,
    /// The price that the user saw. If the advert has another one, the order is refused with 5043 and the current
    /// price.
    price: String,
    /// The quantity of the base, as a decimal string. Provide either this or `total`.
    #[serde(default)]
    quantity: Option<String>,
    /// The amount of the quote to spend, as a decimal string. The order has the largest quantity that it pays for.
    /// Provide either this or `quantity`.
    #[serde(default)]
    total: Option<String>,
    /// The seller's payment method, for fiat: one of the `methods` of a `SELL` advert; for a `BUY` advert, one of the
    /// user's own. Both parties must have a method of its type. Defaults to any such method.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    payment_method_id: Option<PaymentMethodId>,
}

/// A command that may require the security password.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Guarded {
    /// The version of the order that the user saw.
    version: i64,
    /// The security password, if the order's `actions` require it.
    #[serde(default)]
    security_code: Option<SealedText>,
}

/// The buyer's report of the payment.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PaidBody {
    /// The version of the order that the user saw.
    version: i64,
    /// The payment method that was used, which must be the order's.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    method_id: Option<PaymentMethodId>,
    /// The reference of the payment at the bank or app, of at most 100 characters.
    #[serde(default)]
    reference: Option<String>,
    /// The transaction hash of the transfer, of at most 100 characters.
    #[serde(default)]
    hash: Option<String>,
    /// Up to 5 uploaded pictures of the receipt.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    receipts: Vec<FileId>,
}

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Whether to list ended orders (`true`) or open orders (`false`). Defaults to both.
    #[serde(default)]
    finish: Option<bool>,
}

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Named {
    #[param(value_type = String)]
    id: OrderId,
}

/// Places an order on an advert.
#[utoipa::path(post, path = "/c2c/deal/order", tag = "orders", security(("session" = [])),
    params(("Idempotency-Key" = String, Header)), request_body = CreateOrder,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn place(
    State(context): State<Context>,
    Session(who): Session,
    Command { key, body }: Command<CreateOrder>,
) -> Answer<OrderDto> {
    let (base, quote) = app::adverts::decimals_of(&context, body.advert_id).await?;
    let size = match (&body.quantity, &body.total) {
        (Some(quantity), None) => Size::Quantity(amount("quantity", quantity, base)?),
        (None, Some(total)) => Size::Total(amount("total", total, quote)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or total is needed")),
    };
    let wanted = PlaceOrder {
        advert: body.advert_id,
        size,
        price: Price::parse(&body.price).map_err(|error| money_field("price", error))?,
        method: body.payment_method_id,
    };
    let carried = carry_out(&context, who.user, key, CommandKind::PlaceOrder(wanted)).await?;
    let id = carried.id.map(OrderId).ok_or_else(|| ApiError::internal(&"an order without an id"))?;
    shown(&context, who.user, id).await
}

/// Lists the user's own orders, newest first.
#[utoipa::path(get, path = "/c2c/deal/order/page", tag = "orders", security(("session" = [])), params(Page, Which),
    responses((status = 200, body = Envelope<PageOf<OrderDto>>)))]
async fn page(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
    Query(which): Query<Which>,
) -> Answer<PageOf<OrderDto>> {
    let (views, total) = orders::page(&context, who.user, which.finish, page.offset(), page.limit()).await?;
    Ok(Done(page.of(views.iter().map(OrderDto::from).collect(), total)))
}

/// Returns one of the user's own orders.
#[utoipa::path(get, path = "/c2c/deal/order/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path)), responses((status = 200, body = Envelope<OrderDto>)))]
async fn one(State(context): State<Context>, Session(who): Session, PathId(id): PathId<OrderId>) -> Answer<OrderDto> {
    shown(&context, who.user, id).await
}

/// Accepts an order, as the advertiser.
#[utoipa::path(post, path = "/c2c/deal/order/take/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Seen,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn take(asked: Asked<OrderId, Seen>) -> Answer<OrderDto> {
    act(&asked, asked.body.version, OrderCommand::Accept, false).await
}

/// Cancels an order. Before the order is accepted, the advertiser rejects it with this call. The order's `actions`
/// contain the cost.
#[utoipa::path(post, path = "/c2c/deal/order/cancel/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Guarded,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn cancel(
    State(passwords): State<Arc<dyn SecurityPasswords>>,
    asked: Asked<OrderId, Guarded>,
) -> Answer<OrderDto> {
    let order = orders::one(&asked.context, asked.user, asked.id).await?.order;
    let rejects = order.terms.advertiser == asked.user
        && matches!(order.state, OrderState::AwaitingAcceptance { .. } | OrderState::Rejected { .. });
    guarded(passwords.as_ref(), &asked, &order, if rejects { OrderCommand::Reject } else { OrderCommand::Cancel }).await
}

/// Marks an order as paid, as the buyer.
#[utoipa::path(post, path = "/c2c/deal/order/pay/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = PaidBody,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn pay(asked: Asked<OrderId, PaidBody>) -> Answer<OrderDto> {
    let PaidBody { version, method_id, reference, hash, receipts } = asked.body.clone();
    act(&asked, version, OrderCommand::MarkPaid { method: method_id, reference, hash, receipts }, false).await
}

/// Confirms that the payment was received, as the seller. Requires the security password, and releases the base from
/// escrow.
#[utoipa::path(post, path = "/c2c/deal/order/confirm/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Guarded,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn confirm(
    State(passwords): State<Arc<dyn SecurityPasswords>>,
    asked: Asked<OrderId, Guarded>,
) -> Answer<OrderDto> {
    let order = orders::one(&asked.context, asked.user, asked.id).await?.order;
    guarded(passwords.as_ref(), &asked, &order, OrderCommand::Confirm).await
}

/// Speeds up a release that a reorganization removed. The platform pays it again in any case.
#[utoipa::path(post, path = "/c2c/deal/order/recover/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Seen,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn recover(asked: Asked<OrderId, Seen>) -> Answer<OrderDto> {
    act(&asked, asked.body.version, OrderCommand::Recover, false).await
}

/// Asks the buyer to agree to a cancellation, as the seller.
#[utoipa::path(post, path = "/c2c/deal/order/askCancel/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Seen,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn ask_cancel(asked: Asked<OrderId, Seen>) -> Answer<OrderDto> {
    act(&asked, asked.body.version, OrderCommand::AskCancel, false).await
}

/// Agrees to the cancellation that the seller asked for, as the buyer.
#[utoipa::path(post, path = "/c2c/deal/order/agreeCancel/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = Seen,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn agree_cancel(asked: Asked<OrderId, Seen>) -> Answer<OrderDto> {
    act(&asked, asked.body.version, OrderCommand::AgreeCancel, false).await
}

/// Returns the deposits or payments that the chain shows by now.
///
/// The call credits no deposit. With `fromBalance`, temporary balance is moved into the escrow.
#[utoipa::path(post, path = "/c2c/deal/order/deposit/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = String, Header)), request_body = DepositBody,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn deposit(
    State(passwords): State<Arc<dyn SecurityPasswords>>,
    asked: Asked<OrderId, DepositBody>,
) -> Answer<OrderDto> {
    let view = orders::one(&asked.context, asked.user, asked.id).await?;
    if let Some(offered) = &asked.body.from_balance {
        let (base, quote) = (&view.assets.0, &view.assets.1);
        // The buyer deposits the quote for an automatic advert; the seller deposits the base for a buy advert.
        let sent = if view.party == Party::Buyer { quote } else { base };
        let amount = given(offered, sent.decimals)?;
        allowed(passwords.as_ref(), &asked).await?;
        perform(&asked, CommandKind::FundFromBalance { target: FundingTarget::Order(asked.id), amount }).await
    } else {
        Ok(Done(OrderDto::from(&view)))
    }
}

/// Marks an order as read by the user.
#[utoipa::path(post, path = "/c2c/deal/order/updateRead", tag = "orders", security(("session" = [])),
    params(Named, ("Idempotency-Key" = String, Header)), responses((status = 200, body = Envelope<Null>)))]
async fn update_read(
    State(context): State<Context>,
    Session(who): Session,
    _: CommandKey,
    Query(named): Query<Named>,
) -> Answer<()> {
    orders::mark_read(&context, who.user, named.id).await?;
    Ok(Done(()))
}

/// Executes a command, with the security password if the order's current state requires it.
async fn guarded(
    passwords: &dyn SecurityPasswords,
    asked: &Asked<OrderId, Guarded>,
    order: &Order,
    wanted: OrderCommand,
) -> Answer<OrderDto> {
    let verified = match (requirements(order, asked.user, &wanted), &asked.body.security_code) {
        (Requirements::Nothing, _) => false,
        (Requirements::SecurityPassword, Some(password)) => {
            passwords.check(asked.user, &asked.device, &asked.key, password).await?;
            true
        }
        (Requirements::SecurityPassword, None) => return Err(ApiError::invalid("securityCode", "missing")),
    };
    act(asked, asked.body.version, wanted, verified).await
}

async fn act<B>(asked: &Asked<OrderId, B>, seen: i64, act: OrderCommand, password_verified: bool) -> Answer<OrderDto> {
    perform(asked, CommandKind::Order { id: asked.id, seen, act, password_verified }).await
}

/// Executes a command. If `version` is out of date, the refusal contains the current order.
async fn perform<B>(asked: &Asked<OrderId, B>, what: CommandKind) -> Answer<OrderDto> {
    let Asked { context, user, id, key, .. } = asked;
    match carry_out(context, *user, key.clone(), what).await {
        Ok(_) => shown(context, *user, *id).await,
        Err(error) if error.is(&Refusal::Stale) => {
            Err(error.showing(&OrderDto::from(&orders::one(context, *user, *id).await?)))
        }
        Err(error) => Err(error),
    }
}

async fn shown(context: &Context, user: UserId, id: OrderId) -> Answer<OrderDto> {
    Ok(Done(OrderDto::from(&orders::one(context, user, id).await?)))
}
