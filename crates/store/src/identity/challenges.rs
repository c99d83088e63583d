//! Pass challenges, and the assertions that answered them.

use domain::chain::Address;
use domain::clock::Timestamp;
use domain::identity::matching::Matching;
use domain::identity::statement::Proven;
use domain::ids::{OrderId, UserId};
use uuid::Uuid;

use crate::{Error, Result, Tx};

/// The constraint that refuses an assertion already used for another challenge.
pub const STATEMENT_ONCE: &str = "pass_challenges_statement_id_key";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The public ID, shown to the pass.
    pub id: Uuid,
    /// The hash of the secret known only to the browser that created the challenge.
    pub secret_hash: [u8; 32],
    /// The name of what the answer is for.
    pub purpose: String,
    /// The user's account, if known when the challenge is created.
    pub user: Option<UserId>,
    /// The order to confirm.
    pub order: Option<OrderId>,
    /// The page to which the pass redirects the user.
    pub return_to: Option<String>,
    pub created_at: Timestamp,
    /// The time by which the challenge must be answered; once it is answered, the time by which the answer must be
    /// used.
    pub expires_at: Timestamp,
    /// Browser, system and region of the requesting browser, where known. The pass shows them to the user.
    pub requester: [Option<String>; 3],
    /// The number shown on the requesting page, and the choices in the pass.
    pub matching: Matching,
    /// The ID of the assertion that answered the challenge.
    pub statement: Option<String>,
    pub way: Way,
    pub outcome: ChallengeOutcome,
}

/// How the answer reaches the browser that created the challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The browser polls for the answer.
    Fetched,
    /// By redirect: the pass redirected a browser with a one-time code, and the requesting browser has not presented
    /// the code yet.
    Returning { code_hash: [u8; 32] },
    /// By redirect: the requesting browser has presented the code.
    Returned { code_hash: [u8; 32] },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChallengeOutcome {
    Waiting,
    Denied,
    /// The user picked a number other than the one on the page.
    WrongNumber,
    /// The pass asserted the user's identity.
    Proven(Proven),
    /// The answer has been used.
    Spent(Proven),
}

struct Row {
    id: Uuid,
    secret_hash: Vec<u8>,
    purpose: String,
    user_id: Option<Uuid>,
    order_id: Option<Uuid>,
    return_to: Option<String>,
    created_at: Timestamp,
    expires_at: Timestamp,
    browser: Option<String>,
    system: Option<String>,
    requester_region: Option<String>,
    number: i16,
    choices: Vec<i16>,
    statement_id: Option<String>,
    code_hash: Option<Vec<u8>>,
    returned_at: Option<Timestamp>,
    denied: bool,
    wrong_number: bool,
    me_id: Option<String>,
    address: Option<Vec<u8>>,
    region: Option<String>,
    kyc_level: Option<String>,
    spent_at: Option<Timestamp>,
}

impl TryFrom<Row> for Challenge {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let id = row.id;
        let wrong = |why| Error::row("pass_challenges", id, why);
        let digit_pair = |number: i16| u8::try_from(number).map_err(|_| wrong("number"));
        let matching = Matching {
            number: digit_pair(row.number)?,
            choices: row.choices.into_iter().map(digit_pair).collect::<Result<_>>()?,
        };
        let code_hash = row.code_hash.map(|hash| hash.try_into().map_err(|_| wrong("code hash"))).transpose()?;
        let way = match (code_hash, row.returned_at) {
            (None, _) => Way::Fetched,
            (Some(code_hash), None) => Way::Returning { code_hash },
            (Some(code_hash), Some(_)) => Way::Returned { code_hash },
        };
        let no = if row.wrong_number { ChallengeOutcome::WrongNumber } else { ChallengeOutcome::Denied };
        let is_no = row.denied || row.wrong_number;
        let outcome = match (is_no, row.me_id, row.address, row.region, row.kyc_level) {
            (true, None, None, None, None) => no,
            (false, None, None, None, None) => ChallengeOutcome::Waiting,
            (false, Some(me_id), Some(address), Some(region), Some(kyc)) => {
                let address = Address::from_slice(&address).ok_or_else(|| wrong("address"))?;
                let kyc = kyc.parse().map_err(|_| wrong("KYC level"))?;
                let proven = Proven { me_id, address, region, kyc };
                if row.spent_at.is_some() { ChallengeOutcome::Spent(proven) } else { ChallengeOutcome::Proven(proven) }
            }
            _ => return Err(wrong("half an answer")),
        };
        Ok(Self {
            id,
            secret_hash: row.secret_hash.try_into().map_err(|_| wrong("secret hash"))?,
            purpose: row.purpose,
            user: row.user_id.map(UserId),
            order: row.order_id.map(OrderId),
            return_to: row.return_to,
            created_at: row.created_at,
            expires_at: row.expires_at,
            requester: [row.browser, row.system, row.requester_region],
            matching,
            statement: row.statement_id,
            way,
            outcome,
        })
    }
}

