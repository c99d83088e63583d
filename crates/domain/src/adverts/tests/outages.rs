//! No advert can stand still: whatever happened to it, its owner, the clock, the chain and its orders can still end it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;
use crate::effect::PrepaymentChange;

/// What the chain did with the return of the escrow. The advert learns of it with the next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Return {
    InFlight,
    Confirmed,
    Voided,
}

/// An advert with everything outside of it on which its events depend.
#[derive(Debug, Clone)]
struct Situation {
    advert: Advert,
    /// Whether unconfirmed transfers cover the funding request.
    covered: bool,
    returned: Option<Return>,
    /// The quantities of the open orders.
    open: Vec<i128>,
    /// The quantities of the completed orders.
    sold: Vec<i128>,
}

/// Who takes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Owner,
    /// The clock, the chain or an order, which always take it in the end.
    Time,
    /// Nothing on which the end of an advert may depend: a reorganization, a taker, a transfer, the owner's switch.
    Chance,
}

impl Situation {
    fn posted(kind: Kind) -> Self {
        Self { advert: posted(kind), covered: false, returned: None, open: Vec::new(), sold: Vec::new() }
    }

    /// Describes everything but times, versions and identifiers.
    fn name(&self) -> String {
        let Advert { remaining, escrow, frozen, .. } = &self.advert;
        let frozen = frozen.map_or(String::new(), |frozen| format!(", frozen without {}", frozen.missing.units()));
        let covered = if self.covered { ", covered" } else { "" };
        let (mut open, mut sold) = (self.open.clone(), self.sold.clone());
        open.sort_unstable();
        sold.sort_unstable();
        format!(
            "{}{covered}{frozen}, return {:?}, open {open:?}, sold {sold:?}, remaining {}, escrow {}",
            self.advert.state.into_str(),
            self.returned,
            remaining.units(),
            escrow.units(),
        )
    }

    /// Returns the situation after a command or an event. A refusal leaves the advert as it is, although the chain or
    /// the order has already changed.
    fn after(
        mut self,
        now: Timestamp,
        step: impl FnOnce(&Advert, &AdvertInputs) -> Result<Applied<Transition>, Refusal>,
    ) -> Self {
        let before = self.advert.state.payout();
        let payout = if before == Some(payout(FRESH)) { payout(FRESH + 1) } else { payout(FRESH) };
        let inputs = AdvertInputs { payout, covered: self.covered, ..inputs(now) };
        if let Ok(Applied::Done(done)) = step(&self.advert, &inputs) {
            self.advert = done.advert;
            assert_eq!(self.advert.misfit(), None, "{}", self.name());
            if self.advert.state.payout() != before {
                self.returned = Some(Return::InFlight);
            }
        }
        self.covered &= matches!(self.advert.state, State::Creating { .. });
        self
    }

    fn event(self, event: Event) -> Self {
        self.after(start(), |advert, inputs| react(advert, &event, inputs))
    }

    /// Returns all steps that are possible in this situation.
    fn steps(&self) -> Vec<(By, Self)> {
        let mut steps = self.of_owner();
        steps.extend(self.of_chain());
        steps.extend(self.of_orders());
        let late = start() + windows().advert_deposit;
        let lapsed = self.clone().after(late, |advert, inputs| react(advert, &Event::WindowPassed, inputs));
        steps.push((By::Time, lapsed));
        steps
    }

    fn of_owner(&self) -> Vec<(By, Self)> {
        let commands = [
            AdvertCommand::Cancel,
            AdvertCommand::Switch { online: true },
            AdvertCommand::Switch { online: false },
            AdvertCommand::Delete,
        ];
        let decided = |act| {
            let done = self.clone().after(start(), |advert, inputs| decide(advert, &by(advert), &act, inputs));
            (By::Owner, done)
        };
        let switched = [true, false].map(|online| (By::Chance, self.clone().event(Event::Switched { online })));
        commands.into_iter().map(decided).chain(switched).collect()
    }

    fn of_chain(&self) -> Vec<(By, Self)> {
        let this = || self.clone();
        let mut steps = Vec::new();
        if let (State::Creating { .. }, Some(_)) = (&self.advert.state, self.advert.terms.escrow()) {
            if self.covered {
                steps.push((By::Time, this().event(Event::DepositFunded)));
            }
            steps.push((By::Chance, Self { covered: !self.covered, ..this() }));
            let wrong = Event::WrongDeposit { asset: QUOTE, amount: amount(100), gas: Some(amount(7)) };
            steps.push((By::Chance, this().event(wrong)));
        }
        // A reorganization removes all of the escrow, or all but what a return costs.
        let escrow = self.advert.escrow;
        for drawn in [escrow, escrow.saturating_sub(self.advert.terms.return_gas())] {
            steps.push((By::Chance, this().event(Event::DepositRevoked { drawn })));
        }
        if let Some(frozen) = self.advert.frozen {
            steps.push((By::Chance, this().event(Event::DepositReturned { available: frozen.missing })));
        }
        if let (Some(payout), Some(returned)) = (self.advert.state.payout(), self.returned) {
            let chain = |returned| Self { returned: Some(returned), ..this() };
            let amount = amount(500);
            match returned {
                Return::InFlight => {
                    steps.push((By::Time, chain(Return::Confirmed).event(Event::ReturnConfirmed { payout })));
                    steps.push((By::Chance, chain(Return::Voided)));
                }
                Return::Confirmed => {
                    steps.push((By::Chance, chain(Return::InFlight).event(Event::ReturnRevoked { payout })));
                }
                Return::Voided => steps.push((By::Time, this().event(Event::ReturnVoided { payout, amount }))),
            }
        }
        steps
    }

