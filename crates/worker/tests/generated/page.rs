//! The page about the cost of a trade.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use testkit::meter::Cost;

use crate::lives::Life;

const HEAD: &str = "\
<!-- Generated from crates/worker/tests/generated; `make generate` rewrites it. -->

# What a trade costs

What the life of an order costs PostgreSQL: the commands of its parties, as the executor runs them for the API, and the
steps of the worker in which something happens to the order. Sessions, polls and the worker's idle steps do not count. The
order is the second one of the same users. The first one has filled what processes keep in memory, and has created the rows
that later orders only update.

All figures are the same in each run, and a test compares them with this page. `UPDATE=1 cargo test -p worker --test generated`
rewrites the page; the commit that makes trades dearer contains the change.

- *Transactions* are those that the product begins. A statement outside of them is a transaction of its own, which is not
  counted here.
- *Statements* are those that the product sends, without the beginnings and ends of transactions. *Inner statements* are
  those that triggers and functions of the database execute, without the foreign-key look-ups.
- *Rows written* are inserted (+), updated (~) and deleted (−) rows. A row that is updated twice counts twice. Rows that are
  only locked do not count.
- *Triggers fired* are calls of the trigger functions of the schema, for each row or for each statement as the trigger says.
- *Foreign-key look-ups* are the queries of PostgreSQL's own triggers. PostgreSQL sends none if a key is null or has not
  changed. Its statistics do not tell apart in which table a row was looked up.
- *WAL bytes* are the sizes of the records that the statements write, also for locks and indexes, without the record of each
  commit. They are measured with `wal_level = minimal` and without page images, which depend on checkpoints.
";

type Count = fn(&Cost) -> i64;

/// The counts in the first table of each life.
const COUNTS: [(&str, Count); 7] = [
    ("transactions", |cost| cost.transactions),
    ("statements", |cost| cost.statements),
    ("inner statements", |cost| cost.inner_statements),
    ("rows written", |cost| cost.rows.values().flatten().sum()),
    ("triggers fired", |cost| cost.triggers.values().sum()),
    ("foreign-key look-ups", |cost| cost.look_ups),
    ("WAL bytes", |cost| cost.wal_bytes),
];

pub fn page(lives: &[(&str, Life)]) -> String {
    let mut page = HEAD.to_owned();
    for (title, life) in lives {
        write!(page, "\n## {title}\n").unwrap();
        table(&mut page, "count", life);
        for (name, count) in COUNTS {
            line(&mut page, name, life, |cost| [count(cost)], |[count]| count.to_string());
        }
        table(&mut page, "rows of table", life);
        for name in names(life, |cost| cost.rows.keys()) {
            line(&mut page, name, life, |cost| cost.rows.get(name).copied().unwrap_or_default(), changes);
        }
        table(&mut page, "trigger function", life);
        for name in names(life, |cost| cost.triggers.keys()) {
            let calls = |cost: &Cost| [cost.triggers.get(name).copied().unwrap_or_default()];
            line(&mut page, name, life, calls, |[calls]| if calls == 0 { String::new() } else { calls.to_string() });
        }
    }
    page
}

fn names<'a, K: Iterator<Item = &'a String>>(life: &'a Life, of: impl Fn(&'a Cost) -> K) -> BTreeSet<&'a str> {
    life.iter().flat_map(|(_, cost)| of(cost)).map(String::as_str).collect()
}

/// Begins a table with a column for each step.
fn table(page: &mut String, what: &str, life: &Life) {
    let steps: Vec<_> = life.iter().map(|(step, _)| *step).collect();
    writeln!(page, "\n| {what} | {} | total |\n|---|{}---|", steps.join(" | "), "---|".repeat(steps.len())).unwrap();
}

/// Writes counts of each step and their sums.
fn line<const N: usize>(
    page: &mut String,
    name: &str,
    life: &Life,
    of: impl Fn(&Cost) -> [i64; N],
    text: impl Fn([i64; N]) -> String,
) {
    let steps: Vec<_> = life.iter().map(|(_, cost)| of(cost)).collect();
    let total = steps.iter().fold([0; N], |sum, counts| std::array::from_fn(|place| sum[place] + counts[place]));
    let cells: Vec<_> = steps.into_iter().map(&text).collect();
    writeln!(page, "| {name} | {} | **{}** |", cells.join(" | "), text(total)).unwrap();
}

fn changes(rows: [i64; 3]) -> String {
    let marked = ["+", "~", "−"].into_iter().zip(rows).filter(|(_, count)| *count != 0);
    marked.map(|(mark, count)| format!("{mark}{count}")).collect::<Vec<_>>().join(" ")
}

/// Describes how the measured page differs from the committed one.
pub fn difference(committed: &str, measured: &str) -> String {
    let (old, new) = (placed_lines(committed), placed_lines(measured));
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("- {line}\n"));
    let added = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}\n"));
    format!(
        "a trade does not cost what docs/generated/trade-cost.md says. If this is intended, run\n    \
         UPDATE=1 cargo test -p worker --test generated\n\
         and commit the page together with the change that makes trades dearer or cheaper.\n\n{}",
        gone.chain(added).collect::<String>()
    )
}

/// Returns the lines of a page, each behind the title of its life.
fn placed_lines(page: &str) -> Vec<String> {
    let mut title = "";
    let mut lines = Vec::new();
    for line in page.lines() {
        title = line.strip_prefix("## ").unwrap_or(title);
        lines.push(format!("{title} {line}"));
    }
    lines
}
