//! Before an advert is posted.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use chrono::Duration;

use super::person;
use crate::adverts::{Limits, Terms};
use crate::assets::{Pair, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::identity::words::ForbiddenWords;
use crate::ids::PaymentMethodId;
use crate::money::{Amount, Price};
use crate::people::Person;
use crate::refusal::Refusal;
use crate::reputation;
use crate::trade::{Coin, Method, Party, Side};

/// How many adverts that have not ended a person may have.
pub const MAX_ADVERTS: u32 = 20;

/// What an advert may choose as its window for the payment.
pub const PAYMENT_WINDOW: RangeInclusive<Duration> = Duration::minutes(5)..=Duration::minutes(120);

/// What a person wants to post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvertRequest {
    /// What the person does.
    pub side: Side,
    /// Whether the system shall accept, pay and confirm.
    pub automatic: bool,
    /// Units of the quote for one unit of the base.
    pub price: Price,
    /// How much of the base.
    pub quantity: Amount,
    /// The least total of an order, in the quote.
    pub min_total: Amount,
    /// The largest total of an order, in the quote.
    pub max_total: Amount,
    /// The person's payment methods to be used.
    pub methods: Vec<PaymentMethodId>,
    /// The window for the payment; the pair's if nothing.
    pub payment_window: Option<Duration>,
    /// What the person wants to say.
    pub remark: Option<String>,
}

/// What must be known to post an advert.
#[derive(Debug, Clone, Copy)]
pub struct AdvertFacts<'a> {
    /// The product's time.
    pub now: Timestamp,
    /// Whether the session is valid.
    pub signed_in: bool,
    /// Who posts.
    pub person: &'a Person,
    /// The pair that is asked for.
    pub pair: Option<&'a Pair>,
    /// Whether the pair's fiat is supported in the person's region; true for a coin as quote.
    pub region_supported: bool,
    /// Addresses that are the product's own: nobody can be paid there.
    pub own: &'a BTreeSet<Address>,
    /// The pair's reference price.
    pub reference: Option<Price>,
    /// The person's own payment methods in the quote's currency.
    pub methods: &'a [Method],
    /// Whether the person has an open funding request, or an order that will open one once accepted, for what the advert escrows.
    pub funding_request_open: bool,
    /// How many adverts of the person have not ended.
    pub adverts: u32,
    /// Words that no public text may have.
    pub words: &'a ForbiddenWords,
}

/// Looks at everything in order, and gives the advert's terms.
pub fn advert(facts: &AdvertFacts<'_>, request: &AdvertRequest) -> Result<Terms, Refusal> {
    let owner = facts.person;
    let as_ = match request.side {
        Side::Sell => Party::Seller,
        Side::Buy => Party::Buyer,
    };
    let fiat = facts.pair.is_some_and(Pair::is_fiat);
    person::session(facts.signed_in, owner, as_)?;
    let bound = person::pass(owner, fiat)?;
    person::nickname(owner)?;
    let receiving = person::receiving(owner, facts.pair, as_, request.automatic)?;
    // The terms fix them, whenever they were bound.
    person::payable(bound, facts.own, "boundAddress")?;
    let receiving = (request.side == Side::Sell && !fiat).then_some(receiving);
    if let Some(receiving) = &receiving {
        person::receiving_payable(receiving, facts.own, "receivingAddress")?;
    }
    person::hold(owner, facts.now)?;
    if owner.reputation < reputation::NEEDED_TO_POST {
        return Err(Refusal::ReputationTooLow { reputation: owner.reputation, needed: reputation::NEEDED_TO_POST });
    }
    if fiat && !owner.certified {
        return Err(Refusal::NotCertified);
    }
    if !facts.region_supported {
        return Err(Refusal::RegionUnsupported);
    }
    let pair = person::pair_on(facts.pair)?;
    if request.automatic && pair.automatic_chain_type.is_none() {
        return Err(Refusal::PairUnsupported);
    }
    if !pair.accepts_price(request.price) {
        return Err(Refusal::Invalid { field: "price", reason: "more decimals than the pair's priceDecimals" });
    }
    if let Some(band) = pair.band(facts.reference) {
        band.check(request.price)?;
    }
    let total = amounts(pair, request)?;
    let methods = methods(pair, request, facts.methods)?;
    let windows = windows(pair, request)?;
    if let Some(remark) = &request.remark {
        super::remark::remark(remark, facts.words)?;
    }
    let terms = Terms {
        owner: owner.id,
        side: request.side,
        automatic: request.automatic,
        pair: pair.id,
        base: Coin::from(&pair.base),
        quote: Coin::from(&pair.quote),
        price: request.price,
        quantity: request.quantity,
        total,
        min_total: request.min_total,
        max_total: request.max_total,
        methods,
        receiving,
        bound,
        remark: request.remark.clone(),
        windows,
        created_at: facts.now,
    };
    if terms.escrow().is_some() && facts.funding_request_open {
        return Err(Refusal::FundingRequestOpen);
    }
    if facts.adverts >= MAX_ADVERTS {
        return Err(Refusal::AdvertLimit { limit: MAX_ADVERTS });
    }
    Ok(terms)
}

/// The quantity and the limits of an order: within the pair's, the least not above the largest, and at least one order
/// possible. Gives the total.
fn amounts(pair: &Pair, request: &AdvertRequest) -> Result<Amount, Refusal> {
    let (total, _) = person::quantity(pair, request.quantity, request.price)?;
    if request.min_total > request.max_total {
        return Err(Refusal::Invalid { field: "orderMin", reason: "above orderMax" });
    }
    if request.min_total < pair.min_total || request.max_total > pair.max_total {
        return Err(person::limits(pair, pair.min_total, pair.max_total));
    }
    let limits = Limits { min: request.min_total, max: request.max_total };
    if limits.of_remaining(pair, request.price, request.quantity).is_none() {
        return Err(person::limits(pair, limits.min, limits.max));
    }
    Ok(total)
}

/// The payment methods: at least one for fiat, none for a coin, each the person's own and of the quote's currency.
fn methods(pair: &Pair, request: &AdvertRequest, own: &[Method]) -> Result<Vec<Method>, Refusal> {
    if !pair.is_fiat() {
        return Ok(Vec::new());
    }
    if request.methods.is_empty() {
        return Err(Refusal::NoPaymentMethod);
    }
    let find = |id| own.iter().find(|method| method.id == id).cloned().ok_or(Refusal::PaymentMethodMissing);
    let mut unique = request.methods.clone();
    unique.sort_unstable();
    unique.dedup();
    unique.into_iter().map(find).collect()
}

fn windows(pair: &Pair, request: &AdvertRequest) -> Result<Windows, Refusal> {
    match request.payment_window {
        Some(window) if !PAYMENT_WINDOW.contains(&window) => {
            Err(Refusal::Invalid { field: "windowMinutes", reason: "out of range" })
        }
        Some(payment) => Ok(Windows { payment, ..pair.windows }),
        None => Ok(pair.windows),
    }
}
