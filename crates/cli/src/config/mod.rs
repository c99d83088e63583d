//! The typed configuration. The program does not start if a value has the wrong type or is out of bounds.

mod check;
mod layers;
mod secret;

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use domain::chain::Address;
use serde::{Deserialize, Deserializer};

pub(crate) use layers::FILE_VARIABLE;
use layers::Problems;
pub(crate) use secret::Secret;

/// The configuration. `mec2c.example.toml` documents each value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) log: Log,
    pub(crate) http: Http,
    pub(crate) rate_limits: RateLimits,
    pub(crate) database: Database,
    pub(crate) chain: Chain,
    pub(crate) payouts: Payouts,
    pub(crate) reconciliation: Reconciliation,
    pub(crate) mail: Mail,
    pub(crate) console: Console,
    pub(crate) pass: Pass,
    pub(crate) clock: Clock,
    pub(crate) files: Files,
    pub(crate) market: Market,
    pub(crate) appeals: Appeals,
    pub(crate) talk: Talk,
    pub(crate) nft: Nft,
    pub(crate) records: Records,
    #[serde(rename = "chain_type")]
    pub(crate) chain_types: Vec<ChainType>,
    #[serde(rename = "asset")]
    pub(crate) assets: Vec<Asset>,
    #[serde(rename = "album", default)]
    pub(crate) albums: Vec<Album>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) level: String,
    pub(crate) format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    /// One JSON object per line.
    Json,
    /// Text for reading in a terminal.
    Pretty,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Http {
    pub(crate) listen: SocketAddr,
    #[serde(deserialize_with = "unless_empty")]
    pub(crate) internal_listen: Option<SocketAddr>,
    pub(crate) public_url: String,
    pub(crate) web_folder: PathBuf,
    pub(crate) proxies: Vec<IpAddr>,
    pub(crate) region_header: String,
    pub(crate) timeout_seconds: u64,
    pub(crate) upload_timeout_seconds: u64,
    pub(crate) drain_seconds: u64,
}

/// The rate limits of clients.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateLimits {
    address_burst: u32,
    address_every_ms: u64,
    login_burst: u32,
    login_every_ms: u64,
    session_burst: u32,
    session_every_ms: u64,
    account_burst: u32,
    account_every_ms: u64,
    upload_burst: u32,
    upload_every_ms: u64,
    talk_burst: u32,
    talk_every_ms: u64,
    record_burst: u32,
    record_every_ms: u64,
}

impl RateLimits {
    /// Returns the name, burst and interval in milliseconds of each limit.
    pub(crate) fn each(&self) -> [(&'static str, u32, u64); 7] {
        [
            ("address", self.address_burst, self.address_every_ms),
            ("login", self.login_burst, self.login_every_ms),
            ("session", self.session_burst, self.session_every_ms),
            ("account", self.account_burst, self.account_every_ms),
            ("upload", self.upload_burst, self.upload_every_ms),
            ("talk", self.talk_burst, self.talk_every_ms),
            ("record", self.record_burst, self.record_every_ms),
        ]
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Database {
    pub(crate) url: String,
    pub(crate) password_file: PathBuf,
    #[serde(skip)]
    pub(crate) password: Secret,
    pub(crate) connections: u32,
    pub(crate) patience_ms: u64,
}

/// The escrow chain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chain {
    pub(crate) name: String,
    pub(crate) id: u64,
    pub(crate) rpc: Vec<String>,
    pub(crate) explorer: String,
    pub(crate) confirmations: u32,
    pub(crate) escrow: String,
    pub(crate) start_block: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Payouts {
    pub(crate) max_fee_gwei: u64,
    pub(crate) keystore_file: PathBuf,
    pub(crate) password_file: PathBuf,
    #[serde(skip)]
    pub(crate) password: Secret,
}

/// The settings of appeals.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Appeals {
    pub(crate) decide_within_hours: u32,
    pub(crate) verdict_delay_hours: u32,
    pub(crate) unit: String,
    pub(crate) customer_service_maximum: String,
    pub(crate) one_officer_maximum: String,
}

impl Appeals {
    pub(crate) fn rules(&self) -> app::appeals::Rules {
        app::appeals::Rules {
            decide_within: chrono::Duration::hours(self.decide_within_hours.into()),
            verdict_delay: chrono::Duration::hours(self.verdict_delay_hours.into()),
            unit: self.unit.clone(),
            customer_service: self.customer_service_maximum.clone(),
            one_officer: self.one_officer_maximum.clone(),
        }
    }
}

/// The comparison of the ledger with the chain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reconciliation {
    pub(crate) vaults_per_second: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mail {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) encryption: Encryption,
    pub(crate) user: String,
    pub(crate) password_file: PathBuf,
    #[serde(skip)]
    pub(crate) password: Secret,
    pub(crate) from: String,
}

/// The console of the officers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Console {
    pub(crate) key_file: PathBuf,
    #[serde(skip)]
    pub(crate) key: Secret,
}

