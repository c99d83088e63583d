//! The hall, matches, statistics and prices over HTTP, with a real database.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod server;

use std::sync::Arc;

use api::HallRows;
use app::changes::Follower as _;
use app::idempotency::IdempotencyKey;
use app::market::ReferencePrices;
use app::market::hall::{Filter, Hall};
use app::trading::{Actor, Command, CommandKind, execute};
use axum::body::Body;
use axum::http::{HeaderValue, Request};
use chrono::{Duration, TimeZone, Utc};
use domain::adverts::{Advert, Frozen, Limits, State};
use domain::checks::AdvertRequest;
use domain::ids::AdvertId;
use domain::market::{Rank, Sort};
use domain::money::{Amount, Price};
use domain::refusal::RiskFlag;
use domain::reputation::Cause;
use domain::trade::Side;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use server::{TestServer, amount};
use testkit::statements::counted;
use tower::ServiceExt;

fn ids(page: &Value) -> Vec<String> {
    page["records"].as_array().unwrap().iter().map(|advert| advert["id"].as_str().unwrap().to_owned()).collect()
}

const SELLERS: &str = "/c2c/advert/page?side=SELL&base=MEC&quote=USDT";

#[tokio::test]
async fn the_hall_shows_only_adverts_that_take_orders() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let shown = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    for state in [State::Offline, State::Revoking { payout: None }] {
        server.advert_of(&anna, Side::Sell, &server.usdt, "1", "10", &[], |advert| advert.state = state).await;
    }
    let missing = Amount::ONE;
    let frozen = Some(Frozen { since: server.now(), missing });
    server.advert_of(&anna, Side::Sell, &server.usdt, "1", "10", &[], |advert| advert.frozen = frozen).await;
    server.advert_of(&anna, Side::Sell, &server.usdt, "1", "10", &[], |advert| advert.remaining = Amount::ZERO).await;
    server.advert(&anna, Side::Buy, &server.usdt, "1", &[]).await;
    server.advert(&anna, Side::Sell, &server.krw, "1", &["bankCard"]).await;
    let away = server.person(|person| person.online = false).await;
    server.advert(&away, Side::Sell, &server.usdt, "1", &[]).await;
    for flag in [RiskFlag::Login, RiskFlag::Sell] {
        let risky = server.person(|person| person.forbidden = vec![flag]).await;
        server.advert(&risky, Side::Sell, &server.usdt, "1", &[]).await;
    }
    // A user who may not buy may still sell.
    let seller = server.person(|person| person.forbidden = vec![RiskFlag::Buy]).await;
    let also = server.advert(&seller, Side::Sell, &server.usdt, "3", &[]).await;

    let page = server.get(SELLERS, None).await.ok();
    assert_eq!(ids(&page), [shown.id.to_string(), also.id.to_string()]);
    assert_eq!(page["total"], 2);
    let first = &page["records"][0];
    assert_eq!(first["price"], "2");
    assert_eq!(first["remaining"], "10");
    // 10 MEC at 2 USDT each are available.
    assert_eq!((&first["orderMin"], &first["orderMax"]), (&json!("1"), &json!("20")));
    assert_eq!(
        (&first["side"], &first["kind"], &first["windowMinutes"]),
        (&json!("SELL"), &json!("MANUAL"), &json!(15))
    );
    assert_eq!(first["advertiser"]["nickname"], anna.nickname.unwrap());
    assert_eq!(first["advertiser"]["stats"]["completionRate"], Value::Null);
}

