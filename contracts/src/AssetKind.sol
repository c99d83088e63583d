// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// The kind of an asset. `Unlisted` is zero, so that an asset without a policy is never paid.
enum AssetKind {
    Unlisted,
    Native,
    Erc20,
    Erc721
}
