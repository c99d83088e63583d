//! What advertisers require of takers.

use serde_json::json;
use testkit::market::mec;

use crate::stage::{Stage, order_of, text};

#[tokio::test]
async fn who_does_not_meet_the_requirements_is_told_and_cannot_order() {
    let mut stage = Stage::empty().await;
    let post = async |stage: &Stage, required: serde_json::Value| {
        let mut body = stage.mec_for_krw();
        body["takerRequirements"] = required;
        stage.post(&stage.anna, "/c2c/advert/create", &body).await
    };
    for (required, field) in [
        (json!({ "completedOrders": 0 }), "takerRequirements.completedOrders"),
        (json!({ "completedOrders": 1001 }), "takerRequirements.completedOrders"),
        (json!({ "region": "XX" }), "takerRequirements.region"),
    ] {
        let refused = post(&stage, required.clone()).await.refused(400, "400");
        assert_eq!(refused["field"], field, "{required}");
    }
    post(&stage, json!({ "nickname": "Ben" })).await.refused(400, "400");

    let required = json!({ "completedOrders": 5, "advancedVerification": true, "region": "KR" });
    let advert = text(&post(&stage, required.clone()).await.ok()["id"]);
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    let ben = stage.ben.trader.id();
    stage.market.sql(&format!("update users set kyc_level = 'basic' where id = '{ben}'")).await;

    let unmet = json!(["COMPLETED_ORDERS", "ADVANCED_VERIFICATION"]);
    let shown = stage.get(&stage.ben, &format!("/c2c/advert/{advert}")).await.ok();
    assert_eq!((&shown["unmet"], &shown["takerRequirements"]), (&unmet, &required));
    let before = stage.market.count("select count(*) from orders").await;
    let refused = stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.refused(409, "5069");
    assert_eq!((&refused["unmet"], &refused["completedOrders"]), (&unmet, &json!(5)));
    assert_eq!(stage.market.count("select count(*) from orders").await, before);

    let trade = json!({ "side": "SELL", "base": "MEC", "quote": "KRW", "amount": "4000", "advertId": advert });
    let matched = stage.post(&stage.ben, "/c2c/advert/match", &trade).await.ok();
    let [found] = &matched["adverts"].as_array().unwrap()[..] else { panic!("{matched}") };
    assert_eq!((&found["advert"]["id"], &found["misfits"]), (&json!(advert), &json!(["TAKER_REQUIREMENTS"])));

    stage.market.sql(&format!("update users set kyc_level = 'advanced' where id = '{ben}'")).await;
    let refused = stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.refused(409, "5069");
    assert_eq!(refused["unmet"], json!(["COMPLETED_ORDERS"]));
}
