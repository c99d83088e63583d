//! Administrators manage officers.

use std::sync::Arc;

use app::console::{NewOfficer, TotpSecrets, invite_officer};
use app::identity::ports::SystemRandom;
use chrono::Duration;
use domain::console::Role;
use serde_json::{Value, json};

use crate::desk::{Desk, PASSWORD, Person};
use crate::product::CONSOLE_KEY;

/// Returns an officer as an administrator sees the officer.
async fn seen_by(desk: &Desk, administrator: &Person, id: &str) -> Value {
    let listed = desk.get(administrator, "/console/officers").await.ok();
    listed.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone()
}

async fn one(desk: &Desk, id: &str) -> Value {
    seen_by(desk, &desk.admin, id).await
}

/// Takes an officer's credentials away. Returns the officer.
async fn resets(desk: &Desk, administrator: &Person, id: &str) -> Value {
    let body = json!({"version": seen_by(desk, administrator, id).await["version"], "reason": "a lost phone"});
    desk.post(administrator, &format!("/console/officers/{id}/enrollment"), &body).await.ok()
}

async fn change(desk: &Desk, person: &Person, mut change: Value) -> crate::desk::Got {
    change["version"] = one(desk, &person.id).await["version"].clone();
    change["reason"] = json!("a new task");
    desk.post(&desk.admin, &format!("/console/officers/{}", person.id), &change).await
}

#[tokio::test]
async fn the_last_active_administrator_stays() {
    let desk = Desk::open().await;
    let admin = desk.admin.clone();
    // An administrator who has not used the setup link cannot take over.
    desk.invites(&desk.admin, "bea", Role::Administrator).await;
    for fatal in [json!({"disabled": true}), json!({"role": "APPEAL_OFFICER"})] {
        change(&desk, &admin, fatal).await.refused(409, "6004");
    }
    let reset = json!({"version": one(&desk, &admin.id).await["version"], "reason": "a lost phone"});
    desk.post(&admin, &format!("/console/officers/{}/enrollment", admin.id), &reset).await.refused(409, "6004");

    let cleo = desk.officer("cleo", Role::Administrator).await;
    // Nobody changes the own role.
    change(&desk, &admin, json!({"role": "CUSTOMER_SERVICE"})).await.refused(403, "403");
    let body =
        json!({"role": "CUSTOMER_SERVICE", "version": one(&desk, &admin.id).await["version"], "reason": "a new task"});
    let demoted = desk.post(&cleo, &format!("/console/officers/{}", admin.id), &body).await.ok();
    assert_eq!(demoted["role"], "CUSTOMER_SERVICE");
    // A new role begins with a new session.
    desk.get(&admin, "/console/me").await.refused(401, "401");
    desk.get(&cleo, "/console/officers").await.ok();
}

#[tokio::test]
async fn of_two_administrators_who_demote_each_other_at_once_one_stays() {
    let desk = Desk::open().await;
    let bea = desk.second().await;
    let body = async |person: &Person| json!({"role": "APPEAL_OFFICER", "version": one(&desk, &person.id).await["version"], "reason": "a dispute"});
    let (ada_goes, bea_goes) = (body(&desk.admin).await, body(&bea).await);
    let (ada, bea_path) = (format!("/console/officers/{}", desk.admin.id), format!("/console/officers/{}", bea.id));
    let (one, other) = tokio::join!(desk.post(&bea, &ada, &ada_goes), desk.post(&desk.admin, &bea_path, &bea_goes));
    assert!((one.status == 200) != (other.status == 200), "{} {}", one.body, other.body);
}

#[tokio::test]
async fn an_email_address_has_one_officer_and_a_repeated_command_creates_none() {
    let desk = Desk::open().await;
    let new = json!({"name": "Olga", "email": " Olga@Example.org ", "role": "APPEAL_OFFICER", "reason": "new here"});
    let first = desk.post_as("create-olga", &desk.admin, "/console/officers", &new).await.ok();
    assert_eq!(first["email"], "olga@example.org");
    let again = desk.post_as("create-olga", &desk.admin, "/console/officers", &new).await.ok();
    assert_eq!(again, first);
    desk.post(&desk.admin, "/console/officers", &new).await.refused(409, "6005");
    for (field, value) in [("name", ""), ("email", "nobody"), ("reason", " ")] {
        let mut bad = new.clone();
        bad["email"] = json!("other@example.org");
        bad[field] = json!(value);
        let got = desk.post(&desk.admin, "/console/officers", &bad).await;
        assert_eq!((got.status, &got.body["data"]["field"]), (400, &json!(field)));
    }
    assert_eq!(desk.market.database.count("select count(*) from officers").await, 2);
}

