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
    /// The band of `ppm` millionths around the reference price. Without one there is none.
    pub fn around(reference: Option<Price>, ppm: u32) -> Option<Self> {
        let reference = reference?;
        let scaled = |share: i128| {
            let steps = Amount::new(reference.steps()).ok()?.mul_div_floor(share, MILLION).ok()?;
            Price::new(steps.units().max(1)).ok()
        };
        let ppm = i128::from(ppm);
        // A reference so high that the books cannot hold the upper end has no upper end.
        let max = scaled(MILLION.saturating_add(ppm)).or_else(|| Price::new(crate::money::MAX_UNITS).ok())?;
        Some(Self { min: scaled(MILLION.saturating_sub(ppm).max(0))?, max })
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

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap()
    }

    #[test]
    fn without_a_reference_there_is_no_bound() {
        assert_eq!(Band::around(None, 100_000), None);
    }

    #[test]
    fn ten_percent_around_the_reference_with_both_ends() {
        let band = Band::around(Some(price("2")), 100_000).unwrap();
        assert_eq!(band, Band { min: price("1.8"), max: price("2.2") });
        assert_eq!(band.check(price("1.8")), Ok(()));
        assert_eq!(band.check(price("2.2")), Ok(()));
        let refused = Err(Refusal::PriceOutOfBounds { min: "1.8".to_owned(), max: "2.2".to_owned() });
        assert_eq!(band.check(price("1.79999999")), refused);
        assert_eq!(band.check(price("2.20000001")), refused);
    }

    #[test]
    fn the_ends_stay_prices() {
        let least = Price::new(1).unwrap();
        assert_eq!(Band::around(Some(least), 2_000_000).unwrap(), Band { min: least, max: Price::new(3).unwrap() });
        let most = Price::new(crate::money::MAX_UNITS).unwrap();
        assert_eq!(Band::around(Some(most), 100_000).unwrap().max, most);
    }
}
