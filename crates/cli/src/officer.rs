//! `mec2c officer`: what an officer does by hand, on a machine that has the database's password.

use anyhow::bail;
use app::officers::{Certification, Certified, certify};
use clap::{Args, Subcommand};

use crate::config::Config;
use crate::{database, foundation};

/// What an officer may do.
#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Makes somebody a certified trader, who may post adverts against fiat.
    Certify(Case),
    /// Takes that back. Adverts that are online stay; new ones against fiat are refused.
    Decertify(Case),
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

fn text<const MOST: usize>(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("may not be empty".to_owned()),
        many if many > MOST => Err(format!("has {many} characters, and at most {MOST} fit")),
        _ => Ok(text.to_owned()),
    }
}

/// Does it, and says what became of it.
pub(crate) async fn run(config: &Config, act: Act) -> anyhow::Result<()> {
    let (case, certified) = match act {
        Act::Certify(case) => (case, true),
        Act::Decertify(case) => (case, false),
    };
    let store = database::connect(&config.database)?;
    let context = foundation::context(store.clone(), config);
    let Case { email, reason, officer } = case;
    let done = certify(&context, &Certification { email: email.clone(), certified, officer, reason }).await?;
    store.close().await;
    let standing = if certified { "certified" } else { "not certified" };
    match done {
        Certified::Done => println!("{email} is {standing} now."),
        Certified::Already => println!("{email} was {standing} already; nothing was changed."),
        Certified::Unknown => bail!("nobody is registered with {email}"),
    }
    Ok(())
}
