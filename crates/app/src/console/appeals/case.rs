//! A case: everything that officers on it may know to decide the appeal.

use std::collections::BTreeMap;

use chrono::Duration;
use domain::assets::{Asset, AssetId};
use domain::clock::Timestamp;
use domain::files::Access;
use domain::ids::{AppealId, FileId, OfficerId, OrderId};
use domain::order_log::LogEntry;
use domain::orders::{EvidenceRequest, Order, Paid};
use domain::payment_methods::PaymentMethod;
use domain::trade::Payment;
use serde_json::{Value, json};
use store::Tx;
use store::appeals::{Proposal, StoredAppeal};
use store::console::audit::{self, Line, Subject};
use store::console::case_notes::Note;
use store::payments::Repeated;

use super::options::{Decider, options};
use super::{
    ChainTransaction, DecisionOption, PartyView, QueueRow, on_case, parties, readable_until, requests, talk,
    transactions,
};
use crate::appeals::{self, Valuation};
use crate::console::{Acting, Console, version_of};
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::files::{LinkedFile, Linker, Viewer};
use crate::payment_methods::pictures;
use crate::wallet::view::SeenPayment;
use crate::{Error, Result};

/// The maximum number of entries in a timeline. No order has as many transitions.
const MAX_ENTRIES: i64 = 500;

/// The maximum number of notes that a case shows.
const MAX_NOTES: i64 = 200;

/// A case as an officer on it sees it.
#[derive(Debug, Clone)]
pub struct CaseView {
    pub row: QueueRow,
    pub order: CaseOrder,
    /// The files of the appeal.
    pub evidence: Vec<LinkedFile>,
    /// The decisions about the appeal, oldest first.
    pub history: Vec<CaseAct>,
    /// The newest notes of the officers on the case, oldest first. The parties never see them.
    pub notes: Vec<Note>,
    /// The newest requests for evidence, oldest first.
    pub requests: Vec<EvidenceRequest>,
    /// The buyer and the seller.
    pub parties: [PartyView; 2],
    pub transactions: Vec<ChainTransaction>,
    /// All assets of the platform.
    pub assets: BTreeMap<AssetId, Asset>,
    pub confirmations_needed: u64,
    /// The transitions of the order until the end of the appeal, oldest first.
    pub timeline: Vec<LogEntry>,
    pub options: Vec<DecisionOption>,
    /// The time between a verdict and its execution.
    pub verdict_delay: Duration,
    /// Changes with the order, the appeal and the proposals. Decisions must send it.
    pub version: String,
    /// The time from which the officer can no longer read the case; `None` while the appeal is open.
    pub readable_until: Option<Timestamp>,
    /// The time to which the view refers, by the product's clock.
    pub now: Timestamp,
}

/// What the view of an order adds to the order.
#[derive(Debug, Clone)]
pub struct CaseOrder {
    /// The seller's payment method, with all details, and its pictures by the names of their fields. `None` if the seller has
    /// changed it after the end of the appeal.
    pub method: Option<(PaymentMethod, BTreeMap<String, LinkedFile>)>,
    /// The buyer's report of the payment, unless the buyer made it after the end of the appeal.
    pub paid: Option<Paid>,
    /// The receipts that the buyer has attached, in the buyer's order.
    pub receipts: Vec<LinkedFile>,
    /// The payment that the chain shows, unless it came after the end of the appeal.
    pub payment_seen: Option<SeenPayment>,
    /// Which parts of the buyer's report were reported for another order, too.
    pub repeated: Repeated,
    /// Whether unconfirmed deposits cover what the order waits for.
    pub covered: bool,
    pub overdue: bool,
}

/// A decision about an appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseAct {
    /// As in the audit log: `propose_buyer`, `decide_seller`, `reject_appeal` …
    pub action: String,
    pub officer_id: OfficerId,
    /// The name at that time.
    pub officer: String,
    pub malicious: bool,
    pub note: String,
    pub at: Timestamp,
}

impl CaseAct {
    /// Returns the decision that a line of the audit log records; `None` if its author has no account, because then it records
    /// no decision about an appeal.
    fn of(line: Line) -> Option<Self> {
        Some(Self {
            malicious: line.details.get("malicious").and_then(Value::as_bool).unwrap_or_default(),
            action: line.action,
            officer_id: line.officer?,
            officer: line.name,
            note: line.reason.unwrap_or_default(),
            at: line.at,
        })
    }
}

/// Returns the version of a case, which a decision must send.
pub(super) fn version(order: &Order, appeal: AppealId, proposal: Option<&Proposal>) -> String {
    version_of(&[
        appeal.to_string(),
        order.version.to_string(),
        proposal.map(|proposal| proposal.id.to_string()).unwrap_or_default(),
    ])
}

impl Console {
    /// Returns a case to an officer who has joined it.
    pub async fn appeal_case(&self, acting: &Acting, id: AppealId) -> Result<CaseView> {
        let subject = Subject::Appeal(id);
        let (mut tx, now) = self.refreshed_view(&acting.viewing(), "view_appeal", subject, json!({})).await?;
        let stored = on_case(&mut tx, id, acting.officer, now).await?;
        let case = self.case_in(&mut tx, acting, &stored, now).await?;
        tx.commit().await?;
        Ok(case)
    }

