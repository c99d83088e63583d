// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {DevHostileNft} from "../dev/DevHostileNft.sol";
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

/// Misbehaving recipients and tokens affect only their own leg.
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
        vm.assertEq(settled(0, b), 0x2a, "every second leg paid");
        vm.assertEq(ALICE.balance, 3, "three payments of one");
    }

    function test_long_return_data_is_not_copied() external {
        address bomb = address(new ReturnBomb(false));
        settle(0, assets().pay(NATIVE, 1, ALICE, 1));
        bytes memory batch = assets().pay(NATIVE, 1, bomb, 1).done();
        vm.prank(SETTLER);
        uint256 before = gasleft();
        escrow.settle(1, batch);
        // The recipient pays 28,000 gas for the memory of its return data; a copy would cost the vault the same again.
        vm.assertLe(before - gasleft(), 90_000, "return data not copied");
        vm.assertEq(bomb.balance, 1, "paid");
    }

    function test_a_recipient_with_roles_cannot_reenter() external {
        Reentrant recipient = new Reentrant();
        vm.prank(ADMIN);
        escrow.grantRole(keccak256("SETTLER_ROLE"), address(recipient));
        vm.prank(ADMIN);
        escrow.grantRole(0, address(recipient));
        bytes memory again = assets().pay(NATIVE, 1, address(recipient), 100).done();
        bytes[3] memory attempts = [
            abi.encodeCall(escrow.settle, (0, again)),
            abi.encodeCall(escrow.settle, (50, again)),
            // The reference that is being paid.
            abi.encodeCall(escrow.voidReference, (2))
        ];
        for (uint64 i = 0; i < attempts.length; ++i) {
            recipient.onPaid(address(escrow), attempts[i]);
            vm.assertEq(settled(i, assets().pay(NATIVE, 1, address(recipient), 100)), 1, "recipient paid");
            vm.assertTrue(recipient.called() && !recipient.succeeded(), "reentrant call refused");
        }
        vm.assertEq(address(recipient).balance, 300, "each paid once");
        vm.assertFalse(escrow.isSpent(50), "not spent by the reentrant call");
    }

    function test_a_token_that_calls_back_gets_nothing_extra() external {
        ReentrantToken token = new ReentrantToken();
        token.mint(escrow.vaultOf(1), 100);
        list(address(token), AssetKind.Erc20, 1000);
        settle(0, assets().pay(NATIVE, 1, ALICE, 1));
        token.onTransfer(escrow.vaultOf(1), abi.encodeCall(Vault.payNative, (address(token), 500)));
        vm.assertEq(settled(1, oneAsset(AssetKind.Erc20, address(token)).pay(0, 1, BOB, 10)), 1, "paid");
        vm.assertTrue(token.called() && !token.succeeded(), "vault refused the call");
        vm.assertEq(token.balanceOf(BOB), 10, "paid once");
        vm.assertEq(escrow.vaultOf(1).balance, 999, "nothing else paid");
    }

    function test_tokens_that_fail_silently_are_not_paid() external {
        PlainToken[3] memory tokens = [new FalseToken(), PlainToken(new ShortToken()), PlainToken(new BurnerToken())];
        for (uint64 i = 0; i < tokens.length; ++i) {
            _prepareToken(tokens[i]);
            expectFailure(i, FAILED);
            vm.assertEq(settled(i, _tenOf(tokens[i])), 0, "not paid");
            vm.assertFalse(escrow.isSpent(i), "unspent");
        }
    }

    function test_a_token_without_code_is_not_paid() external {
        list(ALICE, AssetKind.Erc20, 1000);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc20, ALICE).pay(0, 1, BOB, 10)), 0, "erc20");
        list(ALICE, AssetKind.Erc721, 1000);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc721, ALICE).payNft(0, 1, BOB, 10)), 0, "erc721");
    }

    function test_collections_that_do_not_deliver_are_not_paid() external {
        DevHostileNft.Transfers[4] memory attacks = [
            DevHostileNft.Transfers.Reverts,
            DevHostileNft.Transfers.UsesAllGas,
            DevHostileNft.Transfers.Nothing,
            DevHostileNft.Transfers.Elsewhere
        ];
        address hostile = address(_hostileNft());
        nft.mint(escrow.vaultOf(2), 1, "");
        for (uint64 i = 0; i < attacks.length; ++i) {
            DevHostileNft(hostile).setTransfers(attacks[i]);
            _isNotPaidButOthersAre(hostile, 3 * i);
            vm.assertEq(DevHostileNft(hostile).ownerOf(1), escrow.vaultOf(1), "where it was");
        }
        DevHostileNft(hostile).setTransfers(DevHostileNft.Transfers.Honest);
        vm.assertEq(
            settled(1, oneAsset(AssetKind.Erc721, hostile).payNft(0, 1, BOB, 1)), 1, "paid under the same reference"
        );
    }

    function test_collections_that_do_not_name_the_recipient_as_owner_are_not_paid() external {
        DevHostileNft.Answers[5] memory attacks = [
            DevHostileNft.Answers.Reverts,
            DevHostileNft.Answers.UsesAllGas,
            DevHostileNft.Answers.Nothing,
            DevHostileNft.Answers.Lies,
            DevHostileNft.Answers.TooLong
        ];
        address hostile = address(_hostileNft());
        for (uint64 i = 0; i < attacks.length; ++i) {
            DevHostileNft(hostile).setAnswers(attacks[i], ADMIN);
            _isNotPaidButOthersAre(hostile, 3 * i);
        }
    }

    function test_neither_leg_of_a_pair_is_paid_if_a_collection_ignores_the_transfer() external {
        DevHostileNft hostile = _hostileNft();
        hostile.setTransfers(DevHostileNft.Transfers.Nothing);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, _forOneCoin(address(hostile))), 0, "neither");
        hostile.setTransfers(DevHostileNft.Transfers.Honest);
        vm.assertEq(settled(0, _forOneCoin(address(hostile))), 3, "both");
    }

    function test_a_collection_that_calls_back_gets_nothing_extra() external {
        DevHostileNft hostile = _hostileNft();
        hostile.setTransfers(DevHostileNft.Transfers.Reenters);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc721, address(hostile)).payNft(0, 1, BOB, 1)), 1, "paid");
        vm.assertEq(hostile.calls(), 3, "called back");
        vm.assertEq(hostile.succeeded(), 0, "refused");
        vm.assertEq(escrow.vaultOf(1).balance, 1000, "nothing else paid");
    }

    function test_an_nft_goes_to_a_contract_that_does_not_receive_nfts() external {
        address wallet = address(new Rejecting());
        nft.mint(escrow.vaultOf(1), type(uint256).max, "");
        vm.assertEq(settled(0, assets().payNft(NFT, 1, wallet, type(uint256).max)), 1, "paid");
        vm.assertEq(nft.ownerOf(type(uint256).max), wallet, "received");
    }

    function test_tokens_with_long_return_data() external {
        BombToken succeeding = new BombToken(false);
        BombToken failing = new BombToken(true);
        _prepareToken(succeeding);
        _prepareToken(failing);
        vm.assertEq(settled(0, _tenOf(succeeding)), 1, "true with a long tail is accepted");
        expectFailure(1, FAILED);
        vm.assertEq(settled(1, _tenOf(failing)), 0, "failure is recognized");
    }

    function test_a_standard_token_and_one_that_returns_nothing() external {
        PlainToken token = new PlainToken();
        _prepareToken(token);
        vm.assertEq(settled(0, _tenOf(token)), 1, "returns true");
        vm.assertEq(settled(1, assets().pay(USDT, 1, BOB, 10)), 1, "returns nothing");
        vm.assertEq(usdt.balanceOf(BOB), 10, "USDT received");
    }

    function test_the_recipient_bears_a_transfer_fee_and_the_reference_pays_once() external {
        FeeToken token = new FeeToken();
        _prepareToken(token);
        vm.assertEq(settled(0, _tenOf(token)), 1, "paid");
        vm.assertEq(token.balanceOf(BOB), 9, "amount less the fee");
        vm.assertEq(token.balanceOf(escrow.vaultOf(1)), 90, "vault paid the leg's amount");
        vm.assertEq(settled(0, _tenOf(token)), 0, "not paid twice");
    }

    function test_a_paused_token_is_paid_once_unpaused() external {
        PausableToken token = new PausableToken();
        _prepareToken(token);
        token.setPaused(true);
        expectFailure(0, FAILED);
        vm.assertEq(settled(0, _tenOf(token)), 0, "not paid while paused");
        token.setPaused(false);
        vm.assertEq(settled(0, _tenOf(token)), 1, "paid");
    }

    /// A transaction with any amount of gas either reverts or pays every payable leg; a payable leg never fails. One
    /// recipient uses nearly all the gas of a payment. Another refuses at once if it has less, and so leaves enough gas
    /// for the legs after it.
    function testFuzz_too_little_gas_reverts_the_whole_batch(uint256 gas, uint256 appetite) external {
        (Hungry hungry, Picky picky) = _gasRecipients(appetite);
        nft.mint(escrow.vaultOf(4), 1, "");
        BatchBuilder.Building memory b = assets();
        b.pay(NATIVE, 1, address(hungry), 1).payNft(NFT, 4, ALICE, 1);
        b.pay(NATIVE, 1, address(picky), 1).pay(USDT, 1, ALICE, 1);

        bool ok = _settleWith(100_000 + gas % 900_000, b);
        vm.assertEq(address(hungry).balance, ok ? 1 : 0, "paid unless the batch reverted");
        vm.assertEq(address(picky).balance, ok ? 1 : 0, "paid unless the batch reverted");
        vm.assertEq(usdt.balanceOf(ALICE), ok ? 1 : 0, "paid unless the batch reverted");
        vm.assertEq(nft.ownerOf(1) == ALICE, ok, "paid unless the batch reverted");
    }

    /// The same with a pair at the end, after which no other leg checks the gas.
    function testFuzz_too_little_gas_for_a_pair_reverts_the_whole_batch(uint256 gas, uint256 appetite) external {
        (Hungry hungry, Picky picky) = _gasRecipients(appetite);
        BatchBuilder.Building memory b = assets();
        fund(2, 10, 10);
        fund(3, 10, 10);
        b.pay(USDT, 1, ALICE, 1);
        b.payWithNext(NATIVE, 2, address(hungry), 1).pay(NATIVE, 3, address(picky), 1);

        bool ok = _settleWith(100_000 + gas % 900_000, b);
        vm.assertEq(address(hungry).balance, ok ? 1 : 0, "paid unless the batch reverted");
        vm.assertEq(address(picky).balance, ok ? 1 : 0, "paid unless the batch reverted");
        vm.assertEq(usdt.balanceOf(ALICE), ok ? 1 : 0, "paid unless the batch reverted");
    }

    function test_the_documented_gas_bound_covers_the_worst_batch() external {
        BatchBuilder.Building memory b = assets();
        address burner = address(new GasBurner());
        for (uint64 i = 0; i < 50; ++i) {
            fund(100 + i, 1, 0);
            b.pay(NATIVE, 100 + i, burner, 1);
        }
        bytes memory call = abi.encodeCall(escrow.settle, (uint64(0), b.done()));
        vm.prank(SETTLER);
        (bool ok,) = address(escrow).call{gas: 50 * 283_174 + 150_000}(call);
        vm.assertTrue(ok, "LEG_GAS per leg plus the batch overhead suffices");
    }

    /// A hostile collection with one NFT in the first vault. It behaves until it is told what to do.
    function _hostileNft() private returns (DevHostileNft hostile) {
        hostile = new DevHostileNft();
        hostile.mint(escrow.vaultOf(1), 1, "");
        list(address(hostile), AssetKind.Erc721, 1000);
    }

    /// A hostile NFT between two payments, which do not depend on it.
    function _isNotPaidButOthersAre(address hostile, uint64 first) private {
        BatchBuilder.Building memory b = oneAsset(AssetKind.Native, address(0));
        BatchBuilder.addAsset(b, AssetKind.Erc721, hostile);
        b.pay(0, 1, ALICE, 1).payNft(1, 1, BOB, 1).pay(0, 1, ALICE, 1);
        expectFailure(first + 1, FAILED);
        vm.assertEq(settled(first, b), 5, "the others are paid");
        vm.assertFalse(escrow.isSpent(first + 1), "unspent");
    }

    /// The NFT for one native coin, in a pair.
    function _forOneCoin(address hostile) private pure returns (BatchBuilder.Building memory b) {
        b = oneAsset(AssetKind.Native, address(0));
        BatchBuilder.addAsset(b, AssetKind.Erc721, hostile);
        b.payNftWithNext(1, 1, BOB, 1).pay(0, 1, ALICE, 1);
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
            vm.assertEq(escrow.isSpent(i), ok, "paid unless the batch reverted");
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
