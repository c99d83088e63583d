//! What a user lacks to post an advert or to place an order, as the commands would find it.

use domain::adverts::{TakerRequirement, TakerRequirements};
use domain::assets::Pair;
use domain::checks::{TradeRequirement, TraderFacts};
use domain::clock::Timestamp;
use domain::identity::address;
use domain::ids::UserId;
use domain::refusal::Refusal;
use domain::trade::{Party, Side};
use domain::users::User;
use store::Tx;

use crate::reputation::records_at;
use crate::{Context, Result};

/// What a user wants to do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Intent<'a> {
    /// `None` if the user has not chosen a pair.
    pub(crate) pair: Option<&'a Pair>,
    pub(crate) as_: Party,
    pub(crate) automatic: bool,
    /// Whether the user wants to post an advert, and not to place an order.
    pub(crate) posts: bool,
}

/// What the requirements of advertisers depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakerFacts {
    pub(crate) user: User,
    /// The number of orders completed in 30 days.
    pub(crate) completed: u32,
}

impl TakerFacts {
    pub(crate) async fn read(tx: &mut Tx, now: Timestamp, id: UserId) -> Result<Self> {
        let user = store::users::read(tx, &[id]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        let (_, record) = records_at(tx, &[id], now).await?.pop().ok_or(Refusal::SessionInvalid)?;
        Ok(Self { user, completed: record.completed })
    }

    /// Returns whether the user meets what an advertiser requires.
    pub(crate) fn meet(&self, required: &TakerRequirements) -> bool {
        required.met_by(&self.user, self.completed)
    }

    /// Returns what the user does not meet of what an advertiser requires.
    pub(crate) fn unmet(&self, required: &TakerRequirements) -> Vec<TakerRequirement> {
        required.unmet(&self.user, self.completed)
    }
}

/// Returns the requirements that a user does not meet, each with its refusal.
pub(crate) async fn missing(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    user: UserId,
    intent: Intent<'_>,
) -> Result<Vec<(TradeRequirement, Refusal)>> {
    let data = context.reference_data(tx).await?.data;
    let row = store::users::read(tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let account = store::identity::accounts::read(tx, user).await?;
    let receiving = row.receiving.as_ref().and_then(|to| address::payload(&to.address));
    let addresses: Vec<_> = [row.bound, receiving].into_iter().flatten().collect();
    let facts = TraderFacts {
        now,
        user: &row,
        pair: intent.pair,
        as_: intent.as_,
        automatic: intent.automatic,
        posts: intent.posts,
        region_supported: data.region_supported(&row, intent.pair),
        own: &store::catalog::own_addresses(tx, &addresses).await?.into_iter().collect(),
    };
    Ok(facts.missing(account.is_some_and(|account| account.security_hash.is_some())))
}

/// Returns what a user lacks to post an advert.
pub async fn missing_to_post(
    context: &Context,
    user: UserId,
    pair: Option<&Pair>,
    side: Side,
    automatic: bool,
) -> Result<Vec<(TradeRequirement, Refusal)>> {
    let (mut tx, now) = context.begin().await?;
    let as_ = side.advertiser();
    missing(context, &mut tx, now, user, Intent { pair, as_, automatic, posts: true }).await
}
