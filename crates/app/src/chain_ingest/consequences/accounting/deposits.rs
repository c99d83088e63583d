//! Credits deposits, and reverts them when a reorganization removes their blocks.

use domain::adverts;
use domain::chain::Address;
use domain::funding::{self, DepositAllocation, FundingTarget, IncomingDeposit};
use domain::ids::{AdvertId, OrderId};
use domain::ledger::{self, Account, AccountKind, VaultAsset};
use domain::money::Amount;
use domain::orders;
use domain::trade::Leg;
use store::deposits::Deposit;

use super::Accounting;
use crate::chain_ingest::assets::ChainAssets;
use crate::engine::changes::CommandChanges;
use crate::engine::funding_requests::FundingChange;
use crate::wallet::fund_from_balance;

impl Accounting {
    /// Reverts credited deposits whose blocks were removed: takes the coins first from the temporary balance, then from
    /// the adverts and orders that the deposits funded.
    pub(in crate::chain_ingest::consequences) fn revoke_deposits(&mut self, deposits: &[Deposit]) {
        for deposit in deposits {
            let vault_asset = VaultAsset { vault: deposit.vault, asset: deposit.asset };
            let holdings: Vec<_> = self.holdings_of(vault_asset).collect();
            let drawn = ledger::draw(deposit.amount, &holdings);
            let posting = match ledger::deposit_revoked(deposit.id, vault_asset, deposit.amount, &drawn) {
                Ok(posting) => posting,
                Err(error) => {
                    self.alarms.push(format!("deposit {} cannot be revoked: {error}", deposit.id));
                    continue;
                }
            };
            let covered = drawn.iter().try_fold(Amount::ZERO, |sum, (_, part)| sum.add(*part)).unwrap_or(Amount::ZERO);
            if covered < deposit.amount {
                self.alarms.push(format!("deposit {} left the chain after it was paid out", deposit.id));
            }
            self.post(posting);
            for (account, part) in drawn {
                self.freeze(account, part);
            }
            self.limit_requests(vault_asset);
        }
    }

    /// Reduces what open funding requests count to the temporary balance that is left.
    pub(super) fn limit_requests(&mut self, vault_asset: VaultAsset) {
        let left = self.held(vault_asset.temporary());
        let requests = self.work.funding_requests.of(vault_asset);
        let funding = requests.map(|request| FundingChange::Fund(request.limited_to(left))).collect();
        self.work.accept(CommandChanges { funding, ..CommandChanges::default() });
    }

    fn freeze(&mut self, account: Account, drawn: Amount) {
        match account.kind {
            AccountKind::AdvertEscrow => {
                self.advert_event(AdvertId(account.owner), &adverts::Event::DepositRevoked { drawn });
            }
            AccountKind::OrderEscrow => {
                let id = OrderId(account.owner);
                if let Some(leg) = self.leg_of(id, account) {
                    self.order_event(id, &orders::Event::DepositRevoked { leg, drawn });
                }
            }
            _ => {}
        }
    }

    fn leg_of(&self, order: OrderId, account: Account) -> Option<Leg> {
        let terms = &self.work.orders.get(&order)?.terms;
        [Leg::Base, Leg::Quote]
            .into_iter()
            .find(|leg| terms.vault_asset(*leg) == VaultAsset { vault: account.vault, asset: account.asset })
    }

