//! Reorganizations that remove deposits before and after their coins were used, and ranges that are applied twice.

use domain::chain::SettlementOutcome;
use domain::ledger::VaultAsset;
use domain::orders::{Action, Frozen};
use domain::refusal::Refusal;
use testkit::market::{Contents, Market, krw, mec, minutes, usdt};
use testkit::noon;

use crate::Stage;

fn block(transfer: &domain::chain::Transfer) -> Contents {
    Contents { transfers: vec![transfer.clone()], settlements: Vec::new() }
}

fn empty(count: usize) -> Vec<Contents> {
    vec![Contents::default(); count]
}

#[tokio::test]
async fn a_deposit_that_was_only_seen_vanishes_without_a_trace() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.shows(&anna, market.mec, mec("10")).await;
    chain.mines(1).await;
    let applied = chain.reorganises(2, empty(4)).await;
    assert_eq!((applied.deposits, applied.revoked), (0, 0));
    let waiting = anna.sees_advert(advert).await.unwrap().request.unwrap();
    assert_eq!((waiting.seen, waiting.transfers.len()), (mec("0"), 0));
    assert_eq!(market.advert_state(advert).await, "CREATING");
    market.is_sound().await;
}

#[tokio::test]
async fn a_removed_deposit_that_funded_nothing_is_reverted() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let part = chain.brings(&anna, market.mec, mec("6")).await;
    let applied = chain.reorganises(3, empty(4)).await;
    assert_eq!(applied.revoked, 1);
    assert_eq!(anna.has_free(market.mec).await, mec("0"));
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().request.shortfall(), mec("10"));
    market.is_sound().await;
    chain.brings(&anna, market.mec, mec("4")).await;
    assert_eq!(market.advert_state(advert).await, "CREATING");
    chain.mines_coins([part]).await;
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    market.is_sound().await;
}

#[tokio::test]
async fn an_advert_whose_escrow_is_gone_freezes_until_it_is_back() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let coins = chain.brings(&anna, market.mec, mec("10")).await;
    chain.reorganises(3, empty(4)).await;
    let frozen = market.advert(advert).await;
    assert_eq!((frozen.escrow, frozen.frozen.unwrap().missing), (mec("0"), mec("10")));
    assert_eq!(ben.orders(advert, "1").await, Err(Refusal::AdvertState));
    market.is_sound().await;
    chain.mines_coins([coins]).await;
    chain.confirms().await;
    assert_eq!((market.advert(advert).await.frozen, market.advert(advert).await.escrow), (None, mec("10")));
    ben.orders(advert, "1").await.unwrap();
    assert_eq!(anna.was_told().await, ["ADVERT_CONFIRMED", "ADVERT_FROZEN", "ADVERT_UNFROZEN", "NEW_ORDER"]);
    market.is_sound().await;
}

