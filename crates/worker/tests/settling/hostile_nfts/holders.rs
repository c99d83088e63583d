//! Albums that lie about the owners of their NFTs, or move what is in a vault.

use app::appeals::{Decided, Rules};
use domain::orders::CancelReason;
use domain::refusal::Refusal;
use domain::trade::Party;

use super::*;
use crate::platform::resume;

/// Payouts of the NFT are stopped for this reason.
const fn stopped(because: &'static [&'static str]) -> Seen {
    Seen { stops: because, ..STUCK }
}

const ELSEWHERE: Seen = stopped(&["holds 0 instead of 1"]);
const SILENT: Seen = stopped(&["does not report the balance"]);

async fn an_album_that_answers(what: Answers, expected: Seen) {
    let stage = Stage::set().await;
    stage.answers(what, STRANGER).await;
    stage.plays().await.is(&expected);
    let shown = stage.base.ben.sees(stage.order).await.unwrap();
    assert!(shown.paused, "Ben is warned");
    stage.answers(Answers::Honest, STRANGER).await;
    stage.watches().await;
    assert_eq!(resume(&stage.base.worker, stage.nft, "the album answers again").await, Ok(()));
    stage.base.insists().await;
    let seen = stage.seen().await;
    assert_eq!((seen.order, seen.stops), ("COMPLETED", vec![]));
}

#[tokio::test]
async fn an_album_that_names_another_owner_stops_the_payout_until_it_is_right() {
    Box::pin(an_album_that_answers(Answers::Lies, ELSEWHERE)).await;
}

#[tokio::test]
async fn an_album_that_denies_an_nft_stops_the_payout_until_it_is_right() {
    Box::pin(an_album_that_answers(Answers::Reverts, ELSEWHERE)).await;
}

#[tokio::test]
async fn an_album_that_uses_all_gas_to_answer_stops_the_payout_until_it_answers() {
    Box::pin(an_album_that_answers(Answers::UsesAllGas, SILENT)).await;
}

#[tokio::test]
async fn an_album_that_answers_nothing_stops_the_payout_until_it_answers() {
    Box::pin(an_album_that_answers(Answers::Nothing, SILENT)).await;
}

#[tokio::test]
async fn an_album_that_answers_too_much_stops_the_payout_until_it_is_right() {
    Box::pin(an_album_that_answers(Answers::TooLong, ELSEWHERE)).await;
}

/// The NFT is gone, so Anna has nothing, and Ben is told not to pay.
const GONE: Seen =
    Seen { order: "AWAITING_PAYMENT", anna: &[], anna_records: &["DEPOSIT REVOKED"], ben_records: &[], ..STUCK };

impl Stage {
    /// Moves the NFT out of Anna's vault. Zero burns it.
    async fn seizes(&self, to: Address, logged: bool) {
        self.tells("seize(address,uint256,bool)", &[padded(to), ATTACKED, word(logged.into())]).await;
    }

    /// Officers decide the appeal about the order, and everything that follows happens.
    async fn decides(&self, winner: Party) {
        assert!(matches!(self.base.market.decided(self.order, winner).await, Decided::Done(_)));
        self.base.market.waits(Rules::default().verdict_delay).await;
        self.base.market.clock_strikes().await;
        self.base.insists().await;
    }

    /// Returns the payouts that the console lists as failing, each with the references that are voided with it.
    async fn failing(&self) -> Vec<store::payouts::Failing> {
        console::failing(&self.base.worker.context).await.unwrap().into_iter().map(|one| one.failing).collect()
    }

    /// Asserts that Anna, who has lost her NFT, and Ben can withdraw everything else.
    async fn both_are_free(&self) {
        let frozen::Stage { anna, ben, market, .. } = &self.base;
        if market.advert_state(self.advert).await != "CANCELLED" {
            anna.ends(self.advert).await.unwrap();
            self.base.insists().await;
        }
        assert_eq!(market.advert_state(self.advert).await, "CANCELLED");
        assert_eq!(anna.has_nfts().await, []);
        assert_eq!(anna.has_free(market.mec).await, mec("5"), "nothing of the prepayment is kept");
        anna.withdraws(market.mec).await.unwrap();
        self.base.insists().await;
        assert_eq!(anna.has_free(market.mec).await, mec("0"));
        let paid_back = self.base.held(Token::Erc20(self.base.test_chain.usdt), ben.user.bound.unwrap()).await;
        assert_eq!(paid_back.add(ben.has_free(market.usdt).await).unwrap(), usdt("100"));
    }
}

