//! What orders, the clock, the chain and the owner's switch bring to an advert.

use super::draft::Draft;
use super::{Advert, EndReason, Event, Facts, Frozen, Outcome, State, end};
use crate::assets::AssetId;
use crate::claims::Holder;
use crate::clock::Moment;
use crate::effect::{Effect, Notice, OrderChange, PayoutIntent, PayoutLeg, Purpose};
use crate::ids::PayoutId;
use crate::ledger::{self, VaultAsset};
use crate::money::Amount;
use crate::refusal::{Refusal, Shown};

/// Applies an event to an advert.
///
/// An event that does not fit the advert, for it came too early or the advert has moved on, is refused as
/// [`Refusal::Stale`]; an order, with what a taker needs to know ([`Advert::accepts_orders`],
/// [`Refusal::QuantityShort`]); the end of a creation whose escrow is seen in blocks already
/// as [`Refusal::AdvertState`]. An event whose effect is there already is answered [`Outcome::AlreadyDone`], except
/// those about orders and [`Event::DepositRevoked`], of which each one counts: what comes with them in the same commit
/// keeps them from being applied twice.
pub fn react(advert: &Advert, event: &Event, facts: &Facts) -> Result<Outcome, Refusal> {
    match *event {
        Event::DepositClaimed => deposit_claimed(advert, facts),
        Event::WindowPassed => window_passed(advert, facts),
        Event::WrongDeposit { asset, amount, gas } => wrong_deposit(advert, asset, amount, gas, facts),
        Event::Switched { online } => Ok(switched(advert, online)),
        Event::OrderPlaced { quantity, escrow } => order_placed(advert, quantity, escrow),
        Event::OrderChanged(change) => order_changed(advert, change, facts),
        Event::ReturnConfirmed { payout } => return_confirmed(advert, payout, facts.now),
        Event::ReturnRevoked { payout } => return_revoked(advert, payout),
        Event::ReturnVoided { payout, amount } => return_voided(advert, payout, amount, facts),
        Event::DepositRevoked { drawn } => deposit_revoked(advert, drawn, facts.now),
        Event::DepositReturned { available } => deposit_returned(advert, available),
        Event::Outage { from, until } => Ok(outage(advert, from, until)),
    }
}

fn deposit_claimed(advert: &Advert, facts: &Facts) -> Result<Outcome, Refusal> {
    if advert.confirmed_at.is_some() {
        return Ok(Outcome::AlreadyDone);
    }
    let (State::Creating { .. }, Some((_, _, need))) = (&advert.state, advert.terms.escrow()) else {
        return Err(Refusal::Stale);
    };
    let mut draft = Draft::of(advert);
    draft.claim(need)?;
    draft.effect(Effect::MeetClaim(Holder::Advert(advert.id)));
    draft.advert.confirmed_at = Some(facts.now);
    draft.advert.state = State::taking_orders(facts.owner_online);
    draft.notify(Notice::AdvertConfirmed);
    Ok(draft.done())
}

fn window_passed(advert: &Advert, facts: &Facts) -> Result<Outcome, Refusal> {
    match &advert.state {
        State::Creating { deadline } if deadline.passed(facts.now) => {
            if facts.covered {
                return Err(Refusal::AdvertState);
            }
            let mut draft = Draft::of(advert);
            draft.effect(Effect::EndClaim(Holder::Advert(advert.id)));
            end::end(&mut draft, EndReason::Expired, facts.now);
            Ok(draft.done())
        }
        State::Cancelled { reason: EndReason::Expired, .. } => Ok(Outcome::AlreadyDone),
        _ => Err(Refusal::Stale),
    }
}

fn wrong_deposit(
    advert: &Advert,
    asset: AssetId,
    amount: Amount,
    gas: Amount,
    facts: &Facts,
) -> Result<Outcome, Refusal> {
    match advert.state {
        State::Creating { .. } if facts.covered => return Err(Refusal::AdvertState),
        State::Creating { .. } => {}
        _ => return Err(Refusal::Stale),
    }
    let mut draft = Draft::of(advert);
    draft.effect(Effect::EndClaim(Holder::Advert(advert.id)));
    let vault_asset = VaultAsset { vault: advert.terms.owner, asset };
    let out = amount.saturating_sub(gas);
    if !out.is_zero() {
        let leg =
            PayoutLeg { vault_asset, recipient: advert.terms.bound, amount: out, source: vault_asset.temporary() };
        let purpose = Purpose::WrongDeposit(advert.id);
        draft.post(ledger::withdrawal(facts.payout, vault_asset, out, gas));
        draft.effect(Effect::Payout(PayoutIntent { id: facts.payout, purpose, legs: vec![leg] }));
    }
    draft.notify(Notice::WrongDeposit);
    end::end(&mut draft, EndReason::WrongDeposit, facts.now);
    Ok(draft.done())
}

fn switched(advert: &Advert, online: bool) -> Outcome {
    match (&advert.state, online) {
        (State::Online, false) | (State::Offline, true) => {
            let mut draft = Draft::of(advert);
            draft.advert.state = State::taking_orders(online);
            draft.done()
        }
        _ => Outcome::AlreadyDone,
    }
}

