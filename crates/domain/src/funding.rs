//! Funding requests: what waits for coins at a custody address, and what an arrival means.
//!
//! An arrival is always credited as temporary balance first
//! ([`deposit_confirmed`](crate::ledger::deposit_confirmed)); what it means beyond that says [`arrival`].

use crate::clock::Timestamp;
use crate::ids::{AdvertId, OrderId};
use crate::ledger::VaultAsset;
use crate::money::{Amount, MoneyError};
use crate::refusal::{Refusal, Shown};

/// What waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FundingTarget {
    /// An advert in creation.
    Advert(AdvertId),
    /// An order awaiting its deposit, or an automatic one awaiting its payment.
    Order(OrderId),
}

/// An open funding request. At most one is open for each person and asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FundingRequest {
    /// What waits.
    pub target: FundingTarget,
    /// In whose vault, for what.
    pub vault_asset: VaultAsset,
    /// How much it needs.
    pub required: Amount,
    /// What counts towards it: coins confirmed since it opened, and temporary balance that its owner offers to it.
    pub funded: Amount,
    /// When it opened.
    pub opened_at: Timestamp,
}

impl FundingRequest {
    /// Whether it has what it needs.
    pub fn complete(&self) -> bool {
        self.funded >= self.required
    }

    /// What is missing.
    pub fn shortfall(&self) -> Amount {
        self.required.saturating_sub(self.funded)
    }

    /// Whether `seen`, the transfers in blocks that are not final yet, would complete it. Its deadline is met then, and
    /// nobody may cancel until they are final or gone.
    pub fn covered(&self, seen: Amount) -> bool {
        seen >= self.shortfall()
    }

    /// More of it counts. What the books cannot hold cannot count.
    pub fn count(&self, more: Amount) -> Result<Self, MoneyError> {
        Ok(Self { funded: self.funded.add(more)?, ..*self })
    }

    /// The funding request after coins have left the chain: no more counts than is left of its owner's temporary balance. What was
    /// there beyond the funding request is lost first.
    #[must_use]
    pub fn limited_to(&self, temporary: Amount) -> Self {
        Self { funded: self.funded.min(temporary), ..*self }
    }

    /// Its owner offers temporary balance to it, of which `available` is there beyond what counts already. No more of it
    /// counts than is missing.
    pub fn offer(&self, offered: Amount, available: Amount, decimals: u8) -> Result<Self, Refusal> {
        if offered.is_zero() {
            return Err(Refusal::Invalid { field: "fromBalance", reason: "zero" });
        }
        if offered > available {
            return Err(Refusal::BalanceShort { available: Shown { amount: available, decimals } });
        }
        self.count(offered.min(self.shortfall()))
            .map_err(|_| Refusal::Invalid { field: "fromBalance", reason: "out of range" })
    }
}

/// Coins that were confirmed in a vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IncomingDeposit {
    /// In whose vault, what.
    pub vault_asset: VaultAsset,
    /// How much.
    pub amount: Amount,
    /// The asset's dust bound.
    pub dust: Amount,
    /// Whether it was sent from the bound address of the vault's owner.
    pub own: bool,
    /// Whether something of the owner's misses such coins since a reorganisation took them.
    pub missed: bool,
}

/// What an arrival means, beyond being temporary balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositAllocation {
    /// It completes a funding request: apply the target's `DepositFunded` or `PaymentFunded`.
    Completes {
        /// The funding request with what counts now.
        request: FundingRequest,
        /// What is beyond the required and stays temporary balance.
        excess: Amount,
    },
    /// It counts towards a funding request, which needs more.
    Counts {
        /// The funding request with what counts now.
        request: FundingRequest,
    },
    /// Nothing asked for it, its owner sent it, and it is too much to be an accident: apply
    /// [`crate::adverts::Event::WrongDeposit`].
    Wrong {
        /// The advert whose creation it ends.
        advert: AdvertId,
    },
    /// It is temporary balance and nothing else.
    Temporary,
}

