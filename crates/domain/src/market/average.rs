//! Average prices.

use crate::assets::Pair;
use crate::money::{Amount, PRICE_DECIMALS, Price};

/// Returns the average quote paid for one whole unit of the base, rounded down; `None` without trades.
pub fn average(pair: &Pair, quantity: Amount, total: Amount) -> Option<Price> {
    let power = |exponent: u8| 10_i128.checked_pow(u32::from(exponent));
    let (up, down) = (pair.base.decimals.checked_add(PRICE_DECIMALS)?, pair.quote.decimals);
    let steps = if up >= down {
        total.mul_div_floor(power(up.checked_sub(down)?)?, quantity.units()).ok()?
    } else {
        let units = quantity.units().checked_mul(power(down.checked_sub(up)?)?)?;
        total.mul_div_floor(1, units).ok()?
    };
    Price::new(steps.units()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::{Asset, AssetId, Home, PairId, Windows};
    use chrono::Duration;

    fn pair(base: u8, quote: u8) -> Pair {
        let asset = |id, decimals| Asset {
            id: AssetId(id),
            code: format!("A{id}"),
            decimals,
            home: Home::Fiat,
            album: None,
            dust: Amount::ZERO,
            return_gas: Amount::ZERO,
        };
        let minute = Duration::minutes(1);
        Pair {
            prepayment: None,
            id: PairId(1),
            base: asset(1, base),
            quote: asset(2, quote),
            enabled: true,
            fee_rate_ppm: 0,
            fee_minimum: Amount::ZERO,
            min_total: Amount::ONE,
            max_total: Amount::ONE,
            price_band_ppm: 100_000,
            price_decimals: PRICE_DECIMALS,
            windows: Windows {
                acceptance: minute,
                advert_deposit: minute,
                order_deposit: minute,
                payment: minute,
                confirmation: minute,
                grace: minute,
            },
            chain_types: Vec::new(),
            automatic_chain_type: None,
        }
    }

    #[test]
    fn the_average_is_the_price_of_one_whole_unit() {
        for (base, quote) in [(18, 6), (6, 18), (0, 18), (6, 2), (8, 8)] {
            let amount = |text, decimals| Amount::parse(text, decimals).unwrap();
            let average = average(&pair(base, quote), amount("4", base), amount("10", quote));
            assert_eq!(average, Some(Price::parse("2.5").unwrap()), "{base} {quote}");
        }
    }

    #[test]
    fn without_trades_there_is_no_average() {
        assert_eq!(average(&pair(18, 6), Amount::ZERO, Amount::ZERO), None);
    }
}
