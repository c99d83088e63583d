//! Generates `docs/generated/states.md` by trying every command. Fails if the page is out of date; `UPDATE=1` rewrites it.

mod rules;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use strum::VariantNames;

use crate::adverts;
use crate::adverts::tests::table as advert_table;
use crate::applied::Applied;
use crate::effect::Effect;
use crate::orders::tests::table::{Command, Seen, When, relative_to_deadline, situation, situations};
use crate::orders::tests::{self as order_tests, Kind};
use crate::orders::{Order, OrderCommand, State};
use crate::reputation::{Acceptance, Cause};
use crate::trade::{Leg, Party};
use rules::{Act, Merge, REQUESTED, Row, Situation};

const HEAD: &str = "\
<!-- Generated from crates/domain; `make generate` rewrites it. -->

# States of orders and adverts

The rows were found by running every command and event in every state, at every relevant time. Anything else is refused
and changes nothing. An empty *when* means at any time. *In time* is before the deadline, *overdue* from the deadline on, *in the
grace period* after the late party was notified. *Covered* means that unconfirmed transfers cover the funding request. Postings
have the names of the ledger's templates. Everything in a row is written in one transaction.

*Adverts* says on which adverts an order has the row. The first table has the rows of orders without overlays.
";

const OVERLAYS_HEAD: &str = "
## Overlays of orders

An order that is frozen, under appeal or voided keeps its state. Only the rows of the following tables apply to it, and they lead
into overlays and out of them. A row applies to every order that has one of its states and all of its overlays, whatever other
overlays the order has; several rows can say the same about one order. *Next* names what changes. If it is a state and says
nothing else, no overlay is left.

An order is frozen when a chain reorganization removes its deposit. Its deadline is suspended. The buyer can still mark it as
paid, and deposits for an automatic order are held; everything else waits until the deposit is back. After 24 hours, either
party may appeal, and after seven days, the platform does. *Frozen in part* means that some of the coins are left. *Both coins
held* means that both coins of an automatic order are in escrow, and the end of the suspension releases them.

The deadline of an order under appeal is suspended, too. *Decided* means that an officer has decided the appeal and the verdict
waits for the end of its delay, which *overdue* then refers to. An officer can decide for the buyer only if there is something to
release, or nothing to return. If the order is *appealed again*, only the author of that appeal can withdraw it. *Undecided* means
under appeal or appealed again.

*Voided* means that the release or refund was voided on the chain, so its coins are in the order's escrow again. The platform
then files an appeal.
";

/// The tables of overlays, with their commands. The last one has all others.
const SECTIONS: [(&str, &[&str]); 4] = [
    ("Frozen", &["chain: deposit revoked", "chain: deposit returned"]),
    ("Voided", &["chain: payout voided", "chain: void revoked"]),
    ("Payments and deposits meanwhile", &["buyer: mark paid", "chain: deposit funded", "chain: payment funded"]),
    ("Appeals", &[]),
];

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
    let states = State::VARIANTS.iter().map(|state| (*state).to_owned()).collect::<Vec<_>>();
    let (rows, situations) = order_rows();
    let (plain, mut rest): (BTreeSet<_>, BTreeSet<_>) =
        rows.into_iter().partition(|row| row.from.is_plain() && row.to.is_plain());
    let plain_situations = situations.iter().filter(|situation| situation.is_plain()).cloned().collect();
    page.push_str("\n## Orders\n\n");
    table(&mut page, &plain, &plain_situations, &states, Merge::Kinds);
    page.push_str(OVERLAYS_HEAD);
    for (heading, commands) in SECTIONS {
        let of_section;
        (of_section, rest) =
            rest.into_iter().partition(|row| commands.is_empty() || commands.contains(&row.act.command));
        write!(page, "\n### {heading}\n\n").unwrap();
        table(&mut page, &of_section, &situations, &states, Merge::All);
    }
    assert_eq!(rest, BTreeSet::new(), "rows that are in no table");
    page.push_str("\n## Adverts\n\n");
    let (rows, situations) = advert_rows();
    table(&mut page, &rows, &situations, &advert_table::SITUATIONS.map(str::to_owned), Merge::Kinds);
    page
}

