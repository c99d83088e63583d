//! Only the browser that starts a challenge can use its result. Otherwise an attacker could obtain a victim's session,
//! or log a victim in to the attacker's account.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use chrono::Duration;
use gateways::fakes::TestIssuer;
use serde_json::{Value, json};

use crate::server::{PASSWORD, PROXY, TestServer, named, server};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

async fn result(server: &TestServer, secret: &str, code: Option<&str>) -> crate::server::Got {
    let query = code.map(|code| format!("?code={code}")).unwrap_or_default();
    server.get(&format!("/scan/result/{secret}{query}"), None).await
}

#[tokio::test]
async fn sending_a_victim_a_link_does_not_give_the_attacker_a_session() {
    let server = server().await;
    let victim = server.somebody().await;
    // The attacker starts the challenge and sends the link; the victim approves, and the victim's browser is
    // redirected.
    let (secret, challenge) = server.challenge("login").await;
    let statement = server.approval_by_redirect(victim.me, &challenge).await;
    let page = server.opens(&format!("/scan/callBack?statement={statement}")).await;
    assert_eq!((page.path.as_str(), page.says("pass")), ("/login", Some("approved")));
    assert_eq!(page.says("challenge"), Some(challenge.as_str()));

    assert_eq!(result(&server, &secret, None).await.code(), "1009");
    for guess in ["guess", challenge.as_str(), secret.as_str()] {
        assert_eq!(result(&server, &secret, Some(guess)).await.code(), "1010", "{guess:?}");
    }
    // The attacker can neither answer the challenge with their own assertion nor use it after it has expired.
    let own = server.approval_by_redirect(4_711, &challenge).await;
    assert_eq!(server.opens(&format!("/scan/callBack?statement={own}")).await.says("pass"), Some("expired"));
    assert_eq!(result(&server, &secret, None).await.code(), "1009");
    server.advance(Duration::minutes(5)).await;
    assert_eq!(result(&server, &secret, page.says("code")).await.code(), "803");
    let sessions = server.get("/user/session/list", Some(&victim.token)).await;
    assert_eq!(sessions.data().as_array().unwrap().len(), 1, "{}", sessions.body);
}

#[tokio::test]
async fn sending_a_victim_a_link_does_not_let_the_attacker_register() {
    let server = server().await;
    let (mut body, me) = (server.register_body(7, "ann@example.org").await, 8);
    let (secret, challenge) = server.challenge("register").await;
    let statement = server.approval_by_redirect(me, &challenge).await;
    let page = server.opens(&format!("/scan/callBack?statement={statement}")).await;
    assert_eq!(page.path, "/register");
    body["ticket"] = json!(secret);
    assert_eq!(server.post("/user/register", None, &body).await.code(), "1009");
    // If the browser that started the challenge is also the one that returns, registration succeeds.
    let got = result(&server, &secret, page.says("code")).await;
    assert_eq!((got.data()["registered"].as_bool(), &got.data()["meId"]), (Some(false), &json!("ME-8")));
    body["ticket"] = got.data()["ticket"].clone();
    body["password"] = server.seal(PASSWORD).await;
    assert_eq!(server.post("/user/register", None, &body).await.code(), "200");
}

