//! What happens without anybody asking: deadlines pass, the chain is read, payouts are sent, the books are compared with
//! the chain, what has expired is forgotten.
//!
//! Each part is a loop without input: it looks at the rows and at the chain, does what is to be done, and rests. So a
//! restart is the ordinary path, any number of workers may run, and a test calls one step.

pub mod chain_identity;
pub mod payouts;
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
use chain::node::Node;
use chain::signer::Signer;
use domain::money::Amount;

pub use run::run;

/// Base units in a gwei.
const GWEI: i128 = 1_000_000_000;

/// What the worker works with.
#[derive(Clone)]
pub struct Worker {
    /// The use cases' foundation.
    pub context: Context,
    /// The chain's node, or several that speak as one.
    pub node: Arc<dyn Node>,
    /// The settler's key; without one this worker pays nothing.
    pub signer: Option<Arc<dyn Signer>>,
    /// How it works.
    pub settings: Settings,
    /// Called at each point at which a crash must do no harm.
    pub points: Points,
    /// What it remembers of its looks at vaults.
    pub scan_state: watch::ScanState,
}

/// How the worker works.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How long a part rests when there was nothing to do.
    pub rest: Duration,
    /// How long a part rests after a failure.
    pub rest_after_failure: Duration,
    /// After how long a step is given up, to be begun anew.
    pub step_limit: Duration,
    /// The most legs in one chain transaction.
    pub legs_at_once: usize,
    /// The most blocks that are read at once.
    pub blocks_at_once: u64,
    /// How many block hashes are compared in search of a common ancestor at first; more, if there is none among them.
    pub remembered_blocks: i64,
    /// After how long without being mined a transaction is offered again for more.
    pub stuck_after: chrono::Duration,
    /// The most that is offered for a unit of gas, in gwei: 10^9 base units of the chain's own coin.
    pub most_fee_gwei: u64,
    /// What to be wary of.
    pub policy: Policy,
}

impl Settings {
    /// The most that is offered for a unit of gas, in base units.
    pub fn most_fee(&self) -> Amount {
        // However many gwei: they fit.
        Amount::new(i128::from(self.most_fee_gwei).saturating_mul(GWEI)).unwrap_or(Amount::ZERO)
    }
}

impl Default for Settings {
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
            policy: Policy { stop_on_deep_reorganisation: true },
        }
    }
}

/// A point at which a crash must do no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Point {
    /// Legs were chosen; nothing is signed.
    Chosen,
    /// The transaction is signed; nothing is written.
    Signed,
    /// The signed transaction is written; nothing is sent.
    Written,
    /// It was sent; the answer is not looked at.
    Sent,
    /// A range was read from the node; nothing is applied.
    Read,
    /// A range was applied.
    Applied,
}

/// Is told of each point as it is reached. Tests end the process there; the product does nothing.
#[derive(Clone)]
pub struct Points(Arc<dyn Fn(Point) + Send + Sync>);

impl Points {
    /// Calls this at each point.
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

/// Whether a part goes on at once or rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// There may be more to do.
    Immediately,
    /// There was nothing to do.
    Rest,
}

/// Why a step did not finish. The next step begins from the rows, as after a restart.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The product.
    #[error(transparent)]
    App(#[from] app::Error),
    /// The node.
    #[error(transparent)]
    Node(#[from] chain::node::NodeError),
    /// The node's blocks.
    #[error(transparent)]
    Watch(#[from] chain::watch::WatchError),
    /// The signer.
    #[error(transparent)]
    Sign(#[from] chain::signer::SignError),
    /// Legs that make no batch.
    #[error(transparent)]
    Batch(#[from] chain::batch::BatchError),
    /// Something was waited for too long.
    #[error("no end after the time that a step may take")]
    TooLong,
    /// The node speaks of another chain than the books.
    #[error("{0}")]
    OtherChain(String),
}

/// What a step answers.
pub type Result<T> = std::result::Result<T, Error>;
