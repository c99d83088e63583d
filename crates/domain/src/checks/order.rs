//! Checks before an order is placed.

use std::collections::{BTreeMap, BTreeSet};

use super::user::{self, TraderFacts};
use crate::adverts::{Advert, Limits};
use crate::assets::Pair;
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::ids::PaymentMethodId;
use crate::money::{Amount, Price};
use crate::orders::Terms;
use crate::refusal::{Refusal, RiskFlag, Shown};
use crate::trade::{Leg, Method, Party, Payment, Side};
use crate::users::{ReceivingAddress, User};

/// The maximum number of open orders per user.
pub const MAX_OPEN_ORDERS: u32 = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRequest {
    /// The price that the client showed the user.
    pub price: Price,
    /// The fee that the client showed the user, in base units of the base; `None` accepts the current one.
    pub fee: Option<Amount>,
    /// In base units of the base.
    pub quantity: Amount,
    /// The seller's payment method to use; `None` matches any whose kind both parties have.
    pub method: Option<PaymentMethodId>,
    /// The buyer's own payment method from which the buyer pays; `None` matches the first one of the kind. Only a taker who
    /// buys can choose it.
    pub payer: Option<PaymentMethodId>,
    /// The kind of payment method to use; `None` matches any kind that both parties have.
    pub kind: Option<String>,
}

/// The inputs of the order checks.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is independent and loaded by a separate query")]
pub struct OrderFacts<'a> {
    pub now: Timestamp,
    pub signed_in: bool,
    pub taker: &'a User,
    pub advertiser: &'a User,
    pub advert: &'a Advert,
    /// The advert's pair with its current settings.
    pub pair: Option<&'a Pair>,
    /// Whether the taker's region supports the pair's fiat currency; true if the quote is a coin.
    pub region_supported: bool,
    /// The platform's own addresses. Payments to them would be lost.
    pub own: &'a BTreeSet<Address>,
    /// The taker's payment methods in the quote's currency.
    pub methods: &'a [Method],
    /// The account holders of the buyer's payment methods.
    pub holders: &'a BTreeMap<PaymentMethodId, String>,
    /// Whether the taker has an open funding request for the asset that the taker would deposit, or an order that opens
    /// such a request once accepted.
    pub funding_request_open: bool,
    pub orders: u32,
    /// The number of orders that the taker has completed in 30 days. Needed only if the advertiser requires a number.
    pub completed: u32,
    /// Whether one of the two users has blocked the other.
    pub blocked: bool,
    /// The taker's temporary balance of the coin that the taker deposits for an automatic order, if the taker must have it
    /// before ordering ([`crate::reputation::must_prefund`]).
    pub prefunding: Option<Amount>,
}

/// Runs all checks in order and returns the order's terms.
pub fn order(facts: &OrderFacts<'_>, request: &OrderRequest) -> Result<Terms, Refusal> {
    let (taker, advert) = (facts.taker, facts.advert);
    let (offer, automatic) = (&advert.terms, advert.terms.automatic);
    let as_ = match offer.side {
        Side::Sell => Party::Buyer,
        Side::Buy => Party::Seller,
    };
    if !facts.signed_in {
        return Err(Refusal::SessionInvalid);
    }
    let trader = TraderFacts {
        now: facts.now,
        user: taker,
        pair: facts.pair,
        as_,
        automatic,
        posts: false,
        region_supported: facts.region_supported,
        own: facts.own,
    };
    let (bound, receiving) = trader.check()?;
    let pair = user::pair_on(facts.pair)?;
    if request.price != offer.price {
        return Err(Refusal::PriceChanged { price: offer.price.to_string() });
    }
    let (total, fee) = order_amounts(pair, facts.advert, request.quantity)?;
    if request.fee.is_some_and(|shown| shown != fee) {
        return Err(Refusal::FeeChanged { fee: Shown { amount: fee, decimals: pair.base.decimals } });
    }
    let (payment, payer) = payment(pair, facts, request, receiving)?;
    if taker.id == offer.owner {
        return Err(Refusal::OwnAdvert);
    }
    available(advert, facts.advertiser, facts.now)?;
    user::payable(offer.bound, facts.own, "advertId")?;
    if let Some(receiving) = &offer.receiving {
        user::receiving_payable(receiving, facts.own, "advertId")?;
    }
    let (buyer_bound, seller_bound) = match as_ {
        Party::Buyer => (bound, offer.bound),
        Party::Seller => (offer.bound, bound),
    };
    if facts.funding_request_open && (automatic || as_ == Party::Seller) {
        return Err(Refusal::FundingRequestOpen);
    }
    if facts.orders >= MAX_OPEN_ORDERS {
        return Err(Refusal::OrderLimit { limit: MAX_OPEN_ORDERS });
    }
    if facts.blocked {
        return Err(Refusal::Blocked);
    }
    offer.options.taker.check(taker, facts.completed)?;
    let terms = Terms {
        advert: advert.id,
        pair: offer.pair,
        base: offer.base,
        quote: offer.quote,
        prepayment: offer.prepayment,
        side: offer.side,
        advertiser: offer.owner,
        taker: taker.id,
        quantity: request.quantity,
        price: offer.price,
        total,
        fee,
        payment,
        payer,
        buyer_bound,
        seller_bound,
        windows: offer.windows,
        created_at: facts.now,
    };
    match facts.prefunding {
        Some(available) if automatic => prefunded(&terms, taker, available)?,
        _ => {}
    }
    Ok(terms)
}

