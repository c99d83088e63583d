//! A child process of the supervisor: starts it, reads its output, and stops it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail};
use rustix::process::{Pid, Signal};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

/// The number of output lines that are kept for crash reports.
const LINES_KEPT: usize = 30;
/// The time that a process may take to stop before it is killed.
const PATIENCE: Duration = Duration::from_secs(15);

/// How to start and stop a process.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    /// The name in messages.
    pub(crate) name: &'static str,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Environment variables, in addition to the supervisor's own.
    pub(crate) variables: Vec<(String, String)>,
    /// The file that receives the output.
    pub(crate) log: PathBuf,
    pub(crate) stop: Stop,
    /// A command that wraps the program, such as `unshare … --`.
    pub(crate) through: Vec<String>,
}

/// The signals that stop a process: on request, and when the supervisor dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// SIGTERM on request, SIGKILL when the supervisor dies.
    Terminate,
    /// SIGINT in both cases, which makes PostgreSQL shut down fast but cleanly.
    Interrupt,
}

impl Stop {
    fn signal(self) -> Signal {
        match self {
            Self::Terminate => Signal::TERM,
            Self::Interrupt => Signal::INT,
        }
    }

    fn at_our_death(self) -> &'static str {
        match self {
            Self::Terminate => "KILL",
            Self::Interrupt => "INT",
        }
    }
}

/// The last lines of output.
#[derive(Debug, Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= LINES_KEPT {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

pub(crate) struct Process {
    /// The name in messages.
    pub(crate) name: &'static str,
    child: Child,
    stop: Stop,
    tail: Tail,
    lines: watch::Receiver<u64>,
    log: PathBuf,
}

/// The report of a process that stopped unexpectedly.
#[derive(Debug)]
pub(crate) struct Crash {
    pub(crate) name: &'static str,
    /// The exit code or signal.
    pub(crate) ended: String,
    /// The last lines of output.
    pub(crate) lines: Vec<String>,
    /// The file with the complete output.
    pub(crate) log: PathBuf,
}

impl std::fmt::Display for Crash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} stopped unexpectedly ({}). Last output:", self.name, self.ended)?;
        for line in &self.lines {
            writeln!(f, "    {line}")?;
        }
        write!(f, "  Complete log: {}", self.log.display())
    }
}

impl std::error::Error for Crash {}

impl Process {
    /// Starts a process in its own process group, so that Ctrl-C in the terminal reaches only the supervisor, which
    /// stops the processes in order.
    ///
    /// Must be called on the supervisor's main thread: the kernel signals the process when the thread that started it
    /// ends.
    pub(crate) fn start(spec: &Spec) -> anyhow::Result<Self> {
        let mut words: Vec<String> = spec.through.clone();
        if let Some(setpriv) = find_program("setpriv") {
            words.extend([
                setpriv.display().to_string(),
                "--pdeathsig".to_owned(),
                spec.stop.at_our_death().to_owned(),
                "--".to_owned(),
            ]);
        }
        words.push(spec.program.display().to_string());
        words.extend(spec.arguments.iter().cloned());
        let mut words = words.into_iter();
        let Some(program) = words.next() else { bail!("{}: nothing to start", spec.name) };

        let log = File::create(&spec.log).with_context(|| format!("cannot write {}", spec.log.display()))?;
        let log = Arc::new(Mutex::new(log));
        let mut child = Command::new(&program)
            .args(words)
            .envs(spec.variables.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{}: cannot start {program}", spec.name))?;

        let tail = Tail::default();
        let (count, lines) = watch::channel(0_u64);
        let count = Arc::new(count);
        if let Some(stream) = child.stdout.take() {
            tokio::spawn(listen(stream, tail.clone(), Arc::clone(&log), Arc::clone(&count)));
        }
        if let Some(stream) = child.stderr.take() {
            tokio::spawn(listen(stream, tail.clone(), log, count));
        }
        Ok(Self { name: spec.name, child, stop: spec.stop, tail, lines, log: spec.log.clone() })
    }

    /// Returns the process ID, while the process runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the process prints a line that contains `text`.
    pub(crate) async fn says(&mut self, text: &str, within: Duration) -> anyhow::Result<()> {
        let mut lines = self.lines.clone();
        let tail = self.tail.clone();
        let heard = async {
            loop {
                lines.mark_unchanged();
                if tail.lines().iter().any(|line| line.contains(text)) {
                    return true;
                }
                if lines.changed().await.is_err() {
                    return tail.lines().iter().any(|line| line.contains(text));
                }
            }
        };
        match tokio::time::timeout(within, heard).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.ended().await.into()),
            Err(_) => bail!(
                "{} was not ready within {} s. Last output:\n    {}",
                self.name,
                within.as_secs(),
                self.tail.lines().join("\n    ")
            ),
        }
    }

    /// Waits until the process stops, which is always a crash.
    pub(crate) async fn ended(&mut self) -> Crash {
        let ended = match self.child.wait().await {
            Ok(status) => describe(status),
            Err(error) => error.to_string(),
        };
        // Both streams end with the process. Wait until their remaining lines have been read.
        let mut lines = self.lines.clone();
        let drained = async { while lines.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(Duration::from_secs(1), drained).await;
        Crash { name: self.name, ended, lines: self.tail.lines(), log: self.log.clone() }
    }

    /// Waits for a process that exits when its work is done.
    pub(crate) async fn finish(mut self, within: Duration) -> anyhow::Result<()> {
        match tokio::time::timeout(within, self.child.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(_) => Err(self.ended().await.into()),
            Err(_) => bail!("{} took more than {} s", self.name, within.as_secs()),
        }
    }

    /// Stops the process. Kills it if it takes too long. Returns whether it stopped on request.
    pub(crate) async fn end(mut self) -> bool {
        let Some(pid) = self.pid().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) else { return true };
        if rustix::process::kill_process(pid, self.stop.signal()).is_err() {
            return self.child.wait().await.is_ok();
        }
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_ok() {
            return true;
        }
        // Kill its child processes as well.
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        let _ = self.child.wait().await;
        false
    }
}

fn describe(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "unknown reason".to_owned(),
    }
}

async fn listen(stream: impl AsyncRead + Unpin, tail: Tail, log: Arc<Mutex<File>>, count: Arc<watch::Sender<u64>>) {
    let mut lines = BufReader::new(stream).split(b'\n');
    while let Ok(Some(bytes)) = lines.next_segment().await {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            // Ignore write errors: a full disk must not stop the logged process.
            let _ = writeln!(log, "{line}");
        }
        tail.push(line);
        count.send_modify(|count| *count = count.saturating_add(1));
    }
}

/// Finds a program in `PATH`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
