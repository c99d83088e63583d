//! How many codes can be sent to a mailbox, and that strangers cannot use up those of anyone else.

use chrono::Duration;
use serde_json::{Value, json};

use crate::devices::device_cookie;
use crate::server::{Got, PASSWORD, TestServer, address, server};

const STRANGER: &str = "203.0.113.9";
/// A network that no account knows, and from which no code was requested.
const ELSEWHERE: &str = "198.51.100.7";

async fn ask(server: &TestServer, email: &str, purpose: &str) -> Got {
    ask_with(server, &json!({"email": email, "purpose": purpose}), None).await
}

/// Requests a code with the token of a slide check, and this `cookie` header.
async fn ask_with(server: &TestServer, body: &Value, cookie: Option<&str>) -> Got {
    let mut body = body.clone();
    body["slideToken"] = json!(server.slide_token().await);
    server.post_with_cookie(&format!("key-{:08}", server.number()), "/email/send", cookie, &body).await
}

/// Requests all codes that strangers can have sent to a mailbox on one day, and checks that there are no more.
async fn use_up(server: &TestServer, email: &str, purpose: &str) {
    let mut sent = 0;
    loop {
        server.come_from(&format!("2001:db8:0:{sent}::1"));
        let got = ask(server, email, purpose).await;
        if got.code() == "429" {
            break;
        }
        got.data();
        sent += 1;
        assert!(sent <= 40, "too many codes");
    }
    server.come_from(ELSEWHERE);
    assert_eq!(ask(server, email, purpose).await.code(), "429");
}

#[tokio::test]
async fn a_strangers_requests_do_not_limit_the_owners() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.advance(Duration::minutes(2)).await;
    for purpose in ["register", "reset"] {
        server.come_from(STRANGER);
        let before = server.mail.emails().len();
        for _ in 0..20 {
            ask(&server, &somebody.email, purpose).await.data();
            assert_eq!(ask(&server, &somebody.email, purpose).await.body["data"]["retryAfter"], 60);
            server.advance(Duration::minutes(1)).await;
        }
        assert_eq!(ask(&server, &somebody.email, purpose).await.code(), "429");
        while server.mail.emails().len() < before + 20 {
            tokio::task::yield_now().await;
        }
    }
    server.come_home();
    let code = server.code(&somebody.email, "reset").await;
    let id = server.code_id(&somebody.email, "reset");
    let body = json!({"email": somebody.email, "purpose": "reset", "code": code, "id": id});
    server.post("/email/verify", None, &body).await.data();
}

#[tokio::test]
async fn all_strangers_share_a_limit_that_does_not_affect_the_owner() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.advance(Duration::minutes(2)).await;
    // The count starts at 1, because the code for the registration is also a request without a session.
    for stranger in 1..40 {
        server.come_from(&format!("2001:db8:0:{stranger}::1"));
        ask(&server, &somebody.email, "register").await.data();
    }
    server.come_from("2001:db8:1::1");
    let one_too_many = ask(&server, &somebody.email, "register").await;
    let until_midnight = Duration::hours(12) - Duration::minutes(2);
    assert_eq!(one_too_many.body["data"]["retryAfter"], until_midnight.num_seconds());
    server.come_home();
    ask(&server, &somebody.email, "register").await.data();
    server.come_from("2001:db8:1::1");
    server.advance(until_midnight).await;
    ask(&server, &somebody.email, "register").await.data();
}

#[tokio::test]
async fn whoever_registers_with_a_pass_has_an_allowance_that_strangers_cannot_use_up() {
    let server = server().await;
    use_up(&server, "ann@example.org", "register").await;
    let by = async |me: u32| {
        let body = json!({"email": "ann@example.org", "purpose": "register", "ticket": server.ticket(me).await});
        ask_with(&server, &body, None).await
    };
    by(7).await.data();
    // The allowance is that of the person, whatever the network and the ticket. Other people have their own.
    for other in 1..20 {
        server.advance(Duration::minutes(1)).await;
        server.come_from(&format!("2001:db8:1:{other}::1"));
        by(7).await.data();
    }
    server.advance(Duration::minutes(1)).await;
    assert_eq!(by(7).await.code(), "429");
    by(8).await.data();
}

