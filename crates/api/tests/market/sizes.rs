//! What an order of a size comes to: matches and previews.

use domain::ids::AdvertId;
use domain::trade::Side;
use serde_json::{Value, json};

use crate::server::TestServer;

#[tokio::test]
async fn matches_fill_the_whole_order_at_the_best_prices() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let dear = server.advert_of(&anna, Side::Sell, &server.krw, "100", "10", &["bankCard"], |_| ()).await;
    let cheap = server.advert_of(&ben, Side::Sell, &server.krw, "90", "2", &["kakaoPay"], |_| ()).await;
    let found = async |more: Value, token: Option<&str>| {
        let mut body = json!({ "side": "SELL", "base": "MEC", "quote": "KRW" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let found = server.post("/c2c/advert/match", token, &body).await.ok();
        let line = |one: &Value| {
            (
                one["advert"]["id"].as_str().unwrap().to_owned(),
                one["quantity"].clone(),
                one["total"].clone(),
                one["fee"].clone(),
            )
        };
        let adverts = found["adverts"].as_array().unwrap().iter();
        adverts.filter(|one| one["misfits"] == json!([])).map(line).collect::<Vec<_>>()
    };
    let line = |advert: AdvertId, quantity: &str, total: &str, fee: &str| {
        (advert.to_string(), json!(quantity), json!(total), json!(fee))
    };
    assert_eq!(
        found(json!({ "quantity": "2" }), None).await,
        [line(cheap.id, "2", "180", "0.002"), line(dear.id, "2", "200", "0.002")]
    );
    assert_eq!(found(json!({ "quantity": "2.1" }), None).await, [line(dear.id, "2.1", "210", "0.0021")]);
    // The same total buys different quantities, rounded to the step that users can enter.
    assert_eq!(
        found(json!({ "amount": "100" }), None).await,
        [line(cheap.id, "1.11111112", "100", "0.00111111112"), line(dear.id, "1", "100", "0.001")]
    );
    assert_eq!(found(json!({ "quantity": "1", "methods": ["bankCard"] }), None).await.len(), 1);
    assert_eq!(found(json!({ "quantity": "11" }), None).await, []);
    let token = server.sign_in(&ben).await;
    assert_eq!(found(json!({ "quantity": "1" }), Some(&token)).await, [line(dear.id, "1", "100", "0.001")]);
}

#[tokio::test]
async fn each_advert_that_does_not_suit_a_trade_says_why() {
    let server = TestServer::new().await;
    let person = async || server.person(|_| ()).await;
    let (taker, blocked, blocker) = (person().await, person().await, person().await);
    let advert = async |owner, price: &str, kinds: &[&str]| {
        server.advert_of(owner, Side::Sell, &server.krw, price, "10", kinds, |_| ()).await.id.to_string()
    };
    let own = advert(&taker, "80", &["bankCard"]).await;
    let theirs = advert(&blocked, "81", &["bankCard"]).await;
    advert(&blocker, "82", &["bankCard"]).await;
    let other = person().await;
    let pays = advert(&other, "83", &["kakaoPay"]).await;
    let cards = advert(&other, "84", &["bankCard"]).await;
    let offline = server.person(|person| person.online = false).await;
    let away = advert(&offline, "70", &["bankCard"]).await;
    testkit::users::block(&server.database, taker.id, blocked.id).await;
    testkit::users::block(&server.database, blocker.id, taker.id).await;
    let token = server.sign_in(&taker).await;
    let found = async |more: Value, token: Option<&str>| {
        let mut body = json!({ "side": "SELL", "base": "MEC", "quote": "KRW", "quantity": "1" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/c2c/advert/match", token, &body).await.ok()
    };
    let lines = |found: &Value| {
        let adverts = found["adverts"].as_array().unwrap().iter();
        adverts
            .map(|one| (one["advert"]["id"].as_str().unwrap().to_owned(), one["misfits"].clone()))
            .collect::<Vec<_>>()
    };
    let line = |advert: &String, misfits: Value| (advert.clone(), misfits);
    let seen = found(json!({}), Some(&token)).await;
    let (is_own, is_blocked) = (line(&own, json!(["OWN"])), line(&theirs, json!(["BLOCKED"])));
    // Of someone who has blocked the user, nothing is said.
    assert_eq!(lines(&seen), [line(&pays, json!([])), line(&cards, json!([])), is_own.clone(), is_blocked.clone()]);
    let mine: Vec<_> = seen["adverts"].as_array().unwrap().iter().map(|one| one["advert"]["mine"].clone()).collect();
    assert_eq!(mine, [false, false, true, false]);
    assert_eq!(seen["needsPaymentMethod"], true, "the user has none");
    assert_eq!(seen["adverts"][0]["receives"], "0.999");
    let by_card = found(json!({ "methods": ["bankCard"], "advertId": away }), Some(&token)).await;
    assert_eq!(
        lines(&by_card),
        [line(&cards, json!([])), line(&away, json!(["OFFLINE"])), is_own, is_blocked, line(&pays, json!(["METHOD"])),]
    );
    let little = found(json!({ "quantity": "0.01" }), None).await;
    assert!(lines(&little).iter().all(|(_, misfits)| *misfits == json!(["BELOW_MINIMUM"])), "{little}");
    let much = found(json!({ "quantity": "11" }), None).await;
    assert!(lines(&much).iter().all(|(_, misfits)| *misfits == json!(["ABOVE_MAXIMUM"])), "{much}");
    assert_eq!((&much["missing"], &much["needsPaymentMethod"]), (&json!([]), &json!(false)));
}

#[tokio::test]
async fn a_preview_is_what_the_order_comes_to_and_refuses_the_sizes_that_the_order_refuses() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let advert = server.advert_of(&anna, Side::Sell, &server.krw, "90", "2", &["bankCard"], |_| ()).await;
    let stranger = server.stranger().await;
    let of = async |id: uuid::Uuid, size: &str| {
        server.get(&format!("/c2c/advert/{id}/preview{size}"), Some(&stranger)).await
    };
    let preview = async |size: &str| of(advert.id.0, size).await;
    for (size, quantity, total, fee, receives) in [
        ("?quantity=2", "2", "180", "0.002", "1.998"),
        ("?total=100", "1.11111112", "100", "0.00111111112", "1.11000000888"),
    ] {
        let wanted = json!({
            "price": "90", "quantity": quantity, "total": total, "fee": fee, "receives": receives, "prefunding": null,
            "outsidePriceBand": false
        });
        assert_eq!(preview(size).await.ok(), wanted, "{size}");
    }
    for size in ["", "?quantity=1&total=90", "?quantity=0", "?quantity=x", "?amount=1"] {
        preview(size).await.refused(400, "400");
    }
    for (size, status, code) in [("0.001", 422, "5021"), ("0.01", 422, "5009"), ("2.1", 409, "5008")] {
        preview(&format!("?quantity={size}")).await.refused(status, code);
    }
    of(uuid::Uuid::nil(), "?quantity=1").await.refused(404, "5000");
    let path = format!("/c2c/advert/{}/preview?quantity=1", advert.id);
    server.get(&path, None).await.refused(401, "401");
}
