// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {vm} from "../support/Vm.sol";
import {Handler} from "./Handler.sol";

/// What holds whatever is done, in any order. Pairs, day limits and refused strangers are asserted by the handler at
/// each step; a failed assertion there fails the run.
contract EscrowInvariants {
    Handler private _handler;

    function setUp() external {
        _handler = new Handler();
    }

    /// Forge calls these contracts' functions at random.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_what_left_the_vaults_is_what_the_paid_legs_say() external view {
        for (uint8 slot = 0; slot < 3; ++slot) {
            uint256 paid = _handler.paidOut(slot);
            vm.assertEq(_handler.deposited(slot) - _handler.held(slot), paid, "left the vaults");
            vm.assertEq(_handler.received(slot), paid, "reached the recipients");
        }
    }

    /// At the end of each run, for nothing can mend it once it is broken: a reference pays at most once, and is spent
    /// exactly if it was paid or voided.
    function afterInvariant() external view {
        for (uint64 i = 0; i < _handler.REFERENCES(); ++i) {
            uint256 uses = _handler.timesPaid(i) + _handler.timesVoided(i);
            vm.assertLe(uses, 1, "at most once");
            vm.assertEq(_handler.isSpent(i), uses == 1, "spent exactly if used");
        }
    }
}

/// Runs in which nothing was ever paid would prove nothing.
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
