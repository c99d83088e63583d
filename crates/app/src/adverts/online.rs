//! Switches users online and offline. A user's adverts go online and offline with the user.

use domain::adverts::Event;
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::people::OfflineCause;
use domain::refusal::Refusal;
use serde_json::json;
use store::Tx;
use store::outbox::OutboxEvent;
use store::people::Switch;

use crate::trading::changes::CommandChanges;
use crate::trading::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Result};

pub async fn is_online(context: &Context, user: UserId) -> Result<bool> {
    let (mut tx, _) = context.begin().await?;
    let person = store::people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Ok(person.online)
}

/// What the outbox event says that tells users that they are offline: by their own command or because of a hold, or because
/// they missed acceptances.
fn status(cause: Option<OfflineCause>) -> &'static str {
    match cause {
        None => "37",
        Some(OfflineCause::MissedAcceptances) => "38",
    }
}

/// Sets a user online or offline, and all their adverts with them. Open orders continue. A user who goes offline gets
/// an outbox event, because the change, or a logout, may come from another browser window. During a hold on the account,
/// the user cannot go online.
pub(crate) fn switch(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    online: bool,
) -> std::result::Result<(), Refusal> {
    if online {
        domain::checks::hold(work.person(user)?, work.now)?;
    }
    set(changes, work, user, online, None)
}

/// Sets a user offline who has missed acceptances.
pub(crate) fn take_offline(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    cause: OfflineCause,
) -> std::result::Result<(), Refusal> {
    set(changes, work, user, false, Some(cause))
}

fn set(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    online: bool,
    cause: Option<OfflineCause>,
) -> std::result::Result<(), Refusal> {
    let was_online = work.person(user)?.online;
    changes.switches.push(Switch { user, online, cause });
    if was_online && !online {
        changes.events.push(OutboxEvent { user, kind: "ORDER_STATUS_CHANGE", body: json!(status(cause)) });
    }
    for advert in work.adverts.values().filter(|advert| advert.terms.owner == user) {
        changes.advert_event(work, advert.id, &Event::Switched { online })?;
    }
    Ok(())
}

/// Sets a user offline in a transaction that puts the account on hold, so that nobody can order from the user's adverts
/// meanwhile. Locks the user's open adverts; the user may be locked already.
pub(crate) async fn hold(context: &Context, tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    let keys = Keys {
        people: [user].into(),
        adverts: store::adverts::open_of(tx, &[user]).await?.into_iter().collect(),
        ..Keys::default()
    };
    let mut work = UnitOfWork::load(context, tx, now, keys).await?;
    let mut changes = CommandChanges::default();
    switch(&mut changes, &work, user, false)?;
    work.accept(changes);
    Ok(work.write(tx).await?)
}
