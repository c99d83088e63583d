//! Checks of the user, and of values that both adverts and orders contain.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::assets::Pair;
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::identity::{IdentityRefusal, address};
use crate::money::Amount;
use crate::refusal::{Refusal, RiskFlag, Shown};
use crate::reputation;
use crate::trade::Party;
use crate::users::{KycLevel, ReceivingAddress, User};

/// Returns the requested pair. Refuses if the pair does not exist or is disabled.
pub(super) fn pair_on(pair: Option<&Pair>) -> Result<&Pair, Refusal> {
    pair.filter(|pair| pair.enabled).ok_or(Refusal::PairUnsupported)
}

/// Checks the risk flags.
fn unrestricted(user: &User, as_: Party) -> Result<(), Refusal> {
    let flag = match as_ {
        Party::Buyer => RiskFlag::Buy,
        Party::Seller => RiskFlag::Sell,
    };
    match [RiskFlag::Login, flag].into_iter().find(|flag| user.forbidden.contains(flag)) {
        Some(flag) => Err(Refusal::Risk(flag)),
        None => Ok(()),
    }
}

fn bound(user: &User) -> Result<Address, Refusal> {
    user.bound.ok_or(IdentityRefusal::NotBound.into())
}

fn receiving(user: &User) -> Result<&ReceivingAddress, Refusal> {
    user.receiving.as_ref().ok_or(Refusal::ReceivingAddressMissing)
}

/// What a user must have to post an advert or place an order, whatever its amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum TradeRequirement {
    /// No restriction by an officer that forbids it.
    NoRestriction,
    /// Basic verification in the pass.
    BasicVerification,
    /// An own address on the escrow chain, confirmed through the pass.
    BoundAddress,
    /// Advanced verification in the pass.
    AdvancedVerification,
    Nickname,
    ReceivingAddress,
    /// A receiving address on a chain that the pair accepts.
    ChainType,
    /// A bound address and a receiving address that do not belong to the platform.
    PayableAddress,
    /// No hold on the account.
    NoHold,
    /// The credit score.
    Reputation,
    Certification,
    /// A region that supports the pair's fiat currency.
    Region,
    /// A security password. Sellers are not refused without it, but cannot confirm a payment.
    SecurityPassword,
}

/// What the requirements depend on.
#[derive(Debug, Clone, Copy)]
pub struct TraderFacts<'a> {
    pub now: Timestamp,
    pub user: &'a User,
    /// `None` if it does not exist, or if the user has not chosen one.
    pub pair: Option<&'a Pair>,
    /// The side of the user, as an advertiser or as a taker.
    pub as_: Party,
    pub automatic: bool,
    /// Whether the user posts an advert, which requires more than an order.
    pub posts: bool,
    /// Whether the user's region supports the pair's fiat currency; true if the quote is a coin.
    pub region_supported: bool,
    /// The platform's own addresses. Payments to them would be lost.
    pub own: &'a BTreeSet<Address>,
}

impl TraderFacts<'_> {
    /// Returns the requirements that the user does not meet, in the order of the checks, with their refusals.
    fn unmet(&self) -> impl Iterator<Item = (TradeRequirement, Refusal)> {
        let (user, posts) = (self.user, self.posts);
        let fiat = self.pair.is_some_and(Pair::is_fiat);
        let refuse = |met: bool, refusal: Refusal| if met { Ok(()) } else { Err(refusal) };
        let needed = reputation::NEEDED_TO_POST;
        let to_bound = user.bound.map_or(Ok(()), |bound| payable(bound, self.own, "boundAddress"));
        [
            (TradeRequirement::NoRestriction, unrestricted(user, self.as_)),
            (TradeRequirement::BasicVerification, refuse(user.kyc >= KycLevel::Basic, Refusal::KycMissing)),
            (TradeRequirement::BoundAddress, bound(user).map(drop)),
            (
                TradeRequirement::AdvancedVerification,
                refuse(!posts || !fiat || user.kyc >= KycLevel::Advanced, Refusal::AdvancedKycMissing),
            ),
            (TradeRequirement::Nickname, refuse(user.nickname.is_some(), Refusal::NicknameMissing)),
            (TradeRequirement::ReceivingAddress, receiving(user).map(drop)),
            (TradeRequirement::ChainType, refuse(self.chain_type_fits(), Refusal::ReceivingAddressUnfit)),
            // The platform may have started to use an address itself since it was set.
            (TradeRequirement::PayableAddress, to_bound.and_then(|()| self.receiving_payable(fiat))),
            (TradeRequirement::NoHold, hold(user, self.now)),
            (
                TradeRequirement::Reputation,
                refuse(
                    !posts || user.reputation >= needed,
                    Refusal::ReputationTooLow { reputation: user.reputation, needed },
                ),
            ),
            (TradeRequirement::Certification, refuse(!posts || !fiat || user.certified, Refusal::NotCertified)),
            (TradeRequirement::Region, refuse(self.region_supported, Refusal::RegionUnsupported)),
        ]
        .into_iter()
        .filter_map(|(requirement, met)| Some((requirement, met.err()?)))
    }

    /// Checks all requirements in order. Returns the bound address and the receiving address.
    pub(super) fn check(&self) -> Result<(Address, ReceivingAddress), Refusal> {
        match self.unmet().next() {
            Some((_, refusal)) => Err(refusal),
            None => Ok((bound(self.user)?, receiving(self.user)?.clone())),
        }
    }

    /// Returns what the user lacks: every requirement that is not met, with the refusal of the command.
    pub fn missing(&self, has_security_password: bool) -> Vec<(TradeRequirement, Refusal)> {
        let lacks_password = self.as_ == Party::Seller && !has_security_password;
        let password = (TradeRequirement::SecurityPassword, Refusal::SecurityPasswordMissing);
        self.unmet().chain(lacks_password.then_some(password)).collect()
    }

    /// Returns whether the seller can be paid at the receiving address, if there is one. If the quote is a coin, the pair must
    /// accept the chain type of the address; in automatic trades, the address must be on the escrow chain.
    fn chain_type_fits(&self) -> bool {
        let Some((receiving, pair)) = self.user.receiving.as_ref().zip(self.pair) else { return true };
        let fits = match (&pair.automatic_chain_type, self.automatic) {
            (Some(chain_type), true) => receiving.chain_type == *chain_type,
            (None, true) => true, // A later check refuses the pair.
            (_, false) => pair.is_fiat() || pair.chain_types.contains(&receiving.chain_type),
        };
        self.as_ != Party::Seller || fits
    }

    /// Checks the receiving address of a seller who is paid there.
    fn receiving_payable(&self, fiat: bool) -> Result<(), Refusal> {
        match &self.user.receiving {
            Some(receiving) if self.as_ == Party::Seller && !fiat => {
                receiving_payable(receiving, self.own, "receivingAddress")
            }
            _ => Ok(()),
        }
    }
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
pub fn hold(user: &User, now: Timestamp) -> Result<(), Refusal> {
    user.hold(now).map_or(Ok(()), |until| Err(Refusal::HeldUntil { until }))
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