fn order_placed(advert: &Advert, quantity: Amount, escrow: Amount) -> Result<Outcome, Refusal> {
    advert.accepts_orders()?;
    let short = |_| {
        let left = Shown { amount: advert.remaining, decimals: advert.terms.base.decimals };
        Refusal::QuantityShort { left }
    };
    let mut draft = Draft::of(advert);
    draft.advert.remaining = advert.remaining.sub(quantity).map_err(short)?;
    draft.advert.escrow = advert.escrow.sub(escrow).map_err(short)?;
    draft.advert.running = advert.running.saturating_add(1);
    Ok(draft.done())
}

fn order_changed(advert: &Advert, change: OrderChange, facts: &Facts) -> Result<Outcome, Refusal> {
    let mut draft = Draft::of(advert);
    let remaining = advert.remaining.add(change.quantity).map_err(|_| Refusal::Stale)?;
    let running = advert.running.checked_sub(u32::from(change.ended)).ok_or(Refusal::Stale)?;
    if remaining > advert.terms.quantity {
        return Err(Refusal::Stale);
    }
    draft.advert.remaining = remaining;
    draft.advert.running = running;
    // An order whose release was taken back and voided after the advert had ended.
    if advert.state.payout().is_some() || advert.state.ended() {
        if let Some((_, vault_asset, _)) = advert.terms.escrow() {
            draft.post(ledger::advert_late_remainder(advert.id, draft.advert.version, vault_asset, change.escrow));
        }
        return Ok(draft.done());
    }
    draft.advert.escrow = advert.escrow.add(change.escrow).map_err(|_| Refusal::Stale)?;
    match advert.state {
        State::Revoking { payout: None } => end::return_remainder(&mut draft, facts.payout, facts.now),
        State::Online | State::Offline if running == 0 && remaining.is_zero() => {
            end::end(&mut draft, EndReason::SoldOut, facts.now);
        }
        State::Online | State::Offline => {}
        _ => return Err(Refusal::Stale),
    }
    Ok(draft.done())
}

fn return_confirmed(advert: &Advert, payout: PayoutId, now: Moment) -> Result<Outcome, Refusal> {
    if advert.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    if advert.state.ended() {
        return Ok(Outcome::AlreadyDone);
    }
    let mut draft = Draft::of(advert);
    draft.advert.state = State::Cancelled { at: now, reason: EndReason::Revoked, payout: Some(payout) };
    draft.notify(Notice::AdvertCancelled);
    Ok(draft.done())
}

fn return_revoked(advert: &Advert, payout: PayoutId) -> Result<Outcome, Refusal> {
    if advert.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    if !advert.state.ended() {
        return Ok(Outcome::AlreadyDone);
    }
    let mut draft = Draft::of(advert);
    draft.advert.state = State::Revoking { payout: Some(payout) };
    draft.notify(Notice::AdvertRevoking);
    Ok(draft.done())
}

fn return_voided(advert: &Advert, payout: PayoutId, amount: Amount, facts: &Facts) -> Result<Outcome, Refusal> {
    if advert.state.payout() != Some(payout) || advert.state.ended() {
        return Err(Refusal::Stale);
    }
    let mut draft = Draft::of(advert);
    end::return_again(&mut draft, amount, facts.payout);
    draft.notify(Notice::AdvertRevoking);
    Ok(draft.done())
}

fn deposit_revoked(advert: &Advert, drawn: Amount, now: Moment) -> Result<Outcome, Refusal> {
    if drawn.is_zero() {
        return Ok(Outcome::AlreadyDone);
    }
    let before = advert.frozen.unwrap_or(Frozen { since: now, missing: Amount::ZERO });
    let mut draft = Draft::of(advert);
    draft.advert.escrow = advert.escrow.sub(drawn).map_err(|_| Refusal::Stale)?;
    let missing = before.missing.add(drawn).map_err(|_| Refusal::Stale)?;
    draft.advert.frozen = Some(Frozen { missing, ..before });
    draft.notify(Notice::AdvertFrozen);
    Ok(draft.done())
}

fn deposit_returned(advert: &Advert, available: Amount) -> Result<Outcome, Refusal> {
    let (Some(Frozen { missing, .. }), Some((leg, ..))) = (advert.frozen, advert.terms.escrow()) else {
        return Ok(Outcome::AlreadyDone);
    };
    if available < missing {
        let decimals = match leg {
            crate::trade::Leg::Base => advert.terms.base.decimals,
            crate::trade::Leg::Quote => advert.terms.quote.decimals,
        };
        let shortfall = Shown { amount: missing.saturating_sub(available), decimals };
        return Err(Refusal::DepositShort { shortfall });
    }
    let mut draft = Draft::of(advert);
    draft.claim(missing)?;
    draft.advert.frozen = None;
    draft.notify(Notice::AdvertThawed);
    Ok(draft.done())
}

fn outage(advert: &Advert, from: Moment, until: Moment) -> Outcome {
    let State::Creating { deadline } = &advert.state else { return Outcome::AlreadyDone };
    let Some(deadline) = deadline.without(from, until) else { return Outcome::AlreadyDone };
    let mut draft = Draft::of(advert);
    draft.advert.state = State::Creating { deadline };
    draft.notify(Notice::DeadlineMoved);
    draft.done()
}
