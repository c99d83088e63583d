//! A user's conversations, and what is unread in all of them.

use std::collections::BTreeMap;

use domain::ids::{OrderId, UserId};
use domain::order_log::LogEntry;
use domain::orders::Order;
use domain::trade::Party;
use domain::users::User;
use store::talk;

use super::{Talk, access};
use crate::memory::assets::{Assets, TradedAssets};
use crate::{Error, Result};

/// A conversation in the user's list.
#[derive(Debug, Clone)]
pub struct Conversation {
    pub order: Order,
    /// The user's role.
    pub party: Party,
    pub counterparty: User,
    pub assets: TradedAssets,
    /// The last message.
    pub last: LogEntry,
    /// The number of unread messages to the user.
    pub unread: u32,
}

/// What the floating button shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bubble {
    /// The number of the user's open orders.
    pub open_orders: u32,
    /// The number of open orders that someone else has changed since the user last saw them.
    pub changed_orders: u32,
    /// The number of unread messages to the user.
    pub unread: u32,
}

impl Talk {
    /// Returns a page of the user's conversations that have messages, those with the newest message first, and their total
    /// number.
    pub async fn list(&self, user: UserId, offset: i64, limit: i64) -> Result<(Vec<Conversation>, i64)> {
        let (mut tx, _) = self.context.begin().await?;
        let (recent, total) = talk::recent(&mut tx, user, offset, limit).await?;
        let ids: Vec<_> = recent.iter().map(|(order, ..)| *order).collect();
        if ids.is_empty() {
            return Ok((Vec::new(), total));
        }
        let orders: BTreeMap<_, _> =
            store::orders::read(&mut tx, &ids).await?.into_iter().map(|order| (order.id, order)).collect();
        let last: BTreeMap<_, _> = store::order_log::last_messages(&mut tx, &ids)
            .await?
            .into_iter()
            .map(|entry| (entry.order, entry))
            .collect();
        let others: Vec<_> =
            orders.values().filter_map(|order| Some(order.terms.user(order.terms.party(user)?.other()))).collect();
        let others: BTreeMap<_, _> =
            store::users::read(&mut tx, &others).await?.into_iter().map(|user| (user.id, user)).collect();
        let data = self.context.reference_data(&mut tx).await?.data;
        let assets = Assets::load(&mut tx, &data, orders.values().map(|order| order.terms.base.asset)).await?;
        let found = recent.into_iter().map(|(id, _, unread)| {
            let order = orders.get(&id)?.clone();
            let party = order.terms.party(user)?;
            Some(Conversation {
                party,
                counterparty: others.get(&order.terms.user(party.other()))?.clone(),
                assets: assets.traded(order.terms.base, order.terms.quote, order.terms.prepayment).ok()?,
                last: last.get(&id)?.clone(),
                unread,
                order,
            })
        });
        let found: Option<Vec<_>> = found.collect();
        Ok((found.ok_or_else(|| Error::Internal(format!("a conversation of {user} is incomplete")))?, total))
    }

    /// Returns the number of unread messages to the user.
    pub async fn unread(&self, user: UserId) -> Result<u32> {
        let (mut tx, _) = self.context.alone().await?;
        Ok(talk::unread(&mut tx, user).await?)
    }

    /// Returns the number of unread messages to a party in the conversation of an order.
    pub async fn unread_of(&self, user: UserId, order: OrderId) -> Result<u32> {
        let (mut tx, _) = self.context.begin().await?;
        access::as_party(&mut tx, user, order).await?;
        let marks = talk::marks_of(&mut tx, order).await?;
        Ok(marks.into_iter().find(|(reader, _)| *reader == user).map_or(0, |(_, marks)| marks.unread))
    }

    /// Returns what the floating button shows.
    pub async fn bubble(&self, user: UserId) -> Result<Bubble> {
        let (mut tx, _) = self.context.begin().await?;
        let (open_orders, changed_orders) = talk::changed_orders(&mut tx, user).await?;
        let unread = talk::unread(&mut tx, user).await?;
        Ok(Bubble { open_orders, changed_orders, unread })
    }
}
