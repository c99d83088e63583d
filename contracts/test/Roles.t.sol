// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../src/AssetKind.sol";
import {AssetPolicies} from "../src/AssetPolicies.sol";
import {Escrow} from "../src/Escrow.sol";
import {References} from "../src/References.sol";
import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// Permissions of the roles other than paying, and voids.
contract RolesTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    function test_a_voided_reference_never_pays_again() external {
        fund(1, 10, 0);
        vm.expectEmit(address(escrow));
        emit References.Voided(8);
        vm.prank(ADMIN);
        escrow.voidReference(8);
        vm.assertTrue(escrow.isSpent(8), "spent");
        expectFailure(8, Escrow.Failure.AlreadySpent);
        vm.assertEq(settled(7, assets().pay(NATIVE, 1, ALICE, 1).pay(NATIVE, 1, ALICE, 1)), 1, "only 7 paid");
    }

    function test_a_paid_or_voided_reference_cannot_be_voided() external {
        fund(1, 10, 0);
        settle(7, assets().pay(NATIVE, 1, ALICE, 1));
        vm.prank(ADMIN);
        escrow.voidReference(8);
        for (uint64 spent = 7; spent <= 8; ++spent) {
            vm.expectRevert(abi.encodeWithSelector(References.ReferenceAlreadySpent.selector, spent));
            vm.prank(ADMIN);
            escrow.voidReference(spent);
        }
    }

    function test_a_pause_also_stops_voids() external {
        vm.prank(PAUSER);
        escrow.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vm.prank(ADMIN);
        escrow.voidReference(8);
    }

    function testFuzz_only_the_admin_voids_lists_and_unpauses(address stranger) external {
        vm.assume(stranger != ADMIN);
        bytes32 admin = escrow.DEFAULT_ADMIN_ROLE();
        _expectRefused(stranger, admin, abi.encodeCall(escrow.voidReference, (1)));
        _expectRefused(stranger, admin, abi.encodeCall(escrow.setAsset, (ALICE, AssetKind.Erc20, 1)));
        _expectRefused(stranger, admin, abi.encodeCall(escrow.returnUnlisted, (1, address(nft), 7, ALICE)));
        _expectRefused(stranger, admin, abi.encodeCall(escrow.unpause, ()));
        _expectRefused(stranger, admin, abi.encodeCall(escrow.grantRole, (admin, stranger)));
    }

    function test_settler_and_pauser_have_no_other_permissions() external {
        bytes32 admin = escrow.DEFAULT_ADMIN_ROLE();
        bytes32 pauser = escrow.PAUSER_ROLE();
        _expectRefused(SETTLER, admin, abi.encodeCall(escrow.voidReference, (1)));
        _expectRefused(SETTLER, admin, abi.encodeCall(escrow.returnUnlisted, (1, address(nft), 7, ALICE)));
        _expectRefused(SETTLER, pauser, abi.encodeCall(escrow.pause, ()));
        _expectRefused(PAUSER, admin, abi.encodeCall(escrow.unpause, ()));
        _expectRefused(ADMIN, pauser, abi.encodeCall(escrow.pause, ()));
    }

    function test_only_the_zero_address_can_be_native() external {
        vm.expectRevert(AssetPolicies.KindDoesNotFitToken.selector);
        vm.prank(ADMIN);
        escrow.setAsset(ALICE, AssetKind.Native, 1);
        vm.expectRevert(AssetPolicies.KindDoesNotFitToken.selector);
        vm.prank(ADMIN);
        escrow.setAsset(address(0), AssetKind.Erc20, 1);
        vm.expectRevert(AssetPolicies.KindDoesNotFitToken.selector);
        vm.prank(ADMIN);
        escrow.setAsset(address(0), AssetKind.Erc721, 1);
    }

    function test_returns_the_policy_of_an_asset() external {
        vm.expectEmit(address(escrow));
        emit AssetPolicies.AssetSet(ALICE, AssetKind.Erc20, 77);
        list(ALICE, AssetKind.Erc20, 77);
        (AssetKind kind, uint128 dayLimit) = escrow.assetPolicy(ALICE);
        vm.assertEq(uint256(kind), uint256(AssetKind.Erc20), "kind");
        vm.assertEq(dayLimit, 77, "limit");
    }

    function _expectRefused(address caller, bytes32 role, bytes memory call) private {
        vm.prank(caller);
        (bool ok, bytes memory answer) = address(escrow).call(call);
        vm.assertFalse(ok, "refused");
        bytes memory expected =
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, role);
        vm.assertEq(answer, expected, "missing role reported");
    }
}
