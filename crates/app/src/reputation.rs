//! Reads and restores the reputation of users.

use domain::assets::Asset;
use domain::clock::{Timestamp, after};
use domain::ids::UserId;
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::reputation::{self, PERIOD, Record, ReputationStanding};
use store::Tx;
use store::users::ReputationChange;

use crate::{Context, Result};

pub use store::reputation_changes::StoredChange;

/// Returns a user's reputation and number of cancellations today, which determine the cost of the next cancellation.
pub async fn standing(context: &Context, user: UserId) -> Result<ReputationStanding> {
    let (mut tx, now) = context.begin().await?;
    let row = store::users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let today = store::users::cancellations_since(&mut tx, &[user], reputation::day_start(now)).await?;
    let cancelled_today = today.first().map_or(0, |(_, many)| *many);
    Ok(ReputationStanding { reputation: row.reputation, cancelled_today })
}

/// Returns a page of the changes of a user's reputation, newest first, and their total number.
pub async fn history(context: &Context, user: UserId, offset: i64, limit: i64) -> Result<(Vec<StoredChange>, i64)> {
    let (mut tx, _) = context.begin().await?;
    Ok(store::reputation_changes::page_of(&mut tx, user, offset, limit).await?)
}

/// Returns each user's record of the last 30 days.
pub(crate) async fn records_at(tx: &mut Tx, users: &[UserId], now: Timestamp) -> store::Result<Vec<(UserId, Record)>> {
    let since = now.checked_sub_signed(PERIOD).unwrap_or(now);
    store::market::records(tx, users, since).await
}

/// Returns the volume of a user's orders completed since a timestamp, by base.
pub(crate) async fn volume_of(
    context: &Context,
    tx: &mut Tx,
    user: UserId,
    since: Timestamp,
) -> Result<Vec<(Asset, Amount)>> {
    let traded = store::market::volume_of(tx, user, since).await?;
    let data = context.reference_data(tx).await?.data;
    Ok(traded.into_iter().filter_map(|(id, amount)| Some((data.assets.get(&id)?.clone(), amount))).collect())
}

/// Returns when the records of these users change although nothing happens, or earlier: when an order or cancellation leaves
/// the period. At the latest, this is the end of the day (UTC), when also the free cancellations are renewed.
pub(crate) async fn records_change_at(tx: &mut Tx, users: &[UserId], now: Timestamp) -> store::Result<Timestamp> {
    let since = now.checked_sub_signed(PERIOD).unwrap_or(now);
    let first = store::market::first_ended(tx, users, since).await?.map(|ended| after(ended, PERIOD));
    let day_end = after(reputation::day_start(now), chrono::Duration::days(1));
    Ok(first.map_or(day_end, |first| first.min(day_end)))
}

/// The number of users per transaction.
const USERS_AT_ONCE: i64 = 200;

/// Restores reputation that was deducted in an earlier month. Returns the number of users concerned.
pub async fn restore(context: &Context) -> Result<u64> {
    let (mut restored, mut after) = (0_u64, None);
    loop {
        let (mut tx, now) = context.begin().await?;
        let charged = store::users::lock_charged(&mut tx, after, reputation::month_start(now), USERS_AT_ONCE).await?;
        let Some((last, ..)) = charged.last().copied() else { return Ok(restored) };
        let changes: Vec<_> = charged
            .into_iter()
            .filter_map(|(user, points, charged)| {
                let change = reputation::restore(points, charged)?;
                let cause = change.cause.into_str();
                Some(ReputationChange {
                    user,
                    change: change.points,
                    reputation: change.reputation,
                    cause,
                    order: None,
                    appeal: None,
                })
            })
            .collect();
        store::users::change_reputation(&mut tx, &changes, now).await?;
        tx.commit().await?;
        restored = restored.saturating_add(changes.len().try_into().unwrap_or(u64::MAX));
        after = Some(last);
    }
}