/// The album takes the NFT before Ben pays, and does not give it back.
async fn an_album_that_takes_the_nft(to: Address) {
    let stage = Stage::set().await;
    stage.seizes(to, true).await;
    stage.watches().await;
    let frozen::Stage { anna, ben, market, .. } = &stage.base;
    assert!(market.order(stage.order).await.frozen.is_some(), "Ben is told not to pay");
    assert!(ben.was_told().await.contains(&"ORDER_FROZEN".to_owned()));
    let details = app::nfts::one(&market.context, None, stage.nft).await.unwrap();
    assert_eq!((details.holder, details.in_custody), (Some(to), false));
    stage.plays().await.is(&GONE);
    // Nothing moves a frozen order, so the platform appeals if nobody else does.
    market.waits(minutes(7 * 24 * 60 + 1)).await;
    market.clock_strikes().await;
    assert!(market.order(stage.order).await.open_appeal().is_some());
    stage.decides(Party::Seller).await;
    assert_eq!(market.state(stage.order).await, "CANCELLED");
    stage.both_are_free().await;
    assert!(anna.was_told().await.contains(&"ORDER_FROZEN".to_owned()));
    stage.seen().await;
}

#[tokio::test]
async fn an_album_that_takes_an_nft_and_logs_that_it_is_back_freezes_its_order() {
    let stage = Stage::set().await;
    stage.seizes(STRANGER, true).await;
    stage.forges(STRANGER, stage.base.anna.user.vault, 1, 1).await;
    stage.watches().await;
    assert!(stage.base.market.order(stage.order).await.frozen.is_some(), "Ben is told not to pay");
    let expected =
        Seen { anna_records: &["DEPOSIT FAILED", "DEPOSIT REVOKED"], ..stopped(&["holds 0 of what should be"]) };
    stage.plays().await.is(&Seen { order: GONE.order, anna: GONE.anna, ben_records: GONE.ben_records, ..expected });
}

#[tokio::test]
async fn an_album_that_burns_an_nft_freezes_its_order() {
    an_album_that_takes_the_nft(Address([0; 20])).await;
}

#[tokio::test]
async fn an_album_that_moves_an_nft_out_of_a_vault_freezes_its_order() {
    an_album_that_takes_the_nft(STRANGER).await;
}

#[tokio::test]
async fn an_album_that_gives_an_nft_back_unfreezes_its_order() {
    let stage = Stage::set().await;
    stage.seizes(STRANGER, true).await;
    stage.watches().await;
    assert!(stage.base.market.order(stage.order).await.frozen.is_some());
    stage.seizes(stage.base.anna.user.vault, true).await;
    stage.watches().await;
    assert_eq!(stage.base.market.order(stage.order).await.frozen, None);
    stage.buyers_pay().await;
    stage.others_have_traded().await;
    assert_eq!(stage.seen().await.order, "COMPLETED");
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, stage.base.ben.user.bound);
}

#[tokio::test]
async fn an_nft_whose_loss_a_reorganization_removes_is_credited_again() {
    let stage = Stage::set().await;
    let anvil = &stage.base.test_chain.anvil;
    let before = anvil.node.head().await.unwrap();
    stage.seizes(STRANGER, true).await;
    stage.watches().await;
    assert!(stage.base.market.order(stage.order).await.frozen.is_some());
    anvil.reorganise(anvil.node.head().await.unwrap() - before).await;
    stage.watches().await;
    reconcile::step(&stage.base.worker).await.unwrap();
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(stage.base.anna.user.vault));
    assert_eq!(stage.base.market.order(stage.order).await.frozen, None);
    assert_eq!(stage.base.anna.has_nfts().await, [(stage.nft, NftPlace::InOrder(stage.order))]);
    stage.seen().await;
}

