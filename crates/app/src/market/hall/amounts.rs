//! Amounts in order: how many are below a bound, and codes that compare quickly.

use domain::money::Amount;

/// The maximum number of amounts in a block.
const BLOCK_SIZE: usize = 1_024;

/// A sorted list of amounts, which may repeat, in blocks of limited size.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// None is empty.
    blocks: Vec<Vec<Amount>>,
}

impl Sorted {
    pub(super) fn of(mut amounts: Vec<Amount>) -> Self {
        amounts.sort_unstable();
        Self { blocks: amounts.chunks(BLOCK_SIZE / 2).map(<[Amount]>::to_vec).collect() }
    }

    pub(super) fn insert(&mut self, amount: Amount) {
        let place = self.blocks.partition_point(|block| block.first().is_some_and(|first| *first <= amount));
        let place = place.saturating_sub(1);
        let Some(block) = self.blocks.get_mut(place) else {
            self.blocks.push(vec![amount]);
            return;
        };
        block.insert(block.partition_point(|one| *one <= amount), amount);
        if block.len() > BLOCK_SIZE {
            let rest = block.split_off(BLOCK_SIZE / 2);
            self.blocks.insert(place.saturating_add(1), rest);
        }
    }

    pub(super) fn remove(&mut self, amount: Amount) {
        let place = self.blocks.partition_point(|block| block.last().is_some_and(|last| *last < amount));
        let Some(block) = self.blocks.get_mut(place) else { return };
        if let Ok(at) = block.binary_search(&amount) {
            block.remove(at);
        }
        if block.is_empty() {
            self.blocks.remove(place);
        }
    }

    /// Returns the number of amounts below a bound.
    pub(super) fn below(&self, bound: Amount) -> usize {
        self.count(|amount| *amount < bound)
    }

    /// Returns the number of amounts up to a bound, including it.
    pub(super) fn up_to(&self, bound: Amount) -> usize {
        self.count(|amount| *amount <= bound)
    }

    fn count(&self, within: impl Fn(&Amount) -> bool) -> usize {
        let whole = self.blocks.partition_point(|block| block.last().is_some_and(&within));
        let (before, rest) = self.blocks.split_at(whole);
        let part = rest.first().map_or(0, |block| block.partition_point(&within));
        before.iter().map(Vec::len).fold(part, usize::saturating_add)
    }
}

/// An amount rounded down to nine significant bits. A smaller amount never has a larger code, so two different codes
/// compare like their amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Code(u16);

impl Code {
    const MANTISSA: u32 = 9;

    pub(super) fn of(amount: Amount) -> Self {
        let units = amount.units().unsigned_abs();
        let exponent = u128::BITS.saturating_sub(units.leading_zeros()).saturating_sub(Self::MANTISSA);
        // With an exponent, the highest bit of the mantissa is set, so codes of the next exponent follow without a gap.
        let mantissa = u16::try_from(units >> exponent).unwrap_or(u16::MAX);
        let base = u16::try_from(exponent).unwrap_or(u16::MAX).saturating_mul(1 << (Self::MANTISSA - 1));
        Self(base.saturating_add(mantissa))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    fn any_amount() -> impl Strategy<Value = Amount> {
        (0..126_u32, 0..domain::money::MAX_UNITS).prop_map(|(shift, units)| amount(units >> shift))
    }

    proptest! {
        #[test]
        fn codes_compare_like_their_amounts(a in any_amount(), b in any_amount()) {
            if Code::of(a) < Code::of(b) {
                prop_assert!(a < b);
            }
            if a < b {
                prop_assert!(Code::of(a) <= Code::of(b));
            }
        }

        #[test]
        fn amounts_are_counted_after_any_changes(
            start in prop::collection::vec(0..40_i128, 0..3_000),
            changes in prop::collection::vec((any::<bool>(), 0..40_i128), 0..3_000),
        ) {
            let mut expected = start;
            let mut sorted = Sorted::of(expected.iter().copied().map(amount).collect());
            for (insert, units) in changes {
                if insert {
                    expected.push(units);
                    sorted.insert(amount(units));
                } else if let Some(at) = expected.iter().position(|one| *one == units) {
                    expected.swap_remove(at);
                    sorted.remove(amount(units));
                }
            }
            for bound in 0..41 {
                let below = expected.iter().filter(|one| **one < bound).count();
                let up_to = expected.iter().filter(|one| **one <= bound).count();
                prop_assert_eq!((sorted.below(amount(bound)), sorted.up_to(amount(bound))), (below, up_to));
            }
        }
    }

    #[test]
    fn the_codes_of_neighbouring_exponents_do_not_overlap() {
        let codes: Vec<_> = [0, 1, 255, 256, 511, 512, 513, 1_023, 1_024, domain::money::MAX_UNITS]
            .map(|units| Code::of(amount(units)).0)
            .to_vec();
        assert_eq!(codes, [0, 1, 255, 256, 511, 512, 512, 767, 768, 30_508]);
    }
}
