//! An in-memory ledger that enforces the same rules as the database.

use std::collections::{BTreeMap, BTreeSet};

use crate::ledger::{Account, AccountKind, Posting, VaultAsset};
use crate::money::Amount;

#[derive(Default)]
pub(super) struct Book {
    balances: BTreeMap<Account, i128>,
    keys: BTreeSet<String>,
}

impl Book {
    /// Panics if the key was used before, the posting is unbalanced, or an account would become negative.
    pub(super) fn post(&mut self, posting: &Posting) {
        assert!(self.keys.insert(posting.key.clone()), "posted twice: {}", posting.key);
        let mut sums = BTreeMap::new();
        for entry in &posting.entries {
            let units = entry.amount.units();
            assert!(units > 0, "an entry of zero in {posting:?}");
            let signed = if entry.debit { units } else { -units };
            *sums.entry((entry.account.vault, entry.account.asset)).or_insert(0) += signed;
            let normal = if entry.account.kind.debit_normal() { signed } else { -signed };
            *self.balances.entry(entry.account).or_insert(0) += normal;
        }
        assert!(sums.values().all(|&sum| sum == 0), "unbalanced: {posting:?}");
        for entry in &posting.entries {
            let balance = self.balances.get(&entry.account).copied().unwrap_or(0);
            assert!(balance >= 0, "{:?} at {balance} after {posting:?}", entry.account);
        }
    }

    pub(super) fn balance(&self, account: Account) -> Amount {
        Amount::new(self.balances.get(&account).copied().unwrap_or(0)).unwrap()
    }

    /// Returns the credit-normal accounts of a vault asset.
    pub(super) fn holdings(&self, vault_asset: VaultAsset) -> Vec<(Account, Amount)> {
        self.balances
            .keys()
            .filter(|account| account.vault == vault_asset.vault && account.asset == vault_asset.asset)
            .filter(|account| !account.kind.debit_normal())
            .map(|&account| (account, self.balance(account)))
            .collect()
    }

    /// Asserts that each vault asset balances, and that no user with a debt has temporary balance.
    pub(super) fn check(&self) {
        let mut vault_assets = BTreeMap::new();
        for (account, balance) in &self.balances {
            let signed = if account.kind.debit_normal() { *balance } else { -balance };
            *vault_assets.entry((account.vault, account.asset)).or_insert(0) += signed;
        }
        assert!(vault_assets.values().all(|&sum| sum == 0), "{vault_assets:?}");
        for (account, &debt) in &self.balances {
            if account.kind == AccountKind::ReorganisationLoss && debt > 0 {
                let vault_asset = VaultAsset { vault: account.vault, asset: account.asset };
                assert!(
                    self.balance(vault_asset.temporary()).is_zero(),
                    "{account:?} is {debt}, but the owner has temporary balance"
                );
            }
        }
    }

    pub(super) fn has_loss(&self) -> bool {
        self.balances.iter().any(|(account, &units)| account.kind == AccountKind::ReorganisationLoss && units > 0)
    }
}
