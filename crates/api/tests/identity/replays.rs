//! A request that opened a session, sent again: by a browser that lost the answer, or by somebody who recorded it.

use chrono::Duration;
use serde_json::{Value, json};

use crate::server::{Got, PASSWORD, TestServer, server};

const ELSEWHERE: &str = "203.0.113.9";

fn instant() -> Duration {
    Duration::milliseconds(1)
}

fn session_of(got: &Got) -> Value {
    json!([got.data()["token"], got.data()["userId"]])
}

/// The nonce of the request has been used.
fn assert_used(got: &Got, why: &str) {
    assert_eq!((got.status, got.code()), (422, "1019"), "{why}: {}", got.body);
}

async fn log_out(server: &TestServer, got: &Got) {
    server.post("/logout", got.data()["token"].as_str(), &json!({})).await.data();
}

#[tokio::test]
async fn a_log_in_is_answered_again_for_one_minute() {
    let server = server().await;
    let somebody = server.somebody().await;
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let send = || server.post_as("recorded", "/user/login", None, &body);
    let first = send().await;
    server.advance(Duration::minutes(1) - instant()).await;
    assert_eq!(session_of(&send().await), session_of(&first));
    for _ in 0..2 {
        server.advance(instant()).await;
        assert_used(&send().await, "a minute later");
    }
    // The session itself goes on.
    assert_eq!(server.get("/user/hasSecurityCode", first.data()["token"].as_str()).await.code(), "200");
    // The report: five days later, from elsewhere.
    server.come_from(ELSEWHERE);
    server.advance(Duration::hours(125)).await;
    assert_ne!(send().await.code(), "200");
}

#[tokio::test]
async fn a_log_in_is_answered_again_only_in_the_network_that_it_came_from() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.come_from("2001:db8:0:7::1");
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let send = || server.post_as("recorded", "/user/login", None, &body);
    let first = send().await;
    // One person on IPv6 has at least a /64, and changes address within it.
    server.come_from("2001:db8:0:7:ffff::2");
    assert_eq!(session_of(&send().await), session_of(&first));
    for other in ["2001:db8:0:8::1", ELSEWHERE] {
        server.come_from(other);
        assert_used(&send().await, other);
    }
}

#[tokio::test]
async fn an_address_written_as_ipv6_is_the_same_address() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.come_from(ELSEWHERE);
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let first = server.post_as("recorded", "/user/login", None, &body).await;
    server.come_from("::ffff:203.0.113.9");
    let again = server.post_as("recorded", "/user/login", None, &body).await;
    assert_eq!(session_of(&again), session_of(&first));
    server.come_from("::ffff:203.0.113.10");
    assert_used(&server.post_as("recorded", "/user/login", None, &body).await, "another address");
}

#[tokio::test]
async fn a_session_that_has_ended_is_not_opened_again() {
    let server = server().await;
    let somebody = server.somebody().await;
    for how in ["log-out", "revoked elsewhere"] {
        let body = server.login_body(&somebody.email, PASSWORD).await;
        let key = format!("recorded before {how}").replace(' ', "-");
        let opened = server.post_as(&key, "/user/login", None, &body).await;
        if how == "log-out" {
            log_out(&server, &opened).await;
        } else {
            let other = server.login(&somebody.email, PASSWORD).await;
            let other = other.data()["token"].as_str();
            let list = server.get("/user/session/list", other).await;
            for line in list.data().as_array().unwrap().iter().filter(|line| line["current"] == false) {
                let path = format!("/user/session/revoke/{}", line["id"].as_str().unwrap());
                server.post(&path, other, &json!({})).await.data();
            }
        }
        assert_used(&server.post_as(&key, "/user/login", None, &body).await, how);
        server.advance(Duration::hours(1)).await;
        assert_ne!(server.post_as(&key, "/user/login", None, &body).await.code(), "200", "{how}");
    }
}

#[tokio::test]
async fn a_log_in_that_opened_nothing_cannot_be_sent_again_from_elsewhere_or_later() {
    let server = server().await;
    let somebody = server.somebody().await;
    for _ in 0..5 {
        server.login(&somebody.email, "Wrong-Horse7").await;
    }
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let send = || server.post_as("locked-out", "/user/login", None, &body);
    assert_eq!(send().await.code(), "429");
    server.come_from(ELSEWHERE);
    assert_used(&send().await, "from elsewhere");
    server.come_home();
    server.advance(Duration::minutes(1)).await;
    assert_used(&send().await, "a minute later");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn one_log_in_that_comes_many_times_at_once_opens_one_session() {
    let server = server().await;
    let somebody = server.somebody().await;
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let attempts = (0..12).map(|_| server.post_as("all-at-once", "/user/login", None, &body));
    let answers = futures::future::join_all(attempts).await;
    let opened: std::collections::BTreeSet<_> =
        answers.iter().filter(|got| got.code() == "200").map(|got| session_of(got).to_string()).collect();
    assert_eq!(opened.len(), 1);
    let token = answers.iter().find(|got| got.code() == "200").unwrap().data()["token"].as_str();
    let sessions = server.get("/user/session/list", token).await;
    assert_eq!(sessions.data().as_array().unwrap().len(), 2, "the one of the registration, and this one");
}

#[tokio::test]
async fn a_registration_is_answered_again_for_one_minute_in_its_network_while_its_session_runs() {
    let server = server().await;
    let body = server.register_body(7, "ann@example.org").await;
    let send = || server.post_as("recorded", "/user/register", None, &body);
    let first = send().await;
    server.advance(Duration::minutes(1) - instant()).await;
    assert_eq!(session_of(&send().await), session_of(&first));
    server.come_from(ELSEWHERE);
    assert_used(&send().await, "from elsewhere");
    server.come_home();
    log_out(&server, &first).await;
    assert_used(&send().await, "after the log-out");
    server.advance(instant()).await;
    assert_used(&send().await, "a minute later");
}

#[tokio::test]
async fn the_answer_of_the_pass_is_fetched_again_for_one_minute_in_its_network_while_its_session_runs() {
    let server = server().await;
    let somebody = server.somebody().await;
    let enter = async || {
        let (secret, challenge) = server.challenge("login").await;
        server.approve(&server.claims(somebody.me, &challenge).await).await.data();
        let path = format!("/scan/result/{secret}");
        let first = server.get(&path, None).await;
        assert_eq!(first.data()["session"]["userId"], somebody.id);
        (path, first)
    };
    let (path, first) = enter().await;
    server.advance(Duration::minutes(1) - instant()).await;
    assert_eq!(server.get(&path, None).await.data()["session"], first.data()["session"]);
    server.come_from(ELSEWHERE);
    assert_eq!(server.get(&path, None).await.code(), "803");
    server.come_home();
    server.advance(instant()).await;
    assert_eq!(server.get(&path, None).await.code(), "803");
    let (path, first) = enter().await;
    server.post("/logout", first.data()["session"]["token"].as_str(), &json!({})).await.data();
    assert_eq!(server.get(&path, None).await.code(), "803");
}
