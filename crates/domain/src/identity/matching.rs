//! The two-digit number that a user compares between the web page and the pass.

use std::collections::BTreeSet;

/// The number of choices in the pass.
const CHOICES: usize = 3;

const SMALLEST_NUMBER: u8 = 10;
const LARGEST_NUMBER: u8 = 99;
/// The largest multiple of 90 that fits in a byte. Larger bytes are discarded because they would favor some numbers.
const UNBIASED_BYTES: u8 = 180;

/// The number on the page, and the choices in the pass.
///
/// Protects against phishing: a victim who is asked to approve an attacker's request does not see the attacker's page
/// and must guess the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    /// The number on the page: 10 to 99.
    pub number: u8,
    /// The choices in the pass, ascending. One of them is `number`.
    pub choices: Vec<u8>,
}

impl Matching {
    pub fn draw(random: [u8; 32]) -> Self {
        let [which, rest @ ..] = random;
        let drawn = rest.iter().filter(|byte| **byte < UNBIASED_BYTES).filter_map(|byte| {
            let above = byte.checked_rem(LARGEST_NUMBER.saturating_sub(SMALLEST_NUMBER).saturating_add(1))?;
            SMALLEST_NUMBER.checked_add(above)
        });
        let mut choices = BTreeSet::new();
        // If the random bytes contain too few distinct numbers, fill up with the smallest unused numbers.
        for number in drawn.chain(SMALLEST_NUMBER..=LARGEST_NUMBER) {
            if choices.len() == CHOICES {
                break;
            }
            choices.insert(number);
        }
        let choices: Vec<u8> = choices.into_iter().collect();
        let number = usize::from(which).checked_rem(CHOICES).and_then(|place| choices.get(place)).copied();
        Self { number: number.unwrap_or(SMALLEST_NUMBER), choices }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_choices_are_three_distinct_two_digit_numbers_including_the_right_one(random in any::<[u8; 32]>()) {
            let Matching { number, choices } = Matching::draw(random);
            prop_assert_eq!(choices.len(), CHOICES);
            prop_assert!(choices.is_sorted_by(|one, next| one < next));
            prop_assert!(choices.iter().all(|choice| (SMALLEST_NUMBER..=LARGEST_NUMBER).contains(choice)));
            prop_assert!(choices.contains(&number));
        }
    }

    #[test]
    fn repeated_random_bytes_still_yield_three_numbers() {
        assert_eq!(Matching::draw([0; 32]), Matching { number: 10, choices: vec![10, 11, 12] });
        assert_eq!(Matching::draw([255; 32]).choices, [10, 11, 12]);
    }

    #[test]
    fn the_number_can_be_at_any_position() {
        let at = |which: u8| {
            let mut random = [7; 32];
            (random[0], random[1], random[2]) = (which, 89, 40);
            Matching::draw(random)
        };
        assert_eq!(at(0).choices, [17, 50, 99]);
        assert_eq!([0, 1, 2].map(|which| at(which).number), [17, 50, 99]);
    }
}
