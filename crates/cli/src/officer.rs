//! `mec2c officer`: creates the first administrator, and shows what officers decide in the console. For a machine that has the
//! database password.

use anyhow::{Context as _, bail};
use app::Context;
use app::console::{self, NewOfficer, PairAct, invite_officer};
use app::deadlines::maintenance;
use chrono::SecondsFormat;
use clap::{Args, Subcommand};
use domain::console::Role;

use crate::config::Config;
use crate::console::secrets;
use crate::{bootstrap, database};

#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Creates an administrator and prints the setup link. Administrators create all other officers in the console.
    Create(Create),
    /// Lists the payout stops of coins and vaults, with their start and cause.
    Stops,
    /// Lists the token transfers that were logged but not credited, because their vaults do not hold the amount. They
    /// are credited automatically once the vaults hold it.
    Uncredited,
    /// Lists the payouts that fail repeatedly, and the legs to be voided because their counterpart was.
    Failing,
    /// Lists the settings of a pair and their changes.
    Pair(Named),
    /// Shows the current or planned maintenance.
    Maintenance,
}

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The email address, with which the administrator signs in
    email: String,
    /// The name of the administrator, of up to 100 characters
    #[arg(long)]
    name: String,
    /// The reason, of up to 500 characters
    #[arg(long, value_parser = text::<500>)]
    reason: String,
    /// The name of whoever creates the administrator, of up to 100 characters
    #[arg(long, env = "USER", value_parser = text::<100>)]
    officer: String,
}

#[derive(Debug, Args)]
pub(crate) struct Named {
    /// The codes of the base and the quote, such as MEC/USDT
    #[arg(value_name = "BASE/QUOTE", value_parser = codes)]
    pair: (String, String),
}

fn codes(text: &str) -> Result<(String, String), String> {
    let codes = text.split_once('/').map(|(base, quote)| (base.to_owned(), quote.to_owned()));
    codes.ok_or_else(|| "must be BASE/QUOTE, such as MEC/USDT".to_owned())
}

fn text<const MAX_LENGTH: usize>(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("may not be empty".to_owned()),
        many if many > MAX_LENGTH => Err(format!("has {many} characters, and at most {MAX_LENGTH} fit")),
        _ => Ok(text.to_owned()),
    }
}

pub(crate) async fn run(config: &Config, act: Act) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    let context = bootstrap::context(store.clone(), config);
    let done = match act {
        Act::Create(create) => self::create(&context, config, create).await,
        Act::Stops => stops(&context).await,
        Act::Uncredited => uncredited(&context).await,
        Act::Failing => failing(&context).await,
        Act::Pair(named) => pair(&context, &named).await,
        Act::Maintenance => closings(&context).await,
    };
    store.close().await;
    done
}

async fn create(context: &Context, config: &Config, create: Create) -> anyhow::Result<()> {
    let Some(secrets) = secrets(&config.console)? else {
        bail!("console.key_file is not set; mec2c.example.toml describes it");
    };
    let new = NewOfficer { name: create.name, email: create.email, role: Role::Administrator };
    let created = invite_officer(context, &secrets, &new, &create.officer, &create.reason).await;
    let created = created.map_err(|error| match error {
        app::Error::Refused(refusal) => anyhow::anyhow!("the administrator was not created: {refusal:?}"),
        other => other.into(),
    })?;
    let Some((officer, token)) = created else {
        bail!(
            "two administrators can sign in: one of them creates the officer in the console, and the other one approves it"
        );
    };
    let url = config.http.public_url.trim_end_matches('/');
    println!("{} is an administrator. The setup link works once and for 24 hours:\n", officer.email);
    println!("  {url}/console/setup#{token}");
    Ok(())
}

async fn stops(context: &Context) -> anyhow::Result<()> {
    let stopped = console::stopped(context).await?;
    let vaults = console::stopped_vaults(context).await?;
    if stopped.is_empty() && vaults.is_empty() {
        println!("No payouts are stopped.");
    }
    for console::Stopped { asset, stop } in stopped {
        println!("{}\tsince {}\t{}", asset.code, stop.since.to_rfc3339(), stop.because);
        if let Some((at, because)) = stop.again {
            println!("{}\tagain {}\t{because}", asset.code, at.to_rfc3339());
        }
    }
    for console::StoppedVault { asset, stop } in vaults {
        println!("{}\tvault {}\tsince {}\t{}", asset.code, stop.address, stop.since.to_rfc3339(), stop.because);
    }
    Ok(())
}

async fn uncredited(context: &Context) -> anyhow::Result<()> {
    let uncredited = console::uncredited(context).await?;
    if uncredited.is_empty() {
        println!("Every final transfer is credited.");
    }
    for console::UncreditedTransfer { asset, transfer } in uncredited {
        let amount = transfer.amount.format(asset.decimals);
        let tx = transfer.tx.map(|tx| tx.to_string()).unwrap_or_default();
        println!("{}\t{amount}\tinto vault {}\tblock {}\t{tx}", asset.code, transfer.recipient, transfer.block);
    }
    Ok(())
}

async fn failing(context: &Context) -> anyhow::Result<()> {
    let failing = console::failing(context).await?;
    if failing.is_empty() {
        println!("No payouts are failing.");
    }
    for payout in failing {
        println!("{payout}");
    }
    Ok(())
}

async fn pair(context: &Context, Named { pair: (base, quote) }: &Named) -> anyhow::Result<()> {
    let found = console::pair_history(context, base, quote).await?;
    let (pair, acts) = found.with_context(|| format!("there is no pair {base}/{quote}"))?;
    for (name, value) in pair.settings() {
        println!("{name}\t{value}");
    }
    for PairAct { setting, before, after, officer, reason, at } in acts {
        // One line for each change.
        let reason = reason.replace('\n', " ");
        println!("{}\t{setting}\t{before} -> {after}\t{officer}\t{reason}", at.to_rfc3339());
    }
    Ok(())
}

async fn closings(context: &Context) -> anyhow::Result<()> {
    let now = context.now().await?;
    let closings = maintenance::closings(context).await?;
    let ahead: Vec<_> = closings.iter().filter(|closing| now < closing.until).collect();
    if ahead.is_empty() {
        println!("No maintenance is planned.");
    }
    for closing in ahead {
        let word = if maintenance::covers(closing, now) { "closed" } else { "will be closed" };
        let [from, until] = [closing.from, closing.until].map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
        println!("{word}\tfrom {from}\tuntil {until}");
    }
    Ok(())
}