    /// Credits deposits.
    ///
    /// A deposit first pays the owner's debt from a reorganization, because the missing coins were paid, or are owed,
    /// to other users. Next it restores the escrow that a reorganization took from an advert or order, because that
    /// claim is older than any open funding request. Only the rest counts toward open funding requests.
    pub(in crate::chain_ingest::consequences) fn credit_deposits(
        &mut self,
        assets: &ChainAssets,
        deposits: &[Deposit],
    ) {
        // Each deposit counts as unconfirmed until its turn: since its block was seen, it has kept the advert or order
        // that it covers from lapsing.
        for deposit in deposits {
            self.work.add_unconfirmed(VaultAsset { vault: deposit.vault, asset: deposit.asset }, deposit.amount);
        }
        for deposit in deposits {
            let vault_asset = VaultAsset { vault: deposit.vault, asset: deposit.asset };
            self.work.subtract_unconfirmed(vault_asset, deposit.amount);
            let posting = ledger::deposit_confirmed(deposit.id, vault_asset, deposit.amount);
            self.post(posting);
            let repaid = self.repay(&format!("deposit/{}", deposit.id), vault_asset, deposit.amount);
            self.unfreeze(vault_asset);
            let left = deposit.amount.saturating_sub(repaid).min(self.unallocated(vault_asset));
            let Some(asset) = assets.get(deposit.asset).filter(|_| !left.is_zero()) else {
                continue;
            };
            let arrival = IncomingDeposit {
                vault_asset,
                amount: left,
                dust: asset.dust,
                own: deposit.sender.is_some() && deposit.sender == self.return_address(deposit),
                missed: self.lacks_coins(vault_asset),
            };
            let mine: Vec<_> = self.work.funding_requests.of_owner(vault_asset.vault).copied().collect();
            let covered = mine.iter().any(|request| {
                matches!(request.target, FundingTarget::Advert(_))
                    && request.covered(self.work.unconfirmed(request.vault_asset))
            });
            match funding::allocate(&arrival, &mine, covered) {
                Ok(DepositAllocation::Completes { request, .. }) => self.complete(request),
                Ok(DepositAllocation::Counts { request }) => {
                    self.work.accept(CommandChanges {
                        funding: vec![FundingChange::Fund(request)],
                        ..CommandChanges::default()
                    });
                }
                Ok(DepositAllocation::Wrong { advert }) => {
                    let gas = asset.nft().is_none().then_some(asset.return_gas);
                    let event = adverts::Event::WrongDeposit { asset: asset.id, amount: left, gas };
                    self.advert_event(advert, &event);
                }
                Ok(DepositAllocation::Temporary) => {}
                Err(error) => self.alarms.push(format!("deposit {} cannot be counted: {error}", deposit.id)),
            }
        }
    }

    /// Pays the debt of a vault's owner from newly credited temporary balance. Returns the amount paid.
    pub(super) fn repay(&mut self, by: &str, vault_asset: VaultAsset, came: Amount) -> Amount {
        let repaid = self.held(vault_asset.reorganisation_loss()).min(came);
        if !repaid.is_zero() {
            let posting = ledger::debt_repaid(by, vault_asset, repaid);
            self.post(posting);
        }
        repaid
    }

    fn complete(&mut self, request: funding::FundingRequest) {
        self.work.accept(CommandChanges { funding: vec![FundingChange::Fund(request)], ..CommandChanges::default() });
        let mut changes = CommandChanges::default();
        let fulfilled = fund_from_balance::fulfill(&mut changes, &self.work, &request);
        self.accept_if_allowed(changes, fulfilled, request.target, &"a funding request is complete");
    }

    /// Returns the bound address of a vault's owner, to which wrong deposits are returned. Returns `None` while one of
    /// the owner's adverts waits for its deposit and names an older bound address: an advert fixes its addresses when
    /// it is published.
    fn return_address(&self, deposit: &Deposit) -> Option<Address> {
        let bound = self.work.users.get(&deposit.vault)?.bound;
        let requests = self.work.funding_requests.of_owner(deposit.vault);
        let mut adverts = requests.filter_map(|request| match request.target {
            FundingTarget::Advert(advert) => self.work.adverts.get(&advert),
            FundingTarget::Order(_) => None,
        });
        bound.filter(|bound| adverts.all(|advert| advert.terms.bound == *bound))
    }

    /// Returns whether a frozen advert or order lacks coins of a vault asset. A deposit may be part of the missing
    /// coins.
    fn lacks_coins(&self, vault_asset: VaultAsset) -> bool {
        let mut adverts = self.escrows.adverts.get(&vault_asset).into_iter().flatten();
        let mut orders = self.escrows.orders.get(&vault_asset).into_iter().flatten();
        adverts.any(|id| self.work.adverts.get(id).is_some_and(|advert| advert.frozen.is_some()))
            || orders.any(|(id, leg)| {
                let frozen = self.work.orders.get(id).and_then(|order| order.frozen);
                frozen.is_some_and(|frozen| !frozen.missing(*leg).is_zero())
            })
    }

    /// Uses temporary balance to restore the escrow that a reorganization took from adverts and orders.
    fn unfreeze(&mut self, vault_asset: VaultAsset) {
        for advert in self.escrows.adverts.get(&vault_asset).cloned().unwrap_or_default() {
            if self.work.adverts.get(&advert).is_some_and(|advert| advert.frozen.is_some()) {
                let available = self.unallocated(vault_asset);
                self.advert_event(advert, &adverts::Event::DepositReturned { available });
            }
        }
        for (order, leg) in self.escrows.orders.get(&vault_asset).cloned().unwrap_or_default() {
            if self.work.orders.get(&order).is_some_and(|order| order.frozen.is_some()) {
                let available = self.unallocated(vault_asset);
                self.order_event(order, &orders::Event::DepositReturned { leg, available });
            }
        }
    }
}
