//! Payouts: what is owed on the chain, and the signed transactions that pay it.

use domain::assets::AssetId;
use domain::chain::{Address, BlockNumber, ChainId, CustodyIndex, Reference, TxHash};
use domain::clock::Timestamp;
use domain::ids::{PayoutId, UserId};
use domain::ledger::{Account, AccountKind, VaultAsset};
use domain::money::Amount;
use uuid::Uuid;

use crate::catalog::signed;
use crate::numeric::Units;
use crate::{Error, Result, Tx};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// An order's escrow is paid to the other party.
    Release,
    /// An order's escrow is paid back.
    Refund,
    /// An advert's remaining escrow is paid back.
    AdvertReturn,
    /// Unexpected coins, which ended an advert before it was published, are paid back.
    WrongDeposit,
    /// Temporary balance is paid to its owner.
    Withdrawal,
    /// The platform's fees leave a vault.
    Treasury,
}

impl Purpose {
    const ALL: [Self; 6] =
        [Self::Release, Self::Refund, Self::AdvertReturn, Self::WrongDeposit, Self::Withdrawal, Self::Treasury];

    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Refund => "refund",
            Self::AdvertReturn => "advert_return",
            Self::WrongDeposit => "wrong_deposit",
            Self::Withdrawal => "withdrawal",
            Self::Treasury => "treasury",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLeg {
    pub vault_asset: VaultAsset,
    pub custody_index: CustodyIndex,
    pub recipient: Address,
    pub amount: Amount,
    /// The account from which the coins were taken; they return there if the leg is voided.
    pub source: Account,
}

/// A payout with one leg, or several that are paid together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayout {
    pub id: PayoutId,
    pub purpose: Purpose,
    /// The order, advert, withdrawal or vault that it is for.
    pub subject: Uuid,
    pub legs: Vec<NewLeg>,
}

/// The state of a leg by the chain's final blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LegState {
    Owed,
    /// Paid in a final block.
    Paid,
    /// Can never be paid: its reference is spent.
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
pub struct Leg {
    /// The Escrow pays it at most once.
    pub reference: Reference,
    pub payout: PayoutId,
    pub purpose: Purpose,
    /// The order, advert, withdrawal or vault that the payout is for.
    pub subject: Uuid,
    pub vault_asset: VaultAsset,
    pub custody_index: CustodyIndex,
    pub recipient: Address,
    pub amount: Amount,
    /// Whether it is paid together with the next reference or not at all.
    pub with_next: bool,
    /// Whether the chain voids it if its payment is refused once more.
    pub or_void: bool,
    /// The account from which the coins were taken.
    pub source: Account,
    pub state: LegState,
    /// How often the chain has confirmed it.
    pub rounds: u32,
}

/// A signed transaction that pays some legs.
#[derive(Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The settler's nonce.
    pub nonce: u64,
    /// The first leg of the batch.
    pub first: Reference,
    /// The last leg of the batch.
    pub last: Reference,
    /// The call to the Escrow. A replacement has the same call.
    pub call: Vec<u8>,
    /// The signed bytes.
    pub raw: Vec<u8>,
    pub tx: TxHash,
    /// The maximum price of a unit of gas, in base units of the native coin.
    pub max_fee: Amount,
    /// The tip per unit of gas.
    pub priority_fee: Amount,
    pub signed_at: Timestamp,
    /// The newest block that was known then.
    pub head: Option<BlockNumber>,
}

impl std::fmt::Debug for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Attempt(nonce {}, {}..={}, {})", self.nonce, self.first.0, self.last.0, self.tx)
    }
}

/// Inserts payouts and assigns a reference to each leg. Legs of one payout have consecutive references.
pub async fn insert(tx: &mut Tx, chain: ChainId, payouts: &[NewPayout], at: Timestamp) -> Result<()> {
    for payout in payouts {
        sqlx::query!(
            "insert into payouts (id, chain_id, purpose, subject, created_at) values ($1, $2, $3, $4, $5)",
            payout.id.0,
            signed(chain.0)?,
            payout.purpose.name(),
            payout.subject,
            at
        )
        .execute(tx.connection())
        .await?;
        let count = signed(u64::try_from(payout.legs.len()).unwrap_or(u64::MAX))?;
        // One block of references, so that atomic legs stay adjacent even if other transactions reserve some as well.
        let first = reserve_references(tx, count).await?;
        for (place, leg) in (0_i64..).zip(&payout.legs) {
            sqlx::query!(
                "insert into payout_legs (reference, payout_id, vault, custody_index, asset_id, recipient, amount, with_next,
                                          source_kind, source_owner, state)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'owed')",
                first.saturating_add(place),
                payout.id.0,
                leg.vault_asset.vault.0,
                signed(leg.custody_index.0)?,
                leg.vault_asset.asset.0,
                leg.recipient.as_slice(),
                Units(leg.amount) as _,
                place.saturating_add(1) < count,
                leg.source.kind.name(),
                leg.source.owner
            )
            .execute(tx.connection())
            .await?;
        }
    }
    Ok(())
}

