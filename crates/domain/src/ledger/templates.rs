//! The templates of all postings. Money moves only through them.

use super::{Account, AccountKind, Entry, Posting, VaultAsset};
use crate::ids::{AdvertId, DepositId, OrderId, PayoutId};
use crate::money::{Amount, MoneyError};

impl Posting {
    fn new(template: &'static str, key: String) -> Self {
        Self { template, key, entries: Vec::new() }
    }

    /// Adds the number of voided payouts to the key, so that the same posting can be repeated after a void. Without
    /// voids, the key stays unchanged.
    #[must_use]
    pub fn after_voids(mut self, voids: u32) -> Self {
        if voids > 0 {
            self.key = format!("{}/{voids}", self.key);
        }
        self
    }

    /// Debits `from` and credits `to`. Ignores an amount of zero.
    fn carry(mut self, from: Account, to: Account, amount: Amount) -> Self {
        if !amount.is_zero() {
            self.entries.push(Entry { account: from, debit: true, amount });
            self.entries.push(Entry { account: to, debit: false, amount });
        }
        self
    }
}

/// Credits a final deposit: custody → temporary balance.
pub fn deposit_confirmed(deposit: DepositId, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("deposit_confirmed", format!("deposit/{deposit}/confirmed")).carry(
        vault_asset.custody(),
        vault_asset.temporary(),
        amount,
    )
}

/// Removes a credited deposit after a reorganization. `drawn` lists the accounts to debit; the rest becomes the vault
/// owner's debt.
pub fn deposit_revoked(
    deposit: DepositId,
    vault_asset: VaultAsset,
    amount: Amount,
    drawn: &[(Account, Amount)],
) -> Result<Posting, MoneyError> {
    let mut posting = Posting::new("deposit_revoked", format!("deposit/{deposit}/revoked"));
    let mut missing = amount;
    for &(account, part) in drawn {
        missing = missing.sub(part)?;
        posting = posting.carry(account, vault_asset.custody(), part);
    }
    Ok(posting.carry(vault_asset.reorganisation_loss(), vault_asset.custody(), missing))
}

/// Repays the vault owner's debt from an incoming amount. `by` is `deposit/…`, or `payout/…` for coins from a voided
/// payout.
pub fn debt_repaid(by: &str, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("debt_repaid", format!("{by}/debt_repaid")).carry(
        vault_asset.temporary(),
        vault_asset.reorganisation_loss(),
        amount,
    )
}

/// Returns the remainders that a posting moves to temporary balance. A debt of the vault's owner reduces them first.
pub fn remainders(posting: &Posting) -> impl Iterator<Item = (VaultAsset, Amount)> {
    let is_remainder = matches!(posting.template, "order_remainder" | "advert_remainder" | "prepayment_returned");
    let entries = posting.entries.iter().filter(move |_| is_remainder);
    entries
        .filter(|entry| entry.account.kind == AccountKind::Temporary && !entry.debit)
        .map(|entry| (entry.account.vault_asset(), entry.amount))
}

/// Moves temporary balance into an advert's escrow. `round` counts from 1, because an advert is funded again after a
/// reorganization.
pub fn fund_advert(advert: AdvertId, round: u32, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("fund", format!("advert/{advert}/fund/{round}")).carry(
        vault_asset.temporary(),
        vault_asset.advert(advert),
        amount,
    )
}

/// Moves temporary balance into an order's escrow: a seller's deposit or an automatic payment.
/// `round` as for [`fund_advert`].
pub fn fund_order(order: OrderId, round: u32, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("fund", format!("order/{order}/fund/{}/{round}", vault_asset.asset.0)).carry(
        vault_asset.temporary(),
        vault_asset.order(order),
        amount,
    )
}

/// Sets aside what the owner of a new advert prepays.
pub fn prepaid(advert: AdvertId, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("prepaid", format!("advert/{advert}/prepaid")).carry(
        vault_asset.temporary(),
        vault_asset.prepayment(advert),
        amount,
    )
}

/// Spends an advert's prepayment for the order whose release ends the advert.
pub fn prepayment_spent(
    advert: AdvertId,
    order: OrderId,
    vault_asset: VaultAsset,
    fee: Amount,
    gas: Amount,
) -> Posting {
    let prepaid = vault_asset.prepayment(advert);
    Posting::new("prepayment_spent", format!("order/{order}/prepayment")).carry(prepaid, vault_asset.fees(), fee).carry(
        prepaid,
        vault_asset.gas(),
        gas,
    )
}