#[tokio::test]
async fn the_hall_hides_own_adverts_and_those_of_blocked_users() {
    let server = TestServer::new().await;
    let (anna, ben, cleo) = (server.person(|_| ()).await, server.person(|_| ()).await, server.person(|_| ()).await);
    let annas = server.advert(&anna, Side::Sell, &server.usdt, "1", &[]).await;
    let bens = server.advert(&ben, Side::Sell, &server.usdt, "2", &[]).await;
    let cleos = server.advert(&cleo, Side::Sell, &server.usdt, "3", &[]).await;
    testkit::people::block(&server.database, cleo.id, anna.id).await;
    let of = async |token: Option<&str>| ids(&server.get(SELLERS, token).await.ok());
    let all = [annas.id.to_string(), bens.id.to_string(), cleos.id.to_string()];
    assert_eq!(of(None).await, all);
    let token = server.sign_in(&anna).await;
    assert_eq!(of(Some(&token)).await, all[1..2]);
    assert_eq!(of(Some(&server.sign_in(&cleo).await)).await, all[1..2]);
    assert_eq!(of(Some(&server.sign_in(&ben).await)).await, [all[0].clone(), all[2].clone()]);

    let one = async |id: AdvertId, token: &str| server.get(&format!("/c2c/advert/hall/{id}"), Some(token)).await;
    assert_eq!(one(annas.id, &token).await.ok()["mine"], true);
    assert_eq!(one(bens.id, &token).await.ok()["mine"], false);
    one(cleos.id, &token).await.refused(404, "5000");
    // An invalid session is refused rather than treated as no session.
    server.get(SELLERS, Some("nobody")).await.refused(401, "401");
}

#[tokio::test]
async fn the_hall_can_be_filtered_and_pages_have_a_total() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let plain = server.person(|person| (person.certified, person.region) = (false, "DE".to_owned())).await;
    let bank = server.advert(&anna, Side::Sell, &server.krw, "100", &["bankCard", "kakaoPay"]).await;
    let pay = server.advert(&plain, Side::Sell, &server.krw, "90", &["kakaoPay"]).await;
    let little = server.advert_of(&anna, Side::Sell, &server.krw, "95", "2", &["bankCard"], |_| ()).await;
    let of = async |more: &str| {
        ids(&server.get(&format!("/c2c/advert/page?side=SELL&base=MEC&quote=KRW{more}"), None).await.ok())
    };
    let (bank, pay, little) = (bank.id.to_string(), pay.id.to_string(), little.id.to_string());
    assert_eq!(of("").await, [&*pay, &*little, &*bank]);
    assert_eq!(of("&sort=-price").await, [&*bank, &*little, &*pay]);
    assert_eq!(of("&sort=quantity").await[0], little);
    assert_eq!(of("&sort=-quantity").await[2], little);
    assert_eq!(of("&method=bankCard").await, [&*little, &*bank]);
    assert_eq!(of("&certified=true").await, [&*little, &*bank]);
    assert_eq!(of("&region=DE").await, [&*pay]);
    // 200 is more than the small advert has left; 2000 exceeds the pair's maximum.
    assert_eq!(of("&amount=200").await, [&*pay, &*bank]);
    assert_eq!(of("&amount=190").await, [&*pay, &*little, &*bank]);
    assert_eq!(of("&amount=2000").await, Vec::<String>::new());
    assert_eq!(of("&fast=true").await, Vec::<String>::new());
    let second = server.get("/c2c/advert/page?side=SELL&base=MEC&quote=KRW&page=2&size=2", None).await.ok();
    assert_eq!((ids(&second), &second["total"]), (vec![bank], &json!(3)));
}

