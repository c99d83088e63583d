// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";

/// Gas per leg in a batch of 50 with deployed vaults, including intrinsic gas and calldata. Gas is deterministic, so
/// these limits are exact.
/// forge-config: default.isolate = true
contract GasTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    uint64 private constant LEGS = 50;
    /// The gas of a single plain transfer, and of the usual way to pay out a deposit: top up gas, sweep, transfer.
    uint256 private constant PLAIN_FRESH_ERC20 = 51_207;
    uint256 private constant PLAIN_NATIVE = 21_000;
    uint256 private constant USUAL_ERC20 = 125_000;
    uint256 private constant USUAL_NATIVE = 2 * 21_000;

    function test_erc20_to_a_fresh_recipient() external {
        uint256 gas = _perLeg(USDT, false, "erc20, fresh recipient");
        vm.assertLe(gas * 100, PLAIN_FRESH_ERC20 * 75, "0.75 of a plain transfer");
        vm.assertLe(gas * 10, USUAL_ERC20 * 4, "0.4 of the usual way");
    }

    function test_erc20_to_a_known_recipient() external {
        uint256 gas = _perLeg(USDT, true, "erc20, known recipient");
        vm.assertLe(gas * 10, USUAL_ERC20 * 4, "0.4 of the usual way");
    }

    function test_native_to_an_existing_account() external {
        uint256 gas = _perLeg(NATIVE, true, "native, existing recipient");
        vm.assertLe(gas * 10, PLAIN_NATIVE * 8, "0.8 of a plain transfer");
        vm.assertLe(gas * 10, USUAL_NATIVE * 4, "0.4 of the usual way");
    }

    function test_native_to_an_empty_account() external {
        _perLeg(NATIVE, false, "native, empty recipient");
    }

    function test_first_payout_of_a_vault() external {
        for (uint64 i = 0; i < LEGS; ++i) {
            fund(i, 0, 10);
            usdt.mint(_recipient(i), 1);
        }
        _report("erc20, known recipient, first payout of the vault", _batchGas(300, USDT) / LEGS);
    }

    function _perLeg(uint8 slot, bool known, string memory name) private returns (uint256 gas) {
        for (uint64 i = 0; i < LEGS; ++i) {
            fund(i, 10, 10);
            if (known) {
                vm.deal(_recipient(i), 1);
                usdt.mint(_recipient(i), 1);
            }
        }
        // The first payouts deploy the vaults. They use other recipients and earlier references.
        BatchBuilder.Building memory b = assets();
        for (uint64 i = 0; i < LEGS; ++i) {
            b.pay(slot, i, ALICE, 1);
        }
        settle(0, b);
        gas = _batchGas(LEGS, slot) / LEGS;
        _report(name, gas);
    }

    /// Gas of the whole transaction: with `isolate`, Forge runs each call of a test as a separate transaction.
    function _batchGas(uint64 first, uint8 slot) private returns (uint256) {
        BatchBuilder.Building memory b = assets();
        for (uint64 i = 0; i < LEGS; ++i) {
            b.pay(slot, i, _recipient(i), 5);
        }
        settle(first, b);
        return vm.lastCallGas().gasTotalUsed;
    }

    /// Twenty nonzero bytes, because real addresses contain hardly any zeros.
    function _recipient(uint64 i) private pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode(i))) | (type(uint160).max / 0xff)));
    }

    function _report(string memory name, uint256 gas) private {
        vm.snapshotValue("gas-per-leg", name, gas);
    }
}
