//! Officers share the appeals among them.

use domain::console::Role;
use serde_json::{Value, json};

use crate::cases::{Case, Cases, text};
use crate::desk::{Got, Person};

async fn assigns(cases: &Cases, who: &Person, case: &Case, before: Option<&Person>, to: Option<&Person>) -> Got {
    let id = |person: Option<&Person>| person.map(|person| person.id.clone());
    let body = json!({ "officerId": id(to), "before": id(before) });
    cases.desk.post(who, &case.path("/assignee"), &body).await
}

async fn assignee(cases: &Cases, case: &Case) -> Value {
    cases.summary(&cases.otto, case).await["assignee"]["name"].clone()
}

#[tokio::test]
async fn an_appeal_is_assigned_and_the_officer_still_has_to_join() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    assert_eq!(assignee(&cases, &case).await, Value::Null);
    let row = assigns(&cases, &cases.olga, &case, None, Some(&cases.carl)).await.ok();
    assert_eq!((&row["assignee"]["id"], &row["officers"]), (&json!(cases.carl.id), &json!([])));
    // It is in Carl's list and his next case, and in nobody else's. He has not joined it yet.
    let mine = async |who: &Person| cases.queue(who, "?view=MINE").await.len();
    assert_eq!((mine(&cases.carl).await, mine(&cases.olga).await), (1, 0));
    assert_eq!(cases.desk.get(&cases.carl, "/console/waiting").await.ok()["appeals"]["mine"], 1);
    let next = async |who: &Person| cases.desk.get(who, "/console/appeals/next").await.ok()["appeal"]["id"].clone();
    assert_eq!((next(&cases.carl).await, next(&cases.olga).await), (json!(case.id), Value::Null));
    cases.desk.get(&cases.carl, &case.path("")).await.refused(403, "6008");

    let load = cases.desk.get(&cases.otto, "/console/appeals/officers").await.ok();
    let load: Vec<_> =
        load.as_array().unwrap().iter().map(|one| format!("{} {}", text(&one["name"]), one["open"])).collect();
    assert_eq!(load, ["carl 1", "olga 0", "otto 0"]);

    // Whoever saw something else is too late; nobody and officers without appeals are no officers to assign to.
    assigns(&cases, &cases.otto, &case, None, Some(&cases.otto)).await.refused(409, "5050");
    let admin = cases.desk.admin.clone();
    for to in [&admin, &Person { id: uuid::Uuid::nil().to_string(), ..admin.clone() }] {
        let refused = assigns(&cases, &cases.otto, &case, Some(&cases.carl), Some(to)).await.refused(400, "400");
        assert_eq!(refused["field"], "officerId");
    }
    assigns(&cases, &admin, &case, Some(&cases.carl), None).await.refused(403, "403");
    cases.desk.get(&admin, "/console/appeals/officers").await.refused(403, "403");
    assigns(&cases, &cases.otto, &case, Some(&cases.carl), None).await.ok();
    assert_eq!(assignee(&cases, &case).await, Value::Null);
    let acts = cases.acts(&case).await;
    assert_eq!(acts.iter().filter(|act| act.ends_with("assign_appeal")).count(), 2);
}

#[tokio::test]
async fn who_joins_first_is_responsible_until_leaving_and_a_disabled_officer_is_not() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    cases.joins(&cases.carl, &case).await;
    assert_eq!(assignee(&cases, &case).await, "olga");
    cases.leaves(&cases.carl, &case).await;
    assert_eq!(assignee(&cases, &case).await, "olga");
    cases.leaves(&cases.olga, &case).await;
    assert_eq!(assignee(&cases, &case).await, Value::Null);

    let vera = cases.desk.officer("vera", Role::AppealOfficer).await;
    assigns(&cases, &cases.olga, &case, None, Some(&vera)).await.ok();
    cases.desk.market.sql(&format!("update officers set disabled_at = now() where id = '{}'", vera.id)).await;
    assert_eq!(assignee(&cases, &case).await, Value::Null);
    let next = cases.desk.get(&cases.carl, "/console/appeals/next").await.ok();
    assert_eq!(next["appeal"]["id"], json!(case.id));
    assigns(&cases, &cases.olga, &case, None, Some(&cases.otto)).await.ok();
    // An appeal that has ended is assigned to nobody new.
    cases.joins(&cases.olga, &case).await;
    cases.decides(&cases.olga, &case, "REJECT").await.ok();
    assigns(&cases, &cases.olga, &case, Some(&cases.otto), Some(&cases.carl)).await.refused(409, "5002");
}
