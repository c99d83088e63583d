//! Pages of the hall: which adverts they show, their filters and their order.

use chrono::Duration;
use domain::adverts::{Advert, Frozen, Limits, State, TakerRequirements};
use domain::ids::AdvertId;
use domain::market::{Rank, Sort};
use domain::money::Amount;
use domain::refusal::RiskFlag;
use domain::reputation::Cause;
use domain::trade::Side;
use domain::users::KycLevel;
use serde_json::{Value, json};

use crate::server::{TestServer, amount};
use crate::{SELLERS, ids};

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
    testkit::users::block(&server.database, cleo.id, anna.id).await;
    let of = async |token: Option<&str>| ids(&server.get(SELLERS, token).await.ok());
    let all = [annas.id.to_string(), bens.id.to_string(), cleos.id.to_string()];
    assert_eq!(of(None).await, all);
    let token = server.sign_in(&anna).await;
    assert_eq!(of(Some(&token)).await, all[1..2]);
    assert_eq!(of(Some(&server.sign_in(&cleo).await)).await, all[1..2]);
    assert_eq!(of(Some(&server.sign_in(&ben).await)).await, [all[0].clone(), all[2].clone()]);

    let one = async |id: AdvertId, token: &str| server.get(&format!("/c2c/advert/{id}"), Some(token)).await;
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
    assert_eq!(of("&methods[0]=bankCard").await, [&*little, &*bank]);
    assert_eq!(of("&methods[0]=bankCard&methods[1]=kakaoPay").await, [&*pay, &*little, &*bank]);
    assert_eq!(of("&methods[1]=alipay&methods[4]=kakaoPay").await, [&*pay, &*bank]);
    assert_eq!(of("&methods[0]=alipay").await, Vec::<String>::new(), "a type that no advert offers");
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

#[tokio::test]
async fn the_hall_can_leave_out_adverts_whose_requirements_the_visitor_does_not_meet() {
    let server = TestServer::new().await;
    let (anna, ben) = (server.person(|_| ()).await, server.person(|person| person.kyc = KycLevel::Basic).await);
    let mut all = Vec::new();
    for (number, required) in [
        TakerRequirements { advanced_verification: true, ..TakerRequirements::default() },
        TakerRequirements::default(),
        TakerRequirements { completed_orders: Some(1), ..TakerRequirements::default() },
        TakerRequirements { region: Some("XK".to_owned()), ..TakerRequirements::default() },
        TakerRequirements { region: Some(ben.region.clone()), ..TakerRequirements::default() },
        TakerRequirements::default(),
    ]
    .into_iter()
    .enumerate()
    {
        let price = format!("2.{number}");
        let change = |advert: &mut Advert| advert.terms.options.taker = required;
        let advert = server.advert_of(&anna, Side::Sell, &server.usdt, &price, "10", &[], change).await;
        all.push(advert.id.to_string());
    }
    let (token, annas) = (server.sign_in(&ben).await, server.sign_in(&anna).await);
    // Which of the adverts are on a page.
    let of = async |more: &str, token: Option<&str>| {
        let page = server.get(&format!("{SELLERS}{more}"), token).await.ok();
        let places = ids(&page).into_iter().map(|id| all.iter().position(|one| *one == id).unwrap());
        (places.collect::<Vec<_>>(), page["total"].as_u64().unwrap())
    };
    let met = async |more: &str, token: Option<&str>| of(&format!("&requirementsMet=true{more}"), token).await;
    assert_eq!(of("", Some(&token)).await, (vec![0, 1, 2, 3, 4, 5], 6));
    assert_eq!(of("&requirementsMet=false", Some(&token)).await, (vec![0, 1, 2, 3, 4, 5], 6));
    assert_eq!(met("", Some(&token)).await, (vec![1, 4, 5], 3));
    assert_eq!(met("", None).await, (vec![1, 5], 2), "nothing is known of guests");
    assert_eq!(met("", Some(&annas)).await, (vec![], 0), "own adverts stay hidden");
    // Pages are full.
    for (page, shown) in [(1, vec![1, 4]), (2, vec![5])] {
        assert_eq!(met(&format!("&size=2&page={page}&amount=2.5"), Some(&token)).await, (shown, 3));
    }
    // What is kept of a page follows the visitor's verification, orders and region at once.
    let is = async |what: &str| {
        server.database.execute(&format!("update users set {what} where id = '{}'", ben.id)).await;
    };
    is("kyc_level = 'advanced'").await;
    assert_eq!(met("", Some(&token)).await, (vec![0, 1, 4, 5], 4));
    let advert = server.advert(&ben, Side::Sell, &server.krw, "1", &["bankCard"]).await;
    server.traded(&advert, &anna, "1", "2", server.now(), Duration::minutes(1)).await;
    assert_eq!(met("", Some(&token)).await, (vec![0, 1, 2, 4, 5], 5));
    is("region = 'XK', kyc_level = 'basic'").await;
    assert_eq!(met("", Some(&token)).await, (vec![1, 2, 3, 5], 4));
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
    let stranger = server.stranger().await;
    let seen = async |id: AdvertId| server.get(&format!("/c2c/advert/{id}"), Some(&stranger)).await;
    let mut one = seen(advert.id).await.ok();
    for (about_viewer, none) in [("missing", json!([])), ("unmet", json!([])), ("own", Value::Null)] {
        assert_eq!(one.as_object_mut().unwrap().remove(about_viewer), Some(none));
    }
    assert_eq!(one, *card);
    for (sum, found) in [("2.999999", 0), ("3", 1), ("3.333333", 1), ("5", 1), ("5.000001", 0)] {
        let page = server.get(&format!("{SELLERS}&amount={sum}"), None).await.ok();
        assert_eq!(page["total"], found, "{sum}");
        let body = json!({ "side": "SELL", "base": "MEC", "quote": "USDT", "amount": sum });
        let matched = server.post("/c2c/advert/match", None, &body).await.ok();
        let fitting = matched["adverts"].as_array().unwrap().iter().filter(|one| one["misfits"] == json!([]));
        assert_eq!(fitting.count(), found, "{sum}");
    }
    seen(little.id).await.refused(409, "5008");
    // The owner sees the same limits, and which of the two adverts is not shown.
    let own = async |id: AdvertId| app::adverts::one(&server.context, anna.id, id).await.unwrap().limits;
    let limits = Limits { min: least, max: amount("5", &server.usdt) };
    assert_eq!((own(advert.id).await, own(little.id).await), (Some(limits), None));
}

