//! The parties and officers of the examples of appeals, on the stage of the console's tests: Minh plays Anna, who sells, and
//! Kaya plays Ben, who buys.

use std::collections::BTreeMap;

use app::commands::CommandKind;
use chrono::Duration;
use domain::console::Role;
use domain::ids::OrderId;
use domain::orders::OrderCommand;
use domain::trade::Side;
use serde_json::{Value, json};
use testkit::market::officers::set_reference;
use testkit::market::{Offer, Trader, minutes, price};

use crate::cases::{Case, Cases, text};
use crate::desk::{Desk, Person, User};
use crate::examples::set::{Character, KAYA, MINH, Residence, SOFIA, add_pair, amount, join, upload};
use crate::samples::mp4;

/// What Minh sells to Kaya.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deal {
    pub(super) base: &'static str,
    pub(super) quote: &'static str,
    pub(super) price: &'static str,
    /// Whose advert it is: Minh's, who sells, or Kaya's, who buys.
    pub(super) side: Side,
    pub(super) region: &'static str,
    /// For how many days Kaya has had an account.
    pub(super) days: i64,
    /// The price of MEC in USDT, from which orders get their value.
    pub(super) reference: Option<&'static str>,
}

pub(super) const DOLLARS: Deal = Deal {
    base: "MEC",
    quote: "USD",
    price: "0.4835",
    side: Side::Sell,
    region: "US",
    days: 200,
    reference: Some("0.4835"),
};
/// Kaya posts the advert, so that the coins in escrow are those of one order only.
pub(super) const DOLLARS_BOUGHT: Deal = Deal { side: Side::Buy, ..DOLLARS };
pub(super) const EUROS: Deal = Deal { base: "USDT", quote: "EUR", price: "0.92", region: "DE", ..DOLLARS };
pub(super) const WON: Deal = Deal { quote: "KRW", price: "660", region: "KR", ..DOLLARS };
pub(super) const COINS: Deal = Deal { quote: "USDT", ..DOLLARS };

pub(super) struct CaseSet {
    pub(super) cases: Cases,
    pub(super) sofia: Trader,
    deal: Deal,
}

impl CaseSet {
    pub(super) async fn open(deal: Deal, quantity: &str) -> Self {
        let desk = Desk::open().await;
        let market = desk.market.clone();
        let mut chain = market.chain().await;
        let currency = if deal.quote == "USDT" { "USD" } else { deal.quote };
        let pair = match (deal.base, deal.quote) {
            ("MEC", "USDT") => market.mec_usdt,
            ("MEC", "KRW") => market.mec_krw,
            ("MEC", _) => add_pair(&market, market.mec_krw, currency).await,
            _ => add_pair(&market, market.usdt_krw, currency).await,
        };
        let home = Residence { region: deal.region, currency, days: 400 };
        let anna = user(&desk, &MINH, home).await;
        let ben = user(&desk, &KAYA, Residence { days: deal.days, ..home }).await;
        let sofia = join(&market, &SOFIA, home).await;
        let advertiser = if deal.side == Side::Sell { &anna.trader } else { &ben.trader };
        let mut offer = Offer(advertiser.mec_for_usdt("1", deal.price).0);
        offer.0.pair = pair;
        offer.0.side = deal.side;
        offer.0.quantity = amount(deal.base, quantity);
        let totals = if deal.quote == "KRW" { ("10000", "9000000") } else { ("1", "90000") };
        (offer.0.min_total, offer.0.max_total) = (amount(deal.quote, totals.0), amount(deal.quote, totals.1));
        offer.0.methods = if deal.quote == "USDT" { Vec::new() } else { vec![advertiser.account] };
        let advert = advertiser.posts(offer).await.unwrap();
        let asset = if deal.base == "MEC" { market.mec } else { market.usdt };
        if deal.side == Side::Sell {
            chain.brings(&anna.trader, asset, amount(deal.base, quantity)).await;
        }
        if let Some(reference) = deal.reference {
            set_reference(&desk.context, ("MEC", "USDT"), price(reference), "There are no trades yet.").await.unwrap();
        }
        let sue = desk.second().await;
        let olga = desk.officer("Olga", Role::AppealOfficer).await;
        // Olga and Otto count as two officers, because different administrators have created them.
        let otto = desk.officer_of((&sue, &desk.admin), "Otto", Role::AppealOfficer).await;
        let carl = desk.officer("Mina", Role::CustomerService).await;
        Self { cases: Cases { desk, chain, anna, ben, advert, olga, otto, carl }, sofia, deal }
    }

