//! The NFTs in the hall: of all albums or of one, by price and traits, and what visitors see.

use chrono::Duration;
use domain::chain::{Address, Token, Transfer};
use domain::nfts::MetadataFault;
use serde_json::{Value, json};
use store::nft_metadata::{Due, Texts, lack_picture, put};
use testkit::market::{Market, mec, usdt};
use testkit::noon;
use uuid::Uuid;

use crate::stage::{Caller, Stage, text};

const OTHER_CONTRACT: Address = Address([0xa2; 20]);
const HALL: &str = "/c2c/advert/page?side=SELL&quote=USDT";

fn ad(base: &str, number: &str, price: &str) -> Value {
    json!({
        "side": "SELL", "kind": "AUTOMATIC", "base": base, "nftId": number, "quote": "USDT", "price": price, "quantity": "1",
        "orderMin": "1", "orderMax": "1",
    })
}

async fn describe(stage: &Stage, number: u8, traits: &[(&str, &str)]) {
    let nft = stage.market.nft(number).await;
    let traits = traits.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut tx = stage.market.database.store.begin().await.unwrap();
    let texts = Texts { uri: None, name: None, description: None, traits, digest: [number; 32], at: noon() };
    let due = Due { nft, contract: OTHER_CONTRACT, token_id: [number; 32], since: noon(), fetch: Uuid::nil() };
    lack_picture(&mut tx, nft, MetadataFault::Missing).await.unwrap();
    assert!(put(&mut tx, &due, &texts, None, Duration::days(1)).await.unwrap());
    tx.commit().await.unwrap();
}

async fn posts(stage: &Stage, seller: &Caller, body: &Value) -> String {
    text(&stage.post(seller, "/c2c/advert/create", body).await.ok()["id"])
}

async fn sells(stage: &Stage, seller: &Caller, base: &str, number: &str, price: &str) -> String {
    posts(stage, seller, &ad(base, number, price)).await
}

/// Anna sells the NFTs 7 for 100 and 8 for 50 USDT of the album ART, and the NFT 7 of the album POP for 70 USDT. Ben sells the NFT 9
/// of ART for 75 USDT. Returns the adverts in this order.
async fn four_for_sale() -> (Stage, [String; 4]) {
    let market = Market::open().await;
    market.opens_album().await;
    market.opens_another_album("POP", "pop", "Pop", OTHER_CONTRACT).await;
    let mut stage = Box::pin(Stage::on(market)).await;
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("7")).await;
    stage.chain.brings(&stage.ben.trader, stage.market.mec, mec("3")).await;
    let pop = stage.chain.nft(&stage.anna.trader, 7);
    let Token::Erc721(_, id) = pop.token else { panic!("{pop:?}") };
    stage.chain.mines_coins([Transfer { token: Token::Erc721(OTHER_CONTRACT, id), ..pop }]).await;
    for number in [7, 8] {
        stage.chain.brings_nft(&stage.anna.trader, number).await;
    }
    stage.chain.brings_nft(&stage.ben.trader, 9).await;
    describe(&stage, 7, &[("Sky", "Blue"), ("Flower", "Lotus")]).await;
    describe(&stage, 8, &[("Sky", "Red"), ("Flower", "Lotus"), ("", "Old & \"rare\"")]).await;
    describe(&stage, 9, &[("Sky", "Blue")]).await;
    let seven = sells(&stage, &stage.anna, "ART", "7", "100").await;
    let eight = sells(&stage, &stage.anna, "ART", "8", "50").await;
    let other = sells(&stage, &stage.anna, "POP", "7", "70").await;
    let nine = sells(&stage, &stage.ben, "ART", "9", "75").await;
    (stage, [seven, eight, other, nine])
}

fn ids(page: &Value) -> Vec<String> {
    page["records"].as_array().unwrap().iter().map(|record| text(&record["id"])).collect()
}

