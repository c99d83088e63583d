//! Generates `docs/generated/states.md` by trying every command. Fails if the page is out of date; `UPDATE=1` rewrites it.

use std::fmt::Write as _;
use std::path::Path;

use crate::adverts;
use crate::adverts::tests::table as advert_table;
use crate::effect::Effect;
use crate::orders::tests::table::{Command, Seen, When, relative_to_deadline, situation, situations};
use crate::orders::tests::{self as order_tests, Kind};
use crate::orders::{Order, OrderCommand, OrderDecision, State};
use crate::reputation::{Acceptance, Cause};
use crate::trade::{Leg, Party};

const HEAD: &str = "\
<!-- Generated from crates/domain; `make generate` rewrites it. -->

# States of orders and adverts

The rows were found by running every command and event in every state, at every relevant time. Anything else is refused
and changes nothing. *In time* is before the deadline, *overdue* from the deadline on, *in the grace period* after the
late party was notified. *Covered* means that unconfirmed transfers cover the funding request. Postings have the names of
the ledger's templates. Everything in a row is written in one transaction.

An order is frozen when a chain reorganization removes its deposit. It keeps its state, and its deadline is suspended.
The buyer can still mark it as paid, and deposits for an automatic order are held; everything else waits until the deposit
is back. After 24 hours, either party may appeal, and after seven days, the platform does. *Frozen in part* means that some
of the coins are left. *Both coins held* means that both coins of an automatic order are in escrow, and the end of the
suspension releases them.

An order under appeal keeps its state, too, and its deadline is suspended. *Decided* means that an officer has decided the
appeal and the verdict waits for the end of its delay, which *overdue* then refers to. An officer can decide for the buyer
only if there is something to release, or nothing to return. If the order is *appealed again*, only the author of that
appeal can withdraw it.

*Voided* means that the release or refund was voided on the chain, so its coins are in the order's escrow again. The
platform then files an appeal.
";

#[test]
fn the_states_page_is_up_to_date() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated/states.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/generated/states.md is out of date: run make generate");
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for kind in Kind::ALL {
        write!(page, "\n## Orders on {} adverts\n\n", kind.name()).unwrap();
        page.push_str("| state | command or event | when | next | effects |\n|---|---|---|---|---|\n");
        for (label, order) in orders(kind) {
            order_rows(&mut page, &label, &order);
        }
    }
    for kind in Kind::ALL {
        let mut name = kind.name().to_owned();
        name.get_mut(..1).unwrap().make_ascii_uppercase();
        write!(page, "\n## {name} adverts\n\n").unwrap();
        page.push_str("| state | command or event | when | next | effects |\n|---|---|---|---|---|\n");
        for label in advert_table::SITUATIONS {
            if let Some(advert) = advert_table::situation(kind, label) {
                advert_rows(&mut page, label, &advert);
            }
        }
    }
    page
}

/// Returns an order of this kind in each of its states, including variants with a voided payout, an appeal, a verdict or a
/// requested cancellation.
fn orders(kind: Kind) -> Vec<(String, Order)> {
    let mut orders: Vec<_> = situations(kind).into_iter().map(|order| (situation(&order), order)).collect();
    if let Some(order) = order_tests::reach(kind, "AWAITING_PAYMENT") {
        let asked = order_tests::act(&order, Party::Seller, &OrderCommand::AskCancel, order_tests::start()).order;
        orders.push(("AWAITING_PAYMENT, cancellation requested".to_owned(), asked));
    }
    let position = |order: &Order| State::NAMES.into_iter().position(|state| state == order.state.name());
    orders.sort_by_key(|(_, order)| position(order));
    orders
}

fn order_rows(page: &mut String, label: &str, order: &Order) {
    for command in Command::all(order) {
        // Merge rows that differ only in the time.
        let mut rows: Vec<(String, String, Vec<When>)> = Vec::new();
        for when in When::ALL {
            if let Some((next, effects)) = order_result(order, &command, when, Seen::Nothing) {
                match rows.iter_mut().find(|row| row.0 == next && row.1 == effects) {
                    Some(row) => row.2.push(when),
                    None => rows.push((next, effects, vec![when])),
                }
            }
        }
        for (next, effects, times) in rows {
            let possible = When::ALL
                .into_iter()
                .filter(|&when| relative_to_deadline(order, when, Seen::Nothing).is_some())
                .count();
            let mut when = if possible == 1 {
                String::new()
            } else if times.len() == possible {
                "any time".to_owned()
            } else {
                times.iter().map(|when| when.name()).collect::<Vec<_>>().join(", ")
            };
            let result = (next, effects);
            for seen in sights(label, order) {
                if times.iter().all(|&when| order_result(order, &command, when, seen).as_ref() != Some(&result)) {
                    when.push_str(match seen {
                        Seen::Cover => "; not while unconfirmed transfers cover it",
                        Seen::Ambiguous => "; not if an ambiguous payment was seen",
                        Seen::Payment | Seen::Nothing => "; not if a payment was seen",
                    });
                }
            }
            let (next, effects) = result;
            writeln!(page, "| {label} | {} | {when} | {next} | {effects} |", command.name()).unwrap();
        }
        // What happens only if something was seen on the chain.
        for seen in sights(label, order) {
            for when in When::ALL {
                let usual = order_result(order, &command, when, Seen::Nothing);
                let Some((next, effects)) = order_result(order, &command, when, seen) else { continue };
                if usual.as_ref() != Some(&(next.clone(), effects.clone())) {
                    let because = match seen {
                        Seen::Cover => "unconfirmed transfers cover it",
                        Seen::Ambiguous => "an ambiguous payment was seen",
                        Seen::Payment | Seen::Nothing => "a payment was seen",
                    };
                    let (name, when) = (command.name(), when.name());
                    writeln!(page, "| {label} | {name} | {when}, if {because} | {next} | {effects} |").unwrap();
                }
            }
        }
    }
}

