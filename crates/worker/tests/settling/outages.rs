//! Checks that the worker records and applies outages. The tests in `crates/app/tests/trading` check how outages move
//! deadlines.

use testkit::market::{mec, minutes};

use crate::scripted::Scripted;

#[tokio::test]
async fn deadlines_have_no_effect_while_the_node_is_down_and_are_moved_afterwards() {
    let stage = Scripted::with_nodes(1).await;
    stage.mines(3);
    stage.reads().await.unwrap();
    let anna = stage.market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let state = || stage.market.advert_state(advert);

    stage.nodes[0].set_down(true);
    stage.hands.pass(minutes(29));
    stage.sends(&anna, mec("10"));
    assert!(stage.reads().await.is_err());
    stage.hands.pass(minutes(2));
    worker::timers::step(&stage.worker).await.unwrap();
    assert_eq!(state().await, "CREATING", "its coins may be in an unread block");
    assert_eq!(stage.market.count("select count(*) from outages").await, 0, "its duration is unknown yet");

    stage.nodes[0].set_down(false);
    stage.reads().await.unwrap();
    worker::timers::step(&stage.worker).await.unwrap();
    assert_eq!(state().await, "ONLINE");
    assert_eq!(stage.market.count("select count(*) from outages where moved_at is not null").await, 1);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn two_workers_that_start_after_an_outage_move_each_deadline_once() {
    let stage = Scripted::with_nodes(1).await;
    stage.mines(3);
    stage.reads().await.unwrap();
    let anna = stage.market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    stage.hands.pass(minutes(31));
    let turn = || async {
        // Run the timers first, when the outage is not recorded yet.
        worker::timers::step(&stage.worker).await.unwrap();
        worker::watch::step(&stage.worker).await.unwrap();
        worker::timers::step(&stage.worker).await.unwrap();
    };
    tokio::join!(turn(), turn());
    assert_eq!(stage.market.advert_state(advert).await, "CREATING");
    assert_eq!(stage.market.advert(advert).await.version, 2);
    assert_eq!(stage.market.count("select count(*) from outages").await, 1);
    // After the outage, the whole window remains. Let it pass.
    for _ in 0..60 {
        stage.hands.pass(minutes(1) / 2);
        worker::watch::step(&stage.worker).await.unwrap();
        worker::timers::step(&stage.worker).await.unwrap();
    }
    assert_eq!(stage.market.advert_state(advert).await, "CANCELLED");
    assert_eq!(stage.market.count("select count(*) from outages").await, 1);
}

#[tokio::test]
async fn a_reader_that_has_not_caught_up_sends_no_heartbeat() {
    let mut stage = Scripted::with_nodes(1).await;
    stage.worker.settings.blocks_at_once = 4;
    stage.mines(9);
    let beats = "select count(*) from heartbeats";
    for expected in [0, 0, 1] {
        worker::watch::step(&stage.worker).await.unwrap();
        assert_eq!(stage.market.count(beats).await, expected);
    }
}
