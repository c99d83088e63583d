//! Which totals an order of an advert may have.

use super::{Advert, Terms};
use crate::assets::Pair;
use crate::money::{Amount, Price};

/// The totals, in base units of the quote, that an order may have; both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The least total.
    pub min: Amount,
    /// The largest total.
    pub max: Amount,
}

impl Limits {
    /// What the terms of an advert and its pair allow, however much of the advert remains.
    pub fn of_terms(pair: &Pair, terms: &Terms) -> Self {
        Self { min: terms.min_total, max: terms.max_total }.within(pair)
    }

    /// What can be ordered of an advert now; nothing if what remains is too little for any order.
    pub fn now(pair: &Pair, advert: &Advert) -> Option<Self> {
        Self::of_terms(pair, &advert.terms).of_remaining(pair, advert.terms.price, advert.remaining)
    }

    /// Whether an order may have this total.
    pub fn contains(self, total: Amount) -> bool {
        (self.min..=self.max).contains(&total)
    }

    /// As the pair limits them.
    #[must_use]
    pub fn within(self, pair: &Pair) -> Self {
        Self { min: self.min.max(pair.min_total), max: self.max.min(pair.max_total) }
    }

    /// Within these limits, the totals of quantities that can be ordered: no more than remains, in steps that a person
    /// may type, and more than the fee. Every amount between the ends buys a quantity ([`Pair::quantity_for`]) that can be
    /// ordered; nothing if no amount does.
    #[must_use]
    pub fn of_remaining(self, pair: &Pair, price: Price, remaining: Amount) -> Option<Self> {
        let total = |quantity: Amount| pair.total(quantity, price).ok();
        let step = pair.step()?;
        let on_step = |quantity: Amount| quantity.mul_div_floor(1, step).ok()?.mul_div_floor(step, 1).ok();
        let after = |quantity: Amount| quantity.add(Amount::new(step).ok()?).ok();

        let min = self.min.max(Amount::ONE);
        let cheapest = pair.quantity_for(min, price).ok()?;
        let cheapest = if total(cheapest)? < min { after(cheapest)? } else { cheapest };
        let above_fee = after(on_step(pair.fee_floor)?)?;
        let least = cheapest.max(above_fee);
        if pair.fee(least).ok()? >= least {
            return None;
        }

        // A total so large that no quantity has it is no bound.
        let most = pair.quantity_for(self.max, price).ok();
        let rest = on_step(remaining)?;
        let most = most.map_or(rest, |most| most.min(rest));
        if least > most {
            return None;
        }
        let start = total(least)?;
        // Where the fee decides, the total of the least quantity may also be that of a quantity which the fee eats up.
        let start = if pair.quantity_for(start, price).ok()? < least { start.add(Amount::ONE).ok()? } else { start };
        let ends = Self { min: start, max: total(most)? };
        (self.contains(ends.min) && self.contains(ends.max) && ends.min <= ends.max).then_some(ends)
    }
}
