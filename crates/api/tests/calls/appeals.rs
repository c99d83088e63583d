//! Appeals: filing with evidence, who sees it, withdrawal, verdicts, and every code of the group.

use app::appeals::{AppealRuling, Rules, Ruling, decide};
use chrono::Duration;
use domain::console::Role;
use domain::trade::Party;
use serde_json::{Value, json};
use testkit::market::Contents;

use crate::samples::{jpeg, mp4, png};
use crate::stage::{Caller, Got, Stage, text};

impl Stage {
    /// A paid order about which the seller has filed an appeal with a picture.
    pub(crate) async fn appealed() -> (Self, String, Value) {
        let (stage, _, order) = Box::pin(Self::paid()).await;
        let picture = stage.uploads_picture(&stage.anna, &jpeg()).await;
        let seen = stage.appeals(&stage.anna, &order, &[&picture["id"]]).await.ok();
        (stage, order, seen["appeal"].clone())
    }

    async fn appeals(&self, who: &Caller, order: &str, pictures: &[&Value]) -> Got {
        let version = self.order(&self.anna, order).await["version"].clone();
        let body = json!({
            "orderId": order, "version": version, "reason": "PAYMENT_NOT_RECEIVED",
            "specificReason": "Nothing has arrived.", "pictures": pictures,
        });
        self.post(who, "/c2c/appeal", &body).await
    }

    async fn withdraws(&self, who: &Caller, order: &str, appeal: &Value) -> Got {
        let version = self.order(&self.anna, order).await["version"].clone();
        self.post(who, &format!("/c2c/appeal/{}", text(&appeal["id"])), &json!({ "version": version })).await
    }

    async fn adds_evidence(&self, who: &Caller, order: &str, appeal: &Value, evidence: Value) -> Got {
        let mut body = evidence;
        body["version"] = self.order(&self.anna, order).await["version"].clone();
        self.post(who, &format!("/c2c/appeal/evidence/{}", text(&appeal["id"])), &body).await
    }

    /// Two officers decide the appeal about an order.
    pub(crate) async fn decides(&self, order: &str, ruling: Ruling) {
        for name in ["olga", "otto"] {
            let officer = self.market.officer(name, Role::AppealOfficer).await;
            let decision =
                AppealRuling { order: order.parse().unwrap(), ruling, officer, note: "The bank says so.".to_owned() };
            decide(&self.market.context, &Rules::default(), &decision).await.unwrap();
        }
    }
}

