//! Withdrawals of temporary balance.

use domain::assets::AssetId;
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::ids::{PayoutId, UserId};
use domain::money::Amount;

use crate::numeric::Units;
use crate::{Result, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The payout that sends the coins.
    pub payout: PayoutId,
    pub user: UserId,
    pub asset: AssetId,
    /// The amount that arrives.
    pub amount: Amount,
    /// The network fee, and its coin: the asset itself, unless it is an NFT.
    pub gas: Amount,
    pub gas_asset: AssetId,
    pub recipient: Address,
    pub requested_at: Timestamp,
}

/// Inserts a withdrawal. The payout must exist.
pub async fn insert_withdrawal(tx: &mut Tx, withdrawal: &Withdrawal) -> Result<()> {
    sqlx::query!(
        "insert into withdrawals (id, user_id, asset_id, amount, gas, gas_asset, recipient, requested_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        withdrawal.payout.0,
        withdrawal.user.0,
        withdrawal.asset.0,
        Units(withdrawal.amount) as _,
        Units(withdrawal.gas) as _,
        withdrawal.gas_asset.0,
        withdrawal.recipient.as_slice(),
        withdrawal.requested_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
