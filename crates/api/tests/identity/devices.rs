//! Logins without the slide check, from devices that the account knows.

use axum::http::header;
use chrono::Duration;
use serde_json::{Value, json};

use crate::server::{Got, PASSWORD, SECURITY, Somebody, TestServer, named, server};

/// The refusal of a login that needs the slide check.
const AT_RISK: &str = "1042";
const WRONG: &str = "Wrong-Horse7";
const FRESH: &str = "Fresh-Horse8";

impl TestServer {
    /// Logs in without a slide check, with the cookie of a device.
    async fn login_unchecked(&self, cookie: Option<&str>, email: &str, password: &str) -> Got {
        let body = json!({"email": email, "password": self.seal(password).await});
        self.post_with_cookie(&format!("key-{:08}", self.number()), "/user/login", cookie, &body).await
    }

    /// Logs in with a slide check. Returns the cookie of the device.
    async fn login_checked(&self, cookie: Option<&str>, email: &str, password: &str) -> String {
        let body = self.login_body(email, password).await;
        let key = format!("key-{:08}", self.number());
        let got = self.post_with_cookie(&key, "/user/login", cookie, &body).await;
        got.data();
        device_cookie(&got).unwrap()
    }

    /// Registers a user and makes a device known to the account. Returns the cookie of the device.
    async fn somebody_with_device(&self) -> (Somebody, String) {
        let somebody = self.somebody().await;
        let cookie = self.login_checked(None, &somebody.email, PASSWORD).await;
        (somebody, cookie)
    }

    async fn devices(&self) -> i64 {
        self.database.count("select count(*) from login_devices").await
    }
}

/// Returns the device's cookie that a response sets, as a request sends it.
pub(crate) fn device_cookie(got: &Got) -> Option<String> {
    let cookie = got.headers.get(header::SET_COOKIE)?.to_str().unwrap();
    Some(cookie.split(';').next().unwrap().to_owned())
}

/// Returns what a client can see of a refusal.
fn visible(got: &Got) -> (u16, Value, Vec<(String, String)>) {
    let mut headers: Vec<_> = got
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id")
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    (got.status, got.body.clone(), headers)
}

#[tokio::test]
async fn a_known_device_needs_no_slide_check() {
    let server = server().await;
    let somebody = server.somebody().await;
    let refused = server.login_unchecked(None, &somebody.email, PASSWORD).await;
    assert_eq!((refused.status, refused.code(), &refused.body["data"]["field"]), (403, AT_RISK, &json!("slideToken")));
    assert_eq!((device_cookie(&refused), server.devices().await), (None, 0), "registration makes no device known");

    let got = server.login(&somebody.email, PASSWORD).await;
    let set = got.headers[header::SET_COOKIE].to_str().unwrap();
    let attributes: Vec<_> = set.split("; ").skip(1).collect();
    let wanted = ["Path=/api", "HttpOnly", "SameSite=Strict", "Secure", "Max-Age=15552000"];
    assert_eq!(attributes, wanted);
    let cookie = device_cookie(&got).unwrap();
    let again = server.login_unchecked(Some(&cookie), &somebody.email.to_uppercase(), PASSWORD).await;
    assert_eq!(again.data()["userId"], somebody.id);
    assert_eq!(device_cookie(&again), Some(cookie.clone()), "the cookie lasts longer");
    assert_eq!(server.login_unchecked(Some(&cookie), &somebody.email, WRONG).await.code(), "1004");
    assert_eq!(server.login_unchecked(Some(&cookie), &somebody.email, PASSWORD).await.code(), "200");
    let twice = format!("{cookie}; {cookie}");
    assert_eq!(server.login_unchecked(Some(&twice), &somebody.email, PASSWORD).await.code(), AT_RISK);
    let body = json!({"email": somebody.email, "password": server.seal(PASSWORD).await, "slideToken": "never-solved"});
    let got = server.post_with_cookie("a-wrong-token", "/user/login", Some(&cookie), &body).await;
    assert_eq!(got.code(), "SDK1003", "a slide check that was sent must be solved");
    assert_eq!(server.devices().await, 1);
}