#[tokio::test]
async fn an_appeal_locks_the_order_and_both_parties_see_its_evidence() {
    let (stage, order, appeal) = Box::pin(Stage::appealed()).await;
    assert_eq!((&appeal["status"], &appeal["filedBy"]), (&json!("PENDING"), &json!("SELLER")));
    for who in [&stage.anna, &stage.ben] {
        let seen = stage.order(who, &order).await;
        assert_eq!((&seen["overlay"], &seen["myTurn"]), (&json!("UNDER_APPEAL"), &json!(false)));
        let file = &seen["appeal"]["evidence"][0]["file"];
        assert_eq!(stage.opens_as(who, file["url"].as_str().unwrap()).await.status, 200);
        assert_eq!(stage.opens_as(&stage.carl, file["url"].as_str().unwrap()).await.status, 403);
        let case = stage.get(who, &format!("/c2c/appeal/{}", text(&appeal["id"]))).await.ok();
        assert_eq!((&case["orderId"], &case["appeal"]["evidence"][0]["by"]), (&json!(order), &json!("SELLER")));
        let page = stage.get(who, "/c2c/appeal/page").await.ok();
        assert_eq!((&page["total"], &page["records"][0]["appeal"]["id"]), (&json!(1), &appeal["id"]));
    }
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let body = json!({ "version": version });
    stage.post(&stage.ben, &format!("/c2c/deal/order/take/{order}"), &body).await.refused(409, "5033");
    stage.appeals(&stage.ben, &order, &[]).await.refused(409, "5033");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn strangers_learn_nothing_about_an_appeal() {
    let (stage, order, appeal) = Box::pin(Stage::appealed()).await;
    let id = text(&appeal["id"]);
    stage.get(&stage.carl, &format!("/c2c/appeal/{id}")).await.refused(404, "5001");
    assert_eq!(stage.get(&stage.carl, "/c2c/appeal/page").await.ok()["total"], 0);
    stage.withdraws(&stage.carl, &order, &appeal).await.refused(404, "5001");
    let picture = stage.uploads_picture(&stage.carl, &png()).await;
    let evidence = json!({ "pictures": [picture["id"]] });
    stage.adds_evidence(&stage.carl, &order, &appeal, evidence).await.refused(404, "5001");
    stage.appeals(&stage.carl, &order, &[&picture["id"]]).await.refused(404, "5007");
    let unknown = json!({ "id": "01980000-0000-7000-8000-000000000000" });
    stage.withdraws(&stage.anna, &order, &unknown).await.refused(404, "5001");
}

#[tokio::test]
async fn an_appeal_that_is_too_early_or_incomplete_is_refused_and_changes_nothing() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    let own = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let video = stage.uploads(&stage.anna, "/file/uploadFile", &mp4(1_000)).await.ok();
    let before = stage.print().await;
    stage.appeals(&stage.ben, &order, &[&own["id"]]).await.refused(409, "5016");
    let data = stage.appeals(&stage.anna, &order, &[]).await.refused(400, "400");
    assert_eq!((&data["field"], &data["reason"]), (&json!("pictures"), &json!("required")));
    let data = stage.appeals(&stage.anna, &order, &[&own["id"]]).await.refused(400, "400");
    assert_eq!((&data["field"], &data["reason"]), (&json!("pictures"), &json!("no such file")), "of the buyer");
    let data = stage.appeals(&stage.anna, &order, &[&video["id"]]).await.refused(400, "400");
    assert_eq!(data["reason"], "not a picture");
    let seen = stage.order(&stage.anna, &order).await;
    let body = json!({ "orderId": order, "version": seen["version"], "reason": "OTHER", "pictures": [own["id"]] });
    let data = stage.post(&stage.anna, "/c2c/appeal", &body).await.refused(400, "400");
    assert_eq!(data["field"], "specificReason");
    assert_eq!(stage.print().await, before);
    assert_eq!(seen["appeal"], Value::Null);
    assert!(seen["appealReasons"].as_array().unwrap().contains(&json!("PAYMENT_NOT_RECEIVED")));
}

#[tokio::test]
async fn both_sides_add_evidence_until_the_verdict_is_executed() {
    let (stage, order, appeal) = Box::pin(Stage::appealed()).await;
    let picture = stage.uploads_picture(&stage.ben, &png()).await;
    let video = stage.uploads(&stage.ben, "/file/uploadFile", &mp4(1_000)).await.ok();
    let evidence = json!({ "pictures": [picture["id"]], "videos": [video["id"]] });
    let seen = stage.adds_evidence(&stage.ben, &order, &appeal, evidence.clone()).await.ok();
    let by: Vec<_> = seen["appeal"]["evidence"].as_array().unwrap().iter().map(|one| text(&one["by"])).collect();
    assert_eq!(by, ["SELLER", "BUYER", "BUYER"]);
    let again = stage.uploads(&stage.ben, "/file/uploadFile", &mp4(1_000)).await.ok();
    let data =
        stage.adds_evidence(&stage.ben, &order, &appeal, json!({ "videos": [again["id"]] })).await.refused(400, "400");
    assert_eq!((&data["field"], &data["reason"]), (&json!("videos"), &json!("too many")));
    stage.decides(&order, Ruling::Verdict { winner: Party::Seller, malicious: false }).await;
    let seen = stage.order(&stage.ben, &order).await;
    assert_eq!((&seen["appeal"]["winner"], &seen["appeal"]["outcome"]), (&json!("SELLER"), &json!("CANCEL")));
    assert_eq!(seen["appeal"]["reviewNote"], "The bank says so.");
    assert_eq!(seen["appeal"]["initiatorWins"], true);
    let late = stage.uploads_picture(&stage.ben, &jpeg()).await;
    stage.adds_evidence(&stage.ben, &order, &appeal, json!({ "pictures": [late["id"]] })).await.ok();
    stage.withdraws(&stage.anna, &order, &appeal).await.refused(409, "5002");
    stage.market.waits(Rules::default().verdict_delay).await;
    stage.market.clock_strikes().await;
    let seen = stage.order(&stage.ben, &order).await;
    assert_eq!((&seen["state"], &seen["appeal"]["status"]), (&json!("CANCELLED"), &json!("EXECUTED")));
    assert_eq!((&seen["overlay"], seen["appeal"]["evidence"].as_array().unwrap().len()), (&Value::Null, 4));
    let more = stage.uploads_picture(&stage.ben, &png()).await;
    stage.adds_evidence(&stage.ben, &order, &appeal, json!({ "pictures": [more["id"]] })).await.refused(409, "5002");
    assert_eq!((stage.anna.trader.reputation().await, stage.ben.trader.reputation().await), (100, 80));
}

