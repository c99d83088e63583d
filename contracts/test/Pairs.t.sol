// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../src/AssetKind.sol";
import {Escrow} from "../src/Escrow.sol";
import {GasBurner, Rejecting} from "./mocks/Recipients.sol";
import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";

contract PairsTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    function test_both_legs_are_paid_together() external {
        fund(1, 10, 0);
        fund(2, 0, 20);
        vm.assertEq(settled(3, assets().payWithNext(NATIVE, 1, ALICE, 10).pay(USDT, 2, BOB, 20)), 3, "both paid");
        vm.assertEq(ALICE.balance, 10, "native");
        vm.assertEq(usdt.balanceOf(BOB), 20, "usdt");
    }

    function test_an_nft_can_be_paired_with_coins() external {
        fund(2, 0, 20);
        nft.mint(escrow.vaultOf(1), 5, "");
        vm.assertEq(settled(3, assets().payNftWithNext(NFT, 1, ALICE, 5).pay(USDT, 2, BOB, 20)), 3, "both paid");
        vm.assertEq(nft.ownerOf(5), ALICE, "nft");
    }

    function test_if_the_second_fails_the_first_is_not_paid() external {
        fund(1, 10, 0);
        expectFailure(3, Escrow.Failure.PartnerFailed);
        expectFailure(4, FAILED);
        vm.assertEq(
            settled(3, assets().payWithNext(NATIVE, 1, ALICE, 10).pay(USDT, 2, BOB, 20).pay(NATIVE, 1, BOB, 10)),
            4,
            "only the leg after the pair paid"
        );
        vm.assertEq(ALICE.balance, 0, "first payment reverted");
        vm.assertFalse(escrow.isSpent(3) || escrow.isSpent(4), "both unspent");
    }

    function test_if_the_first_fails_the_second_is_not_paid() external {
        fund(2, 0, 20);
        expectFailure(3, FAILED);
        expectFailure(4, Escrow.Failure.PartnerFailed);
        vm.assertEq(settled(3, assets().payWithNext(NATIVE, 1, ALICE, 10).pay(USDT, 2, BOB, 20)), 0, "neither paid");
        vm.assertEq(usdt.balanceOf(BOB), 0, "not paid");
    }

    function test_a_hostile_recipient_stops_only_its_pair() external {
        fund(1, 100, 0);
        fund(2, 0, 100);
        BatchBuilder.Building memory b = assets();
        b.payWithNext(USDT, 2, ALICE, 1).pay(NATIVE, 1, address(new GasBurner()), 1);
        b.payWithNext(USDT, 2, ALICE, 1).pay(NATIVE, 1, address(new Rejecting()), 1);
        b.payWithNext(USDT, 2, ALICE, 1).pay(NATIVE, 1, BOB, 1);
        vm.assertEq(settled(0, b), 0x30, "only the third pair paid");
        vm.assertEq(usdt.balanceOf(ALICE), 1, "paid once");
    }

    function test_a_pair_reports_which_recipient_refused() external {
        fund(1, 10, 0);
        fund(2, 0, 10);
        address refusing = address(new Rejecting());
        expectFailure(0, FAILED);
        expectFailure(1, Escrow.Failure.PartnerFailed);
        settle(0, assets().payWithNext(NATIVE, 1, refusing, 1).pay(USDT, 2, BOB, 1));
        expectFailure(0, Escrow.Failure.PartnerFailed);
        expectFailure(1, FAILED);
        settle(0, assets().payWithNext(USDT, 2, BOB, 1).pay(NATIVE, 1, refusing, 1));
        // Under the same references, the refused leg goes to a vault, which accepts every payment.
        address vault = escrow.vaultOf(3);
        vm.assertEq(settled(0, assets().payWithNext(USDT, 2, BOB, 1).pay(NATIVE, 1, vault, 1)), 3, "both paid");
        vm.assertEq(vault.balance, 1, "arrived");
    }

    function test_a_spent_leg_stops_its_partner() external {
        fund(1, 100, 0);
        vm.prank(ADMIN);
        escrow.voidReference(4);
        expectFailure(3, Escrow.Failure.PartnerFailed);
        expectFailure(4, Escrow.Failure.AlreadySpent);
        vm.assertEq(settled(3, assets().payWithNext(NATIVE, 1, ALICE, 1).pay(NATIVE, 1, BOB, 1)), 0, "neither paid");
        vm.assertFalse(escrow.isSpent(3), "partner still payable");
        vm.prank(ADMIN);
        escrow.voidReference(5);
        expectFailure(5, Escrow.Failure.AlreadySpent);
        expectFailure(6, Escrow.Failure.PartnerFailed);
        vm.assertEq(settled(5, assets().payWithNext(NATIVE, 1, ALICE, 1).pay(NATIVE, 1, BOB, 1)), 0, "neither paid");
    }

    function test_both_legs_may_use_the_same_vault() external {
        fund(1, 10, 0);
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 6).pay(NATIVE, 1, BOB, 5)), 0, "11 of 10");
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 6).pay(NATIVE, 1, BOB, 4)), 3, "10 of 10");
    }

    function test_a_delisted_asset_stops_the_pair() external {
        fund(1, 10, 10);
        list(address(usdt), AssetKind.Unlisted, 0);
        expectFailure(0, Escrow.Failure.PartnerFailed);
        expectFailure(1, Escrow.Failure.AssetNotListed);
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 6).pay(USDT, 1, BOB, 5)), 0, "neither paid");
    }
}
