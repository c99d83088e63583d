//! Tests each check with all earlier checks passing and all later ones failing, which verifies their order.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Duration, TimeZone, Utc};
use uuid::Uuid;

use super::*;
use crate::adverts::{self, Advert};
use crate::assets::{Asset, AssetId, Home, Pair, PairId, Windows};
use crate::chain::{Address, ChainId, CustodyIndex, Token};
use crate::identity::words::ForbiddenWords;
use crate::ids::{AdvertId, PaymentMethodId, UserId};
use crate::money::{Amount, PRICE_DECIMALS, Price};
use crate::orders::tests::MANUAL_SELL;
use crate::people::{KycLevel, Person, ReceivingAddress};
use crate::refusal::{Refusal, RiskFlag, Shown};
use crate::trade::{Method, Payment, Side};

fn now() -> crate::clock::Timestamp {
    Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap()
}

fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}

fn price(text: &str) -> Price {
    Price::parse(text).unwrap()
}

fn asset(id: i64, home: Home) -> Asset {
    Asset { id: AssetId(id), code: format!("A{id}"), decimals: 2, home, dust: Amount::ZERO, return_gas: amount(3) }
}

/// Returns a fiat pair, or a pair of coins with chain types for the escrow chain and another chain.
fn pair(fiat: bool) -> Pair {
    let on_chain = Home::Chain { chain: ChainId(1), token: Token::Native };
    let minutes = Duration::minutes;
    Pair {
        id: PairId(9),
        base: asset(1, on_chain),
        quote: asset(2, if fiat { Home::Fiat } else { on_chain }),
        enabled: true,
        fee_rate_ppm: 1_000,
        fee_minimum: amount(4),
        min_total: amount(1_000),
        max_total: amount(100_000),
        price_band_ppm: 100_000,
        price_decimals: PRICE_DECIMALS,
        windows: Windows {
            acceptance: minutes(5),
            advert_deposit: minutes(30),
            order_deposit: minutes(15),
            payment: minutes(30),
            confirmation: minutes(30),
            grace: minutes(10),
        },
        chain_types: if fiat { vec![] } else { vec!["HOME".to_owned(), "AWAY".to_owned()] },
        automatic_chain_type: (!fiat).then(|| "HOME".to_owned()),
    }
}

/// Returns a pair of coins with these decimals and practically unlimited totals.
pub(super) fn pair_with(base: u8, quote: u8, fee_minimum: Amount, fee_rate_ppm: u32) -> Pair {
    let plain = pair(true);
    Pair {
        base: Asset { decimals: base, ..plain.base },
        quote: Asset { decimals: quote, ..plain.quote },
        min_total: Amount::ONE,
        max_total: amount(crate::money::MAX_UNITS),
        fee_minimum,
        fee_rate_ppm,
        ..plain
    }
}

/// Returns an advert with this remaining quantity.
pub(super) fn advert_of(pair: &Pair, price: Price, remaining: Amount, min_total: Amount, max_total: Amount) -> Advert {
    let mut advert = scene(Side::Sell, false, true).advert;
    advert.terms.price = price;
    (advert.terms.base, advert.terms.quote) = ((&pair.base).into(), (&pair.quote).into());
    (advert.terms.min_total, advert.terms.max_total) = (min_total, max_total);
    advert.remaining = remaining;
    advert
}

fn person(number: u8) -> Person {
    Person {
        id: UserId(Uuid::from_u128(number.into())),
        custody_index: CustodyIndex(number.into()),
        vault: Address([number; 20]),
        bound: Some(Address([number + 100; 20])),
        region: "TH".to_owned(),
        kyc: KycLevel::Advanced,
        nickname: Some(format!("nick{number}")),
        receiving: Some(ReceivingAddress {
            address: Address([number + 200; 20]).to_string(),
            chain_type: "HOME".to_owned(),
        }),
        online: true,
        reputation: 100,
        certified: true,
        verified: false,
        forbidden: vec![],
        held_until: None,
    }
}

fn method(id: u128, kind: &str) -> Method {
    Method { id: PaymentMethodId(Uuid::from_u128(id)), kind: kind.to_owned() }
}

