//! Applies the changes of commands to a unit of work, and writes them to the database.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::PostingId;
use domain::ledger::{self, Posting};
use domain::order_log::LogEntry;
use store::Tx;
use store::outbox::OutboxEvent;
use store::vault_stops::{self, Cause};

use super::UnitOfWork;
use crate::Error;
use crate::engine::changes::CommandChanges;
use crate::engine::sets::Failure;
use crate::engine::talk_events;

impl UnitOfWork {
    /// Applies the changes of a command, so that later commands of the set see them.
    pub(crate) fn accept(&mut self, changes: CommandChanges) {
        for switch in &changes.switches {
            if let Some(user) = self.users.get_mut(&switch.user) {
                user.online = switch.online;
                user.offline_cause = switch.cause;
            }
        }
        for (user, missed) in &changes.missed_acceptances {
            if let Some(user) = self.users.get_mut(user) {
                user.missed_acceptances = missed.clone();
            }
        }
        for change in &changes.reputation {
            if let Some(user) = self.users.get_mut(&change.user) {
                user.reputation = change.reputation;
            }
            let count = self.cancelled_today.entry(change.user).or_insert(0);
            *count = count.saturating_add(change.cancellations());
            let lapses = self.lapses.entry(change.user).or_insert(0);
            *lapses = lapses.saturating_add(change.lapses());
        }
        for order in changes.orders.values() {
            let ran = self.orders.get(&order.id).is_some_and(|before| !before.state.ended());
            for user in [order.terms.advertiser, order.terms.taker] {
                recount(self.running_orders.entry(user).or_insert(0), ran, !order.state.ended());
            }
        }
        for advert in changes.adverts.values() {
            let was_open = self.adverts.get(&advert.id).is_some_and(|before| !before.state.ended());
            recount(self.open_adverts.entry(advert.terms.owner).or_insert(0), was_open, !advert.state.ended());
        }
        for (files, to) in &changes.attached {
            for id in files {
                if let Some(file) = self.files.get_mut(id) {
                    file.attached = Some(*to);
                }
            }
        }
        for change in changes.funding {
            self.funding_requests.apply(change);
        }
        self.adverts.extend(changes.adverts);
        self.orders.extend(changes.orders);
        let written = &mut self.written;
        written.postings.extend(changes.postings);
        written.payouts.extend(changes.payouts);
        written.appeals.extend(changes.appeals);
        written.reputation.extend(changes.reputation);
        written.events.extend(changes.events);
        written.hold_emails.extend(changes.hold_emails);
        written.log.extend(changes.log);
        written.switches.extend(changes.switches);
        written.missed_acceptances.extend(changes.missed_acceptances);
        written.attached.extend(changes.attached);
        written.reports.extend(changes.reports);
    }

    /// Writes all changes of the set to the database.
    pub(crate) async fn write(&mut self, tx: &mut Tx) -> Result<(), Failure> {
        let mut written = std::mem::take(&mut self.written);
        // Of several changes of a user, the last one counts.
        let switches: BTreeMap<_, _> = written.switches.into_iter().map(|switch| (switch.user, switch)).collect();
        store::users::set_online(tx, &switches.into_values().collect::<Vec<_>>()).await?;
        let missed: BTreeMap<_, _> = written.missed_acceptances.into_iter().collect();
        store::users::set_missed_acceptances(tx, &missed.into_iter().collect::<Vec<_>>()).await?;
        self.write_adverts(tx).await?;
        self.write_orders(tx).await?;
        let entries = written.log.into_iter().map(|(order, draft)| {
            let head = self.heads.entry(order).or_default();
            head.append(order, draft, self.now)
        });
        let entries: Vec<_> = entries.collect();
        store::order_log::append(tx, &entries).await?;
        written.events.extend(self.write_messages(tx, &entries).await?);
        let attached: Vec<_> =
            written.attached.iter().flat_map(|(files, to)| files.iter().map(move |file| (*file, *to))).collect();
        if !store::files::attach(tx, &attached, self.now).await? {
            return Err(overtaken("files"));
        }
        store::payments::report(tx, &written.reports).await?;
        let postings: Vec<_> = written.postings.into_iter().map(|posting| (PostingId(self.fresh()), posting)).collect();
        store::ledger::post(tx, &postings, self.now).await?;
        self.repay_from_remainders(tx, &postings).await?;
        let now = self.now;
        self.funding_requests.write(tx, || self.fresh()).await?;
        if !written.payouts.is_empty() {
            let chain = self.reference_data.chain.as_ref();
            let chain = chain.ok_or(Failure::Defect(Error::Unavailable { what: "the chain" }))?;
            store::payouts::insert(tx, chain.id, &written.payouts, now).await?;
        }
        store::appeals::save(tx, &written.appeals, now).await?;
        store::users::change_reputation(tx, &written.reputation, now).await?;
        store::outbox::write(tx, &written.events, now).await?;
        store::emails::insert(tx, &written.hold_emails, now).await?;
        Ok(())
    }

