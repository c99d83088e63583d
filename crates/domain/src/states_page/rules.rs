//! Rows that differ only in the situation become one rule. A rule names the situations by what they have in common, and
//! applies to all of them, so the rules say exactly what the rows said.

use std::collections::{BTreeMap, BTreeSet};

/// The overlays of an order and a requested cancellation, and what each of them can be. The first value is that the order does
/// not have it.
const OVERLAYS: [&[&str]; 5] = [
    &["no cancellation requested", REQUESTED],
    &["not voided", "voided"],
    &["not both coins held", "both coins held"],
    &["not frozen", "frozen in part", "frozen"],
    &[
        "no appeal",
        "under appeal",
        "appealed again by the buyer",
        "appealed again by the seller",
        "appealed again by the platform",
        "decided for the buyer",
        "decided for the seller",
    ],
];

/// Sets of overlays with a shorter name.
const SHORT: [(&[&str], &str); 4] = [
    (
        &[
            "under appeal",
            "appealed again by the buyer",
            "appealed again by the seller",
            "appealed again by the platform",
        ],
        "undecided",
    ),
    (
        &["appealed again by the buyer", "appealed again by the seller", "appealed again by the platform"],
        "appealed again",
    ),
    (&["decided for the buyer", "decided for the seller"], "decided"),
    (
        &[
            "under appeal",
            "appealed again by the buyer",
            "appealed again by the seller",
            "appealed again by the platform",
            "decided for the buyer",
            "decided for the seller",
        ],
        "undecided or decided",
    ),
];

pub(super) const REQUESTED: &str = "cancellation requested";

const KINDS: [&str; 4] = ["manual sell", "manual buy", "automatic sell", "automatic buy"];

/// Sets of kinds with a shorter name.
const SHORT_KINDS: [(&[usize], &str); 7] = [
    (&[0, 1, 2, 3], "all"),
    (&[0, 1], "manual"),
    (&[2, 3], "automatic"),
    (&[0, 2], "sell"),
    (&[1, 3], "buy"),
    (&[0, 2, 3], "all but manual buy"),
    (&[1, 2, 3], "all but manual sell"),
];

/// What an order or advert is in: its kind, its state, and its overlays as positions in [`OVERLAYS`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Situation {
    pub(super) kind: usize,
    pub(super) state: String,
    pub(super) overlays: [usize; 5],
}

impl Situation {
    /// Reads the label of an order, such as `AWAITING_PAYMENT, frozen, under appeal`.
    pub(super) fn of_order(kind: &str, label: &str) -> Self {
        let mut parts = label.split(", ");
        let state = parts.next().unwrap().to_owned();
        let mut overlays = [0; 5];
        for part in parts {
            let value = |names: &&[&str]| names.iter().position(|name| *name == part);
            let found = OVERLAYS.iter().enumerate().find_map(|(overlay, names)| Some((overlay, value(names)?)));
            let (overlay, value) = found.unwrap_or_else(|| panic!("unknown overlay: {part}"));
            overlays[overlay] = value;
        }
        Self { kind: kind_of(kind), state, overlays }
    }

    pub(super) fn of_advert(kind: &str, label: &str) -> Self {
        Self { kind: kind_of(kind), state: label.to_owned(), overlays: [0; 5] }
    }

    /// Returns whether the order has no overlay. A requested cancellation is none.
    pub(super) fn is_plain(&self) -> bool {
        self.overlays.iter().skip(1).all(|value| *value == 0)
    }
}

fn kind_of(name: &str) -> usize {
    KINDS.iter().position(|kind| *kind == name).unwrap()
}

/// A transition out of a situation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub(super) from: Situation,
    pub(super) act: Act,
    pub(super) to: Situation,
}

/// What happens, when, and its effects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Act {
    /// The position of the command among all commands.
    pub(super) position: usize,
    pub(super) command: &'static str,
    /// Empty if it does not matter.
    pub(super) when: String,
    pub(super) effects: String,
}

/// What becomes of a situation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Next {
    /// Empty if the state stays.
    state: String,
    overlays: NextOverlays,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum NextOverlays {
    None,
    /// The new values of those that change.
    Changed(BTreeMap<usize, usize>),
}

impl Next {
    fn apply(&self, from: &Situation) -> Situation {
        let mut to = from.clone();
        if !self.state.is_empty() {
            to.state.clone_from(&self.state);
        }
        match &self.overlays {
            NextOverlays::None => to.overlays = [0; 5],
            NextOverlays::Changed(changed) => {
                for (&overlay, &value) in changed {
                    to.overlays[overlay] = value;
                }
            }
        }
        to
    }

