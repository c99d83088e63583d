//! Deposits at a custody address while an advert waits for its escrow.

use app::commands::CommandKind;
use domain::adverts::{Action, EndReason, State};
use domain::funding::FundingTarget;
use domain::ledger::VaultAsset;
use domain::refusal::{Refusal, Shown};
use testkit::market::{Chain, Contents, Market, Trader, mec, minutes, usdt};

use domain::ids::AdvertId;

/// Publishes an advert for 10 MEC, which waits for its escrow.
async fn waiting() -> (Market, Chain, Trader, AdvertId) {
    let market = Market::open().await;
    let chain = market.chain().await;
    let anna = market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    (market, chain, anna, advert)
}

async fn ended_as(market: &Market, advert: AdvertId) -> EndReason {
    match market.advert(advert).await.state {
        State::Cancelled { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn too_little_is_temporary_balance_and_the_rest_completes_it() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.brings(&anna, market.mec, mec("3")).await;
    assert_eq!(market.advert_state(advert).await, "CREATING");
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().request.shortfall(), mec("7"));
    assert_eq!(anna.has_free(market.mec).await, mec("3"));
    market.is_sound().await;
    chain.brings(&anna, market.mec, mec("4.5")).await;
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().request.shortfall(), mec("2.5"));
    chain.brings(&anna, market.mec, mec("2.5")).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.has_free(market.mec).await, mec("0"));
    assert!(anna.sees_advert(advert).await.unwrap().request.is_none());
    market.is_sound().await;
}

#[tokio::test]
async fn parts_in_one_block_complete_it_together() {
    let (market, mut chain, anna, advert) = waiting().await;
    let parts = ["6", "3", "1.5"].map(|part| chain.coins(&anna, market.mec, mec(part)));
    chain.mines_coins(parts).await;
    let applied = chain.confirms().await;
    assert_eq!(applied.deposits, 3);
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.has_free(market.mec).await, mec("0.5"));
    market.is_sound().await;
}

#[tokio::test]
async fn too_much_leaves_the_rest_as_temporary_balance() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.brings(&anna, market.mec, mec("12.25")).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    let holding = anna.holds(market.mec).await;
    assert_eq!((holding.temporary, holding.in_adverts), (mec("2.25"), mec("10")));
    market.is_sound().await;
}

#[tokio::test]
async fn an_earlier_balance_does_not_fund_a_request() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.brings(&anna, market.mec, mec("50")).await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.mines(3).await;
    assert_eq!(market.advert_state(advert).await, "CREATING");
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().request.shortfall(), mec("10"));
}

/// Gives Anna 50 MEC of temporary balance and an advert for 10 MEC, which waits for its escrow.
async fn rich() -> (Market, Chain, Trader, AdvertId) {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.brings(&anna, market.mec, mec("50")).await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    (market, chain, anna, advert)
}

#[tokio::test]
async fn what_was_there_before_completes_it_if_its_owner_says_so() {
    let (market, _, anna, advert) = rich().await;
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().balance, mec("50"));
    let target = FundingTarget::Advert(advert);
    let (once, what) = ("once", CommandKind::FundFromBalance { target, amount: mec("50") });
    let answer = anna.asks_under(once, what.clone()).await.unwrap();
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    let holding = anna.holds(market.mec).await;
    assert_eq!((holding.temporary, holding.in_adverts), (mec("40"), mec("10")), "no more is taken than is missing");
    market.is_sound().await;
    assert_eq!(anna.asks_under(once, what).await, Ok(answer), "the same again is answered the same");
    assert_eq!(anna.offers(target, mec("1")).await, Err(Refusal::Stale));
    assert_eq!(anna.holds(market.mec).await.temporary, mec("40"));
    assert_eq!(anna.was_told().await, ["ADVERT_CONFIRMED"]);
}

#[tokio::test]
async fn a_part_from_the_balance_and_a_part_from_the_chain_complete_it() {
    let (market, mut chain, anna, advert) = rich().await;
    anna.offers(FundingTarget::Advert(advert), mec("4")).await.unwrap();
    let waiting = anna.sees_advert(advert).await.unwrap().request.unwrap();
    assert_eq!((waiting.request.shortfall(), waiting.balance), (mec("6"), mec("46")));
    market.is_sound().await;
    chain.brings(&anna, market.mec, mec("6")).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.has_free(market.mec).await, mec("46"));
    market.is_sound().await;
}