#[tokio::test]
async fn nfts_of_all_albums_are_filtered_by_price_and_traits_and_sorted() {
    let (stage, [seven, eight, other, nine]) = four_for_sale().await;
    let shown = async |more: &str| {
        let page = stage.get(&stage.carl, &format!("{HALL}{more}")).await.ok();
        let shown = ids(&page);
        assert_eq!(page["total"], shown.len(), "{more}");
        shown
    };
    assert_eq!(shown("").await, [&*eight, &*other, &*nine, &*seven], "the cheapest first");
    assert_eq!(shown("&sort=-price").await, [&*seven, &*nine, &*other, &*eight]);
    // The clock stands still, so which of them is newer is decided by their IDs.
    let newest = |ids: &[&String]| {
        let mut ids: Vec<_> = ids.iter().map(|id| (*id).clone()).collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    };
    assert_eq!(shown("&sort=newest").await, newest(&[&seven, &eight, &other, &nine]));
    assert_eq!(shown("&base=POP").await, [&*other]);
    assert_eq!(shown("&base=ART&sort=newest").await, newest(&[&seven, &eight, &nine]));
    assert_eq!(shown("&priceMin=70&priceMax=75").await, [&*other, &*nine], "both bounds belong to the range");
    assert_eq!(shown("&priceMin=70.01&sort=-price").await, [&*seven, &*nine]);
    assert_eq!(shown("&base=ART&priceMax=75").await, [&*eight, &*nine]);
    assert_eq!(shown("&priceMin=101").await, Vec::<String>::new());

    let blue = "&traits[0].name=Sky&traits[0].value=Blue";
    let red = "&traits[1].name=Sky&traits[1].value=Red";
    let lotus = "&traits[2].name=Flower&traits[2].value=Lotus";
    assert_eq!(shown(&format!("&base=ART{blue}")).await, [&*nine, &*seven]);
    assert_eq!(shown(&format!("&base=ART{blue}{red}")).await, [&*eight, &*nine, &*seven], "values of one trait add up");
    assert_eq!(shown(&format!("&base=ART{blue}{red}{lotus}")).await, [&*eight, &*seven], "several traits narrow down");
    assert_eq!(shown("&base=ART&traits[0].name=&traits[0].value=Old%20%26%20%22rare%22").await, [&*eight]);
    assert_eq!(shown("&base=ART&traits[0].name=Sky&traits[0].value=Lotus").await, Vec::<String>::new());

    let second = stage.get(&stage.carl, &format!("{HALL}&page=2&size=3")).await.ok();
    assert_eq!((ids(&second), &second["total"]), (vec![seven.clone()], &json!(4)));
    describe(&stage, 9, &[("Sky", "Green")]).await;
    assert_eq!(shown(&format!("&base=ART{blue}")).await, [&*seven], "new metadata counts at once");
}

#[tokio::test]
async fn nfts_can_be_filtered_by_whether_the_visitor_meets_the_requirements() {
    let (mut stage, [seven, eight, other, nine]) = four_for_sale().await;
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("2")).await;
    stage.chain.brings_nft(&stage.anna.trader, 10).await;
    let mut restricted = ad("ART", "10", "60");
    restricted["takerRequirements"] = json!({ "advancedVerification": true });
    let ten = posts(&stage, &stage.anna, &restricted).await;
    let shown = async |more: &str| {
        let page = stage.get(&stage.carl, &format!("{HALL}{more}")).await.ok();
        let shown = ids(&page);
        assert_eq!(page["total"], shown.len(), "{more}");
        shown
    };
    let carl = stage.carl.trader.id();
    let verified = async |level: &str| {
        stage.market.sql(&format!("update users set kyc_level = '{level}' where id = '{carl}'")).await;
    };
    verified("basic").await;
    assert_eq!(shown("").await, [&*eight, &*ten, &*other, &*nine, &*seven]);
    assert_eq!(shown("&requirementsMet=true").await, [&*eight, &*other, &*nine, &*seven]);
    assert_eq!(shown("&requirementsMet=true&base=ART&priceMax=75").await, [&*eight, &*nine]);
    assert_eq!(shown("&requirementsMet=true&base=ART").await, [&*eight, &*nine, &*seven]);
    verified("advanced").await;
    assert_eq!(shown("&requirementsMet=true&base=ART&priceMax=75").await, [&*eight, &*ten, &*nine]);
    assert_eq!(shown("&requirementsMet=true&base=ART").await, [&*eight, &*ten, &*nine, &*seven]);
}