#[tokio::test]
async fn the_refusal_reveals_neither_accounts_nor_devices_and_checks_no_password() {
    let server = server().await;
    let ((one, cookie), (two, other)) = (server.somebody_with_device().await, server.somebody_with_device().await);
    let (name, value) = cookie.split_once('=').unwrap();
    let (id, signature) = value.split_once('.').unwrap();
    let foreign = other.split_once('=').unwrap().1.split_once('.').unwrap().0.to_owned();
    let altered = if signature.starts_with('A') { 'B' } else { 'A' };
    let forged = [
        format!("{name}={id}"),
        format!("{name}={id}."),
        format!("{name}={foreign}.{signature}"),
        format!("{name}={id}.{altered}{}", &signature[1..]),
        format!("{name}={id}.{id}"),
        format!("other{cookie}"),
    ];
    let expected = visible(&server.login_unchecked(None, "nobody@example.org", PASSWORD).await);
    assert_eq!(expected.1["code"], AT_RISK);
    let cookies = forged.iter().map(String::as_str).chain([other.as_str()]).map(Some).chain([None]);
    for cookie in cookies {
        for (email, password) in
            [(&one.email, PASSWORD), (&one.email, WRONG), (&"nobody@example.org".to_owned(), WRONG)]
        {
            let got = server.login_unchecked(cookie, email, password).await;
            assert_eq!(visible(&got), expected, "{cookie:?} {email}");
        }
    }
    // The user of the other cookie learns nothing about others, but may log in.
    assert_eq!(server.login_unchecked(Some(&other), &two.email, PASSWORD).await.code(), "200");
    // Nothing was counted as a guess, so there is no lockout, and no encrypted password was used up.
    assert_eq!(server.database.count("select count(*) from guesses").await, 0);
    let mut body = json!({"email": one.email, "password": server.seal(PASSWORD).await});
    assert_eq!(server.post("/user/login", None, &body).await.code(), AT_RISK);
    body["slideToken"] = json!(server.slide_token().await);
    assert_eq!(server.post("/user/login", None, &body).await.code(), "200");
}

#[tokio::test]
async fn users_who_share_a_browser_share_its_cookie() {
    let server = server().await;
    let (one, cookie) = server.somebody_with_device().await;
    let two = server.somebody().await;
    assert_eq!(server.login_unchecked(Some(&cookie), &two.email, PASSWORD).await.code(), AT_RISK);
    assert_eq!(server.login_checked(Some(&cookie), &two.email, PASSWORD).await, cookie);
    for who in [&one, &two] {
        assert_eq!(server.login_unchecked(Some(&cookie), &who.email, PASSWORD).await.code(), "200");
    }
}

#[tokio::test]
async fn after_three_wrong_passwords_a_known_device_needs_the_slide_check() {
    let server = server().await;
    let (somebody, cookie) = server.somebody_with_device().await;
    // Strangers guess from their own networks.
    server.come_from("203.0.113.5");
    for _ in 0..4 {
        assert_eq!(server.login(&somebody.email, WRONG).await.code(), "1004");
    }
    server.come_home();
    let guess =
        async |password| server.login_unchecked(Some(&cookie), &somebody.email, password).await.code().to_owned();
    for _ in 0..3 {
        assert_eq!(guess(WRONG).await, "1004");
    }
    for password in [WRONG, PASSWORD] {
        assert_eq!(guess(password).await, AT_RISK);
    }
    assert_eq!(server.login_checked(Some(&cookie), &somebody.email, PASSWORD).await, cookie);
    assert_eq!(guess(PASSWORD).await, "200");
}

