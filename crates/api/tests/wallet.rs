//! Balances and fund records over HTTP, from deposits on a simulated chain and from real trades.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod server;

use std::collections::HashSet;

use app::chain_ingest::{Held, Policy, Range, apply};
use app::commands::{Actor, Command, CommandKind, execute};
use app::engine::idempotency::{IdempotencyKey, Response};
use app::orders::{PlaceOrder, Size};
use axum::http::StatusCode;
use domain::chain::{
    Address, Block, BlockHash, BlockRef, Reference, Settlement, SettlementOutcome, Token, Transfer, TxHash,
};
use domain::checks::AdvertRequest;
use domain::identity::address::checksummed;
use domain::ids::{AdvertId, OrderId};
use domain::money::Price;
use domain::orders;
use domain::trade::Side;
use domain::users::User;
use serde_json::{Value, json};
use server::{CHAIN, TestServer, amount};

const FROM: Address = Address([0x77; 20]);

fn hash(fork: u8, number: u64) -> BlockHash {
    let mut bytes = [fork; 32];
    bytes[24..].copy_from_slice(&number.to_be_bytes());
    BlockHash(bytes)
}

fn tx(name: u8) -> TxHash {
    TxHash([name; 32])
}

/// A chain with forks, which share the blocks up to `common`.
struct Chain<'w> {
    server: &'w TestServer,
    head: u64,
    fork: u8,
    common: u64,
}

impl Chain<'_> {
    fn place(&self, number: u64) -> BlockRef {
        let of = |number| if number <= self.common { hash(0, number) } else { hash(self.fork, number) };
        BlockRef { number, hash: of(number), parent: of(number.saturating_sub(1)) }
    }

    /// Mines a block with these contents.
    async fn mine(&mut self, transfers: Vec<Transfer>, settlements: Vec<Settlement>) {
        let read_on = self.newest();
        self.head += 1;
        let block = Block {
            place: self.place(self.head),
            at: self.server.now(),
            transfers,
            settlements,
            metadata_updates: Vec::new(),
        };
        self.reports(read_on, self.head, vec![block]).await;
    }

    /// Returns the newest block that was reported.
    fn newest(&self) -> Option<BlockRef> {
        (self.head > 0).then(|| self.place(self.head))
    }

    async fn reports(&self, read_on: Option<BlockRef>, replace_from: u64, blocks: Vec<Block>) {
        let (albums, held) = (HashSet::new(), Some(Held::default()));
        let range = Range { chain: CHAIN, read_on, albums, replace_from, blocks, held };
        let applied = apply(&self.server.context, &range, Policy { stop_on_deep_reorganisation: false }).await.unwrap();
        assert!(applied.is_some(), "no other reader");
    }

    async fn mine_empty(&mut self, many: u64) {
        for _ in 0..many {
            self.mine(Vec::new(), Vec::new()).await;
        }
    }

    /// Replaces every block above `common` with an empty one.
    async fn reorganise(&mut self, common: u64) {
        let read_on = self.newest();
        (self.common, self.fork) = (common, self.fork + 1);
        let blocks = (common + 1..=self.head)
            .map(|number| Block {
                place: self.place(number),
                at: self.server.now(),
                transfers: Vec::new(),
                settlements: Vec::new(),
                metadata_updates: Vec::new(),
            })
            .collect();
        self.reports(read_on, common + 1, blocks).await;
    }
}

fn sends(server: &TestServer, to: &User, quantity: &str, name: u8) -> Transfer {
    let amount = amount(quantity, &server.mec);
    Transfer { token: Token::Native, tx: tx(name), position: -1, from: FROM, to: to.vault, amount }
}

fn first_leg_paid() -> Settlement {
    Settlement { tx: tx(9), reference: Reference(1), outcome: SettlementOutcome::Paid }
}

fn chain(server: &TestServer) -> Chain<'_> {
    Chain { server, head: 0, fork: 0, common: 0 }
}

fn by(person: &User, key: &str) -> Actor {
    Actor::User { user: person.id, key: IdempotencyKey::derived(&[key]) }
}

