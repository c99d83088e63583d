// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {DevNft} from "../../dev/DevNft.sol";
import {DevUsdt} from "../../dev/DevUsdt.sol";
import {AssetKind} from "../../src/AssetKind.sol";
import {Escrow} from "../../src/Escrow.sol";
import {BatchBuilder} from "./BatchBuilder.sol";
import {Vm, vm} from "./Vm.sol";

/// An escrow with three listed assets, and helpers to settle batches and read the results.
abstract contract EscrowTest {
    address internal constant ADMIN = address(0xA0);
    address internal constant SETTLER = address(0xA1);
    address internal constant PAUSER = address(0xA2);
    address internal constant ALICE = address(0xB0);
    address internal constant BOB = address(0xB1);
    Escrow.Failure internal constant FAILED = Escrow.Failure.PaymentFailed;
    /// Slots in the asset table that `assets` writes.
    uint8 internal constant NATIVE = 0;
    uint8 internal immutable USDT;
    uint8 internal immutable NFT;

    Escrow internal escrow;
    DevUsdt internal usdt;
    DevNft internal nft;

    constructor() {
        // Noon, so that no test crosses midnight by accident.
        vm.warp(1_800_000_000 - (1_800_000_000 % 1 days) + 12 hours);
        escrow = Escrow(vm.deployCode("artifacts/Escrow.json", abi.encode(ADMIN, SETTLER, PAUSER)));
        usdt = DevUsdt(vm.deployCode("artifacts/DevUsdt.json"));
        nft = DevNft(vm.deployCode("artifacts/DevNft.json", abi.encode("Album", "ALB")));
        (USDT, NFT) = address(usdt) < address(nft) ? (1, 2) : (2, 1);
        list(address(0), AssetKind.Native, type(uint128).max);
        list(address(usdt), AssetKind.Erc20, type(uint128).max);
        list(address(nft), AssetKind.Erc721, type(uint128).max);
    }

    function list(address token, AssetKind kind, uint128 dayLimit) internal {
        vm.prank(ADMIN);
        escrow.setAsset(token, kind, dayLimit);
    }

    /// A batch with the native coin, USDT and the NFT collection in its table.
    function assets() internal view returns (BatchBuilder.Building memory b) {
        BatchBuilder.addAsset(b, AssetKind.Native, address(0));
        if (USDT == 1) BatchBuilder.addAsset(b, AssetKind.Erc20, address(usdt));
        BatchBuilder.addAsset(b, AssetKind.Erc721, address(nft));
        if (USDT == 2) BatchBuilder.addAsset(b, AssetKind.Erc20, address(usdt));
    }

    function oneAsset(AssetKind kind, address token) internal pure returns (BatchBuilder.Building memory b) {
        BatchBuilder.addAsset(b, kind, token);
    }

    function settle(uint64 first, BatchBuilder.Building memory b) internal {
        bytes memory batch = BatchBuilder.done(b);
        vm.prank(SETTLER);
        escrow.settle(first, batch);
    }

    /// Settles a batch and returns a bit per paid leg, from the batch's event.
    function settled(uint64 first, BatchBuilder.Building memory b) internal returns (uint256 paid) {
        vm.recordLogs();
        settle(first, b);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 events = 0;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(escrow) || logs[i].topics[0] != Escrow.Settled.selector) continue;
            vm.assertEq(uint256(logs[i].topics[1]), first, "first reference in the event");
            uint256 count;
            (count, paid) = abi.decode(logs[i].data, (uint256, uint256));
            vm.assertEq(count, b.legCount, "count in the event");
            ++events;
        }
        vm.assertEq(events, 1, "one event per batch");
        for (uint64 i = 0; i < b.legCount; ++i) {
            if (paid >> i & 1 == 1) vm.assertTrue(escrow.isSpent(first + i), "a paid reference is spent");
        }
    }

    function expectFailure(uint64 legReference, Escrow.Failure reason) internal {
        vm.expectEmit(address(escrow));
        emit Escrow.LegFailed(legReference, reason);
    }

    function fund(uint64 vault, uint256 native, uint256 dollars) internal {
        address to = escrow.vaultOf(vault);
        vm.deal(to, to.balance + native);
        if (dollars > 0) usdt.mint(to, dollars);
    }
}
