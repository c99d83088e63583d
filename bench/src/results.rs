//! The results of a step, in a small file that is committed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

/// One measured figure next to its yardstick.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The name in the table of targets: `order_lives`.
    pub(crate) target: String,
    /// What was measured, such as `uniform, 64 users`.
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: String,
    pub(crate) yardstick: String,
    pub(crate) yardstick_value: f64,
    /// The median of the ratios of the rounds.
    pub(crate) ratio: f64,
    /// Further numbers, such as latencies in milliseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) details: BTreeMap<String, f64>,
    /// The machine's load average (1 minute) before the first round: more than 0 means that others used the machine.
    pub(crate) load_before: f64,
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, name, value, unit, yardstick, yardstick_value, ratio, .. } = self;
        write!(f, "{target} {name}: {value:.1} {unit} / {yardstick_value:.1} ({yardstick}) = {ratio:.4}")
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Step {
    /// What the step changed.
    pub(crate) title: String,
    pub(crate) commit: String,
    pub(crate) date: String,
    pub(crate) machine: BTreeMap<String, String>,
    pub(crate) settings: Vec<String>,
    pub(crate) figures: Vec<Figure>,
}

fn folder(root: &Path) -> PathBuf {
    root.join("bench/results")
}

/// Adds figures to the file of a step. A figure that the file already contains is replaced.
pub(crate) fn save(root: &Path, name: &str, step: Step) -> anyhow::Result<PathBuf> {
    let path = folder(root).join(format!("{name}.json"));
    let mut merged = step;
    if path.exists() {
        let old: Step = read(&path)?;
        let replaced =
            |figure: &Figure| merged.figures.iter().any(|new| new.target == figure.target && new.name == figure.name);
        let kept: Vec<_> = old.figures.into_iter().filter(|figure| !replaced(figure)).collect();
        merged.figures.extend(kept);
        merged.figures.sort_by_key(|figure| number(&figure.target));
        if merged.title.is_empty() {
            merged.title = old.title;
        }
    }
    fs::write(&path, serde_json::to_string_pretty(&merged)? + "\n")?;
    Ok(path)
}

/// Returns all steps in the order of their file names.
pub(crate) fn all(root: &Path) -> anyhow::Result<Vec<(String, Step)>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder(root))?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let name = path.file_stem().and_then(|name| name.to_str()).context("a file name")?;
            Ok((name.to_owned(), read(path)?))
        })
        .collect()
}

fn read(path: &Path) -> anyhow::Result<Step> {
    let text = fs::read_to_string(path)?;
    serde_json::from_str(&text).with_context(|| format!("{} is invalid", path.display()))
}

fn number(target: &str) -> u32 {
    target.trim_start_matches('P').parse().unwrap_or_default()
}
