//! Books and chain compared, vault by vault, however many there are.

use testkit::market::{CONFIRMATIONS, mec};
use testkit::people;
use worker::Pace;
use worker::reconcile::{self, Round};

use crate::scripted::Scripted;

#[tokio::test]
async fn silent_coins_are_found_in_the_last_of_many_vaults_and_a_round_goes_on_where_it_failed() {
    let stage = Scripted::with_nodes(1).await;
    for index in 1_000..1_250 {
        people::join(&stage.market.database.store, &people::trader(index)).await;
    }
    let last = people::trader(1_250);
    people::join(&stage.market.database.store, &last).await;
    stage.script.silent_transfer(last.vault, mec("3"));
    stage.mines(CONFIRMATIONS);
    stage.reads().await.unwrap();

    let round = Round::default();
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Pace::Again);
    let deposits = "select count(*) from deposits where amount = 3000000000000000000";
    assert_eq!(stage.market.count(deposits).await, 0, "its page has not come yet");
    stage.nodes[0].set_down(true);
    assert!(reconcile::next(&stage.worker, &round).await.is_err());
    stage.nodes[0].set_down(false);
    let asked = stage.nodes[0].asked();
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Pace::Again);
    assert_eq!(stage.nodes[0].asked() - asked, 51, "the vaults of the first page are not asked for again");
    assert_eq!(stage.market.count(deposits).await, 1);
    assert_eq!(reconcile::next(&stage.worker, &round).await.unwrap(), Pace::Rest);
    reconcile::step(&stage.worker).await.unwrap();
    assert_eq!(stage.market.count(deposits).await, 1, "once");
    stage.market.is_sound().await;
}
