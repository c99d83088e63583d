//! Marks: how far a party has received and read the log of an order.

use domain::ids::{OrderId, UserId};
use domain::trade::Party;
use store::Tx;
use store::talk::{self, Marks};

use super::{Talk, TalkMarks, access};
use crate::Result;
use crate::engine::talk_events;
use crate::memory::feed::Change;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Delivered,
    Read,
}

impl Talk {
    /// Marks the log as delivered to a device of the user, up to an entry or to its end.
    pub async fn mark_delivered(&self, user: UserId, order: OrderId, up_to: Option<i64>) -> Result<()> {
        self.mark(user, order, Mark::Delivered, up_to).await.map(|_| ())
    }

    /// Marks the log as read by the user, up to an entry or to its end. Returns the user's marks.
    pub async fn mark_read(&self, user: UserId, order: OrderId, up_to: Option<i64>) -> Result<Marks> {
        self.mark(user, order, Mark::Read, up_to).await
    }

    async fn mark(&self, user: UserId, order: OrderId, mark: Mark, up_to: Option<i64>) -> Result<Marks> {
        let (_turn, mut tx, now) = self.begin().await?;
        let (_, party, other) = access::as_party(&mut tx, user, order).await?;
        let number = target(&mut tx, order, up_to).await?;
        let before = own(&mut tx, user, order).await?;
        let known = match mark {
            Mark::Delivered => before.delivered_to,
            Mark::Read => before.read_to,
        };
        if known >= number {
            return Ok(before);
        }
        store::users::lock(&mut tx, &[user, other]).await?;
        let changed = match mark {
            Mark::Delivered => talk::mark_delivered(&mut tx, order, user, number).await?,
            Mark::Read => talk::mark_read(&mut tx, order, user, party, number).await?,
        };
        let marks = own(&mut tx, user, order).await?;
        if changed {
            let told = TalkMarks { party, delivered_to: marks.delivered_to, read_to: marks.read_to };
            // The user's other devices show that nothing is unread.
            let users: &[UserId] = if mark == Mark::Read { &[other, user] } else { &[other] };
            store::outbox::write(&mut tx, &talk_events::marked(order, told, users)?, now).await?;
        }
        tx.commit().await?;
        self.context.changed(&[Change::User(user)]);
        Ok(marks)
    }
}

/// Returns the last entry to mark, at most the end of the log.
async fn target(tx: &mut Tx, order: OrderId, up_to: Option<i64>) -> Result<i64> {
    let last = store::order_log::last_number(tx, order).await?;
    Ok(up_to.map_or(last, |up_to| up_to.min(last)))
}

async fn own(tx: &mut Tx, user: UserId, order: OrderId) -> Result<Marks> {
    let marks = talk::marks_of(tx, order).await?;
    Ok(marks.into_iter().find(|(reader, _)| *reader == user).map(|(_, marks)| marks).unwrap_or_default())
}

impl TalkMarks {
    pub(super) fn of(party: Party, marks: Marks) -> Self {
        Self { party, delivered_to: marks.delivered_to, read_to: marks.read_to }
    }
}
