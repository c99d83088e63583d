//! Emails about automatic orders whose coins are released while the advertiser's account is on hold.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use app::Error;
use app::mail::{Delivery, EmailMessage, Mail};
use app::notifications::emails::send_next;
use async_trait::async_trait;
use chrono::Duration;
use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::refusal::Refusal;
use testkit::market::{Contents, Market, Trader, minutes, usdt};
use testkit::noon;
use testkit::sessions::sign_in;
use tokio::sync::Notify;

use crate::Stage;
use crate::automatic::{Scene, ordered};

/// The address of the web app.
const URL: &str = "https://mec2c.example";

/// A mail server that keeps what it accepts. It can be out of order, or accept an email without ever saying so.
#[derive(Default)]
pub(crate) struct MailServer {
    emails: Mutex<Vec<EmailMessage>>,
    broken: AtomicBool,
    silent: AtomicBool,
    /// An address that it refuses.
    refused: Mutex<Option<&'static str>>,
    accepted: Notify,
}

#[async_trait]
impl Mail for MailServer {
    async fn send(&self, message: EmailMessage) -> app::Result<Delivery> {
        if self.broken.load(Ordering::Acquire) {
            return Err(Error::Unavailable { what: "the mail server" });
        }
        if self.refused.lock().unwrap().is_some_and(|refused| refused == message.to) {
            return Ok(Delivery::Refused);
        }
        self.emails.lock().unwrap().push(message);
        self.accepted.notify_one();
        if self.silent.load(Ordering::Acquire) {
            std::future::pending::<()>().await;
        }
        Ok(Delivery::Accepted)
    }
}

impl MailServer {
    /// Sends everything that is due, and returns all emails so far.
    pub(crate) async fn after_sending(&self, market: &Market) -> Vec<EmailMessage> {
        while send_next(&market.context, self, URL).await.unwrap() {}
        self.emails.lock().unwrap().clone()
    }
}

/// Gives a user an account with an email address, and a hold on it.
async fn hold(market: &Market, trader: &Trader, until: Timestamp) {
    sign_in(&market.database.store, trader.id(), "anna", "-").await;
    market.sql(&format!("update users set held_until = '{}' where id = '{}'", until.to_rfc3339(), trader.id())).await;
}

fn mentions(emails: &[EmailMessage], order: OrderId) -> usize {
    emails.iter().filter(|email| email.text.contains(&order.to_string())).count()
}

#[tokio::test]
async fn an_advertiser_on_hold_gets_one_email_about_each_released_order() {
    let Scene { market, mut chain, anna, ben, order } = ordered().await;
    let mail = MailServer::default();
    let advert = market.order(order).await.terms.advert;
    let carl = market.trader().await;
    let second = carl.orders(advert, "2").await.unwrap();
    hold(&market, &anna, noon() + Duration::hours(24)).await;
    assert_eq!(ben.orders(advert, "1").await, Err(Refusal::AdvertiserOffline), "new orders are refused");
    assert_eq!(mail.after_sending(&market).await, []);

    chain.shows(&ben, market.usdt, usdt("10")).await;
    assert_eq!(mail.after_sending(&market).await, [], "nothing is released yet");
    chain.confirms().await;
    assert_eq!(market.state(order).await, "RELEASING");
    let emails = mail.after_sending(&market).await;
    let [email] = &emails[..] else { panic!("{emails:?}") };
    assert_eq!(email.to, "anna@example.org");
    for fact in [order.to_string(), advert.to_string(), "4 MEC".to_owned(), "10 USDT".to_owned()] {
        assert!(email.text.contains(&fact), "{email:?}");
    }
    assert_eq!(mail.after_sending(&market).await, emails, "once");

    // The release leaves the chain and is mined again.
    let release = chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    chain.reorganises(3, vec![Contents::default(); 4]).await;
    assert_eq!(market.state(order).await, "RELEASE_REVOKED");
    chain.mines_blocks([release]).await;
    chain.confirms().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(mail.after_sending(&market).await, emails, "the same release");

    market.sql("update accounts set language = 'es_ES'").await;
    chain.brings(&carl, market.usdt, usdt("5")).await;
    let emails = mail.after_sending(&market).await;
    assert_eq!((emails.len(), mentions(&emails, second)), (2, 1));
    assert!(emails[1].text.starts_with("Tu cuenta está retenida"), "{:?}", emails[1]);
    market.is_sound().await;
}

