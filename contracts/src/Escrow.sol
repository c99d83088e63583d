// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {AssetKind} from "./AssetKind.sol";
import {AssetPolicies} from "./AssetPolicies.sol";
import {Batch} from "./Batch.sol";
import {References} from "./References.sol";
import {Vault} from "./Vault.sol";
import {Vaults} from "./Vaults.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// The platform's escrow: deploys vaults and pays settlement legs from them, each reference at most once.
///
/// A batch covers consecutive references. A leg that fails does not stop the others and leaves its reference unspent,
/// unless it is marked to be voided if its payment is refused. Two legs marked atomic are paid together or not at all.
/// `LegFailed` reports why a leg failed.
contract Escrow is AccessControl, Pausable, ReentrancyGuardTransient, Vaults, References, AssetPolicies {
    /// May pay within the day limits. Held by the platform's hot key.
    bytes32 public constant SETTLER_ROLE = keccak256("SETTLER_ROLE");
    /// May pause. Only the admin can unpause.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// The gas of one payment. Every payment gets all of it, so whether a leg fails depends only on the state of the
    /// chain and not on the gas of the transaction.
    uint256 public constant PAYMENT_GAS = 200_000;

    /// Gas that must be left before a leg: for the payment, the EVM's 1/64 reserve, a new vault, and bookkeeping.
    uint256 private constant LEG_GAS = PAYMENT_GAS + PAYMENT_GAS / 63 + 80_000;
    /// The same for two legs in their own call frame, plus the EVM's reserve for that frame.
    uint256 private constant PAIR_FRAME_GAS = 2 * LEG_GAS;
    uint256 private constant PAIR_GAS = PAIR_FRAME_GAS + PAIR_FRAME_GAS / 63 + 20_000;

    uint256 private constant ONE = 1;
    uint256 private constant BOTH = 3;

    /// Why a leg was not paid. Its reference is unspent, except for `AlreadySpent`.
    enum Failure {
        None,
        AlreadySpent,
        AssetNotListed,
        OverDayLimit,
        InvalidLeg,
        PaymentFailed,
        PartnerFailed
    }

    /// A batch while it is being settled. Bit i of `spent`, `paid` and `voided` stands for leg number i.
    struct Run {
        uint64 firstReference;
        uint256 count;
        uint256 offset;
        uint256 spent;
        uint256 paid;
        uint256 voided;
        Budget[] budgets;
        AssetKind[] kinds;
    }

    /// A payment, as passed to the call frame of a pair.
    struct Payment {
        AssetKind kind;
        address token;
        uint64 vaultIndex;
        address to;
        uint256 value;
    }

    /// A batch of the references `firstReference` to `firstReference + count - 1` was settled. Bit i of `paid` is set
    /// if `firstReference + i` was paid.
    event Settled(uint64 indexed firstReference, uint8 count, uint256 paid);
    /// A leg of the batch was not paid.
    event LegFailed(uint64 indexed legReference, Failure reason);
    /// The admin sent an NFT of a collection that was never listed out of a vault.
    event UnlistedReturned(uint64 indexed vaultIndex, address indexed collection, uint256 tokenId, address to);

    /// The transaction has too little gas for a leg. The whole batch reverts.
    error InsufficientGas();
    /// Only this contract may call the function.
    error NotSelf();
    /// The first leg of a pair was not paid, so the second is not tried.
    error FirstLegFailed();
    /// The second leg of a pair was not paid, so the first is undone.
    error SecondLegFailed();
    /// NFTs of a collection that was ever listed leave their vaults only as payouts.
    error CollectionKnown();

    /// `admin` lists assets, sets limits, grants roles, unpauses and voids; `settler` pays; `pauser` pauses.
    constructor(address admin, address settler, address pauser) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(SETTLER_ROLE, settler);
        _grantRole(PAUSER_ROLE, pauser);
    }

    /// Pays the legs of `batch`. Their references are consecutive and begin with `firstReference`.
    ///
    /// Reverts without paying anything if the batch is malformed or the gas left before a leg does not cover it.
    function settle(uint64 firstReference, bytes calldata batch)
        external
        onlyRole(SETTLER_ROLE)
        whenNotPaused
        nonReentrant
    {
        Run memory run;
        run.firstReference = firstReference;
        (run.count, run.offset) = Batch.header(batch);
        (run.budgets, run.kinds) = _openBudgets(batch);
        run.spent = _spentWindow(firstReference, run.count);

        Batch.Leg memory leg;
        for (uint256 i = 0; i < run.count; ++i) {
            run.offset = Batch.read(batch, run.offset, run.kinds, leg);
            if (leg.skip) continue;
            if (leg.atomicWithNext) {
                _settlePair(run, i, leg, _partner(run, i, batch));
                ++i;
            } else {
                _settleAlone(run, i, leg);
            }
        }
        if (run.offset != batch.length) revert Batch.MalformedBatch();

        _markSpent(firstReference, run.paid | run.voided);
        _closeBudgets(run.budgets);
        emit Settled(firstReference, SafeCast.toUint8(run.count), run.paid);
    }

    /// Spends a reference without paying it, so that it can never be paid. Reverts if it is already spent.
    ///
    /// Reserved to the admin: a voided payout is owed again under a new reference, so the key that can pay must not be
    /// able to void.
    function voidReference(uint64 legReference) external onlyRole(DEFAULT_ADMIN_ROLE) whenNotPaused nonReentrant {
        _void(legReference);
    }

    /// Lists an asset as `kind` and allows payouts of at most `dayLimit` of it (base units; for NFTs, tokens) per UTC
    /// day. `AssetKind.Unlisted` stops its payouts; what the vaults hold of it stays there. The native coin is the zero
    /// address.
    ///
    /// The admin, not the batch, determines the kind. Some ERC-20 tokens allow `transferFrom` by the holder, so a batch
    /// that declared such a token an NFT could pay any amount as a single unit of the limit.
    function setAsset(address token, AssetKind kind, uint128 dayLimit) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setAsset(token, kind, dayLimit);
    }

    /// Sends an NFT of a collection that was never listed from a vault to `to`, which is where it came from. Reverts if
    /// the collection refuses.
    ///
    /// Nobody is credited with such an NFT, so no payout can be owed, and no reference is needed: the collection itself
    /// moves an NFT out of the vault only once. NFTs of a delisted collection may be owed, so they stay in their vaults
    /// until it is listed again. Reserved to the admin: no limit applies.
    function returnUnlisted(uint64 vaultIndex, address collection, uint256 tokenId, address to)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        whenNotPaused
        nonReentrant
    {
        if (_isKnown(collection)) revert CollectionKnown();
        emit UnlistedReturned(vaultIndex, collection, tokenId, to);
        Vault(_deployedVault(vaultIndex)).payErc721(IERC721(collection), to, tokenId);
    }

    /// Stops `settle`, `voidReference` and `returnUnlisted`.
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    /// Ends a pause. Reserved to the admin, so that a stolen pauser key can stop the platform but not restart it.
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// Pays two legs in their own call frame, so that the failure of one reverts the other.
    function payPair(Payment calldata first, Payment calldata second) external {
        if (msg.sender != address(this)) revert NotSelf();
        if (!_pay(first.kind, first.token, first.vaultIndex, first.to, first.value)) revert FirstLegFailed();
        if (!_pay(second.kind, second.token, second.vaultIndex, second.to, second.value)) revert SecondLegFailed();
    }

    /// The second leg of the pair whose first leg is number `i`.
    function _partner(Run memory run, uint256 i, bytes calldata batch) private pure returns (Batch.Leg memory partner) {
        if (i + 1 == run.count) revert Batch.MalformedBatch();
        run.offset = Batch.read(batch, run.offset, run.kinds, partner);
        if (partner.skip || partner.atomicWithNext || partner.voidIfRefused) revert Batch.MalformedBatch();
    }

    /// Pays leg number `i`, or emits why it failed.
    function _settleAlone(Run memory run, uint256 i, Batch.Leg memory leg) private {
        if (gasleft() < LEG_GAS) revert InsufficientGas();
        Budget memory budget = run.budgets[leg.slot];
        uint256 units = _units(leg, budget);
        Failure failure = _refusal(run, i, leg, units);
        if (failure == Failure.None) {
            if (_pay(budget.kind, budget.token, leg.vaultIndex, leg.to, leg.value)) {
                _take(budget, units);
                run.paid |= ONE << i;
                return;
            }
            if (leg.voidIfRefused) {
                run.voided |= ONE << i;
                emit Voided(_legReference(run.firstReference, i));
                return;
            }
            failure = Failure.PaymentFailed;
        }
        emit LegFailed(_legReference(run.firstReference, i), failure);
    }

    /// Pays legs number `i` and `i + 1`, or emits why they failed.
    function _settlePair(Run memory run, uint256 i, Batch.Leg memory first, Batch.Leg memory second) private {
        if (gasleft() < PAIR_GAS) revert InsufficientGas();
        Budget memory firstBudget = run.budgets[first.slot];
        Budget memory secondBudget = run.budgets[second.slot];
        uint256 firstUnits = _units(first, firstBudget);
        uint256 secondUnits = _units(second, secondBudget);
        Failure firstFailure = _refusal(run, i, first, firstUnits);
        // Both legs may use the same budget, so the second is checked against what the first would leave.
        if (firstFailure != Failure.None) firstUnits = 0;
        _take(firstBudget, firstUnits);
        Failure secondFailure = _refusal(run, i + 1, second, secondUnits);

        if (firstFailure == Failure.None && secondFailure == Failure.None) {
            try this.payPair{gas: PAIR_FRAME_GAS}(_payment(first, firstBudget), _payment(second, secondBudget)) {
                _take(secondBudget, secondUnits);
                run.paid |= BOTH << i;
                return;
            } catch (bytes memory reason) {
                // Report which payment was refused, because only that leg may be redirected. If the first is refused,
                // the second is not tried. The selector tells which it was.
                // forge-lint: disable-next-line(unsafe-typecast)
                bool secondRefused = bytes4(reason) == SecondLegFailed.selector;
                firstFailure = secondRefused ? Failure.PartnerFailed : Failure.PaymentFailed;
                secondFailure = secondRefused ? Failure.PaymentFailed : Failure.PartnerFailed;
            }
        }
        _giveBack(firstBudget, firstUnits);
        _pairFailed(run, i, firstFailure, secondFailure);
    }

    function _pairFailed(Run memory run, uint256 i, Failure first, Failure second) private {
        if (first == Failure.None) first = Failure.PartnerFailed;
        if (second == Failure.None) second = Failure.PartnerFailed;
        emit LegFailed(_legReference(run.firstReference, i), first);
        emit LegFailed(_legReference(run.firstReference, i + 1), second);
    }

    /// Why leg number `i`, which uses `units` of its asset's day limit, must not be tried.
    function _refusal(Run memory run, uint256 i, Batch.Leg memory leg, uint256 units) private pure returns (Failure) {
        if ((run.spent >> i) & 1 == 1) return Failure.AlreadySpent;
        Budget memory budget = run.budgets[leg.slot];
        if (!budget.listed) return Failure.AssetNotListed;
        if (leg.to == address(0) || units == 0) return Failure.InvalidLeg;
        if (units > budget.left) return Failure.OverDayLimit;
        return Failure.None;
    }

    /// Makes the vault pay, with `PAYMENT_GAS`. The return data of a failure is ignored.
    function _pay(AssetKind kind, address token, uint64 vaultIndex, address to, uint256 value) private returns (bool) {
        Vault vault = Vault(_deployedVault(vaultIndex));
        if (kind == AssetKind.Native) {
            try vault.payNative{gas: PAYMENT_GAS}(to, value) returns (bool paid) {
                return paid;
            } catch {
                return false;
            }
        }
        if (kind == AssetKind.Erc20) {
            try vault.payErc20{gas: PAYMENT_GAS}(IERC20(token), to, value) returns (bool paid) {
                return paid;
            } catch {
                return false;
            }
        }
        try vault.payErc721{gas: PAYMENT_GAS}(IERC721(token), to, value) returns (bool paid) {
            return paid;
        } catch {
            return false;
        }
    }

    function _payment(Batch.Leg memory leg, Budget memory budget) private pure returns (Payment memory) {
        return Payment(budget.kind, budget.token, leg.vaultIndex, leg.to, leg.value);
    }

    /// What a leg uses of its asset's day limit: base units, or one NFT.
    function _units(Batch.Leg memory leg, Budget memory budget) private pure returns (uint256) {
        return budget.kind == AssetKind.Erc721 ? 1 : leg.value;
    }
}