#[tokio::test]
async fn sending_a_victim_a_link_does_not_let_the_attacker_reset_the_password() {
    let server = server().await;
    let victim = server.somebody().await;
    let got = server.get(&format!("/scan/resetByEmail?email={}", victim.email), None).await;
    let (secret, challenge) = named(got.data());
    let statement = server.approval_by_redirect(victim.me, &challenge).await;
    assert_eq!(server.opens(&format!("/scan/callBack?statement={statement}")).await.path, "/resetPassword");
    let body = json!({"ticket": secret, "newPassword": server.seal("Fresh-Horse8").await});
    assert_eq!(server.post("/user/unBindResetPassword", None, &body).await.code(), "1009");
    assert_eq!(server.login(&victim.email, PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn a_return_url_from_an_attacker_does_not_log_the_victim_in() {
    let server = server().await;
    let attacker = server.somebody().await;
    // The attacker starts a challenge, approves it, and sends the victim the URL to which they would have been
    // redirected.
    let (_, challenge) = server.challenge("login").await;
    let statement = server.approval_by_redirect(attacker.me, &challenge).await;
    let page = server.opens(&format!("/scan/callBack?statement={statement}")).await;
    // The victim's browser does not have the challenge's secret, and the secret of its own challenge does not fit the
    // code.
    let (mine, waiting) = server.challenge("login").await;
    assert_eq!(result(&server, &mine, page.says("code")).await.code(), "1010");
    assert_eq!(result(&server, &mine, None).await.code(), "1009");
    // The code does not fit a challenge that was answered after a scan either.
    server.approve(&server.claims(5, &waiting).await).await.data();
    assert_eq!(result(&server, &mine, page.says("code")).await.code(), "1010");
    assert_eq!(result(&server, &mine, None).await.data()["meId"], "ME-5");
}

#[tokio::test]
async fn the_browser_that_returns_is_logged_in_and_redirected_to_its_page() {
    let server = server().await;
    let somebody = server.somebody().await;
    let got = server.get("/scan/genQrCodeUrl/device-1?returnTo=/login?next=%252Forder", None).await;
    let (secret, challenge) = named(got.data());
    let statement = server.approval_by_redirect(somebody.me, &challenge).await;
    let address = format!("/scan/callBack?statement={statement}");
    let page = server.opens(&address).await;
    assert_eq!((page.path.as_str(), page.says("next")), ("/login", Some("/order")));
    // Loading the URL again, as after a lost connection, has the same result.
    assert_eq!(server.opens(&address).await.says("code"), page.says("code"));
    let first = result(&server, &secret, page.says("code")).await;
    assert_eq!(first.data()["session"]["userId"], somebody.id);
    assert_eq!(result(&server, &secret, page.says("code")).await.data()["session"], first.data()["session"]);
    assert_eq!(server.opens(&address).await.says("pass"), Some("approved"));
    // The code cannot be guessed by someone who has only seen the challenge.
    assert!(page.says("code").unwrap().len() >= 43);
}

#[tokio::test]
async fn the_pass_sees_the_requester_and_three_numbers_but_not_the_right_one() {
    let server = server().await;
    let request = Request::get("/api/scan/genQrCodeUrl/device-1?purpose=register")
        .header("user-agent", FIREFOX)
        .header("cf-ipcountry", "KR");
    let mut request = request.body(Body::empty()).unwrap();
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((PROXY, 1))));
    let made = server.send(request).await;
    let who = json!({"browser": "Firefox", "system": "Linux", "region": "KR"});
    assert_eq!(made.data()["requester"], who);
    let number = made.data()["number"].as_u64().unwrap();
    assert!((10..=99).contains(&number));
    let (secret, challenge) = named(made.data());
    assert_eq!(made.data()["challengeId"], challenge);
    assert!(!made.data()["qrCodeUrl"].as_str().unwrap().contains(&format!("number={number}")));

    let shown = server.get(&format!("/scan/challenge/{challenge}"), None).await;
    assert_eq!((&shown.data()["requester"], &shown.data()["purpose"]), (&who, &json!("register")));
    let numbers: Vec<_> = shown.data()["numbers"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert!(numbers.len() == 3 && numbers.contains(&number), "{numbers:?}");
    assert!(shown.data().get("number").is_none() && !shown.body.to_string().contains(&secret));

    server.approve(&server.claims(5, &challenge).await).await.data();
    assert_eq!(server.get(&format!("/scan/challenge/{challenge}"), None).await.code(), "803");
    assert_eq!(server.get(&format!("/scan/challenge/{}", uuid::Uuid::nil()), None).await.code(), "1010");
}

#[tokio::test]
async fn a_region_claimed_by_the_browser_is_ignored() {
    let server = server().await;
    for peer in [None, Some([192, 0, 2, 7])] {
        let request = Request::get("/api/scan/genQrCodeUrl/device-1").header("cf-ipcountry", "KR");
        let mut request = request.body(Body::empty()).unwrap();
        if let Some(peer) = peer {
            request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 1))));
        }
        let made = server.send(request).await;
        assert_eq!(made.data()["requester"], json!({"browser": null, "system": null, "region": null}), "{peer:?}");
    }
}

