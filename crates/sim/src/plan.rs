//! What a run does: a seed, a size, and which of the seed's steps it takes.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::actions;
use crate::draws::Draws;

/// How many users trade, and how many commands a server executes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub users: usize,
    /// The largest set of commands.
    pub burst: usize,
}

impl Size {
    /// The size of a seed that does not name one: few users who meet often, or many who send many commands at once.
    pub fn of(seed: u64) -> Self {
        let (users, burst) = match seed % 8 {
            0 => (1_000, 256),
            1..=3 => (6, 16),
            4 | 5 => (30, 64),
            _ => (200, 256),
        };
        Self { users, burst }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub seed: u64,
    pub size: Size,
    pub steps: usize,
    /// The steps that are taken; `None` means all.
    pub kept: Option<Kept>,
}

/// One step of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// An index into [`actions::all`].
    pub action: usize,
    pub seed: u64,
}

impl Step {
    /// The name of the action.
    pub fn name(self) -> &'static str {
        actions::all()[self.action].name
    }
}

impl Plan {
    /// The steps that are taken, with their numbers.
    pub fn steps(&self) -> impl Iterator<Item = (usize, Step)> {
        let mut draws = Draws::new(self.seed);
        let steps = (0..self.steps).map(move |number| {
            let action = draws.weighted(actions::all().iter().map(|action| action.weight));
            (number, Step { action, seed: draws.number() })
        });
        steps.filter(|(number, _)| self.kept.as_ref().is_none_or(|kept| kept.contains(*number)))
    }

    /// The command that repeats the run.
    pub fn command(&self) -> String {
        let Self { seed, size: Size { users, burst }, steps, kept } = self;
        let kept = kept.as_ref().map_or_else(String::new, |kept| format!(" --keep {kept}"));
        format!("scripts/sim replay --seed {seed} --users {users} --burst {burst} --steps {steps}{kept}")
    }
}

/// Numbers of steps, written as `3,7-9`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept(Vec<RangeInclusive<usize>>);

impl Kept {
    pub fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }
}

impl FromIterator<usize> for Kept {
    /// The numbers must be in ascending order.
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut ranges: Vec<RangeInclusive<usize>> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some(last) if *last.end() + 1 == number => *last = *last.start()..=number,
                _ => ranges.push(number..=number),
            }
        }
        Self(ranges)
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, range) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            if range.start() == range.end() {
                write!(f, "{comma}{}", range.start())?;
            } else {
                write!(f, "{comma}{}-{}", range.start(), range.end())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Kept {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Ok(first.parse()?..=last.parse()?)
        };
        Ok(Self(text.split(',').map(range).collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_steps_round_trip_through_text() {
        let kept: Kept = [1, 3, 4, 5, 9].into_iter().collect();
        assert_eq!(kept.to_string(), "1,3-5,9");
        assert_eq!("1,3-5,9".parse(), Ok(kept));
        assert!("x".parse::<Kept>().is_err());
    }

    #[test]
    fn leaving_out_steps_does_not_change_the_others() {
        let all = Plan { seed: 3, size: Size::of(3), steps: 20, kept: None };
        let some = Plan { kept: Some([2, 7].into_iter().collect()), ..all.clone() };
        let expected: Vec<_> = all.steps().filter(|(number, _)| [2, 7].contains(number)).collect();
        assert_eq!(some.steps().collect::<Vec<_>>(), expected);
    }
}
