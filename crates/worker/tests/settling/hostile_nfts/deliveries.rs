//! Albums that do not deliver, or not to everybody.

use domain::wallet::Kind;

use super::*;
use app::wallet::records;

impl Stage {
    /// Returns the number that a function of the hostile album returns.
    async fn reads(&self, function: &str) -> u8 {
        let data = self.call(function, &[]).await.data;
        let asked = json!([{ "to": self.hostile.to_string(), "data": format!("0x{}", hex::encode(data)) }, "latest"]);
        let answer = self.base.test_chain.anvil.raw("eth_call", asked).await;
        u8::from_str_radix(answer.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
    }

    /// Replaces the order on the hostile NFT by one that is paid by hand, and that Anna has accepted.
    pub(super) async fn accepts_by_hand(&mut self) {
        let frozen::Stage { anna, ben, .. } = &self.base;
        ben.cancels(self.order).await.unwrap();
        anna.ends(self.advert).await.unwrap();
        self.base.insists().await;
        let call = calls::mint_dev_nft(self.hostile, anna.user.vault, ATTACKED, "data:,{}");
        self.base.test_chain.as_admin(&call).await;
        self.watches().await;
        self.advert = anna.posts(offer(anna, self.hostile_pair, ATTACKED)).await.unwrap();
        self.order = ben.orders_nft(self.advert).await.unwrap();
        anna.accepts(self.order).await.unwrap();
    }

    /// Does the same, and Ben has paid, and Anna has confirmed.
    async fn sells_by_hand(&mut self) {
        self.accepts_by_hand().await;
        let frozen::Stage { anna, ben, market, .. } = &self.base;
        ben.marks_paid(self.order).await.unwrap();
        anna.confirms(self.order).await.unwrap();
        assert_eq!(market.state(self.order).await, "RELEASING");
    }
}

async fn an_album_whose_transfers(what: Transfers) {
    let stage = Stage::set().await;
    stage.transfers(what).await;
    stage.plays().await.is(&STUCK);
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(stage.base.anna.user.vault));
    // By now, the release has been redirected to Ben's vault.
    stage.transfers(Transfers::Honest).await;
    stage.base.insists().await;
    stage.seen().await.is(&REDIRECTED);
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(stage.base.ben.user.vault));
}

#[tokio::test]
async fn an_album_that_reverts_every_transfer_delivers_once_it_stops_that() {
    an_album_whose_transfers(Transfers::Reverts).await;
}

#[tokio::test]
async fn an_album_that_uses_all_gas_delivers_once_it_stops_that() {
    an_album_whose_transfers(Transfers::UsesAllGas).await;
}

#[tokio::test]
async fn an_album_that_ignores_transfers_is_not_paid_for() {
    an_album_whose_transfers(Transfers::Nothing).await;
}

#[tokio::test]
async fn an_album_that_delivers_to_somebody_else_is_not_paid_for() {
    an_album_whose_transfers(Transfers::Elsewhere).await;
}

#[tokio::test]
async fn an_order_whose_album_never_delivers_goes_to_an_officer_with_nft_and_payment() {
    let stage = Stage::set().await;
    stage.transfers(Transfers::Nothing).await;
    stage.plays().await.is(&STUCK);
    let mut tx = stage.base.market.database.store.begin().await.unwrap();
    for leg in store::payouts::legs_about(&mut tx, stage.order.0).await.unwrap() {
        let call = calls::void_reference(stage.base.test_chain.deployment.escrow, leg.reference);
        assert!(stage.base.test_chain.as_admin(&call).await.succeeded);
    }
    stage.watches().await;
    let order = stage.base.market.order(stage.order).await;
    assert!(order.progress.voided.is_some(), "an officer decides");
    stage.seen().await.is(&Seen {
        anna: &["in an order"],
        anna_records: &["DEPOSIT COMPLETED", "RELEASE FAILED"],
        ben_records: &["RELEASE FAILED"],
        ..STUCK
    });
    let payment = order.terms.vault_asset(domain::trade::Leg::Quote).order(stage.order);
    assert_eq!(stage.base.market.balance(payment).await, usdt("100"), "Ben's payment is in the order's escrow");
}

#[tokio::test]
async fn an_album_that_calls_the_escrow_back_gets_nothing_extra() {
    let stage = Stage::set().await;
    stage.transfers(Transfers::Reenters).await;
    stage.plays().await.is(&DELIVERED);
    assert_eq!((stage.reads("calls()").await, stage.reads("succeeded()").await), (3, 0));
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, stage.base.ben.user.bound);
}

