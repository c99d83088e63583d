// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "./AssetKind.sol";
import {Batch} from "./Batch.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// Which assets may be paid, and how much of each on one UTC day (`block.timestamp / 1 days`).
abstract contract AssetPolicies {
    struct Policy {
        AssetKind kind;
        uint64 day;
        uint128 dayLimit;
        /// What left on `day`; of any other day nothing has left.
        uint128 spent;
    }

    /// One asset of a batch: what is left of its day, counted in memory while the batch runs.
    struct Budget {
        AssetKind kind;
        address token;
        /// The admin has listed the asset, and as the kind that the batch says.
        bool listed;
        uint256 left;
        uint256 taken;
    }

    mapping(address token => Policy) private _policies;

    /// An asset was listed, changed or (kind `Unlisted`) stopped.
    event AssetSet(address indexed token, AssetKind kind, uint128 dayLimit);

    /// The native coin is the zero address, and nothing else is.
    error KindDoesNotFitToken();

    /// How `token` is listed, and the most that may leave on one UTC day.
    function assetPolicy(address token) external view returns (AssetKind kind, uint128 dayLimit) {
        Policy storage policy = _policies[token];
        return (policy.kind, policy.dayLimit);
    }

    /// What may still leave today. While a batch is being settled this still shows the state before it.
    function leftToday(address token) external view returns (uint256) {
        return _left(_policies[token]);
    }

    function _setAsset(address token, AssetKind kind, uint128 dayLimit) internal {
        if (kind != AssetKind.Unlisted && (kind == AssetKind.Native) != (token == address(0))) {
            revert KindDoesNotFitToken();
        }
        Policy storage policy = _policies[token];
        policy.kind = kind;
        policy.dayLimit = dayLimit;
        emit AssetSet(token, kind, dayLimit);
    }

    /// The budgets of a batch's assets. They must ascend by address: the same one twice would have its limit twice.
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

    /// Writes down what the batch took, one write for each asset that it moved (two on the asset's first of a day).
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
        // The admin may have lowered the limit below what has left already.
        return dayLimit > spent ? dayLimit - spent : 0;
    }

    function _today() private view returns (uint64) {
        return SafeCast.toUint64(block.timestamp / 1 days);
    }
}
