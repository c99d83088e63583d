//! The calls that return balances and fund records.

use app::Context;
use app::wallet::balance::{self, Balance, Line, Obstacle};
use app::wallet::records::{self, Effect, Kind, Movement};
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use domain::identity::address::checksummed;
use domain::money::Amount;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::dto::ConfirmationsDto;
use crate::adverts::dto::AdvertDto;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Page, PageOf, PathId, Query, Session};
use crate::nfts::dto::NftDto;
use crate::orders::dto::OrderDto;
use crate::polls::Poll;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(balance))
        .routes(routes!(obstacles))
        .routes(routes!(detail))
        .routes(routes!(record))
}

/// A user's balance of a coin. Amounts are decimal strings.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BalanceLine {
    /// The code of the coin.
    asset: String,
    /// The temporary balance, which no advert or order uses.
    temporary: String,
    /// The amount in escrow for adverts.
    in_adverts: String,
    /// The amount in escrow for orders.
    in_orders: String,
    /// The amount in payouts.
    in_flight: String,
    /// The amount of deposits that are not yet final.
    confirming: String,
    /// The user's debt, after a reorganization removed a deposit that was already paid out. Deposits reduce it first.
    debt: String,
    /// Whether the temporary balance can be withdrawn now.
    withdrawable: bool,
    /// The amount that a withdrawal would pay after network fees; null if the balance can't be withdrawn.
    arrives: Option<String>,
    /// The reason why the balance can't be withdrawn: `adverts`, `orders`, `hold`, `dust`, `address` (none is
    /// bound), `risk` or `stopped`.
    /// Null if it can, or if there is no balance.
    #[schema(nullable)]
    blocked_by: Option<&'static str>,
    /// The network fee of a withdrawal.
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

/// The user's balances.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Balance)]
#[serde(rename_all = "camelCase")]
struct BalanceDto {
    /// The address to which the user sends deposits.
    custody_address: String,
    /// The address to which returns and withdrawals go; null until it is bound with the pass.
    bound_address: Option<String>,
    /// The balance of each coin.
    lines: Vec<BalanceLine>,
    /// The time at which the balances were read.
    server_time: DateTime<Utc>,
}

impl From<&Balance> for BalanceDto {
    fn from(balance: &Balance) -> Self {
        Self {
            custody_address: checksummed(balance.vault),
            bound_address: balance.bound.map(checksummed),
            lines: balance.lines.iter().map(BalanceLine::from).collect(),
            server_time: balance.at,
        }
    }
}

/// Returns the user's balances.
#[utoipa::path(get, path = "/balance", tag = "wallet", security(("session" = [])),
    responses((status = 200, body = Envelope<BalanceDto>)))]
async fn balance(State(state): State<ApiState>, Session(who): Session) -> Result<Response, ApiError> {
    let compute = async || {
        let balance = balance::balance(&state.context, who.user).await?;
        Ok((BalanceDto::from(&balance), Some(balance.lasting)))
    };
    state.polls.answer(Poll::Balance(who.user), compute).await
}

/// What must end before the user can withdraw, newest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Obstacles {
    adverts: Vec<AdvertDto>,
    /// At most 50.
    orders: Vec<OrderDto>,
}

/// The maximum number of orders that the obstacles contain.
const OBSTACLES: i64 = 50;

/// Returns the user's open adverts and orders, which prevent withdrawals.
#[utoipa::path(get, path = "/balance/obstacles", tag = "wallet", security(("session" = [])),
    responses((status = 200, body = Envelope<Obstacles>)))]
async fn obstacles(State(context): State<Context>, Session(who): Session) -> Answer<Obstacles> {
    let adverts = app::adverts::open(&context, who.user).await?;
    let (orders, _) = app::orders::page(&context, who.user, Some(false), 0, OBSTACLES).await?;
    Ok(Done(Obstacles {
        adverts: adverts.iter().map(AdvertDto::from).collect(),
        orders: orders.iter().map(OrderDto::from).collect(),
    }))
}

/// The other party of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct FundCounterparty {
    id: Uuid,
    nickname: Option<String>,
}

/// A movement of coins.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FundRecord {
    id: Uuid,
    r#type: Kind,
    state: records::State,
    direction: records::Direction,
    /// Whether the coins are sent to the user's vault because the user's own address refused them. The deposit that
    /// credits them has its own record.
    redirected: bool,
    /// The code of the coin.
    asset: String,
    /// The NFT that moved; null for coins.
    nft: Option<NftDto>,
    /// The amount that arrives or has arrived, as a decimal string.
    amount: String,
    /// The change of the balance, as a signed decimal string: temporary balance, adverts and orders together. The
    /// effects of all records of a coin add up to its balance minus the debt. `0` for coins that are not credited yet,
    /// that failed, or that went straight to the user's own address.
    effect: String,
    /// The fee or network fee that the platform kept, as a decimal string. It is included in the effect.
    cost: String,
    /// The other party, for an order's release or payment.
    counterparty: Option<FundCounterparty>,
    /// The transaction hash, once a block contains it; null for coins that a contract sent without emitting a log.
    hash: Option<String>,
    /// The address of the sender, if known.
    from: Option<String>,
    /// The address of the recipient; null for a correction.
    to: Option<String>,
    /// The confirmations; null while no block contains the transaction.
    confirmations: Option<ConfirmationsDto>,
    order_id: Option<Uuid>,
    advert_id: Option<Uuid>,
    /// The time at which the movement was first seen or decided.
    at: DateTime<Utc>,
}

impl From<&Movement> for FundRecord {
    fn from(movement: &Movement) -> Self {
        let record = &movement.record;
        let shown = |amount: Amount| amount.format(movement.asset.decimals);
        Self {
            id: record.id,
            r#type: record.kind,
            state: record.state,
            direction: record.direction,
            redirected: movement.redirected,
            asset: movement.asset.code.clone(),
            nft: movement.nft.as_ref().map(NftDto::from),
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
            confirmations: movement.confirmations.map(|(seen, needed)| ConfirmationsDto { seen, needed }),
            order_id: record.order.map(|order| order.0),
            advert_id: record.advert.map(|advert| advert.0),
            at: record.at,
        }
    }
}

#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DetailQuery {
    /// Filter: the type of record.
    #[param(inline)]
    r#type: Option<Kind>,
    /// Filter: the code of the coin.
    asset: Option<String>,
}

/// Lists the user's fund records, newest first.
///
/// Fund records are deposits (from the first block that contains them), withdrawals, refunds, returns, and the payments
/// and releases of the user's orders. Each record contains its effect on the balance.
#[utoipa::path(get, path = "/balance/detail", tag = "wallet", security(("session" = [])), params(Page, DetailQuery),
    responses((status = 200, body = Envelope<PageOf<FundRecord>>)))]
async fn detail(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
    Query(query): Query<DetailQuery>,
) -> Answer<PageOf<FundRecord>> {
    let kind = query.r#type;
    let (movements, total) =
        records::page(&context, who.user, kind, query.asset.as_deref(), page.offset(), page.limit()).await?;
    Ok(Done(page.of(movements.iter().map(FundRecord::from).collect(), total)))
}

/// Returns one of the user's fund records.
#[utoipa::path(get, path = "/balance/record/{id}", tag = "wallet", security(("session" = [])),
    params(("id" = String, Path, description = "The ID of the fund record")),
    responses((status = 200, body = Envelope<FundRecord>)))]
async fn record(State(context): State<Context>, Session(who): Session, PathId(id): PathId<Uuid>) -> Answer<FundRecord> {
    Ok(Done((&records::one(&context, who.user, id).await?).into()))
}
