//! Money as integers in base units: no floats, no unchecked arithmetic, no implicit rounding.

use std::fmt;
use std::str::FromStr;

use ruint::aliases::U256;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest amount: 10^38 − 1 base units, the maximum of `NUMERIC(38, 0)`.
pub const MAX_UNITS: i128 = 99_999_999_999_999_999_999_999_999_999_999_999_999;

pub const PRICE_DECIMALS: u8 = 8;

/// The maximum number of decimals that a user may enter for an amount, even if the asset has more.
pub const MAX_TYPED_DECIMALS: u8 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The value is below zero or above [`MAX_UNITS`].
    #[error("amount out of range")]
    OutOfRange,
    #[error("not a decimal number")]
    NotADecimal,
    #[error("at most {0} decimals are allowed")]
    TooManyDecimals(u8),
}

/// An amount of an asset in base units, from 0 to [`MAX_UNITS`]. The asset is not part of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount(i128);

impl Amount {
    pub const ZERO: Self = Self(0);
    /// One base unit, which is also the quantity of an NFT.
    pub const ONE: Self = Self(1);

    /// Creates an amount. Fails if `units` is below zero or above [`MAX_UNITS`].
    pub fn new(units: i128) -> Result<Self, MoneyError> {
        if (0..=MAX_UNITS).contains(&units) { Ok(Self(units)) } else { Err(MoneyError::OutOfRange) }
    }

    pub fn units(self) -> i128 {
        self.0
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    #[expect(clippy::should_implement_trait, reason = "an operator cannot return an error")]
    pub fn add(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_add(other.0).ok_or(MoneyError::OutOfRange).and_then(Self::new)
    }

    #[expect(clippy::should_implement_trait, reason = "an operator cannot return an error")]
    pub fn sub(self, other: Self) -> Result<Self, MoneyError> {
        self.0.checked_sub(other.0).ok_or(MoneyError::OutOfRange).and_then(Self::new)
    }

    /// Returns the sum, or the largest amount if the sum is larger.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        self.add(other).unwrap_or(Self(MAX_UNITS))
    }

    /// Returns the difference, or zero if `other` is larger.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        self.sub(other).unwrap_or(Self::ZERO)
    }

    /// Returns `self × numerator ÷ denominator`, rounded down. A denominator of zero is [`MoneyError::OutOfRange`].
    pub fn mul_div_floor(self, numerator: i128, denominator: i128) -> Result<Self, MoneyError> {
        let wide = |value: i128| u128::try_from(value).map(U256::from).map_err(|_| MoneyError::OutOfRange);
        let product = wide(self.0)?.checked_mul(wide(numerator)?).ok_or(MoneyError::OutOfRange)?;
        let quotient = product.checked_div(wide(denominator)?).ok_or(MoneyError::OutOfRange)?;
        i128::try_from(quotient).map_err(|_| MoneyError::OutOfRange).and_then(Self::new)
    }

    /// Parses a decimal such as `12.5` for an asset with `decimals` decimals.
    ///
    /// Rejects signs, exponents, spaces, and more decimals than the asset has. Never rounds.
    pub fn parse(text: &str, decimals: u8) -> Result<Self, MoneyError> {
        parse_scaled(text, decimals).and_then(Self::new)
    }

    /// Formats the amount as a decimal without trailing zeros, such as `12.5`.
    pub fn format(self, decimals: u8) -> String {
        format_scaled(self.0, decimals)
    }

    /// Returns whether an amount of an asset with `decimals` decimals uses at most `allowed` of them.
    pub fn fits_decimals(self, decimals: u8, allowed: u8) -> bool {
        power_of_ten(decimals.saturating_sub(allowed))
            .is_ok_and(|step| self.0.checked_rem(step).is_some_and(|rest| rest == 0))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Serialized as text, because JSON numbers lose digits.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let units = i128::from_str(&text).map_err(serde::de::Error::custom)?;
        Self::new(units).map_err(serde::de::Error::custom)
    }
}