/// The hall shows and filters by the limits that an order must meet.
#[tokio::test]
async fn the_limits_of_an_advert_never_exceed_its_remainder() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    // 2.5 MEC are left; an order must be at least 3 USDT.
    let some = amount("2.5", &server.mec);
    let least = amount("3", &server.usdt);
    let advert = server
        .advert_of(&anna, Side::Sell, &server.usdt, "2", "10", &[], |advert| {
            advert.remaining = some;
            advert.terms.min_total = least;
        })
        .await;
    let rest = amount("1.4", &server.mec);
    let little = server
        .advert_of(&anna, Side::Sell, &server.usdt, "2", "10", &[], |advert| {
            advert.remaining = rest;
            advert.terms.min_total = least;
        })
        .await;
    let shown = server.get(SELLERS, None).await.ok();
    assert_eq!(ids(&shown), [advert.id.to_string()], "a remainder too small for an order is not shown");
    let card = &shown["records"][0];
    assert_eq!((&card["orderMin"], &card["orderMax"]), (&json!("3"), &json!("5")));
    assert_eq!(server.get(&format!("/c2c/advert/hall/{}", advert.id), None).await.ok(), *card);
    for (sum, found) in [("2.999999", 0), ("3", 1), ("3.333333", 1), ("5", 1), ("5.000001", 0)] {
        let page = server.get(&format!("{SELLERS}&amount={sum}"), None).await.ok();
        assert_eq!(page["total"], found, "{sum}");
        let body = json!({ "side": "SELL", "base": "MEC", "quote": "USDT", "amount": sum });
        let matched = server.post("/c2c/advert/match", None, &body).await.ok();
        assert_eq!(matched.as_array().unwrap().len(), found, "{sum}");
    }
    server.get(&format!("/c2c/advert/hall/{}", little.id), None).await.refused(409, "5008");
    // The owner sees the same limits, and which of the two adverts is not shown.
    let own = async |id: AdvertId| app::adverts::one(&server.context, anna.id, id).await.unwrap().limits;
    let limits = Limits { min: least, max: amount("5", &server.usdt) };
    assert_eq!((own(advert.id).await, own(little.id).await), (Some(limits), None));
}

#[tokio::test]
async fn every_invalid_query_field_is_named() {
    let server = TestServer::new().await;
    for (path, field) in [
        ("/c2c/advert/page?base=MEC&quote=USDT", "side"),
        ("/c2c/advert/page?side=BOTH&base=MEC&quote=USDT", "side"),
        ("/c2c/advert/page?side=SELL&quote=USDT", "base"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&amount=-1", "amount"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&amount=0", "amount"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&amount=0.0000001", "amount"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&certified=perhaps", "certified"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&sort=best", "sort"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&size=101", "size"),
        ("/c2c/advert/hall/42", "id"),
        ("/market/stats?base=MEC", "quote"),
        ("/order/price/thread/new/page?base=MEC&quote=USDT", "range"),
        ("/order/price/thread/new/page?base=MEC&quote=USDT&range=2D", "range"),
    ] {
        assert_eq!(server.get(path, None).await.refused(400, "400").as_deref(), Some(field), "{path}");
    }
    for path in ["/c2c/advert/page?side=SELL&base=MEC&quote=XYZ", "/market/stats?base=XYZ&quote=USDT"] {
        server.get(path, None).await.refused(422, "5028");
    }
    server.get("/c2c/advert/hall/00000000-0000-0000-0000-000000000001", None).await.refused(404, "5000");
    let body = json!({ "side": "SELL", "base": "MEC", "quote": "USDT" });
    for (change, field) in [
        (json!({}), "quantity"),
        (json!({ "quantity": "1", "amount": "1" }), "quantity"),
        (json!({ "quantity": "x" }), "quantity"),
        (json!({ "amount": "0" }), "amount"),
        (json!({ "quantity": "1", "more": 1 }), "more"),
    ] {
        let mut body = body.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let field_named = server.post("/c2c/advert/match", None, &body).await.refused(400, "400");
        assert_eq!(field_named.as_deref(), Some(field), "{body}");
    }
}

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
    testkit::people::block(&server.database, ben.id, anna.id).await;
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
    let filter = Filter {
        pair: advert.terms.pair,
        side: Side::Sell,
        viewer: None,
        total: None,
        kind: None,
        region: None,
        certified: false,
        fast: false,
    };
    let page = |hall: &Hall| hall.page(&filter, Sort::PriceUp, 0, 20);
    assert!(matches!(page(&restarted), Err(app::Error::Unavailable { .. })), "it is not loaded");
    restarted.reset().await.unwrap();
    restarted.catch_up().await.unwrap();
    let (shown, before) = (page(&restarted).unwrap(), page(&server.hall.hall).unwrap());
    assert_eq!((shown.rows, shown.total), (before.rows, before.total));
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let ask = async |tag: Option<&HeaderValue>, token: Option<&str>, language: &str| {
        server.hall.follow().await;
        let mut request = Request::get(format!("/api{SELLERS}")).header("language", language);
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
    testkit::people::block(&server.database, ben.id, anna.id).await;
    assert_eq!(ask(Some(&second), Some(&bens), "en_US").await.0, 200);
    assert_eq!(ask(Some(&second), None, "en_US").await.0, 304);
}