#[tokio::test]
async fn traits_are_listed_with_the_number_of_nfts_for_sale() {
    let (stage, _) = four_for_sale().await;
    let path = "/c2c/advert/traits?base=ART&quote=USDT";
    let value = |value: &str, count: usize| json!({ "value": value, "count": count });
    let listed = |name: &str, values: &[Value]| json!({ "name": name, "values": values, "others": 0 });
    let sky = listed("Sky", &[value("Blue", 2), value("Red", 1)]);
    let (flower, rest) = (listed("Flower", &[value("Lotus", 2)]), listed("", &[value("Old & \"rare\"", 1)]));
    let all = json!([sky, flower, rest]);
    assert_eq!(stage.get(&stage.carl, path).await.ok(), all);
    assert_eq!(stage.get(&stage.carl, path).await.ok(), all, "from what is kept");
    let others = json!([flower, listed("Sky", &[value("Blue", 1), value("Red", 1)]), rest]);
    let seen = stage.get(&stage.ben, path).await.ok();
    let sorted = |traits: &Value| {
        let mut traits = traits.as_array().unwrap().clone();
        traits.sort_by_key(|one| text(&one["name"]));
        traits
    };
    assert_eq!(sorted(&seen), sorted(&others), "the hall shows nobody their own adverts");
    assert_eq!(stage.get(&stage.carl, "/c2c/advert/traits?base=POP&quote=USDT").await.ok(), json!([]));
    stage.get(&stage.carl, "/c2c/advert/traits?base=NONE&quote=USDT").await.refused(422, "5028");
}

#[tokio::test]
async fn guests_see_all_nfts_and_users_neither_their_own_nor_those_of_blocked_users() {
    let (stage, [seven, eight, other, nine]) = four_for_sale().await;
    let guest = async |path: &str| stage.get_as_guest(path).await;
    let page = guest(HALL).await.ok();
    assert_eq!(ids(&page), [&*eight, &*other, &*nine, &*seven]);
    assert!(page["records"].as_array().unwrap().iter().all(|record| record["mine"] == false), "{page}");
    assert_eq!(guest("/c2c/advert/traits?base=ART&quote=USDT").await.ok().as_array().unwrap().len(), 3);
    assert_eq!(guest("/market/nft/average?quote=USDT").await.ok()["trades24h"], 0);
    assert_eq!(ids(&stage.get(&stage.anna, HALL).await.ok()), [&*nine]);
    assert_eq!(ids(&stage.get(&stage.ben, HALL).await.ok()), [&*eight, &*other, &*seven]);
    testkit::users::block(&stage.market.database, stage.carl.trader.id(), stage.ben.trader.id()).await;
    assert_eq!(ids(&stage.get(&stage.carl, HALL).await.ok()), [&*eight, &*other, &*seven]);
    guest("/c2c/advert/prepayment?base=ART&quote=USDT").await.refused(401, "401");
}

#[tokio::test]
async fn an_nft_whose_payouts_are_stopped_is_not_for_sale() {
    let (stage, [seven, eight, other, nine]) = four_for_sale().await;
    let hall = async || ids(&stage.get_as_guest(HALL).await.ok());
    let stop = async |asset| app::chain::stop_payouts(&stage.market.context, asset, "burnt").await.unwrap();
    let nft = stage.market.nft(8).await;
    stop(nft).await;
    assert_eq!(hall().await, [&*other, &*nine, &*seven]);
    stage.get(&stage.ben, &format!("/c2c/advert/{eight}")).await.refused(409, "5044");
    stop(app::nfts::one(&stage.market.context, None, nft).await.unwrap().nft.asset.album.unwrap()).await;
    assert_eq!(hall().await, [&*other], "an album stops its NFTs, and no other album's");
    stage.market.sql("delete from payout_stops").await;
    assert_eq!(hall().await, [&*eight, &*other, &*nine, &*seven]);
}

