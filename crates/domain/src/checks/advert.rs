//! Checks before an advert is posted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use chrono::Duration;

use super::user::{self, TraderFacts};
use crate::adverts::{COMPLETED_ORDERS, Limits, Options, TakerRequirements, Terms};
use crate::assets::{Pair, PairId, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::identity::words::ForbiddenWords;
use crate::ids::PaymentMethodId;
use crate::money::{Amount, Price};
use crate::refusal::{Refusal, RiskFlag, Shown};
use crate::trade::{Coin, Method, Party, Side};
use crate::users::User;

/// The maximum number of open adverts per user.
pub const MAX_ADVERTS: u32 = 20;

/// The payment windows that an advertiser can choose.
pub const PAYMENT_WINDOW: RangeInclusive<Duration> = Duration::minutes(5)..=Duration::minutes(120);

/// The advert that a user wants to post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvertRequest {
    /// The pair; for an NFT, that of its album.
    pub pair: PairId,
    /// The token ID of the NFT to sell; `None` for coins.
    pub nft: Option<[u8; 32]>,
    pub side: Side,
    /// Whether the platform accepts orders and confirms payments.
    pub automatic: bool,
    /// The price in the quote, per whole unit of the base.
    pub price: Price,
    /// In base units of the base.
    pub quantity: Amount,
    /// The minimum total of an order, in base units of the quote.
    pub min_total: Amount,
    /// The maximum total of an order, in base units of the quote.
    pub max_total: Amount,
    /// How the owner receives or makes payments in fiat.
    pub methods: Vec<PaymentMethodId>,
    /// How long buyers have to pay. If `None`, the pair's payment window.
    pub payment_window: Option<Duration>,
    pub options: Options,
    /// The price of the market, if the requested price is far from it and the user has not confirmed it. For a pair without a
    /// reference price, the caller compares them ([`crate::market::compare`]).
    pub unconfirmed_from: Option<Price>,
}

impl AdvertRequest {
    /// A manual advert without methods and options. `totals` are the minimum and the maximum total of an order.
    pub fn new(pair: PairId, side: Side, price: Price, quantity: Amount, totals: (Amount, Amount)) -> Self {
        let (min_total, max_total) = totals;
        Self {
            pair,
            nft: None,
            side,
            automatic: false,
            price,
            quantity,
            min_total,
            max_total,
            methods: Vec::new(),
            payment_window: None,
            options: Options::default(),
            unconfirmed_from: None,
        }
    }
}

/// The inputs of the advert checks.
#[derive(Debug, Clone, Copy)]
pub struct AdvertFacts<'a> {
    pub now: Timestamp,
    pub signed_in: bool,
    pub user: &'a User,
    /// The requested pair; `None` if it does not exist. For a known NFT, its own pair and not that of its album.
    pub pair: Option<&'a Pair>,
    /// Whether the user's region supports the pair's fiat currency; true if the quote is a coin.
    pub region_supported: bool,
    /// The platform's own addresses. Payments to them would be lost.
    pub own: &'a BTreeSet<Address>,
    pub reference: Option<Price>,
    /// The user's payment methods in the quote's currency.
    pub methods: &'a [Method],
    /// Whether the user has an open funding request for the escrowed asset, or an order that opens a funding request
    /// for it once accepted.
    pub funding_request_open: bool,
    pub adverts: u32,
    /// The user's temporary balance with which the user can prepay: what no funding request needs.
    pub prepayable: Amount,
    pub words: &'a ForbiddenWords,
    /// The currency of each region in which users can register, by the region's code.
    pub regions: &'a BTreeMap<String, String>,
}

/// Runs all checks in order and returns the advert's terms.
pub fn advert(facts: &AdvertFacts<'_>, request: &AdvertRequest) -> Result<Terms, Refusal> {
    let owner = facts.user;
    let as_ = match request.side {
        Side::Sell => Party::Seller,
        Side::Buy => Party::Buyer,
    };
    if !facts.signed_in {
        return Err(Refusal::SessionInvalid);
    }
    let trader = TraderFacts {
        now: facts.now,
        user: owner,
        pair: facts.pair,
        as_,
        automatic: request.automatic,
        posts: true,
        region_supported: facts.region_supported,
        own: facts.own,
    };
    let (bound, receiving) = trader.check()?;
    let pair = user::pair_on(facts.pair)?;
    nft(pair, request)?;
    if request.automatic && pair.automatic_chain_type.is_none() {
        return Err(Refusal::PairUnsupported);
    }
    if !pair.accepts_price(request.price) {
        return Err(Refusal::Invalid { field: "price", reason: "more decimals than the pair's priceDecimals" });
    }
    if let Some(band) = pair.band(facts.reference) {
        band.check(request.price)?;
    } else if let Some(market) = request.unconfirmed_from {
        return Err(Refusal::PriceFar { market: market.to_string() });
    }
    let receiving = (request.side == Side::Sell && !pair.is_fiat()).then_some(receiving);
    let (total, min_total, max_total) = amounts(pair, request)?;
    let methods = methods(pair, request, facts.methods)?;
    let windows = windows(pair, request)?;
    if let Some(remark) = &request.options.remark {
        super::remark::public_text("remark", remark, facts.words)?;
    }
    taker_requirements(pair, &request.options.taker, facts.regions)?;
    let terms = Terms {
        owner: owner.id,
        side: request.side,
        automatic: request.automatic,
        pair: pair.id,
        base: Coin::from(&pair.base),
        quote: Coin::from(&pair.quote),
        prepayment: pair.prepayment,
        price: request.price,
        quantity: request.quantity,
        total,
        min_total,
        max_total,
        methods,
        receiving,
        bound,
        options: request.options.clone(),
        windows,
        created_at: facts.now,
    };
    if terms.escrow().is_some() && facts.funding_request_open {
        return Err(Refusal::FundingRequestOpen);
    }
    if facts.adverts >= MAX_ADVERTS {
        return Err(Refusal::AdvertLimit { limit: MAX_ADVERTS });
    }
    prepayable(pair, owner, facts.prepayable)?;
    Ok(terms)
}

