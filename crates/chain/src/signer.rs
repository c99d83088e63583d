//! Signs transactions. Keys are never printed or logged, and are stored only in encrypted form.

use std::path::Path;

use alloy::primitives::B256;
use alloy::signers::SignerSync;
use alloy::signers::k256::elliptic_curve::rand_core::OsRng;
use alloy::signers::local::PrivateKeySigner;
use async_trait::async_trait;
use domain::chain::Address;

use crate::convert::from_evm;

#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The file is missing, is not a keystore, or needs another password.
    #[error("the keystore cannot be opened: {0}")]
    Keystore(String),
    /// The value is not a private key of the curve secp256k1.
    #[error("not a private key")]
    NotAKey,
    /// The signer refused or could not be reached.
    #[error("signing failed: {0}")]
    Refused(String),
}

/// Signs with a single key. Implementations differ in where the key is stored.
#[async_trait]
pub trait Signer: Send + Sync {
    fn address(&self) -> Address;

    /// Returns a recoverable signature of 65 bytes: r, s and the parity of y (0 or 1). Must be deterministic (RFC
    /// 6979), so that signing an attempt again yields the same bytes.
    async fn sign(&self, hash: [u8; 32]) -> Result<[u8; 65], SignError>;
}

/// A key in this process's memory, either from an encrypted keystore file or for a development chain.
pub struct LocalSigner(PrivateKeySigner);

impl std::fmt::Debug for LocalSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LocalSigner({})", self.address())
    }
}

impl LocalSigner {
    /// Opens an encrypted keystore file (Web3 Secret Storage, version 3). Takes about a second of CPU time.
    pub fn from_keystore(path: &Path, password: &str) -> Result<Self, SignError> {
        PrivateKeySigner::decrypt_keystore(path, password)
            .map(Self)
            .map_err(|error| SignError::Keystore(error.to_string()))
    }

    /// Writes a key to an encrypted keystore file (Web3 Secret Storage, version 3).
    pub fn write_keystore(folder: &Path, name: &str, key: [u8; 32], password: &str) -> Result<Self, SignError> {
        PrivateKeySigner::encrypt_keystore(folder, &mut OsRng, key, password, Some(name))
            .map(|(signer, _)| Self(signer))
            .map_err(|error| SignError::Keystore(error.to_string()))
    }

    /// Creates a signer with an unencrypted key, for development chains only.
    pub fn development(key: [u8; 32]) -> Result<Self, SignError> {
        PrivateKeySigner::from_bytes(&B256::from(key)).map(Self).map_err(|_| SignError::NotAKey)
    }
}

#[async_trait]
impl Signer for LocalSigner {
    fn address(&self) -> Address {
        from_evm(self.0.address())
    }

    async fn sign(&self, hash: [u8; 32]) -> Result<[u8; 65], SignError> {
        let signature =
            self.0.sign_hash_sync(&B256::from(hash)).map_err(|error| SignError::Refused(error.to_string()))?;
        let mut bytes = signature.as_bytes();
        // alloy encodes the parity as 27 or 28, as wallets do.
        if let Some(parity) = bytes.last_mut() {
            *parity = u8::from(signature.v());
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A keystore file with few key derivation rounds, so that the test is fast.
    const KEYSTORE: &str = r#"{"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"17171717171717171717171717171717"},
        "ciphertext":"207d02bed9ba831b38d81400a9aa6c53bf61d563adcb4d39017e423375c3e6d8","kdf":"pbkdf2",
        "kdfparams":{"c":1000,"dklen":32,"prf":"hmac-sha256",
        "salt":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"},
        "mac":"bd36a8a02a020ee54cc952e7a28982d81b670fe6265efbc11c2c142c9390f9fb"},
        "id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}"#;
    const KEY: &str = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";

    fn development(key: &str) -> LocalSigner {
        LocalSigner::development(hex::decode(key).unwrap().try_into().unwrap()).unwrap()
    }

    #[tokio::test]
    async fn a_keystore_opens_only_with_its_password_and_signs_deterministically() {
        let path = std::env::temp_dir().join(format!("keystore-{}.json", std::process::id()));
        std::fs::write(&path, KEYSTORE).unwrap();
        let signer = LocalSigner::from_keystore(&path, "testpassword").unwrap();
        let wrong = LocalSigner::from_keystore(&path, "another").unwrap_err();
        std::fs::remove_file(&path).unwrap();

        assert_eq!(signer.address(), development(KEY).address());
        assert!(matches!(wrong, SignError::Keystore(_)));
        assert_eq!(signer.sign([7; 32]).await.unwrap(), development(KEY).sign([7; 32]).await.unwrap());
        assert!(matches!(LocalSigner::from_keystore(&path, "testpassword").unwrap_err(), SignError::Keystore(_)));
    }

    #[test]
    fn a_key_is_never_printed() {
        let text = format!("{:?}", development(KEY));
        assert_eq!(text, "LocalSigner(0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b)");
    }

    #[test]
    fn zero_is_not_a_key() {
        assert!(matches!(LocalSigner::development([0; 32]), Err(SignError::NotAKey)));
    }
}
