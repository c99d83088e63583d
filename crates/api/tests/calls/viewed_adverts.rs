//! What the owner of an advert, other users and guests see of it.

use chrono::Duration;
use serde_json::{Value, json};
use testkit::market::{Contents, mec};

use crate::stage::{Caller, Got, Stage, text};

const MISSING: &str = "5000";
const SHORT: &str = "5008";
const OFFLINE: &str = "5010";
const FROZEN: &str = "5044";

/// Everything that others see of an advert. A field that is added here must be public.
const PUBLIC: &[&str] = &[
    "advertiser.certified",
    "advertiser.countryCode",
    "advertiser.fast",
    "advertiser.id",
    "advertiser.nickname",
    "advertiser.stats.acceptanceRate",
    "advertiser.stats.averageConfirmSeconds",
    "advertiser.stats.completionRate",
    "advertiser.stats.confirmations",
    "advertiser.stats.lateConfirmations",
    "advertiser.stats.orders30d",
    "advertiser.verified",
    "base",
    "chainType",
    "depositMinutes",
    "id",
    "kind",
    "methodTypes[]",
    "methods[].id",
    "methods[].type",
    "mine",
    "missing[].has",
    "missing[].needed",
    "missing[].requirement",
    "missing[].until",
    "nft",
    "orderMax",
    "orderMin",
    "own",
    "price",
    "quote",
    "remaining",
    "remark",
    "side",
    "takerRequirements.advancedVerification",
    "takerRequirements.completedOrders",
    "takerRequirements.region",
    "unmet[]",
    "version",
    "windowMinutes",
];

/// Returns the paths of all values.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let dot = if at.is_empty() { "" } else { "." };
            fields.iter().for_each(|(name, value)| paths(value, &format!("{at}{dot}{name}"), found));
        }
        Value::Array(items) => items.iter().for_each(|item| paths(item, &format!("{at}[]"), found)),
        _ => found.push(at.to_owned()),
    }
}

async fn seen(stage: &Stage, who: &Caller, advert: &str) -> Got {
    stage.get(who, &format!("/c2c/advert/{advert}")).await
}

#[tokio::test]
async fn others_see_what_is_public_and_nothing_else() {
    let mut stage = Stage::empty().await;
    let mut body = stage.mec_for_krw();
    body["remark"] = json!("Quick release");
    body["takerRequirements"] = json!({ "completedOrders": 5, "advancedVerification": true, "region": "KR" });
    let advert = text(&stage.post(&stage.anna, "/c2c/advert/create", &body).await.ok()["id"]);
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    stage.market.sql(&format!("update users set region = 'VN' where id = '{}'", stage.ben.trader.id())).await;

    let shown = seen(&stage, &stage.ben, &advert).await.ok();
    let mut found = Vec::new();
    paths(&shown, "", &mut found);
    found.sort();
    found.dedup();
    assert_eq!(found, PUBLIC);
    assert_eq!((&shown["own"], &shown["mine"]), (&Value::Null, &json!(false)));
    assert_eq!(shown["remark"], "Quick release");
    // Apart from what Ben lacks, it is the row of the hall.
    let hall = stage.get(&stage.ben, "/c2c/advert/page?side=SELL&base=MEC&quote=KRW").await.ok();
    let mut row = shown.clone();
    for about_viewer in ["missing", "unmet", "own"] {
        row.as_object_mut().unwrap().remove(about_viewer).unwrap();
    }
    assert_eq!(hall["records"], json!([row]));

    let own = seen(&stage, &stage.anna, &advert).await.ok();
    assert_eq!((&own["mine"], &own["missing"], &own["unmet"]), (&json!(true), &json!([]), &json!([])));
    assert_eq!(own["own"]["methods"][0]["id"], shown["methods"][0]["id"]);
    assert_eq!((&own["own"]["state"], &own["price"]), (&json!("ONLINE"), &own["own"]["price"]));
    let (path, preview) = (format!("/c2c/advert/{advert}"), format!("/c2c/advert/{advert}/preview?quantity=4"));
    stage.get(&stage.ben, &preview).await.ok();
    for of_guest in [path, preview] {
        stage.get_as_guest(&of_guest).await.refused(401, "401");
    }
}

