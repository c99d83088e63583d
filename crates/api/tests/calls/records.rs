//! The records of orders: what they contain, who gets them, and that they can be verified.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use api::middleware::{Limits, Rate, RateLimitSettings};
use api::realtime::{Hub, HubSettings};
use app::appeals::{Rules, Ruling};
use app::order_record::{RecordKeys, Wrong, verify};
use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use domain::chain::SettlementOutcome;
use domain::trade::Party;
use gateways::KeySource;
use gateways::fakes::KeptMail;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::market::{mec, usdt};
use tower::ServiceExt;

use crate::product::{self, RECORD_KEY};
use crate::samples::{jpeg, png};
use crate::stage::{Caller, SECURITY, Stage, text};

fn path(order: &str) -> String {
    format!("/c2c/deal/order/record/{order}")
}

impl Stage {
    /// Downloads the record of an order.
    async fn downloads(&self, who: &Caller, order: &str) -> (HeaderMap, Vec<u8>) {
        let request = Request::get(format!("/api{}", path(order))).header(header::AUTHORIZATION, &who.token);
        let response = self.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        let headers = response.headers().clone();
        (headers, response.into_body().collect().await.unwrap().to_bytes().to_vec())
    }

    /// An order that was talked about, paid, appealed, and completed.
    async fn finished() -> (Self, String) {
        let (stage, _, order) = Box::pin(Self::accepted()).await;
        let (anna, ben) = (&stage.anna, &stage.ben);
        let talk = format!("/user/fiat/talk/{order}");
        stage.post(ben, &talk, &json!({ "text": "您好，我已付款" })).await.ok();
        stage.post(anna, &talk, &json!({ "text": "Thank \"you\"!" })).await.ok();
        let receipt = stage.uploads_picture(ben, &jpeg()).await;
        let version = stage.order(ben, &order).await["version"].clone();
        let body = json!({ "version": version, "reference": "R-1", "receipts": [receipt["id"]] });
        stage.post(ben, &format!("/c2c/deal/order/pay/{order}"), &body).await.ok();
        let evidence = stage.uploads_picture(anna, &png()).await;
        let version = stage.order(anna, &order).await["version"].clone();
        let body = json!({
            "orderId": order, "version": version, "reason": "PAYMENT_NOT_RECEIVED", "pictures": [evidence["id"]],
        });
        let seen = stage.post(anna, "/c2c/appeal", &body).await.ok();
        let withdraw = json!({ "version": seen["version"] });
        let seen = stage.post(anna, &format!("/c2c/appeal/{}", text(&seen["appeal"]["id"])), &withdraw).await.ok();
        stage.protects(anna).await;
        let body = json!({ "version": seen["version"], "securityCode": stage.seal(anna, SECURITY).await });
        stage.post(anna, &format!("/c2c/deal/order/confirm/{order}"), &body).await.ok();
        let mut stage = stage;
        stage.chain.settles().await;
        (stage, order)
    }
}

impl Stage {
    /// Lets the Escrow void all payouts that are owed, in a final block. Returns the hashes of the transactions.
    async fn voids(&mut self) -> Vec<String> {
        let mut contents = self.chain.signs().await;
        contents.transfers.clear();
        contents.settlements.iter_mut().for_each(|settlement| settlement.outcome = SettlementOutcome::Voided);
        let hashes = contents.settlements.iter().map(|settlement| settlement.tx.to_string()).collect();
        self.chain.mines_blocks([contents]).await;
        self.chain.confirms().await;
        hashes
    }

    /// Decides the appeal about an order, and waits until the verdict is executed.
    async fn executes(&self, order: &str, winner: Party) {
        self.decides(order, Ruling::Verdict { winner, malicious: false }).await;
        self.market.waits(Rules::default().verdict_delay).await;
        self.market.clock_strikes().await;
    }

    /// Returns the transactions in the record of an order: kind, amount, whether they are final and voided, and hash.
    async fn transactions(&self, who: &Caller, order: &str) -> Vec<(String, String, bool, bool, Value)> {
        let (_, record) = self.downloads(who, order).await;
        let listed = verify(&record, None).unwrap().transactions;
        let lines = of_kind(&record, "transaction");
        assert_eq!(listed.iter().map(|one| one.voided).collect::<Vec<_>>(), voids(&lines));
        let is = |line: &Value, name: &str| line[name].as_bool().unwrap();
        let said = |line: &Value| {
            let amount = format!("{} {}", text(&line["amount"]), text(&line["asset"]));
            (text(&line["kind"]), amount, is(line, "final"), is(line, "voided"), line["hash"].clone())
        };
        lines.iter().map(said).collect()
    }
}

