//! No order can stand still: from every situation, the clock, the chain and officers lead it to an end without its
//! parties.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Command, Seen, When, relative_to_deadline, situation, situations};
use super::*;

/// Returns every situation of a kind, also frozen, with the situations to which something other than its parties leads.
fn exits(kind: Kind) -> BTreeMap<String, BTreeSet<String>> {
    let mut exits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for order in situations(kind) {
        let exits = exits.entry(situation(&order)).or_default();
        for (when, seen) in When::ALL.into_iter().flat_map(|when| Seen::ALL.map(|seen| (when, seen))) {
            let Some((order, inputs)) = relative_to_deadline(&order, when, seen) else { continue };
            for command in Command::all(&order) {
                // Removed blocks come back, so only forward steps count. Coins that a reorganization removed may not.
                let backward = ["revoked", "voided", "returned"].iter().any(|word| command.name().contains(word));
                if backward || matches!(command, Command::User(..)) || command.name() == "officer: reopen the appeal" {
                    continue;
                }
                if let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) {
                    exits.insert(situation(&done.order));
                }
            }
        }
    }
    exits
}

#[test]
fn every_order_can_be_ended_without_its_parties() {
    for kind in Kind::ALL {
        let exits = exits(kind);
        assert!(exits.len() > 15, "{exits:?}");
        let mut ending: BTreeSet<&str> = ["COMPLETED", "CANCELLED", "REJECTED"].into();
        loop {
            let more: Vec<_> = exits
                .iter()
                .filter(|(from, to)| {
                    !ending.contains(from.as_str()) && to.iter().any(|to| ending.contains(to.as_str()))
                })
                .map(|(from, _)| from.as_str())
                .collect();
            if more.is_empty() {
                break;
            }
            ending.extend(more);
        }
        let stuck: Vec<_> = exits.keys().filter(|name| !ending.contains(name.as_str())).collect();
        assert_eq!(stuck, Vec::<&String>::new(), "{}", kind.name());
    }
}

#[test]
fn the_clock_finds_every_order_that_only_the_clock_moves() {
    for kind in Kind::ALL {
        for order in situations(kind) {
            let waits = order.state.deadline().is_some() && order.open_appeal().is_none();
            let decided = matches!(order.open_appeal().map(|open| &open.status), Some(AppealStatus::Decided { .. }));
            assert_eq!(order.due_at().is_some(), waits || decided, "{}", situation(&order));
            let Some(due) = order.due_at() else { continue };
            assert!(order.due(due).is_some() && order.due(due - instant()).is_none());
        }
    }
}