/// Checks that there can be users who meet the requirements.
fn taker_requirements(
    pair: &Pair,
    required: &TakerRequirements,
    regions: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    if required.completed_orders.is_some_and(|least| !COMPLETED_ORDERS.contains(&least)) {
        return Err(Refusal::Invalid { field: "takerRequirements.completedOrders", reason: "not from 1 to 1000" });
    }
    let Some(region) = &required.region else { return Ok(()) };
    let invalid = |reason| Err(Refusal::Invalid { field: "takerRequirements.region", reason });
    match regions.get(region) {
        None => invalid("unknown"),
        Some(currency) if pair.is_fiat() && *currency != pair.quote.code => invalid("does not use the quote"),
        Some(_) => Ok(()),
    }
}

/// Checks that an album comes with an NFT, which only sell adverts can have, and anything else without.
fn nft(pair: &Pair, request: &AdvertRequest) -> Result<(), Refusal> {
    match (pair.base.nft(), request.nft) {
        (None, None) if !pair.base.is_album() => Ok(()),
        _ if !pair.sides().contains(&request.side) => Err(Refusal::NftOnlySold),
        (Some(_), Some(_)) => Ok(()),
        (None, Some(_)) if pair.base.is_album() => Err(Refusal::NftMissing),
        (None, Some(_)) => Err(Refusal::AlbumMissing),
        (_, None) => Err(Refusal::Invalid { field: "nftId", reason: "required" }),
    }
}

/// Checks that the user can prepay the fee and the network fee. The same restrictions as for other uses of a temporary balance
/// apply.
fn prepayable(pair: &Pair, owner: &User, available: Amount) -> Result<(), Refusal> {
    let Some(prepayment) = pair.prepayment else { return Ok(()) };
    let needed = prepayment.total().map_err(|_| Refusal::Invalid { field: "nftId", reason: "out of range" })?;
    let shown = |amount| Shown { amount, decimals: prepayment.decimals };
    if available < needed {
        let shortfall = shown(needed.saturating_sub(available));
        return Err(Refusal::PrepaymentShort { needed: shown(needed), shortfall });
    }
    if owner.forbidden.contains(&RiskFlag::Withdrawal) {
        return Err(Refusal::Risk(RiskFlag::Withdrawal));
    }
    Ok(())
}

/// Checks the quantity and the order limits. The limits must be within those of the pair and allow at least one order,
/// and the minimum must not exceed the maximum. Returns the total and the limits. An order on an NFT is never partial, whatever
/// the requested limits.
fn amounts(pair: &Pair, request: &AdvertRequest) -> Result<(Amount, Amount, Amount), Refusal> {
    let (total, _) = user::quantity(pair, request.quantity, request.price)?;
    if pair.base.nft().is_some() {
        if request.quantity != Amount::ONE {
            return Err(Refusal::Invalid { field: "quantity", reason: "not 1" });
        }
        if total < pair.min_total || total > pair.max_total {
            return Err(user::limits(pair, pair.min_total, pair.max_total));
        }
        return Ok((total, total, total));
    }
    if request.min_total > request.max_total {
        return Err(Refusal::Invalid { field: "orderMin", reason: "above orderMax" });
    }
    if request.min_total < pair.min_total || request.max_total > pair.max_total {
        return Err(user::limits(pair, pair.min_total, pair.max_total));
    }
    let limits = Limits { min: request.min_total, max: request.max_total };
    if limits.of_remaining(pair, request.price, request.quantity).is_none() {
        return Err(user::limits(pair, limits.min, limits.max));
    }
    Ok((total, limits.min, limits.max))
}

/// Checks the payment methods. A fiat advert needs at least one; each must belong to the user and use the quote's
/// currency. Ignored if the quote is a coin.
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