#[tokio::test]
async fn a_reset_takes_password_app_and_sessions_until_another_administrator_approves() {
    let desk = Desk::open().await;
    let olga = desk.officer("olga", Role::AppealOfficer).await;
    let (sue, seen) = (desk.second().await, one(&desk, &olga.id).await);
    let emails = desk.mail.emails().len();
    let reset = resets(&desk, &desk.admin, &olga.id).await;
    assert_eq!((&reset["awaitsApproval"], &reset["linkExpiresAt"]), (&json!(true), &Value::Null));
    desk.get(&olga, "/console/me").await.refused(401, "401");
    desk.pass(Duration::seconds(30));
    desk.tries(&olga, PASSWORD, &desk.code(&olga.secret, 0)).await.refused(422, "6001");
    desk.sends_link(&sue, &seen).await.refused(409, "5050");
    desk.sends_link(&desk.admin, &reset).await.refused(409, "6011");
    assert_eq!(desk.mail.emails().len(), emails);
    desk.sends_link(&sue, &reset).await.ok();
    let renewed = desk.enrolls(&desk.mailed_token(&reset)).await;
    assert_ne!(renewed.secret, olga.secret);
    desk.signs_in(&renewed).await;
    desk.sends_link(&sue, &one(&desk, &olga.id).await).await.refused(409, "6012");
    let log = desk.log(8).await;
    assert!(log.contains(&"Ada reset_officer officer: a lost phone".to_owned()), "{log:?}");
    assert!(log.contains(&"Sue approve_officer officer: I have spoken with the officer".to_owned()), "{log:?}");
}

/// One administrator with two mailboxes becomes two officers, or two administrators.
#[tokio::test]
async fn one_administrator_alone_makes_no_officer() {
    let desk = Desk::open().await;
    let invited = desk.invites(&desk.admin, "olga", Role::AppealOfficer).await;
    assert_eq!(invited["awaitsApproval"], true);
    let id = invited["id"].as_str().unwrap();
    // Neither the responses nor the mailbox have a link, and no other command makes one.
    assert_eq!(one(&desk, id).await["setupLink"], "ANOTHER_ADMINISTRATOR");
    desk.sends_link(&desk.admin, &invited).await.refused(409, "6011");
    resets(&desk, &desk.admin, id).await;
    desk.sends_link(&desk.admin, &one(&desk, id).await).await.refused(409, "6011");
    let enabled = [json!({"disabled": true}), json!({"disabled": false}), json!({"role": "ADMINISTRATOR"})];
    let olga = Person { id: id.to_owned(), ..desk.admin.clone() };
    for step in enabled {
        change(&desk, &olga, step).await.ok();
    }
    desk.sends_link(&desk.admin, &one(&desk, id).await).await.refused(409, "6011");
    assert_eq!(desk.mail.emails(), []);

    let sue = desk.second().await;
    let seen = seen_by(&desk, &sue, id).await;
    assert_eq!((&seen["setupLink"], &seen["appointedBy"]), (&json!("APPROVE"), &json!("Ada")));
    desk.sends_link(&sue, &seen).await.ok();
    let invited = one(&desk, id).await;
    let first = desk.mailed_token(&invited);
    // Once it is approved, every administrator can send the link again: it goes to the same mailbox.
    assert_eq!(one(&desk, id).await["setupLink"], "SEND");
    desk.sends_link(&desk.admin, &invited).await.ok();
    desk.post_open("/console/enrollment/begin", &json!({"token": first})).await.refused(422, "6002");
    let olga = desk.signs_in(&desk.enrolls(&desk.mailed_token(&invited)).await).await;

    // Ada has made this administrator, who therefore does not approve for Ada, nor Ada for her, within seven days.
    let otto = desk.invites(&desk.admin, "otto", Role::AppealOfficer).await;
    desk.sends_link(&olga, &otto).await.refused(409, "6011");
    let by_olga = desk.invites(&olga, "owen", Role::AppealOfficer).await;
    desk.sends_link(&desk.admin, &by_olga).await.refused(409, "6011");
    let (otto_id, ada) = (otto["id"].as_str().unwrap(), desk.admin.clone());
    assert_eq!(seen_by(&desk, &olga, otto_id).await["setupLink"], "ANOTHER_ADMINISTRATOR");
    desk.advance(Duration::days(7)).await;
    let olga = desk.signs_in(&Person { token: String::new(), ..olga }).await;
    assert_eq!(seen_by(&desk, &olga, otto_id).await["setupLink"], "APPROVE");
    desk.sends_link(&olga, &otto).await.ok();
    let ada = desk.signs_in(&Person { token: String::new(), ..ada }).await;
    desk.sends_link(&ada, &by_olga).await.ok();
}

