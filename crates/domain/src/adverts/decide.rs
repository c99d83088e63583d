//! Runs the commands of an advert's owner.

use serde::Serialize;

use super::transition::TransitionBuilder;
use super::{Advert, AdvertCaller, AdvertCommand, AdvertInputs, EndReason, State, Transition, end};
use crate::applied::Applied;
use crate::effect::{Effect, Notice};
use crate::funding::FundingTarget;
use crate::refusal::Refusal;

/// Runs a command of the advert's owner.
///
/// Refuses, in this order: another user ([`Refusal::AdvertMissing`]), a stale version ([`Refusal::Stale`]), a command
/// that the state does not allow ([`Refusal::AdvertState`]), and going online while the owner is offline
/// ([`Refusal::AdvertiserOffline`]). A command that already took effect returns [`Applied::AlreadyDone`], even
/// with a stale version.
pub fn decide(
    advert: &Advert,
    by: &AdvertCaller,
    act: &AdvertCommand,
    inputs: &AdvertInputs,
) -> Result<Applied<Transition>, Refusal> {
    if by.user != advert.terms.owner {
        return Err(Refusal::AdvertMissing);
    }
    if already_done(&advert.state, *act) {
        return Ok(Applied::AlreadyDone);
    }
    if by.seen != advert.version {
        return Err(Refusal::Stale);
    }
    let mut draft = TransitionBuilder::of(advert);
    match (act, &advert.state) {
        (AdvertCommand::Cancel, State::Creating { .. }) if !inputs.covered => {
            draft.effect(Effect::CloseFundingRequest(FundingTarget::Advert(advert.id)));
            end::end(&mut draft, EndReason::OwnerCancelled, inputs.now);
        }
        (AdvertCommand::Cancel, State::Online | State::Offline) => {
            draft.notify(Notice::AdvertRevoking);
            end::return_remainder(&mut draft, inputs);
        }
        (AdvertCommand::Switch { online: true }, State::Offline) if !inputs.owner_online => {
            return Err(Refusal::AdvertiserOffline);
        }
        (AdvertCommand::Switch { online }, State::Online | State::Offline) => {
            draft.advert.state = State::online_if(*online);
        }
        (AdvertCommand::Delete, State::Cancelled { at, reason, payout }) => {
            draft.advert.state = State::Deleted { at: *at, reason: *reason, payout: *payout };
        }
        _ => return Err(Refusal::AdvertState),
    }
    Ok(draft.done())
}

/// Takes an advert down for the platform, as if its owner had revoked it: it takes no more orders, open orders continue, and the
/// remaining escrow is returned.
///
/// Refuses an advert that is not in the hall or can't be: one that is not confirmed, is being revoked, or has ended
/// ([`Refusal::AdvertState`]).
pub fn take_down(advert: &Advert, inputs: &AdvertInputs) -> Result<Transition, Refusal> {
    if !matches!(advert.state, State::Online | State::Offline) {
        return Err(Refusal::AdvertState);
    }
    let owner = AdvertCaller { user: advert.terms.owner, seen: advert.version };
    match decide(advert, &owner, &AdvertCommand::Cancel, inputs)? {
        Applied::Done(done) => Ok(*done),
        Applied::AlreadyDone => Err(Refusal::AdvertState),
    }
}

/// Returns whether the advert is already in the state to which the command leads.
fn already_done(state: &State, act: AdvertCommand) -> bool {
    match (act, state) {
        (AdvertCommand::Cancel, State::Revoking { .. }) | (AdvertCommand::Delete, State::Deleted { .. }) => true,
        (AdvertCommand::Cancel, State::Cancelled { reason, .. }) => {
            matches!(reason, EndReason::OwnerCancelled | EndReason::Revoked)
        }
        (AdvertCommand::Switch { online }, State::Online) => online,
        (AdvertCommand::Switch { online }, State::Offline) => !online,
        _ => false,
    }
}

/// What the owner may do to an advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AdvertAction))]
pub enum Action {
    /// "I have sent": shows what has arrived so far. Does not change the advert.
    CheckDeposit,
    Online,
    Offline,
    /// Cancel the advert before its escrow is complete.
    Cancel,
    /// Take no more orders and return the remaining escrow.
    Revoke,
    /// Hide the ended advert.
    Delete,
}

/// Returns the actions available to `owner`; none if another user owns the advert.
pub fn available_actions(advert: &Advert, owner: crate::ids::UserId, inputs: &AdvertInputs) -> Vec<Action> {
    let by = AdvertCaller { user: owner, seen: advert.version };
    let allowed = |act: AdvertCommand| matches!(decide(advert, &by, &act, inputs), Ok(Applied::Done(_)));
    let creating = matches!(advert.state, State::Creating { .. });
    [
        (Action::CheckDeposit, creating && owner == advert.terms.owner),
        (Action::Online, allowed(AdvertCommand::Switch { online: true })),
        (Action::Offline, allowed(AdvertCommand::Switch { online: false })),
        (Action::Cancel, creating && allowed(AdvertCommand::Cancel)),
        (Action::Revoke, !creating && allowed(AdvertCommand::Cancel)),
        (Action::Delete, allowed(AdvertCommand::Delete)),
    ]
    .into_iter()
    .filter_map(|(action, allowed)| allowed.then_some(action))
    .collect()
}