/// All inputs of the checks. Tests break one input after another.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is independent, as in the checks")]
struct Scene {
    person: Person,
    other: Person,
    pair: Option<Pair>,
    region_supported: bool,
    own: BTreeSet<Address>,
    reference: Option<Price>,
    methods: Vec<Method>,
    holders: BTreeMap<PaymentMethodId, String>,
    funding_request_open: bool,
    count: u32,
    signed_in: bool,
    blocked: bool,
    words: ForbiddenWords,
    advert: Advert,
    advert_request: AdvertRequest,
    order_request: OrderRequest,
}

fn scene(side: Side, automatic: bool, fiat: bool) -> Scene {
    let advert_request = AdvertRequest {
        automatic,
        methods: if fiat { vec![method(70, "BANK").id, method(71, "WALLET").id] } else { vec![] },
        ..AdvertRequest::new(PairId(9), side, price("2"), amount(10_000), (amount(1_000), amount(20_000)))
    };
    let mut scene = Scene {
        person: person(1),
        other: person(2),
        pair: Some(pair(fiat)),
        region_supported: true,
        own: BTreeSet::new(),
        reference: None,
        methods: vec![method(70, "BANK"), method(71, "WALLET")],
        holders: [70, 71, 80, 81].map(|id| (method(id, "").id, format!("Holder {id}"))).into(),
        funding_request_open: false,
        count: 0,
        signed_in: true,
        blocked: false,
        words: ForbiddenWords::new(["telegram"]),
        advert: Advert {
            id: AdvertId(Uuid::from_u128(50)),
            version: 1,
            terms: adverts::tests::terms(MANUAL_SELL),
            state: adverts::State::Online,
            remaining: amount(10_000),
            escrow: amount(10_000),
            running: 0,
            frozen: None,
            funding_rounds: 1,
            confirmed_at: Some(now()),
        },
        advert_request,
        order_request: OrderRequest {
            price: price("2"),
            quantity: amount(1_000),
            method: None,
            payer: None,
            kind: None,
        },
    };
    // The advert belongs to the other user.
    let facts = AdvertFacts { person: &scene.other, ..advert_inputs(&scene) };
    scene.advert.terms = advert(&facts, &scene.advert_request).unwrap();
    scene.methods = vec![method(80, "WALLET"), method(81, "CASH")];
    if fiat {
        scene.advert_request.methods = vec![method(80, "WALLET").id];
    }
    scene
}

fn advert_inputs(scene: &Scene) -> AdvertFacts<'_> {
    AdvertFacts {
        now: now(),
        signed_in: scene.signed_in,
        person: &scene.person,
        pair: scene.pair.as_ref(),
        region_supported: scene.region_supported,
        own: &scene.own,
        reference: scene.reference,
        methods: &scene.methods,
        funding_request_open: scene.funding_request_open,
        adverts: scene.count,
        words: &scene.words,
    }
}

fn post(scene: &Scene) -> Result<adverts::Terms, Refusal> {
    advert(&advert_inputs(scene), &scene.advert_request)
}

fn place(scene: &Scene) -> Result<crate::orders::Terms, Refusal> {
    let facts = OrderFacts {
        now: now(),
        signed_in: scene.signed_in,
        taker: &scene.person,
        advertiser: &scene.other,
        advert: &scene.advert,
        pair: scene.pair.as_ref(),
        region_supported: scene.region_supported,
        own: &scene.own,
        reference: scene.reference,
        methods: &scene.methods,
        holders: &scene.holders,
        funding_request_open: scene.funding_request_open,
        orders: scene.count,
        blocked: scene.blocked,
    };
    order(&facts, &scene.order_request)
}

/// A change that breaks the scene, and the refusal that must follow.
type Fault = (fn(&mut Scene), Refusal);

/// Applies the faults from the last to the first. The check must always refuse the fault applied last.
fn each_is_first<T: std::fmt::Debug>(mut scene: Scene, check: fn(&Scene) -> Result<T, Refusal>, faults: Vec<Fault>) {
    check(&scene).unwrap();
    for (cause, refusal) in faults.into_iter().rev() {
        cause(&mut scene);
        assert_eq!(check(&scene).unwrap_err(), refusal);
    }
}

fn shown(units: i128) -> Shown {
    Shown { amount: amount(units), decimals: 2 }
}

fn limits(min: i128, max: i128) -> Refusal {
    Refusal::AmountOutOfLimits { min: shown(min), max: shown(max) }
}