#[tokio::test]
async fn an_nft_that_an_album_moves_to_another_vault_is_that_owners() {
    let stage = Stage::set().await;
    stage.seizes(stage.cleo.user.vault, true).await;
    stage.watches().await;
    assert_eq!(stage.cleo.has_nfts().await.len(), 2, "hers, and the other");
    assert!(stage.base.market.order(stage.order).await.frozen.is_some());
    stage.buyers_pay().await;
    stage.cleo.withdraws_nft(stage.nft).await.unwrap();
    stage.base.insists().await;
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, stage.cleo.user.bound);
    assert_eq!(stage.seen().await.stops, Vec::<String>::new());
}

/// The album takes the NFT after Ben has paid, when its release is decided. The administrator voids both payouts.
#[tokio::test]
async fn an_nft_that_is_taken_during_its_release_can_be_voided_and_the_payment_returned() {
    for logged in [true, false] {
        let stage = Stage::set().await;
        stage.transfers(Transfers::Reverts).await;
        stage.buyers_pay().await;
        stage.seizes(STRANGER, logged).await;
        stage.watches().await;
        reconcile::step(&stage.base.worker).await.unwrap();
        stage.seen().await.is(&ELSEWHERE);
        let [failing] = &stage.failing().await[..] else { panic!("the console lists the payout of the NFT") };
        assert!(failing.needs_administrator() && failing.owed.len() == 2, "{failing:?}");
        for reference in &failing.owed {
            let call = calls::void_reference(stage.base.test_chain.deployment.escrow, *reference);
            assert!(stage.base.test_chain.as_admin(&call).await.succeeded);
        }
        stage.watches().await;
        let frozen::Stage { market, .. } = &stage.base;
        assert!(market.order(stage.order).await.open_appeal().is_some(), "an officer decides");
        stage.watches().await;
        reconcile::step(&stage.base.worker).await.unwrap();
        stage.decides(Party::Seller).await;
        assert_eq!(market.state(stage.order).await, "CANCELLED");
        if logged {
            stage.both_are_free().await;
        }
        let paid_back = stage.base.held(Token::Erc20(stage.base.test_chain.usdt), stage.base.ben.user.bound.unwrap());
        assert_eq!(paid_back.await, usdt("100"));
        stage.seen().await;
    }
}

/// The return of an advert fails for ever: Anna keeps what the vault does not give, and is not held up by it.
#[tokio::test]
async fn an_nft_that_cannot_be_returned_does_not_lock_the_coins_of_its_owner() {
    let stage = Stage::set().await;
    let frozen::Stage { anna, ben, market, .. } = &stage.base;
    ben.cancels(stage.order).await.unwrap();
    anna.ends(stage.advert).await.unwrap();
    stage.seizes(STRANGER, false).await;
    stage.watches().await;
    reconcile::step(&stage.base.worker).await.unwrap();
    assert_eq!(market.advert_state(stage.advert).await, "REVOKING");
    let [failing] = &stage.failing().await[..] else { panic!("the console lists the payout of the NFT") };
    assert!(!failing.needs_administrator(), "{failing:?}");
    let mut tx = market.database.store.begin().await.unwrap();
    let now = market.context.now().await.unwrap();
    store::payouts::void_if_refused(&mut tx, failing.leg.reference, now).await.unwrap();
    tx.commit().await.unwrap();
    stage.base.insists().await;
    stage.watches().await;
    assert_eq!(market.advert_state(stage.advert).await, "CANCELLED");
    assert_eq!(anna.has_nfts().await, [(stage.nft, NftPlace::Available)]);
    anna.withdraws(market.mec).await.unwrap();
    stage.base.insists().await;
    assert_eq!(anna.has_free(market.mec).await, mec("0"));
    stage.seen().await;
}