/// The quote paid for one whole unit of the base, with [`PRICE_DECIMALS`] decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(i128);

impl Price {
    /// Creates a price from steps of 10^−8. Fails for zero and above [`MAX_UNITS`].
    pub fn new(steps: i128) -> Result<Self, MoneyError> {
        if (1..=MAX_UNITS).contains(&steps) { Ok(Self(steps)) } else { Err(MoneyError::OutOfRange) }
    }

    /// Returns the price in steps of 10^−8.
    pub fn steps(self) -> i128 {
        self.0
    }

    /// Parses a decimal such as `7.12`.
    pub fn parse(text: &str) -> Result<Self, MoneyError> {
        parse_scaled(text, PRICE_DECIMALS).and_then(Self::new)
    }

    /// Rounds the price down to `decimals` decimals; `None` if the result is zero.
    pub fn floor(self, decimals: u8) -> Option<Self> {
        let tick = power_of_ten(PRICE_DECIMALS.saturating_sub(decimals)).ok()?;
        Self::new(self.0.checked_sub(self.0.checked_rem(tick)?)?).ok()
    }

    /// Rounds the price up to `decimals` decimals.
    pub fn ceil(self, decimals: u8) -> Option<Self> {
        let tick = power_of_ten(PRICE_DECIMALS.saturating_sub(decimals)).ok()?;
        Self::new(self.0.checked_add(tick.checked_sub(1)?)?).ok()?.floor(decimals)
    }

    /// Returns the cost of a quantity of the base, rounded down to the quote's base unit.
    pub fn total(self, quantity: Amount, base_decimals: u8, quote_decimals: u8) -> Result<Amount, MoneyError> {
        let (up, down) = (quote_decimals, base_decimals.saturating_add(PRICE_DECIMALS));
        if up >= down {
            let scale = power_of_ten(up.saturating_sub(down))?;
            let numerator = self.0.checked_mul(scale).ok_or(MoneyError::OutOfRange)?;
            quantity.mul_div_floor(numerator, 1)
        } else {
            quantity.mul_div_floor(self.0, power_of_ten(down.saturating_sub(up))?)
        }
    }

    /// Returns the smallest quantity of the base that a user can enter and that costs exactly `total`. If no quantity
    /// does (because one step costs more than one base unit of the quote), returns the largest that costs less.
    pub fn quantity(self, total: Amount, base_decimals: u8, quote_decimals: u8) -> Result<Amount, MoneyError> {
        let typed = base_decimals.min(MAX_TYPED_DECIMALS);
        let up = power_of_ten(typed.saturating_add(PRICE_DECIMALS))?;
        let down = self.0.checked_mul(power_of_ten(quote_decimals)?).ok_or(MoneyError::OutOfRange)?;
        let step = power_of_ten(base_decimals.saturating_sub(typed))?;
        let steps = total.mul_div_floor(up, down)?;
        let costs = |quantity| self.total(quantity, base_decimals, quote_decimals);
        let less = steps.mul_div_floor(step, 1)?;
        if costs(less)? == total {
            return Ok(less);
        }
        let more = steps.add(Amount::ONE).and_then(|steps| steps.mul_div_floor(step, 1));
        Ok(more.ok().filter(|more| costs(*more) == Ok(total)).unwrap_or(less))
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_scaled(self.0, PRICE_DECIMALS))
    }
}

/// Returns 10^`exponent`, or [`MoneyError::OutOfRange`] above 10^38.
fn power_of_ten(exponent: u8) -> Result<i128, MoneyError> {
    10_i128.checked_pow(u32::from(exponent)).ok_or(MoneyError::OutOfRange)
}

