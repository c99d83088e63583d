//! The queue of appeals, without personal data.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::clock::{Timestamp, after};
use domain::console::risk::{self, CaseRisk, PartyRisk, RECENT_APPEALS, RiskSignal};
use domain::ids::{AppealId, OfficerId};
use domain::money::Amount;
use domain::orders::{Appeal, AppealStatus, Order, RequiredOfficers};
use domain::refusal::Refusal;
use domain::trade::Party;
use serde::Deserialize;
use serde_json::json;
use store::Tx;
use store::appeals::{Proposal, StoredAppeal};
use store::console::audit::Subject;
use store::console::cases::{self, AppealFacts, Queue};
use store::console::{assignments, evidence_requests};

use super::is_readable;
use super::requests::MAX_REQUESTS;
use crate::appeals::Valuation;
use crate::console::{Acting, Console};
use crate::memory::assets::{Assets, TradedAssets};
use crate::{Error, Result};

/// The maximum number of appeals in a view: the oldest open ones, or those that ended last. Only they are sorted.
const MAX_APPEALS: i64 = 1_000;

/// Which appeals a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ListView))]
pub enum QueueView {
    /// Without a verdict.
    #[default]
    Open,
    /// Open ones that the officer has joined or that are assigned to the officer.
    Mine,
    /// With a verdict that is not executed yet.
    Decided,
    Ended,
}

/// The order of a list of appeals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ListOrder))]
pub enum QueueOrder {
    /// Oldest first. Ended appeals: those that ended last first.
    #[default]
    Age,
    /// Those with an unknown value first, then by value, highest first.
    Amount,
    /// Highest risk first.
    Risk,
}

/// A page of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePage {
    pub view: QueueView,
    pub order: QueueOrder,
    pub offset: i64,
    pub limit: i64,
}

/// An appeal in the queue.
#[derive(Debug, Clone)]
pub struct QueueRow {
    pub appeal: Appeal,
    pub order: Order,
    pub assets: TradedAssets,
    /// The value of the order, as a decimal string, and the code of the asset in which it is valued.
    pub value: Option<(String, String)>,
    /// Heaviest first.
    pub signals: Vec<RiskSignal>,
    pub required_officers: RequiredOfficers,
    /// The time by which officers should decide the appeal; `None` once it is decided or has ended.
    pub due_at: Option<Timestamp>,
    /// The time until which a party should answer the earliest open request for evidence; `None` if none waits for an answer.
    pub evidence_due_at: Option<Timestamp>,
    /// The officers on the case.
    pub officers: Vec<(OfficerId, String)>,
    /// The officer who is responsible for the appeal.
    pub assignee: Option<(OfficerId, String)>,
    /// Whether the officer who asks is on the case and may read it.
    pub joined: bool,
    /// The decision that waits for a second officer.
    pub proposal: Option<Proposal>,
    pub(super) worth: Option<Amount>,
}

impl Console {
    /// Returns a page of the queue, and the number of appeals in the view.
    pub async fn appeals(&self, acting: &Acting, page: QueuePage) -> Result<(Vec<QueueRow>, i64)> {
        let details = json!({ "view": format!("{:?}", page.view).to_uppercase() });
        let (mut tx, now) = self.refreshed_view(&acting.viewing(), "view_appeals", Subject::Platform, details).await?;
        let queue = match page.view {
            QueueView::Open => Queue::Open,
            QueueView::Mine => Queue::Mine(acting.officer),
            QueueView::Decided => Queue::Decided,
            QueueView::Ended => Queue::Ended,
        };
        let mut ids = cases::queue(&mut tx, queue, MAX_APPEALS).await?;
        let total = i64::try_from(ids.len()).unwrap_or(MAX_APPEALS);
        let (offset, limit) =
            (usize::try_from(page.offset).unwrap_or(usize::MAX), usize::try_from(page.limit).unwrap_or(0));
        if page.order != QueueOrder::Age {
            let mut rows = self.rows(&mut tx, &ids, now).await?;
            match page.order {
                // An unknown value counts as large.
                QueueOrder::Amount => {
                    let unknown = (1, Amount::ZERO);
                    rows.sort_by_key(|row| Reverse(row.worth.map_or(unknown, |worth| (0, worth))));
                }
                QueueOrder::Risk => rows.sort_by_key(|row| Reverse(risk::score(&row.signals))),
                QueueOrder::Age => {}
            }
            ids = rows.iter().map(|row| row.appeal.id).collect();
        }
        let ids: Vec<_> = ids.into_iter().skip(offset).take(limit).collect();
        let rows = self.complete_rows(&mut tx, &ids, acting.officer, now).await?;
        tx.commit().await?;
        Ok((rows, total))
    }

    /// Returns any appeal as the queue shows it, also to officers who have not joined its case.
    pub async fn appeal_summary(&self, acting: &Acting, id: AppealId) -> Result<QueueRow> {
        let subject = Subject::Appeal(id);
        let (mut tx, now) = self.refreshed_view(&acting.viewing(), "view_appeal_summary", subject, json!({})).await?;
        store::appeals::find(&mut tx, id).await?.ok_or(Refusal::AppealMissing)?;
        let row = self.row(&mut tx, id, acting.officer, now).await?;
        tx.commit().await?;
        Ok(row)
    }

