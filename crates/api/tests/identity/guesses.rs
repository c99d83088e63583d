//! Wrong guesses at secrets: who is slowed down by whose.

use chrono::Duration;
use serde_json::{Value, json};

use crate::world::{Got, PASSWORD, SECURITY, Somebody, World, world};

const STRANGER: &str = "203.0.113.9";
const WRONG: &str = "Wrong-Horse7";

/// A network of its own for each number.
fn network(number: usize) -> String {
    format!("2001:db8:0:{number:x}::1")
}

async fn guess_from(world: &World, address: &str, email: &str) -> Got {
    world.come_from(address);
    world.login(email, WRONG).await
}

#[tokio::test]
async fn a_strangers_guesses_lock_out_the_stranger_and_not_the_owner() {
    let world = world().await;
    let somebody = world.somebody().await;
    for _ in 0..5 {
        assert_eq!(guess_from(&world, STRANGER, &somebody.email).await.code(), "1004");
    }
    let locked = guess_from(&world, STRANGER, &somebody.email).await;
    assert_eq!((locked.code(), &locked.body["data"]["retryAfter"]), ("429", &json!(60)));
    // The owner comes from where they registered, and from elsewhere too.
    world.come_home();
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
    world.come_from("192.0.2.77");
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
    // That frees the owner's places, not the stranger's.
    world.come_from(STRANGER);
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "429");
}

#[tokio::test]
async fn guesses_from_many_networks_are_counted_together_and_the_owner_is_let_in_where_they_have_been() {
    let world = world().await;
    let somebody = world.somebody().await;
    for number in 0..20 {
        assert_eq!(guess_from(&world, &network(number), &somebody.email).await.code(), "1004");
    }
    for (number, seconds) in [(20, 60), (21, 120), (22, 240)] {
        let locked = guess_from(&world, &network(number), &somebody.email).await;
        assert_eq!((locked.code(), &locked.body["data"]["retryAfter"]), ("429", &json!(seconds)));
        world.come_home();
        assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
        world.advance(Duration::seconds(seconds)).await;
        assert_eq!(guess_from(&world, &network(number), &somebody.email).await.code(), "1004");
    }
    // A day after the end of the lock-out all is forgotten.
    world.advance(Duration::seconds(480) + Duration::days(1)).await;
    for number in 30..50 {
        assert_eq!(guess_from(&world, &network(number), &somebody.email).await.code(), "1004");
    }
    assert_eq!(guess_from(&world, &network(50), &somebody.email).await.code(), "429");
}

#[tokio::test]
async fn the_owners_right_password_at_a_new_place_takes_back_none_of_the_strangers_guesses() {
    let world = world().await;
    let somebody = world.somebody().await;
    for number in 0..19 {
        guess_from(&world, &network(number), &somebody.email).await;
    }
    world.come_from("192.0.2.77");
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
    assert_eq!(guess_from(&world, &network(19), &somebody.email).await.code(), "1004");
    assert_eq!(guess_from(&world, &network(20), &somebody.email).await.code(), "429");
    world.come_from("192.0.2.77");
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200", "it is known now");
}

#[tokio::test]
async fn many_guesses_from_many_networks_at_once_are_counted_one_by_one() {
    let world = world().await;
    let somebody = world.somebody().await;
    let mut bodies = Vec::new();
    for _ in 0..24 {
        bodies.push(world.login_body(&somebody.email, WRONG).await);
    }
    let attempts = bodies.iter().enumerate().map(|(number, body)| {
        let world = &world;
        async move { world.post_from(&network(number), "/user/login", body).await }
    });
    let answers = futures::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|got| got.code() == "1004").count(), 20);
    assert_eq!(answers.iter().filter(|got| got.code() == "429").count(), 4);
}

#[tokio::test]
async fn an_address_without_an_account_is_locked_as_one_that_has_one() {
    let world = world().await;
    let somebody = world.somebody().await;
    let mut answers: Vec<Vec<(u16, Value)>> = Vec::new();
    for email in [somebody.email.as_str(), "nobody@example.org"] {
        let mut said = Vec::new();
        for number in std::iter::repeat_n(0, 7).chain(1..20) {
            let got = guess_from(&world, &network(number), email).await;
            said.push((got.status, got.body));
        }
        answers.push(said);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].iter().any(|(status, _)| *status == 429));
}

