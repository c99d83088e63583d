//! Decisions about pairs and maintenance.

use chrono::Duration;
use domain::money::Price;
use serde_json::{Value, json};

use crate::desk::Desk;

async fn pair(desk: &Desk, quote: &str) -> Value {
    let listed = desk.get(&desk.admin, "/console/pairs").await.ok();
    listed.as_array().unwrap().iter().find(|one| one["base"] == "MEC" && one["quote"] == quote).unwrap().clone()
}

fn setting<'a>(pair: &'a Value, name: &str) -> &'a Value {
    &pair["settings"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()["value"]
}

fn change(pair: &Value, settings: &Value) -> Value {
    json!({"settings": settings, "version": pair["version"], "reason": "the season"})
}

/// Returns whether the product offers the pair to users.
async fn is_on(desk: &Desk, quote: &str) -> bool {
    let config = desk.call(("GET", "/c2c/coin/config"), &[], "unused-key", &Value::Null).await.ok();
    let pairs = config["pairs"].as_array().unwrap();
    let pair = pairs.iter().find(|one| one["base"] == "MEC" && one["quote"] == quote).unwrap();
    pair["on"].as_bool().unwrap()
}

#[tokio::test]
async fn a_pair_is_turned_off_and_on() {
    let desk = Desk::open().await;
    let seller = desk.user("sam").await;
    let before = pair(&desk, "KRW").await;
    let path = format!("/console/pairs/{}", before["id"]);
    let advert = json!({
        "side": "SELL", "kind": "MANUAL", "base": "MEC", "quote": "KRW", "price": "1000", "quantity": "10",
        "orderMin": "100", "orderMax": "1000000000", "paymentMethodIds": [seller.trader.account]
    });
    let off = desk.post(&desk.admin, &path, &change(&before, &json!({"trading": "off"}))).await.ok();
    assert_eq!(setting(&off, "trading"), "off");
    assert!(!is_on(&desk, "KRW").await && is_on(&desk, "USDT").await);
    desk.as_user(&seller, ("POST", "/c2c/advert/create"), &advert).await.refused(422, "5028");

    let on = desk.post(&desk.admin, &path, &change(&off, &json!({"trading": "on"}))).await.ok();
    assert_eq!(on["version"], before["version"]);
    assert!(is_on(&desk, "KRW").await);
    desk.as_user(&seller, ("POST", "/c2c/advert/create"), &advert).await.ok();
    let changes = desk.log(20).await.into_iter().filter(|line| line == "Ada set_pair pair: the season");
    assert_eq!(changes.count(), 2);
}

#[tokio::test]
async fn settings_are_checked_alone_and_together() {
    let desk = Desk::open().await;
    let before = pair(&desk, "KRW").await;
    let path = format!("/console/pairs/{}", before["id"]);
    for (settings, code, field) in [
        (json!({"fee_rate": "x"}), "400", "fee_rate"),
        (json!({"payment_window": "1.5"}), "400", "payment_window"),
        (json!({"trading": "maybe"}), "400", "trading"),
        (json!({"no_such": "1"}), "400", "no_such"),
        (json!({}), "400", "settings"),
        (json!({"fee_rate": setting(&before, "fee_rate")}), "400", "settings"),
        (json!({"payment_window": "4"}), "6007", "settings"),
        (json!({"fee_rate": "0.002", "order_minimum": "0"}), "6007", "settings"),
    ] {
        let got = desk.post(&desk.admin, &path, &change(&before, &settings)).await;
        assert_eq!((&got.body["code"], &got.body["data"]["field"]), (&json!(code), &json!(field)), "{settings}");
    }
    assert_eq!(pair(&desk, "KRW").await, before);
    let two = json!({"fee_rate": "0.002", "payment_window": "20"});
    let after = desk.post(&desk.admin, &path, &change(&before, &two)).await.ok();
    assert_eq!((setting(&after, "fee_rate"), setting(&after, "payment_window")), (&json!("0.002"), &json!("20")));
    desk.post(&desk.admin, &path, &change(&before, &json!({"fee_rate": "0.003"}))).await.refused(409, "5050");
    desk.post(&desk.admin, "/console/pairs/999", &change(&before, &two)).await.refused(404, "1016");
}

