//! The checks of an order that is placed.

use super::*;

#[test]
fn a_fiat_order_is_checked_in_order() {
    let mut faults = person_faults(RiskFlag::Buy);
    faults.extend(account_faults());
    faults.extend::<Vec<Fault>>(vec![
        (|s| s.region_supported = false, Refusal::RegionUnsupported),
        (|s| s.pair = None, Refusal::PairUnsupported),
        (|s| s.order_request.price = price("1.99"), Refusal::PriceChanged { price: "2".to_owned() }),
        (|s| s.order_request.quantity = Amount::ZERO, Refusal::Invalid { field: "quantity", reason: "required" }),
        (|s| s.pair.as_mut().unwrap().fee_minimum = amount(1_000), Refusal::FeeBelowGas { floor: shown(1_000) }),
        (|s| s.advert.terms.min_total = amount(2_001), limits(2_001, 20_000)),
        (|s| s.advert.remaining = amount(999), Refusal::QuantityShort { left: shown(999) }),
        (|s| s.order_request.fee = Some(amount(2)), Refusal::FeeChanged { fee: shown(4) }),
        (|s| s.order_request.method = Some(method(99, "BANK").id), Refusal::PaymentMethodMissing),
        (|s| s.methods = vec![method(80, "CASH")], Refusal::NoSharedPaymentMethod),
        (|s| s.user.id = s.other.id, Refusal::OwnAdvert),
        (|s| s.other.online = false, Refusal::AdvertiserOffline),
        (|s| s.advert.frozen = Some(adverts::Frozen { since: now(), missing: Amount::ONE }), Refusal::AdvertState),
        (|s| s.count = MAX_OPEN_ORDERS, Refusal::OrderLimit { limit: 10 }),
        (|s| s.blocked = true, Refusal::Blocked),
    ]);
    each_is_first(scene(Side::Sell, false, true), place, faults);
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

/// Five accounts could otherwise make every honest advert of a quiet pair unorderable, by moving its reference price.
#[test]
fn the_price_band_does_not_bind_an_order_on_an_existing_advert() {
    let far = Scene { reference: Some(price("200")), ..scene(Side::Sell, false, true) };
    assert!(matches!(post(&far), Err(Refusal::PriceOutOfBounds { .. })), "a new advert");
    assert!(place(&far).is_ok());
}

#[test]
fn a_taker_who_must_prefund_needs_the_own_leg_of_an_automatic_order() {
    // 1,000 of the base for 2,000 of the quote.
    for (side, needed) in [(Side::Sell, 2_000), (Side::Buy, 1_000)] {
        let with = |automatic, units| Scene { prefunding: Some(amount(units)), ..scene(side, automatic, false) };
        let shortfall = Refusal::PrefundingShort { needed: shown(needed), shortfall: shown(1) };
        assert_eq!(place(&with(true, needed - 1)), Err(shortfall), "{side:?}");
        assert!(place(&with(true, needed)).is_ok());
        assert!(place(&with(false, 0)).is_ok(), "a manual order");
        let mut flagged = with(true, needed);
        flagged.user.forbidden.push(RiskFlag::Withdrawal);
        assert_eq!(place(&flagged), Err(Refusal::Risk(RiskFlag::Withdrawal)));
    }
}

#[test]
fn the_seller_is_paid_at_the_sellers_receiving_address() {
    let sell = place(&scene(Side::Sell, false, false)).unwrap();
    assert_eq!(sell.payment, Payment::Transfer(user(2).receiving.unwrap()));
    assert_eq!((sell.buyer_bound, sell.seller_bound), (Address([101; 20]), Address([102; 20])));
    let buy = place(&scene(Side::Buy, false, false)).unwrap();
    assert_eq!(buy.payment, Payment::Transfer(user(1).receiving.unwrap()));
    assert_eq!((buy.buyer_bound, buy.seller_bound), (Address([102; 20]), Address([101; 20])));
    for (side, seller) in [(Side::Sell, 202), (Side::Buy, 201)] {
        let automatic = place(&scene(side, true, false)).unwrap();
        let to = Address([seller; 20]);
        assert_eq!(automatic.payment, Payment::Automatic { to, chain_type: "HOME".to_owned() });
    }
    let mut away = scene(Side::Buy, false, false);
    away.user.receiving.as_mut().unwrap().chain_type = "AWAY".to_owned();
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
fn narrower_limits_of_a_pair_apply_to_existing_adverts() {
    let mut scene = scene(Side::Sell, false, false);
    let pair = scene.pair.as_mut().unwrap();
    (pair.min_total, pair.max_total) = (amount(2_001), amount(10_000));
    assert_eq!(place(&scene), Err(limits(2_001, 10_000)));
}

#[test]
fn a_hold_ends_exactly_at_its_end_time() {
    let mut scene = scene(Side::Sell, false, false);
    scene.user.held_until = Some(now());
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
