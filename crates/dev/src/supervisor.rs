//! Starts every process in order, watches them, and stops them in reverse order.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Deserialize;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::block_production::{self, BlockProduction};
use crate::clock::{self, Clocks};
use crate::environment::{Demo, Environment};
use crate::miner::Miner;
use crate::pass_emulator::{self, PassEmulator};
use crate::places::{self, Places};
use crate::process::{Crash, Process};
use crate::product::{self, Surroundings};
use crate::rpc::Node;
use crate::wallet::{self, Wallets};
use crate::{contracts, demo, http, mail, node, people, ports, postgres, saved, slides};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// The time that the product may take to become ready.
const PRODUCT_READY: Duration = Duration::from_mins(1);

/// Options of the development environment.
#[derive(Debug, Args)]
pub(crate) struct SupervisorSettings {
    #[command(flatten)]
    places: Places,
    /// The product's port. If it is taken, the next free one is used.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Uses free ports instead of the usual ones; for tests.
    #[arg(long)]
    any_ports: bool,
    /// Creates a new environment without the demo world; for tests. An existing environment keeps its demo world.
    #[arg(long)]
    empty: bool,
}

impl SupervisorSettings {
    fn preferred(&self, port: u16) -> Option<u16> {
        (!self.any_ports).then_some(port)
    }
}

/// The running processes and tasks. Processes are in the order of their start.
struct Running {
    processes: Vec<Process>,
    miner: Option<(CancellationToken, JoinHandle<anyhow::Result<()>>)>,
    pages: Vec<JoinHandle<std::io::Result<()>>>,
    /// Stops the pages.
    stop: CancellationToken,
}

/// Starts the environment and keeps it running until a signal or a crash.
pub(crate) async fn run(settings: &SupervisorSettings) -> anyhow::Result<()> {
    let began = Instant::now();
    let environment = Environment::open(&settings.places.data_dir(), !settings.empty)?;
    if let Some(warning) = postgres::warn_without_setpriv() {
        eprintln!("warning: {warning}");
    }
    let mut end = Ending::new()?;
    let mut running = Running { processes: Vec::new(), miner: None, pages: Vec::new(), stop: CancellationToken::new() };

    let outcome = tokio::select! {
        started = start(settings, &environment, &mut running, began) => started,
        () = end.asked() => Ok(()),
    };
    let outcome = match outcome {
        Ok(()) if !end.was_asked => {
            tokio::select! {
                crash = running.first_to_end() => Err(crash),
                () = end.asked() => Ok(()),
            }
        }
        other => other,
    };
    if let Err(error) = &outcome {
        eprintln!("\n!!! {error:#}\n");
    }
    println!("Stopping …");
    tokio::select! {
        in_order = running.end() => {
            if !in_order { eprintln!("Not everything stopped cleanly; committed data is kept."); }
        }
        () = end.asked_again() => {
            bail!("stopped by force, as requested; committed data is kept");
        }
    }
    println!("Everything has stopped.");
    outcome.map_err(|_| anyhow::anyhow!("the development environment stopped because of the problem above"))
}