fn bounds(min: &str, max: &str) -> Refusal {
    Refusal::PriceOutOfBounds { min: min.to_owned(), max: max.to_owned() }
}

/// Returns the faults that concern only the user, in order.
fn person_faults(flag: RiskFlag) -> Vec<Fault> {
    let sell = flag == RiskFlag::Sell;
    let forbid: fn(&mut Scene) =
        if sell { |s| s.person.forbidden.push(RiskFlag::Sell) } else { |s| s.person.forbidden.push(RiskFlag::Buy) };
    vec![
        (|s| s.signed_in = false, Refusal::SessionInvalid),
        (|s| s.person.forbidden.push(RiskFlag::Login), Refusal::Risk(RiskFlag::Login)),
        (forbid, Refusal::Risk(flag)),
        (|s| s.person.kyc = KycLevel::None, Refusal::KycMissing),
    ]
}

fn until() -> crate::clock::Timestamp {
    now() + Duration::nanoseconds(1)
}

fn account_faults() -> Vec<Fault> {
    vec![
        (|s| s.person.nickname = None, Refusal::NicknameMissing),
        (|s| s.person.receiving = None, Refusal::ReceivingAddressMissing),
        (|s| s.person.held_until = Some(until()), Refusal::HeldUntil { until: until() }),
    ]
}

#[test]
fn a_price_has_at_most_the_decimals_of_the_pair() {
    let mut scene = scene(Side::Sell, false, true);
    scene.pair.as_mut().unwrap().price_decimals = 2;
    for (text, fits) in [("2.01", true), ("2.010", true), ("2.001", false), ("2.00000001", false)] {
        scene.advert_request.price = price(text);
        let refused = advert(&advert_inputs(&scene), &scene.advert_request).err();
        let finer = Refusal::Invalid { field: "price", reason: "more decimals than the pair's priceDecimals" };
        assert_eq!(refused, (!fits).then_some(finer), "{text}");
    }
}

#[test]
fn a_fiat_advert_is_checked_in_order() {
    let mut faults = person_faults(RiskFlag::Sell);
    faults.push((|s| s.person.kyc = KycLevel::Basic, Refusal::AdvancedKycMissing));
    faults.extend(account_faults());
    faults.extend::<Vec<Fault>>(vec![
        (|s| s.person.reputation = 59, Refusal::ReputationTooLow { reputation: 59, needed: 60 }),
        (|s| s.person.certified = false, Refusal::NotCertified),
        (|s| s.region_supported = false, Refusal::RegionUnsupported),
        (|s| s.pair.as_mut().unwrap().enabled = false, Refusal::PairUnsupported),
        (|s| s.reference = Some(price("2.5")), bounds("2.25", "2.75")),
        (|s| s.advert_request.quantity = Amount::ZERO, Refusal::Invalid { field: "quantity", reason: "required" }),
        (|s| s.pair.as_mut().unwrap().fee_minimum = amount(10_000), Refusal::FeeBelowGas { floor: shown(10_000) }),
        (
            |s| s.advert_request.min_total = amount(20_001),
            Refusal::Invalid { field: "orderMin", reason: "above orderMax" },
        ),
        (|s| s.advert_request.min_total = amount(999), limits(1_000, 100_000)),
        (|s| s.advert_request.methods.clear(), Refusal::NoPaymentMethod),
        (|s| s.advert_request.methods.push(method(99, "BANK").id), Refusal::PaymentMethodMissing),
        (
            |s| s.advert_request.payment_window = Some(Duration::minutes(121)),
            Refusal::Invalid { field: "windowMinutes", reason: "out of range" },
        ),
        (|s| s.advert_request.remark = Some("x".repeat(101)), Refusal::Invalid { field: "remark", reason: "too long" }),
        (
            |s| s.advert_request.remark = Some("Telegram".to_owned()),
            Refusal::Unspeakable { field: "remark", reason: "forbidden words" },
        ),
        (
            |s| s.advert_request.remark = Some("a@b.com".to_owned()),
            Refusal::Unspeakable { field: "remark", reason: "contact information" },
        ),
        (|s| s.funding_request_open = true, Refusal::FundingRequestOpen),
        (|s| s.count = MAX_ADVERTS, Refusal::AdvertLimit { limit: 20 }),
    ]);
    each_is_first(scene(Side::Sell, false, true), post, faults);
}