async fn execute_one(server: &TestServer, actor: Actor, what: CommandKind) -> Response {
    execute(&server.context, &[Command { actor, what }]).await.pop().unwrap().unwrap()
}

async fn records(server: &TestServer, token: &str, more: &str) -> Vec<Value> {
    let page = server.get(&format!("/balance/detail?page=1{more}"), Some(token)).await.ok();
    let records = page["records"].as_array().unwrap().clone();
    assert_eq!(page["total"], records.len());
    records
}

async fn line(server: &TestServer, token: &str, asset: &str) -> Value {
    let balance = server.get("/balance", Some(token)).await.ok();
    balance["lines"].as_array().unwrap().iter().find(|line| line["asset"] == asset).unwrap().clone()
}

#[tokio::test]
async fn a_deposit_is_shown_from_its_first_block_until_a_reorganization_removes_it() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let token = server.sign_in(&anna).await;
    let mut chain = chain(&server);
    chain.mine_empty(1).await;
    chain.mine(vec![sends(&server, &anna, "10", 1)], Vec::new()).await;
    let seen = records(&server, &token, "").await.remove(0);
    assert_eq!(seen["confirmations"], json!({ "seen": 1, "needed": 3 }));
    for (field, value) in [
        ("type", json!("DEPOSIT")),
        ("state", json!("CONFIRMING")),
        ("direction", json!("IN")),
        ("asset", json!("MEC")),
        ("amount", json!("10")),
        ("effect", json!("0")),
        ("cost", json!("0")),
        ("counterparty", Value::Null),
        ("hash", json!(tx(1).to_string())),
        ("from", json!(checksummed(FROM))),
        ("to", json!(checksummed(anna.vault))),
        ("orderId", Value::Null),
    ] {
        assert_eq!(seen[field], value, "{field}");
    }
    assert_eq!(line(&server, &token, "MEC").await["confirming"], "10");
    chain.mine_empty(1).await;
    assert_eq!(records(&server, &token, "").await[0]["confirmations"]["seen"], 2);
    chain.mine_empty(1).await;
    let done = records(&server, &token, "").await.remove(0);
    assert_eq!((&done["state"], &done["id"], &done["at"]), (&json!("COMPLETED"), &seen["id"], &seen["at"]));
    assert_eq!(done["confirmations"], json!({ "seen": 3, "needed": 3 }));
    assert_eq!(done["effect"], "10");
    let held = line(&server, &token, "MEC").await;
    assert_eq!((&held["temporary"], &held["confirming"]), (&json!("10"), &json!("0")));
    assert_eq!((&held["withdrawable"], &held["arrives"], &held["gas"]), (&json!(true), &json!("9.99"), &json!("0.01")));
    chain.reorganise(1).await;
    let path = format!("/balance/record/{}", seen["id"].as_str().unwrap());
    let gone = server.get(&path, Some(&token)).await.ok();
    assert_eq!((&gone["state"], &gone["confirmations"]), (&json!("REVOKED"), &Value::Null));
    assert_eq!(gone["effect"], "0");
    assert_eq!(line(&server, &token, "MEC").await["temporary"], "0");
}