    /// Returns a case. The caller must have checked that the officer is on it, and must record the view.
    pub(super) async fn case_in(
        &self,
        tx: &mut Tx,
        acting: &Acting,
        stored: &StoredAppeal,
        now: Timestamp,
    ) -> Result<CaseView> {
        let id = stored.appeal.id;
        let mut row = self.row(tx, id, acting.officer, now).await?;
        let keys = Keys { orders: [stored.order].into(), ..Keys::default() };
        let work = UnitOfWork::read(&self.context, tx, now, keys).await?;
        let order = work.orders.get(&stored.order).cloned();
        let order =
            work.extended_by_outages(order.ok_or_else(|| Error::Internal(format!("no order {}", stored.order)))?);
        let inputs = work.order_inputs(&order);
        let ended = stored.appeal.status.ended_at();
        let method = match &order.terms.payment {
            // The owner may change the account once no open order uses it. What the officers see is what the buyer saw.
            Payment::Method(method) => {
                store::payment_methods::unchanged_since(tx, method.id, ended.unwrap_or(now)).await?
            }
            Payment::Transfer(_) | Payment::Automatic { .. } => None,
        };
        let fields = method.as_ref().map(|method| pictures(&work.reference_data.forms, method)).unwrap_or_default();
        let belongs = |at: Timestamp| ended.is_none_or(|ended| at <= ended);
        let paid = order.progress.paid.clone().filter(|paid| belongs(paid.at));
        let receipts = paid.iter().flat_map(|paid| &paid.receipts);
        let shown = receipts.clone().copied().chain(stored.appeal.evidence.iter().map(|one| one.file));
        let shown = shown.chain(fields.iter().map(|(_, file)| *file)).collect::<Vec<_>>();
        let mut links = self.case_links(tx, acting, order.id, method.as_ref(), &shown, now).await?;
        let receipts = receipts.filter_map(|file| links.remove(file)).collect();
        let evidence = row.appeal.evidence.iter().filter_map(|one| links.remove(&one.file)).collect();
        let pictures = fields.into_iter().filter_map(|(name, file)| Some((name, links.remove(&file)?))).collect();
        let parties = parties::parties(tx, &work, &order).await?;
        let valuation = Valuation::new(&work.reference_data, &self.rules, now)?;
        let authority = acting.role.authority();
        let allowed = authority.is_some_and(|authority| valuation.limits.allows(authority, valuation.of(&order)));
        let is_latest = order.appeal.as_ref().is_some_and(|latest| latest.id == id);
        let decisions = audit::decisions_on(tx, Subject::Appeal(id)).await?;
        let mut transactions = transactions::transactions(tx, &work, &order).await?;
        if ended.is_some() && stored.appeal.status.verdict().is_none() {
            // The order has continued without the officers.
            transactions.retain(|transaction| transaction.at.is_some_and(belongs));
        }
        let version = version(&order, id, row.proposal.as_ref());
        let completes = match &row.proposal {
            Some(proposal) if proposal.officer_id != acting.officer => {
                appeals::are_independent(tx, proposal.officer_id, acting.officer, now).await?
            }
            _ => true,
        };
        let decider = Decider { allowed, completes };
        let options = options(&order, &inputs, is_latest, decider, row.proposal.as_ref())?;
        let last = talk::last_entry(tx, stored).await?;
        let mut timeline = store::order_log::transitions(tx, order.id, MAX_ENTRIES).await?;
        timeline.retain(|entry| last.is_none_or(|last| entry.number <= last));
        let reports: Vec<_> = paid.iter().map(|_| order.id).collect();
        let repeated = store::payments::repeated(tx, &reports).await?.first().map(|(_, parts)| *parts);
        let shown = CaseOrder {
            repeated: repeated.unwrap_or_default(),
            method: method.map(|method| (method, pictures)),
            paid,
            receipts,
            payment_seen: work
                .payment(&order)
                .filter(|(payment, _)| belongs(payment.at))
                .map(|(payment, reported)| SeenPayment::of(work.confirmations, payment, reported)),
            covered: inputs.covered,
            overdue: order.overdue(&inputs),
        };
        row.order = order;
        Ok(CaseView {
            evidence,
            history: decisions.into_iter().filter_map(CaseAct::of).collect(),
            notes: store::console::case_notes::of(tx, id, MAX_NOTES).await?,
            requests: requests::of(tx, id).await?,
            transactions,
            assets: work.assets.all(),
            confirmations_needed: work.confirmations.needed,
            timeline,
            options,
            verdict_delay: self.rules.verdict_delay,
            version,
            readable_until: readable_until(&stored.appeal),
            order: shown,
            parties,
            row,
            now,
        })
    }

    /// Returns links to those of the files that are attached to an order or are pictures of its payment method.
    async fn case_links(
        &self,
        tx: &mut Tx,
        acting: &Acting,
        order: OrderId,
        method: Option<&PaymentMethod>,
        files: &[FileId],
        now: Timestamp,
    ) -> Result<BTreeMap<FileId, LinkedFile>> {
        let viewer = Viewer::Officer(acting.session);
        let files = store::files::by_ids(tx, files).await?;
        let linker = Linker::load(&self.context, tx, now, !files.is_empty()).await?;
        let mut links = linker.links(viewer, Access::Order(order), &files);
        if let Some(method) = method {
            links.extend(linker.links(viewer, Access::PaymentMethod(method.id), &files));
        }
        Ok(links)
    }
}
