//! The officers of the demo world, one for each role. Their password and the secret of their authenticator app are fixed, so
//! that everyone can sign in to the console of a development environment.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use app::Context;
use app::appeals::Rules;
use app::console::{
    Console, Enroll, NewOfficer, PayoutChain, TotpSecrets, UnlistedNft, VoidCall, code_at, invite_officer, step_at,
};
use app::engine::idempotency::IdempotencyKey;
use app::identity::ports::{Random, SystemRandom};
use app::identity::{Device, Identity};
use async_trait::async_trait;
use chrono::Utc;
use domain::assets::AssetId;
use domain::chain::{Reference, TxHash};
use domain::console::Role;

use super::people::LOGIN_PASSWORD;

/// The secret of every demo officer. In base32: `MRSW23ZNN5TGM2LDMVZC243FMNZGK5BB`.
const SECRET: &[u8; 20] = b"demo-officer-secret!";

struct Colleague {
    name: &'static str,
    email: &'static str,
    role: Role,
    does: &'static str,
}

/// The administrators come last: once there are two, they create officers in the console.
const OFFICERS: [Colleague; 4] = [
    Colleague { name: "Olga", email: "olga@officers.test", role: Role::AppealOfficer, does: "decides appeals" },
    Colleague { name: "Carl", email: "carl@officers.test", role: Role::CustomerService, does: "speaks with users" },
    Colleague {
        name: "Ada",
        email: "ada@officers.test",
        role: Role::Administrator,
        does: "manages users, pairs, payouts, maintenance",
    },
    Colleague {
        name: "Alan",
        email: "alan@officers.test",
        role: Role::Administrator,
        does: "approves officers whom Ada creates",
    },
];

/// Random bytes, except that every TOTP secret is [`SECRET`].
struct FixedSecret;

impl Random for FixedSecret {
    fn fill(&self, bytes: &mut [u8]) {
        if bytes.len() == SECRET.len() {
            bytes.copy_from_slice(SECRET);
        } else {
            SystemRandom.fill(bytes);
        }
    }
}

/// Creating officers needs nothing from the chain.
struct NoChain;

#[async_trait]
impl PayoutChain for NoChain {
    async fn differences(&self, _: AssetId) -> app::Result<Vec<String>> {
        Err(app::Error::Unavailable { what: "the node" })
    }

    fn void_call(&self, _: Reference) -> app::Result<VoidCall> {
        Err(app::Error::Unavailable { what: "the node" })
    }

    async fn unlisted_nfts(&self, _: TxHash) -> app::Result<Vec<UnlistedNft>> {
        Err(app::Error::Unavailable { what: "the node" })
    }
}

/// Creates the officers, who enroll with their setup links.
pub(super) async fn create(
    context: &Context,
    identity: &Identity,
    key_file: &Path,
    seal: impl AsyncFn(&str) -> anyhow::Result<app::identity::Sealed>,
) -> anyhow::Result<()> {
    let key = std::fs::read_to_string(key_file).context("the console's key")?;
    let secrets = || TotpSecrets::new(&key, Arc::new(FixedSecret)).context("the console's key is invalid");
    let console =
        Console::new(context.clone(), identity.clone(), Some(secrets()?), Arc::new(NoChain), Rules::default(), "");
    for officer in &OFFICERS {
        let new = NewOfficer { name: officer.name.to_owned(), email: officer.email.to_owned(), role: officer.role };
        let reason = "an officer of the demo world";
        let invited = invite_officer(context, &secrets()?, &new, "demo world", reason).await?;
        let (_, token) = invited.context("there are enough administrators already")?;
        let enroll = Enroll {
            token,
            password: seal(LOGIN_PASSWORD).await?,
            code: code_at(SECRET, step_at(context.machine_now())),
            device: Device::new("demo world", "127.0.0.1", "en_US"),
        };
        let key = IdempotencyKey::derived(&["demo", officer.email, "enroll"]);
        console.enroll(&key, &enroll).await.with_context(|| format!("{} cannot enroll", officer.email))?;
    }
    Ok(())
}

/// Prints where the console is and how to sign in.
pub(super) fn print(url: &str) {
    println!("Console for officers: {url}/console");
    println!("Demo officers. All have the password {LOGIN_PASSWORD} and this secret in their authenticator app:\n");
    println!("  {}", app::console::base32(SECRET));
    println!("  The code is now {}, for up to a minute.\n", code_at(SECRET, step_at(Utc::now())));
    for officer in &OFFICERS {
        println!("  {:<21} {}", officer.email, officer.does);
    }
    println!();
}