async fn start(
    settings: &SupervisorSettings,
    environment: &Environment,
    running: &mut Running,
    began: Instant,
) -> anyhow::Result<()> {
    let tools = settings.places.folder("tools")?;
    let contracts_folder = settings.places.folder("contracts")?;
    let program = places::product()?;

    let port = ports::choose(HERE, settings.preferred(5433))?;
    let (process, database) = step("postgres", postgres::start(environment, &tools, port)).await?;
    running.processes.push(process);

    let port = ports::choose(HERE, settings.preferred(8545))?;
    let demo = environment.demo();
    let genesis = (demo == Demo::Wanted).then(|| demo::beginning(chrono::Utc::now()));
    let (process, node) = step("anvil", node::start(environment, &contracts_folder, port, genesis)).await?;
    running.processes.push(process);
    let block_production = BlockProduction::default();
    if demo != Demo::Wanted {
        running.keep(environment, &node, &block_production);
    }
    let (deployment, settler) = step("contracts", contracts::ready(environment, &node)).await?;

    let (smtp_port, mail_page) =
        (ports::choose(HERE, settings.preferred(2525))?, ports::choose(HERE, settings.preferred(8081))?);
    running.processes.push(step("mail", mail::start(environment, &tools, smtp_port, mail_page)).await?);

    let web = settings.places.folder("web/dist")?;
    let around = Surroundings {
        listen: SocketAddr::new(HERE, ports::choose(HERE, settings.preferred(settings.port))?),
        web: web.join("index.html").exists().then_some(web),
        console_key_file: environment.secret("console-key")?.1,
        record_key_file: environment.secret("record-key")?.1,
        files_folder: environment.path("objects"),
        database,
        rpc: node.url().to_owned(),
        deployment,
        settler,
        smtp_port,
        pass_port: ports::choose(HERE, settings.preferred(8082))?,
    };
    let configuration = product::configure(environment, &around)?;
    let spec = |name, command, port| product::spec(environment, &program, &configuration, name, command, port);
    let store = product::store(&around.database)?;
    step("migrate", async {
        product::migrate(&store).await?;
        Process::start(&spec("migrate", "migrate", 0))?.finish(PRODUCT_READY).await
    })
    .await?;

    let pass = PassEmulator::open(pass_emulator::EmulatorSettings {
        issuer: product::pass_url(around.pass_port),
        folder: &environment.path("pass"),
        accounts: people::with_pass(&node).await?,
        audience: product::AUDIENCE.to_owned(),
        call_back: around.call_back(),
        time: Some(store.clone()),
    })?;
    // Registration needs the pass's keys.
    running.serve(around.pass_port, pass_emulator::router(pass.clone())).await?;
    if demo == Demo::Wanted {
        let ground = demo::Ground {
            store: store.clone(),
            node: node.clone(),
            people: people::all(&node).await?,
            settler: contracts::settler_signer(environment)?,
            pass: &pass,
            around: &around,
            mail_page,
        };
        // The configuration already contains this port, so keep it reserved meanwhile.
        let held = std::net::TcpListener::bind(around.listen).context("cannot reserve the product's port")?;
        step("demo world", Box::pin(demo::fill(ground))).await?;
        drop(held);
        saved::save(&node, &node::state_file(environment)).await?;
        environment.demo_is_filled()?;
        running.keep(environment, &node, &block_production);
    }
    let wallet_page = ports::choose(HERE, settings.preferred(8083))?;
    running.serve(wallet_page, wallet::router(Wallets::new(node.clone(), deployment.usdt, deployment.album)?)).await?;
    let clocks = Clocks { store: store.clone(), node: node.clone() };
    let controls = clock::router(clocks)
        .merge(slides::router(store))
        .merge(block_production::router(block_production, node.clone()));
    let control = ports::choose(HERE, settings.preferred(8084))?;
    running.serve(control, controls).await?;

    let health = ports::choose(HERE, settings.preferred(9081))?;
    let worker = step("worker", healthy(Process::start(&spec("worker", "worker", health))?, health)).await?;
    running.processes.push(worker);
    let health = ports::choose(HERE, settings.preferred(9080))?;
    let serve = step("serve", healthy(Process::start(&spec("serve", "serve", health))?, health)).await?;
    running.processes.push(serve);

    println!("\nReady after {:.1} s.\n", began.elapsed().as_secs_f64());
    println!("  MEC2C     {}", around.url());
    println!("  Console   {}/console\n", around.url());
    println!("  Mails     http://127.0.0.1:{mail_page}");
    println!("  Pass      {}", product::pass_url(around.pass_port));
    println!("  Wallets   http://127.0.0.1:{wallet_page}");
    println!("  Clock     http://127.0.0.1:{control}/clock");
    println!("  Node      {}", node.url());
    println!("  Logs      {}", environment.path("log").display());
    println!("  Configuration for mec2c in another terminal: {}\n", configuration.display());
    match environment.demo() {
        Demo::Filled => demo::print(&around.url()),
        _ if settings.empty => {}
        _ => println!("This environment has no demo world. To create one: make reset, then make run.\n"),
    }
    println!("Ctrl-C stops everything; make reset deletes it.");
    Ok(())
}

