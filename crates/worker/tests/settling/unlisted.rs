//! NFTs of a collection that is not configured are not credited, and the Escrow's administrator returns them.

use std::sync::Arc;

use app::console::{PayoutChain, UnlistedNft};
use chain::calls::{self, Call};
use chain::node::At;
use domain::chain::{Address, Token, TxHash};
use domain::money::Amount;
use domain::nfts::TokenId;
use worker::Worker;
use worker::payout_chain::NodePayoutChain;

use crate::nfts::{LAST, configure, deploy, mint, owned};
use crate::platform::Platform;

/// Returns the NFTs that a transaction has sent to vaults, and that nobody owns in the ledger.
pub async fn unlisted(worker: &Worker, escrow: Address, tx: TxHash) -> Vec<UnlistedNft> {
    let (context, node) = (worker.context.clone(), Arc::clone(&worker.node));
    NodePayoutChain { context, node, escrow }.unlisted_nfts(tx).await.unwrap()
}

impl Platform {
    async fn unlisted(&self, tx: TxHash) -> Vec<UnlistedNft> {
        unlisted(&self.worker, self.test_chain.deployment.escrow, tx).await
    }

    async fn holder(&self, collection: Address, id: [u8; 32]) -> Option<Address> {
        chain::nfts::owner(self.test_chain.anvil.node.as_ref(), collection, id, At::Latest).await.unwrap()
    }
}

#[tokio::test]
async fn an_nft_of_an_unknown_collection_goes_back_to_its_sender() {
    let platform = Platform::new().await;
    let chain = &platform.test_chain;
    let collection = chain.as_admin(&calls::deploy_dev_nft("Foreign", "FOR")).await.created.unwrap();
    let (sender, vault) = (chain.person.address(), platform.anna.vault);
    mint(&platform, collection, sender, LAST).await;
    let sent = chain.as_person(&calls::transfer(Token::Erc721(collection, LAST), sender, vault, Amount::ONE)).await;
    assert_eq!(platform.unlisted(sent.tx).await, [], "not final");
    platform.finalise().await;
    assert_eq!(owned(&platform).await, [], "not credited");
    let [found] = &platform.unlisted(sent.tx).await[..] else { panic!("one NFT") };
    assert_eq!((found.user, found.vault, found.recipient), (platform.anna.id, vault, sender));
    assert_eq!((found.collection, found.token_id), (collection, TokenId(LAST)));

    let (escrow, data) = found.call.clone();
    let call = Call { to: Some(escrow), value: Amount::ZERO, data };
    assert!(chain.as_admin(&call).await.succeeded);
    assert_eq!(platform.holder(collection, LAST).await, Some(sender));
    platform.finalise().await;
    assert_eq!(platform.unlisted(sent.tx).await, [], "it is gone");
    platform.in_order().await;
}

#[tokio::test]
async fn an_nft_that_was_minted_into_a_vault_goes_to_the_owner_of_the_vault() {
    let platform = Platform::new().await;
    let chain = &platform.test_chain;
    let collection = chain.as_admin(&calls::deploy_dev_nft("Foreign", "FOR")).await.created.unwrap();
    let minted = chain.as_admin(&calls::mint_dev_nft(collection, platform.anna.vault, [1; 32], "")).await;
    platform.finalise().await;
    let [found] = &platform.unlisted(minted.tx).await[..] else { panic!("one NFT") };
    assert_eq!(Some(found.recipient), platform.anna.bound);
    assert_eq!(platform.unlisted(TxHash([1; 32])).await, [], "no such transaction");
}

#[tokio::test]
async fn an_nft_of_an_album_is_never_returned_past_the_ledger() {
    let platform = Platform::new().await;
    let contract = deploy(&platform).await;
    configure(&platform, contract).await;
    let minted = platform.test_chain.as_admin(&calls::mint_dev_nft(contract, platform.anna.vault, LAST, "")).await;
    platform.finalise().await;
    assert_eq!(platform.unlisted(minted.tx).await, []);
    platform.in_order_with_nfts(contract).await;
    assert_eq!(owned(&platform).await.len(), 1);
}
