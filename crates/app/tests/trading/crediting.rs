//! Token deposits that a reorganization removes and that come back in the same range: they are credited again only if the
//! vault still holds them.

use app::chain_ingest::{self, Balance, Held, Ingested, Policy, Range};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use testkit::market::{Chain, Contents, Market, Trader, usdt};

/// What the token says about the vault at the newest final block.
#[derive(Debug, Clone, Copy)]
enum Says {
    Holds(&'static str),
    Nothing,
}

struct Stage {
    market: Market,
    chain: Chain,
    anna: Trader,
}

impl Stage {
    async fn set() -> Self {
        let market = Market::open().await;
        let (chain, anna) = (market.chain().await, market.trader().await);
        Self { market, chain, anna }
    }

    async fn brings(&mut self, amount: &str) {
        self.chain.brings(&self.anna, self.market.usdt, usdt(amount)).await;
    }

    /// Replaces the newest `depth` blocks by these and one more, in one range.
    async fn returns(&mut self, depth: u64, blocks: Vec<Contents>, says: Says) -> app::Result<Ingested> {
        let range = self.replaces(depth, blocks);
        let (at, token) = self.finalizing(&range).await;
        let vault = self.anna.user.vault;
        let (known, unknown) = match says {
            Says::Holds(held) => (vec![Balance { vault, token, amount: usdt(held) }], Vec::new()),
            Says::Nothing => (Vec::new(), vec![(vault, token, "out of gas".to_owned())]),
        };
        self.applies(&Range { held: Some(Held { at: Some(at), known, unknown }), ..range }).await
    }

    fn replaces(&mut self, depth: u64, blocks: Vec<Contents>) -> Range {
        let from = self.chain.head().saturating_add(1).saturating_sub(depth);
        self.chain.returns(&Range { blocks: Vec::new(), ..self.chain.range_from(from) });
        self.chain.finds(blocks.into_iter().chain([Contents::default()]));
        self.chain.range_from(from)
    }

    async fn finalizing(&self, range: &Range) -> (domain::chain::BlockRef, domain::chain::Token) {
        let range = self.chain.reads(range).await;
        let finalizing = chain_ingest::finalizing(&self.market.context, &range).await.unwrap().expect("a transfer");
        assert_eq!(finalizing.vault_assets.len(), 1);
        (finalizing.block, finalizing.vault_assets[0].1)
    }

    async fn applies(&self, range: &Range) -> app::Result<Ingested> {
        let range = self.chain.reads(range).await;
        let applied =
            chain_ingest::apply(&self.market.context, &range, Policy { stop_on_deep_reorganisation: false }).await;
        applied.map(|applied| applied.expect("nobody else has read"))
    }

    /// Checks what the ledger says of the vault, and whether the deposit is credited; if not, its coin is stopped.
    async fn has(&self, custody: &str, credited: bool, case: &str) {
        let vault_asset = VaultAsset { vault: self.anna.id(), asset: self.market.usdt };
        let uncredited = self.market.count("select count(*) from transfers where uncredited").await;
        let stopped = self.market.count("select count(*) from payout_stops").await;
        assert_eq!((uncredited, stopped), if credited { (0, 0) } else { (1, 1) }, "{case}");
        assert_eq!(self.market.balance(vault_asset.custody()).await, usdt(custody), "{case}");
        self.market.is_sound().await;
    }
}

/// A transfer of 5 was credited, is removed, and comes back; before, the vault held what `before` says.
async fn a_deposit_returns(before: Option<&str>, says: Says, custody: &str, credited: bool) {
    let mut stage = Stage::set().await;
    if let Some(before) = before {
        stage.brings(before).await;
    }
    stage.brings("5").await;
    let again = stage.chain.contents_of_newest(3);
    stage.returns(3, again, says).await.unwrap();
    stage.has(custody, credited, &format!("after {before:?}, the token says {says:?}")).await;
}

#[tokio::test]
async fn a_deposit_that_returns_is_credited_again_if_the_vault_holds_it() {
    a_deposit_returns(None, Says::Holds("5"), "5", true).await;
    a_deposit_returns(None, Says::Holds("4.999999"), "0", false).await;
    a_deposit_returns(None, Says::Nothing, "0", false).await;
    a_deposit_returns(Some("7"), Says::Holds("12"), "12", true).await;
    a_deposit_returns(Some("7"), Says::Holds("11.999999"), "7", false).await;
    a_deposit_returns(Some("7"), Says::Holds("7"), "7", false).await;
}

/// A withdrawal of 7 and then a deposit of 5 were final. The reorganization removes both; the deposit returns, and the
/// withdrawal if `paid`.
async fn a_deposit_returns_behind_a_payout(paid: bool, held: &'static str, custody: &str, credited: bool) {
    let mut stage = Stage::set().await;
    stage.brings("7").await;
    stage.anna.withdraws(stage.market.usdt).await.unwrap();
    stage.chain.settles().await;
    stage.brings("5").await;
    stage.has("5.1", true, "what is left is the gas").await;
    let mut again = stage.chain.contents_of_newest(6);
    if !paid {
        for block in &mut again {
            block.settlements.clear();
        }
    }
    stage.returns(6, again, Says::Holds(held)).await.unwrap();
    stage.has(custody, credited, &format!("paid again: {paid}, the vault holds {held}")).await;
}

#[tokio::test]
async fn coins_whose_payout_was_removed_do_not_cover_a_deposit_that_returns() {
    a_deposit_returns_behind_a_payout(false, "12", "12", true).await;
    a_deposit_returns_behind_a_payout(false, "11.999999", "7", false).await;
    a_deposit_returns_behind_a_payout(false, "7", "7", false).await;
}

#[tokio::test]
async fn a_payout_that_returns_with_the_deposit_leaves_room_for_it() {
    a_deposit_returns_behind_a_payout(true, "5.1", "5.1", true).await;
    a_deposit_returns_behind_a_payout(true, "5.099999", "0.1", false).await;
}

#[tokio::test]
async fn balances_of_another_block_credit_nothing() {
    let mut stage = Stage::set().await;
    stage.brings("5").await;
    let again = stage.chain.contents_of_newest(3);
    let range = stage.replaces(3, again);
    let (at, token) = stage.finalizing(&range).await;
    for at in [None, Some(domain::chain::BlockRef { hash: at.parent, ..at })] {
        let amount = Amount::new(domain::money::MAX_UNITS).unwrap();
        let known = vec![Balance { vault: stage.anna.user.vault, token, amount }];
        let held = Some(Held { at, known, unknown: Vec::new() });
        assert!(stage.applies(&Range { held, ..range.clone() }).await.is_err(), "read again");
        stage.has("5", true, "nothing has changed").await;
    }
}
