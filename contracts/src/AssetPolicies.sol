// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "./AssetKind.sol";
import {Batch} from "./Batch.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// Which assets may be paid, and how much of each per UTC day (`block.timestamp / 1 days`).
abstract contract AssetPolicies {
    struct Policy {
        AssetKind kind;
        /// Whether the asset was ever listed.
        bool known;
        uint64 day;
        uint128 dayLimit;
        /// The amount paid on `day`. On any other day, nothing has been paid yet.
        uint128 spent;
    }

    /// One asset of a batch and what is left of its day limit, counted in memory while the batch runs.
    struct Budget {
        AssetKind kind;
        address token;
        /// Whether the admin has listed the asset as the kind that the batch states.
        bool listed;
        uint256 left;
        uint256 taken;
    }

    mapping(address token => Policy) private _policies;

    /// An asset was listed, changed or (kind `Unlisted`) delisted.
    event AssetSet(address indexed token, AssetKind kind, uint128 dayLimit);

    /// The zero address stands for the native coin and for no other asset.
    error KindDoesNotFitToken();

    /// The kind of `token` and its limit per UTC day.
    function assetPolicy(address token) external view returns (AssetKind kind, uint128 dayLimit) {
        Policy storage policy = _policies[token];
        return (policy.kind, policy.dayLimit);
    }

    /// The amount that may still be paid today. While a batch is being settled, this is the value before the batch.
    function leftToday(address token) external view returns (uint256) {
        return _left(_policies[token]);
    }

    /// Whether `token` was ever listed. Delisting does not change this: what vaults hold of the asset is still owed.
    function _isKnown(address token) internal view returns (bool) {
        return _policies[token].known;
    }

    function _setAsset(address token, AssetKind kind, uint128 dayLimit) internal {
        if (kind != AssetKind.Unlisted && (kind == AssetKind.Native) != (token == address(0))) {
            revert KindDoesNotFitToken();
        }
        Policy storage policy = _policies[token];
        policy.kind = kind;
        if (kind != AssetKind.Unlisted) policy.known = true;
        policy.dayLimit = dayLimit;
        emit AssetSet(token, kind, dayLimit);
    }

    /// The budgets of a batch's assets. Addresses must ascend, because a repeated asset would have its limit twice.
    function _openBudgets(bytes calldata batch)
        internal
        view
        returns (Budget[] memory budgets, AssetKind[] memory kinds)
    {
        uint256 assets = Batch.assets(batch);
        budgets = new Budget[](assets);
        kinds = new AssetKind[](assets);
        for (uint256 slot = 0; slot < assets; ++slot) {
            Budget memory budget = budgets[slot];
            (budget.kind, budget.token) = Batch.asset(batch, slot);
            if (slot > 0 && budget.token <= budgets[slot - 1].token) revert Batch.MalformedBatch();
            Policy storage policy = _policies[budget.token];
            budget.listed = policy.kind == budget.kind;
            budget.left = _left(policy);
            kinds[slot] = budget.kind;
        }
    }

    function _take(Budget memory budget, uint256 units) internal pure {
        budget.left -= units;
        budget.taken += units;
    }

    function _giveBack(Budget memory budget, uint256 units) internal pure {
        budget.left += units;
        budget.taken -= units;
    }

    /// Stores what the batch paid: one write per asset that moved (two for the first payment of a day).
    function _closeBudgets(Budget[] memory budgets) internal {
        uint64 day = _today();
        for (uint256 slot = 0; slot < budgets.length; ++slot) {
            uint256 taken = budgets[slot].taken;
            if (taken == 0) continue;
            Policy storage policy = _policies[budgets[slot].token];
            if (policy.day == day) {
                policy.spent = SafeCast.toUint128(policy.spent + taken);
            } else {
                policy.day = day;
                policy.spent = SafeCast.toUint128(taken);
            }
        }
    }

    function _left(Policy storage policy) private view returns (uint256) {
        uint256 spent = policy.day == _today() ? policy.spent : 0;
        uint256 dayLimit = policy.dayLimit;
        // The admin may have lowered the limit below what was already paid.
        return dayLimit > spent ? dayLimit - spent : 0;
    }

    function _today() private view returns (uint64) {
        return SafeCast.toUint64(block.timestamp / 1 days);
    }
}
