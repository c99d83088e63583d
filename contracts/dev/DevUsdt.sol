// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// A USDT for development chains with 6 decimals. Only the deployer may mint. As in USDT on Ethereum, `transfer`,
/// `transferFrom` and `approve` return nothing.
contract DevUsdt {
    string public constant name = "Development USDT";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public immutable MINTER = msg.sender;
    uint256 public totalSupply;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error NotMinter();
    error InsufficientBalance();
    error InsufficientAllowance();
    error ZeroRecipient();

    /// Creates `value` base units. Only the deployer may call it.
    function mint(address to, uint256 value) external {
        if (msg.sender != MINTER) revert NotMinter();
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert InsufficientAllowance();
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _move(address from, address to, uint256 value) private {
        if (to == address(0)) revert ZeroRecipient();
        uint256 held = balanceOf[from];
        if (held < value) revert InsufficientBalance();
        balanceOf[from] = held - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
