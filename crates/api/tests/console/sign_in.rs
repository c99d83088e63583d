//! Attacks on the sign-in, and the life of a session.

use axum::http::header;
use chrono::Duration;
use domain::console::Role;
use serde_json::{Value, json};

use crate::desk::{Desk, PASSWORD, Person, cookie_of};

#[tokio::test]
async fn an_officer_signs_in_with_password_and_code_and_signs_out() {
    let desk = Desk::open().await;
    let me = desk.get(&desk.admin, "/console/me").await.ok();
    assert_eq!((&me["name"], &me["role"]), (&json!("Ada"), &json!("ADMINISTRATOR")));
    desk.post(&desk.admin, "/console/sign-out", &json!({})).await.ok();
    desk.get(&desk.admin, "/console/me").await.refused(401, "401");
    assert_eq!(desk.log(2).await, ["Ada sign_in officer", "Ada sign_out officer"]);
}

#[tokio::test]
async fn the_cookie_is_hidden_from_scripts_and_other_sites() {
    let desk = Desk::open().await;
    desk.pass(Duration::seconds(30));
    let got = desk.tries(&desk.admin, PASSWORD, &desk.code(&desk.admin.secret, 0)).await;
    let set = got.headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["; Path=/api/console", "; HttpOnly", "; SameSite=Strict", "; Secure"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!got.body.to_string().contains(&cookie_of(&got)));
}

#[tokio::test]
async fn pages_of_other_sites_can_neither_sign_in_nor_act() {
    let desk = Desk::open().await;
    let session = ("cookie", desk.admin.cookie());
    let host = ("host", "mec.example".to_owned());
    let log = desk.log_length().await;
    for (header, value) in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "same-site")] {
        let from = [session.clone(), host.clone(), (header, value.to_owned())];
        for call in [
            ("POST", "/console/sign-out"),
            ("GET", "/console/me"),
            ("POST", "/console/sign-in"),
            ("POST", "/console/enrollment"),
        ] {
            desk.call(call, &from, &desk.key(), &json!({})).await.refused(403, "403");
        }
    }
    assert_eq!(desk.log_length().await, log);
    for (header, value) in [("origin", "https://mec.example"), ("sec-fetch-site", "same-origin")] {
        let from = [session.clone(), host.clone(), (header, value.to_owned())];
        desk.call(("GET", "/console/me"), &from, &desk.key(), &json!({})).await.ok();
    }
}

#[tokio::test]
async fn a_wrong_password_code_or_email_is_refused_in_the_same_words() {
    let desk = Desk::open().await;
    desk.pass(Duration::seconds(30));
    let right = desk.code(&desk.admin.secret, 0);
    let stranger = Person { email: "eve@example.org".to_owned(), ..desk.admin.clone() };
    let wrong: String = right.chars().map(|digit| if digit == '9' { '0' } else { '9' }).collect();
    let mut said = Vec::new();
    for (person, password, code) in [
        (&desk.admin, "Wrong-Horse7", right.as_str()),
        (&desk.admin, PASSWORD, wrong.as_str()),
        (&desk.admin, PASSWORD, ""),
        (&stranger, PASSWORD, right.as_str()),
    ] {
        let got = desk.tries(person, password, code).await;
        assert!(!got.headers.contains_key(header::SET_COOKIE));
        said.push(got.body.to_string());
    }
    assert!(said.iter().all(|one| one.contains("\"6001\"") && *one == said[0]), "{said:?}");
    // The refused attempts did not use up the code.
    desk.tries(&desk.admin, PASSWORD, &right).await.ok();
    assert_eq!(desk.log(4).await[..3], ["Ada sign_in_refused officer"; 3]);
}

#[tokio::test]
async fn a_code_opens_one_session() {
    let desk = Desk::open().await;
    desk.pass(Duration::seconds(30));
    let code = desk.code(&desk.admin.secret, 0);
    desk.tries(&desk.admin, PASSWORD, &code).await.ok();
    desk.tries(&desk.admin, PASSWORD, &code).await.refused(422, "6001");
    // An older code is not valid either, although its step is.
    desk.tries(&desk.admin, PASSWORD, &desk.code(&desk.admin.secret, -1)).await.refused(422, "6001");
    desk.tries(&desk.admin, PASSWORD, &desk.code(&desk.admin.secret, 1)).await.ok();
    desk.tries(&desk.admin, PASSWORD, &desk.code(&desk.admin.secret, 2)).await.refused(422, "6001");
}

