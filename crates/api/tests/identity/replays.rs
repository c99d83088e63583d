//! Replays of a request that opened a session: by a browser that lost the response, or by an eavesdropper.

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

/// Asserts that the request is refused because its nonce has been used.
fn assert_used(got: &Got, why: &str) {
    assert_eq!((got.status, got.code()), (422, "1019"), "{why}: {}", got.body);
}

async fn log_out(server: &TestServer, got: &Got) {
    server.post("/logout", got.data()["token"].as_str(), &json!({})).await.data();
}

#[tokio::test]
async fn a_login_can_be_repeated_for_one_minute() {
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
    // The session itself is still valid.
    assert_eq!(server.get("/user/hasSecurityCode", first.data()["token"].as_str()).await.code(), "200");
    // The attack from the report: the request is sent again five days later from another network.
    server.come_from(ELSEWHERE);
    server.advance(Duration::hours(125)).await;
    assert_ne!(send().await.code(), "200");
}

#[tokio::test]
async fn a_login_can_be_repeated_only_from_its_own_network() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.come_from("2001:db8:0:7::1");
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let send = || server.post_as("recorded", "/user/login", None, &body);
    let first = send().await;
    // A user on IPv6 has at least a /64 and may change addresses within it.
    server.come_from("2001:db8:0:7:ffff::2");
    assert_eq!(session_of(&send().await), session_of(&first));
    for other in ["2001:db8:0:8::1", ELSEWHERE] {
        server.come_from(other);
        assert_used(&send().await, other);
    }
}

#[tokio::test]
async fn an_ipv4_mapped_address_is_the_same_address() {
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
async fn a_replay_does_not_reopen_an_ended_session() {
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
async fn a_failed_login_cannot_be_replayed_from_elsewhere_or_later() {
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
async fn concurrent_copies_of_one_login_open_one_session() {
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
    assert_eq!(sessions.data().as_array().unwrap().len(), 2, "one from the registration and this one");
}

#[tokio::test]
async fn a_registration_can_be_repeated_for_one_minute_from_its_network_during_its_session() {
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
async fn the_result_of_the_pass_can_be_fetched_again_for_one_minute_from_its_network() {
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