/// Returns what may have been seen on the chain that matters to an order.
fn sights(label: &str, order: &Order) -> Vec<Seen> {
    let payment = label.starts_with("AWAITING_PAYMENT") && !order.terms.automatic();
    let cover = order.funded_leg().map(|_| Seen::Cover);
    let payment = payment.then_some([Seen::Payment, Seen::Ambiguous]);
    cover.into_iter().chain(payment.into_iter().flatten()).collect()
}

/// Returns the next state and the effects; `None` if the command is refused or already done.
fn order_result(order: &Order, command: &Command, when: When, seen: Seen) -> Option<(String, String)> {
    let (order, inputs) = relative_to_deadline(order, when, seen)?;
    match command.try_on(&order, &inputs) {
        Ok(OrderDecision::Done(done)) => {
            let effects = done.effects.iter().filter_map(|effect| describe(effect, Some(&order))).collect::<Vec<_>>();
            Some((situation(&done.order), effects.join("; ")))
        }
        _ => None,
    }
}

fn advert_rows(page: &mut String, label: &str, advert: &adverts::Advert) {
    for command in advert_table::Command::all(advert) {
        let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
        for (when, facts) in advert_table::all_facts() {
            let Ok(adverts::AdvertDecision::Done(done)) = command.try_on(advert, &facts) else { continue };
            let effects =
                done.effects.iter().filter_map(|effect| describe(effect, None)).collect::<Vec<_>>().join("; ");
            let next = done.advert.state.name().to_owned();
            match rows.iter_mut().find(|row| row.0 == next && row.1 == effects) {
                Some(row) => row.2.push(when),
                None => rows.push((next, effects, vec![when])),
            }
        }
        for (next, effects, times) in rows {
            let all = times.len() == advert_table::all_facts().len();
            let when = if all { String::new() } else { times.join(" / ") };
            writeln!(page, "| {label} | {} | {when} | {next} | {effects} |", command.name()).unwrap();
        }
    }
}

fn describe(effect: &Effect, order: Option<&Order>) -> Option<String> {
    Some(match effect {
        Effect::Post(posting) => format!("posting `{}`", posting.template),
        Effect::Payout(intent) if intent.legs.len() > 1 => "payout of both legs in one chain transaction".to_owned(),
        Effect::Payout(_) => "payout".to_owned(),
        Effect::OpenFundingRequest(request) => {
            let leg = order
                .filter(|order| order.terms.vault_asset(Leg::Quote) == request.vault_asset)
                .map_or("base", |_| "quote");
            format!("a funding request for the {leg} opens")
        }
        Effect::FulfillFundingRequest(_) => "its funding request is fulfilled".to_owned(),
        Effect::CloseFundingRequest(_) => "its funding request is closed".to_owned(),
        Effect::Advert { change, .. } => match (change.quantity.is_zero(), change.ended) {
            (true, _) => "the order ends for the advert".to_owned(),
            (false, true) => "quantity returns to the advert, for which the order ends".to_owned(),
            (false, false) => "quantity returns to the advert".to_owned(),
        },
        Effect::ChargeReputation { user, cause, .. } => {
            let party = order.and_then(|order| order.terms.party(*user)).map_or("", Party::name).to_lowercase();
            match cause {
                Cause::AppealLost | Cause::AppealMalicious => format!("the {party} loses reputation"),
                _ => format!("counts against the {party}"),
            }
        }
        Effect::Acceptance { acceptance: Acceptance::Missed { .. }, .. } => "counts as a missed acceptance".to_owned(),
        Effect::Acceptance { .. } | Effect::Appeal { .. } | Effect::Notify { .. } | Effect::Call { .. } => return None,
    })
}