#[tokio::test]
async fn of_many_who_send_a_code_at_once_one_gets_a_session() {
    let desk = Desk::open().await;
    desk.pass(Duration::seconds(30));
    let code = desk.code(&desk.admin.secret, 0);
    let mut bodies = Vec::new();
    for _ in 0..4 {
        bodies.push(desk.sign_in_body(&desk.admin, PASSWORD, &code).await);
    }
    let tries = bodies.iter().map(|body| desk.post_open("/console/sign-in", body));
    let got = futures::future::join_all(tries).await;
    assert_eq!(got.iter().filter(|got| got.status == 200).count(), 1);
}

#[tokio::test]
async fn the_same_command_gets_the_same_session_for_a_minute_and_only_at_home() {
    let desk = Desk::open().await;
    desk.pass(Duration::seconds(30));
    let body = desk.sign_in_body(&desk.admin, PASSWORD, &desk.code(&desk.admin.secret, 0)).await;
    let send = async || desk.call(("POST", "/console/sign-in"), &[], "sign-in-key", &body).await;
    let first = cookie_of(&send().await);
    assert_eq!(cookie_of(&send().await), first);
    desk.come_from("203.0.113.9");
    send().await.refused(422, "1019");
    desk.come_from("198.51.100.1");
    desk.advance(Duration::seconds(61)).await;
    send().await.refused(422, "1019");
    let other = json!({"email": body["email"], "password": body["password"], "code": "000000"});
    desk.call(("POST", "/console/sign-in"), &[], "sign-in-key", &other).await.refused(409, "409");
}

#[tokio::test]
async fn guesses_slow_down_from_a_strange_network_and_leave_the_officer_alone() {
    let desk = Desk::open().await;
    desk.come_from("203.0.113.9");
    for _ in 0..5 {
        desk.tries(&desk.admin, "Wrong-Horse7", "123456").await.refused(422, "6001");
    }
    desk.pass(Duration::seconds(30));
    let code = desk.code(&desk.admin.secret, 0);
    // Now even the right credentials are refused from there.
    desk.tries(&desk.admin, PASSWORD, &code).await.refused(429, "429");
    // The officer has signed in from this network before.
    desk.come_from("198.51.100.1");
    desk.tries(&desk.admin, PASSWORD, &code).await.ok();
    desk.advance(Duration::minutes(1)).await;
    desk.come_from("203.0.113.9");
    desk.tries(&desk.admin, PASSWORD, &desk.code(&desk.admin.secret, 1)).await.ok();
}

#[tokio::test]
async fn a_wrong_code_with_the_right_password_counts_as_a_guess() {
    let desk = Desk::open().await;
    for _ in 0..5 {
        desk.tries(&desk.admin, PASSWORD, "12").await.refused(422, "6001");
    }
    desk.tries(&desk.admin, PASSWORD, "12").await.refused(429, "429");
}

#[tokio::test]
async fn a_session_ends_after_half_an_hour_without_use_and_after_twelve_hours() {
    let desk = Desk::open().await;
    desk.advance(Duration::minutes(29)).await;
    desk.get(&desk.admin, "/console/me").await.ok();
    desk.advance(Duration::minutes(29)).await;
    desk.get(&desk.admin, "/console/me").await.ok();
    desk.advance(Duration::minutes(30)).await;
    desk.get(&desk.admin, "/console/me").await.refused(401, "401");

    let again = desk.signs_in(&desk.admin).await;
    for _ in 0..(12 * 60 / 20 - 1) {
        desk.advance(Duration::minutes(20)).await;
        desk.get(&again, "/console/me").await.ok();
    }
    desk.advance(Duration::minutes(20)).await;
    desk.get(&again, "/console/me").await.refused(401, "401");
}

