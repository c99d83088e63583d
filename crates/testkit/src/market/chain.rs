//! A simulated chain, which mines blocks on request and passes them to ingestion like the worker's watcher.

use std::collections::{BTreeMap, HashSet};

use app::chain::settlement::{PayoutLeg, Turn};
use app::chain_ingest::{self, Balance, Held, Ingested, Policy, Range};
use domain::assets::{Asset, AssetId, Home};
use domain::chain::{
    Address, Block, BlockHash, BlockRef, Reference, Settlement, SettlementOutcome, Token, Transfer, TxHash,
};
use domain::clock::Timestamp;
use domain::money::{Amount, MAX_UNITS};
use store::payouts::Attempt;

use super::albums::nft;
use super::{CHAIN, CONFIRMATIONS, Market, Trader, USDT_CONTRACT};
use crate::noon;

/// The contents of a block that concern the product.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    pub transfers: Vec<Transfer>,
    pub settlements: Vec<Settlement>,
}

/// The chain of a market.
pub struct Chain {
    pub market: Market,
    /// Whether a reorganization of final blocks stops payouts. Off by default.
    pub wary: bool,
    /// The time of new blocks.
    pub time: Timestamp,
    blocks: Vec<Block>,
    made: u64,
    signed: Vec<(TxHash, u64)>,
    /// The vaults of the signed legs.
    vaults: BTreeMap<Reference, Address>,
}

impl Chain {
    pub(super) async fn begin(market: Market) -> Self {
        let (blocks, signed, vaults) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut chain = Self { market, wary: false, time: noon(), blocks, made: 0, signed, vaults };
        chain.mines(1).await;
        chain
    }

    fn fresh(&mut self) -> [u8; 32] {
        self.made += 1;
        let mut bytes = [0; 32];
        bytes[24..].copy_from_slice(&self.made.to_be_bytes());
        bytes
    }

    /// Returns the height of the newest block.
    pub fn head(&self) -> u64 {
        height(self.blocks.len()) - 1
    }

    pub fn block(&self, number: u64) -> &Block {
        &self.blocks[usize::try_from(number).expect("a height")]
    }

    /// Creates a transfer from a user's bound address to their vault, without mining it.
    pub fn coins(&mut self, to: &Trader, asset: AssetId, amount: Amount) -> Transfer {
        let tx = TxHash(self.fresh());
        let native = asset == self.market.mec;
        Transfer {
            token: if native { Token::Native } else { Token::Erc20(USDT_CONTRACT) },
            tx,
            position: if native { -1 } else { 0 },
            from: to.user.bound.expect("the user should have a bound address"),
            to: to.user.vault,
            amount,
        }
    }

    /// Creates a transfer of an NFT of the album from a user's bound address to their vault, without mining it.
    pub fn nft(&mut self, to: &Trader, number: u8) -> Transfer {
        let from = to.user.bound.expect("the user should have a bound address");
        Transfer {
            token: nft(number),
            tx: TxHash(self.fresh()),
            position: 0,
            from,
            to: to.user.vault,
            amount: Amount::ONE,
        }
    }

    /// Sends an NFT of the album to a user's vault and makes it final. Returns its asset.
    pub async fn brings_nft(&mut self, to: &Trader, number: u8) -> AssetId {
        let transfer = self.nft(to, number);
        self.mines_coins([transfer]).await;
        self.confirms().await;
        self.market.nft(number).await
    }

    /// Mints an NFT of the album to a user's bound address, so that the product knows it. Returns its asset.
    pub async fn mints(&mut self, to: &Trader, number: u8) -> AssetId {
        let transfer = self.nft(to, number);
        self.mines_coins([Transfer { from: Address([0; 20]), to: transfer.from, ..transfer }]).await;
        self.market.nft(number).await
    }

    /// Returns the same transfer from an unknown address.
    pub fn from_a_stranger(coins: &Transfer) -> Transfer {
        Transfer { from: Address([0x77; 20]), ..coins.clone() }
    }

    /// Returns a new transaction hash.
    pub fn transaction(&mut self) -> TxHash {
        TxHash(self.fresh())
    }

    fn add(&mut self, contents: Contents) {
        let number = height(self.blocks.len());
        let parent = self.blocks.last().map_or(BlockHash([0xee; 32]), |block| block.place.hash);
        let hash = BlockHash(self.fresh());
        self.blocks.push(Block {
            place: BlockRef { number, hash, parent },
            at: self.time,
            transfers: contents.transfers,
            settlements: contents.settlements,
            metadata_updates: Vec::new(),
        });
    }

    /// Returns the blocks from a height on, as one range.
    pub fn range_from(&self, from: u64) -> Range {
        let skip = usize::try_from(from).expect("a height");
        Range {
            chain: CHAIN,
            read_on: None,
            albums: HashSet::new(),
            replace_from: from,
            blocks: self.blocks.iter().skip(skip).cloned().collect(),
            held: Some(Held::default()),
        }
    }

