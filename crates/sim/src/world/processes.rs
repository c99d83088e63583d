//! The parts of the workers, one step at a time, with faults of their database connection.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, resume_unwind};

use app::Context;
use chain::scripted::{Death, Method};
use chain::watch::WatchError;
use domain::chain::Reference;
use futures::FutureExt as _;
use sqlx::PgConnection;
use store::payouts::NewPayout;
use testkit::market::CHAIN;
use testkit::reservations;
use worker::{Next, Worker};

use super::{World, unexplained, worker as new_worker};
use crate::wire::{Fault, Wire};
use crate::{Bug, Result};

/// A part of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Watcher,
    Payouts,
    Timers,
    Reconciliation,
    References,
    Stops,
    Sweep,
}

/// Which worker runs: the first one is connected through the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Process {
    First,
    Second,
}

impl Part {
    pub(crate) const ALL: [Self; 7] =
        [Self::Watcher, Self::Payouts, Self::Timers, Self::Reconciliation, Self::References, Self::Stops, Self::Sweep];

    pub(crate) async fn step(self, worker: &Worker) -> worker::Result<Next> {
        match self {
            Self::Watcher => worker::watch::step(worker).await,
            Self::Payouts => worker::payouts::step(worker).await,
            Self::Timers => worker::timers::step(worker).await,
            Self::Reconciliation => worker::reconcile::step(worker).await,
            Self::References => worker::references::step(worker).await,
            Self::Stops => worker::stops::show(worker).await,
            Self::Sweep => worker::sweep::step(worker).await,
        }
    }
}

impl World {
    /// Runs one step of a worker's part.
    pub(crate) async fn work(&mut self, process: Process, part: Part) -> Result<Next> {
        let worker = match process {
            Process::First => &self.workers[0],
            Process::Second => &self.workers[1],
        };
        let done = part.step(worker).await;
        self.observe(&(process, part, done.as_ref().map_err(ToString::to_string)));
        self.judge(part, done, false)
    }

    /// Runs one step of the first worker's part, which loses its connection at the given request and starts again.
    pub(crate) async fn work_and_die(&mut self, part: Part, fault: Fault, requests: u32) -> Result<()> {
        self.arm(fault, requests).await;
        let done = part.step(&self.workers[0]).await;
        let died = self.disarm().await;
        if died {
            self.counts.add("workers killed", 1);
            self.first_worker_starts_again().await;
        }
        self.observe(&(part, fault, died, done.as_ref().map_err(ToString::to_string)));
        self.judge(part, done, died).map(drop)
    }

    /// Runs one step of the first worker's part, which dies when a node has handled a request, and starts again.
    pub(crate) async fn work_and_die_at_a_node(
        &mut self,
        part: Part,
        method: Option<Method>,
        requests: u32,
    ) -> Result<()> {
        self.rolled_back().await;
        self.script.kill_at(method, requests);
        let done = AssertUnwindSafe(part.step(&self.workers[0])).catch_unwind().await;
        let died = self.script.spare();
        self.observe(&(part, method, died));
        match done {
            Ok(done) => self.judge(part, done, false).map(drop),
            Err(death) if death.is::<Death>() => {
                self.counts.add("workers killed", 1);
                self.first_worker_starts_again().await;
                Ok(())
            }
            Err(panic) => resume_unwind(panic),
        }
    }

    async fn first_worker_starts_again(&mut self) {
        self.wire.cut();
        self.quiet().await;
        self.workers[0] = new_worker(self.servers[0].clone(), &self.nodes);
    }

    /// Runs one step of the first worker's part, which stalls at the given request until `meanwhile` has happened, or
    /// until something waits for a lock that the stalled worker may hold.
    pub(crate) async fn work_and_stall(&mut self, part: Part, requests: u32, meanwhile: &[Part]) -> Result<()> {
        let (first, second) = (self.workers[0].clone(), self.workers[1].clone());
        let others = async {
            let mut done = Vec::new();
            for part in meanwhile {
                done.push((*part, part.step(&second).await));
            }
            done
        };
        let (done, others, was_held) = self.overlap(requests, part.step(&first), others).await;
        if was_held {
            self.counts.add("workers stalled", 1);
        }
        self.observe(&(part, was_held, done.as_ref().map_err(ToString::to_string)));
        // A watcher that has read to the head may have done so after the others.
        let reorganized = self.reorganized;
        self.judge(part, done, false)?;
        for (part, done) in others {
            self.observe(&(part, done.as_ref().map_err(ToString::to_string)));
            self.reorganized = reorganized;
            self.judge(part, done, false)?;
        }
        self.reorganized = reorganized;
        Ok(())
    }

