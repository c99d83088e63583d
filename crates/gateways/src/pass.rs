//! Verifies the signed assertions of the pass. The product trusts nothing else that the pass sends.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use app::identity::ports::{Invitation, Pass, PassError};
use async_trait::async_trait;
use chrono::DateTime;
use domain::clock::Timestamp;
use domain::identity::statement::{Answer, Statement};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use tokio::sync::Mutex;
use url::Url;
use uuid::Uuid;

/// The maximum time by which the pass's clock may be ahead of ours, in seconds.
const SKEW: i64 = 60;
/// The longest accepted lifetime of an assertion, in seconds. Assertions are meant to be used immediately.
const LONGEST_LIFETIME: i64 = 15 * 60;
/// The minimum time between two fetches of the key set. An assertion with an unknown key ID triggers a fetch.
const FETCH_PAUSE: Duration = Duration::from_secs(10);
/// The maximum size of the key set, in bytes.
const LARGEST_KEYS: usize = 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The URL of the issuer's JWKS.
    Url(Url),
    /// A file with the JWKS.
    File(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassSettings {
    /// The expected `iss` claim.
    pub issuer: String,
    /// The expected `aud` claim.
    pub audience: String,
    pub keys: KeySource,
    /// The pass's page on which a user approves or declines a challenge.
    pub invite: Url,
    /// Our URL to which the pass sends its assertion.
    pub call_back: Url,
}

/// Verifies the assertions of one issuer.
#[derive(Debug)]
pub struct SignedPass {
    settings: PassSettings,
    http: reqwest::Client,
    keys: Mutex<Option<(JwkSet, Instant)>>,
}

#[derive(Debug, Deserialize)]
struct Claims {
    #[serde(default)]
    sub: String,
    jti: String,
    iat: i64,
    exp: i64,
    #[serde(default)]
    address: String,
    #[serde(default)]
    region: Option<String>,
    kyc: String,
    challenge: String,
    /// `approved` or `declined`. Any other value is rejected.
    decision: String,
    /// The number that the user chose after scanning a QR code.
    #[serde(default)]
    number: Option<u8>,
}

fn not_ours(why: impl std::fmt::Display) -> PassError {
    PassError::NotOurs(why.to_string())
}

impl SignedPass {
    /// Creates a verifier. The keys are fetched when the first assertion arrives.
    pub fn new(settings: PassSettings) -> Result<Self, PassError> {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| PassError::Unavailable(error.to_string()))?;
        Ok(Self { settings, http, keys: Mutex::new(None) })
    }

    async fn fetch(&self) -> Result<JwkSet, PassError> {
        let unavailable = |error: &dyn std::fmt::Display| PassError::Unavailable(error.to_string());
        let bytes = match &self.settings.keys {
            KeySource::File(path) => tokio::fs::read(path).await.map_err(|error| unavailable(&error))?,
            KeySource::Url(url) => {
                let response = self.http.get(url.clone()).send().await.map_err(|error| unavailable(&error))?;
                let mut response = response.error_for_status().map_err(|error| unavailable(&error))?;
                let mut bytes = Vec::new();
                while let Some(chunk) = response.chunk().await.map_err(|error| unavailable(&error))? {
                    bytes.extend_from_slice(&chunk);
                    if bytes.len() > LARGEST_KEYS {
                        return Err(unavailable(&"the key set is too large"));
                    }
                }
                bytes
            }
        };
        serde_json::from_slice(&bytes).map_err(|error| unavailable(&error))
    }

    /// Returns the key with this ID. Fetches the key set again if the ID is unknown, because it may belong to a new
    /// key, but at most once per [`FETCH_PAUSE`].
    async fn key(&self, kid: &str) -> Result<DecodingKey, PassError> {
        let mut kept = self.keys.lock().await;
        let known = kept.as_ref().and_then(|(set, _)| set.find(kid).cloned());
        let jwk = if let Some(jwk) = known {
            jwk
        } else {
            if kept.as_ref().is_some_and(|(_, at)| at.elapsed() < FETCH_PAUSE) {
                return Err(not_ours("unknown key"));
            }
            let set = self.fetch().await?;
            let found = set.find(kid).cloned();
            *kept = Some((set, Instant::now()));
            found.ok_or_else(|| not_ours("unknown key"))?
        };
        drop(kept);
        DecodingKey::from_jwk(&jwk).map_err(not_ours)
    }
}

