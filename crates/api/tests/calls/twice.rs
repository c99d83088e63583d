//! A command that is sent twice runs once. A command with an old version is refused, and the refusal contains the
//! current state.

use app::commands::{Actor, Command, CommandKind, execute};
use app::engine::idempotency::IdempotencyKey;
use domain::orders::{OrderCommand, Proofs};
use serde_json::{Value, json};
use testkit::market::{mec, minutes};

use crate::stage::{Caller, SECURITY, Stage, order_of, text};

/// Sends a command twice with the same key: the second response equals the first, and nothing changes. The same key
/// with another request is refused, and nothing changes either.
async fn twice(stage: &Stage, who: &Caller, path: &str, body: &Value, other: (&str, &Value)) -> Value {
    let key = "the-same-key-".to_owned() + path.split(['/', '?']).nth(4).unwrap_or("x");
    let before = stage.print().await;
    let first = stage.post_as(&key, who, path, body).await.ok();
    let after = stage.print().await;
    assert_ne!(before, after, "{path} changed nothing");
    let second = stage.post_as(&key, who, path, body).await.ok();
    assert_eq!(first, second, "{path}");
    stage.post_as(&key, who, other.0, other.1).await.refused(409, "409");
    assert_eq!(stage.print().await, after, "{path} changed data again");
    first
}

fn seen(version: &Value) -> Value {
    json!({ "version": version })
}

