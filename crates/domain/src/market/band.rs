//! The price band around the reference price.

use crate::money::{Amount, Price};
use crate::refusal::Refusal;

/// The allowed prices, bounds included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    pub min: Price,
    pub max: Price,
}

const MILLION: i128 = 1_000_000;

impl Band {
    /// Returns the band of prices with at most `decimals` decimals within `ppm` millionths of the reference price. If
    /// there is no such price, the band extends to the nearest valid price on each side.
    pub fn around(reference: Price, ppm: u32, decimals: u8) -> Option<Self> {
        let scaled = |share: i128| {
            let steps = Amount::new(reference.steps()).ok()?.mul_div_floor(share, MILLION).ok()?;
            Price::new(steps.units().max(1)).ok()
        };
        let ppm = i128::from(ppm);
        // Cap the upper bound at the maximum price.
        let max = scaled(MILLION.saturating_add(ppm)).or_else(|| Price::new(crate::money::MAX_UNITS).ok())?;
        let min = scaled(MILLION.saturating_sub(ppm).max(0))?;
        match (min.ceil(decimals), max.floor(decimals)) {
            (Some(min), Some(max)) if min <= max => Some(Self { min, max }),
            (lowest, _) => {
                let above = max.ceil(decimals).unwrap_or(max);
                Some(Self { min: min.floor(decimals).or(lowest).unwrap_or(above), max: above })
            }
        }
    }

    pub fn check(self, price: Price) -> Result<(), Refusal> {
        if (self.min..=self.max).contains(&price) {
            Ok(())
        } else {
            Err(Refusal::PriceOutOfBounds { min: self.min.to_string(), max: self.max.to_string() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::PRICE_DECIMALS;

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap()
    }

    #[test]
    fn the_band_includes_both_ends() {
        let band = Band::around(price("2"), 100_000, PRICE_DECIMALS).unwrap();
        assert_eq!(band, Band { min: price("1.8"), max: price("2.2") });
        assert_eq!(band.check(price("1.8")), Ok(()));
        assert_eq!(band.check(price("2.2")), Ok(()));
        let refused = Err(Refusal::PriceOutOfBounds { min: "1.8".to_owned(), max: "2.2".to_owned() });
        assert_eq!(band.check(price("1.79999999")), refused);
        assert_eq!(band.check(price("2.20000001")), refused);
    }

    #[test]
    fn the_ends_of_a_band_have_the_allowed_decimals() {
        let band = |reference, decimals| Band::around(price(reference), 100_000, decimals).unwrap();
        assert_eq!(band("1.2345", 4), Band { min: price("1.1111"), max: price("1.3579") });
        assert_eq!(band("1234.5", 0), Band { min: price("1112"), max: price("1357") });
        assert_eq!(band("0.5", 0), Band { min: price("1"), max: price("1") }, "no price within: the nearest one");
        assert_eq!(band("2.5", 0), Band { min: price("2"), max: price("3") }, "the nearest on each side");
    }

    #[test]
    fn the_ends_of_a_band_are_valid_prices() {
        let least = Price::new(1).unwrap();
        let wide = Band::around(least, 2_000_000, PRICE_DECIMALS).unwrap();
        assert_eq!(wide, Band { min: least, max: Price::new(3).unwrap() });
        let most = Price::new(crate::money::MAX_UNITS).unwrap();
        assert_eq!(Band::around(most, 100_000, PRICE_DECIMALS).unwrap().max, most);
    }
}
