//! Reference data: coins, pairs, and what cancelling costs.

pub(crate) mod reference;

use std::sync::Arc;

use app::Context;
use app::market::{self, Terms};
use axum::extract::{FromRef, State};
use domain::assets::{Asset, Home, share};
use domain::chain::Token;
use domain::checks::{MAX_REMARK, PAYMENT_WINDOW};
use domain::identity::address::checksummed;
use domain::reputation::{self, CANCEL_POINTS, FREE_CANCELLATIONS, NEEDED_TO_POST};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::Session;
use crate::middleware::Middleware;

/// The calls of reference data.
pub fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
{
    OpenApiRouter::new()
        .routes(routes!(coins))
        .routes(routes!(config))
        .routes(routes!(reputation_setting))
        .routes(routes!(cancel_times))
}

/// How a coin lives.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum CoinKind {
    /// A chain's own coin.
    Native,
    /// A token of a contract.
    Erc20,
    /// One item of an album.
    Erc721,
    /// Money outside.
    Fiat,
}

/// A coin or a fiat currency.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Coin {
    /// Its short name.
    en_short: String,
    /// How it lives.
    kind: CoinKind,
    /// The most decimals of an amount on screen and in a command.
    asset_scale: u8,
    /// The decimals of its base unit.
    decimals: u8,
    /// On which chain; null for fiat.
    chain_id: Option<u64>,
    /// Its contract; null for a chain's own coin and for fiat.
    contract: Option<String>,
    /// What a return to the bound address costs, decimal.
    return_gas: String,
}

impl From<&Asset> for Coin {
    fn from(asset: &Asset) -> Self {
        let (kind, chain_id, contract) = match asset.home {
            Home::Fiat => (CoinKind::Fiat, None, None),
            Home::Chain { chain, token } => match token {
                Token::Native => (CoinKind::Native, Some(chain.0), None),
                Token::Erc20(contract) => (CoinKind::Erc20, Some(chain.0), Some(checksummed(contract))),
                Token::Erc721(contract, _) => (CoinKind::Erc721, Some(chain.0), Some(checksummed(contract))),
            },
        };
        Self {
            en_short: asset.code.clone(),
            kind,
            asset_scale: asset.decimals.min(domain::money::MAX_TYPED_DECIMALS),
            decimals: asset.decimals,
            chain_id,
            contract,
            return_gas: asset.return_gas.format(asset.decimals),
        }
    }
}

/// Two assets that are traded for one another, and on what terms now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pair {
    /// The base's short name: what is escrowed and released.
    base: String,
    /// The quote's short name: what the buyer pays with.
    quote: String,
    /// Whether it is on.
    on: bool,
    /// How many decimals a unit price may have.
    price_decimals: u8,
    /// The lowest unit price now, decimal; null without a reference price.
    price_min: Option<String>,
    /// The highest unit price now, decimal; null without a reference price.
    price_max: Option<String>,
    /// The least total of an order, in the quote, decimal.
    order_min: String,
    /// The largest total of an order, in the quote, decimal.
    order_max: String,
    /// The fee as a share of the base quantity, decimal: `0.001` is 0.1 %.
    fee_rate: String,
    /// The least fee, in the base, decimal.
    fee_minimum: String,
    /// Whether automatic adverts are possible.
    automatic: bool,
    /// The chain type whose receiving addresses automatic adverts pay to; null if they are not possible.
    automatic_chain_type: Option<String>,
    /// The chain types that a receiving address may have; empty for fiat.
    chain_types: Vec<String>,
    /// The types of payment method for a fiat quote; empty else.
    method_types: Vec<String>,
    /// How long a buyer may take to pay if the advert says nothing, in minutes.
    window_minutes: i64,
    /// The shortest time for it that an advert may choose, in minutes.
    window_minutes_min: i64,
    /// The longest time for it that an advert may choose, in minutes.
    window_minutes_max: i64,
    /// The price of the last order that was ever completed, decimal.
    last_price: Option<String>,
}

impl From<&Terms> for Pair {
    fn from(terms: &Terms) -> Self {
        let pair = &terms.pair;
        Self {
            base: pair.base.code.clone(),
            quote: pair.quote.code.clone(),
            on: pair.enabled,
            price_decimals: pair.price_decimals,
            price_min: terms.band.map(|band| band.min.to_string()),
            price_max: terms.band.map(|band| band.max.to_string()),
            order_min: pair.min_total.format(pair.quote.decimals),
            order_max: pair.max_total.format(pair.quote.decimals),
            fee_rate: share(pair.fee_rate_ppm),
            fee_minimum: pair.fee_minimum.format(pair.base.decimals),
            automatic: pair.automatic_chain_type.is_some(),
            automatic_chain_type: pair.automatic_chain_type.clone(),
            chain_types: pair.chain_types.clone(),
            method_types: terms.method_kinds.clone(),
            window_minutes: pair.windows.payment.num_minutes(),
            window_minutes_min: PAYMENT_WINDOW.start().num_minutes(),
            window_minutes_max: PAYMENT_WINDOW.end().num_minutes(),
            last_price: terms.latest.map(|price| price.to_string()),
        }
    }
}

