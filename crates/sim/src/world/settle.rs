//! What brings a market to rest: time, blocks, healthy processes, officers, and users who finish what they began.

use std::sync::Arc;

use app::appeals::{self, AppealRuling, Decided, Rules, Ruling};
use app::commands::CommandKind;
use app::console;
use app::deadlines::maintenance;
use chrono::Duration;
use domain::adverts::{Advert, AdvertCommand};
use domain::assets::AssetId;
use domain::chain::{Address, Reference};
use domain::console::Role;
use domain::ids::UserId;
use domain::money::Amount;
use domain::orders::{Order, OrderCommand, Proofs, State};
use domain::trade::{Leg, Party};
use sqlx::Row as _;
use store::outages::Heartbeat;
use store::payouts::Failing;
use testkit::market::{CONFIRMATIONS, officers};
use worker::Next;
use worker::payout_chain::NodePayoutChain;

use super::{ESCROW, Intent, Part, Process, World, unexplained, worker};
use crate::draws::Draws;
use crate::{Bug, Result, invariants};

/// How often a market is brought forward before it counts as stuck.
const ROUNDS: usize = 60;

/// After so many rounds, more time passes at once: only the platform's own appeals are left.
const QUICK_ROUNDS: usize = 20;

impl World {
    /// Ends all faults and brings every order and advert to its end.
    pub(crate) async fn settle(&mut self) -> Result<()> {
        self.heal();
        self.everybody_accepts_coins();
        self.end_maintenance().await?;
        let mut draws = Draws::new(0);
        for round in 0..ROUNDS {
            let unknown = self.commands.unknown.clone();
            self.submit(unknown, None).await?;
            invariants::after_step(self).await?;
            self.repay_debts().await;
            self.make_lies_good().await;
            self.void_unpayable().await?;
            if round >= QUICK_ROUNDS {
                self.void_stopped_nfts().await?;
            }
            self.confirm_blocks();
            self.catch_up(Process::First).await?;
            invariants::after_step(self).await?;
            self.resume_payouts().await?;
            invariants::after_step(self).await?;
            self.decide_cases(&mut draws).await?;
            invariants::after_step(self).await?;
            if self.finish_trades().await? == 0 && self.owed().await.is_empty() {
                return Ok(());
            }
            self.catch_up(Process::Second).await?;
            let span = if round < QUICK_ROUNDS { Duration::minutes(40) } else { Duration::hours(12) };
            self.wait(span).await;
        }
        Err(Bug(format!("the market does not come to rest: {}", self.unfinished().await)))
    }

    /// Users finish half of their orders and leave the others to their deadlines, except that they confirm all payments;
    /// and they revoke their adverts. Returns the number of open orders and adverts.
    async fn finish_trades(&mut self) -> Result<usize> {
        let (orders, adverts) = self.open_trades();
        let mut commands: Vec<Intent> = Vec::new();
        for order in &orders {
            let finishes = order.id.0.as_u128().is_multiple_of(2);
            let (user, act) = match order.state {
                State::AwaitingAcceptance { .. } if finishes => (order.terms.advertiser, OrderCommand::Accept),
                State::AwaitingPayment { .. } if finishes && !order.terms.automatic() => {
                    (order.terms.buyer(), testkit::market::paid())
                }
                State::AwaitingConfirmation { .. } => (order.terms.seller(), OrderCommand::Confirm),
                _ => continue,
            };
            let what = CommandKind::order(order.id, order.version, act, Proofs::ALL);
            commands.push(self.commands.trade(user, what));
        }
        for advert in &adverts {
            let what = CommandKind::Advert { id: advert.id, seen: advert.version, act: AdvertCommand::Cancel };
            commands.push(self.commands.trade(advert.terms.owner, what));
        }
        self.submit(commands, None).await?;
        Ok(orders.len() + adverts.len())
    }

