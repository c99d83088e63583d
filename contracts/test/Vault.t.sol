// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Vault} from "../src/Vault.sol";
import {StipendSender} from "./mocks/Recipients.sol";
import {BatchBuilder} from "./support/BatchBuilder.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

contract VaultTest is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    uint64 private constant INDEX = 7;

    function test_address_is_known_before_the_first_payout() external {
        address vault = escrow.vaultOf(INDEX);
        vm.assertEq(vault.code.length, 0, "not deployed yet");
        _deploy();
        vm.assertEq(vault.code.length, 50, "deployed at its address");
        vm.assertEq(address(Vault(vault).ESCROW()), address(escrow), "delegates to the shared code");
    }

    function testFuzz_each_index_has_its_own_address(uint64 a, uint64 b) external view {
        vm.assertEq(escrow.vaultOf(a) == escrow.vaultOf(b), a == b, "one address per index");
    }

    function test_receives_native_coins_within_2300_gas() external {
        StipendSender sender = new StipendSender();
        vm.deal(address(sender), 10);
        address payable vault = payable(escrow.vaultOf(INDEX));
        sender.send(vault, 3);
        vm.assertEq(vault.balance, 3, "received before deployment");
        _deploy();
        sender.send(vault, 4);
        vm.assertEq(vault.balance, 7, "received after deployment");
    }

    function test_receives_nfts_by_both_transfers() external {
        address vault = escrow.vaultOf(INDEX);
        for (uint256 id = 1; id <= 4; ++id) {
            nft.mint(address(this), id, "");
        }
        nft.safeTransferFrom(address(this), vault, 1);
        nft.transferFrom(address(this), vault, 2);
        _deploy();
        nft.safeTransferFrom(address(this), vault, 3);
        nft.transferFrom(address(this), vault, 4);
        vm.assertEq(nft.balanceOf(vault), 4, "all four received");
    }

    function testFuzz_pays_only_for_the_escrow(address stranger) external {
        vm.assume(stranger != address(escrow));
        fund(INDEX, 10, 10);
        _deploy();
        Vault vault = Vault(escrow.vaultOf(INDEX));

        vm.prank(stranger);
        vm.expectRevert(Vault.NotEscrow.selector);
        vault.payNative(stranger, 1);
        vm.prank(stranger);
        vm.expectRevert(Vault.NotEscrow.selector);
        vault.payErc20(IERC20(address(usdt)), stranger, 1);
        vm.prank(stranger);
        vm.expectRevert(Vault.NotEscrow.selector);
        vault.payErc721(IERC721(address(nft)), stranger, 1);
    }

    function test_the_shared_code_neither_receives_nor_pays() external {
        Vault implementation = Vault(escrow.VAULT_IMPLEMENTATION());
        vm.deal(address(this), 1);
        (bool taken,) = address(implementation).call{value: 1}("");
        vm.assertFalse(taken, "refuses the native coin");
        vm.expectRevert(Vault.NotEscrow.selector);
        implementation.payNative(ALICE, 0);
    }

    function test_refuses_coins_with_unknown_calldata() external {
        _deploy();
        vm.deal(address(this), 1);
        (bool taken,) = escrow.vaultOf(INDEX).call{value: 1}("hello");
        vm.assertFalse(taken, "unknown calldata refused");
    }

    function test_cannot_pay_an_nft_it_does_not_hold() external {
        nft.mint(ALICE, 9, "");
        expectFailure(3, FAILED);
        vm.assertEq(settled(3, assets().payNft(NFT, INDEX, BOB, 9)), 0, "NFT not in the vault");
        vm.assertEq(nft.ownerOf(9), ALICE, "NFT not moved");
    }

    /// Deploys the vault with a first payout of one unit.
    function _deploy() private {
        usdt.mint(escrow.vaultOf(INDEX), 1);
        vm.assertEq(settled(type(uint64).max, assets().pay(USDT, INDEX, ALICE, 1)), 1, "paid");
    }
}
