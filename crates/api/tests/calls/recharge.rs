//! What users are told before they send coins to the escrow.

use serde_json::{Value, json};
use testkit::market::CONFIRMATIONS;

use crate::stage::Stage;

#[tokio::test]
async fn the_configuration_says_where_coins_are_accepted_and_when_they_are_credited() {
    let stage = Box::pin(Stage::empty()).await;
    let config = stage.get(&stage.ben, "/c2c/coin/config").await.ok();
    let chain = config["escrowChain"]["chainId"].clone();
    assert_eq!(config["escrowChain"], json!({ "chainId": chain, "name": "Test", "confirmations": CONFIRMATIONS }));
    for chain in config["chains"].as_array().unwrap() {
        let explorer = match chain["chainType"].as_str() {
            Some("TRC20") => json!("https://tron.example"),
            _ if chain["automatic"] == true => config["explorer"].clone(),
            _ => serde_json::Value::Null,
        };
        assert_eq!(chain["explorer"], explorer, "{chain}");
    }
    let coin = |code: &str| {
        let coins = config["coins"].as_array().unwrap();
        let coin = coins.iter().find(|coin| coin["enShort"] == code).unwrap();
        [&coin["chainId"], &coin["dust"], &coin["returnGas"]].map(Clone::clone)
    };
    assert_eq!(coin("MEC"), [chain.clone(), json!("0.01"), json!("0.001")]);
    assert_eq!(coin("USDT"), [chain, json!("0.01"), json!("0.1")]);
    assert_eq!(coin("KRW"), [Value::Null, json!("0"), json!("0")]);
}
