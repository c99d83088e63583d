//! Converts between the types of `domain` and `alloy`.

use alloy::primitives as evm;
use domain::chain::{Address, BlockHash, Token, TxHash};
use domain::money::{Amount, MoneyError};
use ruint::aliases::U256;

pub(crate) fn to_evm(address: Address) -> evm::Address {
    evm::Address::from(address.0)
}

pub(crate) fn from_evm(address: evm::Address) -> Address {
    Address(address.into_array())
}

pub(crate) fn block_hash(hash: evm::B256) -> BlockHash {
    BlockHash(hash.0)
}

pub(crate) fn tx_hash(hash: evm::B256) -> TxHash {
    TxHash(hash.0)
}

/// Converts an amount to its base units. Cannot fail, because amounts are never negative.
pub(crate) fn units(amount: Amount) -> u128 {
    u128::try_from(amount.units()).unwrap_or_default()
}

/// Converts base units to an amount. Fails if the value exceeds the maximum amount.
pub(crate) fn amount(value: U256) -> Result<Amount, MoneyError> {
    i128::try_from(value).map_err(|_| MoneyError::OutOfRange).and_then(Amount::new)
}

/// Returns how the Escrow identifies an asset: by its contract, or zero for the native coin, and by its kind. The
/// Escrow identifies an NFT by its collection only.
pub(crate) fn asset(token: Token) -> (Address, u8) {
    match token {
        Token::Native => (Address([0; 20]), 1),
        Token::Erc20(contract) => (contract, 2),
        Token::Erc721(album, _) => (album, 3),
    }
}
