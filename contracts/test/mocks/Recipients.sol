// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";

/// Takes nothing.
contract Rejecting {
    receive() external payable {
        revert("no");
    }
}

/// Burns all gas that it gets.
contract GasBurner {
    receive() external payable {
        assembly {
            invalid()
        }
    }
}

/// Answers with a megabyte, as a success or as a failure.
contract ReturnBomb {
    bool private immutable FAILS;

    constructor(bool fails) {
        FAILS = fails;
    }

    receive() external payable {
        bool fails = FAILS;
        assembly {
            if fails { revert(0, 100000) }
            return(0, 100000)
        }
    }
}

/// Takes the coin, after having used up about the gas that it was told to.
contract Hungry {
    uint256 public appetite;

    function setAppetite(uint256 gas) external {
        appetite = gas;
    }

    receive() external payable {
        uint256 enough = gasleft() - appetite;
        while (gasleft() > enough) {}
    }
}

/// Takes the coin only if it comes with enough gas, and refuses at once if not.
contract Picky {
    uint256 private immutable ENOUGH;

    constructor(uint256 gas) {
        ENOUGH = gas;
    }

    receive() external payable {
        require(gasleft() >= ENOUGH, "too little gas");
    }
}

/// Calls back when it is paid, with what it was told to, and keeps whether that worked.
contract Reentrant {
    address private _target;
    bytes private _data;
    bool public called;
    bool public succeeded;

    function onPaid(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    receive() external payable {
        called = true;
        (succeeded,) = _target.call(_data);
    }
}

/// Sends with the 2,300 gas of `transfer`.
contract StipendSender {
    function send(address payable to, uint256 amount) external {
        (bool sent) = to.send(amount);
        require(sent, "not within 2,300 gas");
    }
}
