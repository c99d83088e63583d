// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// The byte code of a vault: a minimal delegating clone that answers an empty call by itself.
///
/// An ERC-1167 clone delegates every call, and the delegatecall to a cold address alone costs more than the 2,300 gas
/// that `transfer` and `send` leave: such a clone cannot take the native coin from them once it is deployed. This one
/// stops before it delegates when the call carries no data.
library VaultCode {
    /// Creation code for a vault that delegates to `implementation`: 59 bytes, of which 50 stay on the chain.
    ///
    /// - `60 32 80 60 09 5f 39 5f f3`  return the 50 bytes behind these nine
    /// - `36 60 05 57 00 5b`           no call data: stop
    /// - `36 5f 5f 37 5f 5f 36 5f 73`  else delegate all of it to
    /// - the implementation's 20 bytes
    /// - `5a f4 3d 5f 5f 3e`           with all gas, and copy what it returns
    /// - `5f 3d 91 60 30 57 fd 5b f3`  revert or return with that
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