    /// The first server stalls while it reserves references for payouts, until the second has reserved others or waits for
    /// the first. No reference belongs to both. Neither server commits.
    pub(crate) async fn reserve_on_two_servers(&mut self, first: &[NewPayout], second: &[NewPayout]) -> Result<()> {
        self.rolled_back().await;
        let (servers, wire, lookout) = (self.servers.clone(), self.wire.clone(), &mut self.lookout);
        let (held, other) = (reserve(&servers[0], first), reserve(&servers[1], second));
        tokio::pin!(held, other);
        reservations::hold(lookout).await;
        let mut reserved = tokio::select! {
            biased;
            done = &mut held => Some(done),
            () = blocked(lookout, &wire, true) => None,
        };
        let mut others = tokio::select! {
            biased;
            done = &mut other => Some(done),
            () = blocked(lookout, &wire, false) => None,
        };
        reservations::release(lookout).await;
        if reserved.is_none() {
            reserved = Some(held.await);
        }
        if others.is_none() {
            others = Some(other.await);
        }
        let both = reserved.into_iter().chain(others);
        let both =
            both.collect::<app::Result<Vec<_>>>().map_err(|error| unexplained("reserving references", &error))?;
        let references: Vec<_> = both.concat();
        self.counts.add("references reserved at once", references.len());
        self.observe(&references);
        let distinct: BTreeSet<_> = references.iter().collect();
        if distinct.len() < references.len() {
            return Err(Bug(format!("two servers have reserved the same references: {both:?}")));
        }
        Ok(())
    }

    /// Arms a fault of the wire, after what earlier steps have left to do in the background.
    pub(super) async fn arm(&mut self, fault: Fault, requests: u32) {
        self.rolled_back().await;
        self.wire.arm(fault, requests);
    }

    /// Disarms the wire, after what the step has left to do in the background. Returns whether the fault has happened.
    pub(super) async fn disarm(&mut self) -> bool {
        self.rolled_back().await;
        self.wire.disarm()
    }

    /// Waits until the transactions that were dropped without a commit are rolled back, and their connections tested.
    /// These requests count, so the outcome of a fault would otherwise depend on when they are sent.
    async fn rolled_back(&self) {
        while !self.servers[0].store.is_idle() {
            tokio::task::yield_now().await;
        }
    }

    /// Holds what goes through the wire at the given request until `others` is done, or until it waits for a lock.
    /// Returns both results, and whether anything was held.
    ///
    /// Only one of the two runs at a time: the other one waits in PostgreSQL, or is not polled. So the same step always
    /// has the same outcome.
    pub(super) async fn overlap<A, B>(
        &mut self,
        requests: u32,
        held: impl Future<Output = A>,
        others: impl Future<Output = B>,
    ) -> (A, B, bool) {
        self.arm(Fault::Hold, requests).await;
        let (wire, lookout) = (self.wire.clone(), &mut self.lookout);
        tokio::pin!(held, others);
        let mut first = tokio::select! {
            biased;
            done = &mut held => Some(done),
            () = wire.held() => None,
        };
        let was_held = first.is_none();
        if !was_held {
            // What the connection does in the background must not be held.
            self.wire.disarm();
        }
        let mut second = None;
        loop {
            if second.is_none() {
                second = tokio::select! {
                    biased;
                    done = &mut others => Some(done),
                    () = blocked(lookout, &wire, false), if first.is_none() => None,
                };
            }
            wire.release();
            if first.is_none() {
                first = tokio::select! {
                    biased;
                    done = &mut held => Some(done),
                    () = blocked(lookout, &wire, true), if second.is_none() => None,
                };
            }
            match (first, second) {
                (Some(first), Some(second)) => {
                    wire.disarm();
                    return (first, second, was_held);
                }
                rest => (first, second) = rest,
            }
        }
    }

    /// Decides whether an error is explained by a fault.
    fn judge(&mut self, part: Part, done: worker::Result<Next>, died: bool) -> Result<Next> {
        match done {
            Ok(next) => {
                self.reorganized &= part != Part::Watcher || next == Next::Immediately;
                Ok(next)
            }
            Err(worker::Error::App(app::Error::Unavailable { .. }) | worker::Error::Watch(WatchError::Accounts(_)))
                if died =>
            {
                Ok(Next::Rest)
            }
            Err(worker::Error::App(error)) => Err(unexplained(&format!("{part:?}"), &error)),
            // The database still refers to blocks that the nodes have removed.
            Err(worker::Error::Node(_) | worker::Error::Watch(_)) if self.reorganized => Ok(Next::Rest),
            Err(error) if self.chain_is_healthy() => Err(unexplained(&format!("{part:?}"), &error)),
            Err(worker::Error::OtherChain(why)) => Err(Bug(format!("{part:?} sees another chain: {why}"))),
            Err(_) => {
                self.counts.add("steps failed by nodes", 1);
                Ok(Next::Rest)
            }
        }
    }
}

/// Creates payouts and dies before the commit. Returns the references of their legs.
async fn reserve(server: &Context, payouts: &[NewPayout]) -> app::Result<Vec<Reference>> {
    let (mut tx, now) = server.begin().await?;
    store::payouts::insert(&mut tx, CHAIN, payouts, now).await?;
    let ids: Vec<_> = payouts.iter().map(|payout| payout.id).collect();
    let legs = store::payouts::legs_of(&mut tx, &ids).await?;
    tx.rollback().await?;
    Ok(legs.into_iter().map(|leg| leg.reference).collect())
}

/// Waits until a connection waits for a lock: one through the wire, or another one.
async fn blocked(lookout: &mut PgConnection, wire: &Wire, through_wire: bool) {
    let query = "select count(*) from pg_stat_activity where datname = current_database()
                 and wait_event_type = 'Lock' and (client_port = any($1)) = $2";
    loop {
        let counted = sqlx::query_scalar(query).bind(wire.connections()).bind(through_wire);
        let waiting: i64 = counted.fetch_one(&mut *lookout).await.expect("a number");
        if waiting > 0 {
            return;
        }
        tokio::task::yield_now().await;
    }
}
