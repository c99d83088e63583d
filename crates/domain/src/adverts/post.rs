//! Posts adverts and schedules their next check.

use super::transition::TransitionBuilder;
use super::{Advert, State, Terms, Transition};
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::effect::{Effect, Notice};
use crate::funding::{FundingRequest, FundingTarget};
use crate::ids::AdvertId;
use crate::ledger;
use crate::money::Amount;
use crate::refusal::Refusal;

/// Posts an advert whose terms [`crate::checks::advert`] has checked.
///
/// If the advert needs an escrow, opens a funding request and waits for the deposit. A manual buy advert needs none,
/// and takes orders immediately if its owner is online.
pub fn post(id: AdvertId, terms: Terms, owner_online: bool) -> Result<Transition, Refusal> {
    if terms.total.is_zero() {
        return Err(Refusal::Invalid { field: "quantity", reason: "costs nothing" });
    }
    let now = terms.created_at;
    let state = match terms.escrow() {
        Some(_) => State::Creating { deadline: Deadline::new(now, terms.windows.advert_deposit) },
        None => State::online_if(owner_online),
    };
    let confirmed_at = terms.escrow().is_none().then_some(now);
    let prepaid = match &terms.prepayment {
        Some(prepayment) => {
            prepayment.total().map_err(|_| Refusal::Invalid { field: "nftId", reason: "out of range" })?
        }
        None => Amount::ZERO,
    };
    let mut draft = TransitionBuilder::first(Advert {
        id,
        version: 1,
        remaining: terms.quantity,
        terms,
        state,
        escrow: Amount::ZERO,
        prepaid,
        running: 0,
        frozen: None,
        funding_rounds: 0,
        confirmed_at,
    });
    if let Some((vault_asset, _)) = draft.advert.terms.prepaid() {
        draft.post(ledger::prepaid(id, vault_asset, prepaid));
    }
    match draft.advert.request(now) {
        Some(request) => draft.effect(Effect::OpenFundingRequest(request)),
        None => draft.notify(Notice::AdvertConfirmed),
    }
    Ok(draft.into_transition())
}

impl State {
    pub(super) fn online_if(online: bool) -> Self {
        if online { Self::Online } else { Self::Offline }
    }
}

impl Advert {
    /// Creates the funding request for the advert's escrow; `None` if it needs none.
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

    /// Returns when the clock must process the advert. The time stays in the past while unconfirmed transfers prevent
    /// the advert from expiring.
    pub fn due_at(&self) -> Option<Timestamp> {
        match &self.state {
            State::Creating { deadline } => Some(deadline.at),
            _ => None,
        }
    }

    /// Returns the quantity of the base in open and completed orders.
    pub fn ordered(&self) -> Amount {
        self.terms.quantity.saturating_sub(self.remaining)
    }

    /// Returns why the stored values contradict each other, or `None` if they are consistent.
    pub fn misfit(&self) -> Option<&'static str> {
        let wrong = |wrong: bool, why: &'static str| wrong.then_some(why);
        let creating = matches!(self.state, State::Creating { .. });
        let returned = self.state.payout().is_some() || self.state.ended();
        let most = self.terms.escrow().map_or(Amount::ZERO, |(.., most)| most);
        wrong(self.remaining > self.terms.quantity, "more remains than the quantity")
            .or_else(|| wrong(self.escrow > most, "escrows more than required"))
            .or_else(|| {
                let whole = self.terms.prepayment.map_or(Ok(Amount::ZERO), |prepayment| prepayment.total());
                wrong(!self.prepaid.is_zero() && whole != Ok(self.prepaid), "has prepaid a part, or nothing to prepay")
            })
            .or_else(|| wrong(creating && self.terms.escrow().is_none(), "awaits an escrow that it does not need"))
            .or_else(|| wrong(creating && !self.escrow.is_zero(), "has an escrow before it is funded"))
            .or_else(|| {
                wrong((creating || returned) && self.running > 0, "has open orders during creation or after its end")
            })
            .or_else(|| wrong(returned && !self.escrow.is_zero(), "has an escrow after its end"))
            .or_else(|| wrong(returned && self.frozen.is_some(), "frozen after its end"))
            .or_else(|| {
                wrong(self.frozen.is_some_and(|frozen| frozen.missing.is_zero()), "frozen although nothing is missing")
            })
    }
}
