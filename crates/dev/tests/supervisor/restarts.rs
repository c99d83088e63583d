//! However an environment was stopped, it continues with the same chain and immediately accepts commands that move
//! money.

use std::fs;
use std::path::Path;

use domain::chain::ChainId;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::demo::{Browser, context, printed};
use crate::started::{Started, finished, kill, post, processes, until};

/// An account without coins.
const STRANGER: &str = "0x00000000000000000000000000000000c0ffee00";

async fn genesis(environment: &Started) -> Value {
    environment.node("eth_getBlockByNumber", json!(["0x0", false])).await["hash"].clone()
}

/// Posts an advert, which is refused while money is stopped, and takes it down again.
async fn moves_money(browser: &Browser<'_>, time: &str) {
    let advert = json!({
        "side": "SELL", "kind": "MANUAL", "base": "MEC", "quote": "USDT",
        "price": "1.15", "quantity": "20", "orderMin": "20", "orderMax": "23",
    });
    let posted = browser.post(&format!("posts-{time}"), "/c2c/advert/create", &advert).await;
    let path = format!("/c2c/advert/cancel/{}", posted["id"].as_str().unwrap());
    browser.post(&format!("cancels-{time}"), &path, &json!({ "version": posted["version"] })).await;
}

/// Returns the supervisor's child processes with this name.
fn children(environment: &Started, called: &str) -> Vec<u32> {
    let own = environment.pid();
    let found = processes().into_iter().filter(|(_, parent, name)| *parent == own && name.contains(called));
    found.map(|(pid, ..)| pid).collect()
}

fn signal_all(environment: &Started, called: &str, signal: Signal) {
    let all = children(environment, called);
    assert!(!all.is_empty(), "no {called} runs");
    for pid in all {
        kill(pid, signal);
    }
}

/// Damages a saved chain as earlier versions did: adds the block 0 of many starts.
fn damage(file: &Path) {
    let mut saved: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let blocks = saved["blocks"].as_array_mut().unwrap();
    let own = blocks.iter().find(|block| block["header"]["number"] == "0x0").unwrap().clone();
    let began = u64::from_str_radix(&own["header"]["timestamp"].as_str().unwrap()[2..], 16).unwrap();
    for start in 1..=40 {
        let mut other = own.clone();
        other["header"]["timestamp"] = json!(format!("{:#x}", began + start * 1_000));
        blocks.push(other);
    }
    fs::write(file, saved.to_string()).unwrap();
}

/// Stops money, and suspends the product's processes before they can undo it. The transaction is committed afterwards,
/// because a process that is suspended within a transaction would keep the chain's lock.
async fn stop_money(environment: &Started) {
    let (mut tx, _) = context(environment).begin().await.unwrap();
    store::catalog::stop_chain(&mut tx, ChainId(31_337), Some("the node serves another chain")).await.unwrap();
    signal_all(environment, "mec2c", Signal::STOP);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_environment_continues_after_any_kind_of_stop() {
    let folder = tempfile::tempdir().unwrap();
    let first = Started::with_demo(folder.path()).await;
    let mut seller = Browser { environment: &first, token: None };
    seller.log_in("minjun@demo.test", &printed(&first, "login password")).await;
    let token = seller.token.clone();
    moves_money(&seller, "first").await;
    let chain = genesis(&first).await;
    first.signal(Signal::TERM);
    assert!(finished(first.child).await.0.success());

    for (time, sent) in [("killed-node", "0x1"), ("killed-supervisor", "0x2"), ("damaged", "0x3"), ("last", "0x4")] {
        let environment = Started::with_demo(folder.path()).await;
        assert_eq!(genesis(&environment).await, chain, "before {time}");
        // The test does not wait: once the environment reports that it is ready, commands are accepted.
        moves_money(&Browser { environment: &environment, token: token.clone() }, time).await;
        // The node has the balances at the newest final block, for which the product asks.
        let final_block = format!("{:#x}", environment.height().await - 2);
        environment.node("eth_getBalance", json!([STRANGER, final_block])).await;

        // A coin that was sent before a restart is still there afterwards.
        let (_, people) = crate::started::get(format!("{}/people", environment.address("Wallets"))).await;
        let gift =
            json!({ "from": people[0]["address"], "to": STRANGER, "coin": "MEC", "amount": "0.000000000000000001" });
        let (status, answer) = post(format!("{}/send", environment.address("Wallets")), gift).await;
        assert_eq!(status, 200, "{answer}");
        let state = folder.path().join("chain/state.json");
        until("the coin is on disk", async || {
            fs::read_to_string(&state).is_ok_and(|text| text.contains(&format!(r#""balance":"{sent}""#)))
        })
        .await;
        assert_eq!(environment.node("eth_getBalance", json!([STRANGER, "latest"])).await, sent);

        match time {
            "killed-node" => {
                signal_all(&environment, "anvil", Signal::KILL);
                assert!(!finished(environment.child).await.0.success());
            }
            "killed-supervisor" => {
                // The next start must cope with a PostgreSQL that is still stopping.
                environment.signal(Signal::KILL);
                finished(environment.child).await;
            }
            "damaged" => {
                // Simulates an environment that has met another genesis: money is stopped, and the saved chain has many
                // blocks 0. The product is suspended, because its worker would resume money.
                stop_money(&environment).await;
                signal_all(&environment, "mec2c", Signal::KILL);
                assert!(!finished(environment.child).await.0.success());
                damage(&state);
            }
            _ => {
                environment.signal(Signal::TERM);
                assert!(finished(environment.child).await.0.success());
            }
        }
    }
}