async fn reserve_references(tx: &mut Tx, count: i64) -> Result<i64> {
    // Locked until the transaction ends, so that the references of one payout are consecutive.
    sqlx::query!("select pg_advisory_xact_lock(hashtext('payout_references'))").execute(tx.connection()).await?;
    let first =
        sqlx::query_scalar!(r#"select nextval('payout_references') as "first!""#).fetch_one(tx.connection()).await?;
    if count > 1 {
        sqlx::query_scalar!("select setval('payout_references', $1)", first.saturating_add(count).saturating_sub(1))
            .fetch_one(tx.connection())
            .await?;
    }
    Ok(first)
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
}

impl TryFrom<Row> for Leg {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("payout_legs", row.reference, why);
        let vault_asset = VaultAsset { vault: UserId(row.vault), asset: AssetId(row.asset_id) };
        let kind =
            AccountKind::ALL.into_iter().find(|kind| kind.name() == row.source_kind).ok_or_else(|| wrong("source"))?;
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
        })
    }
}

/// The references that fit the column; a larger one does not exist.
fn possible(references: &[Reference]) -> Vec<i64> {
    references.iter().filter_map(|reference| i64::try_from(reference.0).ok()).collect()
}

/// Returns legs by reference; unknown references are left out.
pub async fn legs(tx: &mut Tx, references: &[Reference]) -> Result<Vec<Leg>> {
    sqlx::query_as!(
        Row,
        "select l.reference, l.payout_id, p.purpose, p.subject, l.vault, l.custody_index, l.asset_id, l.recipient, l.amount,
                l.with_next, l.or_void, l.source_kind, l.source_owner, l.state, l.rounds
         from payout_legs l join payouts p on p.id = l.payout_id
         where l.reference = any($1) order by l.reference",
        &possible(references)
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Leg::try_from)
    .collect()
}

/// Locks and returns legs by reference; unknown references are left out.
pub async fn lock_legs(tx: &mut Tx, references: &[Reference]) -> Result<Vec<Leg>> {
    sqlx::query_as!(
        Row,
        "select l.reference, l.payout_id, p.purpose, p.subject, l.vault, l.custody_index, l.asset_id, l.recipient, l.amount,
                l.with_next, l.or_void, l.source_kind, l.source_owner, l.state, l.rounds
         from payout_legs l join payouts p on p.id = l.payout_id
         where l.reference = any($1) order by l.reference for no key update of l",
        &possible(references)
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Leg::try_from)
    .collect()
}

/// All legs of some payouts.
pub async fn legs_of(tx: &mut Tx, payouts: &[PayoutId]) -> Result<Vec<Leg>> {
    let payouts: Vec<_> = payouts.iter().map(|payout| payout.0).collect();
    sqlx::query_as!(
        Row,
        "select l.reference, l.payout_id, p.purpose, p.subject, l.vault, l.custody_index, l.asset_id, l.recipient, l.amount,
                l.with_next, l.or_void, l.source_kind, l.source_owner, l.state, l.rounds
         from payout_legs l join payouts p on p.id = l.payout_id
         where l.payout_id = any($1) order by l.reference",
        &payouts
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Leg::try_from)
    .collect()
}

