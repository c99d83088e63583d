//! Executes sets of commands so that a command never makes another command fail: a set that fails is halved until the failing
//! command runs alone.

use domain::refusal::Refusal;

use crate::{Error, Result};

/// How often a command is retried if the database refuses it. A retry sees the rows that caused the conflict.
const ATTEMPTS: u32 = 3;

/// Why a set failed as a whole.
pub(crate) enum Failure {
    /// A resource that every command needs is unavailable.
    Gone(&'static str),
    /// A corrupt row, a refused statement, or a conflict with another transaction.
    Store(store::Error),
    /// A bug in the product.
    Defect(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Unavailable { what } => Self::Gone(what),
            other => Self::Defect(other),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Unavailable(_) => Error::from(error).into(),
            other => Self::Store(other),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Gone(what) => Self::Unavailable { what },
            Failure::Store(error) => error.into(),
            Failure::Defect(error) => error,
        }
    }
}

/// How a set of commands is executed as a whole.
pub(crate) trait Transaction<C: Sync, R: Send>: Sync {
    /// Executes a whole set in one transaction and returns the result of each command, in order. On failure, writes nothing.
    fn attempt(&self, set: &[C]) -> impl Future<Output = std::result::Result<Vec<R>, Failure>> + Send;
}

/// Executes commands in order and returns the result of each.
///
/// A set that fails is halved until the failing command runs alone. Therefore a corrupt row, or a statement that the database
/// refuses, fails only the commands that need it. If the database is unavailable, all commands fail.
pub(crate) async fn execute<C: Sync, R: Send>(set: &[C], transaction: &impl Transaction<C, R>) -> Vec<Result<R>> {
    let mut results = Vec::with_capacity(set.len());
    // The remaining parts, in reverse order.
    let mut parts = vec![set];
    while let Some(part) = parts.pop() {
        let failure = match transaction.attempt(part).await {
            Ok(decided) => {
                results.extend(decided.into_iter().map(Ok));
                continue;
            }
            Err(failure) => failure,
        };
        match (failure, part) {
            (Failure::Gone(what), _) => {
                results.resize_with(set.len(), || Err(Error::Unavailable { what }));
                break;
            }
            (_, []) => {}
            (failure, [_]) => results.push(retry(part, failure, transaction).await),
            (_, several) => {
                let (first, rest) = several.split_at(several.len().div_euclid(2));
                parts.extend([rest, first]);
            }
        }
    }
    results
}

/// Retries a command that failed alone, and returns the final result.
async fn retry<C: Sync, R: Send>(
    command: &[C],
    mut failure: Failure,
    transaction: &impl Transaction<C, R>,
) -> Result<R> {
    for _ in 0..ATTEMPTS {
        if !matches!(failure, Failure::Store(store::Error::Refused { .. } | store::Error::Conflict)) {
            break;
        }
        match transaction.attempt(command).await {
            Ok(mut decided) => {
                return decided.pop().ok_or_else(|| Error::Internal("a set without a reply".to_owned()));
            }
            Err(next) => failure = next,
        }
    }
    match &failure {
        Failure::Store(error) if error.is_refused_by(store::funding::ONE_OPEN) => {
            return Err(Refusal::FundingRequestOpen.into());
        }
        Failure::Store(store::Error::Row { table, row, why }) => {
            tracing::error!(table, row, why, "a command needs a corrupt row");
        }
        _ => {}
    }
    Err(failure.into())
}
