// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Escrow} from "../src/Escrow.sol";
import {Vault} from "../src/Vault.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// An NFT collection for development chains that attacks on demand. Anybody may mint, move and configure. Until it is
/// configured, it behaves.
contract DevHostileNft {
    /// What a transfer does. `Nothing` succeeds and moves nothing, and `Elsewhere` moves the NFT to this contract; both
    /// log what was asked for.
    enum Transfers {
        Honest,
        Reverts,
        UsesAllGas,
        Nothing,
        Elsewhere,
        Reenters
    }

    /// What `ownerOf`, `tokenURI` and `royaltyInfo` answer. `Lies` names `stranger`, and a royalty above the price.
    enum Answers {
        Honest,
        Reverts,
        UsesAllGas,
        Nothing,
        Lies,
        TooLong
    }

    Transfers public transfers;
    Answers public answers;
    /// The recipient to whom no transfer succeeds.
    address public refused;
    address public stranger;
    /// The calls that a transfer made, and those of them that succeeded.
    uint256 public calls;
    uint256 public succeeded;

    mapping(uint256 tokenId => address) private _owners;
    mapping(uint256 tokenId => string) private _uris;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event MetadataUpdate(uint256 tokenId);
    event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId);

    error Refused();

    function setTransfers(Transfers to) external {
        transfers = to;
    }

    function setAnswers(Answers to, address named) external {
        answers = to;
        stranger = named;
    }

    function refuse(address recipient) external {
        refused = recipient;
    }

    function mint(address to, uint256 tokenId, string calldata metadata) external {
        _owners[tokenId] = to;
        _uris[tokenId] = metadata;
        emit Transfer(address(0), to, tokenId);
    }

    /// Moves an NFT of anybody. The zero address burns it.
    function seize(address to, uint256 tokenId, bool logged) external {
        if (logged) emit Transfer(_owners[tokenId], to, tokenId);
        _owners[tokenId] = to;
    }

    /// Logs transfers of `count` NFTs from number `tokenId` on, and moves nothing.
    function forge(address from, address to, uint256 tokenId, uint256 count) external {
        for (uint256 i = 0; i < count; ++i) {
            emit Transfer(from, to, tokenId + i);
        }
    }

    /// Changes metadata and reports it, for one NFT if both numbers are the same.
    function update(uint256 from, uint256 to, string calldata metadata) external {
        _uris[from] = metadata;
        if (from == to) emit MetadataUpdate(from);
        else emit BatchMetadataUpdate(from, to);
    }

    /// Anybody may move the NFTs of anybody.
    function transferFrom(address from, address to, uint256 tokenId) external {
        if (transfers == Transfers.Reverts || to == refused || _owners[tokenId] != from) revert Refused();
        if (transfers == Transfers.UsesAllGas) _useAllGas();
        if (transfers == Transfers.Reenters) _reenter(tokenId);
        if (transfers == Transfers.Elsewhere) _owners[tokenId] = address(this);
        else if (transfers != Transfers.Nothing) _owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function ownerOf(uint256 tokenId) external view returns (address owner) {
        _misbehave();
        owner = answers == Answers.Lies ? stranger : _owners[tokenId];
        if (owner == address(0)) revert Refused();
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        _misbehave();
        return _uris[tokenId];
    }

    /// Honestly, it states a royalty of 10% for itself.
    function royaltyInfo(uint256, uint256 price) external view returns (address receiver, uint256 royalty) {
        _misbehave();
        return answers == Answers.Lies ? (stranger, price + 1) : (address(this), price / 10);
    }

    /// Asks the paying vault and its Escrow for more.
    function _reenter(uint256 tokenId) private {
        _try(msg.sender, abi.encodeCall(Vault.payNative, (address(this), 1)));
        _try(msg.sender, abi.encodeCall(Vault.payErc721, (IERC721(address(this)), address(this), tokenId)));
        _try(address(Vault(msg.sender).ESCROW()), abi.encodeCall(Escrow.settle, (0, "")));
    }

    function _try(address target, bytes memory data) private {
        (bool ok,) = target.call(data);
        ++calls;
        if (ok) ++succeeded;
    }

    function _misbehave() private view {
        if (answers == Answers.Reverts) revert Refused();
        if (answers == Answers.UsesAllGas) _useAllGas();
        if (answers == Answers.Nothing) _return(0);
        if (answers == Answers.TooLong) _return(300_000);
    }

    function _useAllGas() private pure {
        assembly {
            invalid()
        }
    }

    /// Ends the call with so many zero bytes.
    function _return(uint256 length) private pure {
        assembly {
            return(0, length)
        }
    }
}