/// Returns the values of a fact of the transitions in a record.
fn facts(record: &[u8], name: &str) -> Vec<String> {
    let entries = of_kind(record, "entry").into_iter().filter(|entry| entry["kind"] == "SYSTEM");
    let facts = entries.flat_map(|entry| entry["facts"].as_array().unwrap().clone());
    facts.filter(|fact| fact[0] == name).map(|fact| text(&fact[1])).collect()
}

/// Computes the hash of where the buyer was told to pay from what the buyer saw, as the description of records says.
async fn pay_to(stage: &Stage, order: &str) -> String {
    let (mut tx, _) = stage.market.context.begin().await.unwrap();
    let method = store::payment_methods::by_ids(&mut tx, &[stage.anna.trader.account]).await.unwrap().pop().unwrap();
    let mut texts =
        ["mec2c pay to 1", order, "type", &method.kind, "currency", &method.currency].map(str::to_owned).to_vec();
    texts.extend(method.fields.into_iter().flat_map(|(name, value)| [name, value]));
    let encoding = texts.iter().fold(String::new(), |all, text| format!("{all}{}:{text},", text.len()));
    hex::encode(Sha256::digest(encoding))
}

fn voids(lines: &[Value]) -> Vec<bool> {
    lines.iter().map(|line| line["voided"].as_bool().unwrap()).collect()
}

