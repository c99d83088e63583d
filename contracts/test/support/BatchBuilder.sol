// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../../src/AssetKind.sol";

/// Writes batches as the README describes, independently of the reader in `Batch.sol`.
library BatchBuilder {
    struct Building {
        bytes assets;
        bytes legs;
        uint8 assetCount;
        uint8 legCount;
    }

    uint8 internal constant ALONE = 1;
    uint8 internal constant WITH_NEXT = 3;
    uint8 internal constant OR_VOID = 5;

    function addAsset(Building memory b, AssetKind kind, address token) internal pure returns (Building memory) {
        b.assets = abi.encodePacked(b.assets, uint8(kind), token);
        b.assetCount += 1;
        return b;
    }

    function skip(Building memory b) internal pure returns (Building memory) {
        b.legs = abi.encodePacked(b.legs, uint8(0));
        b.legCount += 1;
        return b;
    }

    function pay(Building memory b, uint8 slot, uint64 vault, address to, uint128 amount)
        internal
        pure
        returns (Building memory)
    {
        return _leg(b, abi.encodePacked(ALONE, slot, vault, to, amount));
    }

    function payWithNext(Building memory b, uint8 slot, uint64 vault, address to, uint128 amount)
        internal
        pure
        returns (Building memory)
    {
        return _leg(b, abi.encodePacked(WITH_NEXT, slot, vault, to, amount));
    }

    function payOrVoid(Building memory b, uint8 slot, uint64 vault, address to, uint128 amount)
        internal
        pure
        returns (Building memory)
    {
        return _leg(b, abi.encodePacked(OR_VOID, slot, vault, to, amount));
    }

    function payNft(Building memory b, uint8 slot, uint64 vault, address to, uint256 tokenId)
        internal
        pure
        returns (Building memory)
    {
        return _leg(b, abi.encodePacked(ALONE, slot, vault, to, tokenId));
    }

    function payNftWithNext(Building memory b, uint8 slot, uint64 vault, address to, uint256 tokenId)
        internal
        pure
        returns (Building memory)
    {
        return _leg(b, abi.encodePacked(WITH_NEXT, slot, vault, to, tokenId));
    }

    function done(Building memory b) internal pure returns (bytes memory) {
        return abi.encodePacked(b.legCount, b.assetCount, b.assets, b.legs);
    }

    function _leg(Building memory b, bytes memory leg) private pure returns (Building memory) {
        b.legs = abi.encodePacked(b.legs, leg);
        b.legCount += 1;
        return b;
    }
}
