//! Pages of traders, favorites, blocks and feedback.

use serde_json::{Value, json};

use crate::stage::{Caller, Got, Stage, order_of};

impl Stage {
    async fn trader(&self, viewer: &Caller, trader: &Caller) -> Value {
        self.get(viewer, &format!("/user/trader/{}", trader.trader.id())).await.ok()
    }

    async fn lists(&self, viewer: &Caller, trader: &Caller, list: &str, on: bool) -> Got {
        let body = if list == "favorite" { json!({"favorite": on}) } else { json!({"blocked": on}) };
        self.post(viewer, &format!("/user/trader/{}/{list}", trader.trader.id()), &body).await
    }

    async fn says(&self, who: &Caller, order: &str, positive: bool, line: &str) -> Got {
        let body = json!({"positive": positive, "line": line});
        self.post(who, &format!("/c2c/deal/order/feedback/{order}"), &body).await
    }

    async fn listed(&self, who: &Caller, list: &str) -> Vec<Value> {
        self.get(who, &format!("/user/{list}/page")).await.ok()["records"].as_array().unwrap().clone()
    }
}

/// Ben's completed order from Anna's advert.
async fn completed() -> (Stage, String, String) {
    let (mut stage, advert, order) = Box::pin(Stage::paid()).await;
    stage.anna.trader.does(order.parse().unwrap(), domain::orders::OrderCommand::Confirm).await.unwrap();
    stage.chain.settles().await;
    stage.chain.confirms().await;
    assert_eq!(stage.order(&stage.ben, &order).await["state"], "COMPLETED");
    (stage, advert, order)
}

#[tokio::test]
async fn the_page_of_a_trader_shows_what_everybody_may_know() {
    let (stage, advert, _) = Box::pin(completed()).await;
    stage.post(&stage.anna, "/user/updateInfo", &json!({"remark": "Usually here in the evening"})).await.ok();
    let page = stage.trader(&stage.carl, &stage.anna).await;
    assert_eq!(page["remark"], "Usually here in the evening");
    assert_eq!((&page["mine"], &page["favorite"], &page["blocked"]), (&json!(false), &json!(false), &json!(false)));
    assert_eq!(page["stats"]["orders30d"], 1);
    assert_eq!(page["averagePaymentSeconds"], Value::Null);
    let own = stage.get(&stage.anna, &format!("/user/info/{}", stage.anna.trader.id())).await.ok()["volume30d"].clone();
    assert!(own.as_array().is_some_and(|volume| !volume.is_empty()));
    assert_eq!(page["volume30d"], own);
    assert!(page["joinedAt"].is_string());
    for secret in ["email", "boundAddress", "custodyAddress", "receivingAddress", "reputation", "holdUntil"] {
        assert_eq!(page.get(secret), None, "{secret}");
    }
    assert_eq!(stage.trader(&stage.anna, &stage.anna).await["mine"], true);
    // Ben has paid at once.
    assert_eq!(stage.trader(&stage.carl, &stage.ben).await["averagePaymentSeconds"], 0);
    let adverts = stage.get(&stage.carl, &format!("/user/trader/{}/adverts", stage.anna.trader.id())).await.ok();
    assert_eq!((adverts.as_array().unwrap().len(), &adverts[0]["id"]), (1, &json!(advert)));
    stage.get(&stage.carl, &format!("/user/trader/{}", uuid::Uuid::nil())).await.refused(404, "1001");
    // Whoever has no nickname has never traded.
    stage.market.sql(&format!("update users set nickname = null where id = '{}'", stage.ben.trader.id())).await;
    stage.get(&stage.carl, &format!("/user/trader/{}", stage.ben.trader.id())).await.refused(404, "1001");
}

#[tokio::test]
async fn a_block_keeps_both_from_new_orders_and_leaves_open_ones() {
    let (stage, advert, order) = Box::pin(Stage::accepted()).await;
    let (anna, ben) = (&stage.anna, &stage.ben);
    stage.lists(anna, ben, "favorite", true).await.ok();
    let relation = stage.lists(anna, ben, "block", true).await.ok();
    assert_eq!(relation, json!({"favorite": false, "blocked": true}), "nobody is both");
    stage.lists(anna, ben, "block", true).await.ok();
    assert_eq!(stage.listed(anna, "block").await[0]["id"], ben.trader.id().to_string());
    assert_eq!(stage.listed(anna, "favorite").await.len(), 0);
    // Ben does not learn that he is blocked before he orders.
    assert_eq!(stage.trader(ben, anna).await["blocked"], false);
    stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await.refused(403, "5037");
    let adverts = stage.get(ben, &format!("/user/trader/{}/adverts", anna.trader.id())).await.ok();
    assert_eq!(adverts, json!([]));
    ben.trader.marks_paid(order.parse().unwrap()).await.unwrap();
    assert_eq!(stage.order(ben, &order).await["state"], "AWAITING_CONFIRMATION");
    stage.lists(anna, ben, "block", false).await.ok();
    assert_eq!(stage.listed(anna, "block").await.len(), 0);
    stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
}

