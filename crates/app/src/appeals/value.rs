//! What orders are worth, and who may therefore decide about them.

use domain::assets::AssetId;
use domain::clock::Timestamp;
use domain::console::NOTICE_PERIOD;
use domain::money::Amount;
use domain::orders::{Limits, Order};

use super::Rules;
use crate::memory::reference_data::ReferenceData;
use crate::{Error, Result};

/// Values orders in the asset of the limits.
pub(crate) struct Valuation<'a> {
    reference: &'a ReferenceData,
    now: Timestamp,
    /// The asset in which orders are valued, and its decimals; `None` if the platform does not have it.
    unit: Option<(AssetId, u8)>,
    pub(crate) limits: Limits,
}

impl<'a> Valuation<'a> {
    pub(crate) fn new(reference: &'a ReferenceData, rules: &Rules, now: Timestamp) -> Result<Self> {
        let unit = reference.assets.values().find(|asset| asset.code == rules.unit);
        let unit = unit.map(|asset| (asset.id, asset.decimals));
        let decimals = unit.map_or(0, |(_, decimals)| decimals);
        let amount = |text: &str| {
            Amount::parse(text, decimals).map_err(|_| Error::Internal(format!("{text} is no limit of appeals")))
        };
        let limits =
            Limits { customer_service: amount(&rules.customer_service)?, one_officer: amount(&rules.one_officer)? };
        Ok(Self { reference, now, unit, limits })
    }

    /// Returns the decimals of the unit.
    pub(crate) fn decimals(&self) -> u8 {
        self.unit.map_or(0, |(_, decimals)| decimals)
    }

    /// Returns the value of an order: its total or its quantity, or the quantity at the reference price. `None` if there is
    /// no reference price, or if an administrator has set it recently: the value says who decides, so no administrator alone may
    /// make it small.
    pub(crate) fn of(&self, order: &Order) -> Option<Amount> {
        let (unit, decimals) = self.unit?;
        let terms = &order.terms;
        if terms.quote.asset == unit {
            return Some(terms.total);
        }
        if terms.base.asset == unit {
            return Some(terms.quantity);
        }
        let mut pairs = self.reference.pairs.values();
        let pair = pairs.find(|pair| pair.base.id == terms.base.asset && pair.quote.id == unit)?;
        let decided_at = self.reference.references_decided_at.get(&pair.id);
        if decided_at.is_some_and(|at| self.now.signed_duration_since(*at) < NOTICE_PERIOD) {
            return None;
        }
        let price = self.reference.reference_prices.get(&pair.id)?;
        price.total(terms.quantity, terms.base.decimals, decimals).ok()
    }
}
