//! Voided payouts, and the appeals that the platform files about orders that nothing else moves.

use app::appeals::{Decided, Rules};
use chrono::Duration;
use domain::chain::{Address, SettlementOutcome, Transfer, TxHash};
use domain::ids::OrderId;
use domain::order_log::{Content, TransactionKind, TransactionReference};
use domain::orders::Undecidable;
use domain::trade::Party;
use store::console::audit::Subject;
use testkit::market::{Contents, Market, mec, minutes, usdt};

use crate::Stage;

/// Decides the appeal about an order, waits until the verdict is executed, and returns the order's new state.
pub(crate) async fn executed(market: &Market, order: OrderId, winner: Party) -> &'static str {
    assert!(matches!(market.decided(order, winner).await, Decided::Done(_)));
    market.waits(Rules::default().verdict_delay).await;
    market.clock_strikes().await;
    market.is_sound().await;
    market.state(order).await
}

const NOT_OPEN: Decided = Decided::Refused(Undecidable::NotOpen);

async fn acts(market: &Market, order: OrderId) -> Vec<String> {
    let (mut tx, _) = market.context.begin().await.unwrap();
    let order = store::orders::read(&mut tx, &[order]).await.unwrap().pop().unwrap();
    let Some(appeal) = order.appeal else { return Vec::new() };
    testkit::market::officers::decisions_on(&mut tx, Subject::Appeal(appeal.id)).await
}

/// Replaces the outcome of each leg in a signed batch.
fn instead(mut contents: Contents, outcome: SettlementOutcome) -> Contents {
    contents.settlements.iter_mut().for_each(|settlement| settlement.outcome = outcome);
    contents.transfers.clear();
    contents
}

impl Stage {
    /// Settles all owed payouts with this outcome, in a final block.
    async fn all_end(&mut self, outcome: SettlementOutcome) -> Contents {
        let contents = instead(self.chain.signs().await, outcome);
        self.chain.mines_blocks([contents.clone()]).await;
        self.chain.confirms().await;
        self.market.is_sound().await;
        contents
    }
}

#[tokio::test]
async fn a_voided_release_opens_a_case_and_the_officer_pays_it_under_a_new_reference() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    assert_eq!(stage.market.decided(order, Party::Buyer).await, NOT_OPEN);
    stage.all_end(SettlementOutcome::Voided).await;
    assert!(stage.market.order(order).await.progress.voided.is_some());
    assert!(stage.ben.was_told().await.contains(&"PAYOUT_VOIDED".to_owned()));
    assert_eq!(stage.chain.signs().await, Contents::default(), "nothing is paid before it is decided");

    assert_eq!(executed(&stage.market, order, Party::Buyer).await, "RELEASING");
    let acts_so_far = ["olga propose_buyer: the papers are clear", "otto decide_buyer: the papers are clear"];
    assert_eq!(acts(&stage.market, order).await, acts_so_far);
    assert!(stage.anna.was_told().await.contains(&"ORDER_DECIDED".to_owned()));
    stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.count("select count(*) from payout_legs").await, 2, "a new reference");
    let vault_asset = domain::ledger::VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    assert_eq!(stage.market.balance(vault_asset.fees()).await, mec("0.004"), "one fee");
    stage.market.is_sound().await;
    assert!(matches!(stage.market.decided(order, Party::Buyer).await, Decided::Done(_)), "a repeated decision");
    assert_eq!(stage.market.decided(order, Party::Seller).await, NOT_OPEN);
    assert_eq!(acts(&stage.market, order).await.len(), 2);
}

#[tokio::test]
async fn a_voided_release_that_is_decided_for_the_seller_goes_back_to_the_advert_with_its_fee() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    stage.all_end(SettlementOutcome::Voided).await;
    assert_eq!(executed(&stage.market, order, Party::Seller).await, "CANCELLED");
    let advert = stage.market.advert(stage.advert).await;
    assert_eq!((advert.remaining, advert.escrow, advert.running), (mec("10"), mec("10"), 0));
    assert_eq!((stage.anna.reputation().await, stage.ben.reputation().await), (100, 100));
    assert_eq!(stage.chain.signs().await, Contents::default());
}