#[tokio::test]
async fn an_advert_exists_for_others_only_while_the_hall_may_show_it() {
    let mut stage = Stage::empty().await;
    let advert = text(&stage.post(&stage.anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok()["id"]);
    let own = async |stage: &Stage| {
        let shown = seen(stage, &stage.anna, &advert).await.ok();
        assert_eq!(shown["mine"], true);
        text(&shown["own"]["state"])
    };
    let refused = async |stage: &Stage, status: u16, code: &str| {
        let preview = format!("/c2c/advert/{advert}/preview?quantity=4");
        stage.get(&stage.ben, &preview).await.refused(status, code);
        seen(stage, &stage.ben, &advert).await.refused(status, code)
    };
    assert_eq!(own(&stage).await, "CREATING");
    assert_eq!(refused(&stage, 404, MISSING).await, Value::Null);

    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    assert_eq!(own(&stage).await, "ONLINE");
    seen(&stage, &stage.ben, &advert).await.ok();
    for (one, other) in [(&stage.ben, &stage.anna), (&stage.anna, &stage.ben)] {
        testkit::users::block(&stage.market.database, one.trader.id(), other.trader.id()).await;
        assert_eq!(refused(&stage, 404, MISSING).await, Value::Null);
        stage.market.sql("delete from blocks_between").await;
    }
    seen(&stage, &stage.carl, &advert).await.ok();

    stage.post(&stage.anna, "/c2c/advert/online?online=false", &json!({})).await.ok();
    assert_eq!(own(&stage).await, "OFFLINE");
    refused(&stage, 409, OFFLINE).await;
    stage.post(&stage.anna, "/c2c/advert/online?online=true", &json!({})).await.ok();

    // An order takes everything, so the owner sees the limits with which the advert was posted.
    let all = json!({ "advertId": advert, "price": "1000", "quantity": "10" });
    let order = stage.post(&stage.carl, "/c2c/deal/order", &all).await.ok();
    seen(&stage, &stage.ben, &advert).await.refused(409, SHORT);
    let shown = seen(&stage, &stage.anna, &advert).await.ok();
    assert_eq!((&shown["remaining"], &shown["own"]["orderable"]), (&json!("0"), &json!(false)));
    assert_eq!(shown["orderMax"], stage.mec_for_krw()["orderMax"]);

    let act = |name: &str| format!("/c2c/advert/{name}/{advert}");
    let cancel = json!({ "version": stage.advert(&stage.anna, &advert).await["version"] });
    stage.post(&stage.anna, &act("cancel"), &cancel).await.ok();
    assert_eq!(own(&stage).await, "REVOKING");
    // Not even the taker of an order sees it any more.
    seen(&stage, &stage.carl, &advert).await.refused(404, MISSING);
    stage.anna.trader.rejects(text(&order["id"]).parse().unwrap()).await.unwrap();
    stage.market.waits(Duration::seconds(1)).await;
    stage.chain.settles().await;
    assert_eq!(own(&stage).await, "CANCELLED");
    assert_eq!(refused(&stage, 404, MISSING).await, Value::Null);
    let version = json!({ "version": stage.advert(&stage.anna, &advert).await["version"] });
    stage.post(&stage.anna, &act("delete"), &version).await.ok();
    assert_eq!(own(&stage).await, "DELETED");
    assert_eq!(refused(&stage, 404, MISSING).await, Value::Null);
}

#[tokio::test]
async fn others_do_not_see_a_frozen_advert() {
    let (mut stage, advert) = Stage::selling().await;
    seen(&stage, &stage.ben, &advert).await.ok();
    stage.chain.reorganises(3, vec![Contents::default(); 3]).await;
    assert_eq!(seen(&stage, &stage.ben, &advert).await.refused(409, FROZEN), Value::Null);
    assert_eq!(stage.advert(&stage.anna, &advert).await["frozen"], true);
}
