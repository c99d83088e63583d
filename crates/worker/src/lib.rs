//! The background work: enforces deadlines, reads the chain, sends payouts and emails, reconciles the ledger with the chain, and
//! deletes expired data.
//!
//! Each part is a loop: it reads the database and the chain, does the work that is due, and rests. It keeps no state in
//! memory that it cannot lose. Therefore workers can be restarted at any time, any number of them can run at once, and
//! a test can run a single step.

pub mod backfill;
pub mod chain_identity;
pub mod emails;
pub mod metadata;
pub mod payout_chain;
pub mod payouts;
pub mod pictures;
pub mod reconcile;
pub mod references;
mod run;
pub mod stops;
pub mod sweep;
pub mod timers;
pub mod watch;

use std::sync::Arc;
use std::time::Duration;

use app::Context;
use app::chain_ingest::Policy;
use app::files::ports::FileStore;
use app::mail::Mail;
use app::market::ReferencePrices;
use app::nfts::metadata::MetadataSource;
use chain::node::Node;
use chain::signer::Signer;
use domain::money::Amount;

pub use run::run;

const GWEI: i128 = 1_000_000_000;

#[derive(Clone)]
pub struct Worker {
    pub context: Context,
    /// A single node, or a quorum of several.
    pub node: Arc<dyn Node>,
    /// The settler. A worker without a signer sends no payouts.
    pub signer: Option<Arc<dyn Signer>>,
    /// A worker without a file store deletes no files.
    pub files: Option<Arc<dyn FileStore>>,
    /// A worker without a source fetches no metadata of NFTs.
    pub metadata: Option<Arc<dyn MetadataSource>>,
    /// A worker without a mail server sends no emails.
    pub mail: Option<Arc<dyn Mail>>,
    /// Where users open the web app. Emails link to it.
    pub public_url: String,
    pub settings: WorkerSettings,
    pub points: Points,
    pub scan_state: watch::ScanState,
    pub reference_prices: ReferencePrices,
}

impl Worker {
    /// Returns a worker that has just started, with the default settings, which neither pays, nor deletes files, nor sends emails.
    pub fn new(context: Context, node: Arc<dyn Node>) -> Self {
        Self {
            context,
            node,
            signer: None,
            files: None,
            metadata: None,
            mail: None,
            public_url: String::new(),
            settings: WorkerSettings::default(),
            points: Points::default(),
            scan_state: watch::ScanState::default(),
            reference_prices: ReferencePrices::default(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct WorkerSettings {
    /// How long a part pauses when it has found nothing to do.
    pub rest: Duration,
    /// How long a part pauses after a failed step.
    pub rest_after_failure: Duration,
    /// The time after which a step is canceled. The part then starts a new step.
    pub step_limit: Duration,
    /// The maximum number of legs in one transaction.
    pub legs_at_once: usize,
    /// The maximum number of blocks in one range.
    pub blocks_at_once: u64,
    /// How many recent blocks are searched first for a common ancestor with the node's chain. If none matches, the
    /// search goes deeper.
    pub remembered_blocks: i64,
    /// How long a transaction may stay unmined before a transaction with a higher fee replaces it.
    pub stuck_after: chrono::Duration,
    /// The highest gas price to offer, in gwei (10^9 base units of the native coin).
    pub most_fee_gwei: u64,
    /// How many vaults reconciliation compares per second, in rounds over all vaults; at least one.
    pub vaults_per_second: u32,
    pub policy: Policy,
}

impl WorkerSettings {
    /// Returns the highest gas price to offer, in base units.
    pub fn most_fee(&self) -> Amount {
        // Cannot overflow: a `u64` times 10^9 fits in an `i128`.
        Amount::new(i128::from(self.most_fee_gwei).saturating_mul(GWEI)).unwrap_or(Amount::ZERO)
    }
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            rest: Duration::from_millis(500),
            rest_after_failure: Duration::from_secs(2),
            step_limit: Duration::from_mins(2),
            legs_at_once: 50,
            blocks_at_once: 500,
            remembered_blocks: 128,
            stuck_after: chrono::Duration::seconds(60),
            most_fee_gwei: 500,
            vaults_per_second: 200,
            policy: Policy { stop_on_deep_reorganisation: true },
        }
    }
}

/// A point in a step at which a crash must do no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Point {
    /// Legs are chosen; nothing is signed.
    Chosen,
    /// The transaction is signed but not stored.
    Signed,
    /// The signed transaction is stored but not sent.
    Written,
    /// The transaction is sent.
    Sent,
    /// A range of new or old blocks is read from the node but not applied.
    Read,
    Applied,
}

/// A callback that is called at each point. Tests use it to stall or kill the process; in the product it does nothing.
#[derive(Clone)]
pub struct Points(Arc<dyn Fn(Point) + Send + Sync>);

impl Points {
    pub fn calling(at: impl Fn(Point) + Send + Sync + 'static) -> Self {
        Self(Arc::new(at))
    }

    pub(crate) fn reached(&self, point: Point) {
        (self.0)(point);
    }
}

impl Default for Points {
    fn default() -> Self {
        Self::calling(|_| {})
    }
}

/// Whether a task runs its next step immediately or rests first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// There may be more to do.
    Immediately,
    Rest,
}

/// Why a step failed. The next step reads its state from the database, as after a restart.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    App(#[from] app::Error),
    #[error(transparent)]
    Node(#[from] chain::node::NodeError),
    #[error(transparent)]
    Watch(#[from] chain::watch::WatchError),
    #[error(transparent)]
    Sign(#[from] chain::signer::SignError),
    #[error(transparent)]
    Batch(#[from] chain::batch::BatchError),
    /// The step exceeded [`WorkerSettings::step_limit`].
    #[error("the step exceeded its time limit")]
    TooLong,
    /// The node serves a different chain from the one in the database.
    #[error("{0}")]
    OtherChain(String),
}

pub type Result<T> = std::result::Result<T, Error>;
