//! Reference data, and what a cancellation costs.

use app::market::ReferencePrices;
use chrono::Duration;
use domain::reputation::Cause;
use domain::trade::Side;
use serde_json::{Value, json};

use crate::server::TestServer;

#[tokio::test]
async fn reference_data_contains_the_trading_rules() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let coins = server.get("/common/coin", None).await.ok();
    assert_eq!(coins[0]["enShort"], "MEC");
    assert_eq!((&coins[0]["assetScale"], &coins[0]["kind"]), (&json!(8), &json!("native")));
    assert_eq!(
        (&coins[1]["assetScale"], &coins[1]["kind"], &coins[2]["kind"]),
        (&json!(6), &json!("erc20"), &json!("fiat"))
    );
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    server.traded(&advert, &ben, "1", "2", server.now(), Duration::minutes(1)).await;
    ReferencePrices::default().keep(&server.context).await.unwrap();
    let config = server.get("/c2c/coin/config", None).await.ok();
    assert_eq!(config["pairs"][0]["priceMin"], Value::Null, "trades between two users set no reference price");
    // Each user counts once an hour.
    for hours in 1..5 {
        let buyer = server.person(|_| ()).await;
        let at = server.now() - Duration::hours(hours);
        server.traded(&advert, &buyer, "1", "2", at, Duration::minutes(1)).await;
    }
    ReferencePrices::default().keep(&server.context).await.unwrap();
    let config = server.get("/c2c/coin/config", None).await.ok();
    let (usdt, krw) = (&config["pairs"][0], &config["pairs"][1]);
    assert_eq!((&usdt["quote"], &usdt["on"], &usdt["automatic"]), (&json!("USDT"), &json!(true), &json!(true)));
    assert_eq!((&usdt["priceMin"], &usdt["priceMax"], &usdt["lastPrice"]), (&json!("1.8"), &json!("2.2"), &json!("2")));
    assert_eq!(
        (&usdt["feeRate"], &usdt["feeMinimum"], &usdt["orderMin"]),
        (&json!("0.001"), &json!("0.001"), &json!("1"))
    );
    assert_eq!((&usdt["chainTypes"], &usdt["methodTypes"]), (&json!(["ERC20"]), &json!([])));
    assert_eq!((&krw["priceMin"], &krw["automatic"]), (&Value::Null, &json!(false)));
    assert!(krw["methodTypes"].as_array().unwrap().contains(&json!("kakaoPay")));
    assert!(!krw["methodTypes"].as_array().unwrap().contains(&json!("alipay")));
    let chain = json!({ "chainType": "ERC20", "name": "ERC20", "automatic": true, "explorer": config["explorer"] });
    assert_eq!(config["chains"], json!([chain]));
    assert_eq!(server.get("/common/credit/setting", None).await.ok()[0]["deduct"], 20);
}

#[tokio::test]
async fn cancel_times_show_the_cost_of_the_next_cancellation() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let ben = server.person(|_| ()).await;
    server.get("/c2c/deal/order/cancel/times", None).await.refused(401, "401");
    let token = server.sign_in(&anna).await;
    let times = async || server.get("/c2c/deal/order/cancel/times", Some(&token)).await.ok();
    let wanted =
        |left, next| json!({ "freeLeft": left, "freePerDay": 3, "deduct": 20, "nextCost": next, "reputation": 100 });
    assert_eq!(times().await, wanted(3, 0));
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let order = server.traded(&advert, &ben, "1", "2", server.now(), Duration::minutes(1)).await;
    let cause = Cause::Cancelled.into_str();
    let change = store::users::ReputationChange {
        user: anna.id,
        change: 0,
        reputation: 100,
        cause,
        order: Some(order),
        appeal: None,
    };
    for _ in 0..3 {
        let mut tx = server.context.store.begin().await.unwrap();
        store::users::change_reputation(&mut tx, std::slice::from_ref(&change), server.now()).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(times().await, wanted(0, 20));
    server.set_clock(server.now() + Duration::hours(12));
    assert_eq!(times().await, wanted(3, 0));
}

#[tokio::test]
async fn users_read_the_history_of_their_own_reputation() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let ben = server.person(|_| ()).await;
    server.get("/credit/detail/page", None).await.refused(401, "401");
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let order = server.traded(&advert, &ben, "1", "2", server.now(), Duration::minutes(1)).await;
    let change = |(points, reputation, cause): (i32, i32, Cause)| store::users::ReputationChange {
        user: anna.id,
        change: points,
        reputation,
        cause: cause.into_str(),
        order: (cause != Cause::MonthlyRestoration).then_some(order),
        appeal: None,
    };
    let began = server.now();
    for one in [(0, 100, Cause::Cancelled), (-20, 80, Cause::PaymentOverdue), (20, 100, Cause::MonthlyRestoration)] {
        let mut tx = server.context.store.begin().await.unwrap();
        store::users::change_reputation(&mut tx, &[change(one)], server.now()).await.unwrap();
        tx.commit().await.unwrap();
    }
    let (anna, ben) = (server.sign_in(&anna).await, server.sign_in(&ben).await);
    let page = server.get("/credit/detail/page?size=2", Some(&anna)).await.ok();
    assert_eq!(page["total"], 3);
    let shown: Vec<_> = page["records"].as_array().unwrap().iter().map(|one| (&one["cause"], &one["change"])).collect();
    assert_eq!(shown, [(&json!("MONTHLY_RESTORATION"), &json!(20)), (&json!("PAYMENT_OVERDUE"), &json!(-20))]);
    let [restored, charged] = [&page["records"][0], &page["records"][1]];
    assert_eq!((&restored["orderId"], &restored["restoredAt"]), (&json!(null), &json!(null)));
    assert_eq!((&charged["orderId"], &charged["reputation"]), (&json!(order.0), &json!(80)));
    let until: chrono::DateTime<chrono::Utc> = charged["restoredAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(until, domain::reputation::next_month_start(began));
    let free = &server.get("/credit/detail/page?size=2&page=2", Some(&anna)).await.ok()["records"][0];
    assert_eq!((&free["change"], &free["restoredAt"]), (&json!(0), &json!(null)));
    assert_eq!(server.get("/credit/detail/page", Some(&ben)).await.ok()["total"], 0, "those of others are not shown");
    server.get("/credit/detail/page?size=101", Some(&anna)).await.refused(400, "400");
}
