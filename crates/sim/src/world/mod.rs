//! Everything that exists in a run: the market and its users, the processes, the chain, and what was observed.

mod commands;
mod processes;
mod settle;

pub(crate) use commands::{Intent, Judged};
pub(crate) use processes::{Part, Process};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use app::realtime::Tail;
use app::{Clock, Context, MachineTime};
use chain::node::Node;
use chain::quorum::QuorumNode;
use chain::scripted::{Script, ScriptedNode};
use chain::signer::{LocalSigner, Signer};
use chain::vaults::Vaults;
use chrono::DateTime;
use domain::assets::{AssetId, Pair};
use domain::chain::{Address, Token};
use domain::clock::Timestamp;
use domain::ids::{IdSource, PaymentMethodId, UserId};
use domain::money::Amount;
use domain::users::{KycLevel, User};
use sqlx::{Connection as _, PgConnection};
use store::catalog::{self, Chain};
use testkit::market::{CHAIN, Market, USDT_CONTRACT, chain_row};
use testkit::{noon, reservations, users};
use uuid::Uuid;
use worker::Worker;

use crate::Bug;
use crate::draws::SeededIds;
use crate::mirror::{self, Mirror};
use crate::payments::Checked;
use crate::plan::Size;
use crate::wire::Wire;
use commands::Commands;

const ESCROW: Address = Address([0xe5; 20]);
/// Of three nodes, two must agree.
const NODES: usize = 3;
const SETTLER: [u8; 32] = [0x51; 32];

/// The clock of all machines.
#[derive(Clone)]
pub(crate) struct Hands(Arc<AtomicI64>);

impl MachineTime for Hands {
    fn now(&self) -> Timestamp {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).expect("a timestamp")
    }
}

impl Hands {
    pub(crate) fn advance(&self, span: chrono::Duration) {
        self.0.fetch_add(span.num_microseconds().expect("a short time"), Ordering::SeqCst);
    }
}

pub(crate) struct SimulatedUser {
    pub(crate) user: User,
    /// The user's bank account in KRW.
    pub(crate) account: PaymentMethodId,
}

/// Everything that was observed, in order.
#[derive(Default)]
pub(crate) struct Seen(Vec<String>);

impl Seen {
    pub(crate) fn add(&mut self, what: &impl std::fmt::Debug) {
        self.0.push(format!("{what:?}"));
    }

    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.0)
    }
}

/// How often each kind of event was observed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(pub BTreeMap<String, u64>);

impl Counts {
    pub(crate) fn add(&mut self, what: &str, many: usize) {
        *self.0.entry(what.to_owned()).or_default() += u64::try_from(many).expect("a count");
    }

    pub fn get(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }
}

pub struct World {
    pub(crate) size: Size,
    pub(crate) market: Market,
    /// The pairs of coins.
    pub(crate) pairs: Vec<Pair>,
    /// The pair of an album of NFTs.
    pub(crate) album: Pair,
    pub(crate) hands: Hands,
    pub(crate) script: Script,
    pub(crate) nodes: Vec<ScriptedNode>,
    /// The nodes that have a fault.
    pub(crate) sick: BTreeSet<usize>,
    /// The database connection of the first server and the first worker.
    pub(crate) wire: Wire,
    pub(crate) servers: [Context; 2],
    pub(crate) workers: [Worker; 2],
    pub(crate) users: Vec<SimulatedUser>,
    places: BTreeMap<UserId, usize>,
    /// The users by their vaults.
    vaults: BTreeMap<Address, UserId>,
    pub(crate) commands: Commands,
    /// The open funding requests for which a deposit was sent.
    pub(crate) deposited: BTreeSet<Uuid>,
    /// Deposits that a reorganization removed; their senders may send them again.
    pub(crate) lost: Vec<(Token, Address, Address, Amount)>,
    /// Whether blocks were replaced since a worker last read the chain to its head.
    pub(crate) reorganized: bool,
    /// The vaults and tokens for which the token has logged what it did not move.
    pub(crate) lied: BTreeSet<(Address, Token)>,
    /// Those of these vaults that have lost a transfer since. Of two transfers that a vault holds only once, nobody can tell which
    /// one is the lie. If the platform credits the lie, and a reorganization removes the other one, the vault holds too little.
    pub(crate) uncovered: BTreeSet<(Address, Token)>,
    /// The reader of all events that never stalls, and one that sometimes does.
    pub(crate) tails: [Tail; 2],
    /// The number of the last event that each reader has received, by user.
    pub(crate) received: [BTreeMap<UserId, i64>; 2],
    pub(crate) inspector: PgConnection,
    /// Watches who waits for whom.
    lookout: PgConnection,
    /// What the database contained after the previous step.
    pub(crate) mirror: Mirror,
    /// The signed transactions that were checked.
    pub(crate) checked: Checked,
    pub(crate) counts: Counts,
    pub(crate) seen: Seen,
}