#[tokio::test]
async fn a_wrong_number_ends_the_challenge() {
    let server = server().await;
    let victim = server.somebody().await;
    let (secret, challenge) = server.challenge("login").await;
    let right = server.claims(victim.me, &challenge).await;
    let mut wrong = right.clone();
    wrong["number"] = json!(if right["number"] == 10 { 11 } else { 10 });
    // A repeated assertion gets the same response; the right number is then too late.
    for claims in [&wrong, &wrong] {
        assert_eq!(server.approve(claims).await.code(), "1010");
    }
    let mut late = right.clone();
    late["jti"] = json!("later");
    assert_eq!(server.approve(&late).await.code(), "803");
    assert_eq!(result(&server, &secret, None).await.code(), "1010");
    assert_eq!(server.get(&format!("/scan/challenge/{challenge}"), None).await.code(), "803");
}

#[tokio::test]
async fn the_callback_redirects_browsers_and_returns_an_envelope_to_the_pass() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (_, declined) = server.challenge("register").await;
    let mut no = server.claims(somebody.me, &declined).await;
    no["decision"] = json!("declined");
    let (_, unread) = server.challenge("login").await;
    let late = server.approval_by_redirect(somebody.me, &declined).await;
    let mut wrong = server.claims(somebody.me, &unread).await;
    wrong["number"] = json!(1);
    let stranger = TestIssuer::new("k1").sign(&server.claims(somebody.me, &unread).await);
    let nowhere = server.approval_by_redirect(somebody.me, &uuid::Uuid::nil().to_string()).await;
    let sign = |claims: &Value| format!("statement={}", server.issuer.sign(claims));
    for (query, path, word, code) in [
        (sign(&no), "/register", "declined", "200"),
        (format!("statement={late}"), "/register", "expired", "803"),
        (sign(&wrong), "/login", "failed", "1010"),
        (format!("statement={stranger}"), "/login", "failed", "800"),
        (format!("statement={nowhere}"), "/login", "failed", "1010"),
        (format!("denied={unread}"), "/login", "failed", "400"),
        (String::new(), "/login", "failed", "400"),
    ] {
        let page = server.opens(&format!("/scan/callBack?{query}")).await;
        assert_eq!((page.path.as_str(), page.says("pass")), (path, Some(word)), "{query}");
        assert_eq!(server.get(&format!("/scan/callBack?{query}"), None).await.code(), code, "{query}");
    }
    let (_, old) = server.challenge("login").await;
    let statement = server.approval_by_redirect(somebody.me, &old).await;
    server.advance(Duration::minutes(3)).await;
    // The assertion itself has expired, so its contents are not trusted.
    assert_eq!(server.opens(&format!("/scan/callBack?statement={statement}")).await.says("pass"), Some("failed"));
    let statement = server.approval_by_redirect(somebody.me, &old).await;
    assert_eq!(server.opens(&format!("/scan/callBack?statement={statement}")).await.says("pass"), Some("expired"));
}

#[tokio::test]
async fn the_return_path_must_be_on_this_site() {
    let server = server().await;
    for path in ["//evil.example", "https://evil.example", "register", "/login%23x"] {
        let got = server.get(&format!("/scan/genQrCodeUrl/device-1?returnTo={path}"), None).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), ("400", &json!("returnTo")), "{path}");
    }
}
