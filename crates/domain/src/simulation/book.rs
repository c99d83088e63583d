//! The books in memory: they refuse what the database refuses.

use std::collections::{BTreeMap, BTreeSet};

use crate::ledger::{Account, AccountKind, Posting, Pot};
use crate::money::Amount;

#[derive(Default)]
pub(super) struct Book {
    balances: BTreeMap<Account, i128>,
    keys: BTreeSet<String>,
}

impl Book {
    /// Posts once; an account below zero or a key that came before is a fault of the rules.
    pub(super) fn post(&mut self, posting: &Posting) {
        assert!(self.keys.insert(posting.key.clone()), "posted twice: {}", posting.key);
        let mut sums = BTreeMap::new();
        for entry in &posting.entries {
            let units = entry.amount.units();
            assert!(units > 0, "an empty line in {posting:?}");
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

    /// What is owed out of a pot, account by account.
    pub(super) fn holdings(&self, pot: Pot) -> Vec<(Account, Amount)> {
        self.balances
            .keys()
            .filter(|account| account.vault == pot.vault && account.asset == pot.asset)
            .filter(|account| !account.kind.debit_normal())
            .map(|&account| (account, self.balance(account)))
            .collect()
    }

    /// In each vault and asset, what there is and what its owner owes must be what is owed out of it; and nobody who owes has
    /// anything to dispose of.
    pub(super) fn check(&self) {
        let mut pots = BTreeMap::new();
        for (account, balance) in &self.balances {
            let signed = if account.kind.debit_normal() { *balance } else { -balance };
            *pots.entry((account.vault, account.asset)).or_insert(0) += signed;
        }
        assert!(pots.values().all(|&sum| sum == 0), "{pots:?}");
        for (account, &debt) in &self.balances {
            if account.kind == AccountKind::ReorganisationLoss && debt > 0 {
                let pot = Pot { vault: account.vault, asset: account.asset };
                assert!(
                    self.balance(pot.temporary()).is_zero(),
                    "{account:?} is at {debt}, with balance of the owner's"
                );
            }
        }
    }

    pub(super) fn has_loss(&self) -> bool {
        self.balances.iter().any(|(account, &units)| account.kind == AccountKind::ReorganisationLoss && units > 0)
    }
}
