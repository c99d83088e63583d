//! An officer changes the settings of a pair while users trade.

use app::console::{PairDecision, PairSet, pair_history};
use chrono::Duration;
use domain::assets::Pair;
use domain::orders::Order;
use domain::refusal::{Refusal, Shown};
use testkit::market::officers::set_pair;
use testkit::market::{Market, krw, mec, minutes};

use crate::Stage;

async fn present(market: &Market) -> (Pair, Vec<String>) {
    let (pair, acts) = pair_history(&market.context, "MEC", "KRW").await.unwrap().unwrap();
    let line = |act: app::console::PairAct| {
        format!("{}: {} -> {} ({}: {})", act.setting, act.before, act.after, act.officer, act.reason)
    };
    (pair, acts.into_iter().map(line).collect())
}

async fn decided(market: &Market, before: &Pair, change: impl Fn(&mut Pair)) -> app::Result<PairSet> {
    let mut after = before.clone();
    change(&mut after);
    let (officer, reason) = ("olga".to_owned(), "the season".to_owned());
    set_pair(&market.context, &PairDecision { before: before.clone(), after, officer: officer.into(), reason }).await
}

/// Places an order for 1 MEC. Returns it with its payment window and its confirmation window.
async fn ordered(stage: &Stage) -> (Order, [Duration; 2]) {
    let buyer = stage.market.trader().await;
    let order = buyer.orders(stage.advert, "1").await.unwrap();
    let order = stage.market.order(order).await;
    let windows = [order.terms.windows.payment, order.terms.windows.confirmation];
    (order, windows)
}

#[tokio::test]
async fn new_settings_apply_to_new_adverts_and_orders_and_are_recorded() {
    let stage = Stage::set().await;
    let market = &stage.market;
    let (placed, windows) = ordered(&stage).await;
    assert_eq!((placed.terms.fee, windows), (mec("0.001"), [minutes(16), minutes(15)]));

    let (before, none) = present(market).await;
    assert!(none.is_empty());
    let change = |pair: &mut Pair| {
        (pair.fee_rate_ppm, pair.min_total, pair.windows.payment) = (2_500, krw("500"), minutes(45));
    };
    assert_eq!(decided(market, &before, change).await.unwrap(), PairSet::Done);
    let (after, acts) = present(market).await;
    assert_eq!(
        acts,
        [
            "fee_rate: 0.001 -> 0.0025 (olga: the season)",
            "order_minimum: 100 -> 500 (olga: the season)",
            "payment_window: 16 -> 45 (olga: the season)",
        ]
    );
    assert_eq!(decided(market, &after, change).await.unwrap(), PairSet::Already);
    assert_eq!(present(market).await, (after, acts));

    // The existing order keeps its terms. A new order has the new fee, but the windows of its advert.
    assert_eq!(market.order(placed.id).await.terms, placed.terms);
    let (order, windows) = ordered(&stage).await;
    assert_eq!((order.terms.fee, windows), (mec("0.0025"), [minutes(16), minutes(15)]));

    let trader = market.trader().await;
    let shown = |text| Shown { amount: krw(text), decimals: 0 };
    let refused = Refusal::AmountOutOfLimits { min: shown("500"), max: shown("1000000000") };
    assert_eq!(trader.posts(trader.mec_for_krw("10", "1000")).await, Err(refused.clone()));
    assert_eq!(trader.orders(stage.advert, "0.4").await, Err(refused));
    let mut offer = trader.mec_for_krw("10", "1000");
    offer.0.min_total = krw("500");
    let advert = trader.posts(offer).await.unwrap();
    assert_eq!(market.advert(advert).await.terms.windows.payment, minutes(45));
}

#[tokio::test]
async fn settings_on_which_nobody_could_trade_and_outdated_decisions_change_nothing() {
    let market = Market::open().await;
    let (before, _) = present(&market).await;
    let bad: [fn(&mut Pair); 9] = [
        |pair| pair.fee_rate_ppm = 1_000_000,
        |pair| pair.min_total = krw("0"),
        |pair| pair.min_total = krw("1000000001"),
        |pair| pair.price_band_ppm = 0,
        |pair| pair.price_band_ppm = 1_000_001,
        |pair| pair.price_decimals = 9,
        |pair| pair.windows.payment = minutes(121),
        |pair| pair.windows.grace = minutes(0),
        |pair| pair.windows.acceptance = minutes(7 * 24 * 60 + 1),
    ];
    for (index, change) in bad.into_iter().enumerate() {
        let refused = decided(&market, &before, change).await.unwrap();
        assert!(matches!(refused, PairSet::Invalid(_)), "{index}: {refused:?}");
    }
    let nameless = PairDecision {
        after: Pair { fee_rate_ppm: 5, ..before.clone() },
        before: before.clone(),
        officer: "".into(),
        reason: "none".to_owned(),
    };
    set_pair(&market.context, &nameless).await.unwrap_err();
    assert_eq!(present(&market).await, (before.clone(), Vec::new()));

    assert_eq!(decided(&market, &before, |pair| pair.fee_rate_ppm = 0).await.unwrap(), PairSet::Done);
    let late = decided(&market, &before, |pair| pair.fee_rate_ppm = 9).await.unwrap();
    assert_eq!(late, PairSet::Outdated);
    assert_eq!(present(&market).await.1, ["fee_rate: 0.001 -> 0 (olga: the season)"]);
    assert_eq!(pair_history(&market.context, "MEC", "XXX").await.unwrap(), None);
}

#[tokio::test]
async fn the_record_cannot_be_changed() {
    let market = Market::open().await;
    for statement in ["delete from audit_log", "truncate audit_log", "update audit_log set reason = 'other'"] {
        assert!(!market.session().await.runs(statement).await, "{statement}");
    }
}
