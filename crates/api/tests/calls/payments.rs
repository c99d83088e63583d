//! Direct payments on the chain: an attacker who claims the payment of another buyer.

use domain::chain::{Address, Transfer};
use domain::orders::OrderCommand;
use serde_json::{Value, json};
use testkit::market::{Chain, mec, usdt};

use crate::stage::{Caller, Stage, text};

/// Anna sells MEC for USDT. Carl, who attacks, and Ben have each an accepted order for 8 USDT, Carl's being the earlier one.
struct Scene {
    stage: Stage,
    carls: String,
    bens: String,
}

impl Scene {
    async fn open() -> Self {
        let mut stage = Stage::empty().await;
        let anna = stage.anna.trader.clone();
        let advert = anna.posts(anna.mec_for_usdt("10", "2")).await.unwrap();
        stage.chain.brings(&anna, stage.market.mec, mec("10")).await;
        let order = json!({ "advertId": advert.to_string(), "price": "2", "quantity": "4" });
        let mut placed = Vec::new();
        for who in [&stage.carl, &stage.ben] {
            let id = text(&stage.post(who, "/c2c/deal/order", &order).await.ok()["id"]);
            anna.does(id.parse().unwrap(), OrderCommand::Accept).await.unwrap();
            placed.push(id);
        }
        let [carls, bens] = placed.try_into().unwrap();
        Self { stage, carls, bens }
    }

    /// Ben sends 8 USDT to Anna. Returns the transaction's hash.
    async fn ben_pays(&mut self, from_bound_address: bool) -> String {
        let Stage { chain, anna, ben, market, .. } = &mut self.stage;
        let to: Address = anna.trader.user.receiving.as_ref().unwrap().address.parse().unwrap();
        let coins = Transfer { to, ..chain.coins(&ben.trader, market.usdt, usdt("8")) };
        let coins = if from_bound_address { coins } else { Chain::from_a_stranger(&coins) };
        chain.time = market.now().await;
        chain.mines_coins([coins.clone()]).await;
        coins.tx.to_string()
    }

    async fn marks_paid(&self, who: &Caller, order: &str, hash: &str) -> Value {
        let version = self.stage.order(who, order).await["version"].clone();
        let body = json!({ "version": version, "hash": hash, "reference": "TX 48.35" });
        self.stage.post(who, &format!("/c2c/deal/order/pay/{order}"), &body).await.ok()
    }

    async fn anna_sees(&self, order: &str) -> Value {
        self.stage.order(&self.stage.anna, order).await
    }
}

#[tokio::test]
async fn an_earlier_order_with_the_public_hash_does_not_take_the_payment_of_a_bound_address() {
    let mut scene = Scene::open().await;
    let hash = scene.ben_pays(true).await;
    scene.marks_paid(&scene.stage.carl, &scene.carls, &hash).await;
    scene.marks_paid(&scene.stage.ben, &scene.bens, &hash.to_uppercase().replace("0X", "0x")).await;

    let (carls, bens) = (scene.anna_sees(&scene.carls).await, scene.anna_sees(&scene.bens).await);
    assert_eq!(carls["paymentSeen"], Value::Null);
    let seen = &bens["paymentSeen"];
    assert_eq!(
        (&seen["sender"], &seen["ambiguous"], &seen["reported"]),
        (&json!("BOUND"), &json!(false), &json!(true))
    );
    for order in [&carls, &bens] {
        assert_eq!(
            (&order["payment"]["hashRepeated"], &order["payment"]["referenceRepeated"]),
            (&json!(true), &json!(true))
        );
    }
    // A buyer learns nothing about the reports of others.
    for (who, id) in [(&scene.stage.carl, &scene.carls), (&scene.stage.ben, &scene.bens)] {
        let payment = scene.stage.order(who, id).await["payment"].clone();
        assert_eq!((&payment["hashRepeated"], &payment["referenceRepeated"]), (&json!(false), &json!(false)));
    }
}

#[tokio::test]
async fn a_payment_that_fits_several_orders_is_shown_as_ambiguous_on_all_of_them_whoever_claims_it() {
    let mut scene = Scene::open().await;
    let hash = scene.ben_pays(false).await;
    scene.marks_paid(&scene.stage.carl, &scene.carls, &hash).await;
    for id in [&scene.carls, &scene.bens] {
        let seen = scene.anna_sees(id).await["paymentSeen"].clone();
        assert_eq!(
            (&seen["hash"], &seen["ambiguous"], &seen["sender"]),
            (&json!(hash), &json!(true), &json!("UNKNOWN"))
        );
        assert_eq!(seen["reported"], json!(*id == scene.carls));
    }
    // The open orders of the seller are kept in memory. They show the second report at once.
    let page = async || scene.stage.get(&scene.stage.anna, "/c2c/deal/order/page?finish=false").await.ok();
    let flags = |page: &Value| {
        let records = page["records"].as_array().unwrap().iter();
        records.filter(|one| one["payment"]["hashRepeated"] == true).count()
    };
    assert_eq!(flags(&page().await), 0);
    scene.marks_paid(&scene.stage.ben, &scene.bens, &hash).await;
    assert_eq!(flags(&page().await), 2);
}