#[tokio::test]
async fn a_posted_advert_is_shown_until_its_owner_goes_offline() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let by = |key: &str| Actor::Person { user: anna.id, key: IdempotencyKey::derived(&[key]) };
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
    server.get(&format!("/c2c/advert/hall/{id}"), None).await.refused(409, "5010");
}

#[tokio::test]
async fn statistics_cover_thirty_days_and_determine_the_fast_badge() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|_| ()).await);
    let advert = server.advert(&anna, Side::Sell, &server.usdt, "2", &[]).await;
    let minutes = Duration::minutes;
    for trade in 0..9 {
        server.traded(&advert, &ben, "1", "2", server.now() - minutes(trade), minutes(10)).await;
    }
    // One minute older than 30 days.
    server.traded(&advert, &ben, "1", "2", server.now() - Duration::days(30) - minutes(1), minutes(10)).await;
    let face = async || server.get(&format!("/c2c/advert/hall/{}", advert.id), None).await.ok()["advertiser"].clone();
    let before = face().await;
    assert_eq!(before["fast"], false);
    assert_eq!(before["stats"], json!({ "orders30d": 9, "completionRate": "1", "averageConfirmSeconds": 600 }));
    server.traded(&advert, &ben, "1", "2", server.now() - Duration::days(30), minutes(60)).await;
    let change = store::people::ReputationChange {
        user: anna.id,
        change: 0,
        reputation: 100,
        cause: Cause::Cancelled.name(),
        order: Some(server.traded(&advert, &ben, "1", "2", server.now() - Duration::days(60), minutes(1)).await),
        appeal: None,
    };
    let mut tx = server.context.store.begin().await.unwrap();
    let two = [change.clone(), change];
    store::people::change_reputation(&mut tx, &two, server.now() - Duration::days(29)).await.unwrap();
    tx.commit().await.unwrap();
    let after = face().await;
    assert_eq!(after["fast"], true);
    assert_eq!(after["stats"], json!({ "orders30d": 10, "completionRate": "0.833333", "averageConfirmSeconds": 900 }));
    // The buyer has completed just as many orders but confirmed none.
    let mut tx = server.context.store.begin().await.unwrap();
    let records = store::market::records(&mut tx, &[ben.id, anna.id], server.now() - Duration::days(30)).await.unwrap();
    let bens = records.iter().find(|(user, _)| *user == ben.id).unwrap().1;
    tx.rollback().await.unwrap();
    assert_eq!((bens.completed, bens.confirmations, bens.failed), (10, 0, 0));
    let fast = server.get(&format!("{SELLERS}&fast=true"), None).await.ok();
    assert_eq!(ids(&fast), [advert.id.to_string()]);
}