    /// Returns the range as if it was read now, on top of the blocks that are now stored.
    pub async fn reads(&self, range: &Range) -> Range {
        let watch = app::chain::watch(&self.market.context, 1).await.expect("the chain").expect("a chain");
        let album = |asset: &Asset| match asset.home {
            Home::Album { contract, .. } => Some(contract),
            _ => None,
        };
        let albums = watch.assets.iter().filter_map(album).collect();
        Range { read_on: watch.recent.first().copied(), albums, ..range.clone() }
    }

    /// Applies a range as if it had just been read. Every vault holds enough for its transfers.
    pub async fn reports(&self, range: &Range) -> app::Result<Ingested> {
        let range = self.reads(range).await;
        Ok(self.reports_late(&range).await?.expect("no other range was applied since"))
    }

    /// Applies a range that was read earlier. Returns `None` if the stored blocks have changed since.
    pub async fn reports_late(&self, range: &Range) -> app::Result<Option<Ingested>> {
        let policy = Policy { stop_on_deep_reorganisation: self.wary };
        let finalizing = chain_ingest::finalizing(&self.market.context, range).await?;
        let at = finalizing.as_ref().map(|finalizing| finalizing.block);
        let vault_assets = finalizing.into_iter().flat_map(|finalizing| finalizing.vault_assets);
        let enough = Amount::new(MAX_UNITS).expect("the most that there is");
        let known = vault_assets.map(|(vault, token)| Balance { vault, token, amount: enough }).collect();
        let held = Some(Held { at, known, unknown: Vec::new() });
        chain_ingest::apply(&self.market.context, &Range { held, ..range.clone() }, policy).await
    }

    /// Mines blocks without reporting them.
    pub fn finds(&mut self, blocks: impl IntoIterator<Item = Contents>) {
        for contents in blocks {
            self.add(contents);
        }
    }

    /// Mines blocks and reports them as one range.
    pub async fn mines_blocks(&mut self, blocks: impl IntoIterator<Item = Contents>) -> Ingested {
        let from = height(self.blocks.len());
        self.finds(blocks);
        self.reports(&self.range_from(from)).await.expect("the range should connect to the stored blocks")
    }

    /// Mines empty blocks.
    pub async fn mines(&mut self, count: usize) -> Ingested {
        self.mines_blocks(vec![Contents::default(); count]).await
    }

    /// Mines one block with these transfers.
    pub async fn mines_coins(&mut self, transfers: impl IntoIterator<Item = Transfer>) -> Ingested {
        self.mines_blocks([Contents { transfers: transfers.into_iter().collect(), settlements: Vec::new() }]).await
    }

    /// Mines as many empty blocks as it takes to finalize the newest block.
    pub async fn confirms(&mut self) -> Ingested {
        self.mines(usize::try_from(CONFIRMATIONS - 1).expect("a count")).await
    }

    /// Sends coins to a user's vault in a block that is not final.
    pub async fn shows(&mut self, to: &Trader, asset: AssetId, amount: Amount) -> Transfer {
        let coins = self.coins(to, asset, amount);
        self.mines_coins([coins.clone()]).await;
        coins
    }

    /// Sends coins to a user's vault and makes them final.
    pub async fn brings(&mut self, to: &Trader, asset: AssetId, amount: Amount) -> Transfer {
        let coins = self.shows(to, asset, amount).await;
        self.confirms().await;
        coins
    }

    /// Returns the number of mined transactions of the settler.
    fn mined(&self) -> u64 {
        let mined = |tx: &TxHash| {
            self.blocks.iter().any(|block| block.settlements.iter().any(|settlement| settlement.tx == *tx))
        };
        self.signed.iter().filter(|(tx, _)| mined(tx)).map(|(_, nonce)| nonce + 1).max().unwrap_or(0)
    }

    /// Signs an attempt for everything that is payable, as the worker does. Nothing is mined.
    pub async fn signs(&mut self) -> Contents {
        let mut turn = Turn::begin(&self.market.context, CHAIN).await.expect("a turn").expect("no other worker");
        let legs = turn.payable(100).await.expect("legs");
        let open = turn.open_attempts().await.expect("attempts");
        let nonce = open.iter().map(|attempt| attempt.nonce + 1).max().unwrap_or(0).max(self.mined());
        let Some((first, last)) = legs.first().zip(legs.last()) else {
            turn.pass().await.expect("an end");
            return Contents::default();
        };
        let tx = self.transaction();
        let attempt = Attempt {
            nonce,
            first: first.reference,
            last: last.reference,
            call: vec![1],
            raw: vec![2],
            tx,
            max_fee: Amount::ONE,
            priority_fee: Amount::ONE,
            signed_at: turn.now,
            head: Some(self.head()),
        };
        turn.commit(&attempt).await.expect("an attempt");
        self.signed.push((tx, nonce));
        self.remembers(&legs).await;
        let settlements = legs
            .iter()
            .map(|leg| Settlement { tx, reference: leg.reference, outcome: SettlementOutcome::Paid })
            .collect();
        Contents { transfers: self.vault_transfers(&legs, tx).await, settlements }
    }

