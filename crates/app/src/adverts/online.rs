//! Switches users online and offline. A user's adverts go online and offline with the user.

use domain::adverts::Event;
use domain::ids::UserId;
use domain::refusal::Refusal;
use serde_json::json;
use store::outbox::OutboxEvent;

use crate::trading::changes::CommandChanges;
use crate::trading::unit_of_work::UnitOfWork;
use crate::{Context, Result};

pub async fn is_online(context: &Context, user: UserId) -> Result<bool> {
    let (mut tx, _) = context.begin().await?;
    let person = store::people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Ok(person.online)
}

/// Type of the outbox event that tells users that they were set offline.
const SET_OFFLINE: &str = "37";

/// Sets a user online or offline, and all their adverts with them. Open orders continue. A user who goes offline gets
/// an outbox event, because the change, or a logout, may come from another browser window.
pub(crate) fn switch(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    online: bool,
) -> std::result::Result<(), Refusal> {
    let was_online = work.person(user)?.online;
    changes.switches.push((user, online));
    if was_online && !online {
        changes.events.push(OutboxEvent { user, kind: "ORDER_STATUS_CHANGE", body: json!(SET_OFFLINE) });
    }
    for advert in work.adverts.values().filter(|advert| advert.terms.owner == user) {
        changes.advert_event(work, advert.id, &Event::Switched { online })?;
    }
    Ok(())
}