#[tokio::test]
async fn a_deposit_that_only_moved_to_another_block_freezes_nothing() {
    let mut stage = Stage::set().await;
    let again = stage.chain.contents_of_newest(3);
    stage.chain.reorganises(3, again.into_iter().chain(empty(1))).await;
    let advert = stage.market.advert(stage.advert).await;
    assert_eq!((advert.frozen, advert.escrow), (None, mec("10")));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_is_free_is_taken_first_and_freezes_nothing() {
    let mut stage = Stage::set().await;
    stage.chain.brings(&stage.anna, stage.market.mec, mec("3")).await;
    stage.chain.reorganises(3, empty(3)).await;
    assert_eq!(stage.market.advert(stage.advert).await.frozen, None);
    assert_eq!(stage.anna.has_free(stage.market.mec).await, mec("0"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn an_order_whose_escrow_is_gone_freezes_and_keeps_its_time() {
    let mut stage = Stage::set().await;
    let coins = stage.chain.contents_of_newest(3);
    let order = stage.accepted("4").await;
    stage.market.at(noon() + minutes(6)).await;
    stage.chain.reorganises(3, empty(4)).await;
    let frozen = stage.market.order(order).await;
    assert_eq!(frozen.frozen, Some(Frozen { since: noon() + minutes(6), base: mec("4"), quote: mec("0") }));
    assert_eq!(stage.market.advert(stage.advert).await.frozen.unwrap().missing, mec("6"));
    assert_eq!(stage.ben.cancels(order).await, Err(Refusal::Frozen));
    let offers = stage.ben.sees(order).await.unwrap().actions;
    assert_eq!(offers.0.iter().map(|offer| offer.action).collect::<Vec<_>>(), [Action::MarkPaid]);
    stage.market.is_sound().await;

    stage.market.at(noon() + minutes(200)).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT", "the deadline is suspended");
    stage.chain.mines_blocks(coins).await;
    let unfrozen = stage.market.order(order).await;
    assert_eq!(unfrozen.frozen, None);
    assert_eq!(
        unfrozen.state.deadline().unwrap().at,
        noon() + minutes(200 + 10),
        "with the ten minutes that were left"
    );
    assert_eq!(stage.market.advert(stage.advert).await.frozen, None);
    stage.market.is_sound().await;
    stage.ben.marks_paid(order).await.unwrap();
    stage.anna.confirms(order).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert!(
        stage
            .ben
            .was_told()
            .await
            .starts_with(&["ORDER_ACCEPTED", "ORDER_FROZEN", "ORDER_UNFROZEN"].map(str::to_owned))
    );
}

#[tokio::test]
async fn a_buyer_who_has_paid_may_say_so_though_the_order_is_frozen() {
    let mut stage = Stage::set().await;
    let coins = stage.chain.contents_of_newest(3);
    let order = stage.accepted("4").await;
    stage.chain.reorganises(3, empty(4)).await;
    stage.ben.marks_paid(order).await.unwrap();
    assert_eq!(stage.anna.confirms(order).await, Err(Refusal::Frozen), "there is nothing to release");
    stage.chain.mines_blocks(coins).await;
    stage.anna.confirms(order).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_removed_payment_of_an_automatic_order_is_a_debt_and_stops_payouts() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "4").await.unwrap();
    chain.brings(&ben, market.usdt, usdt("10")).await;
    assert_eq!(market.state(order).await, "RELEASING");
    chain.reorganises(3, empty(3)).await;
    let vault_asset = VaultAsset { vault: ben.id(), asset: market.usdt };
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, usdt("10"));
    assert_eq!(chain.signs().await, Contents::default(), "payouts are stopped");
    assert_eq!(ben.withdraws(market.mec).await, Err(Refusal::MoneyStopped));
    market.is_sound().await;
}

#[tokio::test]
async fn an_automatic_order_that_was_paid_while_frozen_releases_when_it_is_unfrozen() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    let escrow = chain.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "4").await.unwrap();
    let payment = chain.shows(&ben, market.usdt, usdt("10")).await;
    chain.reorganises(4, [block(&payment), Contents::default(), Contents::default(), Contents::default()]).await;
    let frozen = market.order(order).await;
    assert_eq!((frozen.state.into_str(), frozen.frozen.is_some()), ("AWAITING_PAYMENT", true));
    assert!(frozen.progress.payment_funded_at.is_some(), "funded, but held");
    market.is_sound().await;
    chain.mines_coins([escrow]).await;
    chain.confirms().await;
    assert_eq!(market.state(order).await, "RELEASING");
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    market.is_sound().await;
}

#[tokio::test]
async fn what_comes_back_goes_first_to_what_is_frozen_and_the_rest_to_what_waits() {
    let mut stage = Stage::set().await;
    stage.chain.reorganises(3, empty(4)).await;
    let second = stage.anna.posts(stage.anna.mec_for_krw("5", "1000")).await.unwrap();
    stage.chain.brings(&stage.anna, stage.market.mec, mec("12")).await;
    assert_eq!(stage.market.advert(stage.advert).await.frozen, None);
    assert_eq!(stage.anna.sees_advert(second).await.unwrap().request.unwrap().request.shortfall(), mec("3"));
    stage.chain.brings(&stage.anna, stage.market.mec, mec("3")).await;
    assert_eq!(stage.market.advert_state(second).await, "ONLINE");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_part_of_what_a_frozen_order_misses_is_kept_for_it_while_an_advert_is_in_creation() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.usdt_for_krw("10", "1400")).await.unwrap();
    chain.brings(&anna, market.usdt, usdt("10")).await;
    let place = ben.order_for(advert, usdt("10")).await;
    let order = ben.asks(app::commands::CommandKind::PlaceOrder(place)).await.unwrap();
    let order = domain::ids::OrderId(order.id.unwrap());
    anna.accepts(order).await.unwrap();
    chain.reorganises(3, empty(4)).await;
    assert!(market.order(order).await.frozen.is_some());
    let second = anna.posts(anna.mec_for_krw("5", "1000")).await.unwrap();
    chain.brings(&anna, market.usdt, usdt("6")).await;
    assert_eq!(market.advert_state(second).await, "CREATING", "the frozen order asks for it");
    assert_eq!(anna.has_free(market.usdt).await, usdt("6"));
    assert!(market.order(order).await.frozen.is_some(), "and it is not enough");
    market.is_sound().await;
    let rest = [usdt("1"), usdt("3")].map(|part| chain.coins(&anna, market.usdt, part));
    chain.mines_coins(rest).await;
    chain.confirms().await;
    assert_eq!((market.order(order).await.frozen, market.advert_state(second).await), (None, "CREATING"));
    assert_eq!(anna.has_free(market.usdt).await, usdt("0"));
    market.is_sound().await;
}

