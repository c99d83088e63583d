//! The product's own programs as parts of the development world, and the configuration that tells them what is around.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::node::{CHAIN_ID, CONFIRMATIONS};
use crate::part::{Spec, Stop};
use crate::postgres::{self, DATABASE, ROLE};
use crate::world::{World, write_new};

/// What is around the product.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// Where it listens.
    pub(crate) listen: std::net::SocketAddr,
    /// Where its metrics and health are.
    pub(crate) internal_port: u16,
    /// The folder of the built web app, if there is one.
    pub(crate) web: Option<PathBuf>,
    /// Postgres.
    pub(crate) database: postgres::Address,
    /// The node.
    pub(crate) rpc: String,
    /// Where mail is taken.
    pub(crate) smtp_port: u16,
    /// Where the pass is.
    pub(crate) pass_port: u16,
}

impl Surroundings {
    /// The address for a browser on this machine.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.listen.port())
    }
}

/// Writes the configuration file of the product in this world.
pub(crate) fn configure(world: &World, around: &Surroundings) -> anyhow::Result<PathBuf> {
    let path = world.path("mec2c.toml");
    write_new(&path, &configuration(world, around)?, 0o600)?;
    Ok(path)
}

fn configuration(world: &World, around: &Surroundings) -> anyhow::Result<String> {
    let pass = format!("http://127.0.0.1:{}", around.pass_port);
    let web = around.web.as_deref().map(|folder| folder.display().to_string()).unwrap_or_default();
    let mut text = String::from(
        "# Written at each start of the development world. mec2c.example.toml says what each key means.\n\
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
            ("internal_listen", format!("127.0.0.1:{}", around.internal_port).into()),
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
        ],
    )?;
    section("mail", &[("port", i64::from(around.smtp_port).into())])?;
    section(
        "pass",
        &[
            ("issuer", pass.clone().into()),
            ("jwks_url", format!("{pass}/jwks.json").into()),
            ("authorize_url", format!("{pass}/authorize").into()),
        ],
    )?;
    section("files", &[("folder", world.path("objects").display().to_string().into())])?;
    Ok(text)
}

/// One of the product's programs, under the name it is reported by.
pub(crate) fn spec(world: &World, program: &Path, configuration: &Path, name: &'static str, command: &str) -> Spec {
    Spec {
        name,
        program: program.to_owned(),
        arguments: vec!["--config".to_owned(), configuration.display().to_string(), command.to_owned()],
        environment: Vec::new(),
        log: world.log(name),
        stop: Stop::Terminate,
        through: Vec::new(),
    }
}
