//! A stolen mailbox: what the thief and an accomplice gain during the hold that the first change starts.

use axum::body::Body;
use axum::http::{Request, header};
use chrono::Duration;
use domain::ids::IdSource;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::market::{mec, usdt};
use testkit::{Ids, noon};

use crate::stage::{Caller, Got, LOGIN, SECURITY, Stage, order_of, text};

const ADVERTISER_OFFLINE: &str = "5010";
const HELD: &str = "5036";
const NEW_LOGIN: &str = "Stolen-Horse8";
const NEW_SECURITY: &str = "only-for-thieves";

/// Sends a command without a session.
async fn anonymous(stage: &Stage, path: &str, body: &Value) -> Got {
    let request = Request::post(format!("/api{path}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("language", "en_US")
        .header("idempotency-key", Ids.fresh(noon()).to_string());
    stage.send(request.body(Body::from(body.to_string())).unwrap()).await
}

async fn slide_token(stage: &Stage) -> String {
    let slide = stage.get(&stage.carl, "/slide").await.ok();
    let (salt, hash) = (slide["salt"].as_str().unwrap(), slide["hash"].as_str().unwrap());
    let number = (0..=50_u32).find(|n| hex::encode(Sha256::digest(format!("{salt}{n}"))) == hash).unwrap();
    let trail = json!([{"t": 0, "x": 0}, {"t": 150, "x": 40}, {"t": 260, "x": 100}, {"t": 400, "x": 121}]);
    let answer = json!({"id": slide["id"], "x": 121, "trail": trail, "number": number});
    text(&anonymous(stage, "/slide/verify", &answer).await.ok()["token"])
}

/// Resets the login password with a code from the mailbox, and logs in with it.
async fn steals(stage: &Stage, victim: &Caller) -> Caller {
    let email = format!("{}@example.org", victim.name);
    let before = stage.mail.emails().len();
    let body = json!({"email": email, "purpose": "reset", "slideToken": slide_token(stage).await});
    let sent = anonymous(stage, "/email/send", &body).await.ok();
    // The email for a forgotten password may be sent after the response.
    while stage.mail.emails().len() == before {
        tokio::task::yield_now().await;
    }
    let body = json!({
        "email": email, "emailCode": stage.mail.code_for(&email).unwrap(), "emailCodeId": sent["id"],
        "newPassword": stage.seal(&stage.carl, NEW_LOGIN).await
    });
    anonymous(stage, "/user/resetPassword", &body).await.ok();
    let body = json!({
        "email": email, "password": stage.seal(&stage.carl, NEW_LOGIN).await, "slideToken": slide_token(stage).await
    });
    let session = anonymous(stage, "/user/login", &body).await.ok();
    Caller { name: victim.name, trader: victim.trader.clone(), token: text(&session["token"]) }
}

/// Returns a code from the mailbox for a change of the account.
async fn security_code(stage: &Stage, who: &Caller) -> String {
    stage.post(who, "/email/send", &json!({"purpose": "security"})).await.ok();
    stage.mail.code_for(&format!("{}@example.org", who.name)).unwrap()
}

async fn confirms(stage: &Stage, who: &Caller, order: &str, password: &str, ticket: Option<&Value>) -> Got {
    let version = &stage.order(who, order).await["version"];
    let mut body = json!({"version": version, "securityCode": stage.seal(who, password).await});
    if let Some(ticket) = ticket {
        body["passTicket"] = ticket.clone();
    }
    stage.post(who, &format!("/c2c/deal/order/confirm/{order}"), &body).await
}

async fn asks_the_pass(stage: &Stage, who: &Caller, query: &str) -> Value {
    stage.get(who, &format!("/scan/proof?{query}")).await.ok()
}

/// Anna is the accomplice, whom Ben has paid.
#[tokio::test]
async fn a_stolen_mailbox_gives_up_no_payment() {
    let (stage, ..) = Box::pin(Stage::paid()).await;
    let thief = steals(&stage, &stage.ben).await;
    // Ben has no security password. A first one, or another mailbox, would need nothing but the login password.
    let password = async || stage.seal(&thief, NEW_LOGIN).await;
    let body = json!({"newSecurityCode": stage.seal(&thief, NEW_SECURITY).await, "password": password().await});
    stage.post(&thief, "/user/updateInfo", &body).await.refused(409, HELD);
    stage.post(&thief, "/email/send", &json!({"purpose": "security", "email": "thief@example.org"})).await.ok();
    let code = stage.mail.code_for("thief@example.org").unwrap();
    let body = json!({"email": "thief@example.org", "emailCode": code, "password": password().await});
    stage.post(&thief, "/user/updateInfo", &body).await.refused(409, HELD);

    // Neither does one who knows the security password cancel.
    let (stage, _, paid) = Box::pin(Stage::paid()).await;
    stage.protects(&stage.ben).await;
    let thief = steals(&stage, &stage.ben).await;
    let shown = stage.order(&thief, &paid).await;
    let offered: Vec<_> = shown["actions"].as_array().unwrap().iter().map(|one| text(&one["action"])).collect();
    assert!(!offered.contains(&"cancel".to_owned()), "{offered:?}");
    let body = json!({"version": shown["version"], "securityCode": stage.seal(&thief, SECURITY).await});
    let path = format!("/c2c/deal/order/cancel/{paid}");
    stage.post(&thief, &path, &body).await.refused(409, HELD);
    assert_eq!(stage.order(&thief, &paid).await["state"], "AWAITING_CONFIRMATION");
}

#[tokio::test]
async fn a_stolen_mailbox_empties_no_advert() {
    // Ben is the accomplice. He has an order that waits for acceptance, and one that he has marked as paid.
    let (stage, advert, paid) = Box::pin(Stage::paid()).await;
    stage.protects(&stage.anna).await;
    let body = json!({"advertId": advert, "price": "1000", "quantity": "2"});
    let placed = stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok();
    let online = |who| stage.get(who, "/c2c/advert/online");

    let thief = steals(&stage, &stage.anna).await;
    let until = json!("2026-01-02T12:00:00.000Z");
    let account = stage.get(&thief, &format!("/user/info/{}", thief.trader.id())).await.ok();
    assert_eq!((&account["holdUntil"], &account["online"]), (&json!("2026-01-02T12:00:00Z"), &json!(false)));
    assert_eq!(online(&thief).await.ok(), json!({"online": false}));

    // The adverts are out of the hall, and take no orders.
    assert_eq!(stage.get(&stage.ben, "/c2c/advert/page?side=SELL&base=MEC&quote=KRW").await.ok()["total"], 0);
    stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.refused(409, ADVERTISER_OFFLINE);
    let got = stage.post(&thief, "/c2c/advert/online?online=true", &json!({})).await;
    assert_eq!(got.refused(409, HELD)["until"], until);
    stage.post(&thief, "/c2c/advert/online?online=false", &json!({})).await.ok();

    // The order that waits can be rejected, but not accepted.
    let waiting = text(&placed["id"]);
    let shown = stage.order(&thief, &waiting).await;
    let offered: Vec<_> = shown["actions"].as_array().unwrap().iter().map(|one| text(&one["action"])).collect();
    assert_eq!(offered, ["reject"]);
    let body = json!({"version": shown["version"]});
    assert_eq!(
        stage.post(&thief, &format!("/c2c/deal/order/take/{waiting}"), &body).await.refused(409, HELD)["until"],
        until
    );

    // The mailbox does not replace the security password.
    let code = security_code(&stage, &thief).await;
    let body = json!({"newSecurityCode": stage.seal(&thief, NEW_SECURITY).await, "emailCode": code});
    assert_eq!(stage.post(&thief, "/user/updateInfo", &body).await.refused(409, HELD)["until"], until);
    let body = json!({"newSecurityCode": stage.seal(&thief, NEW_SECURITY).await, "password": stage.seal(&thief, NEW_LOGIN).await});
    assert_eq!(stage.post(&thief, "/user/updateInfo", &body).await.refused(400, "400")["field"], "securityCode");

    // Even the right security password releases nothing without the pass, which the thief cannot answer.
    let before = stage.print().await;
    for password in [NEW_SECURITY, SECURITY] {
        assert_eq!(confirms(&stage, &thief, &paid, password, None).await.refused(400, "400")["field"], "passTicket");
    }
    let challenge = asks_the_pass(&stage, &thief, &format!("purpose=confirm&orderId={paid}")).await;
    let unanswered = challenge["id"].clone();
    confirms(&stage, &thief, &paid, SECURITY, Some(&unanswered)).await.refused(200, "1009");
    let answered = stage.approves(&stage.ben, &challenge).await;
    confirms(&stage, &thief, &paid, SECURITY, Some(&answered)).await.refused(409, "1012");
    assert_eq!(stage.print().await, before, "nothing has moved");

    // What the thief can do returns the coins to the owner's own address.
    let shown = stage.advert(&thief, &advert).await;
    stage.post(&thief, &format!("/c2c/advert/cancel/{advert}"), &json!({"version": shown["version"]})).await.ok();
    let bound = stage.anna.trader.user.bound.unwrap();
    let to = stage
        .market
        .count(&format!("select count(*) from payout_legs where recipient <> '\\x{}'", hex::encode(bound.0)))
        .await;
    assert_eq!(to, 0);

    // The hold ends exactly at its time.
    stage.market.waits(Duration::hours(24) - Duration::milliseconds(1)).await;
    stage.post(&thief, "/c2c/advert/online?online=true", &json!({})).await.refused(409, HELD);
    stage.market.waits(Duration::milliseconds(1)).await;
    stage.post(&thief, "/c2c/advert/online?online=true", &json!({})).await.ok();
}

#[tokio::test]
async fn during_a_hold_the_owner_releases_coins_and_changes_the_security_password_with_the_pass() {
    let (stage, _, paid) = Box::pin(Stage::paid()).await;
    stage.protects(&stage.anna).await;
    // A changed security password starts a hold as well.
    let body = json!({"newSecurityCode": stage.seal(&stage.anna, NEW_SECURITY).await, "securityCode": stage.seal(&stage.anna, SECURITY).await});
    stage.post(&stage.anna, "/user/updateInfo", &body).await.ok();
    let shown = stage.order(&stage.anna, &paid).await;
    let confirm = shown["actions"].as_array().unwrap().iter().find(|one| one["action"] == "confirm").unwrap();
    assert_eq!((&confirm["securityCode"], &confirm["pass"]), (&json!(true), &json!(true)));

    // An approval counts only for its purpose, its user and its order.
    stage.get(&stage.carl, &format!("/scan/proof?purpose=confirm&orderId={paid}")).await.refused(404, "5007");
    let other = stage.approves(&stage.anna, &asks_the_pass(&stage, &stage.anna, "purpose=security").await).await;
    confirms(&stage, &stage.anna, &paid, NEW_SECURITY, Some(&other)).await.refused(422, "1010");
    let bens = asks_the_pass(&stage, &stage.ben, &format!("purpose=confirm&orderId={paid}")).await;
    let bens = stage.approves(&stage.ben, &bens).await;
    confirms(&stage, &stage.anna, &paid, NEW_SECURITY, Some(&bens)).await.refused(422, "1010");

    // A proof logs nobody in.
    let challenge = asks_the_pass(&stage, &stage.anna, &format!("purpose=confirm&orderId={paid}")).await;
    let ticket = stage.approves(&stage.anna, &challenge).await;
    let result = stage.get(&stage.ben, &format!("/scan/result/{}", text(&ticket))).await.ok();
    assert_eq!((&result["session"], &result["ticket"]), (&Value::Null, &ticket));

    // A wrong security password is still refused, and does not use the approval up.
    confirms(&stage, &stage.anna, &paid, SECURITY, Some(&ticket)).await.refused(422, "USER3011");
    let order = confirms(&stage, &stage.anna, &paid, NEW_SECURITY, Some(&ticket)).await.ok();
    assert_eq!(order["state"], "RELEASING");
    assert_eq!(stage.anna.trader.holds(stage.market.mec).await.in_flight, mec("3.996"));

    // The approval of a change is used once.
    let forgotten = json!({"newSecurityCode": stage.seal(&stage.anna, SECURITY).await, "passTicket": other});
    stage.post(&stage.anna, "/user/updateInfo", &forgotten).await.ok();
    let again = json!({"newSecurityCode": stage.seal(&stage.anna, NEW_SECURITY).await, "passTicket": other});
    stage.post(&stage.anna, "/user/updateInfo", &again).await.refused(409, "803");
}

#[tokio::test]
async fn the_hold_of_an_officer_takes_adverts_offline_and_makes_devices_unknown() {
    let (stage, advert) = Box::pin(Stage::selling()).await;
    let id = stage.anna.trader.id();
    let logs_in = async || {
        let password = stage.seal(&stage.carl, LOGIN).await;
        let body = json!({"email": "anna@example.org", "password": password, "slideToken": slide_token(&stage).await});
        anonymous(&stage, "/user/login", &body).await.ok();
    };
    let devices = async || stage.market.count("select count(*) from login_devices").await;
    logs_in().await;
    assert_eq!(devices().await, 1);
    let administrator = &stage.officers[0].1;
    let console = |request: axum::http::request::Builder| {
        request.header(header::COOKIE, format!("MEC2C-console={administrator}"))
    };
    let request = console(Request::get(format!("/api/console/users/{id}"))).body(Body::empty()).unwrap();
    let user = stage.send(request).await.ok();
    let body = json!({"until": "2026-01-01T13:00:00Z", "reason": "A report", "version": user["user"]["version"]});
    let request = console(Request::post(format!("/api/console/users/{id}/hold")))
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", Ids.fresh(noon()).to_string());
    stage.send(request.body(Body::from(body.to_string())).unwrap()).await.ok();
    stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.refused(409, ADVERTISER_OFFLINE);
    assert_eq!(stage.advert(&stage.anna, &advert).await["state"], "OFFLINE");
    assert_eq!(devices().await, 0, "no device is known any more");

    // Nor after an officer has ended all sessions.
    logs_in().await;
    assert_eq!(devices().await, 1);
    let request = console(Request::get(format!("/api/console/users/{id}"))).body(Body::empty()).unwrap();
    let user = stage.send(request).await.ok();
    let body = json!({"reason": "A report", "version": user["user"]["version"]});
    let request = console(Request::post(format!("/api/console/users/{id}/sessions/end")))
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", Ids.fresh(noon()).to_string());
    stage.send(request.body(Body::from(body.to_string())).unwrap()).await.ok();
    assert_eq!(devices().await, 0);
}

/// A thief who knows the security password changes the mailbox, twice.
#[tokio::test]
async fn the_email_about_an_automatic_order_also_reaches_the_mailbox_from_before_the_hold() {
    let mut stage = Box::pin(Stage::empty()).await;
    stage.protects(&stage.anna).await;
    let body = json!({
        "side": "SELL", "kind": "AUTOMATIC", "base": "MEC", "quote": "USDT", "price": "2.5", "quantity": "10",
        "orderMin": "1", "orderMax": "1000", "windowMinutes": 20
    });
    let advert = text(&stage.post(&stage.anna, "/c2c/advert/create", &body).await.ok()["id"]);
    let Stage { market, chain, anna, .. } = &mut stage;
    chain.brings(&anna.trader, market.mec, mec("10")).await;
    let body = json!({"advertId": advert, "price": "2.5", "total": "10"});
    let order = text(&stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok()["id"]);
    for address in ["thief@example.org", "another@example.org"] {
        stage.post(&stage.anna, "/email/send", &json!({"purpose": "security", "email": address})).await.ok();
        let code = stage.mail.code_for(address).unwrap();
        let password = stage.seal(&stage.anna, SECURITY).await;
        let body = json!({"email": address, "emailCode": code, "securityCode": password});
        stage.post(&stage.anna, "/user/updateInfo", &body).await.ok();
    }
    let before = stage.mail.emails().len();
    let Stage { market, chain, ben, .. } = &mut stage;
    chain.brings(&ben.trader, market.usdt, usdt("10")).await;
    assert_eq!(stage.order(&stage.ben, &order).await["state"], "RELEASING");
    let context = &stage.market.context;
    while app::notifications::emails::send_next(context, &stage.mail, "https://mec2c.example").await.unwrap() {}
    let emails = stage.mail.emails().split_off(before);
    // The owner's first mailbox also learns that the address was changed.
    let told = |email: &&app::mail::EmailMessage| email.subject == "MEC2C: Your email address was changed";
    assert!(emails.iter().filter(told).any(|email| email.to == "anna@example.org"), "{emails:?}");
    let released = |email: &&app::mail::EmailMessage| email.text.contains(&order) && email.subject.contains("released");
    let emails: Vec<_> = emails.iter().filter(released).collect();
    let to: Vec<_> = emails.iter().map(|email| email.to.as_str()).collect();
    assert_eq!(to, ["another@example.org", "anna@example.org"]);

    // The next hold, which begins with another mailbox, no longer concerns the first one.
    stage.market.waits(Duration::hours(24)).await;
    let password = stage.seal(&stage.anna, LOGIN).await;
    let body = json!({"password": password, "newPassword": stage.seal(&stage.anna, NEW_LOGIN).await});
    stage.post(&stage.anna, "/user/updateInfo", &body).await.ok();
    assert_eq!(stage.market.count("select count(*) from accounts where former_email is not null").await, 0);
}