/// The records of orders.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Records {
    pub(crate) key_file: PathBuf,
    #[serde(skip)]
    pub(crate) key: Secret,
    pub(crate) former_keys: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Encryption {
    /// Not encrypted.
    None,
    /// Encrypted after the `STARTTLS` command.
    Starttls,
    /// Encrypted from the start.
    Tls,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pass {
    pub(crate) issuer: String,
    pub(crate) audience: String,
    pub(crate) jwks_url: String,
    pub(crate) authorize_url: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clock {
    pub(crate) source: ClockSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ClockSource {
    /// The machine's clock.
    Machine,
    /// The machine's clock, shifted or stopped by a row of the database.
    Database,
}

/// Uploaded pictures and videos.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    pub(crate) bucket: String,
    pub(crate) region: String,
    pub(crate) endpoint: String,
    pub(crate) key_id: String,
    pub(crate) secret_file: PathBuf,
    #[serde(skip)]
    pub(crate) secret: Secret,
    pub(crate) video_megabytes: u32,
    pub(crate) video_seconds: u32,
    pub(crate) decodes_at_once: u32,
}

/// The fiat currencies that can be traded, and the chain type of the escrow chain.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Market {
    pub(crate) fiat: Vec<String>,
    pub(crate) escrow_chain_type: String,
}

/// The conversations of orders.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Talk {
    pub(crate) open_days: u32,
}

/// The metadata of NFTs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nft {
    pub(crate) ipfs_gateway: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChainType {
    pub(crate) name: String,
    pub(crate) form: AddressForm,
    /// Empty without one.
    #[serde(default)]
    pub(crate) explorer: String,
}

/// The form of a chain's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AddressForm {
    Evm,
    Tron,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asset {
    pub(crate) code: String,
    pub(crate) kind: AssetKind,
    #[serde(default)]
    pub(crate) contract: String,
    pub(crate) decimals: u8,
    pub(crate) dust: String,
    pub(crate) return_gas: String,
}

/// An album of NFTs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Album {
    pub(crate) code: String,
    pub(crate) class_id: String,
    pub(crate) name: String,
    pub(crate) creator: String,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) contract: String,
    pub(crate) fee: String,
    pub(crate) gas: String,
    #[serde(default)]
    pub(crate) start_block: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AssetKind {
    Native,
    Erc20,
}

/// Deserializes a value. An empty string means that it is not set.
fn unless_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(serde::de::Error::custom) }
}

impl Config {
    /// Reads and checks all layers.
    pub(crate) fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> anyhow::Result<Self> {
        let text = file
            .map(|path| std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())))
            .transpose()?;
        let (table, secrets) = layers::merge(file.zip(text.as_deref()), environment)?;
        let mut config: Self =
            table.try_into().map_err(|error: toml::de::Error| Problems(vec![error.to_string().trim().to_owned()]))?;
        let mut problems = config.take_secrets(secrets);
        problems.extend(config.problems());
        if problems.is_empty() { Ok(config) } else { Err(Problems(problems).into()) }
    }

    /// Returns the address of the Escrow contract, or an error if it is not set.
    pub(crate) fn escrow(&self) -> anyhow::Result<Address> {
        self.chain.escrow.to_lowercase().parse().map_err(|_| {
            Problems(vec!["chain.escrow must be set: the address of the Escrow contract".to_owned()]).into()
        })
    }

    fn take_secrets(&mut self, mut given: BTreeMap<String, String>) -> Vec<String> {
        let mut problems = Vec::new();
        for (key, file, secret) in [
            ("database.password", &self.database.password_file, &mut self.database.password),
            ("payouts.password", &self.payouts.password_file, &mut self.payouts.password),
            ("mail.password", &self.mail.password_file, &mut self.mail.password),
            ("files.secret", &self.files.secret_file, &mut self.files.secret),
            ("console.key", &self.console.key_file, &mut self.console.key),
            ("records.key", &self.records.key_file, &mut self.records.key),
        ] {
            if let Some(value) = given.remove(key) {
                *secret = Secret::new(value);
            } else if !file.as_os_str().is_empty() {
                match Secret::read(file) {
                    Ok(value) => *secret = value,
                    Err(error) => problems.push(format!("{key}_file: cannot read {}: {error}", file.display())),
                }
            }
        }
        problems.extend(given.into_keys().map(|key| format!("there is no secret {key}")));
        problems
    }
}
