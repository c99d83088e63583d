//! DTOs of deposits and payouts, which adverts and orders contain.

use app::wallet::view::{FundingView, PayoutView, SeenPayment};
use chrono::{DateTime, Utc};
use domain::assets::{Asset, Home};
use domain::chain::Token;
use domain::direct_payment::SenderProof;
use domain::identity::address::checksummed;
use domain::money::Amount;
use serde::Serialize;
use utoipa::ToSchema;

/// The confirmations of a block.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Confirmations)]
pub(crate) struct ConfirmationsDto {
    /// The number of confirmations; 1 when the block is the latest.
    pub(crate) seen: u64,
    /// The number of confirmations at which the block is final.
    pub(crate) needed: u64,
}

/// A transfer that is visible on the chain and not yet final.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = IncomingTransfer)]
pub(crate) struct TransferDto {
    /// The transaction hash; null for coins that a contract sent without emitting a log.
    pub(crate) hash: Option<String>,
    /// The amount, as a decimal string.
    pub(crate) amount: String,
    pub(crate) confirmations: u64,
}

/// A transfer to the seller on the chain that may be the order's payment. It releases nothing.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SeenPayment)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeenPaymentDto {
    pub(crate) chain_id: u64,
    /// The transaction hash.
    pub(crate) hash: String,
    /// The index of the log in its block.
    pub(crate) index: i64,
    /// The address of the sender.
    pub(crate) from: String,
    /// Whose address the sender's is.
    pub(crate) sender: SenderProof,
    /// Whether the transfer may as well be something else than this order's payment.
    pub(crate) ambiguous: bool,
    /// Whether the buyer has reported this transaction as the payment.
    pub(crate) reported: bool,
    /// The amount, as a decimal string.
    pub(crate) amount: String,
    pub(crate) confirmations: ConfirmationsDto,
}

impl SeenPaymentDto {
    pub(crate) fn new(seen: &SeenPayment, decimals: u8) -> Self {
        Self {
            chain_id: seen.chain.0,
            hash: seen.tx.to_string(),
            index: seen.position,
            from: checksummed(seen.sender),
            sender: seen.proof,
            ambiguous: seen.ambiguous,
            reported: seen.reported,
            amount: seen.amount.format(decimals),
            confirmations: ConfirmationsDto { seen: seen.confirmations, needed: seen.confirmations_needed },
        }
    }
}

/// The deposit that an advert or order needs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Deposit)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositDto {
    /// The address to which to send the coins: the user's custody address.
    pub(crate) address: String,
    /// The ID of the chain.
    pub(crate) chain_id: u64,
    /// The code of the coin.
    pub(crate) asset: String,
    /// The address of the token's contract; null for the native coin.
    pub(crate) contract: Option<String>,
    /// The number of decimals of the coin's base unit.
    pub(crate) decimals: u8,
    /// The required amount, as a decimal string.
    pub(crate) needed: String,
    /// The funded amount: final transfers and temporary balance that was used.
    pub(crate) received: String,
    /// The amount of transfers that are not yet final.
    pub(crate) confirming: String,
    /// The missing amount, after final and unconfirmed transfers.
    pub(crate) shortfall: String,
    /// The temporary balance that could be used for the deposit, as a decimal string.
    pub(crate) balance: String,
    /// The amount beyond the required one, which becomes temporary balance.
    pub(crate) excess: String,
    /// The confirmations of the latest transfer.
    pub(crate) confirmations: Option<ConfirmationsDto>,
    /// The transfers that are not yet final.
    pub(crate) transfers: Vec<TransferDto>,
    /// The time by which the deposit must arrive.
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
            Home::Album { chain, contract } => (chain.0, Some(checksummed(contract))),
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

/// The state of a payout.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PayoutState {
    /// The payout is decided, and no block contains it yet.
    Planned,
    /// A block contains the payout, with too few confirmations.
    Confirming,
    /// The payout is final.
    Confirmed,
}

/// A payout.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Payout)]
pub(crate) struct PayoutDto {
    pub(crate) state: PayoutState,
    /// The amount that arrives, as a decimal string.
    pub(crate) amount: String,
    /// The code of the coin.
    pub(crate) asset: String,
    /// The address of the recipient.
    pub(crate) to: String,
    /// The transaction hash, once a block contains the payout.
    pub(crate) hash: Option<String>,
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