/// Restores an advert's prepayment after the release that had spent it was voided. `voids` is the number of the order's
/// voided payouts.
pub fn prepayment_restored(
    advert: AdvertId,
    order: OrderId,
    voids: u32,
    vault_asset: VaultAsset,
    fee: Amount,
    gas: Amount,
) -> Posting {
    let prepaid = vault_asset.prepayment(advert);
    Posting::new("prepayment_restored", format!("order/{order}/prepayment_restored/{voids}"))
        .carry(vault_asset.fees(), prepaid, fee)
        .carry(vault_asset.gas(), prepaid, gas)
}

/// Gives an advert's prepayment back to its owner, less the network fee of the return of the escrow. The advert's `version` makes
/// the key unique.
pub fn prepayment_returned(
    advert: AdvertId,
    version: i64,
    vault_asset: VaultAsset,
    back: Amount,
    gas: Amount,
) -> Posting {
    let prepaid = vault_asset.prepayment(advert);
    Posting::new("prepayment_returned", format!("advert/{advert}/prepayment_returned/{version}"))
        .carry(prepaid, vault_asset.temporary(), back)
        .carry(prepaid, vault_asset.gas(), gas)
}

/// Takes the network fee of a withdrawal that cannot pay it, such as that of an NFT, from temporary balance of another coin.
pub fn withdrawal_gas(payout: PayoutId, vault_asset: VaultAsset, gas: Amount) -> Posting {
    Posting::new("withdrawal_gas", format!("payout/{payout}/gas")).carry(
        vault_asset.temporary(),
        vault_asset.gas(),
        gas,
    )
}

/// Moves the amount that an order takes from the advert's escrow to the order's.
pub fn order_opened(advert: AdvertId, order: OrderId, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("order_opened", format!("order/{order}/opened")).carry(
        vault_asset.advert(advert),
        vault_asset.order(order),
        amount,
    )
}

/// Moves the amount that a cancelled order gives back from its escrow to the advert's.
pub fn order_undone(advert: AdvertId, order: OrderId, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("order_undone", format!("order/{order}/undone")).carry(
        vault_asset.order(order),
        vault_asset.advert(advert),
        amount,
    )
}

/// One asset of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleaseLeg {
    pub vault_asset: VaultAsset,
    /// The amount that the recipient receives.
    pub out: Amount,
    /// The amount that the platform keeps.
    pub fee: Amount,
}

/// Puts an order's escrow, less the fee, in flight to the other party. One posting covers both assets of an automatic
/// order.
pub fn release(order: OrderId, payout: PayoutId, legs: &[ReleaseLeg]) -> Posting {
    legs.iter().fold(Posting::new("release", format!("order/{order}/release")), |posting, leg| {
        let escrow = leg.vault_asset.order(order);
        posting.carry(escrow, leg.vault_asset.in_flight(payout), leg.out).carry(escrow, leg.vault_asset.fees(), leg.fee)
    })
}

/// Puts an order's escrow, less the gas, in flight to the user who deposited it.
pub fn refund(order: OrderId, payout: PayoutId, vault_asset: VaultAsset, out: Amount, gas: Amount) -> Posting {
    let escrow = vault_asset.order(order);
    Posting::new("refund", format!("order/{order}/refund/{}", vault_asset.asset.0))
        .carry(escrow, vault_asset.in_flight(payout), out)
        .carry(escrow, vault_asset.gas(), gas)
}

/// Moves an order's escrow to temporary balance, because a refund would not cover its own gas.
pub fn order_remainder(order: OrderId, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("order_remainder", format!("order/{order}/remainder")).carry(
        vault_asset.order(order),
        vault_asset.temporary(),
        amount,
    )
}

/// Moves the fee of a voided release, or the gas of a voided refund, back into the order's escrow. `voids` is the
/// number of the order's voided payouts.
pub fn kept_undone(order: OrderId, voids: u32, vault_asset: VaultAsset, kept_in: Account, amount: Amount) -> Posting {
    Posting::new("kept_undone", format!("order/{order}/kept_undone/{voids}")).carry(
        kept_in,
        vault_asset.order(order),
        amount,
    )
}

/// Puts an advert's remaining escrow, less the gas, in flight to its owner.
pub fn advert_return(advert: AdvertId, payout: PayoutId, vault_asset: VaultAsset, out: Amount, gas: Amount) -> Posting {
    let escrow = vault_asset.advert(advert);
    Posting::new("advert_return", format!("advert/{advert}/return/{payout}"))
        .carry(escrow, vault_asset.in_flight(payout), out)
        .carry(escrow, vault_asset.gas(), gas)
}

/// Moves an advert's remaining escrow to temporary balance, because it is too small to be returned on-chain.
pub fn advert_remainder(advert: AdvertId, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("advert_remainder", format!("advert/{advert}/remainder")).carry(
        vault_asset.advert(advert),
        vault_asset.temporary(),
        amount,
    )
}

