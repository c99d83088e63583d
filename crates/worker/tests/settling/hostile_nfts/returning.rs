//! NFTs that come and go: into vaults without an owner, and several times within one range of blocks.

use app::nfts;
use domain::chain::CustodyIndex;

use super::*;
use crate::platform::resume;

#[tokio::test]
async fn an_nft_in_a_vault_without_an_account_is_nobodys_until_the_owner_registers() {
    let stage = Stage::set().await;
    let market = &stage.base.market;
    let next = stage.dan.user.custody_index.0 + 1;
    let vault = stage.base.test_chain.vaults.address(CustodyIndex(next));
    let call = calls::mint_dev_nft(stage.hostile, vault, word(7), "data:,{}");
    stage.base.test_chain.as_admin(&call).await;
    stage.watches().await;
    stage.plays().await.is(&DELIVERED);
    let nft = nft_of(&stage.base, stage.hostile, word(7)).await;
    let details = nfts::one(&market.context, None, nft).await.unwrap();
    assert_eq!((details.holder, details.in_custody), (Some(vault), false));

    let emma = joins(market, &stage.base.test_chain).await;
    assert_eq!(emma.user.vault, vault);
    stage.base.test_chain.deposit(next, mec("5").units()).await;
    stage.watches().await;
    for _ in 0..2 {
        reconcile::step(&stage.base.worker).await.unwrap();
        assert_eq!(emma.has_nfts().await, [(nft, NftPlace::Available)]);
    }
    assert!(nfts::one(&market.context, None, nft).await.unwrap().in_custody);
    assert_eq!(stage.records_of(&emma, nft).await, ["DEPOSIT COMPLETED"], "once");
    stage.seen().await;

    emma.withdraws_nft(nft).await.unwrap();
    stage.base.round().await;
    assert_eq!(stage.owner(stage.hostile, word(7)).await, emma.user.bound);
    assert_eq!(emma.has_nfts().await, []);
    assert_eq!(stage.records_of(&emma, nft).await, ["DEPOSIT COMPLETED", "WITHDRAWAL COMPLETED"]);
    stage.seen().await;
}

#[tokio::test]
async fn an_nft_that_is_withdrawn_and_deposited_within_one_range_is_there_once() {
    let stage = Stage::set().await;
    let frozen::Stage { anna, worker, .. } = &stage.base;
    stage.anna_takes_it_back().await;
    stage.sends_it().await;
    stage.watches().await;
    anna.withdraws_nft(stage.nft).await.unwrap();
    while worker::payouts::step(worker).await.unwrap() == Next::Immediately {}
    stage.anna_has_it().await;
    stage.sends_it().await;
    stage.watches().await;
    assert_eq!(anna.has_nfts().await, [(stage.nft, NftPlace::Available)]);
    assert_eq!(
        stage.records(anna).await,
        ["DEPOSIT COMPLETED", "DEPOSIT COMPLETED", "DEPOSIT COMPLETED", "RETURN COMPLETED", "WITHDRAWAL COMPLETED"]
    );
    stage.trades_of_others().await;
}

#[tokio::test]
async fn an_nft_that_is_deposited_withdrawn_and_deposited_within_one_range_is_there_once() {
    let stage = Stage::set().await;
    let frozen::Stage { anna, worker, test_chain, .. } = &stage.base;
    stage.anna_takes_it_back().await;
    let before = test_chain.anvil.node.head().await.unwrap();
    stage.sends_it().await;
    stage.watches().await;
    anna.withdraws_nft(stage.nft).await.unwrap();
    while worker::payouts::step(worker).await.unwrap() == Next::Immediately {}
    // The chain forgets the deposit and the withdrawal, and then has both again and another deposit.
    let depth = test_chain.anvil.node.head().await.unwrap() - before;
    test_chain.anvil.reorganise(depth).await;
    stage.sends_it().await;
    while worker::payouts::step(worker).await.unwrap() == Next::Immediately {}
    stage.anna_has_it().await;
    stage.sends_it().await;
    stage.watches().await;
    assert_eq!(anna.has_nfts().await, [(stage.nft, NftPlace::Available)]);
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, Some(anna.user.vault));
    stage.base.market.is_sound().await;
    // The deposit was credited and paid out before the chain forgot it, which stops all payouts until an officer compares.
    for stop in console::stopped(&worker.context).await.unwrap() {
        assert_eq!(resume(worker, stop.asset.id, "the deposit is back").await, Ok(()));
    }
    stage.trades_of_others().await;
}

impl Stage {
    /// Ends the advert, and returns the NFT to Anna's own address.
    async fn anna_takes_it_back(&self) {
        let frozen::Stage { anna, ben, .. } = &self.base;
        ben.cancels(self.order).await.unwrap();
        anna.ends(self.advert).await.unwrap();
        self.base.insists().await;
        assert_eq!(self.owner(self.hostile, ATTACKED).await, anna.user.bound);
    }

    /// Sends the NFT from Anna's own address to her vault.
    async fn sends_it(&self) {
        let user = &self.base.anna.user;
        let token = Token::Erc721(self.hostile, ATTACKED);
        let sent = calls::transfer(token, user.bound.unwrap(), user.vault, Amount::ONE);
        assert!(self.base.test_chain.as_person(&sent).await.succeeded);
    }

    /// Waits until Anna's address has the NFT, because the node answers the worker before it mines the withdrawal.
    async fn anna_has_it(&self) {
        while self.owner(self.hostile, ATTACKED).await != self.base.anna.user.bound {
            tokio::task::yield_now().await;
        }
    }

    async fn trades_of_others(&self) {
        self.buyers_pay().await;
        self.others_have_traded().await;
        self.seen().await;
    }
}
