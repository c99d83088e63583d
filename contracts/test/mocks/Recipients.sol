// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Escrow} from "../../src/Escrow.sol";

/// Rejects every payment.
contract Rejecting {
    receive() external payable {
        revert("no");
    }
}

/// Burns all its gas.
contract GasBurner {
    receive() external payable {
        assembly {
            invalid()
        }
    }
}

/// Returns or reverts with a megabyte of data.
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

/// Accepts the coin after using about the configured amount of gas.
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

/// Accepts the coin only with enough gas; otherwise it reverts at once.
contract Picky {
    uint256 private immutable ENOUGH;

    constructor(uint256 gas) {
        ENOUGH = gas;
    }

    receive() external payable {
        require(gasleft() >= ENOUGH, "too little gas");
    }
}

/// Makes a configured call when it is paid, and records whether the call succeeded.
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

/// Sends coins with the 2,300 gas of `transfer`.
contract StipendSender {
    function send(address payable to, uint256 amount) external {
        (bool sent) = to.send(amount);
        require(sent, "not within 2,300 gas");
    }
}
