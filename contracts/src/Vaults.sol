// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Vault} from "./Vault.sol";
import {VaultCode} from "./VaultCode.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";

/// Vaults, one per custody index, at addresses that are known before deployment.
abstract contract Vaults {
    /// The code that every vault delegates to.
    address public immutable VAULT_IMPLEMENTATION = address(new Vault());
    bytes32 private immutable CREATION_CODE_HASH = keccak256(VaultCode.creationCode(VAULT_IMPLEMENTATION));

    /// The custody address of `vaultIndex`. It can receive coins before the vault is deployed.
    function vaultOf(uint64 vaultIndex) public view returns (address) {
        return Create2.computeAddress(_salt(vaultIndex), CREATION_CODE_HASH);
    }

    /// The vault of `vaultIndex`, which is deployed if this is its first payout.
    function _deployedVault(uint64 vaultIndex) internal returns (address vault) {
        vault = vaultOf(vaultIndex);
        if (vault.code.length == 0) {
            Create2.deploy(0, _salt(vaultIndex), VaultCode.creationCode(VAULT_IMPLEMENTATION));
        }
    }

    function _salt(uint64 vaultIndex) private pure returns (bytes32) {
        return bytes32(uint256(vaultIndex));
    }
}