#[tokio::test]
async fn concurrent_guesses_from_a_known_device_are_counted_individually() {
    let server = server().await;
    let (somebody, cookie) = server.somebody_with_device().await;
    let guesses = (0..8).map(|_| server.login_unchecked(Some(&cookie), &somebody.email, WRONG));
    let answers = futures::future::join_all(guesses).await;
    let count = |code| answers.iter().filter(|got| got.code() == code).count();
    assert_eq!((count("1004"), count(AT_RISK)), (3, 5));
}

#[tokio::test]
async fn a_repeated_login_gets_the_same_session_and_the_same_device() {
    let server = server().await;
    let somebody = server.somebody().await;
    let body = server.login_body(&somebody.email, PASSWORD).await;
    let checked = async || server.post_with_cookie("with-the-check", "/user/login", None, &body).await;
    let (first, again) = (checked().await, checked().await);
    assert_eq!((first.data(), device_cookie(&first)), (again.data(), device_cookie(&again)));
    assert_eq!(server.devices().await, 1);

    let cookie = device_cookie(&first).unwrap();
    let body = json!({"email": somebody.email, "password": server.seal(PASSWORD).await});
    let known = async |cookie| server.post_with_cookie("without-it", "/user/login", cookie, &body).await;
    let (first, again) = (known(Some(cookie.as_str())).await, known(Some(cookie.as_str())).await);
    assert_eq!((first.data(), device_cookie(&first)), (again.data(), Some(cookie.clone())));
    assert_eq!(server.devices().await, 1);
    // The encrypted password opens nothing under another key.
    let got = server.post_with_cookie("another-key", "/user/login", Some(&cookie), &body).await;
    assert_eq!(got.code(), "1019");
}

#[tokio::test]
async fn a_reset_and_a_change_of_the_account_make_all_devices_unknown() {
    let server = server().await;
    let (somebody, cookie) = server.somebody_with_device().await;
    let elsewhere = server.login_checked(None, &somebody.email, PASSWORD).await;
    assert_ne!(elsewhere, cookie);
    let forgotten = async |email: &str, password: &str| {
        for device in [&cookie, &elsewhere] {
            assert_eq!(server.login_unchecked(Some(device), email, password).await.code(), AT_RISK);
        }
        assert_eq!(server.login_checked(Some(&cookie), email, password).await, cookie);
        assert_eq!(server.login_unchecked(Some(&cookie), email, password).await.code(), "200");
        server.login_checked(Some(&elsewhere), email, password).await;
    };
    let code = server.code(&somebody.email, "reset").await;
    let id = server.code_id(&somebody.email, "reset");
    let body =
        json!({"email": somebody.email, "emailCode": code, "emailCodeId": id, "newPassword": server.seal(FRESH).await});
    server.post("/user/resetPassword", None, &body).await.data();
    forgotten(&somebody.email, FRESH).await;

    let got = server.get(&format!("/scan/resetByEmail?email={}", somebody.email), None).await;
    let (secret, challenge) = named(got.data());
    server.approve(&server.claims(somebody.me, &challenge).await).await.data();
    let body = json!({"ticket": secret, "newPassword": server.seal(PASSWORD).await});
    server.post("/user/unBindResetPassword", None, &body).await.data();
    forgotten(&somebody.email, PASSWORD).await;

    server.advance(Duration::hours(24)).await;
    let got = server.login(&somebody.email, PASSWORD).await;
    let somebody = Somebody { token: got.data()["token"].as_str().unwrap().to_owned(), ..somebody };
    let body = json!({"newPassword": server.seal(FRESH).await, "password": server.seal(PASSWORD).await});
    server.update(&somebody, &body).await.data();
    forgotten(&somebody.email, FRESH).await;

    // A nickname concerns no device.
    server.update(&somebody, &json!({"nickname": "Somebody1"})).await.data();
    assert_eq!(server.login_unchecked(Some(&cookie), &somebody.email, FRESH).await.code(), "200");

    server.advance(Duration::hours(24)).await;
    let body = json!({"newSecurityCode": server.seal(SECURITY).await, "password": server.seal(FRESH).await});
    server.update(&somebody, &body).await.data();
    let email = "moved@example.org";
    server.post("/email/send", Some(&somebody.token), &json!({"purpose": "security", "email": email})).await.data();
    let code = server.mail.code_for(email).unwrap();
    let body = json!({"email": email, "emailCode": code, "securityCode": server.seal(SECURITY).await});
    server.update(&somebody, &body).await.data();
    forgotten(email, FRESH).await;
    assert_eq!(
        server.login_unchecked(Some(&cookie), &somebody.email, FRESH).await.code(),
        AT_RISK,
        "nobody's address now"
    );
}

