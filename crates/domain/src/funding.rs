//! Funding requests, and the allocation of deposits to them.
//!
//! A deposit is always credited as temporary balance first ([`deposit_confirmed`](crate::ledger::deposit_confirmed)).
//! [`allocate`] decides whether it also funds a request.

use crate::clock::Timestamp;
use crate::ids::{AdvertId, OrderId};
use crate::ledger::VaultAsset;
use crate::money::{Amount, MoneyError};
use crate::refusal::{Refusal, Shown};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FundingTarget {
    Advert(AdvertId),
    /// An order that awaits its deposit, or an automatic order that awaits its payment.
    Order(OrderId),
}

/// An open funding request. A user has at most one per asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FundingRequest {
    pub target: FundingTarget,
    pub vault_asset: VaultAsset,
    pub required: Amount,
    /// The sum of the deposits confirmed since the request opened and the temporary balance that its owner offered.
    pub funded: Amount,
    pub opened_at: Timestamp,
}

impl FundingRequest {
    pub fn complete(&self) -> bool {
        self.funded >= self.required
    }

    pub fn shortfall(&self) -> Amount {
        self.required.saturating_sub(self.funded)
    }

    /// Returns whether `seen`, the transfers in blocks that are not final yet, would complete the request. If so, the
    /// deadline counts as met, and no user may cancel until the transfers are final or reverted.
    pub fn covered(&self, seen: Amount) -> bool {
        seen >= self.shortfall()
    }

    pub fn count(&self, more: Amount) -> Result<Self, MoneyError> {
        Ok(Self { funded: self.funded.add(more)?, ..*self })
    }

    /// Lowers `funded` to the owner's temporary balance after a reorganization removed coins. Balance outside the
    /// request is lost first.
    #[must_use]
    pub fn limited_to(&self, temporary: Amount) -> Self {
        Self { funded: self.funded.min(temporary), ..*self }
    }

    /// Adds temporary balance that the owner offers, up to the shortfall. `available` is the temporary balance that is
    /// not yet part of `funded`.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IncomingDeposit {
    pub vault_asset: VaultAsset,
    pub amount: Amount,
    /// Deposits of at most this amount never cancel an advert.
    pub dust: Amount,
    /// Whether the deposit was sent from the bound address of the vault's owner.
    pub own: bool,
    /// Whether an advert or order of the owner is missing coins of this asset after a reorganization.
    pub missed: bool,
}

/// The use of a confirmed deposit, which increases the temporary balance in each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositAllocation {
    /// Completes a funding request. Apply `DepositFunded` or `PaymentFunded` to the target.
    Completes {
        /// The request after the deposit.
        request: FundingRequest,
        /// The part beyond the required amount. It stays temporary balance.
        excess: Amount,
    },
    /// Funds a request that remains incomplete.
    Counts {
        /// The request after the deposit.
        request: FundingRequest,
    },
    /// The owner sent more than the dust limit, and no request needs it. Apply [`crate::adverts::Event::WrongDeposit`].
    Wrong {
        /// The advert in creation to cancel.
        advert: AdvertId,
    },
    /// Only increases the temporary balance.
    Temporary,
}

/// Allocates a confirmed deposit to the open funding requests of the vault's owner.
///
/// Only a deposit from the owner's bound address can cancel an advert in creation; otherwise, strangers could cancel
/// other users' adverts. A wrong deposit does not cancel an advert whose own request is `covered` either, because a
/// covered request can no longer be cancelled.
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
    fn the_exact_amount_completes_a_request_without_excess() {
        let meaning = allocate(&coins(COIN, 100), &[creation(100, 0)], false).unwrap();
        assert_eq!(meaning, DepositAllocation::Completes { request: creation(100, 100), excess: Amount::ZERO });
    }

    #[test]
    fn a_larger_deposit_completes_a_request_and_leaves_an_excess() {
        let meaning = allocate(&coins(COIN, 130), &[creation(100, 0)], false).unwrap();
        assert_eq!(meaning, DepositAllocation::Completes { request: creation(100, 130), excess: amount(30) });
    }

    #[test]
    fn partial_deposits_add_up_until_the_request_is_complete() {
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
    fn unrequested_dust_becomes_temporary_balance() {
        assert_eq!(allocate(&coins(OTHER, 10), &[creation(100, 0)], false), Ok(DepositAllocation::Temporary));
    }

    #[test]
    fn a_wrong_deposit_above_dust_ends_the_creation_unless_covered() {
        let advert = AdvertId(Uuid::from_u128(7));
        assert_eq!(allocate(&coins(OTHER, 11), &[creation(100, 0)], false), Ok(DepositAllocation::Wrong { advert }));
        assert_eq!(allocate(&coins(OTHER, 11), &[creation(100, 0)], true), Ok(DepositAllocation::Temporary));
    }

    #[test]
    fn deposits_of_strangers_or_for_missing_coins_do_not_end_a_creation() {
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
    fn without_an_advert_in_creation_no_deposit_is_wrong() {
        assert_eq!(allocate(&coins(OTHER, 1_000), &[], false), Ok(DepositAllocation::Temporary));
        assert_eq!(allocate(&coins(OTHER, 1_000), &[waiting(100)], false), Ok(DepositAllocation::Temporary));
    }

    #[test]
    fn a_deposit_funds_the_request_for_its_asset() {
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
    fn an_offer_is_limited_to_the_available_balance() {
        let refused = creation(100, 0).offer(amount(31), amount(30), 6);
        assert_eq!(refused, Err(Refusal::BalanceShort { available: Shown { amount: amount(30), decimals: 6 } }));
        assert_eq!(creation(100, 0).offer(amount(30), amount(30), 6), Ok(creation(100, 30)));
    }

    #[test]
    fn an_offer_counts_up_to_the_shortfall_and_zero_is_refused() {
        assert_eq!(creation(100, 90).offer(amount(30), amount(30), 6), Ok(creation(100, 100)));
        let nothing = creation(100, 0).offer(Amount::ZERO, amount(30), 6);
        assert_eq!(nothing, Err(Refusal::Invalid { field: "fromBalance", reason: "zero" }));
    }

    proptest! {
        #[test]
        fn partial_deposits_complete_a_request_once_and_leave_the_excess(required in 1..1_000_i128, parts in prop::collection::vec(1..400_i128, 1..12)) {
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