pub async fn insert(tx: &mut Tx, challenge: &Challenge) -> Result<()> {
    let [browser, system, region] = &challenge.requester;
    let choices: Vec<i16> = challenge.matching.choices.iter().copied().map(i16::from).collect();
    sqlx::query!(
        "insert into pass_challenges (id, secret_hash, purpose, user_id, return_to, created_at, expires_at, browser, system,
             requester_region, number, choices, order_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        challenge.id,
        &challenge.secret_hash,
        challenge.purpose,
        challenge.user.map(|user| user.0),
        challenge.return_to,
        challenge.created_at,
        challenge.expires_at,
        browser.as_deref(),
        system.as_deref(),
        region.as_deref(),
        i16::from(challenge.matching.number),
        &choices,
        challenge.order.map(|order| order.0)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

macro_rules! lock {
    ($tx:expr, $column:literal, $value:expr) => {
        sqlx::query_as!(
            Row,
            "select id, secret_hash, purpose, user_id, order_id, return_to, created_at, expires_at, browser, system, requester_region,
                    number, choices, statement_id, code_hash, returned_at, denied, wrong_number, me_id, address, region,
                    kyc_level, spent_at
             from pass_challenges where " + $column + " = $1 for update",
            $value
        )
        .fetch_optional($tx.connection())
        .await?
        .map(Challenge::try_from)
        .transpose()
    };
}

/// Locks and returns the challenge with an ID.
pub async fn lock(tx: &mut Tx, id: Uuid) -> Result<Option<Challenge>> {
    lock!(tx, "id", id)
}

/// Locks and returns the challenge with the requesting browser's secret.
pub async fn lock_by_secret(tx: &mut Tx, secret_hash: &[u8; 32]) -> Result<Option<Challenge>> {
    lock!(tx, "secret_hash", secret_hash.as_slice())
}

/// Stores the assertion that approves a challenge, how the answer is returned, and by when it must be used.
pub async fn approve(
    tx: &mut Tx,
    id: Uuid,
    statement: &str,
    proven: &Proven,
    way: Way,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    let (code_hash, returned) = match &way {
        Way::Fetched => (None, false),
        Way::Returning { code_hash } => (Some(code_hash.as_slice()), false),
        Way::Returned { code_hash } => (Some(code_hash.as_slice()), true),
    };
    sqlx::query!(
        "update pass_challenges set statement_id = $2, me_id = $3, address = $4, region = $5, kyc_level = $6,
             answered_at = $7, expires_at = $8, code_hash = $9, returned_at = $10
         where id = $1",
        id,
        statement,
        proven.me_id,
        proven.address.as_slice(),
        proven.region,
        proven.kyc.into_str(),
        now,
        expires_at,
        code_hash,
        returned.then_some(now)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Stores the assertion of a user who declined or picked a wrong number.
pub async fn refuse(tx: &mut Tx, id: Uuid, statement: &str, wrong_number: bool, now: Timestamp) -> Result<()> {
    sqlx::query!(
        "update pass_challenges set statement_id = $2, denied = not $3, wrong_number = $3, answered_at = $4 where id = $1",
        id,
        statement,
        wrong_number,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Records that the requesting browser has presented its code, and by when the answer must be used.
pub async fn bring_back(tx: &mut Tx, id: Uuid, now: Timestamp, expires_at: Timestamp) -> Result<()> {
    sqlx::query!("update pass_challenges set returned_at = $2, expires_at = $3 where id = $1", id, now, expires_at)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Records that the answer has been used.
pub async fn spend(tx: &mut Tx, id: Uuid, now: Timestamp) -> Result<()> {
    sqlx::query!("update pass_challenges set spent_at = $2 where id = $1", id, now).execute(tx.connection()).await?;
    Ok(())
}
