// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// The bytecode of a vault: a minimal proxy that handles calls without calldata itself.
///
/// An ERC-1167 proxy delegates every call, and a delegatecall to a cold address costs more than the 2,300 gas that
/// `transfer` and `send` provide. Once deployed, such a proxy could not receive the native coin from them. This proxy
/// stops before delegating if the call has no data.
library VaultCode {
    /// Creation code for a vault that delegates to `implementation`: 59 bytes, 50 of which are deployed.
    ///
    /// - `60 32 80 60 09 5f 39 5f f3`  return the 50 bytes that follow these nine
    /// - `36 60 05 57 00 5b`           no calldata: stop
    /// - `36 5f 5f 37 5f 5f 36 5f 73`  otherwise delegate the calldata to
    /// - the implementation's 20 bytes
    /// - `5a f4 3d 5f 5f 3e`           with all gas, and copy the return data
    /// - `5f 3d 91 60 30 57 fd 5b f3`  revert or return with it
    function creationCode(address implementation) internal pure returns (bytes memory) {
        return abi.encodePacked(
            hex"60328060095f395ff3",
            hex"36600557005b",
            hex"365f5f375f5f365f73",
            implementation,
            hex"5af43d5f5f3e",
            hex"5f3d91603057fd5bf3"
        );
    }
}
