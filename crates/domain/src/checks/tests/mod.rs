//! Tests each check with all earlier checks passing and all later ones failing, which verifies their order.

mod missing;
mod nfts;
mod placing;
mod posting;
mod taker;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Duration, TimeZone, Utc};
use uuid::Uuid;

use super::*;
use crate::adverts::{self, Advert};
use crate::assets::{Asset, AssetId, Home, Pair, PairId, Windows};
use crate::chain::{Address, ChainId, CustodyIndex, Token};
use crate::identity::IdentityRefusal;
use crate::identity::words::ForbiddenWords;
use crate::ids::{AdvertId, PaymentMethodId, UserId};
use crate::money::{Amount, PRICE_DECIMALS, Price};
use crate::orders::tests::MANUAL_SELL;
use crate::refusal::{Refusal, RiskFlag, Shown};
use crate::reputation::MissedAcceptances;
use crate::trade::{Method, Payment, Side};
use crate::users::{KycLevel, ReceivingAddress, User};

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
    let code = format!("A{id}");
    Asset { id: AssetId(id), code, decimals: 2, home, album: None, dust: Amount::ZERO, return_gas: amount(3) }
}

/// Returns a fiat pair, or a pair of coins with chain types for the escrow chain and another chain.
fn pair(fiat: bool) -> Pair {
    let on_chain = Home::Chain { chain: ChainId(1), token: Token::Native };
    let minutes = Duration::minutes;
    Pair {
        prepayment: None,
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

fn user(number: u8) -> User {
    User {
        id: UserId(Uuid::from_u128(number.into())),
        custody_index: CustodyIndex(number.into()),
        vault: Address([number; 20]),
        bound: Some(Address([number + 100; 20])),
        region: "TH".to_owned(),
        kyc: KycLevel::Advanced,
        nickname: Some(format!("nick{number}")),
        automatic_reply: None,
        receiving: Some(ReceivingAddress {
            address: Address([number + 200; 20]).to_string(),
            chain_type: "HOME".to_owned(),
        }),
        online: true,
        offline_cause: None,
        missed_acceptances: MissedAcceptances::default(),
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
    user: User,
    other: User,
    pair: Option<Pair>,
    region_supported: bool,
    own: BTreeSet<Address>,
    reference: Option<Price>,
    methods: Vec<Method>,
    holders: BTreeMap<PaymentMethodId, String>,
    funding_request_open: bool,
    count: u32,
    completed: u32,
    signed_in: bool,
    blocked: bool,
    prefunding: Option<Amount>,
    words: ForbiddenWords,
    regions: BTreeMap<String, String>,
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
        user: user(1),
        other: user(2),
        pair: Some(pair(fiat)),
        region_supported: true,
        own: BTreeSet::new(),
        reference: None,
        methods: vec![method(70, "BANK"), method(71, "WALLET")],
        holders: [70, 71, 80, 81].map(|id| (method(id, "").id, format!("Holder {id}"))).into(),
        funding_request_open: false,
        count: 0,
        completed: 0,
        regions: [("TH", "A2"), ("KR", "KRW")].map(|(code, currency)| (code.to_owned(), currency.to_owned())).into(),
        signed_in: true,
        blocked: false,
        prefunding: None,
        words: ForbiddenWords::new(["telegram"]),
        advert: Advert {
            prepaid: Amount::ZERO,
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
            fee: None,
            quantity: amount(1_000),
            method: None,
            payer: None,
            kind: None,
        },
    };
    // The advert belongs to the other user.
    let facts = AdvertFacts { user: &scene.other, ..advert_inputs(&scene) };
    scene.advert.terms = advert(&facts, &scene.advert_request).unwrap();
    scene.methods = vec![method(80, "WALLET"), method(81, "CASH")];
    if fiat {
        scene.advert_request.methods = vec![method(80, "WALLET").id];
    }
    scene
}

fn advert_inputs(scene: &Scene) -> AdvertFacts<'_> {
    AdvertFacts {
        prepayable: Amount::ZERO,
        now: now(),
        signed_in: scene.signed_in,
        user: &scene.user,
        pair: scene.pair.as_ref(),
        region_supported: scene.region_supported,
        own: &scene.own,
        reference: scene.reference,
        methods: &scene.methods,
        funding_request_open: scene.funding_request_open,
        adverts: scene.count,
        words: &scene.words,
        regions: &scene.regions,
    }
}

fn post(scene: &Scene) -> Result<adverts::Terms, Refusal> {
    advert(&advert_inputs(scene), &scene.advert_request)
}

fn place(scene: &Scene) -> Result<crate::orders::Terms, Refusal> {
    let facts = OrderFacts {
        now: now(),
        signed_in: scene.signed_in,
        taker: &scene.user,
        advertiser: &scene.other,
        advert: &scene.advert,
        pair: scene.pair.as_ref(),
        region_supported: scene.region_supported,
        own: &scene.own,
        methods: &scene.methods,
        holders: &scene.holders,
        funding_request_open: scene.funding_request_open,
        orders: scene.count,
        completed: scene.completed,
        blocked: scene.blocked,
        prefunding: scene.prefunding,
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
        if sell { |s| s.user.forbidden.push(RiskFlag::Sell) } else { |s| s.user.forbidden.push(RiskFlag::Buy) };
    vec![
        (|s| s.signed_in = false, Refusal::SessionInvalid),
        (|s| s.user.forbidden.push(RiskFlag::Login), Refusal::Risk(RiskFlag::Login)),
        (forbid, Refusal::Risk(flag)),
        (|s| s.user.kyc = KycLevel::None, Refusal::KycMissing),
        (|s| s.user.bound = None, IdentityRefusal::NotBound.into()),
    ]
}

fn until() -> crate::clock::Timestamp {
    now() + Duration::nanoseconds(1)
}

fn account_faults() -> Vec<Fault> {
    vec![
        (|s| s.user.nickname = None, Refusal::NicknameMissing),
        (|s| s.user.receiving = None, Refusal::ReceivingAddressMissing),
        (|s| s.user.held_until = Some(until()), Refusal::HeldUntil { until: until() }),
    ]
}
