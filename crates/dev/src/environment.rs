//! The folder of a development environment: its contents, its lock, and the check that database and chain belong
//! together.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// A development environment on disk. Its database and its chain are useless without each other.
#[derive(Debug)]
pub(crate) struct Environment {
    root: PathBuf,
    /// The lock, held while the environment is in use.
    _lock: File,
}

const HALVES: [&str; 2] = ["postgres", "chain"];
const MARK: &str = "environment-id";
/// The file that records the progress of seeding the demo world.
const DEMO: &str = "demo";
const UNFINISHED: &str = "unfinished\n";
const FILLED: &str = "filled\n";

/// Whether an environment has the demo world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demo {
    /// The environment was created without it.
    None,
    /// Seeding has not finished.
    Wanted,
    Filled,
}

impl Environment {
    /// Opens the environment in `root`. If there is none, prepares an empty folder for a new one, which will get the
    /// demo world if `demo` is set.
    ///
    /// An interrupted seed starts over. Fails if another supervisor uses the environment, or if its database and its
    /// chain do not belong together.
    pub(crate) fn open(root: &Path, demo: bool) -> anyhow::Result<Self> {
        let environment = Self::lock(root)?;
        if environment.demo() == Demo::Wanted {
            println!("Seeding the demo world was interrupted; starting over.");
            environment.clear()?;
        }
        environment.check_halves()?;
        // Must precede the marks: an environment with marks but without this file has no demo world.
        if demo && !environment.is_marked() {
            write_new(&environment.root.join(DEMO), UNFINISHED, 0o644)?;
        }
        for folder in ["postgres", "chain", "log", "mail", "objects", "pass", "secrets"] {
            private_folder(&environment.root.join(folder))?;
        }
        environment.mark_halves()?;
        Ok(environment)
    }

    /// Deletes the contents of `root`.
    pub(crate) fn forget(root: &Path) -> anyhow::Result<()> {
        if !root.exists() {
            return Ok(());
        }
        let environment = Self::lock(root)?;
        fs::remove_dir_all(&environment.root).with_context(|| format!("cannot remove {}", root.display()))
    }

    pub(crate) fn demo(&self) -> Demo {
        match fs::read_to_string(self.root.join(DEMO)) {
            Ok(text) if text == FILLED => Demo::Filled,
            Ok(_) => Demo::Wanted,
            Err(_) => Demo::None,
        }
    }

    /// Records that seeding has finished. The database and the chain must be on disk already.
    pub(crate) fn demo_is_filled(&self) -> anyhow::Result<()> {
        write_new(&self.root.join(DEMO), FILLED, 0o644)
    }

    /// Removes everything but the lock. Removes the file that requests this last, so that the next start can resume.
    fn clear(&self) -> anyhow::Result<()> {
        for entry in fs::read_dir(&self.root)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            if name != "lock" && name != DEMO {
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        fs::remove_file(self.root.join(DEMO)).context("cannot remove the mark of an unfinished environment")
    }

    fn is_marked(&self) -> bool {
        HALVES.iter().any(|half| self.root.join(half).join(MARK).exists())
    }

    fn lock(root: &Path) -> anyhow::Result<Self> {
        private_folder(root)?;
        let root = root.canonicalize()?;
        let path = root.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { root, _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                bail!(
                    "this development environment is already running in another terminal; stop it there first (Ctrl-C)"
                )
            }
            Err(TryLockError::Error(error)) => Err(error).context("cannot lock the development environment"),
        }
    }

    fn check_halves(&self) -> anyhow::Result<()> {
        let [database, chain] = HALVES.map(|half| fs::read_to_string(self.root.join(half).join(MARK)).ok());
        match (database, chain) {
            (None, None) => Ok(()),
            (Some(database), Some(chain)) if database == chain => Ok(()),
            (database, chain) => bail!(
                "database and chain in {} do not belong together (database {}, chain {}).\n\
                 One of them was removed or replaced. To delete both and start over: make reset",
                self.root.display(),
                database.as_deref().unwrap_or("missing"),
                chain.as_deref().unwrap_or("missing"),
            ),
        }
    }

