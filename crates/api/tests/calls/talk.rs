//! The calls about conversations.

use std::sync::Arc;
use std::time::Duration;

use api::middleware::{Limits, Rate, RateLimitSettings};
use api::realtime::{Hub, HubSettings};
use gateways::KeySource;
use gateways::fakes::KeptMail;
use serde_json::{Value, json};

use crate::product;
use crate::stage::{Stage, text};

fn at(what: &str, order: &str) -> String {
    format!("/user/fiat/talk/{what}{order}")
}

fn numbers(page: &Value) -> Vec<i64> {
    page["entries"].as_array().unwrap().iter().map(|entry| entry["number"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn two_parties_talk() {
    let (stage, _, order) = Stage::accepted().await;
    let body = json!({ "text": "I have paid 4,000 KRW.\n谢谢" });
    let mut entry = stage.post(&stage.ben, &at("", &order), &body).await.ok();
    assert_eq!(text(&entry["hash"].take()).len(), 64);
    let expected = json!({
        "number": 3, "kind": "MESSAGE", "author": "BUYER", "officer": null, "text": "I have paid 4,000 KRW.\n谢谢",
        "files": [], "warnings": [], "automatic": false, "notice": null, "state": null, "version": null, "at": testkit::noon(), "hash": null,
    });
    assert_eq!(entry, expected);

    let page = stage.get(&stage.anna, &at("", &order)).await.ok();
    assert_eq!((&page["role"], &page["last"], &page["unread"]), (&json!("SELLER"), &json!(3), &json!(1)));
    assert_eq!((&page["open"], &page["closesAt"]), (&json!(true), &json!(null)));
    let marks = |party, delivered, read| json!({ "party": party, "deliveredTo": delivered, "readTo": read });
    assert_eq!(page["marks"], json!([marks("BUYER", 0, 0), marks("SELLER", 0, 0)]));
    let accepted = &page["entries"][1];
    let shown = ["kind", "author", "notice", "state", "version", "text"].map(|field| accepted[field].clone());
    assert_eq!(json!(shown), json!(["SYSTEM", "SELLER", "ORDER_ACCEPTED", "AWAITING_PAYMENT", 2, ""]));

    let seen = stage.order(&stage.anna, &order).await;
    assert_eq!((&seen["unreadMessages"], &seen["unread"]), (&json!(1), &json!(true)));
    assert_eq!(stage.get(&stage.anna, &at("unRead/", &order)).await.ok(), json!({ "unread": 1 }));
    assert_eq!(stage.get(&stage.anna, "/user/fiat/talk/unread").await.ok(), json!({ "unread": 1 }));
    let bubble = stage.get(&stage.anna, "/user/fiat/talk/readBubble").await.ok();
    assert_eq!(bubble, json!({ "openOrders": 1, "changedOrders": 1, "unread": 1 }));
    let list = stage.get(&stage.anna, "/user/fiat/talk/talkList").await.ok();
    let one = &list["records"][0];
    assert_eq!((&list["total"], &one["orderId"], &one["unread"]), (&json!(1), &json!(order), &json!(1)));
    let shown = ["role", "state", "base", "quantity"].map(|field| one[field].clone());
    assert_eq!(json!(shown), json!(["SELLER", "AWAITING_PAYMENT", "MEC", "4"]));
    assert_eq!(one["last"]["number"], 3);

    assert_eq!(stage.get(&stage.anna, &at("updateRead/", &order)).await.ok(), Value::Null);
    let page = stage.get(&stage.ben, &at("", &order)).await.ok();
    assert_eq!(page["marks"][1], marks("SELLER", 3, 0));
    assert_eq!(stage.get(&stage.anna, &at("read/", &order)).await.ok(), json!({ "readTo": 3, "unread": 0 }));
    stage.post(&stage.anna, &format!("/c2c/deal/order/updateRead?id={order}"), &json!({})).await.ok();
    let seen = stage.order(&stage.anna, &order).await;
    assert_eq!((&seen["unreadMessages"], &seen["unread"]), (&json!(0), &json!(false)));
    let page = stage.get(&stage.ben, &at("", &order)).await.ok();
    assert_eq!(page["marks"][1], marks("SELLER", 3, 3));
}

#[tokio::test]
async fn pages_are_cut_by_numbers() {
    let (stage, _, order) = Stage::accepted().await;
    for number in 3..=8 {
        stage.post(&stage.ben, &at("", &order), &json!({ "text": number.to_string() })).await.ok();
    }
    for (query, expected) in [
        ("?size=2", &[7, 8][..]),
        ("?before=7&size=2", &[5, 6]),
        ("?before=1", &[]),
        ("?after=6", &[7, 8]),
        ("?after=0&size=3", &[1, 2, 3]),
        ("?after=100", &[]),
    ] {
        let page = stage.get(&stage.anna, &(at("", &order) + query)).await.ok();
        assert_eq!((numbers(&page), &page["last"]), (expected.to_vec(), &json!(8)), "{query}");
    }
    for (query, field) in [
        ("?size=0", "size"),
        ("?size=101", "size"),
        ("?before=0", "before"),
        ("?before=x", "before"),
        ("?after=-1", "after"),
        ("?before=2&after=1", "after"),
        ("?since=2", "since"),
    ] {
        let data = stage.get(&stage.anna, &(at("", &order) + query)).await.refused(400, "400");
        assert_eq!(data["field"], field, "{query}");
    }
    let data = stage.get(&stage.anna, &(at("read/", &order) + "?upTo=0")).await.refused(400, "400");
    assert_eq!(data["field"], "upTo");
    let marked = stage.get(&stage.anna, &(at("read/", &order) + "?upTo=5")).await.ok();
    assert_eq!(marked, json!({ "readTo": 5, "unread": 3 }));
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_and_changes_nothing() {
    let (stage, _, order) = Stage::accepted().await;
    let before = stage.print().await;
    for (body, status, code, field) in [
        (json!({}), 400, "400", "text"),
        (json!({ "text": " \n" }), 400, "999", "text"),
        (json!({ "text": "x".repeat(1_001) }), 400, "400", "text"),
        (json!({ "text": "a\u{0}b" }), 400, "400", "text"),
        (json!({ "text": "a\u{202e}b" }), 400, "400", "text"),
        (json!({ "text": 1 }), 400, "400", "text"),
        (json!({ "text": "x", "kind": "OFFICER" }), 400, "400", "kind"),
        (json!({ "text": "x", "files": [uuid::Uuid::nil()] }), 400, "400", "files"),
        (json!({ "text": "x", "files": [1] }), 400, "400", "files[0]"),
        (json!({ "text": "write to me on WhatsApp" }), 422, "1030", "text"),
    ] {
        let data = stage.post(&stage.ben, &at("", &order), &body).await.refused(status, code);
        assert_eq!(data["field"], field, "{body}");
    }
    assert_eq!(stage.print().await, before);
    let late = chrono::Duration::days(8);
    stage.ben.trader.cancels(order.parse().unwrap()).await.unwrap();
    stage.market.waits(late).await;
    stage.market.sql("update sessions set expires_at = expires_at + interval '10 years'").await;
    stage.post(&stage.ben, &at("", &order), &json!({ "text": "late" })).await.refused(409, "5065");
    assert_eq!(stage.get(&stage.ben, &at("", &order)).await.ok()["open"], false);
}

#[tokio::test]
async fn a_flagged_message_is_delivered_if_its_sender_insists() {
    let (stage, _, order) = Stage::accepted().await;
    let mut body = json!({ "text": "please release first, my wechat is ben_2" });
    let data = stage.post_as("the-message", &stage.ben, &at("", &order), &body).await.refused(422, "1030");
    assert_eq!(data["warnings"], json!(["OFF_PLATFORM", "EARLY_RELEASE"]));
    body["despiteWarnings"] = json!(true);
    // The refusal was not recorded under the key.
    let entry = stage.post_as("the-message", &stage.ben, &at("", &order), &body).await.ok();
    let page = stage.get(&stage.anna, &at("", &order)).await.ok();
    assert_eq!(page["entries"][2], entry);
    assert_eq!(entry["warnings"], data["warnings"]);
}

#[tokio::test]
async fn a_user_who_sends_too_many_messages_has_to_wait() {
    let (mut stage, _, order) = Stage::accepted().await;
    let keys = KeySource::Url("https://pass.example/keys".parse().unwrap());
    let identity = product::identity(&stage.market.context, KeptMail::default(), keys, Vec::new());
    let free = RateLimitSettings::all(Rate { burst: 1_000_000, every: Duration::ZERO });
    let settings = RateLimitSettings { talk: Rate { burst: 2, every: Duration::from_secs(3) }, ..free };
    let limits = Limits::new(settings, Arc::new(|| Duration::ZERO));
    let middleware = product::middleware(&identity, limits);
    let hub = Arc::new(Hub::new(stage.market.context.clone(), HubSettings::default()));
    stage.app = api::router(product::state(&stage.market.context, identity, middleware, &hub)).0;
    for number in 0..2 {
        stage.post(&stage.ben, &at("", &order), &json!({ "text": number.to_string() })).await.ok();
    }
    let data = stage.post(&stage.ben, &at("", &order), &json!({ "text": "x" })).await.refused(429, "429");
    assert_eq!(data["retryAfter"], 3);
    stage.post(&stage.anna, &at("", &order), &json!({ "text": "another user" })).await.ok();
}
