// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {vm} from "../support/Vm.sol";
import {Handler} from "./Handler.sol";

/// Invariants under random sequences of actions. The handler asserts pairs, day limits and refused strangers at each
/// step; a failed assertion there fails the run.
contract EscrowInvariants {
    Handler private _handler;

    function setUp() external {
        _handler = new Handler();
    }

    /// Forge calls random functions of these contracts.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_vaults_lose_exactly_what_paid_legs_state() external view {
        for (uint8 slot = 0; slot < 3; ++slot) {
            uint256 paid = _handler.paidOut(slot);
            vm.assertEq(_handler.deposited(slot) - _handler.held(slot), paid, "left the vaults");
            vm.assertEq(_handler.received(slot), paid, "reached the recipients");
        }
    }

    /// A reference pays at most once, and is spent exactly if it was paid or voided. Checked only at the end of a run,
    /// because a violation cannot disappear.
    function afterInvariant() external view {
        for (uint64 i = 0; i < _handler.REFERENCES(); ++i) {
            uint256 uses = _handler.timesPaid(i) + _handler.timesVoided(i);
            vm.assertLe(uses, 1, "used at most once");
            vm.assertEq(_handler.isSpent(i), uses == 1, "spent exactly if used");
        }
    }
}

/// Ensures that the random runs cover every outcome.
contract HandlerTest {
    function test_the_handler_reaches_payments_failures_pairs_and_voids() external {
        Handler handler = new Handler();
        for (uint64 i = 0; i < 40; ++i) {
            handler.settleBatch(i * 7, uint256(keccak256(abi.encode(i))));
        }
        vm.assertTrue(handler.legsPaid() > 20, "legs were paid");
        vm.assertTrue(handler.legsFailed() > 20, "legs failed");
        vm.assertTrue(handler.pairsPaid() > 0, "pairs were paid");
        vm.assertTrue(handler.legsVoided() > 0, "legs were voided");
    }
}
