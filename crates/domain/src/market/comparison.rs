//! Compares the price of a new advert with the market, to notice a mistyped price.

use serde::Serialize;

use super::Band;
use crate::assets::{AssetId, Pair};
use crate::money::{Amount, MAX_UNITS, PRICE_DECIMALS, Price};

/// Where the price of the market comes from, the best source first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MarketSource))]
pub enum Source {
    /// The reference price, which is also the center of the price band.
    Reference,
    /// The pair's last trade, however old.
    LastTrade,
    /// The middle one of the other adverts' prices.
    Adverts,
    /// Computed from the last trades of two other pairs.
    CrossRate,
}

/// A price compared with the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    pub source: Source,
    /// The price of the market.
    pub market: Price,
    /// The distance from the price of the market, in millionths of it; negative below.
    pub distance_ppm: i128,
    /// Whether the distance exceeds the width of the pair's price band.
    pub far: bool,
}

const MILLION: i128 = 1_000_000;

/// Compares a price with the first source that knows a price of the market; `None` if none does.
///
/// The NFTs of an album are all different, so the price of one says nothing about another.
pub fn compare(pair: &Pair, price: Price, sources: &[(Source, Option<Price>)]) -> Option<Comparison> {
    if pair.of_nfts() {
        return None;
    }
    let (source, market) = sources.iter().find_map(|(source, market)| Some((*source, (*market)?)))?;
    let difference = price.steps().checked_sub(market.steps())?;
    let distance = Amount::new(difference.checked_abs()?).ok()?.mul_div_floor(MILLION, market.steps()).ok();
    // A price so far away that the distance overflows.
    let distance = distance.map_or(MAX_UNITS, Amount::units);
    let band = Band::around(market, pair.price_band_ppm, pair.price_decimals);
    Some(Comparison {
        source,
        market,
        distance_ppm: if difference < 0 { distance.saturating_neg() } else { distance },
        far: band.is_some_and(|band| band.check(price).is_err()),
    })
}

/// Returns a pair's price as it follows from the last trades of two other pairs that share an asset: of `(base, x)` and
/// `(x, quote)`, or of `(x, base)` and `(x, quote)`. `None` if there are no such trades.
pub fn cross_rate(pair: &Pair, last: &[(&Pair, Price)]) -> Option<Price> {
    let one = 10_i128.checked_pow(u32::from(PRICE_DECIMALS))?;
    let price_of = |base: AssetId, quote: AssetId| {
        last.iter().find(|(other, _)| other.base.id == base && other.quote.id == quote).map(|(_, price)| *price)
    };
    let (base, quote) = (pair.base.id, pair.quote.id);
    let through = |x: AssetId| {
        let in_quote = Amount::new(price_of(x, quote)?.steps()).ok()?;
        let steps = match (price_of(base, x), price_of(x, base)) {
            (Some(of_base), _) => in_quote.mul_div_floor(of_base.steps(), one),
            (None, Some(in_base)) => in_quote.mul_div_floor(one, in_base.steps()),
            (None, None) => return None,
        };
        Price::new(steps.ok()?.units()).ok()
    };
    last.iter().filter(|(other, _)| other.quote.id == quote).find_map(|(other, _)| through(other.base.id))
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;
    use crate::assets::{Asset, Home, PairId, Windows};

    const MEC: i64 = 1;
    const USDT: i64 = 2;
    const KRW: i64 = 3;

    fn pair(base: i64, quote: i64) -> Pair {
        let asset = |id| Asset {
            id: AssetId(id),
            code: format!("A{id}"),
            decimals: 6,
            home: Home::Fiat,
            album: None,
            dust: Amount::ZERO,
            return_gas: Amount::ZERO,
        };
        let minute = Duration::minutes(1);
        Pair {
            prepayment: None,
            id: PairId(base * 10 + quote),
            base: asset(base),
            quote: asset(quote),
            enabled: true,
            fee_rate_ppm: 0,
            fee_minimum: Amount::ZERO,
            min_total: Amount::ONE,
            max_total: Amount::ONE,
            price_band_ppm: 100_000,
            price_decimals: 2,
            automatic_chain_type: None,
            chain_types: Vec::new(),
            windows: Windows {
                acceptance: minute,
                advert_deposit: minute,
                order_deposit: minute,
                payment: minute,
                confirmation: minute,
                grace: minute,
            },
        }
    }

    fn price(text: &str) -> Price {
        Price::parse(text).unwrap()
    }

    #[test]
    fn the_first_source_that_knows_a_price_is_used() {
        let pair = pair(USDT, KRW);
        let sources = [
            (Source::Reference, None),
            (Source::LastTrade, Some(price("1385.84"))),
            (Source::Adverts, Some(price("13"))),
        ];
        let found = compare(&pair, price("13"), &sources).unwrap();
        assert_eq!((found.source, found.market, found.far), (Source::LastTrade, price("1385.84"), true));
        assert_eq!(found.distance_ppm, -990_619);
        assert_eq!(compare(&pair, price("13"), &sources[..1]), None);
    }

    #[test]
    fn a_price_is_far_if_it_is_outside_the_band_around_the_market() {
        let pair = pair(USDT, KRW);
        let far = |text| compare(&pair, price(text), &[(Source::LastTrade, Some(price("1000")))]).unwrap();
        for (text, distance, expected) in [
            ("900", -100_000, false),
            ("899.99", -100_010, true),
            ("1000", 0, false),
            ("1100", 100_000, false),
            ("1100.01", 100_010, true),
        ] {
            let found = far(text);
            assert_eq!((found.distance_ppm, found.far), (distance, expected), "{text}");
        }
        let lowest = compare(&pair, price("999999999999"), &[(Source::Adverts, Some(price("0.00000001")))]).unwrap();
        assert!(lowest.far && lowest.distance_ppm > 0);
    }

    #[test]
    fn the_cross_rate_multiplies_or_divides() {
        let (mec_usdt, usdt_krw, mec_krw) = (pair(MEC, USDT), pair(USDT, KRW), pair(MEC, KRW));
        let half = (&mec_usdt, price("0.5"));
        assert_eq!(cross_rate(&mec_krw, &[half, (&usdt_krw, price("1400"))]), Some(price("700")));
        assert_eq!(cross_rate(&usdt_krw, &[half, (&mec_krw, price("700"))]), Some(price("1400")));
        assert_eq!(cross_rate(&usdt_krw, &[half]), None);
        assert_eq!(cross_rate(&mec_krw, &[(&usdt_krw, price("1400"))]), None);
    }
}
