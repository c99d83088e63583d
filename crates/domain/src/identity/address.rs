//! Parsing of USDT receiving addresses.
//!
//! The configuration lists the chain types and assigns each an address format.

use sha2::{Digest, Sha256};
use sha3::Keccak256;

use super::IdentityRefusal;
use crate::chain::Address;
use crate::refusal::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressForm {
    /// 20 bytes in hexadecimal. A mixed-case address must match its EIP-55 checksum.
    Evm,
    /// `Base58Check` with Tron's version byte.
    Tron,
}

const TRON_VERSION: u8 = 0x41;

/// Validates an address and returns its canonical form.
pub fn canonical(text: &str, form: AddressForm) -> Result<String, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Refusal::Invalid { field: "receivingAddress", reason: "empty" });
    }
    let read = match form {
        AddressForm::Evm => evm(text),
        AddressForm::Tron => tron(text).map(|_| text.to_owned()),
    };
    read.ok_or_else(|| IdentityRefusal::AddressTypeMismatch.into())
}

fn evm(text: &str) -> Option<String> {
    let digits = text.strip_prefix("0x")?;
    let address: Address = format!("0x{}", digits.to_ascii_lowercase()).parse().ok()?;
    if address == Address([0; 20]) {
        return None;
    }
    let checked = checksummed(address);
    let mixed = digits.bytes().any(|b| b.is_ascii_uppercase()) && digits.bytes().any(|b| b.is_ascii_lowercase());
    (!mixed || checked == text).then_some(checked)
}

/// Returns the 20 bytes of an address in either format; `None` if the text is not an address.
pub fn payload(text: &str) -> Option<Address> {
    if let Some(digits) = text.strip_prefix("0x") {
        return format!("0x{}", digits.to_ascii_lowercase()).parse().ok();
    }
    tron(text)
}

/// Returns whether the protocol reserves an address: the zero address, to which coins are burned, or that of a
/// precompiled contract. Reserved addresses have no known private key. Chains place their own precompiles below 2^16.
pub fn reserved(address: Address) -> bool {
    address.as_slice().iter().take(18).all(|byte| *byte == 0)
}

/// Returns the mixed-case form of EIP-55.
pub fn checksummed(address: Address) -> String {
    let lower = hex::encode(address.as_slice());
    let hash = hex::encode(Keccak256::digest(lower.as_bytes()));
    let digits = lower.chars().zip(hash.chars()).map(|(digit, nibble)| {
        if nibble.to_digit(16).is_some_and(|value| value >= 8) { digit.to_ascii_uppercase() } else { digit }
    });
    std::iter::once('0').chain(std::iter::once('x')).chain(digits).collect()
}

fn tron(text: &str) -> Option<Address> {
    let mut bytes = [0; 25];
    if bs58::decode(text).onto(&mut bytes).ok()? != bytes.len() {
        return None;
    }
    let (payload, check) = bytes.split_last_chunk::<4>()?;
    let (version, address) = payload.split_first()?;
    let right = Sha256::digest(Sha256::digest(payload));
    if *version == TRON_VERSION && right.starts_with(check) { Address::from_slice(address) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors from EIP-55.
    const CHECKSUMMED: [&str; 4] = [
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0xde709f2102306220921060314715629080e2fb77",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    ];

    #[test]
    fn an_evm_address_gets_its_checksum_and_zero_is_refused() {
        for text in CHECKSUMMED {
            assert_eq!(canonical(text, AddressForm::Evm).unwrap(), text);
            assert_eq!(canonical(&text.to_ascii_lowercase(), AddressForm::Evm).unwrap(), text);
        }
        for text in ["0x0000000000000000000000000000000000000000", "0x52", "52908400098527886e0f7030069857d2e4169ee7"] {
            assert_eq!(canonical(text, AddressForm::Evm), Err(IdentityRefusal::AddressTypeMismatch.into()), "{text}");
        }
    }

    #[test]
    fn mixed_case_that_is_not_the_checksum_is_refused() {
        let mixed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed";
        assert_eq!(canonical(mixed, AddressForm::Evm), Err(IdentityRefusal::AddressTypeMismatch.into()));
    }

    #[test]
    fn a_tron_address_must_have_its_check_bytes() {
        let good = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
        assert_eq!(canonical(good, AddressForm::Tron).unwrap(), good);
        for text in [
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u",
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6",
            "1TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
            "0x52908400098527886e0f7030069857d2e4169ee7",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6tTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        ] {
            assert_eq!(canonical(text, AddressForm::Tron), Err(IdentityRefusal::AddressTypeMismatch.into()), "{text}");
        }
    }

    #[test]
    fn the_payload_is_the_same_in_both_forms() {
        let evm = payload("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").unwrap();
        assert_eq!(checksummed(evm), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
        let tron = payload("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t").unwrap();
        assert_eq!(tron.to_string(), "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c");
        assert_eq!((payload("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"), payload("0x12")), (None, None));
    }

    #[test]
    fn zero_and_precompiles_are_reserved() {
        let numbered = |number: u32| {
            let mut bytes = [0; 20];
            bytes[16..].copy_from_slice(&number.to_be_bytes());
            Address(bytes)
        };
        for number in [0, 1, 9, 0xff, 0x100, 0xffff] {
            assert!(reserved(numbered(number)), "{number}");
        }
        assert!(!reserved(numbered(0x1_0000)) && !reserved(Address([1; 20])));
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in ".{0,60}") {
            let _ = canonical(&text, AddressForm::Tron);
            let _ = canonical(&text, AddressForm::Evm);
            let _ = payload(&text);
        }
    }
}
