//! What a person may do with an order now, and what it would cost. Found by trying: what [`decide`] would carry out is
//! offered, and what it would charge is shown.

use super::{Act, By, Demand, Facts, Order, Outcome, Transition, decide, demand};
use crate::credit::{self, Standing};
use crate::effect::Effect;
use crate::ids::UserId;
use crate::trade::{Leg, Party};

/// Something that a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Accept the order.
    Accept,
    /// Reject the order.
    Reject,
    /// Say "I have sent": the watcher looks now. Changes nothing by itself.
    CheckDeposit,
    /// Mark the order paid.
    MarkPaid,
    /// Confirm receipt.
    Confirm,
    /// Ask the buyer to agree to a cancellation.
    AskCancel,
    /// Agree to it.
    AgreeCancel,
    /// Cancel.
    Cancel,
    /// Hurry a release that left the chain.
    Recover,
}

impl Action {
    /// All actions, in the order in which a screen offers them.
    pub const ALL: [Self; 9] = [
        Self::Accept,
        Self::Reject,
        Self::CheckDeposit,
        Self::MarkPaid,
        Self::Confirm,
        Self::AskCancel,
        Self::AgreeCancel,
        Self::Cancel,
        Self::Recover,
    ];

    /// The act that it stands for; nothing for the one that changes nothing.
    fn act(self) -> Option<Act> {
        match self {
            Self::Accept => Some(Act::Accept),
            Self::Reject => Some(Act::Reject),
            Self::CheckDeposit => None,
            Self::MarkPaid => Some(Act::MarkPaid { method: None, reference: None, hash: None, receipts: Vec::new() }),
            Self::Confirm => Some(Act::Confirm),
            Self::AskCancel => Some(Act::AskCancel),
            Self::AgreeCancel => Some(Act::AgreeCancel),
            Self::Cancel => Some(Act::Cancel),
            Self::Recover => Some(Act::Recover),
        }
    }
}

/// An action on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// What.
    pub action: Action,
    /// The points that it would cost this person now. For [`Action::AskCancel`]: if the buyer agrees.
    pub credit_cost: i32,
    /// Whether it would use up one of this person's free cancellations of the day; for [`Action::AskCancel`]: if the
    /// buyer agrees.
    pub uses_free: bool,
    /// What the person has to bring along.
    pub demand: Demand,
}

/// What a person may do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Actions(pub Vec<Offer>);

impl Actions {
    /// The offer of an action, if it is on offer.
    pub fn get(&self, action: Action) -> Option<Offer> {
        self.0.iter().copied().find(|offer| offer.action == action)
    }
}

/// What `user` may do now; nothing for a stranger. `standing` is the user's own.
pub fn may(order: &Order, user: UserId, facts: &Facts, standing: Standing) -> Actions {
    let by = By { user, seen: order.version, password_verified: true };
    Actions(
        Action::ALL
            .into_iter()
            .filter_map(|action| {
                let Some(act) = action.act() else {
                    return sends_coins(order, user).then_some(Offer {
                        action,
                        credit_cost: 0,
                        uses_free: false,
                        demand: Demand::Nothing,
                    });
                };
                let transition = attempt(order, &by, &act, facts)?;
                let counts = match act {
                    Act::AskCancel => counts_if_agreed(&transition.order, user, facts),
                    _ => counts(&transition.effects, user),
                };
                Some(Offer {
                    action,
                    credit_cost: if counts { credit::cancel_cost(standing) } else { 0 },
                    uses_free: counts && credit::free_cancellations(standing) > 0,
                    demand: demand(order, user, &act),
                })
            })
            .collect(),
    )
}

fn attempt(order: &Order, by: &By, act: &Act, facts: &Facts) -> Option<Transition> {
    match decide(order, by, act, facts) {
        Ok(Outcome::Done(transition)) => Some(*transition),
        _ => None,
    }
}

/// Whether a cancellation would count against the seller who asked for it, once the buyer has agreed to it.
fn counts_if_agreed(asked: &Order, user: UserId, facts: &Facts) -> bool {
    let by = By { user: asked.terms.buyer(), seen: asked.version, password_verified: true };
    attempt(asked, &by, &Act::AgreeCancel, facts).is_some_and(|agreed| counts(&agreed.effects, user))
}

fn counts(effects: &[Effect], person: UserId) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::ChargeCredit { user, .. } if *user == person))
}

/// Whether the order's open claim waits for coins of this person.
fn sends_coins(order: &Order, user: UserId) -> bool {
    let party = order.claimed_leg().map(|leg| match leg {
        Leg::Base => Party::Seller,
        Leg::Quote => Party::Buyer,
    });
    party.is_some_and(|party| order.terms.party(user) == Some(party))
}
