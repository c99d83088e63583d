// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../src/AssetKind.sol";
import {Escrow} from "../src/Escrow.sol";
import {Vault} from "../src/Vault.sol";
import {GasBurner, Hungry, Picky, Reentrant, Rejecting, ReturnBomb} from "./mocks/Recipients.sol";
import {
    BombToken,
    BurnerToken,
    FalseToken,
    FeeToken,
    PausableToken,
    PlainToken,
    ReentrantToken,
    ShortToken
} from "./mocks/Tokens.sol";
import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";

/// Recipients and tokens that misbehave hurt their own leg and no other.
contract HostileTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    function setUp() external {
        fund(1, 1000, 1000);
    }

    function test_recipients_that_revert_or_burn_fail_alone() external {
        BatchBuilder.Building memory b = assets();
        b.pay(NATIVE, 1, address(new Rejecting()), 1).pay(NATIVE, 1, ALICE, 1);
        b.pay(NATIVE, 1, address(new GasBurner()), 1).pay(NATIVE, 1, ALICE, 1);
        b.pay(NATIVE, 1, address(new ReturnBomb(true)), 1).pay(NATIVE, 1, ALICE, 1);
        vm.assertEq(settled(0, b), 0x2a, "every second");
        vm.assertEq(ALICE.balance, 3, "three times one");
    }

    function test_a_long_answer_is_not_copied() external {
        address bomb = address(new ReturnBomb(false));
        settle(0, assets().pay(NATIVE, 1, ALICE, 1));
        bytes memory batch = assets().pay(NATIVE, 1, bomb, 1).done();
        vm.prank(SETTLER);
        uint256 before = gasleft();
        escrow.settle(1, batch);
        // The recipient pays 28,000 for the memory of its answer, inside its own part of the gas; a copy would cost
        // the vault as much again.
        vm.assertLe(before - gasleft(), 90_000, "no copy");
        vm.assertEq(bomb.balance, 1, "paid");
    }

    function test_a_recipient_that_is_settler_cannot_settle_or_void_from_inside() external {
        Reentrant recipient = new Reentrant();
        vm.prank(ADMIN);
        escrow.grantRole(keccak256("SETTLER_ROLE"), address(recipient));
        vm.prank(ADMIN);
        escrow.grantRole(0, address(recipient));
        bytes memory again = assets().pay(NATIVE, 1, address(recipient), 100).done();
        bytes[3] memory attempts = [
            abi.encodeCall(escrow.settle, (0, again)),
            abi.encodeCall(escrow.settle, (50, again)),
            // The reference that is just being paid.
            abi.encodeCall(escrow.voidReference, (2))
        ];
        for (uint64 i = 0; i < attempts.length; ++i) {
            recipient.onPaid(address(escrow), attempts[i]);
            vm.assertEq(settled(i, assets().pay(NATIVE, 1, address(recipient), 100)), 1, "itself paid");
            vm.assertTrue(recipient.called() && !recipient.succeeded(), "the call from inside was refused");
        }
        vm.assertEq(address(recipient).balance, 300, "each once");
        vm.assertFalse(escrow.isSpent(50), "nothing from inside");
    }

    function test_a_token_that_calls_back_gets_nothing_more() external {
        ReentrantToken token = new ReentrantToken();
        token.mint(escrow.vaultOf(1), 100);
        list(address(token), AssetKind.Erc20, 1000);
        settle(0, assets().pay(NATIVE, 1, ALICE, 1));
        token.onTransfer(escrow.vaultOf(1), abi.encodeCall(Vault.payNative, (address(token), 500)));
        vm.assertEq(settled(1, oneAsset(AssetKind.Erc20, address(token)).pay(0, 1, BOB, 10)), 1, "paid");
        vm.assertTrue(token.called() && !token.succeeded(), "the vault answers the Escrow only");
        vm.assertEq(token.balanceOf(BOB), 10, "once");
        vm.assertEq(escrow.vaultOf(1).balance, 999, "nothing more");
    }

    function test_tokens_that_fail_quietly_are_not_believed() external {
        PlainToken[3] memory tokens = [new FalseToken(), PlainToken(new ShortToken()), PlainToken(new BurnerToken())];
        for (uint64 i = 0; i < tokens.length; ++i) {
            _prepareToken(tokens[i]);
            expectFailure(i, FAILED);
            vm.assertEq(settled(i, _tenOf(tokens[i])), 0, "not paid");
            vm.assertFalse(escrow.isSpent(i), "unspent");
        }
    }

    function test_a_token_without_code_is_not_believed() external {
        list(ALICE, AssetKind.Erc20, 1000);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc20, ALICE).pay(0, 1, BOB, 10)), 0, "erc20");
        list(ALICE, AssetKind.Erc721, 1000);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc721, ALICE).payNft(0, 1, BOB, 10)), 0, "erc721");
    }

    function test_tokens_with_long_answers() external {
        BombToken succeeding = new BombToken(false);
        BombToken failing = new BombToken(true);
        _prepareToken(succeeding);
        _prepareToken(failing);
        vm.assertEq(settled(0, _tenOf(succeeding)), 1, "its true is a true");
        expectFailure(1, FAILED);
        vm.assertEq(settled(1, _tenOf(failing)), 0, "its failure is one");
    }

    function test_a_token_by_the_book_and_one_that_returns_nothing() external {
        PlainToken token = new PlainToken();
        _prepareToken(token);
        vm.assertEq(settled(0, _tenOf(token)), 1, "returns true");
        vm.assertEq(settled(1, assets().pay(USDT, 1, BOB, 10)), 1, "returns nothing");
        vm.assertEq(usdt.balanceOf(BOB), 10, "and arrived");
    }

    function test_a_fee_on_transfer_is_the_recipients_and_the_reference_pays_once() external {
        FeeToken token = new FeeToken();
        _prepareToken(token);
        vm.assertEq(settled(0, _tenOf(token)), 1, "paid");
        vm.assertEq(token.balanceOf(BOB), 9, "less the fee");
        vm.assertEq(token.balanceOf(escrow.vaultOf(1)), 90, "the vault pays what the leg says, no more");
        vm.assertEq(settled(0, _tenOf(token)), 0, "not again");
    }

    function test_a_paused_token_is_paid_when_it_is_resumed() external {
        PausableToken token = new PausableToken();
        _prepareToken(token);
        token.setPaused(true);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, _tenOf(token)), 0, "waits");
        token.setPaused(false);
        vm.assertEq(settled(0, _tenOf(token)), 1, "paid");
    }

    /// Whatever gas a transaction carries, it reverts as a whole or pays every leg that can be paid: no payable leg is
    /// ever marked failed. One recipient uses nearly all that a payment may use; another refuses at once, and so leaves
    /// enough to go on with, when it has less than that.
    function testFuzz_too_little_gas_reverts_the_whole_batch(uint256 gas, uint256 appetite) external {
        (Hungry hungry, Picky picky) = _gasRecipients(appetite);
        nft.mint(escrow.vaultOf(4), 1, "");
        BatchBuilder.Building memory b = assets();
        b.pay(NATIVE, 1, address(hungry), 1).payNft(NFT, 4, ALICE, 1);
        b.pay(NATIVE, 1, address(picky), 1).pay(USDT, 1, ALICE, 1);

        bool ok = _settleWith(100_000 + gas % 900_000, b);
        vm.assertEq(address(hungry).balance, ok ? 1 : 0, "all or nothing");
        vm.assertEq(address(picky).balance, ok ? 1 : 0, "all or nothing");
        vm.assertEq(usdt.balanceOf(ALICE), ok ? 1 : 0, "all or nothing");
        vm.assertEq(nft.ownerOf(1) == ALICE, ok, "all or nothing");
    }

    /// The same with a pair at the end, where nothing behind it asks for gas again.
    function testFuzz_too_little_gas_for_a_pair_reverts_the_whole_batch(uint256 gas, uint256 appetite) external {
        (Hungry hungry, Picky picky) = _gasRecipients(appetite);
        BatchBuilder.Building memory b = assets();
        fund(2, 10, 10);
        fund(3, 10, 10);
        b.pay(USDT, 1, ALICE, 1);
        b.payWithNext(NATIVE, 2, address(hungry), 1).pay(NATIVE, 3, address(picky), 1);

        bool ok = _settleWith(100_000 + gas % 900_000, b);
        vm.assertEq(address(hungry).balance, ok ? 1 : 0, "all or nothing");
        vm.assertEq(address(picky).balance, ok ? 1 : 0, "all or nothing");
        vm.assertEq(usdt.balanceOf(ALICE), ok ? 1 : 0, "all or nothing");
    }

    function test_enough_gas_for_the_worst_batch_is_a_bound_that_the_sender_can_compute() external {
        BatchBuilder.Building memory b = assets();
        address burner = address(new GasBurner());
        for (uint64 i = 0; i < 50; ++i) {
            fund(100 + i, 1, 0);
            b.pay(NATIVE, 100 + i, burner, 1);
        }
        bytes memory call = abi.encodeCall(escrow.settle, (uint64(0), b.done()));
        vm.prank(SETTLER);
        (bool ok,) = address(escrow).call{gas: 50 * 283_174 + 150_000}(call);
        vm.assertTrue(ok, "LEG_GAS for each leg, and the batch's own");
    }

    function _gasRecipients(uint256 appetite) private returns (Hungry hungry, Picky picky) {
        hungry = new Hungry();
        hungry.setAppetite(appetite % (escrow.PAYMENT_GAS() - 20_000));
        picky = new Picky(escrow.PAYMENT_GAS() - 20_000);
    }

    function _settleWith(uint256 gas, BatchBuilder.Building memory b) private returns (bool ok) {
        bytes memory call = abi.encodeCall(escrow.settle, (uint64(0), b.done()));
        vm.prank(SETTLER);
        (ok,) = address(escrow).call{gas: gas}(call);
        for (uint64 i = 0; i < b.legCount; ++i) {
            vm.assertEq(escrow.isSpent(i), ok, "all or nothing");
        }
    }

    function _prepareToken(PlainToken token) private {
        token.mint(escrow.vaultOf(1), 100);
        list(address(token), AssetKind.Erc20, 1000);
    }

    function _tenOf(PlainToken token) private pure returns (BatchBuilder.Building memory) {
        return oneAsset(AssetKind.Erc20, address(token)).pay(0, 1, BOB, 10);
    }
}
