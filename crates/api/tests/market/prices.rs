//! Statistics, the price history and the public overview.

use axum::body::Body;
use axum::http::Request;
use chrono::{Duration, TimeZone, Utc};
use domain::money::Price;
use domain::trade::Side;
use serde_json::{Value, json};
use testkit::statements::counted;
use tower::ServiceExt;

use crate::server::TestServer;

#[tokio::test]
async fn statistics_cover_one_day_of_completed_orders() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let stats = async || server.get("/market/stats?base=MEC&quote=USDT", None).await.ok();
    let none = stats().await;
    assert_eq!((&none["latest"], &none["changeToday"], &none["volume24h"]), (&Value::Null, &Value::Null, &json!("0")));
    assert_eq!(none["spark"], json!([]));
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let trade = async |quantity: &str, price: &str, hours: i64, minutes: i64| {
        let at = server.now() - Duration::hours(hours) - Duration::minutes(minutes);
        server.traded(&advert, &ben, quantity, price, at, Duration::minutes(1)).await;
    };
    // It is noon, so 13 hours ago was yesterday.
    trade("5", "9", 24, 1).await;
    trade("1", "2", 13, 0).await;
    trade("2", "4", 3, 10).await;
    trade("1", "1.5", 3, 5).await;
    trade("1", "2.5", 0, 0).await;
    let now = stats().await;
    assert_eq!((&now["latest"], &now["high24h"], &now["low24h"]), (&json!("2.5"), &json!("4"), &json!("1.5")));
    assert_eq!(
        (&now["volume24h"], &now["turnover24h"], &now["average24h"]),
        (&json!("5"), &json!("14"), &json!("2.8"))
    );
    assert_eq!(now["changeToday"], "0.25");
    let spark: Vec<_> = now["spark"].as_array().unwrap().iter().map(|price| price.as_str().unwrap()).collect();
    let wanted = [&["9"; 10][..], &["2"; 10], &["1.5"; 3], &["2.5"]].concat();
    assert_eq!(spark, wanted);
    // An average has as many decimals as the pair's prices: four.
    trade("2", "2.5", 0, 0).await;
    trade("2", "2.5", 0, 0).await;
    assert_eq!(stats().await["average24h"], "2.6666", "24 for 9");
    // Other pairs are not affected.
    assert_eq!(server.get("/market/stats?base=MEC&quote=KRW", None).await.ok()["latest"], Value::Null);
    server.set_clock(server.now() + Duration::minutes(1));
    trade("1", "1", 0, 0).await;
    assert_eq!(stats().await["changeToday"], "-0.5");
}

/// Totals are rounded down, so an average computed from them could be below the lowest price.
#[tokio::test]
async fn the_average_is_between_the_lowest_and_the_highest_price() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let advert = server.advert(&anna, Side::Sell, &server.krw, "1390", &["bankCard"]).await;
    let mut number: u64 = 88_172_645_463_325_252;
    let mut below = |most: u64| {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        number % most
    };
    for round in 0..40 {
        // One to three tiny trades at almost the same price, each round on its own day.
        let now = server.now() + Duration::hours(25);
        server.set_clock(now);
        for _ in 0..=round % 3 {
            let quantity = format!("0.{:08}", 1_000 + below(3_000));
            let price = format!("1390.{:08}", below(4));
            server.traded(&advert, &ben, &quantity, &price, now - Duration::hours(1), Duration::minutes(1)).await;
        }
        let stats = server.get("/market/stats?base=MEC&quote=KRW", None).await.ok();
        let price = |name: &str| Price::parse(stats[name].as_str().unwrap()).unwrap();
        assert!(price("low24h") <= price("average24h") && price("average24h") <= price("high24h"), "{stats}");
        let thread = server.get("/order/price/thread/new/page?base=MEC&quote=KRW&range=7D", None).await.ok();
        for point in thread["records"].as_array().unwrap() {
            let price = |name: &str| Price::parse(point[name].as_str().unwrap()).unwrap();
            assert!(price("low") <= price("average") && price("average") <= price("high"), "{point}");
        }
    }
}

