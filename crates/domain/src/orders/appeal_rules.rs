//! Files, withdraws and ends appeals.

use super::appeal::{
    Appeal, AppealReason, AppealStatus, Evidence, MAX_EVIDENCE_PICTURES, MAX_EVIDENCE_VIDEOS, NewEvidence,
    check_appeal_text,
};
use super::transition::TransitionBuilder;
use super::{Action, Order, OrderInputs, State, Transition, settle};
use crate::applied::Applied;
use crate::clock::Timestamp;
use crate::deadline::Deadline;
use crate::effect::{Effect, Notice};
use crate::files::FileKind;
use crate::ids::FileId;
use crate::refusal::Refusal;
use crate::reputation::Cause;
use crate::trade::Party;

/// Returns whether a party may appeal now ([`Order::appeal_from`]). While unconfirmed transfers cover the funding request,
/// the party that has to send them is not late. A seller who misses the payment waits for no transfer.
fn may_appeal(order: &Order, party: Party, inputs: &OrderInputs) -> bool {
    let misses_payment = party == Party::Seller && matches!(order.state, State::AwaitingConfirmation { .. });
    let transfer_pending = inputs.covered && order.frozen.is_none() && !misses_payment;
    !transfer_pending && order.appeal_from(party).is_some_and(|from| inputs.now >= from)
}

/// Files a party's appeal. The caller attaches the evidence.
pub(super) fn file(
    order: &Order,
    party: Party,
    (reason, description): (AppealReason, Option<&str>),
    evidence: &NewEvidence,
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    if !may_appeal(order, party, inputs) {
        let frozen = order.frozen.is_some();
        return Err(if frozen { Refusal::Frozen } else { Refusal::Forbidden(Action::Appeal) });
    }
    if !reason.fits(order, party) {
        return Err(Refusal::Invalid { field: "reason", reason: "does not fit the order" });
    }
    if reason == AppealReason::Other && description.is_none() {
        return Err(Refusal::Invalid { field: "specificReason", reason: "required" });
    }
    check_appeal_text("specificReason", description)?;
    let earlier = order.withdrawn_appeal().map_or(&[][..], |earlier| &earlier.evidence);
    if evidence.is_empty() && !earlier.iter().any(|one| one.by == party) {
        return Err(Refusal::Invalid { field: "pictures", reason: "required" });
    }
    // A party may name again what it has added already.
    let new = |file: &&FileId| !earlier.iter().any(|one| one.by == party && one.file == **file);
    let only_new = |files: &[FileId]| files.iter().filter(new).copied().collect();
    let evidence = NewEvidence { pictures: only_new(&evidence.pictures), videos: only_new(&evidence.videos) };
    let evidence = added(earlier, party, &evidence, inputs.now)?;
    let mut draft = TransitionBuilder::of(order);
    let filing = Filing { reason, description: description.map(str::to_owned), evidence };
    open(&mut draft, Some(party), filing, inputs);
    Ok(draft.done())
}

/// Adds a party's evidence to the open appeal, also after a verdict. The caller attaches the files.
pub(super) fn add_evidence(
    order: &Order,
    party: Party,
    evidence: &NewEvidence,
    inputs: &OrderInputs,
) -> Result<Applied<Transition>, Refusal> {
    let Some(open) = order.open_appeal() else {
        return Err(if order.appeal.is_some() { Refusal::AppealProcessed } else { Refusal::AppealMissing });
    };
    if evidence.is_empty() {
        return Err(Refusal::Invalid { field: "pictures", reason: "required" });
    }
    let evidence = added(&open.evidence, party, evidence, inputs.now)?;
    let mut draft = TransitionBuilder::of(order);
    draft.change_appeal(|appeal| appeal.evidence = evidence);
    draft.notify_both(Notice::EvidenceAdded);
    Ok(draft.done())
}

