// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {EscrowTest} from "./support/EscrowTest.sol";
import {vm} from "./support/Vm.sol";
import {IERC2981} from "@openzeppelin/contracts/interfaces/IERC2981.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// What the development collection states about royalties.
contract RoyaltyTest is EscrowTest {
    function test_the_deployer_is_stated_to_receive_five_percent() external view {
        (address receiver, uint256 royalty) = nft.royaltyInfo(7, 10_000);
        vm.assertEq(receiver, nft.MINTER(), "receiver");
        vm.assertEq(royalty, 500, "royalty");
        vm.assertTrue(nft.supportsInterface(type(IERC2981).interfaceId), "EIP-2981");
        vm.assertTrue(nft.supportsInterface(type(IERC721).interfaceId), "ERC-721");
    }
}