    fn text(&self) -> String {
        let state = (!self.state.is_empty()).then_some(self.state.as_str());
        let overlays = match &self.overlays {
            NextOverlays::None if state.is_none() => vec!["no overlay"],
            NextOverlays::None => Vec::new(),
            NextOverlays::Changed(changed) if changed.is_empty() && state.is_none() => vec!["stays"],
            NextOverlays::Changed(changed) => {
                let changed = changed.iter().map(|(&overlay, &value)| OVERLAYS[overlay][value]);
                changed.chain(state.map(|_| "other overlays stay")).collect()
            }
        };
        state.into_iter().chain(overlays).collect::<Vec<_>>().join(", ")
    }

    /// The same for an order without overlays.
    fn plain_text(&self) -> String {
        match &self.overlays {
            NextOverlays::Changed(changed) if changed.contains_key(&0) => format!("{}, {REQUESTED}", self.state),
            _ => self.state.clone(),
        }
    }
}

/// A row for all situations that have one of these kinds, states and overlays.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    kinds: BTreeSet<usize>,
    states: BTreeSet<String>,
    overlays: [BTreeSet<usize>; 5],
    pub(super) act: Act,
    next: Next,
}

impl Rule {
    fn applies_to(&self, situation: &Situation) -> bool {
        self.kinds.contains(&situation.kind)
            && self.states.contains(&situation.state)
            && self.overlays.iter().zip(situation.overlays).all(|(values, value)| values.contains(&value))
    }

    /// Returns the position of the rule's first state among all states.
    pub(super) fn first_state(&self, states: &[String]) -> Option<usize> {
        states.iter().position(|state| self.states.contains(state))
    }

    pub(super) fn cells(&self, states: &[String], with_overlays: bool) -> Vec<String> {
        let overlays = self.overlays.iter().zip(OVERLAYS).filter_map(|(values, names)| overlay_text(values, names));
        let mut state: Vec<_> = states.iter().filter(|state| self.states.contains(*state)).cloned().collect();
        if state.len() == states.len() {
            state = vec!["any".to_owned()];
        }
        let (mut state, overlays) = (state.join(" / "), overlays.collect::<Vec<_>>().join(", "));
        let mut next = self.next.text();
        if !with_overlays {
            let asked = overlay_text(&self.overlays[0], OVERLAYS[0]).map(|asked| format!(", {asked}"));
            state.push_str(&asked.unwrap_or_default());
            next = self.next.plain_text();
        }
        let overlays = with_overlays.then_some(overlays);
        let act = [self.act.command.to_owned(), self.act.when.clone(), next, self.act.effects.clone()];
        [self.kind_text(), state].into_iter().chain(overlays).chain(act).collect()
    }

    fn kind_text(&self) -> String {
        let short = SHORT_KINDS.iter().find(|(kinds, _)| self.kinds.iter().eq(kinds.iter()));
        let listed = || self.kinds.iter().map(|kind| KINDS[*kind]).collect::<Vec<_>>().join(" / ");
        short.map_or_else(listed, |(_, name)| (*name).to_owned())
    }
}

/// Returns how a rule names the values of an overlay; `None` if all are meant.
fn overlay_text(values: &BTreeSet<usize>, names: &[&str]) -> Option<String> {
    if values.len() == names.len() {
        return None;
    }
    let named: Vec<_> = values.iter().map(|value| names[*value]).collect();
    let short = SHORT.iter().find(|(set, _)| named == *set);
    Some(short.map_or_else(|| named.join(" or "), |(_, name)| (*name).to_owned()))
}

/// Whether a table has a row for each state, or one for several states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    Kinds,
    All,
}

/// Returns rules that say the same as the rows. `situations` are all that exist.
pub(super) fn rules(rows: &BTreeSet<Row>, situations: &BTreeSet<Situation>, merge: Merge) -> Vec<Rule> {
    let mut rules = Vec::new();
    for ((act, next), meant) in grouped(rows, merge) {
        let mut of_act = Vec::new();
        let mut left = meant.clone();
        while let Some(first) = left.first().copied() {
            let narrow = Rule {
                kinds: [first.kind].into(),
                states: [first.state.clone()].into(),
                overlays: first.overlays.map(|value| [value].into()),
                act: act.clone(),
                next: next.clone(),
            };
            let rule = widenings(situations, merge).iter().fold(narrow, |rule, wider| {
                let candidate = wider.apply(&rule);
                if is_exact(&candidate, &meant, situations) { candidate } else { rule }
            });
            left.retain(|situation| !rule.applies_to(situation));
            of_act.push(rule);
        }
        rules.extend(without_redundant(of_act, &meant));
    }
    rules
}

/// Leaves out each rule whose situations all have another rule.
fn without_redundant(mut rules: Vec<Rule>, meant: &BTreeSet<&Situation>) -> Vec<Rule> {
    // The later ones were made for what the earlier ones had left, and often say more.
    let mut position = 0;
    while position < rules.len() {
        let others = || rules.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, rule)| rule);
        if meant.iter().all(|situation| others().any(|rule| rule.applies_to(situation))) {
            rules.remove(position);
        } else {
            position += 1;
        }
    }
    rules
}

