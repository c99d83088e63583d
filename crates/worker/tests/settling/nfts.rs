//! NFTs of a real contract on a real node: deposits, withdrawals, reorganizations and metadata.

use std::sync::Arc;

use app::engine::idempotency::IdempotencyKey;
use app::nfts;
use chain::calls;
use chain::node::{At, Node as _, NodeError};
use chain::scripted::{Fault, Method};
use domain::assets::{Asset, AssetId, Home, Prepayment};
use domain::chain::{Address, Token};
use domain::money::Amount;
use domain::nfts::{NftPlace, PictureSize};
use gateways::{GuardedMetadata, ObjectFiles};
use serde_json::json;
use store::catalog::{self, Album};
use worker::{Next, Worker};

use crate::anvil::{CHAIN, amount};
use crate::platform::{Platform, differences, resume};
use crate::scripted::Scripted;

/// The largest token ID.
pub const LAST: [u8; 32] = [0xff; 32];
const FEE: i128 = 100;
pub const GAS: i128 = 10;
/// The metadata of an NFT with a picture of one pixel.
const METADATA: &str = concat!(
    r#"data:application/json;utf8,{"name":"The last one","description":"Nothing follows it.","#,
    r#""attributes":[{"trait_type":"Place","value":"Last"}],"image":"data:image/png;base64,"#,
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    r#""}"#
);

/// Deploys an album, and lists it at the Escrow and in the catalog.
async fn album(platform: &Platform) -> Address {
    let contract = deploy(platform).await;
    configure(platform, contract).await;
    contract
}

/// Deploys an album, and lists it at the Escrow.
pub async fn deploy(platform: &Platform) -> Address {
    let contract = platform.test_chain.as_admin(&calls::deploy_dev_nft("Art", "ART")).await.created.unwrap();
    let listed = calls::list_asset(platform.test_chain.deployment.escrow, Token::Erc721(contract, LAST), amount(1_000));
    platform.test_chain.as_admin(&listed).await;
    contract
}

/// Adds an album to the catalog.
pub async fn configure(platform: &Platform, contract: Address) {
    let mut tx = platform.database.store.begin().await.unwrap();
    let home = Home::Album { chain: CHAIN, contract };
    let asset = catalog::put_asset(&mut tx, "ART", 0, home, Amount::ZERO, Amount::ZERO).await.unwrap();
    let prepayment = Prepayment { asset: platform.mec, decimals: 18, fee: amount(FEE), gas: amount(GAS) };
    let (class_id, name, creator) = ("art".to_owned(), "Art".to_owned(), "An artist".to_owned());
    let album = Album { asset, class_id, name, creator, description: String::new(), prepayment, start: 0 };
    catalog::put_album(&mut tx, &album).await.unwrap();
    tx.commit().await.unwrap();
}

pub async fn mint(platform: &Platform, album: Address, to: Address, id: [u8; 32]) {
    platform.test_chain.as_admin(&calls::mint_dev_nft(album, to, id, METADATA)).await;
}

/// Returns where Anna's NFTs are.
pub async fn owned(platform: &Platform) -> Vec<(AssetId, NftPlace)> {
    let (owned, _) = nfts::owned(&platform.worker.context, platform.anna.id, None, 0, 100).await.unwrap();
    owned.into_iter().map(|one| (one.nft.asset.id, one.place)).collect()
}

#[tokio::test]
async fn an_nft_with_the_largest_number_is_deposited_reorganized_and_withdrawn() {
    let platform = Platform::new().await;
    let contract = album(&platform).await;
    platform.deposit(1_000).await;
    mint(&platform, contract, platform.anna.vault, LAST).await;
    platform.settle().await;
    let [(nft, NftPlace::Confirming(_))] = owned(&platform).await[..] else { panic!("{:?}", owned(&platform).await) };
    platform.finalise().await;
    assert_eq!(owned(&platform).await, [(nft, NftPlace::Available)]);
    platform.in_order_with_nfts(contract).await;

    platform.test_chain.anvil.reorganise(4).await;
    platform.finalise().await;
    assert_eq!(owned(&platform).await, [], "the chain has taken it back");
    mint(&platform, contract, platform.anna.vault, LAST).await;
    platform.finalise().await;
    assert_eq!(owned(&platform).await, [(nft, NftPlace::Available)], "the same asset as before");

    let key = IdempotencyKey::derived(&["withdraw once"]);
    let context = &platform.worker.context;
    app::wallet::withdrawals::withdraw_nft(context, &key, platform.anna.id, nft).await.unwrap();
    platform.settle().await;
    platform.finalise().await;
    assert_eq!(owned(&platform).await, []);
    let node = platform.test_chain.anvil.node.as_ref();
    assert_eq!(chain::nfts::owner(node, contract, LAST, At::Latest).await.unwrap(), platform.anna.bound);
    assert_eq!(platform.free(platform.mec).await, 1_000 - GAS);
    let (past, total) = nfts::history(context, nft, 10, 10).await.unwrap();
    assert_eq!((past, total), (vec![], 2), "beyond the last page");
    let (history, total) = nfts::history(context, nft, 0, 10).await.unwrap();
    assert_eq!((total, history[0].vaults, history[1].from), (2, (true, false), Address([0; 20])));
    platform.in_order_with_nfts(contract).await;
}

