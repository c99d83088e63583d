//! Posting an advert.

use super::transition::TransitionBuilder;
use super::{Advert, State, Terms, Transition};
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::effect::{Effect, Notice};
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::AdvertId;
use crate::money::Amount;
use crate::refusal::Refusal;

/// Posts an advert with these terms, after [`crate::checks::advert`] has found nothing against it.
///
/// One that escrows something waits for it and opens the funding request; a manual buy advert takes orders at once, if its owner
/// is online.
pub fn post(id: AdvertId, terms: Terms, owner_online: bool) -> Result<Transition, Refusal> {
    if terms.total.is_zero() {
        return Err(Refusal::Invalid { field: "quantity", reason: "costs nothing" });
    }
    let now = terms.created_at;
    let state = match terms.escrow() {
        Some(_) => State::Creating { deadline: Deadline::new(now, terms.windows.advert_deposit) },
        None => State::taking_orders(owner_online),
    };
    let confirmed_at = terms.escrow().is_none().then_some(now);
    let mut draft = TransitionBuilder::first(Advert {
        id,
        version: 1,
        remaining: terms.quantity,
        terms,
        state,
        escrow: Amount::ZERO,
        running: 0,
        frozen: None,
        funding_rounds: 0,
        confirmed_at,
    });
    match draft.advert.request(now) {
        Some(request) => draft.effect(Effect::OpenFundingRequest(request)),
        None => draft.notify(Notice::AdvertConfirmed),
    }
    Ok(draft.into_transition())
}

impl State {
    /// Online or offline, as the owner is.
    pub(super) fn taking_orders(online: bool) -> Self {
        if online { Self::Online } else { Self::Offline }
    }
}

impl Advert {
    /// The funding request of an advert in creation, as it opens.
    fn request(&self, opened_at: Timestamp) -> Option<FundingRequest> {
        let (_, vault_asset, need) = self.terms.escrow()?;
        Some(FundingRequest {
            target: FundingTarget::Advert(self.id),
            vault_asset,
            required: need,
            funded: Amount::ZERO,
            opened_at,
        })
    }

    /// When the clock has something to do with the advert. A moment in the past that stays means: transfers seen in
    /// blocks hold the end of its creation back.
    pub fn due_at(&self) -> Option<Timestamp> {
        match &self.state {
            State::Creating { deadline } => Some(deadline.at),
            _ => None,
        }
    }

    /// How much of the base is in orders that are not undone: running ones and completed ones.
    pub fn ordered(&self) -> Amount {
        self.terms.quantity.saturating_sub(self.remaining)
    }

    /// Why a row that is said to be this advert fits no state of one; nothing if it fits.
    pub fn misfit(&self) -> Option<&'static str> {
        let wrong = |wrong: bool, why: &'static str| wrong.then_some(why);
        let creating = matches!(self.state, State::Creating { .. });
        let returned = self.state.payout().is_some() || self.state.ended();
        let most = self.terms.escrow().map_or(Amount::ZERO, |(.., most)| most);
        wrong(self.remaining > self.terms.quantity, "more remains than there was")
            .or_else(|| wrong(self.escrow > most, "escrows more than it should"))
            .or_else(|| wrong(creating && self.terms.escrow().is_none(), "waits for an escrow that it does not need"))
            .or_else(|| wrong(creating && !self.escrow.is_zero(), "has an escrow before it was funded"))
            .or_else(|| {
                wrong((creating || returned) && self.running > 0, "has running orders before or after its life")
            })
            .or_else(|| wrong(returned && !self.escrow.is_zero(), "keeps an escrow after its end"))
            .or_else(|| wrong(returned && self.frozen.is_some(), "frozen after its end"))
            .or_else(|| {
                wrong(self.frozen.is_some_and(|frozen| frozen.missing.is_zero()), "frozen though nothing is missing")
            })
    }
}