/// The oldest legs that are owed, are in no attempt that may still be mined, do not wait after a failure, and whose
/// payouts are not stopped by asset or vault; at most `most`. A payout of several legs is included completely or not at
/// all: if one leg was voided, the payout is no longer owed, and the other leg waits to be voided too.
pub async fn payable(tx: &mut Tx, chain: ChainId, now: Timestamp, most: i64) -> Result<Vec<Leg>> {
    let mut legs: Vec<Leg> = sqlx::query_as!(
        Row,
        "select l.reference, l.payout_id, p.purpose, p.subject, l.vault, l.custody_index, l.asset_id, l.recipient, l.amount,
                l.with_next, l.or_void, l.source_kind, l.source_owner, l.state, l.rounds
         from payout_legs l join payouts p on p.id = l.payout_id
         where l.state = 'owed' and p.chain_id = $1
           and not exists (select from payout_legs m where m.payout_id = l.payout_id and (m.state <> 'owed' or m.retry_at > $3))
           and not exists (select from payout_legs m join payout_stops s on s.asset_id = m.asset_id where m.payout_id = l.payout_id)
           and not exists (select from payout_legs m join vault_stops s on (s.vault, s.asset_id) = (m.vault, m.asset_id)
                           where m.payout_id = l.payout_id)
           and not exists (select from payout_legs m join payout_attempts a on m.reference between a.first_reference and a.last_reference
                           where m.payout_id = l.payout_id and a.chain_id = p.chain_id and a.done_at is null)
         order by l.reference limit $2",
        signed(chain.0)?,
        most,
        now
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Leg::try_from)
    .collect::<Result<_>>()?;
    // The limit must not separate legs that are paid together.
    while legs.last().is_some_and(|leg| leg.with_next) {
        legs.pop();
    }
    Ok(legs)
}

