//! What one has, and what came and went.

use std::sync::Arc;

use app::Context;
use app::funds::{self, Balance, Effect, Kind, Line, Movement, Obstacle};
use axum::extract::{FromRef, State};
use chrono::{DateTime, Utc};

use domain::identity::address::checksummed;
use domain::money::Amount;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Page, PageOf, PathId, Query, Session};
use crate::middleware::Middleware;

/// The calls of balances and fund records.
pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(balance)).routes(routes!(detail)).routes(routes!(record))
}

/// What one has of a coin. Amounts are decimal.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BalanceLine {
    /// The coin's short name.
    asset: String,
    /// Temporary balance: what nothing has funded.
    temporary: String,
    /// What backs adverts.
    in_adverts: String,
    /// What backs orders.
    in_orders: String,
    /// What is on its way out.
    in_flight: String,
    /// What is on its way in: seen in a block, not money yet.
    confirming: String,
    /// What one owes: a reorganisation took a deposit back after it had been paid out. Whatever arrives pays it first.
    debt: String,
    /// Whether the temporary balance may be taken out now.
    withdrawable: bool,
    /// What would arrive, after the gas; null if it may not be taken out.
    arrives: Option<String>,
    /// Why it may not be taken out: `adverts`, `orders`, `hold`, `dust`, `kyc`, `risk` or `stopped`; null if it may, or if
    /// there is none.
    #[schema(nullable)]
    blocked_by: Option<&'static str>,
    /// What taking it out costs.
    gas: String,
}

impl From<&Line> for BalanceLine {
    fn from(line: &Line) -> Self {
        let decimals = line.asset.decimals;
        Self {
            asset: line.asset.code.clone(),
            temporary: line.temporary.format(decimals),
            in_adverts: line.in_adverts.format(decimals),
            in_orders: line.in_orders.format(decimals),
            in_flight: line.in_flight.format(decimals),
            confirming: line.confirming.format(decimals),
            debt: line.debt.format(decimals),
            withdrawable: line.withdrawable.is_some(),
            arrives: line.withdrawable.map(|amount| amount.format(decimals)),
            blocked_by: line.obstacle.map(Obstacle::name),
            gas: line.asset.return_gas.format(decimals),
        }
    }
}

/// What one has.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BalanceAnswer {
    /// Where one's deposits go.
    custody_address: String,
    /// Where everything goes back to; null before the pass is bound.
    bound_address: Option<String>,
    /// One line for each coin.
    lines: Vec<BalanceLine>,
    /// When this was true.
    server_time: DateTime<Utc>,
}

impl From<&Balance> for BalanceAnswer {
    fn from(balance: &Balance) -> Self {
        Self {
            custody_address: checksummed(balance.vault),
            bound_address: balance.bound.map(checksummed),
            lines: balance.lines.iter().map(BalanceLine::from).collect(),
            server_time: balance.at,
        }
    }
}

/// What one has.
#[utoipa::path(get, path = "/balance", operation_id = "balance", tag = "funds", security(("session" = [])),
    responses((status = 200, body = Envelope<BalanceAnswer>), (status = 401, description = "401: no session")))]
async fn balance(State(context): State<Context>, Session(who): Session) -> Answer<BalanceAnswer> {
    Ok(Done((&funds::balance(&context, who.user).await?).into()))
}

/// What kind of movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum FundType {
    /// Coins arrived at the custody address.
    Deposit,
    /// Temporary balance was taken out.
    Withdrawal,
    /// The base of an order, from the seller to the buyer.
    Release,
    /// The quote of an automatic order, from the buyer to the seller.
    Payment,
    /// One's own coins, of a cancelled order.
    Refund,
    /// One's own coins, of an advert that ended.
    Return,
    /// A correction of the balance.
    Adjustment,
}

impl From<FundType> for Kind {
    fn from(kind: FundType) -> Self {
        match kind {
            FundType::Deposit => Self::Deposit,
            FundType::Withdrawal => Self::Withdrawal,
            FundType::Release => Self::Release,
            FundType::Payment => Self::Payment,
            FundType::Adjustment => Self::Adjustment,
            FundType::Refund => Self::Refund,
            FundType::Return => Self::Return,
        }
    }
}

impl From<Kind> for FundType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Deposit => Self::Deposit,
            Kind::Withdrawal => Self::Withdrawal,
            Kind::Release => Self::Release,
            Kind::Payment => Self::Payment,
            Kind::Adjustment => Self::Adjustment,
            Kind::Refund => Self::Refund,
            Kind::Return => Self::Return,
        }
    }
}

/// How a movement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum FundState {
    /// Seen in a block that is not deep enough.
    Confirming,
    /// Final.
    Completed,
    /// Decided, not sent yet.
    Requested,
    /// Sent, in no block yet.
    InFlight,
    /// Will never be paid: it went back where it came from. Of a deposit: its token moved less than it said, and nothing
    /// is credited.
    Failed,
    /// The chain took it back. A payout will be paid again; a deposit is gone.
    Revoked,
}

impl From<funds::State> for FundState {
    fn from(state: funds::State) -> Self {
        match state {
            funds::State::Confirming => Self::Confirming,
            funds::State::Completed => Self::Completed,
            funds::State::Requested => Self::Requested,
            funds::State::InFlight => Self::InFlight,
            funds::State::Failed => Self::Failed,
            funds::State::Revoked => Self::Revoked,
        }
    }
}

