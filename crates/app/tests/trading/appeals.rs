//! Decisions of officers about appeals: limits, second officers, rejections, reopening, repetitions and races.

use app::appeals::{AppealRuling, Decided, Rules, Ruling, decide};
use chrono::Duration;
use domain::console::Role;
use domain::files::GRID;
use domain::funding::FundingTarget;
use domain::ids::OrderId;
use domain::orders::{AppealReason, NewEvidence, OrderCommand, Undecidable};
use domain::refusal::Refusal;
use domain::trade::Party;
use testkit::market::officers::set_reference;
use testkit::market::{Market, mec, price};

use crate::Stage;
use crate::talk_files::picture;

const FOR_BUYER: Ruling = Ruling::Verdict { winner: Party::Buyer, malicious: false };
const FOR_SELLER: Ruling = Ruling::Verdict { winner: Party::Seller, malicious: false };
const REJECT: Ruling = Ruling::Reject { malicious: false };

/// The name of an officer, and the role.
type Who = (&'static str, Role);

const OLGA: Who = ("olga", Role::AppealOfficer);
const OTTO: Who = ("otto", Role::AppealOfficer);
const CARL: Who = ("carl", Role::CustomerService);

async fn decision(market: &Market, order: OrderId, ruling: Ruling, (name, role): Who) -> AppealRuling {
    let officer = market.officer(name, role).await;
    AppealRuling { order, ruling, officer, note: "The bank confirms it.".to_owned() }
}

async fn decides(market: &Market, order: OrderId, ruling: Ruling, who: Who) -> Decided {
    let decision = decision(market, order, ruling, who).await;
    let done = decide(&market.context, &Rules::default(), &decision).await.unwrap();
    market.is_sound().await;
    done
}

/// Returns the order's appeal status after a decision.
async fn status(market: &Market, order: OrderId) -> &'static str {
    let status = market.order(order).await.appeal.map_or("NONE", |appeal| appeal.status.into_str());
    let stored = market.count(&format!("select count(*) from appeals where status = '{status}'")).await;
    assert_eq!(stored, i64::from(status != "NONE"), "the table of appeals has the same status");
    status
}

impl Stage {
    /// A paid order about which the platform has filed an appeal. 1 MEC is worth 2 USDT.
    async fn appealed(&self, quantity: &str) -> OrderId {
        set_reference(&self.market.context, ("MEC", "USDT"), price("2"), "There are no trades yet.").await.unwrap();
        self.appealed_without_value(quantity).await
    }

    async fn appealed_without_value(&self, quantity: &str) -> OrderId {
        let order = self.paid(quantity).await;
        let due = self.market.order(order).await.state.deadline().unwrap().at;
        for at in [due, domain::clock::after(due, Duration::days(7))] {
            self.market.at(at).await;
            self.market.clock_strikes().await;
        }
        assert_eq!(status(&self.market, order).await, "PENDING");
        order
    }
}

#[tokio::test]
async fn customer_service_decides_up_to_its_limit() {
    let stage = Stage::selling(Market::open().await, "1000", "1000").await;
    let order = stage.appealed("250").await;
    assert!(matches!(decides(&stage.market, order, FOR_BUYER, CARL).await, Decided::Done(_)), "500 USDT");
    let stage = Stage::selling(Market::open().await, "1000", "1000").await;
    let order = stage.appealed("250.0001").await;
    for ruling in [FOR_BUYER, FOR_SELLER, REJECT] {
        let refused = decides(&stage.market, order, ruling, CARL).await;
        assert_eq!(refused, Decided::Refused(Undecidable::AboveLimit));
    }
    assert_eq!(status(&stage.market, order).await, "PENDING");
}

