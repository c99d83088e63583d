//! Commands and queries on orders.

pub(crate) mod dto;
pub(crate) mod facts;
mod history;
mod record;

use app::Context;
use app::commands::{CommandKind, View};
use app::orders::{OrderView, PlaceOrder, Size};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, FileId, OrderId, PaymentMethodId, UserId};
use domain::money::{Amount, Price};
use domain::orders::{self, OrderCommand, Proofs};
use domain::trade::Leg;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::OrderDto;
use self::history::HistoryQuery;
use crate::commands::{DepositBody, Target, VersionedCommand, amount, execute_new, execute_on, money_field};
use crate::envelope::{Answer, ApiError, Done, Envelope, Null};
use crate::extract::{Client, Command, CommandKey, CommandOn, Page, PageOf, PathId, Query, Session};
use crate::identity::SealedText;
use crate::polls::Poll;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
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
        .merge(history::calls())
        .merge(record::calls())
}

/// The order to place.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateOrder {
    #[schema(value_type = String)]
    advert_id: AdvertId,
    /// The price that the user saw. If the advert now has another price, the order is refused with 5043 and the current
    /// price.
    price: String,
    /// The fee that the user saw, as a decimal string in the base: the `fee` of the preview. If the fee is another one
    /// now, the order is refused with 5051 and the current fee. Without it, the current fee applies.
    #[serde(default)]
    fee: Option<String>,
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
    /// The user's own payment method from which the payment will come, for buying with fiat. It must have the type of the
    /// seller's method. The name of its account holder becomes the order's `payerName`. Defaults to the user's first method of
    /// this type.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    payer_method_id: Option<PaymentMethodId>,
    /// The security password. Required if the preview has `prefunding`, because the order then spends the temporary balance.
    #[serde(default)]
    security_code: Option<SealedText>,
}

/// A command that may require the security password.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AuthorizedCommand {
    /// The version of the order that the user saw.
    version: i64,
    /// The security password, if the order's `actions` require it.
    #[serde(default)]
    security_code: Option<SealedText>,
    /// The ticket of a challenge from `/scan/proof` that the user approved, if the order's `actions` require it.
    #[serde(default)]
    pass_ticket: Option<String>,
}

/// A cancellation, or a rejection by the advertiser.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CancelBody {
    /// The version of the order that the user saw.
    version: i64,
    /// The security password, if the order's `actions` require it.
    #[serde(default)]
    security_code: Option<SealedText>,
    /// Why the advertiser rejects the order, for the taker: at most 100 characters, without contact information.
    #[serde(default)]
    reason: Option<String>,
    /// The `reputationCost` that the user saw. If the cancellation costs more by now, it is refused with 5053 and the current
    /// cost. Without it, the current cost applies.
    #[serde(default)]
    reputation_cost: Option<i32>,
}

/// The buyer's report of the payment.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MarkPaidBody {
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
struct OrdersQuery {
    /// Whether to list ended orders (`true`) or open orders (`false`). Defaults to both.
    #[serde(default)]
    finish: Option<bool>,
}

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OrderIdQuery {
    #[param(value_type = String)]
    id: OrderId,
}

/// Places an order on an advert.
#[utoipa::path(post, path = "/c2c/deal/order", tag = "orders", security(("session" = [])),
    params(CommandKey), request_body = CreateOrder, responses((status = 200, body = Envelope<OrderDto>)))]
async fn place(
    State(state): State<ApiState>,
    Session(who): Session,
    Client(device): Client,
    Command { key, body }: Command<CreateOrder>,
) -> Answer<OrderDto> {
    let password_verified = body.security_code.is_some();
    if let Some(password) = body.security_code {
        state.identity.check_security_password(&key, who.user, &password.into(), &device).await?;
    }
    let (base, quote) = state.executor.decimals_of(body.advert_id).await?;
    let size = match (&body.quantity, &body.total) {
        (Some(quantity), None) => Size::Quantity(amount("quantity", quantity, base)?),
        (None, Some(total)) => Size::Total(amount("total", total, quote)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or total is needed")),
    };
    // A fee has as many decimals as the asset.
    let fee = body.fee.as_deref().map(|fee| Amount::parse(fee, base)).transpose();
    let fee = fee.map_err(|error| money_field("fee", error))?;
    let wanted = PlaceOrder {
        advert: body.advert_id,
        size,
        price: Price::parse(&body.price).map_err(|error| money_field("price", error))?,
        fee,
        method: body.payment_method_id,
        payer: body.payer_method_id,
        password_verified,
    };
    execute_new(&state, who.user, key, CommandKind::PlaceOrder(wanted), OrderId).await
}

/// Lists the user's own orders, newest first. With `finish=true`, `search`, `from`, `to` and `asset` filter the list.
#[utoipa::path(get, path = "/c2c/deal/order/page", tag = "orders", security(("session" = [])),
    params(Page, OrdersQuery, HistoryQuery), responses((status = 200, body = Envelope<PageOf<OrderDto>>)))]