#[tokio::test]
async fn a_disabled_officer_is_out_at_once_and_cannot_come_back() {
    let desk = Desk::open().await;
    let olga = desk.officer("olga", Role::AppealOfficer).await;
    let listed = desk.get(&desk.admin, "/console/officers").await.ok();
    let version = version_of(&listed, &olga);
    let path = format!("/console/officers/{}", olga.id);
    let body = json!({"disabled": true, "version": version, "reason": "has left"});
    let disabled = desk.post(&desk.admin, &path, &body).await.ok();
    desk.get(&olga, "/console/me").await.refused(401, "401");
    desk.pass(Duration::seconds(30));
    desk.tries(&olga, PASSWORD, &desk.code(&olga.secret, 0)).await.refused(422, "6001");
    let body = json!({"disabled": false, "version": disabled["version"], "reason": "is back"});
    desk.post(&desk.admin, &path, &body).await.ok();
    // The old session stays ended.
    desk.get(&olga, "/console/me").await.refused(401, "401");
    desk.signs_in(&olga).await;
}

fn version_of(listed: &Value, person: &Person) -> Value {
    let all = listed.as_array().unwrap();
    all.iter().find(|one| one["id"] == person.id.as_str()).unwrap()["version"].clone()
}

#[tokio::test]
async fn a_setup_link_works_once_and_for_a_day() {
    let desk = Desk::open().await;
    let invited = desk.invites(&desk.admin, "olga", Role::AppealOfficer).await;
    desk.sends_link(&desk.second().await, &invited).await.ok();
    let token = desk.mailed_token(&invited);
    let begin = json!({"token": token});
    let shown = desk.post_open("/console/enrollment/begin", &begin).await.ok();
    assert_eq!((&shown["name"], &shown["role"]), (&json!("olga"), &json!("APPEAL_OFFICER")));
    // Before that, nobody can sign in as this officer.
    let olga = Person { email: "olga@example.org".to_owned(), ..desk.admin.clone() };
    desk.tries(&olga, PASSWORD, "123456").await.refused(422, "6001");

    let body = json!({"token": token, "newPassword": desk.seal(PASSWORD).await, "code": "12345"});
    desk.post_open("/console/enrollment", &body).await.refused(422, "6003");
    let body = json!({"token": token, "newPassword": desk.seal("weak").await, "code": "123456"});
    assert_eq!(desk.post_open("/console/enrollment", &body).await.refused(400, "400")["field"], "newPassword");
    let olga = desk.enrolls(&token).await;
    for used in [&token, "no-such-token", ""] {
        desk.post_open("/console/enrollment/begin", &json!({"token": used})).await.refused(422, "6002");
    }
    let body = json!({"token": token, "newPassword": desk.seal(PASSWORD).await, "code": desk.code(&olga.secret, 1)});
    desk.post_open("/console/enrollment", &body).await.refused(422, "6002");
    // The code of the enrollment is used up.
    desk.tries(&olga, PASSWORD, &desk.code(&olga.secret, 0)).await.refused(422, "6001");
    desk.signs_in(&olga).await;

    let invited = desk.invites(&desk.admin, "carl", Role::CustomerService).await;
    desk.sends_link(&desk.second().await, &invited).await.ok();
    let late = desk.mailed_token(&invited);
    desk.advance(Duration::hours(24)).await;
    desk.post_open("/console/enrollment/begin", &json!({"token": late})).await.refused(422, "6002");
}

#[tokio::test]
async fn the_database_contains_neither_tokens_nor_secrets() {
    let desk = Desk::open().await;
    let invited = desk.invites(&desk.admin, "olga", Role::AppealOfficer).await;
    desk.sends_link(&desk.second().await, &invited).await.ok();
    let token = desk.mailed_token(&invited);
    desk.enrolls(&token).await;
    let secret = hex::encode(&desk.admin.secret);
    for (table, text) in [
        ("officers", secret.as_str()),
        ("officers", token.as_str()),
        ("officer_sessions", desk.admin.token.as_str()),
        ("audit_log", token.as_str()),
        ("audit_log", desk.admin.token.as_str()),
    ] {
        let found = format!("select count(*) from {table} t where strpos(t::text, '{text}') > 0");
        assert_eq!(desk.market.database.count(&found).await, 0, "{table}");
    }
}
