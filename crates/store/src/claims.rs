//! What waits for coins in a vault: at most one open claim for a person and an asset.

use domain::assets::AssetId;
use domain::clock::Moment;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::money::Amount;
use uuid::Uuid;

use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// The constraint that refuses a second open claim for a person and asset.
pub const ONE_OPEN: &str = "claims_one_open";

/// For what coins are claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// An advert in creation.
    Advert(AdvertId),
    /// An order that waits for a deposit or an automatic payment.
    Order(OrderId),
}

/// How a claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits.
    Open,
    /// It got what it asked for.
    Met,
    /// It was given up.
    Ended,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Met => "met",
            Self::Ended => "ended",
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        [Self::Open, Self::Met, Self::Ended].into_iter().find(|state| state.name() == name)
    }
}

/// What waits for coins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its id.
    pub id: Uuid,
    /// Whose vault.
    pub user: UserId,
    /// Of what.
    pub asset: AssetId,
    /// For what.
    pub purpose: Purpose,
    /// How much.
    pub need: Amount,
    /// What counts towards it.
    pub counted: Amount,
    /// Since when.
    pub opened_at: Moment,
    /// How it stands.
    pub state: State,
}

struct Row {
    id: Uuid,
    user_id: Uuid,
    asset_id: i64,
    advert_id: Option<Uuid>,
    order_id: Option<Uuid>,
    need: Units,
    counted: Units,
    opened_at: Moment,
    state: String,
}

impl TryFrom<Row> for Claim {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let purpose = match (row.advert_id, row.order_id) {
            (Some(advert), None) => Purpose::Advert(AdvertId(advert)),
            (None, Some(order)) => Purpose::Order(OrderId(order)),
            _ => return Err(Error::row("claims", row.id, "purpose")),
        };
        Ok(Self {
            id: row.id,
            user: UserId(row.user_id),
            asset: AssetId(row.asset_id),
            purpose,
            need: row.need.into(),
            counted: row.counted.into(),
            opened_at: row.opened_at,
            state: State::of_name(&row.state).ok_or_else(|| Error::row("claims", row.id, "state"))?,
        })
    }
}

/// The open claims of some people, locked until the transaction ends.
pub async fn lock_open(tx: &mut Tx, users: &[UserId]) -> Result<Vec<Claim>> {
    let users: Vec<_> = users.iter().map(|user| user.0).collect();
    sqlx::query_as!(
        Row,
        "select id, user_id, asset_id, advert_id, order_id, need, counted, opened_at, state
         from claims where user_id = any($1) and state = 'open' order by id for update",
        &users
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Claim::try_from)
    .collect()
}

/// All claims of an order or an advert, the newest last.
pub async fn of(tx: &mut Tx, subject: Uuid) -> Result<Vec<Claim>> {
    sqlx::query_as!(
        Row,
        "select id, user_id, asset_id, advert_id, order_id, need, counted, opened_at, state
         from claims where advert_id = $1 or order_id = $1 order by opened_at, id",
        subject
    )
    .fetch_all(tx.connection())
    .await?
    .into_iter()
    .map(Claim::try_from)
    .collect()
}

/// Writes claims as they are now. Refused by [`ONE_OPEN`] if a person would have two open ones for an asset.
pub async fn put(tx: &mut Tx, claims: &[Claim]) -> Result<()> {
    for claim in claims {
        let (advert, order) = match claim.purpose {
            Purpose::Advert(advert) => (Some(advert.0), None),
            Purpose::Order(order) => (None, Some(order.0)),
        };
        sqlx::query!(
            "insert into claims (id, user_id, asset_id, advert_id, order_id, need, counted, opened_at, state)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             on conflict (id) do update set counted = excluded.counted, state = excluded.state",
            claim.id,
            claim.user.0,
            claim.asset.0,
            advert,
            order,
            Units(claim.need) as _,
            Units(claim.counted) as _,
            claim.opened_at,
            claim.state.name()
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}
