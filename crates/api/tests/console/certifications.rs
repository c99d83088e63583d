//! Applications for certification: what users see of them, and what officers decide.

use chrono::Duration;
use domain::console::Role;
use serde_json::{Value, json};

use crate::desk::{Desk, User};

const UNMET: &str = "5062";
const TOO_SOON: &str = "5063";
const STALE: &str = "5050";

/// Creates a user who meets every requirement: registered a week ago, with ten completed orders.
async fn fit(desk: &Desk, name: &str) -> User {
    let user = desk.user(name).await;
    let (id, base) = (&user.id, desk.market.mec.0);
    for statement in [
        format!("update users set certified = false, created_at = created_at - interval '7 days' where id = '{id}'"),
        format!("update accounts set security_hash = '-' where user_id = '{id}'"),
        format!(
            "insert into user_days (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros)
             values ('{id}', '2025-12-30', {base}, 10, 10, 10, 0, 0)"
        ),
    ] {
        desk.market.sql(&statement).await;
    }
    user
}

async fn shown(desk: &Desk, user: &User) -> Value {
    desk.as_user(user, ("GET", "/user/certification"), &Value::Null).await.ok()
}

async fn applies(desk: &Desk, user: &User) -> Value {
    desk.as_user(user, ("POST", "/user/certification"), &json!({})).await.ok()
}

async fn pending(desk: &Desk) -> Vec<Value> {
    desk.get(&desk.admin, "/console/certifications").await.ok().as_array().unwrap().clone()
}

fn path(application: &Value) -> String {
    format!("/console/certifications/{}/decision", application["id"].as_str().unwrap())
}

fn decision(application: &Value, verdict: &str, reason: &str) -> Value {
    json!({"verdict": verdict, "version": application["version"], "reason": reason})
}

async fn events(desk: &Desk, user: &User, status: &str) -> i64 {
    let body = json!({"certification": status});
    let rows = format!(
        "select count(*) from outbox_events where user_id = '{}' and kind = 'ACCOUNT_CHANGE' and body = '{body}'",
        user.id
    );
    desk.market.count(&rows).await
}