/// Returns the evidence of an appeal with that of a party added, if the party's limits allow it.
fn added(before: &[Evidence], by: Party, new: &NewEvidence, at: Timestamp) -> Result<Vec<Evidence>, Refusal> {
    let mut all = before.to_vec();
    for (file, kind) in new.files() {
        let field = match kind {
            FileKind::Image => "pictures",
            FileKind::Video => "videos",
        };
        if all.iter().any(|one| one.file == file) {
            return Err(Refusal::Invalid { field, reason: "the same file twice" });
        }
        if !can_add(&all, by, kind) {
            return Err(Refusal::Invalid { field, reason: "too many" });
        }
        all.push(Evidence { file, kind, by, at });
    }
    Ok(all)
}

/// Returns whether a party may add one more file of a kind to the evidence of an appeal.
pub(super) fn can_add(evidence: &[Evidence], by: Party, kind: FileKind) -> bool {
    let most = match kind {
        FileKind::Image => MAX_EVIDENCE_PICTURES,
        FileKind::Video => MAX_EVIDENCE_VIDEOS,
    };
    evidence.iter().filter(|one| one.by == by && one.kind == kind).count() < most
}

/// What the author of an appeal says.
pub(super) struct Filing {
    pub(super) reason: AppealReason,
    pub(super) description: Option<String>,
    /// With that of the appeal that this one continues.
    pub(super) evidence: Vec<Evidence>,
}

impl Filing {
    pub(super) fn by_platform(order: &Order, reason: AppealReason) -> Self {
        let evidence = order.withdrawn_appeal().map(|earlier| earlier.evidence.clone()).unwrap_or_default();
        Self { reason, description: None, evidence }
    }
}

/// Opens an appeal by a party, or by the platform.
///
/// An appeal that a party withdrew continues: it keeps its ID, and with it its officers, its first filing time and its evidence.
/// Otherwise, a party could withdraw and file again whenever an officer is about to decide.
pub(super) fn open(
    draft: &mut TransitionBuilder,
    initiator: Option<Party>,
    Filing { reason, description, evidence }: Filing,
    inputs: &OrderInputs,
) {
    let latest = draft.order.appeal.as_ref();
    let number = latest.map_or(0, |earlier| earlier.number).saturating_add(1);
    let withdrawn_by = latest.map(|earlier| earlier.withdrawn_by.clone()).unwrap_or_default();
    let continued = draft.order.withdrawn_appeal().map(|earlier| (earlier.id, earlier.filed_at));
    let (id, filed_at) = continued.unwrap_or((inputs.appeal, inputs.now));
    let suspended_at = draft.order.suspended_at().unwrap_or(inputs.now);
    let status = AppealStatus::Pending;
    draft.order.appeal = Some(Appeal {
        id,
        number,
        initiator,
        reason,
        description,
        filed_at,
        withdrawn_by,
        suspended_at,
        evidence,
        status,
    });
    draft.appeal_changed();
    draft.notify_both(Notice::AppealFiled);
}

/// Files the platform's appeal about an order that has been overdue or frozen for [`OVERDUE_FOR`].
pub(super) fn due(order: &Order, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    if order.open_appeal().is_some() {
        return Ok(Applied::AlreadyDone);
    }
    // The clock cancels an order that nobody deposited or paid for.
    if order.lapsed(inputs) || order.appeal_due_at().is_none_or(|due| inputs.now < due) {
        return Err(Refusal::Stale);
    }
    let reason = match &order.frozen {
        _ if order.progress.voided.is_some() => AppealReason::PayoutVoided,
        Some(_) => AppealReason::DepositLost,
        None => AppealReason::Overdue,
    };
    let mut draft = TransitionBuilder::of(order);
    open(&mut draft, None, Filing::by_platform(order, reason), inputs);
    Ok(draft.done())
}