#[tokio::test]
async fn a_manual_order_takes_each_step_once() {
    let mut stage = Stage::empty().await;
    stage.protects(&stage.anna).await;
    let (body, mut other) = (stage.mec_for_krw(), stage.mec_for_krw());
    other["price"] = json!("1001");
    let advert = twice(&stage, &stage.anna, "/c2c/advert/create", &body, ("/c2c/advert/create", &other)).await;
    let advert = text(&advert["id"]);
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;

    let off = ("/c2c/advert/online?online=true", &json!({}));
    twice(&stage, &stage.anna, "/c2c/advert/online?online=false", &json!({}), off).await;
    let on = ("/c2c/advert/online?online=false", &json!({}));
    assert_eq!(stage.post_as("on-again-1", &stage.anna, off.0, on.1).await.ok(), json!({ "online": true }));

    let (body, mut other) = (order_of(&advert), order_of(&advert));
    other["quantity"] = json!("5");
    let order = twice(&stage, &stage.ben, "/c2c/deal/order", &body, ("/c2c/deal/order", &other)).await;
    let (id, version) = (text(&order["id"]), &order["version"]);
    let at = |what: &str| format!("/c2c/deal/order/{what}/{id}");

    let order = twice(&stage, &stage.anna, &at("take"), &seen(version), (&at("recover"), &seen(version))).await;
    let paid = json!({ "version": order["version"], "reference": "R-1" });
    let other = json!({ "version": order["version"], "reference": "R-2" });
    let order = twice(&stage, &stage.ben, &at("pay"), &paid, (&at("pay"), &other)).await;
    let version = &order["version"];
    let code = stage.seal(&stage.anna, SECURITY).await;
    let confirm = json!({ "version": version, "securityCode": code });
    let order = twice(&stage, &stage.anna, &at("confirm"), &confirm, (&at("take"), &seen(version))).await;
    assert_eq!(order["state"], "RELEASING");
    assert_eq!(stage.market.count("select count(*) from payouts").await, 1);

    stage.chain.settles().await;
    let read = format!("/c2c/deal/order/updateRead?id={id}");
    for _ in 0..2 {
        assert_eq!(stage.post_as("read-it-once", &stage.ben, &read, &json!({})).await.ok(), Value::Null);
    }
    let version = stage.advert(&stage.anna, &advert).await["version"].clone();
    let cancel = format!("/c2c/advert/cancel/{advert}");
    let delete = format!("/c2c/advert/delete/{advert}");
    twice(&stage, &stage.anna, &cancel, &seen(&version), (&delete, &seen(&version))).await;
    stage.chain.settles().await;
    assert_eq!(stage.advert(&stage.anna, &advert).await["state"], "CANCELLED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn reencrypting_a_password_does_not_change_the_command() {
    let (mut stage, _, order) = Stage::paid().await;
    stage.protects(&stage.anna).await;
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let confirm = format!("/c2c/deal/order/confirm/{order}");
    let release = async |stage: &Stage| {
        let code = stage.seal(&stage.anna, SECURITY).await;
        let body = json!({ "version": version, "securityCode": code });
        stage.post_as("no-answer-came", &stage.anna, &confirm, &body).await.ok()
    };
    let first = release(&stage).await;
    assert_eq!(release(&stage).await, first);
    assert_eq!(stage.market.count("select count(*) from payouts").await, 1);
    stage.chain.settles().await;

    stage.chain.brings(&stage.ben.trader, stage.market.mec, mec("3")).await;
    stage.protects(&stage.ben).await;
    let withdraw = async |stage: &Stage| {
        let body = json!({ "asset": "MEC", "securityCode": stage.seal(&stage.ben, SECURITY).await });
        stage.post_as("no-answer-either", &stage.ben, "/balance/extract", &body).await.ok()
    };
    let first = withdraw(&stage).await;
    assert_eq!(withdraw(&stage).await, first);
    assert_eq!(stage.market.count("select count(*) from withdrawals").await, 1);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_release_that_left_the_chain_is_sped_up_once() {
    let (mut stage, _, order) = Stage::paid().await;
    stage.anna.trader.confirms(order.parse().unwrap()).await.unwrap();
    stage.chain.settles().await;
    let count = usize::try_from(testkit::market::CONFIRMATIONS).unwrap() + 1;
    stage.chain.reorganises(count, vec![testkit::market::Contents::default(); count + 1]).await;
    let shown = stage.order(&stage.ben, &order).await;
    assert_eq!(shown["state"], "RELEASE_REVOKED");
    let path = format!("/c2c/deal/order/recover/{order}");
    let take = format!("/c2c/deal/order/take/{order}");
    let body = seen(&shown["version"]);
    let after = twice(&stage, &stage.ben, &path, &body, (&take, &body)).await;
    assert_eq!(after["state"], "RELEASING");
    assert_eq!(stage.market.count("select count(*) from payouts").await, 1);
}

#[tokio::test]
async fn a_cancellation_is_charged_once() {
    let (stage, _, order) = Stage::paid().await;
    stage.protects(&stage.ben).await;
    let version = stage.order(&stage.ben, &order).await["version"].clone();
    let path = format!("/c2c/deal/order/cancel/{order}");
    let body = json!({ "version": version, "securityCode": stage.seal(&stage.ben, SECURITY).await });
    let recover = format!("/c2c/deal/order/recover/{order}");
    let after = twice(&stage, &stage.ben, &path, &body, (&recover, &seen(&version))).await;
    assert_eq!((&after["state"], &after["endReason"]), (&json!("CANCELLED"), &json!("WITHDRAWN")));
    let times = stage.get(&stage.ben, "/c2c/deal/order/cancel/times").await.ok();
    assert_eq!(times, json!({ "freeLeft": 2, "freePerDay": 3, "deduct": 20, "nextCost": 0, "reputation": 100 }));
}

#[tokio::test]
async fn a_rejection_counts_as_one_cancellation_of_the_advertiser() {
    let (stage, advert) = Stage::selling().await;
    let order = stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
    let path = format!("/c2c/deal/order/cancel/{}", text(&order["id"]));
    let take = path.replace("cancel", "take");
    let body = seen(&order["version"]);
    let after = twice(&stage, &stage.anna, &path, &body, (&take, &body)).await;
    assert_eq!(after["state"], "REJECTED");
}

#[tokio::test]
async fn a_withdrawal_is_paid_once() {
    let mut stage = Stage::empty().await;
    stage.protects(&stage.anna).await;
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("3")).await;
    let code = stage.seal(&stage.anna, SECURITY).await;
    let body = json!({ "asset": "MEC", "securityCode": code });
    let other = json!({ "asset": "USDT", "securityCode": stage.seal(&stage.anna, SECURITY).await });
    let first = twice(&stage, &stage.anna, "/balance/extract", &body, ("/balance/extract", &other)).await;
    assert_eq!(stage.market.count("select count(*) from payouts").await, 1);
    let record = stage.get(&stage.anna, &format!("/balance/record/{}", text(&first["id"]))).await.ok();
    assert_eq!(
        (&record["type"], &record["state"], &record["amount"]),
        (&json!("WITHDRAWAL"), &json!("REQUESTED"), &json!("2.999"))
    );
}

#[tokio::test]
async fn a_stale_order_version_is_refused_with_the_current_order() {
    let (stage, _, order) = Stage::paid().await;
    stage.protects(&stage.anna).await;
    stage.protects(&stage.ben).await;
    let version = stage.order(&stage.ben, &order).await["version"].as_i64().unwrap() - 1;
    let guarded = async |who| json!({ "version": version, "securityCode": stage.seal(who, SECURITY).await });
    let before = stage.print().await;
    for (who, what, body) in [
        (&stage.anna, "take", seen(&json!(version))),
        (&stage.anna, "confirm", guarded(&stage.anna).await),
        (&stage.anna, "askCancel", seen(&json!(version))),
        (&stage.ben, "cancel", guarded(&stage.ben).await),
        (&stage.ben, "pay", json!({ "version": version, "reference": "another" })),
        (&stage.ben, "recover", seen(&json!(version))),
        (&stage.ben, "agreeCancel", seen(&json!(version))),
    ] {
        let present = stage.post(who, &format!("/c2c/deal/order/{what}/{order}"), &body).await.refused(409, "5050");
        assert_eq!(present, stage.order(who, &order).await, "{what}");
    }
    assert_eq!(stage.print().await, before);
}

#[tokio::test]
async fn a_stale_advert_version_is_refused_with_the_current_advert() {
    let (stage, advert) = Stage::selling().await;
    let before = stage.print().await;
    for (what, body) in [
        ("cancel", json!({ "version": 1 })),
        ("switch", json!({ "version": 1, "online": false })),
        ("delete", json!({ "version": 1 })),
    ] {
        let present =
            stage.post(&stage.anna, &format!("/c2c/advert/{what}/{advert}"), &body).await.refused(409, "5050");
        assert_eq!(present, stage.advert(&stage.anna, &advert).await, "{what}");
    }
    assert_eq!(stage.print().await, before);
}

#[tokio::test]
async fn a_stale_command_after_a_deadline_returns_the_cancelled_order() {
    let (stage, advert) = Stage::selling().await;
    let order = stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
    stage.market.waits(minutes(6)).await;
    stage.market.clock_strikes().await;
    let path = format!("/c2c/deal/order/take/{}", text(&order["id"]));
    let present = stage.post(&stage.anna, &path, &seen(&order["version"])).await.refused(409, "5050");
    assert_eq!((&present["state"], &present["endReason"]), (&json!("CANCELLED"), &json!("ACCEPTANCE_OVERDUE")));
}

#[tokio::test]
async fn twenty_concurrent_commands_with_one_key_place_one_order() {
    let (stage, advert) = Stage::selling().await;
    let body = order_of(&advert);
    let send = || stage.post_as("all-at-once", &stage.ben, "/c2c/deal/order", &body);
    let answers = futures::future::join_all((0..20).map(|_| send())).await;
    let ids: std::collections::BTreeSet<_> = answers.into_iter().map(|got| text(&got.ok()["id"])).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(stage.market.count("select count(*) from orders").await, 1);
}

#[tokio::test]
async fn idempotency_keys_are_separate_for_each_user() {
    let (stage, advert) = Stage::selling().await;
    let body = order_of(&advert);
    let first = stage.post_as("everybodys-key", &stage.ben, "/c2c/deal/order", &body).await.ok();
    let second = stage.post_as("everybodys-key", &stage.carl, "/c2c/deal/order", &body).await.ok();
    assert_ne!(first["id"], second["id"]);
    // The use case itself, not only the API, refuses the old version.
    let id = text(&first["id"]).parse().unwrap();
    let actor = Actor::User { user: stage.carl.trader.id(), key: IdempotencyKey::derived(&["another-key"]) };
    let what = CommandKind::order(id, 1, OrderCommand::Accept, Proofs::NONE);
    let reply = execute(&stage.market.context, &[Command { actor, what }]).await.pop().unwrap();
    let refused = matches!(reply, Err(app::Error::Refused(domain::refusal::Refusal::OrderMissing)));
    assert!(refused, "{reply:?}");
}

#[tokio::test]
async fn a_rejection_may_say_why_and_a_cancellation_says_who() {
    let (stage, advert) = Stage::selling().await;
    let placed = async || stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
    let cancel = |order: &Value| format!("/c2c/deal/order/cancel/{}", text(&order["id"]));
    let order = placed().await;
    let body = json!({ "version": order["version"], "reason": "My bank is closed today." });
    // Only the advertiser rejects.
    stage.post(&stage.ben, &cancel(&order), &body).await.refused(400, "400");
    let shown = stage.post(&stage.anna, &cancel(&order), &body).await.ok();
    assert_eq!((&shown["state"], &shown["rejection"]), (&json!("REJECTED"), &body["reason"]));
    let seen_by_ben = stage.order(&stage.ben, &text(&order["id"])).await;
    assert_eq!((&seen_by_ben["rejection"], &seen_by_ben["cancelledBy"]), (&body["reason"], &Value::Null));
    // Another reason is not the same command.
    let other = json!({ "version": order["version"], "reason": "Another one." });
    stage.post(&stage.anna, &cancel(&order), &other).await.refused(409, "5050");
    let order = placed().await;
    stage.post(&stage.ben, &cancel(&order), &seen(&order["version"])).await.ok();
    let seen_by_anna = stage.order(&stage.anna, &text(&order["id"])).await;
    assert_eq!((&seen_by_anna["endReason"], &seen_by_anna["cancelledBy"]), (&json!("WITHDRAWN"), &json!("BUYER")));
}
