//! How a person stands, for themselves and for others.

use domain::clock::Moment;
use domain::credit::{self, PERIOD, Record, Standing};
use domain::ids::UserId;
use domain::refusal::Refusal;
use store::Tx;

use crate::{Context, Result};

/// A person's credit and today's cancellations: what the next one would cost.
pub async fn standing(context: &Context, user: UserId) -> Result<Standing> {
    let (mut tx, now) = context.begin().await?;
    let person = store::people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let today = store::people::cancellations_since(&mut tx, &[user], credit::day_start(now)).await?;
    let cancelled_today = today.first().map_or(0, |(_, many)| *many);
    Ok(Standing { credit: person.credit, cancelled_today })
}

/// What the last 30 days say of some people; everybody who is asked for is answered.
pub async fn records(context: &Context, users: &[UserId]) -> Result<Vec<(UserId, Record)>> {
    let (mut tx, now) = context.begin().await?;
    records_at(&mut tx, users, now).await
}

pub(crate) async fn records_at(tx: &mut Tx, users: &[UserId], now: Moment) -> Result<Vec<(UserId, Record)>> {
    let since = now.checked_sub_signed(PERIOD).unwrap_or(now);
    Ok(store::market::records(tx, users, since).await?)
}