/// What an arrival means to the open funding requests of the vault's owner.
///
/// Only what the owner sent from their own bound address can end a creation: a stranger must not be able to cancel
/// somebody's advert. An advert in creation whose own funding request is covered (`covered`) is out of reach of a wrong deposit:
/// nobody may cancel it any more.
pub fn allocate(
    incoming: &IncomingDeposit,
    funding_requests: &[FundingRequest],
    covered: bool,
) -> Result<DepositAllocation, MoneyError> {
    if let Some(request) = funding_requests.iter().find(|request| request.vault_asset == incoming.vault_asset) {
        let request = request.count(incoming.amount)?;
        return Ok(if request.complete() {
            DepositAllocation::Completes { request, excess: request.funded.saturating_sub(request.required) }
        } else {
            DepositAllocation::Counts { request }
        });
    }
    let creation = funding_requests.iter().find_map(|request| match request.target {
        FundingTarget::Advert(advert) if request.vault_asset.vault == incoming.vault_asset.vault => Some(advert),
        _ => None,
    });
    Ok(match creation {
        Some(advert) if incoming.own && !incoming.missed && incoming.amount > incoming.dust && !covered => {
            DepositAllocation::Wrong { advert }
        }
        _ => DepositAllocation::Temporary,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::AssetId;
    use crate::ids::UserId;
    use chrono::DateTime;
    use proptest::prelude::*;
    use uuid::Uuid;

    const COIN: i64 = 1;
    const OTHER: i64 = 2;

    fn amount(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    fn vault_asset(asset: i64) -> VaultAsset {
        VaultAsset { vault: UserId(Uuid::from_u128(1)), asset: AssetId(asset) }
    }

    fn creation(required: i128, funded: i128) -> FundingRequest {
        FundingRequest {
            target: FundingTarget::Advert(AdvertId(Uuid::from_u128(7))),
            vault_asset: vault_asset(COIN),
            required: amount(required),
            funded: amount(funded),
            opened_at: DateTime::UNIX_EPOCH,
        }
    }

    fn waiting(required: i128) -> FundingRequest {
        FundingRequest { target: FundingTarget::Order(OrderId(Uuid::from_u128(8))), ..creation(required, 0) }
    }

    fn coins(asset: i64, units: i128) -> IncomingDeposit {
        IncomingDeposit {
            vault_asset: vault_asset(asset),
            amount: amount(units),
            dust: amount(10),
            own: true,
            missed: false,
        }
    }

    #[test]
    fn exactly_the_need_completes_without_excess() {
        let meaning = allocate(&coins(COIN, 100), &[creation(100, 0)], false).unwrap();
        assert_eq!(meaning, DepositAllocation::Completes { request: creation(100, 100), excess: Amount::ZERO });
    }

    #[test]
    fn more_than_the_need_completes_and_the_rest_is_excess() {
        let meaning = allocate(&coins(COIN, 130), &[creation(100, 0)], false).unwrap();
        assert_eq!(meaning, DepositAllocation::Completes { request: creation(100, 130), excess: amount(30) });
    }

    #[test]
    fn less_counts_and_the_part_that_completes_it_claims_all() {
        let DepositAllocation::Counts { request } = allocate(&coins(COIN, 60), &[creation(100, 0)], false).unwrap()
        else {
            panic!()
        };
        assert_eq!(request.shortfall(), amount(40));
        assert!(!request.covered(amount(39)));
        assert!(request.covered(amount(40)));
        let meaning = allocate(&coins(COIN, 40), &[request], false).unwrap();
        assert_eq!(meaning, DepositAllocation::Completes { request: creation(100, 100), excess: Amount::ZERO });
    }

    #[test]
    fn dust_that_nothing_asked_for_is_temporary_balance() {
        assert_eq!(allocate(&coins(OTHER, 10), &[creation(100, 0)], false), Ok(DepositAllocation::Temporary));
    }

    #[test]
    fn another_coin_above_dust_ends_the_creation_unless_it_is_covered() {
        let advert = AdvertId(Uuid::from_u128(7));
        assert_eq!(allocate(&coins(OTHER, 11), &[creation(100, 0)], false), Ok(DepositAllocation::Wrong { advert }));
        assert_eq!(allocate(&coins(OTHER, 11), &[creation(100, 0)], true), Ok(DepositAllocation::Temporary));
    }

    #[test]
    fn another_coin_ends_no_creation_if_a_stranger_sent_it_or_something_misses_it() {
        let stranger = IncomingDeposit { own: false, ..coins(OTHER, 11) };
        assert_eq!(allocate(&stranger, &[creation(100, 0)], false), Ok(DepositAllocation::Temporary));
        let missed = IncomingDeposit { missed: true, ..coins(OTHER, 11) };
        assert_eq!(allocate(&missed, &[creation(100, 0)], false), Ok(DepositAllocation::Temporary));
        let part = IncomingDeposit { own: false, ..coins(COIN, 40) };
        assert_eq!(
            allocate(&part, &[creation(100, 0)], false),
            Ok(DepositAllocation::Counts { request: creation(100, 40) })
        );
    }

    #[test]
    fn without_an_advert_in_creation_nothing_is_wrong() {
        assert_eq!(allocate(&coins(OTHER, 1_000), &[], false), Ok(DepositAllocation::Temporary));
        assert_eq!(allocate(&coins(OTHER, 1_000), &[waiting(100)], false), Ok(DepositAllocation::Temporary));
    }

    #[test]
    fn what_another_claim_asks_for_counts_there() {
        let order = FundingRequest { vault_asset: vault_asset(OTHER), ..waiting(50) };
        let meaning = allocate(&coins(OTHER, 50), &[creation(100, 0), order], false).unwrap();
        assert_eq!(
            meaning,
            DepositAllocation::Completes {
                request: FundingRequest { funded: amount(50), ..order },
                excess: Amount::ZERO
            }
        );
    }

    #[test]
    fn no_more_can_be_offered_than_there_is() {
        let refused = creation(100, 0).offer(amount(31), amount(30), 6);
        assert_eq!(refused, Err(Refusal::BalanceShort { available: Shown { amount: amount(30), decimals: 6 } }));
        assert_eq!(creation(100, 0).offer(amount(30), amount(30), 6), Ok(creation(100, 30)));
    }

    #[test]
    fn no_more_of_an_offer_counts_than_is_missing_and_nothing_is_no_offer() {
        assert_eq!(creation(100, 90).offer(amount(30), amount(30), 6), Ok(creation(100, 100)));
        let nothing = creation(100, 0).offer(Amount::ZERO, amount(30), 6);
        assert_eq!(nothing, Err(Refusal::Invalid { field: "fromBalance", reason: "zero" }));
    }

    proptest! {
        #[test]
        fn any_parts_claim_the_need_once_and_leave_the_rest(required in 1..1_000_i128, parts in prop::collection::vec(1..400_i128, 1..12)) {
            let mut request = creation(required, 0);
            let mut sum = 0;
            for part in parts {
                sum += part;
                match allocate(&coins(COIN, part), &[request], false).unwrap() {
                    DepositAllocation::Completes { request, excess } => {
                        prop_assert_eq!(request.required.add(excess), Ok(amount(sum)));
                        return Ok(());
                    }
                    DepositAllocation::Counts { request: funded } => {
                        prop_assert!(sum < required);
                        prop_assert_eq!(funded.shortfall(), amount(required - sum));
                        prop_assert_eq!(funded.limited_to(request.funded), request);
                        prop_assert_eq!(funded.limited_to(amount(sum)), funded);
                        request = funded;
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
    }
}
