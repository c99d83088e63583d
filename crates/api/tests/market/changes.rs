//! The hall after changes.

use std::sync::Arc;

use api::HallRows;
use app::commands::{Actor, Command, CommandKind, execute};
use app::engine::idempotency::IdempotencyKey;
use app::market::hall::{Filter, Hall, Shelf};
use app::memory::feed::Follower as _;
use axum::body::Body;
use axum::http::{HeaderValue, Request};
use chrono::Duration;
use domain::adverts::{Advert, Frozen, State, TakerRequirements};
use domain::checks::AdvertRequest;
use domain::market::Sort;
use domain::money::{Amount, Price};
use domain::trade::Side;
use http_body_util::BodyExt;
use serde_json::json;
use tower::ServiceExt;

use crate::server::{TestServer, amount};
use crate::{SELLERS, ids};

/// Every kind of change reaches a hall that only follows the change feed, as in another process.
#[tokio::test]
async fn the_hall_follows_every_change() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let token = server.sign_in(&ben).await;
    let hall = async |more: &str| server.get(&format!("{SELLERS}{more}"), Some(&token)).await.ok();
    let total = async |more: &str| hall(more).await["total"].as_u64().unwrap();
    assert_eq!(total("").await, 0);
    let mut advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    assert_eq!(hall("").await["records"][0]["remaining"], "10");
    // An order, a freeze and its end, and the switch of the advert.
    let mut store = async |change: &mut dyn FnMut(&mut Advert)| {
        let before = advert.version;
        change(&mut advert);
        advert.version += 1;
        let mut tx = server.context.store.begin().await.unwrap();
        assert!(store::adverts::update(&mut tx, &[(&advert, before, None)]).await.unwrap());
        tx.commit().await.unwrap();
    };
    store(&mut |advert| advert.remaining = amount("4", &server.mec)).await;
    let shown = hall("").await;
    assert_eq!((&shown["records"][0]["remaining"], &shown["records"][0]["orderMax"]), (&json!("4"), &json!("8")));
    store(&mut |advert| advert.frozen = Some(Frozen { since: server.now(), missing: Amount::ONE })).await;
    assert_eq!(total("").await, 0);
    store(&mut |advert| advert.frozen = None).await;
    assert_eq!(total("").await, 1);
    store(&mut |advert| advert.state = State::Offline).await;
    assert_eq!(total("").await, 0);
    store(&mut |advert| advert.state = State::Online).await;
    assert_eq!(total("").await, 1);
    // What an officer or the owner changes of the owner.
    let owner = async |change: &str| {
        server.database.execute(&format!("update users set {change} where id = '{}'", anna.id)).await;
    };
    for (change, undo) in [
        ("online = false", "online = true"),
        ("login_forbidden = true", "login_forbidden = false"),
        ("sell_forbidden = true", "sell_forbidden = false"),
    ] {
        owner(change).await;
        assert_eq!(total("").await, 0, "{change}");
        owner(undo).await;
        assert_eq!(total("").await, 1, "{undo}");
    }
    owner("certified = false").await;
    assert_eq!(total("&certified=true").await, 0);
    owner("certified = true, region = 'DE', nickname = 'Renamed', verified = true").await;
    let shown = hall("&certified=true&region=DE").await;
    let advertiser = &shown["records"][0]["advertiser"];
    assert_eq!((&advertiser["nickname"], &advertiser["verified"]), (&json!("Renamed"), &json!(true)));
    testkit::users::block(&server.database, ben.id, anna.id).await;
    assert_eq!(total("").await, 0);
    server.database.execute("delete from blocks_between").await;
    assert_eq!(total("").await, 1);
    // A completed order counts until it is 30 days old.
    let traded = server.now();
    server.traded(&advert, &ben, "1", "2", traded, Duration::minutes(1)).await;
    let orders = async || hall("").await["records"][0]["advertiser"]["stats"]["orders30d"].clone();
    assert_eq!(orders().await, 1);
    server.set_clock(traded + Duration::days(29));
    server.sign_in(&anna).await;
    assert_eq!(server.get(SELLERS, None).await.ok()["records"][0]["advertiser"]["stats"]["orders30d"], 1);
    server.set_clock(traded + Duration::days(31));
    let of_others = server.get(SELLERS, None).await.ok();
    assert_eq!(of_others["records"][0]["advertiser"]["stats"]["orders30d"], 0);
    // The settings of a pair.
    let raised = amount("5", &server.usdt).units();
    let raised = format!("update pairs set min_total = {raised} where id = {}", advert.terms.pair.0);
    server.database.execute(&raised).await;
    assert_eq!(server.get(SELLERS, None).await.ok()["records"][0]["orderMin"], "5");
    // A process that starts now shows the same.
    let restarted = Hall::new(server.context.clone(), Arc::new(HallRows));
    let filter = Filter::all(Shelf::Book(advert.terms.pair, Side::Sell));
    let page = |hall: &Hall| hall.page(&filter, Sort::PriceUp, 0, 20);
    assert!(matches!(page(&restarted), Err(app::Error::Unavailable { .. })), "it is not loaded");
    restarted.reset().await.unwrap();
    restarted.catch_up().await.unwrap();
    let (shown, before) = (page(&restarted).unwrap(), page(&server.hall.hall).unwrap());
    assert_eq!((shown.rows, shown.total), (before.rows, before.total));
}