#[tokio::test]
async fn a_code_that_was_requested_with_a_ticket_registers() {
    let server = server().await;
    use_up(&server, "ann@example.org", "register").await;
    let ticket = server.ticket(7).await;
    let body = json!({"email": "ann@example.org", "purpose": "register", "ticket": ticket});
    let sent = ask_with(&server, &body, None).await;
    let register = json!({
        "ticket": ticket, "email": "ann@example.org", "emailCodeId": sent.data()["id"],
        "emailCode": server.mail.code_for("ann@example.org").unwrap(), "password": server.seal(PASSWORD).await,
        "receivingAddress": address(1_000_007), "chainType": "ERC20", "termsAccepted": true
    });
    server.post("/user/register", None, &register).await.data();
}

#[tokio::test]
async fn a_ticket_with_which_no_one_can_register_gets_no_code() {
    let server = server().await;
    let somebody = server.somebody().await;
    let (expired, (pending, _)) = (server.ticket(7).await, server.challenge("register").await);
    server.advance(Duration::minutes(31)).await;
    let before = server.mail.emails().len();
    for (ticket, code) in [("", "999"), ("not a ticket", "1010"), (expired.as_str(), "803"), (pending.as_str(), "803")]
    {
        let body = json!({"email": "ann@example.org", "purpose": "register", "ticket": ticket});
        assert_eq!(ask_with(&server, &body, None).await.code(), code, "{ticket}");
    }
    let ticket = server.ticket(8).await;
    for purpose in ["reset", "security"] {
        let body = json!({"email": somebody.email, "purpose": purpose, "ticket": ticket});
        let got = server.post("/email/send", Some(&somebody.token), &body).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), ("400", &json!("ticket")), "{purpose}");
    }
    assert_eq!(server.mail.emails().len(), before);
}

#[tokio::test]
async fn an_owner_who_forgot_the_password_has_an_allowance_on_a_known_device_and_the_pass_everywhere() {
    let server = server().await;
    let (somebody, other) = (server.somebody().await, server.somebody().await);
    let cookie = device_cookie(&server.login(&somebody.email, PASSWORD).await).unwrap();
    let foreign = device_cookie(&server.login(&other.email, PASSWORD).await).unwrap();
    server.advance(Duration::minutes(2)).await;
    use_up(&server, &somebody.email, "reset").await;

    let reset = json!({"email": somebody.email, "purpose": "reset"});
    for cookie in [None, Some(foreign.as_str()), Some("MEC2C-device=forged.forged")] {
        assert_eq!(ask_with(&server, &reset, cookie).await.code(), "429", "{cookie:?}");
    }
    ask_with(&server, &reset, Some(&cookie)).await.data();
    server.get(&format!("/scan/resetByEmail?email={}", somebody.email), None).await.data();

    // Neither does a neighbor in the same network.
    server.come_home();
    server.advance(Duration::minutes(2)).await;
    for _ in 0..20 {
        ask(&server, &somebody.email, "reset").await.data();
        server.advance(Duration::minutes(1)).await;
    }
    assert_eq!(ask(&server, &somebody.email, "reset").await.code(), "429");
    ask_with(&server, &reset, Some(&cookie)).await.data();
}

#[tokio::test]
async fn a_user_has_an_allowance_for_a_new_mailbox_that_other_users_cannot_use_up() {
    let server = server().await;
    let users = [server.somebody().await, server.somebody().await, server.somebody().await];
    let body = json!({"email": "new@example.org", "purpose": "security"});
    let send = async |token: &str| server.post("/email/send", Some(token), &body).await;
    for _ in 0..20 {
        for user in &users[..2] {
            send(&user.token).await.data();
        }
        server.advance(Duration::minutes(1)).await;
    }
    assert_eq!(send(&users[0].token).await.code(), "429");
    send(&users[2].token).await.data();
}

#[tokio::test]
async fn users_share_the_allowance_of_strangers_for_other_accounts() {
    let server = server().await;
    let (somebody, attacker) = (server.somebody().await, server.somebody().await);
    server.advance(Duration::minutes(2)).await;
    use_up(&server, &somebody.email, "reset").await;
    let body = json!({"email": somebody.email, "purpose": "reset"});
    assert_eq!(server.post("/email/send", Some(&attacker.token), &body).await.code(), "429");
    server.post("/email/send", Some(&somebody.token), &body).await.data();
}