/// A trade repays the last unit of a debt, and no deposit does: the vault may pay again, as after a deposit.
#[tokio::test]
async fn coins_that_a_voided_release_gives_back_repay_the_debt_of_the_vault_and_lift_its_stop() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("10").await;
    let sent = stage.chain.settles().await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED", "sold out");
    stage.chain.reorganises(6, vec![Contents::default(); 7]).await;
    let vault_asset = domain::ledger::VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("10"));
    let stops = "select count(*) from vault_stops where cause = 'debt'";
    assert_eq!(stage.market.count(stops).await, 1);

    stage.chain.mines_blocks([instead(sent, SettlementOutcome::Voided)]).await;
    stage.chain.confirms().await;
    assert_eq!(executed(&stage.market, order, Party::Seller).await, "CANCELLED");
    assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
    assert_eq!(stage.market.count(stops).await, 0);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_void_that_leaves_the_chain_closes_its_case() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let voided = stage.all_end(SettlementOutcome::Voided).await;
    stage.chain.reorganises(3, vec![Contents::default(); 3]).await;
    stage.market.is_sound().await;
    assert_eq!(stage.market.order(order).await.progress.voided, None);
    assert_eq!(stage.market.decided(order, Party::Buyer).await, NOT_OPEN);
    stage.chain.mines_blocks([instead(voided, SettlementOutcome::Paid)]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn half_of_a_pair_that_is_voided_decides_nothing_until_the_other_is_voided_too() {
    for order_of_voids in [[0, 1], [1, 0]] {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        let order = ben.orders(advert, "4").await.unwrap();
        chain.brings(&ben, market.usdt, usdt("10")).await;
        let signed = instead(chain.signs().await, SettlementOutcome::Voided);
        for (count, leg) in (1..).zip(order_of_voids) {
            assert!(market.order(order).await.progress.voided.is_none());
            let mut settlement = signed.settlements[leg];
            settlement.tx = TxHash([0x70 + u8::try_from(count).unwrap(); 32]);
            let void = Contents { settlements: vec![settlement], ..Contents::default() };
            chain.mines_blocks([void]).await;
            chain.confirms().await;
            market.is_sound().await;
            market.sql("update payout_attempts set done_at = signed_at").await;
            assert_eq!(chain.signs().await, Contents::default(), "{count}: no half is ever paid");
            let failing = app::console::failing(&market.context).await.unwrap();
            assert_eq!(failing.len(), 2 - count, "the other half is reported");
        }
        assert!(market.order(order).await.progress.voided.is_some());
        let log = market.log(order).await;
        let voids = log.iter().flat_map(|entry| match &entry.content {
            Content::System { details, .. } => details.transactions.clone(),
            _ => Vec::new(),
        });
        let both = [1, 2]
            .map(|number| TransactionReference { kind: TransactionKind::Void, hash: TxHash([0x70 + number; 32]) });
        assert_eq!(voids.collect::<Vec<_>>(), both);
        assert_eq!(executed(&market, order, Party::Seller).await, "REFUNDING");
        assert_eq!(market.advert(advert).await.escrow, mec("10"));
        chain.settles().await;
        assert_eq!(market.state(order).await, "CANCELLED");
        let holding = ben.holds(market.usdt).await;
        let escrowed = (holding.in_adverts, holding.in_orders);
        assert_eq!(escrowed, (usdt("0"), usdt("0")), "refunded to the buyer on the chain");
        market.is_sound().await;
    }
}

#[tokio::test]
async fn a_voided_return_is_made_again_under_a_new_reference() {
    let mut stage = Stage::set().await;
    stage.anna.ends(stage.advert).await.unwrap();
    let first = stage.all_end(SettlementOutcome::Voided).await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "REVOKING");
    let again = stage.chain.signs().await;
    assert_ne!(again.settlements[0].reference, first.settlements[0].reference);
    stage.chain.mines_blocks([again]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED");
    let vault_asset = domain::ledger::VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    assert_eq!(stage.market.balance(vault_asset.custody()).await, mec("0.001"), "the gas, once");
    stage.market.is_sound().await;
}

/// The second payout of an ad or order waits while the first one is owed again. Once the first one is voided again, no coin is
/// left where nobody can use it, and the vault may pay.
#[tokio::test]
async fn a_void_that_leaves_the_chain_after_its_coins_were_paid_again_and_returns_strands_nothing() {
    for (returned, state) in [(true, "CANCELLED"), (false, "COMPLETED")] {
        let mut stage = Stage::set().await;
        let vault_asset = domain::ledger::VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
        let order = if returned { None } else { Some(stage.releasing("10").await) };
        if returned {
            stage.anna.ends(stage.advert).await.unwrap();
        }
        let voided = stage.all_end(SettlementOutcome::Voided).await;
        if let Some(order) = order {
            assert_eq!(executed(&stage.market, order, Party::Buyer).await, "RELEASING");
        }
        assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
        stage.chain.reorganises(3, vec![Contents::default(); 3]).await;
        stage.market.is_sound().await;
        assert_ne!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"), "owed twice");
        assert_eq!(stage.chain.signs().await, Contents::default(), "nothing is paid twice");

        stage.chain.mines_blocks([voided]).await;
        stage.chain.confirms().await;
        stage.market.is_sound().await;
        assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
        assert_eq!(stage.market.count("select count(*) from vault_stops where cause = 'debt'").await, 0);
        stage.market.sql("delete from payout_stops").await;
        stage.chain.settles().await;
        match order {
            Some(order) => assert_eq!(stage.market.state(order).await, state),
            None => assert_eq!(stage.market.advert_state(stage.advert).await, state),
        }
        stage.market.is_sound().await;
    }
}

/// The coins of the voided payout were given to the order's second payout. The seller's own coins cover the first one when its void
/// leaves the chain, so there is no debt; it must not be paid all the same.
#[tokio::test]
async fn a_payout_whose_coins_were_given_to_another_is_never_paid_even_if_its_vault_has_enough() {
    for winner in [Party::Buyer, Party::Seller] {
        let mut stage = Stage::set().await;
        let vault_asset = domain::ledger::VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
        let order = stage.releasing("10").await;
        stage.chain.brings(&stage.anna, stage.market.mec, mec("30")).await;
        let voided = stage.all_end(SettlementOutcome::Voided).await;
        executed(&stage.market, order, winner).await;
        stage.chain.reorganises(3, vec![Contents::default(); 3]).await;
        stage.market.is_sound().await;
        assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"), "no debt");
        assert_ne!(stage.market.count("select count(*) from payout_stops").await, 0, "an alarm");

        // An administrator finds that chain and ledger agree, and resumes the payouts.
        stage.market.sql("delete from payout_stops").await;
        stage.market.sql("update payout_attempts set done_at = signed_at").await;
        let first = voided.settlements[0].reference;
        let failing = app::console::failing(&stage.market.context).await.unwrap();
        let [reported] = &failing[..] else { panic!("{failing:?}") };
        assert_eq!((reported.failing.leg.reference, reported.failing.to_be_voided), (first, true));
        let settled = stage.chain.settles().await;
        assert!(settled.settlements.iter().all(|paid| paid.reference != first), "paid twice: {settled:?}");
        let state = if winner == Party::Buyer { "COMPLETED" } else { "CANCELLED" };
        assert_eq!(stage.market.state(order).await, state);

        stage.chain.mines_blocks([voided]).await;
        stage.chain.confirms().await;
        assert!(app::console::failing(&stage.market.context).await.unwrap().is_empty());
        stage.market.is_sound().await;
    }
}

/// Coins that became temporary balance, because their owner may not withdraw, are taken from there.
#[tokio::test]
async fn a_void_that_leaves_the_chain_after_its_coins_became_temporary_balance_takes_them_back() {
    let mut stage = Stage::set().await;
    stage.anna.ends(stage.advert).await.unwrap();
    stage.market.sql("update users set withdrawal_forbidden = true").await;
    let voided = stage.all_end(SettlementOutcome::Voided).await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED");
    let free = stage.anna.has_free(stage.market.mec).await;
    assert_ne!(free, mec("0"));

    stage.chain.reorganises(3, vec![Contents::default(); 3]).await;
    let holding = stage.anna.holds(stage.market.mec).await;
    assert_eq!((holding.temporary, holding.in_flight, holding.debt), (mec("0"), free, mec("0")));
    stage.market.is_sound().await;

    stage.chain.mines_blocks([voided]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.anna.has_free(stage.market.mec).await, free);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_platform_appeals_if_the_seller_does_not_confirm_for_seven_days() {
    for (winner, state, loser) in [(Party::Buyer, "RELEASING", 0), (Party::Seller, "CANCELLED", 1)] {
        let stage = Stage::set().await;
        let order = stage.paid("4").await;
        let due = stage.market.order(order).await.state.deadline().unwrap().at;
        stage.market.at(due).await;
        stage.market.clock_strikes().await;
        stage.market.at(due + Duration::days(7) - Duration::microseconds(1)).await;
        stage.market.clock_strikes().await;
        assert_eq!(stage.market.decided(order, winner).await, NOT_OPEN);
        assert_eq!(acts(&stage.market, order).await, Vec::<String>::new());
        stage.market.at(due + Duration::days(7)).await;
        stage.market.clock_strikes().await;
        assert!(stage.ben.was_told().await.contains(&"APPEAL_FILED".to_owned()));
        assert_eq!(executed(&stage.market, order, winner).await, state);
        let mut reputations = [100, 100];
        reputations[loser] = 80;
        assert_eq!([stage.anna.reputation().await, stage.ben.reputation().await], reputations);
    }
}

#[tokio::test]
async fn the_platform_appeals_if_a_payment_was_seen_and_the_buyer_is_gone() {
    for (winner, state) in [(Party::Buyer, "RELEASING"), (Party::Seller, "CANCELLED")] {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_usdt("10", "2")).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        let stage = Stage { market: market.clone(), chain, anna, ben, advert };
        let order = stage.accepted("4").await;
        let Stage { mut chain, anna, ben, .. } = stage;
        let to: Address = anna.user.receiving.as_ref().unwrap().address.parse().unwrap();
        let payment = Transfer { to, ..chain.coins(&ben, market.usdt, usdt("8")) };
        chain.mines_coins([payment]).await;
        market.waits(minutes(16)).await;
        market.clock_strikes().await;
        market.waits(minutes(10)).await;
        market.clock_strikes().await;
        assert_eq!(market.state(order).await, "AWAITING_PAYMENT", "only an officer can decide it");
        assert_eq!(market.decided(order, winner).await, NOT_OPEN);
        market.waits(Duration::days(7)).await;
        market.clock_strikes().await;
        assert_eq!(executed(&market, order, winner).await, state);
    }
}

#[tokio::test]
async fn the_platform_appeals_if_the_deposit_of_a_frozen_order_does_not_return() {
    let mut stage = Stage::set().await;
    let order = stage.paid("4").await;
    stage.chain.reorganises(3, vec![Contents::default(); 4]).await;
    assert!(stage.market.order(order).await.frozen.is_some());
    stage.market.waits(Duration::days(7)).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.decided(order, Party::Buyer).await, Decided::Refused(Undecidable::Short));
    assert_eq!(executed(&stage.market, order, Party::Seller).await, "CANCELLED");
    // Coins that return later belong to their owner.
    stage.chain.brings(&stage.anna, stage.market.mec, mec("10")).await;
    stage.market.is_sound().await;
}

