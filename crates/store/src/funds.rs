//! A person's fund record: what arrived in their vault, and what was paid out to them.

use domain::assets::AssetId;
use domain::chain::{Address, BlockNumber, TxHash};
use domain::clock::Moment;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::Amount;
use uuid::Uuid;

use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// What kind of movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Coins arrived in the vault.
    Deposit,
    /// Temporary balance was taken out.
    Withdrawal,
    /// The other side's coins, of an order.
    Release,
    /// One's own coins, of a cancelled order.
    Refund,
    /// One's own coins, of an advert that ended.
    Return,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Deposit, Self::Withdrawal, Self::Release, Self::Refund, Self::Return];

    /// The name under which it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deposit => "DEPOSIT",
            Self::Withdrawal => "WITHDRAWAL",
            Self::Release => "RELEASE",
            Self::Refund => "REFUND",
            Self::Return => "RETURN",
        }
    }
}

/// How a movement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Seen in a block that is not deep enough.
    Confirming,
    /// Final.
    Completed,
    /// Decided, not sent yet.
    Requested,
    /// Sent, in no block yet.
    InFlight,
    /// Will never be paid: it went back where it came from. Of a deposit: its token moved less than it said, and nothing
    /// is credited.
    Failed,
    /// The chain took it back. A payout will be paid again; a deposit is gone.
    Revoked,
}

impl State {
    const ALL: [Self; 6] =
        [Self::Confirming, Self::Completed, Self::Requested, Self::InFlight, Self::Failed, Self::Revoked];

    /// The name under which it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirming => "CONFIRMING",
            Self::Completed => "COMPLETED",
            Self::Requested => "REQUESTED",
            Self::InFlight => "IN_FLIGHT",
            Self::Failed => "FAILED",
            Self::Revoked => "REVOKED",
        }
    }
}

/// One movement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundRecord {
    /// Its id: that of the transfer and deposit, or of the payout.
    pub id: Uuid,
    /// What kind.
    pub kind: Kind,
    /// How it stands.
    pub state: State,
    /// Towards the person; a withdrawal is away from their balance.
    pub incoming: bool,
    /// Of what.
    pub asset: AssetId,
    /// How much.
    pub amount: Amount,
    /// The transaction, once there is one in a block.
    pub tx: Option<TxHash>,
    /// From where, if known.
    pub sender: Option<Address>,
    /// To where.
    pub recipient: Address,
    /// The block in which it lies.
    pub block: Option<BlockNumber>,
    /// The order that it is for.
    pub order: Option<OrderId>,
    /// The advert that it is for.
    pub advert: Option<AdvertId>,
    /// When it was first seen or decided.
    pub at: Moment,
}

struct Row {
    id: Uuid,
    kind: String,
    state: String,
    incoming: bool,
    asset_id: i64,
    amount: Units,
    tx_hash: Option<Vec<u8>>,
    sender: Option<Vec<u8>>,
    recipient: Vec<u8>,
    block_number: Option<i64>,
    order_id: Option<Uuid>,
    advert_id: Option<Uuid>,
    at: Moment,
}

impl TryFrom<Row> for FundRecord {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("fund_records", row.id, why);
        let address = |bytes: &[u8]| Address::from_slice(bytes).ok_or_else(|| wrong("address"));
        Ok(Self {
            id: row.id,
            kind: Kind::ALL.into_iter().find(|kind| kind.name() == row.kind).ok_or_else(|| wrong("kind"))?,
            state: State::ALL.into_iter().find(|state| state.name() == row.state).ok_or_else(|| wrong("state"))?,
            incoming: row.incoming,
            asset: AssetId(row.asset_id),
            amount: row.amount.into(),
            tx: row.tx_hash.map(|hash| TxHash::from_slice(&hash).ok_or_else(|| wrong("hash"))).transpose()?,
            sender: row.sender.as_deref().map(address).transpose()?,
            recipient: address(&row.recipient)?,
            block: row.block_number.map(|n| u64::try_from(n).map_err(|_| wrong("height"))).transpose()?,
            order: row.order_id.map(OrderId),
            advert: row.advert_id.map(AdvertId),
            at: row.at,
        })
    }
}

/// A page of a person's record, the newest first, and how many there are.
pub async fn page_of(
    tx: &mut Tx,
    person: UserId,
    kind: Option<Kind>,
    asset: Option<AssetId>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<FundRecord>, i64)> {
    let (kind, asset) = (kind.map(Kind::name), asset.map(|asset| asset.0));
    let total = sqlx::query_scalar!(
        r#"select count(*) as "many!" from fund_records
           where person = $1 and ($2::text is null or kind = $2) and ($3::bigint is null or asset_id = $3)"#,
        person.0,
        kind,
        asset
    )
    .fetch_one(tx.connection())
    .await?;
    let records = sqlx::query_as!(
        Row,
        r#"select id as "id!", kind as "kind!", state as "state!", incoming as "incoming!", asset_id as "asset_id!",
                  amount as "amount!", tx_hash, sender, recipient as "recipient!", block_number, order_id, advert_id, at as "at!"
           from fund_records
           where person = $1 and ($2::text is null or kind = $2) and ($3::bigint is null or asset_id = $3)
           order by at desc, id desc offset $4 limit $5"#,
        person.0,
        kind,
        asset,
        offset,
        limit
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(FundRecord::try_from)
    .collect::<Result<_>>()?;
    Ok((records, total))
}

/// One movement of a person's record; nothing if it is somebody else's.
pub async fn one(tx: &mut Tx, person: UserId, id: Uuid) -> Result<Option<FundRecord>> {
    sqlx::query_as!(
        Row,
        r#"select id as "id!", kind as "kind!", state as "state!", incoming as "incoming!", asset_id as "asset_id!",
                  amount as "amount!", tx_hash, sender, recipient as "recipient!", block_number, order_id, advert_id, at as "at!"
           from fund_records where person = $1 and id = $2 order by asset_id limit 1"#,
        person.0,
        id
    )
    .fetch_optional(tx.connection())
    .await?
    .map(FundRecord::try_from)
    .transpose()
}
