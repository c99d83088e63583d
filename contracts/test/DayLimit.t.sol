// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../src/AssetKind.sol";
import {Escrow} from "../src/Escrow.sol";
import {SelfAllowedToken} from "./mocks/Tokens.sol";
import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";

contract DayLimitTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    function setUp() external {
        fund(1, 1000, 1000);
        list(address(0), AssetKind.Native, 100);
    }

    function test_a_leg_over_the_limit_does_not_stop_smaller_legs_after_it() external {
        expectFailure(1, Escrow.Failure.OverDayLimit);
        uint256 paid =
            settled(0, assets().pay(NATIVE, 1, ALICE, 60).pay(NATIVE, 1, ALICE, 41).pay(NATIVE, 1, ALICE, 40));
        vm.assertEq(paid, 5, "legs of 60 and 40 paid");
        vm.assertFalse(escrow.isSpent(1), "still payable");
        vm.assertEq(escrow.leftToday(address(0)), 0, "limit used up");
    }

    function test_the_limit_spans_batches_and_resets_at_midnight_utc() external {
        settle(0, assets().pay(NATIVE, 1, ALICE, 100));
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 1)), 0, "over the limit");
        uint256 midnight = (block.timestamp / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 1)), 0, "one second before midnight");
        vm.warp(midnight);
        vm.assertEq(escrow.leftToday(address(0)), 100, "limit is reset");
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 100)), 1, "paid after midnight");
        vm.assertEq(settled(2, assets().pay(NATIVE, 1, ALICE, 1)), 0, "over the new limit");
    }

    function test_a_failed_leg_does_not_use_the_limit() external {
        expectFailure(0, FAILED);
        expectFailure(1, Escrow.Failure.PartnerFailed);
        expectFailure(2, FAILED);
        uint256 paid = settled(
            0,
            assets().pay(NATIVE, 9, ALICE, 100).payWithNext(NATIVE, 1, ALICE, 50).pay(NATIVE, 9, ALICE, 50)
                .pay(NATIVE, 1, ALICE, 100)
        );
        vm.assertEq(paid, 8, "the last leg gets the full limit");
    }

    function test_both_legs_of_a_pair_count() external {
        expectFailure(0, Escrow.Failure.PartnerFailed);
        expectFailure(1, Escrow.Failure.OverDayLimit);
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 60).pay(NATIVE, 1, BOB, 41)), 0, "101 of 100");
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 60).pay(NATIVE, 1, BOB, 40)), 3, "100 of 100");
        vm.assertEq(escrow.leftToday(address(0)), 0, "both legs counted");
    }

    function test_each_nft_counts_as_one() external {
        list(address(nft), AssetKind.Erc721, 2);
        BatchBuilder.Building memory b = assets();
        for (uint256 id = 1000; id < 1003; ++id) {
            nft.mint(escrow.vaultOf(1), id, "");
            b.payNft(NFT, 1, ALICE, id);
        }
        expectFailure(2, Escrow.Failure.OverDayLimit);
        vm.assertEq(settled(0, b), 3, "two of three NFTs paid");
    }

    function test_each_asset_has_its_own_limit() external {
        list(address(usdt), AssetKind.Erc20, 10);
        settle(0, assets().pay(NATIVE, 1, ALICE, 100).pay(USDT, 1, ALICE, 9));
        vm.assertEq(escrow.leftToday(address(0)), 0, "native");
        vm.assertEq(escrow.leftToday(address(usdt)), 1, "usdt");
    }

    function test_a_limit_lowered_below_what_was_paid_stops_payments() external {
        settle(0, assets().pay(NATIVE, 1, ALICE, 50));
        list(address(0), AssetKind.Native, 10);
        vm.assertEq(escrow.leftToday(address(0)), 0, "nothing left to pay");
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 1)), 0, "over the limit");
    }

    function test_a_token_cannot_pass_as_an_nft() external {
        SelfAllowedToken token = new SelfAllowedToken();
        token.mint(escrow.vaultOf(1), 1000);
        list(address(token), AssetKind.Erc20, 10);
        expectFailure(0, Escrow.Failure.AssetNotListed);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc721, address(token)).payNft(0, 1, ALICE, 1000)), 0, "not paid");
        vm.assertEq(token.balanceOf(ALICE), 0, "nothing left the vault");
    }

    function testFuzz_never_pays_more_than_the_limit(uint128 dayLimit, uint128[8] calldata amounts) external {
        list(address(usdt), AssetKind.Erc20, dayLimit);
        usdt.mint(escrow.vaultOf(2), type(uint256).max - usdt.totalSupply());
        BatchBuilder.Building memory b = assets();
        for (uint256 i = 0; i < amounts.length; ++i) {
            b.pay(USDT, 2, ALICE, amounts[i]);
        }
        settle(0, b);
        vm.assertLe(usdt.balanceOf(ALICE), dayLimit, "within the limit");
        vm.assertEq(escrow.leftToday(address(usdt)), dayLimit - usdt.balanceOf(ALICE), "remaining limit");
    }
}
