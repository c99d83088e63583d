//! Encodes contract calls other than payouts, for administrators and development chains.

use alloy::primitives::{Bytes, U256};
use alloy::sol_types::{SolCall, SolConstructor};
use domain::chain::{Address, CustodyIndex, Reference, Token};
use domain::money::Amount;

use crate::contracts::{DevNft, DevUsdt, Escrow, Token as TokenContract};
use crate::convert::{asset, to_evm, units};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// `None` creates a contract.
    pub to: Option<Address>,
    /// The amount of the native coin to send, in base units.
    pub value: Amount,
    /// The encoded call, or the creation code of a contract.
    pub data: Vec<u8>,
}

impl Call {
    fn of(to: Address, call: &impl SolCall) -> Self {
        Self { to: Some(to), value: Amount::ZERO, data: call.abi_encode() }
    }

    fn deploy(code: &Bytes, parameters: &[u8]) -> Self {
        Self { to: None, value: Amount::ZERO, data: [code.as_ref(), parameters].concat() }
    }
}

/// Deploys an Escrow. `admin` can list assets, set limits, grant roles, unpause and void; `settler` can pay; `pauser`
/// can pause.
pub fn deploy_escrow(admin: Address, settler: Address, pauser: Address) -> Call {
    let parameters = Escrow::constructorCall { admin: to_evm(admin), settler: to_evm(settler), pauser: to_evm(pauser) };
    Call::deploy(&Escrow::BYTECODE, &parameters.abi_encode())
}

/// Lists an asset with the maximum that may leave the Escrow's vaults per UTC day, in base units. For an NFT, lists its
/// collection; the maximum is a number of NFTs.
pub fn list_asset(escrow: Address, token: Token, day_limit: Amount) -> Call {
    let (contract, kind) = asset(token);
    Call::of(escrow, &Escrow::setAssetCall { token: to_evm(contract), kind, dayLimit: units(day_limit) })
}

/// Spends a reference without paying it. Requires the admin role.
pub fn void_reference(escrow: Address, reference: Reference) -> Call {
    Call::of(escrow, &Escrow::voidReferenceCall { legReference: reference.0 })
}

/// Returns an NFT of a collection that was never listed. Requires the admin role.
pub fn return_unlisted(
    escrow: Address,
    vault: CustodyIndex,
    collection: Address,
    token_id: [u8; 32],
    recipient: Address,
) -> Call {
    let call = Escrow::returnUnlistedCall {
        vaultIndex: vault.0,
        collection: to_evm(collection),
        tokenId: U256::from_be_bytes(token_id),
        to: to_evm(recipient),
    };
    Call::of(escrow, &call)
}

/// Stops payouts, voids and returns. Requires the pauser role.
pub fn pause(escrow: Address) -> Call {
    Call::of(escrow, &Escrow::pauseCall {})
}

/// Ends a pause. Requires the admin role.
pub fn unpause(escrow: Address) -> Call {
    Call::of(escrow, &Escrow::unpauseCall {})
}

/// Deploys a development USDT. Its deployer can mint coins.
pub fn deploy_dev_usdt() -> Call {
    Call::deploy(&DevUsdt::BYTECODE, &[])
}

/// Deploys a development NFT collection. Its deployer can mint NFTs.
pub fn deploy_dev_nft(album: &str, symbol: &str) -> Call {
    let parameters = DevNft::constructorCall { album: album.to_owned(), symbol: symbol.to_owned() };
    Call::deploy(&DevNft::BYTECODE, &parameters.abi_encode())
}

/// Mints development USDT.
pub fn mint_dev_usdt(usdt: Address, to: Address, amount: Amount) -> Call {
    Call::of(usdt, &DevUsdt::mintCall { to: to_evm(to), value: U256::from(units(amount)) })
}

/// Mints an NFT of a development collection. `metadata` is the URI of its description.
pub fn mint_dev_nft(album: Address, to: Address, token_id: [u8; 32], metadata: &str) -> Call {
    let token_id = U256::from_be_bytes(token_id);
    Call::of(album, &DevNft::mintCall { to: to_evm(to), tokenId: token_id, metadata: metadata.to_owned() })
}

/// Sends coins or an NFT from `from`. This account must sign the transaction.
pub fn transfer(token: Token, from: Address, to: Address, amount: Amount) -> Call {
    match token {
        Token::Native => Call { to: Some(to), value: amount, data: Vec::new() },
        Token::Erc20(contract) => {
            let value = U256::from(units(amount));
            Call::of(contract, &TokenContract::transferCall { to: to_evm(to), value })
        }
        Token::Erc721(album, token_id) => {
            let token_id = U256::from_be_bytes(token_id);
            let call = TokenContract::transferFromCall { from: to_evm(from), to: to_evm(to), tokenId: token_id };
            Call::of(album, &call)
        }
    }
}
