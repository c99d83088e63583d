//! Locates the files and folders of the development environment.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

/// The folders that the development environment uses.
#[derive(Debug, Clone, Args)]
pub(crate) struct Places {
    /// The root of the repository, where tools and contracts are installed.
    #[arg(long, default_value = ".")]
    pub(crate) root: PathBuf,
    /// Where database, chain, mails and secrets are kept [default: .mec2c/environment under the root].
    #[arg(long)]
    data_dir: Option<PathBuf>,
}

impl Places {
    /// Returns the folder of the environment's data.
    pub(crate) fn data_dir(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| self.root.join(".mec2c/environment"))
    }

    /// Returns the absolute path of a folder in the repository.
    pub(crate) fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let root = self.root.canonicalize().with_context(|| format!("folder not found: {}", self.root.display()))?;
        Ok(root.join(name))
    }
}

/// Returns the product's executable, which is in the same folder as this program.
pub(crate) fn product() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("cannot find the path of this program")?;
    let path = own.parent().unwrap_or(Path::new("")).join("mec2c");
    if path.exists() {
        Ok(path)
    } else {
        bail!("the product is not built: {} does not exist (cargo build --bins)", path.display())
    }
}
