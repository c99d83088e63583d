//! Tests of officers' actions on users, on a real PostgreSQL.

// A failing test helper should end the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use app::officers::{Certification, Certified, certify};
use domain::ids::UserId;
use store::identity::accounts::{self, Account};
use testkit::market::Market;

/// Gives a user of the market an email address, and removes their certification.
async fn uncertified(market: &Market, email: &str) -> UserId {
    let user = market.trader().await.id();
    let account = Account {
        user,
        email: email.to_owned(),
        former_email: None,
        me_id: format!("ME-{}", user.0),
        password_hash: "-".to_owned(),
        security_hash: None,
        nickname_changed_at: None,
        remark: String::new(),
    };
    let (mut tx, now) = market.context.begin().await.unwrap();
    accounts::insert(&mut tx, &account, now).await.unwrap();
    store::console::decisions::set_certified(&mut tx, user, false).await.unwrap();
    tx.commit().await.unwrap();
    user
}

fn case(email: &str, certified: bool) -> Certification {
    Certification { email: email.to_owned(), certified, officer: "olga".into(), reason: "papers seen".to_owned() }
}

async fn standing(market: &Market, user: UserId) -> (bool, Vec<String>) {
    let (mut tx, _) = market.context.begin().await.unwrap();
    let person = store::people::read(&mut tx, &[user]).await.unwrap().remove(0);
    let acts = store::console::decisions::acts(&mut tx, store::console::decisions::About::Person(user)).await.unwrap();
    (person.certified, acts.into_iter().map(|(officer, act, reason, _)| format!("{officer} {act}: {reason}")).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_given_and_taken_back_and_each_act_is_recorded_once() {
    let market = Market::open().await;
    let user = uncertified(&market, "ada@example.com").await;

    assert_eq!(certify(&market.context, &case(" Ada@Example.com ", true)).await.unwrap(), Certified::Done);
    assert_eq!(certify(&market.context, &case("ada@example.com", true)).await.unwrap(), Certified::Already);
    assert_eq!(standing(&market, user).await, (true, vec!["olga certify: papers seen".to_owned()]));

    assert_eq!(certify(&market.context, &case("ada@example.com", false)).await.unwrap(), Certified::Done);
    let (certified, acts) = standing(&market, user).await;
    assert!(!certified);
    assert_eq!(acts, ["olga certify: papers seen", "olga decertify: papers seen"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_certified_by_an_e_mail_that_nobody_has() {
    let market = Market::open().await;
    let user = uncertified(&market, "ada@example.com").await;
    assert_eq!(certify(&market.context, &case("ada@example.org", true)).await.unwrap(), Certified::Unknown);
    assert_eq!(standing(&market, user).await, (false, Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_act_without_a_reason_changes_nothing() {
    let market = Market::open().await;
    let user = uncertified(&market, "ada@example.com").await;
    let nameless = Certification { reason: String::new(), ..case("ada@example.com", true) };
    certify(&market.context, &nameless).await.unwrap_err();
    assert_eq!(standing(&market, user).await, (false, Vec::new()));
}
