//! Cases for the tests of appeals: Anna sells MEC to Ben for KRW, and appeals because his payment does not arrive. 1 MEC is
//! worth 2 USDT, so customer service decides up to 250 MEC, and one officer up to 5,000 MEC.

use axum::body::Body;
use axum::http::{Request, header};
use chrono::Duration;
use domain::console::Role;
use domain::ids::{AdvertId, OrderId};
use serde_json::{Value, json};
use testkit::market::officers::set_reference;
use testkit::market::{Chain, mec, price};

use crate::desk::{Desk, Got, Person, User};
use crate::samples::{jpeg_of, squares};

pub(crate) struct Cases {
    pub(crate) desk: Desk,
    pub(crate) chain: Chain,
    pub(crate) anna: User,
    pub(crate) ben: User,
    pub(crate) advert: AdvertId,
    /// Appeal officers.
    pub(crate) olga: Person,
    pub(crate) otto: Person,
    /// Customer service.
    pub(crate) carl: Person,
}

/// An order under appeal.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) order: OrderId,
}

impl Case {
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/console/appeals/{}{rest}", self.id)
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

const BOUNDARY: &str = "--------part";

impl Cases {
    pub(crate) async fn open() -> Self {
        let cases = Box::pin(Self::without_value()).await;
        set_reference(&cases.desk.context, ("MEC", "USDT"), price("2"), "There are no trades yet.").await.unwrap();
        cases
    }

    /// Does the same, without a reference price.
    pub(crate) async fn without_value() -> Self {
        let desk = Desk::open().await;
        let mut chain = desk.market.chain().await;
        let (anna, ben) = (desk.user("anna").await, desk.user("ben").await);
        let advert = anna.trader.posts(anna.trader.mec_for_krw("20000", "1000")).await.unwrap();
        chain.brings(&anna.trader, desk.market.mec, mec("20000")).await;
        let olga = desk.officer("olga", Role::AppealOfficer).await;
        // Olga and Otto count as two officers, because different administrators have created them.
        let sue = desk.second().await;
        let otto = desk.officer_of((&sue, &desk.admin), "otto", Role::AppealOfficer).await;
        let carl = desk.officer("carl", Role::CustomerService).await;
        Self { desk, chain, anna, ben, advert, olga, otto, carl }
    }

    /// Uploads a picture. Pictures with different seeds look different.
    pub(crate) async fn uploads(&self, user: &User, seed: u8) -> Value {
        let head = "Content-Disposition: form-data; name=\"file\"; filename=\"x.jpg\"\r\nContent-Type: image/jpeg";
        let picture = jpeg_of(&squares(seed, 24, 16), 90);
        let start = format!("--{BOUNDARY}\r\n{head}\r\n\r\n").into_bytes();
        let body = [start, picture, format!("\r\n--{BOUNDARY}--\r\n").into_bytes()].concat();
        let request = Request::post("/api/file/uploadImage")
            .header(header::AUTHORIZATION, &user.token)
            .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
            .header("idempotency-key", self.desk.key())
            .header("language", "en_US");
        self.desk.send(request.body(Body::from(body)).unwrap()).await.ok()
    }

    /// Ben orders a quantity and marks the order as paid, and Anna appeals with a picture.
    pub(crate) async fn appealed(&self, quantity: &str, seed: u8) -> Case {
        let order = self.ben.trader.orders(self.advert, quantity).await.unwrap();
        self.anna.trader.accepts(order).await.unwrap();
        self.ben.trader.marks_paid(order).await.unwrap();
        self.appeals(order, seed).await
    }

    /// Anna appeals about a paid order.
    pub(crate) async fn appeals(&self, order: OrderId, seed: u8) -> Case {
        self.appeals_because(order, "PAYMENT_NOT_RECEIVED", seed).await
    }

    pub(crate) async fn appeals_because(&self, order: OrderId, reason: &str, seed: u8) -> Case {
        let picture = self.uploads(&self.anna, seed).await;
        let version = self.desk.market.order(order).await.version;
        let body = json!({
            "orderId": order, "version": version, "reason": reason,
            "specificReason": "Nothing has arrived.", "pictures": [picture["id"]],
        });
        let seen = self.desk.as_user(&self.anna, ("POST", "/c2c/appeal"), &body).await.ok();
        Case { id: text(&seen["appeal"]["id"]), order }
    }

    /// Ben adds a picture to the appeal.
    pub(crate) async fn adds_evidence(&self, case: &Case, seed: u8) {
        let picture = self.uploads(&self.ben, seed).await;
        let version = self.desk.market.order(case.order).await.version;
        let body = json!({ "version": version, "pictures": [picture["id"]] });
        self.desk.as_user(&self.ben, ("POST", &format!("/c2c/appeal/evidence/{}", case.id)), &body).await.ok();
    }

    pub(crate) async fn joins(&self, who: &Person, case: &Case) -> Value {
        self.desk.post(who, &case.path("/join"), &json!({})).await.ok()
    }

    pub(crate) async fn leaves(&self, who: &Person, case: &Case) -> Value {
        self.desk.post(who, &case.path("/leave"), &json!({})).await.ok()
    }

    pub(crate) async fn sees(&self, who: &Person, case: &Case) -> Value {
        self.desk.get(who, &case.path("")).await.ok()
    }

    pub(crate) async fn queue(&self, who: &Person, query: &str) -> Vec<Value> {
        let page = self.desk.get(who, &format!("/console/appeals{query}")).await.ok();
        page["records"].as_array().unwrap().clone()
    }

    /// Returns an appeal as the queue shows it.
    pub(crate) async fn summary(&self, who: &Person, case: &Case) -> Value {
        self.desk.get(who, &case.path("/summary")).await.ok()
    }

    /// Returns the body of a decision on the case that the officer sees now.
    pub(crate) async fn decision(&self, who: &Person, case: &Case, ruling: &str) -> Value {
        let version = self.sees(who, case).await["version"].clone();
        json!({ "ruling": ruling, "malicious": false, "note": "The bank says so.", "version": version })
    }

    /// Decides the case that the officer sees now.
    pub(crate) async fn decides(&self, who: &Person, case: &Case, ruling: &str) -> Got {
        let body = self.decision(who, case, ruling).await;
        self.desk.post(who, &case.path("/decision"), &body).await
    }

    /// Waits for a time, and until everything that was due then is done. Sessions of officers end.
    pub(crate) async fn waits(&self, span: Duration) {
        self.desk.advance(span).await;
        self.desk.market.clock_strikes().await;
        self.desk.market.is_sound().await;
    }

    pub(crate) async fn state(&self, case: &Case) -> &'static str {
        self.desk.market.state(case.order).await
    }

    pub(crate) async fn status(&self, case: &Case) -> &'static str {
        self.desk.market.order(case.order).await.appeal.unwrap().status.into_str()
    }

    /// Returns the actions about a case in the audit log, oldest first, with their officers.
    pub(crate) async fn acts(&self, case: &Case) -> Vec<String> {
        let mut tx = self.desk.context.store.begin().await.unwrap();
        let filter = store::console::audit::Filter {
            subject: Some(("appeal".to_owned(), case.id.clone())),
            ..Default::default()
        };
        let mut lines = store::console::audit::page(&mut tx, &filter, None, 100).await.unwrap();
        lines.reverse();
        lines.into_iter().map(|line| format!("{} {}", line.name, line.action)).collect()
    }
}