#[tokio::test]
async fn every_invalid_filter_of_nfts_is_named() {
    let (stage, _) = four_for_sale().await;
    let many = (0..31).map(|at| format!("&traits[{at}].name=a&traits[{at}].value={at}")).collect::<Vec<_>>().concat();
    for (path, field) in [
        ("/c2c/advert/page?side=BUY&quote=USDT".to_owned(), "base"),
        (format!("{HALL}&traits[0].name=Sky&traits[0].value=Blue"), "base"),
        (format!("{HALL}&base=MEC&priceMin=1"), "priceMin"),
        (format!("{HALL}&base=MEC&priceMax=1"), "priceMax"),
        (format!("{HALL}&base=MEC&traits[0].name=Sky&traits[0].value=Blue"), "traits"),
        (format!("{HALL}&priceMin=x"), "priceMin"),
        (format!("{HALL}&priceMax=-1"), "priceMax"),
        (format!("{HALL}&priceMax=0"), "priceMax"),
        (format!("{HALL}&priceMin=2&priceMax=1"), "priceMax"),
        (format!("{HALL}&priceMin=0.000000001"), "priceMin"),
        (format!("{HALL}&base=ART&traits=Sky"), "traits"),
        (format!("{HALL}&base=ART&traits[0].name=Sky"), "traits[0].value"),
        (format!("{HALL}&base=ART&traits[0].name=Sky&traits[0].value=Blue&traits[0].more=1"), "traits[0].more"),
        (format!("{HALL}&base=ART{many}"), "traits"),
        (format!("{HALL}&size=101"), "size"),
        ("/market/nft/average".to_owned(), "quote"),
    ] {
        assert_eq!(stage.get(&stage.carl, &path).await.refused(400, "400")["field"], field, "{path}");
    }
    for path in [
        "/c2c/advert/page?side=SELL&quote=KRW",
        "/market/nft/average?quote=KRW",
        "/c2c/advert/traits?base=ART&quote=KRW",
    ] {
        stage.get(&stage.carl, path).await.refused(422, "5028");
    }
}

#[tokio::test]
async fn the_average_price_counts_sales_of_all_albums() {
    let (mut stage, [_, eight, other, _]) = four_for_sale().await;
    for (advert, price) in [(&eight, "50"), (&other, "70")] {
        let body = json!({ "advertId": advert, "price": price, "quantity": "1" });
        stage.post(&stage.carl, "/c2c/deal/order", &body).await.ok();
        stage.chain.brings(&stage.carl.trader, stage.market.usdt, usdt(price)).await;
        stage.chain.settles().await;
    }
    let average = stage.get(&stage.anna, "/market/nft/average?quote=USDT").await.ok();
    assert_eq!(average, json!({ "average24h": "60", "trades24h": 2 }));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn sellers_learn_what_they_prepay_and_what_is_missing() {
    let market = Market::open().await;
    market.opens_album().await;
    let mut stage = Box::pin(Stage::on(market)).await;
    let path = "/c2c/advert/prepayment?base=ART&quote=USDT";
    let short = stage.get(&stage.anna, path).await.ok();
    assert_eq!(
        (&short["asset"], &short["fee"], &short["gas"], &short["needed"]),
        (&json!("MEC"), &json!("2"), &json!("0.01"), &json!("2.01"))
    );
    let lacks = |answer: &Value| {
        [&answer["available"], &answer["shortfall"], &answer["confirming"], &answer["toSend"]].map(text)
    };
    assert_eq!(lacks(&short), ["0", "2.01", "0", "2.01"]);
    let coins = stage.chain.coins(&stage.anna.trader, stage.market.mec, mec("1.5"));
    stage.chain.mines_coins([coins]).await;
    assert_eq!(lacks(&stage.get(&stage.anna, path).await.ok()), ["0", "2.01", "1.5", "0.51"]);
    stage.chain.confirms().await;
    assert_eq!(lacks(&stage.get(&stage.anna, path).await.ok()), ["1.5", "0.51", "0", "0.51"]);
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("1")).await;
    assert_eq!(lacks(&stage.get(&stage.anna, path).await.ok()), ["2.5", "0", "0", "0"]);
    assert_eq!(stage.get(&stage.anna, "/c2c/advert/prepayment?base=MEC&quote=USDT").await.ok(), Value::Null);
    // Other coins would cancel an advert that waits for its deposit.
    assert_ne!(stage.get(&stage.anna, path).await.ok()["address"], Value::Null);
    let coins = stage.anna.trader.mec_for_usdt("10", "2");
    stage.anna.trader.posts(coins).await.unwrap();
    assert_eq!(stage.get(&stage.anna, path).await.ok()["address"], Value::Null);
}
