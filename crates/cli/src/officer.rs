//! `mec2c officer`: what an officer does by hand, on a machine that has the database's password.

use anyhow::bail;
use app::Context;
use app::arbitration::{Decided, Decision, decide};
use app::officers::{self, Certification, Certified, Resumption, certify};
use clap::{Args, Subcommand, ValueEnum};
use domain::ids::OrderId;
use domain::trade::Party;
use worker::stops::{Resumed, resume};

use crate::config::Config;
use crate::reference::{self, Reference};
use crate::{bootstrap, database, planned, policy};

/// What an officer may do.
#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Makes somebody a certified trader, who may post adverts against fiat.
    Certify(Case),
    /// Takes that back. Adverts that are online stay; new ones against fiat are refused.
    Decertify(Case),
    /// Lists the coins, and the single vaults, of which nothing is paid out, since when and why.
    Stops,
    /// Lists the transfers of tokens that were logged and are not credited, because their vaults do not hold so much. What
    /// the vaults come to hold is credited by itself.
    Uncredited,
    /// Lists the payouts that fail again and again, and the legs that are to be voided because their partner was.
    Failing,
    /// Decides an order that nobody else can move on.
    #[command(subcommand)]
    Order(OrderAct),
    /// Sets the reference price of a pair, around which the bounds of prices lie. It counts until a day's trades qualify for
    /// another one.
    Reference(Reference),
    /// Shows or changes the settings of a pair: fee, limits, price band, windows.
    #[command(subcommand)]
    Pair(policy::Act),
    /// Plans maintenance: the product is closed, and every deadline waits.
    #[command(subcommand)]
    Maintenance(planned::Act),
    /// Lets payouts of a coin go on, if the books and the chain agree on it now.
    Resume(Coin),
}

/// What an officer may do to an order.
#[derive(Debug, Subcommand)]
pub(crate) enum OrderAct {
    /// Decides it for its buyer, who gets the base, or for its seller, and then each coin goes back to where it came from.
    /// Refused while its parties, the clock or the chain can move it on.
    Decide(Verdict),
}

/// For whom an order is decided, why, and who decides: kept for ever.
#[derive(Debug, Args)]
pub(crate) struct Verdict {
    /// The order's identifier.
    id: OrderId,
    /// The side that is right.
    winner: Winner,
    /// Why: up to 500 characters.
    #[arg(long, value_parser = text::<500>)]
    reason: String,
    /// Who decides: up to 100 characters.
    #[arg(long, env = "USER", value_parser = text::<100>)]
    officer: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Winner {
    Buyer,
    Seller,
}

/// Which coin, why, and who decides: kept for ever.
#[derive(Debug, Args)]
pub(crate) struct Coin {
    /// Its code.
    asset: String,
    /// Why: up to 500 characters.
    #[arg(long, value_parser = text::<500>)]
    reason: String,
    /// Who decides: up to 100 characters.
    #[arg(long, env = "USER", value_parser = text::<100>)]
    officer: String,
}

/// Whom, why, and who decides: kept for ever.
#[derive(Debug, Args)]
pub(crate) struct Case {
    /// The account's e-mail.
    email: String,
    /// Why: up to 500 characters.
    #[arg(long, value_parser = text::<500>)]
    reason: String,
    /// Who decides: up to 100 characters.
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

/// Does it, and says what became of it.
pub(crate) async fn run(config: &Config, act: Act) -> anyhow::Result<()> {
    let store = database::connect(&config.database)?;
    let context = bootstrap::context(store.clone(), config);
    let done = match act {
        Act::Certify(case) => certification(&context, case, true).await,
        Act::Decertify(case) => certification(&context, case, false).await,
        Act::Stops => stops(&context).await,
        Act::Uncredited => uncredited(&context).await,
        Act::Failing => failing(&context).await,
        Act::Order(OrderAct::Decide(verdict)) => decision(&context, verdict).await,
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
    let done = certify(context, &Certification { email: email.clone(), certified, officer, reason }).await?;
    let standing = if certified { "certified" } else { "not certified" };
    match done {
        Certified::Done => println!("{email} is {standing} now."),
        Certified::Already => println!("{email} was {standing} already; nothing was changed."),
        Certified::Unknown => bail!("nobody is registered with {email}"),
    }
    Ok(())
}

async fn stops(context: &Context) -> anyhow::Result<()> {
    let stopped = officers::stopped(context).await?;
    let vaults = officers::stopped_vaults(context).await?;
    if stopped.is_empty() && vaults.is_empty() {
        println!("Payouts of every coin go on.");
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
        println!("Every transfer that is final is credited.");
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
        println!("No payout fails.");
    }
    for payout in failing {
        println!("{payout}");
    }
    Ok(())
}

async fn decision(context: &Context, verdict: Verdict) -> anyhow::Result<()> {
    let Verdict { id, winner, reason, officer } = verdict;
    let (winner, name) = match winner {
        Winner::Buyer => (Party::Buyer, "buyer"),
        Winner::Seller => (Party::Seller, "seller"),
    };
    match decide(context, &Decision { order: id, winner, officer, reason }).await? {
        Decided::Done { state } => println!("Order {id} is decided for the {name}; it is {state} now."),
        Decided::Unknown => bail!("there is no order {id}"),
        Decided::Refused(why) => bail!("order {id} was not decided: {why}"),
    }
    Ok(())
}

async fn resumption(context: &Context, config: &Config, coin: Coin) -> anyhow::Result<()> {
    let Coin { asset, reason, officer } = coin;
    let node = bootstrap::node(&config.chain)?;
    let resumption = Resumption { asset: asset.clone(), officer, reason };
    match resume(context, node.as_ref(), &resumption).await? {
        Resumed::Done => println!("Payouts of {asset} go on."),
        Resumed::NotStopped => bail!("payouts of {asset} are not stopped; `officer stops` lists those that are"),
        Resumed::StoppedAnew => bail!("payouts of {asset} were stopped anew meanwhile; read why, and try again"),
        Resumed::Disagree(differences) => {
            bail!("books and chain disagree on {asset}, so payouts stay stopped:\n  {}", differences.join("\n  "))
        }
    }
    Ok(())
}
