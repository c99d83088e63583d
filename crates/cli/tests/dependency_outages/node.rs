//! Outages of the node.

use domain::refusal::Refusal;
use serde_json::json;
use testkit::market::mec;

use crate::anvil::Anvil;
use crate::platform::{Platform, place};
use crate::process::{Process, until};
use crate::proxy::Proxy;

async fn gone_and_back(platform: &Platform, serve: &Process, worker: &Process) {
    let (anna, advert) = platform.seller_online().await;
    let ben = platform.market.trader().await;
    let (carl, waiting) = platform.seller().await;
    let (hers, his) = (platform.session(&anna).await, platform.session(&ben).await);

    platform.node.shut().await;
    until("the worker says so", async || worker.ready().await == (false, vec!["node".to_owned()])).await;
    assert_eq!(serve.ready().await, (true, vec!["node".to_owned()]), "calls go on, and say what is gone");
    platform.sends(&carl, mec("10")).await;

    // Calls that don't need the chain still work: users browse, order, accept and pay.
    let order = ben.orders(advert, "4").await.unwrap();
    for (step, token, body, state) in [
        ("take", &hers, json!({ "version": 1 }), "AWAITING_PAYMENT"),
        ("pay", &his, json!({ "version": 2, "reference": "paid at the bank" }), "AWAITING_CONFIRMATION"),
    ] {
        let path = format!("/api/c2c/deal/order/{step}/{order}");
        let got = serve.post(&path, token, &format!("{step} it once").replace(' ', "-"), &body).await;
        assert_eq!((got.status, got.code().as_str()), (200, "200"), "{got:?}");
        assert_eq!(platform.market.state(order).await, state);
    }
    let got = serve.get(&format!("/api/c2c/deal/order/{order}"), &his).await;
    assert_eq!(got.status, 200, "{got:?}");
    assert_eq!(platform.market.advert_state(waiting).await, "CREATING", "nothing is credited unseen");
    assert_eq!(platform.market.count("select count(*) from deposits").await, 1);

    platform.node.open().await;
    platform.goes_online(waiting).await;
    assert_eq!(platform.market.count("select count(*) from deposits").await, 2);
    until("the worker is ready again", async || worker.ready().await == (true, vec![])).await;
    assert_eq!(serve.ready().await, (true, vec![]));
    platform.market.is_sound().await;
}

#[tokio::test]
async fn without_the_node_trade_goes_on_and_deposits_wait() {
    let platform = Platform::new().await;
    let (serve, worker) = (platform.serve().await, platform.worker().await);
    gone_and_back(&platform, &serve, &worker).await;
}

#[tokio::test]
async fn one_of_three_nodes_may_be_gone_and_two_may_not() {
    let platform = Platform::new().await;
    let anvil = platform.test_chain.anvil.address.strip_prefix("http://").unwrap().parse().unwrap();
    let (second, third) = (Proxy::to(anvil).await, Proxy::to(anvil).await);
    let all = [platform.node.port, second.port, third.port].map(|port| format!("http://127.0.0.1:{port}"));
    let platform = platform.told("CHAIN_RPC", all.join(","));
    let (serve, worker) = (platform.serve().await, platform.worker().await);

    third.shut().await;
    assert_eq!(worker.ready().await, (true, vec![]), "two of three agree");
    // One node is permanently gone, so an outage of another node leaves too few nodes.
    gone_and_back(&platform, &serve, &worker).await;
}

#[tokio::test]
async fn another_chain_is_named_by_whoever_refuses_to_move_money() {
    let platform = Platform::new().await;
    let (serve, worker) = (platform.serve().await, platform.worker().await);
    until("all is well", async || serve.ready().await == (true, vec![]) && worker.ready().await == (true, vec![]))
        .await;

    // A chain with the same ID and another genesis block, as after a reset of the node.
    let other = Anvil::start_with(&["--timestamp", "1000000000"]);
    let genesis = async |anvil: &Anvil| {
        let block = anvil.raw("eth_getBlockByNumber", json!(["0x0", false])).await;
        block["hash"].as_str().unwrap().to_owned()
    };
    let both = [genesis(&platform.test_chain.anvil).await, genesis(&other).await];
    platform.node.lead(place(&other.address)).await;
    until("the worker is not ready", async || worker.ready().await == (false, vec!["chain".to_owned()])).await;
    assert_eq!(serve.ready().await, (true, vec!["chain".to_owned()]), "what moves no money goes on");
    for process in [&serve, &worker] {
        let problem = process.problem("chain").await.unwrap();
        assert!(both.iter().all(|genesis| problem.contains(genesis)), "{problem}");
    }
    // The readiness check asks the node itself, but commands are refused only once the worker has checked the node.
    let stops = "select count(*) from chains where stopped_because is not null";
    until("the worker has looked", async || platform.market.count(stops).await == 1).await;
    let ben = platform.market.trader().await;
    assert_eq!(ben.posts(ben.mec_for_krw("10", "1000")).await, Err(Refusal::MoneyStopped));

    platform.node.lead(place(&platform.test_chain.anvil.address)).await;
    until("all is well again", async || {
        serve.ready().await == (true, vec![]) && worker.ready().await == (true, vec![])
    })
    .await;
    ben.posts(ben.mec_for_krw("10", "1000")).await.unwrap();
}
