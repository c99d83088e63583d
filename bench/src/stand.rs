//! The test stand: everything that the measurements share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::audit;
use crate::node::Node;
use crate::pgbench::Pgbench;
use crate::postgres::Postgres;
use crate::product::{Product, Running};
use crate::world::{HashCost, World, hash};

/// The database that runs use, as a copy of a world.
pub(crate) const COPY: &str = "run";

pub(crate) struct Stand {
    pub(crate) root: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) postgres: Postgres,
    pub(crate) node: Node,
    pub(crate) product: Product,
    pub(crate) pgbench: Pgbench,
    /// Whether to measure only briefly, to try the benchmark out.
    pub(crate) quick: bool,
    /// The worlds that have been filled.
    filled: Vec<&'static str>,
}

impl Stand {
    pub(crate) async fn build(
        root: &Path,
        folder: &Path,
        program: &Path,
        quick: bool,
        statements: bool,
    ) -> anyhow::Result<Self> {
        let pgbench = Pgbench::find()?;
        let postgres = Postgres::create(root, folder, statements).await?;
        let node = Node::start(root, folder).await?;
        let product = Product { program: program.to_owned(), folder: folder.to_owned() };
        Ok(Self {
            root: root.to_owned(),
            folder: folder.to_owned(),
            postgres,
            node,
            product,
            pgbench,
            quick,
            filled: Vec::new(),
        })
    }

    /// Fills a world, unless that has been done.
    pub(crate) async fn fill(&mut self, world: World) -> anyhow::Result<()> {
        if !self.has(world) {
            let began = std::time::Instant::now();
            world.fill(&self.postgres, &self.product, &self.node).await?;
            say(&format!(
                "{}: {} users, {} adverts, in {:.0?}",
                world.name,
                world.users,
                world.adverts,
                began.elapsed()
            ));
            self.filled.push(world.name);
        }
        Ok(())
    }

    /// Whether a world has been filled.
    pub(crate) fn has(&self, world: World) -> bool {
        self.filled.contains(&world.name)
    }

    /// Notes that a world has been filled by other means than its own.
    pub(crate) fn filled_by_hand(&mut self, world: World) {
        self.filled.push(world.name);
    }

    /// Makes a fresh copy of a world, which begins at the chain's current block.
    pub(crate) async fn copy(&mut self, world: World) -> anyhow::Result<()> {
        self.fill(world).await?;
        self.postgres.create_database(COPY, Some(world.name)).await?;
        self.begin_at_head(COPY).await
    }

    /// Lets the watcher skip the blocks of earlier runs.
    async fn begin_at_head(&self, database: &str) -> anyhow::Result<()> {
        let head = self.node.head().await?;
        let statement = format!("update chains set start_block = {head} where head_number is null");
        self.postgres.execute(database, &statement).await
    }

    /// Starts server and worker on a fresh copy of a world.
    pub(crate) async fn start(&mut self, world: World, cost: HashCost) -> anyhow::Result<Running> {
        self.copy(world).await?;
        if cost == HashCost::Real {
            let hash = hash(cost)?;
            self.postgres.execute(COPY, &format!("update accounts set security_hash = '{hash}'")).await?;
            self.postgres.execute(COPY, "vacuum (analyze) accounts").await?;
        }
        self.product.start(&self.postgres, COPY, &self.node).await
    }

    /// Starts server and worker on a world itself, for measurements that need no fresh copy.
    pub(crate) async fn start_in_place(&mut self, world: World) -> anyhow::Result<Running> {
        self.fill(world).await?;
        self.begin_at_head(world.name).await?;
        self.product.start(&self.postgres, world.name, &self.node).await
    }

    /// Checks the invariants after a run whose commands, if any, are not counted.
    pub(crate) async fn audit(&self, database: &str) -> anyhow::Result<()> {
        let pool = self.postgres.pool(database, 1).await?;
        audit::check(&pool, Self::now(), &[], 0).await?;
        pool.close().await;
        Ok(())
    }

    /// The length of one measurement.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs(if self.quick { 3 } else { 10 })
    }

    pub(crate) fn warm_up(&self) -> Duration {
        Duration::from_secs(if self.quick { 1 } else { 3 })
    }

    /// How often each measurement is repeated between measurements of the yardstick.
    pub(crate) fn rounds(&self) -> usize {
        if self.quick { 1 } else { 2 }
    }

    /// Returns the database's time, which orders are created by.
    pub(crate) fn now() -> DateTime<Utc> {
        Utc::now()
    }

    pub(crate) async fn tear_down(self) -> anyhow::Result<()> {
        self.node.stop().await?;
        self.postgres.stop().await
    }
}

/// Reports progress.
pub(crate) fn say(text: &str) {
    println!("  {text}");
}
