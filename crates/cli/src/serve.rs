//! `mec2c serve`: the API and the web app.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use api::middleware::{Check, Limits, Middleware, Rate, RateLimitSettings};
use api::realtime::{Hub, HubSettings};
use api::{AccountSessions, Explorer, Explorers, HallRows, Polls, Services};
use app::Context;
use app::appeals::AppealFigures;
use app::commands::Executor;
use app::console::Console;
use app::files::{FileSettings, Files};
use app::identity::Identity;
use app::market::hall::Hall;
use app::memory::feed::{self, Follower, Pace};
use app::order_record::OrderRecords;
use app::payment_methods::PaymentMethods;
use app::talk::Talk;
use gateways::CleanedPictures;
use store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::config::Config;
use crate::maintenance::CachedMaintenance;
use crate::{accounts, bootstrap, config_check, console, database, internal, record};

fn public_url(config: &Config) -> anyhow::Result<Url> {
    Url::parse(&config.http.public_url).context("http.public_url")
}

/// Returns the settings of websockets, which pages of the public URL may open.
fn sockets(config: &Config) -> anyhow::Result<HubSettings> {
    Ok(HubSettings { origins: vec![public_url(config)?.origin().ascii_serialization()], ..HubSettings::default() })
}

/// Serves until `stop` is cancelled.
pub(crate) async fn run(config: &Config, stop: CancellationToken) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    let work = serve(config, store.clone(), stop.clone());
    config_check::guard(&store, config, &stop, work).await
}

async fn serve(config: &Config, store: Store, stop: CancellationToken) -> anyhow::Result<()> {
    let node = bootstrap::node(&config.chain)?;
    let payout_node = Arc::clone(&node);
    let mail = accounts::mail(&config.mail)?;
    let context = bootstrap::context(store.clone(), config);
    let hall = Arc::new(Hall::new(context.clone(), Arc::new(HallRows)));
    let checks: Vec<Arc<dyn Check>> = vec![
        Arc::new(internal::Postgres(store.clone())),
        Arc::new(internal::ChainNode { node: Arc::clone(&node), needed: false }),
        Arc::new(internal::OurChain { context: context.clone(), node, needed: false }),
        Arc::new(internal::MailServer(mail.clone())),
        Arc::new(internal::LoadedHall { hall: Arc::clone(&hall), store: store.clone() }),
    ];
    let identity = accounts::identity(context.clone(), config, mail)?;
    let payout_chain =
        worker::payout_chain::NodePayoutChain { context: context.clone(), node: payout_node, escrow: config.escrow()? };
    let console = Console::new(
        context.clone(),
        identity.clone(),
        console::secrets(&config.console)?,
        Arc::new(payout_chain),
        config.appeals.rules(),
        &config.http.public_url,
    );
    let hub = Arc::new(Hub::new(context.clone(), sockets(config)?));
    let deliveries = tokio::spawn(run_until_stopped(Arc::clone(&hub), stop.clone()));
    // What this process keeps in memory.
    let followers: Vec<Arc<dyn Follower>> = vec![hall.clone()];
    let following = context.clone();
    let following = tokio::spawn(stop.clone().run_until_cancelled_owned(async move {
        feed::follow(&following, &followers, Pace::default()).await;
    }));
    let kept_current = Arc::clone(&hall);
    let kept_current = tokio::spawn(stop.clone().run_until_cancelled_owned(async move { kept_current.run().await }));
    let services = Services {
        hub: Arc::clone(&hub),
        middleware: Arc::new(middleware(config, &context, &identity)),
        methods: PaymentMethods::new(context.clone()),
        files: files(config, &context)?,
        talk: Talk::new(context.clone(), chrono::Duration::days(config.talk.open_days.into())),
        records: OrderRecords::new(context.clone(), record::keys(&config.records)?),
        appeal_figures: AppealFigures::new(context.clone()),
        hall: Arc::clone(&hall),
        executor: Executor::new(context.clone()),
        polls: Arc::new(Polls::new(context.clone())),
        explorers: explorers(config),
        context,
        identity,
        console,
        secure_cookies: config.http.public_url.starts_with("https:"),
    };
    let (router, _) = api::router(services.into());
    let address = config.http.listen;
    let listener = TcpListener::bind(address).await.with_context(|| format!("http.listen: {address}"))?;
    // Start this last, so that the process is ready only once it listens.
    let internal = internal::start(config.http.internal_listen, checks, stop.clone()).await?;
    tracing::info!(address = %listener.local_addr()?, "serving");

    let drain = Duration::from_secs(config.http.drain_seconds);
    let connections = api::Connections {
        proxies: config.http.proxies.clone(),
        host: Some(public_url(config)?.host_str().context("http.public_url has no host")?.to_owned()),
        ..api::Connections::default()
    };
    let serving = api::serve(listener, router, connections, stop.clone());
    tokio::select! {
        served = serving => served?,
        () = async { stop.cancelled().await; tokio::time::sleep(drain).await } => {
            tracing::warn!("requests were still running when the drain time ended");
        }
    }
    deliveries.await?;
    following.await?;
    kept_current.await?;
    if tokio::time::timeout(drain, hub.drained()).await.is_err() {
        tracing::warn!("websockets were still open when the drain time ended");
    }
    if let Some(internal) = internal {
        internal.await??;
    }
    store.close().await;
    Ok(())
}

/// Delivers events until the process stops, then closes all websockets.
async fn run_until_stopped(hub: Arc<Hub>, stop: CancellationToken) {
    tokio::select! {
        () = hub.run() => {}
        () = stop.cancelled() => hub.stop(),
    }
}

fn explorers(config: &Config) -> Explorers {
    let receiving = config.chain_types.iter();
    Explorers {
        escrow: Explorer::at(&config.chain.explorer),
        receiving: Arc::new(
            receiving.filter_map(|kind| Some((kind.name.clone(), Explorer::at(&kind.explorer)?))).collect(),
        ),
    }
}

fn files(config: &Config, context: &Context) -> anyhow::Result<Files> {
    let limits = &config.files;
    let settings = FileSettings {
        most_video_bytes: u64::from(limits.video_megabytes).saturating_mul(1024 * 1024),
        most_video_seconds: limits.video_seconds,
        decodes_at_once: usize::try_from(limits.decodes_at_once)?,
    };
    let store = Arc::new(bootstrap::file_store(limits)?);
    Ok(Files::new(context.clone(), store, Arc::new(CleanedPictures), settings))
}

fn middleware(config: &Config, context: &Context, identity: &Identity) -> Middleware {
    let http = &config.http;
    let [address, login, session, account, upload, talk, record] =
        config.rate_limits.each().map(|(_, burst, every)| Rate { burst, every: Duration::from_millis(every) });
    let limits = RateLimitSettings { address, login, session, account, upload, talk, record };
    let began = Instant::now();
    Middleware {
        sessions: Arc::new(AccountSessions(identity.clone())),
        maintenance: Arc::new(CachedMaintenance::new(context.clone())),
        limits: Limits::new(limits, Arc::new(move || began.elapsed())),
        web_root: (!http.web_folder.as_os_str().is_empty()).then(|| http.web_folder.clone()),
        proxies: http.proxies.clone(),
        region_header: (!http.region_header.is_empty()).then(|| http.region_header.clone()),
        time_out: Duration::from_secs(http.timeout_seconds),
        upload_time_out: Duration::from_secs(http.upload_timeout_seconds),
    }
}
