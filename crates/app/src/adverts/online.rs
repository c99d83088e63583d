//! Switches users online and offline. A user's adverts go online and offline with the user.

use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::refusal::Refusal;
use store::Tx;

use crate::engine::changes::CommandChanges;
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Result};

pub async fn is_online(context: &Context, user: UserId) -> Result<bool> {
    let (mut tx, _) = context.begin().await?;
    let user = store::users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Ok(user.online)
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
        domain::checks::hold(work.user(user)?, work.now)?;
    }
    changes.set_online(work, user, online, None)
}

/// Sets a user offline in a transaction that puts the account on hold, so that nobody can order from the user's adverts
/// meanwhile. Locks the user's open adverts; the user may be locked already.
pub(crate) async fn hold(context: &Context, tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    let keys = Keys {
        users: [user].into(),
        adverts: store::adverts::open_of(tx, &[user]).await?.into_iter().collect(),
        ..Keys::default()
    };
    let mut work = UnitOfWork::load(context, tx, now, keys).await?;
    let mut changes = CommandChanges::default();
    switch(&mut changes, &work, user, false)?;
    work.accept(changes);
    Ok(work.write(tx).await?)
}
