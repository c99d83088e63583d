//! The keys that sign records (Ed25519).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A key with which signatures are verified, written as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// Returns whether this key has signed a message.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, &self.0).verify(message, signature).is_ok()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = hex::FromHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).map(|()| Self(bytes))
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The key that signs new records, and the public keys that have signed earlier ones.
#[derive(Clone)]
pub struct RecordKeys {
    current: Arc<Ed25519KeyPair>,
    public: PublicKey,
    former: Vec<PublicKey>,
}

impl fmt::Debug for RecordKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the private key.
        f.debug_struct("RecordKeys").field("public", &self.public).finish_non_exhaustive()
    }
}

impl RecordKeys {
    /// Creates the keys from a seed of 64 hexadecimal digits; `None` if it is anything else.
    pub fn new(seed: &str, former: Vec<PublicKey>) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(seed, &mut bytes).ok()?;
        let current = Ed25519KeyPair::from_seed_unchecked(&bytes).ok()?;
        let public = PublicKey(current.public_key().as_ref().try_into().ok()?);
        Some(Self { current: Arc::new(current), public, former })
    }

    /// Returns the public key of the key that signs new records.
    pub fn public(&self) -> PublicKey {
        self.public
    }

    /// Returns the public keys that have signed earlier records.
    pub fn former(&self) -> &[PublicKey] {
        &self.former
    }

    pub(super) fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.current.sign(message).as_ref().to_vec()
    }
}
