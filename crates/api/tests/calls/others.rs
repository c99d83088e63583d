//! Somebody else's adverts, orders and coins are answered as if they were not there, and nothing happens to them.

use domain::ids::PaymentMethodId;
use serde_json::{Value, json};

use crate::stage::{Caller, SECURITY, Stage};

const ADVERT_MISSING: &str = "5000";
const ORDER_MISSING: &str = "5007";
const RECORD_MISSING: &str = "1016";

/// Each thing that can be asked of an order, with a body that would do.
async fn asked_of(stage: &Stage, who: &Caller, order: &str, version: &Value) -> Vec<(String, Value)> {
    let seen = json!({ "version": version });
    let guarded = json!({ "version": version, "securityCode": stage.seal(who, SECURITY).await });
    let paid = json!({ "version": version, "reference": "R-1" });
    [
        ("take", seen.clone()),
        ("cancel", guarded.clone()),
        ("pay", paid),
        ("confirm", guarded),
        ("recover", seen.clone()),
        ("askCancel", seen.clone()),
        ("agreeCancel", seen),
        ("deposit", json!({})),
        ("deposit", json!({ "fromBalance": "1" })),
    ]
    .map(|(what, body)| (format!("/c2c/deal/order/{what}/{order}"), body))
    .into()
}

/// Each thing that can be asked of an advert, with a body that would do.
fn asked_of_advert(advert: &str, version: &Value) -> [(String, Value); 5] {
    let seen = json!({ "version": version });
    [
        ("cancel", seen.clone()),
        ("deposit", json!({})),
        ("deposit", json!({ "fromBalance": "1" })),
        ("switch", json!({ "version": version, "online": false })),
        ("delete", seen),
    ]
    .map(|(what, body)| (format!("/c2c/advert/{what}/{advert}"), body))
}

#[tokio::test]
async fn an_order_is_there_for_its_two_people_only() {
    let (stage, _, order) = Stage::paid().await;
    stage.protects(&stage.carl).await;
    let version = stage.order(&stage.ben, &order).await["version"].clone();
    let before = stage.print().await;
    for (path, body) in asked_of(&stage, &stage.carl, &order, &version).await {
        let data = stage.post(&stage.carl, &path, &body).await.refused(404, ORDER_MISSING);
        assert_eq!(data, Value::Null, "{path}");
    }
    let read = format!("/c2c/deal/order/updateRead?id={order}");
    assert_eq!(stage.post(&stage.carl, &read, &json!({})).await.refused(404, ORDER_MISSING), Value::Null);
    let one = stage.get(&stage.carl, &format!("/c2c/deal/order/{order}")).await;
    assert_eq!(one.refused(404, ORDER_MISSING), Value::Null);
    for finish in ["", "?finish=false", "?finish=true"] {
        let page = stage.get(&stage.carl, &format!("/c2c/deal/order/page{finish}")).await.ok();
        assert_eq!((&page["records"], &page["total"]), (&json!([]), &json!(0)));
    }
    assert_eq!(stage.print().await, before);
}

#[tokio::test]
async fn an_advert_is_its_owners_alone() {
    let (stage, advert, _) = Stage::accepted().await;
    let version = stage.advert(&stage.anna, &advert).await["version"].clone();
    let before = stage.print().await;
    // Who has ordered from it is a stranger to it as much as who has not.
    for who in [&stage.ben, &stage.carl] {
        for (path, body) in asked_of_advert(&advert, &version) {
            let data = stage.post(who, &path, &body).await.refused(404, ADVERT_MISSING);
            assert_eq!(data, Value::Null, "{path}");
        }
        let one = stage.get(who, &format!("/c2c/advert/{advert}")).await;
        assert_eq!(one.refused(404, ADVERT_MISSING), Value::Null);
        let page = stage.get(who, "/c2c/advert/pageByUser").await.ok();
        assert_eq!((&page["records"], &page["total"]), (&json!([]), &json!(0)));
    }
    assert_eq!(stage.print().await, before);
}

#[tokio::test]
async fn coins_and_switches_are_ones_own() {
    let (stage, advert, _) = Stage::accepted().await;
    stage.protects(&stage.carl).await;
    let records = stage.get(&stage.anna, "/balance/detail").await.ok();
    assert_eq!(records["total"], 1);
    let record = format!("/balance/record/{}", records["records"][0]["id"].as_str().unwrap());
    let before = stage.print().await;
    stage.get(&stage.carl, &record).await.refused(404, RECORD_MISSING);
    assert_eq!(stage.get(&stage.carl, "/balance/detail").await.ok()["records"], json!([]));
    let balance = stage.get(&stage.carl, "/balance").await.ok();
    for line in balance["lines"].as_array().unwrap() {
        for part in ["temporary", "inAdverts", "inOrders", "inFlight", "confirming"] {
            assert_eq!(line[part], "0", "{line}");
        }
    }
    let body = json!({ "asset": "MEC", "securityCode": stage.seal(&stage.carl, SECURITY).await });
    stage.post(&stage.carl, "/balance/extract", &body).await.refused(409, "AC3001");
    assert_eq!(stage.print().await, before);
    // One's own switch takes nobody else's adverts along.
    stage.post(&stage.carl, "/c2c/advert/online?online=false", &json!({})).await.ok();
    assert_eq!(stage.get(&stage.carl, "/c2c/advert/online").await.ok(), json!({ "online": false }));
    assert_eq!(stage.get(&stage.anna, "/c2c/advert/online").await.ok(), json!({ "online": true }));
    assert_eq!(stage.advert(&stage.anna, &advert).await["state"], "ONLINE");
}

#[tokio::test]
async fn nobody_trades_through_somebody_elses_payment_method() {
    let (stage, advert) = Stage::selling().await;
    let before = stage.print().await;
    let nobodys = PaymentMethodId(uuid::Uuid::nil());
    for id in [stage.anna.trader.account, nobodys] {
        let mut body = stage.mec_for_krw();
        body["paymentMethodIds"] = json!([id]);
        stage.post(&stage.carl, "/c2c/advert/create", &body).await.refused(404, "5025");
    }
    for id in [stage.ben.trader.account, stage.carl.trader.account, nobodys] {
        let body = json!({ "advertId": advert, "price": "1000", "quantity": "4", "paymentMethodId": id });
        stage.post(&stage.ben, "/c2c/deal/order", &body).await.refused(404, "5025");
    }
    assert_eq!(stage.print().await, before);
}
