//! What an advert's owner asks for, and may ask for.

use super::transition::TransitionBuilder;
use super::{Advert, AdvertCaller, AdvertCommand, AdvertDecision, AdvertInputs, EndReason, State, end};
use crate::effect::{Effect, Notice};
use crate::funding::FundingTarget;
use crate::refusal::Refusal;

/// Carries out what the owner asks.
///
/// Refuses, in this order: anybody else ([`Refusal::AdvertMissing`]), a stale version ([`Refusal::Stale`]), what the
/// state does not allow ([`Refusal::AdvertState`]), and going online while the owner is offline
/// ([`Refusal::AdvertiserOffline`]). Before the version is looked at, an act whose effect is there already is answered
/// [`AdvertDecision::AlreadyDone`].
pub fn decide(
    advert: &Advert,
    by: &AdvertCaller,
    act: &AdvertCommand,
    inputs: &AdvertInputs,
) -> Result<AdvertDecision, Refusal> {
    if by.user != advert.terms.owner {
        return Err(Refusal::AdvertMissing);
    }
    if already_done(&advert.state, *act) {
        return Ok(AdvertDecision::AlreadyDone);
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
            end::return_remainder(&mut draft, inputs.payout, inputs.now);
        }
        (AdvertCommand::Switch { online: true }, State::Offline) if !inputs.owner_online => {
            return Err(Refusal::AdvertiserOffline);
        }
        (AdvertCommand::Switch { online }, State::Online | State::Offline) => {
            draft.advert.state = State::taking_orders(*online);
        }
        (AdvertCommand::Delete, State::Cancelled { at, reason, payout }) => {
            draft.advert.state = State::Deleted { at: *at, reason: *reason, payout: *payout };
        }
        _ => return Err(Refusal::AdvertState),
    }
    Ok(draft.done())
}

/// Whether the advert stands where the act would have brought it.
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

/// Something that an advert's owner may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Say "I have sent": the watcher looks now. Changes nothing by itself.
    CheckDeposit,
    /// Take it online.
    Online,
    /// Take it offline.
    Offline,
    /// Cancel it before its escrow is complete.
    Cancel,
    /// Revoke it: no new orders, and the return of what remains.
    Revoke,
    /// Hide it.
    Delete,
}

/// What `owner` may do now; nothing for anybody else.
pub fn available_actions(advert: &Advert, owner: crate::ids::UserId, inputs: &AdvertInputs) -> Vec<Action> {
    let by = AdvertCaller { user: owner, seen: advert.version };
    let allowed = |act: AdvertCommand| matches!(decide(advert, &by, &act, inputs), Ok(AdvertDecision::Done(_)));
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
