//! What a user's fund records say: coins that entered or left the user's custody, and payments of orders that went directly to
//! the user's address.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The type of a fund record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FundType))]
pub enum Kind {
    /// Coins arrived in the vault.
    Deposit,
    /// Temporary balance was withdrawn.
    Withdrawal,
    /// The base of an order, from the seller to the buyer.
    Release,
    /// The quote of an automatic order, from the buyer to the seller.
    Payment,
    /// The user's own coins from a cancelled order.
    Refund,
    /// The user's own coins from an advert that ended.
    Return,
    /// Any other change of the balance by the ledger.
    Adjustment,
}

/// The direction of the coins, from the user's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FundDirection))]
pub enum Direction {
    /// Into the user's custody.
    In,
    /// Out of the user's custody.
    Out,
    /// From the counterparty of an order directly to the user's own address.
    Direct,
}

/// The state of a fund record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FundState))]
pub enum State {
    /// In a block that is not final yet.
    Confirming,
    /// In a final block.
    Completed,
    /// Decided but not sent yet.
    Requested,
    /// Sent but not in a block yet.
    InFlight,
    /// A payout that can never be paid, so its coins returned to their source. Or a deposit that is not credited,
    /// because the token moved less than it logged.
    Failed,
    /// Removed by a reorganization. The platform will pay a payout again; a deposit is gone.
    Revoked,
}
