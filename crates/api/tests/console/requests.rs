//! Officers ask the parties of a case for evidence.

use chrono::Duration;
use serde_json::{Value, json};

use crate::cases::{Case, Cases};
use crate::desk::{Got, Person, User};

async fn asks(cases: &Cases, who: &Person, case: &Case, body: &Value) -> Got {
    cases.desk.post(who, &case.path("/evidence-requests"), body).await
}

fn statement(party: &str, hours: u32) -> Value {
    json!({ "party": party, "kind": "BANK_STATEMENT", "details": " Of 24 November, with your name. ", "hours": hours })
}

/// Returns what the appeal asks a party for, as the order and the appeal itself say.
async fn asked(cases: &Cases, user: &User, case: &Case) -> Value {
    let order = format!("/c2c/deal/order/{}", case.order);
    let order = cases.desk.as_user(user, ("GET", &order), &Value::Null).await.ok();
    let appeal = cases.desk.as_user(user, ("GET", &format!("/c2c/appeal/{}", case.id)), &Value::Null).await.ok();
    assert_eq!(order["appeal"]["evidenceRequests"], appeal["appeal"]["evidenceRequests"]);
    order["appeal"]["evidenceRequests"].clone()
}

/// Returns the notices and calls that a user got, newest last.
async fn told(cases: &Cases, user: &User) -> Vec<String> {
    let mut tx = cases.desk.context.store.begin().await.unwrap();
    let events = store::outbox::since(&mut tx, user.id.parse().unwrap(), 0, 500).await.unwrap();
    let name = |event: &store::outbox::StoredEvent| event.body["notice"].as_str().map(str::to_owned);
    events.iter().map(|event| name(event).unwrap_or_else(|| event.kind.clone())).collect()
}