#[tokio::test]
async fn the_hall_is_sorted_like_the_domain_sorts() {
    let server = TestServer::new().await;
    let taker = server.person(|_| ()).await;
    let mut ranks = Vec::new();
    for (price, trades, took) in [("2", 0, 0), ("2", 1, 5), ("2", 1, 1), ("1", 0, 0), ("3", 2, 9)] {
        let owner = server.person(|_| ()).await;
        let advert = server.advert(&owner, Side::Sell, &server.usdt, price, &[]).await;
        for trade in 0..trades {
            let at = server.now() - Duration::hours(trade + 1);
            server.traded(&advert, &taker, "1", "2", at, Duration::minutes(took)).await;
        }
        ranks.push(Rank {
            advert: advert.id,
            price: advert.terms.price,
            remaining: advert.remaining,
            completion_ppm: (trades > 0).then_some(1_000_000),
            average_confirmation: (trades > 0).then(|| Duration::minutes(took)),
        });
    }
    for (name, by) in [("", Sort::PriceUp), ("&sort=-price", Sort::PriceDown), ("&sort=-quantity", Sort::QuantityDown)]
    {
        ranks.sort_by(|a, b| by.compare(a, b));
        let wanted: Vec<_> = ranks.iter().map(|rank| rank.advert.to_string()).collect();
        assert_eq!(ids(&server.get(&format!("{SELLERS}{name}"), None).await.ok()), wanted, "{name}");
    }
}

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
        found.as_array().unwrap().iter().map(line).collect::<Vec<_>>()
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
    assert_eq!(found(json!({ "quantity": "1", "method": "bankCard" }), None).await.len(), 1);
    assert_eq!(found(json!({ "quantity": "11" }), None).await, []);
    let token = server.sign_in(&ben).await;
    assert_eq!(found(json!({ "quantity": "1" }), Some(&token)).await, [line(dear.id, "1", "100", "0.001")]);
}

#[tokio::test]
async fn a_preview_is_what_the_order_comes_to_and_refuses_the_sizes_that_the_order_refuses() {
    let server = TestServer::new().await;
    let anna = server.person(|_| ()).await;
    let advert = server.advert_of(&anna, Side::Sell, &server.krw, "90", "2", &["bankCard"], |_| ()).await;
    let preview = async |size: &str| server.get(&format!("/c2c/advert/hall/{}/preview{size}", advert.id), None).await;
    for (size, quantity, total, fee, receives) in [
        ("?quantity=2", "2", "180", "0.002", "1.998"),
        ("?total=100", "1.11111112", "100", "0.00111111112", "1.11000000888"),
    ] {
        let wanted = json!({ "price": "90", "quantity": quantity, "total": total, "fee": fee, "receives": receives });
        assert_eq!(preview(size).await.ok(), wanted, "{size}");
    }
    for size in ["", "?quantity=1&total=90", "?quantity=0", "?quantity=x", "?amount=1"] {
        preview(size).await.refused(400, "400");
    }
    for (size, status, code) in [("0.001", 422, "5021"), ("0.01", 422, "5009"), ("2.1", 409, "5008")] {
        preview(&format!("?quantity={size}")).await.refused(status, code);
    }
    let gone = format!("/c2c/advert/hall/{}/preview?quantity=1", uuid::Uuid::nil());
    server.get(&gone, None).await.refused(404, "5000");
}

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
    for _ in 0..4 {
        let buyer = server.person(|_| ()).await;
        server.traded(&advert, &buyer, "1", "2", server.now(), Duration::minutes(1)).await;
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
    assert_eq!(config["chains"], json!([{ "chainType": "ERC20", "name": "ERC20", "automatic": true }]));
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
    let cause = Cause::Cancelled.name();
    let change = store::people::ReputationChange {
        user: anna.id,
        change: 0,
        reputation: 100,
        cause,
        order: Some(order),
        appeal: None,
    };
    for _ in 0..3 {
        let mut tx = server.context.store.begin().await.unwrap();
        store::people::change_reputation(&mut tx, std::slice::from_ref(&change), server.now()).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(times().await, wanted(0, 20));
    server.set_clock(server.now() + Duration::hours(12));
    assert_eq!(times().await, wanted(3, 0));
}
