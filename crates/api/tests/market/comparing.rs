//! The price of a new advert compared with the market.

use chrono::Duration;
use domain::trade::Side;
use serde_json::json;
use testkit::market::officers::set_reference;
use testkit::market::price;

use crate::server::TestServer;

#[tokio::test]
async fn a_price_is_compared_with_the_other_adverts_and_rather_with_the_last_trade() {
    let server = TestServer::new().await;
    let (anna, ben, carl) = (server.person(|_| ()).await, server.person(|_| ()).await, server.person(|_| ()).await);
    let token = server.sign_in(&anna).await;
    let check = async |side: &str, price: &str| {
        let path = format!("/c2c/advert/price?base=MEC&quote=USDT&side={side}&price={price}");
        server.get(&path, Some(&token)).await.ok()
    };
    let nothing = json!({ "market": null, "source": null, "distance": null, "far": false, "priceMin": null, "priceMax": null, "rank": 1, "others": 0 });
    assert_eq!(check("SELL", "13").await, nothing);

    let advert = server.advert(&ben, Side::Sell, &server.usdt, "2", &[]).await;
    server.advert(&ben, Side::Sell, &server.usdt, "2.1", &[]).await;
    server.advert(&carl, Side::Sell, &server.usdt, "2.2", &[]).await;
    // Her own adverts count neither as a comparison nor as competition.
    server.advert(&anna, Side::Sell, &server.usdt, "9", &[]).await;
    let of_adverts = |distance: &str, far: bool, rank: u32| json!({ "market": "2.1", "source": "ADVERTS", "distance": distance, "far": far, "priceMin": null, "priceMax": null, "rank": rank, "others": 3 });
    assert_eq!(check("SELL", "2.205").await, of_adverts("0.050000", false, 4));
    assert_eq!(check("SELL", "2.1").await, of_adverts("0.000000", false, 2));
    assert_eq!(check("SELL", "0.21").await, of_adverts("-0.900000", true, 1));
    // Nobody buys, so a price for buying is compared with those of the sellers.
    let buying = json!({ "market": "2.1", "source": "ADVERTS", "distance": "0.000000", "far": false, "priceMin": null, "priceMax": null, "rank": 1, "others": 0 });
    assert_eq!(check("BUY", "2.1").await, buying);

    // However old it is.
    let at = server.now() - Duration::days(200);
    server.traded(&advert, &carl, "1", "4", at, Duration::minutes(1)).await;
    let traded = check("SELL", "2.1").await;
    assert_eq!((&traded["source"], &traded["market"]), (&json!("LAST_TRADE"), &json!("4")));
    assert_eq!((&traded["distance"], &traded["far"]), (&json!("-0.475000"), &json!(true)));
    assert_eq!(check("SELL", "3.9").await["far"], false);

    // With a reference price, the answer has the band, as it is now.
    set_reference(&server.context, ("MEC", "USDT"), price("3"), "as elsewhere").await.unwrap();
    let banded = check("SELL", "3.4").await;
    assert_eq!((&banded["source"], &banded["far"]), (&json!("REFERENCE"), &json!(true)));
    assert_eq!((&banded["priceMin"], &banded["priceMax"]), (&json!("2.7"), &json!("3.3")));

    let path = "/c2c/advert/price?base=MEC&quote=USDT&side=SELL&price=-1";
    assert_eq!(server.get(path, Some(&token)).await.refused(400, "400").as_deref(), Some("price"));
    let path = "/c2c/advert/price?base=MEC&quote=XXX&side=SELL&price=1";
    assert_eq!(server.get(path, Some(&token)).await.refused(422, "5028"), None);
}