    /// The orders and adverts that are open.
    pub(crate) fn open_trades(&self) -> (Vec<Order>, Vec<Advert>) {
        let orders = self.mirror.open_orders().into_iter().cloned().collect();
        (orders, self.mirror.open_adverts().into_iter().cloned().collect())
    }

    /// Describes what is still open.
    async fn unfinished(&mut self) -> String {
        let (orders, adverts) = self.open_trades();
        let stops = console::stopped(&self.servers[1]).await.map(|stops| format!("{stops:?}")).unwrap_or_default();
        let vaults =
            console::stopped_vaults(&self.servers[1]).await.map(|stops| format!("{stops:?}")).unwrap_or_default();
        format!(
            "owed {}, stopped {stops}, vaults {vaults}, orders {:#?}, adverts {:#?}, requests {:?}",
            self.describe_owed().await,
            &orders[..orders.len().min(3)],
            &adverts[..adverts.len().min(3)],
            self.mirror.requests.values().take(3).collect::<Vec<_>>()
        )
    }

    /// Describes the legs that are owed, with what the chain and the ledger say about their vaults.
    async fn describe_owed(&mut self) -> String {
        let query = "select l.vault, l.asset_id, l::text as leg,
                            (select string_agg(concat_ws(' ', a.kind, a.owner, a.balance), ', ') from ledger_accounts a
                             where a.vault = l.vault and a.asset_id = l.asset_id and a.balance <> 0) as accounts
                     from payout_legs l where l.state = 'owed' order by l.reference";
        let rows = sqlx::query(query).fetch_all(&mut self.inspector).await.expect("legs");
        let described = rows.into_iter().map(|row| {
            let vault = self.user(UserId(row.get("vault"))).user.vault;
            let holds = self.script.holding(vault, self.token(AssetId(row.get("asset_id"))));
            let (leg, accounts) = (row.get::<String, _>("leg"), row.get::<Option<String>, _>("accounts"));
            format!("{leg}: the vault {vault} holds {holds:?}, the ledger says {accounts:?}")
        });
        described.collect::<Vec<_>>().join("; ")
    }

    /// Mines enough blocks to make everything final.
    pub(crate) fn confirm_blocks(&self) {
        for _ in 0..=CONFIRMATIONS {
            self.script.mine();
        }
    }

    /// Replaces all nodes by healthy ones and restarts the workers.
    pub(crate) fn heal(&mut self) {
        if self.sick.is_empty() {
            return;
        }
        self.sick.clear();
        self.nodes = (0..super::NODES).map(|_| self.script.node()).collect();
        self.workers = [worker(self.servers[0].clone(), &self.nodes), worker(self.servers[1].clone(), &self.nodes)];
    }

    pub(crate) fn everybody_accepts_coins(&mut self) {
        for user in &self.users {
            self.script.refuse(user.user.bound.expect("a bound address"), false);
        }
    }

    /// One worker reads the chain to its head, applies deadlines, and pays everything that can be paid.
    pub(crate) async fn catch_up(&mut self, process: Process) -> Result<()> {
        for _ in 0..4 {
            while self.work(process, Part::Watcher).await? == Next::Immediately {}
            self.work(process, Part::Timers).await?;
            let mut batches = 0;
            while self.work(process, Part::Payouts).await? == Next::Immediately {
                batches += 1;
                if batches == 1_000 {
                    return Err(Bug("payouts never rest".to_owned()));
                }
            }
            if batches == 0 {
                break;
            }
            self.confirm_blocks();
        }
        self.work(process, Part::Reconciliation).await?;
        self.work(process, Part::References).await.map(drop)
    }

    /// The references of the legs that are owed.
    pub(crate) async fn owed(&mut self) -> Vec<u64> {
        let owed: Vec<i64> =
            sqlx::query_scalar("select reference from payout_legs where state = 'owed' order by reference")
                .fetch_all(&mut self.inspector)
                .await
                .expect("references");
        owed.into_iter().map(|reference| u64::try_from(reference).expect("a reference")).collect()
    }

