//! NFTs that their album takes out of a vault, while their owner acts.

use std::time::Duration;

use app::chain_ingest::apply_losses;
use domain::chain::{Address, Transfer};
use domain::nfts::NftPlace;
use testkit::market::CHAIN;

use crate::nfts::Gallery;

const STRANGER: Address = Address([0x5a; 20]);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_withdrawal_that_was_faster_is_not_a_debt() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, anna, .. } = &mut stage;
    let nft = chain.brings_nft(anna, 7).await;
    let taken = Transfer { from: anna.user.vault, to: STRANGER, ..chain.nft(anna, 7) };
    chain.mines_coins([taken]).await;
    chain.confirms().await;
    let at = app::chain::custody(&market.context, CHAIN, None).await.unwrap().unwrap().block;

    let waiting = async |number: i64| {
        let query =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while market.count(query).await != number {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    // Anna's withdrawal waits for her row, and behind it the loss, which has read where the NFT is.
    let (mut busy, _) = market.context.begin().await.unwrap();
    store::users::lock(&mut busy, &[anna.id()]).await.unwrap();
    let (owner, context, vault) = (anna.clone(), market.context.clone(), anna.user.vault);
    let withdrawal = tokio::spawn(async move { owner.withdraws_nft(nft).await });
    waiting(1).await;
    let loss = tokio::spawn(async move { apply_losses(&context, CHAIN, at, &[(vault, nft)]).await });
    waiting(2).await;
    busy.commit().await.unwrap();
    withdrawal.await.unwrap().unwrap();
    assert!(loss.await.unwrap().unwrap().unwrap().is_empty(), "the payout of the NFT fails, and can be voided");

    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Leaving)]);
    assert_eq!(market.count("select count(*) from payout_stops").await, 0, "nobody else is stopped");
    assert_eq!(market.count("select count(*) from vault_stops").await, 0);
    market.is_sound().await;
    let stale =
        apply_losses(&market.context, CHAIN, domain::chain::BlockRef { number: at.number + 1, ..at }, &[]).await;
    assert_eq!(stale.unwrap(), None, "a block that is not the newest final one");
}
