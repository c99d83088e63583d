//! Lockouts after wrong guesses at passwords and codes.

use chrono::Duration;
use serde_json::{Value, json};

use crate::server::{Got, PASSWORD, SECURITY, Somebody, TestServer, server};

const STRANGER: &str = "203.0.113.9";
const WRONG: &str = "Wrong-Horse7";

/// Returns a different network address for each number.
fn network(number: usize) -> String {
    format!("2001:db8:0:{number:x}::1")
}

async fn guess_from(server: &TestServer, address: &str, email: &str) -> Got {
    server.come_from(address);
    server.login(email, WRONG).await
}

#[tokio::test]
async fn a_strangers_guesses_lock_out_the_stranger_and_not_the_owner() {
    let server = server().await;
    let somebody = server.somebody().await;
    for _ in 0..5 {
        assert_eq!(guess_from(&server, STRANGER, &somebody.email).await.code(), "1004");
    }
    let locked = guess_from(&server, STRANGER, &somebody.email).await;
    assert_eq!((locked.code(), &locked.body["data"]["retryAfter"]), ("429", &json!(60)));
    // The owner can log in from the network of the registration and from others.
    server.come_home();
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
    server.come_from("192.0.2.77");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
    // This resets the lockout of the owner's networks, not of the stranger's.
    server.come_from(STRANGER);
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "429");
}

#[tokio::test]
async fn guesses_from_many_networks_are_counted_together_without_locking_known_networks() {
    let server = server().await;
    let somebody = server.somebody().await;
    for number in 0..20 {
        assert_eq!(guess_from(&server, &network(number), &somebody.email).await.code(), "1004");
    }
    for (number, seconds) in [(20, 60), (21, 120), (22, 240)] {
        let locked = guess_from(&server, &network(number), &somebody.email).await;
        assert_eq!((locked.code(), &locked.body["data"]["retryAfter"]), ("429", &json!(seconds)));
        server.come_home();
        assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
        server.advance(Duration::seconds(seconds)).await;
        assert_eq!(guess_from(&server, &network(number), &somebody.email).await.code(), "1004");
    }
    // A day after the lockout, all guesses are forgotten.
    server.advance(Duration::seconds(480) + Duration::days(1)).await;
    for number in 30..50 {
        assert_eq!(guess_from(&server, &network(number), &somebody.email).await.code(), "1004");
    }
    assert_eq!(guess_from(&server, &network(50), &somebody.email).await.code(), "429");
}

#[tokio::test]
async fn a_login_from_a_new_network_does_not_reset_the_strangers_guesses() {
    let server = server().await;
    let somebody = server.somebody().await;
    for number in 0..19 {
        guess_from(&server, &network(number), &somebody.email).await;
    }
    server.come_from("192.0.2.77");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
    assert_eq!(guess_from(&server, &network(19), &somebody.email).await.code(), "1004");
    assert_eq!(guess_from(&server, &network(20), &somebody.email).await.code(), "429");
    server.come_from("192.0.2.77");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200", "a known network now");
}

#[tokio::test]
async fn concurrent_guesses_from_many_networks_are_counted_individually() {
    let server = server().await;
    let somebody = server.somebody().await;
    let mut bodies = Vec::new();
    for _ in 0..24 {
        bodies.push(server.login_body(&somebody.email, WRONG).await);
    }
    let attempts = bodies.iter().enumerate().map(|(number, body)| {
        let server = &server;
        async move { server.post_from(&network(number), "/user/login", body).await }
    });
    let answers = futures::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|got| got.code() == "1004").count(), 20);
    assert_eq!(answers.iter().filter(|got| got.code() == "429").count(), 4);
}

