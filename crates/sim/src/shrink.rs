//! Shortens a failing plan.

use crate::{Failure, Kept, Plan, run};

/// Returns what failed, without the numbers and identifiers in its description.
fn kind(failure: &Failure) -> &str {
    failure.bug.0.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or_default()
}

/// Leaves out steps, in ever smaller groups, as long as the run still fails in the same way. Returns the shortest plan found and its
/// failure. Each of at most `attempts` runs takes as long as the plan.
pub async fn shrink(plan: &Plan, failure: Failure, attempts: usize) -> (Plan, Failure) {
    let last = failure.step.unwrap_or(usize::MAX);
    let mut steps: Vec<usize> = plan.steps().map(|(number, _)| number).filter(|number| *number <= last).collect();
    let mut best = (keeping(plan, &steps), failure);
    let mut group = steps.len().div_ceil(2);
    let mut left = attempts;
    while group > 0 {
        let mut from = 0;
        while from < steps.len() {
            if left == 0 {
                return best;
            }
            left -= 1;
            let fewer: Vec<_> = steps
                .iter()
                .enumerate()
                .filter(|(place, _)| !(from..from + group).contains(place))
                .map(|(_, n)| *n)
                .collect();
            let candidate = keeping(plan, &fewer);
            match run(&candidate).await {
                // Steps after the failing one are irrelevant.
                Err(failure) if kind(&failure) == kind(&best.1) => {
                    steps = fewer.into_iter().filter(|number| failure.step.is_none_or(|at| *number <= at)).collect();
                    best = (keeping(plan, &steps), failure);
                }
                Ok(_) | Err(_) => from += group,
            }
        }
        group = if group == 1 { 0 } else { group.div_ceil(2) };
    }
    best
}

fn keeping(plan: &Plan, steps: &[usize]) -> Plan {
    Plan { kept: Some(steps.iter().copied().collect::<Kept>()), ..plan.clone() }
}