    /// Returns one appeal as the queue shows it.
    pub(super) async fn row(&self, tx: &mut Tx, id: AppealId, officer: OfficerId, now: Timestamp) -> Result<QueueRow> {
        let row = self.complete_rows(tx, &[id], officer, now).await?.pop();
        row.ok_or_else(|| Error::Internal(format!("no appeal {id}")))
    }

    /// Returns the rows of appeals, with their officers and proposals, in the order of `ids`.
    pub(super) async fn complete_rows(
        &self,
        tx: &mut Tx,
        ids: &[AppealId],
        officer: OfficerId,
        now: Timestamp,
    ) -> Result<Vec<QueueRow>> {
        let mut rows = self.rows(tx, ids, now).await?;
        let officers = cases::officers_on(tx, ids).await?;
        let assignments = assignments::of(tx, ids).await?;
        let requests = evidence_requests::of(tx, ids, MAX_REQUESTS).await?;
        let mut proposals: BTreeMap<_, _> = store::appeals::proposals(tx, ids).await?.into_iter().collect();
        for row in &mut rows {
            let on = officers.iter().filter(|on| on.appeal == row.appeal.id);
            row.officers = on.map(|on| (on.id, on.name.clone())).collect();
            row.joined = row.officers.iter().any(|(on, _)| *on == officer) && is_readable(&row.appeal, now);
            let assigned = assignments.iter().find(|assigned| assigned.appeal == row.appeal.id);
            row.assignee = assigned.map(|assigned| (assigned.officer, assigned.name.clone()));
            row.proposal = proposals.remove(&row.appeal.id);
            if row.appeal.status.ended_at().is_none() {
                let own = requests.iter().filter(|(appeal, _)| *appeal == row.appeal.id).map(|(_, request)| request);
                let open = own.filter(|request| request.is_open(&row.appeal.evidence));
                row.evidence_due_at = open.map(|request| request.due_at).min();
            }
        }
        Ok(rows)
    }

    /// Returns the rows of appeals, without their officers and proposals, in the order of `ids`.
    async fn rows(&self, tx: &mut Tx, ids: &[AppealId], now: Timestamp) -> Result<Vec<QueueRow>> {
        let stored = store::appeals::by_ids(tx, ids).await?;
        let orders: BTreeSet<_> = stored.iter().map(|stored| stored.order).collect();
        let orders: Vec<_> = orders.into_iter().collect();
        let used = cases::with_used_proofs(tx, &orders).await?;
        let orders = store::orders::read(tx, &orders).await?;
        let users: BTreeSet<_> = orders.iter().flat_map(|order| [order.terms.buyer(), order.terms.seller()]).collect();
        let users: Vec<_> = users.into_iter().collect();
        let since = now.checked_sub_signed(RECENT_APPEALS).unwrap_or(now);
        let facts: BTreeMap<_, _> =
            cases::facts(tx, &users, since).await?.into_iter().map(|facts| (facts.user, facts)).collect();
        let orders: BTreeMap<_, _> = orders.into_iter().map(|order| (order.id, order)).collect();
        let reference = self.context.reference_data(tx).await?.data;
        let assets = Assets::load(tx, &reference, orders.values().map(|order| order.terms.base.asset)).await?;
        let valuation = Valuation::new(&reference, &self.rules, now)?;
        let mut rows = BTreeMap::new();
        for StoredAppeal { order, appeal } in stored {
            let missing = |what: &str| Error::Internal(format!("the appeal {} has no {what}", appeal.id));
            let order = orders.get(&order).ok_or_else(|| missing("order"))?.clone();
            let party =
                |party: Party| facts.get(&order.terms.user(party)).map(party_risk).ok_or_else(|| missing("party"));
            let worth = valuation.of(&order);
            let risk = CaseRisk {
                parties: [party(Party::Buyer)?, party(Party::Seller)?],
                proof_used_before: used.contains(&order.id),
                above_limit: valuation.limits.needs_second_officer(worth),
            };
            let row = QueueRow {
                assets: assets.traded(order.terms.base, order.terms.quote, order.terms.prepayment)?,
                value: worth.map(|worth| (worth.format(valuation.decimals()), self.rules.unit.clone())),
                signals: risk::signals(&risk, now),
                required_officers: valuation.limits.required_officers(worth),
                due_at: (appeal.status == AppealStatus::Pending)
                    .then(|| after(appeal.filed_at, self.rules.decide_within)),
                evidence_due_at: None,
                officers: Vec::new(),
                assignee: None,
                joined: false,
                proposal: None,
                worth,
                appeal,
                order,
            };
            rows.insert(row.appeal.id, row);
        }
        Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
    }
}

fn party_risk(facts: &AppealFacts) -> PartyRisk {
    PartyRisk {
        joined_at: facts.joined_at,
        reputation: facts.reputation,
        recent_appeals: facts.recent,
        lost_appeals: facts.lost,
        malicious_appeals: facts.malicious,
    }
}