#[tokio::test]
async fn a_frozen_advert_is_revoked_with_what_is_there() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.brings(&anna, market.mec, mec("4")).await;
    let late = chain.brings(&anna, market.mec, mec("6")).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    chain.reorganises(3, empty(4)).await;
    assert_eq!(market.advert(advert).await.escrow, mec("4"));
    anna.ends(advert).await.unwrap();
    chain.settles().await;
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    chain.mines_coins([late]).await;
    chain.confirms().await;
    assert_eq!(anna.has_free(market.mec).await, mec("6"), "what comes back later is temporary balance");
    market.is_sound().await;
}

#[tokio::test]
async fn the_same_range_twice_is_harmless() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    chain.wary = true;
    let anna = market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let coins = chain.coins(&anna, market.mec, mec("10"));
    chain.mines_blocks([block(&coins), Contents::default(), Contents::default()]).await;
    let (told, before) = (anna.was_told().await, market.advert(advert).await);
    for from in [1, 2, 0] {
        let applied = chain.reports(&chain.range_from(from)).await.unwrap();
        assert_eq!((applied.deposits, applied.revoked, applied.head, applied.confirmed), (0, 0, Some(3), Some(1)));
    }
    assert_eq!((anna.was_told().await, market.advert(advert).await), (told, before));
    assert_eq!(market.count("select count(*) from payout_stops").await, 0);
    chain.mines(1).await;
    market.is_sound().await;
}

