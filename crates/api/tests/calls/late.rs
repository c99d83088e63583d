//! Both users see the same clock of an order: whether a step is overdue, and when the order is cancelled because of it.

use domain::orders::OrderCommand;
use serde_json::{Value, json};
use testkit::market::{mec, minutes, usdt};

use crate::stage::{Stage, text};

/// Returns `overdue`, `covered`, and whether there is a `graceUntil`. Asserts that both users see the same values.
async fn clock(stage: &Stage, order: &str) -> (bool, bool, bool) {
    let clock = |seen: &Value| {
        (seen["overdue"].as_bool().unwrap(), seen["covered"].as_bool().unwrap(), !seen["graceUntil"].is_null())
    };
    let (hers, his) = (stage.order(&stage.anna, order).await, stage.order(&stage.ben, order).await);
    assert_eq!(clock(&hers), clock(&his));
    clock(&his)
}

async fn minutes_later(stage: &Stage, count: i64) {
    stage.market.waits(minutes(count)).await;
    stage.market.clock_strikes().await;
}

/// Sets up Ben's order of 4 MEC at 2.5 USDT from Anna's automatic advert.
async fn automatic() -> (Stage, String) {
    let mut stage = Stage::empty().await;
    let advert = stage.anna.trader.posts(stage.anna.trader.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    let order = stage.ben.trader.orders(advert, "4").await.unwrap().to_string();
    (stage, order)
}

#[tokio::test]
async fn an_overdue_payment_has_a_grace_period() {
    let (stage, _, order) = Stage::accepted().await;
    assert_eq!(clock(&stage, &order).await, (false, false, false));
    minutes_later(&stage, 16).await;
    assert_eq!(clock(&stage, &order).await, (true, false, true));
}

#[tokio::test]
async fn an_overdue_confirmation_has_no_grace_period() {
    let (stage, _, order) = Stage::paid().await;
    minutes_later(&stage, 24 * 60).await;
    assert_eq!(clock(&stage, &order).await, (true, false, false));
    assert_eq!(stage.order(&stage.ben, &order).await["state"], "AWAITING_CONFIRMATION");
    stage.anna.trader.confirms(order.parse().unwrap()).await.unwrap();
}

#[tokio::test]
async fn an_unconfirmed_payment_meets_the_deadline() {
    let (mut stage, order) = automatic().await;
    stage.chain.shows(&stage.ben.trader, stage.market.usdt, usdt("9")).await;
    assert_eq!(clock(&stage, &order).await, (false, false, false), "only part of it");
    stage.chain.shows(&stage.ben.trader, stage.market.usdt, usdt("1")).await;
    assert_eq!(clock(&stage, &order).await, (false, true, false));
    minutes_later(&stage, 24 * 60).await;
    assert_eq!(clock(&stage, &order).await, (false, true, false));
    assert_eq!(stage.order(&stage.ben, &order).await["deposit"]["shortfall"], "0");
}

#[tokio::test]
async fn a_late_payment_that_arrives_is_no_longer_overdue() {
    let (mut stage, order) = automatic().await;
    minutes_later(&stage, 16).await;
    assert_eq!(clock(&stage, &order).await, (true, false, true));
    stage.chain.shows(&stage.ben.trader, stage.market.usdt, usdt("10")).await;
    assert_eq!(clock(&stage, &order).await, (false, true, false));
}

#[tokio::test]
async fn an_action_shows_whether_it_uses_a_free_cancellation() {
    let (stage, _, order) = Stage::accepted().await;
    let offer = async |who, name: &str| {
        let seen = stage.order(who, &order).await;
        let offer = seen["actions"].as_array().unwrap().iter().find(|one| one["action"] == name).unwrap().clone();
        (offer["reputationCost"].clone(), offer["usesFree"].clone())
    };
    assert_eq!(offer(&stage.ben, "cancel").await, (json!(0), json!(true)));
    assert_eq!(offer(&stage.ben, "pay").await, (json!(0), json!(false)));
    assert_eq!(offer(&stage.anna, "askCancel").await, (json!(0), json!(true)));
    stage
        .ben
        .trader
        .does(
            order.parse().unwrap(),
            OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts: Vec::new() },
        )
        .await
        .unwrap();
    minutes_later(&stage, 15).await;
    assert_eq!(offer(&stage.ben, "cancel").await, (json!(0), json!(false)), "the seller is late");
    assert_eq!(text(&stage.order(&stage.ben, &order).await["state"]), "AWAITING_CONFIRMATION");
}

#[tokio::test]
async fn a_cancellation_costs_no_more_than_the_user_saw() {
    let (stage, advert, order) = Stage::accepted().await;
    let shown = stage.order(&stage.ben, &order).await;
    let path = format!("/c2c/deal/order/cancel/{order}");
    let body = json!({ "version": shown["version"], "reputationCost": 0 });
    // Meanwhile, on another device, the user cancels three other orders, which uses up the free cancellations.
    for _ in 0..3 {
        let another = stage.ben.trader.orders(advert.parse().unwrap(), "1").await.unwrap();
        stage.ben.trader.cancels(another).await.unwrap();
    }
    let refusal = stage.post(&stage.ben, &path, &body).await.refused(409, "5053");
    assert_eq!(refusal, json!({ "points": "20" }));
    let unchanged = stage.order(&stage.ben, &order).await;
    assert_eq!((&unchanged["state"], &unchanged["version"]), (&shown["state"], &shown["version"]));
    assert_eq!(stage.ben.trader.reputation().await, 100);

    let body = json!({ "version": shown["version"], "reputationCost": 20 });
    let after = stage.post(&stage.ben, &path, &body).await.ok();
    assert_eq!(after["state"], "CANCELLED");
    assert_eq!(stage.ben.trader.reputation().await, 80);
}
