//! The checks of an advert that is posted.

use super::*;

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
    faults.push((|s| s.user.kyc = KycLevel::Basic, Refusal::AdvancedKycMissing));
    faults.extend(account_faults());
    faults.extend::<Vec<Fault>>(vec![
        (|s| s.user.reputation = 59, Refusal::ReputationTooLow { reputation: 59, needed: 60 }),
        (|s| s.user.certified = false, Refusal::NotCertified),
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
        (
            |s| s.advert_request.options.remark = Some("x".repeat(101)),
            Refusal::Invalid { field: "remark", reason: "too long" },
        ),
        (
            |s| s.advert_request.options.remark = Some("Telegram".to_owned()),
            Refusal::Unspeakable { field: "remark", reason: "forbidden words" },
        ),
        (
            |s| s.advert_request.options.remark = Some("a@b.com".to_owned()),
            Refusal::Unspeakable { field: "remark", reason: "contact information" },
        ),
        (|s| s.funding_request_open = true, Refusal::FundingRequestOpen),
        (|s| s.count = MAX_ADVERTS, Refusal::AdvertLimit { limit: 20 }),
    ]);
    each_is_first(scene(Side::Sell, false, true), post, faults);
}

#[test]
fn an_advert_for_a_coin_needs_an_address_of_an_accepted_chain_type() {
    let mut sell = scene(Side::Sell, false, false);
    assert_eq!(post(&sell).unwrap().receiving, sell.user.receiving);
    sell.user.receiving.as_mut().unwrap().chain_type = "AWAY".to_owned();
    assert!(post(&sell).is_ok());
    sell.advert_request.automatic = true;
    assert_eq!(post(&sell), Err(Refusal::ReceivingAddressUnfit), "automatic payments are made on the escrow chain");
    sell.advert_request.side = Side::Buy;
    assert_eq!(post(&sell).unwrap().receiving, None, "buyers are not paid");
    sell.user.receiving.as_mut().unwrap().chain_type = "ELSEWHERE".to_owned();
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
    scene.user.certified = false;
    scene.user.kyc = KycLevel::Basic;
    let terms = post(&scene).unwrap();
    assert_eq!(terms.methods, []);
    scene.user.bound = None;
    assert_eq!(post(&scene), Err(IdentityRefusal::NotBound.into()), "returns need a bound address");
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
    scene.user.reputation = 60;
    assert!(post(&scene).is_ok());
}

#[test]
fn a_payment_method_that_is_named_twice_is_used_once() {
    let mut scene = scene(Side::Sell, false, true);
    scene.advert_request.methods = vec![method(80, "WALLET").id, method(81, "CASH").id, method(80, "WALLET").id];
    assert_eq!(post(&scene).unwrap().methods, [method(80, "WALLET"), method(81, "CASH")]);
}