impl World {
    pub(crate) async fn open(size: Size, seed: u64) -> Self {
        let hands = Hands(Arc::new(AtomicI64::new(noon().timestamp_micros())));
        let ids = Arc::new(SeededIds::new(seed));
        let mut market = Market::open().await;
        let clock = || Clock::Machine(Arc::new(hands.clone()));
        market.context = Context::new(market.database.store.clone(), clock(), ids.clone());

        let script = Script::new(CHAIN, ESCROW);
        let nodes: Vec<_> = (0..NODES).map(|_| script.node()).collect();
        let (pairs, mut albums): (Vec<_>, Vec<_>) =
            configure(&market, &nodes[0]).await.into_iter().partition(|pair| !pair.of_nfts());
        let mut inspector = PgConnection::connect(&market.database.url).await.expect("a connection");
        mirror::install(&mut inspector).await;
        reservations::install(&mut inspector).await;
        let users = register(&market, ids.as_ref(), size.users).await;

        let wire = Wire::open(host_of(&market.database.url)).await;
        let through = reservations::stalling(&with_port(&market.database.url, wire.port()));
        let options = store::Options {
            url: through,
            // Which of several connections is used next, and so the number of requests, would depend on time.
            connections: 1,
            patience: Duration::from_secs(30),
            untested: Duration::ZERO,
        };
        let fragile = store::Store::connect(&options).expect("a PostgreSQL URL");
        let fragile = Context::new(fragile, clock(), ids);
        let worker = |context: &Context| worker(context.clone(), &nodes);
        Self {
            size,
            pairs,
            album: albums.pop().expect("an album"),
            workers: [worker(&fragile), worker(&market.context)],
            tails: [tail(&market.context).await, tail(&market.context).await],
            received: Default::default(),
            inspector,
            lookout: PgConnection::connect(&market.database.url).await.expect("a connection"),
            servers: [fragile, market.context.clone()],
            places: users.iter().enumerate().map(|(place, user)| (user.user.id, place)).collect(),
            vaults: users.iter().map(|user| (user.user.vault, user.user.id)).collect(),
            market,
            hands,
            script,
            nodes,
            sick: BTreeSet::new(),
            wire,
            users,
            commands: Commands::default(),
            deposited: BTreeSet::new(),
            lost: Vec::new(),
            reorganized: false,
            lied: BTreeSet::new(),
            uncovered: BTreeSet::new(),
            mirror: Mirror::default(),
            checked: Checked::default(),
            counts: Counts::default(),
            seen: Seen::default(),
        }
    }

    /// Removes the database.
    pub(crate) async fn close(self) {
        self.inspector.close().await.expect("an open connection");
        self.market.database.remove().await;
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.hands.now()
    }

    /// Adds something to what was observed.
    pub(crate) fn observe(&mut self, what: &impl std::fmt::Debug) {
        self.seen.add(what);
    }

    /// The user with this ID.
    pub(crate) fn user(&self, id: UserId) -> &SimulatedUser {
        &self.users[self.places[&id]]
    }

    /// The owner of a vault.
    pub(crate) fn owner(&self, vault: Address) -> Option<UserId> {
        self.vaults.get(&vault).copied()
    }

    pub(crate) fn token(&self, asset: AssetId) -> Token {
        let coin = || if asset == self.market.mec { Token::Native } else { Token::Erc20(USDT_CONTRACT) };
        self.mirror.nfts.get(&asset).copied().unwrap_or_else(coin)
    }

    /// Schedules a transfer in the next block. Its sender has just received what it sends from elsewhere: an NFT from
    /// whoever has it, and anything else from nowhere. The transfer of an NFT that is in a vault fails.
    pub(crate) fn send(&mut self, token: Token, from: Address, to: Address, amount: Amount) {
        let elsewhere = self.script.nfts().remove(&token).unwrap_or(Address([0; 20]));
        if elsewhere != from && !self.vaults.contains_key(&elsewhere) {
            self.script.transfer(token, elsewhere, from, amount);
        }
        self.script.transfer(token, from, to, amount);
    }

    /// Whether enough nodes are healthy that every request must succeed.
    pub(crate) fn chain_is_healthy(&self) -> bool {
        self.sick.len() < NODES - 1
    }

