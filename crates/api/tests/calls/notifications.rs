//! The list of notifications, their unread marks, and the channels on which users are told.

use serde_json::{Value, json};

use crate::stage::{Caller, Stage};

const URL: &str = "https://mec2c.example";

impl Stage {
    async fn notified(&self, who: &Caller, query: &str) -> Vec<Value> {
        let page = self.get(who, &format!("/user/notification/page{query}")).await.ok();
        page["list"].as_array().unwrap().clone()
    }

    async fn unread(&self, who: &Caller) -> Value {
        self.get(who, "/user/notification/unRead").await.ok()["count"].clone()
    }

    /// Turns a channel on or off, and returns whether it is on.
    async fn prefers(&self, who: &Caller, category: &str, channel: &str, enabled: bool) -> Value {
        let body = json!({"category": category, "channel": channel, "enabled": enabled});
        let all = self.post(who, "/user/notification/preference", &body).await.ok();
        let found = all.as_array().unwrap().iter().find(|one| one["category"] == category && one["channel"] == channel);
        found.unwrap()["enabled"].clone()
    }

    /// Sends all emails that are due, and returns those to a user as subject and text.
    async fn emailed(&self, who: &Caller) -> Vec<(String, String)> {
        while app::notifications::emails::send_next(&self.market.context, &self.mail, URL).await.unwrap() {}
        let address =
            self.get(who, &format!("/user/info/{}", who.trader.id())).await.ok()["email"].as_str().unwrap().to_owned();
        let sent = self.mail.emails();
        let to = sent.into_iter().filter(|email| email.to == address);
        to.map(|email| (email.subject, email.text)).collect()
    }
}

fn notices(list: &[Value]) -> Vec<&str> {
    list.iter().filter_map(|one| one["notice"].as_str()).collect()
}

#[tokio::test]
async fn users_are_told_of_what_others_did_and_not_of_their_own_acts() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    let annas = stage.notified(&stage.anna, "").await;
    assert_eq!(notices(&annas), ["ORDER_PAID", "NEW_ORDER", "ADVERT_CONFIRMED"], "Anna accepted herself");
    let paid = &annas[0];
    assert_eq!(
        (&paid["orderId"], &paid["category"], &paid["reader"], &paid["author"], &paid["unread"]),
        (&json!(order), &json!("ACTION_NEEDED"), &json!("SELLER"), &json!("BUYER"), &json!(true))
    );
    assert_eq!(notices(&stage.notified(&stage.ben, "").await), ["ORDER_ACCEPTED"]);
    assert_eq!(notices(&stage.notified(&stage.anna, "?category=ADVERT").await), ["ADVERT_CONFIRMED"]);
    assert!(stage.notified(&stage.carl, "").await.is_empty(), "strangers are told nothing");
    stage.get(&stage.anna, "/user/notification/page?category=NONE").await.refused(400, "400");
}

#[tokio::test]
async fn notifications_are_read_up_to_a_number() {
    let (stage, _, _) = Box::pin(Stage::paid()).await;
    assert_eq!(stage.unread(&stage.anna).await, 3);
    let annas = stage.notified(&stage.anna, "").await;
    let up_to = json!({"upTo": annas[1]["number"]});
    for _ in 0..2 {
        assert_eq!(stage.post(&stage.anna, "/user/notification/read", &up_to).await.ok()["count"], 1, "twice is once");
    }
    assert_eq!(notices(&stage.notified(&stage.anna, "?unread=true").await), ["ORDER_PAID"]);
    assert_eq!(stage.unread(&stage.ben).await, 1, "Ben's are his own");
    let older = format!("?before={}", annas[0]["number"]);
    assert_eq!(notices(&stage.notified(&stage.anna, &older).await), ["NEW_ORDER", "ADVERT_CONFIRMED"]);
    // What is not told yet cannot be read.
    assert_eq!(stage.post(&stage.anna, "/user/notification/read", &json!({"upTo": i64::MAX})).await.ok()["count"], 0);
    stage.post(&stage.anna, "/user/notification/read", &json!({"upTo": -1})).await.ok();
    assert_eq!(stage.unread(&stage.anna).await, 0, "it stays read");
}

#[tokio::test]
async fn who_must_act_gets_an_email_with_a_link_as_long_as_it_helps() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    let emails = stage.emailed(&stage.anna).await;
    let links: Vec<_> = emails.iter().filter(|(_, text)| text.contains(&order)).collect();
    let [(subject, text)] = &links[..] else { panic!("{emails:?}") };
    assert_eq!(subject, "MEC2C: Your order waits for you to confirm the payment", "the new order is accepted already");
    assert!(text.contains(&format!("{URL}/orderDetail?id={order}")) && text.contains(" UTC"), "{text}");
    let bens = stage.emailed(&stage.ben).await;
    assert!(!bens.iter().any(|(_, text)| text.contains(&order)), "Ben has paid before the email was sent: {bens:?}");
}

