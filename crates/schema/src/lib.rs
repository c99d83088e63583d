//! The database's schema: the migrations, compiled in. Apart from the store, because the store's queries are checked
//! against a database that has this schema already.

/// All migrations, in order.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();
