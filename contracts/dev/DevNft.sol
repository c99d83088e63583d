// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";

/// An NFT collection for development chains. The deployer mints, and states a royalty of 5% for itself.
contract DevNft is ERC721URIStorage, ERC2981 {
    address public immutable MINTER = msg.sender;

    error NotMinter();

    constructor(string memory album, string memory symbol) ERC721(album, symbol) {
        _setDefaultRoyalty(msg.sender, 500);
    }

    /// Creates token `tokenId` with its metadata URI. Only the deployer may call it.
    function mint(address to, uint256 tokenId, string calldata metadata) external {
        if (msg.sender != MINTER) revert NotMinter();
        _mint(to, tokenId);
        _setTokenURI(tokenId, metadata);
    }

    function supportsInterface(bytes4 id) public view override(ERC721URIStorage, ERC2981) returns (bool) {
        return super.supportsInterface(id);
    }
}
