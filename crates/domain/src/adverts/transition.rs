//! Builds the next version of an advert and collects the effects.

use super::{Advert, Transition};
use crate::applied::Applied;
use crate::effect::{Effect, Notice, Subject};
use crate::ledger::{self, Posting};
use crate::money::Amount;
use crate::refusal::Refusal;

pub(super) struct TransitionBuilder {
    pub(super) advert: Advert,
    effects: Vec<Effect>,
}

impl TransitionBuilder {
    /// Starts the advert's next version.
    pub(super) fn of(advert: &Advert) -> Self {
        let mut advert = advert.clone();
        advert.version = advert.version.saturating_add(1);
        Self { advert, effects: Vec::new() }
    }

    /// Starts the first version of an advert that is being posted.
    pub(super) fn first(advert: Advert) -> Self {
        Self { advert, effects: Vec::new() }
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn post(&mut self, posting: Posting) {
        if !posting.entries.is_empty() {
            self.effects.push(Effect::Post(posting));
        }
    }

    pub(super) fn notify(&mut self, notice: Notice) {
        let (user, subject) = (self.advert.terms.owner, Subject::Advert(self.advert.id));
        self.effects.push(Effect::Notify { user, subject, notice });
    }

    /// Moves temporary balance from the owner's vault into the advert's escrow.
    pub(super) fn request(&mut self, amount: Amount) -> Result<(), Refusal> {
        let Some((_, vault_asset, _)) = self.advert.terms.escrow() else { return Err(Refusal::Stale) };
        let advert = &mut self.advert;
        advert.funding_rounds = advert.funding_rounds.saturating_add(1);
        advert.escrow = advert.escrow.add(amount).map_err(|_| Refusal::Stale)?;
        let posting = ledger::fund_advert(advert.id, advert.funding_rounds, vault_asset, amount);
        self.post(posting);
        Ok(())
    }

    pub(super) fn into_transition(self) -> Transition {
        Transition { advert: self.advert, effects: self.effects }
    }

    pub(super) fn done(self) -> Applied<Transition> {
        Applied::Done(Box::new(self.into_transition()))
    }
}
