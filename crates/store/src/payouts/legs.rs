//! The legs of payouts, owed, paid or voided.

use domain::assets::AssetId;
use domain::chain::{Address, ChainId, CustodyIndex, Reference};
use domain::clock::Timestamp;
use domain::ids::{PayoutId, UserId};
use domain::ledger::{Account, VaultAsset};
use domain::money::Amount;
use uuid::Uuid;

use super::{Purpose, possible};
use crate::columns::{column, signed, uuids};
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// The state of a leg according to the chain's final blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LegState {
    Owed,
    /// Paid in a final block.
    Paid,
    /// The Escrow has spent the reference without paying, so the leg can never be paid.
    Voided,
}

impl LegState {
    fn name(self) -> &'static str {
        match self {
            Self::Owed => "owed",
            Self::Paid => "paid",
            Self::Voided => "voided",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        [Self::Owed, Self::Paid, Self::Voided].into_iter().find(|state| state.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoutLeg {
    /// The number under which the Escrow pays the leg at most once.
    pub reference: Reference,
    pub payout: PayoutId,
    pub purpose: Purpose,
    /// The order, advert, withdrawal or vault to which the payout belongs.
    pub subject: Uuid,
    pub vault_asset: VaultAsset,
    pub custody_index: CustodyIndex,
    pub recipient: Address,
    pub amount: Amount,
    /// Whether the leg must be paid together with the next reference.
    pub with_next: bool,
    /// Whether the chain voids the leg if its payment is refused again.
    pub or_void: bool,
    /// The account that was debited.
    pub source: Account,
    pub state: LegState,
    /// How many times the chain has confirmed the leg.
    pub rounds: u32,
    /// Whether the leg is owed again although its coins were given to something else. No further payment of it is chosen; one that
    /// was signed before may still be mined.
    pub superseded: bool,
}

struct Row {
    reference: i64,
    payout_id: Uuid,
    purpose: String,
    subject: Uuid,
    vault: Uuid,
    custody_index: i64,
    asset_id: i64,
    recipient: Vec<u8>,
    amount: Units,
    with_next: bool,
    or_void: bool,
    source_kind: String,
    source_owner: Uuid,
    state: String,
    rounds: i32,
    superseded: bool,
}

impl TryFrom<Row> for PayoutLeg {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("payout_legs", row.reference, why);
        let vault_asset = VaultAsset { vault: UserId(row.vault), asset: AssetId(row.asset_id) };
        let kind = row.source_kind.parse().map_err(|_| wrong("source"))?;
        Ok(Self {
            reference: Reference(u64::try_from(row.reference).map_err(|_| wrong("reference"))?),
            payout: PayoutId(row.payout_id),
            purpose: Purpose::ALL.into_iter().find(|p| p.name() == row.purpose).ok_or_else(|| wrong("purpose"))?,
            subject: row.subject,
            vault_asset,
            custody_index: CustodyIndex(u64::try_from(row.custody_index).map_err(|_| wrong("custody index"))?),
            recipient: Address::from_slice(&row.recipient).ok_or_else(|| wrong("recipient"))?,
            amount: row.amount.into(),
            with_next: row.with_next,
            or_void: row.or_void,
            source: Account { kind, owner: row.source_owner, vault: vault_asset.vault, asset: vault_asset.asset },
            state: LegState::of_name(&row.state).ok_or_else(|| wrong("state"))?,
            rounds: u32::try_from(row.rounds).map_err(|_| wrong("rounds"))?,
            superseded: row.superseded,
        })
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            "select l.reference, l.payout_id, p.purpose, p.subject, l.vault, l.custody_index, l.asset_id, l.recipient, l.amount,
                    l.with_next, l.or_void, l.source_kind, l.source_owner, l.state, l.rounds, l.superseded
             from payout_legs l join payouts p on p.id = l.payout_id " + $rest
            $(, $argument)*
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(PayoutLeg::try_from)
        .collect()
    };
}

/// Returns legs by reference. Omits unknown references.
pub async fn legs(tx: &mut Tx, references: &[Reference]) -> Result<Vec<PayoutLeg>> {
    select!(tx, "where l.reference = any($1) order by l.reference", &possible(references))
}

/// Returns the legs of all payouts of an order or advert by reference, including voided ones.
pub async fn legs_about(tx: &mut Tx, subject: Uuid) -> Result<Vec<PayoutLeg>> {
    select!(tx, "where p.subject = $1 order by l.reference", subject)
}

/// Locks and returns legs by reference. Omits unknown references.
pub async fn lock_legs(tx: &mut Tx, references: &[Reference]) -> Result<Vec<PayoutLeg>> {
    select!(tx, "where l.reference = any($1) order by l.reference for no key update of l", &possible(references))
}

/// Returns all legs of these payouts.
pub async fn legs_of(tx: &mut Tx, payouts: &[PayoutId]) -> Result<Vec<PayoutLeg>> {
    if payouts.is_empty() {
        return Ok(Vec::new());
    }
    select!(tx, "where l.payout_id = any($1) order by l.reference", &uuids(payouts))
}

/// What the payouts out of a user's vault still need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsettled {
    /// Whether a leg is owed, or its payment left the chain.
    pub owed: bool,
    /// Whether a leg is superseded.
    pub superseded: bool,
}

/// Returns what the payouts out of a user's vault still need.
pub async fn unsettled_in(tx: &mut Tx, vault: UserId) -> Result<Unsettled> {
    let row = sqlx::query!(
        r#"select exists (select from payout_legs where vault = $1 and (state = 'owed' or orphaned) and not superseded) as "owed!",
                  exists (select from payout_legs where vault = $1 and state = 'owed' and superseded) as "superseded!""#,
        vault.0
    )
    .fetch_one(tx.connection())
    .await?;
    Ok(Unsettled { owed: row.owed, superseded: row.superseded })
}

/// Returns at most `most` of the oldest legs that can be paid now: they are owed, in no attempt that may still be
/// mined, not superseded, not waiting after a failure, and not stopped by asset or vault. A stop of its own does not hold back an
/// NFT that is to be voided if its payment is refused. Includes either all legs of a
/// payout or none: if one leg was voided, the payout is no longer owed, and the other leg waits to be voided too.
pub async fn payable(tx: &mut Tx, chain: ChainId, now: Timestamp, most: i64) -> Result<Vec<PayoutLeg>> {
    let legs: Result<Vec<PayoutLeg>> = select!(
        tx,
        "where l.state = 'owed' and p.chain_id = $1
           and not exists (select from payout_legs m where m.payout_id = l.payout_id
                           and (m.state <> 'owed' or m.superseded or m.retry_at > $3))
           and not exists (select from payout_legs m join assets t on t.id = m.asset_id
                                join payout_stops s on s.asset_id in (t.id, t.album)
                           where m.payout_id = l.payout_id and not (m.or_void and t.album is not null and s.asset_id = t.id))
           and not exists (select from payout_legs m join assets t on t.id = m.asset_id
                                join vault_stops s on (s.vault, s.asset_id) = (m.vault, m.asset_id)
                           where m.payout_id = l.payout_id and not (m.or_void and t.album is not null and s.cause = 'debt'))
           and not exists (select from payout_legs m join payout_attempts a on m.reference between a.first_reference and a.last_reference
                           where m.payout_id = l.payout_id and a.chain_id = p.chain_id and a.done_at is null)
         order by l.reference limit $2",
        signed(chain.0)?,
        most,
        now
    );
    let mut legs = legs?;
    // Do not let the limit separate legs that are paid together.
    while legs.last().is_some_and(|leg| leg.with_next) {
        legs.pop();
    }
    Ok(legs)
}

/// Updates the states of legs, the numbers of their confirmations, and whether they are superseded.
pub async fn set_legs(tx: &mut Tx, legs: &[PayoutLeg]) -> Result<()> {
    if legs.is_empty() {
        return Ok(());
    }
    let mut references = Vec::new();
    let mut rounds = Vec::new();
    for leg in legs {
        references.push(signed(leg.reference.0)?);
        rounds.push(i32::try_from(leg.rounds).map_err(|_| Error::row("payout_legs", leg.reference.0, "rounds"))?);
    }
    sqlx::query!(
        "update payout_legs p set state = l.state, rounds = l.rounds, superseded = l.superseded
         from unnest($1::bigint[], $2::text[], $3::int[], $4::boolean[]) as l (reference, state, rounds, superseded)
         where p.reference = l.reference",
        &references,
        &column(legs, |leg| leg.state.name().to_owned()),
        &rounds,
        &column(legs, |leg| leg.superseded)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Records legs that still count as settled although a reorganization removed their settlement, because the ledger
/// refused the reversal.
pub async fn orphan(tx: &mut Tx, references: &[Reference]) -> Result<()> {
    sqlx::query!("update payout_legs set orphaned = true where reference = any($1)", &possible(references))
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns the legs that [`orphan`] has recorded, and removes the mark.
pub async fn take_orphaned(tx: &mut Tx, chain: ChainId) -> Result<Vec<Reference>> {
    let rows = sqlx::query_scalar!(
        "update payout_legs l set orphaned = false from payouts p
         where p.id = l.payout_id and p.chain_id = $1 and l.orphaned returning l.reference",
        signed(chain.0)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| u64::try_from(row).map(Reference).map_err(|_| Error::row("payout_legs", row, "reference")))
        .collect()
}