#[tokio::test]
async fn a_device_is_known_for_180_days_after_its_last_login() {
    let server = server().await;
    let (somebody, cookie) = server.somebody_with_device().await;
    let log_in = async || server.login_unchecked(Some(&cookie), &somebody.email, PASSWORD).await.code().to_owned();
    for _ in 0..2 {
        server.advance(Duration::days(180) - Duration::milliseconds(1)).await;
        assert_eq!(log_in().await, "200");
    }
    server.advance(Duration::days(180)).await;
    assert_eq!(log_in().await, AT_RISK);
    assert_eq!(server.devices().await, 1);
    app::identity::sweep(&server.context).await.unwrap();
    assert_eq!(server.devices().await, 0);
}

#[tokio::test]
async fn an_account_knows_the_twenty_devices_that_were_used_last() {
    let server = server().await;
    let (somebody, first) = server.somebody_with_device().await;
    let mut cookies = Vec::new();
    for _ in 0..19 {
        server.advance(Duration::seconds(1)).await;
        cookies.push(server.login_checked(None, &somebody.email, PASSWORD).await);
    }
    server.advance(Duration::seconds(1)).await;
    let log_in =
        async |cookie: &str| server.login_unchecked(Some(cookie), &somebody.email, PASSWORD).await.code().to_owned();
    assert_eq!(log_in(&first).await, "200");
    server.advance(Duration::seconds(1)).await;
    server.login_checked(None, &somebody.email, PASSWORD).await;
    assert_eq!(server.devices().await, 20);
    assert_eq!(log_in(&cookies[0]).await, AT_RISK, "the one that was not used for longest");
    assert_eq!((log_in(&first).await, log_in(&cookies[1]).await), ("200".to_owned(), "200".to_owned()));
}

/// An accomplice keeps the counter of strangers full. The owner's phone has moved to a network that the account has never used.
#[tokio::test]
async fn strangers_do_not_lock_the_owner_out_of_a_known_device_in_a_new_network() {
    let server = server().await;
    let (somebody, cookie) = server.somebody_with_device().await;
    for network in 1..=5 {
        server.come_from(&format!("203.0.113.{network}"));
        for _ in 0..4 {
            server.login(&somebody.email, WRONG).await;
        }
    }
    server.come_from("198.51.100.7");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.status, 429, "a device that the account does not know");
    assert_eq!(server.login_unchecked(Some(&cookie), &somebody.email, PASSWORD).await.code(), "200");
}

/// The thief of a cookie gains no slide checks by guessing from many networks.
#[tokio::test]
async fn wrong_passwords_of_a_known_device_are_counted_over_all_networks() {
    let server = server().await;
    let (somebody, cookie) = server.somebody_with_device().await;
    for (network, expected) in [(1, "1004"), (2, "1004"), (3, "1004"), (4, AT_RISK)] {
        server.come_from(&format!("203.0.113.{network}"));
        let got = server.login_unchecked(Some(&cookie), &somebody.email, WRONG).await;
        assert_eq!(got.code(), expected, "{network}");
    }
    server.come_home();
    assert_eq!(server.login_unchecked(None, &somebody.email, PASSWORD).await.code(), AT_RISK);
    assert_eq!(server.login_checked(Some(&cookie), &somebody.email, PASSWORD).await, cookie);
}
