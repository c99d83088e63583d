//! The database's schema: the migrations and the data that comes with them, compiled in. Apart from the store, because the store's queries are checked
//! against a database that has this schema already.

/// All migrations, in order.
pub static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!();

/// The forms of payment methods that the product comes with, as JSON. A new method needs a form here and its words in the
/// web app.
pub static PAYMENT_METHODS: &str = include_str!("../data/payment_methods.json");
