//! What was traded: prices and volumes over completed orders.

use domain::assets::PairId;
use domain::clock::Moment;
use domain::money::Amount;

use crate::{Result, Tx};

/// What was traded of a pair in some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Volume {
    /// Which pair.
    pub pair: PairId,
    /// Base that changed hands, in base units.
    pub quantity: Amount,
    /// Quote that was paid for it, in base units.
    pub total: Amount,
}

/// What was traded of each pair from a moment on; pairs without trades are left out.
pub async fn volumes_since(tx: &mut Tx, since: Moment) -> Result<Vec<Volume>> {
    let rows = sqlx::query!(
        r#"select pair_id, sum(quantity) as "quantity!", sum(total) as "total!" from orders
           where state = 'COMPLETED' and settled_at >= $1 group by pair_id"#,
        since
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Volume { pair: PairId(row.pair_id), quantity: row.quantity.into(), total: row.total.into() })
        .collect())
}
