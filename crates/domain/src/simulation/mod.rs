//! Random sequences of commands and events on adverts and orders, with an in-memory ledger.
//!
//! A minimal model of the application applies the effects and produces the events of the chain and the clock. After
//! every step, the ledger must agree exactly with the adverts and orders.

mod book;
mod state;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use strum::VariantNames;

use crate::orders::tests::Kind;
use crate::trade::Party;
use state::Simulation;

/// A step of the simulation. Numbers select an item modulo the number of items.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    /// The advertiser posts an advert of one of the four kinds.
    Post { kind: usize },
    /// One of three users deposits one of three assets: less than a request's shortfall, exactly the shortfall, or
    /// more.
    Arrive { user: usize, asset: usize, share: usize },
    /// A user offers temporary balance to an open funding request.
    Offer { request: usize },
    /// A user places an order on an advert.
    Place { advert: usize, taker: usize, quantity: i128 },
    /// A party of an order sends a command.
    OrderCommand { order: usize, party: Party, act: usize, covered: bool },
    /// The advertiser sends a command about an advert.
    AdvertAct { advert: usize, act: usize, covered: bool },
    /// The advertiser goes online or offline.
    Switch { online: bool },
    /// Time passes, and due events are applied.
    Wait { minutes: i64, covered: bool },
    /// The block of a payout becomes final.
    Confirm { payout: usize },
    /// A reorganization removes a payout.
    Revoke { payout: usize },
    /// The chain voids a payout, or a reorganization removes the void.
    Void { payout: usize },
    /// A reorganization removes a deposit.
    Reorganise { deposit: usize },
    /// An officer decides an appeal for the buyer or the seller, rejects it, or reopens it.
    Decide { order: usize, decision: usize },
    /// The platform is down.
    Outage { minutes: i64 },
}

fn op() -> impl Strategy<Value = Op> {
    let party = prop_oneof![Just(Party::Buyer), Just(Party::Seller)];
    let rarely = prop::bool::weighted(0.1);
    prop_oneof![
        1 => (0..4_usize).prop_map(|kind| Op::Post { kind }),
        6 => (0..3_usize, 0..3_usize, 0..5_usize).prop_map(|(user, asset, share)| Op::Arrive { user, asset, share }),
        1 => any::<usize>().prop_map(|request| Op::Offer { request }),
        5 => (any::<usize>(), 0..2_usize, 1..700_i128)
            .prop_map(|(advert, taker, quantity)| Op::Place { advert, taker, quantity }),
        12 => (any::<usize>(), party, 0..11_usize, rarely)
            .prop_map(|(order, party, act, covered)| Op::OrderCommand { order, party, act, covered }),
        1 => (any::<usize>(), 0..4_usize, rarely)
            .prop_map(|(advert, act, covered)| Op::AdvertAct { advert, act, covered }),
        1 => prop::bool::weighted(0.8).prop_map(|online| Op::Switch { online }),
        3 => (1..30_i64, rarely).prop_map(|(minutes, covered)| Op::Wait { minutes, covered }),
        1 => (1..9_i64).prop_map(|days| Op::Wait { minutes: days * 24 * 60, covered: false }),
        4 => any::<usize>().prop_map(|payout| Op::Confirm { payout }),
        1 => any::<usize>().prop_map(|payout| Op::Revoke { payout }),
        1 => any::<usize>().prop_map(|payout| Op::Void { payout }),
        1 => any::<usize>().prop_map(|deposit| Op::Reorganise { deposit }),
        3 => (any::<usize>(), 0..4_usize).prop_map(|(order, decision)| Op::Decide { order, decision }),
        1 => (1..20_i64).prop_map(|minutes| Op::Outage { minutes }),
    ]
}

/// Returns the same seed on every machine, unless `MEC2C_SEED` is set: to a number, or to `random`, which prints the
/// new seed.
fn seed() -> RngSeed {
    RngSeed::Fixed(match std::env::var("MEC2C_SEED").as_deref() {
        Err(_) => 2,
        Ok("random") => {
            let fresh = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0);
            println!("MEC2C_SEED={fresh}");
            fresh
        }
        Ok(number) => number.parse().expect("MEC2C_SEED must be a number or `random`"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn ledger_and_rows_agree_after_any_sequence(kind in 0..4_usize, ops in prop::collection::vec(op(), 1..160)) {
        let mut simulation = Simulation::new(Kind::ALL[kind]);
        simulation.check();
        for op in ops {
            simulation.step(op);
            simulation.check();
        }
        simulation.settle_down();
        simulation.check();
        simulation.check_that_nothing_is_stuck();
    }
}

#[test]
fn the_simulation_reaches_every_state() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let mut sights = std::collections::BTreeSet::new();
    let ops = prop::collection::vec(op(), 150..151);
    for round in 0..400 {
        let mut simulation = Simulation::new(Kind::ALL[round % 4]);
        for op in ops.new_tree(&mut runner).unwrap().current() {
            simulation.step(op);
            sights.extend(simulation.sights());
        }
    }
    let orders = crate::orders::State::VARIANTS.iter().map(|name| format!("order {name}"));
    let adverts = crate::adverts::State::VARIANTS.iter().map(|name| format!("advert {name}"));
    let more = ["order frozen", "order with a voided payout", "advert frozen", "request in parts", "debt"];
    let more = more.map(str::to_owned);
    let appeals = crate::orders::AppealStatus::VARIANTS.iter().map(|name| format!("appeal {name}"));
    for sight in orders.chain(adverts).chain(appeals).chain(more) {
        assert!(sights.contains(&sight), "never seen: {sight}, in {sights:?}");
    }
}