/// Which way coins went, from the side of the person who reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum FundDirection {
    /// Into one's custody.
    In,
    /// Out of one's custody.
    Out,
    /// From the other side of an order straight to one's own address, or to one's vault if it is `redirected`; the balance
    /// does not change.
    Direct,
}

impl From<funds::Direction> for FundDirection {
    fn from(direction: funds::Direction) -> Self {
        match direction {
            funds::Direction::In => Self::In,
            funds::Direction::Out => Self::Out,
            funds::Direction::Direct => Self::Direct,
        }
    }
}

/// The other person of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct FundCounterparty {
    /// Who.
    id: Uuid,
    /// The name that others see.
    nickname: Option<String>,
}

/// How deep a block lies, and how deep it must.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
struct Depth {
    /// Blocks since, itself included; at most `needed`.
    seen: u64,
    /// Blocks needed.
    needed: u64,
}

/// One movement.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FundRecord {
    /// Its id.
    id: Uuid,
    /// What kind.
    r#type: FundType,
    /// How it stands.
    state: FundState,
    /// Which way the coins went.
    direction: FundDirection,
    /// One's own address refused the coins, so they are sent to one's vault. The deposit that credits them is a record of
    /// its own.
    redirected: bool,
    /// The coin's short name.
    asset: String,
    /// How much arrives, or arrived, decimal.
    amount: String,
    /// What it did to the balance, decimal, negative if it is less: to temporary balance, adverts and orders together. The
    /// effects of all records of a coin add up to these, less what one owes. `0` for coins that are not money yet, that came
    /// to nothing, or that went straight to one's own address.
    effect: String,
    /// What the platform kept of it, fee or gas, decimal; part of the effect.
    cost: String,
    /// From whom or to whom it went, of an order's release or payment.
    counterparty: Option<FundCounterparty>,
    /// The transaction, once there is one in a block; null for coins that a contract sent without a trace.
    hash: Option<String>,
    /// From where, if known.
    from: Option<String>,
    /// To where; null for a correction.
    to: Option<String>,
    /// How deep it lies; null while it is in no block.
    confirmations: Option<Depth>,
    /// The order that it is for.
    order_id: Option<Uuid>,
    /// The advert that it is for.
    advert_id: Option<Uuid>,
    /// When it was first seen or decided.
    at: DateTime<Utc>,
}

impl From<&Movement> for FundRecord {
    fn from(movement: &Movement) -> Self {
        let record = &movement.record;
        let shown = |amount: Amount| amount.format(movement.asset.decimals);
        Self {
            id: record.id,
            r#type: record.kind.into(),
            state: record.state.into(),
            direction: record.direction.into(),
            redirected: movement.redirected,
            asset: movement.asset.code.clone(),
            amount: shown(record.amount),
            effect: match record.effect {
                Effect::More(more) => shown(more),
                Effect::Less(less) => format!("-{}", shown(less)),
            },
            cost: shown(record.cost),
            counterparty: movement
                .counterparty
                .as_ref()
                .map(|other| FundCounterparty { id: other.id.0, nickname: other.nickname.clone() }),
            hash: record.tx.map(|hash| hash.to_string()),
            from: record.sender.map(checksummed),
            to: record.recipient.map(checksummed),
            confirmations: movement.confirmations.map(|(seen, needed)| Depth { seen, needed }),
            order_id: record.order.map(|order| order.0),
            advert_id: record.advert.map(|advert| advert.0),
            at: record.at,
        }
    }
}

/// Which movements.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DetailQuery {
    /// Only of a kind.
    #[param(inline)]
    r#type: Option<FundType>,
    /// Only of a coin, by its short name.
    asset: Option<String>,
}

/// What came and went, the newest first: deposits from the first block that shows them, withdrawals, refunds, returns,
/// and what orders moved to and from oneself. Each says what it did to the balance.
#[utoipa::path(get, path = "/balance/detail", operation_id = "fundRecords", tag = "funds", security(("session" = [])), params(Page, DetailQuery),
    responses((status = 200, body = Envelope<PageOf<FundRecord>>), (status = 400, description = "400: a field of the query"),
        (status = 401, description = "401: no session")))]
async fn detail(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
    Query(query): Query<DetailQuery>,
) -> Answer<PageOf<FundRecord>> {
    let kind = query.r#type.map(Kind::from);
    let (movements, total) =
        funds::page(&context, who.user, kind, query.asset.as_deref(), page.offset(), page.limit()).await?;
    Ok(Done(page.of(movements.iter().map(FundRecord::from).collect(), total)))
}

/// One movement of one's own.
#[utoipa::path(get, path = "/balance/record/{id}", operation_id = "fundRecord", tag = "funds", security(("session" = [])),
    params(("id" = String, Path, description = "The movement")),
    responses((status = 200, body = Envelope<FundRecord>), (status = 401, description = "401: no session"),
        (status = 404, description = "1016: none of one's own")))]
async fn record(State(context): State<Context>, Session(who): Session, PathId(id): PathId<Uuid>) -> Answer<FundRecord> {
    Ok(Done((&funds::one(&context, who.user, id).await?).into()))
}
