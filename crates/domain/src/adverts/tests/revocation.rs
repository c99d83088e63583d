//! What a revocation is said to return.

use std::collections::BTreeSet;

use super::*;
use crate::assets::{AssetId, Prepayment};
use crate::chain::Address;
use crate::effect::Effect;
use crate::ledger::Account;
use crate::orders::{Movement, MovementKind};
use crate::trade::{Leg, Party};

/// Returns the coins that effects add to an account.
fn arrives(effects: &[Effect], account: Account) -> i128 {
    let mut sum = 0;
    for effect in effects {
        let Effect::Post(posting) = effect else { continue };
        for entry in posting.entries.iter().filter(|entry| entry.account == account) {
            sum += if entry.debit { -entry.amount.units() } else { entry.amount.units() };
        }
    }
    sum
}

/// Returns everything that happens if the owner revokes the advert and all open orders complete.
fn revoked(advert: &Advert) -> Option<Vec<Effect>> {
    let Ok(Applied::Done(done)) = decide(advert, &by(advert), &AdvertCommand::Cancel, &inputs(start())) else {
        return None;
    };
    let (mut advert, mut effects) = (done.advert, done.effects);
    while advert.running > 0 {
        let next = event(&advert, completed());
        advert = next.advert;
        effects.extend(next.effects);
    }
    Some(effects)
}

#[test]
fn the_announced_movements_are_those_that_the_revocation_posts() {
    let mut seen = BTreeSet::new();
    for advert in Kind::ALL.into_iter().flat_map(outages::adverts) {
        let announced = revocation(&advert, &inputs(start()));
        let effects = revoked(&advert).unwrap_or_default();
        let told = format!("{advert:?}");
        let Some((leg, vault_asset, _)) = advert.terms.escrow() else {
            assert_eq!(announced, []);
            continue;
        };
        let sum = |kinds: &[MovementKind]| -> i128 {
            announced.iter().filter(|one| kinds.contains(&one.kind)).map(|one| one.amount.units()).sum()
        };
        let all = [MovementKind::Payout, MovementKind::NetworkFee, MovementKind::TemporaryBalance];
        assert_eq!(sum(&all), -arrives(&effects, vault_asset.advert(advert.id)), "{told}");
        assert_eq!(sum(&all[..1]), arrives(&effects, vault_asset.in_flight(payout(FRESH))), "{told}");
        assert_eq!(sum(&all[1..2]), arrives(&effects, vault_asset.gas()), "{told}");
        assert_eq!(sum(&all[2..]), arrives(&effects, vault_asset.temporary()), "{told}");
        for one in announced {
            assert_eq!(one.leg, Some(leg), "{told}");
            assert!(all.contains(&one.kind) && !one.amount.is_zero(), "{told}");
            assert_eq!(one.address, (one.kind == MovementKind::Payout).then_some(advert.terms.bound), "{told}");
            seen.insert((
                advert.state.into_str(),
                advert.frozen.is_some(),
                advert.running > 0,
                format!("{:?}", one.kind),
            ));
        }
    }
    for state in ["ONLINE", "OFFLINE"] {
        for (frozen, running) in [(false, false), (false, true), (true, false), (true, true)] {
            // The reorganizations of the situations leave what a return costs, or nothing.
            let kinds: &[_] = if frozen { &["TemporaryBalance"] } else { &["Payout", "NetworkFee"] };
            for kind in kinds {
                assert!(
                    seen.contains(&(state, frozen, running, (*kind).to_owned())),
                    "{state} {frozen} {running} {kind}"
                );
            }
        }
    }
    assert!(seen.iter().all(|(state, ..)| ["ONLINE", "OFFLINE"].contains(state)), "{seen:?}");
}

#[test]
fn a_revocation_returns_what_is_in_escrow_and_not_what_remains() {
    let advert = ordered(&online(MANUAL_SELL), 400);
    let lost = event(&advert, Event::DepositRevoked { drawn: amount(250) }).advert;
    assert_eq!(lost.remaining, amount(600));
    let movement = |kind, units, address| Movement {
        kind,
        leg: Some(Leg::Base),
        amount: amount(units),
        party: Party::Seller,
        address,
    };
    let paid = movement(MovementKind::Payout, 345, Some(Address([1; 20])));
    assert_eq!(revocation(&lost, &inputs(start())), [paid, movement(MovementKind::NetworkFee, 5, None)]);
    let poor = event(&lost, Event::DepositRevoked { drawn: amount(345) }).advert;
    assert_eq!(revocation(&poor, &inputs(start())), [movement(MovementKind::TemporaryBalance, 5, None)]);
    let gone = event(&poor, Event::DepositRevoked { drawn: amount(5) }).advert;
    assert_eq!(revocation(&gone, &inputs(start())), []);
    for state in ["CREATING", "REVOKING", "CANCELLED", "DELETED"] {
        assert_eq!(revocation(&reach(MANUAL_SELL, state).unwrap(), &inputs(start())), [], "{state}");
    }
}

/// Whatever the owner could revoke, an officer can take down, with the same effects; nothing else.
#[test]
fn an_officer_takes_down_what_the_owner_could_revoke() {
    for kind in Kind::ALL {
        for name in table::SITUATIONS {
            let Some(advert) = table::situation(kind, name) else { continue };
            let taken = take_down(&advert, &inputs(start()));
            let confirmed = name.starts_with("ONLINE") || name.starts_with("OFFLINE");
            if confirmed {
                let revoked = transition(decide(&advert, &by(&advert), &AdvertCommand::Cancel, &inputs(start())));
                assert_eq!(taken, Ok(revoked), "{kind:?} {name}");
            } else {
                assert_eq!(taken, Err(Refusal::AdvertState), "{kind:?} {name}");
            }
        }
    }
}

#[test]
fn the_announced_movements_of_the_prepayment_are_those_that_the_revocation_posts() {
    let mut seen = Vec::new();
    for mut advert in [MANUAL_SELL, AUTOMATIC_SELL].into_iter().flat_map(outages::adverts) {
        let prepayment = Prepayment { asset: AssetId(3), decimals: 18, fee: amount(20), gas: amount(3) };
        advert.terms.prepayment = Some(prepayment);
        advert.prepaid = amount(23);
        let announced = revocation(&advert, &inputs(start()));
        let prepaid = announced.iter().filter(|one| one.leg.is_none());
        let announced: Vec<_> = prepaid.map(|one| (one.kind, one.amount.units())).collect();
        let told = format!("{advert:?}");
        if advert.running > 0 {
            assert_eq!(announced, [], "an order that completes spends the prepayment: {told}");
            continue;
        }
        let effects = revoked(&advert).unwrap_or_default();
        let (coin, _) = advert.terms.prepaid().unwrap();
        let posted = [
            (MovementKind::PrepaymentReturned, arrives(&effects, coin.temporary())),
            (MovementKind::PrepaidNetworkFee, arrives(&effects, coin.gas())),
        ];
        assert_eq!(announced, posted.into_iter().filter(|(_, amount)| *amount > 0).collect::<Vec<_>>(), "{told}");
        seen.push((advert.state.into_str(), announced));
    }
    let (whole, less_gas) = (vec![(MovementKind::PrepaymentReturned, 23)], [20, 3]);
    let kinds = [MovementKind::PrepaymentReturned, MovementKind::PrepaidNetworkFee];
    let returned: Vec<_> = kinds.into_iter().zip(less_gas).collect();
    for expected in [("CREATING", whole), ("ONLINE", returned.clone()), ("OFFLINE", returned)] {
        assert!(seen.contains(&expected), "{expected:?} of {seen:?}");
    }
}