#[tokio::test]
async fn a_range_that_was_read_before_another_was_applied_is_dropped_wherever_it_ends() {
    let mut stage = Stage::set().await;
    stage.chain.wary = true;
    let (mec, blocks) = (stage.market.mec, 2 * usize::try_from(testkit::market::CONFIRMATIONS).unwrap());
    let order = stage.releasing("4").await;
    let sent = stage.chain.settles().await;
    assert_eq!((stage.market.state(order).await, sent.settlements.len()), ("COMPLETED", 1));
    for slow in 1..=blocks {
        for fast in 1..=blocks {
            let before = stage.chain.head();
            let coins = stage.chain.coins(&stage.anna, mec, testkit::market::mec("1"));
            stage.chain.finds([block(&coins)].into_iter().chain(empty(slow.max(fast) - 1)));
            let mut late = stage.chain.reads(&stage.chain.range_from(before + 1)).await;
            late.blocks.truncate(slow);
            let mut first = stage.chain.reads(&stage.chain.range_from(before + 1)).await;
            first.blocks.truncate(fast);
            let applied = stage.chain.reports_late(&first).await.unwrap().unwrap();
            assert_eq!(applied.head, Some(before + u64::try_from(fast).unwrap()));
            assert_eq!(stage.chain.reports_late(&late).await.unwrap(), None, "{slow} blocks late, after {fast}");
            let stored = app::chain::known(&stage.market.context).await.unwrap().unwrap();
            assert_eq!(stored.head, applied.head, "{slow} blocks late, after {fast}");
            // The other reader continues from the same blocks.
            stage.chain.reports(&stage.chain.range_from(before + 1)).await.unwrap();
        }
    }
    stage.chain.confirms().await;
    let count = i128::try_from(blocks * blocks).unwrap();
    assert_eq!(stage.anna.has_free(mec).await.units(), count * testkit::market::mec("1").units(), "each once");
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.count("select count(*) from payout_stops").await, 0);
    assert_eq!(stage.market.count("select count(*) from deposits where revoked_at is not null").await, 0);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn known_blocks_alone_never_forget_those_above_them() {
    let mut stage = Stage::set().await;
    stage.chain.mines(4).await;
    let head = stage.chain.head();
    let mut known = stage.chain.range_from(head - 3);
    known.blocks.truncate(2);
    let applied = stage.chain.reports(&known).await.unwrap();
    assert_eq!((applied.head, applied.revoked), (Some(head), 0));
    // A different block, read on the stored blocks, replaces all blocks above it.
    let applied = stage.chain.reorganises(3, empty(1)).await;
    assert_eq!(applied.head, Some(head - 2));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_range_that_does_not_join_is_refused_whole() {
    let mut stage = Stage::set().await;
    let before = stage.chain.head();
    let coins = stage.chain.coins(&stage.anna, stage.market.mec, mec("1"));
    stage.chain.finds([block(&coins), Contents::default(), Contents::default()]);
    let refused = stage.chain.reports(&stage.chain.range_from(before + 2)).await;
    assert!(refused.is_err(), "a block is missing before it");
    let mut holed = stage.chain.range_from(before + 1);
    holed.blocks.remove(1);
    assert!(stage.chain.reports(&holed).await.is_err(), "a block is missing within it");
    let mut torn = stage.chain.range_from(before + 1);
    torn.blocks[0].place.parent = domain::chain::BlockHash([9; 32]);
    assert!(stage.chain.reports(&torn).await.is_err(), "its parent is another block");
    assert_eq!(stage.market.count("select max(number) from blocks").await, i64::try_from(before).unwrap());
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_chain_that_became_shorter_is_followed() {
    let mut stage = Stage::set().await;
    let order = stage.accepted("4").await;
    stage.chain.mines(5).await;
    let applied = stage.chain.reorganises(8, []).await;
    assert_eq!((applied.head, applied.revoked), (Some(0), 1));
    assert!(stage.market.order(order).await.frozen.is_some());
    stage.market.is_sound().await;
    let coins = stage.chain.coins(&stage.anna, stage.market.mec, mec("10"));
    stage.chain.mines_coins([coins]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.order(order).await.frozen, None);
    assert_eq!(stage.market.order(order).await.terms.total, krw("4000"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn money_that_a_reorganisation_took_stops_payouts_where_that_is_the_policy() {
    let mut stage = Stage::set().await;
    stage.chain.wary = true;
    stage.chain.mines(2).await;
    stage.chain.reorganises(2, empty(2)).await;
    assert_eq!(stage.market.count("select count(*) from payout_stops").await, 0, "nothing final was touched");
    let again = stage.chain.contents_of_newest(5);
    stage.chain.reorganises(5, again).await;
    assert_eq!(stage.market.count("select count(*) from payout_stops").await, 2, "every coin of the chain");
}

/// A reorganization removes the final settlement of a release, and no deposit. Returns the number of stopped coins.
async fn stops_after_losing(outcome: SettlementOutcome) -> i64 {
    let mut stage = Stage::set().await;
    stage.chain.wary = true;
    stage.releasing("4").await;
    let mut sent = stage.chain.signs().await;
    sent.settlements.iter_mut().for_each(|settlement| settlement.outcome = outcome);
    stage.chain.mines_blocks([sent]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.count("select count(*) from settlements where confirmed_at is not null").await, 1);
    let applied = stage.chain.reorganises(3, empty(4)).await;
    assert_eq!(applied.revoked, 0, "no deposit");
    stage.market.is_sound().await;
    stage.market.count("select count(*) from payout_stops").await
}

#[tokio::test]
async fn payouts_that_a_reorganisation_took_back_stop_payouts_as_deposits_do() {
    assert_eq!(stops_after_losing(SettlementOutcome::Paid).await, 2, "every coin of the chain");
    assert_eq!(stops_after_losing(SettlementOutcome::Voided).await, 2, "every coin of the chain");
    for nothing_spent in [SettlementOutcome::Failed, SettlementOutcome::Rejected] {
        assert_eq!(stops_after_losing(nothing_spent).await, 0, "{nothing_spent:?}");
    }
}

#[tokio::test]
async fn the_newest_final_block_stays_final_only_below_the_replaced_blocks() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    for (depth, lost) in [(1, 0), (2, 0), (3, 1), (4, 2)] {
        let before = chain.mines(5).await.confirmed.unwrap();
        assert_eq!(before, chain.head() + 1 - testkit::market::CONFIRMATIONS);
        let applied = chain.reorganises(depth, empty(1)).await;
        assert_eq!((applied.head, applied.confirmed), (Some(chain.head()), Some(before - lost)), "{depth} blocks");
    }
}
