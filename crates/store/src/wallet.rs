//! Fund records: coins that entered or left a user's custody, and payments of orders that went directly to the user's
//! address.

use domain::assets::AssetId;
use domain::chain::{Address, BlockNumber, TxHash};
use domain::clock::Timestamp;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::Amount;
use domain::wallet::{Direction, Kind, State};
use uuid::Uuid;

use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// How the record changes the user's balance in the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    More(Amount),
    Less(Amount),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundRecord {
    /// The ID of the transfer and its deposit, of the user's payout, or of the leg of the counterparty's payout.
    pub id: Uuid,
    pub kind: Kind,
    pub state: State,
    pub direction: Direction,
    pub asset: AssetId,
    /// The amount that arrives.
    pub amount: Amount,
    /// The change of the user's balance. The changes of a user and asset add up to the balance, less any debt.
    pub effect: Effect,
    /// The fee or gas that the platform kept from the user's custody.
    pub cost: Amount,
    /// The other party of the order, if the coins went from one party to the other.
    pub counterparty: Option<UserId>,
    /// `None` until the transfer is in a block.
    pub tx: Option<TxHash>,
    /// `None` if unknown.
    pub sender: Option<Address>,
    /// `None` if there is no recipient.
    pub recipient: Option<Address>,
    pub block: Option<BlockNumber>,
    pub order: Option<OrderId>,
    pub advert: Option<AdvertId>,
    /// When the transfer was first seen or the payout decided.
    pub at: Timestamp,
}

struct Row {
    id: Uuid,
    kind: String,
    state: String,
    direction: String,
    asset_id: i64,
    amount: Units,
    gained: Units,
    spent: Units,
    cost: Units,
    counterparty: Option<Uuid>,
    tx_hash: Option<Vec<u8>>,
    sender: Option<Vec<u8>>,
    recipient: Option<Vec<u8>>,
    block_number: Option<i64>,
    order_id: Option<Uuid>,
    advert_id: Option<Uuid>,
    at: Timestamp,
}

impl TryFrom<Row> for FundRecord {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("fund_records", row.id, why);
        let address = |bytes: &[u8]| Address::from_slice(bytes).ok_or_else(|| wrong("address"));
        Ok(Self {
            id: row.id,
            kind: row.kind.parse().map_err(|_| wrong("kind"))?,
            state: row.state.parse().map_err(|_| wrong("state"))?,
            direction: row.direction.parse().map_err(|_| wrong("direction"))?,
            asset: AssetId(row.asset_id),
            amount: row.amount.into(),
            effect: match (Amount::from(row.gained), Amount::from(row.spent)) {
                (gained, Amount::ZERO) => Effect::More(gained),
                (_, spent) => Effect::Less(spent),
            },
            cost: row.cost.into(),
            counterparty: row.counterparty.map(UserId),
            tx: row.tx_hash.map(|hash| TxHash::from_slice(&hash).ok_or_else(|| wrong("hash"))).transpose()?,
            sender: row.sender.as_deref().map(address).transpose()?,
            recipient: row.recipient.as_deref().map(address).transpose()?,
            block: row.block_number.map(|n| u64::try_from(n).map_err(|_| wrong("height"))).transpose()?,
            order: row.order_id.map(OrderId),
            advert: row.advert_id.map(AdvertId),
            at: row.at,
        })
    }
}

macro_rules! select {
    ($rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            r#"select id as "id!", kind as "kind!", state as "state!", direction as "direction!", asset_id as "asset_id!",
                      amount as "amount!", greatest(effect, 0) as "gained!", greatest(-effect, 0) as "spent!", cost as "cost!",
                      counterparty, tx_hash, sender, recipient, block_number, order_id, advert_id, at as "at!"
               from "# + $rest
            $(, $argument)*
        )
    };
}

