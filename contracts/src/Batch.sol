// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "./AssetKind.sol";

/// Reads a packed batch of settlement legs. The README in `contracts/` describes the encoding byte by byte.
library Batch {
    /// One payment: `value` (base units, or the token ID) of the batch's asset number `slot`, from the vault of
    /// `vaultIndex` to `to`. If `skip` is set, the batch does not touch the reference, and the other fields are empty.
    struct Leg {
        bool skip;
        bool atomicWithNext;
        bool voidIfRefused;
        uint8 slot;
        uint64 vaultIndex;
        address to;
        uint256 value;
    }

    /// The bytes do not follow the encoding.
    error MalformedBatch();

    uint256 private constant HEADER_BYTES = 2;
    uint256 private constant ASSET_BYTES = 21;
    /// The part of a leg that has the same length for every asset: flags, slot, vault index and recipient.
    uint256 private constant LEG_HEAD_BYTES = 30;
    uint256 private constant AMOUNT_BYTES = 16;
    uint256 private constant TOKEN_ID_BYTES = 32;

    uint256 private constant SKIP = 0;
    uint256 private constant PAY = 1;
    uint256 private constant PAY_ATOMIC_WITH_NEXT = 3;
    uint256 private constant PAY_OR_VOID = 5;

    /// The number of references that the batch covers, and the offset of its first leg.
    function header(bytes calldata batch) internal pure returns (uint256 legs, uint256 offset) {
        if (batch.length < HEADER_BYTES) revert MalformedBatch();
        legs = uint8(batch[0]);
        offset = HEADER_BYTES + assets(batch) * ASSET_BYTES;
        if (legs == 0 || batch.length < offset) revert MalformedBatch();
    }

    /// The number of assets in the batch's table. The header must be present.
    function assets(bytes calldata batch) internal pure returns (uint256) {
        return uint8(batch[1]);
    }

    /// Asset number `slot` of the table. Call `header` first, which checks that the table is complete.
    function asset(bytes calldata batch, uint256 slot) internal pure returns (AssetKind kind, address token) {
        uint256 word = _word(batch, HEADER_BYTES + slot * ASSET_BYTES);
        uint256 number = word >> 248;
        if (number == uint256(AssetKind.Unlisted) || number > uint256(type(AssetKind).max)) revert MalformedBatch();
        kind = AssetKind(number);
        token = _address(word >> 88);
    }

    /// Reads the leg at `offset` into `into` and returns the offset of the next leg. `kinds` tells an amount from a
    /// token ID. One struct is reused for a whole batch because memory costs gas.
    function read(bytes calldata batch, uint256 offset, AssetKind[] memory kinds, Leg memory into)
        internal
        pure
        returns (uint256 next)
    {
        if (offset >= batch.length) revert MalformedBatch();
        uint256 word = _word(batch, offset);
        uint256 flags = word >> 248;
        into.skip = flags == SKIP;
        if (flags == SKIP) return offset + 1;
        if (flags != PAY && flags != PAY_ATOMIC_WITH_NEXT && flags != PAY_OR_VOID) revert MalformedBatch();
        into.atomicWithNext = flags == PAY_ATOMIC_WITH_NEXT;
        into.voidIfRefused = flags == PAY_OR_VOID;
        uint8 slot = _uint8(word >> 240);
        if (slot >= kinds.length) revert MalformedBatch();
        into.slot = slot;
        into.vaultIndex = _uint64(word >> 176);
        into.to = _address(word >> 16);

        bool nft = kinds[slot] == AssetKind.Erc721;
        next = offset + LEG_HEAD_BYTES + (nft ? TOKEN_ID_BYTES : AMOUNT_BYTES);
        if (next > batch.length) revert MalformedBatch();
        uint256 value = _word(batch, offset + LEG_HEAD_BYTES);
        into.value = nft ? value : value >> 128;
    }

    /// The 32 bytes at `offset`. Bytes past the end of the calldata are zero; callers check the length.
    function _word(bytes calldata batch, uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(add(batch.offset, offset))
        }
    }

    // The functions below truncate a word to one field; the higher bits belong to earlier fields.

    function _uint8(uint256 word) private pure returns (uint8) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint8(word);
    }

    function _uint64(uint256 word) private pure returns (uint64) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint64(word);
    }

    function _address(uint256 word) private pure returns (address) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return address(uint160(word));
    }
}