/// Moves what an order gives back to temporary balance, because the advert has ended or its escrow is already being
/// returned. The advert's `version` makes the key unique.
pub fn advert_late_remainder(advert: AdvertId, version: i64, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("advert_remainder", format!("advert/{advert}/remainder/{version}")).carry(
        vault_asset.advert(advert),
        vault_asset.temporary(),
        amount,
    )
}

/// Puts temporary balance in flight to its owner: a withdrawal, or the return of a wrong deposit.
pub fn withdrawal(payout: PayoutId, vault_asset: VaultAsset, out: Amount, gas: Amount) -> Posting {
    Posting::new("withdrawal", format!("payout/{payout}/withdrawal"))
        .carry(vault_asset.temporary(), vault_asset.in_flight(payout), out)
        .carry(vault_asset.temporary(), vault_asset.gas(), gas)
}

/// Puts the platform's earnings in a vault in flight to the treasury.
pub fn treasury(payout: PayoutId, vault_asset: VaultAsset, fees: Amount, gas: Amount) -> Posting {
    Posting::new("treasury", format!("payout/{payout}/treasury"))
        .carry(vault_asset.fees(), vault_asset.in_flight(payout), fees)
        .carry(vault_asset.gas(), vault_asset.in_flight(payout), gas)
}

/// Removes a paid leg from custody once its block is final. `round` counts the confirmations of this leg from 1.
pub fn payout_confirmed(payout: PayoutId, leg: u64, round: u32, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("payout_confirmed", format!("payout/{payout}/{leg}/confirmed/{round}")).carry(
        vault_asset.in_flight(payout),
        vault_asset.custody(),
        amount,
    )
}

/// Puts a confirmed leg back in flight after a reorganization removed it.
pub fn payout_revoked(payout: PayoutId, leg: u64, round: u32, vault_asset: VaultAsset, amount: Amount) -> Posting {
    Posting::new("payout_revoked", format!("payout/{payout}/{leg}/revoked/{round}")).carry(
        vault_asset.custody(),
        vault_asset.in_flight(payout),
        amount,
    )
}

/// Returns the coins of a leg to their source after the Escrow has spent the reference without paying. `round` as for
/// [`payout_confirmed`].
pub fn payout_voided(
    payout: PayoutId,
    leg: u64,
    round: u32,
    vault_asset: VaultAsset,
    amount: Amount,
    back_to: Account,
) -> Posting {
    Posting::new("payout_voided", format!("payout/{payout}/{leg}/voided/{round}")).carry(
        vault_asset.in_flight(payout),
        back_to,
        amount,
    )
}

/// Puts a leg back in flight after a reorganization removed its void. `holdings` are the balances of the accounts to which the
/// coins were given back ([`void_drawn_from`]); what they no longer hold was spent and becomes the vault owner's debt.
pub fn payout_void_revoked(
    payout: PayoutId,
    leg: u64,
    round: u32,
    vault_asset: VaultAsset,
    amount: Amount,
    holdings: &[(Account, Amount)],
) -> Posting {
    let mut posting = Posting::new("payout_void_revoked", format!("payout/{payout}/{leg}/void_revoked/{round}"));
    let mut missing = amount;
    for (account, held) in holdings {
        let drawn = missing.min(*held);
        posting = posting.carry(*account, vault_asset.in_flight(payout), drawn);
        missing = missing.saturating_sub(drawn);
    }
    posting.carry(vault_asset.reorganisation_loss(), vault_asset.in_flight(payout), missing)
}

/// Returns the accounts from which the coins of a removed void are taken, in this order: the account that paid them, and the
/// temporary balance of the vault, where unclaimed coins of ended adverts and orders go. If the leg is
/// superseded, the account that paid may hold coins of the payout that took its place, and nothing is taken from it.
pub fn void_drawn_from(source: Account, vault_asset: VaultAsset, superseded: bool) -> Vec<Account> {
    let temporary = vault_asset.temporary();
    if superseded || source == temporary { vec![temporary] } else { vec![source, temporary] }
}

