//! The bounds of a price around the reference price.

use crate::money::{Amount, Price};
use crate::refusal::Refusal;

/// The prices that are allowed, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The lowest.
    pub min: Price,
    /// The highest.
    pub max: Price,
}

const MILLION: i128 = 1_000_000;

impl Band {
    /// The prices with so many decimals within `ppm` millionths of the reference price. A band that has none reaches to
    /// the next one on either side.
    pub fn around(reference: Price, ppm: u32, decimals: u8) -> Option<Self> {
        let scaled = |share: i128| {
            let steps = Amount::new(reference.steps()).ok()?.mul_div_floor(share, MILLION).ok()?;
            Price::new(steps.units().max(1)).ok()
        };
        let ppm = i128::from(ppm);
        // A reference so high that the books cannot hold the upper end has no upper end.
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

    /// Refuses a price outside the band.
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
    fn ten_percent_around_the_reference_with_both_ends() {
        let band = Band::around(price("2"), 100_000, PRICE_DECIMALS).unwrap();
        assert_eq!(band, Band { min: price("1.8"), max: price("2.2") });
        assert_eq!(band.check(price("1.8")), Ok(()));
        assert_eq!(band.check(price("2.2")), Ok(()));
        let refused = Err(Refusal::PriceOutOfBounds { min: "1.8".to_owned(), max: "2.2".to_owned() });
        assert_eq!(band.check(price("1.79999999")), refused);
        assert_eq!(band.check(price("2.20000001")), refused);
    }

    #[test]
    fn the_ends_are_prices_that_an_advert_may_have() {
        let band = |reference, decimals| Band::around(price(reference), 100_000, decimals).unwrap();
        assert_eq!(band("1.2345", 4), Band { min: price("1.1111"), max: price("1.3579") });
        assert_eq!(band("1234.5", 0), Band { min: price("1112"), max: price("1357") });
        assert_eq!(band("0.5", 0), Band { min: price("1"), max: price("1") }, "no price is within: the next one");
        assert_eq!(band("2.5", 0), Band { min: price("2"), max: price("3") }, "on either side");
    }

    #[test]
    fn the_ends_stay_prices() {
        let least = Price::new(1).unwrap();
        let wide = Band::around(least, 2_000_000, PRICE_DECIMALS).unwrap();
        assert_eq!(wide, Band { min: least, max: Price::new(3).unwrap() });
        let most = Price::new(crate::money::MAX_UNITS).unwrap();
        assert_eq!(Band::around(most, 100_000, PRICE_DECIMALS).unwrap().max, most);
    }
}
