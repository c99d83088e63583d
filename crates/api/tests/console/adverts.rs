//! Administrators take bad adverts down.

use domain::console::Role;
use serde_json::{Value, json};

use crate::cases::Cases;
use crate::desk::Person;

async fn finds(cases: &Cases, who: &Person, query: &str) -> Vec<Value> {
    let found = cases.desk.get(who, &format!("/console/adverts?query={query}")).await.ok();
    found.as_array().unwrap().clone()
}

#[tokio::test]
async fn an_advert_is_taken_down_with_a_reason_that_its_owner_sees() {
    let cases = Cases::open().await;
    let (desk, admin) = (&cases.desk, &cases.desk.admin);
    let running = cases.ben.trader.orders(cases.advert, "10").await.unwrap();
    cases.anna.trader.accepts(running).await.unwrap();
    let nickname = cases.anna.trader.user.nickname.clone().unwrap();
    for query in [cases.advert.to_string(), cases.anna.id.clone(), nickname[1..].to_owned()] {
        let found = finds(&cases, admin, &query).await;
        assert_eq!(
            (found.len(), &found[0]["id"], &found[0]["removable"]),
            (1, &json!(cases.advert), &json!(true)),
            "{query}"
        );
        assert_eq!((&found[0]["ownerNickname"], &found[0]["takenDown"]), (&json!(nickname), &Value::Null));
    }
    assert!(finds(&cases, admin, &cases.ben.id).await.is_empty());
    assert!(finds(&cases, admin, "a").await.is_empty());

    let path = format!("/console/adverts/{}/takedown", cases.advert);
    let version = finds(&cases, admin, &nickname).await[0]["version"].clone();
    let body = |version: &Value, reason: &str| json!({ "version": version, "reason": reason });
    for officer in [&cases.olga, &cases.carl] {
        desk.post(officer, &path, &body(&version, "Asks to trade outside")).await.refused(403, "403");
    }
    desk.get(&cases.olga, &format!("/console/adverts?query={nickname}")).await.refused(403, "403");
    assert_eq!(desk.post(admin, &path, &body(&version, " ")).await.refused(400, "999")["field"], "reason");
    desk.post(admin, &path, &body(&json!("1"), "Asks to trade outside")).await.refused(409, "5050");
    let nowhere = format!("/console/adverts/{}/takedown", uuid::Uuid::nil());
    desk.post(admin, &nowhere, &body(&version, "Nothing there")).await.refused(404, "5000");

    let down = desk.post_as("only-once", admin, &path, &body(&version, "Asks to trade outside")).await.ok();
    assert_eq!((&down["state"], &down["removable"]), (&json!("REVOKING"), &json!(false)));
    assert_eq!(down["takenDown"]["reason"], "Asks to trade outside");
    assert_eq!(desk.post_as("only-once", admin, &path, &body(&version, "Asks to trade outside")).await.ok(), down);
    desk.post(admin, &path, &body(&down["version"], "Again")).await.refused(409, "5044");

    // Nobody can order from it, its owner cannot bring it back, and the order that runs goes on.
    assert!(cases.ben.trader.orders(cases.advert, "10").await.is_err());
    let own = format!("/c2c/advert/{}", cases.advert);
    let shown = desk.as_user(&cases.anna, ("GET", &own), &Value::Null).await.ok()["own"].take();
    assert_eq!((&shown["state"], &shown["takenDown"]["reason"]), (&json!("REVOKING"), &json!("Asks to trade outside")));
    assert_eq!(shown["actions"], json!([]));
    cases.ben.trader.marks_paid(running).await.unwrap();
    cases.anna.trader.confirms(running).await.unwrap();
    desk.market.is_sound().await;
    let line = &desk.log(30).await;
    assert!(line.contains(&"Ada take_down_advert advert: Asks to trade outside".to_owned()), "{line:?}");
}

#[tokio::test]
async fn of_a_revocation_and_a_takedown_at_once_one_happens() {
    let cases = Cases::open().await;
    let ida = cases.desk.officer("ida", Role::Administrator).await;
    let advert = finds(&cases, &ida, &cases.advert.to_string()).await.remove(0);
    let body = json!({ "version": advert["version"], "reason": "A forged remark" });
    let path = format!("/console/adverts/{}/takedown", cases.advert);
    let (one, other) =
        tokio::join!(cases.desk.post(&ida, &path, &body), cases.desk.post(&cases.desk.admin, &path, &body));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    cases.desk.market.is_sound().await;
}

/// Escrow does not leave through an advert that is taken down, either.
#[tokio::test]
async fn without_the_right_to_withdraw_the_escrow_of_an_advert_taken_down_stays_as_temporary_balance() {
    let cases = Cases::open().await;
    let (desk, admin, anna) = (&cases.desk, &cases.desk.admin, &cases.anna);
    let user = desk.get(admin, &format!("/console/users/{}", anna.id)).await.ok()["user"].clone();
    let flags = json!({ "flags": ["WITHDRAWAL"], "version": user["version"], "reason": "A stolen card" });
    desk.post(admin, &format!("/console/users/{}/flags", anna.id), &flags).await.ok();
    let legs = desk.market.count("select count(*) from payout_legs").await;
    let advert = finds(&cases, admin, &cases.advert.to_string()).await.remove(0);
    let body = json!({ "version": advert["version"], "reason": "A stolen card" });
    let down = desk.post(admin, &format!("/console/adverts/{}/takedown", cases.advert), &body).await.ok();
    assert_eq!(down["state"], "CANCELLED");
    assert_eq!(desk.market.count("select count(*) from payout_legs").await, legs);
    let balance = desk.as_user(anna, ("GET", "/balance"), &Value::Null).await.ok();
    let line = balance["lines"].as_array().unwrap().iter().find(|line| line["asset"] == "MEC").cloned().unwrap();
    assert_eq!((&line["temporary"], &line["inAdverts"]), (&advert["remaining"], &json!("0")), "{line}");
    desk.market.is_sound().await;
}