#[tokio::test]
async fn users_get_emails_about_what_a_thief_of_their_session_might_do() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    stage.emailed(&stage.anna).await;
    stage.anna.trader.does(order.parse().unwrap(), domain::orders::OrderCommand::Confirm).await.unwrap();
    let own = &stage.notified(&stage.anna, "?category=FUNDS").await[0];
    assert_eq!(
        (&own["notice"], &own["author"], &own["reader"]),
        (&json!("PAYMENT_CONFIRMED"), &json!("SELLER"), &json!("SELLER"))
    );
    let traded = json!({"base": "MEC", "quote": "KRW", "quantity": "4", "total": "4000", "nft": null});
    assert_eq!(own["traded"], traded);
    let emails = stage.emailed(&stage.anna).await;
    let subjects = |emails: &[(String, String)]| emails.iter().map(|(subject, _)| subject.clone()).collect::<Vec<_>>();
    assert!(
        subjects(&emails).contains(&"MEC2C: You confirmed a payment, and your coins are being released".to_owned()),
        "{emails:?}"
    );

    // Turning emails off is told once a day, and so is the owner of a stolen session.
    let told = "MEC2C: Emails to you were turned off";
    let many = |emails: &[(String, String)]| subjects(emails).iter().filter(|subject| *subject == told).count();
    // What is off by default warns nobody, and keeps no warning back.
    for enabled in [true, false] {
        assert_eq!(stage.prefers(&stage.anna, "ORDER_PROGRESS", "EMAIL", enabled).await, enabled);
    }
    assert_eq!(many(&stage.emailed(&stage.anna).await), 0);
    for category in ["FUNDS", "APPEAL"] {
        assert_eq!(stage.prefers(&stage.anna, category, "EMAIL", false).await, false);
    }
    assert_eq!(many(&stage.emailed(&stage.anna).await), 1);
    stage.market.waits(chrono::Duration::hours(25)).await;
    assert_eq!(stage.prefers(&stage.anna, "APPEAL", "EMAIL", false).await, false);
    assert_eq!(many(&stage.emailed(&stage.anna).await), 1, "nothing has changed");
    assert_eq!(stage.prefers(&stage.anna, "NEW_ORDER", "EMAIL", false).await, false);
    assert_eq!(many(&stage.emailed(&stage.anna).await), 2);

    // During a hold, they stay on, and can be turned on.
    let until = stage.market.now().await + chrono::Duration::hours(1);
    let id = stage.anna.trader.id();
    stage.market.sql(&format!("update users set held_until = '{}' where id = '{id}'", until.to_rfc3339())).await;
    let body = json!({"category": "ACTION_NEEDED", "channel": "EMAIL", "enabled": false});
    stage.post(&stage.anna, "/user/notification/preference", &body).await.refused(409, "5036");
    assert_eq!(stage.prefers(&stage.anna, "APPEAL", "EMAIL", true).await, true);
    assert_eq!(stage.prefers(&stage.anna, "ACTION_NEEDED", "BROWSER", false).await, false);
}

#[tokio::test]
async fn nobody_fills_the_mailbox_of_another_user_or_delays_the_emails_about_security() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    stage.emailed(&stage.anna).await;
    let id = stage.anna.trader.id();
    let before = stage.mail.emails().len();
    // As many new orders as a taker places and cancels.
    let flood = format!(
        "insert into outbox_events (user_id, number, kind, body, at, category)
         select '{id}', 1000 + n, 'ORDER_STATUS_CHANGE', '{{\"orderId\": \"{order}\", \"notice\": \"ORDER_PAID\"}}', clock.now, 'ACTION_NEEDED'
         from generate_series(1, 100) n, (select max(at) as now from outbox_events) clock"
    );
    stage.market.sql(&flood).await;
    let queue = "insert into emails (user_id, event, category, written_at, due_at)
                 select user_id, number, category, at, at from outbox_events where number > 1000";
    stage.market.sql(queue).await;
    let change = json!({"changed": "EMAIL_ADDRESS"});
    let event = format!(
        "insert into outbox_events (user_id, number, kind, body, at, category)
         select '{id}', 2000, 'ACCOUNT_CHANGE', '{change}', max(at), 'SECURITY' from outbox_events"
    );
    stage.market.sql(&event).await;
    let urgent = "insert into emails (user_id, event, category, written_at, due_at)
                  select user_id, number, category, at, at from outbox_events where number = 2000";
    stage.market.sql(urgent).await;
    stage.emailed(&stage.anna).await;
    let emails = stage.mail.emails().split_off(before);
    assert_eq!(emails[0].subject, "MEC2C: Your email address was changed", "it overtakes the others");
    assert_eq!(emails.len() - 1, 20 - 1, "one was sent before");
    assert_eq!(stage.market.count("select count(*) from emails where sent_at is null").await, 0);
}

#[tokio::test]
async fn users_choose_their_emails_except_those_about_security() {
    let (stage, _, order) = Box::pin(Stage::accepted()).await;
    assert_eq!(stage.prefers(&stage.anna, "ACTION_NEEDED", "EMAIL", false).await, false);
    stage.ben.trader.marks_paid(order.parse().unwrap()).await.unwrap();
    let about = |emails: Vec<(String, String)>| emails.into_iter().filter(|(_, text)| text.contains(&order)).count();
    assert_eq!(about(stage.emailed(&stage.anna).await), 0);
    assert_eq!(stage.prefers(&stage.ben, "ORDER_PROGRESS", "EMAIL", true).await, true);
    stage.anna.trader.does(order.parse().unwrap(), domain::orders::OrderCommand::Confirm).await.unwrap();
    assert_eq!(about(stage.emailed(&stage.ben).await), 1);
    assert_eq!(stage.prefers(&stage.anna, "SECURITY", "BROWSER", false).await, false);
    let body = json!({"category": "SECURITY", "channel": "EMAIL", "enabled": false});
    stage.post(&stage.anna, "/user/notification/preference", &body).await.refused(400, "400");
}
