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

/// The platform's escrow: makes custody vaults and pays settlement legs out of them, each reference at most once, ever.
///
/// A batch covers consecutive references. A leg that fails does not stop the others and leaves its reference unspent,
/// unless it says that a refused payment voids it; two legs marked atomic go together or not at all. `LegFailed` says why a
/// leg failed.
contract Escrow is AccessControl, Pausable, ReentrancyGuardTransient, Vaults, References, AssetPolicies {
    /// May pay, within the day limits: the platform's hot key.
    bytes32 public constant SETTLER_ROLE = keccak256("SETTLER_ROLE");
    /// May pause. Only the admin can resume.
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    /// Gas that one payment gets, always all of it: a leg that fails would fail again with the same state of the chain,
    /// however much gas its transaction carries.
    uint256 public constant PAYMENT_GAS = 200_000;

    /// Gas that must be left before a leg: the payment's, what the EVM keeps back of it, a new vault, and book-keeping.
    uint256 private constant LEG_GAS = PAYMENT_GAS + PAYMENT_GAS / 63 + 80_000;
    /// The same for two legs in a frame of their own, and what the EVM keeps back of that frame.
    uint256 private constant PAIR_FRAME_GAS = 2 * LEG_GAS;
    uint256 private constant PAIR_GAS = PAIR_FRAME_GAS + PAIR_FRAME_GAS / 63 + 20_000;

    uint256 private constant ONE = 1;
    uint256 private constant BOTH = 3;

    /// Why a leg was not paid. Its reference is unspent, but for `AlreadySpent`.
    enum Failure {
        None,
        AlreadySpent,
        AssetNotListed,
        OverDayLimit,
        InvalidLeg,
        PaymentFailed,
        PartnerFailed
    }

    /// A batch while it is being settled. Bit i of `spent`, `paid` and `voided` is the reference of leg number i.
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

    /// A payment as the pair's own frame needs it.
    struct Payment {
        AssetKind kind;
        address token;
        uint64 vaultIndex;
        address to;
        uint256 value;
    }

    /// A batch over the references `firstReference` up to `firstReference + count - 1` was settled; bit i of `paid`
    /// says that `firstReference + i` was paid by it.
    event Settled(uint64 indexed firstReference, uint8 count, uint256 paid);
    /// A leg of the batch was not paid.
    event LegFailed(uint64 indexed legReference, Failure reason);

    /// The transaction carried too little gas to give every leg its due: nothing of it happened.
    error InsufficientGas();
    /// Only this contract may call that.
    error NotSelf();
    /// The first leg of a pair was not paid, so the second is not tried.
    error FirstLegFailed();
    /// The second leg of a pair was not paid, so the first is undone.
    error SecondLegFailed();

    /// `admin` lists assets, sets limits, grants roles, resumes and voids; `settler` pays; `pauser` pauses.
    constructor(address admin, address settler, address pauser) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(SETTLER_ROLE, settler);
        _grantRole(PAUSER_ROLE, pauser);
    }

    /// Pays the legs of `batch`, which begin at `firstReference` and take one reference each.
    ///
    /// Reverts as a whole, with nothing paid, for a malformed batch and unless the gas left before each leg covers it.
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

    /// Spends a reference without paying it, so that it never can be paid. Refused when it is spent already.
    ///
    /// The admin's, not the settler's: an undone payout is owed again under a new reference, so the key that can pay
    /// must not be the key that can undo.
    function voidReference(uint64 legReference) external onlyRole(DEFAULT_ADMIN_ROLE) whenNotPaused nonReentrant {
        _void(legReference);
    }

    /// Lists an asset as `kind` and lets at most `dayLimit` of it (base units; NFTs: tokens) leave on one UTC day.
    /// `AssetKind.Unlisted` stops its payouts. The native coin is the zero address.
    ///
    /// The kind is the admin's word, not the batch's: some ERC-20 tokens take `transferFrom` by their own holder, and
    /// a batch that called such a token an NFT would get any amount past the limit as one piece.
    function setAsset(address token, AssetKind kind, uint128 dayLimit) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setAsset(token, kind, dayLimit);
    }

    /// Stops `settle` and `voidReference`.
    function pause() external onlyRole(PAUSER_ROLE) {
        _pause();
    }

    /// Ends a pause: the admin's alone, so that a stolen pauser key can stop the platform but not restart it.
    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// Pays two legs in a call frame of their own, so that the failure of one undoes the other.
    function payPair(Payment calldata first, Payment calldata second) external {
        if (msg.sender != address(this)) revert NotSelf();
        if (!_pay(first.kind, first.token, first.vaultIndex, first.to, first.value)) revert FirstLegFailed();
        if (!_pay(second.kind, second.token, second.vaultIndex, second.to, second.value)) revert SecondLegFailed();
    }

    /// The second leg of the pair whose first is number `i`.
    function _partner(Run memory run, uint256 i, bytes calldata batch) private pure returns (Batch.Leg memory partner) {
        if (i + 1 == run.count) revert Batch.MalformedBatch();
        run.offset = Batch.read(batch, run.offset, run.kinds, partner);
        if (partner.skip || partner.atomicWithNext || partner.voidIfRefused) revert Batch.MalformedBatch();
    }

    /// Pays leg number `i`, or says why not.
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

    /// Pays legs number `i` and `i + 1`, or says why neither.
    function _settlePair(Run memory run, uint256 i, Batch.Leg memory first, Batch.Leg memory second) private {
        if (gasleft() < PAIR_GAS) revert InsufficientGas();
        Budget memory firstBudget = run.budgets[first.slot];
        Budget memory secondBudget = run.budgets[second.slot];
        uint256 firstUnits = _units(first, firstBudget);
        uint256 secondUnits = _units(second, secondBudget);
        Failure firstFailure = _refusal(run, i, first, firstUnits);
        // Both legs may draw on one budget, so the second is judged by what the first would leave.
        if (firstFailure != Failure.None) firstUnits = 0;
        _take(firstBudget, firstUnits);
        Failure secondFailure = _refusal(run, i + 1, second, secondUnits);

        if (firstFailure == Failure.None && secondFailure == Failure.None) {
            try this.payPair{gas: PAIR_FRAME_GAS}(_payment(first, firstBudget), _payment(second, secondBudget)) {
                _take(secondBudget, secondUnits);
                run.paid |= BOTH << i;
                return;
            } catch (bytes memory reason) {
                // Whose payment was refused: only that leg may be sent elsewhere. The second is not tried after the first.
                // The selector is all that is needed of the reason.
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

    /// Why leg number `i`, which takes `units` of its asset's day, must not even be tried.
    function _refusal(Run memory run, uint256 i, Batch.Leg memory leg, uint256 units) private pure returns (Failure) {
        if ((run.spent >> i) & 1 == 1) return Failure.AlreadySpent;
        Budget memory budget = run.budgets[leg.slot];
        if (!budget.listed) return Failure.AssetNotListed;
        if (leg.to == address(0) || units == 0) return Failure.InvalidLeg;
        if (units > budget.left) return Failure.OverDayLimit;
        return Failure.None;
    }

    /// Makes the vault pay, with `PAYMENT_GAS` and without looking at what a failure returns.
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

    /// What a leg takes of its asset's day: base units, or one NFT.
    function _units(Batch.Leg memory leg, Budget memory budget) private pure returns (uint256) {
        return budget.kind == AssetKind.Erc721 ? 1 : leg.value;
    }
}
