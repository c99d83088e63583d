//! Where things are on disk.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

/// The folders that the development world reads and writes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Places {
    /// The root of the repository, where tools and contracts are installed.
    #[arg(long, default_value = ".")]
    pub(crate) root: PathBuf,
    /// Where database, chain, mails and secrets are kept [default: .mec2c/world under the root].
    #[arg(long)]
    data_dir: Option<PathBuf>,
}

impl Places {
    /// Where the environment keeps its data.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| self.root.join(".mec2c/world"))
    }

    /// A folder of the repository, as a full path.
    pub(crate) fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let root = self.root.canonicalize().with_context(|| format!("no such folder: {}", self.root.display()))?;
        Ok(root.join(name))
    }
}

/// The product's program, which lies beside this one.
pub(crate) fn product() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    let path = own.parent().unwrap_or(Path::new("")).join("mec2c");
    if path.exists() {
        Ok(path)
    } else {
        bail!("the product is not built: there is no {} (cargo build --bins)", path.display())
    }
}
