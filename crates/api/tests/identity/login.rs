use chrono::Duration;
use serde_json::json;

use crate::world::{PASSWORD, SECURITY, world};

#[tokio::test]
async fn the_right_password_opens_a_session_and_the_same_command_the_same_one() {
    let world = world().await;
    let somebody = world.somebody().await;
    let body = world.login_body(&somebody.email.to_uppercase(), PASSWORD).await;
    let first = world.post_as("login-once", "/user/login", None, &body).await;
    let again = world.post_as("login-once", "/user/login", None, &body).await;
    assert_eq!(first.data(), again.data());
    assert_eq!(first.data()["userId"], somebody.id);
    assert_eq!(first.data()["expiresAt"], "2026-01-08T12:00:00Z");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_are_answered_alike() {
    let world = world().await;
    let somebody = world.somebody().await;
    let wrong = world.login(&somebody.email, "Wrong-Horse7").await;
    let unknown = world.login("nobody@example.org", PASSWORD).await;
    assert_eq!((wrong.status, &wrong.body), (unknown.status, &unknown.body));
    assert_eq!(wrong.code(), "1004");
}

#[tokio::test]
async fn guessing_locks_out_with_back_off_and_the_right_password_ends_it() {
    let world = world().await;
    let somebody = world.somebody().await;
    for _ in 0..5 {
        assert_eq!(world.login(&somebody.email, "Wrong-Horse7").await.code(), "1004");
    }
    let locked = world.login(&somebody.email, PASSWORD).await;
    assert_eq!((locked.status, locked.code(), &locked.headers["retry-after"]), (429, "429", &"60".parse().unwrap()));
    world.advance(Duration::seconds(60)).await;
    assert_eq!(world.login(&somebody.email, "Wrong-Horse7").await.code(), "1004");
    assert_eq!(world.login(&somebody.email, PASSWORD).await.body["data"]["retryAfter"], 120);
    world.advance(Duration::seconds(120)).await;
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
    assert_eq!(world.login(&somebody.email, "Wrong-Horse7").await.code(), "1004");
}

#[tokio::test]
async fn many_guesses_at_once_are_counted_one_by_one() {
    let world = world().await;
    let somebody = world.somebody().await;
    let mut bodies = Vec::new();
    for _ in 0..12 {
        bodies.push(world.login_body(&somebody.email, "Wrong-Horse7").await);
    }
    let attempts = bodies.iter().map(|body| world.post("/user/login", None, body));
    let answers = futures::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|got| got.code() == "1004").count(), 5);
    assert_eq!(answers.iter().filter(|got| got.code() == "429").count(), 7);
}

#[tokio::test]
async fn a_password_that_was_sent_cannot_be_sent_again_by_somebody_else() {
    let world = world().await;
    let somebody = world.somebody().await;
    let mut body = world.login_body(&somebody.email, PASSWORD).await;
    world.post("/user/login", None, &body).await.data();
    body["slideToken"] = json!(world.slide_token().await);
    assert_eq!(world.post("/user/login", None, &body).await.code(), "1019");
}

#[tokio::test]
async fn an_old_nonce_and_a_slide_token_of_another_command_are_refused() {
    let world = world().await;
    let somebody = world.somebody().await;
    let body = world.login_body(&somebody.email, PASSWORD).await;
    world.advance(Duration::minutes(11)).await;
    assert_eq!(world.post("/user/login", None, &body).await.code(), "SDK1003");
    let mut body = world.login_body(&somebody.email, PASSWORD).await;
    world.post("/user/login", None, &body).await.data();
    body["password"] = world.seal(PASSWORD).await;
    assert_eq!(world.post("/user/login", None, &body).await.code(), "SDK1003");
    body["slideToken"] = json!("");
    assert_eq!(world.post("/user/login", None, &body).await.code(), "999");
}

#[tokio::test]
async fn a_key_is_good_for_its_day_and_the_next_and_then_another_is_published() {
    let world = world().await;
    let key = |got: &crate::world::Got| got.data()["keyId"].clone();
    let first = world.get("/user/secretKey", None).await;
    assert_eq!(key(&first), key(&world.get("/user/secretKey", None).await));
    world.advance(Duration::days(1)).await;
    assert_ne!(key(&first), key(&world.get("/user/secretKey", None).await));
}

#[tokio::test]
async fn a_session_ends_after_seven_days_by_logout_and_by_revocation() {
    let world = world().await;
    let somebody = world.somebody().await;
    let second = world.login(&somebody.email, PASSWORD).await;
    let second = second.data()["token"].as_str().unwrap().to_owned();
    let list = world.get("/user/session/list", Some(&second)).await;
    let lines = list.data().as_array().unwrap();
    assert_eq!(lines.len(), 2);
    let current = |line: &&serde_json::Value| line["current"] == true;
    assert_eq!(lines.iter().filter(current).count(), 1);
    assert_eq!(lines[0]["agent"], "test browser");
    let first = lines.iter().find(|line| !current(line)).unwrap();
    let path = format!("/user/session/revoke/{}", first["id"].as_str().unwrap());
    world.post(&path, Some(&second), &json!({})).await.data();
    assert_eq!(world.get("/user/hasSecurityCode", Some(&somebody.token)).await.code(), "401");
    world.post("/logout", Some(&second), &json!({})).await.data();
    assert_eq!(world.get("/user/hasSecurityCode", Some(&second)).await.code(), "401");
    let third = world.login(&somebody.email, PASSWORD).await;
    let third = third.data()["token"].as_str().unwrap();
    world.advance(Duration::days(7) - Duration::milliseconds(1)).await;
    assert_eq!(world.get("/user/hasSecurityCode", Some(third)).await.code(), "200");
    world.advance(Duration::milliseconds(1)).await;
    assert_eq!(world.get("/user/hasSecurityCode", Some(third)).await.code(), "401");
}

