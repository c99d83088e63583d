// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// What an asset is on the chain. `Unlisted` is zero, so that an asset nobody has listed is never paid.
enum AssetKind {
    Unlisted,
    Native,
    Erc20,
    Erc721
}
