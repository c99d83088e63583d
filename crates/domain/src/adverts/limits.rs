//! Limits on the total of an order on an advert.

use super::{Advert, Terms};
use crate::assets::Pair;
use crate::money::{Amount, Price};

/// The smallest and largest allowed total of an order, in base units of the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub min: Amount,
    pub max: Amount,
}

impl Limits {
    /// Returns the limits set by the advert's terms and its pair, regardless of the remaining quantity.
    pub fn of_terms(pair: &Pair, terms: &Terms) -> Self {
        Self { min: terms.min_total, max: terms.max_total }.within(pair)
    }

    /// Returns the limits of an order placed now; `None` if the remaining quantity is too small for any order.
    pub fn now(pair: &Pair, advert: &Advert) -> Option<Self> {
        Self::of_terms(pair, &advert.terms).of_remaining(pair, advert.terms.price, advert.remaining)
    }

    pub fn contains(self, total: Amount) -> bool {
        (self.min..=self.max).contains(&total)
    }

    /// Restricts the limits to those of the pair.
    #[must_use]
    pub fn within(self, pair: &Pair) -> Self {
        Self { min: self.min.max(pair.min_total), max: self.max.min(pair.max_total) }
    }

    /// Restricts the limits to the totals of valid quantities: at most `remaining`, a multiple of the smallest step,
    /// and more than the fee. For every total within the result, [`Pair::quantity_for`] returns such a quantity.
    /// Returns `None` if no total qualifies.
    #[must_use]
    pub fn of_remaining(self, pair: &Pair, price: Price, remaining: Amount) -> Option<Self> {
        let total = |quantity: Amount| pair.total(quantity, price).ok();
        let step = pair.step()?;
        let on_step = |quantity: Amount| quantity.mul_div_floor(1, step).ok()?.mul_div_floor(step, 1).ok();
        let after = |quantity: Amount| quantity.add(Amount::new(step).ok()?).ok();

        let min = self.min.max(Amount::ONE);
        let cheapest = pair.quantity_for(min, price).ok()?;
        let cheapest = if total(cheapest)? < min { after(cheapest)? } else { cheapest };
        let above_fee = after(on_step(pair.fee_minimum)?)?;
        let least = cheapest.max(above_fee);
        if pair.fee(least).ok()? >= least {
            return None;
        }

        // If no quantity reaches the maximum, `remaining` alone is the limit.
        let most = pair.quantity_for(self.max, price).ok();
        let rest = on_step(remaining)?;
        let most = most.map_or(rest, |most| most.min(rest));
        if least > most {
            return None;
        }
        let start = total(least)?;
        // The cheapest quantity with this total may be too small to exceed its fee. If so, start at the next total.
        let start = if pair.quantity_for(start, price).ok()? < least { start.add(Amount::ONE).ok()? } else { start };
        let ends = Self { min: start, max: total(most)? };
        (self.contains(ends.min) && self.contains(ends.max) && ends.min <= ends.max).then_some(ends)
    }
}
