//! A whole market on a database of its own: coins, pairs, people who act, a chain that is told what to do, and a clock
//! that stands until it is moved.

mod audit;
mod chain;
mod session;
mod trader;

pub use chain::{Chain, Contents};
pub use session::Session;
pub use trader::{Offer, Trader, paid};

/// What the rules say to a command.
pub type Reply = Result<Response, Refusal>;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use app::idempotency::Response;
use app::trading::{self, Actor, Command, CommandKind};
use app::{Clock, Context, MachineTime};
use chrono::Duration;
use domain::assets::{Asset, AssetId, Home, Pair, PairId, Windows};
use domain::chain::{Address, ChainId, Token};
use domain::clock::{Reading, Timestamp};
use domain::money::{Amount, PRICE_DECIMALS, Price};
use domain::refusal::Refusal;
use store::catalog;

use crate::{Database, Ids, noon};

/// The only chain of a market.
pub const CHAIN: ChainId = ChainId(31_337);
/// How deep a block must lie.
pub const CONFIRMATIONS: u64 = 3;
/// The token contract of USDT.
pub const USDT_CONTRACT: Address = Address([0x0d; 20]);

struct Noon;

impl MachineTime for Noon {
    fn now(&self) -> Timestamp {
        noon()
    }
}

/// A market.
#[derive(Clone)]
pub struct Market {
    /// Its database.
    pub database: Database,
    /// What the use cases stand on.
    pub context: Context,
    /// The chain's own coin, with 18 decimals.
    pub mec: AssetId,
    /// A token with 6 decimals.
    pub usdt: AssetId,
    /// Fiat without decimals.
    pub krw: AssetId,
    /// MEC for USDT.
    pub mec_usdt: PairId,
    /// MEC for KRW.
    pub mec_krw: PairId,
    /// USDT for KRW.
    pub usdt_krw: PairId,
    people: Arc<AtomicU64>,
}

/// A whole number of minutes.
pub fn minutes(count: i64) -> Duration {
    Duration::minutes(count)
}

/// An amount of MEC.
pub fn mec(text: &str) -> Amount {
    Amount::parse(text, 18).expect("an amount of MEC")
}

/// An amount of USDT.
pub fn usdt(text: &str) -> Amount {
    Amount::parse(text, 6).expect("an amount of USDT")
}

/// An amount of KRW.
pub fn krw(text: &str) -> Amount {
    Amount::parse(text, 0).expect("an amount of KRW")
}

/// A price.
pub fn price(text: &str) -> Price {
    Price::parse(text).expect("a price")
}

/// The windows of every pair of a market, each of another length so that a mix-up shows.
pub fn windows() -> Windows {
    Windows {
        acceptance: minutes(5),
        advert_deposit: minutes(30),
        order_deposit: minutes(14),
        payment: minutes(16),
        confirmation: minutes(15),
        grace: minutes(10),
    }
}

impl Market {
    /// A market that has just opened: no people, no blocks, noon of the first day.
    pub async fn open() -> Self {
        let database = Database::fresh().await;
        let mut tx = database.store.begin().await.expect("a transaction");
        store::clock::set(&mut tx, Reading::Stopped { at: noon() }).await.expect("a stopped clock");
        let chain = catalog::Chain {
            id: CHAIN,
            name: "Test".to_owned(),
            genesis: None,
            escrow: None,
            escrow_code: None,
            confirmations: CONFIRMATIONS,
            start: 0,
            head: None,
            confirmed: None,
            stopped_because: None,
        };
        catalog::put_chain(&mut tx, &chain).await.expect("a chain");
        let native = Home::Chain { chain: CHAIN, token: Token::Native };
        let token = Home::Chain { chain: CHAIN, token: Token::Erc20(USDT_CONTRACT) };
        for (code, decimals, home, dust, gas) in [
            ("MEC", 18, native, mec("0.01"), mec("0.001")),
            ("USDT", 6, token, usdt("0.01"), usdt("0.1")),
            ("KRW", 0, Home::Fiat, Amount::ZERO, Amount::ZERO),
        ] {
            catalog::put_asset(&mut tx, code, decimals, home, dust, gas).await.expect("an asset");
        }
        let assets = catalog::assets(&mut tx).await.expect("assets");
        let asset = |code: &str| assets.iter().find(|asset| asset.code == code).cloned().expect("an asset");
        for (base, quote, floor, least, most) in [
            ("MEC", "USDT", mec("0.0005"), usdt("1"), usdt("1000000")),
            ("MEC", "KRW", mec("0.0005"), krw("100"), krw("1000000000")),
            ("USDT", "KRW", usdt("0.05"), krw("100"), krw("1000000000")),
        ] {
            catalog::put_pair(&mut tx, &pair(asset(base), asset(quote), floor, least, most)).await.expect("a pair");
        }
        let pairs = catalog::pairs(&mut tx).await.expect("pairs");
        let pair = |base: &str, quote: &str| {
            pairs.iter().find(|pair| pair.base.code == base && pair.quote.code == quote).expect("a pair").id
        };
        tx.commit().await.expect("a commit");
        Self {
            context: Context::new(database.store.clone(), Clock::Shared(Arc::new(Noon)), Arc::new(Ids)),
            mec: asset("MEC").id,
            usdt: asset("USDT").id,
            krw: asset("KRW").id,
            mec_usdt: pair("MEC", "USDT"),
            mec_krw: pair("MEC", "KRW"),
            usdt_krw: pair("USDT", "KRW"),
            people: Arc::new(AtomicU64::new(1)),
            database,
        }
    }