/// Writes rules instead of rows, and checks that the rules say all rows and nothing else.
fn table(page: &mut String, rows: &BTreeSet<Row>, situations: &BTreeSet<Situation>, states: &[String], merge: Merge) {
    let mut rules = rules::rules(rows, situations, merge);
    let said = rules::rows(&rules, situations);
    let missing: Vec<_> = rows.difference(&said).collect();
    let wrong: Vec<_> = said.difference(rows).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "missing: {missing:#?}\nwrong: {wrong:#?}");
    if merge == Merge::Kinds {
        rules.sort_by_key(|rule| rule.first_state(states));
        page.push_str("| adverts | state | command or event | when | next | effects |\n|---|---|---|---|---|---|\n");
    } else {
        page.push_str("| adverts | state | overlays | command or event | when | next | effects |\n");
        page.push_str("|---|---|---|---|---|---|---|\n");
    }
    for rule in rules {
        writeln!(page, "| {} |", rule.cells(states, merge == Merge::All).join(" | ")).unwrap();
    }
}

/// Returns an order of this kind in each of its states, including variants with a voided payout, an appeal, a verdict or a
/// requested cancellation.
fn orders(kind: Kind) -> Vec<(String, Order)> {
    let mut orders: Vec<_> = situations(kind).into_iter().map(|order| (label(&order), order)).collect();
    if let Some(order) = order_tests::reach(kind, "AWAITING_PAYMENT") {
        let asked = order_tests::act(&order, Party::Seller, &OrderCommand::AskCancel, order_tests::start()).order;
        orders.push((label(&asked), asked));
    }
    let position = |order: &Order| State::VARIANTS.iter().position(|state| *state == order.state.into_str());
    orders.sort_by_key(|(_, order)| position(order));
    orders
}

/// Returns the situation of an order, and whether the seller has asked to cancel it.
fn label(order: &Order) -> String {
    let asked = matches!(order.state, State::AwaitingPayment { cancel_asked_at: Some(_), .. });
    let situation = situation(order);
    if asked { format!("{situation}, {REQUESTED}") } else { situation }
}

/// Returns all transitions of orders, and all situations of orders.
fn order_rows() -> (BTreeSet<Row>, BTreeSet<Situation>) {
    let (mut rows, mut situations) = (BTreeSet::new(), BTreeSet::new());
    for kind in Kind::ALL {
        for (label, order) in orders(kind) {
            let from = Situation::of_order(kind.name(), &label);
            for (position, command) in Command::all(&order).into_iter().enumerate() {
                for (when, next, effects) in order_results(&label, &order, &command) {
                    let act = Act { position, command: command.name(), when, effects };
                    rows.insert(Row { from: from.clone(), act, to: Situation::of_order(kind.name(), &next) });
                }
            }
            situations.insert(from);
        }
    }
    (rows, situations)
}

