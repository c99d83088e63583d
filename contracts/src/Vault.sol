// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";

/// A user's custody address: holds coins and NFTs, and pays only on the Escrow's word.
///
/// One copy of this code is deployed by the Escrow; each vault is a clone of it (see `VaultCode`), which also is what
/// takes plain native transfers. This copy itself has no way to take them, so nothing gets stuck in it.
contract Vault is ERC721Holder {
    /// The only address that can make a vault pay: the one that deployed this code.
    address public immutable ESCROW = msg.sender;

    /// The caller is not the Escrow.
    error NotEscrow();

    modifier onlyEscrow() {
        _requireEscrow();
        _;
    }

    /// Sends `amount` of the native coin's base units, and says whether the recipient took it. What it returns is not
    /// copied: it could otherwise make the payer pay for a very long answer.
    function payNative(address to, uint256 amount) external onlyEscrow returns (bool paid) {
        return LowLevelCall.callNoReturn(to, amount, "");
    }

    /// Sends `amount` base units of an ERC-20, and says whether the token did it. A token that returns nothing is
    /// believed if it has code and did not revert; one that returns false is not.
    function payErc20(IERC20 token, address to, uint256 amount) external onlyEscrow returns (bool paid) {
        return SafeERC20.trySafeTransfer(token, to, amount);
    }

    /// Sends one NFT, or reverts as the album does. By `transferFrom`: `safeTransferFrom` would let the recipient's code
    /// decide whether it leaves.
    function payErc721(IERC721 token, address to, uint256 tokenId) external onlyEscrow returns (bool paid) {
        // forge-lint: disable-next-line(erc20-unchecked-transfer)
        token.transferFrom(address(this), to, tokenId);
        return true;
    }

    function _requireEscrow() private view {
        if (msg.sender != ESCROW) revert NotEscrow();
    }
}
