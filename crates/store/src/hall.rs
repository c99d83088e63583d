//! What the hall shows, which each server keeps in memory: adverts that take orders, their owners, and blocks between
//! users.

use chrono::Duration;
use domain::adverts::Limits;
use domain::assets::PairId;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::market::Offer;
use domain::money::Price;
use domain::refusal::RiskFlag;
use domain::trade::Method;
use domain::users::Profile;
use uuid::Uuid;

use crate::columns::uuids;
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// The owner of adverts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub profile: Profile,
    /// Set by the user, regardless of open connections.
    pub online: bool,
    /// Restrictions set by an officer.
    pub forbidden: Vec<RiskFlag>,
}

struct Row {
    id: Uuid,
    version: i64,
    owner: Uuid,
    side: String,
    automatic: bool,
    pair_id: i64,
    price: Units,
    remaining: Units,
    min_total: Units,
    max_total: Units,
    remark: Option<String>,
    payment_seconds: i32,
    method_ids: Option<Vec<Uuid>>,
    method_kinds: Option<Vec<String>>,
}

impl TryFrom<Row> for Offer {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("adverts", row.id, why);
        let methods = row.method_ids.unwrap_or_default().into_iter().zip(row.method_kinds.unwrap_or_default());
        Ok(Self {
            advert: AdvertId(row.id),
            version: row.version,
            owner: UserId(row.owner),
            side: row.side.parse().map_err(|_| wrong("side"))?,
            automatic: row.automatic,
            pair: PairId(row.pair_id),
            price: Price::new(row.price.0.units()).map_err(|_| wrong("price"))?,
            remaining: row.remaining.into(),
            terms: Limits { min: row.min_total.into(), max: row.max_total.into() },
            methods: methods.map(|(id, kind)| Method { id: PaymentMethodId(id), kind }).collect(),
            remark: row.remark,
            payment_window: Duration::seconds(row.payment_seconds.into()),
        })
    }
}

macro_rules! offers {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            r#"select a.id, a.version, a.owner, a.side, a.automatic, a.pair_id, a.price, a.remaining, a.min_total, a.max_total,
                      a.remark, a.payment_seconds, m.ids as "method_ids?", m.kinds as "method_kinds?"
               from adverts a cross join lateral (
                   select array_agg(method_id order by method_id) as ids, array_agg(kind order by method_id) as kinds
                   from advert_methods where advert_id = a.id) m
               where a.state = 'ONLINE' and a.frozen is null and a.remaining > 0 "# + $rest
            $(, $argument)*
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(Offer::try_from)
        .collect()
    };
}

/// Returns those of the adverts that take orders while their owners are online and may trade.
pub async fn offers(tx: &mut Tx, ids: &[AdvertId]) -> Result<Vec<Offer>> {
    offers!(tx, "and a.id = any($1)", &uuids(ids))
}

/// Returns a page of all adverts that take orders while their owners are online and may trade, by ID.
pub async fn offers_after(tx: &mut Tx, after: Option<AdvertId>, most: i64) -> Result<Vec<Offer>> {
    offers!(tx, "and a.id > $1 order by a.id limit $2", after.map_or(Uuid::nil(), |id| id.0), most)
}

/// Returns users as owners of adverts.
pub async fn owners(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<Owner>> {
    let rows = sqlx::query!(
        "select id, nickname, region, certified, verified, online, login_forbidden, buy_forbidden, sell_forbidden
         from users where id = any($1)",
        &uuids(ids)
    )
    .fetch_all(tx.connection())
    .await?;
    let owners = rows.into_iter().map(|row| {
        let flags = [
            (row.login_forbidden, RiskFlag::Login),
            (row.buy_forbidden, RiskFlag::Buy),
            (row.sell_forbidden, RiskFlag::Sell),
        ];
        Owner {
            profile: Profile {
                id: UserId(row.id),
                nickname: row.nickname,
                region: row.region,
                certified: row.certified,
                verified: row.verified,
            },
            online: row.online,
            forbidden: flags.into_iter().filter_map(|(set, flag)| set.then_some(flag)).collect(),
        }
    });
    Ok(owners.collect())
}

/// Two users of whom one has blocked the other, in either order.
pub type Blocked = (UserId, UserId);

/// Returns the blocks by or against these users.
pub async fn blocks_of(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Blocked>> {
    let rows = sqlx::query!(
        r#"select blocker as "blocker!", blocked as "blocked!" from blocks_between where blocker = any($1)
           union all select blocker, blocked from blocks_between where blocked = any($1)"#,
        &uuids(users)
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.blocker), UserId(row.blocked))).collect())
}

/// Returns a page of all blocks, the blocker first.
pub async fn blocks_after(tx: &mut Tx, after: Option<Blocked>, most: i64) -> Result<Vec<Blocked>> {
    let (blocker, blocked) = after.map_or((Uuid::nil(), Uuid::nil()), |(blocker, blocked)| (blocker.0, blocked.0));
    let rows = sqlx::query!(
        "select blocker, blocked from blocks_between where (blocker, blocked) > ($1, $2)
         order by blocker, blocked limit $3",
        blocker,
        blocked,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.blocker), UserId(row.blocked))).collect())
}
