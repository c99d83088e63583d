//! What an advert's owner asks for, and may ask for.

use super::draft::Draft;
use super::{Act, Advert, By, EndReason, Facts, Outcome, State, end};
use crate::claims::Holder;
use crate::effect::{Effect, Notice};
use crate::refusal::Refusal;

/// Carries out what the owner asks.
///
/// Refuses, in this order: anybody else ([`Refusal::AdvertMissing`]), a stale version ([`Refusal::Stale`]), what the
/// state does not allow ([`Refusal::AdvertState`]), and going online while the owner is offline
/// ([`Refusal::AdvertiserOffline`]). Before the version is looked at, an act whose effect is there already is answered
/// [`Outcome::AlreadyDone`].
pub fn decide(advert: &Advert, by: &By, act: &Act, facts: &Facts) -> Result<Outcome, Refusal> {
    if by.user != advert.terms.owner {
        return Err(Refusal::AdvertMissing);
    }
    if already_done(&advert.state, *act) {
        return Ok(Outcome::AlreadyDone);
    }
    if by.seen != advert.version {
        return Err(Refusal::Stale);
    }
    let mut draft = Draft::of(advert);
    match (act, &advert.state) {
        (Act::Cancel, State::Creating { .. }) if !facts.covered => {
            draft.effect(Effect::EndClaim(Holder::Advert(advert.id)));
            end::end(&mut draft, EndReason::OwnerCancelled, facts.now);
        }
        (Act::Cancel, State::Online | State::Offline) => {
            draft.notify(Notice::AdvertRevoking);
            end::return_remainder(&mut draft, facts.payout, facts.now);
        }
        (Act::Switch { online: true }, State::Offline) if !facts.owner_online => {
            return Err(Refusal::AdvertiserOffline);
        }
        (Act::Switch { online }, State::Online | State::Offline) => {
            draft.advert.state = State::taking_orders(*online);
        }
        (Act::Delete, State::Cancelled { at, reason, payout }) => {
            draft.advert.state = State::Deleted { at: *at, reason: *reason, payout: *payout };
        }
        _ => return Err(Refusal::AdvertState),
    }
    Ok(draft.done())
}

/// Whether the advert stands where the act would have brought it.
fn already_done(state: &State, act: Act) -> bool {
    match (act, state) {
        (Act::Cancel, State::Revoking { .. }) | (Act::Delete, State::Deleted { .. }) => true,
        (Act::Cancel, State::Cancelled { reason, .. }) => {
            matches!(reason, EndReason::OwnerCancelled | EndReason::Revoked)
        }
        (Act::Switch { online }, State::Online) => online,
        (Act::Switch { online }, State::Offline) => !online,
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
pub fn may(advert: &Advert, owner: crate::ids::UserId, facts: &Facts) -> Vec<Action> {
    let by = By { user: owner, seen: advert.version };
    let allowed = |act: Act| matches!(decide(advert, &by, &act, facts), Ok(Outcome::Done(_)));
    let creating = matches!(advert.state, State::Creating { .. });
    [
        (Action::CheckDeposit, creating && owner == advert.terms.owner),
        (Action::Online, allowed(Act::Switch { online: true })),
        (Action::Offline, allowed(Act::Switch { online: false })),
        (Action::Cancel, creating && allowed(Act::Cancel)),
        (Action::Revoke, !creating && allowed(Act::Cancel)),
        (Action::Delete, allowed(Act::Delete)),
    ]
    .into_iter()
    .filter_map(|(action, allowed)| allowed.then_some(action))
    .collect()
}