#[tokio::test]
async fn the_public_overview_is_at_most_ten_seconds_old() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let overview = async || server.get("/market/overview", None).await.ok();
    let later = |seconds| server.set_clock(server.now() + Duration::seconds(seconds));
    assert_eq!(overview().await, json!({ "completedTrades": 0, "pairs": [] }));

    let dear = server.advert(&anna, Side::Sell, &server.usdt, "3", &[]).await;
    let cheap = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    server.advert(&anna, Side::Buy, &server.usdt, "1", &[]).await;
    let won = server.advert(&anna, Side::Sell, &server.krw, "900", &["bankCard"]).await;
    server.traded(&dear, &ben, "1", "2.5", server.now(), Duration::minutes(1)).await;
    server.traded(&dear, &ben, "2", "2.75", server.now() - Duration::days(60), Duration::minutes(1)).await;
    // The response is cached for everybody.
    later(9);
    assert_eq!(overview().await["completedTrades"], 0);
    let request = Request::get("/api/market/overview").body(Body::empty()).unwrap();
    let (response, statements) = counted(server.router.clone().oneshot(request)).await;
    assert_eq!((response.unwrap().status().as_u16(), statements), (200, 0));
    later(1);
    let seen = overview().await;
    assert_eq!(seen["completedTrades"], 2);
    let pairs = seen["pairs"].as_array().unwrap();
    assert_eq!(pairs.iter().map(|pair| pair["quote"].as_str().unwrap()).collect::<Vec<_>>(), ["USDT", "KRW"]);
    assert_eq!((&pairs[0]["latest"], &pairs[0]["adverts"]), (&json!("2.5"), &json!(2)));
    assert_eq!((&pairs[1]["latest"], &pairs[1]["adverts"]), (&Value::Null, &json!(1)));
    let best = &pairs[0]["best"];
    assert_eq!((&best["id"], &best["price"]), (&json!(cheap.id.0), &json!("2")));
    assert_eq!(best["advertiser"]["nickname"], anna.nickname.unwrap());
    // Only the price, the quantity and the public data of the advertiser.
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(best), ["advertiser", "id", "price", "remaining"]);
    assert_eq!(keys(&best["advertiser"]), ["certified", "countryCode", "fast", "id", "nickname", "stats", "verified"]);
    assert_eq!(pairs[1]["best"]["id"], json!(won.id.0));
}

#[tokio::test]
async fn the_price_history_has_hours_and_utc_days() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let at = |month, day, hour, minute| Utc.with_ymd_and_hms(2026, month, day, hour, minute, 0).unwrap();
    server.set_clock(at(3, 10, 12, 30));
    let trades = [
        ("1", "1", at(3, 10, 12, 10)),
        ("1", "3", at(3, 10, 12, 20)),
        ("2", "2", at(3, 10, 12, 30)),
        ("1", "5", at(3, 3, 12, 0)),
        ("1", "6", at(3, 3, 11, 59)),
        ("1", "7", at(1, 1, 12, 0)),
    ];
    for (quantity, price, at) in trades {
        server.traded(&advert, &ben, quantity, price, at, Duration::minutes(1)).await;
    }
    let thread = async |range: &str| {
        server.get(&format!("/order/price/thread/new/page?base=MEC&quote=USDT&range={range}"), None).await.ok()
    };
    let week = thread("7D").await;
    assert_eq!(week["bucketSeconds"], 3_600);
    let last = json!({
        "at": "2026-03-10T12:00:00Z", "open": "1", "high": "3", "low": "1", "close": "2", "average": "2",
        "volume": "4", "turnover": "8", "trades": 3
    });
    assert_eq!(week["records"][1], last);
    assert_eq!(week["records"][0]["at"], "2026-03-03T12:00:00Z");
    assert_eq!(week["records"].as_array().unwrap().len(), 2);
    let month = thread("30D").await;
    assert_eq!(month["bucketSeconds"], 86_400);
    assert_eq!(
        (&month["records"][0]["at"], &month["records"][0]["trades"]),
        (&json!("2026-03-03T00:00:00Z"), &json!(2))
    );
    for (range, points) in [("30D", 2), ("3M", 3), ("6M", 3), ("1Y", 3)] {
        assert_eq!(thread(range).await["records"].as_array().unwrap().len(), points, "{range}");
    }
}
