//! The folder that a development world lives in: what is in it, who may use it, and whether its halves belong together.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// A development world on disk. Database and chain are one: neither is of use without the other.
#[derive(Debug)]
pub(crate) struct World {
    root: PathBuf,
    /// Held as long as the world is in use.
    _lock: File,
}

const HALVES: [&str; 2] = ["postgres", "chain"];
const MARK: &str = "world-id";

impl World {
    /// Opens the world in `root`, or makes an empty folder for one.
    ///
    /// Refused while another supervisor uses it, and when its database and its chain do not belong together.
    pub(crate) fn open(root: &Path) -> anyhow::Result<Self> {
        let world = Self::lock(root)?;
        world.check_halves()?;
        for folder in ["postgres", "chain", "log", "mail", "objects", "pass", "secrets"] {
            private_folder(&world.root.join(folder))?;
        }
        world.mark_halves()?;
        Ok(world)
    }

    /// Forgets everything in `root`.
    pub(crate) fn forget(root: &Path) -> anyhow::Result<()> {
        if !root.exists() {
            return Ok(());
        }
        let world = Self::lock(root)?;
        fs::remove_dir_all(&world.root).with_context(|| format!("cannot remove {}", root.display()))
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
                bail!("this development world is running already, in another terminal: end it there first (Ctrl-C)")
            }
            Err(TryLockError::Error(error)) => Err(error).context("cannot lock the development world"),
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
    pub(crate) fn log(&self, part: &str) -> PathBuf {
        self.root.join("log").join(format!("{part}.log"))
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
        let first = World::open(folder.path()).unwrap().secret("database").unwrap();
        let second = World::open(folder.path()).unwrap().secret("database").unwrap();
        assert_eq!(first, second);
        assert_eq!(first.0.len(), 64);
    }

    #[test]
    fn a_world_in_use_is_refused() {
        let folder = empty();
        let _held = World::open(folder.path()).unwrap();
        assert!(World::open(folder.path()).unwrap_err().to_string().contains("running already"));
        assert!(World::forget(folder.path()).unwrap_err().to_string().contains("running already"));
    }

    #[test]
    fn halves_of_two_worlds_are_refused() {
        let (one, two) = (empty(), empty());
        drop(World::open(one.path()).unwrap());
        drop(World::open(two.path()).unwrap());
        fs::copy(two.path().join("chain").join(MARK), one.path().join("chain").join(MARK)).unwrap();
        let refusal = World::open(one.path()).unwrap_err().to_string();
        assert!(refusal.contains("do not belong together") && refusal.contains("make reset"), "{refusal}");
    }

    #[test]
    fn a_world_without_its_chain_is_refused_until_it_is_forgotten() {
        let folder = empty();
        drop(World::open(folder.path()).unwrap());
        fs::remove_dir_all(folder.path().join("chain")).unwrap();
        assert!(World::open(folder.path()).unwrap_err().to_string().contains("make reset"));
        World::forget(folder.path()).unwrap();
        World::open(folder.path()).unwrap();
    }
}
