//! Administrators manage officers.

use domain::officers::Role;
use serde_json::{Value, json};

use crate::desk::{Desk, PASSWORD, Person, token_of};

async fn one(desk: &Desk, id: &str) -> Value {
    let listed = desk.get(&desk.admin, "/ops/officers").await.ok();
    listed.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone()
}

async fn change(desk: &Desk, person: &Person, mut change: Value) -> crate::desk::Got {
    change["version"] = one(desk, &person.id).await["version"].clone();
    change["reason"] = json!("a new task");
    desk.post(&desk.admin, &format!("/ops/officers/{}", person.id), &change).await
}

#[tokio::test]
async fn the_last_active_administrator_stays() {
    let desk = Desk::open().await;
    let admin = desk.admin.clone();
    // An administrator who has not used the setup link cannot take over.
    desk.invites("bea", Role::Administrator).await;
    for fatal in [json!({"disabled": true}), json!({"role": "APPEAL_OFFICER"})] {
        change(&desk, &admin, fatal).await.refused(409, "6004");
    }
    let reset = json!({"version": one(&desk, &admin.id).await["version"], "reason": "a lost phone"});
    desk.post(&admin, &format!("/ops/officers/{}/enrollment", admin.id), &reset).await.refused(409, "6004");

    let cleo = desk.officer("cleo", Role::Administrator).await;
    let demoted = change(&desk, &admin, json!({"role": "APPEAL_OFFICER"})).await.ok();
    assert_eq!(demoted["role"], "APPEAL_OFFICER");
    // A new role begins with a new session.
    desk.get(&admin, "/ops/me").await.refused(401, "401");
    desk.get(&cleo, "/ops/officers").await.ok();
}

#[tokio::test]
async fn of_two_administrators_who_demote_each_other_at_once_one_stays() {
    let desk = Desk::open().await;
    let bea = desk.officer("bea", Role::Administrator).await;
    let body = async |person: &Person| json!({"role": "APPEAL_OFFICER", "version": one(&desk, &person.id).await["version"], "reason": "a dispute"});
    let (ada_goes, bea_goes) = (body(&desk.admin).await, body(&bea).await);
    let (ada, bea_path) = (format!("/ops/officers/{}", desk.admin.id), format!("/ops/officers/{}", bea.id));
    let (one, other) = tokio::join!(desk.post(&bea, &ada, &ada_goes), desk.post(&desk.admin, &bea_path, &bea_goes));
    assert!((one.status == 200) != (other.status == 200), "{} {}", one.body, other.body);
}

#[tokio::test]
async fn an_email_address_has_one_officer_and_a_repeated_command_one_link() {
    let desk = Desk::open().await;
    let new = json!({"name": "Olga", "email": " Olga@Example.org ", "role": "APPEAL_OFFICER", "reason": "new here"});
    let first = desk.post_as("create-olga", &desk.admin, "/ops/officers", &new).await.ok();
    assert_eq!(first["officer"]["email"], "olga@example.org");
    let again = desk.post_as("create-olga", &desk.admin, "/ops/officers", &new).await.ok();
    assert_eq!((&again["link"], &again["officer"]["id"]), (&first["link"], &first["officer"]["id"]));
    desk.post(&desk.admin, "/ops/officers", &new).await.refused(409, "6005");
    for (field, value) in [("name", ""), ("email", "nobody"), ("reason", " ")] {
        let mut bad = new.clone();
        bad["email"] = json!("other@example.org");
        bad[field] = json!(value);
        let got = desk.post(&desk.admin, "/ops/officers", &bad).await;
        assert_eq!((got.status, &got.body["data"]["field"]), (400, &json!(field)));
    }
    assert_eq!(desk.market.database.count("select count(*) from officers").await, 2);
}

#[tokio::test]
async fn a_new_link_replaces_password_app_and_sessions() {
    let desk = Desk::open().await;
    let olga = desk.officer("olga", Role::AppealOfficer).await;
    let reset = json!({"version": one(&desk, &olga.id).await["version"], "reason": "a lost phone"});
    let path = format!("/ops/officers/{}/enrollment", olga.id);
    let invited = desk.post(&desk.admin, &path, &reset).await.ok();
    desk.get(&olga, "/ops/me").await.refused(401, "401");
    desk.pass(chrono::Duration::seconds(30));
    desk.tries(&olga, PASSWORD, &desk.code(&olga.secret, 0)).await.refused(422, "6001");
    desk.post(&desk.admin, &path, &reset).await.refused(409, "5050");
    let renewed = desk.enrolls(&token_of(&invited)).await;
    assert_ne!(renewed.secret, olga.secret);
    desk.signs_in(&renewed).await;
    assert_eq!(desk.market.database.count("select count(*) from audit_log where action = 'reset_officer'").await, 1);
}

#[tokio::test]
async fn a_change_that_changes_nothing_is_refused() {
    let desk = Desk::open().await;
    let olga = desk.officer("olga", Role::AppealOfficer).await;
    for nothing in [json!({}), json!({"disabled": false}), json!({"role": "APPEAL_OFFICER"})] {
        assert_eq!(change(&desk, &olga, nothing).await.refused(400, "400")["field"], "body");
    }
    desk.get(&olga, "/ops/me").await.ok();
}
