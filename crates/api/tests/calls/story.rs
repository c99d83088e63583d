//! The response of each call in a complete manual order against fiat and a complete automatic order against coins.

use serde_json::{Value, json};
use testkit::market::{mec, minutes, usdt};

use crate::stage::{Caller, SECURITY, Stage, order_of, text};

/// Compares the response of each step with a snapshot.
struct Story {
    stage: Stage,
    title: &'static str,
    names: Vec<(String, &'static str)>,
}

impl Story {
    fn names(&mut self, id: &Value, name: &'static str) -> String {
        self.names.push((text(id), name));
        text(id)
    }

    fn shows(&self, step: &str, answer: &Value) {
        let names: Vec<_> = self.names.iter().map(|(id, name)| (id.as_str(), *name)).collect();
        let answer = self.stage.named(answer, &names);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_json_snapshot!(format!("{} {step}", self.title).replace(", ", " ").replace([' ', '\''], "-"), answer);
        });
    }

    async fn asks(&self, step: &str, who: &Caller, path: &str, body: &Value) -> Value {
        let answer = self.stage.post(who, path, body).await.ok();
        self.shows(step, &answer);
        answer
    }

    async fn reads(&self, step: &str, who: &Caller, path: &str) -> Value {
        let answer = self.stage.get(who, path).await.ok();
        self.shows(step, &answer);
        answer
    }
}

#[tokio::test]
async fn manual_order_against_fiat() {
    let stage = Stage::empty().await;
    stage.protects(&stage.anna).await;
    let mut story = Story { stage, title: "manual", names: Vec::new() };

    let mut body = story.stage.mec_for_krw();
    body["remark"] = json!("Bank transfer, quick.");
    let advert = story.stage.post(&story.stage.anna, "/c2c/advert/create", &body).await.ok();
    let advert_id = story.names(&advert["id"], "advert");
    story.shows("01 advert posted", &advert);
    let Stage { market, chain, anna, .. } = &mut story.stage;
    chain.shows(&anna.trader, market.mec, mec("4")).await;
    let path = format!("/c2c/advert/deposit/{advert_id}");
    story.asks("02 advert, I have sent", &story.stage.anna, &path, &json!({})).await;
    let Stage { market, chain, anna, .. } = &mut story.stage;
    chain.confirms().await;
    chain.brings(&anna.trader, market.mec, mec("6.5")).await;
    story.shows("03 advert online", &story.stage.advert(&story.stage.anna, &advert_id).await);
    let mut records = story.stage.get(&story.stage.anna, "/balance/detail").await.ok();
    // All blocks of this chain have the same time, so the order of the two records is arbitrary.
    records["records"].as_array_mut().unwrap().sort_by_key(|record| text(&record["amount"]));
    story.names(&records["records"][0]["id"], "first deposit");
    story.names(&records["records"][1]["id"], "second deposit");
    story.shows("04 deposits", &records);
    story.reads("05 balance of the seller", &story.stage.anna, "/balance").await;
    story.reads("06 hall", &story.stage.ben, "/c2c/advert/page?side=SELL&base=MEC&quote=KRW").await;

    story.stage.market.waits(minutes(1)).await;
    let order = story.stage.post(&story.stage.ben, "/c2c/deal/order", &order_of(&advert_id)).await.ok();
    let id = story.names(&order["id"], "order");
    story.shows("07 order placed", &order);
    let at = |what: &str| format!("/c2c/deal/order/{what}/{id}");
    story.reads("08 order, seller's side", &story.stage.anna, &format!("/c2c/deal/order/{id}")).await;
    story.reads("09 cancel times", &story.stage.ben, "/c2c/deal/order/cancel/times").await;

    story.stage.market.waits(minutes(1)).await;
    let body = json!({ "version": order["version"] });
    let order = story.asks("10 order taken", &story.stage.anna, &at("take"), &body).await;
    story.reads("11 order, the buyer may pay", &story.stage.ben, &format!("/c2c/deal/order/{id}")).await;
    story.stage.market.waits(minutes(1)).await;
    let account = story.stage.anna.trader.account;
    let body = json!({ "version": order["version"], "methodId": account, "reference": "R-1" });
    let order = story.asks("12 order paid", &story.stage.ben, &at("pay"), &body).await;
    story.stage.market.waits(minutes(1)).await;
    let code = story.stage.seal(&story.stage.anna, SECURITY).await;
    let body = json!({ "version": order["version"], "securityCode": code });
    story.asks("13 order confirmed", &story.stage.anna, &at("confirm"), &body).await;
    story.stage.chain.pays().await;
    story.reads("14 order on its way", &story.stage.ben, &format!("/c2c/deal/order/{id}")).await;
    story.stage.chain.confirms().await;
    let running = story.stage.get(&story.stage.ben, "/c2c/deal/order/page?finish=false").await.ok();
    assert_eq!((&running["records"], &running["total"]), (&json!([]), &json!(0)));
    story.reads("15 orders of the buyer", &story.stage.ben, "/c2c/deal/order/page?finish=true").await;
    story.reads("16 adverts of the seller", &story.stage.anna, "/c2c/advert/pageByUser").await;
    let records = story.stage.get(&story.stage.ben, "/balance/detail").await.ok();
    story.names(&records["records"][0]["id"], "release");
    story.shows("17 fund records of the buyer", &records);
    story
        .reads("18 seller's own account", &story.stage.anna, &format!("/user/info/{}", story.stage.anna.trader.id()))
        .await;
    story.stage.market.is_sound().await;
}

