//! Applies events from orders, the clock, the chain and the owner's switch.

use super::transition::TransitionBuilder;
use super::{Advert, AdvertInputs, EndReason, Event, Frozen, State, Transition, end};
use crate::applied::Applied;
use crate::assets::AssetId;
use crate::clock::Timestamp;
use crate::effect::{Effect, Notice, OrderChange, PayoutIntent, PayoutLeg, PrepaymentChange, Purpose};
use crate::funding::FundingTarget;
use crate::ids::PayoutId;
use crate::ledger::{self, VaultAsset};
use crate::money::Amount;
use crate::refusal::{Refusal, Shown};

/// Applies an event to an advert.
///
/// Refuses an event that does not match the advert's state ([`Refusal::Stale`]), an order that the advert cannot take
/// ([`Advert::accepts_orders`], [`Refusal::QuantityShort`]), and the expiry of an advert whose escrow is covered by
/// unconfirmed transfers ([`Refusal::AdvertState`]). An event that already took effect returns
/// [`Applied::AlreadyDone`]. Events about orders and [`Event::DepositRevoked`] are not idempotent here: the
/// other rows written in the same transaction ensure that each is applied once.
pub fn react(advert: &Advert, event: &Event, inputs: &AdvertInputs) -> Result<Applied<Transition>, Refusal> {
    match *event {
        Event::DepositFunded => deposit_funded(advert, inputs),
        Event::WindowPassed => window_passed(advert, inputs),
        Event::WrongDeposit { asset, amount, gas } => wrong_deposit(advert, asset, amount, gas, inputs),
        Event::Switched { online } => Ok(switched(advert, online)),
        Event::OrderPlaced { quantity, escrow } => order_placed(advert, quantity, escrow),
        Event::OrderChanged(change) => order_changed(advert, change, inputs),
        Event::ReturnConfirmed { payout } => return_confirmed(advert, payout, inputs.now),
        Event::ReturnRevoked { payout } => return_revoked(advert, payout),
        Event::ReturnVoided { payout, amount } => return_voided(advert, payout, amount, inputs),
        Event::DepositRevoked { drawn } => deposit_revoked(advert, drawn, inputs.now),
        Event::DepositReturned { available } => deposit_returned(advert, available),
        Event::Outage { from, until } => Ok(outage(advert, from, until)),
    }
}

fn deposit_funded(advert: &Advert, inputs: &AdvertInputs) -> Result<Applied<Transition>, Refusal> {
    if advert.confirmed_at.is_some() {
        return Ok(Applied::AlreadyDone);
    }
    let (State::Creating { .. }, Some((_, _, need))) = (&advert.state, advert.terms.escrow()) else {
        return Err(Refusal::Stale);
    };
    let mut draft = TransitionBuilder::of(advert);
    draft.request(need)?;
    draft.effect(Effect::FulfillFundingRequest(FundingTarget::Advert(advert.id)));
    draft.advert.confirmed_at = Some(inputs.now);
    draft.advert.state = State::online_if(inputs.owner_online);
    draft.notify(Notice::AdvertConfirmed);
    Ok(draft.done())
}

fn window_passed(advert: &Advert, inputs: &AdvertInputs) -> Result<Applied<Transition>, Refusal> {
    match &advert.state {
        State::Creating { deadline } if deadline.passed(inputs.now) => {
            if inputs.covered {
                return Err(Refusal::AdvertState);
            }
            let mut draft = TransitionBuilder::of(advert);
            draft.effect(Effect::CloseFundingRequest(FundingTarget::Advert(advert.id)));
            end::end(&mut draft, EndReason::Expired, inputs.now);
            Ok(draft.done())
        }
        State::Cancelled { reason: EndReason::Expired, .. } => Ok(Applied::AlreadyDone),
        _ => Err(Refusal::Stale),
    }
}