    /// The references of the owed legs whose partner is owed as well.
    pub(crate) async fn owed_in_pairs(&mut self) -> Vec<u64> {
        let query = "select l.reference from payout_legs l join payout_legs partner using (payout_id)
                     where l.state = 'owed' and partner.reference <> l.reference and partner.state = 'owed'
                     order by l.reference";
        let owed: Vec<i64> = sqlx::query_scalar(query).fetch_all(&mut self.inspector).await.expect("references");
        owed.into_iter().map(|reference| u64::try_from(reference).expect("a reference")).collect()
    }

    /// An officer voids the legs that can only be voided: their partner is voided, or another payout has taken their place.
    async fn void_unpayable(&mut self) -> Result<()> {
        for failing in self.failing().await?.into_iter().filter(|failing| failing.to_be_voided) {
            self.script.void(failing.leg.reference);
        }
        Ok(())
    }

    /// The payouts that the console lists as failing.
    async fn failing(&self) -> Result<Vec<Failing>> {
        let listed = console::failing(&self.servers[1]).await;
        let listed = listed.map_err(|error| unexplained("reading failures", &error))?;
        Ok(listed.into_iter().map(|payout| payout.failing).collect())
    }

    /// Officers void payouts of NFTs that are still stopped after a while. Unlike coins, an NFT that a reorganization has removed can
    /// be somebody else's, so that nobody can send it again.
    async fn void_stopped_nfts(&mut self) -> Result<()> {
        let stopped: Vec<i64> = sqlx::query_scalar("select reference from stopped_nft_legs")
            .fetch_all(&mut self.inspector)
            .await
            .expect("references");
        let is_stopped = |leg: Reference| i64::try_from(leg.0).is_ok_and(|leg| stopped.contains(&leg));
        for failing in self.failing().await? {
            if is_stopped(failing.leg.reference) {
                for reference in failing.owed {
                    self.script.void(reference);
                }
                self.counts.add("stopped NFTs voided", 1);
            }
        }
        Ok(())
    }

    /// Time passes while a worker reads the chain, so it is not an outage.
    pub(crate) async fn wait(&mut self, span: Duration) {
        self.hands.advance(span);
        let now = self.now();
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        if store::outages::lock_heartbeat(&mut tx).await.expect("a heartbeat").is_some() {
            let beat = Heartbeat { at: now, machine_at: now };
            store::outages::beat(&mut tx, beat).await.expect("a heartbeat");
        }
        tx.commit().await.expect("a commit");
    }

    pub(crate) async fn end_maintenance(&mut self) -> Result<()> {
        let decision = maintenance::MaintenanceDecision { officer: "olga".into(), reason: "simulated".to_owned() };
        let ended = officers::end_maintenance(&self.servers[1], &decision).await;
        ended.map(drop).map_err(|error| unexplained("ending maintenance", &error))
    }

    /// An officer resumes all stopped payouts for which ledger and chain agree.
    pub(crate) async fn resume_payouts(&mut self) -> Result<()> {
        let stopped = console::stopped(&self.servers[1]).await.map_err(|error| unexplained("reading stops", &error))?;
        for stop in stopped {
            self.counts.add("payouts stopped", 1);
            let worker = &self.workers[1];
            let chain =
                NodePayoutChain { context: worker.context.clone(), node: Arc::clone(&worker.node), escrow: ESCROW };
            let by = console::By::from("olga");
            match console::resume(&worker.context, &chain, stop.asset.id, None, &by, "simulated").await {
                Ok(()) => self.observe(&"resumed"),
                Err(app::Error::Refused(refusal)) => self.observe(&refusal),
                Err(_) if self.reorganized || !self.chain_is_healthy() => {}
                Err(error) => return Err(unexplained("resuming payouts", &error)),
            }
        }
        Ok(())
    }

