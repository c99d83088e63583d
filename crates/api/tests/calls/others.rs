//! Adverts, orders and coins of other users behave as if they did not exist and cannot be changed.

use domain::ids::PaymentMethodId;
use serde_json::{Value, json};

use crate::stage::{Caller, SECURITY, Stage};

const ADVERT_MISSING: &str = "5000";
const ORDER_MISSING: &str = "5007";
const RECORD_MISSING: &str = "1016";

/// Returns every command on an order, with a valid body.
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

/// Returns every command on an advert, with a valid body.
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
async fn an_order_is_visible_only_to_its_two_parties() {
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
    assert_eq!(stage.print().await, before);
    stage.post(&stage.anna, &format!("/user/fiat/talk/{order}"), &json!({ "text": "Thanks" })).await.ok();
    let before = stage.print().await;
    let talk = |what: &str| format!("/user/fiat/talk/{what}{order}");
    let said = stage.post(&stage.carl, &talk(""), &json!({ "text": "Hello" })).await;
    assert_eq!(said.refused(404, ORDER_MISSING), Value::Null);
    for what in ["", "read/", "updateRead/", "unRead/"] {
        assert_eq!(stage.get(&stage.carl, &talk(what)).await.refused(404, ORDER_MISSING), Value::Null, "{what}");
    }
    assert_eq!(stage.get(&stage.carl, "/user/fiat/talk/talkList").await.ok()["records"], json!([]));
    assert_eq!(stage.get(&stage.carl, "/user/fiat/talk/unread").await.ok(), json!({ "unread": 0 }));
    let nothing = json!({ "openOrders": 0, "changedOrders": 0, "unread": 0 });
    assert_eq!(stage.get(&stage.carl, "/user/fiat/talk/readBubble").await.ok(), nothing);
    let one = stage.get(&stage.carl, &format!("/c2c/deal/order/{order}")).await;
    assert_eq!(one.refused(404, ORDER_MISSING), Value::Null);
    for finish in ["", "?finish=false", "?finish=true"] {
        let page = stage.get(&stage.carl, &format!("/c2c/deal/order/page{finish}")).await.ok();
        assert_eq!((&page["records"], &page["total"]), (&json!([]), &json!(0)));
    }
    assert_eq!(stage.print().await, before);
}

#[tokio::test]
async fn only_its_owner_can_manage_an_advert() {
    let (stage, advert, _) = Stage::accepted().await;
    let version = stage.advert(&stage.anna, &advert).await["version"].clone();
    let before = stage.print().await;
    // A taker has no more access to the advert than other users.
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
async fn balances_records_and_switches_are_separate_for_each_user() {
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
    // The user's own switch does not affect the adverts of others.
    stage.post(&stage.carl, "/c2c/advert/online?online=false", &json!({})).await.ok();
    assert_eq!(stage.get(&stage.carl, "/c2c/advert/online").await.ok(), json!({ "online": false }));
    assert_eq!(stage.get(&stage.anna, "/c2c/advert/online").await.ok(), json!({ "online": true }));
    assert_eq!(stage.advert(&stage.anna, &advert).await["state"], "ONLINE");
}

#[tokio::test]
async fn payment_methods_of_others_cannot_be_used() {
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
