//! The past of an album that is configured after its NFTs were minted: their history becomes complete, and what vaults hold is
//! credited.

use app::chain_ingest::backfill;
use app::engine::idempotency::IdempotencyKey;
use app::nfts::{self, HistoryLine};
use chain::calls;
use chain::node::At;
use chain::scripted::{Fault, Method};
use domain::assets::AssetId;
use domain::chain::{Address, Token};
use domain::money::Amount;
use domain::nfts::NftPlace;
use testkit::market::nft;
use worker::{Next, Point, Points, Worker, WorkerSettings};

use crate::anvil::CHAIN;
use crate::nfts::{GAS, LAST, configure, deploy, mint, owned};
use crate::platform::{Platform, another};
use crate::scripted::Scripted;

/// More blocks than a lagging node may lack.
const SETTLED: u64 = 70;
const STRANGER: Address = Address([0x5a; 20]);
const ZERO: Address = Address([0; 20]);

/// Returns the next block of the album to read, and the first that ingestion has read; `None` if all are read.
async fn left(worker: &Worker) -> Option<(u64, u64)> {
    let unfinished = backfill::unfinished(&worker.context).await.unwrap();
    unfinished.first().map(|one| (one.next, one.end))
}

/// Reads all that is left, and returns the number of steps.
async fn read_past(worker: &Worker) -> u32 {
    let mut steps = 0;
    while let Some((next, _)) = left(worker).await {
        assert_eq!(worker::backfill::step(worker).await.unwrap(), Next::Rest);
        assert!(left(worker).await.is_none_or(|(after, _)| after > next), "each step reads a range");
        steps += 1;
    }
    steps
}

async fn history(worker: &Worker, nft: AssetId) -> Vec<(Address, Address)> {
    let (lines, total) = nfts::history(&worker.context, nft, 0, 100).await.unwrap();
    assert_eq!(i64::try_from(lines.len()).unwrap(), total);
    assert!(lines.iter().all(|line| line.confirmed), "{lines:?}");
    lines.into_iter().map(|HistoryLine { from, to, .. }| (from, to)).collect()
}

impl Platform {
    async fn asset(&self, token: Token) -> Option<AssetId> {
        let mut tx = self.database.store.begin().await.unwrap();
        store::nfts::of_tokens(&mut tx, CHAIN, &[token]).await.unwrap().pop().map(|nft| nft.id)
    }

    /// Returns a worker that reads at most this number of old blocks in a step.
    fn reading(&self, blocks_at_once: u64) -> Worker {
        let settings = WorkerSettings { blocks_at_once, ..self.worker.settings };
        Worker { settings, ..self.worker.clone() }
    }
}

#[tokio::test]
async fn the_history_of_an_album_that_is_configured_later_becomes_complete() {
    let platform = Platform::new().await;
    let chain = &platform.test_chain;
    let (contract, id) = (deploy(&platform).await, [1; 32]);
    let (person, admin) = (chain.person.address(), chain.admin.address());
    mint(&platform, contract, person, id).await;
    mint(&platform, contract, platform.anna.vault, LAST).await;
    platform.deposit(1_000).await;
    let token = Token::Erc721(contract, id);
    chain.as_person(&calls::transfer(token, person, admin, Amount::ONE)).await;
    platform.finalise().await;
    configure(&platform, contract).await;
    chain.as_admin(&calls::transfer(token, admin, STRANGER, Amount::ONE)).await;
    platform.finalise().await;
    let moved = platform.asset(token).await.unwrap();
    assert_eq!(history(&platform.worker, moved).await, [(admin, STRANGER)], "what ingestion has read");
    assert_eq!(platform.asset(Token::Erc721(contract, LAST)).await, None, "nobody has seen it yet");

    assert_eq!(worker::backfill::step(&platform.worker).await.unwrap(), Next::Rest);
    assert_eq!(left(&platform.worker).await.unwrap().0, 0, "a lagging node may not have these blocks yet");
    chain.anvil.mine(SETTLED).await;
    platform.settle().await;
    assert!(read_past(&platform.reading(4)).await > 2);
    assert_eq!(history(&platform.worker, moved).await, [(admin, STRANGER), (person, admin), (ZERO, person)]);
    let nft = platform.asset(Token::Erc721(contract, LAST)).await.unwrap();
    let details = nfts::one(&platform.worker.context, Some(platform.anna.id), nft).await.unwrap();
    assert_eq!((details.holder, details.in_custody, details.mine), (Some(platform.anna.vault), true, None));

    // The comparison finds what the vault holds beyond the ledger, once.
    platform.in_order_with_nfts(contract).await;
    assert_eq!(owned(&platform).await, [(nft, NftPlace::Available)]);
    platform.in_order_with_nfts(contract).await;
    let key = IdempotencyKey::derived(&["withdraw once"]);
    app::wallet::withdrawals::withdraw_nft(&platform.worker.context, &key, platform.anna.id, nft).await.unwrap();
    platform.settle().await;
    platform.finalise().await;
    let node = chain.anvil.node.as_ref();
    assert_eq!(chain::nfts::owner(node, contract, LAST, At::Latest).await.unwrap(), platform.anna.bound);
    assert_eq!(platform.free(platform.mec).await, 1_000 - GAS);
    platform.in_order_with_nfts(contract).await;
    assert_eq!(owned(&platform).await, []);
}

