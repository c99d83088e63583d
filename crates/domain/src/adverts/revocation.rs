//! What the revocation of an advert returns, computed from the transition that returns it.

use super::{Advert, AdvertCaller, AdvertCommand, AdvertInputs, Event, decide, react};
use crate::applied::Applied;
use crate::effect::{Effect, OrderChange, PrepaymentChange};
use crate::ledger;
use crate::money::Amount;
use crate::orders::{Movement, MovementKind, prepaid_movements};
use crate::trade::{Party, Side};

/// Returns what the owner's revocation would move out of the advert's escrow and prepayment; nothing if the owner cannot revoke it
/// now. The escrow is returned once all open orders have ended, so these are the coins if all of them complete. What an
/// order gives back adds to them.
pub fn revocation(advert: &Advert, inputs: &AdvertInputs) -> Vec<Movement> {
    let by = AdvertCaller { user: advert.terms.owner, seen: advert.version };
    let Ok(Applied::Done(revoked)) = decide(advert, &by, &AdvertCommand::Cancel, inputs) else {
        return Vec::new();
    };
    if revoked.advert.running == 0 {
        return movements(advert, &revoked.effects);
    }
    let last = Advert { running: 1, ..revoked.advert };
    let completed = Event::OrderChanged(OrderChange {
        quantity: Amount::ZERO,
        escrow: Amount::ZERO,
        ended: true,
        prepayment: PrepaymentChange::Spent,
    });
    match react(&last, &completed, inputs) {
        Ok(Applied::Done(returned)) => movements(advert, &returned.effects),
        _ => Vec::new(),
    }
}

fn movements(advert: &Advert, effects: &[Effect]) -> Vec<Movement> {
    let Some((leg, vault_asset, _)) = advert.terms.escrow() else { return Vec::new() };
    let party = match advert.terms.side {
        Side::Sell => Party::Seller,
        Side::Buy => Party::Buyer,
    };
    let movement = |kind, amount, address| Movement { kind, leg: Some(leg), amount, party, address };
    let mut movements = Vec::new();
    for effect in effects {
        match effect {
            Effect::Payout(payout) => {
                let paid =
                    payout.legs.iter().map(|part| movement(MovementKind::Payout, part.amount, Some(part.recipient)));
                movements.extend(paid);
            }
            Effect::Post(posting) => {
                let fees = posting.entries.iter().filter(|entry| !entry.debit && entry.account == vault_asset.gas());
                movements.extend(fees.map(|entry| movement(MovementKind::NetworkFee, entry.amount, None)));
                let kept = ledger::remainders(posting).filter(|(kept, _)| *kept == vault_asset);
                movements.extend(kept.map(|(_, amount)| movement(MovementKind::TemporaryBalance, amount, None)));
                let prepaid = advert.terms.prepaid().into_iter();
                movements.extend(prepaid.flat_map(|(prepaid, _)| prepaid_movements(posting, prepaid)));
            }
            _ => {}
        }
    }
    // The payout first and the prepayment last, as in the movements of orders.
    movements.sort_by_key(|one| (one.leg.is_none(), one.kind != MovementKind::Payout));
    movements
}
