//! Payouts in the console: stops are resumed, and failing legs are voided.

use domain::chain::SettlementOutcome;
use domain::ids::OrderId;
use serde_json::{Value, json};
use testkit::market::{Chain, Market, mec, minutes, usdt};

use crate::desk::{Desk, User};
use crate::product::Differences;

async fn stop(market: &Market, because: &str) {
    let mut tx = market.database.store.begin().await.unwrap();
    store::stops::stop(&mut tx, market.mec, because, testkit::noon()).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn stopped_payouts_are_listed_and_resumed() {
    let desk = Desk::open().await;
    stop(&desk.market, "a vault is short").await;
    let seen = desk.get(&desk.admin, "/console/payouts").await.ok();
    let one = seen["stops"][0].clone();
    assert_eq!((&one["asset"], &one["because"]), (&json!("MEC"), &json!("a vault is short")));
    let path = format!("/console/payouts/{}/resume", one["assetId"]);
    let body = json!({"version": one["version"], "reason": "the vault is whole again"});
    // A cause that the officer has not read yet.
    stop(&desk.market, "another vault is short").await;
    desk.post(&desk.admin, &path, &body).await.refused(409, "5050");
    let seen = desk.get(&desk.admin, "/console/payouts").await.ok();
    assert_eq!(seen["stops"][0]["againBecause"], "another vault is short");
    let body = json!({"version": seen["stops"][0]["version"], "reason": "the vaults are whole again"});
    let after = desk.post_as("resume-once", &desk.admin, &path, &body).await.ok();
    assert_eq!(after["stops"], json!([]));
    assert_eq!(desk.post_as("resume-once", &desk.admin, &path, &body).await.ok(), after);
    desk.post(&desk.admin, &path, &body).await.refused(404, "1016");
    assert_eq!(desk.log(1).await, ["Ada resume asset: the vaults are whole again"]);
}

#[tokio::test]
async fn payouts_stay_stopped_while_ledger_and_chain_disagree() {
    let desk = Desk::with(Differences(vec!["vault 0x1 holds 4 instead of 5".to_owned()])).await;
    stop(&desk.market, "a vault is short").await;
    let one = desk.get(&desk.admin, "/console/payouts").await.ok()["stops"][0].clone();
    let path = format!("/console/payouts/{}/resume", one["assetId"]);
    let body = json!({"version": one["version"], "reason": "looks fine"});
    let refused = desk.post(&desk.admin, &path, &body).await.refused(409, "6006");
    assert_eq!(refused["differences"], "vault 0x1 holds 4 instead of 5");
    assert_eq!(desk.get(&desk.admin, "/console/payouts").await.ok()["stops"][0], one);
}

/// A market in which the payouts of orders fail.
struct Failing {
    desk: Desk,
    chain: Chain,
    anna: User,
    ben: User,
}

impl Failing {
    async fn open() -> Self {
        let desk = Box::pin(Desk::open()).await;
        let chain = desk.market.chain().await;
        let (anna, ben) = (desk.user("anna").await, desk.user("ben").await);
        Self { desk, chain, anna, ben }
    }

    /// Completes an order of 4 MEC except for the release.
    async fn releasing(&mut self) -> OrderId {
        let advert = self.anna.trader.posts(self.anna.trader.mec_for_krw("10", "1000")).await.unwrap();
        self.chain.brings(&self.anna.trader, self.desk.market.mec, mec("10")).await;
        let order = self.ben.trader.orders(advert, "4").await.unwrap();
        self.anna.trader.accepts(order).await.unwrap();
        self.ben.trader.marks_paid(order).await.unwrap();
        self.anna.trader.confirms(order).await.unwrap();
        order
    }

    /// Does the same with an automatic order, whose release has two legs.
    async fn releasing_pair(&mut self) -> OrderId {
        let advert = self.anna.trader.posts(self.anna.trader.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        self.chain.brings(&self.anna.trader, self.desk.market.mec, mec("10")).await;
        let order = self.ben.trader.orders(advert, "4").await.unwrap();
        self.chain.brings(&self.ben.trader, self.desk.market.usdt, usdt("10")).await;
        order
    }

    /// Ends all owed legs with this outcome, in a final block.
    async fn all_end(&mut self, outcome: SettlementOutcome) {
        let mut contents = self.chain.signs().await;
        contents.settlements.iter_mut().for_each(|settlement| settlement.outcome = outcome);
        contents.transfers.clear();
        self.chain.mines_blocks([contents]).await;
        self.chain.confirms().await;
    }

    /// Lets all owed legs fail. Three times take less than the time after which an officer must sign in again.
    async fn fail(&mut self, times: u32) {
        for _ in 0..times {
            self.all_end(SettlementOutcome::Failed).await;
            self.desk.market.waits(minutes(8)).await;
        }
    }

    async fn listed(&self) -> Vec<Value> {
        let seen = self.desk.get(&self.desk.admin, "/console/payouts").await.ok();
        seen["failing"].as_array().unwrap().clone()
    }
}

fn decision(leg: &Value) -> Value {
    json!({"version": leg["version"], "reason": "the token is paused for good"})
}

fn void(leg: &Value) -> String {
    format!("/console/payouts/legs/{}/void", leg["reference"].as_str().unwrap())
}

#[tokio::test]
async fn a_failing_payout_is_voided_if_it_is_refused_again_and_its_order_goes_to_an_appeal() {
    let mut failing = Failing::open().await;
    let order = failing.releasing().await;
    failing.fail(2).await;
    assert_eq!(failing.listed().await, Vec::<Value>::new(), "not yet often enough");
    failing.fail(1).await;
    let leg = failing.listed().await[0].clone();
    assert_eq!((&leg["purpose"], &leg["failures"], &leg["voidCalls"]), (&json!("release"), &json!(3), &json!([])));
    assert_eq!(leg["voidedIfRefused"], false);

    let Failing { desk, .. } = &failing;
    desk.post(&desk.admin, "/console/payouts/legs/999999/void", &decision(&leg)).await.refused(404, "1016");
    let stale = json!({"version": "0", "reason": "the token is paused for good"});
    desk.post(&desk.admin, &void(&leg), &stale).await.refused(409, "5050");
    let after = desk.post_as("void-once", &desk.admin, &void(&leg), &decision(&leg)).await.ok();
    assert_eq!(after["failing"][0]["voidedIfRefused"], true);
    assert_eq!(desk.post_as("void-once", &desk.admin, &void(&leg), &decision(&leg)).await.ok(), after);
    desk.post(&desk.admin, &void(&leg), &decision(&leg)).await.refused(409, "5050");
    let again = desk.post(&desk.admin, &void(&leg), &decision(&after["failing"][0])).await;
    assert_eq!(again.refused(400, "400")["field"], "id");
    assert_eq!(desk.log(1).await, ["Ada void_payout order: the token is paused for good"]);
    assert_eq!(desk.market.state(order).await, "RELEASING", "the chain has not voided it yet");

    failing.all_end(SettlementOutcome::Voided).await;
    assert_eq!(failing.listed().await, Vec::<Value>::new());
    assert!(failing.desk.market.order(order).await.progress.voided.is_some(), "an officer decides");
    failing.desk.market.is_sound().await;
}

#[tokio::test]
async fn only_the_escrows_administrator_voids_a_pair() {
    let mut failing = Failing::open().await;
    failing.releasing_pair().await;
    failing.fail(3).await;
    let legs = failing.listed().await;
    assert_eq!(legs.len(), 2);
    let call = |reference: &str, data: &str| json!({"reference": reference, "to": legs[0]["voidCalls"][0]["to"], "data": data});
    let calls = json!([call("1", "0x0000000000000001"), call("2", "0x0000000000000002")]);
    for leg in &legs {
        assert_eq!(leg["voidCalls"], calls);
        let refused = failing.desk.post(&failing.desk.admin, &void(leg), &decision(leg)).await.refused(400, "400");
        assert_eq!(refused["field"], "id");
    }
    // One of them was voided: the other must follow.
    let mut contents = failing.chain.signs().await;
    contents.settlements.truncate(1);
    contents.settlements[0].outcome = SettlementOutcome::Voided;
    contents.transfers.clear();
    failing.chain.mines_blocks([contents]).await;
    failing.chain.confirms().await;
    let legs = failing.listed().await;
    assert_eq!(legs.len(), 1);
    assert_eq!((&legs[0]["toBeVoided"], &legs[0]["voidCalls"]), (&json!(true), &json!([calls[1]])));
}

#[tokio::test]
async fn nfts_of_unknown_collections_are_found_by_the_transaction_that_brought_them() {
    let desk = Desk::open().await;
    let hash = format!("0x{}", "AB".repeat(32));
    let found = desk.get(&desk.admin, &format!("/console/unlisted-nfts?transaction={hash}")).await.ok();
    let last = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    assert_eq!(found[0]["nftId"], last);
    assert_eq!(found[0]["data"], hash.to_lowercase());
    assert_eq!(desk.log(1).await, ["Ada view_unlisted_nfts platform"]);
    desk.get(&desk.admin, "/console/unlisted-nfts?transaction=0x12").await.refused(400, "400");
}
