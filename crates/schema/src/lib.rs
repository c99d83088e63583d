//! The database schema: migrations and initial data, compiled in. A separate crate, because the queries in `store` are
//! checked at compile time against a migrated database.

pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// The forms of the built-in payment methods, as JSON. To add a method, add a form here and texts in the web app.
pub static PAYMENT_METHODS: &str = include_str!("../data/payment_methods.json");
