//! NFTs over the API: albums, custody, ads, orders, history and withdrawals.

use std::collections::BTreeSet;

use domain::chain::Address;
use domain::identity::address::checksummed;
use domain::nfts::Royalty;
use serde_json::{Value, json};
use store::nft_metadata::{Due, put_royalty};
use testkit::market::{ALBUM_CONTRACT, Market, mec, usdt};
use testkit::noon;
use uuid::Uuid;

use crate::stage::{SECURITY, Stage, text};

/// Anna has the NFT 7 in custody, and coins to prepay with.
async fn gallery() -> (Stage, String) {
    let market = Market::open().await;
    market.opens_album().await;
    let mut stage = Box::pin(Stage::on(market)).await;
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("5")).await;
    let nft = stage.chain.brings_nft(&stage.anna.trader, 7).await;
    (stage, nft.0.to_string())
}

fn for_100_usdt(number: &str) -> Value {
    json!({
        "side": "SELL", "kind": "AUTOMATIC", "base": "ART", "nftId": number, "quote": "USDT", "price": "100",
    })
}

#[tokio::test]
async fn an_nft_is_listed_sold_and_remembered() {
    let (mut stage, id) = gallery().await;
    let albums = stage.get(&stage.ben, "/common/class/config").await.ok();
    assert_eq!((&albums[0]["classId"], &albums[0]["code"]), (&json!("art"), &json!("ART")));
    assert_eq!(
        (&albums[0]["fee"], &albums[0]["gas"], &albums[0]["prepaidAsset"]),
        (&json!("2"), &json!("0.01"), &json!("MEC"))
    );
    let pairs = stage.get(&stage.ben, "/c2c/coin/config").await.ok()["pairs"].clone();
    let album =
        |base: &str| pairs.as_array().unwrap().iter().find(|pair| pair["base"] == base).unwrap()["album"].clone();
    assert_eq!((album("ART"), album("MEC")), (json!("art"), Value::Null));

    let mine = stage.get(&stage.anna, "/balance/nft/list?classId=art").await.ok();
    assert_eq!(mine["total"], 1);
    let first = &mine["records"][0];
    assert_eq!((&first["id"], &first["nftId"], &first["state"]), (&json!(id), &json!("7"), &json!("AVAILABLE")));
    assert_eq!((&first["pictureRefused"], &first["actions"]), (&json!("PENDING"), &json!(["SELL", "WITHDRAW"])));

    let advert = stage.post(&stage.anna, "/c2c/advert/create", &for_100_usdt("7")).await.ok();
    assert_eq!(
        (&advert["state"], &advert["nft"]["nftId"], &advert["quantity"]),
        (&json!("ONLINE"), &json!("7"), &json!("1"))
    );
    assert_eq!(advert["prepayment"], json!({ "asset": "MEC", "fee": "2", "gas": "0.01" }));
    let held = stage.get(&stage.anna, "/balance/nft/list").await.ok()["records"][0].clone();
    assert_eq!((&held["state"], &held["advertId"], &held["actions"]), (&json!("IN_ADVERT"), &advert["id"], &json!([])));

    let hall = stage.get(&stage.ben, "/c2c/advert/page?side=SELL&base=ART&quote=USDT").await.ok();
    assert_eq!((&hall["records"][0]["id"], &hall["records"][0]["nft"]["id"]), (&advert["id"], &json!(id)));
    let facts = stage.get(&stage.ben, &format!("/nft/{id}")).await.ok();
    assert_eq!(
        (&facts["advertId"], &facts["mine"], &facts["holder"]["custody"]),
        (&advert["id"], &Value::Null, &json!(true))
    );
    assert_eq!(facts["royalty"], Value::Null, "the contract was not asked yet");

    let body = json!({ "advertId": advert["id"], "price": "100", "quantity": "1" });
    let order = stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok();
    assert_eq!((&order["nft"]["id"], &order["receives"]), (&json!(id), &json!("1")));
    assert_eq!((&order["fee"], &order["feeAsset"]), (&json!("2"), &json!("MEC")));
    stage.chain.brings(&stage.ben.trader, stage.market.usdt, usdt("100")).await;
    stage.chain.settles().await;
    let order = stage.get(&stage.ben, &format!("/c2c/deal/order/{}", text(&order["id"]))).await.ok();
    assert_eq!(order["state"], "COMPLETED");

    let history = stage.get(&stage.carl, &format!("/nft/{id}/history")).await.ok();
    let events: Vec<_> = history["records"].as_array().unwrap().iter().map(|one| one["event"].clone()).collect();
    assert_eq!(events, [json!("SOLD"), json!("DEPOSITED")]);
    assert_eq!((&history["records"][0]["price"], &history["records"][0]["quote"]), (&json!("100"), &json!("USDT")));
    let records = stage.get(&stage.anna, "/balance/detail").await.ok();
    let sold = records["records"].as_array().unwrap().iter().find(|record| record["type"] == "RELEASE").unwrap();
    assert_eq!(sold["nft"]["id"], json!(id));
    let of_album = stage.get(&stage.anna, "/balance/detail?asset=ART").await.ok();
    // Both happened at the same time, so their order is not defined.
    let kinds: BTreeSet<_> = of_album["records"].as_array().unwrap().iter().map(|one| text(&one["type"])).collect();
    assert_eq!((json!(kinds), &of_album["total"]), (json!(["DEPOSIT", "RELEASE"]), &json!(2)), "{of_album}");
    let seller = stage.get(&stage.anna, &format!("/user/info/{}", stage.anna.trader.id())).await.ok();
    let traded: Vec<_> = seller["volume30d"].as_array().unwrap().iter().map(|volume| volume["asset"].clone()).collect();
    assert_eq!(json!(traded), json!(["ART"]), "{seller}");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_royalty_of_an_nft_is_shown() {
    let (stage, id) = gallery().await;
    let nft = stage.market.nft(7).await;
    let due = Due { nft, contract: ALBUM_CONTRACT, token_id: [0; 32], since: noon(), fetch: Uuid::nil() };
    let royalty = Royalty { receiver: Address([0xab; 20]), basis_points: 250 };
    let mut tx = stage.market.database.store.begin().await.unwrap();
    put_royalty(&mut tx, &due, Some(royalty)).await.unwrap();
    tx.commit().await.unwrap();
    let facts = stage.get(&stage.ben, &format!("/nft/{id}")).await.ok();
    assert_eq!(facts["royalty"], json!({ "basisPoints": 250, "receiver": checksummed(royalty.receiver) }));
}

#[tokio::test]
async fn what_is_no_nft_of_the_user_is_refused() {
    let (mut stage, id) = gallery().await;
    stage.protects(&stage.carl).await;
    stage.protects(&stage.ben).await;
    stage.protects(&stage.anna).await;
    let code = stage.seal(&stage.carl, SECURITY).await;
    let withdraw = format!("/balance/extract/{id}");
    stage.post(&stage.carl, &withdraw, &json!({ "securityCode": code })).await.refused(404, "5031");
    let code = stage.seal(&stage.anna, "another-one").await;
    stage.post(&stage.anna, &withdraw, &json!({ "securityCode": code })).await.refused(422, "USER3011");
    for (number, status, code) in [("8", 404, "5031"), ("", 400, "999"), ("1.5", 400, "400"), ("-1", 400, "400")] {
        stage.post(&stage.anna, "/c2c/advert/create", &for_100_usdt(number)).await.refused(status, code);
    }
    for base in ["", "NONE", "MEC"] {
        let mut of_no_album = for_100_usdt("7");
        of_no_album["base"] = json!(base);
        stage.post(&stage.anna, "/c2c/advert/create", &of_no_album).await.refused(422, "5029");
    }
    let mut without_number = for_100_usdt("7");
    without_number["nftId"] = Value::Null;
    stage.post(&stage.anna, "/c2c/advert/create", &without_number).await.refused(400, "400");
    let mut two = for_100_usdt("7");
    two["quantity"] = json!("2");
    stage.post(&stage.anna, "/c2c/advert/create", &two).await.refused(400, "400");
    let mut buying = for_100_usdt("7");
    buying["side"] = json!("BUY");
    stage.post(&stage.anna, "/c2c/advert/create", &buying).await.refused(422, "5030");
    let short = stage.post(&stage.ben, "/c2c/advert/create", &for_100_usdt("7")).await.refused(409, "5054");
    assert_eq!((&short["needed"], &short["shortfall"]), (&json!("2.01"), &json!("2.01")));
    stage.get(&stage.anna, "/balance/nft/list?classId=none").await.refused(422, "5029");
    stage.get(&stage.anna, "/nft/999").await.refused(404, "5031");
    stage.get(&stage.anna, "/nft/x").await.refused(404, "5031");
    stage.get(&stage.anna, &format!("/nft/{id}/picture/small")).await.refused(404, "1016");
    assert_eq!(
        stage.get(&stage.ben, "/balance/nft/list").await.ok()["records"],
        json!([]),
        "nobody sees what is Anna's"
    );

    stage.chain.brings_nft(&stage.ben.trader, 8).await;
    let bens = stage.get(&stage.ben, "/balance/nft/list").await.ok()["records"][0]["id"].clone();
    let code = stage.seal(&stage.ben, SECURITY).await;
    let gas =
        stage.post(&stage.ben, &format!("/balance/extract/{}", text(&bens)), &json!({ "securityCode": code })).await;
    assert_eq!(gas.refused(409, "5055")["shortfall"], "0.01");

    let advert = stage.post(&stage.anna, "/c2c/advert/create", &for_100_usdt("7")).await.ok();
    let code = stage.seal(&stage.anna, SECURITY).await;
    stage.post(&stage.anna, &withdraw, &json!({ "securityCode": code })).await.refused(409, "5019");
    let cancel = format!("/c2c/advert/cancel/{}", text(&advert["id"]));
    stage.post(&stage.anna, &cancel, &json!({ "version": advert["version"] })).await.ok();
    stage.chain.settles().await;
    stage.chain.brings_nft(&stage.anna.trader, 7).await;
    let code = stage.seal(&stage.anna, SECURITY).await;
    let record = stage.post(&stage.anna, &withdraw, &json!({ "securityCode": code })).await.ok();
    let record = stage.get(&stage.anna, &format!("/balance/record/{}", text(&record["id"]))).await.ok();
    assert_eq!((&record["type"], &record["nft"]["nftId"]), (&json!("WITHDRAWAL"), &json!("7")));
    stage.market.is_sound().await;
}