/// Refuses a taker whose temporary balance does not cover the own leg of an automatic order, or may not be used.
fn prefunded(terms: &Terms, taker: &User, available: Amount) -> Result<(), Refusal> {
    let leg = terms.side.advertiser().other().gives();
    let coin = match leg {
        Leg::Base => terms.base,
        Leg::Quote => terms.quote,
    };
    let needed = terms.amount(leg);
    if available < needed {
        let shown = |amount| Shown { amount, decimals: coin.decimals };
        let shortfall = shown(needed.saturating_sub(available));
        return Err(Refusal::PrefundingShort { needed: shown(needed), shortfall });
    }
    // As for any other use of a temporary balance.
    if taker.forbidden.contains(&RiskFlag::Withdrawal) {
        return Err(Refusal::Risk(RiskFlag::Withdrawal));
    }
    Ok(())
}

/// Returns the total and the fee of an order. Refuses a quantity that exceeds the remaining one or the limits of the
/// advert and the pair.
pub fn order_amounts(pair: &Pair, advert: &Advert, quantity: Amount) -> Result<(Amount, Amount), Refusal> {
    let (total, fee) = user::quantity(pair, quantity, advert.terms.price)?;
    let terms = Limits::of_terms(pair, &advert.terms);
    if !terms.contains(total) {
        return Err(user::limits(pair, terms.min, terms.max));
    }
    if quantity > advert.remaining {
        let left = Shown { amount: advert.remaining, decimals: pair.base.decimals };
        return Err(Refusal::QuantityShort { left });
    }
    Ok((total, fee))
}

/// Determines how the buyer pays: with a payment method of the seller whose kind both parties have, or to the seller's
/// receiving address. A payment with a payment method must come from the account holder that is returned with it.
fn payment(
    pair: &Pair,
    facts: &OrderFacts<'_>,
    request: &OrderRequest,
    takers: ReceivingAddress,
) -> Result<(Payment, Option<String>), Refusal> {
    let offer = &facts.advert.terms;
    if request.payer.is_some() && (offer.side == Side::Buy || !pair.is_fiat()) {
        return Err(Refusal::Invalid { field: "payerMethodId", reason: "only for buying with fiat" });
    }
    if pair.is_fiat() {
        let (sellers, buyers) = match offer.side {
            Side::Sell => (offer.methods.as_slice(), facts.methods),
            Side::Buy => (facts.methods, offer.methods.as_slice()),
        };
        let (method, own) = shared(sellers, buyers, request)?;
        let payer = facts.holders.get(&own).cloned().ok_or(Refusal::PaymentMethodMissing)?;
        return Ok((Payment::Method(method), Some(payer)));
    }
    let receiving = match offer.side {
        Side::Sell => offer.receiving.clone().ok_or(Refusal::ReceivingAddressMissing)?,
        Side::Buy => takers,
    };
    if !offer.automatic {
        return Ok((Payment::Transfer(receiving), None));
    }
    let to: Address = receiving.address.parse().map_err(|_| Refusal::ReceivingAddressUnfit)?;
    Ok((Payment::Automatic { to, chain_type: receiving.chain_type }, None))
}

