//! Checks the values of the configuration.

use domain::chain::Address;
use domain::money::Amount;
use url::{Host, Url};

use super::{AssetKind, Config, Encryption};

impl Config {
    /// Returns all problems of the configuration.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut found = Found(Vec::new());
        self.check_http(&mut found);
        self.check_database(&mut found);
        self.check_chain(&mut found);
        self.check_albums(&mut found);
        self.check_mail(&mut found);
        self.check_market(&mut found);
        self.check_appeals(&mut found);
        found.url("pass.jwks_url", &self.pass.jwks_url, &["http", "https"]);
        found.url("pass.authorize_url", &self.pass.authorize_url, &["http", "https"]);
        found.set("pass.issuer", &self.pass.issuer);
        found.set("pass.audience", &self.pass.audience);
        self.check_files(&mut found);
        found.when(self.talk.open_days > 365, "talk.open_days must be at most 365");
        found.0
    }

    fn check_files(&self, found: &mut Found) {
        let files = &self.files;
        if files.bucket.is_empty() {
            found.when(files.folder.as_os_str().is_empty(), "files.folder or files.bucket must be set");
        } else {
            found.set("files.region", &files.region);
            found.set("files.key_id", &files.key_id);
            found.when(files.secret.is_empty(), "files.secret_file or MEC2C_FILES_SECRET must be set for a bucket");
            if !files.endpoint.is_empty() {
                found.url("files.endpoint", &files.endpoint, &["http", "https"]);
            }
        }
        found.when(!(1..=1_000).contains(&files.video_megabytes), "files.video_megabytes must be 1 to 1000");
        found.when(!(1..=3_600).contains(&files.video_seconds), "files.video_seconds must be 1 to 3600");
        found.when(!(1..=64).contains(&files.decodes_at_once), "files.decodes_at_once must be 1 to 64");
    }

    fn check_http(&self, found: &mut Found) {
        found.url("http.public_url", &self.http.public_url, &["http", "https"]);
        let is_header = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        found.when(!self.http.region_header.bytes().all(is_header), "http.region_header is not the name of a header");
        found.when(
            !self.http.region_header.is_empty() && self.http.proxies.is_empty(),
            "http.region_header is trusted only from proxies: list them in http.proxies",
        );
        found.when(!(1..=600).contains(&self.http.timeout_seconds), "http.timeout_seconds must be 1 to 600");
        let uploads = self.http.upload_timeout_seconds;
        found.when(!(1..=600).contains(&uploads), "http.upload_timeout_seconds must be 1 to 600");
        found.when(self.http.drain_seconds > 600, "http.drain_seconds must be at most 600");
        for (name, burst, every_ms) in self.rate_limits.each() {
            found.when(burst == 0, &format!("rate_limits.{name}_burst must be at least 1"));
            found.when(every_ms > 3_600_000, &format!("rate_limits.{name}_every_ms must be at most 3600000"));
        }
        found.when(
            self.log.level.parse::<tracing_subscriber::EnvFilter>().is_err(),
            "log.level is not one of error, warn, info, debug, trace, nor such a list by module",
        );
    }

    fn check_database(&self, found: &mut Found) {
        if let Some(url) = found.url("database.url", &self.database.url, &["postgres", "postgresql"]) {
            found.when(
                url.password().is_some(),
                "database.url must not hold a password: use database.password_file or MEC2C_DATABASE_PASSWORD",
            );
        }
        found.when(!(1..=1000).contains(&self.database.connections), "database.connections must be 1 to 1000");
        found.when(!(1..=60_000).contains(&self.database.patience_ms), "database.patience_ms must be 1 to 60000");
    }

    fn check_chain(&self, found: &mut Found) {
        found.set("chain.name", &self.chain.name);
        found.when(self.chain.id == 0, "chain.id must not be 0");
        found.when(self.payouts.max_fee_gwei == 0, "payouts.max_fee_gwei must be at least 1");
        found.when(self.reconciliation.vaults_per_second == 0, "reconciliation.vaults_per_second must be at least 1");
        found.when(self.chain.confirmations == 0, "chain.confirmations must be at least 1");
        found.when(self.chain.rpc.is_empty(), "chain.rpc must name at least one node");
        for rpc in &self.chain.rpc {
            found.url("chain.rpc", rpc, &["http", "https"]);
        }
        if !self.chain.explorer.is_empty() {
            found.explorer("chain.explorer", &self.chain.explorer);
        }
        // `migrate` runs without an Escrow; commands that need one check that it is set.
        if !self.chain.escrow.is_empty() {
            found.address("chain.escrow", &self.chain.escrow);
        }
        found.when(
            self.assets.iter().filter(|asset| asset.kind == AssetKind::Native).count() > 1,
            "asset: a chain has one native coin",
        );
        let mut codes: Vec<&str> = self.albums.iter().map(|album| album.code.as_str()).collect();
        for asset in &self.assets {
            let name = format!("asset {}", asset.code);
            found.set("asset.code", &asset.code);
            found.when(codes.contains(&asset.code.as_str()), &format!("{name} is there twice"));
            codes.push(&asset.code);
            found.when(asset.decimals > 30, &format!("{name}: decimals must be at most 30"));
            match asset.kind {
                AssetKind::Native => {
                    found.when(!asset.contract.is_empty(), &format!("{name}: the native coin has no contract"));
                }
                AssetKind::Erc20 => found.address(&format!("{name}: contract"), &asset.contract),
            }
        }
    }

    fn check_albums(&self, found: &mut Found) {
        let prepaid = self.assets.first().filter(|_| self.assets.len() > 1);
        for (index, album) in self.albums.iter().enumerate() {
            let name = format!("album {}", album.code);
            found.set("album.code", &album.code);
            let is_id = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            let id = &album.class_id;
            found.when(
                !(1..=40).contains(&id.len()) || !id.bytes().all(is_id),
                &format!("{name}: class_id must be 1 to 40 lowercase letters, digits and hyphens"),
            );
            for (key, text) in [("name", &album.name), ("creator", &album.creator)] {
                let long = !(1..=60).contains(&text.chars().count());
                found.when(long, &format!("{name}: {key} must be 1 to 60 characters"));
            }
            let long = album.description.chars().count() > 500;
            found.when(long, &format!("{name}: description must be at most 500 characters"));
            found.address(&format!("{name}: contract"), &album.contract);
            match prepaid {
                Some(coin) => {
                    for (key, text) in [("fee", &album.fee), ("gas", &album.gas)] {
                        let wrong = Amount::parse(text, coin.decimals).is_err();
                        found.when(wrong, &format!("{name}: {key} must be an amount of {}, such as \"2\"", coin.code));
                    }
                }
                None => found.when(true, &format!("{name}: needs two coins, one for fees and one for prices")),
            }
            let contract = album.contract.to_lowercase();
            for other in self.albums.iter().take(index) {
                found.when(other.code == album.code, &format!("{name} is there twice"));
                let same_id = other.class_id == album.class_id;
                found.when(same_id, &format!("{name}: class_id is also that of the album {}", other.code));
                let same_contract = other.contract.to_lowercase() == contract;
                found.when(same_contract, &format!("{name}: contract is also that of the album {}", other.code));
            }
            for coin in &self.assets {
                let same_contract = !contract.is_empty() && coin.contract.to_lowercase() == contract;
                found.when(same_contract, &format!("{name}: contract is also that of the asset {}", coin.code));
            }
        }
    }

    fn check_market(&self, found: &mut Found) {
        for code in &self.market.fiat {
            let fine = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
            found.when(!fine, "market.fiat must hold currencies of three capital letters, such as EUR");
        }
        for kind in self.chain_types.iter().filter(|kind| !kind.explorer.is_empty()) {
            found.explorer(&format!("chain_type {}: explorer", kind.name), &kind.explorer);
        }
        let own = &self.market.escrow_chain_type;
        let known = self.chain_types.iter().any(|kind| kind.name == *own);
        found.when(!own.is_empty() && !known, "market.escrow_chain_type is not the name of a chain_type");
    }

    fn check_appeals(&self, found: &mut Found) {
        let hours = self.appeals.decide_within_hours;
        found.when(!(1..=720).contains(&hours), "appeals.decide_within_hours must be 1 to 720");
        let hours = self.appeals.verdict_delay_hours;
        found.when(!(1..=720).contains(&hours), "appeals.verdict_delay_hours must be 1 to 720");
        found.set("appeals.unit", &self.appeals.unit);
        let values = [
            ("customer_service_maximum", &self.appeals.customer_service_maximum),
            ("one_officer_maximum", &self.appeals.one_officer_maximum),
        ];
        for (name, value) in values {
            let fine = Amount::parse(value, 0).is_ok();
            found.when(!fine, &format!("appeals.{name} must be a number of whole coins, such as \"500\""));
        }
    }

    fn check_mail(&self, found: &mut Found) {
        found.set("mail.host", &self.mail.host);
        found.set("mail.from", &self.mail.from);
        let here = ["127.0.0.1", "::1", "localhost"].contains(&self.mail.host.as_str());
        found.when(
            self.mail.encryption == Encryption::None && !here,
            "mail.encryption may be \"none\" only to this machine: mails hold codes that open accounts",
        );
    }
}

