//! The two-digit number that a person compares between the page that asks and the pass.

use std::collections::BTreeSet;

/// How many numbers the pass shows.
pub const CHOICES: usize = 3;

const SMALLEST: u8 = 10;
const LARGEST: u8 = 99;
/// The largest multiple of 90 that a byte can hold: above it, some numbers would be more likely than others.
const UNBIASED: u8 = 180;

/// The number that the page shows, and the numbers among which the person picks it in the pass.
///
/// Whoever is talked into approving somebody else's request does not see that request's page, and has to guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    /// What the page shows: 10 to 99.
    pub number: u8,
    /// What the pass shows, ascending: the number is one of them.
    pub choices: Vec<u8>,
}

impl Matching {
    /// Draws numbers from randomness.
    pub fn draw(random: [u8; 32]) -> Self {
        let [which, rest @ ..] = random;
        let drawn = rest.iter().filter(|byte| **byte < UNBIASED).filter_map(|byte| {
            let above = byte.checked_rem(LARGEST.saturating_sub(SMALLEST).saturating_add(1))?;
            SMALLEST.checked_add(above)
        });
        let mut choices = BTreeSet::new();
        // The randomness could say the same number again and again; then any others do.
        for number in drawn.chain(SMALLEST..=LARGEST) {
            if choices.len() == CHOICES {
                break;
            }
            choices.insert(number);
        }
        let choices: Vec<u8> = choices.into_iter().collect();
        let number = usize::from(which).checked_rem(CHOICES).and_then(|place| choices.get(place)).copied();
        Self { number: number.unwrap_or(SMALLEST), choices }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn three_different_numbers_of_two_digits_of_which_one_is_right(random in any::<[u8; 32]>()) {
            let Matching { number, choices } = Matching::draw(random);
            prop_assert_eq!(choices.len(), CHOICES);
            prop_assert!(choices.is_sorted_by(|one, next| one < next));
            prop_assert!(choices.iter().all(|choice| (SMALLEST..=LARGEST).contains(choice)));
            prop_assert!(choices.contains(&number));
        }
    }

    #[test]
    fn randomness_that_repeats_itself_still_gives_three_numbers() {
        assert_eq!(Matching::draw([0; 32]), Matching { number: 10, choices: vec![10, 11, 12] });
        assert_eq!(Matching::draw([255; 32]).choices, [10, 11, 12]);
    }

    #[test]
    fn the_place_of_the_number_says_nothing() {
        let at = |which: u8| {
            let mut random = [7; 32];
            (random[0], random[1], random[2]) = (which, 89, 40);
            Matching::draw(random)
        };
        assert_eq!(at(0).choices, [17, 50, 99]);
        assert_eq!([0, 1, 2].map(|which| at(which).number), [17, 50, 99]);
    }
}