#[tokio::test]
async fn without_a_hold_of_the_advertiser_there_is_no_email() {
    let Scene { market, mut chain, ben, order, .. } = ordered().await;
    let mail = MailServer::default();
    // The hold of the taker changes nothing.
    hold(&market, &ben, noon() + Duration::hours(24)).await;
    chain.brings(&ben, market.usdt, usdt("10")).await;
    assert_eq!(market.state(order).await, "RELEASING");
    assert_eq!(mail.after_sending(&market).await, []);

    // The seller confirms a manual order, with the pass.
    let stage = Stage::set().await;
    let manual = stage.paid("4").await;
    hold(&stage.market, &stage.anna, noon() + Duration::hours(24)).await;
    stage.anna.confirms(manual).await.unwrap();
    assert_eq!(stage.market.state(manual).await, "RELEASING");
    let emails = mail.after_sending(&stage.market).await;
    assert!(!emails.iter().any(|email| email.subject.contains("automatic")), "{emails:?}");
}

#[tokio::test]
async fn a_release_belongs_to_the_hold_until_exactly_its_end() {
    let Scene { market, mut chain, anna, ben, order } = ordered().await;
    let mail = MailServer::default();
    let carl = market.trader().await;
    let late = carl.orders(market.order(order).await.terms.advert, "2").await.unwrap();
    let end = noon() + minutes(5);
    hold(&market, &anna, end).await;
    market.at(end - Duration::milliseconds(1)).await;
    chain.brings(&ben, market.usdt, usdt("10")).await;
    market.at(end).await;
    chain.brings(&carl, market.usdt, usdt("5")).await;
    assert_eq!((market.state(order).await, market.state(late).await), ("RELEASING", "RELEASING"));
    let emails = mail.after_sending(&market).await;
    assert_eq!((mentions(&emails, order), mentions(&emails, late)), (1, 0), "sent although the hold is over");
}

#[tokio::test]
async fn an_email_waits_for_the_mail_server_and_the_order_does_not() {
    let Scene { market, mut chain, anna, ben, order } = ordered().await;
    let mail = MailServer::default();
    hold(&market, &anna, noon() + Duration::hours(24)).await;
    mail.broken.store(true, Ordering::Release);
    chain.brings(&ben, market.usdt, usdt("10")).await;
    assert!(send_next(&market.context, &mail, URL).await.is_err());
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");

    mail.broken.store(false, Ordering::Release);
    market.waits(minutes(1) - Duration::milliseconds(1)).await;
    assert_eq!(mail.after_sending(&market).await, [], "not tried again yet");
    market.waits(Duration::milliseconds(1)).await;
    assert_eq!(mail.after_sending(&market).await.len(), 1);
    market.waits(Duration::hours(1)).await;
    assert_eq!(mail.after_sending(&market).await.len(), 1);
}

#[tokio::test]
async fn an_address_that_is_refused_keeps_no_email_from_the_other() {
    for (refused, other) in [("anna@example.org", "former@example.org"), ("former@example.org", "anna@example.org")] {
        let Scene { market, mut chain, anna, ben, .. } = ordered().await;
        let mail = MailServer::default();
        hold(&market, &anna, noon() + Duration::hours(24)).await;
        market.sql("update accounts set former_email = 'former@example.org'").await;
        chain.brings(&ben, market.usdt, usdt("10")).await;
        *mail.refused.lock().unwrap() = Some(refused);
        let to = || mail.emails.lock().unwrap().iter().map(|email| email.to.clone()).collect::<Vec<_>>();
        for _ in 0..3 {
            mail.after_sending(&market).await;
            assert_eq!(to(), [other], "once");
            market.waits(Duration::hours(1)).await;
        }
        *mail.refused.lock().unwrap() = None;
        assert_eq!(mail.after_sending(&market).await.len(), 2);
        assert_eq!(to(), [other, refused]);
    }
}

#[tokio::test]
async fn an_email_whose_sender_dies_is_sent_again() {
    let Scene { market, mut chain, anna, ben, .. } = ordered().await;
    let mail = Arc::new(MailServer::default());
    hold(&market, &anna, noon() + Duration::hours(24)).await;
    chain.brings(&ben, market.usdt, usdt("10")).await;
    mail.silent.store(true, Ordering::Release);
    tokio::select! {
        _ = send_next(&market.context, mail.as_ref(), URL) => panic!("the mail server says nothing"),
        () = mail.accepted.notified() => {}
    }
    mail.silent.store(false, Ordering::Release);
    assert_eq!(mail.after_sending(&market).await.len(), 1, "another worker does not send it meanwhile");
    market.waits(minutes(1)).await;
    assert_eq!(mail.after_sending(&market).await.len(), 2, "the product cannot know that it was accepted");
    market.waits(Duration::hours(1)).await;
    assert_eq!(mail.after_sending(&market).await.len(), 2);
}
