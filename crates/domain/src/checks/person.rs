//! Checks of the user, and of values that both adverts and orders contain.

use std::collections::BTreeSet;

use crate::assets::Pair;
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::identity::address;
use crate::money::Amount;
use crate::people::{KycLevel, Person, ReceivingAddress};
use crate::refusal::{Refusal, RiskFlag, Shown};
use crate::trade::Party;

/// Returns the requested pair. Refuses if the pair does not exist or is disabled.
pub(super) fn pair_on(pair: Option<&Pair>) -> Result<&Pair, Refusal> {
    pair.filter(|pair| pair.enabled).ok_or(Refusal::PairUnsupported)
}

/// Checks the session and the risk flags.
pub(super) fn session(signed_in: bool, person: &Person, as_: Party) -> Result<(), Refusal> {
    if !signed_in {
        return Err(Refusal::SessionInvalid);
    }
    let flag = match as_ {
        Party::Buyer => RiskFlag::Buy,
        Party::Seller => RiskFlag::Sell,
    };
    match [RiskFlag::Login, flag].into_iter().find(|flag| person.forbidden.contains(flag)) {
        Some(flag) => Err(Refusal::Risk(flag)),
        None => Ok(()),
    }
}

/// Checks the verification level and the binding, and returns the bound address.
pub(super) fn pass(person: &Person, advanced: bool) -> Result<Address, Refusal> {
    match person.bound {
        Some(bound) if person.kyc >= KycLevel::Basic => {
            if advanced && person.kyc < KycLevel::Advanced {
                Err(Refusal::AdvancedKycMissing)
            } else {
                Ok(bound)
            }
        }
        _ => Err(Refusal::KycMissing),
    }
}

pub(super) fn nickname(person: &Person) -> Result<(), Refusal> {
    if person.nickname.is_some() { Ok(()) } else { Err(Refusal::NicknameMissing) }
}

/// Checks the receiving address, which every trader needs. If the quote is a coin, the pair must accept the chain type
/// of the seller's address; in automatic trades, the address must be on the escrow chain.
pub(super) fn receiving(
    person: &Person,
    pair: Option<&Pair>,
    as_: Party,
    automatic: bool,
) -> Result<ReceivingAddress, Refusal> {
    let receiving = person.receiving.as_ref().ok_or(Refusal::ReceivingAddressMissing)?;
    let fits = pair.is_none_or(|pair| match (&pair.automatic_chain_type, automatic) {
        (Some(chain_type), true) => receiving.chain_type == *chain_type,
        (None, true) => true, // A later check refuses the pair.
        (_, false) => pair.is_fiat() || pair.chain_types.contains(&receiving.chain_type),
    });
    if as_ == Party::Seller && !fits { Err(Refusal::ReceivingAddressUnfit) } else { Ok(receiving.clone()) }
}

/// Refuses an address to which payments would be lost: one reserved by the protocol, or one of the platform's `own`.
pub(super) fn payable(to: Address, own: &BTreeSet<Address>, field: &'static str) -> Result<(), Refusal> {
    if address::reserved(to) || own.contains(&to) { Err(Refusal::AddressUnpayable { field }) } else { Ok(()) }
}

/// Like [`payable`], for a receiving address.
pub(super) fn receiving_payable(
    to: &ReceivingAddress,
    own: &BTreeSet<Address>,
    field: &'static str,
) -> Result<(), Refusal> {
    address::payload(&to.address).map_or(Ok(()), |to| payable(to, own, field))
}

/// Refuses actions that are on hold after a change of security settings.
pub fn hold(person: &Person, now: Timestamp) -> Result<(), Refusal> {
    person.hold(now).map_or(Ok(()), |until| Err(Refusal::HeldUntil { until }))
}

/// Checks a quantity: its number of decimals is allowed, its total is not zero, and it exceeds its fee. Returns its
/// total and fee.
pub(super) fn quantity(pair: &Pair, quantity: Amount, price: crate::money::Price) -> Result<(Amount, Amount), Refusal> {
    let invalid = |reason| Refusal::Invalid { field: "quantity", reason };
    if quantity.is_zero() {
        return Err(invalid("required"));
    }
    if !quantity.fits_decimals(pair.base.decimals, crate::money::MAX_TYPED_DECIMALS) {
        return Err(invalid("too many decimals"));
    }
    let total = pair.total(quantity, price).map_err(|_| invalid("out of range"))?;
    let fee = pair.fee(quantity).map_err(|_| invalid("out of range"))?;
    if total.is_zero() {
        return Err(limits(pair, pair.min_total, pair.max_total));
    }
    if fee >= quantity {
        return Err(Refusal::FeeBelowGas { floor: Shown { amount: fee, decimals: pair.base.decimals } });
    }
    Ok((total, fee))
}

/// Creates the refusal that contains the limits of a total.
pub(super) fn limits(pair: &Pair, min: Amount, max: Amount) -> Refusal {
    let shown = |amount| Shown { amount, decimals: pair.quote.decimals };
    Refusal::AmountOutOfLimits { min: shown(min), max: shown(max) }
}
