//! A short simulation, and that a run can be repeated.

#![allow(clippy::unwrap_used, clippy::panic, clippy::large_futures)]

use sim::{Plan, Report, Size, run};

fn plan(seed: u64, steps: usize) -> Plan {
    Plan { seed, size: Size { users: 6, burst: 16 }, steps, kept: None }
}

async fn survives(plan: &Plan) -> Report {
    run(plan).await.unwrap_or_else(|failure| panic!("{failure:#?}\nrepeat it with: {}", plan.command()))
}

macro_rules! seeds {
    ($($name:ident $seed:literal)*) => {
        $(#[tokio::test]
        async fn $name() {
            survives(&plan($seed, 250)).await;
        })*
    };
}

// Separate tests, so that they run in parallel.
seeds! { seed_1 1 seed_2 2 seed_3 3 seed_4 4 }

#[tokio::test]
async fn some_takers_meet_what_adverts_require_and_others_do_not() {
    let report = survives(&Plan { size: Size { users: 30, burst: 64 }, ..plan(5, 120) }).await;
    for what in ["orders on adverts with requirements", "refused: TakerRequirementsUnmet"] {
        assert!(report.counts.get(what) > 0, "{what}");
    }
}

#[tokio::test]
async fn a_plan_ends_the_same_each_time() {
    let plan = plan(99, 60);
    let (first, second) = (run(&plan).await.unwrap(), run(&plan).await.unwrap());
    for (place, (first, second)) in first.observed.iter().zip(&second.observed).enumerate() {
        assert_eq!(first, second, "observation {place}");
    }
    assert_eq!((first.counts, first.digest), (second.counts, second.digest));
}