#[tokio::test]
async fn payouts_of_a_stopped_album_wait_for_the_agreement_of_each_of_its_nfts() {
    let platform = Platform::new().await;
    let contract = album(&platform).await;
    mint(&platform, contract, platform.anna.vault, LAST).await;
    platform.finalise().await;
    let (past, total) = nfts::owned(&platform.worker.context, platform.anna.id, None, 100, 100).await.unwrap();
    assert_eq!((past, total), (vec![], 1), "beyond the last page");

    let mut tx = platform.database.store.begin().await.unwrap();
    let assets = catalog::assets(&mut tx).await.unwrap();
    let album = assets.into_iter().find(Asset::is_album).unwrap().id;
    let context = &platform.worker.context;
    app::chain::stop_payouts(context, album, "its owner was told").await.unwrap();
    let anvil = &platform.test_chain.anvil;
    let code = anvil.raw("eth_getCode", json!([contract.to_string(), "latest"])).await;
    anvil.raw("anvil_setCode", json!([contract.to_string(), "0x"])).await;
    platform.finalise().await;
    let refused = differences(resume(&platform.worker, album, "all is well").await);
    assert!(refused.contains("does not report"), "{refused}");
    anvil.raw("anvil_setCode", json!([contract.to_string(), code])).await;
    platform.finalise().await;
    assert_eq!(resume(&platform.worker, album, "the contract answers again").await, Ok(()));
}

#[tokio::test]
async fn several_nfts_in_one_block_are_credited_and_those_of_strangers_only_indexed() {
    let platform = Platform::new().await;
    let contract = album(&platform).await;
    platform.test_chain.anvil.node.head().await.unwrap();
    for number in 1..=3_u8 {
        let to = if number == 2 { Address([0x5a; 20]) } else { platform.anna.vault };
        mint(&platform, contract, to, [number; 32]).await;
    }
    platform.finalise().await;
    assert_eq!(owned(&platform).await.len(), 2);
    let mut tx = platform.database.store.begin().await.unwrap();
    let strangers = store::nfts::of_tokens(&mut tx, CHAIN, &[Token::Erc721(contract, [2; 32])]).await.unwrap();
    let details = nfts::one(&platform.worker.context, None, strangers[0].id).await.unwrap();
    assert_eq!((details.holder, details.in_custody, details.mine), (Some(Address([0x5a; 20])), false, None));
    platform.in_order_with_nfts(contract).await;
}

#[tokio::test]
async fn the_metadata_of_a_new_nft_is_fetched_and_its_picture_stored() {
    let platform = Platform::new().await;
    let contract = album(&platform).await;
    mint(&platform, contract, platform.anna.vault, LAST).await;
    platform.finalise().await;
    let (nft, _) = owned(&platform).await[0];
    let folder = tempfile::tempdir().unwrap();
    let worker = Worker {
        files: Some(Arc::new(ObjectFiles::local(folder.path()).unwrap())),
        metadata: Some(Arc::new(GuardedMetadata::new(None).unwrap())),
        ..platform.worker.clone()
    };
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Immediately);
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Rest, "it is fetched once");
    let details = nfts::one(&platform.worker.context, None, nft).await.unwrap();
    assert_eq!(details.nft.name.as_deref(), Some("The last one"));
    assert_eq!(details.metadata.traits, [("Place".to_owned(), "Last".to_owned())]);
    let version = details.nft.picture.unwrap();
    let mut tx = platform.database.store.begin().await.unwrap();
    let (stored, picture) = store::nft_metadata::picture(&mut tx, nft, PictureSize::Small).await.unwrap().unwrap();
    assert_eq!(stored, version);
    assert!(picture.bytes > 0);
}

#[tokio::test]
async fn an_nft_for_which_the_node_fails_keeps_no_other_waiting() {
    let stage = Scripted::with_nodes(1).await;
    stage.market.opens_album().await;
    for number in 1..=2 {
        stage.script.transfer(testkit::market::nft(number), Address([0; 20]), Address([0x5a; 20]), Amount::ONE);
    }
    stage.mines(1);
    stage.reads().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let worker = Worker {
        files: Some(Arc::new(ObjectFiles::local(folder.path()).unwrap())),
        metadata: Some(Arc::new(GuardedMetadata::new(None).unwrap())),
        ..stage.worker.clone()
    };
    stage.nodes[0].set_down(true);
    worker::metadata::step(&worker).await.unwrap_err();
    let refused = async |fault| {
        let query = format!(
            "select count(*) from nft_metadata where refused = '{fault}' and (due_at is null) = ('{fault}' = 'MISSING')"
        );
        stage.market.count(&query).await
    };
    assert_eq!((refused("UNREACHABLE").await, refused("MISSING").await), (0, 0), "the node fails for all of them");
    stage.nodes[0].set_down(false);
    let slow = NodeError::Transient("execution aborted (timeout = 5s)".to_owned());
    stage.nodes[0].fail_next(Method::Ask, Fault::Fails(slow));
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Immediately);
    assert_eq!((refused("UNREACHABLE").await, refused("MISSING").await), (1, 1));
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Rest, "asked again later");
}

impl Platform {
    /// Asserts that the ledger is consistent, and that the vaults hold the NFTs that it says.
    pub async fn in_order_with_nfts(&self, album: Address) {
        let mut tx = self.database.store.begin().await.unwrap();
        assert_eq!(store::ledger::disagreements(&mut tx).await.unwrap(), Vec::<String>::new());
        assert_eq!(store::stops::all(&mut tx).await.unwrap(), vec![]);
        worker::reconcile::step(&self.worker).await.unwrap();
        assert_eq!(store::stops::all(&mut tx).await.unwrap(), vec![]);
        for (vault, asset, held) in store::ledger::custody_by_vault(&mut tx).await.unwrap() {
            if let Some(nft) = store::nfts::assets(&mut tx, &[asset]).await.unwrap().pop() {
                let (_, id) = nft.nft().unwrap();
                let owner =
                    chain::nfts::owner(self.test_chain.anvil.node.as_ref(), album, id, At::Latest).await.unwrap();
                assert_eq!((owner, held), (Some(vault), Amount::ONE));
            }
        }
    }
}