#[tokio::test]
async fn a_party_is_asked_for_named_evidence_and_the_officer_sees_the_answer() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    asks(&cases, &cases.olga, &case, &statement("BUYER", 24)).await.refused(403, "6008");
    cases.joins(&cases.olga, &case).await;
    let before = told(&cases, &cases.anna).await;
    let seen = asks(&cases, &cases.olga, &case, &statement("BUYER", 24)).await.ok();
    let now = cases.desk.now().await;
    let request = &seen["requests"][0];
    assert_eq!((&request["party"], &request["kind"]), (&json!("BUYER"), &json!("BANK_STATEMENT")));
    assert_eq!((&request["officer"], &request["answeredAt"]), (&json!("olga"), &Value::Null));
    assert_eq!(request["dueAt"], json!(now + Duration::hours(24)));
    assert_eq!(cases.summary(&cases.otto, &case).await["evidenceDueAt"], request["dueAt"]);
    assert_eq!(cases.queue(&cases.otto, "").await[0]["evidenceDueAt"], request["dueAt"]);

    // Only the party who is asked sees it and is told, with a sound.
    let shown = asked(&cases, &cases.ben, &case).await;
    let wanted = json!([{
        "id": request["id"], "kind": "BANK_STATEMENT", "details": "Of 24 November, with your name.",
        "askedAt": now, "dueAt": now + Duration::hours(24), "answeredAt": null,
    }]);
    assert_eq!(shown, wanted);
    assert_eq!(asked(&cases, &cases.anna, &case).await, json!([]));
    let last = told(&cases, &cases.ben).await;
    assert_eq!(last[last.len() - 2..], ["EVIDENCE_REQUESTED", "OTC_VOICE"]);
    assert_eq!(told(&cases, &cases.anna).await, before);
    // The words of the officer stay with the case.
    let log = cases.desk.get(&cases.desk.admin, "/console/audit").await.ok().to_string();
    assert!(log.contains("request_evidence") && !log.contains("with your name"), "{log}");

    // The deadline passes, and nothing happens but that it has passed.
    cases.waits(Duration::hours(25)).await;
    let olga = cases.desk.signs_in(&cases.olga).await;
    assert_eq!(cases.status(&case).await, "PENDING");
    assert_eq!(cases.summary(&olga, &case).await["evidenceDueAt"], json!(now + Duration::hours(24)));
    cases.adds_evidence(&case, 2).await;
    let answered = cases.sees(&olga, &case).await;
    assert_eq!(answered["requests"][0]["answeredAt"], json!(cases.desk.now().await));
    assert_eq!(answered["summary"]["evidenceDueAt"], Value::Null);
    assert_eq!(asked(&cases, &cases.ben, &case).await[0]["answeredAt"], json!(cases.desk.now().await));
    // Once the appeal has ended, the party is asked for nothing any more.
    cases.decides(&olga, &case, "REJECT").await.ok();
    assert_eq!(asked(&cases, &cases.ben, &case).await, json!([]));
    asks(&cases, &olga, &case, &statement("BUYER", 24)).await.refused(409, "5002");
    assert_eq!(cases.sees(&olga, &case).await["requests"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_new_request_replaces_an_unanswered_one_and_an_officer_takes_one_back() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    cases.joins(&cases.carl, &case).await;
    let path = case.path("/evidence-requests");
    let ask = async |key: &str| cases.desk.post_as(key, &cases.olga, &path, &statement("BUYER", 1)).await.ok();
    let first = ask("only-one-request").await["requests"].clone();
    assert_eq!(ask("only-one-request").await["requests"], first);
    asks(&cases, &cases.olga, &case, &statement("SELLER", 2)).await.ok();
    let other = json!({ "party": "BUYER", "kind": "OTHER", "details": "A letter of your bank", "hours": 48 });
    let seen = asks(&cases, &cases.carl, &case, &other).await.ok();
    let closed = |case: &Value| -> Vec<bool> {
        case["requests"].as_array().unwrap().iter().map(|one| !one["closedAt"].is_null()).collect()
    };
    assert_eq!(closed(&seen), [true, false, false]);
    let shown = asked(&cases, &cases.ben, &case).await;
    assert_eq!((shown.as_array().unwrap().len(), &shown[0]["kind"]), (1, &json!("OTHER")));

    let close = async |request: &Value| {
        cases.desk.post(&cases.olga, &format!("{path}/close"), &json!({ "request": request["id"] })).await
    };
    close(&seen["requests"][0]).await.refused(409, "5050");
    assert_eq!(close(&json!({ "id": 999_999 })).await.refused(400, "400")["field"], "request");
    assert_eq!(closed(&close(&seen["requests"][2]).await.ok()), [true, false, true]);
    assert_eq!(asked(&cases, &cases.ben, &case).await, json!([]));
    // An answered request stays, and the next one stands beside it.
    asks(&cases, &cases.olga, &case, &statement("BUYER", 1)).await.ok();
    cases.adds_evidence(&case, 2).await;
    let seen = asks(&cases, &cases.olga, &case, &other).await.ok();
    assert_eq!(closed(&seen), [true, false, true, false, false]);
    close(&seen["requests"][3]).await.refused(409, "5050");
    assert_eq!(asked(&cases, &cases.ben, &case).await.as_array().unwrap().len(), 2);
    let change = "do $$ begin update evidence_requests set due_at = due_at + interval '1 day'; raise exception 'changed'; exception when integrity_constraint_violation then null; end $$";
    cases.desk.market.sql(change).await;
}

#[tokio::test]
async fn a_request_that_says_too_little_or_leaves_no_time_is_refused_with_its_field() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    let body = |kind: &str, details: Value, hours: i64| json!({ "party": "BUYER", "kind": kind, "details": details, "hours": hours });
    let refused = async |body: Value, code: &str, field: &str| {
        let got = asks(&cases, &cases.olga, &case, &body).await.refused(400, code);
        assert_eq!(got["field"], field, "{body}");
    };
    refused(body("OTHER", Value::Null, 24), "999", "details").await;
    refused(body("OTHER", json!("  "), 24), "999", "details").await;
    refused(body("BANK_STATEMENT", json!("x".repeat(301)), 24), "400", "details").await;
    refused(body("BANK_STATEMENT", Value::Null, 0), "400", "hours").await;
    refused(body("BANK_STATEMENT", Value::Null, 169), "400", "hours").await;
    refused(body("SELFIE", Value::Null, 24), "400", "kind").await;
    let anna = asked(&cases, &cases.anna, &case).await;
    assert_eq!((anna, cases.sees(&cases.olga, &case).await["requests"].clone()), (json!([]), json!([])));
}
