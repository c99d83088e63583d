//! What officers on a case see of its two parties.

use std::collections::BTreeMap;

use domain::console::risk::RECENT_APPEALS;
use domain::ids::UserId;
use domain::nfts::Nft;
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::reputation::Record;
use domain::trade::Party;
use domain::users::User;
use store::Tx;
use store::console::cases::{self, AppealFacts};

use crate::Result;
use crate::engine::unit_of_work::UnitOfWork;
use crate::reputation::records_at;

/// The number of orders that are shown of a party.
const RECENT_ORDERS: i64 = 10;

/// A party of an order under appeal.
#[derive(Debug, Clone)]
pub struct PartyView {
    pub user: User,
    /// The record of the last 30 days.
    pub record: Record,
    pub facts: AppealFacts,
    /// The newest orders, newest first.
    pub orders: Vec<PartyOrder>,
}

/// An order of a party.
#[derive(Debug, Clone)]
pub struct PartyOrder {
    pub order: Order,
    /// The nickname of the other party.
    pub other: Option<String>,
    /// The NFT that is sold, if it is one.
    pub nft: Option<Nft>,
}

/// Returns the buyer and the seller of an order.
pub(super) async fn parties(tx: &mut Tx, work: &UnitOfWork, order: &Order) -> Result<[PartyView; 2]> {
    let users = Party::ALL.map(|party| order.terms.user(party));
    let since = work.now.checked_sub_signed(RECENT_APPEALS).unwrap_or(work.now);
    let facts = cases::facts(tx, &users, since).await?;
    let records: BTreeMap<_, _> = records_at(tx, &users, work.now).await?.into_iter().collect();
    let view = async |tx: &mut Tx, party: Party| {
        let user = order.terms.user(party);
        Ok::<_, crate::Error>(PartyView {
            user: work.user(user)?.clone(),
            record: *records.get(&user).ok_or(Refusal::NotFound)?,
            facts: *facts.iter().find(|facts| facts.user == user).ok_or(Refusal::NotFound)?,
            orders: recent(tx, user).await?,
        })
    };
    Ok([view(tx, Party::Buyer).await?, view(tx, Party::Seller).await?])
}

async fn recent(tx: &mut Tx, user: UserId) -> Result<Vec<PartyOrder>> {
    let (orders, _) = store::orders::page_of(tx, user, None, 0, RECENT_ORDERS).await?;
    let other = |order: &Order| {
        if order.terms.advertiser == user { order.terms.taker } else { order.terms.advertiser }
    };
    let others: Vec<_> = orders.iter().map(other).collect();
    let users = store::users::read(tx, &others).await?;
    let bases: Vec<_> = orders.iter().map(|order| order.terms.base.asset).collect();
    let nfts = store::nfts::by_ids(tx, &bases).await?;
    let listed = orders.into_iter().map(|order| PartyOrder {
        other: users.iter().find(|row| row.id == other(&order)).and_then(|row| row.nickname.clone()),
        nft: nfts.iter().find(|nft| nft.asset.id == order.terms.base.asset).cloned(),
        order,
    });
    Ok(listed.collect())
}
