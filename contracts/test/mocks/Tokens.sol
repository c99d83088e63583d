// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A standard ERC-20 token.
contract PlainToken is ERC20("Plain", "PLN") {
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

/// Returns false instead of reverting, and moves nothing.
contract FalseToken is PlainToken {
    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// Keeps a tenth of each transfer.
contract FeeToken is PlainToken {
    function _update(address from, address to, uint256 value) internal override {
        uint256 fee = from == address(0) ? 0 : value / 10;
        super._update(from, to, value - fee);
        if (fee > 0) super._update(from, address(this), fee);
    }
}

/// Can be paused, like USDT.
contract PausableToken is PlainToken {
    bool public paused;

    function setPaused(bool to) external {
        paused = to;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!paused, "paused");
        super._update(from, to, value);
    }
}

/// Makes a call during each transfer, before it moves anything.
contract ReentrantToken is PlainToken {
    address private _target;
    bytes private _data;
    bool public called;
    bool public succeeded;

    function onTransfer(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (_target != address(0)) {
            called = true;
            (succeeded,) = _target.call(_data);
        }
        super._update(from, to, value);
    }
}

/// Reverts or returns with 100,000 bytes.
contract BombToken is PlainToken {
    bool private immutable FAILS;

    constructor(bool fails) {
        FAILS = fails;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        bool fails = FAILS;
        super.transfer(to, value);
        assembly {
            mstore(0, 1)
            if fails { revert(0, 100000) }
            return(0, 100000)
        }
    }
}

/// Burns all gas.
contract BurnerToken is PlainToken {
    function transfer(address, uint256) public pure override returns (bool) {
        assembly {
            invalid()
        }
    }
}

/// Returns one byte, which is not a valid bool.
contract ShortToken is PlainToken {
    function transfer(address, uint256) public pure override returns (bool) {
        assembly {
            mstore(0, not(0))
            return(0, 1)
        }
    }
}

/// Allows `transferFrom` by the holder without an allowance, like WETH.
contract SelfAllowedToken is PlainToken {
    function _spendAllowance(address owner, address spender, uint256 value) internal override {
        if (owner != spender) super._spendAllowance(owner, spender, value);
    }
}