/// Returns a page of a user's fund records, newest first, and their total number.
pub async fn page_of(
    tx: &mut Tx,
    user: UserId,
    kind: Option<Kind>,
    asset: Option<AssetId>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<FundRecord>, i64)> {
    let kind = kind.map(<&str>::from);
    let asset = asset.map(|asset| asset.0);
    // The sources of the view `fund_records`, without what only the records of the page need.
    let total = sqlx::query_scalar!(
        r#"select case when coalesce($2, 'DEPOSIT') = 'DEPOSIT' then
                      (select count(*) from transfers
                       where vault = $1 and incoming and confirmed_at is null and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
                    + (select count(*) from transfers where vault = $1 and uncredited and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
                    + (select count(*) from deposits where vault = $1 and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3))) else 0 end
                + (select count(*) from payout_legs
                   where vault = $1 and kind is not null and ($2::text is null or kind = $2) and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
                + (select count(*) from payout_legs
                   where counterparty = $1 and ($2::text is null or kind = $2) and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
                + case when coalesce($2, 'ADJUSTMENT') = 'ADJUSTMENT' then
                      (select count(*) from fund_adjustments where user_id = $1 and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3))) else 0 end
                as "many!""#,
        user.0,
        kind,
        asset
    )
    .fetch_one(tx.connection())
    .await?;
    let ids = sqlx::query_scalar!(
        r#"select id as "id!" from (
               (select id, seen_at as at from transfers
                where vault = $1 and incoming and confirmed_at is null and coalesce($2, 'DEPOSIT') = 'DEPOSIT'
                  and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
               union all
               (select id, seen_at from transfers
                where vault = $1 and uncredited and coalesce($2, 'DEPOSIT') = 'DEPOSIT' and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
               union all
               (select id, seen_at from deposits
                where vault = $1 and coalesce($2, 'DEPOSIT') = 'DEPOSIT' and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3))
                order by seen_at desc, id desc limit $6)
               union all
               (select payout_id, created_at from payout_legs
                where vault = $1 and kind is not null and ($2::text is null or kind = $2) and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3))
                order by created_at desc, payout_id desc limit $6)
               union all
               (select record_id, created_at from payout_legs
                where counterparty = $1 and ($2::text is null or kind = $2) and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3))
                order by created_at desc, record_id desc limit $6)
               union all
               (select id, at from fund_adjustments
                where user_id = $1 and coalesce($2, 'ADJUSTMENT') = 'ADJUSTMENT' and ($3::bigint is null or asset_id in (select id from assets where id = $3 or album = $3)))
           ) r order by at desc, id desc offset $4 limit $5"#,
        user.0,
        kind,
        asset,
        offset,
        limit,
        offset.saturating_add(limit)
    )
    .fetch_all(tx.connection())
    .await?;
    // `offset 0` keeps the planner from reading all records of the user.
    let records = select!(
        "(select * from fund_records where id = any($2) offset 0) r where user_id = $1 order by at desc, id desc",
        user.0,
        &ids
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(FundRecord::try_from)
    .collect::<Result<_>>()?;
    Ok((records, total))
}

/// Returns a fund record; `None` if it belongs to another user.
pub async fn one(tx: &mut Tx, user: UserId, id: Uuid) -> Result<Option<FundRecord>> {
    select!("(select * from fund_records where id = $2 offset 0) r where user_id = $1", user.0, id)
        .fetch_optional(tx.connection())
        .await?
        .map(FundRecord::try_from)
        .transpose()
}

/// Returns the total increase and decrease of a user's balance of each asset, over all fund records.
pub async fn effects(tx: &mut Tx, user: UserId) -> Result<Vec<(AssetId, Amount, Amount)>> {
    let rows = sqlx::query!(
        r#"select asset_id as "asset_id!", sum(greatest(effect, 0)) as "gained!", sum(greatest(-effect, 0)) as "spent!"
           from fund_records where user_id = $1 group by asset_id order by asset_id"#,
        user.0
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (AssetId(row.asset_id), row.gained.into(), row.spent.into())).collect())
}
