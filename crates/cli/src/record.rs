//! The keys of records of orders, and `mec2c verify-log`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use app::order_record::{self, PublicKey, RecordKeys, Summary, Transaction};
use clap::Args;

use crate::config;

/// Returns the keys that sign records; `None` if no key is configured.
pub(crate) fn keys(records: &config::Records) -> anyhow::Result<Option<RecordKeys>> {
    let former = records.former_keys.iter().map(|key| key.parse::<PublicKey>());
    let former = former.collect::<Result<Vec<_>, _>>();
    let former = former.context("records.former_keys must be public keys of 64 hexadecimal digits")?;
    if records.key.is_empty() {
        tracing::warn!("records.key_file is not set: no records of orders can be downloaded");
        return Ok(None);
    }
    let keys = RecordKeys::new(records.key.expose(), former);
    keys.context("records.key must have 64 hexadecimal digits").map(Some)
}

/// Prints the public keys, one per line.
pub(crate) fn print_keys(records: &config::Records) -> anyhow::Result<()> {
    let Some(keys) = keys(records)? else {
        bail!("records.key_file is not set; mec2c.example.toml describes it");
    };
    println!("{}", keys.public());
    for former in keys.former() {
        println!("{former}");
    }
    Ok(())
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The file that was downloaded
    file: PathBuf,
    /// The public key that must have signed the record. Without it, compare the printed key with the published keys
    #[arg(long, value_name = "PUBLIC_KEY")]
    key: Option<String>,
}

/// Verifies a record and prints what it says.
pub(crate) fn verify(wanted: &Verify) -> anyhow::Result<()> {
    let pinned = wanted.key.as_deref().map(str::parse::<PublicKey>).transpose();
    let pinned = pinned.context("--key must have 64 hexadecimal digits")?;
    let file = std::fs::read(&wanted.file).with_context(|| format!("cannot read {}", wanted.file.display()))?;
    let summary = order_record::verify(&file, pinned)
        .with_context(|| format!("{} is not a genuine record", wanted.file.display()))?;
    print!("{}", described(&summary, pinned.is_some()));
    Ok(())
}

fn described(summary: &Summary, pinned: bool) -> String {
    let mut lines = vec![
        "The record is genuine and complete.".to_owned(),
        String::new(),
        format!("order         {} ({}/{})", summary.order, summary.assets.0, summary.assets.1),
        format!("state         {}", summary.state),
    ];
    if let Some(payer) = summary.terms.get("payer") {
        lines.push(format!("payer         {}", shown(payer)));
    }
    if let Some((first, last)) = &summary.period {
        lines.push(format!("entries       {}, from {first} to {last}", summary.entries));
    }
    lines.push(format!(
        "messages      {} by the buyer, {} by the seller, {} by officers",
        summary.buyer_messages, summary.seller_messages, summary.official_messages
    ));
    lines.push(format!("files         {}", summary.files));
    for Transaction { kind, amount, hash, voided } in &summary.transactions {
        let hash = hash.as_deref().unwrap_or("not sent yet");
        let what = if *voided { " (voided: not paid)" } else { "" };
        lines.push(format!("{:<13} {} {}{what}", kind.to_lowercase(), shown(amount), shown(hash)));
    }
    lines.push(format!("head          {}", summary.head));
    lines.push(format!("made for      {} at {}", summary.exported_for, summary.exported_at));
    lines.push(format!("signed with   {}", summary.key));
    lines.push(String::new());
    if !pinned {
        lines.push(
            "Compare the key with the keys that the platform publishes (/api/common/log-keys), or use --key."
                .to_owned(),
        );
    }
    lines.join("\n").trim_end().to_owned() + "\n"
}

/// Returns a text without characters that would control the terminal.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
