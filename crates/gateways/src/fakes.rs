//! In-memory implementations of the gateways, for tests.

use std::sync::{Arc, Mutex, PoisonError};

use app::identity::ports::{SlideArt, SlidePicture, Vaults};
use app::mail::{Delivery, EmailMessage, Mail};
use app::{Error, Result};
use async_trait::async_trait;
use domain::chain::{Address, CustodyIndex};
use domain::identity::email::check_code_form;
use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::Value;

/// Stores emails instead of sending them.
#[derive(Debug, Clone, Default)]
pub struct KeptMail {
    emails: Arc<Mutex<Vec<EmailMessage>>>,
    broken: Arc<std::sync::atomic::AtomicBool>,
}

impl KeptMail {
    pub fn emails(&self) -> Vec<EmailMessage> {
        self.emails.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes sending fail, as if the mail server were down.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, std::sync::atomic::Ordering::Release);
    }

    /// Returns the newest code that was sent to an address.
    pub fn code_for(&self, to: &str) -> Option<String> {
        let emails = self.emails();
        let message = emails.iter().rev().find(|message| message.to == to)?;
        message.text.lines().map(str::trim).find(|line| check_code_form(line)).map(str::to_owned)
    }
}

#[async_trait]
impl Mail for KeptMail {
    async fn send(&self, message: EmailMessage) -> Result<Delivery> {
        if self.broken.load(std::sync::atomic::Ordering::Acquire) {
            return Err(Error::Unavailable { what: "the mail server" });
        }
        self.emails.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        Ok(Delivery::Accepted)
    }
}

/// Computes custody addresses that are distinct but belong to no contract.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountedVaults;

#[async_trait]
impl Vaults for CountedVaults {
    async fn address(&self, index: CustodyIndex) -> Result<Address> {
        let mut bytes = [0xaa; 20];
        let (_, last) = bytes.split_at_mut(12);
        last.copy_from_slice(&index.0.to_be_bytes());
        Ok(Address(bytes))
    }
}

/// Draws slide checks with empty pictures. The solution is always x = 120.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlankSlides;

impl SlideArt for BlankSlides {
    fn draw(&self, _: [u8; 32]) -> Result<SlidePicture> {
        Ok(SlidePicture {
            background: Vec::new(),
            piece: Vec::new(),
            width: 300,
            height: 150,
            piece_width: 44,
            piece_y: 50,
            x: 120,
        })
    }
}

/// An issuer with its own key, whose signatures are valid.
pub struct TestIssuer {
    kid: String,
    key: EncodingKey,
}

#[allow(clippy::expect_used, clippy::missing_panics_doc)]
impl TestIssuer {
    pub fn new(kid: &str) -> Self {
        Self::of_key(kid, &new_es256_key().expect("a fresh ES256 key"))
    }

    /// Creates an issuer with a PKCS#8 key.
    pub fn of_key(kid: &str, key: &[u8]) -> Self {
        Self { kid: kid.to_owned(), key: EncodingKey::from_ec_der(key) }
    }

    pub fn jwks(&self) -> String {
        let mut jwk = Jwk::from_encoding_key(&self.key, Algorithm::ES256).expect("the public key");
        jwk.common.key_id = Some(self.kid.clone());
        serde_json::to_string(&JwkSet { keys: vec![jwk] }).expect("a key set")
    }

    pub fn sign(&self, claims: &Value) -> String {
        let header = Header { kid: Some(self.kid.clone()), ..Header::new(Algorithm::ES256) };
        encode(&header, claims, &self.key).expect("a signature")
    }
}

/// Generates an ES256 key as PKCS#8.
pub fn new_es256_key() -> Option<Vec<u8>> {
    use aws_lc_rs::rand::SystemRandom;
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).ok()?;
    Some(document.as_ref().to_vec())
}
