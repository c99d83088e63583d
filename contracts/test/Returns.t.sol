// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {DevNft} from "../dev/DevNft.sol";
import {AssetKind} from "../src/AssetKind.sol";
import {Escrow} from "../src/Escrow.sol";
import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// Returns of NFTs of collections that were never listed.
contract ReturnsTest is EscrowTest {
    uint64 private constant VAULT = 5;
    DevNft private foreign = DevNft(vm.deployCode("artifacts/DevNft.json", abi.encode("Foreign", "FOR")));

    function testFuzz_the_admin_returns_an_nft_of_an_unlisted_collection_once(uint256 tokenId) external {
        foreign.mint(escrow.vaultOf(VAULT), tokenId, "");
        vm.expectEmit(address(escrow));
        emit Escrow.UnlistedReturned(VAULT, address(foreign), tokenId, ALICE);
        vm.prank(ADMIN);
        escrow.returnUnlisted(VAULT, address(foreign), tokenId, ALICE);
        vm.assertEq(foreign.ownerOf(tokenId), ALICE, "it is back");

        vm.expectRevert(
            abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, escrow.vaultOf(VAULT), tokenId)
        );
        vm.prank(ADMIN);
        escrow.returnUnlisted(VAULT, address(foreign), tokenId, ALICE);
    }

    function test_nfts_of_a_listed_collection_leave_only_as_payouts() external {
        nft.mint(escrow.vaultOf(VAULT), 7, "");
        _stays(7);
    }

    function test_nfts_of_a_delisted_collection_stay_in_their_vaults() external {
        nft.mint(escrow.vaultOf(VAULT), 7, "");
        vm.prank(ADMIN);
        escrow.setAsset(address(nft), AssetKind.Unlisted, 0);
        _stays(7);
    }

    /// Not even the administrator can return an NFT of the listed collection.
    function _stays(uint256 tokenId) private {
        vm.expectRevert(Escrow.CollectionKnown.selector);
        vm.prank(ADMIN);
        escrow.returnUnlisted(VAULT, address(nft), tokenId, ALICE);
        vm.assertEq(nft.ownerOf(tokenId), escrow.vaultOf(VAULT), "it stays");
    }

    function test_delisting_an_unknown_collection_does_not_make_it_known() external {
        foreign.mint(escrow.vaultOf(VAULT), 7, "");
        vm.prank(ADMIN);
        escrow.setAsset(address(foreign), AssetKind.Unlisted, 0);
        vm.prank(ADMIN);
        escrow.returnUnlisted(VAULT, address(foreign), 7, ALICE);
        vm.assertEq(foreign.ownerOf(7), ALICE, "it is back");
    }

    function test_coins_are_not_returned() external {
        address[2] memory coins = [address(0), address(usdt)];
        for (uint256 i = 0; i < coins.length; ++i) {
            vm.expectRevert(Escrow.CollectionKnown.selector);
            vm.prank(ADMIN);
            escrow.returnUnlisted(VAULT, coins[i], 1, ALICE);
        }
    }

    function test_a_pause_also_stops_returns() external {
        foreign.mint(escrow.vaultOf(VAULT), 7, "");
        vm.prank(PAUSER);
        escrow.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vm.prank(ADMIN);
        escrow.returnUnlisted(VAULT, address(foreign), 7, ALICE);
    }
}
