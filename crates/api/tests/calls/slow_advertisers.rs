//! An advertiser who leaves takers without an answer: four people over HTTP, and what each of them sees.

use serde_json::{Value, json};
use testkit::market::{mec, minutes};

use crate::stage::{Caller, Stage, text};

const ADVERTISER_OFFLINE: &str = "5010";

/// Places an order that nobody answers.
async fn waits_in_vain(stage: &Stage, taker: &Caller, advert: &str) {
    let body = json!({"advertId": advert, "price": "1000", "quantity": "1"});
    let order = text(&stage.post(taker, "/c2c/deal/order", &body).await.ok()["id"]);
    stage.market.waits(minutes(5)).await;
    stage.market.clock_strikes().await;
    let shown = stage.order(taker, &order).await;
    assert_eq!((&shown["state"], &shown["cancelledBy"]), (&json!("CANCELLED"), &json!(null)));
}

/// Returns the advertiser's statistics on the card of the advert.
async fn card(stage: &Stage, who: &Caller, advert: &str) -> Value {
    stage.get(who, &format!("/c2c/advert/{advert}")).await.ok()["advertiser"]["stats"].clone()
}

#[tokio::test]
async fn takers_see_unanswered_orders_and_the_third_in_a_row_takes_the_adverts_offline() {
    let (mut stage, advert) = Box::pin(Stage::selling()).await;
    let dora = Caller::join(&stage.market, "dora").await;
    assert_eq!(card(&stage, &stage.ben, &advert).await["acceptanceRate"], json!(null));

    // An order that Anna accepts, and whose payment she confirms an hour late.
    let body = json!({"advertId": advert, "price": "1000", "quantity": "1"});
    let order = stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok();
    let order = text(&order["id"]).parse().unwrap();
    stage.anna.trader.accepts(order).await.unwrap();
    stage.ben.trader.marks_paid(order).await.unwrap();
    stage.market.waits(minutes(75)).await;
    stage.market.clock_strikes().await;
    stage.anna.trader.confirms(order).await.unwrap();
    stage.chain.settles().await;
    let (anna, ben) = (&stage.anna, &stage.ben);
    let stats = card(&stage, ben, &advert).await;
    assert_eq!((&stats["confirmations"], &stats["lateConfirmations"]), (&json!(1), &json!(1)));
    assert_eq!(stats["acceptanceRate"], "1");

    // Ben thrice is not enough, nor is Carl.
    for taker in [ben, ben, ben, &stage.carl] {
        waits_in_vain(&stage, taker, &advert).await;
        assert_eq!(stage.get(anna, "/c2c/advert/online").await.ok(), json!({"online": true}));
    }
    assert_eq!(card(&stage, ben, &advert).await["acceptanceRate"], "0.2");
    waits_in_vain(&stage, &dora, &advert).await;
    assert_eq!(stage.get(anna, "/c2c/advert/online").await.ok(), json!({"online": false}));
    let account = stage.get(anna, &format!("/user/info/{}", anna.trader.id())).await.ok();
    assert_eq!((&account["online"], &account["offlineCause"]), (&json!(false), &json!("MISSED_ACCEPTANCES")));
    assert_eq!(account["stats"]["acceptanceRate"], "0.166666");
    stage.get(ben, &format!("/c2c/advert/{advert}")).await.refused(409, ADVERTISER_OFFLINE);
    assert_eq!(stage.market.advert(advert.parse().unwrap()).await.remaining, mec("9"));

    stage.post(anna, "/c2c/advert/online?online=true", &json!({})).await.ok();
    let account = stage.get(anna, &format!("/user/info/{}", anna.trader.id())).await.ok();
    assert_eq!((&account["online"], &account["offlineCause"]), (&json!(true), &json!(null)));
    waits_in_vain(&stage, ben, &advert).await;
    assert_eq!(stage.get(anna, "/c2c/advert/online").await.ok(), json!({"online": true}), "a new row");
}