async fn page(
    State(state): State<ApiState>,
    Session(who): Session,
    Query(page): Query<Page>,
    Query(query): Query<OrdersQuery>,
    Query(filters): Query<HistoryQuery>,
) -> Result<Response, ApiError> {
    let (user, offset, limit) = (who.user, page.offset(), page.limit());
    let shown = |views: Vec<OrderView>, total| page.of(views.iter().map(OrderDto::from).collect(), total);
    let wanted = app::orders::Wanted::from(filters);
    if wanted != app::orders::Wanted::default() {
        if query.finish != Some(true) {
            return Err(ApiError::invalid("finish", "filters need `finish=true`"));
        }
        let (views, total) = app::orders::history(&state.context, user, &wanted, offset, limit).await?;
        return Ok(Done(shown(views, total)).into_response());
    }
    if query.finish == Some(false) {
        let compute = async || {
            let (views, total, lasting) = app::orders::open_page(&state.context, user, offset, limit).await?;
            Ok((shown(views, total), lasting))
        };
        let poll = Poll::OpenOrders { user, page: page.page, size: page.size };
        return state.polls.answer(poll, compute).await;
    }
    let (views, total) = app::orders::page(&state.context, user, query.finish, offset, limit).await?;
    Ok(Done(shown(views, total)).into_response())
}

/// Returns one of the user's own orders.
#[utoipa::path(get, path = "/c2c/deal/order/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path)), responses((status = 200, body = Envelope<OrderDto>)))]
async fn one(State(context): State<Context>, Session(who): Session, PathId(id): PathId<OrderId>) -> Answer<OrderDto> {
    Ok(Done(id.load(&context, who.user).await?))
}

/// Accepts an order, as the advertiser.
#[utoipa::path(post, path = "/c2c/deal/order/take/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn take(command: CommandOn<OrderId, VersionedCommand>) -> Answer<OrderDto> {
    act(&command, command.body.version, OrderCommand::Accept, Proofs::NONE).await
}

/// Cancels an order. Before the order is accepted, the advertiser rejects it with this call, and may say why. The order's
/// `actions` contain the cost.
#[utoipa::path(post, path = "/c2c/deal/order/cancel/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = CancelBody,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn cancel(command: CommandOn<OrderId, CancelBody>) -> Answer<OrderDto> {
    let order = app::orders::order(&command.context, command.user, command.id).await?;
    let CancelBody { version, security_code, reason, reputation_cost } = command.body.clone();
    let wanted = order.calling_off(command.user, version, reason)?;
    let given = AuthorizedCommand { version, security_code, pass_ticket: None };
    let proofs = authorize(&command, &order, &wanted, &given).await?;
    let what =
        CommandKind::Order { id: command.id, seen: version, act: wanted, proofs, accepted_cost: reputation_cost };
    execute_on(&command, what).await
}

/// Marks an order as paid, as the buyer.
#[utoipa::path(post, path = "/c2c/deal/order/pay/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = MarkPaidBody,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn pay(command: CommandOn<OrderId, MarkPaidBody>) -> Answer<OrderDto> {
    let MarkPaidBody { version, method_id, reference, hash, receipts } = command.body.clone();
    act(&command, version, OrderCommand::MarkPaid { method: method_id, reference, hash, receipts }, Proofs::NONE).await
}

/// Confirms that the payment was received, as the seller. Requires the security password, and releases the base from
/// escrow. During a hold on the account, it also requires an approval through the pass.
#[utoipa::path(post, path = "/c2c/deal/order/confirm/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = AuthorizedCommand,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn confirm(command: CommandOn<OrderId, AuthorizedCommand>) -> Answer<OrderDto> {
    let order = app::orders::order(&command.context, command.user, command.id).await?;
    let proofs = authorize(&command, &order, &OrderCommand::Confirm, &command.body).await?;
    act(&command, command.body.version, OrderCommand::Confirm, proofs).await
}