#[tokio::test]
async fn a_large_order_needs_the_same_verdict_by_two_officers() {
    let stage = Stage::selling(Market::open().await, "10000", "1000").await;
    let order = stage.appealed("5000.0001").await;
    let market = &stage.market;
    assert_eq!(decides(market, order, FOR_BUYER, OLGA).await, Decided::Proposed);
    assert_eq!(decides(market, order, FOR_BUYER, OLGA).await, Decided::Proposed, "the same officer again");
    assert_eq!(decides(market, order, FOR_SELLER, OTTO).await, Decided::Proposed, "another verdict");
    assert_eq!(status(market, order).await, "PENDING");
    assert!(matches!(decides(market, order, FOR_SELLER, OLGA).await, Decided::Done(_)));
    assert_eq!(status(market, order).await, "DECIDED");
    assert_eq!(market.count("select count(*) from appeal_proposals where ended_at is null").await, 0);
    assert_eq!(market.count("select count(*) from audit_log where action like 'propose%'").await, 3);
}

#[tokio::test]
async fn the_rejection_of_a_large_appeal_needs_two_officers_and_its_revocation_one() {
    let stage = Stage::selling(Market::open().await, "10000", "1000").await;
    let order = stage.appealed("5000.0001").await;
    let market = &stage.market;
    assert_eq!(decides(market, order, REJECT, OLGA).await, Decided::Proposed);
    assert_eq!(decides(market, order, REJECT, OLGA).await, Decided::Proposed, "the same officer again");
    assert_eq!(decides(market, order, FOR_BUYER, OTTO).await, Decided::Proposed, "another decision");
    assert_eq!(decides(market, order, REJECT, OLGA).await, Decided::Proposed, "replaces the verdict");
    assert_eq!(status(market, order).await, "PENDING");
    for who in [OTTO, OLGA] {
        decides(market, order, FOR_SELLER, who).await;
    }
    assert_eq!(status(market, order).await, "DECIDED");
    assert!(matches!(decides(market, order, Ruling::Reopen, OTTO).await, Decided::Done(_)));
    assert_eq!(decides(market, order, REJECT, OTTO).await, Decided::Proposed, "proposals from before do not count");
    assert!(matches!(decides(market, order, REJECT, OLGA).await, Decided::Done(_)));
    assert_eq!(status(market, order).await, "REJECTED");
    assert_eq!(market.count("select count(*) from appeal_proposals where ended_at is null").await, 0);
    assert_eq!(market.count("select count(*) from audit_log where action = 'propose_reject'").await, 4);
    assert_eq!(market.count("select count(*) from audit_log where action = 'reject_appeal'").await, 1);
}

#[tokio::test]
async fn two_officers_agree_only_if_their_verdict_moves_the_same_coins() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10000", "1000").buying()).await.unwrap();
    let order = ben.orders(advert, "6000").await.unwrap();
    anna.accepts(order).await.unwrap();
    market.at(market.order(order).await.state.deadline().unwrap().at).await;
    market.clock_strikes().await;
    let evidence = NewEvidence { pictures: vec![picture(&anna, &[0; GRID * GRID]).await], videos: Vec::new() };
    let appeal = OrderCommand::Appeal { reason: AppealReason::NotDeposited, description: None, evidence };
    anna.does(order, appeal).await.unwrap();
    assert_eq!(decides(&market, order, FOR_BUYER, OLGA).await, Decided::Proposed, "which ends the order");
    chain.brings(&ben, market.mec, mec("6000")).await;
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
    assert_eq!(decides(&market, order, FOR_BUYER, OTTO).await, Decided::Proposed, "which releases the deposit");
    assert!(matches!(decides(&market, order, FOR_BUYER, OLGA).await, Decided::Done(_)));
}

