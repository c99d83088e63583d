//! Why an advert does not suit a visitor's trade.

use serde::Serialize;

/// Why a visitor cannot order a trade from an advert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Misfit {
    /// It is the visitor's own.
    Own,
    /// The visitor has blocked the advertiser.
    Blocked,
    /// The advertiser is offline or may not trade.
    Offline,
    /// The total is below the minimum of an order.
    BelowMinimum,
    /// The total is above the maximum of an order, or above what is left.
    AboveMaximum,
    /// It offers none of the wanted kinds of payment methods.
    Method,
    /// It offers only kinds of payment methods of which the visitor has none. Both sides need one of the same kind.
    NoSharedMethod,
    /// The visitor does not meet what the advertiser requires of takers.
    TakerRequirements,
    /// Who sells to it must be paid on another chain than that of the visitor's receiving address.
    ChainType,
}