#[tokio::test]
async fn automatic_order_against_usdt() {
    let mut story = Story { stage: Stage::empty().await, title: "automatic", names: Vec::new() };
    let body = json!({
        "side": "SELL", "kind": "AUTOMATIC", "base": "MEC", "quote": "USDT", "price": "2.5", "quantity": "10",
        "orderMin": "1", "orderMax": "1000", "windowMinutes": 20
    });
    let advert = story.stage.post(&story.stage.anna, "/c2c/advert/create", &body).await.ok();
    let advert_id = story.names(&advert["id"], "advert");
    story.shows("01 advert posted", &advert);
    let Stage { market, chain, anna, .. } = &mut story.stage;
    chain.brings(&anna.trader, market.mec, mec("10")).await;

    let body = json!({ "advertId": advert_id, "price": "2.5", "total": "10" });
    let order = story.stage.post(&story.stage.ben, "/c2c/deal/order", &body).await.ok();
    let id = story.names(&order["id"], "order");
    story.shows("02 order placed", &order);
    let path = format!("/c2c/deal/order/{id}");
    story.reads("03 order, seller's side", &story.stage.anna, &path).await;
    let Stage { market, chain, ben, .. } = &mut story.stage;
    chain.shows(&ben.trader, market.usdt, usdt("10")).await;
    let sent = format!("/c2c/deal/order/deposit/{id}");
    story.asks("04 order, I have sent", &story.stage.ben, &sent, &json!({})).await;
    // Only the chain moves this order.
    let seen = json!({ "version": order["version"] });
    story.stage.post(&story.stage.ben, &format!("/c2c/deal/order/pay/{id}"), &seen).await.refused(409, "5013");
    story.stage.chain.confirms().await;
    story.reads("05 order releasing", &story.stage.ben, &path).await;
    story.stage.chain.settles().await;
    story.reads("06 order completed", &story.stage.ben, &path).await;
    story.reads("07 order completed, seller's side", &story.stage.anna, &path).await;
    story.stage.market.is_sound().await;
}

#[tokio::test]
async fn the_buyer_chooses_among_the_sellers_payment_methods() {
    let mut stage = Stage::empty().await;
    let fields = json!({ "name": "Anna", "account": "9876543210123", "bankName": "Another Bank" });
    let second = json!({ "type": "bankCard", "currency": "KRW", "fields": fields });
    let second = text(&stage.post(&stage.anna, "/payment/method", &second).await.ok()["id"]);
    let mut body = stage.mec_for_krw();
    body["paymentMethodIds"] = json!([stage.anna.trader.account, second]);
    let advert = text(&stage.post(&stage.anna, "/c2c/advert/create", &body).await.ok()["id"]);
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    let shown = stage.get(&stage.ben, &format!("/c2c/advert/{advert}")).await.ok();
    let offered: Vec<_> = shown["methods"].as_array().unwrap().iter().map(|one| text(&one["id"])).collect();
    assert_eq!((offered.len(), &shown["methodTypes"]), (2, &json!(["bankCard"])));
    assert!(!shown.to_string().contains("0123"), "the hall shows no account number");
    for (id, account) in [(second.as_str(), "9876543210123"), (&stage.anna.trader.account.to_string(), "12345678901")] {
        assert!(offered.iter().any(|one| one == id));
        let mut body = order_of(&advert);
        body["paymentMethodId"] = json!(id);
        let order = stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok();
        assert_eq!(order["payTo"], Value::Null, "shown only after acceptance");
        let take = format!("/c2c/deal/order/take/{}", text(&order["id"]));
        let taken = stage.post(&stage.anna, &take, &json!({ "version": order["version"] })).await.ok();
        assert_eq!(taken["payTo"]["id"], id);
        assert!(!taken.to_string().contains(account), "the seller's own screen shows the number masked");
        let order = stage.order(&stage.ben, &text(&order["id"])).await;
        assert_eq!((&order["payTo"]["id"], &order["payTo"]["fields"]["account"]), (&json!(id), &json!(account)));
    }
}