/// Returns the situations with the same act and the same consequence.
fn grouped(rows: &BTreeSet<Row>, merge: Merge) -> BTreeMap<(&Act, Next), BTreeSet<&Situation>> {
    let mut by_state: BTreeMap<(&Act, String), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let stays = merge == Merge::All && row.from.state == row.to.state;
        let state = if stays { String::new() } else { row.to.state.clone() };
        by_state.entry((&row.act, state)).or_default().push(row);
    }
    let mut grouped: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for ((act, state), rows) in by_state {
        let changed = |row: &Row| {
            let changed = (0..OVERLAYS.len()).filter(|&overlay| row.from.overlays[overlay] != row.to.overlays[overlay]);
            changed.map(|overlay| (overlay, row.to.overlays[overlay])).collect::<BTreeMap<_, _>>()
        };
        // Where no overlay is ever left, a rule says so, rather than which of them end.
        let different = rows.iter().map(|row| changed(row)).collect::<BTreeSet<_>>().len() > 1;
        let ends =
            merge == Merge::All && rows.iter().all(|row| row.to.overlays == [0; 5]) && (different || !state.is_empty());
        for row in rows {
            let overlays = if ends { NextOverlays::None } else { NextOverlays::Changed(changed(row)) };
            grouped.entry((act, Next { state: state.clone(), overlays })).or_default().insert(&row.from);
        }
    }
    grouped
}

/// More situations to which a rule may apply.
enum Wider {
    Kinds(BTreeSet<usize>),
    States(BTreeSet<String>),
    Overlay(usize, BTreeSet<usize>),
}

impl Wider {
    fn apply(&self, rule: &Rule) -> Rule {
        let mut rule = rule.clone();
        match self {
            Self::Kinds(kinds) => rule.kinds.extend(kinds),
            Self::States(states) => rule.states.extend(states.iter().cloned()),
            Self::Overlay(overlay, values) => rule.overlays[*overlay].extend(values),
        }
        rule
    }
}

/// Returns what makes a rule wider, first what makes it shorter.
fn widenings(situations: &BTreeSet<Situation>, merge: Merge) -> Vec<Wider> {
    let kinds = 0..KINDS.len();
    let states: BTreeSet<_> = situations.iter().map(|situation| situation.state.clone()).collect();
    let states = if merge == Merge::All { states } else { BTreeSet::new() };
    let overlays = || OVERLAYS.iter().enumerate();
    let mut all: Vec<_> =
        overlays().map(|(overlay, names)| Wider::Overlay(overlay, (0..names.len()).collect())).collect();
    all.extend([Wider::Kinds(kinds.clone().collect()), Wider::States(states.clone())]);
    all.extend(kinds.map(|kind| Wider::Kinds([kind].into())));
    all.extend(states.into_iter().map(|state| Wider::States([state].into())));
    all.extend(
        overlays()
            .flat_map(|(overlay, names)| (0..names.len()).map(move |value| Wider::Overlay(overlay, [value].into()))),
    );
    all
}

/// Returns whether a rule applies only to situations that are meant, and names nothing in vain: no kind, state or value, unless
/// it names all, and, if it leads to another state, no state of a kind.
fn is_exact(rule: &Rule, meant: &BTreeSet<&Situation>, situations: &BTreeSet<Situation>) -> bool {
    let applies: Vec<_> = situations.iter().filter(|situation| rule.applies_to(situation)).collect();
    let only_meant = applies.iter().all(|situation| meant.contains(situation));
    let stays = rule.next.state.is_empty();
    let all_states: BTreeSet<_> = situations.iter().map(|situation| &situation.state).collect();
    let kinds = (stays && rule.kinds.len() == KINDS.len())
        || rule.kinds.iter().all(|kind| applies.iter().any(|one| one.kind == *kind));
    let states = (stays && rule.states.len() == all_states.len())
        || rule.states.iter().all(|state| applies.iter().any(|one| one.state == *state));
    let overlays = rule.overlays.iter().zip(OVERLAYS).enumerate().all(|(overlay, (values, names))| {
        values.len() == names.len() || values.iter().all(|v| applies.iter().any(|one| one.overlays[overlay] == *v))
    });
    let pair = |kind: usize, state: &String| {
        let of = |one: &Situation| one.kind == kind && one.state == *state;
        stays || !situations.iter().any(of) || applies.iter().any(|one| of(one))
    };
    only_meant
        && kinds
        && states
        && overlays
        && rule.kinds.iter().all(|&k| rule.states.iter().all(|state| pair(k, state)))
}

/// Returns the rows that rules say.
pub(super) fn rows(rules: &[Rule], situations: &BTreeSet<Situation>) -> BTreeSet<Row> {
    let apply =
        |rule: &Rule, from: &Situation| Row { from: from.clone(), act: rule.act.clone(), to: rule.next.apply(from) };
    let of = |rule| situations.iter().filter(move |one| Rule::applies_to(rule, one)).map(move |from| apply(rule, from));
    rules.iter().flat_map(of).collect()
}
