//! What adverts require of takers: orders of exactly those who do not meet it must be refused with it.

use app::commands::{Command, CommandKind};
use app::engine::idempotency::Response;
use domain::adverts::{TakerRequirement, TakerRequirements};
use domain::assets::Pair;
use domain::ids::UserId;
use domain::orders::State;
use domain::refusal::Refusal;
use domain::reputation::PERIOD;
use domain::users::KycLevel;

use crate::draws::Draws;
use crate::world::Intent;
use crate::{Bug, Result, World};

/// What an advertiser requires: nothing in most cases.
pub(crate) fn requirements(draws: &mut Draws, pair: &Pair) -> TakerRequirements {
    if draws.chance(60) {
        return TakerRequirements::default();
    }
    TakerRequirements {
        completed_orders: draws.chance(40).then(|| u32::try_from(draws.within(1..=3)).expect("a small number")),
        advanced_verification: draws.chance(40),
        // All users are in Korea.
        region: draws.chance(30).then(|| if pair.is_fiat() || draws.chance(70) { "KR" } else { "BR" }.to_owned()),
    }
}

/// Checks the outcome of a command that was not sent before. Nothing that requirements depend on changes while commands are
/// executed, so they apply to what was there after the previous step.
pub(crate) fn check(world: &mut World, intent: &Intent, reply: std::result::Result<&Response, &Refusal>) -> Result<()> {
    let Intent::Trade(Command { what: CommandKind::PlaceOrder(order), .. }) = intent else { return Ok(()) };
    let Some(advert) = world.mirror.adverts.get(&order.advert) else { return Ok(()) };
    let required = advert.terms.options.taker.clone();
    let unmet = unmet(world, &required, intent.user());
    let demanded = match reply {
        Ok(_) => &[],
        Err(Refusal::TakerRequirementsUnmet { unmet, .. }) => unmet.as_slice(),
        // Refused before the requirements are looked at.
        Err(_) => return Ok(()),
    };
    if demanded != unmet || (reply.is_err() && unmet.is_empty()) {
        return Err(Bug(format!("{intent:?} was answered with {reply:?}, but {unmet:?} is unmet of {required:?}")));
    }
    world.counts.add("orders on adverts with requirements", usize::from(reply.is_ok() && !required.is_empty()));
    Ok(())
}

fn unmet(world: &World, required: &TakerRequirements, taker: UserId) -> Vec<TakerRequirement> {
    let user = &world.user(taker).user;
    let mut unmet = Vec::new();
    if let Some(least) = required.completed_orders {
        let since = world.now() - PERIOD;
        let completed = world.mirror.orders.values().filter(|order| {
            [order.terms.advertiser, order.terms.taker].contains(&taker)
                && matches!(order.state, State::Completed { .. })
                && order.progress.ended_at.is_some_and(|at| at >= since)
        });
        if completed.count() < usize::try_from(least).expect("a small number") {
            unmet.push(TakerRequirement::CompletedOrders);
        }
    }
    if required.advanced_verification && user.kyc != KycLevel::Advanced {
        unmet.push(TakerRequirement::AdvancedVerification);
    }
    if required.region.as_ref().is_some_and(|region| *region != user.region) {
        unmet.push(TakerRequirement::Region);
    }
    unmet
}
