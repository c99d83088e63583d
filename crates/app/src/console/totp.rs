//! Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds, as all authenticator apps support them.

use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use domain::clock::Timestamp;
use domain::ids::OfficerId;
use totp_rs::{Algorithm, Builder, Totp};

use crate::identity::ports::Random;
use crate::{Error, Result};

const STEP_SECONDS: u64 = 30;
/// The codes of one step before and after the current one are accepted too, because clocks differ.
const STEPS_OFF: u16 = 1;
/// The length that RFC 4226 recommends, in bytes.
const SECRET_LENGTH: usize = 20;
/// The name that authenticator apps show.
const ISSUER: &str = "MEC2C";

pub(super) type Secret = [u8; SECRET_LENGTH];

fn totp(secret: &[u8], email: &str) -> Totp {
    Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_step_duration(STEP_SECONDS)
        .with_skew(STEPS_OFF)
        .with_secret(secret.to_vec())
        .with_issuer(Some(ISSUER))
        .with_account_name(email)
        .build_noncompliant()
}

/// Returns the step of a timestamp.
pub fn step_at(at: Timestamp) -> i64 {
    at.timestamp().div_euclid(STEP_SECONDS.cast_signed())
}

/// Returns the code of a step.
pub fn code_at(secret: &[u8], step: i64) -> String {
    totp(secret, "").generate(step.cast_unsigned().saturating_mul(STEP_SECONDS)).to_string()
}

/// Returns the step of a code that is valid now.
pub(super) fn step_of(secret: &Secret, code: &str, now: Timestamp) -> Option<i64> {
    let step = totp(secret, "").check(code, now.timestamp().try_into().ok()?)?;
    step.try_into().ok()
}

/// Encodes a secret in base32 (RFC 4648) without padding, as authenticator apps read it.
pub fn base32(secret: &[u8]) -> String {
    totp(secret, "").secret().to_base32()
}

/// Returns the URI from which an authenticator app reads the secret.
pub(super) fn uri(email: &str, secret: &Secret) -> Result<String> {
    totp(secret, email).to_url().map_err(Error::internal)
}

/// Encrypts the secrets of officers before they are stored. The key is not in the database, so a copy of the database does
/// not reveal them.
pub struct TotpSecrets {
    key: LessSafeKey,
    random: Arc<dyn Random>,
}

impl TotpSecrets {
    /// Creates a protection from a key of 64 hexadecimal digits. Returns `None` for any other text.
    pub fn new(key: &str, random: Arc<dyn Random>) -> Option<Self> {
        let bytes = hex::decode(key.trim()).ok()?;
        let key = UnboundKey::new(&AES_256_GCM, &bytes).ok()?;
        Some(Self { key: LessSafeKey::new(key), random })
    }

    /// Returns a new secret.
    pub(super) fn generate(&self) -> Secret {
        self.bytes()
    }

    pub(super) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }

    /// Encrypts the secret of an officer: nonce, ciphertext, tag.
    pub(super) fn seal(&self, officer: OfficerId, secret: &Secret) -> Result<Vec<u8>> {
        let nonce: [u8; NONCE_LEN] = self.bytes();
        let mut sealed = secret.to_vec();
        let owner = Aad::from(*officer.0.as_bytes());
        self.key
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), owner, &mut sealed)
            .map_err(Error::internal)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts the secret of an officer. Fails if it was encrypted with another key or for another officer.
    pub(super) fn open(&self, officer: OfficerId, sealed: &[u8]) -> Result<Secret> {
        let unreadable = || Error::Internal("the TOTP secret of an officer was encrypted with another key".to_owned());
        let (nonce, sealed) = sealed.split_at_checked(NONCE_LEN).ok_or_else(unreadable)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| unreadable())?;
        let mut sealed = sealed.to_vec();
        let owner = Aad::from(*officer.0.as_bytes());
        let secret = self.key.open_in_place(nonce, owner, &mut sealed).map_err(|_| unreadable())?;
        Secret::try_from(&*secret).map_err(|_| unreadable())
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};
    use uuid::Uuid;

    use super::*;
    use crate::identity::ports::SystemRandom;

    const SECRET: &Secret = b"12345678901234567890";

    fn at(seconds: i64) -> Timestamp {
        Utc.timestamp_opt(seconds, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, SHA-1, the last six of eight digits.
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code_at(SECRET, step_at(at(seconds))), code, "{seconds}");
        }
    }

    #[test]
    fn a_code_is_valid_for_one_step_before_and_after_its_own() {
        let now = at(1_111_111_111);
        let step = step_at(now);
        for off in [-1, 0, 1] {
            assert_eq!(step_of(SECRET, &code_at(SECRET, step + off), now), Some(step + off));
        }
        for off in [-2, 2] {
            assert_eq!(step_of(SECRET, &code_at(SECRET, step + off), now), None);
        }
        for wrong in ["", "05047", "0504711", "050 71", "000000"] {
            assert_eq!(step_of(SECRET, wrong, now), None, "{wrong}");
        }
    }

    #[test]
    fn authenticator_apps_can_read_the_uri() {
        assert_eq!(
            uri("o'hara+1@example.org", SECRET).unwrap(),
            "otpauth://totp/MEC2C:o%27hara%2B1%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=MEC2C"
        );
    }

    #[test]
    fn a_stored_secret_is_readable_only_with_its_key_and_for_its_officer() {
        let protection = |byte: &str| TotpSecrets::new(&byte.repeat(32), Arc::new(SystemRandom)).unwrap();
        let (officer, other) = (OfficerId(Uuid::from_u128(1)), OfficerId(Uuid::from_u128(2)));
        let ours = protection("0a");
        let secret = ours.generate();
        let sealed = ours.seal(officer, &secret).unwrap();
        assert!(!sealed.windows(4).any(|part| secret.starts_with(part)));
        assert_eq!(ours.open(officer, &sealed).unwrap(), secret);
        assert!(ours.open(other, &sealed).is_err());
        assert!(protection("0b").open(officer, &sealed).is_err());
        assert!(ours.open(officer, &sealed[..10]).is_err());
        assert_ne!(ours.seal(officer, &secret).unwrap(), sealed);
        for key in ["", "0a", "not hexadecimal"] {
            assert!(TotpSecrets::new(key, Arc::new(SystemRandom)).is_none(), "{key}");
        }
    }
}