/// Returns why a party may not withdraw the order's appeal.
///
/// Each party may withdraw once per order. Either party may withdraw an order's first appeal, but only the initiator may
/// withdraw a later one: otherwise the other party could end every appeal. The party that the order waits for cannot withdraw
/// the platform's appeal about that. After a verdict, nobody may. An appeal about a voided payout cannot be withdrawn, because
/// the order cannot resume. Once the other party has answered with evidence, the initiator may not withdraw, because the order
/// was locked meanwhile: a buyer who has paid could not mark it paid, and would have minutes to do so.
fn withdrawal_refused(order: &Order, party: Party) -> Option<Refusal> {
    let Some(appeal) = &order.appeal else { return Some(Refusal::AppealMissing) };
    match appeal.status {
        AppealStatus::Pending if order.progress.voided.is_some() => Some(Refusal::Forbidden(Action::Appeal)),
        AppealStatus::Pending => {
            let once = appeal.withdrawn_by.contains(&party);
            let by_other = appeal.number > 1 && appeal.initiator != Some(party);
            let about_party = appeal.initiator.is_none() && order.late_party() == Some(party);
            let answers = |one: &Evidence| one.by != party && one.at > appeal.suspended_at;
            let is_answered = appeal.initiator == Some(party) && appeal.evidence.iter().any(answers);
            (once || by_other || about_party || is_answered).then_some(Refusal::Forbidden(Action::Appeal))
        }
        _ => Some(Refusal::AppealProcessed),
    }
}

pub(super) fn withdraw(order: &Order, party: Party, inputs: &OrderInputs) -> Result<Applied<Transition>, Refusal> {
    if let Some(refusal) = withdrawal_refused(order, party) {
        return Err(refusal);
    }
    let mut draft = TransitionBuilder::of(order);
    if let Some(appeal) = &mut draft.order.appeal {
        appeal.withdrawn_by.push(party);
    }
    end(&mut draft, AppealStatus::Withdrawn { at: inputs.now, by: Some(party) }, inputs);
    draft.notify_both(Notice::AppealWithdrawn);
    resume_settlement(&mut draft, inputs);
    Ok(draft.done())
}

/// Ends the open appeal. The deadline continues with the time that was left; a late party gets a full grace period.
pub(super) fn end(draft: &mut TransitionBuilder, status: AppealStatus, inputs: &OrderInputs) {
    let Some(suspended_at) = draft.order.open_appeal().map(|appeal| appeal.suspended_at) else { return };
    draft.set_appeal_status(status);
    match &mut draft.order.frozen {
        // The order stays frozen. Unfreezing it extends the deadline by the whole suspension.
        Some(frozen) => frozen.since = suspended_at.min(frozen.since),
        None => resume(draft, suspended_at, inputs.now),
    }
}

/// Extends the deadline by a suspension that ends now.
pub(super) fn resume(draft: &mut TransitionBuilder, suspended_at: Timestamp, now: Timestamp) {
    let Some(deadline) = draft.order.state.deadline().copied() else { return };
    let extended = deadline.extended_by(suspended_at, now).unwrap_or(deadline);
    let overdue = extended.notified_at.is_some() || extended.passed(now);
    let notified_at = overdue.then_some(now);
    draft.order.state = draft.order.state.with_deadline(Deadline { notified_at, ..extended });
}

/// Releases an automatic order whose second leg was funded while the order was suspended.
pub(super) fn resume_settlement(draft: &mut TransitionBuilder, inputs: &OrderInputs) {
    if draft.order.suspended_at().is_none() && draft.order.held_back() {
        settle::release(draft, inputs.payout, inputs.now, Notice::OrderReleasing);
    }
}

/// Charges the reputation of a party because of the order's appeal.
pub(super) fn charge(draft: &mut TransitionBuilder, party: Party, cause: Cause) {
    let (user, order) = (draft.order.terms.user(party), draft.order.id);
    let appeal = draft.order.appeal.as_ref().map(|appeal| appeal.id);
    draft.effect(Effect::ChargeReputation { user, order, appeal, cause });
}
