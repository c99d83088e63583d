//! What advertisers require of takers.

use app::market::hall;
use domain::adverts::{TakerRequirement, TakerRequirements};
use domain::ids::{AdvertId, OrderId};
use domain::refusal::Refusal;
use testkit::market::{Market, Trader};
use testkit::noon;

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
    let day = noon().date_naive();
    let counted = |completed: u32| {
        format!(
            "insert into user_days (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros)
             values ('{}', '{day}', {}, {completed}, {completed}, 0, 0, 0)
             on conflict (user_id, day, base_asset) do update set completed = excluded.completed",
            ben.id(),
            market.mec.0
        )
    };
    market.sql(&counted(1)).await;
    assert_eq!(unmet(ben.orders(advert, "1").await), [TakerRequirement::CompletedOrders]);
    market.sql(&counted(2)).await;
    ben.orders(advert, "1").await.unwrap();
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
