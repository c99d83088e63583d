#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]
//! Explains every statement of the store on a database with a history. No plan may scan a large table or index as a
//! whole, sort many rows, or read many more rows than the statement returns.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use testkit::history::{self, Size};
use testkit::market::Market;

/// Statements that may read many rows: a part of the statement, and the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("from ledger_disagreements", "audits the whole ledger; the product checks it vault by vault"),
    ("from ledger_unbacked", "audits the whole ledger; the product checks it vault by vault"),
    ("from fund_records where user_id = $1 group by", "audits all fund records of a user"),
    ("where a.kind = 'custody' and a.balance > 0", "audits all vaults"),
    ("where custody_index > $2", "reads a page of vaults; the limit is a parameter"),
    ("where u.custody_index > $1 and u.custody_index <= $2", "reads a page of vaults; its bounds are parameters"),
    ("and settled_at >= $1) o\n", "the worker reads the trades of a day once, and then only new ones"),
    ("(select count(*) from payout_legs", "counts a user's own fund records in the index, for the exact total"),
    ("extract(epoch from decided_at - filed_at)", "counts the appeals of 30 days, at most every 15 minutes"),
    ("(select from orders where due_at <= $1)", "stops at the first row"),
    ("for no key update skip locked))", "changes at most 1,000 rows"),
    ("delete from sessions", "deletes what it reads"),
    ("delete from login_networks", "deletes what it reads"),
    ("delete from guesses", "deletes what it reads"),
    ("delete from blocks", "reads what a reorganization removes"),
    ("from settlements\n         where chain_id = $1 and block_number >= $2", "reads what a reorganization removes"),
    ("update deposits set revoked_at = greatest($3", "reads what a reorganization removes"),
    ("update payout_attempts a set done_at = null", "reads what a reorganization removes"),
];

/// 5,000 appeals of different users, of which 300 are open, and two of twenty officers on each case.
const APPEALS: &str = r"
    set session_replication_role = replica;
    insert into officers (id, name, email, role, totp_secret, created_at)
    select gen_random_uuid(), n::text, n || '@example.org', 'APPEAL_OFFICER', '\x00', now() from generate_series(1, 20) n;
    insert into appeals (id, order_id, advertiser, taker, appeal, filed_at, filed_by, ended_at)
    select gen_random_uuid(), o.id, u.id, o.taker, jsonb_build_object('status', jsonb_build_object('status', s.status)),
           o.created_at, u.id, case when s.status = 'EXECUTED' then o.created_at + interval '1 day' end
    from (select *, row_number() over (order by id) as n from orders) o
         join (select id, row_number() over (order by id) as n from users) u on u.n = o.n
         cross join lateral (select case when o.n > 300 then 'EXECUTED' when o.n > 100 then 'PENDING' else 'DECIDED' end as status) s
    where o.n <= 5000;
    insert into case_officers (appeal_id, officer_id, joined_at)
    select a.id, o.id, a.filed_at
    from (select *, row_number() over (order by id) as n from appeals) a
         join (select id, row_number() over (order by id) as n from officers) o on (o.n + a.n) % 10 = 0;
    set session_replication_role = origin;
    analyze officers, appeals, case_officers;
";

/// 6,000 NFTs of three albums, whose metadata is due.
const NFTS: &str = r"
    set session_replication_role = replica;
    insert into albums (asset_id, class_id, name, creator, description, prepaid_asset, fee, gas, start_block)
    select -n, 'album-' || n, n, 'An artist', '', 1, 0, 0, 0 from generate_series(1, 3) n;
    insert into nft_metadata (asset_id, album, due_at)
    select -10 - n, -1 - n % 3, now() from generate_series(1, 6000) n;
    set session_replication_role = origin;
    analyze albums, nft_metadata;
";

/// A table or index with fewer rows is small.
const LARGE_FROM: f64 = 1_000.0;

#[tokio::test]
async fn no_statement_scans_a_large_table() {
    check(Size::SMALL, 250.0).await;
}

