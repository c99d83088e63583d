use chrono::Duration;
use gateways::fakes::TestIssuer;
use serde_json::json;

use crate::server::{address, server};

#[tokio::test]
async fn an_unanswered_challenge_is_pending_and_then_expires() {
    let server = server().await;
    let (secret, _) = server.challenge("login").await;
    let path = format!("/scan/result/{secret}");
    let waiting = server.get(&path, None).await;
    assert_eq!((waiting.status, waiting.code(), &waiting.body["message"]), (200, "1009", &json!("SCAN_NO_CALLBACK")));
    server.advance(Duration::minutes(3) - Duration::milliseconds(1)).await;
    assert_eq!(server.get(&path, None).await.code(), "1009");
    server.advance(Duration::milliseconds(1)).await;
    assert_eq!(server.get(&path, None).await.code(), "803");
}

#[tokio::test]
async fn a_user_is_logged_in_and_a_repeated_request_returns_the_same_session() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (secret, challenge) = server.challenge("login").await;
    let mut claims = server.claims(somebody.me, &challenge).await;
    claims["kyc"] = json!("advanced");
    server.approve(&claims).await.data();
    let path = format!("/scan/result/{secret}");
    let (first, second) = (server.get(&path, None).await, server.get(&path, None).await);
    assert_eq!(first.data()["session"], second.data()["session"]);
    assert_eq!(first.data()["session"]["userId"], somebody.id);
    assert_eq!(first.data()["ticket"], serde_json::Value::Null);
    // The KYC level is taken from the latest assertion.
    assert_eq!(server.info(&somebody).await["kycLevel"], "advanced");
}

#[tokio::test]
async fn a_person_without_an_account_gets_a_ticket() {
    let server = server().await;
    let (secret, challenge) = server.challenge("login").await;
    server.approve(&server.claims(5, &challenge).await).await.data();
    let got = server.get(&format!("/scan/result/{secret}"), None).await;
    assert_eq!(got.data()["registered"], false);
    assert_eq!(got.data()["ticket"], secret);
    assert_eq!((&got.data()["meId"], &got.data()["regionId"]), (&json!("ME-5"), &json!("VN")));
}

#[tokio::test]
async fn declining_does_not_log_in() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (secret, challenge) = server.challenge("login").await;
    let mut claims = server.claims(somebody.me, &challenge).await;
    claims["decision"] = json!("declined");
    // The pass may deliver an assertion twice. It takes effect once, and both responses are the same.
    server.approve(&claims).await.data();
    server.approve(&claims).await.data();
    assert_eq!(server.get(&format!("/scan/result/{secret}"), None).await.code(), "1005");
    assert_eq!(server.approve(&server.claims(somebody.me, &challenge).await).await.code(), "803");
    // A decline that was used already does not end another challenge.
    let (other, waiting) = server.challenge("login").await;
    claims["challenge"] = json!(waiting);
    assert_eq!(server.approve(&claims).await.code(), "1010");
    assert_eq!(server.get(&format!("/scan/result/{other}"), None).await.code(), "1009");
}

#[tokio::test]
async fn an_unsigned_decline_is_ignored() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (secret, challenge) = server.challenge("login").await;
    let mut claims = server.claims(somebody.me, &challenge).await;
    claims["decision"] = json!("declined");
    let stranger = TestIssuer::new("k1").sign(&claims);
    for (query, code) in [
        (format!("denied={challenge}"), "400"),
        (format!("statement={stranger}"), "800"),
        (format!("statement={stranger}&denied={challenge}"), "400"),
    ] {
        assert_eq!(server.get(&format!("/scan/callBack?{query}"), None).await.code(), code, "{query}");
    }
    assert_eq!(server.get(&format!("/scan/result/{secret}"), None).await.code(), "1009");
    server.approve(&server.claims(somebody.me, &challenge).await).await.data();
    assert_eq!(server.get(&format!("/scan/result/{secret}"), None).await.data()["session"]["userId"], somebody.id);
}

#[tokio::test]
async fn an_assertion_is_valid_once_and_only_for_its_challenge() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (one, first) = server.challenge("login").await;
    let (two, second) = server.challenge("login").await;
    let claims = server.claims(somebody.me, &first).await;
    server.approve(&claims).await.data();
    // The pass may deliver an assertion twice. It takes effect once, and both responses are the same.
    server.approve(&claims).await.data();
    let mut other = claims.clone();
    other["challenge"] = json!(second);
    assert_eq!(server.approve(&other).await.code(), "1010");
    assert_eq!(server.get(&format!("/scan/result/{two}"), None).await.code(), "1009");
    assert_eq!(server.get(&format!("/scan/result/{one}"), None).await.code(), "200");
    // An assertion of another person for a challenge that was answered.
    assert_eq!(server.approve(&server.claims(99, &first).await).await.code(), "803");
}

#[tokio::test]
async fn invalid_assertions_are_refused() {
    let server = server().await;
    let (secret, challenge) = server.challenge("login").await;
    let good = server.claims(1, &challenge).await;
    let now = server.now().await.timestamp();
    for (name, value, code) in [
        ("aud", json!("another-shop"), "800"),
        ("iss", json!("https://other.example"), "800"),
        ("exp", json!(now), "800"),
        ("challenge", json!("not-a-challenge"), "1010"),
        ("challenge", json!(uuid::Uuid::nil()), "1010"),
        ("kyc", json!("none"), "801"),
        ("region", json!(""), "1017"),
        ("sub", json!(""), "804"),
        ("address", json!("0x12"), "805"),
        ("decision", json!(""), "800"),
    ] {
        let mut claims = good.clone();
        claims[name] = value;
        assert_eq!(server.approve(&claims).await.code(), code, "{claims}");
    }
    let stranger = TestIssuer::new("k1").sign(&good);
    assert_eq!(server.get(&format!("/scan/callBack?statement={stranger}"), None).await.code(), "800");
    assert_eq!(server.get("/scan/callBack", None).await.code(), "400");
    assert_eq!(server.get(&format!("/scan/result/{secret}"), None).await.code(), "1009");
}

#[tokio::test]
async fn a_changed_bound_address_prevents_login() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (secret, challenge) = server.challenge("login").await;
    let mut claims = server.claims(somebody.me, &challenge).await;
    claims["address"] = json!(address(4_242));
    server.approve(&claims).await.data();
    assert_eq!(server.get(&format!("/scan/result/{secret}"), None).await.code(), "1012");
}

#[tokio::test]
async fn an_assertion_from_the_page_must_be_for_its_own_challenge() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (mine, challenge) = server.challenge("login").await;
    let (theirs, _) = server.challenge("login").await;
    let statement = server.issuer.sign(&server.claims(somebody.me, &challenge).await);
    let bring = |id: &str| json!({"id": id, "statement": statement});
    assert_eq!(server.post("/user/authorizeLogin", None, &bring(&theirs)).await.code(), "1010");
    let got = server.post("/user/authorizeLogin", None, &bring(&mine)).await;
    assert_eq!(got.data()["session"]["userId"], somebody.id);
    let (secret, challenge) = server.challenge("login").await;
    let statement = server.issuer.sign(&server.claims(777, &challenge).await);
    let body = json!({"id": secret, "statement": statement});
    assert_eq!(server.post("/user/authorizeLogin", None, &body).await.code(), "806");
    assert_eq!(server.post("/user/authorizeRegister", None, &body).await.data()["registered"], false);
}