    /// Returns the IDs of the officers, with their names in all examples.
    pub(super) fn officers(&self) -> BTreeMap<String, &'static str> {
        let Cases { olga, otto, carl, .. } = &self.cases;
        [(olga, "officer-2"), (otto, "officer-5"), (carl, "officer-6")].map(|(who, name)| (who.id.clone(), name)).into()
    }

    /// Lets time pass, and what is due then happen. Who acts next has to sign in again.
    pub(super) async fn waits(&mut self, span: Duration) {
        let market = &self.cases.desk.market;
        market.waits(span).await;
        market.clock_strikes().await;
        self.cases.chain.time = market.now().await;
        for who in [&mut self.cases.olga, &mut self.cases.otto, &mut self.cases.carl, &mut self.cases.desk.admin] {
            who.token.clear();
        }
    }

    /// Returns an officer with a session.
    async fn session(&self, who: &Person) -> Person {
        if who.token.is_empty() { self.cases.desk.signs_in(who).await } else { who.clone() }
    }

    pub(super) async fn olga(&self) -> Person {
        self.session(&self.cases.olga).await
    }

    pub(super) async fn otto(&self) -> Person {
        self.session(&self.cases.otto).await
    }

    pub(super) async fn mina(&self) -> Person {
        self.session(&self.cases.carl).await
    }

    /// Places and accepts an order. If it is Kaya's advert, Minh deposits.
    pub(super) async fn orders(&mut self, quantity: &str) -> OrderId {
        let Cases { desk, chain, anna, ben, advert, .. } = &mut self.cases;
        let sells = self.deal.side == Side::Sell;
        let (taker, advertiser) = if sells { (&ben.trader, &anna.trader) } else { (&anna.trader, &ben.trader) };
        let mut placed = taker.order_for(*advert, amount(self.deal.base, quantity)).await;
        placed.payer = (sells && self.deal.quote != "USDT").then_some(taker.account);
        let order = OrderId(taker.asks(CommandKind::PlaceOrder(placed)).await.unwrap().id.unwrap());
        advertiser.accepts(order).await.unwrap();
        if !sells {
            chain.brings(&anna.trader, desk.market.mec, amount("MEC", quantity)).await;
        }
        order
    }

    /// Kaya marks an order as paid, with a receipt.
    pub(super) async fn pays(&self, order: OrderId, seed: u8) {
        let receipt = self.cases.uploads(&self.cases.ben, seed).await;
        let receipts = vec![text(&receipt["id"]).parse().unwrap()];
        let reference = Some("TX 48.35 / 0091".to_owned());
        let paid = OrderCommand::MarkPaid { method: None, reference, hash: None, receipts };
        self.cases.ben.trader.does(order, paid).await.unwrap();
    }

    /// A party writes to the other one, whatever the warnings.
    pub(super) async fn says(&self, who: &User, order: OrderId, words: &str) {
        let path = format!("/user/fiat/talk/{order}");
        let body = json!({ "text": words, "files": [], "despiteWarnings": true });
        self.cases.desk.as_user(who, ("POST", &path), &body).await.ok();
    }

    /// A party appeals with a picture.
    pub(super) async fn appeals(&self, who: &User, order: OrderId, reason: &str, description: &str) -> Case {
        let picture = self.cases.uploads(who, 6).await;
        let version = self.cases.desk.market.order(order).await.version;
        let body = json!({
            "orderId": order, "version": version, "reason": reason, "specificReason": description,
            "pictures": [picture["id"]],
        });
        let seen = self.cases.desk.as_user(who, ("POST", "/c2c/appeal"), &body).await.ok();
        Case { id: text(&seen["appeal"]["id"]), order }
    }

    /// Uploads a video, and returns its ID.
    pub(super) async fn films(&self, who: &User) -> Value {
        let request = upload(("/api/file/uploadFile", "video/mp4"), &who.token, &mp4(21_000));
        self.cases.desk.send(request).await.ok()["id"].clone()
    }

    /// A party adds files to an appeal.
    pub(super) async fn adds_evidence(&self, who: &User, case: &Case, files: &Value) {
        let mut body = files.clone();
        body["version"] = json!(self.cases.desk.market.order(case.order).await.version);
        self.cases.desk.as_user(who, ("POST", &format!("/c2c/appeal/evidence/{}", case.id)), &body).await.ok();
    }

    /// An officer on a case sends a command about it.
    pub(super) async fn posts(&self, who: &Person, case: &Case, what: &str, body: &Value) -> Value {
        self.cases.desk.post(who, &case.path(what), body).await.ok()
    }

    /// An officer decides a case.
    pub(super) async fn decides(&self, who: &Person, case: &Case, (ruling, malicious): (&str, bool), note: &str) {
        let mut body = self.cases.decision(who, case, ruling).await;
        (body["malicious"], body["note"]) = (json!(malicious), json!(note));
        self.posts(who, case, "/decision", &body).await;
    }

    /// Returns an appeal as the queue shows it to Olga, and the case if she may read it. She joins it if she can.
    pub(super) async fn example(&mut self, case: &Case) -> Value {
        let olga = self.olga().await;
        let row = self.cases.summary(&olga, case).await;
        let now = self.cases.desk.now().await;
        if row["endedAt"].is_null() && row["joined"] == false {
            self.cases.joins(&olga, case).await;
        } else if row["joined"] == false {
            return json!({ "serverTime": now, "row": row, "case": null, "talk": null });
        }
        let talk = self.cases.desk.get(&olga, &case.path("/talk")).await.ok();
        json!({ "serverTime": now, "row": row, "case": self.cases.sees(&olga, case).await, "talk": talk })
    }
}

/// Adds a user with a session.
async fn user(desk: &Desk, character: &Character, home: Residence) -> User {
    let trader = join(&desk.market, character, home).await;
    let token =
        testkit::sessions::sign_in(&desk.context.store, trader.id(), &character.nickname.to_lowercase(), "-").await;
    User { id: trader.id().to_string(), trader, token }
}

/// Returns a span of hours and minutes.
pub(super) fn hours(count: i64, more: i64) -> Duration {
    minutes(count * 60 + more)
}
