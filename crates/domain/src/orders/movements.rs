//! What a command of a party or a decision of an officer moves, computed from the transition that moves it.

use chrono::Duration;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::appeal::AppealStatus;
use super::officer::verdict_due;
use super::transition::TransitionBuilder;
use super::{AppealDecision, Order, OrderInputs, Terms, Transition, Undecidable, decide_appeal};
use crate::applied::Applied;
use crate::chain::Address;
use crate::clock;
use crate::effect::{Effect, Purpose};
use crate::ledger::{self, AccountKind, Entry, Posting, VaultAsset};
use crate::money::Amount;
use crate::trade::{Leg, Party};

/// What a command or decision does with coins in escrow, or with the prepayment of an advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum MovementKind {
    /// A payout to a party's address.
    Payout,
    /// The trading fee, which the platform keeps.
    Fee,
    /// The network fee of a refund, which the platform keeps.
    NetworkFee,
    /// Back into the escrow of the advert, whose owner is the party.
    BackToAdvert,
    /// Into the party's temporary balance, because a refund would not exceed its network fee.
    TemporaryBalance,
    /// The prepaid trading fee, which the platform keeps.
    PrepaidFee,
    /// The prepaid network fee of the one transaction that ends the advert, which the platform keeps.
    PrepaidNetworkFee,
    /// What is left of the prepayment, into the party's temporary balance.
    PrepaymentReturned,
}

/// Coins that a command or decision moves out of the escrow of an order or advert, or out of the prepayment of the advert.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Movement {
    pub kind: MovementKind,
    /// The leg whose asset moves; `None` for the coin of the prepayment.
    pub leg: Option<Leg>,
    /// In base units of the asset.
    pub amount: Amount,
    /// The party that receives the coins, or pays the fee.
    pub party: Party,
    /// The recipient of a payout.
    pub address: Option<Address>,
}

/// What an officer's decision does if the order stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionEffects {
    pub movements: Vec<Movement>,
    /// The party that loses reputation.
    pub charged: Option<Party>,
}

impl DecisionEffects {
    fn of(transition: &Transition) -> Self {
        let charged = transition.effects.iter().find_map(|effect| match effect {
            Effect::ChargeReputation { user, .. } => transition.order.terms.party(*user),
            _ => None,
        });
        Self { movements: movements(transition), charged }
    }
}

/// Returns what an officer's decision about the open appeal would do if the order stayed as it is. A verdict does it when it is
/// executed, a rejection at once. If the appeal already has a verdict, returns what another one would do. No verdict counts as one
/// about a malicious appeal.
pub fn decision_effects(
    order: &Order,
    decision: &AppealDecision,
    inputs: &OrderInputs,
) -> Result<DecisionEffects, Undecidable> {
    let winner = match decision {
        AppealDecision::Verdict { winner, .. } => *winner,
        AppealDecision::Reject { .. } | AppealDecision::Reopen => {
            return decide_appeal(order, decision, inputs).map(|done| DecisionEffects::of(&done));
        }
    };
    let mut pending = TransitionBuilder::of(order);
    if order.open_appeal().is_some() {
        pending.set_appeal_status(AppealStatus::Pending);
    }
    let verdict = AppealDecision::Verdict { winner, note: String::new(), malicious: false, delay: Duration::zero() };
    let decided = decide_appeal(&pending.into_transition().order, &verdict, inputs)?.order;
    let due = OrderInputs { now: clock::after(inputs.now, Duration::microseconds(1)), ..*inputs };
    Ok(match verdict_due(&decided, &due) {
        Ok(Applied::Done(executed)) => DecisionEffects::of(&executed),
        _ => DecisionEffects::default(),
    })
}

/// Returns the party that receives a leg: a release pays it to the party that buys it, a refund to the party that deposited it.
pub fn recipient(leg: Leg, released: bool) -> Party {
    match (leg, released) {
        (Leg::Base, true) | (Leg::Quote, false) => Party::Buyer,
        (Leg::Base, false) | (Leg::Quote, true) => Party::Seller,
    }
}

/// Returns the coins that a transition moves out of the order's escrow.
pub(super) fn movements(transition: &Transition) -> Vec<Movement> {
    let (terms, kept) = (&transition.order.terms, transition.order.progress.kept);
    let mut movements = Vec::new();
    for effect in &transition.effects {
        match effect {
            Effect::Payout(payout) => {
                let released = matches!(payout.purpose, Purpose::Release(_));
                let party = |leg| recipient(leg, released);
                for part in &payout.legs {
                    let leg = leg_of(terms, part.vault_asset);
                    movements.push(Movement {
                        kind: MovementKind::Payout,
                        leg: Some(leg),
                        amount: part.amount,
                        party: party(leg),
                        address: Some(part.recipient),
                    });
                }
                // The fee is taken from the first leg.
                if let Some(first) = payout.legs.first().filter(|_| !kept.is_zero()) {
                    let leg = leg_of(terms, first.vault_asset);
                    let kind = if released { MovementKind::Fee } else { MovementKind::NetworkFee };
                    movements.push(Movement { kind, leg: Some(leg), amount: kept, party: party(leg), address: None });
                }
            }
            Effect::Advert { change, .. } if !change.escrow.is_zero() => {
                let back = |leg| Movement {
                    kind: MovementKind::BackToAdvert,
                    leg: Some(leg),
                    amount: change.escrow,
                    party: terms.advertiser_party(),
                    address: None,
                };
                movements.extend(terms.advert_leg().map(back));
            }
            Effect::Post(posting) => {
                for (vault_asset, amount) in ledger::remainders(posting) {
                    let Some(party) = terms.party(vault_asset.vault) else { continue };
                    movements.push(Movement {
                        kind: MovementKind::TemporaryBalance,
                        leg: Some(leg_of(terms, vault_asset)),
                        amount,
                        party,
                        address: None,
                    });
                }
                movements
                    .extend(terms.prepaid().into_iter().flat_map(|(prepaid, _)| prepaid_movements(posting, prepaid)));
            }
            _ => {}
        }
    }
    // What was in escrow first, then the prepayment.
    movements.sort_by_key(|one| one.leg.is_none());
    movements
}

/// Returns what a posting takes out of a prepayment, whose coins are in the vault of the seller.
pub(crate) fn prepaid_movements(posting: &Posting, prepaid: VaultAsset) -> Vec<Movement> {
    let takes = |entry: &Entry| entry.debit && entry.account.kind == AccountKind::Prepayment;
    if !posting.entries.iter().any(takes) {
        return Vec::new();
    }
    let kind = |account| match account {
        _ if account == prepaid.fees() => Some(MovementKind::PrepaidFee),
        _ if account == prepaid.gas() => Some(MovementKind::PrepaidNetworkFee),
        _ if account == prepaid.temporary() => Some(MovementKind::PrepaymentReturned),
        _ => None,
    };
    let credits = posting.entries.iter().filter(|entry| !entry.debit);
    let movement = |entry: &Entry| {
        let kind = kind(entry.account)?;
        Some(Movement { kind, leg: None, amount: entry.amount, party: Party::Seller, address: None })
    };
    credits.filter_map(movement).collect()
}

/// Returns the leg of an order whose coins are in this vault.
pub fn leg_of(terms: &Terms, vault_asset: VaultAsset) -> Leg {
    if vault_asset == terms.vault_asset(Leg::Base) { Leg::Base } else { Leg::Quote }
}
