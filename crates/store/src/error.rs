//! Database errors.

use sqlx::migrate::MigrateError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A constraint refused the rows. Nothing was written, and the transaction must be rolled back.
    #[error("refused by {constraint}")]
    Refused { constraint: String },
    /// A conflict with another transaction. A retry may succeed.
    #[error("another transaction was in the way")]
    Conflict,
    /// The database is unreachable, starting or stopping.
    #[error("the database is not available")]
    Unavailable(#[source] sqlx::Error),
    /// A row that cannot be converted to a domain value.
    #[error("{table} row {row} is invalid: {why}")]
    Row {
        table: &'static str,
        /// The row's key.
        row: String,
        /// The reason.
        why: &'static str,
    },
    /// Any other error of the database, caused by a bug.
    #[error("the database refused a statement")]
    Internal(#[source] sqlx::Error),
    /// The database was migrated by a version of the product with other migrations. Nothing was changed.
    #[error("the database belongs to another version of the product")]
    OtherVersion(#[source] MigrateError),
    /// The schema could not be migrated.
    #[error("migration failed")]
    Migration(#[source] MigrateError),
}

impl Error {
    /// Creates an error about a row that cannot be converted to a domain value.
    pub fn row(table: &'static str, row: impl std::fmt::Display, why: &'static str) -> Self {
        Self::Row { table, row: format!("{row}"), why }
    }

    /// Returns whether the constraint with this name caused the error.
    pub fn is_refused_by(&self, name: &str) -> bool {
        matches!(self, Self::Refused { constraint } if constraint == name)
    }
}

impl From<MigrateError> for Error {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_) => Self::OtherVersion(error),
            _ => Self::Migration(error),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else {
            return match error {
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed
                | sqlx::Error::Protocol(_) => Self::Unavailable(error),
                _ => Self::Internal(error),
            };
        };
        match database.code().as_deref() {
            Some("40001" | "40P01") => Self::Conflict,
            Some(code) if code.starts_with("23") => {
                Self::Refused { constraint: database.constraint().unwrap_or("unnamed").to_owned() }
            }
            // Insufficient resources, operator intervention, system error, connection: temporary.
            Some(code) if ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class)) => {
                Self::Unavailable(error)
            }
            _ => Self::Internal(error),
        }
    }
}