#[tokio::test]
async fn temporary_balance_cannot_be_used_for_an_order_under_appeal() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    chain.brings(&ben, market.mec, mec("5")).await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000").buying()).await.unwrap();
    let order = ben.orders(advert, "4").await.unwrap();
    anna.accepts(order).await.unwrap();
    market.at(market.order(order).await.state.deadline().unwrap().at).await;
    let evidence = NewEvidence { pictures: vec![picture(&anna, &[0; GRID * GRID]).await], videos: Vec::new() };
    let appeal = OrderCommand::Appeal { reason: AppealReason::NotDeposited, description: None, evidence };
    anna.does(order, appeal).await.unwrap();
    assert_eq!(ben.offers(FundingTarget::Order(order), mec("4")).await, Err(Refusal::LockedByAppeal));
    assert_eq!((ben.has_free(market.mec).await, market.state(order).await), (mec("5"), "AWAITING_DEPOSIT"));
    anna.does(order, OrderCommand::WithdrawAppeal).await.unwrap();
    ben.offers(FundingTarget::Order(order), mec("4")).await.unwrap();
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
    market.is_sound().await;
}

#[tokio::test]
async fn an_order_of_unknown_value_needs_two_officers() {
    let stage = Stage::set().await;
    let order = stage.appealed_without_value("4").await;
    let refused = decides(&stage.market, order, FOR_BUYER, CARL).await;
    assert_eq!(refused, Decided::Refused(Undecidable::AboveLimit));
    assert_eq!(decides(&stage.market, order, FOR_BUYER, OLGA).await, Decided::Proposed);
    assert!(matches!(decides(&stage.market, order, FOR_BUYER, OTTO).await, Decided::Done(_)));
}

#[tokio::test]
async fn a_proposal_ends_with_the_appeal() {
    let stage = Stage::selling(Market::open().await, "10000", "1000").await;
    let order = stage.appealed("6000").await;
    assert_eq!(decides(&stage.market, order, FOR_BUYER, OLGA).await, Decided::Proposed);
    stage.ben.does(order, OrderCommand::WithdrawAppeal).await.unwrap();
    assert_eq!(stage.market.count("select count(*) from appeal_proposals where ended_at is null").await, 0);
    assert_eq!(decides(&stage.market, order, FOR_BUYER, OTTO).await, Decided::Refused(Undecidable::NotOpen));
}

#[tokio::test]
async fn a_rejection_lets_the_order_continue() {
    let stage = Stage::set().await;
    let order = stage.appealed("4").await;
    assert!(matches!(decides(&stage.market, order, REJECT, OLGA).await, Decided::Done(_)));
    assert!(stage.ben.was_told().await.contains(&"APPEAL_REJECTED".to_owned()));
    assert!(matches!(decides(&stage.market, order, REJECT, OLGA).await, Decided::Done(_)), "repeated");
    let acts = "select count(*) from audit_log where action = 'reject_appeal'";
    assert_eq!(stage.market.count(acts).await, 1, "once");
    stage.anna.confirms(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "RELEASING");
}

#[tokio::test]
async fn a_reopened_verdict_is_not_executed() {
    let stage = Stage::set().await;
    let order = stage.appealed("4").await;
    assert_eq!(decides(&stage.market, order, Ruling::Reopen, OLGA).await, Decided::Refused(Undecidable::NotDecided));
    decides(&stage.market, order, FOR_SELLER, OLGA).await;
    assert_eq!(decides(&stage.market, order, FOR_BUYER, OLGA).await, Decided::Refused(Undecidable::Decided));
    stage.market.waits(Duration::hours(24) - Duration::microseconds(1)).await;
    stage.market.clock_strikes().await;
    decides(&stage.market, order, Ruling::Reopen, OLGA).await;
    stage.market.waits(Duration::hours(24)).await;
    stage.market.clock_strikes().await;
    assert_eq!(status(&stage.market, order).await, "PENDING");
    assert_eq!(stage.market.state(order).await, "AWAITING_CONFIRMATION");
    decides(&stage.market, order, FOR_BUYER, OLGA).await;
    stage.market.waits(Duration::hours(24)).await;
    stage.market.clock_strikes().await;
    assert_eq!((status(&stage.market, order).await, stage.market.state(order).await), ("EXECUTED", "RELEASING"));
}