#[async_trait]
impl Pass for SignedPass {
    fn invite(&self, challenge: Uuid, purpose: &str) -> Invitation {
        let url = |mode: &str| {
            let mut url = self.settings.invite.clone();
            url.query_pairs_mut()
                .append_pair("challenge", &challenge.to_string())
                .append_pair("purpose", purpose)
                .append_pair("audience", &self.settings.audience)
                .append_pair("callback", self.settings.call_back.as_str())
                .append_pair("mode", mode);
            url.to_string()
        };
        Invitation { qr: url("qr"), redirect: url("redirect") }
    }

    async fn verify(&self, statement: &str, now: Timestamp) -> Result<Statement, PassError> {
        if statement.len() > 8_192 {
            return Err(not_ours("too long"));
        }
        let header = decode_header(statement).map_err(not_ours)?;
        if header.alg != Algorithm::ES256 {
            return Err(not_ours("not signed by ES256"));
        }
        let key = self.key(header.kid.as_deref().ok_or_else(|| not_ours("no key ID"))?).await?;
        let mut rules = Validation::new(Algorithm::ES256);
        rules.set_issuer(&[&self.settings.issuer]);
        rules.set_audience(&[&self.settings.audience]);
        rules.set_required_spec_claims(&["iss", "aud", "exp"]);
        // The code below checks the expiry against the product's clock, which may differ from the machine's.
        rules.validate_exp = false;
        let claims = decode::<Claims>(statement, &key, &rules).map_err(not_ours)?.claims;
        let timestamp =
            |seconds| DateTime::from_timestamp(seconds, 0).ok_or_else(|| not_ours("timestamp out of range"));
        let (issued_at, expires_at) = (timestamp(claims.iat)?, timestamp(claims.exp)?);
        if claims.iat > now.timestamp().saturating_add(SKEW) {
            return Err(not_ours("issued in the future"));
        }
        if now >= expires_at {
            return Err(not_ours("expired"));
        }
        if claims.exp.saturating_sub(claims.iat) > LONGEST_LIFETIME {
            return Err(not_ours("lifetime too long"));
        }
        if claims.jti.is_empty() || claims.jti.len() > 128 || claims.sub.len() > 128 {
            return Err(not_ours("invalid `jti` or `sub`"));
        }
        Ok(Statement {
            id: claims.jti,
            me_id: claims.sub,
            address: claims.address.to_ascii_lowercase().parse().ok(),
            region: claims.region,
            kyc: claims.kyc.parse().map_err(|_| not_ours("unknown KYC level"))?,
            challenge: claims.challenge,
            answer: match claims.decision.as_str() {
                "approved" => Answer::Approved { number: claims.number },
                "declined" => Answer::Declined,
                _ => return Err(not_ours("unknown decision")),
            },
            issued_at,
            expires_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::users::KycLevel;
    use jsonwebtoken::{EncodingKey, Header, encode};
    use serde_json::{Value, json};

    use super::*;
    use crate::fakes::TestIssuer;

    fn now() -> Timestamp {
        DateTime::from_timestamp(1_767_268_800, 0).unwrap()
    }

    fn settings(keys: KeySource) -> PassSettings {
        PassSettings {
            issuer: "https://pass.example".into(),
            audience: "mec2c".into(),
            keys,
            invite: "https://pass.example/approve".parse().unwrap(),
            call_back: "https://mec2c.example/api/scan/callBack".parse().unwrap(),
        }
    }

    fn claims() -> Value {
        json!({
            "iss": "https://pass.example", "aud": "mec2c", "sub": "ME-1", "jti": "s-1",
            "iat": now().timestamp(), "exp": now().timestamp().saturating_add(300),
            "address": "0x00000000000000000000000000000000000000Ff", "region": "VN", "kyc": "basic",
            "challenge": "0190163d-8694-739b-aea5-966c26f8ad91", "decision": "approved", "number": 42
        })
    }

    struct Bench {
        issuer: TestIssuer,
        pass: SignedPass,
        /// Keeps the issuer's key file until the test ends.
        _keys: tempfile::NamedTempFile,
    }

    fn bench() -> Bench {
        let issuer = TestIssuer::new("k1");
        let keys = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&keys, issuer.jwks()).unwrap();
        let pass = SignedPass::new(settings(KeySource::File(keys.path().to_owned()))).unwrap();
        Bench { issuer, pass, _keys: keys }
    }

    #[tokio::test]
    async fn a_valid_assertion_is_accepted() {
        let Bench { issuer, pass, _keys } = bench();
        let statement = pass.verify(&issuer.sign(&claims()), now()).await.unwrap();
        assert_eq!(statement.me_id, "ME-1");
        assert_eq!(statement.address.unwrap().to_string(), "0x00000000000000000000000000000000000000ff");
        assert_eq!((statement.region.as_deref(), statement.kyc), (Some("VN"), KycLevel::Basic));
        assert_eq!(statement.answer, Answer::Approved { number: Some(42) });
        let declined = Value::Object({
            let mut all = claims().as_object().unwrap().clone();
            all.insert("decision".into(), json!("declined"));
            all
        });
        let statement = pass.verify(&issuer.sign(&declined), now()).await.unwrap();
        assert_eq!(statement.answer, Answer::Declined);
    }

    #[tokio::test]
    async fn every_invalid_claim_is_rejected() {
        let Bench { issuer, pass, _keys } = bench();
        let seconds = now().timestamp();
        for (name, value) in [
            ("iss", json!("https://other.example")),
            ("aud", json!("somebody-else")),
            ("exp", json!(seconds)),
            ("exp", json!(seconds + 100_000)),
            ("iat", json!(seconds + 61)),
            ("sub", json!("x".repeat(129))),
            ("jti", json!("")),
            ("kyc", json!("expert")),
            ("challenge", Value::Null),
            ("decision", json!("perhaps")),
            ("number", json!("42")),
        ] {
            let mut claims = claims();
            claims[name] = value.clone();
            let refused = pass.verify(&issuer.sign(&claims), now()).await;
            assert!(matches!(refused, Err(PassError::NotOurs(_))), "{name} = {value}");
        }
        for name in ["iss", "aud", "exp", "jti", "iat", "kyc", "decision"] {
            let mut claims = claims();
            claims.as_object_mut().unwrap().remove(name);
            assert!(matches!(pass.verify(&issuer.sign(&claims), now()).await, Err(PassError::NotOurs(_))), "{name}");
        }
    }

    /// The refusals of these statements have codes of their own.
    #[tokio::test]
    async fn a_statement_may_lack_the_me_id_or_the_address() {
        let Bench { issuer, pass, _keys } = bench();
        let without = async |name: &str, value: Option<Value>| {
            let mut claims = claims();
            match value {
                Some(value) => claims[name] = value,
                None => drop(claims.as_object_mut().unwrap().remove(name)),
            }
            pass.verify(&issuer.sign(&claims), now()).await.unwrap()
        };
        assert_eq!(without("sub", None).await.me_id, "");
        for value in [None, Some(json!("0x12"))] {
            assert_eq!(without("address", value).await.address, None);
        }
    }

    #[tokio::test]
    async fn a_wrong_key_a_wrong_algorithm_and_a_changed_payload_are_rejected() {
        let Bench { issuer, pass, _keys } = bench();
        let good = issuer.sign(&claims());
        let stranger = TestIssuer::new("k1").sign(&claims());
        let unknown = TestIssuer::new("k2").sign(&claims());
        let symmetric = encode(
            &Header { kid: Some("k1".into()), ..Header::new(Algorithm::HS256) },
            &claims(),
            &EncodingKey::from_secret(b"x"),
        )
        .unwrap();
        let (head, _) = good.rsplit_once('.').unwrap();
        let unsigned = format!("{head}.");
        let mut parts = good.split('.');
        let (first, last) = (parts.next().unwrap(), parts.nth(1).unwrap());
        let other = issuer.sign(&json!({"sub": "ME-2"}));
        let swapped = format!("{first}.{}.{last}", other.split('.').nth(1).unwrap());
        for text in [stranger, unknown, symmetric, unsigned, swapped, String::new(), "a.b.c".into(), "x".repeat(9_000)]
        {
            assert!(matches!(pass.verify(&text, now()).await, Err(PassError::NotOurs(_))), "{text}");
        }
    }

    #[tokio::test]
    async fn a_failed_key_fetch_is_unavailable_and_not_a_rejection() {
        let issuer = TestIssuer::new("k1");
        let pass = SignedPass::new(settings(KeySource::File("/nowhere/keys".into()))).unwrap();
        assert!(matches!(pass.verify(&issuer.sign(&claims()), now()).await, Err(PassError::Unavailable(_))));
    }

    #[test]
    fn an_invitation_contains_the_challenge_and_the_callback() {
        let Bench { pass, .. } = bench();
        let invitation = pass.invite(Uuid::nil(), "login");
        assert_eq!(
            invitation.qr,
            "https://pass.example/approve?challenge=00000000-0000-0000-0000-000000000000&purpose=login&audience=mec2c\
             &callback=https%3A%2F%2Fmec2c.example%2Fapi%2Fscan%2FcallBack&mode=qr"
        );
        assert!(invitation.redirect.ends_with("&mode=redirect"));
    }
}
