use chrono::Duration;
use serde_json::json;

use crate::server::{PASSWORD, SECURITY, server};

#[tokio::test]
async fn a_repeated_login_command_returns_the_same_session() {
    let server = server().await;
    let somebody = server.somebody().await;
    let body = server.login_body(&somebody.email.to_uppercase(), PASSWORD).await;
    let first = server.post_as("login-once", "/user/login", None, &body).await;
    let again = server.post_as("login-once", "/user/login", None, &body).await;
    assert_eq!(first.data(), again.data());
    assert_eq!(first.data()["userId"], somebody.id);
    assert_eq!(first.data()["expiresAt"], "2026-01-08T12:00:00Z");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_get_the_same_response() {
    let server = server().await;
    let somebody = server.somebody().await;
    let wrong = server.login(&somebody.email, "Wrong-Horse7").await;
    let unknown = server.login("nobody@example.org", PASSWORD).await;
    assert_eq!((wrong.status, &wrong.body), (unknown.status, &unknown.body));
    assert_eq!(wrong.code(), "1004");
}

#[tokio::test]
async fn lockouts_grow_and_the_right_password_ends_them() {
    let server = server().await;
    let somebody = server.somebody().await;
    for _ in 0..5 {
        assert_eq!(server.login(&somebody.email, "Wrong-Horse7").await.code(), "1004");
    }
    let locked = server.login(&somebody.email, PASSWORD).await;
    assert_eq!((locked.status, locked.code(), &locked.headers["retry-after"]), (429, "429", &"60".parse().unwrap()));
    server.advance(Duration::seconds(60)).await;
    assert_eq!(server.login(&somebody.email, "Wrong-Horse7").await.code(), "1004");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.body["data"]["retryAfter"], 120);
    server.advance(Duration::seconds(120)).await;
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
    assert_eq!(server.login(&somebody.email, "Wrong-Horse7").await.code(), "1004");
}

#[tokio::test]
async fn concurrent_guesses_are_counted_individually() {
    let server = server().await;
    let somebody = server.somebody().await;
    let mut bodies = Vec::new();
    for _ in 0..12 {
        bodies.push(server.login_body(&somebody.email, "Wrong-Horse7").await);
    }
    let attempts = bodies.iter().map(|body| server.post("/user/login", None, body));
    let answers = futures::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|got| got.code() == "1004").count(), 5);
    assert_eq!(answers.iter().filter(|got| got.code() == "429").count(), 7);
}

#[tokio::test]
async fn an_encrypted_password_cannot_be_replayed() {
    let server = server().await;
    let somebody = server.somebody().await;
    let mut body = server.login_body(&somebody.email, PASSWORD).await;
    server.post("/user/login", None, &body).await.data();
    body["slideToken"] = json!(server.slide_token().await);
    assert_eq!(server.post("/user/login", None, &body).await.code(), "1019");
}

#[tokio::test]
async fn an_old_nonce_and_a_slide_token_of_another_command_are_refused() {
    let server = server().await;
    let somebody = server.somebody().await;
    let body = server.login_body(&somebody.email, PASSWORD).await;
    server.advance(Duration::minutes(11)).await;
    assert_eq!(server.post("/user/login", None, &body).await.code(), "SDK1003");
    let mut body = server.login_body(&somebody.email, PASSWORD).await;
    server.post("/user/login", None, &body).await.data();
    body["password"] = server.seal(PASSWORD).await;
    assert_eq!(server.post("/user/login", None, &body).await.code(), "SDK1003");
    body["slideToken"] = json!("");
    assert_eq!(server.post("/user/login", None, &body).await.code(), "999");
}

#[tokio::test]
async fn an_encryption_key_is_valid_for_its_day_and_the_next() {
    let server = server().await;
    let key = |got: &crate::server::Got| got.data()["keyId"].clone();
    let first = server.get("/user/secretKey", None).await;
    assert_eq!(key(&first), key(&server.get("/user/secretKey", None).await));
    server.advance(Duration::days(1)).await;
    assert_ne!(key(&first), key(&server.get("/user/secretKey", None).await));
}

#[tokio::test]
async fn a_session_ends_after_seven_days_or_by_logout_or_revocation() {
    let server = server().await;
    let somebody = server.somebody().await;
    let second = server.login(&somebody.email, PASSWORD).await;
    let second = second.data()["token"].as_str().unwrap().to_owned();
    let list = server.get("/user/session/list", Some(&second)).await;
    let lines = list.data().as_array().unwrap();
    assert_eq!(lines.len(), 2);
    let current = |line: &&serde_json::Value| line["current"] == true;
    assert_eq!(lines.iter().filter(current).count(), 1);
    assert_eq!(lines[0]["agent"], "test browser");
    let first = lines.iter().find(|line| !current(line)).unwrap();
    let path = format!("/user/session/revoke/{}", first["id"].as_str().unwrap());
    server.post(&path, Some(&second), &json!({})).await.data();
    assert_eq!(server.get("/user/hasSecurityCode", Some(&somebody.token)).await.code(), "401");
    server.post("/logout", Some(&second), &json!({})).await.data();
    assert_eq!(server.get("/user/hasSecurityCode", Some(&second)).await.code(), "401");
    let third = server.login(&somebody.email, PASSWORD).await;
    let third = third.data()["token"].as_str().unwrap();
    server.advance(Duration::days(7) - Duration::milliseconds(1)).await;
    assert_eq!(server.get("/user/hasSecurityCode", Some(third)).await.code(), "200");
    server.advance(Duration::milliseconds(1)).await;
    assert_eq!(server.get("/user/hasSecurityCode", Some(third)).await.code(), "401");
}

