// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../src/AssetKind.sol";
import {Batch} from "../src/Batch.sol";
import {Escrow} from "../src/Escrow.sol";
import {References} from "../src/References.sol";
import {GasBurner, Rejecting} from "./mocks/Recipients.sol";
import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

contract SettleTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    function test_pays_each_kind_from_the_named_vault() external {
        fund(1, 100, 0);
        fund(2, 0, 200);
        nft.mint(escrow.vaultOf(3), 42, "");
        uint256 paid = settled(10, assets().pay(NATIVE, 1, ALICE, 60).pay(USDT, 2, BOB, 150).payNft(NFT, 3, ALICE, 42));
        vm.assertEq(paid, 7, "all three paid");
        vm.assertEq(ALICE.balance, 60, "native arrived");
        vm.assertEq(escrow.vaultOf(1).balance, 40, "native left the vault");
        vm.assertEq(usdt.balanceOf(BOB), 150, "usdt arrived");
        vm.assertEq(usdt.balanceOf(escrow.vaultOf(2)), 50, "usdt left the vault");
        vm.assertEq(nft.ownerOf(42), ALICE, "nft arrived");
    }

    function test_a_reference_pays_once_across_batches() external {
        fund(1, 100, 0);
        vm.assertEq(settled(5, assets().pay(NATIVE, 1, ALICE, 10)), 1, "paid");
        expectFailure(5, Escrow.Failure.AlreadySpent);
        vm.assertEq(settled(4, assets().pay(NATIVE, 1, BOB, 1).pay(NATIVE, 1, ALICE, 10)), 1, "only 4 paid");
        vm.assertEq(ALICE.balance, 10, "paid once");
    }

    function test_a_failed_leg_stays_unspent_and_stops_no_other() external {
        fund(1, 100, 0);
        expectFailure(1, FAILED);
        vm.assertEq(
            settled(0, assets().pay(NATIVE, 1, ALICE, 10).pay(NATIVE, 2, ALICE, 10).pay(NATIVE, 1, ALICE, 10)),
            5,
            "only the leg of the empty vault failed"
        );
        vm.assertFalse(escrow.isSpent(1), "unspent");
        fund(2, 10, 0);
        vm.assertEq(settled(1, assets().pay(NATIVE, 2, ALICE, 10)), 1, "paid after funding");
        vm.assertEq(ALICE.balance, 30, "each paid once");
    }

    function test_a_marked_leg_is_voided_when_refused() external {
        fund(1, 100, 0);
        BatchBuilder.Building memory b = assets();
        b.payOrVoid(NATIVE, 1, ALICE, 10).payOrVoid(NATIVE, 1, address(new Rejecting()), 10);
        b.payOrVoid(NATIVE, 1, address(new GasBurner()), 10).pay(NATIVE, 1, BOB, 10);
        vm.expectEmit(address(escrow));
        emit References.Voided(8);
        vm.expectEmit(address(escrow));
        emit References.Voided(9);
        vm.assertEq(settled(7, b), 9, "the accepted leg and the unmarked leg paid");
        vm.assertEq(escrow.vaultOf(1).balance, 80, "refused coins stay");
        vm.assertTrue(escrow.isSpent(8) && escrow.isSpent(9), "refused legs are spent");
        expectFailure(8, Escrow.Failure.AlreadySpent);
        vm.assertEq(settled(8, assets().payOrVoid(NATIVE, 1, ALICE, 10)), 0, "voided leg not paid");
        vm.assertEq(ALICE.balance, 10, "paid once");
    }

    function test_only_a_refused_payment_is_voided() external {
        fund(1, 100, 0);
        list(address(0), AssetKind.Native, 9);
        expectFailure(0, Escrow.Failure.OverDayLimit);
        expectFailure(1, Escrow.Failure.InvalidLeg);
        settle(0, assets().payOrVoid(NATIVE, 1, ALICE, 10).payOrVoid(NATIVE, 1, address(0), 1));
        vm.assertFalse(escrow.isSpent(0) || escrow.isSpent(1), "unspent");
        list(address(0), AssetKind.Unlisted, 0);
        expectFailure(0, Escrow.Failure.AssetNotListed);
        settle(0, assets().payOrVoid(NATIVE, 1, ALICE, 1));
        vm.assertFalse(escrow.isSpent(0), "unspent");
    }

    function test_a_vault_can_pay_itself() external {
        fund(1, 100, 50);
        address self = escrow.vaultOf(1);
        nft.mint(self, 7, "");
        BatchBuilder.Building memory b = assets();
        b.pay(NATIVE, 1, self, 60).pay(USDT, 1, self, 50).payNft(NFT, 1, self, 7);
        vm.assertEq(settled(0, b), 7, "all paid");
        vm.assertEq(self.balance, 100, "coins stay");
        vm.assertEq(usdt.balanceOf(self), 50, "USDT stays");
        vm.assertEq(nft.ownerOf(7), self, "NFT stays");
    }

    function test_a_skipped_reference_is_neither_paid_nor_spent() external {
        fund(1, 100, 0);
        vm.assertEq(
            settled(20, assets().skip().pay(NATIVE, 1, ALICE, 10).skip().pay(NATIVE, 1, ALICE, 10).skip()), 10, "1, 3"
        );
        vm.assertFalse(escrow.isSpent(20), "skipped");
        vm.assertFalse(escrow.isSpent(22), "skipped");
        vm.assertFalse(escrow.isSpent(24), "skipped");
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzz_a_batch_may_span_two_words_of_references(uint64 first, uint8 legs) external {
        uint64 count = legs == 0 ? 1 : legs;
        vm.assume(first <= type(uint64).max - (count - 1));
        // Enough coins to pay everything twice, so only the references prevent a second payment.
        fund(1, 2 * uint256(count), 0);
        BatchBuilder.Building memory b = assets();
        for (uint256 i = 0; i < count; ++i) {
            b.pay(NATIVE, 1, ALICE, 1);
        }
        vm.assertEq(settled(first, b), type(uint256).max >> (256 - count), "all paid");
        vm.assertEq(settled(first, b), 0, "none paid again");
        vm.assertEq(ALICE.balance, count, "each paid once");
        if (first > 0) vm.assertFalse(escrow.isSpent(first - 1), "reference before is unspent");
        if (first + (count - 1) < type(uint64).max) {
            vm.assertFalse(escrow.isSpent(first + count), "reference after is unspent");
        }
    }

    function test_no_reference_after_the_last() external {
        fund(1, 2, 0);
        vm.assertEq(settled(type(uint64).max, assets().pay(NATIVE, 1, ALICE, 1)), 1, "last reference paid");
        _expectRefused(
            type(uint64).max, assets().skip().pay(NATIVE, 1, ALICE, 1).done(), References.ReferenceOutOfRange.selector
        );
    }

    function test_refuses_zero_recipients_and_zero_amounts() external {
        fund(1, 10, 10);
        nft.mint(escrow.vaultOf(1), 0, "");
        BatchBuilder.Building memory b = assets();
        b.pay(NATIVE, 1, address(0), 1).pay(NATIVE, 1, ALICE, 0);
        b.pay(USDT, 1, ALICE, 0).payNft(NFT, 1, ALICE, 0);
        for (uint64 i = 0; i < 3; ++i) {
            expectFailure(i, Escrow.Failure.InvalidLeg);
        }
        vm.assertEq(settled(0, b), 8, "only the NFT paid: ID 0 is valid");
    }

    function test_refuses_unlisted_assets_and_wrong_kinds() external {
        fund(1, 10, 10);
        list(address(0), AssetKind.Unlisted, 100);
        expectFailure(0, Escrow.Failure.AssetNotListed);
        vm.assertEq(settled(0, oneAsset(AssetKind.Native, address(0)).pay(0, 1, ALICE, 1)), 0, "delisted");
        expectFailure(0, Escrow.Failure.AssetNotListed);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc20, address(nft)).pay(0, 1, ALICE, 1)), 0, "wrong kind");
        expectFailure(0, Escrow.Failure.AssetNotListed);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc20, ALICE).pay(0, 1, ALICE, 1)), 0, "never listed");
    }

    function test_reverts_on_malformed_batches() external {
        fund(1, 100, 0);
        bytes memory good = assets().pay(NATIVE, 1, ALICE, 1).done();
        for (uint256 length = 0; length < good.length; ++length) {
            _expectMalformed(_first(good, length));
        }
        _expectMalformed(abi.encodePacked(good, uint8(0)));
        _expectMalformed(assets().done());
        _expectMalformed(assets().pay(3, 1, ALICE, 1).done());
        _expectMalformed(oneAsset(AssetKind.Unlisted, address(0)).pay(0, 1, ALICE, 1).done());
        _expectMalformed(abi.encodePacked(uint8(1), uint8(1), uint8(4), address(0), uint8(0)));
        // A repeated asset would have its day limit twice.
        _expectMalformed(oneAsset(AssetKind.Erc20, ALICE).addAsset(AssetKind.Erc20, ALICE).pay(0, 1, BOB, 1).done());
        _expectMalformed(oneAsset(AssetKind.Erc20, BOB).addAsset(AssetKind.Erc20, ALICE).pay(0, 1, BOB, 1).done());
        // Undefined flags, and a pair without a second leg.
        _expectMalformed(abi.encodePacked(uint8(1), uint8(1), uint8(1), address(0), uint8(2), new bytes(45)));
        _expectMalformed(abi.encodePacked(uint8(1), uint8(1), uint8(1), address(0), uint8(4), new bytes(45)));
        _expectMalformed(abi.encodePacked(uint8(1), uint8(1), uint8(1), address(0), uint8(7), new bytes(45)));
        _expectMalformed(assets().payWithNext(NATIVE, 1, ALICE, 1).done());
        _expectMalformed(assets().payWithNext(NATIVE, 1, ALICE, 1).payOrVoid(NATIVE, 1, ALICE, 1).done());
        _expectMalformed(assets().payWithNext(NATIVE, 1, ALICE, 1).skip().done());
        _expectMalformed(
            assets().payWithNext(NATIVE, 1, ALICE, 1).payWithNext(NATIVE, 1, ALICE, 1).pay(NATIVE, 1, ALICE, 1).done()
        );
        vm.assertEq(ALICE.balance, 0, "nothing paid");
    }

    function testFuzz_random_bytes_pay_nothing(uint64 first, bytes calldata batch) external {
        fund(1, 100, 100);
        vm.prank(SETTLER);
        (bool ok,) = address(escrow).call(abi.encodeCall(escrow.settle, (first, batch)));
        if (ok) vm.assertTrue(batch.length > 2, "a batch has a header");
        vm.assertEq(escrow.vaultOf(1).balance, 100, "vault keeps its coins");
        vm.assertEq(usdt.balanceOf(escrow.vaultOf(1)), 100, "vault keeps its USDT");
    }

    function testFuzz_only_the_settler_settles(address stranger) external {
        vm.assume(stranger != SETTLER);
        fund(1, 1, 0);
        bytes memory batch = assets().pay(NATIVE, 1, ALICE, 1).done();
        bytes32 role = escrow.SETTLER_ROLE();
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, stranger, role)
        );
        vm.prank(stranger);
        escrow.settle(0, batch);
    }

    function test_pays_nothing_while_paused() external {
        fund(1, 1, 0);
        vm.prank(PAUSER);
        escrow.pause();
        _expectRefused(0, assets().pay(NATIVE, 1, ALICE, 1).done(), Pausable.EnforcedPause.selector);
        vm.prank(ADMIN);
        escrow.unpause();
        vm.assertEq(settled(0, assets().pay(NATIVE, 1, ALICE, 1)), 1, "paid after the pause");
    }

    function testFuzz_only_the_escrow_calls_pay_pair(address stranger) external {
        vm.assume(stranger != address(escrow));
        fund(1, 2, 0);
        Escrow.Payment memory payment = Escrow.Payment(AssetKind.Native, address(0), 1, stranger, 1);
        vm.expectRevert(Escrow.NotSelf.selector);
        vm.prank(stranger);
        escrow.payPair(payment, payment);
    }

    function test_refuses_native_coins() external {
        vm.deal(address(this), 1);
        (bool taken,) = address(escrow).call{value: 1}("");
        vm.assertFalse(taken, "native coin refused");
    }

    function _expectMalformed(bytes memory batch) private {
        _expectRefused(0, batch, Batch.MalformedBatch.selector);
    }

    function _expectRefused(uint64 first, bytes memory batch, bytes4 error_) private {
        vm.expectRevert(error_);
        vm.prank(SETTLER);
        escrow.settle(first, batch);
    }

    function _first(bytes memory data, uint256 length) private pure returns (bytes memory cut) {
        cut = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            cut[i] = data[i];
        }
    }
}
