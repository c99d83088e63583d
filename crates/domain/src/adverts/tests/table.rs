//! The table of transitions, written by hand and compared with the code.

use super::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Owner(AdvertCommand),
    System(Event),
}

impl Command {
    pub(crate) fn all(advert: &Advert) -> Vec<Self> {
        let payout = advert.state.payout().unwrap_or(payout(FRESH));
        let acts = [
            AdvertCommand::Cancel,
            AdvertCommand::Switch { online: true },
            AdvertCommand::Switch { online: false },
            AdvertCommand::Delete,
        ];
        let events = [
            Event::DepositFunded,
            Event::WindowPassed,
            Event::WrongDeposit { asset: QUOTE, amount: amount(100), gas: Some(amount(7)) },
            Event::Switched { online: true },
            Event::Switched { online: false },
            order_of(advert, 100),
            reverted(advert, 400),
            completed(),
            Event::ReturnConfirmed { payout },
            Event::ReturnRevoked { payout },
            Event::ReturnVoided { payout, amount: amount(995) },
        ];
        acts.into_iter().map(Self::Owner).chain(events.into_iter().map(Self::System)).collect()
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Owner(AdvertCommand::Cancel) => "owner: cancel or revoke",
            Self::Owner(AdvertCommand::Switch { online: true }) => "owner: switch it online",
            Self::Owner(AdvertCommand::Switch { online: false }) => "owner: switch it offline",
            Self::Owner(AdvertCommand::Delete) => "owner: delete",
            Self::System(event) => match event {
                Event::DepositFunded => "chain: deposit funded",
                Event::WindowPassed => "clock: window passed",
                Event::WrongDeposit { .. } => "chain: wrong deposit",
                Event::Switched { online: true } => "switch: owner goes online",
                Event::Switched { online: false } => "switch: owner goes offline",
                Event::OrderPlaced { .. } => "order: placed",
                Event::OrderChanged(change) if change.quantity.is_zero() => "order: the last open one ends",
                Event::OrderChanged(_) => "order: the last open one is undone",
                Event::ReturnConfirmed { .. } => "chain: return confirmed",
                Event::ReturnRevoked { .. } => "chain: return revoked",
                Event::ReturnVoided { .. } => "chain: return voided",
                Event::DepositRevoked { .. } => "chain: deposit revoked",
                Event::DepositReturned { .. } => "chain: deposit returned",
                Event::Outage { .. } => "platform: outage",
            },
        }
    }

    pub(crate) fn try_on(&self, advert: &Advert, inputs: &AdvertInputs) -> Result<Applied<Transition>, Refusal> {
        match self {
            Self::Owner(act) => decide(advert, &by(advert), act, inputs),
            Self::System(event) => react(advert, event, inputs),
        }
    }
}

/// Situations of an advert: some transitions depend on more than its state.
pub(crate) const SITUATIONS: [&str; 11] = [
    "CREATING",
    "ONLINE",
    "ONLINE, with an open order",
    "ONLINE, nothing remains",
    "OFFLINE",
    "OFFLINE, with an open order",
    "OFFLINE, nothing remains",
    "REVOKING, with an open order",
    "REVOKING, returning",
    "CANCELLED",
    "DELETED",
];

pub(crate) fn situation(kind: Kind, name: &str) -> Option<Advert> {
    match name {
        "ONLINE, with an open order" => Some(ordered(&online(kind), 400)),
        "ONLINE, nothing remains" => {
            Some(ordered(&ordered(&online(kind), 600), 400)).map(|advert| event(&advert, completed()).advert)
        }
        "OFFLINE, with an open order" => situation(kind, "ONLINE, with an open order").map(|advert| offline(&advert)),
        "OFFLINE, nothing remains" => situation(kind, "ONLINE, nothing remains").map(|advert| offline(&advert)),
        "REVOKING, with an open order" => reach(kind, "REVOKING"),
        "REVOKING, returning" => reach(kind, "REVOKING").map(|advert| event(&advert, completed()).advert),
        other => reach(kind, other),
    }
    .filter(|advert| name.starts_with(advert.state.into_str()))
}

fn offline(advert: &Advert) -> Advert {
    event(advert, Event::Switched { online: false }).advert
}

