//! An outage of the mail server.

use chrono::Duration;
use serde_json::json;
use store::emails::{self, HoldEmail};
use testkit::sessions::sign_in;

use crate::platform::Platform;
use crate::process::{Got, Process, until};

const TO: &str = "anna@example.org";

async fn send(serve: &Process, token: &str, key: &str) -> Got {
    serve.post("/api/email/send", token, key, &json!({ "email": TO, "purpose": "security" })).await
}

async fn is_good(serve: &Process, token: &str, code: &str) -> bool {
    let body = json!({ "email": TO, "purpose": "security", "code": code });
    serve.post("/api/email/verify", token, "verify-the-code", &body).await.status == 200
}

#[tokio::test]
async fn without_the_mail_server_a_code_is_refused_and_nothing_is_lost() {
    let platform = Platform::new().await;
    let token = platform.session(&platform.market.trader().await).await;
    let serve = platform.serve().await;
    let got = send(&serve, &token, "first-code").await;
    assert_eq!(got.status, 200, "{got:?}");
    let first = platform.emails.codes().pop().unwrap();
    platform.market.waits(Duration::seconds(61)).await;

    platform.mail.shut().await;
    assert_eq!(serve.ready().await, (true, vec!["mail".to_owned()]), "calls go on, and say what is gone");
    for key in ["second-code", "second-code", "third-code"] {
        let got = send(&serve, &token, key).await;
        assert_eq!((got.status, got.code().as_str()), (503, "503"), "{got:?}");
        assert!(got.head.contains("retry-after: ") && !got.text.to_lowercase().contains("smtp"), "{got:?}");
    }
    assert!(is_good(&serve, &token, &first).await, "the code that arrived is still good");
    let got = serve.get("/api/c2c/deal/order/page", &token).await;
    assert_eq!(got.status, 200, "everything else goes on: {got:?}");

    platform.mail.open().await;
    let got = send(&serve, &token, "second-code").await;
    assert_eq!(got.status, 200, "the refused command may be sent again at once: {got:?}");
    let codes = platform.emails.codes();
    assert_eq!(codes.len(), 2);
    assert!(is_good(&serve, &token, &codes[1]).await && !is_good(&serve, &token, &first).await);
    assert_eq!(serve.ready().await, (true, vec![]));
}

#[tokio::test]
async fn a_mail_server_that_says_nothing_holds_no_call_for_ever() {
    let platform = Platform::new().await.told("HTTP_TIMEOUT_SECONDS", "60".to_owned());
    let token = platform.session(&platform.market.trader().await).await;
    let serve = platform.serve().await;
    platform.mail.silence().await;
    let got = send(&serve, &token, "first-code").await;
    assert_eq!((got.status, got.code().as_str()), (503, "503"), "{got:?}");
    assert_eq!(serve.ready().await, (true, vec!["mail".to_owned()]));
    platform.mail.open().await;
    assert_eq!(send(&serve, &token, "first-code").await.status, 200);
    assert_eq!(platform.emails.codes().len(), 1);
}

#[tokio::test]
async fn the_worker_sends_an_email_about_a_hold_when_the_mail_server_is_back() {
    let platform = Platform::new().await;
    let market = &platform.market;
    let worker = platform.worker().await;
    let (anna, advert) = platform.seller_online().await;
    let order = market.trader().await.orders(advert, "4").await.unwrap();
    sign_in(&market.database.store, anna.id(), "anna", "-").await;
    platform.mail.shut().await;
    let mut tx = market.database.store.begin().await.unwrap();
    emails::insert(&mut tx, &[HoldEmail { order, user: anna.id() }], market.now().await).await.unwrap();
    tx.commit().await.unwrap();
    until("the worker tries", async || market.count("select tries::bigint from emails").await > 0).await;
    anna.accepts(order).await.unwrap();
    assert!(worker.ready().await.0, "the worker goes on");

    platform.mail.open().await;
    market.waits(Duration::hours(1)).await;
    let unsent = "select count(*) from emails where sent_at is null";
    until("the email is sent", async || market.count(unsent).await == 0).await;
    let [email] = &platform.emails.texts()[..] else { panic!("{:?}", platform.emails.texts()) };
    assert!(email.contains(&format!("To: {TO}")) && email.contains("Subject: MEC2C: an automatic order"), "{email}");
}