#[test]
fn a_fiat_order_is_checked_in_order() {
    let mut faults = person_faults(RiskFlag::Buy);
    faults.extend(account_faults());
    faults.extend::<Vec<Fault>>(vec![
        (|s| s.region_supported = false, Refusal::RegionUnsupported),
        (|s| s.pair = None, Refusal::PairUnsupported),
        (|s| s.order_request.price = price("1.99"), Refusal::PriceChanged { price: "2".to_owned() }),
        (|s| s.reference = Some(price("2.5")), bounds("2.25", "2.75")),
        (|s| s.order_request.quantity = Amount::ZERO, Refusal::Invalid { field: "quantity", reason: "required" }),
        (|s| s.pair.as_mut().unwrap().fee_minimum = amount(1_000), Refusal::FeeBelowGas { floor: shown(1_000) }),
        (|s| s.advert.terms.min_total = amount(2_001), limits(2_001, 20_000)),
        (|s| s.advert.remaining = amount(999), Refusal::QuantityShort { left: shown(999) }),
        (|s| s.order_request.method = Some(method(99, "BANK").id), Refusal::PaymentMethodMissing),
        (|s| s.methods = vec![method(80, "CASH")], Refusal::NoSharedPaymentMethod),
        (|s| s.person.id = s.other.id, Refusal::OwnAdvert),
        (|s| s.other.online = false, Refusal::AdvertiserOffline),
        (|s| s.advert.frozen = Some(adverts::Frozen { since: now(), missing: Amount::ONE }), Refusal::AdvertState),
        (|s| s.count = MAX_OPEN_ORDERS, Refusal::OrderLimit { limit: 10 }),
        (|s| s.blocked = true, Refusal::Blocked),
    ]);
    each_is_first(scene(Side::Sell, false, true), place, faults);
}

#[test]
fn an_advert_for_a_coin_needs_an_address_of_an_accepted_chain_type() {
    let mut sell = scene(Side::Sell, false, false);
    assert_eq!(post(&sell).unwrap().receiving, sell.person.receiving);
    sell.person.receiving.as_mut().unwrap().chain_type = "AWAY".to_owned();
    assert!(post(&sell).is_ok());
    sell.advert_request.automatic = true;
    assert_eq!(post(&sell), Err(Refusal::ReceivingAddressUnfit), "automatic payments are made on the escrow chain");
    sell.advert_request.side = Side::Buy;
    assert_eq!(post(&sell).unwrap().receiving, None, "buyers are not paid");
    sell.person.receiving.as_mut().unwrap().chain_type = "ELSEWHERE".to_owned();
    sell.advert_request = AdvertRequest { side: Side::Sell, automatic: false, ..sell.advert_request };
    assert_eq!(post(&sell), Err(Refusal::ReceivingAddressUnfit));
}

#[test]
fn a_pair_without_automatic_chain_type_has_no_automatic_adverts() {
    let mut scene = scene(Side::Sell, false, true);
    scene.advert_request.automatic = true;
    assert_eq!(post(&scene), Err(Refusal::PairUnsupported));
}

#[test]
fn an_advert_for_a_coin_needs_no_certification_methods_or_advanced_verification() {
    let mut scene = scene(Side::Sell, false, false);
    scene.person.certified = false;
    scene.person.kyc = KycLevel::Basic;
    let terms = post(&scene).unwrap();
    assert_eq!(terms.methods, []);
    scene.person.bound = None;
    assert_eq!(post(&scene), Err(Refusal::KycMissing), "returns need a bound address");
}

#[test]
fn only_automatic_buy_adverts_open_a_funding_request() {
    let buy = Scene { funding_request_open: true, ..scene(Side::Buy, false, false) };
    assert!(post(&buy).is_ok());
    assert_eq!(
        post(&Scene { funding_request_open: true, ..scene(Side::Buy, true, false) }),
        Err(Refusal::FundingRequestOpen)
    );
}

#[test]
fn an_open_funding_request_blocks_an_order_only_if_the_taker_sends_coins() {
    for (side, automatic, sends) in
        [(Side::Sell, false, false), (Side::Sell, true, true), (Side::Buy, false, true), (Side::Buy, true, true)]
    {
        let scene = Scene { funding_request_open: true, ..scene(side, automatic, false) };
        let refused = place(&scene).err();
        assert_eq!(refused, sends.then_some(Refusal::FundingRequestOpen), "{side:?} {automatic}");
    }
}

