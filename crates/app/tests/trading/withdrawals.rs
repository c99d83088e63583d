//! Withdrawals of temporary balance.

use domain::ledger::VaultAsset;
use domain::refusal::{Refusal, RiskFlag, Shown};
use testkit::market::{Chain, Market, Trader, mec, minutes, usdt};
use testkit::noon;

async fn with_five_dollars() -> (Market, Chain, Trader) {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.brings(&anna, market.usdt, usdt("5")).await;
    (market, chain, anna)
}

#[tokio::test]
async fn everything_goes_to_the_bound_address_less_the_gas() {
    let (market, mut chain, anna) = with_five_dollars().await;
    anna.withdraws(market.usdt).await.unwrap();
    let holding = anna.holds(market.usdt).await;
    assert_eq!((holding.temporary, holding.in_flight), (usdt("0"), usdt("4.9")));
    market.is_sound().await;
    let query = format!("select count(*) from payout_legs where recipient = decode('{}', 'hex')", hexadecimal(&anna));
    assert_eq!(market.count(&query).await, 1);
    chain.settles().await;
    assert_eq!(anna.holds(market.usdt).await.in_flight, usdt("0"));
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.usdt };
    assert_eq!(
        (market.balance(vault_asset.custody()).await, market.balance(vault_asset.gas()).await),
        (usdt("0.1"), usdt("0.1"))
    );
    market.is_sound().await;
}

fn hexadecimal(trader: &Trader) -> String {
    trader.user.bound.unwrap().to_string().trim_start_matches("0x").to_owned()
}

#[tokio::test]
async fn what_does_not_pay_for_its_gas_stays() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    let nothing = Refusal::BalanceShort { available: Shown { amount: usdt("0"), decimals: 6 } };
    assert_eq!(anna.withdraws(market.usdt).await, Err(nothing));
    chain.brings(&anna, market.usdt, usdt("0.1")).await;
    let gas = Refusal::BelowGas { gas: Shown { amount: usdt("0.1"), decimals: 6 } };
    assert_eq!(anna.withdraws(market.usdt).await, Err(gas));
    chain.brings(&anna, market.usdt, usdt("0.000001")).await;
    anna.withdraws(market.usdt).await.unwrap();
    assert_eq!(anna.holds(market.usdt).await.in_flight, usdt("0.000001"));
    market.is_sound().await;
}

#[tokio::test]
async fn nothing_leaves_while_an_advert_or_an_order_runs() {
    let (market, mut chain, anna) = with_five_dollars().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    assert_eq!(anna.withdraws(market.usdt).await, Err(Refusal::BusyWithTrades), "in creation");
    chain.brings(&anna, market.mec, mec("10")).await;
    assert_eq!(anna.withdraws(market.usdt).await, Err(Refusal::BusyWithTrades));
    let ben = market.trader().await;
    chain.brings(&ben, market.usdt, usdt("7")).await;
    let order = ben.orders(advert, "10").await.unwrap();
    assert_eq!(ben.withdraws(market.usdt).await, Err(Refusal::BusyWithTrades));
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();
    anna.confirms(order).await.unwrap();
    assert_eq!(ben.withdraws(market.usdt).await, Err(Refusal::BusyWithTrades), "until the chain has confirmed");
    chain.settles().await;
    ben.withdraws(market.usdt).await.unwrap();
    anna.withdraws(market.usdt).await.unwrap();
    market.is_sound().await;
}

#[tokio::test]
async fn a_withdrawal_in_flight_keeps_nobody_from_trading() {
    let (market, mut chain, anna) = with_five_dollars().await;
    anna.withdraws(market.usdt).await.unwrap();
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.settles().await;
    chain.brings(&anna, market.mec, mec("10")).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    market.is_sound().await;
}

