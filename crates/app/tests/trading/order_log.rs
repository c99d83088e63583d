//! The log of an order records every transition once, and cannot be changed.

use domain::chain::SettlementOutcome;
use domain::effect::Notice;
use domain::order_log::{Content, LogEntry, Redirect, TransitionDetails};
use domain::trade::Party;
use testkit::market::{Contents, mec, minutes};

use crate::Stage;

/// Returns author, notice, state and version of the transitions in a log.
fn transitions(log: &[LogEntry]) -> Vec<(Option<Party>, Option<Notice>, &str, i64)> {
    log.iter()
        .filter_map(|entry| match &entry.content {
            Content::System { notice, state, version, .. } => Some((entry.author, *notice, state.as_str(), *version)),
            _ => None,
        })
        .collect()
}

fn details(log: &[LogEntry]) -> impl Iterator<Item = &TransitionDetails> {
    log.iter().filter_map(|entry| match &entry.content {
        Content::System { details, .. } => Some(details.as_ref()),
        _ => None,
    })
}

#[tokio::test]
async fn each_transition_of_an_order_is_recorded_with_its_author() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    stage.chain.settles().await;
    let log = stage.market.log(order).await;
    let (buyer, seller) = (Some(Party::Buyer), Some(Party::Seller));
    assert_eq!(
        transitions(&log),
        [
            (buyer, Some(Notice::NewOrder), "AWAITING_ACCEPTANCE", 1),
            (seller, Some(Notice::OrderAccepted), "AWAITING_PAYMENT", 2),
            (buyer, Some(Notice::OrderPaid), "AWAITING_CONFIRMATION", 3),
            (seller, Some(Notice::PaymentConfirmed), "RELEASING", 4),
            (None, Some(Notice::OrderCompleted), "COMPLETED", 5),
        ]
    );
    assert!(log.iter().all(|entry| entry.at == testkit::noon()), "{log:?}");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn deadlines_are_recorded_without_an_author() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    for span in [16, 10] {
        stage.market.waits(minutes(span)).await;
        stage.market.clock_strikes().await;
    }
    let log = stage.market.log(order).await;
    let last = &transitions(&log)[2..];
    assert_eq!(
        last,
        [
            (None, Some(Notice::PaymentOverdue), "AWAITING_PAYMENT", 3),
            (None, Some(Notice::OrderCancelled), "CANCELLED", 4)
        ]
    );
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_redirected_payout_is_recorded_without_a_transition() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    for _ in 0..3 {
        let mut contents: Contents = stage.chain.signs().await;
        contents.settlements.iter_mut().for_each(|settlement| settlement.outcome = SettlementOutcome::Rejected);
        contents.transfers.clear();
        stage.chain.mines_blocks([contents]).await;
        stage.chain.confirms().await;
        stage.market.waits(minutes(31)).await;
    }
    let log = stage.market.log(order).await;
    let redirected = (None, Some(Notice::PayoutRedirected), "RELEASING", 4);
    assert_eq!(transitions(&log).iter().filter(|entry| **entry == redirected).count(), 1, "{log:?}");
    let (mut tx, _) = stage.market.context.begin().await.unwrap();
    let vault = store::users::read(&mut tx, &[stage.ben.id()]).await.unwrap()[0].vault;
    let redirects: Vec<_> = details(&log).filter_map(|details| details.redirect.as_ref()).collect();
    assert_eq!(redirects, [&Redirect { party: Party::Buyer, to: vault }]);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn no_statement_changes_a_log() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let before = stage.market.log(order).await;
    for statement in [
        "update order_log set data = data || '{\"state\": \"COMPLETED\"}'",
        "update order_log set hash = hash",
        "delete from order_log where number = 2",
        "truncate order_log",
        "update order_log_heads set number = 1, hash = (select hash from order_log where number = 1)",
        "update order_log_heads set hash = sha256('another')",
        "update order_log_heads set number = number + 1",
        "update order_log_heads set at = at - interval '1 second'",
        "delete from order_log_heads",
        "truncate order_log_heads",
    ] {
        let mut session = stage.market.session().await;
        assert!(!session.runs(statement).await, "{statement}");
    }
    assert_eq!(stage.market.log(order).await, before);
}

#[tokio::test]
async fn refused_and_repeated_commands_are_not_recorded() {
    let stage = Stage::set().await;
    let place = app::commands::CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("4")).await);
    let order = domain::ids::OrderId(stage.ben.asks_under("once", place.clone()).await.unwrap().id.unwrap());
    stage.ben.asks_under("once", place).await.unwrap();
    stage.ben.accepts(order).await.unwrap_err();
    stage.anna.confirms(order).await.unwrap_err();
    assert_eq!(stage.market.log(order).await.len(), 1);
    stage.market.is_sound().await;
}
