//! The account holders of the buyer's payment methods are shown only to the order's seller, and only while the order is
//! open.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::stage::{Caller, SECURITY, Stage, order_of, text};

/// The field with the account holders' names.
const NAMES: &str = "payerNames";

impl Stage {
    async fn adds(&self, who: &Caller, kind: &str, currency: &str, name: &str, account: &str) {
        let mut fields = json!({ "name": name, "account": account });
        if kind == "bankCard" {
            fields["bankName"] = json!("Some Bank");
        }
        let body = json!({ "type": kind, "currency": currency, "fields": fields });
        self.post(who, "/payment/method", &body).await.ok();
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

/// Returns the number of names and the set of names. Methods added in the same millisecond have no fixed order.
fn names(order: &Value) -> (usize, BTreeSet<String>) {
    let told = order[NAMES].as_array().unwrap();
    (told.len(), told.iter().map(text).collect())
}

#[tokio::test]
async fn only_the_seller_sees_the_payers_names_and_only_while_the_order_is_open() {
    let (stage, advert) = Stage::selling().await;
    let (anna, ben) = (&stage.anna, &stage.ben);
    // Two more accounts in the order's currency under another name, one in another currency, and one of another type.
    stage.adds(ben, "bankCard", "KRW", "Ben Kim", "55501").await;
    stage.adds(ben, "bankCard", "KRW", "Ben Kim", "55502").await;
    stage.adds(ben, "bankCard", "CNY", "Ben in CNY", "55503").await;
    stage.adds(ben, "kakaoPay", "KRW", "Ben at Kakao", "55504").await;
    let named = BTreeSet::from([stage.account_name(ben).await, "Ben Kim".to_owned()]);
    let silent = async |who: &Caller, order: &str| {
        for shown in stage.reads(who, order).await {
            assert_eq!(shown[NAMES], json!([]));
            assert!(!shown.to_string().contains("Ben Kim"), "{shown}");
        }
    };

    let placed = stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
    let order = text(&placed["id"]);
    silent(anna, &order).await;
    let take = format!("/c2c/deal/order/take/{order}");
    let taken = stage.post(anna, &take, &json!({ "version": placed["version"] })).await.ok();
    assert_eq!(names(&taken), (2, named.clone()));
    let pay = json!({ "version": taken["version"], "reference": "R-1" });
    let paid = stage.post(ben, &format!("/c2c/deal/order/pay/{order}"), &pay).await.ok();
    for shown in stage.reads(anna, &order).await {
        assert_eq!(names(&shown), (2, named.clone()));
        assert!(!shown.to_string().contains("5550"), "account numbers are not shown: {shown}");
    }

    // Neither the buyer nor others see the names.
    silent(ben, &order).await;
    stage.get(&stage.carl, &format!("/c2c/deal/order/{order}")).await.refused(404, "5007");
    for path in [
        format!("/c2c/advert/hall/{advert}"),
        "/c2c/advert/page?side=SELL&base=MEC&quote=KRW".to_owned(),
        format!("/user/info/{}", ben.trader.id()),
    ] {
        let shown = stage.get(&stage.carl, &path).await;
        assert!(!shown.body.to_string().contains("Ben Kim"), "{path}");
    }

    stage.protects(anna).await;
    let code = stage.seal(anna, SECURITY).await;
    let body = json!({ "version": paid["version"], "securityCode": code });
    stage.post(anna, &format!("/c2c/deal/order/confirm/{order}"), &body).await.ok();
    let mut stage = stage;
    stage.chain.settles().await;
    let ended = stage.order(&stage.anna, &order).await;
    assert_eq!((&ended["state"], &ended[NAMES]), (&json!("COMPLETED"), &json!([])));
}