/// Updates the state of a leg and how often it was confirmed.
pub async fn set_leg(tx: &mut Tx, reference: Reference, state: LegState, rounds: u32) -> Result<()> {
    sqlx::query!(
        "update payout_legs set state = $2, rounds = $3 where reference = $1",
        signed(reference.0)?,
        state.name(),
        i32::try_from(rounds).map_err(|_| Error::row("payout_legs", reference.0, "rounds"))?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Marks legs whose settlement was removed but that still count as settled, because the ledger refused to revert them.
pub async fn orphan(tx: &mut Tx, references: &[Reference]) -> Result<()> {
    sqlx::query!("update payout_legs set orphaned = true where reference = any($1)", &possible(references))
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns and unmarks the legs that [`orphan`] marked.
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

/// Records that a leg failed on the chain, and when it is retried: the more failures, the later. Returns the number of
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

/// A leg that is owed but keeps failing, or whose partner leg was voided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failing {
    pub leg: Leg,
    /// The number of failures.
    pub failures: u32,
    /// The time of the first failure.
    pub since: Option<Timestamp>,
    /// Whether the partner leg was voided alone, so that this one must be voided too.
    pub half: bool,
}

/// The legs that are owed and failed at least `at_least` times, and those whose partner leg was voided alone.
pub async fn failing(tx: &mut Tx, at_least: u32) -> Result<Vec<Failing>> {
    let rows = sqlx::query!(
        r#"select l.reference, l.failures, l.failing_since,
                  exists(select from payout_legs m where m.payout_id = l.payout_id and m.state = 'voided') as "half!"
           from payout_legs l
           where l.state = 'owed' and (l.failures >= $1 or exists(
               select from payout_legs m where m.payout_id = l.payout_id and m.state = 'voided'))
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
            Ok(Failing { leg, failures, since: row.failing_since, half: row.half })
        })
        .collect()
}

/// The rejections of a leg by its recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejections {
    /// The number since the leg has its current address.
    pub times: u32,
    /// The time of the first one.
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

/// Redirects an owed leg to another address under the same reference, to be paid without further delay.
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

/// Lets the chain void an owed leg if its payment is refused once more; it is sent without further delay.
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

/// Stores a signed transaction before it is sent.
pub async fn insert_attempt(tx: &mut Tx, chain: ChainId, attempt: &Attempt) -> Result<()> {
    sqlx::query!(
        "insert into payout_attempts (chain_id, nonce, first_reference, last_reference, call, raw, tx_hash, max_fee, priority_fee, signed_at, head_number)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        signed(chain.0)?,
        signed(attempt.nonce)?,
        signed(attempt.first.0)?,
        signed(attempt.last.0)?,
        attempt.call,
        attempt.raw,
        attempt.tx.as_slice(),
        Units(attempt.max_fee) as _,
        Units(attempt.priority_fee) as _,
        attempt.signed_at,
        attempt.head.map(signed).transpose()?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The attempts that may still be mined, by nonce, newest first within a nonce.
pub async fn open_attempts(tx: &mut Tx, chain: ChainId) -> Result<Vec<Attempt>> {
    let rows = sqlx::query!(
        "select nonce, first_reference, last_reference, call, raw, tx_hash, max_fee, priority_fee, signed_at, head_number
         from payout_attempts
         where chain_id = $1 and done_at is null order by nonce, id desc",
        signed(chain.0)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("payout_attempts", row.nonce, why);
            let positive = |number: i64| u64::try_from(number).map_err(|_| wrong("below zero"));
            Ok(Attempt {
                nonce: positive(row.nonce)?,
                first: Reference(positive(row.first_reference)?),
                last: Reference(positive(row.last_reference)?),
                call: row.call,
                raw: row.raw,
                tx: TxHash::from_slice(&row.tx_hash).ok_or_else(|| wrong("hash"))?,
                max_fee: row.max_fee.into(),
                priority_fee: row.priority_fee.into(),
                signed_at: row.signed_at,
                head: row.head_number.map(positive).transpose()?,
            })
        })
        .collect()
}

/// Closes all attempts of the nonces that some mined transactions used: their result is final.
pub async fn close_attempts(tx: &mut Tx, chain: ChainId, mined: &[TxHash], now: Timestamp) -> Result<()> {
    let mined: Vec<_> = mined.iter().map(|hash| hash.0.to_vec()).collect();
    sqlx::query!(
        "update payout_attempts a set done_at = $3
         where a.chain_id = $1 and a.done_at is null
           and a.nonce in (select b.nonce from payout_attempts b where b.chain_id = $1 and b.tx_hash = any($2))",
        signed(chain.0)?,
        &mined,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Closes all attempts of a nonce that another transaction used, or that had no effect. Other attempts may pay its
/// legs.
pub async fn close_nonce(tx: &mut Tx, chain: ChainId, nonce: u64, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update payout_attempts set done_at = $3 where chain_id = $1 and nonce = $2 and done_at is null",
        signed(chain.0)?,
        signed(nonce)?,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Reopens the closed attempts of the nonces from `from` to before `before`. Returns how many.
pub async fn reopen_nonces(tx: &mut Tx, chain: ChainId, from: u64, before: u64) -> Result<u64> {
    let reopened = sqlx::query!(
        "update payout_attempts set done_at = null where chain_id = $1 and nonce >= $2 and nonce < $3 and done_at is not null",
        signed(chain.0)?,
        signed(from)?,
        signed(before)?
    )
    .execute(tx.connection())
    .await?;
    Ok(reopened.rows_affected())
}

/// Reopens the attempts that were mined from a height on, because a reorganization removes those blocks.
pub async fn reopen_attempts_from(tx: &mut Tx, chain: ChainId, from: BlockNumber) -> Result<()> {
    sqlx::query!(
        "update payout_attempts a set done_at = null
         where a.chain_id = $1 and a.done_at is not null and a.nonce >= (
             select min(b.nonce) from payout_attempts b join settlements s on s.tx_hash = b.tx_hash
             where b.chain_id = $1 and s.chain_id = $1 and s.block_number >= $2)",
        signed(chain.0)?,
        signed(from)?
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Makes this process the only payout worker, unless there is one. The lock ends with the transaction.
pub async fn try_lead(tx: &mut Tx) -> Result<bool> {
    Ok(sqlx::query_scalar!(r#"select pg_try_advisory_xact_lock(hashtext('payout_worker')) as "leads!""#)
        .fetch_one(tx.connection())
        .await?)
}

/// A withdrawal of temporary balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The payout that carries it out.
    pub payout: PayoutId,
    pub user: UserId,
    pub asset: AssetId,
    /// The amount that arrives.
    pub amount: Amount,
    pub gas: Amount,
    pub recipient: Address,
    pub requested_at: Timestamp,
}

/// Inserts a withdrawal. Its payout must exist.
pub async fn insert_withdrawal(tx: &mut Tx, withdrawal: &Withdrawal) -> Result<()> {
    sqlx::query!(
        "insert into withdrawals (id, user_id, asset_id, amount, gas, recipient, requested_at) values ($1, $2, $3, $4, $5, $6, $7)",
        withdrawal.payout.0,
        withdrawal.user.0,
        withdrawal.asset.0,
        Units(withdrawal.amount) as _,
        Units(withdrawal.gas) as _,
        withdrawal.recipient.as_slice(),
        withdrawal.requested_at
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
