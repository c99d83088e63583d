//! Coins that come and go, as an advert or an order shows them.

use app::trading::{FundingView, PayoutView, SeenPayment};
use chrono::{DateTime, Utc};
use domain::assets::{Asset, Home};
use domain::chain::Token;
use domain::identity::address::checksummed;
use domain::money::Amount;
use serde::Serialize;
use utoipa::ToSchema;

/// How deep a block lies, and how deep it must.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Confirmations)]
pub(crate) struct ConfirmationsDto {
    /// Blocks since, itself included.
    pub(crate) seen: u64,
    /// Blocks needed.
    pub(crate) needed: u64,
}

/// A transfer that was seen and is not final yet.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = IncomingTransfer)]
pub(crate) struct TransferDto {
    /// Its transaction; none for coins that a contract sent without a trace.
    pub(crate) hash: Option<String>,
    /// How much, decimal.
    pub(crate) amount: String,
    /// How deep it lies.
    pub(crate) confirmations: u64,
}

/// A transfer from the buyer to the seller that the chain shows. It supports one order, and releases nothing by itself.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SeenPayment)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeenPaymentDto {
    /// On which chain.
    pub(crate) chain_id: u64,
    /// Its transaction.
    pub(crate) hash: String,
    /// The log's index in its block.
    pub(crate) index: i64,
    /// From where.
    pub(crate) from: String,
    /// How much, decimal.
    pub(crate) amount: String,
    /// How deep it lies.
    pub(crate) confirmations: ConfirmationsDto,
}

impl SeenPaymentDto {
    pub(crate) fn new(seen: &SeenPayment, decimals: u8) -> Self {
        Self {
            chain_id: seen.chain.0,
            hash: seen.tx.to_string(),
            index: seen.position,
            from: checksummed(seen.sender),
            amount: seen.amount.format(decimals),
            confirmations: ConfirmationsDto { seen: seen.confirmations, needed: seen.confirmations_needed },
        }
    }
}

/// Coins that are waited for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Deposit)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositDto {
    /// Where to send them: the person's custody address.
    pub(crate) address: String,
    /// On which chain.
    pub(crate) chain_id: u64,
    /// Which coin.
    pub(crate) asset: String,
    /// The token's contract; none for the chain's own coin.
    pub(crate) contract: Option<String>,
    /// Decimals of the coin's base unit.
    pub(crate) decimals: u8,
    /// How much is needed, decimal.
    pub(crate) needed: String,
    /// How much counts already: final transfers, and balance that was offered.
    pub(crate) received: String,
    /// How much is on its way.
    pub(crate) confirming: String,
    /// How much is missing, with what is on its way counted.
    pub(crate) shortfall: String,
    /// How much temporary balance of the coin could be given to it, decimal.
    pub(crate) balance: String,
    /// How much arrives beyond the need and becomes temporary balance.
    pub(crate) excess: String,
    /// The youngest transfer's depth.
    pub(crate) confirmations: Option<ConfirmationsDto>,
    /// Each transfer on its way.
    pub(crate) transfers: Vec<TransferDto>,
    /// Until when.
    pub(crate) deadline: Option<DateTime<Utc>>,
}

impl DepositDto {
    pub(crate) fn new(view: &FundingView, asset: &Asset, deadline: Option<DateTime<Utc>>) -> Self {
        let shown = |amount: Amount| amount.format(asset.decimals);
        let known = view.request.funded.add(view.seen).unwrap_or(view.request.funded);
        let (chain_id, contract) = match asset.home {
            Home::Chain { chain, token: Token::Native } => (chain.0, None),
            Home::Chain { chain, token: Token::Erc20(contract) | Token::Erc721(contract, _) } => {
                (chain.0, Some(checksummed(contract)))
            }
            Home::Fiat => (0, None),
        };
        let youngest = view.transfers.iter().map(|(.., depth)| *depth).min();
        Self {
            address: checksummed(view.vault),
            chain_id,
            asset: asset.code.clone(),
            contract,
            decimals: asset.decimals,
            needed: shown(view.request.required),
            received: shown(view.request.funded),
            confirming: shown(view.seen),
            shortfall: shown(view.request.required.saturating_sub(known)),
            balance: shown(view.balance),
            excess: shown(known.saturating_sub(view.request.required)),
            confirmations: youngest.map(|seen| ConfirmationsDto { seen, needed: view.confirmations_needed }),
            transfers: view
                .transfers
                .iter()
                .map(|(hash, amount, depth)| TransferDto {
                    hash: hash.map(|hash| hash.to_string()),
                    amount: shown(*amount),
                    confirmations: *depth,
                })
                .collect(),
            deadline,
        }
    }
}

/// How a payout stands.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PayoutState {
    /// Decided; no block shows it yet.
    Planned,
    /// In a block that is not deep enough.
    Confirming,
    /// Final.
    Confirmed,
}

/// Coins that leave custody.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Payout)]
pub(crate) struct PayoutDto {
    /// How it stands.
    pub(crate) state: PayoutState,
    /// How much arrives, decimal.
    pub(crate) amount: String,
    /// Of which coin.
    pub(crate) asset: String,
    /// Where.
    pub(crate) to: String,
    /// The transaction, once a block shows it.
    pub(crate) hash: Option<String>,
    /// How deep that lies.
    pub(crate) confirmations: Option<ConfirmationsDto>,
}

impl PayoutDto {
    pub(crate) fn all(view: Option<&PayoutView>, assets: [&Asset; 2]) -> Vec<Self> {
        let legs = view.into_iter().flat_map(|view| view.legs.iter().map(|leg| (leg, view.confirmations_needed)));
        legs.filter_map(|(leg, needed)| {
            let asset = assets.into_iter().find(|asset| asset.id == leg.asset)?;
            Some(Self {
                state: match (leg.paid, leg.tx) {
                    (true, _) => PayoutState::Confirmed,
                    (false, Some(_)) => PayoutState::Confirming,
                    (false, None) => PayoutState::Planned,
                },
                amount: leg.amount.format(asset.decimals),
                asset: asset.code.clone(),
                to: checksummed(leg.recipient),
                hash: leg.tx.map(|hash| hash.to_string()),
                confirmations: leg.tx.map(|_| ConfirmationsDto { seen: leg.confirmations, needed }),
            })
        })
        .collect()
    }
}
