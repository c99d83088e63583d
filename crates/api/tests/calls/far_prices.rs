//! A mistyped price of a new advert.

use serde_json::{Value, json};
use testkit::market::mec;

use crate::stage::{Stage, text};

#[tokio::test]
async fn an_advert_far_from_the_market_needs_a_confirmation() {
    let (mut stage, _) = Stage::selling().await;
    let (form, account) = (stage.mec_for_krw(), stage.ben.trader.account);
    let at = |price: &str, more: Value| {
        let mut body = form.clone();
        let body_of = body.as_object_mut().unwrap();
        body_of.insert("price".to_owned(), json!(price));
        body_of.extend(more.as_object().unwrap().clone());
        body
    };
    let bens = |price: &str, confirmed: bool| {
        at(price, json!({ "paymentMethodIds": [account], "farPriceConfirmed": confirmed }))
    };
    let create = "/c2c/advert/create";
    let before = stage.print().await;
    // Anna sells for 1000. A digit is missing.
    let refused = stage.post(&stage.ben, create, &bens("100", false)).await.refused(409, "5061");
    assert_eq!(refused["market"], "1000");
    assert_eq!(stage.print().await, before);
    let made = stage.post(&stage.ben, create, &bens("100", true)).await.ok();
    assert_eq!(made["price"], "100");
    stage.chain.brings(&stage.ben.trader, stage.market.mec, mec("10")).await;
    // A price within the band needs no confirmation, and is not compared again when the command is repeated.
    let near = stage.post_as("the-near-price", &stage.ben, create, &bens("1100", false)).await.ok();
    stage.chain.brings(&stage.ben.trader, stage.market.mec, mec("10")).await;
    stage.post(&stage.anna, create, &at("5000", json!({ "farPriceConfirmed": true }))).await.ok();
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    stage.post(&stage.ben, create, &bens("1100", false)).await.refused(409, "5061");
    let again = stage.post_as("the-near-price", &stage.ben, create, &bens("1100", false)).await.ok();
    assert_eq!(text(&again["id"]), text(&near["id"]));
}