#[tokio::test]
async fn logout_takes_the_user_offline() {
    let server = server().await;
    let somebody = server.somebody().await;
    let user = domain::ids::UserId(somebody.id.parse().unwrap());
    let mut tx = server.database.store.begin().await.unwrap();
    store::users::set_online(&mut tx, &[store::users::Switch { user, online: true, cause: None }]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(server.info(&somebody).await["online"], true);
    server.post("/logout", Some(&somebody.token), &json!({})).await.data();
    let again = server.login(&somebody.email, PASSWORD).await;
    let again = crate::server::Somebody { token: again.data()["token"].as_str().unwrap().into(), ..somebody };
    assert_eq!(server.info(&again).await["online"], false);
}

#[tokio::test]
async fn users_cannot_end_the_sessions_of_others() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    let list = server.get("/user/session/list", Some(&one.token)).await;
    let path = format!("/user/session/revoke/{}", list.data()[0]["id"].as_str().unwrap());
    assert_eq!(server.post(&path, Some(&two.token), &json!({})).await.code(), "1016");
    assert_eq!(server.get("/user/hasSecurityCode", Some(&one.token)).await.code(), "200");
    server.post(&path, Some(&one.token), &json!({})).await.data();
    assert_eq!(server.get("/user/hasSecurityCode", Some(&one.token)).await.code(), "401");
}

#[tokio::test]
async fn a_user_ends_all_other_sessions_of_theirs_and_nobody_elses() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    let here = server.login(&one.email, PASSWORD).await;
    let here = here.data()["token"].as_str().unwrap().to_owned();
    assert_eq!(server.post("/user/session/revokeOthers", None, &json!({})).await.code(), "401");
    for _ in 0..2 {
        server.post("/user/session/revokeOthers", Some(&here), &json!({})).await.data();
    }
    assert_eq!(server.get("/user/hasSecurityCode", Some(&one.token)).await.code(), "401");
    assert_eq!(server.get("/user/hasSecurityCode", Some(&here)).await.code(), "200");
    assert_eq!(server.get("/user/hasSecurityCode", Some(&two.token)).await.code(), "200");
}

#[tokio::test]
async fn resetting_a_password_by_code_ends_all_sessions_and_holds_the_account() {
    let server = server().await;
    let somebody = server.somebody().await;
    let code = server.code(&somebody.email, "reset").await;
    let id = server.code_id(&somebody.email, "reset");
    let same = json!({"email": somebody.email, "emailCode": code, "emailCodeId": id, "newPassword": server.seal(PASSWORD).await});
    assert_eq!(server.post("/user/resetPassword", None, &same).await.code(), "1032");
    let body = json!({"email": somebody.email, "emailCode": code, "emailCodeId": id, "newPassword": server.seal("Fresh-Horse8").await});
    server.post_as("reset-once", "/user/resetPassword", None, &body).await.data();
    server.post_as("reset-once", "/user/resetPassword", None, &body).await.data();
    assert_eq!(server.get("/user/hasSecurityCode", Some(&somebody.token)).await.code(), "401");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "1004");
    let fresh = server.login(&somebody.email, "Fresh-Horse8").await;
    let fresh = crate::server::Somebody { token: fresh.data()["token"].as_str().unwrap().into(), ..somebody };
    assert_eq!(server.info(&fresh).await["holdUntil"], "2026-01-02T12:00:00Z");
    let again = json!({"email": fresh.email, "emailCode": code, "emailCodeId": id, "newPassword": server.seal("Other-Horse9").await});
    assert_eq!(server.post("/user/resetPassword", None, &again).await.code(), "1013");
}

#[tokio::test]
async fn a_password_can_be_reset_only_through_the_users_own_pass() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    for (me, code) in [(two.me, "1012"), (one.me, "200")] {
        let got = server.get(&format!("/scan/resetByEmail?email={}", one.email), None).await;
        let (secret, challenge) = crate::server::named(got.data());
        server.approve(&server.claims(me, &challenge).await).await.data();
        let result = server.get(&format!("/scan/result/{secret}"), None).await;
        assert_eq!(result.data()["session"], serde_json::Value::Null);
        let body = json!({"ticket": secret, "newPassword": server.seal("Fresh-Horse8").await});
        assert_eq!(server.post("/user/unBindResetPassword", None, &body).await.code(), code);
    }
    assert_eq!(server.login(&one.email, "Fresh-Horse8").await.code(), "200");
    assert_eq!(server.login(&two.email, PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn wrong_security_passwords_lock_out() {
    let server = server().await;
    let somebody = server.somebody().await;
    let set = json!({"newSecurityCode": server.seal(SECURITY).await, "password": server.seal(PASSWORD).await});
    server.update(&somebody, &set).await.data();
    for left in [4, 3, 2, 1, 0] {
        let body = json!({
            "newSecurityCode": server.seal("another-secret").await,
            "securityCode": server.seal("not-the-secret").await
        });
        let got = server.update(&somebody, &body).await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("USER3011", &json!(left)));
    }
    let body = json!({
        "newSecurityCode": server.seal("another-secret").await,
        "securityCode": server.seal(SECURITY).await
    });
    assert_eq!(server.update(&somebody, &body).await.code(), "429");
}
