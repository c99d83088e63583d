//! A user's own adverts: their groups, and what their orders add up to.

use serde_json::{Value, json};
use testkit::market::{Contents, mec, minutes};

use crate::stage::{Stage, text};

async fn group(stage: &Stage, name: &str) -> Vec<String> {
    let page = stage.get(&stage.anna, &format!("/c2c/advert/pageByUser?group={name}")).await.ok();
    let ids: Vec<_> = page["records"].as_array().unwrap().iter().map(|advert| text(&advert["id"])).collect();
    assert_eq!(page["total"], ids.len());
    ids
}

async fn groups(stage: &Stage) -> Value {
    stage.get(&stage.anna, "/c2c/advert/groups").await.ok()
}

#[tokio::test]
async fn adverts_are_listed_by_group_and_counted() {
    let (mut stage, first) = Box::pin(Stage::selling()).await;
    stage.market.waits(minutes(1)).await;
    let second = stage.post(&stage.anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok();
    let second = text(&second["id"]);
    assert_eq!(groups(&stage).await, json!({"online": 1, "offline": 1, "ended": 0}));
    assert_eq!(
        (group(&stage, "ONLINE").await, group(&stage, "OFFLINE").await),
        (vec![first.clone()], vec![second.clone()])
    );
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    assert_eq!(group(&stage, "ONLINE").await, [second.clone(), first.clone()], "newest first");
    stage.post(&stage.anna, "/c2c/advert/online?online=false", &json!({})).await.ok();
    assert_eq!(groups(&stage).await, json!({"online": 0, "offline": 2, "ended": 0}));

    let act = |name: &'static str| format!("/c2c/advert/{name}/{second}");
    let version = json!({"version": stage.advert(&stage.anna, &second).await["version"]});
    stage.post(&stage.anna, &act("cancel"), &version).await.ok();
    assert_eq!(group(&stage, "OFFLINE").await, [second.clone(), first.clone()], "the return is on its way");
    stage.chain.settles().await;
    assert_eq!((group(&stage, "ENDED").await, group(&stage, "OFFLINE").await), (vec![second.clone()], vec![first]));
    let version = json!({"version": stage.advert(&stage.anna, &second).await["version"]});
    stage.post(&stage.anna, &act("delete"), &version).await.ok();
    assert_eq!(groups(&stage).await, json!({"online": 0, "offline": 1, "ended": 0}), "hidden ones are in no group");
    // Another user's list.
    let page = stage.get(&stage.ben, "/c2c/advert/pageByUser?group=OFFLINE").await.ok();
    assert_eq!(page["total"], 0);
    stage.get(&stage.anna, "/c2c/advert/pageByUser?group=online").await.refused(400, "400");
}

#[tokio::test]
async fn an_advert_adds_up_its_completed_orders_and_no_others() {
    let (mut stage, advert, order) = Box::pin(Stage::paid()).await;
    let totals = async |stage: &Stage| {
        let advert = stage.advert(&stage.anna, &advert).await;
        (text(&advert["turnover"]), text(&advert["completedQuantity"]), advert["completedOrders"].clone())
    };
    let of = |turnover: &str, quantity: &str, orders: u32| (turnover.to_owned(), quantity.to_owned(), json!(orders));
    assert_eq!(totals(&stage).await, of("0", "0", 0));
    stage.anna.trader.confirms(order.parse().unwrap()).await.unwrap();
    assert_eq!(totals(&stage).await, of("0", "0", 0), "the release is not final");
    stage.chain.settles().await;
    assert_eq!(totals(&stage).await, of("4000", "4", 1));
    let body = json!({"advertId": advert, "price": "1000", "quantity": "2"});
    let rejected = stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok();
    stage.anna.trader.rejects(text(&rejected["id"]).parse().unwrap()).await.unwrap();
    assert_eq!(totals(&stage).await, of("4000", "4", 1));

    // A reorganization takes the release back.
    stage.chain.reorganises(3, vec![Contents::default(); 3]).await;
    assert_eq!(stage.order(&stage.ben, &order).await["state"], "RELEASE_REVOKED");
    assert_eq!(totals(&stage).await, of("0", "0", 0));
}
