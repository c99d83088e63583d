//! Simulated prices: a slow rise with waves and a little noise, the same in every demo world.

use rand::RngExt as _;
use rand::rngs::StdRng;

/// The length of the script, in days.
const YEAR: f64 = 365.0;
/// The price of one USDT in each currency, a year ago.
const USDT_IN: [(&str, f64); 7] =
    [("CNY", 7.05), ("NGN", 1490.0), ("EUR", 0.905), ("KRW", 1345.0), ("BRL", 5.32), ("VND", 25_600.0), ("TRY", 33.5)];
/// The price of one MEC in USDT, a year ago.
const MEC_IN_USDT: f64 = 0.82;

/// Returns the price of one unit of the base in the quote, as text, a number of days before the end of the script.
/// Returns `None` for pairs that are not traded.
pub(super) fn price(base: &str, quote: &str, days_before_end: f64, dice: &mut StdRng) -> Option<String> {
    let day = YEAR - days_before_end;
    let noise = f64::from(dice.random_range(-600..=600_i32)) / 100_000.0;
    let usdt_in_quote = match quote {
        "USDT" => 1.0,
        fiat => USDT_IN.iter().find(|(code, _)| *code == fiat).map(|(_, price)| price * (1.0 + 0.00008 * day))?,
    };
    let base_in_usdt = match base {
        "USDT" => 1.0 + 0.004 * (day / 17.0).sin(),
        "MEC" => {
            let waves = 1.0 + 0.07 * (day / 31.0).sin() + 0.025 * (day / 6.0).sin();
            MEC_IN_USDT * (0.42 * day / YEAR).exp() * waves
        }
        _ => return None,
    };
    let price = usdt_in_quote * base_in_usdt * (1.0 + noise);
    Some(if price < 20.0 { format!("{price:.4}") } else { format!("{price:.2}") })
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn prices_stay_within_the_price_band_from_day_to_day() {
        let mut dice = StdRng::seed_from_u64(1);
        let mut at = |day: i32| price("MEC", "USDT", f64::from(day), &mut dice).unwrap().parse::<f64>().unwrap();
        for day in 1..360 {
            let (before, after) = (at(day), at(day - 1));
            assert!((after / before - 1.0).abs() < 0.04, "day {day}: {before} and {after}");
        }
    }

    #[test]
    fn prices_rise_over_the_year() {
        let mut dice = StdRng::seed_from_u64(1);
        let mut at = |day: f64| price("MEC", "CNY", day, &mut dice).unwrap().parse::<f64>().unwrap();
        assert!(at(0.0) > 1.2 * at(360.0));
    }

    #[test]
    fn pairs_that_are_not_traded_have_no_price() {
        let mut dice = StdRng::seed_from_u64(1);
        assert_eq!(price("MEC", "XAU", 1.0, &mut dice), None);
        assert_eq!(price("NGN", "USDT", 1.0, &mut dice), None);
    }
}