#[tokio::test]
async fn every_invalid_query_field_is_named() {
    let server = TestServer::new().await;
    let stranger = server.stranger().await;
    for (path, field) in [
        ("/c2c/advert/page?base=MEC&quote=USDT", "side"),
        ("/c2c/advert/page?side=BOTH&base=MEC&quote=USDT", "side"),
        ("/c2c/advert/page?side=BUY&quote=USDT", "base"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&amount=-1", "amount"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&amount=0", "amount"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&amount=0.0000001", "amount"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&certified=perhaps", "certified"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&requirementsMet=1", "requirementsMet"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&sort=best", "sort"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&size=101", "size"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&methods=alipay", "methods"),
        ("/c2c/advert/page?side=SELL&base=MEC&quote=USDT&methods[0]=cowries", "methods[0]"),
        (
            "/c2c/advert/page?side=SELL&base=MEC&quote=USDT&methods[0]=alipay&methods[1]=pix&methods[2]=alipay",
            "methods[2]",
        ),
        ("/c2c/advert/42", "id"),
        ("/market/stats?base=MEC", "quote"),
        ("/order/price/thread/new/page?base=MEC&quote=USDT", "range"),
        ("/order/price/thread/new/page?base=MEC&quote=USDT&range=2D", "range"),
    ] {
        assert_eq!(server.get(path, Some(&stranger)).await.refused(400, "400").as_deref(), Some(field), "{path}");
    }
    for path in ["/c2c/advert/page?side=SELL&base=MEC&quote=XYZ", "/market/stats?base=XYZ&quote=USDT"] {
        server.get(path, None).await.refused(422, "5028");
    }
    let body = json!({ "side": "SELL", "base": "MEC", "quote": "USDT" });
    for (change, field) in [
        (json!({}), "quantity"),
        (json!({ "quantity": "1", "amount": "1" }), "quantity"),
        (json!({ "quantity": "x" }), "quantity"),
        (json!({ "amount": "0" }), "amount"),
        (json!({ "quantity": "1", "more": 1 }), "more"),
        (json!({ "quantity": "1", "methods": ["alipay", "cowries"] }), "methods[1]"),
        (json!({ "quantity": "1", "methods": ["alipay", "alipay"] }), "methods[1]"),
        (json!({ "quantity": "1", "methods": vec!["alipay"; 21] }), "methods"),
    ] {
        let mut body = body.clone();
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let field_named = server.post("/c2c/advert/match", None, &body).await.refused(400, "400");
        assert_eq!(field_named.as_deref(), Some(field), "{body}");
    }
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
    let bens = server.sign_in(&ben).await;
    let path = format!("/c2c/advert/{}", advert.id);
    let face = async || server.get(&path, Some(&bens)).await.ok()["advertiser"].clone();
    let before = face().await;
    assert_eq!(before["fast"], false);
    let stats = |orders: u32, completed: &str, seconds: u32| {
        json!({
            "orders30d": orders, "completionRate": completed, "averageConfirmSeconds": seconds, "acceptanceRate": "1",
            "confirmations": orders, "lateConfirmations": 0,
        })
    };
    assert_eq!(before["stats"], stats(9, "1", 600));
    server.traded(&advert, &ben, "1", "2", server.now() - Duration::days(30), minutes(60)).await;
    let change = store::users::ReputationChange {
        user: anna.id,
        change: 0,
        reputation: 100,
        cause: Cause::Cancelled.into_str(),
        order: Some(server.traded(&advert, &ben, "1", "2", server.now() - Duration::days(60), minutes(1)).await),
        appeal: None,
    };
    let mut tx = server.context.store.begin().await.unwrap();
    let two = [change.clone(), change];
    store::users::change_reputation(&mut tx, &two, server.now() - Duration::days(29)).await.unwrap();
    tx.commit().await.unwrap();
    let after = face().await;
    assert_eq!(after["fast"], true);
    assert_eq!(after["stats"], stats(10, "0.833333", 900));
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