/// Waits until a process of the product and all its dependencies are ready, so that commands that move money are
/// accepted from the start.
async fn healthy(mut process: Process, port: u16) -> anyhow::Result<Process> {
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build()?;
    let url = format!("http://127.0.0.1:{port}/health/ready");
    let mut problem = "it does not respond".to_owned();
    let ready = async {
        loop {
            if let Ok(answer) = client.get(&url).send().await
                && let Ok(processes) = answer.json::<Vec<Health>>().await
            {
                let Some(unwell) = processes.into_iter().find(|process| !process.ready && process.matters()) else {
                    return;
                };
                problem = format!("{}: {}", unwell.name, unwell.problem.unwrap_or_default());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let outcome = tokio::select! {
        () = ready => Ok(()),
        crash = process.ended() => Err(Some(crash)),
        () = tokio::time::sleep(PRODUCT_READY) => Err(None),
    };
    match outcome {
        Ok(()) => Ok(process),
        Err(Some(crash)) => Err(anyhow::Error::new::<Crash>(crash)),
        Err(None) => bail!("{} is not ready after {} s: {problem}", process.name, PRODUCT_READY.as_secs()),
    }
}

/// The state of one dependency, as `/health/ready` reports it.
#[derive(Deserialize)]
struct Health {
    name: String,
    ready: bool,
    problem: Option<String>,
}

impl Health {
    /// Returns whether a failure prevents the start. Stopped payouts need an officer but don't prevent it.
    fn matters(&self) -> bool {
        self.name != "payouts"
    }
}

/// Prints a step and how long it took.
async fn step<T>(name: &str, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let began = Instant::now();
    println!("  {name:<14} starting …");
    let done = work.await.with_context(|| format!("{name} did not start"))?;
    println!("  {name:<14} ready after {:.1} s", began.elapsed().as_secs_f64());
    Ok(done)
}

impl Running {
    /// Starts the miner, which also saves the chain.
    fn keep(&mut self, environment: &Environment, node: &Node, block_production: &BlockProduction) {
        let token = CancellationToken::new();
        let miner =
            Miner::new(node.clone(), node::state_file(environment), node::CONFIRMATIONS, block_production.clone());
        self.miner = Some((token.clone(), tokio::spawn(miner.run(token))));
    }

    /// Serves a page until everything stops.
    async fn serve(&mut self, port: u16, router: axum::Router) -> anyhow::Result<()> {
        self.pages.push(http::serve(port, router, self.stop.clone()).await?);
        Ok(())
    }

    /// Waits until the first process or task stops, which is always a crash.
    async fn first_to_end(&mut self) -> anyhow::Error {
        let miner = async {
            match &mut self.miner {
                Some((_, task)) => match task.await {
                    Ok(Ok(())) => anyhow::anyhow!("the miner stopped unexpectedly"),
                    Ok(Err(error)) => error.context("the miner failed; the chain is no longer saved"),
                    Err(error) => anyhow::Error::new(error).context("the miner crashed"),
                },
                None => std::future::pending().await,
            }
        };
        let processes = first(self.processes.iter_mut().map(Process::ended));
        tokio::select! {
            // If the node crashes, so does the miner. Report the node, which is the cause.
            biased;
            crash = processes => crash.into(),
            error = miner => {
                let grace = first(self.processes.iter_mut().map(Process::ended));
                match tokio::time::timeout(Duration::from_secs(1), grace).await {
                    Ok(crash) => crash.into(),
                    Err(_) => error,
                }
            }
        }
    }

    /// Stops everything in reverse order. Returns whether all stopped on request.
    async fn end(&mut self) -> bool {
        let mut in_order = true;
        self.stop.cancel();
        for page in self.pages.drain(..) {
            // A browser may keep its connection open. Closing the connection loses no data.
            let _ = tokio::time::timeout(Duration::from_millis(200), page).await;
        }
        while let Some(process) = self.processes.pop() {
            if process.name == "anvil" {
                in_order &= self.end_miner().await;
            }
            let name = process.name;
            let fine = process.end().await;
            println!("  {name:<14} {}", if fine { "stopped" } else { "killed: it did not stop in time" });
            in_order &= fine;
        }
        in_order
    }

    /// Stops the miner, which saves the chain once more. It must stop before the node.
    async fn end_miner(&mut self) -> bool {
        let Some((token, task)) = self.miner.take() else { return true };
        if task.is_finished() {
            return false;
        }
        token.cancel();
        match task.await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                eprintln!("  the chain was not saved at the end: {error:#}");
                false
            }
            Err(_) => false,
        }
    }
}

/// Returns the result of the first future that completes.
async fn first<T>(futures: impl Iterator<Item = impl Future<Output = T>>) -> T {
    let mut futures: Vec<Pin<Box<_>>> = futures.map(Box::pin).collect();
    std::future::poll_fn(|context| {
        for future in &mut futures {
            if let std::task::Poll::Ready(value) = future.as_mut().poll(context) {
                return std::task::Poll::Ready(value);
            }
        }
        std::task::Poll::Pending
    })
    .await
}

/// The signals that stop the environment.
struct Ending {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
    was_asked: bool,
}

impl Ending {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            was_asked: false,
        })
    }

    async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
        self.was_asked = true;
    }

    /// Waits for a second request while everything stops. One Ctrl-C may deliver several signals within a moment, for
    /// example through `make`; these count as one.
    async fn asked_again(&mut self) {
        tokio::time::sleep(Duration::from_secs(1)).await;
        while let Ok(()) = tokio::time::timeout(Duration::ZERO, self.asked()).await {}
        self.asked().await;
    }
}
