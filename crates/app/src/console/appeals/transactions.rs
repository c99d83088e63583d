//! What the chain shows about an order: deposits for it, its payment, and its payouts.

use domain::assets::AssetId;
use domain::chain::{Address, SettlementOutcome, TxHash};
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders::{Order, leg_of, recipient};
use domain::trade::{Leg, Party, Payment};
use serde::Serialize;
use store::Tx;
use store::payouts::{LegState, PayoutLeg, Purpose};

use crate::Result;
use crate::engine::unit_of_work::UnitOfWork;

/// The kind of a transaction on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum TransactionKind {
    /// Into a party's vault, while the order waited for its coins.
    Deposit,
    /// From the buyer to the seller, directly.
    Payment,
    Release,
    Refund,
}

/// The state of a transaction on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum TransactionState {
    /// Decided, and in no block yet.
    Planned,
    /// In a block that is not final.
    Confirming,
    Final,
    /// The payment failed or was refused. It is tried again.
    Failed,
    /// The Escrow has spent the payout's number without paying.
    Voided,
    /// A reorganization removed it.
    Removed,
}

/// A transaction on the chain that concerns an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainTransaction {
    pub kind: TransactionKind,
    /// Who sent a deposit or payment, or receives a payout.
    pub party: Party,
    pub state: TransactionState,
    pub asset: AssetId,
    pub amount: Amount,
    pub hash: Option<TxHash>,
    pub from: Option<Address>,
    pub to: Option<Address>,
    pub block: Option<u64>,
    /// At most the number that makes a block final.
    pub confirmations: u64,
    /// When it was confirmed, or the time of its block, if known.
    pub at: Option<Timestamp>,
}

/// The maximum number of deposits that are shown for each coin.
const MAX_DEPOSITS: i64 = 50;

/// Returns the transactions of an order, by kind and time.
pub(super) async fn transactions(tx: &mut Tx, work: &UnitOfWork, order: &Order) -> Result<Vec<ChainTransaction>> {
    let mut found = deposits(tx, work, order).await?;
    for payment in work.payments(order.id) {
        let transfer = &payment.transfer;
        let confirmations = work.confirmations.of(transfer.block);
        let grows = work.confirmations.grows(confirmations);
        found.push(ChainTransaction {
            kind: TransactionKind::Payment,
            party: Party::Buyer,
            state: if grows { TransactionState::Confirming } else { TransactionState::Final },
            asset: order.terms.quote.asset,
            amount: transfer.amount,
            hash: Some(transfer.tx),
            from: Some(transfer.sender),
            to: match &order.terms.payment {
                Payment::Transfer(to) => to.address.parse().ok(),
                Payment::Method(_) | Payment::Automatic { .. } => None,
            },
            block: Some(transfer.block),
            confirmations,
            at: Some(payment.at),
        });
    }
    found.extend(payouts(tx, work, order).await?);
    Ok(found)
}

/// Returns the deposits that arrived while the order had a funding request, confirmed or not.
async fn deposits(tx: &mut Tx, work: &UnitOfWork, order: &Order) -> Result<Vec<ChainTransaction>> {
    let mut found = Vec::new();
    for request in store::funding::of_order(tx, order.id).await? {
        let VaultAsset { vault, asset } = request.vault_asset;
        let (party, funded_at) = match leg_of(&order.terms, request.vault_asset) {
            Leg::Base => (Party::Seller, order.progress.deposited_at),
            Leg::Quote => (Party::Buyer, order.progress.payment_funded_at),
        };
        let until = funded_at.or(order.progress.ended_at).unwrap_or(work.now);
        let to = work.user(vault)?.vault;
        let credited =
            store::deposits::credited(tx, request.vault_asset, request.opened_at, until, MAX_DEPOSITS).await?;
        found.extend(credited.into_iter().map(|credited| ChainTransaction {
            kind: TransactionKind::Deposit,
            party,
            state: if credited.revoked_at.is_some() { TransactionState::Removed } else { TransactionState::Final },
            asset,
            amount: credited.deposit.amount,
            hash: credited.deposit.tx,
            from: credited.deposit.sender,
            to: Some(to),
            block: Some(credited.deposit.block),
            confirmations: work.confirmations.of(credited.deposit.block),
            at: Some(credited.confirmed_at),
        }));
        if work.request(FundingTarget::Order(order.id)).is_some() {
            let coming = store::blocks::unconfirmed_of(tx, &[request.vault_asset]).await?;
            found.extend(coming.into_iter().map(|transfer| ChainTransaction {
                kind: TransactionKind::Deposit,
                party,
                state: TransactionState::Confirming,
                asset,
                amount: transfer.amount,
                hash: transfer.tx,
                from: None,
                to: Some(to),
                block: Some(transfer.block),
                confirmations: work.confirmations.of(transfer.block),
                at: None,
            }));
        }
    }
    Ok(found)
}

async fn payouts(tx: &mut Tx, work: &UnitOfWork, order: &Order) -> Result<Vec<ChainTransaction>> {
    let legs = store::payouts::legs_about(tx, order.id.0).await?;
    let references: Vec<_> = legs.iter().map(|leg| leg.reference).collect();
    let outcomes = store::blocks::outcomes_of(tx, &references).await?;
    let mut found = Vec::new();
    for leg in &legs {
        let kind = match leg.purpose {
            Purpose::Release => TransactionKind::Release,
            Purpose::Refund => TransactionKind::Refund,
            _ => continue,
        };
        let planned = ChainTransaction {
            kind,
            party: recipient(leg_of(&order.terms, leg.vault_asset), kind == TransactionKind::Release),
            state: TransactionState::Planned,
            asset: leg.vault_asset.asset,
            amount: leg.amount,
            hash: None,
            from: Some(work.user(leg.vault_asset.vault)?.vault),
            to: Some(leg.recipient),
            block: None,
            confirmations: 0,
            at: None,
        };
        let settled = outcomes.iter().filter(|(settled, _)| settled.reference == leg.reference);
        let settled: Vec<_> = settled
            .map(|(settled, at)| ChainTransaction {
                state: state_of(leg, settled.outcome),
                hash: Some(settled.tx),
                block: Some(settled.block),
                confirmations: work.confirmations.of(settled.block),
                at: Some(*at),
                ..planned.clone()
            })
            .collect();
        let waits = leg.state == LegState::Owed && settled.iter().all(|one| one.state == TransactionState::Failed);
        found.extend(settled);
        if waits {
            found.push(planned);
        }
    }
    Ok(found)
}

fn state_of(leg: &PayoutLeg, outcome: SettlementOutcome) -> TransactionState {
    match (outcome, leg.state) {
        (SettlementOutcome::Paid, LegState::Paid) => TransactionState::Final,
        (SettlementOutcome::Paid, _) => TransactionState::Confirming,
        (SettlementOutcome::Failed | SettlementOutcome::Rejected, _) => TransactionState::Failed,
        (SettlementOutcome::Voided, _) => TransactionState::Voided,
    }
}
