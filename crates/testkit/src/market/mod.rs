//! A complete market on its own database: assets, pairs, users, a simulated chain, and a stopped clock that tests move.

mod albums;
mod audit;
mod chain;
mod logs;
pub mod officers;
mod session;
mod trader;

pub use albums::{ALBUM_CONTRACT, nft};
pub use chain::{Chain, Contents};
pub use logs::log_faults;
pub use session::Session;
pub use trader::{Offer, Trader, paid};

/// The result of a command.
pub type Reply = Result<Response, Refusal>;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use app::commands::{self, Actor, Command, CommandKind};
use app::engine::idempotency::Response;
use app::{Clock, Context, MachineTime};
use chrono::Duration;
use domain::assets::{Asset, AssetId, Home, Pair, PairId, Windows};
use domain::chain::{Address, ChainId, Token};
use domain::clock::{Reading, Timestamp};
use domain::ids::IdSource;
use domain::money::{Amount, PRICE_DECIMALS, Price};
use domain::refusal::Refusal;
use store::catalog;

use crate::{Database, Ids, noon};

pub const CHAIN: ChainId = ChainId(31_337);
/// The number of confirmations that make a block final.
pub const CONFIRMATIONS: u64 = 3;
pub const USDT_CONTRACT: Address = Address([0x0d; 20]);

struct Noon;

impl MachineTime for Noon {
    fn now(&self) -> Timestamp {
        noon()
    }
}

#[derive(Clone)]
pub struct Market {
    pub database: Database,
    pub context: Context,
    /// The native coin, with 18 decimals.
    pub mec: AssetId,
    /// A token with 6 decimals.
    pub usdt: AssetId,
    /// Fiat without decimals.
    pub krw: AssetId,
    pub mec_usdt: PairId,
    pub mec_krw: PairId,
    pub usdt_krw: PairId,
    users: Arc<AtomicU64>,
}

pub fn minutes(count: i64) -> Duration {
    Duration::minutes(count)
}

pub fn mec(text: &str) -> Amount {
    Amount::parse(text, 18).expect("an amount of MEC")
}

pub fn usdt(text: &str) -> Amount {
    Amount::parse(text, 6).expect("an amount of USDT")
}

pub fn krw(text: &str) -> Amount {
    Amount::parse(text, 0).expect("an amount of KRW")
}

pub fn price(text: &str) -> Price {
    Price::parse(text).expect("a price")
}

/// Returns the windows of every pair. All lengths differ, so that tests detect mix-ups.
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

/// Returns a chain whose genesis block and Escrow are not known yet.
pub fn chain_row(id: ChainId) -> catalog::Chain {
    catalog::Chain {
        id,
        name: "Test".to_owned(),
        genesis: None,
        escrow: None,
        escrow_code: None,
        confirmations: CONFIRMATIONS,
        start: 0,
        head: None,
        confirmed: None,
        stopped_because: None,
    }
}

impl Market {
    /// Opens a market without users or blocks, at noon of the first day.
    pub async fn open() -> Self {
        Self::on(Database::fresh().await).await
    }

    /// Opens a market in a fresh database.
    pub async fn on(database: Database) -> Self {
        let mut tx = database.store.begin().await.expect("a transaction");
        store::clock::set(&mut tx, Reading::Stopped { at: noon() }).await.expect("a stopped clock");
        catalog::put_chain(&mut tx, &chain_row(CHAIN)).await.expect("a chain");
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
        for (base, quote, fee_minimum, least, most) in [
            ("MEC", "USDT", mec("0.0005"), usdt("1"), usdt("1000000")),
            ("MEC", "KRW", mec("0.0005"), krw("100"), krw("1000000000")),
            ("USDT", "KRW", usdt("0.05"), krw("100"), krw("1000000000")),
        ] {
            catalog::put_pair(&mut tx, &pair(asset(base), asset(quote), fee_minimum, least, most))
                .await
                .expect("a pair");
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
            users: Arc::new(AtomicU64::new(1)),
            database,
        }
    }

    /// Returns the same market on connections of its own.
    #[must_use]
    pub fn reconnected(&self) -> Self {
        let database = self.database.reconnected();
        let context = Context::new(database.store.clone(), Clock::Shared(Arc::new(Noon)), Arc::new(Ids));
        Self { database, context, ..self.clone() }
    }

    /// Adds a user who may trade everything and has a bank account in KRW.
    pub async fn trader(&self) -> Trader {
        self.trader_with(&Ids).await
    }

    /// Adds such a user with IDs of this source.
    pub async fn trader_with(&self, ids: &dyn IdSource) -> Trader {
        Trader::join(self, self.users.fetch_add(1, Ordering::Relaxed), ids).await
    }

    pub async fn chain(&self) -> Chain {
        Chain::begin(self.clone()).await
    }

    pub async fn now(&self) -> Timestamp {
        self.context.now().await.expect("the time")
    }

    /// Sets the clock, without acting on deadlines.
    pub async fn at(&self, timestamp: Timestamp) {
        let mut tx = self.database.store.begin().await.expect("a transaction");
        store::clock::set(&mut tx, Reading::Stopped { at: timestamp }).await.expect("a moved clock");
        tx.commit().await.expect("a commit");
    }

    /// Advances the clock, without acting on deadlines.
    pub async fn waits(&self, span: Duration) {
        self.at(self.now().await + span).await;
    }

    /// Executes a set of commands. Panics on errors other than refusals.
    pub async fn execute(&self, set: &[Command]) -> Vec<Reply> {
        let replies = commands::execute(&self.context, set).await;
        replies.into_iter().map(trader::refusal).collect()
    }

    /// Executes a command of the platform, like the worker.
    pub async fn system(&self, what: CommandKind) -> Reply {
        let mut replies = self.execute(&[Command { actor: Actor::System, what }]).await;
        replies.pop().expect("a reply")
    }

    /// Acts on all deadlines that have passed, like the worker. Returns the number of rows that were processed
    /// successfully.
    pub async fn clock_strikes(&self) -> usize {
        app::deadlines::run(&self.context).await.expect("no defect")
    }

    /// Runs a statement, for changes that only an officer or a defect could make.
    pub async fn sql(&self, statement: &str) {
        let pool = self.pool().await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned())).execute(&pool).await.expect("the statement");
        pool.close().await;
    }

    /// Runs a query that returns one number.
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

fn pair(base: Asset, quote: Asset, fee_minimum: Amount, min_total: Amount, max_total: Amount) -> Pair {
    let coin = !matches!(quote.home, Home::Fiat);
    Pair {
        prepayment: None,
        id: PairId(0),
        base,
        quote,
        enabled: true,
        fee_rate_ppm: 1_000,
        fee_minimum,
        min_total,
        max_total,
        price_band_ppm: 100_000,
        price_decimals: PRICE_DECIMALS,
        windows: windows(),
        chain_types: if coin { vec!["ERC20".to_owned()] } else { Vec::new() },
        automatic_chain_type: coin.then(|| "ERC20".to_owned()),
    }
}