/// An album that does not log what it takes only stops the payouts, so the time of the order runs on.
#[tokio::test]
async fn nothing_counts_against_a_buyer_who_does_not_pay_for_an_nft_that_is_elsewhere() {
    for cancels in [true, false] {
        let mut stage = Stage::set().await;
        stage.accepts_by_hand().await;
        let frozen::Stage { ben, market, worker, .. } = &stage.base;
        let before = ben.reputation().await;
        stage.seizes(STRANGER, false).await;
        stage.watches().await;
        reconcile::step(worker).await.unwrap();
        let shown = ben.sees(stage.order).await.unwrap();
        assert!(shown.paused && shown.order.frozen.is_none());
        if cancels {
            ben.cancels(stage.order).await.unwrap();
        } else {
            for _ in 0..2 {
                market.waits(minutes(60)).await;
                market.clock_strikes().await;
            }
        }
        let order = market.order(stage.order).await;
        assert_eq!(order.state.cancelled().unwrap().reason, CancelReason::Undeliverable);
        assert_eq!(ben.reputation().await, before);
    }
}

#[tokio::test]
async fn nobody_can_order_an_nft_that_has_left_its_vault() {
    for (logged, refusal) in [(true, Refusal::AdvertState), (false, Refusal::MoneyStopped)] {
        let stage = Stage::set().await;
        let frozen::Stage { anna, ben, market, worker, .. } = &stage.base;
        ben.cancels(stage.order).await.unwrap();
        stage.seizes(STRANGER, logged).await;
        stage.watches().await;
        reconcile::step(worker).await.unwrap();
        assert_eq!(ben.orders_nft(stage.advert).await, Err(refusal));
        let details = app::nfts::one(&market.context, None, stage.nft).await.unwrap();
        assert_eq!(details.advert, None, "it is not offered");
        let (hers, _) = app::nfts::owned(&market.context, anna.id(), None, 0, 10).await.unwrap();
        assert_eq!(hers.iter().map(|one| one.paused).collect::<Vec<_>>(), if logged { vec![] } else { vec![true] });
        stage.seen().await;
    }
}

#[tokio::test]
async fn an_album_that_becomes_another_contract_after_listing_stops_its_payouts() {
    let stage = Stage::set().await;
    let anvil = &stage.base.test_chain.anvil;
    let before = anvil.raw("eth_getCode", json!([stage.hostile.to_string(), "latest"])).await;
    let coin = anvil.raw("eth_getCode", json!([stage.base.test_chain.usdt.to_string(), "latest"])).await;
    anvil.raw("anvil_setCode", json!([stage.hostile.to_string(), coin])).await;
    // The coin has no `ownerOf`.
    stage.plays().await.is(&ELSEWHERE);
    anvil.raw("anvil_setCode", json!([stage.hostile.to_string(), before])).await;
    stage.watches().await;
    assert_eq!(resume(&stage.base.worker, stage.nft, "it was undone").await, Ok(()));
    stage.base.insists().await;
    assert_eq!(stage.seen().await.order, "COMPLETED");
}

#[tokio::test]
async fn an_nft_of_which_only_its_album_speaks_is_never_paid_for() {
    // The album logs that an NFT is in Anna's vault, and says so if it is asked. Anna sells it, but it cannot be delivered.
    let mut stage = Stage::set().await;
    let frozen::Stage { anna, ben, .. } = &stage.base;
    ben.cancels(stage.order).await.unwrap();
    stage.answers(Answers::Lies, anna.user.vault).await;
    stage.forges(Address([0; 20]), anna.user.vault, 9, 1).await;
    stage.watches().await;
    stage.nft = nft_of(&stage.base, stage.hostile, word(9)).await;
    let advert = anna.posts(offer(anna, stage.hostile_pair, word(9)).automatic()).await;
    assert_eq!(stage.places(anna).await.len(), 2, "{advert:?}");
    stage.order = ben.orders_nft(advert.unwrap()).await.unwrap();
    let seen = stage.plays().await;
    assert_eq!((seen.order, seen.stops), ("RELEASING", vec![]));
    let paid = stage.base.held(Token::Erc20(stage.base.test_chain.usdt), stage.base.receiving()).await;
    assert_eq!(paid, usdt("0"), "Anna gets no money for it");
}
