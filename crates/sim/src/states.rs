//! The transitions of the generated table of states.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const PAGE: &str = include_str!("../../../docs/generated/states.md");

/// Which states can follow each state of one kind of order or advert.
#[derive(Default)]
pub(crate) struct Table(BTreeMap<&'static str, BTreeSet<&'static str>>);

impl Table {
    /// The table under a heading, in lowercase.
    pub(crate) fn of(heading: &str) -> &'static Self {
        static ALL: LazyLock<BTreeMap<String, Table>> = LazyLock::new(read);
        ALL.get(heading).unwrap_or_else(|| panic!("no table of {heading}"))
    }

    /// Whether one transition leads from one state to another. Every state can follow itself. Where coins are returned,
    /// the trade can also end at once, because nothing is left after the network fee.
    pub(crate) fn allows(&self, from: &str, to: &str) -> bool {
        let can = |to| self.0.get(from).is_some_and(|next| next.contains(to));
        from == to || can(to) || (to == "CANCELLED" && (can("REFUNDING") || can("REVOKING")))
    }

    /// Whether several transitions lead from one state to another.
    pub(crate) fn leads(&self, from: &str, to: &str) -> bool {
        let mut reached = BTreeSet::from([from]);
        let mut left = vec![from];
        while let Some(state) = left.pop() {
            left.extend(self.0.get(state).into_iter().flatten().copied().filter(|next| reached.insert(next)));
        }
        reached.contains(to)
    }
}

fn read() -> BTreeMap<String, Table> {
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let mut table = "";
    for line in PAGE.lines() {
        table = line.strip_prefix("## ").unwrap_or(table);
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, from, _, _, to, ..] = cells.as_slice() else { continue };
        // A situation within a state follows a comma.
        let [from, to] = [from, to].map(|cell| cell.split(',').next().unwrap_or_default());
        if from.chars().all(|c| c.is_ascii_uppercase() || c == '_') {
            tables.entry(table.to_lowercase()).or_default().0.entry(from).or_default().insert(to);
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_what_can_follow() {
        let orders = Table::of("orders on manual sell adverts");
        assert!(orders.allows("AWAITING_ACCEPTANCE", "AWAITING_PAYMENT"));
        assert!(!orders.allows("AWAITING_ACCEPTANCE", "COMPLETED"));
        assert!(orders.leads("AWAITING_ACCEPTANCE", "COMPLETED"));
        assert!(Table::of("orders on manual buy adverts").allows("AWAITING_CONFIRMATION", "CANCELLED"));
        assert!(orders.allows("COMPLETED", "RELEASE_REVOKED"));
        assert!(!orders.leads("REJECTED", "COMPLETED"));
        assert!(!orders.allows("AWAITING_ACCEPTANCE", "AWAITING_DEPOSIT"));
        assert!(Table::of("orders on automatic sell adverts").allows("REFUNDING", "CANCELLED"));
        assert!(Table::of("orders on manual buy adverts").allows("AWAITING_ACCEPTANCE", "AWAITING_DEPOSIT"));
        assert!(Table::of("manual sell adverts").leads("CREATING", "DELETED"));
        assert!(!Table::of("automatic buy adverts").leads("ONLINE", "CREATING"));
    }
}
