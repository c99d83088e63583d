//! Takers who often let automatic orders lapse, or have lost reputation, need the coins before they order.

use app::commands::CommandKind;
use chrono::Duration;
use domain::ids::AdvertId;
use domain::ledger::VaultAsset;
use domain::refusal::{Refusal, RiskFlag, Shown};
use testkit::market::{Chain, Market, Trader, mec, minutes, usdt};
use testkit::noon;

struct Scene {
    market: Market,
    chain: Chain,
    anna: Trader,
    mallory: Trader,
    advert: AdvertId,
}

fn short(needed: &str, missing: &str) -> Refusal {
    let shown = |amount| Shown { amount: usdt(amount), decimals: 6 };
    Refusal::PrefundingShort { needed: shown(needed), shortfall: shown(missing) }
}

impl Scene {
    /// Anna's automatic advert sells 10 MEC for 2.5 USDT each.
    async fn open() -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, mallory) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        Self { market, chain, anna, mallory, advert }
    }

    /// Mallory takes coins of the advert a number of times and never pays. The last order lapses 30 minutes later.
    async fn lapses(&mut self, times: usize) {
        for _ in 0..times {
            let order = self.mallory.orders(self.advert, "4").await.unwrap();
            self.market.waits(minutes(16)).await;
            self.market.clock_strikes().await;
            self.market.waits(minutes(14)).await;
            self.market.clock_strikes().await;
            assert_eq!(self.market.state(order).await, "CANCELLED");
        }
    }

    async fn remaining(&self) -> domain::money::Amount {
        self.market.advert(self.advert).await.remaining
    }
}

#[tokio::test]
async fn who_lets_three_orders_lapse_in_a_day_keeps_no_automatic_advert_sold_out() {
    let mut scene = Scene::open().await;
    scene.lapses(2).await;
    let order = scene.mallory.orders(scene.advert, "10").await.unwrap();
    scene.mallory.cancels(order).await.unwrap();
    scene.lapses(1).await;
    let third = scene.market.now().await;
    assert_eq!(scene.mallory.orders(scene.advert, "10").await, Err(short("25", "25")));
    assert_eq!(scene.remaining().await, mec("10"));
    // Others, and manual adverts, are not affected.
    let ben = scene.market.trader().await;
    ben.orders(scene.advert, "1").await.unwrap();
    let manual = scene.anna.posts(scene.anna.mec_for_usdt("1", "2.5")).await.unwrap();
    let (anna, coin) = (scene.anna.clone(), scene.market.mec);
    scene.chain.brings(&anna, coin, mec("1")).await;
    scene.mallory.orders(manual, "1").await.unwrap();

    // The first of the three lapses was an hour before the last one.
    let first = third - minutes(60);
    scene.market.at(first + Duration::hours(24) - Duration::milliseconds(1)).await;
    assert_eq!(scene.mallory.orders(scene.advert, "4").await, Err(short("10", "10")));
    scene.market.at(first + Duration::hours(24)).await;
    scene.mallory.orders(scene.advert, "4").await.unwrap();
    scene.market.is_sound().await;
}

#[tokio::test]
async fn an_order_that_is_prefunded_takes_the_coins_and_is_settled_at_once() {
    let mut scene = Scene::open().await;
    scene.lapses(3).await;
    let (mallory, coin) = (scene.mallory.clone(), scene.market.usdt);
    scene.chain.brings(&mallory, coin, usdt("12")).await;
    assert_eq!(mallory.orders(scene.advert, "5").await, Err(short("12.5", "0.5")));
    let command = mallory.wants(CommandKind::PlaceOrder(mallory.order_for(scene.advert, mec("4")).await));
    let placed = scene.market.execute(std::slice::from_ref(&command)).await.pop().unwrap().unwrap();
    let order = domain::ids::OrderId(placed.id.unwrap());
    assert_eq!(scene.market.state(order).await, "RELEASING");
    assert_eq!(mallory.has_free(coin).await, usdt("2"));
    scene.market.is_sound().await;
    // The same command again has the same result, and takes nothing.
    assert_eq!(scene.market.execute(&[command]).await.pop().unwrap().unwrap(), placed);
    assert_eq!((scene.remaining().await, mallory.has_free(coin).await), (mec("6"), usdt("2")));
    scene.chain.settles().await;
    assert_eq!(scene.market.state(order).await, "COMPLETED");
    scene.market.is_sound().await;
}

#[tokio::test]
async fn a_balance_is_spent_once_within_a_set_and_across_sets() {
    let mut scene = Scene::open().await;
    scene.market.sql("update users set reputation = 59").await;
    let (mallory, coin) = (scene.mallory.clone(), scene.market.usdt);
    scene.chain.brings(&mallory, coin, usdt("15")).await;
    let wanted = async || mallory.wants(CommandKind::PlaceOrder(mallory.order_for(scene.advert, mec("2")).await));
    let set = [wanted().await, wanted().await, wanted().await, wanted().await];
    let replies = scene.market.execute(&set).await;
    let refused: Vec<_> = replies.iter().filter_map(|reply| reply.as_ref().err()).collect();
    assert_eq!(refused, [&short("5", "5")], "three orders of 5 USDT");
    assert_eq!(mallory.has_free(coin).await, usdt("0"));
    scene.market.is_sound().await;

    scene.chain.brings(&mallory, coin, usdt("5")).await;
    let (one, other) = (wanted().await, wanted().await);
    let (one, other) = ([one], [other]);
    let (first, second) = tokio::join!(scene.market.execute(&one), scene.market.execute(&other));
    let placed = [&first[0], &second[0]].into_iter().filter(|reply| reply.is_ok()).count();
    assert_eq!(placed, 1);
    scene.market.is_sound().await;
}

#[tokio::test]
async fn coins_that_an_officer_holds_back_prefund_nothing() {
    let mut scene = Scene::open().await;
    scene.market.sql("update users set reputation = 59").await;
    let (mallory, coin) = (scene.mallory.clone(), scene.market.usdt);
    scene.chain.brings(&mallory, coin, usdt("15")).await;
    scene.market.sql(&format!("update users set withdrawal_forbidden = true where id = '{}'", mallory.id())).await;
    assert_eq!(mallory.orders(scene.advert, "4").await, Err(Refusal::Risk(RiskFlag::Withdrawal)));
    let vault_asset = VaultAsset { vault: mallory.id(), asset: coin };
    assert_eq!(scene.market.balance(vault_asset.temporary()).await, usdt("15"));
    assert!(scene.market.now().await >= noon());
}