#[tokio::test]
async fn the_server_says_what_certification_takes_and_refuses_who_does_not_have_it() {
    let desk = Desk::open().await;
    let user = fit(&desk, "una").await;
    desk.market.sql(&format!("update users set kyc_level = 'basic', reputation = 79 where id = '{}'", user.id)).await;
    let shown = shown(&desk, &user).await;
    assert_eq!(
        (&shown["certified"], &shown["mayApply"], &shown["application"]),
        (&json!(false), &json!(false), &json!(null))
    );
    let checks = shown["checks"].as_array().unwrap();
    let of = |name: &str| checks.iter().find(|check| check["requirement"] == name).unwrap().clone();
    assert_eq!(of("REPUTATION"), json!({"requirement": "REPUTATION", "met": false, "has": 79, "needed": 80}));
    assert_eq!(
        of("COMPLETED_ORDERS"),
        json!({"requirement": "COMPLETED_ORDERS", "met": true, "has": 10, "needed": 10})
    );
    let unmet: Vec<_> =
        checks.iter().filter(|check| check["met"] == false).map(|check| &check["requirement"]).collect();
    assert_eq!(unmet, ["ADVANCED_VERIFICATION", "REPUTATION"]);
    let refused = desk.as_user(&user, ("POST", "/user/certification"), &json!({})).await.refused(409, UNMET);
    assert_eq!(refused["missing"], json!(["ADVANCED_VERIFICATION", "REPUTATION"]));
    assert_eq!(pending(&desk).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_rejected_user_reads_why_and_may_apply_again_after_a_week() {
    let desk = Desk::open().await;
    let user = fit(&desk, "una").await;
    assert_eq!(shown(&desk, &user).await["mayApply"], true);
    assert_eq!(applies(&desk, &user).await["application"]["status"], "PENDING");
    assert_eq!(applies(&desk, &user).await["application"]["status"], "PENDING");
    let waiting = pending(&desk).await;
    assert_eq!((waiting.len(), &waiting[0]["user"]["id"]), (1, &json!(user.id)), "one application");
    assert_eq!(desk.get(&desk.admin, "/console/waiting").await.ok()["certifications"], 1);

    let body = decision(&waiting[0], "REJECT", "Your account is used by two people.");
    let key = desk.key();
    desk.post_as(&key, &desk.admin, &path(&waiting[0]), &body).await.ok();
    desk.post_as(&key, &desk.admin, &path(&waiting[0]), &body).await.ok();
    desk.post(&desk.admin, &path(&waiting[0]), &body).await.refused(409, STALE);
    assert_eq!(desk.log(1).await, ["Ada reject_certification user: Your account is used by two people."]);
    assert_eq!(events(&desk, &user, "REJECTED").await, 1);
    let seen = shown(&desk, &user).await;
    assert_eq!(
        (&seen["application"]["status"], &seen["application"]["reason"], &seen["mayApply"]),
        (&json!("REJECTED"), &json!("Your account is used by two people."), &json!(false))
    );
    let refused = desk.as_user(&user, ("POST", "/user/certification"), &json!({})).await.refused(409, TOO_SOON);
    assert_eq!(refused["from"].as_str().unwrap().get(..10), seen["applyFrom"].as_str().unwrap().get(..10));
    assert_eq!(pending(&desk).await, Vec::<Value>::new());

    let longer = "update sessions set expires_at = expires_at + interval '7 days'";
    desk.market.sql(longer).await;
    desk.advance(Duration::days(7)).await;
    assert_eq!(applies(&desk, &user).await["application"]["status"], "PENDING");
    let rows = format!("select count(*) from certification_applications where user_id = '{}'", user.id);
    assert_eq!(desk.market.count(&rows).await, 2);
}

#[tokio::test]
async fn an_approved_user_is_certified_and_nobody_approves_who_no_longer_meets_everything() {
    let desk = Desk::open().await;
    let user = fit(&desk, "una").await;
    applies(&desk, &user).await;
    let before = pending(&desk).await.remove(0);
    // Meanwhile, another administrator restricts the user.
    desk.market.sql(&format!("update users set sell_forbidden = true where id = '{}'", user.id)).await;
    desk.post(&desk.admin, &path(&before), &decision(&before, "APPROVE", "ok")).await.refused(409, STALE);
    let now = pending(&desk).await.remove(0);
    let refused = desk.post(&desk.admin, &path(&now), &decision(&now, "APPROVE", "ok")).await.refused(409, UNMET);
    assert_eq!(refused["missing"], json!(["NO_RESTRICTION"]));
    assert_eq!(shown(&desk, &user).await["certified"], false);

    desk.market.sql(&format!("update users set sell_forbidden = false where id = '{}'", user.id)).await;
    let now = pending(&desk).await.remove(0);
    desk.post(&desk.admin, &path(&now), &decision(&now, "APPROVE", "Known since 2024.")).await.ok();
    let seen = shown(&desk, &user).await;
    assert_eq!((&seen["certified"], &seen["application"]["status"]), (&json!(true), &json!("APPROVED")));
    let account = desk.as_user(&user, ("GET", &format!("/user/info/{}", user.id)), &Value::Null).await.ok();
    assert_eq!(account["certified"], true);
    assert_eq!((events(&desk, &user, "APPROVED").await, pending(&desk).await.len()), (1, 0));
    assert_eq!(applies(&desk, &user).await["application"]["status"], "APPROVED", "nothing more to apply for");
}

#[tokio::test]
async fn only_administrators_see_and_decide_applications() {
    let desk = Desk::open().await;
    let user = fit(&desk, "una").await;
    applies(&desk, &user).await;
    let application = pending(&desk).await.remove(0);
    let body = decision(&application, "APPROVE", "mine");
    for role in [Role::AppealOfficer, Role::CustomerService] {
        let officer = desk.officer(role.into_str(), role).await;
        desk.get(&officer, "/console/certifications").await.refused(403, "403");
        desk.post(&officer, &path(&application), &body).await.refused(403, "403");
    }
    // The user, and a user who pretends to be an officer.
    desk.as_user(&user, ("POST", &path(&application)), &body).await.refused(401, "401");
    let session = [("cookie", format!("MEC2C-console={}", user.token))];
    desk.call(("POST", &path(&application)), &session, &desk.key(), &body).await.refused(401, "401");
    assert_eq!(shown(&desk, &user).await["certified"], false);
}
