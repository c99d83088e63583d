// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "../../src/AssetKind.sol";
import {Vault} from "../../src/Vault.sol";
import {GasBurner, Rejecting} from "../mocks/Recipients.sol";
import {BatchBuilder} from "../support/BatchBuilder.sol";
import {EscrowTest} from "../support/EscrowTest.sol";
import {vm} from "../support/Vm.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// Performs any action of the platform, its admin or strangers on one escrow, in any order. Keeps its own record of
/// payments, only from the events of the batches.
contract Handler is EscrowTest {
    using BatchBuilder for BatchBuilder.Building;

    uint64 public constant REFERENCES = 300;
    uint64 public constant VAULTS = 4;
    uint64 private constant MAX_LEGS = 8;

    mapping(uint64 legReference => uint256) public timesPaid;
    mapping(uint64 legReference => uint256) public timesVoided;
    /// By slot of the asset table: deposits into vaults, payments according to the events, and payments per day.
    mapping(uint8 slot => uint256) public deposited;
    mapping(uint8 slot => uint256) public paidOut;
    mapping(uint8 slot => mapping(uint256 day => uint256)) public paidOn;
    uint256 public nftsMinted;
    /// Counts of the outcomes that a run should cover.
    uint256 public legsPaid;
    uint256 public legsFailed;
    uint256 public legsVoided;
    uint256 public pairsPaid;

    address[] public recipients;

    /// A leg as written into the batch, for comparison with the event.
    struct Written {
        bool pays;
        bool withNext;
        bool orVoid;
        uint8 slot;
        uint256 units;
    }

    constructor() {
        recipients.push(ALICE);
        recipients.push(BOB);
        recipients.push(address(new Rejecting()));
        recipients.push(address(new GasBurner()));
        for (uint64 vault = 0; vault < VAULTS; ++vault) {
            fund(vault, 1 ether, 1 ether);
            deposited[NATIVE] += 1 ether;
            deposited[USDT] += 1 ether;
        }
    }

    function deposit(uint64 vault, uint8 slot, uint96 amount) external {
        slot %= 3;
        address to = escrow.vaultOf(vault % VAULTS);
        if (slot == NATIVE) {
            vm.deal(to, to.balance + amount);
        } else if (slot == USDT) {
            usdt.mint(to, amount);
        } else {
            amount = 1;
            nft.mint(to, nftsMinted++, "");
        }
        deposited[slot] += amount;
    }

    /// Settles a batch generated from `seed`. Its references may already be spent.
    function settleBatch(uint64 first, uint256 seed) external {
        first %= REFERENCES - MAX_LEGS;
        BatchBuilder.Building memory b = assets();
        Written[] memory written = new Written[](1 + seed % MAX_LEGS);
        for (uint256 i = 0; i < written.length; ++i) {
            bool partner = i > 0 && written[i - 1].withNext;
            bool last = i + 1 == written.length;
            written[i] = _write(b, uint256(keccak256(abi.encode(seed, i))), partner, last);
        }
        uint256 spent = _spent(first, written.length);
        uint256[3] memory left = _left();
        uint256 paid = settled(first, b);
        _book(first, written, paid);
        _bookVoids(first, written, paid, spent);
        for (uint8 slot = 0; slot < 3; ++slot) {
            vm.assertLe(_left()[slot], left[slot], "a batch never raises the remaining limit");
        }
    }

    function voidOne(uint64 legReference) external {
        legReference %= REFERENCES;
        bool spent = escrow.isSpent(legReference);
        vm.prank(ADMIN);
        try escrow.voidReference(legReference) {
            vm.assertFalse(spent, "a spent reference cannot be voided");
            timesVoided[legReference] += 1;
        } catch {
            vm.assertTrue(spent, "an unspent reference can be voided");
        }
    }

    function limit(uint8 slot, uint128 dayLimit, uint8 chance) external {
        slot %= 3;
        AssetKind kind = slot == NATIVE ? AssetKind.Native : slot == USDT ? AssetKind.Erc20 : AssetKind.Erc721;
        list(_token(slot), chance % 4 == 0 ? AssetKind.Unlisted : kind, chance % 4 == 1 ? dayLimit : 1 ether);
    }

    function passTime(uint32 time) external {
        vm.warp(block.timestamp + time % 2 days);
    }

    /// A stranger tries to move coins through the escrow and directly from a vault.
    function attack(address stranger, uint64 vault, uint64 legReference, uint128 amount) external {
        if (stranger == ADMIN || stranger == SETTLER || stranger == address(escrow)) return;
        bytes memory batch = assets().pay(NATIVE, vault % VAULTS, stranger, amount).done();
        address target = escrow.vaultOf(vault % VAULTS);
        vm.prank(stranger);
        (bool settledIt,) = address(escrow).call(abi.encodeCall(escrow.settle, (legReference % REFERENCES, batch)));
        vm.prank(stranger);
        (bool voidedIt,) = address(escrow).call(abi.encodeCall(escrow.voidReference, (legReference % REFERENCES)));
        vm.assertFalse(settledIt || voidedIt, "refused");
        vm.prank(stranger);
        (bool paidIt,) = target.call(abi.encodeCall(Vault.payNative, (stranger, amount)));
        vm.assertFalse(paidIt && target.code.length > 0, "refused by the vault");
    }

    /// The amount of an asset in all vaults.
    function held(uint8 slot) external view returns (uint256 sum) {
        for (uint64 i = 0; i < VAULTS; ++i) {
            sum += _balance(slot, escrow.vaultOf(i));
        }
    }

    /// The amount of an asset that all recipients have received.
    function received(uint8 slot) external view returns (uint256 sum) {
        for (uint256 i = 0; i < recipients.length; ++i) {
            sum += _balance(slot, recipients[i]);
        }
    }

    function isSpent(uint64 legReference) external view returns (bool) {
        return escrow.isSpent(legReference);
    }

    function _write(BatchBuilder.Building memory b, uint256 seed, bool partner, bool last)
        private
        view
        returns (Written memory written)
    {
        if (!partner && seed % 5 == 0) {
            b.skip();
            return written;
        }
        uint64 vault = uint64((seed >> 8) % VAULTS);
        address to = recipients[(seed >> 16) % recipients.length];
        written.pays = true;
        written.withNext = !partner && !last && (seed >> 24) % 3 == 0;
        written.slot = uint8((seed >> 32) % 3);
        bool nftLeg = written.slot == NFT;
        // Amounts of every magnitude, up to the order of vault balances.
        uint256 drawn = nftLeg ? (seed >> 40) % (nftsMinted + 1) : (seed >> 160) >> (36 + seed % 60);
        uint128 value = SafeCast.toUint128(drawn);
        written.units = nftLeg ? 1 : value;
        if (nftLeg && written.withNext) {
            b.payNftWithNext(NFT, vault, to, value);
        } else if (nftLeg) {
            b.payNft(NFT, vault, to, value);
        } else if (written.withNext) {
            b.payWithNext(written.slot, vault, to, value);
        } else if (!partner && (seed >> 28) % 4 == 0) {
            (written.orVoid, b) = (true, b.payOrVoid(written.slot, vault, to, value));
        } else {
            b.pay(written.slot, vault, to, value);
        }
    }

    function _book(uint64 first, Written[] memory written, uint256 paid) private {
        uint256 day = block.timestamp / 1 days;
        for (uint64 i = 0; i < written.length; ++i) {
            bool wasPaid = (paid >> i) & 1 == 1;
            Written memory leg = written[i];
            if (leg.withNext) {
                vm.assertEq(wasPaid, (paid >> (i + 1)) & 1 == 1, "a pair is paid together or not at all");
                if (wasPaid) ++pairsPaid;
            }
            if (!wasPaid) {
                if (leg.pays) ++legsFailed;
                continue;
            }
            vm.assertTrue(leg.pays, "a skipped reference is not paid");
            ++legsPaid;
            timesPaid[first + i] += 1;
            paidOut[leg.slot] += leg.units;
            paidOn[leg.slot][day] += leg.units;
            (, uint128 dayLimit) = escrow.assetPolicy(_token(leg.slot));
            vm.assertLe(paidOn[leg.slot][day], dayLimit, "within the current day limit");
        }
    }

    /// A leg that the batch spent without paying must be marked to be voided when refused.
    function _bookVoids(uint64 first, Written[] memory written, uint256 paid, uint256 before) private {
        uint256 voided = _spent(first, written.length) & ~before & ~paid;
        for (uint64 i = 0; i < written.length; ++i) {
            if ((voided >> i) & 1 == 0) continue;
            vm.assertTrue(written[i].orVoid, "only a marked leg is voided");
            timesVoided[first + i] += 1;
            ++legsVoided;
        }
    }

    function _spent(uint64 first, uint256 count) private view returns (uint256 bits) {
        for (uint64 i = 0; i < count; ++i) {
            if (escrow.isSpent(first + i)) bits |= uint256(1) << i;
        }
    }

    function _left() private view returns (uint256[3] memory left) {
        for (uint8 slot = 0; slot < 3; ++slot) {
            left[slot] = escrow.leftToday(_token(slot));
        }
    }

    function _token(uint8 slot) private view returns (address) {
        return slot == NATIVE ? address(0) : slot == USDT ? address(usdt) : address(nft);
    }

    function _balance(uint8 slot, address holder) private view returns (uint256) {
        if (slot == NATIVE) return holder.balance;
        return slot == USDT ? usdt.balanceOf(holder) : nft.balanceOf(holder);
    }
}