#[tokio::test]
async fn a_lost_appeal_uses_no_free_cancellation() {
    let stage = Stage::set().await;
    let order = stage.appealed("4").await;
    decides(&stage.market, order, FOR_SELLER, OLGA).await;
    stage.market.waits(Duration::hours(24)).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.ben.reputation().await, 80);
    stage.ben.switches(true).await.unwrap();
    for _ in 0..3 {
        let next = stage.ordered("1").await;
        stage.ben.cancels(next).await.unwrap();
    }
    assert_eq!(stage.ben.reputation().await, 80, "three cancellations are free");
    let next = stage.ordered("1").await;
    stage.ben.cancels(next).await.unwrap();
    assert_eq!(stage.ben.reputation().await, 60);
    app::reputation::restore(&stage.market.context).await.unwrap();
    assert_eq!(stage.ben.reputation().await, 60, "until the end of the month");
}

#[tokio::test]
async fn an_appeal_of_the_platform_is_not_malicious() {
    let stage = Stage::set().await;
    let order = stage.appealed("4").await;
    let rejection = Ruling::Reject { malicious: true };
    for ruling in [rejection, Ruling::Verdict { winner: Party::Buyer, malicious: true }] {
        let decision = decision(&stage.market, order, ruling, OLGA).await;
        let refused = decide(&stage.market.context, &Rules::default(), &decision).await;
        let Err(app::Error::Refused(Refusal::Invalid { field, .. })) = refused else { panic!("{refused:?}") };
        assert_eq!(field, "malicious");
    }
    assert_eq!(status(&stage.market, order).await, "PENDING");
    assert_eq!(stage.market.count("select count(*) from appeal_proposals").await, 0);
    assert_eq!([stage.anna.reputation().await, stage.ben.reputation().await], [100, 100]);
}

#[tokio::test]
async fn of_two_opposite_decisions_at_once_one_wins() {
    let stage = Stage::set().await;
    let order = stage.appealed("4").await;
    let market = &stage.market;
    let one = decision(market, order, FOR_BUYER, OLGA).await;
    let other = decision(market, order, FOR_SELLER, OTTO).await;
    let rules = Rules::default();
    let (one, other) = tokio::join!(decide(&market.context, &rules, &one), decide(&market.context, &rules, &other));
    let done = [one.unwrap(), other.unwrap()].iter().filter(|decided| matches!(decided, Decided::Done(_))).count();
    assert_eq!(done, 1);
    market.is_sound().await;
}

#[tokio::test]
async fn a_withdrawal_and_a_verdict_at_once_do_not_both_take_effect() {
    for _ in 0..4 {
        let stage = Stage::set().await;
        let order = stage.appealed("4").await;
        let rules = Rules::default();
        let verdict = decision(&stage.market, order, FOR_SELLER, OLGA).await;
        let (withdrawn, decided) = tokio::join!(
            stage.ben.does(order, OrderCommand::WithdrawAppeal),
            decide(&stage.market.context, &rules, &verdict)
        );
        let decided = matches!(decided.unwrap(), Decided::Done(_));
        assert!(withdrawn.is_ok() != decided, "{withdrawn:?}");
        assert_eq!(status(&stage.market, order).await, if decided { "DECIDED" } else { "WITHDRAWN" });
        stage.market.is_sound().await;
    }
}

#[tokio::test]
async fn a_note_is_needed() {
    let stage = Stage::set().await;
    let order = stage.appealed("4").await;
    for note in [String::new(), " ".to_owned(), "x".repeat(501)] {
        let decision = AppealRuling { note, ..decision(&stage.market, order, FOR_BUYER, OLGA).await };
        assert!(decide(&stage.market.context, &Rules::default(), &decision).await.is_err());
    }
    assert_eq!(status(&stage.market, order).await, "PENDING");
}
