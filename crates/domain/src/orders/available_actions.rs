//! What a person may do with an order now, and what it would cost. Found by trying: what [`decide`] would carry out is
//! offered, and what it would charge is shown.

use super::{
    Order, OrderCaller, OrderCommand, OrderDecision, OrderInputs, Requirements, Transition, decide, requirements,
};
use crate::effect::Effect;
use crate::ids::UserId;
use crate::reputation::{self, ReputationStanding};
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
    fn act(self) -> Option<OrderCommand> {
        match self {
            Self::Accept => Some(OrderCommand::Accept),
            Self::Reject => Some(OrderCommand::Reject),
            Self::CheckDeposit => None,
            Self::MarkPaid => {
                Some(OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts: Vec::new() })
            }
            Self::Confirm => Some(OrderCommand::Confirm),
            Self::AskCancel => Some(OrderCommand::AskCancel),
            Self::AgreeCancel => Some(OrderCommand::AgreeCancel),
            Self::Cancel => Some(OrderCommand::Cancel),
            Self::Recover => Some(OrderCommand::Recover),
        }
    }
}

/// An action on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AvailableAction {
    /// What.
    pub action: Action,
    /// The points that it would cost this person now. For [`Action::AskCancel`]: if the buyer agrees.
    pub reputation_cost: i32,
    /// Whether it would use up one of this person's free cancellations of the day; for [`Action::AskCancel`]: if the
    /// buyer agrees.
    pub uses_free: bool,
    /// What the person has to bring along.
    pub requirements: Requirements,
}

/// What a person may do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Actions(pub Vec<AvailableAction>);

impl Actions {
    /// The offer of an action, if it is on offer.
    pub fn get(&self, action: Action) -> Option<AvailableAction> {
        self.0.iter().copied().find(|offer| offer.action == action)
    }
}

/// What `user` may do now; nothing for a stranger. `standing` is the user's own.
pub fn available_actions(order: &Order, user: UserId, inputs: &OrderInputs, standing: ReputationStanding) -> Actions {
    let by = OrderCaller { user, seen: order.version, password_verified: true };
    Actions(
        Action::ALL
            .into_iter()
            .filter_map(|action| {
                let Some(act) = action.act() else {
                    return sends_coins(order, user).then_some(AvailableAction {
                        action,
                        reputation_cost: 0,
                        uses_free: false,
                        requirements: Requirements::Nothing,
                    });
                };
                let transition = attempt(order, &by, &act, inputs)?;
                let counts = match act {
                    OrderCommand::AskCancel => counts_if_agreed(&transition.order, user, inputs),
                    _ => counts(&transition.effects, user),
                };
                Some(AvailableAction {
                    action,
                    reputation_cost: if counts { reputation::cancel_cost(standing) } else { 0 },
                    uses_free: counts && reputation::free_cancellations(standing) > 0,
                    requirements: requirements(order, user, &act),
                })
            })
            .collect(),
    )
}

fn attempt(order: &Order, by: &OrderCaller, act: &OrderCommand, inputs: &OrderInputs) -> Option<Transition> {
    match decide(order, by, act, inputs) {
        Ok(OrderDecision::Done(transition)) => Some(*transition),
        _ => None,
    }
}

/// Whether a cancellation would count against the seller who asked for it, once the buyer has agreed to it.
fn counts_if_agreed(asked: &Order, user: UserId, inputs: &OrderInputs) -> bool {
    let by = OrderCaller { user: asked.terms.buyer(), seen: asked.version, password_verified: true };
    attempt(asked, &by, &OrderCommand::AgreeCancel, inputs).is_some_and(|agreed| counts(&agreed.effects, user))
}

fn counts(effects: &[Effect], person: UserId) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::ChargeReputation { user, .. } if *user == person))
}

/// Whether the order's open funding request waits for coins of this person.
fn sends_coins(order: &Order, user: UserId) -> bool {
    let party = order.funded_leg().map(|leg| match leg {
        Leg::Base => Party::Seller,
        Leg::Quote => Party::Buyer,
    });
    party.is_some_and(|party| order.terms.party(user) == Some(party))
}