    fn mark_halves(&self) -> anyhow::Result<()> {
        if self.root.join("postgres").join(MARK).exists() {
            return Ok(());
        }
        let id = random_text();
        // Mark the chain first. If the process is killed in between, the next start reports a chain without a database,
        // and nothing of value is lost.
        for half in ["chain", "postgres"] {
            write_new(&self.root.join(half).join(MARK), &id, 0o644)?;
        }
        Ok(())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Returns the log file of a process.
    pub(crate) fn log(&self, process: &str) -> PathBuf {
        self.root.join("log").join(format!("{process}.log"))
    }

    /// Returns a random secret and the file that contains it. Creates both on first use; only the owner can read the
    /// file.
    pub(crate) fn secret(&self, name: &str) -> anyhow::Result<(String, PathBuf)> {
        let path = self.root.join("secrets").join(name);
        if !path.exists() {
            write_new(&path, &random_text(), 0o600)?;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((text.trim().to_owned(), path))
    }
}

/// Returns 256 random bits in hexadecimal.
fn random_text() -> String {
    use std::fmt::Write as _;
    rand::random::<[u8; 32]>().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn private_folder(path: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .with_context(|| format!("cannot create {}", path.display()))
}

/// Writes a file atomically.
pub(crate) fn write_new(path: &Path, text: &str, mode: u32) -> anyhow::Result<()> {
    write_bytes(path, text.as_bytes(), mode)
}

/// Writes a file atomically: if the process is killed during the write, the old file remains.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8], mode: u32) -> anyhow::Result<()> {
    let unfinished = path.with_extension("unfinished");
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(mode).open(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&unfinished, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn an_environment_keeps_its_secrets() {
        let folder = empty();
        let first = Environment::open(folder.path(), false).unwrap().secret("database").unwrap();
        let second = Environment::open(folder.path(), false).unwrap().secret("database").unwrap();
        assert_eq!(first, second);
        assert_eq!(first.0.len(), 64);
    }

    #[test]
    fn an_environment_in_use_is_refused() {
        let folder = empty();
        let _held = Environment::open(folder.path(), false).unwrap();
        assert!(Environment::open(folder.path(), false).unwrap_err().to_string().contains("already running"));
        assert!(Environment::forget(folder.path()).unwrap_err().to_string().contains("already running"));
    }

    #[test]
    fn database_and_chain_of_different_environments_are_refused() {
        let (one, two) = (empty(), empty());
        drop(Environment::open(one.path(), false).unwrap());
        drop(Environment::open(two.path(), false).unwrap());
        fs::copy(two.path().join("chain").join(MARK), one.path().join("chain").join(MARK)).unwrap();
        let refusal = Environment::open(one.path(), false).unwrap_err().to_string();
        assert!(refusal.contains("do not belong together") && refusal.contains("make reset"), "{refusal}");
    }

    #[test]
    fn an_environment_without_its_chain_is_refused_until_it_is_deleted() {
        let folder = empty();
        drop(Environment::open(folder.path(), false).unwrap());
        fs::remove_dir_all(folder.path().join("chain")).unwrap();
        assert!(Environment::open(folder.path(), false).unwrap_err().to_string().contains("make reset"));
        Environment::forget(folder.path()).unwrap();
        Environment::open(folder.path(), false).unwrap();
    }

    #[test]
    fn an_interrupted_seed_starts_over() {
        let folder = empty();
        let path = folder.path();
        let first = Environment::open(path, true).unwrap();
        assert_eq!(first.demo(), Demo::Wanted);
        fs::write(first.path("chain/state.json"), "half a chain").unwrap();
        drop(first);
        let second = Environment::open(path, true).unwrap();
        assert!(second.demo() == Demo::Wanted && !second.path("chain/state.json").exists());
        second.demo_is_filled().unwrap();
        fs::write(second.path("chain/state.json"), "a chain").unwrap();
        drop(second);
        for demo in [true, false] {
            let kept = Environment::open(path, demo).unwrap();
            assert!(kept.demo() == Demo::Filled && kept.path("chain/state.json").exists());
        }
    }

    #[test]
    fn an_environment_created_without_the_demo_world_stays_without_it() {
        let folder = empty();
        assert_eq!(Environment::open(folder.path(), false).unwrap().demo(), Demo::None);
        assert_eq!(Environment::open(folder.path(), true).unwrap().demo(), Demo::None);
    }
}