/// Requests a page of which the client has the version with a tag. Returns the status and the tag of the response.
async fn tagged(
    server: &TestServer,
    path: &str,
    tag: Option<&HeaderValue>,
    token: Option<&str>,
    language: &str,
) -> (u16, HeaderValue) {
    server.hall.follow().await;
    let mut request = Request::get(format!("/api{path}")).header("language", language);
    if let Some(tag) = tag {
        request = request.header("if-none-match", tag);
    }
    if let Some(token) = token {
        request = request.header("authorization", token);
    }
    let response = server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let tag = response.headers()["etag"].clone();
    assert_eq!(response.headers()["cache-control"], "private, no-cache");
    let status = response.status().as_u16();
    let length = response.into_body().collect().await.unwrap().to_bytes().len();
    assert_eq!(status == 304, length == 0);
    (status, tag)
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let ask = async |tag: Option<&HeaderValue>, token: Option<&str>, language: &str| {
        tagged(&server, SELLERS, tag, token, language).await
    };
    let (status, first) = ask(None, None, "en_US").await;
    assert_eq!(status, 200);
    assert_eq!(ask(Some(&first), None, "en_US").await, (304, first.clone()));
    let (status, other) = ask(Some(&first), None, "zh_CN").await;
    assert!(status == 200 && other != first, "the message is in another language");
    // Anna does not see her own advert, and Ben sees what visitors see.
    let annas = server.sign_in(&anna).await;
    assert_eq!(ask(Some(&first), Some(&annas), "en_US").await.0, 200);
    let bens = server.sign_in(&ben).await;
    assert_eq!(ask(Some(&first), Some(&bens), "en_US").await.0, 304);
    server.database.execute(&format!("update users set nickname = 'Renamed' where id = '{}'", anna.id)).await;
    let (status, second) = ask(Some(&first), Some(&bens), "en_US").await;
    assert!(status == 200 && second != first);
    // A change of another book leaves the tag.
    server.advert(&anna, Side::Buy, &server.usdt, "1", &[]).await;
    assert_eq!(ask(Some(&second), None, "en_US").await.0, 304);
    testkit::users::block(&server.database, ben.id, anna.id).await;
    assert_eq!(ask(Some(&second), Some(&bens), "en_US").await.0, 200);
    assert_eq!(ask(Some(&second), None, "en_US").await.0, 304);
}

#[tokio::test]
async fn a_page_of_what_the_visitor_can_order_has_a_tag_that_follows_the_visitor() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let required = TakerRequirements { region: Some("XK".to_owned()), ..TakerRequirements::default() };
    let change = |advert: &mut Advert| advert.terms.options.taker = required;
    server.advert_of(&anna, Side::Sell, &server.usdt, "2", "10", &[], change).await;
    let token = server.sign_in(&ben).await;
    let path = format!("{SELLERS}&requirementsMet=true");
    let ask = async |known: Option<&HeaderValue>| tagged(&server, &path, known, Some(&token), "en_US").await;
    let (status, without) = ask(None).await;
    assert_eq!(status, 200);
    assert_eq!(ask(Some(&without)).await.0, 304);
    // No requirement is about this.
    server
        .database
        .execute(&format!("update users set nickname = 'Benjamin', reputation = 90 where id = '{}'", ben.id))
        .await;
    assert_eq!(ask(Some(&without)).await.0, 304);
    server.database.execute(&format!("update users set region = 'XK' where id = '{}'", ben.id)).await;
    let (status, with) = ask(Some(&without)).await;
    assert!(status == 200 && with != without);
    assert_eq!(ask(Some(&with)).await.0, 304);
}

#[tokio::test]
async fn a_posted_advert_is_shown_until_its_owner_goes_offline() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let by = |key: &str| Actor::User { user: anna.id, key: IdempotencyKey::derived(&[key]) };
    let (price, quantity) = (Price::parse("2").unwrap(), amount("10", &server.mec));
    let totals = (amount("2", &server.usdt), amount("20", &server.usdt));
    let pair = server.pair(&server.usdt).await.id;
    let post = AdvertRequest {
        payment_window: Some(Duration::minutes(30)),
        ..AdvertRequest::new(pair, Side::Buy, price, quantity, totals)
    };
    let set = [Command { actor: by("post"), what: CommandKind::PostAdvert(post) }];
    let id = execute(&server.context, &set).await.pop().unwrap().unwrap().id.unwrap();
    let page = "/c2c/advert/page?side=BUY&base=MEC&quote=USDT";
    let shown = server.get(page, None).await.ok();
    assert_eq!(ids(&shown), [id.to_string()]);
    assert_eq!(shown["records"][0]["windowMinutes"], 30);
    let off = [Command { actor: by("off"), what: CommandKind::Switch { online: false } }];
    execute(&server.context, &off).await.pop().unwrap().unwrap();
    assert_eq!(server.get(page, None).await.ok()["total"], 0);
    let stranger = server.stranger().await;
    server.get(&format!("/c2c/advert/{id}"), Some(&stranger)).await.refused(409, "5010");
}
