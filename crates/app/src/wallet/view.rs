//! Deposits and payouts, as the views of adverts and orders include them.

use std::collections::BTreeMap;

use domain::assets::AssetId;
use domain::chain::{Address, ChainId, Reference, TxHash};
use domain::direct_payment::SenderProof;
use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::PayoutId;
use domain::ledger::{Account, VaultAsset};
use domain::money::Amount;
use store::Tx;
use store::blocks::{StoredSettlement, UnconfirmedTransfer};
use store::payouts::{LegState, PayoutLeg};

use crate::Result;
use crate::engine::confirmations::Confirmations;
use crate::engine::unit_of_work::UnitOfWork;

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

/// A transfer to the seller that may be the payment of a manual order. It does not trigger a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenPayment {
    pub chain: ChainId,
    pub tx: TxHash,
    /// The index of the transfer's log in its block.
    pub position: i64,
    pub sender: Address,
    /// Whose address the sender's is.
    pub proof: SenderProof,
    /// Whether the transfer may as well be something else than this order's payment.
    pub ambiguous: bool,
    /// Whether the buyer has reported this transaction.
    pub reported: bool,
    /// In base units of the quote.
    pub amount: Amount,
    pub confirmations: u64,
    pub confirmations_needed: u64,
}

impl SeenPayment {
    pub(crate) fn of(confirmations: Confirmations, payment: &store::payments::Payment, reported: bool) -> Self {
        let transfer = &payment.transfer;
        Self {
            chain: transfer.chain,
            tx: transfer.tx,
            position: transfer.position,
            sender: transfer.sender,
            proof: payment.sender,
            ambiguous: payment.ambiguous(),
            reported,
            amount: transfer.amount,
            confirmations: confirmations.of(transfer.block),
            confirmations_needed: confirmations.needed,
        }
    }
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

/// The deposits and payouts of several adverts and orders.
pub(crate) struct MoneyViews {
    chain: Confirmations,
    /// The temporary balances of the vault assets for which the funding requests are.
    balances: BTreeMap<VaultAsset, Amount>,
    transfers: Vec<UnconfirmedTransfer>,
    legs: Vec<PayoutLeg>,
    settlements: BTreeMap<Reference, StoredSettlement>,
}

impl MoneyViews {
    /// Loads the deposits for these targets and these payouts.
    pub(crate) async fn load(
        tx: &mut Tx,
        work: &UnitOfWork,
        targets: &[FundingTarget],
        payouts: &[PayoutId],
    ) -> store::Result<Self> {
        let requests = targets.iter().filter_map(|target| work.request(*target));
        let vault_assets: Vec<_> = requests.map(|request| request.vault_asset).collect();
        let accounts: Vec<_> = vault_assets.iter().map(|vault_asset| vault_asset.temporary()).collect();
        let balances = store::ledger::balances(tx, &accounts).await?;
        let transfers = store::blocks::unconfirmed_of(tx, &vault_assets).await?;
        let legs = store::payouts::legs_of(tx, payouts).await?;
        let references: Vec<_> = legs.iter().map(|leg| leg.reference).collect();
        let settlements = store::blocks::payments_of(tx, &references).await?;
        let vault_asset = |account: Account| VaultAsset { vault: account.vault, asset: account.asset };
        Ok(Self {
            chain: work.confirmations,
            balances: balances.into_iter().map(|(account, balance)| (vault_asset(account), balance)).collect(),
            transfers,
            legs,
            settlements: settlements.into_iter().map(|settlement| (settlement.reference, settlement)).collect(),
        })
    }

    pub(crate) fn funding(&self, work: &UnitOfWork, target: FundingTarget) -> Result<Option<FundingView>> {
        let Some(request) = work.request(target).copied() else { return Ok(None) };
        let transfers = self.transfers.iter().filter(|transfer| transfer.vault_asset == request.vault_asset);
        let temporary = self.balances.get(&request.vault_asset).copied().unwrap_or(Amount::ZERO);
        Ok(Some(FundingView {
            vault: work.user(request.vault_asset.vault)?.vault,
            seen: work.unconfirmed(request.vault_asset),
            transfers: transfers
                .map(|transfer| (transfer.tx, transfer.amount, self.chain.of(transfer.block)))
                .collect(),
            confirmations_needed: self.chain.needed,
            balance: temporary.saturating_sub(request.funded),
            request,
        }))
    }

    pub(crate) fn payout(&self, id: Option<PayoutId>) -> Option<PayoutView> {
        let legs = self.legs.iter().filter(|leg| Some(leg.payout) == id).map(|leg| {
            let settlement = self.settlements.get(&leg.reference);
            PayoutLegView {
                asset: leg.vault_asset.asset,
                amount: leg.amount,
                recipient: leg.recipient,
                tx: settlement.map(|settlement| settlement.tx),
                confirmations: settlement.map_or(0, |settlement| self.chain.of(settlement.block)),
                paid: leg.state == LegState::Paid,
            }
        });
        id.map(|_| PayoutView { legs: legs.collect(), confirmations_needed: self.chain.needed })
    }
}
