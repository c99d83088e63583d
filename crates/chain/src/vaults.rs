//! Computes vault addresses without a node.

use alloy::primitives::{Address as EvmAddress, B256, keccak256};
use domain::chain::{Address, CustodyIndex};

use crate::convert::{from_evm, to_evm};

/// The vaults of one Escrow.
#[derive(Debug, Clone, Copy)]
pub struct Vaults {
    escrow: EvmAddress,
    code_hash: B256,
}

impl Vaults {
    pub fn of(escrow: Address) -> Self {
        let escrow = to_evm(escrow);
        // The implementation is the first contract that the Escrow creates, in its constructor.
        let implementation = escrow.create(1);
        Self { escrow, code_hash: keccak256(creation_code(implementation)) }
    }

    /// Computes the address of a vault, whether it is deployed or not.
    pub fn address(&self, index: CustodyIndex) -> Address {
        let mut salt = [0; 32];
        if let Some(low) = salt.last_chunk_mut() {
            *low = index.0.to_be_bytes();
        }
        from_evm(self.escrow.create2(B256::from(salt), self.code_hash))
    }
}

/// Returns a vault's creation code: the same bytes as `VaultCode.creationCode` in the contracts.
fn creation_code(implementation: EvmAddress) -> Vec<u8> {
    const BEFORE: [u8; 24] = [
        0x60, 0x32, 0x80, 0x60, 0x09, 0x5f, 0x39, 0x5f, 0xf3, // return what follows
        0x36, 0x60, 0x05, 0x57, 0x00, 0x5b, // stop on an empty call
        0x36, 0x5f, 0x5f, 0x37, 0x5f, 0x5f, 0x36, 0x5f, 0x73, // delegate to
    ];
    const AFTER: [u8; 15] = [
        0x5a, 0xf4, 0x3d, 0x5f, 0x5f, 0x3e, // with all gas
        0x5f, 0x3d, 0x91, 0x60, 0x30, 0x57, 0xfd, 0x5b, 0xf3, // return or revert with its answer
    ];
    [BEFORE.as_slice(), implementation.as_slice(), AFTER.as_slice()].concat()
}
