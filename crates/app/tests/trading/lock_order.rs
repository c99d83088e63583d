//! Lock order of chain ingestion: all users whom a range concerns, in order of their IDs, before any of their other
//! rows.

use testkit::market::{Market, Session, Trader, mec, usdt};

use crate::Stage;

/// Starts another transaction, which locks a user's row.
async fn holds(market: &Market, trader: &Trader) -> Session {
    let mut other = market.session().await;
    let hold = format!("begin; select from users where id = '{}' for no key update", trader.id());
    assert!(other.runs(&hold).await);
    other
}

#[tokio::test]
async fn while_the_reader_waits_for_one_person_it_holds_no_later_one() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let mut both = [market.trader().await, market.trader().await];
    both.sort_by_key(Trader::id);
    let [anna, ben] = both;
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    // Ben's order waits for coins, and his deposit concerns Anna.
    let order = ben.orders(advert, "4").await.unwrap();
    chain.mines(1).await;
    let mut other = holds(&market, &anna).await;
    let coins = market.usdt;
    let reader = async { chain.reports_balance(&ben, coins, usdt("10")).await };
    let others = async {
        market.somebody_waits().await;
        let free = other.runs(&format!("select from users where id = '{}' for no key update nowait", ben.id())).await;
        other.ends().await;
        free
    };
    let (found, free) = tokio::join!(reader, others);
    assert!(free, "the reader held Ben and waited for Anna, whose ID is smaller");
    assert_eq!((found, market.state(order).await), (1, "RELEASING"));
    market.is_sound().await;
}

#[tokio::test]
async fn while_the_reader_waits_for_a_person_it_holds_no_leg_of_a_payout() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let sent = stage.chain.signs().await;
    let (market, anna) = (stage.market.clone(), stage.anna.clone());
    let mut other = holds(&market, &anna).await;
    let reader = async {
        stage.chain.mines_blocks([sent]).await;
        stage.chain.confirms().await;
    };
    let others = async {
        market.somebody_waits().await;
        let free = other.runs("select from payout_legs for no key update nowait").await;
        other.ends().await;
        free
    };
    let ((), free) = tokio::join!(reader, others);
    assert!(free, "a transaction that holds the user may change what is paid to them");
    assert_eq!(market.state(order).await, "COMPLETED");
}