#[tokio::test]
async fn a_backfill_that_is_killed_goes_on_where_it_was() {
    let platform = Platform::new().await;
    let contract = deploy(&platform).await;
    for number in 1..=6 {
        mint(&platform, contract, STRANGER, [number; 32]).await;
    }
    configure(&platform, contract).await;
    platform.test_chain.anvil.mine(SETTLED).await;
    platform.settle().await;
    for (point, done) in [(Point::Read, 0), (Point::Applied, 3)] {
        let points = Points::calling(move |reached| assert_ne!(reached, point, "killed"));
        let dying = Worker { points, ..platform.reading(3) };
        let died = tokio::spawn(async move { worker::backfill::step(&dying).await }).await;
        assert!(died.unwrap_err().is_panic());
        assert_eq!(left(&platform.worker).await.unwrap().0, done, "{point:?}");
    }
    let begun_anew = another(&platform.database, &platform.test_chain.anvil.address);
    let begun_anew = Worker { settings: platform.reading(2).settings, ..begun_anew };
    let two = platform.reading(1);
    let (one, other) = tokio::join!(read_past_with_others(&begun_anew), read_past_with_others(&two));
    assert!(one + other > 0);
    for number in 1..=6 {
        let nft = platform.asset(Token::Erc721(contract, [number; 32])).await.unwrap();
        assert_eq!(history(&platform.worker, nft).await, [(ZERO, STRANGER)]);
    }
}

/// Like [`read_past`], while other workers read as well.
async fn read_past_with_others(worker: &Worker) -> u32 {
    let mut steps = 0;
    while left(worker).await.is_some() {
        worker::backfill::step(worker).await.unwrap();
        steps += 1;
    }
    steps
}

#[tokio::test]
async fn old_transfers_that_a_reorganization_replaces_are_read_as_new_ones() {
    let platform = Platform::new().await;
    let contract = deploy(&platform).await;
    mint(&platform, contract, STRANGER, [1; 32]).await;
    platform.settle().await;
    configure(&platform, contract).await;
    platform.test_chain.anvil.mine(SETTLED).await;
    platform.settle().await;
    read_past(&platform.worker).await;
    let nft = platform.asset(Token::Erc721(contract, [1; 32])).await.unwrap();
    assert_eq!(history(&platform.worker, nft).await, [(ZERO, STRANGER)]);

    platform.test_chain.anvil.reorganise(SETTLED + 1).await;
    platform.settle().await;
    assert_eq!(history(&platform.worker, nft).await, [], "the chain has taken it back");
    mint(&platform, contract, platform.anna.bound.unwrap(), [1; 32]).await;
    platform.finalise().await;
    assert_eq!(history(&platform.worker, nft).await, [(ZERO, platform.anna.bound.unwrap())]);
}

#[tokio::test]
async fn albums_take_turns_and_the_newest_block_does_not_keep_them_waiting() {
    let stage = Scripted::with_nodes(1).await;
    let other = Address([0xa2; 20]);
    stage.mines(20);
    stage.reads().await.unwrap();
    stage.market.opens_album().await;
    stage.market.opens_another_album("POP", "pop", "Pop", other).await;
    stage.mines(SETTLED);
    stage.reads().await.unwrap();
    let worker =
        Worker { settings: WorkerSettings { blocks_at_once: 3, ..stage.worker.settings }, ..stage.worker.clone() };
    for turn in 1..=4 {
        stage.mines(1);
        worker::backfill::step(&worker).await.unwrap();
        stage.reads().await.unwrap();
        let mut read: Vec<_> = backfill::unfinished(&worker.context).await.unwrap();
        read.sort_by_key(|one| one.album);
        let read: Vec<_> = read.into_iter().map(|one| one.next).collect();
        let ranges = [turn / 2 + turn % 2, turn / 2];
        assert_eq!(read, ranges.map(|ranges| ranges * 3), "after turn {turn}");
    }
    stage.mines(2);
    let before = backfill::unfinished(&worker.context).await.unwrap();
    worker::backfill::step(&worker).await.unwrap();
    assert_eq!(backfill::unfinished(&worker.context).await.unwrap(), before, "two blocks wait");
}

#[tokio::test]
async fn new_blocks_come_first_and_a_node_that_refuses_large_ranges_is_asked_for_less() {
    let stage = Scripted::with_nodes(1).await;
    for number in 1..=5 {
        stage.script.transfer(nft(number), ZERO, STRANGER, Amount::ONE);
        stage.mines(2);
    }
    stage.reads().await.unwrap();
    stage.market.opens_album().await;

    stage.mines(SETTLED);
    worker::backfill::step(&stage.worker).await.unwrap();
    assert_eq!(left(&stage.worker).await.unwrap().0, 0, "a new block waits");
    stage.reads().await.unwrap();
    stage.nodes[0].set_down(true);
    assert!(worker::backfill::step(&stage.worker).await.is_err());
    stage.nodes[0].set_down(false);
    let refused = chain::node::NodeError::Fatal("no old logs".to_owned());
    stage.nodes[0].fail_next(Method::Logs, Fault::Fails(refused));
    assert_eq!(worker::backfill::step(&stage.worker).await.unwrap(), Next::Rest);
    assert_eq!(left(&stage.worker).await.unwrap().0, 0, "nothing was read");

    stage.nodes[0].set_most_blocks(Some(3));
    worker::backfill::step(&stage.worker).await.unwrap();
    let (next, _) = left(&stage.worker).await.unwrap();
    assert!((1..=3).contains(&next), "one range, and no larger than the node allows: {next}");
    stage.nodes[0].set_most_blocks(None);
    assert_eq!(read_past(&stage.worker).await, 1, "the refusal is forgotten");
    for number in 1..=5 {
        let id = stage.market.nft(number).await;
        assert_eq!(history(&stage.worker, id).await, [(ZERO, STRANGER)]);
    }
}