    /// Runs a query of the inspector that returns one number.
    pub(crate) async fn count(&mut self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&mut self.inspector).await.expect("a number")
    }

    /// Counts the orders by kind and state.
    pub(crate) fn count_end_states(&mut self) {
        for order in self.mirror.orders.values() {
            let kind = if order.terms.automatic() { "automatic" } else { "manual" };
            let what = if order.terms.prepayment.is_some() { "NFT" } else { "coin" };
            let (side, state) = (order.terms.side.into_str(), order.state.into_str());
            self.counts.add(&format!("{kind} {what} {side} orders {state}"), 1);
        }
    }

    /// The sum of the paid legs that were redirected away from an address, in base units.
    pub(crate) async fn count_redirected(&mut self, from: Address, asset: AssetId) -> i128 {
        let query = "select coalesce(sum(amount), 0)::text from payout_legs
                     where state = 'paid' and redirected_from = $1 and asset_id = $2";
        let sum: String = sqlx::query_scalar(query)
            .bind(from.as_slice())
            .bind(asset.0)
            .fetch_one(&mut self.inspector)
            .await
            .expect("a sum");
        sum.parse().expect("a number")
    }

    /// Waits until PostgreSQL has ended all transactions of lost connections.
    pub(crate) async fn quiet(&mut self) {
        let busy = "select count(*) from pg_stat_activity where datname = current_database()
                    and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'";
        while self.count(busy).await > 0 {
            tokio::task::yield_now().await;
        }
    }
}

async fn configure(market: &Market, node: &ScriptedNode) -> Vec<Pair> {
    market.opens_album().await;
    let identity = chain::identity::read(node, ESCROW).await.expect("the chain's identity");
    let row = Chain {
        genesis: Some(identity.genesis),
        escrow: Some(ESCROW),
        escrow_code: identity.escrow_code,
        ..chain_row(CHAIN)
    };
    let mut tx = market.database.store.begin().await.expect("a transaction");
    catalog::put_chain(&mut tx, &row).await.expect("a chain");
    let pairs = catalog::pairs(&mut tx).await.expect("pairs");
    tx.commit().await.expect("a commit");
    pairs
}

async fn register(market: &Market, ids: &SeededIds, count: usize) -> Vec<SimulatedUser> {
    let vaults = Vaults::of(ESCROW);
    let mut tx = market.database.store.begin().await.expect("a transaction");
    let mut users = Vec::new();
    for index in 1..=u64::try_from(count).expect("a count") {
        let trader = users::trader(index);
        let vault = vaults.address(trader.custody_index);
        // Advertisers of coins for fiat need the advanced level, and advertisers can require it of takers.
        let kyc = if index.is_multiple_of(6) { KycLevel::Basic } else { KycLevel::Advanced };
        let user = User { id: UserId(ids.fresh(noon())), vault, kyc, ..trader };
        let account = users::bank_account(PaymentMethodId(ids.fresh(noon())), user.id, index);
        store::users::insert(&mut tx, &user, noon() - chrono::Duration::days(30)).await.expect("a new user");
        store::payment_methods::insert(&mut tx, &account, noon()).await.expect("a payment method");
        users.push(SimulatedUser { user, account: account.id });
    }
    tx.commit().await.expect("a commit");
    users
}

/// A worker process that has just started.
pub(crate) fn worker(context: Context, nodes: &[ScriptedNode]) -> Worker {
    let nodes = nodes.iter().map(as_node).collect();
    let signer: Arc<dyn Signer> = Arc::new(LocalSigner::development(SETTLER).expect("a key"));
    let quorum = Arc::new(QuorumNode::new(nodes, NODES - 1).expect("a possible quorum"));
    Worker { signer: Some(signer), ..Worker::new(context, quorum) }
}

fn as_node(node: &ScriptedNode) -> Arc<dyn Node> {
    Arc::new(node.clone())
}

async fn tail(context: &Context) -> Tail {
    Tail::begin(context).await.expect("the end of the events")
}

/// `host:port` of a URL.
fn host_of(url: &str) -> String {
    let rest = url.rsplit_once('@').map_or(url, |(_, rest)| rest);
    rest.split_once('/').map_or(rest, |(host, _)| host).to_owned()
}

/// The URL with a port of this machine instead of its host.
fn with_port(url: &str, port: u16) -> String {
    url.replacen(&host_of(url), &format!("127.0.0.1:{port}"), 1)
}

/// An error that nothing explains.
pub(crate) fn unexplained(what: &str, error: &impl std::fmt::Display) -> Bug {
    Bug(format!("{what} failed without a fault: {error}"))
}