    /// Officers decide some of the appeals. Large orders need two of them.
    pub(crate) async fn decide_cases(&mut self, draws: &mut Draws) -> Result<()> {
        let (orders, _) = self.open_trades();
        for order in orders.iter().filter(|order| order.open_appeal().is_some()) {
            let winner = if draws.chance(50) { Party::Buyer } else { Party::Seller };
            let ruling = match draws.below(10) {
                0 => Ruling::Reject { malicious: draws.chance(50) },
                1 => Ruling::Reopen,
                _ => Ruling::Verdict { winner, malicious: draws.chance(20) },
            };
            let name = if draws.chance(50) { "olga" } else { "otto" };
            let officer = self.market.officer(name, Role::AppealOfficer).await;
            let decision = AppealRuling { order: order.id, ruling, officer, note: "simulated".to_owned() };
            match appeals::decide(&self.servers[1], &Rules::default(), &decision).await {
                Ok(Decided::Done(_)) => self.counts.add("decisions", 1),
                Ok(Decided::Proposed) => self.counts.add("proposals", 1),
                Ok(Decided::Unknown) => return Err(Bug(format!("{} is unknown", order.id))),
                Ok(Decided::Refused(_)) | Err(app::Error::Refused(_)) => {}
                Err(error) => return Err(unexplained("deciding", &error)),
            }
        }
        Ok(())
    }

    /// The owners of vaults that lack coins after a reorganization send them, as far as that is visible to them.
    pub(crate) async fn repay_debts(&mut self) {
        let (orders, adverts) = self.open_trades();
        let mut missing = Vec::new();
        for advert in &adverts {
            if let (Some(frozen), Some((_, vault_asset, _))) = (&advert.frozen, advert.terms.escrow()) {
                missing.push((vault_asset, frozen.missing));
            }
        }
        for order in &orders {
            for leg in [Leg::Base, Leg::Quote] {
                if let Some(frozen) = order.frozen
                    && (leg == Leg::Base || order.terms.automatic())
                {
                    missing.push((order.terms.vault_asset(leg), frozen.missing(leg)));
                }
            }
        }
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        for stop in store::vault_stops::all(&mut tx).await.expect("stops") {
            let debt =
                store::ledger::balance(&mut tx, stop.vault_asset.reorganisation_loss()).await.expect("a balance");
            missing.push((stop.vault_asset, debt));
        }
        tx.rollback().await.expect("an open transaction");
        for (vault_asset, amount) in missing.into_iter().filter(|(_, amount)| !amount.is_zero()) {
            let person = &self.user(vault_asset.vault).user;
            let (vault, bound) = (person.vault, person.bound.expect("a bound address"));
            self.send(self.token(vault_asset.asset), bound, vault, amount);
            self.counts.add("debts repaid", 1);
        }
    }

    /// The operator of the platform sends what vaults lack because a token has lied. The ledger already has it, so it is not credited.
    async fn make_lies_good(&mut self) {
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        let custody = store::ledger::custody_by_vault(&mut tx).await.expect("custody");
        tx.rollback().await.expect("an open transaction");
        for (vault, asset, says) in custody {
            let token = self.token(asset);
            let lacks = says.saturating_sub(self.script.holding(vault, token).unwrap_or(Amount::ZERO));
            if self.uncovered.contains(&(vault, token)) && !lacks.is_zero() {
                let operator = Address([0xee; 20]);
                self.send(token, operator, vault, lacks);
                self.counts.add("lies made good", 1);
            }
        }
    }

    /// A reader receives the events since it last read: all of them, each user's without gaps.
    pub(crate) async fn read_events(&mut self, reader: usize) -> Result<()> {
        loop {
            let events = self.tails[reader].next().await.map_err(|error| unexplained("reading events", &error))?;
            if events.is_empty() {
                return Ok(());
            }
            self.counts.add("events received", events.len());
            for event in events {
                let last = self.received[reader].entry(event.user).or_default();
                if event.number != *last + 1 {
                    return Err(Bug(format!("{} received event {} after {last}", event.user, event.number)));
                }
                *last = event.number;
            }
        }
    }
}