/// A chain type that a receiving address may have.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReceivingChain {
    /// Its name in pairs and profiles.
    chain_type: String,
    /// Its name for people.
    name: String,
    /// Whether automatic adverts pay to it: it names the escrow chain.
    automatic: bool,
}

/// What can be traded, and on what terms.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CoinConfig {
    /// Coins and fiat currencies.
    coins: Vec<Coin>,
    /// Pairs.
    pairs: Vec<Pair>,
    /// The chain types of receiving addresses.
    chains: Vec<ReceivingChain>,
    /// How long a remark may be, in characters.
    remark_max: usize,
}

/// The coins and fiat currencies.
#[utoipa::path(get, path = "/common/coin", operation_id = "coins", tag = "common", responses((status = 200, body = Envelope<Vec<Coin>>)))]
async fn coins(State(context): State<Context>) -> Answer<Vec<Coin>> {
    Ok(Done(market::catalog(&context).await?.coins.iter().map(Coin::from).collect()))
}

/// What can be traded, and on what terms now.
#[utoipa::path(get, path = "/c2c/coin/config", operation_id = "coinConfig", tag = "common", responses((status = 200, body = Envelope<CoinConfig>)))]
async fn config(State(context): State<Context>) -> Answer<CoinConfig> {
    let catalog = market::catalog(&context).await?;
    let mut types: Vec<_> = catalog.pairs.iter().flat_map(|terms| &terms.pair.chain_types).collect();
    types.sort_unstable();
    types.dedup();
    let automatic =
        |name: &String| catalog.pairs.iter().any(|terms| terms.pair.automatic_chain_type.as_ref() == Some(name));
    Ok(Done(CoinConfig {
        coins: catalog.coins.iter().map(Coin::from).collect(),
        chains: types
            .into_iter()
            .map(|name| ReceivingChain { chain_type: name.clone(), name: name.clone(), automatic: automatic(name) })
            .collect(),
        pairs: catalog.pairs.iter().map(Pair::from).collect(),
        remark_max: MAX_REMARK,
    }))
}

/// What cancelling costs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReputationSetting {
    /// Points that a cancellation costs, once the free ones of the day are used.
    deduct: i32,
    /// Cancellations of a UTC day that cost nothing.
    free_per_day: u32,
    /// Below so many points, no new adverts.
    needed_to_post: i32,
    /// What everybody starts with, and has again at the start of each month.
    full: i32,
}

/// What cancelling costs.
#[utoipa::path(get, path = "/common/credit/setting", operation_id = "reputationSetting", tag = "common",
    responses((status = 200, body = Envelope<Vec<ReputationSetting>>)))]
async fn reputation_setting() -> Answer<Vec<ReputationSetting>> {
    Ok(Done(vec![ReputationSetting {
        deduct: CANCEL_POINTS,
        free_per_day: FREE_CANCELLATIONS,
        needed_to_post: NEEDED_TO_POST,
        full: reputation::FULL,
    }]))
}

/// What one's own next cancellation costs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CancelTimes {
    /// Cancellations left today (UTC) that cost nothing.
    free_left: u32,
    /// Cancellations of a day that cost nothing.
    free_per_day: u32,
    /// Points that one costs, once the free ones are used.
    deduct: i32,
    /// Points that the next one would cost now.
    next_cost: i32,
    /// Points that one has.
    reputation: i32,
}

/// What one's own next cancellation costs.
#[utoipa::path(get, path = "/c2c/deal/order/cancel/times", operation_id = "cancelTimes", tag = "orders", security(("session" = [])),
    responses((status = 200, body = Envelope<CancelTimes>), (status = 401, description = "401: no session")))]
async fn cancel_times(State(context): State<Context>, Session(who): Session) -> Answer<CancelTimes> {
    let standing = app::reputation::standing(&context, who.user).await?;
    Ok(Done(CancelTimes {
        free_left: reputation::free_cancellations(standing),
        free_per_day: FREE_CANCELLATIONS,
        deduct: CANCEL_POINTS,
        next_cost: reputation::cancel_cost(standing),
        reputation: standing.reputation,
    }))
}
