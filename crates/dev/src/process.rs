//! One program of the development world as a child of the supervisor: started, listened to, ended.

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

/// How many of its last lines a crashed part is reported with.
const LINES_KEPT: usize = 30;
/// How long a part may take to end when asked to.
const PATIENCE: Duration = Duration::from_secs(15);

/// What to start, and how it wants to be ended.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    /// The name under which it is reported.
    pub(crate) name: &'static str,
    /// The program.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// Variables added to the supervisor's own.
    pub(crate) variables: Vec<(String, String)>,
    /// Where what it says is kept.
    pub(crate) log: PathBuf,
    /// Asks it to end in good order.
    pub(crate) stop: Stop,
    /// Programs that start it and become it, such as `unshare … --`.
    pub(crate) through: Vec<String>,
}

/// How a part is asked to end, and what it gets if the supervisor dies without a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// SIGTERM; killed with the supervisor.
    Terminate,
    /// SIGINT in both cases: how Postgres is told to shut down at once but cleanly.
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

/// What a part said last.
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

/// A running part.
pub(crate) struct Process {
    /// The name under which it is reported.
    pub(crate) name: &'static str,
    child: Child,
    stop: Stop,
    tail: Tail,
    lines: watch::Receiver<u64>,
    log: PathBuf,
}

/// Why a part that should run does not.
#[derive(Debug)]
pub(crate) struct Crash {
    /// Which part.
    pub(crate) name: &'static str,
    /// How it ended.
    pub(crate) ended: String,
    /// What it said last.
    pub(crate) lines: Vec<String>,
    /// Where the rest is.
    pub(crate) log: PathBuf,
}

impl std::fmt::Display for Crash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} has ended by itself ({}). CommandKind it said last:", self.name, self.ended)?;
        for line in &self.lines {
            writeln!(f, "    {line}")?;
        }
        write!(f, "  The whole of it: {}", self.log.display())
    }
}

impl std::error::Error for Crash {}

impl Process {
    /// Starts a part in a process group of its own, so that Ctrl-C in the terminal reaches only the supervisor,
    /// which ends the parts in order.
    ///
    /// Must be called on the supervisor's main thread: the kernel ends the part when the thread that started it dies.
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

    /// The process, while it runs.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits until the part says a line that contains `text`.
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
                "{} did not get ready within {} s. CommandKind it said last:\n    {}",
                self.name,
                within.as_secs(),
                self.tail.lines().join("\n    ")
            ),
        }
    }

    /// Waits until the part ends, which it never should by itself.
    pub(crate) async fn ended(&mut self) -> Crash {
        let ended = match self.child.wait().await {
            Ok(status) => describe(status),
            Err(error) => error.to_string(),
        };
        // Both streams end with the process; what was still in them is read by then.
        let mut lines = self.lines.clone();
        let drained = async { while lines.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(Duration::from_secs(1), drained).await;
        Crash { name: self.name, ended, lines: self.tail.lines(), log: self.log.clone() }
    }

    /// Waits for a part that does its work and ends.
    pub(crate) async fn finish(mut self, within: Duration) -> anyhow::Result<()> {
        match tokio::time::timeout(within, self.child.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(_) => Err(self.ended().await.into()),
            Err(_) => bail!("{} took more than {} s", self.name, within.as_secs()),
        }
    }

    /// Asks the part to end and waits for it; kills it when it takes too long. Says whether it went in good order.
    pub(crate) async fn end(mut self) -> bool {
        let Some(pid) = self.pid().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) else { return true };
        if rustix::process::kill_process(pid, self.stop.signal()).is_err() {
            return self.child.wait().await.is_ok();
        }
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_ok() {
            return true;
        }
        // Not only it but what it may have started.
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
        (None, None) => "for an unknown reason".to_owned(),
    }
}

async fn listen(stream: impl AsyncRead + Unpin, tail: Tail, log: Arc<Mutex<File>>, count: Arc<watch::Sender<u64>>) {
    let mut lines = BufReader::new(stream).split(b'\n');
    while let Ok(Some(bytes)) = lines.next_segment().await {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk must not end the part that is being listened to.
            let _ = writeln!(log, "{line}");
        }
        tail.push(line);
        count.send_modify(|count| *count = count.saturating_add(1));
    }
}

/// Where the shell would find a program.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
