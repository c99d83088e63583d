//! What an officer may decide about an appeal, and what each decision would do.

use domain::orders::{self, AppealDecision, DecisionEffects, Order, OrderInputs, Outcome, Undecidable, decide_appeal};
use domain::trade::Party;
use store::appeals::Proposal;

use crate::Result;
use crate::appeals::{Ruling, proposes};

/// A decision that an officer may make now, or the reason why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionOption {
    pub ruling: Ruling,
    pub refusal: Option<Undecidable>,
    /// What a verdict does with the escrow.
    pub outcome: Option<Outcome>,
    /// What the decision does: a verdict when it is executed, a rejection at once.
    pub effects: DecisionEffects,
    /// Whether the proposal that waits for a second officer is of this ruling, and still moves the same coins.
    pub is_proposed: bool,
}

/// The officer who decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decider {
    /// Whether the officer may decide about orders of this value.
    pub(super) allowed: bool,
    /// Whether the officer may complete the proposal that waits for a second officer.
    pub(super) completes: bool,
}

/// Returns all options. `is_latest` tells whether the appeal is the latest one of its order.
pub(super) fn options(
    order: &Order,
    inputs: &OrderInputs,
    is_latest: bool,
    decider: Decider,
    proposal: Option<&Proposal>,
) -> Result<Vec<DecisionOption>> {
    let verdict = |winner| Ruling::Verdict { winner, malicious: false };
    let rulings = [verdict(Party::Buyer), verdict(Party::Seller), Ruling::Reject { malicious: false }, Ruling::Reopen];
    let option = |ruling| {
        let note = String::new();
        let decision = match ruling {
            Ruling::Verdict { winner, malicious } => {
                AppealDecision::Verdict { winner, note, malicious, delay: chrono::Duration::zero() }
            }
            Ruling::Reject { malicious } => AppealDecision::Reject { note, malicious },
            Ruling::Reopen => AppealDecision::Reopen,
        };
        let (mut outcome, mut effects) = (None, DecisionEffects::default());
        if is_latest && order.open_appeal().is_some() {
            effects = orders::decision_effects(order, &decision, inputs).unwrap_or_default();
            if let Ruling::Verdict { winner, .. } = ruling {
                outcome = orders::outcome(order, winner).ok();
            }
        }
        let is_proposed = match proposal {
            Some(proposal) => proposes(proposal, ruling, &effects.movements)?,
            None => false,
        };
        let refusal = match decide_appeal(order, &decision, inputs) {
            _ if !is_latest => Some(Undecidable::NotOpen),
            Err(why) => Some(why),
            Ok(_) if !decider.allowed => Some(Undecidable::AboveLimit),
            Ok(_) if is_proposed && !decider.completes => Some(Undecidable::NotIndependent),
            Ok(_) => None,
        };
        Ok(DecisionOption { ruling, refusal, outcome, effects, is_proposed })
    };
    rulings.into_iter().map(option).collect()
}