#[tokio::test]
async fn nobody_gives_what_is_not_there_or_to_whom_it_is_not_theirs() {
    let (market, _, anna, advert) = rich().await;
    let (ben, target) = (market.trader().await, FundingTarget::Advert(advert));
    let available = Shown { amount: mec("50"), decimals: 18 };
    assert_eq!(anna.offers(target, mec("50.1")).await, Err(Refusal::BalanceShort { available }));
    assert!(matches!(anna.offers(target, mec("0")).await, Err(Refusal::Invalid { field: "fromBalance", .. })));
    assert_eq!(ben.offers(target, mec("1")).await, Err(Refusal::AdvertMissing));
    anna.offers(target, mec("4")).await.unwrap();
    let available = Shown { amount: mec("46"), decimals: 18 };
    assert_eq!(anna.offers(target, mec("46.1")).await, Err(Refusal::BalanceShort { available }));
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().request.funded, mec("4"));
    market.is_sound().await;
}

#[tokio::test]
async fn a_held_account_gives_nothing_away() {
    let (market, _, anna, advert) = rich().await;
    market.sql(&format!("update users set held_until = '2100-01-01T00:00:00Z' where id = '{}'", anna.id())).await;
    assert!(matches!(anna.offers(FundingTarget::Advert(advert), mec("4")).await, Err(Refusal::HeldUntil { .. })));
    assert_eq!(anna.has_free(market.mec).await, mec("50"));
    assert_eq!(market.advert_state(advert).await, "CREATING");
}

#[tokio::test]
async fn an_offer_to_an_advert_that_expires_is_temporary_balance_still() {
    let (market, _, anna, advert) = rich().await;
    anna.offers(FundingTarget::Advert(advert), mec("4")).await.unwrap();
    market.waits(minutes(60)).await;
    market.clock_strikes().await;
    assert_eq!(ended_as(&market, advert).await, EndReason::Expired);
    assert_eq!(anna.has_free(market.mec).await, mec("50"));
    market.is_sound().await;
}

#[tokio::test]
async fn another_coin_ends_the_creation_and_goes_back() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.brings(&anna, market.mec, mec("3")).await;
    chain.brings(&anna, market.usdt, usdt("25")).await;
    assert_eq!(ended_as(&market, advert).await, EndReason::WrongDeposit);
    let (mecs, dollars) = (anna.holds(market.mec).await, anna.holds(market.usdt).await);
    assert_eq!((mecs.temporary, dollars.temporary, dollars.in_flight), (mec("3"), usdt("0"), usdt("24.9")));
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.usdt };
    assert_eq!(market.balance(vault_asset.gas()).await, usdt("0.1"));
    market.is_sound().await;
    chain.settles().await;
    assert_eq!(anna.holds(market.usdt).await.in_flight, usdt("0"));
    assert_eq!(market.balance(vault_asset.custody()).await, usdt("0.1"));
    assert_eq!(anna.was_told().await, ["WRONG_DEPOSIT", "ADVERT_CANCELLED"]);
    chain.brings(&anna, market.mec, mec("7")).await;
    assert_eq!(anna.has_free(market.mec).await, mec("10"), "what comes after the end is temporary balance");
    market.is_sound().await;
}

#[tokio::test]
async fn a_strangers_coin_ends_no_creation_and_is_temporary_balance() {
    let (market, mut chain, anna, advert) = waiting().await;
    let coins = Chain::from_a_stranger(&chain.coins(&anna, market.usdt, usdt("0.02")));
    chain.mines_coins([coins]).await;
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "CREATING");
    assert_eq!(anna.has_free(market.usdt).await, usdt("0.02"));
    let much = Chain::from_a_stranger(&chain.coins(&anna, market.usdt, usdt("1000")));
    chain.mines_coins([much]).await;
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "CREATING", "however much it is");
    assert_eq!(anna.has_free(market.usdt).await, usdt("1000.02"));
    chain.brings(&anna, market.mec, mec("10")).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.was_told().await, ["ADVERT_CONFIRMED"]);
    market.is_sound().await;
}

#[tokio::test]
async fn coins_of_which_nobody_knows_who_sent_them_end_no_creation() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    let advert = anna.posts(anna.usdt_for_krw("10", "1400")).await.unwrap();
    chain.mines(3).await;
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("5")).await, 1, "a contract sent it");
    assert_eq!(market.advert_state(advert).await, "CREATING");
    assert_eq!(anna.has_free(market.mec).await, mec("5"));
    market.is_sound().await;
}

#[tokio::test]
async fn another_coin_that_is_dust_or_less_than_its_gas_is_kept() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.brings(&anna, market.usdt, usdt("0.01")).await;
    assert_eq!(market.advert_state(advert).await, "CREATING", "dust");
    assert_eq!(anna.has_free(market.usdt).await, usdt("0.01"));
    chain.brings(&anna, market.usdt, usdt("0.1")).await;
    assert_eq!(ended_as(&market, advert).await, EndReason::WrongDeposit);
    assert_eq!(anna.has_free(market.usdt).await, usdt("0.11"), "not above the gas of its own return");
    market.is_sound().await;
}

