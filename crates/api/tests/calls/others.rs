//! Adverts, orders, appeals, files and coins of other users behave as if they did not exist and cannot be changed.

use domain::ids::PaymentMethodId;
use serde_json::{Value, json};

use crate::conforming::DOCUMENT;
use crate::samples::png;
use crate::stage::{Caller, SECURITY, Stage, text};

const ADVERT_MISSING: &str = "5000";
const ORDER_MISSING: &str = "5007";
const APPEAL_MISSING: &str = "5001";
const RECORD_MISSING: &str = "1016";

/// What belongs to the parties of an order, by the beginning of the path, and how calls about it are refused to others.
const OF_PARTIES: &[(&str, u16, &str)] = &[
    ("/c2c/deal/order/", 404, ORDER_MISSING),
    ("/user/fiat/talk/", 404, ORDER_MISSING),
    ("/c2c/appeal/", 404, APPEAL_MISSING),
    ("/file/", 403, "403"),
];

/// Calls with other IDs. They are tested below, with the accounts and with the market.
const OF_OTHERS: &[&str] = &[
    "/c2c/advert/",
    "/balance/record/",
    "/balance/extract/",
    "/nft/",
    "/payment/method/",
    "/user/info/",
    "/user/trader/",
    "/user/isBind/",
    "/user/session/",
    "/scan/",
];

/// The order of others, its appeal, and a link to a file of the appeal.
struct Theirs {
    order: String,
    version: Value,
    appeal: String,
    link: String,
}

/// Returns a body that the call of a party would accept.
async fn body_of(stage: &Stage, who: &Caller, operation: &Value, version: &Value, own: &Value) -> Value {
    let schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
    match schema.trim_start_matches("#/components/schemas/") {
        "" | "DepositBody" => json!({}),
        "VersionedCommand" => json!({ "version": version }),
        "AuthorizedCommand" | "CancelBody" => {
            json!({ "version": version, "securityCode": stage.seal(who, SECURITY).await })
        }
        "MarkPaidBody" => json!({ "version": version, "reference": "R-1" }),
        "EvidenceBody" => json!({ "version": version, "pictures": [own["id"]] }),
        "MessageBody" => json!({ "text": "Hello" }),
        "FeedbackBody" => json!({ "positive": true }),
        other => panic!("{other}: which body would be accepted?"),
    }
}

/// Makes every call of the API document that takes the ID of an order, a conversation, an appeal or a file, as a stranger.
async fn tries_everything(stage: &Stage, stranger: &Caller, theirs: &Theirs, own: &Value) -> usize {
    let mut tried = 0;
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let takes_id = parameters.into_iter().any(|one| one["name"] == "id");
            if path.starts_with("/console/") || !takes_id || OF_OTHERS.iter().any(|start| path.starts_with(start)) {
                continue;
            }
            if operation["security"].is_null() {
                continue;
            }
            let found = OF_PARTIES.iter().find(|(start, ..)| path.starts_with(start));
            let (start, status, code) = found.unwrap_or_else(|| panic!("{method} {path}: whose ID is it?"));
            let id = if *start == "/c2c/appeal/" { &theirs.appeal } else { &theirs.order };
            let asked = match *start {
                "/file/" => theirs.link.clone(),
                _ if path.contains("{id}") => path.replace("{id}", id),
                _ => format!("{path}?id={id}"),
            };
            let got = if method == "get" {
                stage.get(stranger, &asked).await
            } else {
                let body = body_of(stage, stranger, operation, &theirs.version, own).await;
                stage.post(stranger, &asked, &body).await
            };
            assert_eq!((got.status, got.body["code"].as_str()), (*status, Some(*code)), "{method} {path}");
            assert_eq!(got.body["data"], Value::Null, "{method} {path}");
            tried += 1;
        }
    }
    tried
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
    let (stage, order, appeal) = Box::pin(Stage::appealed()).await;
    stage.protects(&stage.carl).await;
    stage.post(&stage.anna, &format!("/user/fiat/talk/{order}"), &json!({ "text": "Thanks" })).await.ok();
    let own = stage.uploads_picture(&stage.carl, &png()).await;
    let link = text(&appeal["evidence"][0]["file"]["url"]).trim_start_matches("/api").to_owned();
    assert_eq!(stage.get(&stage.anna, &link).await.status, 200);
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let theirs = Theirs { order: order.clone(), version, appeal: text(&appeal["id"]), link };
    let before = stage.print().await;
    let tried = tries_everything(&stage, &stage.carl, &theirs, &own).await;
    assert!(tried >= 19, "{tried}");
    assert_eq!(stage.print().await, before);
    assert_eq!(stage.get(&stage.carl, "/user/fiat/talk/talkList").await.ok()["records"], json!([]));
    assert_eq!(stage.get(&stage.carl, "/user/fiat/talk/unread").await.ok(), json!({ "unread": 0 }));
    let nothing = json!({ "openOrders": 0, "changedOrders": 0, "unread": 0 });
    assert_eq!(stage.get(&stage.carl, "/user/fiat/talk/readBubble").await.ok(), nothing);
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
        assert_eq!(stage.advert(who, &advert).await, Value::Null);
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
