//! What officers decide: stopped payouts, orders that cannot end otherwise, the settings of pairs.

use app::console::{PairDecision, PairSet};
use domain::money::Amount;
use testkit::market::officers::set_pair;

use crate::draws::Draws;
use crate::world::unexplained;
use crate::{Result, World};

super::actions! {
    "resume payouts", 12, resume;
    "decide orders", 8, decide;
    "change a pair", 4, change_a_pair;
}

async fn resume(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.resume_payouts().await
}

async fn decide(world: &mut World, draws: &mut Draws) -> Result<()> {
    world.decide_cases(draws).await
}

async fn change_a_pair(world: &mut World, draws: &mut Draws) -> Result<()> {
    let place = draws.below(world.pairs.len());
    let before = world.pairs[place].clone();
    let mut after = before.clone();
    match draws.below(3) {
        0 => after.fee_rate_ppm = u32::try_from(draws.within(0..=5_000)).expect("a rate"),
        1 => after.fee_minimum = before.fee_minimum.add(Amount::ONE).unwrap_or(before.fee_minimum),
        _ => after.windows.payment = chrono::Duration::minutes(draws.within(5..=30)),
    }
    let decision = PairDecision { before, after, officer: "olga".into(), reason: "simulated".to_owned() };
    match set_pair(&world.servers[1], &decision).await {
        Ok(PairSet::Done) => world.pairs[place] = decision.after,
        Ok(_) => {}
        Err(error) => return Err(unexplained("setting a pair", &error)),
    }
    Ok(())
}
