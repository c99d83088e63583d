//! What advertisers require of takers.

use std::collections::BTreeSet;

use app::market::hall::{self, Filter, Shelf};
use domain::adverts::{TakerRequirement, TakerRequirements};
use domain::ids::{AdvertId, OrderId};
use domain::market::Sort;
use domain::refusal::Refusal;
use domain::trade::Side;
use testkit::market::{Market, Trader};
use testkit::noon;

use crate::hall::Process;

/// Posts an advert that buys and requires this of takers.
async fn posts(anna: &Trader, required: TakerRequirements) -> Result<AdvertId, Refusal> {
    let mut offer = anna.mec_for_krw("10", "1000").buying();
    offer.0.options.taker = required;
    anna.posts(offer).await
}

/// Returns the requirements with which an order was refused.
fn unmet(ordered: Result<OrderId, Refusal>) -> Vec<TakerRequirement> {
    match ordered {
        Err(Refusal::TakerRequirementsUnmet { unmet, .. }) => unmet,
        other => panic!("{other:?}"),
    }
}

async fn sets(trader: &Trader, what: &str) {
    trader.market.sql(&format!("update users set {what} where id = '{}'", trader.id())).await;
}

/// Sets the number of orders that the trader has completed today.
async fn has_completed(trader: &Trader, completed: u32) {
    let (user, day, base) = (trader.id(), noon().date_naive(), trader.market.mec.0);
    let counted = format!(
        "insert into user_days (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros)
         values ('{user}', '{day}', {base}, {completed}, {completed}, 0, 0, 0)
         on conflict (user_id, day, base_asset) do update set completed = excluded.completed"
    );
    trader.market.sql(&counted).await;
}

#[tokio::test]
async fn an_order_needs_what_the_advertiser_requires_when_it_is_placed() {
    let market = Market::open().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let required = TakerRequirements {
        advanced_verification: true,
        region: Some(ben.user.region.clone()),
        ..TakerRequirements::default()
    };
    let advert = posts(&anna, required.clone()).await.unwrap();
    assert_eq!(market.advert(advert).await.terms.options.taker, required, "as stored");
    // The verification is lost after the taker has looked at the advert.
    let face = hall::one(&market.context, Some(ben.id()), advert).await.unwrap();
    assert_eq!(face.unmet, []);
    sets(&ben, "kyc_level = 'basic'").await;
    assert_eq!(unmet(ben.orders(advert, "1").await), [TakerRequirement::AdvancedVerification]);
    let face = hall::one(&market.context, Some(ben.id()), advert).await.unwrap();
    assert_eq!(face.unmet, [TakerRequirement::AdvancedVerification]);
    sets(&ben, "kyc_level = 'advanced'").await;
    let order = ben.orders(advert, "1").await.unwrap();
    // What was placed goes on.
    sets(&ben, "kyc_level = 'basic'").await;
    anna.accepts(order).await.unwrap();
    market.is_sound().await;
}

#[tokio::test]
async fn completed_orders_of_the_last_thirty_days_count() {
    let market = Market::open().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let required = TakerRequirements { completed_orders: Some(2), ..TakerRequirements::default() };
    let advert = posts(&anna, required).await.unwrap();
    assert_eq!(unmet(ben.orders(advert, "1").await), [TakerRequirement::CompletedOrders]);
    has_completed(&ben, 1).await;
    assert_eq!(unmet(ben.orders(advert, "1").await), [TakerRequirement::CompletedOrders]);
    has_completed(&ben, 2).await;
    ben.orders(advert, "1").await.unwrap();
}

#[tokio::test]
async fn the_filter_of_the_hall_leaves_out_exactly_the_adverts_that_refuse_the_taker() {
    let market = Market::open().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let mut adverts = Vec::new();
    for completed_orders in [None, Some(1), Some(3)] {
        for advanced_verification in [false, true] {
            for region in [None, Some("KR"), Some("DE")] {
                let region = region.map(ToOwned::to_owned);
                let mut offer = anna.mec_for_usdt("10", "2").buying();
                offer.0.options.taker = TakerRequirements { completed_orders, advanced_verification, region };
                adverts.push(anna.posts(offer).await.unwrap());
            }
        }
    }
    let mut process = Process::starts(&market);
    let all = Filter { viewer: Some(ben.id()), ..Filter::all(Shelf::Book(market.mec_usdt, Side::Buy)) };
    for (completed, kyc, region, passing) in [
        (0, "basic", "KR", 2),
        (1, "advanced", "KR", 8),
        (3, "basic", "DE", 6),
        (3, "advanced", "KR", 12),
        (0, "advanced", "US", 2),
    ] {
        sets(&ben, &format!("kyc_level = '{kyc}', region = '{region}'")).await;
        has_completed(&ben, completed).await;
        let hall = process.catches_up().await;
        let takers = hall.takers(Some(ben.id())).await.unwrap();
        let page = hall.page(&Filter { takers, ..all.clone() }, Sort::best(Side::Buy), 0, 100).unwrap();
        let listed = page.rows.iter().map(|row| String::from_utf8(row.advert.to_vec()).unwrap());
        let listed: BTreeSet<_> = listed.map(|row| row.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!((listed.len(), page.total), (passing, passing), "{completed} {kyc} {region}");
        for advert in &adverts {
            let takes = match ben.orders(*advert, "1").await {
                Ok(order) => {
                    anna.rejects(order).await.unwrap();
                    true
                }
                refused => {
                    assert!(!unmet(refused).is_empty());
                    false
                }
            };
            assert_eq!(listed.contains(&advert.to_string()), takes, "{completed} {kyc} {region}: {advert}");
        }
    }
    let hall = process.catches_up().await;
    let guests = Filter { takers: hall.takers(None).await.unwrap(), viewer: None, ..all };
    assert_eq!(hall.page(&guests, Sort::best(Side::Buy), 0, 100).unwrap().total, 1, "what requires nothing");
}

#[tokio::test]
async fn requirements_that_nobody_can_meet_are_refused() {
    let market = Market::open().await;
    let anna = market.trader().await;
    let region = |region: &str| TakerRequirements { region: Some(region.to_owned()), ..TakerRequirements::default() };
    let refused = Refusal::Invalid { field: "takerRequirements.region", reason: "unknown" };
    assert_eq!(posts(&anna, region("XX")).await, Err(refused));
    assert_eq!(market.count("select count(*) from adverts").await, 0);
}