/// Returns the inputs of commands and events: before and after the deposit window has passed, with unconfirmed
/// transfers, and with the owner online.
pub(crate) fn all_facts() -> [(&'static str, AdvertInputs); 4] {
    let late = start() + windows().advert_deposit;
    [
        ("in time", inputs(late - instant())),
        ("overdue", inputs(late)),
        ("overdue but covered", AdvertInputs { covered: true, ..inputs(late) }),
        ("owner offline", AdvertInputs { owner_online: false, ..inputs(start()) }),
    ]
}

type Row = (&'static [Kind], &'static str, &'static str, &'static [&'static str], &'static str);

const ALL: &[Kind] = &Kind::ALL;
const ESCROWED: &[Kind] = &[MANUAL_SELL, AUTOMATIC_SELL, AUTOMATIC_BUY];
const FREE: &[Kind] = &[MANUAL_BUY];
const EVER: &[&str] = &["in time", "overdue", "overdue but covered", "owner offline"];
const ONLINE_OWNER: &[&str] = &["in time", "overdue", "overdue but covered"];
const OFFLINE_OWNER: &[&str] = &["owner offline"];
const UNSEEN: &[&str] = &["in time", "overdue", "owner offline"];

const TABLE: &[Row] = &[
    (ESCROWED, "CREATING", "owner: cancel or revoke", UNSEEN, "CANCELLED"),
    (ESCROWED, "CREATING", "chain: deposit funded", ONLINE_OWNER, "ONLINE"),
    (ESCROWED, "CREATING", "chain: deposit funded", OFFLINE_OWNER, "OFFLINE"),
    (ESCROWED, "CREATING", "clock: window passed", &["overdue"], "CANCELLED"),
    (ESCROWED, "CREATING", "chain: wrong deposit", UNSEEN, "CANCELLED"),
    (ESCROWED, "ONLINE", "owner: cancel or revoke", EVER, "REVOKING"),
    (FREE, "ONLINE", "owner: cancel or revoke", EVER, "CANCELLED"),
    (ALL, "ONLINE", "owner: switch it offline", EVER, "OFFLINE"),
    (ALL, "ONLINE", "switch: owner goes offline", EVER, "OFFLINE"),
    (ALL, "ONLINE", "order: placed", EVER, "ONLINE"),
    (ALL, "ONLINE, with an open order", "owner: cancel or revoke", EVER, "REVOKING"),
    (ALL, "ONLINE, with an open order", "owner: switch it offline", EVER, "OFFLINE"),
    (ALL, "ONLINE, with an open order", "switch: owner goes offline", EVER, "OFFLINE"),
    (ALL, "ONLINE, with an open order", "order: placed", EVER, "ONLINE"),
    (ALL, "ONLINE, with an open order", "order: the last open one is undone", EVER, "ONLINE"),
    (ALL, "ONLINE, with an open order", "order: the last open one ends", EVER, "ONLINE"),
    (ALL, "ONLINE, nothing remains", "owner: cancel or revoke", EVER, "REVOKING"),
    (ALL, "ONLINE, nothing remains", "owner: switch it offline", EVER, "OFFLINE"),
    (ALL, "ONLINE, nothing remains", "switch: owner goes offline", EVER, "OFFLINE"),
    (ALL, "ONLINE, nothing remains", "order: the last open one is undone", EVER, "ONLINE"),
    (ALL, "ONLINE, nothing remains", "order: the last open one ends", EVER, "CANCELLED"),
    (ESCROWED, "OFFLINE", "owner: cancel or revoke", EVER, "REVOKING"),
    (FREE, "OFFLINE", "owner: cancel or revoke", EVER, "CANCELLED"),
    (ALL, "OFFLINE", "owner: switch it online", ONLINE_OWNER, "ONLINE"),
    (ALL, "OFFLINE", "switch: owner goes online", EVER, "ONLINE"),
    (ALL, "OFFLINE, with an open order", "owner: cancel or revoke", EVER, "REVOKING"),
    (ALL, "OFFLINE, with an open order", "owner: switch it online", ONLINE_OWNER, "ONLINE"),
    (ALL, "OFFLINE, with an open order", "switch: owner goes online", EVER, "ONLINE"),
    (ALL, "OFFLINE, with an open order", "order: the last open one is undone", EVER, "OFFLINE"),
    (ALL, "OFFLINE, with an open order", "order: the last open one ends", EVER, "OFFLINE"),
    (ALL, "OFFLINE, nothing remains", "owner: cancel or revoke", EVER, "REVOKING"),
    (ALL, "OFFLINE, nothing remains", "owner: switch it online", ONLINE_OWNER, "ONLINE"),
    (ALL, "OFFLINE, nothing remains", "switch: owner goes online", EVER, "ONLINE"),
    (ALL, "OFFLINE, nothing remains", "order: the last open one is undone", EVER, "OFFLINE"),
    (ALL, "OFFLINE, nothing remains", "order: the last open one ends", EVER, "CANCELLED"),
    (ESCROWED, "REVOKING, with an open order", "order: the last open one is undone", EVER, "REVOKING"),
    (FREE, "REVOKING, with an open order", "order: the last open one is undone", EVER, "CANCELLED"),
    (ESCROWED, "REVOKING, with an open order", "order: the last open one ends", EVER, "REVOKING"),
    (FREE, "REVOKING, with an open order", "order: the last open one ends", EVER, "CANCELLED"),
    (ESCROWED, "REVOKING, returning", "chain: return confirmed", EVER, "CANCELLED"),
    (ESCROWED, "REVOKING, returning", "chain: return voided", EVER, "REVOKING"),
    (ALL, "CANCELLED", "owner: delete", EVER, "DELETED"),
    (ESCROWED, "CANCELLED", "chain: return revoked", EVER, "REVOKING"),
    (ESCROWED, "DELETED", "chain: return revoked", EVER, "REVOKING"),
];

#[test]
fn exactly_the_transitions_in_the_table_happen() {
    let mut used = vec![false; TABLE.len()];
    for kind in Kind::ALL {
        for name in SITUATIONS {
            let Some(advert) = situation(kind, name) else { continue };
            for (when, inputs) in all_facts() {
                for command in Command::all(&advert) {
                    let rows: Vec<usize> = (0..TABLE.len())
                        .filter(|&row| {
                            let (kinds, situation, asked, times, _) = TABLE[row];
                            kinds.contains(&kind)
                                && situation == name
                                && asked == command.name()
                                && times.contains(&when)
                        })
                        .collect();
                    let told = format!("{} {name}: {}, {when}", kind.name(), command.name());
                    assert!(rows.len() <= 1, "{told}: more than one row");
                    match command.try_on(&advert, &inputs) {
                        Ok(Applied::Done(done)) => {
                            let row = *rows.first().unwrap_or_else(|| panic!("{told}: no row"));
                            used[row] = true;
                            assert_eq!(done.advert.state.into_str(), TABLE[row].4, "{told}");
                            assert_eq!(done.advert.version, advert.version + 1, "{told}");
                            assert_eq!(done.advert.misfit(), None, "{told}");
                            assert_eq!(done.advert.terms, advert.terms, "{told}");
                        }
                        Ok(Applied::AlreadyDone) => assert!(rows.is_empty(), "{told}: is already done"),
                        Err(refusal) => assert!(rows.is_empty(), "{told}: is refused: {refusal:?}"),
                    }
                }
            }
        }
    }
    let unused: Vec<_> = (0..TABLE.len()).filter(|&row| !used[row]).map(|row| TABLE[row]).collect();
    assert_eq!(unused, Vec::<Row>::new(), "unused rows");
}

#[test]
fn available_actions_match_the_commands() {
    for kind in Kind::ALL {
        for advert in SITUATIONS.into_iter().filter_map(|name| situation(kind, name)) {
            for (when, inputs) in all_facts() {
                let offered = available_actions(&advert, advert.terms.owner, &inputs);
                let creating = advert.state.into_str() == "CREATING";
                let does = |act| matches!(decide(&advert, &by(&advert), &act, &inputs), Ok(Applied::Done(_)));
                let expected = [
                    (Action::CheckDeposit, creating),
                    (Action::Online, does(AdvertCommand::Switch { online: true })),
                    (Action::Offline, does(AdvertCommand::Switch { online: false })),
                    (Action::Cancel, does(AdvertCommand::Cancel) && creating),
                    (Action::Revoke, does(AdvertCommand::Cancel) && !creating),
                    (Action::Delete, does(AdvertCommand::Delete)),
                ];
                for (action, expected) in expected {
                    assert_eq!(offered.contains(&action), expected, "{:?} {action:?} {when}", advert.state);
                }
                assert_eq!(available_actions(&advert, user(99), &inputs), []);
            }
        }
    }
}