#[test]
fn the_seller_is_paid_at_the_sellers_receiving_address() {
    let sell = place(&scene(Side::Sell, false, false)).unwrap();
    assert_eq!(sell.payment, Payment::Transfer(person(2).receiving.unwrap()));
    assert_eq!((sell.buyer_bound, sell.seller_bound), (Address([101; 20]), Address([102; 20])));
    let buy = place(&scene(Side::Buy, false, false)).unwrap();
    assert_eq!(buy.payment, Payment::Transfer(person(1).receiving.unwrap()));
    assert_eq!((buy.buyer_bound, buy.seller_bound), (Address([102; 20]), Address([101; 20])));
    for (side, seller) in [(Side::Sell, 202), (Side::Buy, 201)] {
        let automatic = place(&scene(side, true, false)).unwrap();
        let to = Address([seller; 20]);
        assert_eq!(automatic.payment, Payment::Automatic { to, chain_type: "HOME".to_owned() });
    }
    let mut away = scene(Side::Buy, false, false);
    away.person.receiving.as_mut().unwrap().chain_type = "AWAY".to_owned();
    assert!(place(&away).is_ok());
    away.advert.terms.automatic = true;
    assert_eq!(place(&away), Err(Refusal::ReceivingAddressUnfit));
}

#[test]
fn the_payment_method_is_of_a_kind_that_both_sides_have() {
    let mut scene = scene(Side::Sell, false, true);
    // The seller has BANK and WALLET, the buyer WALLET and CASH.
    assert_eq!(place(&scene).unwrap().payment, Payment::Method(method(71, "WALLET")));
    scene.order_request.kind = Some("BANK".to_owned());
    assert_eq!(place(&scene), Err(Refusal::NoSharedPaymentMethod));
    scene.order_request = OrderRequest { kind: None, method: Some(method(70, "BANK").id), ..scene.order_request };
    assert_eq!(place(&scene), Err(Refusal::NoSharedPaymentMethod));
    let mut buy = self::scene(Side::Buy, false, true);
    buy.order_request.method = Some(method(80, "WALLET").id);
    assert_eq!(place(&buy).unwrap().payment, Payment::Method(method(80, "WALLET")), "the taker is the seller");
}

#[test]
fn quantities_respect_the_decimals_and_limits_of_advert_and_pair() {
    let mut scene = scene(Side::Sell, false, false);
    let mut total_of = |quantity: i128| {
        scene.order_request.quantity = amount(quantity);
        place(&scene).map(|terms| (terms.total.units(), terms.fee.units()))
    };
    assert_eq!(total_of(500), Ok((1_000, 4)), "the minimum fee");
    assert_eq!(total_of(499), Err(limits(1_000, 20_000)));
    assert_eq!(total_of(10_000), Ok((20_000, 10)), "a thousandth");
    assert_eq!(total_of(10_001), Err(limits(1_000, 20_000)));
    let pair = scene.pair.as_mut().unwrap();
    pair.base.decimals = 10;
    assert_eq!(place(&scene), Err(Refusal::Invalid { field: "quantity", reason: "too many decimals" }));
}

#[test]
fn an_advert_must_allow_at_least_one_order_within_the_pairs_limits() {
    let mut scene = scene(Side::Sell, false, false);
    scene.advert_request.max_total = amount(100_001);
    assert_eq!(post(&scene), Err(limits(1_000, 100_000)));
    scene.advert_request.max_total = amount(100_000);
    scene.advert_request.min_total = amount(20_000);
    assert_eq!(post(&scene).unwrap().total, amount(20_000));
    scene.advert_request.min_total = amount(20_001);
    assert_eq!(post(&scene), Err(limits(20_001, 100_000)));
    scene.advert_request.price = Price::new(1).unwrap();
    assert_eq!(post(&scene), Err(limits(1_000, 100_000)), "the total is zero");
}