/// The second administrator has approved a harmless role.
#[tokio::test]
async fn a_role_that_decides_more_needs_the_same_approval_as_a_new_officer() {
    let desk = Desk::open().await;
    let carl = desk.officer("carl", Role::CustomerService).await;
    for role in ["APPEAL_OFFICER", "ADMINISTRATOR"] {
        let promoted = change(&desk, &carl, json!({ "role": role })).await.ok();
        assert_eq!(
            (&promoted["awaitsApproval"], &promoted["setupLink"]),
            (&json!(true), &json!("ANOTHER_ADMINISTRATOR"))
        );
        desk.sends_link(&desk.admin, &promoted).await.refused(409, "6011");
    }
    desk.tries(&carl, PASSWORD, &desk.code(&carl.secret, 1)).await.refused(422, "6001");
    let sue = desk.second().await;
    let promoted = one(&desk, &carl.id).await;
    desk.sends_link(&sue, &promoted).await.ok();
    let carl = desk.signs_in(&desk.enrolls(&desk.mailed_token(&promoted)).await).await;
    desk.get(&carl, "/console/officers").await.ok();
}

/// An administrator waits for seven days before the officers begin, or approves a second reset with the first approval.
#[tokio::test]
async fn the_seven_days_begin_with_the_link_and_an_approval_counts_once() {
    let desk = Desk::open().await;
    let (sue, ada) = (desk.second().await, desk.admin.clone());
    let invited = desk.invites(&ada, "olga", Role::Administrator).await;
    let path = format!("/console/officers/{}/link", invited["id"].as_str().unwrap());
    let approval = json!({"version": invited["version"], "reason": "welcome"});
    desk.post_as("approves-olga", &sue, &path, &approval).await.ok();
    resets(&desk, &ada, invited["id"].as_str().unwrap()).await;
    desk.post_as("approves-olga", &sue, &path, &approval).await.refused(409, "5050");

    desk.advance(Duration::days(8)).await;
    let (ada, sue) = (desk.signs_in(&ada).await, desk.signs_in(&sue).await);
    let awaits = seen_by(&desk, &sue, invited["id"].as_str().unwrap()).await;
    desk.sends_link(&sue, &awaits).await.ok();
    let olga = desk.signs_in(&desk.enrolls(&desk.mailed_token(&invited)).await).await;
    let otto = desk.invites(&ada, "otto", Role::AppealOfficer).await;
    desk.sends_link(&olga, &otto).await.refused(409, "6011");
}

#[tokio::test]
async fn a_link_that_cannot_be_mailed_is_sent_again() {
    let desk = Desk::open().await;
    let (invited, sue) = (desk.invites(&desk.admin, "olga", Role::AppealOfficer).await, desk.second().await);
    desk.mail.set_broken(true);
    let path = format!("/console/officers/{}/link", invited["id"].as_str().unwrap());
    let body = json!({"version": invited["version"], "reason": "welcome"});
    desk.post_as("approve-olga", &sue, &path, &body).await.refused(503, "503");
    desk.mail.set_broken(false);
    // The same command again, as a browser sends it.
    desk.post_as("approve-olga", &sue, &path, &body).await.ok();
    desk.enrolls(&desk.mailed_token(&invited)).await;
    let emails = desk.mail.emails().len();
    desk.post_as("approve-olga", &sue, &path, &body).await.ok();
    assert_eq!(desk.mail.emails().len(), emails);
    let approvals = "select count(*) from audit_log where action = 'approve_officer'";
    assert_eq!(desk.market.database.count(approvals).await, 1);
}

#[tokio::test]
async fn the_command_line_creates_no_third_administrator() {
    let desk = Desk::open().await;
    let sue = desk.second().await;
    let secrets = TotpSecrets::new(CONSOLE_KEY, Arc::new(SystemRandom)).unwrap();
    let new = NewOfficer { name: "Eve".into(), email: "eve@example.org".into(), role: Role::Administrator };
    let invite = async || invite_officer(&desk.context, &secrets, &new, "root", "one more").await.unwrap();
    assert_eq!(invite().await, None);
    // It is the way out when only one of the two is left.
    resets(&desk, &desk.admin, &sue.id).await;
    let (eve, token) = invite().await.unwrap();
    assert_eq!(eve.email, "eve@example.org");
    let eve = desk.signs_in(&desk.enrolls(&token).await).await;
    desk.sends_link(&eve, &one(&desk, &sue.id).await).await.ok();
}

#[tokio::test]
async fn a_new_key_is_the_way_back_for_administrators_who_are_locked_out() {
    let desk = Desk::open().await;
    desk.second().await;
    let other = TotpSecrets::new(&"5".repeat(64), Arc::new(SystemRandom)).unwrap();
    for name in ["eve", "ivy"] {
        let email = format!("{name}@example.org");
        let new = NewOfficer { name: name.into(), email, role: Role::Administrator };
        invite_officer(&desk.context, &other, &new, "root", "both lost their phones").await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_change_that_changes_nothing_is_refused() {
    let desk = Desk::open().await;
    let olga = desk.officer("olga", Role::AppealOfficer).await;
    for nothing in [json!({}), json!({"disabled": false}), json!({"role": "APPEAL_OFFICER"})] {
        assert_eq!(change(&desk, &olga, nothing).await.refused(400, "400")["field"], "body");
    }
    desk.get(&olga, "/console/me").await.ok();
}
