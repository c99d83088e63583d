//! The account holder from whom a fiat payment must come: fixed when the order is placed, and shown only to the two parties.

use serde_json::{Value, json};

use crate::stage::{Caller, SECURITY, Stage, order_of, text};

/// The field with the account holder's name.
const NAME: &str = "payerName";

impl Stage {
    /// Adds a payment method and returns its ID.
    async fn adds(&self, who: &Caller, kind: &str, name: &str, account: &str) -> String {
        let mut fields = json!({ "name": name, "account": account });
        if kind == "bankCard" {
            fields["bankName"] = json!("Some Bank");
        }
        let body = json!({ "type": kind, "currency": "KRW", "fields": fields });
        text(&self.post(who, "/payment/method", &body).await.ok()["id"])
    }

    /// Returns the account holder of the user's first payment method.
    async fn account_name(&self, who: &Caller) -> String {
        let mut tx = self.market.database.store.begin().await.unwrap();
        let kept = store::payment_methods::by_ids(&mut tx, &[who.trader.account]).await.unwrap();
        kept[0].holder().unwrap().to_owned()
    }

    /// Reads an order individually and in the list.
    async fn reads(&self, who: &Caller, order: &str) -> [Value; 2] {
        let page = self.get(who, "/c2c/deal/order/page").await.ok();
        let listed = page["records"].as_array().unwrap().iter().find(|one| one["id"] == order).cloned();
        [self.order(who, order).await, listed.unwrap()]
    }
}

#[tokio::test]
async fn the_payer_is_fixed_when_the_order_is_placed_and_only_the_parties_see_the_name() {
    let (stage, advert) = Stage::selling().await;
    let (anna, ben) = (&stage.anna, &stage.ben);
    let own = stage.adds(ben, "bankCard", "Ben Kim", "55501").await;
    let mut body = order_of(&advert);
    body["payerMethodId"] = json!(own);
    let placed = stage.post(ben, "/c2c/deal/order", &body).await.ok();
    let order = text(&placed["id"]);
    for who in [anna, ben] {
        for shown in stage.reads(who, &order).await {
            assert_eq!(shown[NAME], "Ben Kim");
            assert!(!shown.to_string().contains("55501"), "account numbers are not shown: {shown}");
        }
    }
    // Another name of the account, and even another account, do not change the order.
    stage.market.sql("update payment_methods set fields = fields || '{\"name\": \"Someone Else\"}'").await;
    let take = format!("/c2c/deal/order/take/{order}");
    let taken = stage.post(anna, &take, &json!({ "version": placed["version"] })).await.ok();
    assert_eq!(taken[NAME], "Ben Kim");
    let changed = format!("update orders set payer_name = 'Someone Else' where id = '{order}'");
    let refused = sqlx_refusal(&stage, &changed).await;
    assert!(refused.contains("the payer of an order is fixed"), "{refused}");

    // Others do not see the name.
    stage.get(&stage.carl, &format!("/c2c/deal/order/{order}")).await.refused(404, "5007");
    for path in [
        format!("/c2c/advert/{advert}"),
        "/c2c/advert/page?side=SELL&base=MEC&quote=KRW".to_owned(),
        format!("/user/info/{}", ben.trader.id()),
        "/c2c/deal/order/page".to_owned(),
    ] {
        let shown = stage.get(&stage.carl, &path).await;
        assert!(!shown.body.to_string().contains("Ben Kim"), "{path}");
    }

    let pay = json!({ "version": taken["version"], "reference": "R-1" });
    let paid = stage.post(ben, &format!("/c2c/deal/order/pay/{order}"), &pay).await.ok();
    stage.protects(anna).await;
    let code = stage.seal(anna, SECURITY).await;
    let body = json!({ "version": paid["version"], "securityCode": code });
    stage.post(anna, &format!("/c2c/deal/order/confirm/{order}"), &body).await.ok();
    let mut stage = stage;
    stage.chain.settles().await;
    let ended = stage.order(&stage.anna, &order).await;
    assert_eq!((&ended["state"], &ended[NAME]), (&json!("COMPLETED"), &json!("Ben Kim")));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_buyer_chooses_only_an_own_account_of_the_sellers_type() {
    let (stage, advert) = Stage::selling().await;
    let (ben, carl) = (&stage.ben, &stage.carl);
    let foreign = stage.adds(carl, "bankCard", "Carl Kim", "55502").await;
    let other = stage.adds(ben, "kakaoPay", "Ben at Kakao", "55503").await;
    let mut body = order_of(&advert);
    body["payerMethodId"] = json!(foreign);
    stage.post(ben, "/c2c/deal/order", &body).await.refused(404, "5025");
    body["payerMethodId"] = json!(other);
    assert_ne!(stage.post(ben, "/c2c/deal/order", &body).await.status, 200);
    body["payerMethodId"] = Value::Null;
    let placed = stage.post(ben, "/c2c/deal/order", &body).await.ok();
    assert_eq!(placed[NAME], stage.account_name(ben).await.as_str());
}

/// Executes a statement that the database refuses, and returns why.
async fn sqlx_refusal(stage: &Stage, statement: &str) -> String {
    let database = stage.market.database.reconnected();
    let statement = statement.to_owned();
    let refused = tokio::spawn(async move { database.execute(&statement).await }).await;
    let panic = refused.unwrap_err().into_panic();
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}
