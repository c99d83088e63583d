//! Builds the use cases of accounts from the configuration.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use app::Context;
use app::identity::ports::{SystemRandom, Vaults};
use app::identity::{ChainType, HashSettings, Hasher, Identity, IdentitySettings, Ports};
use async_trait::async_trait;
use domain::chain::{Address, CustodyIndex};
use domain::identity::address::AddressForm;
use gateways::{DrawnSlides, KeySource, PassSettings, SignedPass, SmtpMail, SmtpSettings};
use url::Url;

use crate::config::{self, Config, Encryption};

/// The timeout for sending an email.
const MAIL_PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of hashes that the proof of work of a slide check takes. A browser needs a fraction of a second.
const PROOF_OF_WORK: u32 = 50_000;
/// The path of the pass's callback, relative to the public URL.
const CALL_BACK: &str = "api/scan/callBack";

pub(crate) fn identity(context: Context, config: &Config, mail: SmtpMail) -> anyhow::Result<Identity> {
    let ports = Ports {
        mail: Arc::new(mail),
        pass: Arc::new(pass(&config.pass, &config.http.public_url)?),
        vaults: Arc::new(Custody(chain::vaults::Vaults::of(config.escrow()?))),
        art: Arc::new(DrawnSlides),
        random: Arc::new(SystemRandom),
    };
    let chain_types = config
        .chain_types
        .iter()
        .map(|kind| ChainType {
            name: kind.name.clone(),
            form: match kind.form {
                config::AddressForm::Evm => AddressForm::Evm,
                config::AddressForm::Tron => AddressForm::Tron,
            },
        })
        .collect();
    let settings = IdentitySettings { chain_types, proof_of_work: PROOF_OF_WORK };
    Ok(Identity::new(context, ports, settings, Hasher::new(HashSettings::default())?))
}

pub(crate) fn mail(mail: &config::Mail) -> anyhow::Result<SmtpMail> {
    let settings = SmtpSettings { url: mail_url(mail)?, from: mail.from.clone(), patience: MAIL_PATIENCE };
    SmtpMail::new(&settings).context("mail")
}

fn mail_url(mail: &config::Mail) -> anyhow::Result<String> {
    let (scheme, query) = match mail.encryption {
        Encryption::None => ("smtp", None),
        Encryption::Starttls => ("smtp", Some("tls=required")),
        Encryption::Tls => ("smtps", None),
    };
    let mut url = Url::parse(&format!("{scheme}://{}:{}", mail.host, mail.port)).context("mail.host")?;
    url.set_query(query);
    if !mail.user.is_empty() {
        let takes_none = |()| anyhow::anyhow!("mail.host takes no user");
        // `set_username` doesn't encode percent signs.
        url.set_username(&mail.user.replace('%', "%25")).map_err(takes_none)?;
        url.set_password(Some(&mail.password.expose().replace('%', "%25"))).map_err(takes_none)?;
    }
    Ok(url.into())
}

fn pass(pass: &config::Pass, public_url: &str) -> anyhow::Result<SignedPass> {
    let own = Url::parse(&format!("{}/", public_url.trim_end_matches('/'))).context("http.public_url")?;
    let settings = PassSettings {
        issuer: pass.issuer.clone(),
        audience: pass.audience.clone(),
        keys: KeySource::Url(Url::parse(&pass.jwks_url).context("pass.jwks_url")?),
        invite: Url::parse(&pass.authorize_url).context("pass.authorize_url")?,
        call_back: own.join(CALL_BACK).context("http.public_url")?,
    };
    SignedPass::new(settings).context("pass")
}

/// Custody addresses, computed from the Escrow contract.
struct Custody(chain::vaults::Vaults);

#[async_trait]
impl Vaults for Custody {
    async fn address(&self, index: CustodyIndex) -> app::Result<Address> {
        Ok(self.0.address(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Secret;

    fn written(encryption: Encryption, user: &str) -> String {
        let password = Secret::new("p@ss/50%".to_owned());
        let (host, from) = ("mail.test".to_owned(), "a@b.test".to_owned());
        let mail = config::Mail {
            host,
            port: 25,
            encryption,
            user: user.to_owned(),
            password_file: "".into(),
            password,
            from,
        };
        mail_url(&mail).unwrap()
    }

    #[test]
    fn a_mail_server_is_named_with_its_encryption_and_log_in() {
        assert_eq!(written(Encryption::None, ""), "smtp://mail.test:25");
        assert_eq!(written(Encryption::Tls, "me@x"), "smtps://me%40x:p%40ss%2F50%25@mail.test:25");
        assert_eq!(written(Encryption::Starttls, ""), "smtp://mail.test:25?tls=required");
    }
}