#[tokio::test]
async fn a_record_lists_voided_payouts_before_the_one_that_replaced_them() {
    let (mut stage, _, order) = Box::pin(Stage::paid()).await;
    stage.anna.trader.confirms(order.parse().unwrap()).await.unwrap();
    let release = |ended: bool, voided, hash| ("RELEASE".to_owned(), "3.996 MEC".to_owned(), ended, voided, hash);
    let owed = release(false, false, Value::Null);
    assert_eq!(stage.transactions(&stage.ben, &order).await, std::slice::from_ref(&owed));
    let voided = stage.voids().await;
    let voided = release(true, true, json!(voided[0]));
    assert_eq!(stage.transactions(&stage.ben, &order).await, std::slice::from_ref(&voided));
    stage.executes(&order, Party::Buyer).await;
    assert_eq!(stage.transactions(&stage.ben, &order).await, [voided.clone(), owed]);
    stage.chain.settles().await;
    for who in [&stage.anna, &stage.ben] {
        let shown = stage.order(who, &order).await;
        assert_eq!(shown["state"], "COMPLETED");
        let paid = release(true, false, shown["payouts"][0]["hash"].clone());
        assert_eq!(stage.transactions(who, &order).await, [voided.clone(), paid], "{}", who.name);
    }
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_deposits_of_a_party_are_only_in_its_own_record() {
    let mut stage = Box::pin(Stage::empty()).await;
    let (anna, ben) = (stage.anna.trader.clone(), stage.ben.trader.clone());
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    stage.chain.brings(&anna, stage.market.mec, mec("10")).await;
    let id = ben.orders(advert, "4").await.unwrap();
    let order = id.to_string();
    stage.chain.brings(&ben, stage.market.usdt, usdt("10")).await;
    let voided = stage.voids().await;
    stage.executes(&order, Party::Seller).await;
    stage.chain.settles().await;
    assert_eq!(stage.market.state(id).await, "CANCELLED");
    let refund = stage.order(&stage.anna, &order).await["payouts"][0]["hash"].clone();
    let line = |kind: &str, amount: &str, voided, hash| (kind.to_owned(), amount.to_owned(), true, voided, hash);
    let payouts = [
        line("RELEASE", "3.996 MEC", true, json!(voided[0])),
        line("RELEASE", "10 USDT", true, json!(voided[1])),
        line("REFUND", "10 USDT", false, refund),
    ];
    assert_eq!(stage.transactions(&stage.anna, &order).await, payouts);
    let of_ben = stage.transactions(&stage.ben, &order).await;
    let (deposit, rest) = of_ben.split_first().unwrap();
    assert_eq!(rest, payouts);
    assert_eq!((deposit.0.as_str(), deposit.1.as_str(), deposit.3), ("DEPOSIT", "10 USDT", false));
    let (_, of_anna) = stage.downloads(&stage.anna, &order).await;
    assert!(!String::from_utf8_lossy(&of_anna).contains(deposit.4.as_str().unwrap()));
}

/// Returns the objects of the lines of one kind.
fn of_kind(record: &[u8], kind: &str) -> Vec<Value> {
    let lines = std::str::from_utf8(record).unwrap().lines();
    lines.map(|line| serde_json::from_str::<Value>(line).unwrap()).filter_map(|line| line.get(kind).cloned()).collect()
}

#[tokio::test]
async fn both_parties_download_a_record_that_can_be_verified_offline() {
    let (stage, order) = Box::pin(Stage::finished()).await;
    let published = stage.get(&stage.carl, "/common/log-keys").await.ok();
    assert_eq!(published.as_array().unwrap().len(), 1);
    assert_eq!(published[0]["current"], true);
    let key = text(&published[0]["key"]).parse().unwrap();
    let log = stage.market.log(order.parse().unwrap()).await;
    for (who, party) in [(&stage.anna, "SELLER"), (&stage.ben, "BUYER")] {
        let (headers, record) = stage.downloads(who, &order).await;
        assert_eq!(headers[header::CONTENT_TYPE], "application/jsonl");
        assert_eq!(headers[header::CONTENT_DISPOSITION], format!("attachment; filename=\"mec2c-order-{order}.jsonl\""));
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        let summary = verify(&record, Some(key)).unwrap();
        assert_eq!((summary.order.as_str(), summary.exported_for.as_str()), (order.as_str(), party));
        assert_eq!(summary.head, log.last().unwrap().hash.to_string());
        assert_eq!(summary.entries, log.last().unwrap().number);
        assert_eq!((summary.buyer_messages, summary.seller_messages), (1, 1));
        assert_eq!(summary.terms["payer"], text(&stage.order(who, &order).await["payerName"]));
        let files = of_kind(&record, "file");
        // Uploads of the same moment have no order.
        let purposes: BTreeSet<_> = files.iter().map(|file| (text(&file["purpose"]), text(&file["by"]))).collect();
        let expected = [("RECEIPT", "BUYER"), ("EVIDENCE", "SELLER")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(files.len(), 2);
        assert_eq!(purposes, BTreeSet::from(expected));
        let shown = stage.order(who, &order).await;
        let transactions = of_kind(&record, "transaction");
        assert_eq!(transactions.len(), 1, "{transactions:?}");
        assert_eq!(transactions[0]["kind"], "RELEASE");
        assert_eq!(transactions[0]["hash"], shown["payouts"][0]["hash"]);
        assert_eq!(transactions[0]["amount"], shown["payouts"][0]["amount"]);
        assert_eq!(transactions[0]["final"], true);
        let named = |name: &str| facts(&record, name);
        let mut hashes: Vec<_> =
            files.iter().map(|file| format!("{} {}", text(&file["id"]), text(&file["sha256"]))).collect();
        let mut named_files = named("file");
        hashes.sort();
        named_files.sort();
        assert_eq!(named_files, hashes, "the log names the receipt and the evidence");
        assert_eq!(named("paymentReference"), ["R-1"]);
        assert_eq!(named("payTo"), [pay_to(&stage, &order).await]);
        assert_eq!(named("appeal"), ["1 PENDING PAYMENT_NOT_RECEIVED", "1 WITHDRAWN PAYMENT_NOT_RECEIVED"]);
        assert_eq!(named("transaction"), [format!("RELEASE {}", text(&transactions[0]["hash"]))]);
        // Not even an account number is in the record.
        for user in [&stage.anna, &stage.ben] {
            assert!(!String::from_utf8_lossy(&record).contains(&user.trader.id().to_string()));
        }

        let other = RecordKeys::new(&RECORD_KEY.replace('0', "1"), Vec::new()).unwrap().public();
        assert_eq!(verify(&record, Some(other)).unwrap_err(), Wrong::Key(key));
        let mut entries = 0;
        for (index, byte) in record.iter().enumerate() {
            if *byte == b'\n' || index % 97 != 0 {
                continue;
            }
            let mut changed = record.clone();
            changed[index] ^= 1;
            let wrong = verify(&changed, None).unwrap_err();
            entries += usize::from(matches!(wrong, Wrong::Entry(_)));
        }
        assert!(entries > 0);
    }
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_file_that_was_exchanged_is_not_the_one_that_the_log_names() {
    let (stage, order) = Box::pin(Stage::finished()).await;
    let (_, record) = stage.downloads(&stage.anna, &order).await;
    let files = of_kind(&record, "file");
    let evidence = files.iter().find(|file| file["purpose"] == "EVIDENCE").unwrap();
    let id = text(&evidence["id"]);
    stage.market.sql(&format!("update files set sha256 = sha256('another') where id = '{id}'")).await;
    let (_, record) = stage.downloads(&stage.anna, &order).await;
    assert_eq!(verify(&record, None).unwrap_err(), Wrong::File(id));
}

#[tokio::test]
async fn a_verdict_and_a_void_are_in_the_log() {
    let (mut stage, _, order) = Box::pin(Stage::paid()).await;
    stage.anna.trader.confirms(order.parse().unwrap()).await.unwrap();
    let voided = stage.voids().await;
    stage.executes(&order, Party::Buyer).await;
    let (_, record) = stage.downloads(&stage.ben, &order).await;
    assert_eq!(facts(&record, "transaction"), [format!("VOID {}", voided[0])]);
    let appeal = ["1 PENDING PAYOUT_VOIDED", "1 DECIDED PAYOUT_VOIDED", "1 EXECUTED PAYOUT_VOIDED"];
    assert_eq!(facts(&record, "appeal"), appeal);
    assert_eq!(facts(&record, "winner"), ["BUYER", "BUYER"]);
    assert_eq!(facts(&record, "outcome"), ["RELEASE", "RELEASE"]);
    let movements = facts(&record, "movement");
    assert!(movements.len() == 4 && movements[0].starts_with("PAYOUT BASE ") && movements[2..] == movements[..2]);
    let note = facts(&record, "note");
    assert!(note.len() == 2 && !note[0].is_empty(), "{note:?}");
}

#[tokio::test]
async fn strangers_get_no_record() {
    let (stage, _, order) = Stage::accepted().await;
    stage.get(&stage.carl, &path(&order)).await.refused(404, "5007");
    let unknown = "01980000-0000-7000-8000-000000000000";
    stage.get(&stage.anna, &path(unknown)).await.refused(404, "5007");
    let nobody = Request::get(format!("/api{}", path(&order))).body(Body::empty()).unwrap();
    stage.send(nobody).await.refused(401, "401");
    for (_, officer) in &stage.officers {
        let request = Request::get(format!("/api{}", path(&order))).header(header::AUTHORIZATION, officer);
        stage.send(request.body(Body::empty()).unwrap()).await.refused(401, "401");
    }
}

#[tokio::test]
async fn a_log_that_was_changed_is_not_signed() {
    let (stage, _, order) = Stage::accepted().await;
    stage.downloads(&stage.ben, &order).await;
    stage
        .market
        .sql(&format!(
            "alter table order_log disable trigger order_log_fixed;
             update order_log set data = data || '{{\"state\": \"COMPLETED\"}}' where order_id = '{order}' and number = 2"
        ))
        .await;
    assert_eq!(stage.get(&stage.ben, &path(&order)).await.status, 500);
}

#[tokio::test]
async fn a_user_who_downloads_too_many_records_has_to_wait() {
    let (mut stage, _, order) = Stage::accepted().await;
    let keys = KeySource::Url("https://pass.example/keys".parse().unwrap());
    let identity = product::identity(&stage.market.context, KeptMail::default(), keys, Vec::new());
    let free = RateLimitSettings::all(Rate { burst: 1_000_000, every: Duration::ZERO });
    let settings = RateLimitSettings { record: Rate { burst: 2, every: Duration::from_secs(6) }, ..free };
    let limits = Limits::new(settings, Arc::new(|| Duration::ZERO));
    let middleware = product::middleware(&identity, limits);
    let hub = Arc::new(Hub::new(stage.market.context.clone(), HubSettings::default()));
    stage.app = api::router(product::state(&stage.market.context, identity, middleware, &hub)).0;
    for _ in 0..2 {
        stage.downloads(&stage.ben, &order).await;
    }
    let data = stage.get(&stage.ben, &path(&order)).await.refused(429, "429");
    assert_eq!(data["retryAfter"], 6);
    stage.downloads(&stage.anna, &order).await;
}

#[tokio::test]
async fn figures_about_few_appeals_are_not_published() {
    let (stage, _) = Box::pin(Stage::finished()).await;
    let shown = stage.get(&stage.carl, "/common/appeal-figures").await.ok();
    assert_eq!(shown, json!({ "days": 30, "least": 20, "figures": null }));
    let nobody = Request::get("/api/common/appeal-figures").body(Body::empty()).unwrap();
    stage.send(nobody).await.ok();
}
