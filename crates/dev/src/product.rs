//! Runs the product's processes and writes their configuration.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use domain::chain::Address;
use store::{Options, Store};

use crate::album;
use crate::contracts::{Deployment, SettlerKey};
use crate::environment::{Environment, write_new};
use crate::node::{CHAIN_ID, CONFIRMATIONS};
use crate::postgres::{self, DATABASE, ROLE};
use crate::process::{Spec, Stop};

/// The product's name at the pass.
pub(crate) const AUDIENCE: &str = "mec2c";

/// The services that the product uses, and its listening address.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) listen: std::net::SocketAddr,
    /// The folder of the built web app, if it exists.
    pub(crate) web: Option<PathBuf>,
    pub(crate) database: postgres::Address,
    /// The URL of the node.
    pub(crate) rpc: String,
    pub(crate) deployment: Deployment,
    pub(crate) settler: SettlerKey,
    /// The file with the key that encrypts the second factors of officers.
    pub(crate) console_key_file: PathBuf,
    /// The file with the key that signs the records of orders.
    pub(crate) record_key_file: PathBuf,
    /// The folder in which the product stores uploaded files.
    pub(crate) files_folder: PathBuf,
    pub(crate) smtp_port: u16,
    pub(crate) pass_port: u16,
}

impl Surroundings {
    /// Returns the product's URL for a browser on this machine.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.listen.port())
    }

    /// Returns the product's URL for assertions of the pass.
    pub(crate) fn call_back(&self) -> String {
        format!("{}/api/scan/callBack", self.url())
    }
}

pub(crate) fn pass_url(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

/// Connects to the product's database.
pub(crate) fn store(database: &postgres::Address) -> anyhow::Result<Store> {
    // The password is hexadecimal, so it needs no escaping.
    let password = std::fs::read_to_string(&database.password_file)?;
    let url = format!("postgres://{ROLE}:{}@127.0.0.1:{}/{DATABASE}", password.trim(), database.port);
    Ok(Store::connect(&Options { url, connections: 4, patience: Duration::from_secs(5), untested: Duration::ZERO })?)
}

/// Migrates the product's database. The product's own `migrate` then writes the rest, and has no words about `make reset`.
pub(crate) async fn migrate(store: &Store) -> anyhow::Result<()> {
    match store.migrate().await {
        Err(store::Error::OtherVersion(_)) => {
            bail!("this database was created by another version of the schema; run `make reset`")
        }
        other => other.context("cannot migrate the database"),
    }
}

/// Writes the product's configuration file.
pub(crate) fn configure(environment: &Environment, around: &Surroundings) -> anyhow::Result<PathBuf> {
    let path = environment.path("mec2c.toml");
    write_new(&path, &configuration(around)?, 0o600)?;
    Ok(path)
}

fn configuration(around: &Surroundings) -> anyhow::Result<String> {
    let pass = pass_url(around.pass_port);
    let web = around.web.as_deref().map(|folder| folder.display().to_string()).unwrap_or_default();
    let mut text = String::from(
        "# Written at each start of the development environment. mec2c.example.toml says what each key means.\n\
         # For another terminal: mec2c --config THIS_FILE …\n",
    );
    let mut section = |name: &str, keys: &[(&str, toml::Value)]| -> anyhow::Result<()> {
        write!(text, "\n[{name}]\n")?;
        for (key, value) in keys {
            writeln!(text, "{key} = {value}")?;
        }
        Ok(())
    };
    section("log", &[("format", "pretty".into())])?;
    section(
        "http",
        &[
            ("listen", around.listen.to_string().into()),
            ("public_url", around.url().into()),
            ("web_folder", web.into()),
        ],
    )?;
    section(
        "database",
        &[
            ("url", format!("postgres://{ROLE}@127.0.0.1:{}/{DATABASE}", around.database.port).into()),
            ("password_file", around.database.password_file.display().to_string().into()),
        ],
    )?;
    section(
        "chain",
        &[
            ("name", "MEC development".into()),
            ("id", i64::try_from(CHAIN_ID)?.into()),
            ("rpc", vec![around.rpc.clone()].into()),
            ("confirmations", i64::try_from(CONFIRMATIONS)?.into()),
            ("escrow", around.deployment.escrow.to_string().into()),
            ("start_block", i64::try_from(around.deployment.start_block)?.into()),
        ],
    )?;
    section(
        "payouts",
        &[
            ("keystore_file", around.settler.keystore.display().to_string().into()),
            ("password_file", around.settler.password_file.display().to_string().into()),
        ],
    )?;
    // With this source, requests can move the clock.
    section("clock", &[("source", "database".into())])?;
    section("console", &[("key_file", around.console_key_file.display().to_string().into())])?;
    section("records", &[("key_file", around.record_key_file.display().to_string().into())])?;
    section("mail", &[("port", i64::from(around.smtp_port).into())])?;
    section(
        "pass",
        &[
            ("issuer", pass.clone().into()),
            ("jwks_url", format!("{pass}/jwks.json").into()),
            ("authorize_url", format!("{pass}/authorize").into()),
        ],
    )?;
    section("files", &[("folder", around.files_folder.display().to_string().into())])?;
    write!(text, "{}", coins(around.deployment.usdt))?;
    write!(text, "{}", albums(&around.deployment))?;
    Ok(text)
}

fn coins(usdt: Address) -> String {
    format!(
        r#"
[[asset]]
code = "MEC"
kind = "native"
decimals = 18
dust = "0.01"
return_gas = "0.001"

[[asset]]
code = "USDT"
kind = "erc20"
contract = "{usdt}"
decimals = 6
dust = "0.01"
return_gas = "0.5"
"#
    )
}

fn albums(deployment: &Deployment) -> String {
    let Deployment { album, start_block, .. } = deployment;
    let (code, name, description) = (album::CODE, album::NAME, album::DESCRIPTION);
    format!(
        r#"
[[album]]
code = "{code}"
class_id = "pixel-gardens"
name = "{name}"
creator = "The gardener"
description = "{description}"
contract = "{album}"
fee = "2"
gas = "0.01"
start_block = {start_block}
"#
    )
}

/// Builds the specification of a process of the product.
pub(crate) fn spec(
    environment: &Environment,
    program: &Path,
    configuration: &Path,
    name: &'static str,
    command: &str,
    internal_port: u16,
) -> Spec {
    Spec {
        name,
        program: program.to_owned(),
        arguments: vec!["--config".to_owned(), configuration.display().to_string(), command.to_owned()],
        // Each process has its own internal port.
        variables: vec![("MEC2C_HTTP_INTERNAL_LISTEN".to_owned(), format!("127.0.0.1:{internal_port}"))],
        log: environment.log(name),
        stop: Stop::Terminate,
        through: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use testkit::Database;

    #[tokio::test]
    async fn a_database_of_an_older_checkout_is_refused_with_the_remedy() {
        let database = Database::fresh().await;
        super::migrate(&database.store).await.unwrap();
        database.execute("update _sqlx_migrations set checksum = '\\x00' where version = 2").await;
        let refusal = super::migrate(&database.store).await.unwrap_err().to_string();
        assert_eq!(refusal, "this database was created by another version of the schema; run `make reset`");
    }
}