#[tokio::test]
async fn another_coin_ends_nothing_once_the_escrow_is_seen() {
    let (market, mut chain, anna, advert) = waiting().await;
    let wrong = chain.coins(&anna, market.usdt, usdt("25"));
    chain.mines_coins([wrong]).await;
    chain.shows(&anna, market.mec, mec("10")).await;
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.has_free(market.usdt).await, usdt("25"));
    market.is_sound().await;
}

#[tokio::test]
async fn another_coin_in_the_very_block_of_the_escrow_ends_nothing() {
    let (market, mut chain, anna, advert) = waiting().await;
    let mut wrong = chain.coins(&anna, market.usdt, usdt("25"));
    wrong.position = -2;
    let mut right = chain.coins(&anna, market.mec, mec("10"));
    right.position = -1;
    chain.mines_coins([wrong, right]).await;
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "ONLINE", "its deadline was met when the block was seen");
    assert_eq!(anna.has_free(market.usdt).await, usdt("25"));
    market.is_sound().await;
}

#[tokio::test]
async fn nobody_cancels_while_the_escrow_is_on_its_way() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.shows(&anna, market.mec, mec("10")).await;
    assert_eq!(anna.ends(advert).await, Err(Refusal::AdvertState));
    assert_eq!(anna.sees_advert(advert).await.unwrap().actions, [Action::CheckDeposit]);
    market.waits(minutes(31)).await;
    market.clock_strikes().await;
    assert_eq!(market.advert_state(advert).await, "CREATING");
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
}

#[tokio::test]
async fn coins_that_vanish_no_longer_hold_the_end_back() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.shows(&anna, market.mec, mec("10")).await;
    market.waits(minutes(31)).await;
    market.clock_strikes().await;
    assert_eq!(market.advert_state(advert).await, "CREATING");
    chain.reorganises(1, vec![Contents::default(); 2]).await;
    assert_eq!(market.advert_state(advert).await, "CREATING", "only the clock ends it");
    market.clock_strikes().await;
    assert_eq!(ended_as(&market, advert).await, EndReason::Expired);
    market.is_sound().await;
}

#[tokio::test]
async fn its_owner_gives_up_and_keeps_what_came() {
    let (market, mut chain, anna, advert) = waiting().await;
    chain.brings(&anna, market.mec, mec("3")).await;
    anna.ends(advert).await.unwrap();
    assert_eq!(ended_as(&market, advert).await, EndReason::OwnerCancelled);
    assert_eq!(anna.has_free(market.mec).await, mec("3"));
    anna.withdraws(market.mec).await.unwrap();
    market.is_sound().await;
    anna.manages(advert, domain::adverts::AdvertCommand::Delete).await.unwrap();
    let (adverts, total) = app::adverts::page(&market.context, anna.id(), None, 0, 10).await.unwrap();
    assert!(adverts.is_empty() && total == 0);
}

#[tokio::test]
async fn the_escrow_of_somebody_offline_comes_online_with_them() {
    let (market, mut chain, anna, advert) = waiting().await;
    anna.switches(false).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    assert_eq!(market.advert_state(advert).await, "OFFLINE");
    assert_eq!(anna.takes(advert, true).await, Err(Refusal::AdvertiserOffline));
    anna.switches(true).await.unwrap();
    assert_eq!(market.advert_state(advert).await, "ONLINE");
}

#[tokio::test]
async fn one_advert_at_a_time_waits_for_a_coin() {
    let (market, mut chain, anna, advert) = waiting().await;
    assert_eq!(anna.posts(anna.mec_for_usdt("5", "2")).await, Err(Refusal::FundingRequestOpen));
    let dollars = anna.posts(anna.usdt_for_krw("10", "1400")).await.unwrap();
    chain.brings(&anna, market.usdt, usdt("10")).await;
    assert_eq!(market.advert_state(dollars).await, "ONLINE", "each coin goes where it is asked for");
    assert_eq!(market.advert_state(advert).await, "CREATING");
    anna.ends(advert).await.unwrap();
    anna.posts(anna.mec_for_usdt("5", "2")).await.unwrap();
}

#[tokio::test]
async fn what_comes_to_nobody_or_of_an_unknown_token_is_passed_over() {
    let (market, mut chain, anna, advert) = waiting().await;
    let mut nobody = chain.coins(&anna, market.mec, mec("10"));
    nobody.to = domain::chain::Address([0x55; 20]);
    let mut unknown = chain.coins(&anna, market.mec, mec("10"));
    unknown.token = domain::chain::Token::Erc20(domain::chain::Address([0x66; 20]));
    let nothing = chain.coins(&anna, market.mec, mec("0"));
    chain.mines_coins([nobody, unknown, nothing]).await;
    assert_eq!(chain.confirms().await.deposits, 0);
    assert_eq!(market.advert_state(advert).await, "CREATING");
    assert_eq!(anna.has_free(market.mec).await, mec("0"));
}
