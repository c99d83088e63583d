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

    function test_a_leg_over_the_limit_waits_and_smaller_ones_behind_it_go() external {
        expectFailure(1, Escrow.Failure.OverDayLimit);
        uint256 paid =
            settled(0, assets().pay(NATIVE, 1, ALICE, 60).pay(NATIVE, 1, ALICE, 41).pay(NATIVE, 1, ALICE, 40));
        vm.assertEq(paid, 5, "60 and 40");
        vm.assertFalse(escrow.isSpent(1), "waits");
        vm.assertEq(escrow.leftToday(address(0)), 0, "used up");
    }

    function test_the_limit_counts_over_batches_and_starts_anew_at_midnight_utc() external {
        settle(0, assets().pay(NATIVE, 1, ALICE, 100));
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 1)), 0, "over");
        uint256 midnight = (block.timestamp / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 1)), 0, "one second before midnight");
        vm.warp(midnight);
        vm.assertEq(escrow.leftToday(address(0)), 100, "anew");
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 100)), 1, "at midnight");
        vm.assertEq(settled(2, assets().pay(NATIVE, 1, ALICE, 1)), 0, "and over again");
    }

    function test_a_failed_leg_takes_nothing_of_the_limit() external {
        expectFailure(0, FAILED);
        expectFailure(1, Escrow.Failure.PartnerFailed);
        expectFailure(2, FAILED);
        uint256 paid = settled(
            0,
            assets().pay(NATIVE, 9, ALICE, 100).payWithNext(NATIVE, 1, ALICE, 50).pay(NATIVE, 9, ALICE, 50)
                .pay(NATIVE, 1, ALICE, 100)
        );
        vm.assertEq(paid, 8, "the last has the whole day");
    }

    function test_both_legs_of_a_pair_count() external {
        expectFailure(0, Escrow.Failure.PartnerFailed);
        expectFailure(1, Escrow.Failure.OverDayLimit);
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 60).pay(NATIVE, 1, BOB, 41)), 0, "101 of 100");
        vm.assertEq(settled(0, assets().payWithNext(NATIVE, 1, ALICE, 60).pay(NATIVE, 1, BOB, 40)), 3, "100 of 100");
        vm.assertEq(escrow.leftToday(address(0)), 0, "both were counted");
    }

    function test_nfts_count_as_one_each() external {
        list(address(nft), AssetKind.Erc721, 2);
        BatchBuilder.Building memory b = assets();
        for (uint256 id = 1000; id < 1003; ++id) {
            nft.mint(escrow.vaultOf(1), id, "");
            b.payNft(NFT, 1, ALICE, id);
        }
        expectFailure(2, Escrow.Failure.OverDayLimit);
        vm.assertEq(settled(0, b), 3, "two of three");
    }

    function test_each_asset_has_its_own_limit() external {
        list(address(usdt), AssetKind.Erc20, 10);
        settle(0, assets().pay(NATIVE, 1, ALICE, 100).pay(USDT, 1, ALICE, 9));
        vm.assertEq(escrow.leftToday(address(0)), 0, "native");
        vm.assertEq(escrow.leftToday(address(usdt)), 1, "usdt");
    }

    function test_a_limit_lowered_below_what_left_lets_nothing_more_go() external {
        settle(0, assets().pay(NATIVE, 1, ALICE, 50));
        list(address(0), AssetKind.Native, 10);
        vm.assertEq(escrow.leftToday(address(0)), 0, "nothing left");
        vm.assertEq(settled(1, assets().pay(NATIVE, 1, ALICE, 1)), 0, "over");
    }

    function test_a_token_cannot_pass_as_an_nft() external {
        SelfAllowedToken token = new SelfAllowedToken();
        token.mint(escrow.vaultOf(1), 1000);
        list(address(token), AssetKind.Erc20, 10);
        expectFailure(0, Escrow.Failure.AssetNotListed);
        vm.assertEq(settled(0, oneAsset(AssetKind.Erc721, address(token)).payNft(0, 1, ALICE, 1000)), 0, "1000 as one");
        vm.assertEq(token.balanceOf(ALICE), 0, "nothing left the vault");
    }

    function testFuzz_never_more_than_the_limit_leaves(uint128 dayLimit, uint128[8] calldata amounts) external {
        list(address(usdt), AssetKind.Erc20, dayLimit);
        usdt.mint(escrow.vaultOf(2), type(uint256).max - usdt.totalSupply());
        BatchBuilder.Building memory b = assets();
        for (uint256 i = 0; i < amounts.length; ++i) {
            b.pay(USDT, 2, ALICE, amounts[i]);
        }
        settle(0, b);
        vm.assertLe(usdt.balanceOf(ALICE), dayLimit, "the limit");
        vm.assertEq(escrow.leftToday(address(usdt)), dayLimit - usdt.balanceOf(ALICE), "what is left");
    }
}