#[tokio::test]
async fn logout_turns_the_switch_off() {
    let world = world().await;
    let somebody = world.somebody().await;
    let user = domain::ids::UserId(somebody.id.parse().unwrap());
    let mut tx = world.database.store.begin().await.unwrap();
    store::people::set_online(&mut tx, user, true).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.info(&somebody).await["online"], true);
    world.post("/logout", Some(&somebody.token), &json!({})).await.data();
    let again = world.login(&somebody.email, PASSWORD).await;
    let again = crate::world::Somebody { token: again.data()["token"].as_str().unwrap().into(), ..somebody };
    assert_eq!(world.info(&again).await["online"], false);
}

#[tokio::test]
async fn somebody_else_cannot_end_my_session() {
    let world = world().await;
    let (one, two) = (world.somebody().await, world.somebody().await);
    let list = world.get("/user/session/list", Some(&one.token)).await;
    let path = format!("/user/session/revoke/{}", list.data()[0]["id"].as_str().unwrap());
    assert_eq!(world.post(&path, Some(&two.token), &json!({})).await.code(), "1016");
    assert_eq!(world.get("/user/hasSecurityCode", Some(&one.token)).await.code(), "200");
    world.post(&path, Some(&one.token), &json!({})).await.data();
    assert_eq!(world.get("/user/hasSecurityCode", Some(&one.token)).await.code(), "401");
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_code_and_everything_ends_and_is_held() {
    let world = world().await;
    let somebody = world.somebody().await;
    let code = world.code(&somebody.email, "reset").await;
    let id = world.code_id(&somebody.email, "reset");
    let same = json!({"email": somebody.email, "emailCode": code, "emailCodeId": id, "newPassword": world.seal(PASSWORD).await});
    assert_eq!(world.post("/user/resetPassword", None, &same).await.code(), "1032");
    let body = json!({"email": somebody.email, "emailCode": code, "emailCodeId": id, "newPassword": world.seal("Fresh-Horse8").await});
    world.post_as("reset-once", "/user/resetPassword", None, &body).await.data();
    world.post_as("reset-once", "/user/resetPassword", None, &body).await.data();
    assert_eq!(world.get("/user/hasSecurityCode", Some(&somebody.token)).await.code(), "401");
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "1004");
    let fresh = world.login(&somebody.email, "Fresh-Horse8").await;
    let fresh = crate::world::Somebody { token: fresh.data()["token"].as_str().unwrap().into(), ..somebody };
    assert_eq!(world.info(&fresh).await["holdUntil"], "2026-01-02T12:00:00Z");
    let again = json!({"email": fresh.email, "emailCode": code, "emailCodeId": id, "newPassword": world.seal("Other-Horse9").await});
    assert_eq!(world.post("/user/resetPassword", None, &again).await.code(), "1013");
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_the_pass_and_by_nobody_elses() {
    let world = world().await;
    let (one, two) = (world.somebody().await, world.somebody().await);
    for (me, code) in [(two.me, "1012"), (one.me, "200")] {
        let got = world.get(&format!("/scan/resetByEmail?email={}", one.email), None).await;
        let (secret, challenge) = crate::world::named(got.data());
        world.approve(&world.claims(me, &challenge).await).await.data();
        let result = world.get(&format!("/scan/result/{secret}"), None).await;
        assert_eq!(result.data()["session"], serde_json::Value::Null);
        let body = json!({"ticket": secret, "newPassword": world.seal("Fresh-Horse8").await});
        assert_eq!(world.post("/user/unBindResetPassword", None, &body).await.code(), code);
    }
    assert_eq!(world.login(&one.email, "Fresh-Horse8").await.code(), "200");
    assert_eq!(world.login(&two.email, PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn a_wrong_security_password_is_counted_and_locks_out() {
    let world = world().await;
    let somebody = world.somebody().await;
    let set = json!({"newSecurityCode": world.seal(SECURITY).await, "password": world.seal(PASSWORD).await});
    world.update(&somebody, &set).await.data();
    for left in [4, 3, 2, 1, 0] {
        let body = json!({
            "newSecurityCode": world.seal("another-secret").await,
            "securityCode": world.seal("not-the-secret").await
        });
        let got = world.update(&somebody, &body).await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("USER3011", &json!(left)));
    }
    let body = json!({
        "newSecurityCode": world.seal("another-secret").await,
        "securityCode": world.seal(SECURITY).await
    });
    assert_eq!(world.update(&somebody, &body).await.code(), "429");
}
