//! Deposits and payouts, as the views of adverts and orders include them.

use std::collections::BTreeMap;

use domain::assets::AssetId;
use domain::chain::{Address, ChainId, TxHash};
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::PayoutId;
use domain::money::Amount;
use store::Tx;

use crate::Result;
use crate::trading::unit_of_work::UnitOfWork;

/// A funding request with the data that its screen shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundingView {
    pub request: FundingRequest,
    /// The owner's temporary balance of the coin that can be given to the request: the part that does not already count
    /// toward it.
    pub balance: Amount,
    /// The custody address to send the coins to.
    pub vault: Address,
    /// The total of unconfirmed deposits.
    pub seen: Amount,
    /// Each unconfirmed deposit: transaction, amount, confirmations.
    pub transfers: Vec<(Option<TxHash>, Amount, u64)>,
    pub confirmations_needed: u64,
}

/// A transfer to the seller that looks like the payment of a manual order. It does not trigger a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenPayment {
    pub chain: ChainId,
    pub tx: TxHash,
    /// The index of the transfer's log in its block.
    pub position: i64,
    pub sender: Address,
    /// In base units of the quote.
    pub amount: Amount,
    pub confirmations: u64,
    pub confirmations_needed: u64,
}

/// A payout that was or will be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutView {
    pub legs: Vec<PayoutLegView>,
    pub confirmations_needed: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutLegView {
    pub asset: AssetId,
    pub amount: Amount,
    pub recipient: Address,
    /// The transaction that paid it, once that transaction is in a block.
    pub tx: Option<TxHash>,
    pub confirmations: u64,
    /// Whether the transaction is final.
    pub paid: bool,
}

/// Counts the confirmations of blocks.
pub(crate) struct Confirmations {
    head: Option<u64>,
    pub(crate) needed: u64,
}

impl Confirmations {
    pub(crate) async fn load(tx: &mut Tx) -> Result<Self> {
        let chain = store::catalog::escrow_chain(tx).await?;
        Ok(Self {
            head: chain.as_ref().and_then(|chain| chain.head),
            needed: chain.map_or(0, |chain| chain.confirmations),
        })
    }

    pub(crate) fn shows(&self, payment: &store::payments::Payment) -> SeenPayment {
        SeenPayment {
            chain: payment.chain,
            tx: payment.tx,
            position: payment.position,
            sender: payment.sender,
            amount: payment.amount,
            confirmations: self.of(payment.block),
            confirmations_needed: self.needed,
        }
    }

    pub(crate) fn of(&self, block: u64) -> u64 {
        self.head.map_or(0, |head| domain::chain::confirmations(block, head)).min(self.needed)
    }
}

pub(crate) async fn funding_view(
    tx: &mut Tx,
    work: &UnitOfWork,
    chain: &Confirmations,
    target: FundingTarget,
) -> Result<Option<FundingView>> {
    let Some(request) = work.request(target).copied() else { return Ok(None) };
    let temporary = store::ledger::balance(tx, request.vault_asset.temporary()).await?;
    let transfers = store::blocks::unconfirmed_of(tx, request.vault_asset.vault, request.vault_asset.asset).await?;
    Ok(Some(FundingView {
        vault: work.person(request.vault_asset.vault)?.vault,
        seen: work.seen(request.vault_asset),
        transfers: transfers.into_iter().map(|(hash, block, amount)| (hash, amount, chain.of(block))).collect(),
        confirmations_needed: chain.needed,
        balance: temporary.saturating_sub(request.funded),
        request,
    }))
}

pub(crate) async fn payout_view(
    tx: &mut Tx,
    chain: &Confirmations,
    id: Option<PayoutId>,
) -> Result<Option<PayoutView>> {
    let Some(id) = id else { return Ok(None) };
    let legs = store::payouts::legs_of(tx, &[id]).await?;
    let references: Vec<_> = legs.iter().map(|leg| leg.reference).collect();
    let paid: BTreeMap<_, _> =
        store::blocks::payments_of(tx, &references).await?.into_iter().map(|p| (p.reference, p)).collect();
    let legs = legs.into_iter().map(|leg| {
        let payment = paid.get(&leg.reference);
        PayoutLegView {
            asset: leg.vault_asset.asset,
            amount: leg.amount,
            recipient: leg.recipient,
            tx: payment.map(|payment| payment.tx),
            confirmations: payment.map_or(0, |payment| chain.of(payment.block)),
            paid: leg.state == store::payouts::LegState::Paid,
        }
    });
    Ok(Some(PayoutView { legs: legs.collect(), confirmations_needed: chain.needed }))
}
