//! What officers find, and what they do not.

use chrono::Duration;
use domain::console::Role;
use serde_json::json;

use crate::cases::{Cases, text};
use crate::desk::Person;

/// Returns the IDs of the appeals that an officer finds.
async fn finds(cases: &Cases, who: &Person, query: &str) -> Vec<String> {
    let found = cases.desk.get(who, &format!("/console/appeals/search?query={query}")).await.ok();
    found.as_array().unwrap().iter().map(|row| text(&row["id"])).collect()
}

#[tokio::test]
async fn cases_are_found_by_ids_transactions_and_parties() {
    let cases = Cases::open().await;
    let order = cases.ben.trader.orders(cases.advert, "10").await.unwrap();
    cases.anna.trader.accepts(order).await.unwrap();
    let hash = format!("0x{}", "ab".repeat(32));
    cases.ben.trader.marks_paid(order).await.unwrap();
    cases
        .desk
        .market
        .sql(&format!(
            "update payment_reports set hash = '{}' where order_id = '{order}'",
            hash.trim_start_matches("0x")
        ))
        .await;
    let case = cases.appeals(order, 1).await;
    cases.desk.advance(Duration::minutes(1)).await;
    let other = cases.appealed("20", 2).await;
    let nickname = cases.ben.trader.user.nickname.clone().unwrap();
    let part = nickname[1..].to_uppercase();
    let me_id = "ME-ben".to_owned();
    // The newest first.
    let both = vec![other.id.clone(), case.id.clone()];
    for (query, wanted) in [
        (case.id.clone(), vec![case.id.clone()]),
        (order.to_string(), vec![case.id.clone()]),
        (order.to_string().to_uppercase(), vec![case.id.clone()]),
        (cases.advert.to_string(), both.clone()),
        (hash.clone(), vec![case.id.clone()]),
        (hash.trim_start_matches("0x").to_owned(), vec![case.id.clone()]),
        (me_id, both.clone()),
        (nickname.clone(), both.clone()),
        (part, both.clone()),
        (uuid::Uuid::nil().to_string(), vec![]),
        (format!("0x{}", "cd".repeat(32)), vec![]),
        ("x".to_owned(), vec![]),
        ("%25".to_owned(), vec![]),
        ("nobodyatall".to_owned(), vec![]),
    ] {
        assert_eq!(finds(&cases, &cases.carl, &query).await, wanted, "{query}");
    }
    // Open ones first.
    cases.joins(&cases.olga, &other).await;
    cases.decides(&cases.olga, &other, "REJECT").await.ok();
    assert_eq!(finds(&cases, &cases.carl, &nickname).await, [case.id.clone(), other.id.clone()]);

    let found =
        cases.desk.get(&cases.carl, &format!("/console/appeals/search?query={nickname}")).await.ok().to_string();
    for secret in [&cases.ben.id, &cases.anna.id, &nickname] {
        assert!(!found.contains(secret.as_str()), "{secret}");
    }
    for query in ["", "%20", &"x".repeat(255)] {
        let got = cases.desk.get(&cases.carl, &format!("/console/appeals/search?query={query}")).await;
        assert_eq!((got.status, &got.body["data"]["field"]), (400, &json!("query")), "{query}");
    }
}

#[tokio::test]
async fn a_user_without_a_case_is_found_by_administrators_only_and_the_log_hides_the_me_id() {
    let cases = Cases::open().await;
    cases.appealed("10", 1).await;
    let cleo = cases.desk.user("cleo").await;
    let nickname = cleo.trader.user.nickname.clone().unwrap();
    assert_eq!(finds(&cases, &cases.olga, &nickname).await, Vec::<String>::new());
    assert_eq!(finds(&cases, &cases.olga, &cleo.id).await, Vec::<String>::new());
    let me_id = "ME-cleo".to_owned();
    let ida = cases.desk.officer("ida", Role::Administrator).await;
    let users = async |query: &str| cases.desk.get(&ida, &format!("/console/users?query={query}")).await.ok();
    for query in [&nickname[1..], &nickname.to_uppercase(), &me_id] {
        let found = users(query).await;
        assert_eq!((found.as_array().unwrap().len(), &found[0]["id"]), (1, &json!(cleo.id)), "{query}");
        assert!(found[0].get("meId").is_none() && !found.to_string().contains(&me_id));
    }
    assert_eq!(users(&nickname[..1]).await, json!([]));
    // Administrators see no cases, and case officers no users.
    cases.desk.get(&ida, &format!("/console/appeals/search?query={nickname}")).await.refused(403, "403");
    cases.desk.get(&cases.olga, &format!("/console/users?query={nickname}")).await.refused(403, "403");
    finds(&cases, &cases.olga, &me_id).await;
    let log = cases.desk.get(&ida, "/console/audit").await.ok();
    let queries: Vec<_> =
        log["entries"].as_array().unwrap().iter().map(|line| line["details"]["query"].clone()).collect();
    assert!(queries.contains(&json!(format!("{}***", &me_id[..4]))), "{queries:?}");
    assert!(!queries.contains(&json!(me_id)));
}