/// Returns when a command can be executed, with the next situation and the effects.
fn order_results(label: &str, order: &Order, command: &Command) -> Vec<(String, String, String)> {
    // Merge rows that differ only in the time.
    let mut rows: Vec<(String, String, Vec<When>)> = Vec::new();
    for when in When::ALL {
        if let Some((next, effects)) = order_result(order, command, when, Seen::Nothing) {
            match rows.iter_mut().find(|row| row.0 == next && row.1 == effects) {
                Some(row) => row.2.push(when),
                None => rows.push((next, effects, vec![when])),
            }
        }
    }
    let possible = When::ALL.into_iter().filter(|&when| relative_to_deadline(order, when, Seen::Nothing).is_some());
    let possible = possible.count();
    let mut results = Vec::new();
    for (next, effects, times) in rows {
        let mut when = Vec::new();
        if times.len() < possible {
            when.push(times.iter().map(|when| when.name()).collect::<Vec<_>>().join(", "));
        }
        let result = (next, effects);
        for seen in sights(label, order) {
            if times.iter().all(|&when| order_result(order, command, when, seen).as_ref() != Some(&result)) {
                let word = if seen == Seen::Cover { "while" } else { "if" };
                when.push(format!("not {word} {}", because(seen)));
            }
        }
        results.push((when.join("; "), result.0, result.1));
    }
    // What happens only if something was seen on the chain.
    for seen in sights(label, order) {
        for when in When::ALL {
            let usual = order_result(order, command, when, Seen::Nothing);
            let Some((next, effects)) = order_result(order, command, when, seen) else { continue };
            if usual.as_ref() != Some(&(next.clone(), effects.clone())) {
                results.push((format!("{}, if {}", when.name(), because(seen)), next, effects));
            }
        }
    }
    results
}

fn because(seen: Seen) -> &'static str {
    match seen {
        Seen::Cover => "unconfirmed transfers cover it",
        Seen::Ambiguous => "an ambiguous payment was seen",
        Seen::Payment | Seen::Nothing => "a payment was seen",
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
        Ok(Applied::Done(done)) => {
            let effects = done.effects.iter().filter_map(|effect| describe(effect, Some(&order))).collect::<Vec<_>>();
            Some((label(&done.order), effects.join("; ")))
        }
        _ => None,
    }
}

/// Returns all transitions of adverts, and all situations of adverts.
fn advert_rows() -> (BTreeSet<Row>, BTreeSet<Situation>) {
    let (mut all, mut situations) = (BTreeSet::new(), BTreeSet::new());
    for kind in Kind::ALL {
        for label in advert_table::SITUATIONS {
            let Some(advert) = advert_table::situation(kind, label) else { continue };
            let from = Situation::of_advert(kind.name(), label);
            situations.insert(from.clone());
            for (position, command) in advert_table::Command::all(&advert).into_iter().enumerate() {
                for (when, next, effects) in advert_results(&advert, &command) {
                    let act = Act { position, command: command.name(), when, effects };
                    all.insert(Row { from: from.clone(), act, to: Situation::of_advert(kind.name(), &next) });
                }
            }
        }
    }
    (all, situations)
}

/// Returns when a command can be executed, with the next state and the effects.
fn advert_results(advert: &adverts::Advert, command: &advert_table::Command) -> Vec<(String, String, String)> {
    let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
    for (when, facts) in advert_table::all_facts() {
        let Ok(Applied::Done(done)) = command.try_on(advert, &facts) else { continue };
        let effects = done.effects.iter().filter_map(|effect| describe(effect, None)).collect::<Vec<_>>().join("; ");
        let next = done.advert.state.into_str().to_owned();
        match rows.iter_mut().find(|row| row.0 == next && row.1 == effects) {
            Some(row) => row.2.push(when),
            None => rows.push((next, effects, vec![when])),
        }
    }
    let when = |times: Vec<&str>| {
        if times.len() == advert_table::all_facts().len() { String::new() } else { times.join(" / ") }
    };
    rows.into_iter().map(|(next, effects, times)| (when(times), next, effects)).collect()
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
            let party = order.and_then(|order| order.terms.party(*user)).map_or("", Into::into).to_lowercase();
            match cause {
                Cause::AppealLost | Cause::AppealMalicious => format!("the {party} loses reputation"),
                _ => format!("counts against the {party}"),
            }
        }
        Effect::Acceptance { acceptance: Acceptance::Missed { .. }, .. } => "counts as a missed acceptance".to_owned(),
        Effect::Acceptance { .. } | Effect::Appeal { .. } | Effect::Notify { .. } | Effect::Call { .. } => return None,
    })
}