    /// Somebody new who may trade everything, with a bank account in KRW.
    pub async fn trader(&self) -> Trader {
        Trader::join(self, self.people.fetch_add(1, Ordering::Relaxed)).await
    }

    /// The market's chain, at its first block.
    pub async fn chain(&self) -> Chain {
        Chain::begin(self.clone()).await
    }

    /// What time it is.
    pub async fn now(&self) -> Timestamp {
        self.context.now().await.expect("the time")
    }

    /// Moves the clock to a moment; nothing else happens.
    pub async fn at(&self, timestamp: Timestamp) {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        store::clock::set(&mut tx, Reading::Stopped { at: timestamp }).await.expect("a moved clock");
        tx.commit().await.expect("a commit");
    }

    /// Lets time pass; nothing else happens.
    pub async fn waits(&self, span: Duration) {
        self.at(self.now().await + span).await;
    }

    /// Carries out a set of commands. A defect ends the test.
    pub async fn execute(&self, set: &[Command]) -> Vec<Reply> {
        let replies = trading::execute(&self.context, set).await;
        replies.into_iter().map(trader::refusal).collect()
    }

    /// The clock's command about one thing, as the worker gives it.
    pub async fn system(&self, what: CommandKind) -> Reply {
        let mut replies = self.execute(&[Command { actor: Actor::System, what }]).await;
        replies.pop().expect("a reply")
    }

    /// Lets everything happen that is due by now, as the worker does now and then. Says how much was looked at with success.
    pub async fn clock_strikes(&self) -> usize {
        app::timers::run(&self.context).await.expect("no defect")
    }

    /// Runs a statement on the database, for what only an officer or a defect could do.
    pub async fn sql(&self, statement: &str) {
        let pool = self.pool().await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned())).execute(&pool).await.expect("the statement");
        pool.close().await;
    }

    /// One number out of the database.
    pub async fn count(&self, query: &str) -> i64 {
        let pool = self.pool().await;
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(query.to_owned())).fetch_one(&pool).await.expect("a number");
        pool.close().await;
        count
    }

    async fn pool(&self) -> sqlx::PgPool {
        sqlx::postgres::PgPoolOptions::new().max_connections(1).connect(&self.database.url).await.expect("a connection")
    }
}

fn pair(base: Asset, quote: Asset, fee_floor: Amount, min_total: Amount, max_total: Amount) -> Pair {
    let coin = !matches!(quote.home, Home::Fiat);
    Pair {
        id: PairId(0),
        base,
        quote,
        enabled: true,
        fee_ppm: 1_000,
        fee_floor,
        min_total,
        max_total,
        price_band_ppm: 100_000,
        price_decimals: PRICE_DECIMALS,
        windows: windows(),
        chain_types: if coin { vec!["ERC20".to_owned()] } else { Vec::new() },
        automatic_chain_type: coin.then(|| "ERC20".to_owned()),
    }
}
