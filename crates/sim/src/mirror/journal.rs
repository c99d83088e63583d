//! The journal: triggers that record each committed change of the tables that the invariants concern.
//!
//! Reading the journal after each step costs one query, however much the database contains. Changes of transactions
//! that were rolled back are not in it.

use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use uuid::Uuid;

/// The recorded tables with the columns that are kept.
const TABLES: [(&str, &[&str]); 13] = [
    ("orders", &["id", "version", "state", "payment", "side"]),
    ("adverts", &["id", "version", "state", "automatic", "side"]),
    ("ledger_accounts", &["id", "kind", "owner", "vault", "asset_id", "balance"]),
    ("ledger_entries", &["posting_id", "account_id", "debit", "amount"]),
    ("users", &["id", "reputation", "last_event"]),
    ("reputation_changes", &["user_id", "change"]),
    ("outbox_events", &["user_id", "number"]),
    ("funding_requests", &["id", "user_id", "asset_id", "advert_id", "order_id", "required", "funded", "state"]),
    ("idempotency_keys", &["user_id", "key"]),
    ("settlements", &["reference", "outcome", "confirmed_at"]),
    ("deposits", &["id", "revoked_at", "orphaned", "asset_id"]),
    ("payout_stops", &["asset_id"]),
    ("assets", &["id", "contract", "token_id"]),
];

/// An inserted, updated or deleted row.
pub(crate) struct Change {
    pub(crate) table: String,
    pub(crate) before: Option<Fields>,
    pub(crate) after: Option<Fields>,
}

/// The kept columns of a row, as text.
#[derive(PartialEq, Eq)]
pub(crate) struct Fields(Vec<Option<String>>);

impl Fields {
    pub(crate) fn text(&self, column: usize) -> &str {
        self.0[column].as_deref().unwrap_or_default()
    }

    pub(crate) fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(&self, column: usize) -> T {
        self.text(column).parse().expect("a number")
    }

    pub(crate) fn id(&self, column: usize) -> Uuid {
        self.text(column).parse().expect("an ID")
    }

    pub(crate) fn bytes<const LENGTH: usize>(&self, column: usize) -> [u8; LENGTH] {
        let digits = self.text(column).strip_prefix("\\x").expect("bytes");
        let byte = |place: usize| u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).expect("a byte");
        std::array::from_fn(byte)
    }

    pub(crate) fn optional_id(&self, column: usize) -> Option<Uuid> {
        self.0[column].as_ref().map(|id| id.parse().expect("an ID"))
    }
}

/// Creates the triggers in a database.
pub(crate) async fn install(inspector: &mut PgConnection) {
    let journal = "create schema sim;
        create unlogged table sim.journal (
            sequence bigint generated always as identity, relation text not null, before text[], after text[]);";
    let triggers = TABLES.iter().map(|(table, columns)| {
        let kept = |row: &str| columns.iter().map(|name| format!("{row}.{name}::text")).collect::<Vec<_>>().join(", ");
        let (before, after) = (kept("old"), kept("new"));
        format!(
            "create function sim.{table}() returns trigger language plpgsql as $$ begin
                 insert into sim.journal (relation, before, after) values ('{table}',
                     case when tg_op <> 'INSERT' then array[{before}] end,
                     case when tg_op <> 'DELETE' then array[{after}] end);
                 return null;
             end $$;
             create trigger sim after insert or update or delete on {table}
                 for each row execute function sim.{table}();"
        )
    });
    let script: String = std::iter::once(journal.to_owned()).chain(triggers).collect();
    sqlx::raw_sql(AssertSqlSafe(script)).execute(inspector).await.expect("triggers");
}

/// Returns the changes since the last call, in the order in which they were written.
pub(crate) async fn take(inspector: &mut PgConnection) -> Vec<Change> {
    let query = "with taken as (delete from sim.journal returning *)
                 select relation, before, after from taken order by sequence";
    let rows = sqlx::query(query).fetch_all(inspector).await.expect("the journal");
    let fields = |row: &sqlx::postgres::PgRow, column| row.get::<Option<Vec<Option<String>>>, _>(column).map(Fields);
    rows.iter().map(|row| Change { table: row.get(0), before: fields(row, 1), after: fields(row, 2) }).collect()
}