#[tokio::test]
async fn there_must_be_such_an_order() {
    let market = Market::open().await;
    assert_eq!(market.decided(OrderId(uuid::Uuid::nil()), Party::Buyer).await, Decided::Unknown);
}

#[tokio::test]
async fn a_redirection_is_decided_after_three_refusals_over_an_hour_and_the_chain_says_whom_it_paid() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let redirected = "select count(*) from payout_legs where redirected_at is not null";
    let first = stage.all_end(SettlementOutcome::Rejected).await;
    for wait in [20, 20, 19] {
        stage.market.waits(minutes(wait)).await;
        stage.all_end(SettlementOutcome::Rejected).await;
    }
    assert_eq!(stage.market.count(redirected).await, 0, "59 minutes");
    stage.market.waits(minutes(16)).await;
    stage.all_end(SettlementOutcome::Rejected).await;
    assert_eq!(stage.market.count(redirected).await, 1);
    assert!(stage.ben.was_told().await.contains(&"PAYOUT_REDIRECTED".to_owned()));
    let sent = stage.chain.signs().await;
    assert_eq!(sent.transfers[0].to, stage.ben.user.vault, "at once, under the same reference");
    assert_eq!(sent.settlements[0].reference, first.settlements[0].reference);
    // Instead, an older transaction is mined, which pays to the old address.
    stage.chain.mines_blocks([instead(first, SettlementOutcome::Paid)]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.ben.has_free(stage.market.mec).await, mec("0"), "it went to his own address");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_a_redirected_leg_brings_into_a_vault_leaves_the_chain_with_it_and_comes_back_with_it() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    for _ in 0..4 {
        stage.all_end(SettlementOutcome::Rejected).await;
        stage.market.waits(minutes(30)).await;
    }
    let sent = stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.ben.has_free(stage.market.mec).await, mec("3.996"));
    stage.market.is_sound().await;
    stage.chain.reorganises(3, vec![Contents::default(); 4]).await;
    assert_eq!(stage.market.state(order).await, "RELEASE_REVOKED");
    assert_eq!(stage.ben.has_free(stage.market.mec).await, mec("0"));
    stage.market.is_sound().await;
    stage.chain.mines_blocks([sent]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.ben.has_free(stage.market.mec).await, mec("3.996"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn legs_that_fail_for_another_reason_go_nowhere_else_and_are_reported() {
    let mut stage = Stage::set().await;
    stage.releasing("4").await;
    for times in 1..=4 {
        stage.all_end(SettlementOutcome::Failed).await;
        stage.market.waits(minutes(60)).await;
        let failing = app::console::failing(&stage.market.context).await.unwrap();
        assert_eq!(failing.len(), usize::from(times >= 3), "{times}");
    }
    let failing = app::console::failing(&stage.market.context).await.unwrap();
    let told = failing[0].to_string();
    assert!(told.contains("reference 1 (release of 3.996 MEC to 0x") && told.contains("failed 4 times"), "{told}");
    assert_eq!(stage.market.count("select count(*) from payout_legs where redirected_at is not null").await, 0);
}
