//! The folder that a development world lives in: what is in it, who may use it, and whether its halves belong together.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// A development world on disk. Database and chain are one: neither is of use without the other.
#[derive(Debug)]
pub(crate) struct Environment {
    root: PathBuf,
    /// Held as long as the world is in use.
    _lock: File,
}

const HALVES: [&str; 2] = ["postgres", "chain"];
const MARK: &str = "world-id";
/// The file that says how far a world with demo people is.
const DEMO: &str = "demo";
const UNFINISHED: &str = "unfinished\n";
const FILLED: &str = "filled\n";

/// Whether a world has demo people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demo {
    /// None: it was made without.
    None,
    /// Not yet: the world is new.
    Wanted,
    /// All of them.
    Filled,
}

impl Environment {
    /// Opens the world in `root`, or makes an empty folder for one, which shall have demo people if `demo` says so.
    ///
    /// One whose filling was interrupted is of no use to anybody and begins anew. Refused while another supervisor uses
    /// it, and when its database and its chain do not belong together.
    pub(crate) fn open(root: &Path, demo: bool) -> anyhow::Result<Self> {
        let environment = Self::lock(root)?;
        if environment.demo() == Demo::Wanted {
            println!("The demo world was not filled to its end last time: it begins anew.");
            environment.clear()?;
        }
        environment.check_halves()?;
        // Before the marks: what has marks and not this was made without.
        if demo && !environment.is_marked() {
            write_new(&environment.root.join(DEMO), UNFINISHED, 0o644)?;
        }
        for folder in ["postgres", "chain", "log", "mail", "objects", "pass", "secrets"] {
            private_folder(&environment.root.join(folder))?;
        }
        environment.mark_halves()?;
        Ok(environment)
    }

    /// Forgets everything in `root`.
    pub(crate) fn forget(root: &Path) -> anyhow::Result<()> {
        if !root.exists() {
            return Ok(());
        }
        let environment = Self::lock(root)?;
        fs::remove_dir_all(&environment.root).with_context(|| format!("cannot remove {}", root.display()))
    }

    /// Whether it has demo people.
    pub(crate) fn demo(&self) -> Demo {
        match fs::read_to_string(self.root.join(DEMO)) {
            Ok(text) if text == FILLED => Demo::Filled,
            Ok(_) => Demo::Wanted,
            Err(_) => Demo::None,
        }
    }

    /// Remembers that it has all its demo people. Database and chain are on disk by now.
    pub(crate) fn demo_is_filled(&self) -> anyhow::Result<()> {
        write_new(&self.root.join(DEMO), FILLED, 0o644)
    }

    /// Removes everything but the lock, the file that tells to do so last.
    fn clear(&self) -> anyhow::Result<()> {
        for entry in fs::read_dir(&self.root)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            if name != "lock" && name != DEMO {
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        fs::remove_file(self.root.join(DEMO)).context("cannot remove what marks an unfinished environment")
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
                    "this development environment is running already, in another terminal: end it there first (Ctrl-C)"
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
                 One of them was taken away or brought from elsewhere. To forget both and begin anew: make reset",
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
        // The chain's mark first: killed between the two, the next start finds a chain without a database, and the
        // folders are still empty of anything worth keeping.
        for half in ["chain", "postgres"] {
            write_new(&self.root.join(half).join(MARK), &id, 0o644)?;
        }
        Ok(())
    }

    /// A path inside the world.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The file that keeps what a part says.
    pub(crate) fn log(&self, process: &str) -> PathBuf {
        self.root.join("log").join(format!("{process}.log"))
    }

    /// A random secret of this world and the file that holds it, readable by its owner only.
    pub(crate) fn secret(&self, name: &str) -> anyhow::Result<(String, PathBuf)> {
        let path = self.root.join("secrets").join(name);
        if !path.exists() {
            write_new(&path, &random_text(), 0o600)?;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((text.trim().to_owned(), path))
    }
}

/// 256 random bits in hexadecimal.
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
        .with_context(|| format!("cannot make {}", path.display()))
}

/// Writes a file as a whole or not at all.
pub(crate) fn write_new(path: &Path, text: &str, mode: u32) -> anyhow::Result<()> {
    write_bytes(path, text.as_bytes(), mode)
}

/// Writes a file as a whole or not at all: a program that is killed meanwhile leaves the old one.
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
    fn a_world_keeps_its_secrets_and_its_mark() {
        let folder = empty();
        let first = Environment::open(folder.path(), false).unwrap().secret("database").unwrap();
        let second = Environment::open(folder.path(), false).unwrap().secret("database").unwrap();
        assert_eq!(first, second);
        assert_eq!(first.0.len(), 64);
    }

    #[test]
    fn a_world_in_use_is_refused() {
        let folder = empty();
        let _held = Environment::open(folder.path(), false).unwrap();
        assert!(Environment::open(folder.path(), false).unwrap_err().to_string().contains("running already"));
        assert!(Environment::forget(folder.path()).unwrap_err().to_string().contains("running already"));
    }

    #[test]
    fn halves_of_two_worlds_are_refused() {
        let (one, two) = (empty(), empty());
        drop(Environment::open(one.path(), false).unwrap());
        drop(Environment::open(two.path(), false).unwrap());
        fs::copy(two.path().join("chain").join(MARK), one.path().join("chain").join(MARK)).unwrap();
        let refusal = Environment::open(one.path(), false).unwrap_err().to_string();
        assert!(refusal.contains("do not belong together") && refusal.contains("make reset"), "{refusal}");
    }

    #[test]
    fn a_world_without_its_chain_is_refused_until_it_is_forgotten() {
        let folder = empty();
        drop(Environment::open(folder.path(), false).unwrap());
        fs::remove_dir_all(folder.path().join("chain")).unwrap();
        assert!(Environment::open(folder.path(), false).unwrap_err().to_string().contains("make reset"));
        Environment::forget(folder.path()).unwrap();
        Environment::open(folder.path(), false).unwrap();
    }

    #[test]
    fn a_world_that_was_not_filled_to_its_end_begins_anew() {
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
    fn a_world_that_was_made_without_demo_people_gets_none() {
        let folder = empty();
        assert_eq!(Environment::open(folder.path(), false).unwrap().demo(), Demo::None);
        assert_eq!(Environment::open(folder.path(), true).unwrap().demo(), Demo::None);
    }
}
