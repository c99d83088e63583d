//! Decides one command: leads each kind of command to its rules.

use domain::adverts;
use domain::applied::Applied;
use domain::direct_payment::{hash_key, reference_key};
use domain::files::{Attachment, FileKind, Purpose, check_list};
use domain::ids::{FileId, OrderId, UserId};
use domain::orders;
use domain::refusal::Refusal;
use store::payments::Report;

use super::command::{Command, CommandKind};
use crate::engine::changes::CommandChanges;
use crate::engine::idempotency::Response;
use crate::engine::opening::OpeningInputs;
use crate::engine::unit_of_work::UnitOfWork;
use crate::wallet::fund_from_balance::{self, Free};

/// Decides one command, considering the changes of the commands before it.
pub(super) fn decide(
    work: &UnitOfWork,
    opening: &OpeningInputs,
    free: &Free,
    command: &Command,
) -> Result<(CommandChanges, Response), Refusal> {
    let actor = command.user();
    let mut changes = CommandChanges { actor, ..CommandChanges::default() };
    let user = || actor.ok_or(Refusal::SessionInvalid);
    let response = match &command.what {
        CommandKind::PostAdvert(wanted) => crate::adverts::post(&mut changes, work, (opening, free), user()?, wanted)?,
        CommandKind::PlaceOrder(wanted) => crate::orders::place(&mut changes, work, (opening, free), user()?, wanted)?,
        CommandKind::Advert { id, seen, act } => {
            let advert = changes.advert(work, *id)?;
            let by = adverts::AdvertCaller { user: user()?, seen: *seen };
            match adverts::decide(&advert, &by, act, &work.advert_inputs(&advert))? {
                Applied::Done(done) => {
                    let version = done.advert.version;
                    changes.advert_changed(work, done.advert, done.effects)?;
                    Response { id: Some(id.0), version }
                }
                Applied::AlreadyDone => Response { id: Some(id.0), version: advert.version },
            }
        }
        CommandKind::Order { id, seen, act, proofs, accepted_cost } => {
            changes.accepted_cost = *accepted_cost;
            let order = work.extended_by_outages(changes.order(work, *id)?);
            if command.accepts().is_some() {
                opening.check_deliverable(order.terms.base.asset)?;
            }
            let user = user()?;
            let held_until = work.user(user)?.hold(work.now);
            let by = orders::OrderCaller { user, seen: *seen, proofs: *proofs, held_until };
            match orders::decide(&order, &by, act, &work.order_inputs(&order))? {
                Applied::Done(done) => {
                    let version = done.order.version;
                    attach(&mut changes, work, by.user, (*id, act))?;
                    changes.reports.extend(report(*id, act));
                    changes.order_changed(work, done.order, done.effects)?;
                    Response { id: Some(id.0), version }
                }
                Applied::AlreadyDone => Response { id: Some(id.0), version: order.version },
            }
        }
        CommandKind::FundFromBalance { target, amount } => {
            fund_from_balance::offer(&mut changes, work, free, user()?, *target, *amount)?
        }
        CommandKind::Switch { online } => {
            crate::adverts::switch(&mut changes, work, user()?, *online)?;
            Response { id: None, version: 0 }
        }
        CommandKind::AdvertDue(id) => {
            let advert = changes.advert(work, *id)?;
            if !work.deadlines_wait() && advert.due_at().is_some_and(|at| work.now >= at) {
                changes.advert_event(work, *id, &adverts::Event::WindowPassed)?;
            }
            Response { id: Some(id.0), version: changes.advert(work, *id)?.version }
        }
        CommandKind::OrderDue(id) => {
            let order = changes.order(work, *id)?;
            if let Some(event) = order.due(work.now).filter(|_| !work.deadlines_wait()) {
                changes.order_event(work, *id, &event)?;
            }
            Response { id: Some(id.0), version: changes.order(work, *id)?.version }
        }
        CommandKind::AdvertOutage { id, from, until } => {
            changes.advert_event(work, *id, &adverts::Event::Outage { from: *from, until: *until })?;
            Response { id: Some(id.0), version: changes.advert(work, *id)?.version }
        }
        CommandKind::OrderOutage { id, from, until } => {
            changes.order_event(work, *id, &orders::Event::Outage { from: *from, until: *until })?;
            Response { id: Some(id.0), version: changes.order(work, *id)?.version }
        }
    };
    opening.admits(&changes)?;
    Ok((changes, response))
}

/// Returns what a command reports of the order's payment.
fn report(order: OrderId, act: &orders::OrderCommand) -> Option<Report> {
    let orders::OrderCommand::MarkPaid { hash, reference, .. } = act else { return None };
    let hash = hash.as_deref().and_then(hash_key);
    let reference = reference.as_deref().and_then(reference_key);
    (hash.is_some() || reference.is_some()).then_some(Report { order, hash, reference })
}

/// Attaches the files of a command to its order.
fn attach(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    user: UserId,
    (order, act): (OrderId, &orders::OrderCommand),
) -> Result<(), Refusal> {
    let mut add = |purpose, files: &Vec<FileId>, kind, field, most| {
        if files.is_empty() {
            return Ok(());
        }
        check_list(files, most, field)?;
        work.check_files(user, files, kind, field)?;
        changes.details.files.extend(work.file_references(files));
        changes.attached.push((files.clone(), Attachment::Order { order, purpose }));
        Ok(())
    };
    match act {
        orders::OrderCommand::MarkPaid { receipts, .. } => {
            add(Purpose::Receipt, receipts, FileKind::Image, "receipts", orders::MAX_RECEIPTS)
        }
        orders::OrderCommand::Appeal { evidence, .. } | orders::OrderCommand::AddEvidence(evidence) => {
            let orders::NewEvidence { pictures, videos } = evidence;
            add(Purpose::Evidence, pictures, FileKind::Image, "pictures", orders::MAX_EVIDENCE_PICTURES)?;
            add(Purpose::Evidence, videos, FileKind::Video, "videos", orders::MAX_EVIDENCE_VIDEOS)
        }
        _ => Ok(()),
    }
}