/// The album refuses Ben's address. Returns after the release was redirected.
async fn an_album_that_refuses_the_buyer(stage: &Stage) {
    let ben = &stage.base.ben;
    stage.tells("refuse(address)", &[padded(ben.user.bound.unwrap())]).await;
    stage.plays().await.is(&REDIRECTED);
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(ben.user.vault));
    let market = &stage.base.market;
    assert_eq!(market.count("select count(*) from payout_legs where redirected_at is not null").await, 1);
    assert!(ben.was_told().await.contains(&"PAYOUT_REDIRECTED".to_owned()));
    let releases = records::page(&market.context, ben.id(), Some(Kind::Release), None, 0, 10).await.unwrap().0;
    assert_eq!(releases.iter().map(|one| one.redirected).collect::<Vec<_>>(), [true]);
}

#[tokio::test]
async fn a_release_that_the_album_refuses_goes_to_the_buyers_vault_with_its_payment() {
    let stage = Stage::set().await;
    an_album_that_refuses_the_buyer(&stage).await;
    let frozen::Stage { ben, market, .. } = &stage.base;
    let usdt_of_anna = stage.base.held(Token::Erc20(stage.base.test_chain.usdt), stage.base.receiving()).await;
    assert_eq!(usdt_of_anna, usdt("100"));
    let leg = "select reference from payout_legs where redirected_at is not null";
    let reference = market.count(leg).await;
    let together = format!(
        "select count(distinct tx_hash) from settlements where outcome = 'paid' and reference in
         (select reference from payout_legs where payout_id = (select payout_id from payout_legs where reference = {reference}))"
    );
    assert_eq!(market.count(&together).await, 1, "NFT and USDT in one transaction");

    // His address still refuses it, so the withdrawal is voided, and the NFT stays. Then it does not.
    stage.base.test_chain.deposit(ben.user.custody_index.0, mec("1").units()).await;
    stage.watches().await;
    ben.withdraws_nft(stage.nft).await.unwrap();
    stage.base.insists().await;
    stage
        .seen()
        .await
        .is(&Seen { ben_records: &["DEPOSIT COMPLETED", "RELEASE COMPLETED", "WITHDRAWAL FAILED"], ..REDIRECTED });
    stage.tells("refuse(address)", &[[0; 32]]).await;
    ben.withdraws_nft(stage.nft).await.unwrap();
    stage.base.insists().await;
    assert_eq!((stage.owner(stage.hostile, ATTACKED).await, ben.has_nfts().await), (ben.user.bound, vec![]));
    assert_eq!(ben.has_free(market.mec).await, mec("0.98"), "two withdrawals");
    stage.seen().await;
}

#[tokio::test]
async fn a_release_by_hand_that_the_album_refuses_goes_to_the_buyers_vault() {
    let mut stage = Stage::set().await;
    stage.sells_by_hand().await;
    stage.tells("refuse(address)", &[padded(stage.base.ben.user.bound.unwrap())]).await;
    stage.buyers_pay().await;
    stage.others_have_traded().await;
    assert_eq!(stage.base.market.state(stage.order).await, "RELEASING");
    stage.base.insists().await;
    let seen = stage.seen().await;
    assert_eq!((seen.order, &seen.places), ("COMPLETED", &[vec![], vec!["available"]]), "{seen:?}");
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(stage.base.ben.user.vault));
    assert!(stage.base.ben.was_told().await.contains(&"PAYOUT_REDIRECTED".to_owned()));
}

#[tokio::test]
async fn a_return_that_the_album_refuses_stays_with_its_owner() {
    let stage = Stage::set().await;
    let frozen::Stage { anna, ben, market, .. } = &stage.base;
    ben.cancels(stage.order).await.unwrap();
    stage.tells("refuse(address)", &[padded(anna.user.bound.unwrap())]).await;
    anna.ends(stage.advert).await.unwrap();
    stage.base.round().await;
    assert_eq!(market.advert_state(stage.advert).await, "REVOKING");
    stage.base.insists().await;
    assert_eq!(market.advert_state(stage.advert).await, "CANCELLED");
    assert_eq!(stage.seen().await.places, [vec!["available"], vec![]]);
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(anna.user.vault), "it has not moved");
}

#[tokio::test]
async fn an_nft_arrives_at_a_contract_that_does_not_receive_nfts() {
    let stage = Stage::set().await;
    let bound = stage.dan.user.bound.unwrap();
    stage.base.refuses(bound).await;
    stage.plays().await.is(&DELIVERED);
}
