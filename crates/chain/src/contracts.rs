//! Bindings of the contracts, made from the committed artifacts, so that no build of this crate needs Forge.

// The macro writes this code; it is not ours to lint.
#![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, clippy::restriction)]

use alloy::sol;

sol!(Escrow, "../../contracts/artifacts/Escrow.json");
sol!(Vault, "../../contracts/artifacts/Vault.json");
sol!(DevUsdt, "../../contracts/artifacts/DevUsdt.json");
sol!(DevNft, "../../contracts/artifacts/DevNft.json");

sol! {
    /// What every ERC-20 and ERC-721 has. The two `Transfer` events have one name and one topic; an ERC-721's third
    /// parameter is indexed and an ERC-20's is not, so they are told apart by the number of topics.
    interface Token {
        event Transfer(address indexed from, address indexed to, uint256 value);

        function balanceOf(address holder) external view returns (uint256);
        function ownerOf(uint256 tokenId) external view returns (address);
        function transfer(address to, uint256 value) external;
        function transferFrom(address from, address to, uint256 tokenId) external;
    }
}
