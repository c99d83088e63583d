//! What waits for officers: counts, due times, and the next case.

use chrono::{DateTime, Duration, Utc};
use domain::console::Role;
use serde_json::{Value, json};

use crate::cases::Cases;
use crate::desk::Person;

async fn waiting(cases: &Cases, who: &Person) -> Value {
    cases.desk.get(who, "/console/waiting").await.ok()
}

/// Returns the ID of the case on which an officer should work next.
async fn next(cases: &Cases, who: &Person, query: &str) -> Value {
    cases.desk.get(who, &format!("/console/appeals/next{query}")).await.ok()["appeal"]["id"].clone()
}

#[tokio::test]
async fn each_role_sees_how_much_waits_for_it() {
    let cases = Cases::open().await;
    let appeals = |open: i64, mine: i64, decided: i64| {
        let appeals = json!({ "open": open, "mine": mine, "decided": decided });
        json!({ "appeals": appeals, "certifications": null, "nicknames": null, "payouts": null })
    };
    assert_eq!(waiting(&cases, &cases.olga).await, appeals(0, 0, 0));
    let case = cases.appealed("10", 1).await;
    cases.appealed("20", 2).await;
    cases.joins(&cases.olga, &case).await;
    assert_eq!(waiting(&cases, &cases.olga).await, appeals(2, 1, 0));
    assert_eq!(waiting(&cases, &cases.carl).await, appeals(2, 0, 0));
    cases.decides(&cases.olga, &case, "SELLER").await.ok();
    assert_eq!(waiting(&cases, &cases.olga).await, appeals(1, 0, 1));

    let admin = &cases.desk.admin;
    assert_eq!(
        waiting(&cases, admin).await,
        json!({ "appeals": null, "certifications": 0, "nicknames": 0, "payouts": 0 })
    );
    let name = json!({ "nickname": "Brambly" });
    cases.desk.as_user(&cases.anna, ("POST", "/user/updateInfo"), &name).await.ok();
    cases.desk.market.sql("insert into payout_stops (asset_id, because, at) select id, 'a test', now() from assets where code = 'MEC'").await;
    assert_eq!(
        waiting(&cases, admin).await,
        json!({ "appeals": null, "certifications": 0, "nicknames": 1, "payouts": 1 })
    );
}

#[tokio::test]
async fn an_appeal_is_due_until_it_has_a_verdict() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    let row = cases.summary(&cases.olga, &case).await;
    let time = |value: &Value| value.as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    assert_eq!(time(&row["dueAt"]), time(&row["filedAt"]) + Duration::hours(24));
    let rules = cases.desk.get(&cases.olga, "/console/me").await.ok()["appealRules"].clone();
    let wanted = json!({
        "customerService": { "amount": "500", "unit": "USDT" },
        "oneOfficer": { "amount": "10000", "unit": "USDT" },
        "decideWithinHours": 24,
    });
    assert_eq!(rules, wanted);
    assert_eq!(cases.desk.get(&cases.desk.admin, "/console/me").await.ok()["appealRules"], Value::Null);
    cases.joins(&cases.olga, &case).await;
    cases.decides(&cases.olga, &case, "SELLER").await.ok();
    assert_eq!(cases.summary(&cases.olga, &case).await["dueAt"], Value::Null);
}

#[tokio::test]
async fn the_next_case_is_the_oldest_that_the_officer_can_decide() {
    let cases = Cases::open().await;
    assert_eq!(next(&cases, &cases.olga, "").await, Value::Null);
    let large = cases.appealed("5000.0001", 1).await;
    cases.desk.advance(Duration::minutes(1)).await;
    let old = cases.appealed("10", 2).await;
    cases.desk.advance(Duration::minutes(1)).await;
    let young = cases.appealed("20", 3).await;
    // Customer service does not decide about large orders.
    assert_eq!(next(&cases, &cases.carl, "").await, json!(old.id));
    assert_eq!(next(&cases, &cases.olga, "").await, json!(large.id));
    assert_eq!(next(&cases, &cases.olga, &format!("?omit={}", large.id)).await, json!(old.id));
    // The officer's own cases come first, and nobody is sent to the case of others.
    cases.joins(&cases.olga, &young).await;
    assert_eq!(next(&cases, &cases.olga, "").await, json!(young.id));
    cases.joins(&cases.otto, &old).await;
    assert_eq!(next(&cases, &cases.carl, "").await, Value::Null);
    cases.decides(&cases.olga, &young, "SELLER").await.ok();
    assert_eq!(next(&cases, &cases.olga, "").await, json!(large.id));
    // After a proposal, another officer has to decide.
    cases.joins(&cases.olga, &large).await;
    cases.decides(&cases.olga, &large, "SELLER").await.ok();
    assert_eq!(next(&cases, &cases.olga, "").await, Value::Null);
    cases.joins(&cases.otto, &large).await;
    assert_eq!(next(&cases, &cases.otto, "").await, json!(large.id));

    let ida = cases.desk.officer("ida", Role::Administrator).await;
    cases.desk.get(&ida, "/console/appeals/next").await.refused(403, "403");
    let refused = cases.desk.get(&cases.olga, "/console/appeals/next?omit=x").await.refused(400, "400");
    assert_eq!(refused["field"], "omit");
}