fn wrong_deposit(
    advert: &Advert,
    asset: AssetId,
    amount: Amount,
    gas: Option<Amount>,
    inputs: &AdvertInputs,
) -> Result<Applied<Transition>, Refusal> {
    match advert.state {
        State::Creating { .. } if inputs.covered => return Err(Refusal::AdvertState),
        State::Creating { .. } => {}
        _ => return Err(Refusal::Stale),
    }
    let mut draft = TransitionBuilder::of(advert);
    draft.effect(Effect::CloseFundingRequest(FundingTarget::Advert(advert.id)));
    let vault_asset = VaultAsset { vault: advert.terms.owner, asset };
    // The network fee of an NFT is part of what an advert of NFTs has prepaid. No other advert can pay it.
    let prepaid = gas.is_none() && !advert.prepaid.is_zero();
    let (out, gas) = match gas {
        Some(gas) => (amount.saturating_sub(gas), gas),
        None if prepaid => (amount, Amount::ZERO),
        None => (Amount::ZERO, Amount::ZERO),
    };
    if !out.is_zero() && inputs.owner_may_withdraw {
        let leg =
            PayoutLeg { vault_asset, recipient: advert.terms.bound, amount: out, source: vault_asset.temporary() };
        let purpose = Purpose::WrongDeposit(advert.id);
        draft.post(ledger::withdrawal(inputs.payout, vault_asset, out, gas));
        draft.effect(Effect::Payout(PayoutIntent { id: inputs.payout, purpose, legs: vec![leg] }));
        if prepaid {
            end::return_prepayment(&mut draft, end::Returned::OnChain);
        }
    }
    draft.notify(Notice::WrongDeposit);
    end::end(&mut draft, EndReason::WrongDeposit, inputs.now);
    Ok(draft.done())
}

fn switched(advert: &Advert, online: bool) -> Applied<Transition> {
    match (&advert.state, online) {
        (State::Online, false) | (State::Offline, true) => {
            let mut draft = TransitionBuilder::of(advert);
            draft.advert.state = State::online_if(online);
            draft.done()
        }
        _ => Applied::AlreadyDone,
    }
}

fn order_placed(advert: &Advert, quantity: Amount, escrow: Amount) -> Result<Applied<Transition>, Refusal> {
    advert.accepts_orders()?;
    let short = |_| {
        let left = Shown { amount: advert.remaining, decimals: advert.terms.base.decimals };
        Refusal::QuantityShort { left }
    };
    let mut draft = TransitionBuilder::of(advert);
    draft.advert.remaining = advert.remaining.sub(quantity).map_err(short)?;
    draft.advert.escrow = advert.escrow.sub(escrow).map_err(short)?;
    draft.advert.running = advert.running.saturating_add(1);
    Ok(draft.done())
}

fn order_changed(advert: &Advert, change: OrderChange, inputs: &AdvertInputs) -> Result<Applied<Transition>, Refusal> {
    let mut draft = TransitionBuilder::of(advert);
    let remaining = advert.remaining.add(change.quantity).map_err(|_| Refusal::Stale)?;
    let running = advert.running.checked_sub(u32::from(change.ended)).ok_or(Refusal::Stale)?;
    if remaining > advert.terms.quantity {
        return Err(Refusal::Stale);
    }
    draft.advert.remaining = remaining;
    draft.advert.running = running;
    match (change.prepayment, &advert.terms.prepayment) {
        (PrepaymentChange::Spent, _) => draft.advert.prepaid = Amount::ZERO,
        (PrepaymentChange::GivenBack, Some(prepayment)) => {
            draft.advert.prepaid = prepayment.total().map_err(|_| Refusal::Stale)?;
        }
        _ => {}
    }
    // An order's release can be voided after the advert has ended.
    if advert.state.payout().is_some() || advert.state.ended() {
        if let Some((_, vault_asset, _)) = advert.terms.escrow() {
            draft.post(ledger::advert_late_remainder(advert.id, draft.advert.version, vault_asset, change.escrow));
        }
        if change.prepayment == PrepaymentChange::GivenBack {
            end::return_prepayment(&mut draft, end::Returned::Nothing);
        }
        return Ok(draft.done());
    }
    draft.advert.escrow = advert.escrow.add(change.escrow).map_err(|_| Refusal::Stale)?;
    match advert.state {
        State::Revoking { payout: None } => end::return_remainder(&mut draft, inputs),
        State::Online | State::Offline if running == 0 && remaining.is_zero() => {
            end::end(&mut draft, EndReason::SoldOut, inputs.now);
        }
        State::Online | State::Offline => {}
        _ => return Err(Refusal::Stale),
    }
    Ok(draft.done())
}

