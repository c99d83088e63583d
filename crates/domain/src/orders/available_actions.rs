//! The actions available to a user, with their costs and the money that they move. Each is tried with [`decide`], so the
//! list always matches the commands that succeed.

use serde::Serialize;
use strum::VariantArray;

use super::movements::movements;
use super::{
    AppealReason, Movement, NewEvidence, Order, OrderCaller, OrderCommand, OrderInputs, Proofs, RequiredProof,
    Transition, decide, required_proof,
};
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::effect::Effect;
use crate::ids::{FileId, UserId};
use crate::reputation::{self, ReputationStanding};

/// What a user may do to an order. Screens show the actions in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, VariantArray)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OrderAction))]
pub enum Action {
    Accept,
    Reject,
    /// "I have sent": shows what has arrived so far. Does not change the order.
    CheckDeposit,
    #[serde(rename = "pay")]
    MarkPaid,
    Confirm,
    /// Ask the buyer to agree to a cancellation.
    AskCancel,
    /// Agree to the cancellation that the seller has requested.
    AgreeCancel,
    Cancel,
    /// Speed up a release that a reorganization removed.
    Recover,
    Appeal,
    AddEvidence,
    WithdrawAppeal,
}

impl Action {
    /// Returns commands that the action can send; the action is available if one of them is possible. Empty if the action does
    /// not change the order.
    fn acts(self) -> Vec<OrderCommand> {
        match self {
            Self::Accept => vec![OrderCommand::Accept],
            Self::Reject => vec![OrderCommand::Reject { reason: None }],
            Self::CheckDeposit => Vec::new(),
            Self::MarkPaid => {
                vec![OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts: Vec::new() }]
            }
            Self::Confirm => vec![OrderCommand::Confirm],
            Self::AskCancel => vec![OrderCommand::AskCancel],
            Self::AgreeCancel => vec![OrderCommand::AgreeCancel],
            Self::Cancel => vec![OrderCommand::Cancel],
            Self::Recover => vec![OrderCommand::Recover],
            Self::Appeal => vec![OrderCommand::Appeal {
                reason: AppealReason::Unresponsive,
                description: None,
                evidence: picture(),
            }],
            // A party that has added all its pictures may still add a video.
            Self::AddEvidence => vec![OrderCommand::AddEvidence(picture()), OrderCommand::AddEvidence(video())],
            Self::WithdrawAppeal => vec![OrderCommand::WithdrawAppeal],
        }
    }
}

/// Returns evidence that stands for any picture.
fn picture() -> NewEvidence {
    NewEvidence { pictures: vec![FileId(uuid::Uuid::nil())], videos: Vec::new() }
}

/// Returns evidence that stands for any video.
fn video() -> NewEvidence {
    NewEvidence { pictures: Vec::new(), videos: vec![FileId(uuid::Uuid::nil())] }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvailableAction {
    pub action: Action,
    /// The reputation that the action costs the user. For [`Action::AskCancel`]: the cost if the buyer agrees. For
    /// [`Action::Appeal`]: the cost if the user loses.
    pub reputation_cost: i32,
    /// Whether the action uses one of today's free cancellations. For [`Action::AskCancel`]: if the buyer agrees.
    pub uses_free: bool,
    pub required_proof: RequiredProof,
    /// The coins that the action moves. For [`Action::AskCancel`]: if the buyer agrees.
    pub movements: Vec<Movement>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Actions(pub Vec<AvailableAction>);

impl Actions {
    pub fn get(&self, action: Action) -> Option<&AvailableAction> {
        self.0.iter().find(|offer| offer.action == action)
    }
}

/// Returns the actions available to `user`; none if the user is not a party. `standing` and `held_until`, the end of a hold
/// on the account, are those of `user`.
pub fn available_actions(
    order: &Order,
    (user, held_until): (UserId, Option<Timestamp>),
    inputs: &OrderInputs,
    standing: ReputationStanding,
) -> Actions {
    let by = OrderCaller { user, seen: order.version, proofs: Proofs::ALL, held_until };
    Actions(
        Action::VARIANTS
            .iter()
            .filter_map(|&action| {
                let acts = action.acts();
                if acts.is_empty() {
                    return sends_coins(order, user).then_some(AvailableAction {
                        action,
                        reputation_cost: 0,
                        uses_free: false,
                        required_proof: RequiredProof::Nothing,
                        movements: Vec::new(),
                    });
                }
                let possible = |act| attempt(order, &by, &act, inputs).map(|transition| (act, transition));
                let (act, transition) = acts.into_iter().find_map(possible)?;
                let executed = match act {
                    OrderCommand::AskCancel => if_agreed(&transition.order, inputs),
                    _ => Some(transition),
                };
                let counts = executed.as_ref().is_some_and(|executed| counts(&executed.effects, user));
                let reputation_cost = match act {
                    OrderCommand::Appeal { .. } => reputation::appeal_cost(standing),
                    _ if counts => reputation::cancel_cost(standing),
                    _ => 0,
                };
                Some(AvailableAction {
                    action,
                    reputation_cost,
                    uses_free: counts && reputation::free_cancellations(standing) > 0,
                    required_proof: required_proof(order, user, &act, held_until.is_some()),
                    movements: executed.as_ref().map(movements).unwrap_or_default(),
                })
            })
            .collect(),
    )
}

fn attempt(order: &Order, by: &OrderCaller, act: &OrderCommand, inputs: &OrderInputs) -> Option<Transition> {
    match decide(order, by, act, inputs) {
        Ok(Applied::Done(transition)) => Some(*transition),
        _ => None,
    }
}

/// Returns the transition that happens if the buyer agrees to the cancellation that the seller has requested.
fn if_agreed(asked: &Order, inputs: &OrderInputs) -> Option<Transition> {
    let by = OrderCaller { user: asked.terms.buyer(), seen: asked.version, proofs: Proofs::ALL, held_until: None };
    attempt(asked, &by, &OrderCommand::AgreeCancel, inputs)
}

fn counts(effects: &[Effect], user: UserId) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::ChargeReputation { user: charged, .. } if *charged == user))
}

/// Returns whether this user must fund the order's open funding request.
fn sends_coins(order: &Order, user: UserId) -> bool {
    order.funded_leg().is_some_and(|leg| order.terms.party(user).is_some_and(|party| party.gives() == leg))
}