#[tokio::test]
async fn a_withdrawal_is_shown_while_unconfirmed_and_when_paid() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let token = server.sign_in(&anna).await;
    let mut chain = chain(&server);
    chain.mine(vec![sends(&server, &anna, "10", 1)], Vec::new()).await;
    chain.mine_empty(2).await;
    let asked = app::wallet::withdrawals::withdraw(
        &server.context,
        &IdempotencyKey::derived(&["withdraw"]),
        anna.id,
        server.mec.id,
    )
    .await
    .unwrap();
    let path = format!("/balance/record/{asked}");
    let record = async || server.get(&path, Some(&token)).await.ok();
    let requested = record().await;
    assert_eq!((&requested["type"], &requested["state"]), (&json!("WITHDRAWAL"), &json!("REQUESTED")));
    assert_eq!((&requested["direction"], &requested["amount"]), (&json!("OUT"), &json!("9.99")));
    assert_eq!((&requested["effect"], &requested["cost"]), (&json!("-10"), &json!("0.01")));
    assert_eq!(requested["to"], checksummed(anna.bound.unwrap()));
    assert_eq!(requested["from"], checksummed(anna.vault));
    assert_eq!((&requested["hash"], &requested["confirmations"]), (&Value::Null, &Value::Null));
    assert_eq!(line(&server, &token, "MEC").await["inFlight"], "9.99");
    chain.mine(Vec::new(), vec![first_leg_paid()]).await;
    let paid = record().await;
    assert_eq!((&paid["state"], &paid["hash"]), (&json!("CONFIRMING"), &json!(tx(9).to_string())));
    assert_eq!(paid["confirmations"], json!({ "seen": 1, "needed": 3 }));
    chain.mine_empty(2).await;
    assert_eq!(record().await["state"], "COMPLETED");
    chain.reorganise(3).await;
    assert_eq!(record().await["state"], "REVOKED");
    let kinds = async |more: &str| {
        records(&server, &token, more).await.iter().map(|record| record["type"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("").await.len(), 2);
    assert_eq!(kinds("&type=WITHDRAWAL").await, ["WITHDRAWAL"]);
    assert_eq!(kinds("&type=DEPOSIT&asset=MEC").await, ["DEPOSIT"]);
    assert_eq!(kinds("&asset=USDT").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_release_is_a_record_of_both_users_from_their_own_side() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let (annas, bens) = (server.sign_in(&anna).await, server.sign_in(&ben).await);
    let mut chain = chain(&server);
    chain.mine_empty(1).await;
    // Ben posts a buy advert. Anna orders from it, deposits her MEC, and confirms his payment.
    let price = Price::parse("2").unwrap();
    let totals = (amount("2", &server.usdt), amount("20", &server.usdt));
    let pair = server.pair(&server.usdt).await.id;
    let post = AdvertRequest::new(pair, Side::Buy, price, amount("10", &server.mec), totals);
    let advert = AdvertId(execute_one(&server, by(&ben, "post"), CommandKind::PostAdvert(post)).await.id.unwrap());
    let quantity = amount("4", &server.mec);
    let place = PlaceOrder::new(advert, Size::Quantity(quantity), price);
    let placed = execute_one(&server, by(&anna, "order"), CommandKind::PlaceOrder(place)).await;
    let order = OrderId(placed.id.unwrap());
    let version = async || {
        let mut tx = server.context.store.begin().await.unwrap();
        store::orders::read(&mut tx, &[order]).await.unwrap()[0].version
    };
    let act = async |person: &User, key: &str, act: orders::OrderCommand| {
        let what = CommandKind::order(order, version().await, act, orders::Proofs::ALL);
        execute_one(&server, by(person, key), what).await;
    };
    act(&ben, "accept", orders::OrderCommand::Accept).await;
    chain.mine(vec![sends(&server, &anna, "4", 1)], Vec::new()).await;
    let waiting = line(&server, &annas, "MEC").await;
    assert_eq!(
        (&waiting["confirming"], &waiting["withdrawable"], &waiting["blockedBy"]),
        (&json!("4"), &json!(false), &Value::Null)
    );
    chain.mine_empty(2).await;
    assert_eq!(line(&server, &annas, "MEC").await["inOrders"], "4");
    let paid = orders::OrderCommand::MarkPaid {
        method: None,
        reference: Some("r".to_owned()),
        hash: None,
        receipts: Vec::new(),
    };
    act(&ben, "pay", paid).await;
    act(&anna, "confirm", orders::OrderCommand::Confirm).await;
    chain.mine(Vec::new(), vec![first_leg_paid()]).await;
    chain.mine_empty(2).await;

    let released = records(&server, &bens, "").await;
    assert_eq!(released.len(), 1);
    let released = &released[0];
    for (field, value) in [
        ("type", json!("RELEASE")),
        ("state", json!("COMPLETED")),
        ("direction", json!("DIRECT")),
        ("redirected", json!(false)),
        ("amount", json!("3.996")),
        ("effect", json!("0")),
        ("cost", json!("0")),
        ("counterparty", json!({ "id": anna.id, "nickname": anna.nickname })),
        ("hash", json!(tx(9).to_string())),
        ("from", json!(checksummed(anna.vault))),
        ("to", json!(checksummed(ben.bound.unwrap()))),
        ("orderId", json!(order)),
        ("advertId", json!(advert)),
    ] {
        assert_eq!(released[field], value, "{field}");
    }
    let given = records(&server, &annas, "").await;
    assert_eq!(given.len(), 2);
    // The clock is stopped, so the deposit and the release have no order in time.
    let out = given.iter().find(|record| record["type"] == "RELEASE").unwrap();
    for (field, value) in [
        ("state", json!("COMPLETED")),
        ("direction", json!("OUT")),
        ("amount", json!("3.996")),
        ("effect", json!("-4")),
        ("cost", json!("0.004")),
        ("counterparty", json!({ "id": ben.id, "nickname": ben.nickname })),
        ("from", json!(checksummed(anna.vault))),
        ("to", json!(checksummed(ben.bound.unwrap()))),
        ("orderId", json!(order)),
    ] {
        assert_eq!(out[field], value, "{field}");
    }
    assert_ne!(out["id"], released["id"]);
    // Users cannot read the records of others.
    let path = format!("/balance/record/{}", released["id"].as_str().unwrap());
    server.get(&path, Some(&bens)).await.ok();
    server.get(&path, Some(&annas)).await.refused(404, "1016");
}

#[tokio::test]
async fn a_balance_shows_why_it_cannot_be_withdrawn() {
    let server = TestServer::new().await;
    #[expect(clippy::type_complexity, reason = "a case is a name and a change of the user")]
    let cases: [(&str, fn(&mut User)); 4] = [
        ("address", |person| person.bound = None),
        ("hold", |person| person.held_until = Some(testkit::noon() + chrono::Duration::hours(1))),
        ("risk", |person| person.forbidden = vec![domain::refusal::RiskFlag::Withdrawal]),
        ("dust", |_| ()),
    ];
    let mut chain = chain(&server);
    for (word, change) in cases {
        let person = server.person(change).await;
        let token = server.sign_in(&person).await;
        let sum = if word == "dust" { "0.01" } else { "1" };
        chain.mine(vec![sends(&server, &person, sum, 1)], Vec::new()).await;
        chain.mine_empty(2).await;
        let line = line(&server, &token, "MEC").await;
        assert_eq!(
            (&line["blockedBy"], &line["withdrawable"], &line["arrives"]),
            (&json!(word), &json!(false), &Value::Null)
        );
    }
    let anna = server.person(|_| ()).await;
    let token = server.sign_in(&anna).await;
    chain.mine(vec![sends(&server, &anna, "1", 1)], Vec::new()).await;
    chain.mine_empty(2).await;
    server.advert(&anna, Side::Buy, &server.usdt, "2", &[]).await;
    assert_eq!(line(&server, &token, "MEC").await["blockedBy"], "adverts");
    assert_eq!(line(&server, &token, "USDT").await["blockedBy"], Value::Null);
    let mut tx = server.context.store.begin().await.unwrap();
    store::catalog::stop_chain(&mut tx, CHAIN, Some("test")).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(line(&server, &token, "MEC").await["blockedBy"], "stopped");
}

#[tokio::test]
async fn missing_sessions_and_invalid_queries_are_refused() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let token = server.sign_in(&anna).await;
    let none = "00000000-0000-0000-0000-000000000001";
    for path in ["/balance", "/balance/detail", &format!("/balance/record/{none}")] {
        server.get(path, None).await.refused(401, "401");
        server.get(path, Some("nobody")).await.refused(StatusCode::UNAUTHORIZED.as_u16(), "401");
    }
    server.get(&format!("/balance/record/{none}"), Some(&token)).await.refused(404, "1016");
    for (path, field) in [
        ("/balance/record/42", "id"),
        ("/balance/detail?type=GIFT", "type"),
        ("/balance/detail?asset=XYZ", "asset"),
        ("/balance/detail?page=0", "page"),
    ] {
        assert_eq!(server.get(path, Some(&token)).await.refused(400, "400").as_deref(), Some(field), "{path}");
    }
}