#[tokio::test]
async fn an_email_address_without_an_account_is_locked_out_like_one_with_an_account() {
    let server = server().await;
    let somebody = server.somebody().await;
    let mut answers: Vec<Vec<(u16, Value)>> = Vec::new();
    for email in [somebody.email.as_str(), "nobody@example.org"] {
        let mut said = Vec::new();
        for number in std::iter::repeat_n(0, 7).chain(1..20) {
            let got = guess_from(&server, &network(number), email).await;
            said.push((got.status, got.body));
        }
        answers.push(said);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].iter().any(|(status, _)| *status == 429));
}

/// Sets the first security password.
async fn protect(server: &TestServer, somebody: &Somebody) {
    let body = json!({"newSecurityCode": server.seal(SECURITY).await, "password": server.seal(PASSWORD).await});
    server.update(somebody, &body).await.data();
}

/// Withdraws an unknown asset, which returns 1016 if the security password is correct.
async fn extract(server: &TestServer, somebody: &Somebody, security: &str) -> Got {
    let body = json!({"asset": "nothing", "securityCode": server.seal(security).await});
    server.post("/balance/extract", Some(&somebody.token), &body).await
}

#[tokio::test]
async fn guesses_in_a_stolen_session_do_not_lock_out_the_owner() {
    let server = server().await;
    let somebody = server.somebody().await;
    protect(&server, &somebody).await;
    server.come_from(STRANGER);
    for left in [4, 3, 2, 1, 0] {
        let got = extract(&server, &somebody, "not-the-secret").await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("USER3011", &json!(left)));
    }
    assert_eq!(extract(&server, &somebody, SECURITY).await.code(), "429");
    // Guesses at the login password, which can change the security password, are limited as well.
    for code in ["1004", "1004", "1004", "1004", "1004", "429"] {
        let body = json!({"newPassword": server.seal("Fresh-Horse8").await, "password": server.seal(WRONG).await});
        assert_eq!(server.update(&somebody, &body).await.code(), code);
    }
    server.come_home();
    assert_eq!(extract(&server, &somebody, SECURITY).await.code(), "1016");
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
    for number in 0..15 {
        server.come_from(&network(number));
        assert_eq!(extract(&server, &somebody, "not-the-secret").await.code(), "USER3011");
    }
    server.come_from(&network(15));
    assert_eq!(extract(&server, &somebody, "not-the-secret").await.code(), "429", "twenty from unknown networks");
    server.come_home();
    assert_eq!(extract(&server, &somebody, SECURITY).await.code(), "1016");
}

#[tokio::test]
async fn the_same_security_password_for_many_concurrent_commands_is_one_guess() {
    let server = server().await;
    let somebody = server.somebody().await;
    protect(&server, &somebody).await;
    server.come_from(STRANGER);
    let at_once = |security: &'static str, many: usize| {
        let (server, somebody) = (&server, &somebody);
        async move {
            let all = (0..many).map(|_| extract(server, somebody, security));
            futures::future::join_all(all).await.iter().map(Got::code).map(str::to_owned).collect::<Vec<_>>()
        }
    };
    assert_eq!(at_once(SECURITY, 40).await, ["1016"; 40]);
    let wrong = at_once("not-the-secret", 3).await;
    assert!(wrong.iter().all(|code| code == "USER3011"), "{wrong:?}");
    let different =
        ["not-the-secret-1", "not-the-secret-2", "not-the-secret-3", "not-the-secret-4", "not-the-secret-5"];
    let all = different.map(|security| extract(&server, &somebody, security));
    let codes = futures::future::join_all(all).await;
    assert!(codes.iter().any(|got| got.code() == "429"), "different guesses are counted one by one");
}

