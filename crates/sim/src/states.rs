//! The transitions of the generated table of states.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const PAGE: &str = include_str!("../../../docs/generated/states.md");

const KINDS: [&str; 4] = ["manual sell", "manual buy", "automatic sell", "automatic buy"];

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
    let mut of_orders = false;
    for line in PAGE.lines() {
        of_orders = if line.starts_with("## ") { line != "## Adverts" } else { of_orders };
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        // The tables of overlays have a column more.
        let ([_, kinds, from, _, _, to, _, _] | [_, kinds, from, _, _, _, to, _, _]) = cells.as_slice() else {
            continue;
        };
        // What changes within a state follows a comma, or stands alone.
        let [to, ..] = to.split(", ").collect::<Vec<_>>()[..] else { continue };
        if !is_state(to) {
            continue;
        }
        for kind in KINDS.into_iter().filter(|kind| is_of(kind, kinds)) {
            let heading = if of_orders { format!("orders on {kind} adverts") } else { format!("{kind} adverts") };
            let table = tables.entry(heading).or_default();
            for state in from.split(" / ").filter_map(|state| state.split(", ").next()) {
                table.0.entry(state).or_default().insert(to);
            }
        }
    }
    tables
}

fn is_state(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Whether a kind is among those that a row names: `all`, `manual`, `all but manual buy`, `manual buy / automatic sell`.
fn is_of(kind: &str, named: &str) -> bool {
    let is_one = |name: &str| name == "all" || name.split(' ').all(|word| kind.split(' ').any(|part| part == word));
    match named.strip_prefix("all but ") {
        Some(name) => !is_one(name),
        None => named.split(" / ").any(is_one),
    }
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
        assert!(Table::of("orders on manual sell adverts").allows("AWAITING_PAYMENT", "RELEASING"), "by a verdict");
        assert!(!Table::of("orders on automatic sell adverts").allows("AWAITING_PAYMENT", "AWAITING_CONFIRMATION"));
        assert!(!Table::of("orders on manual sell adverts").allows("REFUNDING", "CANCELLED"));
        assert!(Table::of("manual sell adverts").leads("CREATING", "DELETED"));
        assert!(!Table::of("automatic buy adverts").leads("ONLINE", "CREATING"));
    }
}