    /// Returns the transfers that paying these legs causes and that the product reads: those into vaults, with positions derived
    /// from the references, and those of NFTs.
    async fn vault_transfers(&self, legs: &[PayoutLeg], tx: TxHash) -> Vec<Transfer> {
        let recipients: Vec<_> = legs.iter().map(|leg| leg.recipient).collect();
        let assets: Vec<_> = legs.iter().map(|leg| leg.vault_asset.asset).collect();
        let mut store = self.market.database.store.begin().await.expect("a transaction");
        let vaults = store::users::vault_owners(&mut store, &recipients).await.expect("vaults");
        let nfts = store::nfts::assets(&mut store, &assets).await.expect("NFTs");
        let nft = |leg: &PayoutLeg| {
            let (contract, id) = nfts.iter().find(|nft| nft.id == leg.vault_asset.asset)?.nft()?;
            Some(Token::Erc721(contract, id))
        };
        let into =
            legs.iter().filter(|leg| nft(leg).is_some() || vaults.iter().any(|(vault, _)| *vault == leg.recipient));
        into.map(|leg| Transfer {
            token: nft(leg).unwrap_or_else(|| self.token(leg.vault_asset.asset)),
            tx,
            position: if nft(leg).is_some() { log_of(leg.reference) } else { position_of(leg.reference) },
            from: self.vaults[&leg.reference],
            to: leg.recipient,
            amount: leg.amount,
        })
        .collect()
    }

    /// Pays everything that is payable in one block that is not final.
    pub async fn pays(&mut self) -> Contents {
        let contents = self.signs().await;
        self.mines_blocks([contents.clone()]).await;
        contents
    }

    /// Pays everything that is payable and makes it final.
    pub async fn settles(&mut self) -> Contents {
        let contents = self.pays().await;
        self.confirms().await;
        contents
    }

    /// Replaces the newest `depth` blocks.
    pub async fn reorganises(&mut self, depth: usize, blocks: impl IntoIterator<Item = Contents>) -> Ingested {
        let keep = self.blocks.len().saturating_sub(depth).max(1);
        self.blocks.truncate(keep);
        self.mines_blocks(blocks).await
    }

    /// Replaces everything from the range's first height on with exactly these blocks, without reporting them.
    pub fn returns(&mut self, range: &Range) {
        self.blocks.truncate(usize::try_from(range.replace_from).expect("a height"));
        self.blocks.extend(range.blocks.iter().cloned());
    }

    async fn remembers(&mut self, legs: &[PayoutLeg]) {
        let vaults: Vec<_> = legs.iter().map(|leg| leg.vault_asset.vault).collect();
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        let users = store::users::read(&mut tx, &vaults).await.expect("users");
        for leg in legs {
            let user = users.iter().find(|user| user.id == leg.vault_asset.vault).expect("the vault's owner");
            self.vaults.insert(leg.reference, user.vault);
        }
    }

    fn token(&self, asset: AssetId) -> Token {
        if asset == self.market.mec { Token::Native } else { Token::Erc20(USDT_CONTRACT) }
    }

    /// Returns the contents of the newest blocks, oldest first, to be mined again in other blocks.
    pub fn contents_of_newest(&self, depth: usize) -> Vec<Contents> {
        let keep = self.blocks.len().saturating_sub(depth).max(1);
        let copy =
            |block: &Block| Contents { transfers: block.transfers.clone(), settlements: block.settlements.clone() };
        self.blocks.iter().skip(keep).map(copy).collect()
    }

    /// Reports a vault's balance at the newest final block.
    pub async fn reports_balance(&self, of: &Trader, asset: AssetId, amount: Amount) -> usize {
        let at = self.block(self.head() + 1 - CONFIRMATIONS).place;
        let token = self.token(asset);
        let balance = Balance { vault: of.user.vault, token, amount };
        chain_ingest::apply_balances(&self.market.context, CHAIN, at, &[balance]).await.expect("balances")
    }
}

fn log_of(reference: Reference) -> i64 {
    i64::try_from(reference.0).expect("a reference")
}

fn position_of(reference: Reference) -> i64 {
    i64::MIN + i64::try_from(reference.0).expect("a reference")
}

fn height(count: usize) -> u64 {
    u64::try_from(count).expect("a height")
}