#[tokio::test]
async fn a_hold_a_flag_and_a_stop_refuse_it() {
    let (market, _, anna) = with_five_dollars().await;
    let until = noon() + minutes(24 * 60);
    market.sql(&format!("update users set held_until = '{}' where id = '{}'", until.to_rfc3339(), anna.id())).await;
    assert_eq!(anna.withdraws(market.usdt).await, Err(Refusal::HeldUntil { until }));
    market.at(until).await;
    market.sql("update users set withdrawal_forbidden = true").await;
    assert_eq!(anna.withdraws(market.usdt).await, Err(Refusal::Risk(RiskFlag::Withdrawal)));
    market.sql("update users set withdrawal_forbidden = false").await;
    market.sql(&format!("insert into payout_stops values ({}, 'a short vault', now())", market.usdt.0)).await;
    assert_eq!(anna.withdraws(market.usdt).await, Err(Refusal::MoneyStopped));
    market.sql("delete from payout_stops").await;
    assert_eq!(anna.withdraws(market.krw).await, Err(Refusal::MoneyStopped), "fiat lies in no vault");
    let unknown = domain::assets::AssetId(999);
    assert_eq!(anna.withdraws(unknown).await, Err(Refusal::NotFound));
    assert_eq!(anna.has_free(market.usdt).await, usdt("5"));
    anna.withdraws(market.usdt).await.unwrap();
}

/// A user who may not withdraw puts the coins into an advert and revokes it.
#[tokio::test]
async fn a_revoked_advert_is_no_way_around_a_flag_or_a_hold() {
    let until = noon() + minutes(24 * 60);
    let held = format!("held_until = '{}'", until.to_rfc3339());
    for blocked in ["withdrawal_forbidden = true", held.as_str()] {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let free = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        let taken = anna.posts(anna.mec_for_krw("20", "1000")).await.unwrap();
        chain.brings(&anna, market.mec, mec("20")).await;
        let order = ben.orders(taken, "5").await.unwrap();
        // Revoked before the block, but the return waits for the order.
        anna.ends(taken).await.unwrap();
        market.sql(&format!("update users set {blocked} where id = '{}'", anna.id())).await;
        anna.ends(free).await.unwrap();
        assert_eq!(market.advert_state(free).await, "CANCELLED");
        assert_eq!(anna.has_free(market.mec).await, mec("10"), "{blocked}");
        ben.cancels(order).await.unwrap();
        assert_eq!(market.advert_state(taken).await, "CANCELLED");
        assert_eq!(anna.has_free(market.mec).await, mec("30"), "{blocked}");
        assert_eq!(market.count("select count(*) from payouts").await, 0);
        market.is_sound().await;
        market.at(until).await;
        market.sql("update users set withdrawal_forbidden = false").await;
        anna.withdraws(market.mec).await.unwrap();
        chain.settles().await;
        market.is_sound().await;
    }
}

#[tokio::test]
async fn sent_twice_it_is_one() {
    let (market, mut chain, anna) = with_five_dollars().await;
    let first = anna.withdraws_under("once", market.usdt).await.unwrap();
    assert_eq!(anna.withdraws_under("once", market.usdt).await, Ok(first));
    chain.brings(&anna, market.usdt, usdt("3")).await;
    assert_eq!(anna.withdraws_under("once", market.usdt).await, Ok(first), "whatever has come since");
    assert_eq!(anna.withdraws_under("once", market.mec).await, Err(Refusal::KeyReused));
    assert_eq!(anna.has_free(market.usdt).await, usdt("3"));
    assert_eq!(market.count("select count(*) from withdrawals").await, 1);
}

#[tokio::test]
async fn of_two_at_once_one_goes_and_one_finds_nothing() {
    let (market, _, anna) = with_five_dollars().await;
    let tasks = ["one", "two"].map(|key| {
        let (anna, usdt) = (anna.clone(), market.usdt);
        tokio::spawn(async move { anna.withdraws_under(key, usdt).await })
    });
    let mut done = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => done += 1,
            Err(refusal) => {
                assert_eq!(refusal, Refusal::BalanceShort { available: Shown { amount: usdt("0"), decimals: 6 } });
            }
        }
    }
    assert_eq!(done, 1);
    assert_eq!(anna.holds(market.usdt).await.in_flight, usdt("4.9"));
    market.is_sound().await;
}