#[test]
fn an_advert_counts_as_offline_if_its_owner_may_not_trade() {
    for flag in [RiskFlag::Sell, RiskFlag::Login] {
        let mut scene = scene(Side::Sell, false, false);
        scene.other.forbidden = vec![flag];
        assert_eq!(place(&scene), Err(Refusal::AdvertiserOffline));
    }
    let mut scene = scene(Side::Sell, false, false);
    scene.other.forbidden = vec![RiskFlag::Buy, RiskFlag::Withdrawal];
    assert!(place(&scene).is_ok());
    scene.advert.state = adverts::State::Offline;
    assert_eq!(place(&scene), Err(Refusal::AdvertiserOffline));
    scene.other.online = false;
    scene.advert.state = adverts::State::Revoking { payout: None };
    assert_eq!(place(&scene), Err(Refusal::AdvertMissing), "the advert will not come online again");
}

#[test]
fn the_advert_chooses_the_payment_window_within_bounds() {
    let mut scene = scene(Side::Sell, false, false);
    assert_eq!(post(&scene).unwrap().windows, pair(false).windows);
    scene.advert_request.payment_window = Some(Duration::minutes(5));
    assert_eq!(post(&scene).unwrap().windows.payment, Duration::minutes(5));
    scene.advert_request.payment_window = Some(Duration::minutes(4));
    assert!(matches!(post(&scene), Err(Refusal::Invalid { field: "windowMinutes", .. })));
}

#[test]
fn a_reputation_of_sixty_suffices_to_post() {
    let mut scene = scene(Side::Sell, false, true);
    scene.person.reputation = 60;
    assert!(post(&scene).is_ok());
}

#[test]
fn a_payment_method_that_is_named_twice_is_used_once() {
    let mut scene = scene(Side::Sell, false, true);
    scene.advert_request.methods = vec![method(80, "WALLET").id, method(81, "CASH").id, method(80, "WALLET").id];
    assert_eq!(post(&scene).unwrap().methods, [method(80, "WALLET"), method(81, "CASH")]);
}

#[test]
fn narrower_limits_of_a_pair_apply_to_existing_adverts() {
    let mut scene = scene(Side::Sell, false, false);
    let pair = scene.pair.as_mut().unwrap();
    (pair.min_total, pair.max_total) = (amount(2_001), amount(10_000));
    assert_eq!(place(&scene), Err(limits(2_001, 10_000)));
}

#[test]
fn a_hold_ends_exactly_at_its_end_time() {
    let mut scene = scene(Side::Sell, false, false);
    scene.person.held_until = Some(now());
    assert!(place(&scene).is_ok());
    assert!(post(&scene).is_ok());
}

#[test]
fn the_payer_is_the_holder_of_the_buyers_method() {
    // The seller of the advert takes payments to the methods 70 (BANK) and 71 (WALLET); the buyer has 80 (WALLET) and 81 (CASH).
    let mut selling = scene(Side::Sell, false, true);
    assert_eq!(place(&selling).unwrap().payer.as_deref(), Some("Holder 80"));
    selling.methods.push(method(82, "WALLET"));
    selling.holders.insert(method(82, "").id, "Holder 82".to_owned());
    assert_eq!(place(&selling).unwrap().payer.as_deref(), Some("Holder 80"));
    selling.order_request.payer = Some(method(82, "").id);
    assert_eq!(place(&selling).unwrap().payer.as_deref(), Some("Holder 82"));
    // The seller has no method of this type.
    selling.order_request.payer = Some(method(81, "").id);
    assert_eq!(place(&selling), Err(Refusal::NoSharedPaymentMethod));
    // The seller's method is not the buyer's.
    selling.order_request.payer = Some(method(71, "").id);
    assert_eq!(place(&selling), Err(Refusal::PaymentMethodMissing));
    selling.order_request.payer = None;
    selling.holders.clear();
    assert_eq!(place(&selling), Err(Refusal::PaymentMethodMissing));

    // The advertiser buys, with one of the advert's methods.
    let mut buying = scene(Side::Buy, false, true);
    let own = buying.advert.terms.methods.iter().find(|method| method.kind == "WALLET").unwrap().id;
    assert_eq!(place(&buying).unwrap().payer, buying.holders.get(&own).cloned());
    buying.order_request.payer = Some(own);
    let only = Refusal::Invalid { field: "payerMethodId", reason: "only for buying with fiat" };
    assert_eq!(place(&buying), Err(only.clone()));

    let mut coins = scene(Side::Sell, false, false);
    assert_eq!(place(&coins).unwrap().payer, None);
    coins.order_request.payer = Some(method(80, "").id);
    assert_eq!(place(&coins), Err(only));
}