/// The same on a million users. Run it with `scripts/with-postgres cargo nextest run --workspace --run-ignored only
/// -E 'binary(plans)'`.
#[tokio::test]
#[ignore = "fills a database for minutes"]
async fn no_statement_scans_a_large_table_of_a_large_platform() {
    check(Size::LARGE, 5_000.0).await;
}

/// Fills a database and explains every statement. `most` is the number of rows that a part of a plan may read.
async fn check(size: Size, most: f64) {
    let market = Market::open().await;
    history::fill(&market.database, size).await;
    let mut connection = PgConnection::connect(&market.database.url).await.unwrap();
    execute(&mut connection, APPEALS).await;
    execute(&mut connection, NFTS).await;
    // The planner prefers scans of tables that fill few pages. Without them, it uses an index if there is one.
    execute(&mut connection, "set enable_seqscan = off").await;
    let rows = sqlx::query("select relname::text, reltuples::float8 from pg_class where relkind in ('r', 'i')")
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let tuples: BTreeMap<String, f64> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let plans = Plans { tuples, most };
    let mut report = String::new();
    let mut used = vec![false; EXCEPTIONS.len()];
    let statements = statements();
    for statement in &statements {
        let explain = format!("explain (generic_plan, format json) {statement}");
        let row = sqlx::raw_sql(AssertSqlSafe(explain)).fetch_one(&mut connection).await.unwrap();
        let plan: Value = row.get(0);
        let mut faults = Vec::new();
        plans.walk(&plan[0]["Plan"], false, &mut faults);
        let exception = EXCEPTIONS.iter().position(|(part, _)| statement.contains(part));
        if let Some(exception) = exception {
            used[exception] = true;
        }
        match exception {
            Some(_) => {}
            None if faults.is_empty() => {}
            None => writeln!(report, "{statement}\n    {}\n", faults.join("\n    ")).unwrap(),
        }
    }
    for ((part, _), used) in EXCEPTIONS.iter().zip(used) {
        assert!(used, "no statement has this part any more: {part}");
    }
    assert!(statements.len() > 200, "only {} statements were found", statements.len());
    assert!(report.is_empty(), "these statements read too much:\n\n{report}");
}

async fn execute(connection: &mut PgConnection, statement: &str) {
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(connection).await.unwrap();
}

/// Returns all statements of the store that have a plan.
fn statements() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".sqlx");
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let queries = files.map(|text| serde_json::from_str::<Value>(&text).unwrap()["query"].as_str().unwrap().to_owned());
    queries.filter(|query| !query.starts_with("lock table")).collect()
}

struct Plans {
    /// The number of rows of each table and index.
    tuples: BTreeMap<String, f64>,
    most: f64,
}

impl Plans {
    /// Adds the faults of a node and the nodes below it. A `limited` node stops as soon as the statement has its rows.
    fn walk(&self, node: &Value, limited: bool, faults: &mut Vec<String>) {
        let text = |name: &str| node[name].as_str().unwrap_or_default();
        let (kind, table, index) = (text("Node Type"), text("Relation Name"), text("Index Name"));
        let rows = node["Plan Rows"].as_f64().unwrap();
        let large = |name: &str| self.tuples.get(name).is_some_and(|tuples| *tuples >= LARGE_FROM);
        let whole = node["Index Cond"].is_null() && !limited;
        if kind == "Seq Scan" && large(table) {
            faults.push(format!("scans {table}"));
        } else if !index.is_empty() && large(index) && whole {
            faults.push(format!("scans {index}"));
        } else if (kind.contains("Scan") || kind == "Sort") && rows > self.most && !limited {
            faults.push(format!("{kind} of {rows} rows {table}{index} {}", text("Index Cond")));
        }
        let passes = ["Limit", "Nested Loop", "Append", "Merge Append", "LockRows", "Subquery Scan", "Result"];
        let limited = kind == "Limit" || limited && passes.contains(&kind);
        for (place, below) in node["Plans"].as_array().into_iter().flatten().enumerate() {
            // A nested loop reads its inner side once per row of the outer side.
            self.walk(below, limited && !(kind == "Nested Loop" && place > 0), faults);
        }
    }
}