/// Returns the seller's first payment method that matches the request and whose kind the buyer also has, and the buyer's
/// own method of this kind.
fn shared(sellers: &[Method], buyers: &[Method], request: &OrderRequest) -> Result<(Method, PaymentMethodId), Refusal> {
    if let Some(id) = request.method
        && !sellers.iter().any(|method| method.id == id)
    {
        return Err(Refusal::PaymentMethodMissing);
    }
    if let Some(id) = request.payer
        && !buyers.iter().any(|method| method.id == id)
    {
        return Err(Refusal::PaymentMethodMissing);
    }
    let own = |kind: &str| {
        let mut own = buyers.iter().filter(|method| request.payer.is_none_or(|id| method.id == id));
        own.find(|method| method.kind == kind)
    };
    sellers
        .iter()
        .filter(|method| request.method.is_none_or(|id| method.id == id))
        .filter(|method| request.kind.as_ref().is_none_or(|kind| method.kind == *kind))
        .find_map(|method| Some((method.clone(), own(&method.kind)?.id)))
        .ok_or(Refusal::NoSharedPaymentMethod)
}

/// Refuses if the advert takes no orders: see [`Advert::accepts_orders`]. An advert also counts as offline if its owner
/// is offline, may not trade on that side, or has an account on hold.
pub fn available(advert: &Advert, owner: &User, now: Timestamp) -> Result<(), Refusal> {
    let online = owner.online && owner.hold(now).is_none();
    match advert.accepts_orders() {
        Ok(()) | Err(Refusal::AdvertState) if !owner_available(advert.terms.side, online, &owner.forbidden) => {
            Err(Refusal::AdvertiserOffline)
        }
        accepted => accepted,
    }
}

/// Returns whether the adverts of a user on a side can take orders: the user is online and may trade on that side.
pub fn owner_available(side: Side, online: bool, forbidden: &[RiskFlag]) -> bool {
    let flag = match side {
        Side::Buy => RiskFlag::Buy,
        Side::Sell => RiskFlag::Sell,
    };
    online && !forbidden.iter().any(|held| *held == flag || *held == RiskFlag::Login)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::tests::{advert_of, pair_with};
    use proptest::prelude::*;

    proptest! {
        /// The limits that an advert shows are exactly the totals for which an order can be placed.
        #[test]
        fn exactly_the_totals_within_an_adverts_limits_can_be_ordered(
            (base, quote) in (0..19_u8, 0..7_u8),
            price in prop_oneof![1..1_000_000_i128, 1..10_000_000_000_000_i128],
            (steps, min, max) in (1..1_000_000_000_000_i128, 1..1_000_000_000_i128, 1..1_000_000_000_i128),
            (floor, ppm) in (0..1_000_000_000_i128, prop_oneof![Just(0), Just(1_000), Just(999_999), Just(1_000_000)]),
            (share, other) in (0..=1_000_000_i128, 0..1_000_000_000_000_i128),
        ) {
            let amount = |units| Amount::new(units).unwrap();
            let pair = pair_with(base, quote, amount(floor), ppm);
            let step = pair.step().unwrap();
            let price = Price::new(price).unwrap();
            let advert = advert_of(&pair, price, amount(steps.min(1_000_000_000_000) * step), amount(min.min(max)), amount(min.max(max)));
            let ask = |quantity| order_amounts(&pair, &advert, quantity);
            let limits = Limits::now(&pair, &advert);
            if let Some(limits) = limits {
                prop_assert!(limits.min <= limits.max);
                let wide = limits.max.units() - limits.min.units();
                let inside = amount(limits.min.units() + wide / 1_000_000 * share + wide % 1_000_000 * share / 1_000_000);
                for total in [limits.min, inside, limits.max] {
                    let quantity = pair.quantity_for(total, price).unwrap();
                    let asked = ask(quantity);
                    prop_assert!(asked.is_ok(), "{total} of {limits:?}, which is {quantity}: {asked:?}");
                    prop_assert!(limits.contains(asked.unwrap().0));
                }
            }
            let any = [other % (steps + 2) * step, step, steps * step, pair.quantity_for(amount(min), price).map_or(0, Amount::units)];
            for quantity in any {
                if let Ok((total, _)) = ask(amount(quantity)) {
                    // Exception: the cheapest quantity with this total does not exceed its fee.
                    let covers = advert_of(&pair, price, advert.remaining, total, total);
                    let edge = pair.quantity_for(total, price).is_ok_and(|least| pair.fee(least).unwrap() >= least);
                    let shown = limits.is_some_and(|limits| limits.contains(total));
                    prop_assert!(shown || edge && Limits::now(&pair, &covers).is_none(), "{total} is not within {limits:?}");
                }
            }
        }
    }
}