    fn of_orders(&self) -> Vec<(By, Self)> {
        let mut steps = Vec::new();
        for quantity in [400, 600] {
            let mut placed = self.clone();
            if let Ok(Applied::Done(done)) =
                react(&placed.advert, &order_of(&placed.advert, quantity), &inputs(start()))
            {
                placed.advert = done.advert;
                placed.open.push(quantity);
                steps.push((By::Chance, placed));
            }
        }
        for (index, &quantity) in self.open.iter().enumerate() {
            let mut ended = self.clone();
            ended.open.remove(index);
            // If a reorganization removed the order's coins, neither they nor the quantity return.
            let lost = Event::OrderChanged(OrderChange {
                quantity: Amount::ZERO,
                escrow: Amount::ZERO,
                ended: true,
                prepayment: PrepaymentChange::Unchanged,
            });
            for event in [reverted(&self.advert, quantity), lost] {
                steps.push((By::Time, ended.clone().event(event)));
            }
            let mut sold = ended.event(completed());
            sold.sold.push(quantity);
            steps.push((By::Time, sold));
        }
        // A verdict can undo an order whose release was voided, also after the advert has ended.
        for (index, &quantity) in self.sold.iter().enumerate() {
            let Event::OrderChanged(change) = reverted(&self.advert, quantity) else { continue };
            let mut undone = self.clone();
            undone.sold.remove(index);
            steps.push((By::Chance, undone.event(Event::OrderChanged(OrderChange { ended: false, ..change }))));
        }
        steps
    }
}

/// Returns every advert of a kind that differs from the others in more than times, versions and identifiers.
pub(super) fn adverts(kind: Kind) -> Vec<Advert> {
    reached(kind).into_values().map(|(situation, _)| situation.advert).collect()
}

/// Every situation of a kind, by name, with those that follow it and who takes the step.
type Reached = BTreeMap<String, (Situation, Vec<(By, String)>)>;

fn reached(kind: Kind) -> Reached {
    let mut reached = Reached::new();
    let mut next = VecDeque::from([Situation::posted(kind)]);
    while let Some(situation) = next.pop_front() {
        let name = situation.name();
        if reached.contains_key(&name) {
            continue;
        }
        let steps = situation.steps();
        let names = steps.iter().map(|(by, step)| (*by, step.name())).collect();
        next.extend(steps.into_iter().map(|(_, step)| step));
        reached.insert(name, (situation, names));
    }
    reached
}

/// Returns the names of the situations from which the steps of these never lead to such an advert.
fn stuck(reached: &Reached, leads: impl Fn(By) -> bool, to: impl Fn(&Advert) -> bool) -> Vec<&str> {
    let there = reached.iter().filter(|(_, (at, _))| to(&at.advert));
    let mut ending: BTreeSet<&str> = there.map(|(name, _)| name.as_str()).collect();
    loop {
        let leaves = |steps: &[(By, String)]| steps.iter().any(|(by, to)| leads(*by) && ending.contains(to.as_str()));
        let more: Vec<_> = reached
            .iter()
            .filter(|(name, (_, steps))| !ending.contains(name.as_str()) && leaves(steps))
            .map(|(name, _)| name.as_str())
            .collect();
        if more.is_empty() {
            return reached.keys().map(String::as_str).filter(|name| !ending.contains(name)).collect();
        }
        ending.extend(more);
    }
}

#[test]
fn every_advert_can_be_ended_by_its_owner_the_clock_the_chain_and_its_orders() {
    for kind in Kind::ALL {
        let reached = reached(kind);
        let ended = |advert: &Advert| advert.state.ended();
        assert_eq!(stuck(&reached, |by| by != By::Chance, ended), Vec::<&str>::new(), "{}", kind.name());
        assert!(stuck(&reached, |by| by == By::Time, ended).len() > 1, "{}: only the owner revokes", kind.name());
    }
}

#[test]
fn an_advert_moves_without_its_owner_until_it_ends_or_can_be_ordered() {
    for kind in Kind::ALL {
        let waits = |advert: &Advert| matches!(advert.state, State::Online | State::Offline);
        let goal = |advert: &Advert| advert.state.ended() || (waits(advert) && !advert.remaining.is_zero());
        assert_eq!(stuck(&reached(kind), |by| by == By::Time, goal), Vec::<&str>::new(), "{}", kind.name());
    }
}

#[test]
fn the_situations_include_lost_escrow_and_returns_that_the_chain_undoes() {
    let kinds = [MANUAL_SELL, AUTOMATIC_SELL, AUTOMATIC_BUY];
    for situations in kinds.map(reached) {
        let has = |what: &str, is: &dyn Fn(&Situation) -> bool| {
            assert!(situations.values().any(|(situation, _)| is(situation)), "{what}");
        };
        let frozen = |at: &Situation, state: &str| at.advert.frozen.is_some() && at.advert.state.into_str() == state;
        has("frozen online", &|at| frozen(at, "ONLINE"));
        has("frozen offline", &|at| frozen(at, "OFFLINE"));
        has("frozen in revocation", &|at| frozen(at, "REVOKING") && !at.open.is_empty());
        has("frozen without any escrow", &|at| frozen(at, "ONLINE") && at.advert.escrow.is_zero());
        has("covered", &|at| at.covered);
        for returned in [Return::InFlight, Return::Confirmed, Return::Voided] {
            has("returning", &|at| at.returned == Some(returned));
        }
        has("a removed return of a hidden advert", &|at| {
            at.advert.state.into_str() == "DELETED" && at.returned == Some(Return::Confirmed)
        });
    }
}