fn parse_scaled(text: &str, decimals: u8) -> Result<i128, MoneyError> {
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err(MoneyError::NotADecimal),
        Some(parts) => parts,
        None => (text, ""),
    };
    let digits_only = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits_only(whole) || !digits_only(fraction) {
        return Err(MoneyError::NotADecimal);
    }
    let significant = fraction.trim_end_matches('0');
    let missing = usize::from(decimals).checked_sub(significant.len()).ok_or(MoneyError::TooManyDecimals(decimals))?;
    let missing = u8::try_from(missing).map_err(|_| MoneyError::OutOfRange)?;
    let digits = format!("{whole}{significant}");
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() {
        return Ok(0);
    }
    let units = i128::from_str(trimmed).map_err(|_| MoneyError::OutOfRange)?;
    units.checked_mul(power_of_ten(missing)?).ok_or(MoneyError::OutOfRange)
}

fn format_scaled(units: i128, decimals: u8) -> String {
    let digits = format!("{units:0>width$}", width = usize::from(decimals).saturating_add(1));
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(usize::from(decimals)));
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_parsed_exactly_or_refused() {
        assert_eq!(Amount::parse("12.5", 6), Amount::new(12_500_000));
        assert_eq!(Amount::parse("0012.500000000", 6), Amount::new(12_500_000));
        assert_eq!(Amount::parse("0", 18), Amount::new(0));
        assert_eq!(Amount::parse("1.0000001", 6), Err(MoneyError::TooManyDecimals(6)));
        for text in ["", ".", ".5", "5.", "-1", "+1", "1e3", "1,5", " 1", "١", "1.2.3"] {
            assert_eq!(Amount::parse(text, 6), Err(MoneyError::NotADecimal), "{text}");
        }
        assert_eq!(Amount::parse(&"9".repeat(60), 6), Err(MoneyError::OutOfRange));
    }

    #[test]
    fn a_total_is_rounded_down_to_the_quotes_base_unit() {
        let price = Price::parse("0.33333333").unwrap();
        let quantity = Amount::parse("1.00000001", 18).unwrap();
        assert_eq!(price.total(quantity, 18, 6), Amount::new(333_333));
        assert_eq!(price.total(Amount::ONE, 18, 6), Amount::new(0));
        assert_eq!(price.total(Amount::ONE, 0, 18), Amount::new(333_333_330_000_000_000));
    }

    #[test]
    fn amounts_are_checked_against_the_allowed_decimals() {
        assert!(Amount::parse("0.00000001", 18).unwrap().fits_decimals(18, 8));
        assert!(!Amount::parse("0.000000001", 18).unwrap().fits_decimals(18, 8));
        assert!(Amount::parse("0.000001", 6).unwrap().fits_decimals(6, 8));
    }

    proptest! {
        #[test]
        fn amounts_round_trip_through_text(units in 0..=MAX_UNITS, decimals in 0u8..=30) {
            let amount = Amount::new(units).unwrap();
            prop_assert_eq!(Amount::parse(&amount.format(decimals), decimals), Ok(amount));
        }

        #[test]
        fn sums_never_leave_the_range(a in 0..=MAX_UNITS, b in 0..=MAX_UNITS) {
            let (a, b) = (Amount::new(a).unwrap(), Amount::new(b).unwrap());
            match a.add(b) {
                Ok(sum) => prop_assert_eq!(sum.sub(b), Ok(a)),
                Err(error) => prop_assert_eq!(error, MoneyError::OutOfRange),
            }
        }

        #[test]
        fn a_total_never_exceeds_the_exact_product(quantity in 0..10_i128.pow(30), price in 1..10_i128.pow(15)) {
            let total = Price::new(price).unwrap().total(Amount::new(quantity).unwrap(), 18, 6);
            if let Ok(total) = total {
                let exact = U256::from(u128::try_from(quantity).unwrap()) * U256::from(u128::try_from(price).unwrap());
                let back = U256::from(u128::try_from(total.units()).unwrap()) * U256::from(10_u128.pow(20));
                prop_assert!(back <= exact);
                prop_assert!(exact - back < U256::from(10_u128.pow(20)));
            }
        }
    }
}