#[tokio::test]
async fn the_first_appeal_can_be_withdrawn_by_either_side_and_a_later_one_by_its_author() {
    let (stage, order, first) = Box::pin(Stage::appealed()).await;
    let seen = stage.withdraws(&stage.ben, &order, &first).await.ok();
    assert_eq!((&seen["overlay"], &seen["appeal"]["withdrawnBy"]), (&Value::Null, &json!("BUYER")));
    stage.withdraws(&stage.ben, &order, &first).await.ok();
    stage.withdraws(&stage.anna, &order, &first).await.refused(409, "5002");
    let picture = stage.uploads_picture(&stage.anna, &png()).await;
    let second = stage.appeals(&stage.anna, &order, &[&picture["id"]]).await.ok()["appeal"].clone();
    assert_eq!(second["number"], 2);
    assert_eq!((&second["id"], &second["filedAt"]), (&first["id"], &first["filedAt"]), "the same appeal continues");
    stage.withdraws(&stage.ben, &order, &second).await.refused(409, "5016");
    stage.withdraws(&stage.anna, &order, &second).await.ok();
    // Filing again needs no new evidence, but each party withdraws only once.
    let third = stage.appeals(&stage.anna, &order, &[]).await.ok()["appeal"].clone();
    assert_eq!((&third["id"], &third["number"]), (&first["id"], &json!(3)));
    for party in [&stage.anna, &stage.ben] {
        stage.withdraws(party, &order, &third).await.refused(409, "5016");
    }
    assert_eq!(stage.get(&stage.ben, "/c2c/appeal/page").await.ok()["total"], 1);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn an_appeal_about_a_frozen_order_has_to_wait_for_a_day() {
    let (mut stage, _, order) = Box::pin(Stage::accepted()).await;
    stage.chain.reorganises(3, vec![Contents::default(); 4]).await;
    let picture = stage.uploads_picture(&stage.anna, &jpeg()).await;
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let body = json!({ "orderId": order, "version": version, "reason": "DEPOSIT_LOST", "pictures": [picture["id"]] });
    stage.post(&stage.anna, "/c2c/appeal", &body).await.refused(409, "5034");
    stage.market.waits(Duration::hours(24)).await;
    assert_eq!(stage.post(&stage.anna, "/c2c/appeal", &body).await.ok()["appeal"]["reason"], "DEPOSIT_LOST");
}

#[tokio::test]
async fn an_appeal_is_filed_once_however_often_it_is_sent() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    let picture = stage.uploads_picture(&stage.anna, &jpeg()).await;
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let body = json!({
        "orderId": order, "version": version, "reason": "FRAUD", "pictures": [picture["id"]],
    });
    let sent = async |key: &str| stage.post_as(key, &stage.anna, "/c2c/appeal", &body).await.ok();
    let (one, two, three) = tokio::join!(sent("first-key"), sent("first-key"), sent("second-key"));
    assert_eq!((&one["appeal"]["id"], &one["appeal"]["id"]), (&two["appeal"]["id"], &three["appeal"]["id"]));
    assert_eq!(stage.market.count("select count(*) from appeals").await, 1);
    assert_eq!(stage.market.count("select count(*) from files where attached_at is not null").await, 1);
    // Other evidence with the old version is not taken for the same command, which would drop it.
    let other = stage.uploads_picture(&stage.anna, &png()).await;
    let body = json!({ "orderId": order, "version": version, "reason": "FRAUD", "pictures": [other["id"]] });
    stage.post(&stage.anna, "/c2c/appeal", &body).await.refused(409, "5050");
}
