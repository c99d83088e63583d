//! Private notes between the officers on a case.

use chrono::Duration;
use domain::order_log::Content;
use serde_json::{Value, json};

use crate::cases::{Case, Cases, text};
use crate::desk::{Got, Person};

async fn writes(cases: &Cases, who: &Person, case: &Case, note: &str) -> Got {
    cases.desk.post(who, &case.path("/notes"), &json!({ "text": note })).await
}

fn notes(case: &Value) -> Vec<String> {
    let notes = case["notes"].as_array().unwrap();
    notes.iter().map(|note| format!("{}: {}", text(&note["officer"]), text(&note["text"]))).collect()
}

#[tokio::test]
async fn the_officers_on_a_case_share_notes_that_nobody_else_sees() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    // Only officers on the case.
    writes(&cases, &cases.carl, &case, "Let me see").await.refused(403, "6008");
    cases.joins(&cases.carl, &case).await;
    cases.joins(&cases.olga, &case).await;
    let before = cases.sees(&cases.olga, &case).await;
    assert_eq!(before["notes"], json!([]));
    let written = writes(&cases, &cases.carl, &case, "  The bank called:\nno payment.  ").await.ok();
    assert_eq!(notes(&written), ["carl: The bank called:\nno payment."]);
    writes(&cases, &cases.olga, &case, "I decide tomorrow").await.ok();
    let seen = cases.sees(&cases.carl, &case).await;
    assert_eq!(notes(&seen), ["carl: The bank called:\nno payment.", "olga: I decide tomorrow"]);
    // A note changes nothing about which an officer decides.
    assert_eq!(seen["version"], before["version"]);

    // Neither the queue, nor other officers, nor the parties, nor the audit log show a note.
    cases.desk.get(&cases.otto, &case.path("")).await.refused(403, "6008");
    let queue = json!([cases.queue(&cases.otto, "").await, cases.summary(&cases.otto, &case).await]).to_string();
    let log = cases.desk.get(&cases.desk.admin, "/console/audit").await.ok().to_string();
    let mut shown = vec![queue, log.clone()];
    for party in [&cases.anna, &cases.ben] {
        for path in [format!("/c2c/deal/order/{}", case.order), format!("/user/fiat/talk/{}", case.order)] {
            shown.push(cases.desk.as_user(party, ("GET", &path), &Value::Null).await.ok().to_string());
        }
    }
    for shown in shown {
        assert!(!shown.contains("The bank called") && !shown.contains("I decide tomorrow"), "{shown}");
    }
    assert!(log.contains("write_note"));
    let mut tx = cases.desk.context.store.begin().await.unwrap();
    let entries = store::order_log::after(&mut tx, case.order, 0, 100).await.unwrap();
    assert!(entries.iter().all(|entry| !matches!(entry.content, Content::Officer { .. })));
}

#[tokio::test]
async fn a_note_is_written_once_and_stays_until_the_case_closes() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    let path = case.path("/notes");
    let body = json!({ "text": "Ask the bank" });
    let first = cases.desk.post_as("one-note", &cases.olga, &path, &body).await.ok();
    let again = cases.desk.post_as("one-note", &cases.olga, &path, &body).await.ok();
    assert_eq!(
        (notes(&first), notes(&again)),
        (vec!["olga: Ask the bank".to_owned()], vec!["olga: Ask the bank".to_owned()])
    );
    assert_eq!(cases.acts(&case).await.iter().filter(|act| *act == "olga write_note").count(), 1);
    for (text, code) in [("", "999"), (" \n ", "999"), ("a\u{7}b", "400"), (&*"x".repeat(1_001), "400")] {
        let refused = writes(&cases, &cases.olga, &case, text).await.refused(400, code);
        assert_eq!(refused["field"], "text");
    }
    // The database changes no note.
    let change = "do $$ begin update case_notes set text = 'x'; raise exception 'changed'; exception when integrity_constraint_violation then null; end $$";
    cases.desk.market.sql(change).await;

    cases.decides(&cases.olga, &case, "REJECT").await.ok();
    writes(&cases, &cases.olga, &case, "Too late").await.refused(409, "5002");
    assert_eq!(notes(&cases.sees(&cases.olga, &case).await), ["olga: Ask the bank"]);
    cases.waits(Duration::days(7)).await;
    let olga = cases.desk.signs_in(&cases.olga).await;
    cases.desk.get(&olga, &case.path("")).await.refused(403, "6008");
}
