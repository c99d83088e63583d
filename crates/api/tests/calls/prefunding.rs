//! An attacker who keeps an automatic ad sold out without ever paying.

use chrono::Duration;
use serde_json::{Value, json};
use testkit::market::{mec, usdt};

use crate::stage::{SECURITY, Stage, text};

#[tokio::test]
async fn an_attacker_who_lets_orders_lapse_must_have_the_coins_and_is_told_before() {
    let mut stage = Stage::empty().await;
    let anna = stage.anna.trader.clone();
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    stage.chain.brings(&anna, stage.market.mec, mec("10")).await;
    let body = json!({ "advertId": advert.to_string(), "price": "2.5", "quantity": "10" });
    let preview = format!("/c2c/advert/{advert}/preview?quantity=10");
    for _ in 0..3 {
        assert_eq!(stage.get(&stage.carl, &preview).await.ok()["prefunding"], Value::Null);
        stage.post(&stage.carl, "/c2c/deal/order", &body).await.ok();
        for minutes in [16, 14] {
            stage.market.waits(Duration::minutes(minutes)).await;
            stage.market.clock_strikes().await;
        }
    }
    // The ad is free again. Carl is told what the order would need, and cannot place it without.
    let needs = stage.get(&stage.carl, &preview).await.ok()["prefunding"].clone();
    let vault = needs["address"].as_str().unwrap().to_lowercase();
    assert_eq!(vault, stage.carl.trader.user.vault.to_string().to_lowercase());
    let amounts = |needs: &Value| ["asset", "needed", "available", "shortfall"].map(|name| text(&needs[name]));
    assert_eq!(amounts(&needs), ["USDT", "25", "0", "25"]);
    let data = stage.post(&stage.carl, "/c2c/deal/order", &body).await.refused(409, "5052");
    assert_eq!((&data["needed"], &data["shortfall"]), (&json!("25"), &json!("25")));
    assert_eq!(stage.get(&stage.ben, &preview).await.ok()["prefunding"], Value::Null, "nobody else is affected");

    let (carl, coin) = (stage.carl.trader.clone(), stage.market.usdt);
    stage.chain.brings(&carl, coin, usdt("30")).await;
    assert_eq!(amounts(&stage.get(&stage.carl, &preview).await.ok()["prefunding"]), ["USDT", "25", "30", "0"]);
    // Whoever has only the session does not spend the coins.
    let refused = stage.post(&stage.carl, "/c2c/deal/order", &body).await.refused(400, "400");
    assert_eq!(refused["field"], "securityCode");
    stage.protects(&stage.carl).await;
    let mut body = body;
    body["securityCode"] = stage.seal(&stage.carl, "not-the-password").await;
    stage.post(&stage.carl, "/c2c/deal/order", &body).await.refused(422, "USER3011");
    assert_eq!(carl.has_free(coin).await, usdt("30"));
    body["securityCode"] = stage.seal(&stage.carl, SECURITY).await;
    let placed = stage.post_as("only-once", &stage.carl, "/c2c/deal/order", &body).await.ok();
    assert_eq!(placed["state"], "RELEASING");
    assert_eq!(stage.post_as("only-once", &stage.carl, "/c2c/deal/order", &body).await.ok()["id"], placed["id"]);
    assert_eq!(carl.has_free(coin).await, usdt("5"), "the coins are taken once");
}