/// Selects the accounts to debit for a revoked deposit: first the temporary balance, then the escrows.
///
/// `holdings` are the vault's credit-normal accounts with their balances.
pub fn draw(amount: Amount, holdings: &[(Account, Amount)]) -> Vec<(Account, Amount)> {
    let rank = |kind: AccountKind| match kind {
        AccountKind::Temporary => 0,
        AccountKind::AdvertEscrow => 1,
        AccountKind::OrderEscrow => 2,
        _ => 3,
    };
    let mut ordered: Vec<_> = holdings.iter().copied().filter(|(account, _)| rank(account.kind) < 3).collect();
    ordered.sort_by_key(|(account, _)| (rank(account.kind), *account));
    let mut missing = amount;
    let mut drawn = Vec::new();
    for (account, balance) in ordered {
        let part = balance.min(missing);
        if !part.is_zero() {
            drawn.push((account, part));
            missing = missing.saturating_sub(part);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::AssetId;
    use crate::ids::UserId;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn vault_asset(vault: u128, asset: i64) -> VaultAsset {
        VaultAsset { vault: UserId(Uuid::from_u128(vault)), asset: AssetId(asset) }
    }

    fn amount(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    fn balances_in_every_vault_asset(posting: &Posting) {
        let mut sums = std::collections::BTreeMap::new();
        for entry in &posting.entries {
            assert!(!entry.amount.is_zero(), "an entry of zero in {posting:?}");
            let vault_asset = (entry.account.vault, entry.account.asset);
            *sums.entry(vault_asset).or_insert(0) +=
                if entry.debit { entry.amount.units() } else { -entry.amount.units() };
        }
        assert!(sums.values().all(|&sum| sum == 0), "{posting:?}");
    }

    proptest! {
        #[test]
        fn every_template_balances_in_every_vault_asset(out in 0..1_000_i128, fee in 0..1_000_i128, seed in any::<u128>()) {
            let (here, there) = (vault_asset(1, 1), vault_asset(2, 2));
            let (advert, order) = (AdvertId(Uuid::from_u128(seed)), OrderId(Uuid::from_u128(seed)));
            let (payout, deposit) = (PayoutId(Uuid::from_u128(seed)), DepositId(Uuid::from_u128(seed)));
            let (out, fee) = (amount(out), amount(fee));
            for posting in [
                deposit_confirmed(deposit, here, out),
                deposit_revoked(deposit, here, out.add(fee).unwrap(), &[(here.temporary(), fee)]).unwrap(),
                fund_advert(advert, 1, here, out),
                fund_order(order, 1, here, out),
                prepaid(advert, here, out),
                prepayment_spent(advert, order, here, out, fee),
                prepayment_restored(advert, order, 1, here, out, fee),
                prepayment_returned(advert, 3, here, out, fee),
                withdrawal_gas(payout, here, fee),
                order_opened(advert, order, here, out),
                order_undone(advert, order, here, out),
                release(order, payout, &[ReleaseLeg { vault_asset: here, out, fee }, ReleaseLeg { vault_asset: there, out: fee, fee: out }]),
                refund(order, payout, here, out, fee),
                order_remainder(order, here, out),
                kept_undone(order, 1, here, here.fees(), fee),
                advert_return(advert, payout, here, out, fee),
                advert_remainder(advert, here, out),
                advert_late_remainder(advert, 2, here, out),
                withdrawal(payout, here, out, fee),
                treasury(payout, here, out, fee),
                payout_confirmed(payout, 7, 1, here, out),
                payout_revoked(payout, 7, 1, here, out),
                payout_voided(payout, 7, 1, here, out, here.temporary()),
                payout_void_revoked(payout, 7, 1, here, out, &[(here.advert(advert), out), (here.temporary(), fee)]),
                payout_void_revoked(payout, 7, 1, here, out, &[(here.temporary(), fee)]),
            ] {
                balances_in_every_vault_asset(&posting);
            }
        }

        #[test]
        fn a_revoked_deposit_is_taken_from_temporary_balance_first(free in 0..100_i128, advert in 0..100_i128, order in 0..100_i128, gone in 0..400_i128) {
            let vault_asset = vault_asset(1, 1);
            let id = Uuid::from_u128(9);
            let holdings = [
                (vault_asset.order(OrderId(id)), amount(order)),
                (vault_asset.fees(), amount(1_000)),
                (vault_asset.advert(AdvertId(id)), amount(advert)),
                (vault_asset.temporary(), amount(free)),
            ];
            let drawn = draw(amount(gone), &holdings);
            let total: i128 = drawn.iter().map(|(_, part)| part.units()).sum();
            prop_assert_eq!(total, gone.min(free + advert + order));
            prop_assert!(drawn.iter().all(|(account, _)| account.kind != AccountKind::Fees));
            let kept_free = free - drawn.iter().filter(|(a, _)| a.kind == AccountKind::Temporary).map(|(_, p)| p.units()).sum::<i128>();
            prop_assert!(kept_free == 0 || drawn.iter().all(|(a, _)| a.kind == AccountKind::Temporary));
        }
    }

    #[test]
    fn at_most_the_deposit_is_taken_back() {
        let drawn = [(vault_asset(1, 1).temporary(), amount(2))];
        assert!(deposit_revoked(DepositId(Uuid::nil()), vault_asset(1, 1), amount(1), &drawn).is_err());
    }
}
