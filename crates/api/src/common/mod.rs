//! Reference data: coins and pairs.

pub(crate) mod dictionary;
mod figures;
pub(crate) mod reference;

use app::Context;
use app::market::{self, Terms};
use axum::extract::State;
use domain::assets::{Asset, Home, share};
use domain::chain::Token;
use domain::checks::{MAX_REMARK, PAYMENT_WINDOW};
use domain::identity::address::checksummed;
use domain::trade::Side;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::state::{ApiState, Explorers};

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(coins)).routes(routes!(config)).merge(figures::calls())
}

/// The kind of a coin.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum CoinKind {
    /// The chain's native coin.
    Native,
    /// An ERC-20 token.
    Erc20,
    /// An album of ERC-721 tokens, which are NFTs.
    Erc721,
    /// A fiat currency.
    Fiat,
}

/// A coin or a fiat currency.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Coin {
    /// The code of the coin.
    en_short: String,
    kind: CoinKind,
    /// The maximum number of decimals in amounts that users see and send.
    asset_scale: u8,
    /// The number of decimals of the base unit.
    decimals: u8,
    /// The ID of the chain, or null for fiat.
    chain_id: Option<u64>,
    /// The address of the token's contract, or null for native coins and fiat.
    contract: Option<String>,
    /// The network fee of a return to the bound address, as a decimal string in this coin.
    return_gas: String,
    /// A larger deposit that nothing waits for cancels the advert that the user is creating, as a decimal string in this coin.
    dust: String,
}

impl From<&Asset> for Coin {
    fn from(asset: &Asset) -> Self {
        let (kind, chain_id, contract) = match asset.home {
            Home::Fiat => (CoinKind::Fiat, None, None),
            Home::Album { chain, contract } => (CoinKind::Erc721, Some(chain.0), Some(checksummed(contract))),
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
            dust: asset.dust.format(asset.decimals),
        }
    }
}

/// A pair and its current trading conditions.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pair {
    /// The code of the base, the asset that an order sells.
    base: String,
    /// The code of the quote, the asset that pays for it.
    quote: String,
    /// The ID of the album whose NFTs are sold; null for coins.
    album: Option<String>,
    /// The sides that adverts can have: only `SELL` for NFTs.
    sides: Vec<Side>,
    /// Whether the pair can be traded.
    on: bool,
    /// The maximum number of decimals of a price.
    price_decimals: u8,
    /// The lowest price allowed now, as a decimal string; null without a reference price.
    price_min: Option<String>,
    /// The highest price allowed now, as a decimal string; null without a reference price.
    price_max: Option<String>,
    /// The minimum total of an order, in the quote, as a decimal string.
    order_min: String,
    /// The maximum total of an order, in the quote, as a decimal string.
    order_max: String,
    /// The fee as a share of the base quantity, as a decimal string: `0.001` is 0.1%.
    fee_rate: String,
    /// The minimum fee, in the base, as a decimal string.
    fee_minimum: String,
    /// Whether the pair can have automatic adverts.
    automatic: bool,
    /// The chain type of the receiving addresses to which automatic adverts pay; null if the pair has no automatic
    /// adverts.
    automatic_chain_type: Option<String>,
    /// The chain types allowed for receiving addresses; empty for fiat.
    chain_types: Vec<String>,
    /// The types of payment methods allowed for a fiat quote; otherwise empty.
    method_types: Vec<String>,
    /// The default payment window of an advert, in minutes.
    window_minutes: i64,
    /// The shortest payment window that an advert can have, in minutes.
    window_minutes_min: i64,
    /// The longest payment window that an advert can have, in minutes.
    window_minutes_max: i64,
    /// The time that a seller who orders from a buy advert has for the deposit, in minutes.
    deposit_minutes: i64,
    /// The price of the latest completed order, as a decimal string; null before the first.
    last_price: Option<String>,
}

impl From<&Terms> for Pair {
    fn from(terms: &Terms) -> Self {
        let pair = &terms.pair;
        Self {
            base: pair.base.code.clone(),
            quote: pair.quote.code.clone(),
            album: terms.album.clone(),
            sides: pair.sides().to_vec(),
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
            deposit_minutes: pair.windows.order_deposit.num_minutes(),
            last_price: terms.latest.map(|price| price.to_string()),
        }
    }
}

/// A chain type that a receiving address may have.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReceivingChain {
    /// The identifier of the chain type in pairs and profiles.
    chain_type: String,
    /// The display name.
    name: String,
    /// Whether automatic adverts pay to addresses of this chain type, because it is the type of the escrow chain.
    automatic: bool,
    /// Its block explorer, as the one of the escrow chain; null if there is none.
    explorer: Option<String>,
}

/// The chain on which users deposit.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EscrowChain {
    chain_id: u64,
    /// The display name.
    name: String,
    /// The number of confirmations after which a deposit is credited.
    confirmations: u64,
}

/// The coins and pairs that can be traded.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CoinConfig {
    coins: Vec<Coin>,
    pairs: Vec<Pair>,
    /// The chain types of receiving addresses.
    chains: Vec<ReceivingChain>,
    /// The chain on which users deposit; null before it is configured.
    escrow_chain: Option<EscrowChain>,
    /// The maximum length of an advert's remark, in characters.
    remark_max: usize,
    /// The address of a block explorer, to which `/tx/` and a hash, or `/address/` and an address can be appended; null if there
    /// is none.
    explorer: Option<String>,
}

/// Lists the coins and fiat currencies.
#[utoipa::path(get, path = "/common/coin", tag = "common", responses((status = 200, body = Envelope<Vec<Coin>>)))]
async fn coins(State(context): State<Context>) -> Answer<Vec<Coin>> {
    Ok(Done(market::catalog(&context).await?.coins.iter().map(Coin::from).collect()))
}

/// Returns the coins and pairs that can be traded, with their current trading conditions.
#[utoipa::path(get, path = "/c2c/coin/config", tag = "common", responses((status = 200, body = Envelope<CoinConfig>)))]
async fn config(State(context): State<Context>, State(explorers): State<Explorers>) -> Answer<CoinConfig> {
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
            .map(|name| {
                let own = automatic(name);
                let explorer = explorers.receiving.get(name).or_else(|| explorers.escrow.as_ref().filter(|_| own));
                ReceivingChain {
                    chain_type: name.clone(),
                    name: name.clone(),
                    automatic: own,
                    explorer: explorer.map(|explorer| explorer.url().to_owned()),
                }
            })
            .collect(),
        pairs: catalog.pairs.iter().map(Pair::from).collect(),
        escrow_chain: catalog.chain.map(|market::EscrowChain { id, name, confirmations }| EscrowChain {
            chain_id: id.0,
            name,
            confirmations,
        }),
        remark_max: MAX_REMARK,
        explorer: explorers.escrow.map(|explorer| explorer.url().to_owned()),
    }))
}
