//! `mec2c officer`: commands for officers, on a machine that has the database password.

use anyhow::bail;
use app::Context;
use app::officers::{self, Certification, Certified, Resumption, certify};
use clap::{Args, Subcommand};
use worker::stops::{Resumed, resume};

use crate::config::Config;
use crate::reference::{self, Reference};
use crate::{bootstrap, console, database, planned, policy};

#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Creates an administrator and prints the setup link. Administrators create all other officers in the console.
    Create(console::Create),
    /// Certifies a trader, who can then post ads against fiat.
    Certify(Case),
    /// Revokes a certification. Online ads are not affected; new ads against fiat are refused.
    Decertify(Case),
    /// Lists the payout stops of coins and vaults, with their start and cause.
    Stops,
    /// Lists the token transfers that were logged but not credited, because their vaults do not hold the amount. They
    /// are credited automatically once the vaults hold it.
    Uncredited,
    /// Lists the payouts that fail repeatedly, and the legs to be voided because their counterpart was.
    Failing,
    /// Sets the reference price of a pair, from which its price band is computed. It applies until a day's trades
    /// qualify for a new one.
    Reference(Reference),
    /// Shows or changes the settings of a pair: fee, limits, price band, windows.
    #[command(subcommand)]
    Pair(policy::Act),
    /// Plans maintenance. The platform is closed and all deadlines are extended by its length.
    #[command(subcommand)]
    Maintenance(planned::Act),
    /// Resumes the payouts of a coin, if the ledger agrees with the chain.
    Resume(Coin),
}

#[derive(Debug, Args)]
pub(crate) struct Coin {
    /// The code of the coin
    asset: String,
    /// The reason, of up to 500 characters
    #[arg(long, value_parser = text::<500>)]
    reason: String,
    /// The name of the officer, of up to 100 characters
    #[arg(long, env = "USER", value_parser = text::<100>)]
    officer: String,
}

#[derive(Debug, Args)]
pub(crate) struct Case {
    /// The email address of the account
    email: String,
    /// The reason, of up to 500 characters
    #[arg(long, value_parser = text::<500>)]
    reason: String,
    /// The name of the officer, of up to 100 characters
    #[arg(long, env = "USER", value_parser = text::<100>)]
    officer: String,
}

pub(crate) fn text<const MOST: usize>(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("may not be empty".to_owned()),
        many if many > MOST => Err(format!("has {many} characters, and at most {MOST} fit")),
        _ => Ok(text.to_owned()),
    }
}

pub(crate) async fn run(config: &Config, act: Act) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    let context = bootstrap::context(store.clone(), config);
    let done = match act {
        Act::Create(create) => console::create(&context, config, create).await,
        Act::Certify(case) => certification(&context, case, true).await,
        Act::Decertify(case) => certification(&context, case, false).await,
        Act::Stops => stops(&context).await,
        Act::Uncredited => uncredited(&context).await,
        Act::Failing => failing(&context).await,
        Act::Reference(reference) => reference::run(&context, reference).await,
        Act::Pair(act) => policy::run(&context, act).await,
        Act::Maintenance(act) => planned::run(&context, act).await,
        Act::Resume(coin) => resumption(&context, config, coin).await,
    };
    store.close().await;
    done
}

async fn certification(context: &Context, case: Case, certified: bool) -> anyhow::Result<()> {
    let Case { email, reason, officer } = case;
    let done =
        certify(context, &Certification { email: email.clone(), certified, officer: officer.into(), reason }).await?;
    let standing = if certified { "certified" } else { "not certified" };
    match done {
        Certified::Done => println!("{email} is now {standing}."),
        Certified::Already => println!("{email} was already {standing}; nothing was changed."),
        Certified::Unknown => bail!("there is no account with the email {email}"),
    }
    Ok(())
}

async fn stops(context: &Context) -> anyhow::Result<()> {
    let stopped = officers::stopped(context).await?;
    let vaults = officers::stopped_vaults(context).await?;
    if stopped.is_empty() && vaults.is_empty() {
        println!("No payouts are stopped.");
    }
    for officers::Stopped { asset, stop } in stopped {
        println!("{}\tsince {}\t{}", asset.code, stop.since.to_rfc3339(), stop.because);
        if let Some((at, because)) = stop.again {
            println!("{}\tagain {}\t{because}", asset.code, at.to_rfc3339());
        }
    }
    for officers::StoppedVault { asset, stop } in vaults {
        println!("{}\tvault {}\tsince {}\t{}", asset.code, stop.address, stop.since.to_rfc3339(), stop.because);
    }
    Ok(())
}

async fn uncredited(context: &Context) -> anyhow::Result<()> {
    let uncredited = officers::uncredited(context).await?;
    if uncredited.is_empty() {
        println!("Every final transfer is credited.");
    }
    for officers::UncreditedTransfer { asset, transfer } in uncredited {
        let amount = transfer.amount.format(asset.decimals);
        let tx = transfer.tx.map(|tx| tx.to_string()).unwrap_or_default();
        println!("{}\t{amount}\tinto vault {}\tblock {}\t{tx}", asset.code, transfer.recipient, transfer.block);
    }
    Ok(())
}

async fn failing(context: &Context) -> anyhow::Result<()> {
    let failing = officers::failing(context).await?;
    if failing.is_empty() {
        println!("No payouts are failing.");
    }
    for payout in failing {
        println!("{payout}");
    }
    Ok(())
}

async fn resumption(context: &Context, config: &Config, coin: Coin) -> anyhow::Result<()> {
    let Coin { asset, reason, officer } = coin;
    let node = bootstrap::node(&config.chain)?;
    let resumption = Resumption { asset: asset.clone(), officer: officer.into(), reason };
    match resume(context, node.as_ref(), &resumption).await? {
        Resumed::Done => println!("Payouts of {asset} are resumed."),
        Resumed::NotStopped => bail!("payouts of {asset} are not stopped; `officer stops` lists those that are"),
        Resumed::StoppedAnew => bail!("payouts of {asset} were stopped again meanwhile; check the cause and try again"),
        Resumed::Disagree(differences) => {
            bail!("ledger and chain disagree on {asset}, so its payouts stay stopped:\n  {}", differences.join("\n  "))
        }
    }
    Ok(())
}
