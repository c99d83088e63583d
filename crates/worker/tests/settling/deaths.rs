//! The worker dies at each of its requests to the node, right after the node has handled it.

use std::panic::AssertUnwindSafe;

use chain::scripted::Death;
use domain::chain::Token;
use futures::FutureExt as _;
use testkit::market::{CONFIRMATIONS, Trader, mec};
use worker::{Next, Worker};

use crate::scripted::Scripted;

/// Runs a step of the payouts. Returns whether the worker has died.
async fn dies(chain: &Scripted) -> bool {
    match AssertUnwindSafe(worker::payouts::step(&chain.worker)).catch_unwind().await {
        Ok(done) => {
            done.unwrap();
            false
        }
        Err(death) => {
            assert!(death.is::<Death>(), "the step has panicked");
            true
        }
    }
}

/// Whatever was sent is stored as an attempt, also what is not in a block yet.
async fn what_was_sent_is_stored(chain: &Scripted, died_after: u32) {
    let mined = chain.script.signed_since(|_| false);
    let mined = mined.iter().flat_map(|(_, signed)| signed).map(|signed| signed.hash);
    for hash in mined.chain(chain.script.pending()) {
        let hash = hex::encode(hash.as_slice());
        let stored = format!("select count(*) from payout_attempts where tx_hash = '\\x{hash}'");
        assert_eq!(chain.market.count(&stored).await, 1, "died after {died_after} requests: {hash} is not stored");
    }
}

fn receives(chain: &Scripted, trader: &Trader) -> i128 {
    chain.script.holding(trader.user.bound.unwrap(), Token::Native).unwrap().units()
}

#[tokio::test]
async fn a_worker_that_dies_at_any_request_has_stored_what_it_sent_and_pays_once() {
    let mut chain = Scripted::with_nodes(1).await.pays();
    let anna = chain.trader().await;
    let mut requests = 0;
    loop {
        chain.sends(&anna, mec("1"));
        chain.reads().await.unwrap();
        anna.withdraws(chain.market.mec).await.unwrap();
        let before = receives(&chain, &anna);
        chain.script.kill_at(None, requests);
        let died = dies(&chain).await;
        assert_eq!(died, chain.script.spare());
        what_was_sent_is_stored(&chain, requests).await;

        chain.worker = Worker {
            signer: chain.worker.signer.clone(),
            ..Worker::new(chain.worker.context.clone(), chain.worker.node.clone())
        };
        chain.mines(1);
        while worker::payouts::step(&chain.worker).await.unwrap() == Next::Immediately {
            what_was_sent_is_stored(&chain, requests).await;
        }
        chain.mines(CONFIRMATIONS);
        chain.reads().await.unwrap();
        let paid = receives(&chain, &anna) - before;
        assert_eq!(paid, mec("0.999").units(), "died after {requests} requests: paid once");
        chain.market.is_sound().await;
        if !died {
            assert!(requests > 5, "requests at which it died: {requests}");
            return;
        }
        requests += 1;
    }
}