#[tokio::test]
async fn at_most_ten_networks_a_day_become_known() {
    let server = server().await;
    let somebody = server.somebody().await;
    for number in 1..=10 {
        server.come_from(&network(number));
        assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
    }
    for number in 100..120 {
        guess_from(&server, &network(number), &somebody.email).await;
    }
    for (number, code) in [(1, "200"), (9, "200"), (10, "429")] {
        server.come_from(&network(number));
        assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), code, "network {number}");
    }
    // The limit is per day.
    server.advance(Duration::days(1)).await;
    server.come_from(&network(10));
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn a_new_password_resets_the_guesses() {
    let server = server().await;
    let somebody = server.somebody().await;
    for _ in 0..5 {
        guess_from(&server, STRANGER, &somebody.email).await;
    }
    server.come_from(STRANGER);
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "429");
    let code = server.code(&somebody.email, "reset").await;
    let body = json!({
        "email": somebody.email,
        "emailCode": code,
        "emailCodeId": server.code_id(&somebody.email, "reset"),
        "newPassword": server.seal("Fresh-Horse8").await
    });
    server.post("/user/resetPassword", None, &body).await.data();
    assert_eq!(server.login(&somebody.email, "Fresh-Horse8").await.code(), "200");
}

#[tokio::test]
async fn guesses_and_known_networks_expire() {
    let server = server().await;
    let somebody = server.somebody().await;
    guess_from(&server, STRANGER, &somebody.email).await;
    guess_from(&server, STRANGER, "nobody@example.org").await;
    let count = async |table: &str| server.database.count(&format!("select count(*) from {table}")).await;
    assert_eq!((count("guesses").await, count("login_networks").await), (4, 1));
    server.advance(Duration::days(1) - Duration::milliseconds(1)).await;
    app::identity::sweep(&server.context).await.unwrap();
    assert_eq!(count("guesses").await, 4);
    server.advance(Duration::milliseconds(1)).await;
    app::identity::sweep(&server.context).await.unwrap();
    assert_eq!((count("guesses").await, count("login_networks").await), (0, 1));
    server.advance(Duration::days(179)).await;
    app::identity::sweep(&server.context).await.unwrap();
    assert_eq!(count("login_networks").await, 1);
    server.advance(Duration::milliseconds(1)).await;
    app::identity::sweep(&server.context).await.unwrap();
    assert_eq!(count("login_networks").await, 0);
}

/// Nothing is proved here, so nothing changes, but the answers would say which of the guesses is right.
#[tokio::test]
async fn new_passwords_cannot_be_used_to_guess_the_current_ones() {
    let server = server().await;
    let somebody = server.somebody().await;
    let set = json!({"newSecurityCode": server.seal(SECURITY).await, "password": server.seal(PASSWORD).await});
    server.update(&somebody, &set).await.data();
    // The first password was compared with the login password, which counts as a guess at that.
    for number in 0..4 {
        let guess = json!({"newSecurityCode": server.seal(&format!("a guess at it {number}")).await});
        assert_eq!(server.update(&somebody, &guess).await.body["data"]["field"], "securityCode");
    }
    let right = json!({"newSecurityCode": server.seal(SECURITY).await});
    assert_eq!(server.update(&somebody, &right).await.code(), "429", "not 1032");

    // A change of the login password proves nothing about the security password, so it allows no further guesses.
    let change = json!({"password": server.seal(PASSWORD).await, "newPassword": server.seal("Fresh-Horse8").await});
    assert_eq!(server.update(&somebody, &change).await.code(), "429");

    // Whoever can read the mailbox guesses no better.
    let other = server.somebody().await;
    let set = json!({"newSecurityCode": server.seal("Only-Coins7").await, "password": server.seal(PASSWORD).await});
    server.update(&other, &set).await.data();
    let code = server.code(&other.email, "reset").await;
    let mut body = json!({
        "email": other.email,
        "emailCode": code,
        "emailCodeId": server.code_id(&other.email, "reset"),
    });
    for _ in 0..5 {
        body["newPassword"] = server.seal(PASSWORD).await;
        assert_eq!(server.post("/user/resetPassword", None, &body).await.code(), "1032");
    }
    body["newPassword"] = server.seal("Only-Coins7").await;
    assert_eq!(server.post("/user/resetPassword", None, &body).await.code(), "429", "not USER3008");
}
