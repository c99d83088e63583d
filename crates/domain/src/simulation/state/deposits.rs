//! Deposits, and reorganizations that remove them.

use super::{Deposit, GAS, Simulation};
use crate::adverts::{self, Advert};
use crate::assets::AssetId;
use crate::funding::{self, DepositAllocation, FundingRequest, FundingTarget, IncomingDeposit};
use crate::ids::{AdvertId, DepositId, OrderId};
use crate::ledger::{self, AccountKind, VaultAsset};
use crate::money::Amount;
use crate::orders::tests::{BASE, QUOTE, amount, user};
use crate::orders::{Event, Order};
use crate::refusal::Refusal;
use crate::trade::Leg;

const OTHER: AssetId = AssetId(3);
const DUST: i128 = 20;

impl Simulation {
    pub(super) fn arrive_share(&mut self, trader: usize, asset: usize, share: usize) {
        let vault_asset =
            VaultAsset { vault: user(1 + u128::try_from(trader).unwrap()), asset: [BASE, QUOTE, OTHER][asset] };
        let missing = self
            .funding_requests
            .iter()
            .find(|request| request.vault_asset == vault_asset)
            .map_or(40, |request| request.shortfall().units());
        let units = [missing, missing, missing / 2, missing + 30, 7][share];
        if units > 0 {
            self.arrive(vault_asset, amount(units));
        }
    }

    pub(super) fn arrive(&mut self, vault_asset: VaultAsset, arrived: Amount) {
        let id = DepositId(self.fresh());
        self.deposits.push(Deposit { id, vault_asset, amount: arrived, live: true });
        self.book.post(&ledger::deposit_confirmed(id, vault_asset, arrived));
        let repaid = self.book.balance(vault_asset.reorganisation_loss()).min(arrived);
        if !repaid.is_zero() {
            self.book.post(&ledger::debt_repaid(&format!("deposit/{id}"), vault_asset, repaid));
        }
        let arrived = arrived.saturating_sub(repaid);
        if arrived.is_zero() {
            return;
        }
        // Deposits of odd amounts come from strangers.
        let own = arrived.units() % 2 == 0;
        let arrival =
            IncomingDeposit { vault_asset, amount: arrived, dust: amount(DUST), own, missed: self.misses(vault_asset) };
        match funding::allocate(&arrival, &self.funding_requests, false).unwrap() {
            DepositAllocation::Completes { request, excess } => {
                assert_eq!(request.funded, request.required.add(excess).unwrap());
                self.put(request);
                self.complete(request.target);
            }
            DepositAllocation::Counts { request } => {
                self.parts = true;
                self.put(request);
            }
            DepositAllocation::Wrong { advert } => {
                let event =
                    adverts::Event::WrongDeposit { asset: vault_asset.asset, amount: arrived, gas: Some(amount(GAS)) };
                self.advert_event(advert, event, false).unwrap();
            }
            DepositAllocation::Temporary => {}
        }
        self.unfreeze(vault_asset);
    }

    /// Returns whether a frozen advert or order lacks coins of a vault asset.
    fn misses(&self, vault_asset: VaultAsset) -> bool {
        let advert = |advert: &Advert| {
            advert.frozen.is_some() && advert.terms.escrow().is_some_and(|(_, of, _)| of == vault_asset)
        };
        let order = |order: &Order| {
            let missing = |leg| order.frozen.is_some_and(|frozen| !frozen.missing(leg).is_zero());
            [Leg::Base, Leg::Quote].into_iter().any(|leg| order.terms.vault_asset(leg) == vault_asset && missing(leg))
        };
        self.adverts.values().any(advert) || self.orders.values().any(order)
    }

    fn put(&mut self, request: FundingRequest) {
        let place = self.funding_requests.iter_mut().find(|open| open.vault_asset == request.vault_asset).unwrap();
        *place = request;
    }

    pub(super) fn complete(&mut self, target: FundingTarget) {
        match target {
            FundingTarget::Advert(id) => self.advert_event(id, adverts::Event::DepositFunded, false).unwrap(),
            FundingTarget::Order(id) => {
                let event = match self.orders[&id].funded_leg() {
                    Some(Leg::Base) => Event::DepositFunded,
                    _ => Event::PaymentFunded,
                };
                self.event(id, &event, false).unwrap();
            }
        }
    }

    /// Returns the temporary balance that is not part of a funding request.
    pub(super) fn free(&self, vault_asset: VaultAsset) -> Amount {
        let counted = self
            .funding_requests
            .iter()
            .find(|request| request.vault_asset == vault_asset)
            .map_or(Amount::ZERO, |request| request.funded);
        self.book.balance(vault_asset.temporary()).saturating_sub(counted)
    }

    fn unfreeze(&mut self, vault_asset: VaultAsset) {
        for id in self.orders.keys().copied().collect::<Vec<_>>() {
            for leg in [Leg::Base, Leg::Quote] {
                let order = &self.orders[&id];
                if order.frozen.is_some() && order.terms.vault_asset(leg) == vault_asset {
                    let available = self.free(vault_asset);
                    let done = self.event(id, &Event::DepositReturned { leg, available }, false);
                    assert!(matches!(done, Ok(()) | Err(Refusal::DepositShort { .. })), "{done:?}");
                }
            }
        }
        for id in self.adverts.keys().copied().collect::<Vec<_>>() {
            let escrow = self.adverts[&id].terms.escrow();
            if self.adverts[&id].frozen.is_some() && escrow.is_some_and(|(_, escrowed, _)| escrowed == vault_asset) {
                let available = self.free(vault_asset);
                let done = self.advert_event(id, adverts::Event::DepositReturned { available }, false);
                assert!(matches!(done, Ok(()) | Err(Refusal::DepositShort { .. })), "{done:?}");
            }
        }
    }

    /// Removes a deposit by a reorganization, unless its coins were paid out: the payout must be removed first.
    pub(super) fn reorganise(&mut self, deposit: usize) {
        let Some(index) = deposit.checked_rem(self.deposits.len()) else { return };
        let (id, vault_asset, gone) =
            (self.deposits[index].id, self.deposits[index].vault_asset, self.deposits[index].amount);
        if !self.deposits[index].live || self.book.balance(vault_asset.custody()) < gone {
            return;
        }
        self.deposits[index].live = false;
        let drawn = ledger::draw(gone, &self.book.holdings(vault_asset));
        self.book.post(&ledger::deposit_revoked(id, vault_asset, gone, &drawn).unwrap());
        for (account, drawn) in drawn {
            match account.kind {
                AccountKind::OrderEscrow => {
                    let order = OrderId(account.owner);
                    let leg = if vault_asset.asset == BASE { Leg::Base } else { Leg::Quote };
                    self.event(order, &Event::DepositRevoked { leg, drawn }, false).unwrap();
                }
                AccountKind::AdvertEscrow => {
                    let advert = AdvertId(account.owner);
                    self.advert_event(advert, adverts::Event::DepositRevoked { drawn }, false).unwrap();
                }
                _ => {}
            }
        }
        self.limit_requests(vault_asset);
    }

    /// Limits the open funding request of a vault asset to the temporary balance that is left.
    pub(super) fn limit_requests(&mut self, vault_asset: VaultAsset) {
        let left = self.book.balance(vault_asset.temporary());
        for request in self.funding_requests.iter_mut().filter(|request| request.vault_asset == vault_asset) {
            *request = request.limited_to(left);
        }
    }
}