fn return_confirmed(advert: &Advert, payout: PayoutId, now: Timestamp) -> Result<Applied<Transition>, Refusal> {
    if advert.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    if advert.state.ended() {
        return Ok(Applied::AlreadyDone);
    }
    let mut draft = TransitionBuilder::of(advert);
    draft.advert.state = State::Cancelled { at: now, reason: EndReason::Revoked, payout: Some(payout) };
    draft.notify(Notice::AdvertCancelled);
    Ok(draft.done())
}

fn return_revoked(advert: &Advert, payout: PayoutId) -> Result<Applied<Transition>, Refusal> {
    if advert.state.payout() != Some(payout) {
        return Err(Refusal::Stale);
    }
    if !advert.state.ended() {
        return Ok(Applied::AlreadyDone);
    }
    let mut draft = TransitionBuilder::of(advert);
    draft.advert.state = State::Revoking { payout: Some(payout) };
    draft.notify(Notice::AdvertRevoking);
    Ok(draft.done())
}

fn return_voided(
    advert: &Advert,
    payout: PayoutId,
    amount: Amount,
    inputs: &AdvertInputs,
) -> Result<Applied<Transition>, Refusal> {
    if !advert.state.depends_on(payout) {
        return Err(Refusal::Stale);
    }
    let mut draft = TransitionBuilder::of(advert);
    end::return_again(&mut draft, amount, inputs);
    Ok(draft.done())
}

fn deposit_revoked(advert: &Advert, drawn: Amount, now: Timestamp) -> Result<Applied<Transition>, Refusal> {
    if drawn.is_zero() {
        return Ok(Applied::AlreadyDone);
    }
    let before = advert.frozen.unwrap_or(Frozen { since: now, missing: Amount::ZERO });
    let mut draft = TransitionBuilder::of(advert);
    draft.advert.escrow = advert.escrow.sub(drawn).map_err(|_| Refusal::Stale)?;
    let missing = before.missing.add(drawn).map_err(|_| Refusal::Stale)?;
    draft.advert.frozen = Some(Frozen { missing, ..before });
    draft.notify(Notice::AdvertFrozen);
    Ok(draft.done())
}

fn deposit_returned(advert: &Advert, available: Amount) -> Result<Applied<Transition>, Refusal> {
    let (Some(Frozen { missing, .. }), Some((leg, ..))) = (advert.frozen, advert.terms.escrow()) else {
        return Ok(Applied::AlreadyDone);
    };
    if available < missing {
        let decimals = match leg {
            crate::trade::Leg::Base => advert.terms.base.decimals,
            crate::trade::Leg::Quote => advert.terms.quote.decimals,
        };
        let shortfall = Shown { amount: missing.saturating_sub(available), decimals };
        return Err(Refusal::DepositShort { shortfall });
    }
    let mut draft = TransitionBuilder::of(advert);
    draft.request(missing)?;
    draft.advert.frozen = None;
    draft.notify(Notice::AdvertUnfrozen);
    Ok(draft.done())
}

fn outage(advert: &Advert, from: Timestamp, until: Timestamp) -> Applied<Transition> {
    let State::Creating { deadline } = &advert.state else { return Applied::AlreadyDone };
    let Some(deadline) = deadline.extended_by(from, until) else { return Applied::AlreadyDone };
    let mut draft = TransitionBuilder::of(advert);
    draft.advert.state = State::Creating { deadline };
    draft.notify(Notice::DeadlineMoved);
    draft.done()
}
