//! The published figures about appeals.

use app::appeals::{AppealFigures, MIN_DECIDED};
use chrono::Duration;
use domain::clock::Timestamp;
use domain::deadline::Deadline;
use domain::ids::{AppealId, OrderId};
use domain::orders::{Appeal, AppealReason, AppealStatus, Outcome, Verdict};
use domain::trade::Party;
use testkit::market::Market;
use uuid::Uuid;

use crate::Stage;

fn verdict(winner: Party) -> Verdict {
    Verdict {
        winner,
        outcome: Outcome::Release,
        note: "The bank says so.".to_owned(),
        malicious: false,
        movements: Vec::new(),
    }
}

fn decided(winner: Party, at: Timestamp) -> AppealStatus {
    AppealStatus::Decided { verdict: verdict(winner), delay: Deadline::new(at, Duration::hours(24)) }
}

fn rejected(at: Timestamp) -> AppealStatus {
    AppealStatus::Rejected { at, note: "Nothing is shown.".to_owned(), malicious: false }
}

async fn saves(market: &Market, order: OrderId, number: u128, filed: Timestamp, status: AppealStatus, at: Timestamp) {
    let appeal = Appeal {
        id: AppealId(Uuid::from_u128(number)),
        number: 1,
        initiator: Some(Party::Buyer),
        reason: AppealReason::NotReleased,
        description: None,
        filed_at: filed,
        withdrawn_by: Vec::new(),
        suspended_at: filed,
        evidence: Vec::new(),
        status,
    };
    let mut tx = market.database.store.begin().await.unwrap();
    store::appeals::save(&mut tx, &[(order, appeal)], at).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_figures_count_the_appeals_of_the_last_30_days() {
    let stage = Stage::selling(Market::open().await, "1000", "1000").await;
    let order = stage.paid("10").await;
    let market = &stage.market;
    let start = market.now().await;
    let hours = Duration::hours;
    // Decided after 1, 2, … 19 hours.
    for hour in 1..i64::from(MIN_DECIDED) {
        let winner = if hour <= 12 { Party::Buyer } else { Party::Seller };
        let (number, at) = (u128::try_from(hour).unwrap(), start + hours(hour));
        saves(market, order, number, start, AppealStatus::Pending, start).await;
        saves(market, order, number, start, decided(winner, at), at).await;
    }
    saves(market, order, 100, start, AppealStatus::Pending, start).await;
    let withdrawn = AppealStatus::Withdrawn { at: start, by: Some(Party::Buyer) };
    saves(market, order, 101, start, withdrawn, start).await;
    // It may still be decided in time.
    saves(market, order, 103, start + hours(10), AppealStatus::Pending, start + hours(10)).await;
    market.waits(hours(30)).await;
    let figures = AppealFigures::new(market.context.clone());
    assert_eq!(figures.current().await.unwrap(), None, "one decision is missing");

    let late = start + hours(26);
    saves(market, order, 102, start, rejected(late), late).await;
    assert_eq!(figures.current().await.unwrap(), None, "the figures are kept for a while");
    market.waits(Duration::minutes(16)).await;
    let shown = figures.current().await.unwrap().unwrap();
    assert_eq!((shown.filed, shown.for_buyer, shown.for_seller), (23, 12, 7));
    // 19 of the 20 decided ones and the one that has waited for longer than a day.
    assert_eq!((shown.rejected, shown.withdrawn, shown.percent_in_time), (1, 1, 90));
    assert_eq!((shown.median, shown.ninety_fifth), (11 * 3600, 26 * 3600));

    // The execution of a verdict does not change when it was made; a reopened appeal is decided again.
    let executed = AppealStatus::Executed { verdict: verdict(Party::Buyer), at: start + hours(29) };
    saves(market, order, 1, start, executed, start + hours(29)).await;
    saves(market, order, 2, start, AppealStatus::Pending, start + hours(29)).await;
    let at = start + hours(30);
    saves(market, order, 2, start, decided(Party::Seller, at), at).await;
    let again = AppealFigures::new(market.context.clone()).current().await.unwrap().unwrap();
    assert_eq!((again.for_buyer, again.for_seller, again.percent_in_time), (11, 8, 85));
    assert_eq!((again.median, again.ninety_fifth), (12 * 3600, 30 * 3600));

    market.waits(Duration::days(30)).await;
    assert_eq!(AppealFigures::new(market.context.clone()).current().await.unwrap(), None);
}