#[tokio::test]
async fn a_reference_price_is_set() {
    let desk = Desk::open().await;
    let before = pair(&desk, "KRW").await;
    let path = format!("/console/pairs/{}/reference", before["id"]);
    let set =
        |of: &Value, price: &str| json!({"price": price, "version": of["referenceVersion"], "reason": "the news"});
    for price in ["", "x", "-1", "0", "1.123456789"] {
        let refused = desk.post(&desk.admin, &path, &set(&before, price)).await.refused(400, "400");
        assert_eq!(refused["field"], "price", "{price}");
    }
    let after = desk.post(&desk.admin, &path, &set(&before, "1200")).await.ok();
    assert_eq!((&after["referencePrice"], &after["referenceSetBy"]), (&json!("1200"), &json!("Ada")));
    desk.post(&desk.admin, &path, &set(&before, "1300")).await.refused(409, "5050");
    let mut tx = desk.context.store.begin().await.unwrap();
    let references = store::market::references(&mut tx).await.unwrap();
    assert_eq!(references, [(desk.market.mec_krw, Price::parse("1200").unwrap())]);
}

#[tokio::test]
async fn maintenance_is_planned_replaced_and_ended() {
    let desk = Desk::open().await;
    let now = desk.now().await;
    let hours = |count: i64| now + Duration::hours(count);
    let seen = desk.get(&desk.admin, "/console/maintenance").await.ok();
    assert_eq!((&seen["closed"], &seen["closings"]), (&json!(false), &json!([])));
    let plan =
        |of: &Value, from, until| json!({"from": from, "until": until, "version": of["version"], "reason": "a disk"});
    let end = |of: &Value| json!({"version": of["version"], "reason": "the disk is in"});
    desk.post(&desk.admin, "/console/maintenance/end", &end(&seen)).await.refused(404, "1016");
    let backwards = desk.post(&desk.admin, "/console/maintenance", &plan(&seen, hours(2), hours(1))).await;
    assert_eq!(backwards.refused(400, "400")["field"], "until");

    let planned =
        desk.post_as("plan-once", &desk.admin, "/console/maintenance", &plan(&seen, hours(1), hours(2))).await.ok();
    assert_eq!(planned["closings"], json!([{"from": hours(1), "until": hours(2)}]));
    let again = desk.post_as("plan-once", &desk.admin, "/console/maintenance", &plan(&seen, hours(1), hours(2))).await;
    assert_eq!(again.ok(), planned);
    desk.post(&desk.admin, "/console/maintenance", &plan(&seen, hours(3), hours(4))).await.refused(409, "5050");
    let replaced = desk.post(&desk.admin, "/console/maintenance", &plan(&planned, hours(0), hours(4))).await.ok();
    assert_eq!((&replaced["closed"], replaced["closings"].as_array().unwrap().len()), (&json!(true), 1));
    let ended = desk.post(&desk.admin, "/console/maintenance/end", &end(&replaced)).await.ok();
    assert_eq!((&ended["closed"], &ended["closings"]), (&json!(false), &json!([])));
    assert_eq!(desk.log(1).await, ["Ada end_maintenance platform: the disk is in"]);
}

#[tokio::test]
async fn a_plan_that_has_taken_effect_is_not_cancelled_as_one_that_has_not() {
    let desk = Desk::open().await;
    let now = desk.now().await;
    let seen = desk.get(&desk.admin, "/console/maintenance").await.ok();
    let (from, until) = (now + Duration::minutes(1), now + Duration::hours(1));
    let plan = json!({"from": from, "until": until, "version": seen["version"], "reason": "a disk"});
    let planned = desk.post(&desk.admin, "/console/maintenance", &plan).await.ok();
    assert_eq!(planned["closed"], false);
    desk.advance(Duration::minutes(1)).await;
    let end = |of: &Value| json!({"version": of["version"], "reason": "not needed"});
    desk.post(&desk.admin, "/console/maintenance/end", &end(&planned)).await.refused(409, "5050");
    let begun = desk.get(&desk.admin, "/console/maintenance").await.ok();
    assert_eq!(begun["closed"], true);
    let opened = desk.post(&desk.admin, "/console/maintenance/end", &end(&begun)).await.ok();
    assert_eq!(opened["closed"], false);
}
