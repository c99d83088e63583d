// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// Which references are spent: one bit each, 256 per storage slot, set once and never cleared.
abstract contract References {
    mapping(uint256 word => uint256 bits) private _spent;

    /// The reference was spent without paying.
    event Voided(uint64 indexed legReference);

    /// The reference is already paid or voided.
    error ReferenceAlreadySpent(uint64 legReference);

    /// Whether the reference is paid or voided. While a batch is being settled, this is the state before the batch.
    function isSpent(uint64 legReference) external view returns (bool) {
        return (_spent[legReference >> 8] >> (legReference & 0xff)) & 1 == 1;
    }

    /// Bit i is set if `firstReference + i` is spent, for all i below `count` (at most 255). Reverts if the range
    /// exceeds the last reference.
    function _spentWindow(uint64 firstReference, uint256 count) internal view returns (uint256 window) {
        if (firstReference > type(uint64).max - (count - 1)) revert ReferenceOutOfRange();
        uint256 word = firstReference >> 8;
        uint256 shift = firstReference & 0xff;
        window = _spent[word] >> shift;
        if (shift + count > 256) window |= _spent[word + 1] << (256 - shift);
    }

    /// Spends `firstReference + i` for each bit i of `bits`, with one write per word.
    function _markSpent(uint64 firstReference, uint256 bits) internal {
        uint256 word = firstReference >> 8;
        uint256 shift = firstReference & 0xff;
        uint256 low = bits << shift;
        uint256 high = shift == 0 ? 0 : bits >> (256 - shift);
        if (low != 0) _spent[word] |= low;
        if (high != 0) _spent[word + 1] |= high;
    }

    /// The batch exceeds the last reference.
    error ReferenceOutOfRange();

    function _legReference(uint64 firstReference, uint256 offset) internal pure returns (uint64) {
        // `_spentWindow` has checked that the batch does not exceed the last reference.
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint64(firstReference + offset);
    }

    function _void(uint64 legReference) internal {
        if (_spentWindow(legReference, 1) & 1 == 1) revert ReferenceAlreadySpent(legReference);
        _markSpent(legReference, 1);
        emit Voided(legReference);
    }
}