    /// Records those of the entries that are messages in the conversations of both parties. Returns the events that tell them.
    async fn write_messages(&self, tx: &mut Tx, entries: &[LogEntry]) -> Result<Vec<OutboxEvent>, Failure> {
        let mut events = Vec::new();
        for entry in entries.iter().filter(|entry| entry.content.is_said()) {
            let Some(order) = self.orders.get(&entry.order) else { continue };
            events.extend(talk_events::record(tx, order, entry, None).await.map_err(Failure::Defect)?);
        }
        Ok(events)
    }

    /// Repays debts from escrow that became temporary balance because it was too small to be returned.
    async fn repay_from_remainders(&self, tx: &mut Tx, postings: &[(PostingId, Posting)]) -> Result<(), Failure> {
        let remainders: Vec<_> = postings
            .iter()
            .flat_map(|(_, posting)| {
                ledger::remainders(posting).map(move |(vault_asset, amount)| (posting, vault_asset, amount))
            })
            .collect();
        let losses: Vec<_> = remainders.iter().map(|(_, vault_asset, _)| vault_asset.reorganisation_loss()).collect();
        let debts = store::ledger::balances(tx, &losses).await?;
        let mut debts: BTreeMap<_, _> =
            debts.into_iter().map(|(account, debt)| (account.vault_asset(), debt)).collect();
        let mut repayments = Vec::new();
        let mut settled = BTreeSet::new();
        for (posting, vault_asset, amount) in remainders {
            let Some(debt) = debts.get_mut(&vault_asset) else { continue };
            let repaid = amount.min(*debt);
            *debt = debt.saturating_sub(repaid);
            if !repaid.is_zero() {
                let repayment = ledger::debt_repaid(&posting.key, vault_asset, repaid);
                repayments.push((PostingId(self.fresh()), repayment));
                if debt.is_zero() {
                    settled.insert(vault_asset);
                }
            }
        }
        store::ledger::post(tx, &repayments, self.now).await?;
        for vault_asset in settled {
            vault_stops::lift(tx, vault_asset, Cause::Debt).await?;
        }
        Ok(())
    }

    async fn write_adverts(&self, tx: &mut Tx) -> Result<(), Failure> {
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for advert in self.adverts.values() {
            match self.advert_versions.get(&advert.id) {
                None => new.push((advert, advert.due_at())),
                Some(&version) if version != advert.version => changed.push((advert, version, advert.due_at())),
                Some(_) => {}
            }
        }
        store::adverts::insert(tx, &new).await?;
        if store::adverts::update(tx, &changed).await? { Ok(()) } else { Err(overtaken("adverts")) }
    }

    async fn write_orders(&self, tx: &mut Tx) -> Result<(), Failure> {
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for order in self.orders.values() {
            match self.order_versions.get(&order.id) {
                None => new.push((order, order.due_at())),
                Some(&version) if version != order.version => changed.push((order, version, order.due_at())),
                Some(_) => {}
            }
        }
        store::orders::insert(tx, &new).await?;
        if store::orders::update(tx, &changed).await? { Ok(()) } else { Err(overtaken("orders")) }
    }
}

/// Adjusts a count if an item entered or left the counted set.
fn recount(count: &mut u32, before: bool, now: bool) {
    *count = count.saturating_add(u32::from(now && !before)).saturating_sub(u32::from(before && !now));
}

/// Returns the failure for a version that changed although the row was locked, which only a bug can cause.
fn overtaken(table: &'static str) -> Failure {
    Failure::Defect(Error::Internal(format!("locked {table} changed under a set")))
}
