// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A token for development chains with false logs: it keeps a tenth of each transfer but logs the full amount. Minting
/// is logged correctly. Chain ingestion must not trust its logs.
contract DevLyingUsdt {
    string public constant name = "Development lying USDT";
    string public constant symbol = "LUSDT";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    mapping(address holder => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error InsufficientBalance();

    /// Creates `value` base units. Anybody may call it.
    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 held = balanceOf[msg.sender];
        if (held < value) revert InsufficientBalance();
        balanceOf[msg.sender] = held - value;
        balanceOf[to] += value - value / 10;
        balanceOf[address(this)] += value / 10;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