#[tokio::test]
async fn lists_have_an_end_and_nobody_is_in_their_own() {
    let stage = Stage::empty().await;
    let (anna, ben, carl) = (&stage.anna, &stage.ben, &stage.carl);
    for list in ["favorite", "block"] {
        stage.lists(anna, anna, list, true).await.refused(400, "400");
    }
    stage.lists(anna, ben, "favorite", true).await.ok();
    stage.market.waits(chrono::Duration::seconds(1)).await;
    stage.lists(anna, carl, "favorite", true).await.ok();
    let favorites: Vec<_> = stage.listed(anna, "favorite").await.iter().map(|one| one["id"].clone()).collect();
    assert_eq!(favorites, [json!(carl.trader.id().to_string()), json!(ben.trader.id().to_string())], "newest first");
    stage.lists(anna, carl, "favorite", false).await.ok();
    // As if Anna had 200 favorites.
    let made = format!(
        "with made as (
             insert into users (id, created_at, custody_index, vault_address, region, kyc_level)
             select gen_random_uuid(), timestamptz '2026-01-01Z', 100000 + n,
                    decode(lpad(to_hex(100000 + n), 40, '0'), 'hex'), 'VN', 'basic'
             from generate_series(1, 199) n returning id)
         insert into favorites select '{}', id, timestamptz '2026-01-01Z' from made",
        anna.trader.id()
    );
    stage.market.sql(&made).await;
    let refusal = stage.lists(anna, carl, "favorite", true).await.refused(409, "5066");
    assert_eq!(refusal["limit"], 200);
    // Who is in the list already changes nothing.
    stage.lists(anna, ben, "favorite", true).await.ok();
    stage.lists(anna, ben, "favorite", false).await.ok();
    stage.lists(anna, carl, "favorite", true).await.ok();
}

#[tokio::test]
async fn each_party_says_one_thing_about_a_completed_order() {
    let (stage, _, order) = Box::pin(completed()).await;
    let (anna, ben, carl) = (&stage.anna, &stage.ben, &stage.carl);
    let path = format!("/c2c/deal/order/feedback/{order}");
    assert_eq!(stage.get(ben, &path).await.ok(), json!({"own": null, "other": null, "possible": true}));
    // Strangers, contact details and long lines.
    stage.says(carl, &order, true, "").await.refused(404, "5007");
    stage.get(carl, &path).await.refused(404, "5007");
    let refusal = stage.says(ben, &order, true, "write me at t.me/ben").await.refused(422, "1030");
    assert_eq!(refusal["field"], "line");
    stage.says(ben, &order, true, &"x".repeat(101)).await.refused(400, "400");
    let given = stage.says(ben, &order, true, "  Fast and friendly ").await.ok();
    assert_eq!((&given["own"]["line"], &given["possible"]), (&json!("Fast and friendly"), &json!(false)));
    stage.says(ben, &order, false, "").await.refused(409, "5068");
    stage.says(anna, &order, false, "").await.ok();
    let seen = stage.get(ben, &path).await.ok();
    assert_eq!((&seen["other"]["positive"], &seen["other"]["line"]), (&json!(false), &Value::Null));

    let page = stage.get(carl, &format!("/user/trader/{}/feedback", anna.trader.id())).await.ok();
    assert_eq!((&page["total"], &page["records"][0]["line"]), (&json!(1), &json!("Fast and friendly")));
    assert!(page["records"][0]["author"].is_string());
    assert_eq!(stage.trader(carl, anna).await["feedback"], json!({"positive": 1, "negative": 0}));
    assert_eq!(stage.trader(carl, ben).await["feedback"], json!({"positive": 0, "negative": 1}));
}

#[tokio::test]
async fn an_author_counts_once_with_the_newest_mark() {
    let (stage, _, order) = Box::pin(completed()).await;
    let (anna, ben) = (stage.anna.trader.id(), stage.ben.trader.id());
    stage.says(&stage.ben, &order, true, "").await.ok();
    // As if they had traded before.
    stage
        .market
        .sql(&format!(
            "alter table feedback drop constraint feedback_order_id_fkey;
             insert into feedback values (gen_random_uuid(), '{ben}', '{anna}', false, '', timestamptz '2020-01-01Z')"
        ))
        .await;
    assert_eq!(stage.trader(&stage.carl, &stage.anna).await["feedback"], json!({"positive": 1, "negative": 0}));
    stage.market.sql("update feedback set given_at = timestamptz '2031-01-01Z' where not positive").await;
    assert_eq!(stage.trader(&stage.carl, &stage.anna).await["feedback"], json!({"positive": 0, "negative": 1}));
}

#[tokio::test]
async fn an_order_that_is_not_completed_has_no_feedback() {
    let (stage, _, order) = Box::pin(Stage::paid()).await;
    let path = format!("/c2c/deal/order/feedback/{order}");
    assert_eq!(stage.get(&stage.ben, &path).await.ok()["possible"], false);
    stage.says(&stage.ben, &order, true, "").await.refused(409, "5067");
}