/// Speeds up a release that a reorganization removed. The platform pays it again in any case.
#[utoipa::path(post, path = "/c2c/deal/order/recover/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn recover(command: CommandOn<OrderId, VersionedCommand>) -> Answer<OrderDto> {
    act(&command, command.body.version, OrderCommand::Recover, Proofs::NONE).await
}

/// Asks the buyer to agree to a cancellation, as the seller.
#[utoipa::path(post, path = "/c2c/deal/order/askCancel/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn ask_cancel(command: CommandOn<OrderId, VersionedCommand>) -> Answer<OrderDto> {
    act(&command, command.body.version, OrderCommand::AskCancel, Proofs::NONE).await
}

/// Agrees to the cancellation that the seller asked for, as the buyer.
#[utoipa::path(post, path = "/c2c/deal/order/agreeCancel/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn agree_cancel(command: CommandOn<OrderId, VersionedCommand>) -> Answer<OrderDto> {
    act(&command, command.body.version, OrderCommand::AgreeCancel, Proofs::NONE).await
}

/// Returns the deposits or payments that are visible on the chain.
///
/// The call itself credits no deposit. With `fromBalance`, temporary balance is moved into the escrow.
#[utoipa::path(post, path = "/c2c/deal/order/deposit/{id}", tag = "orders", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = DepositBody,
    responses((status = 200, body = Envelope<OrderDto>)))]
async fn deposit(command: CommandOn<OrderId, DepositBody>) -> Answer<OrderDto> {
    let view = app::orders::one(&command.context, command.user, command.id).await?;
    let (base, quote) = (&view.assets.base, &view.assets.quote);
    let sent = match view.party.gives() {
        Leg::Base => base,
        Leg::Quote => quote,
    };
    match command.balance_to_use(sent).await? {
        Some(amount) => {
            execute_on(&command, CommandKind::FundFromBalance { target: FundingTarget::Order(command.id), amount })
                .await
        }
        None => Ok(Done(OrderDto::from(&view))),
    }
}

/// Marks an order as read by the user: `unread` is false until someone else changes the order.
#[utoipa::path(post, path = "/c2c/deal/order/updateRead", tag = "orders", security(("session" = [])),
    params(OrderIdQuery, CommandKey), responses((status = 200, body = Envelope<Null>)))]
async fn update_read(
    State(context): State<Context>,
    Session(who): Session,
    _: CommandKey,
    Query(query): Query<OrderIdQuery>,
) -> Answer<()> {
    app::orders::mark_read(&context, who.user, query.id).await?;
    Ok(Done(()))
}

/// Checks the proofs that the order's current state requires, and returns them.
async fn authorize<B>(
    command: &CommandOn<OrderId, B>,
    order: &orders::Order,
    wanted: &OrderCommand,
    given: &AuthorizedCommand,
) -> Result<Proofs, ApiError> {
    let held = app::identity::is_held(&command.context, command.user).await?;
    let needed = orders::required_proof(order, command.user, wanted, held);
    // The approval first: a wrong guess at the password counts only with it.
    if needed.pass() {
        let ticket = given.pass_ticket.as_deref().ok_or_else(|| ApiError::invalid("passTicket", "missing"))?;
        command.identity.check_confirmation(command.user, command.id, ticket).await?;
    }
    if needed.security_password() {
        command.check_security_password(given.security_code.as_ref()).await?;
    }
    Ok(Proofs { security_password: needed.security_password(), pass: needed.pass() })
}

async fn act<B>(command: &CommandOn<OrderId, B>, seen: i64, act: OrderCommand, proofs: Proofs) -> Answer<OrderDto> {
    execute_on(command, CommandKind::order(command.id, seen, act, proofs)).await
}

impl Target for OrderId {
    type Dto = OrderDto;

    async fn load(self, context: &Context, user: UserId) -> Result<OrderDto, ApiError> {
        Ok(OrderDto::from(&app::orders::one(context, user, self).await?))
    }

    fn shown(view: &View) -> Option<OrderDto> {
        match view {
            View::Order(view) => Some(OrderDto::from(view.as_ref())),
            View::Advert(_) => None,
        }
    }
}
