//! Legs that fail on the chain or that their recipient rejects.

use domain::chain::{Address, Reference};
use domain::clock::Timestamp;

use super::{PayoutLeg, legs, possible};
use crate::columns::signed;
use crate::{Error, Result, Tx};

/// Records that a leg failed on the chain, and schedules the retry with increasing backoff. Returns the number of
/// failures; `None` if the reference is unknown.
pub async fn put_off(tx: &mut Tx, reference: Reference, now: Timestamp) -> Result<Option<u32>> {
    let [reference] = possible(&[reference])[..] else { return Ok(None) };
    let row = sqlx::query!(
        "update payout_legs set failures = failures + 1, failing_since = coalesce(failing_since, $2::timestamptz),
                retry_at = $2::timestamptz + least(power(2, least(failures, 6)), 60) * interval '1 minute'
         where reference = $1 returning failures",
        reference,
        now
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| u32::try_from(row.failures).map_err(|_| Error::row("payout_legs", reference, "failures"))).transpose()
}

/// An owed leg that keeps failing, that is of an NFT whose payouts are stopped, whose partner leg was voided, or that is superseded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failing {
    pub leg: PayoutLeg,
    /// The number of failures.
    pub failures: u32,
    /// The time of the first failure.
    pub since: Option<Timestamp>,
    /// Whether the leg can only be voided: its partner was voided alone, or it is superseded.
    pub to_be_voided: bool,
    /// The references of the payout's owed legs, including this one.
    pub owed: Vec<Reference>,
}

impl Failing {
    /// Returns whether the Escrow voids the leg only on the order of its administrator: it must be voided even if it could be paid,
    /// or it is one of a pair.
    pub fn needs_administrator(&self) -> bool {
        self.to_be_voided || self.owed.len() > 1
    }
}

/// Returns the owed legs that failed at least `at_least` times, those of NFTs whose payouts are stopped, those whose partner leg was
/// voided alone, and superseded ones.
///
/// A stopped NFT may never be payable again, unlike a coin, so its payout can be voided.
pub async fn failing(tx: &mut Tx, at_least: u32) -> Result<Vec<Failing>> {
    let rows = sqlx::query!(
        r#"select l.reference, l.failures, l.failing_since,
                  l.superseded or exists(select from payout_legs m where m.payout_id = l.payout_id and m.state = 'voided')
                      as "to_be_voided!",
                  array(select m.reference from payout_legs m where m.payout_id = l.payout_id and m.state = 'owed'
                        order by m.reference) as "owed!"
           from payout_legs l
           where l.state = 'owed' and (l.failures >= $1 or l.superseded
               or exists(select from payout_legs m where m.payout_id = l.payout_id and m.state = 'voided')
               or exists(select from stopped_nft_legs s where s.reference = l.reference))
           order by l.reference"#,
        i32::try_from(at_least).unwrap_or(i32::MAX)
    )
    .fetch_all(tx.connection())
    .await?;
    let references: Vec<_> = rows.iter().filter_map(|row| u64::try_from(row.reference).ok().map(Reference)).collect();
    let legs = legs(tx, &references).await?;
    rows.into_iter()
        .zip(legs)
        .map(|(row, leg)| {
            let failures =
                u32::try_from(row.failures).map_err(|_| Error::row("payout_legs", row.reference, "failures"))?;
            let owed = row.owed.into_iter().filter_map(|owed| u64::try_from(owed).ok().map(Reference)).collect();
            Ok(Failing { leg, failures, since: row.failing_since, to_be_voided: row.to_be_voided, owed })
        })
        .collect()
}

/// The rejections of a leg by its recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejections {
    /// The number of rejections since the leg got its current address.
    pub times: u32,
    /// The time of the first of these rejections.
    pub since: Timestamp,
}

/// Counts a rejected payment of a leg. Returns `None` if the leg is no longer owed.
pub async fn reject(tx: &mut Tx, reference: Reference, now: Timestamp) -> Result<Option<Rejections>> {
    let row = sqlx::query!(
        r#"update payout_legs set rejections = rejections + 1, rejected_since = coalesce(rejected_since, $2)
           where reference = $1 and state = 'owed' returning rejections, rejected_since as "since!""#,
        signed(reference.0)?,
        now
    )
    .fetch_optional(tx.connection())
    .await?;
    row.map(|row| {
        let times = u32::try_from(row.rejections).map_err(|_| Error::row("payout_legs", reference.0, "rejections"))?;
        Ok(Rejections { times, since: row.since })
    })
    .transpose()
}

/// Redirects an owed leg to another address under the same reference. The leg is retried immediately.
pub async fn redirect(tx: &mut Tx, reference: Reference, to: Address, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update payout_legs set redirected_from = coalesce(redirected_from, recipient), redirected_at = $3, recipient = $2,
                rejections = 0, rejected_since = null, retry_at = $3
         where reference = $1 and state = 'owed'",
        signed(reference.0)?,
        to.as_slice(),
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Allows the chain to void an owed leg if its payment is refused again. The leg is retried immediately.
pub async fn void_if_refused(tx: &mut Tx, reference: Reference, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update payout_legs set or_void = true, retry_at = $2 where reference = $1 and state = 'owed'",
        signed(reference.0)?,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