struct Found(Vec<String>);

impl Found {
    fn when(&mut self, wrong: bool, words: &str) {
        if wrong {
            self.0.push(words.to_owned());
        }
    }

    fn set(&mut self, key: &str, value: &str) {
        self.when(value.trim().is_empty(), &format!("{key} must be set"));
    }

    fn address(&mut self, key: &str, value: &str) {
        let wrong = value.to_lowercase().parse::<Address>().is_err();
        self.when(wrong, &format!("{key} is not an address (0x and 40 hexadecimal digits)"));
    }

    /// Checks an address to which pages link. It must not lead over an open network, and takes a path at its end.
    fn explorer(&mut self, key: &str, value: &str) {
        let Some(url) = self.url(key, value, &["https", "http"]) else { return };
        let here = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        self.when(url.scheme() == "http" && !here, &format!("{key} may begin with http:// only on this machine"));
        let more = url.query().is_some() || url.fragment().is_some();
        let login = !url.username().is_empty() || url.password().is_some();
        self.when(more || login, &format!("{key} must have no user, query or fragment"));
    }

    fn url(&mut self, key: &str, value: &str, schemes: &[&str]) -> Option<Url> {
        // The message omits the value, because a URL may contain a password.
        match Url::parse(value) {
            Ok(url) if schemes.contains(&url.scheme()) && url.has_host() => Some(url),
            _ => {
                self.0.push(format!("{key} is not an address that begins with {}://", schemes.join(":// or ")));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn load(environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>();
        Config::load(None, environment.into_iter()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_documented_defaults_are_valid() {
        load(&[]).unwrap();
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        let refusal = load(&[("MEC2C_DATABASE_URL", "postgres://me:hunter2@db/x")]).unwrap_err();
        assert!(refusal.contains("MEC2C_DATABASE_PASSWORD") && !refusal.contains("hunter2"), "{refusal}");
    }

    #[test]
    fn a_secret_comes_from_the_environment_or_a_file_and_does_not_show() {
        let config = load(&[("MEC2C_DATABASE_PASSWORD", "hunter2")]).unwrap();
        assert_eq!(config.database.password.expose(), "hunter2");
        assert!(!format!("{config:?}").contains("hunter2"));

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("password");
        std::fs::write(&file, "from a file\n").unwrap();
        let config = load(&[("MEC2C_MAIL_PASSWORD_FILE", file.to_str().unwrap())]).unwrap();
        assert_eq!(config.mail.password.expose(), "from a file");

        let missing = folder.path().join("missing");
        let refusal = load(&[("MEC2C_MAIL_PASSWORD_FILE", missing.to_str().unwrap())]).unwrap_err();
        assert!(refusal.contains("mail.password_file"), "{refusal}");
    }

    #[test]
    fn values_out_of_bounds_are_refused() {
        for (name, value, key) in [
            ("MEC2C_HTTP_LISTEN", "nowhere", "listen"),
            ("MEC2C_HTTP_PUBLIC_URL", "ftp://x", "http.public_url"),
            ("MEC2C_HTTP_TIMEOUT_SECONDS", "0", "http.timeout_seconds"),
            ("MEC2C_RATE_LIMITS_LOGIN_BURST", "0", "rate_limits.login_burst"),
            ("MEC2C_RATE_LIMITS_ACCOUNT_EVERY_MS", "3600001", "rate_limits.account_every_ms"),
            ("MEC2C_DATABASE_CONNECTIONS", "0", "database.connections"),
            ("MEC2C_CHAIN_CONFIRMATIONS", "0", "chain.confirmations"),
            ("MEC2C_CHAIN_RPC", "", "chain.rpc"),
            ("MEC2C_CHAIN_EXPLORER", "javascript:alert(1)", "chain.explorer"),
            ("MEC2C_CHAIN_EXPLORER", "http://explorer.example", "chain.explorer"),
            ("MEC2C_CHAIN_EXPLORER", "http://127.0.0.1.example", "chain.explorer"),
            ("MEC2C_CHAIN_EXPLORER", "https://me:hunter2@explorer.example", "chain.explorer"),
            ("MEC2C_CHAIN_EXPLORER", "https://explorer.example/?tx=", "chain.explorer"),
            ("MEC2C_PAYOUTS_MAX_FEE_GWEI", "0", "payouts.max_fee_gwei"),
            ("MEC2C_RECONCILIATION_VAULTS_PER_SECOND", "0", "reconciliation.vaults_per_second"),
            ("MEC2C_HTTP_REGION_HEADER", "CF-IPCountry", "http.proxies"),
            ("MEC2C_HTTP_REGION_HEADER", "a header", "http.region_header"),
            ("MEC2C_CHAIN_ESCROW", "0x12", "chain.escrow"),
            ("MEC2C_LOG_FORMAT", "xml", "xml"),
            ("MEC2C_LOG_LEVEL", "=loud=", "log.level"),
            ("MEC2C_MARKET_FIAT", "EUR,euro", "market.fiat"),
            ("MEC2C_MARKET_ESCROW_CHAIN_TYPE", "X", "market.escrow_chain_type"),
            ("MEC2C_APPEALS_DECIDE_WITHIN_HOURS", "0", "appeals.decide_within_hours"),
            ("MEC2C_APPEALS_VERDICT_DELAY_HOURS", "0", "appeals.verdict_delay_hours"),
            ("MEC2C_APPEALS_UNIT", "", "appeals.unit"),
            ("MEC2C_APPEALS_CUSTOMER_SERVICE_MAXIMUM", "0.5", "appeals.customer_service_maximum"),
            ("MEC2C_APPEALS_ONE_OFFICER_MAXIMUM", "much", "appeals.one_officer_maximum"),
            ("MEC2C_MAIL_HOST", "mail.example.com", "mail.encryption"),
            ("MEC2C_HTTP_UPLOAD_TIMEOUT_SECONDS", "0", "http.upload_timeout_seconds"),
            ("MEC2C_FILES_FOLDER", "", "files.folder"),
            ("MEC2C_FILES_BUCKET", "pictures", "files.secret"),
            ("MEC2C_FILES_VIDEO_MEGABYTES", "0", "files.video_megabytes"),
            ("MEC2C_FILES_VIDEO_SECONDS", "4000", "files.video_seconds"),
            ("MEC2C_FILES_DECODES_AT_ONCE", "0", "files.decodes_at_once"),
        ] {
            let refusal = load(&[(name, value)]).unwrap_err();
            assert!(refusal.contains(key), "{name}={value}: {refusal}");
        }
    }

    /// A valid configuration with two coins and two albums.
    const ALBUMS: &str = r#"
[[asset]]
code = "MEC"
kind = "native"
decimals = 18
dust = "0"
return_gas = "0"

[[asset]]
code = "USDT"
kind = "erc20"
contract = "0x00000000000000000000000000000000000000AA"
decimals = 6
dust = "0"
return_gas = "0"

[[album]]
code = "ART"
class_id = "art"
name = "Art"
creator = "An artist"
contract = "0x00000000000000000000000000000000000000BB"
fee = "0.000000000000000001"
gas = "0"

[[album]]
code = "CATS"
class_id = "cats"
name = "Cats"
creator = "A cat"
contract = "0x00000000000000000000000000000000000000CC"
fee = "2"
gas = "0.01"
"#;

    fn load_file(text: &str) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.toml");
        std::fs::write(&file, text).unwrap();
        Config::load(Some(&file), std::iter::empty()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_wrong_field_of_an_album_is_named() {
        assert_eq!(load_file(ALBUMS).unwrap().albums.len(), 2);
        for (from, to, words) in [
            ("class_id = \"cats\"", "class_id = \"Cats\"", "album CATS: class_id must be"),
            ("class_id = \"cats\"", "class_id = \"art\"", "album CATS: class_id is also that of the album ART"),
            ("CC\"", "bb\"", "album CATS: contract is also that of the album ART"),
            ("CC\"", "aa\"", "album CATS: contract is also that of the asset USDT"),
            ("CC\"", "\"", "album CATS: contract is not an address"),
            ("code = \"CATS\"", "code = \"ART\"", "album ART is there twice"),
            ("code = \"CATS\"", "code = \"USDT\"", "asset USDT is there twice"),
            ("fee = \"2\"", "fee = \"two\"", "album CATS: fee must be an amount of MEC"),
            ("gas = \"0.01\"", "gas = \"0.0000000000000000001\"", "album CATS: gas must be an amount of MEC"),
            ("gas = \"0.01\"", "gas = \"\"", "album CATS: gas must be an amount of MEC"),
        ] {
            assert!(ALBUMS.contains(from), "{from}");
            let refusal = load_file(&ALBUMS.replace(from, to)).unwrap_err();
            assert!(refusal.contains(words), "{from} → {to}: {refusal}");
        }
    }

    #[test]
    fn explorers_are_secure_or_on_this_machine() {
        for explorer in
            ["", "https://explorer.example/mec", "http://localhost:4000", "http://127.0.0.1", "http://[::1]:80"]
        {
            assert_eq!(load(&[("MEC2C_CHAIN_EXPLORER", explorer)]).unwrap().chain.explorer, explorer);
        }
    }

    #[test]
    fn the_explorer_of_a_chain_type_is_checked_like_that_of_the_chain() {
        let chain_type = |explorer: &str| {
            load_file(&format!("[[chain_type]]\nname = \"ERC20\"\nform = \"evm\"\nexplorer = \"{explorer}\"\n"))
        };
        assert_eq!(
            chain_type("https://explorer.example/eth").unwrap().chain_types[0].explorer,
            "https://explorer.example/eth"
        );
        let refusal = chain_type("http://explorer.example").unwrap_err();
        assert!(refusal.contains("chain_type ERC20: explorer"), "{refusal}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let refusal = Config::load(Some(Path::new("/nowhere/x.toml")), std::iter::empty()).unwrap_err();
        assert!(refusal.to_string().contains("/nowhere/x.toml"));
    }
}
