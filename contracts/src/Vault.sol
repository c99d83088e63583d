// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// A user's vault: holds coins and NFTs, and pays only when the Escrow tells it to.
///
/// The Escrow deploys one copy of this code, and each vault is a clone of it (see `VaultCode`). The clones accept plain
/// native transfers; this copy does not, so no coins can get stuck in it.
contract Vault is ERC721Holder {
    /// The only address that can make a vault pay: the one that deployed this code.
    address public immutable ESCROW = msg.sender;

    /// The caller is not the Escrow.
    error NotEscrow();
    /// The collection did not revert, but the recipient does not own the NFT.
    error NotReceived();

    modifier onlyEscrow() {
        _requireEscrow();
        _;
    }

    /// Sends `amount` base units of the native coin and returns whether the recipient accepted them. Return data is not
    /// copied, because a recipient could make the payer pay gas for a very long one.
    function payNative(address to, uint256 amount) external onlyEscrow returns (bool paid) {
        return LowLevelCall.callNoReturn(to, amount, "");
    }

    /// Sends `amount` base units of an ERC-20 token and returns whether it succeeded. A token that returns nothing has
    /// succeeded if it has code and did not revert; one that returns false has not.
    function payErc20(IERC20 token, address to, uint256 amount) external onlyEscrow returns (bool paid) {
        return SafeERC20.trySafeTransfer(token, to, amount);
    }

    /// Sends one NFT, or reverts if the collection does or if the recipient does not own it afterwards: `transferFrom`
    /// returns nothing, so a collection can ignore it without failing. Does not use `safeTransferFrom`, which would let
    /// the recipient's code refuse the NFT.
    function payErc721(IERC721 token, address to, uint256 tokenId) external onlyEscrow returns (bool paid) {
        // forge-lint: disable-next-line(erc20-unchecked-transfer)
        token.transferFrom(address(this), to, tokenId);
        if (token.ownerOf(tokenId) != to) revert NotReceived();
        return true;
    }

    function _requireEscrow() private view {
        if (msg.sender != ESCROW) revert NotEscrow();
    }
}
