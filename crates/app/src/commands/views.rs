//! The adverts and orders that the responses to a set's commands show.

use domain::effect::Subject;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::refusal::Refusal;
use store::Tx;

use super::{Actor, Command, CommandKind, Reply};
use crate::Error;
use crate::adverts::{AdvertView, AdvertViews};
use crate::engine::unit_of_work::UnitOfWork;
use crate::orders::{OrderView, OrderViews};

/// An advert or order after a command, as the user who sent the command sees it.
#[derive(Debug, Clone)]
pub enum View {
    Advert(Box<AdvertView>),
    Order(Box<OrderView>),
}

/// Returns what each response shows: the advert or order after the command, also if the command was sent for an outdated
/// version. A repeated command may have nothing to show, because its rows were not loaded.
pub(super) async fn load(
    tx: &mut Tx,
    work: &UnitOfWork,
    set: &[Command],
    replies: &[Reply],
) -> store::Result<Vec<Option<View>>> {
    let shown: Vec<_> = set.iter().zip(replies).map(|(command, reply)| shown(command, reply)).collect();
    let (mut adverts, mut orders) = (Vec::new(), Vec::new());
    for (user, subject) in shown.iter().flatten() {
        match subject {
            Subject::Advert(id) => adverts.push(*id),
            Subject::Order(id) => orders.push((*user, *id)),
        }
    }
    let adverts = if adverts.is_empty() { None } else { Some(AdvertViews::load(tx, work, &adverts).await?) };
    let orders = if orders.is_empty() { None } else { Some(OrderViews::load(tx, work, &orders).await?) };
    let view = |(user, subject)| match subject {
        Subject::Advert(id) => Some(View::Advert(Box::new(adverts.as_ref()?.of(work, user, id).ok()?))),
        Subject::Order(id) => Some(View::Order(Box::new(orders.as_ref()?.of(work, user, id).ok()?))),
    };
    Ok(shown.into_iter().map(|shown| shown.and_then(view)).collect())
}

/// Returns who is shown which advert or order.
fn shown(command: &Command, reply: &Reply) -> Option<(UserId, Subject)> {
    let Actor::User { user, .. } = &command.actor else { return None };
    let response = match reply {
        Ok(response) => Some(response),
        Err(Error::Refused(Refusal::Stale)) => None,
        Err(_) => return None,
    };
    let subject = match &command.what {
        CommandKind::PostAdvert(_) => Subject::Advert(AdvertId(response?.id?)),
        CommandKind::PlaceOrder(_) => Subject::Order(OrderId(response?.id?)),
        CommandKind::Advert { id, .. } | CommandKind::FundFromBalance { target: FundingTarget::Advert(id), .. } => {
            Subject::Advert(*id)
        }
        CommandKind::Order { id, .. } | CommandKind::FundFromBalance { target: FundingTarget::Order(id), .. } => {
            Subject::Order(*id)
        }
        CommandKind::Switch { .. }
        | CommandKind::AdvertDue(_)
        | CommandKind::OrderDue(_)
        | CommandKind::AdvertOutage { .. }
        | CommandKind::OrderOutage { .. } => return None,
    };
    Some((*user, subject))
}
