//! The audit log.

use serde_json::Value;

use crate::desk::Desk;

fn actions(page: &Value) -> Vec<&str> {
    page["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_database_refuses_to_change_the_log() {
    let desk = Desk::open().await;
    let before = desk.log_length().await;
    for statement in [
        "delete from audit_log",
        "truncate audit_log",
        "truncate officers cascade",
        "update audit_log set reason = 'other'",
        "update audit_log set officer = 'other' where id = 1",
        "insert into audit_log (officer, action, subject_kind, reason, at) values ('x', 'Bad Action', 'user', 'x', '2026-01-01')",
        "insert into audit_log (officer, action, subject_kind, reason, at) values ('', 'act', 'user', 'x', '2026-01-01')",
        "insert into audit_log (officer, action, subject_kind, reason, at) values ('x', 'act', 'user', '', '2026-01-01')",
    ] {
        assert!(!desk.market.session().await.runs(statement).await, "{statement}");
    }
    assert_eq!(desk.log_length().await, before);
}

#[tokio::test]
async fn the_log_is_read_in_pages_and_with_filters() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    for _ in 0..5 {
        desk.get(&desk.admin, &format!("/console/users/{}", user.id)).await.ok();
    }
    let user_log = format!("/console/audit?subjectKind=user&subjectId={}&size=2", user.id);
    let first = desk.get(&desk.admin, &user_log).await.ok();
    let second = desk.get(&desk.admin, &format!("{user_log}&before={}", first["next"])).await.ok();
    let third = desk.get(&desk.admin, &format!("{user_log}&before={}", second["next"])).await.ok();
    assert_eq!([&first, &second, &third].map(|page| actions(page).len()), [2, 2, 1]);
    assert_eq!(third["next"], Value::Null);
    let ids: Vec<_> = [&first, &second, &third]
        .iter()
        .flat_map(|page| page["entries"].as_array().unwrap())
        .map(|entry| entry["id"].as_i64().unwrap())
        .collect();
    assert!(ids.windows(2).all(|pair| pair[0] > pair[1]), "{ids:?}");

    let decisions = desk.get(&desk.admin, "/console/audit?decisions=true").await.ok();
    assert_eq!(actions(&decisions), ["create_officer"]);
    assert_eq!(decisions["entries"][0]["officer"], "root");
    assert_eq!(decisions["entries"][0]["officerId"], Value::Null);
    let ada = desk.get(&desk.admin, &format!("/console/audit?officer={}&action=enroll", desk.admin.id)).await.ok();
    assert_eq!(actions(&ada), ["enroll"]);
    let later = desk.get(&desk.admin, "/console/audit?from=2030-01-01T00:00:00Z").await.ok();
    assert_eq!(actions(&later), Vec::<&str>::new());
    let earlier = desk.get(&desk.admin, "/console/audit?until=2020-01-01T00:00:00Z").await.ok();
    assert_eq!((actions(&earlier), &earlier["next"]), (Vec::new(), &Value::Null));
    // Reading the log is recorded too.
    assert_eq!(actions(&desk.get(&desk.admin, "/console/audit?size=1").await.ok()), ["view_audit_log"]);
    for (query, field) in
        [("size=0", "size"), ("size=101", "size"), ("subjectId=x", "subjectKind"), ("before=x", "before")]
    {
        assert_eq!(desk.get(&desk.admin, &format!("/console/audit?{query}")).await.refused(400, "400")["field"], field);
    }
}