/// Sets the first security password.
async fn protect(world: &World, somebody: &Somebody) {
    let body = json!({"newSecurityCode": world.seal(SECURITY).await, "password": world.seal(PASSWORD).await});
    world.update(somebody, &body).await.data();
}

/// Takes out what is not there: past the security password the answer is 1016.
async fn extract(world: &World, somebody: &Somebody, security: &str) -> Got {
    let body = json!({"asset": "nothing", "securityCode": world.seal(security).await});
    world.post("/balance/extract", Some(&somebody.token), &body).await
}

#[tokio::test]
async fn who_stole_a_session_locks_out_themselves_with_guesses_at_the_security_password() {
    let world = world().await;
    let somebody = world.somebody().await;
    protect(&world, &somebody).await;
    world.come_from(STRANGER);
    for left in [4, 3, 2, 1, 0] {
        let got = extract(&world, &somebody, "not-the-secret").await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("USER3011", &json!(left)));
    }
    assert_eq!(extract(&world, &somebody, SECURITY).await.code(), "429");
    // Nor does it help to guess at the login password, by which a security password is changed.
    for code in ["1004", "1004", "1004", "1004", "1004", "429"] {
        let body = json!({"newPassword": world.seal("Fresh-Horse8").await, "password": world.seal(WRONG).await});
        assert_eq!(world.update(&somebody, &body).await.code(), code);
    }
    world.come_home();
    assert_eq!(extract(&world, &somebody, SECURITY).await.code(), "1016");
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
    for number in 0..15 {
        world.come_from(&network(number));
        assert_eq!(extract(&world, &somebody, "not-the-secret").await.code(), "USER3011");
    }
    world.come_from(&network(15));
    assert_eq!(extract(&world, &somebody, "not-the-secret").await.code(), "429", "twenty from strange networks");
    world.come_home();
    assert_eq!(extract(&world, &somebody, SECURITY).await.code(), "1016");
}

#[tokio::test]
async fn ten_networks_a_day_become_known() {
    let world = world().await;
    let somebody = world.somebody().await;
    for number in 1..=10 {
        world.come_from(&network(number));
        assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
    }
    for number in 100..120 {
        guess_from(&world, &network(number), &somebody.email).await;
    }
    for (number, code) in [(1, "200"), (9, "200"), (10, "429")] {
        world.come_from(&network(number));
        assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), code, "network {number}");
    }
    // The next day there is room again.
    world.advance(Duration::days(1)).await;
    world.come_from(&network(10));
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn a_new_password_begins_with_no_guesses() {
    let world = world().await;
    let somebody = world.somebody().await;
    for _ in 0..5 {
        guess_from(&world, STRANGER, &somebody.email).await;
    }
    world.come_from(STRANGER);
    assert_eq!(world.login(&somebody.email, PASSWORD).await.code(), "429");
    let code = world.code(&somebody.email, "reset").await;
    let body = json!({
        "email": somebody.email,
        "emailCode": code,
        "emailCodeId": world.code_id(&somebody.email, "reset"),
        "newPassword": world.seal("Fresh-Horse8").await
    });
    world.post("/user/resetPassword", None, &body).await.data();
    assert_eq!(world.login(&somebody.email, "Fresh-Horse8").await.code(), "200");
}

#[tokio::test]
async fn what_is_counted_and_known_is_forgotten_in_time() {
    let world = world().await;
    let somebody = world.somebody().await;
    guess_from(&world, STRANGER, &somebody.email).await;
    guess_from(&world, STRANGER, "nobody@example.org").await;
    let count = async |table: &str| world.database.count(&format!("select count(*) from {table}")).await;
    assert_eq!((count("guesses").await, count("login_networks").await), (4, 1));
    world.advance(Duration::days(1) - Duration::milliseconds(1)).await;
    app::identity::sweep(&world.context).await.unwrap();
    assert_eq!(count("guesses").await, 4);
    world.advance(Duration::milliseconds(1)).await;
    app::identity::sweep(&world.context).await.unwrap();
    assert_eq!((count("guesses").await, count("login_networks").await), (0, 1));
    world.advance(Duration::days(179)).await;
    app::identity::sweep(&world.context).await.unwrap();
    assert_eq!(count("login_networks").await, 1);
    world.advance(Duration::milliseconds(1)).await;
    app::identity::sweep(&world.context).await.unwrap();
    assert_eq!(count("login_networks").await, 0);
}
