//! The ledger in memory: balances as the accounts state them, and as their entries add up.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::AssetId;
use domain::ids::UserId;
use domain::ledger::{Account, AccountKind, VaultAsset};
use uuid::Uuid;

use super::journal::Fields;

struct Stated {
    account: Account,
    balance: i128,
    /// The sum of the entries.
    entries: i128,
}

#[derive(Default)]
pub(crate) struct Books {
    /// By the number of the account in the database.
    accounts: BTreeMap<i64, Stated>,
    numbers: BTreeMap<Account, i64>,
    of: BTreeMap<VaultAsset, Vec<i64>>,
    /// What all vaults hold of each asset.
    custody: BTreeMap<AssetId, i128>,
    /// The postings since they were last taken: by how much each account has changed.
    postings: BTreeMap<Uuid, Vec<(Account, i128)>>,
}

impl Books {
    pub(crate) fn balance(&self, account: Account) -> i128 {
        self.numbers.get(&account).map_or(0, |number| self.accounts[number].balance)
    }

    /// The temporary balances that are not zero.
    pub(crate) fn temporary(&self) -> Vec<VaultAsset> {
        let kept = self.accounts.values().filter(|stated| stated.account.kind == AccountKind::Temporary);
        kept.filter(|stated| stated.balance > 0).map(|stated| vault_asset(stated.account)).collect()
    }

    /// Takes over a row of an account.
    pub(super) fn set(&mut self, row: &Fields) -> Account {
        let number = row.number(0);
        let kind: AccountKind = row.text(1).parse().expect("a known kind");
        let account = Account { kind, owner: row.id(2), vault: UserId(row.id(3)), asset: AssetId(row.number(4)) };
        if self.numbers.insert(account, number).is_none() {
            self.of.entry(vault_asset(account)).or_default().push(number);
        }
        let stated = self.accounts.entry(number).or_insert(Stated { account, balance: 0, entries: 0 });
        let balance: i128 = row.number(5);
        if kind == AccountKind::Custody {
            *self.custody.entry(account.asset).or_default() += balance - stated.balance;
        }
        stated.balance = balance;
        account
    }

    /// Adds an entry.
    pub(super) fn enter(&mut self, row: &Fields) {
        let stated = self.accounts.get_mut(&row.number::<i64>(1)).expect("the account of an entry");
        let increases = (row.text(2) == "true") == stated.account.kind.debit_normal();
        let amount: i128 = row.number(3);
        let change = if increases { amount } else { -amount };
        stated.entries += change;
        self.postings.entry(row.id(0)).or_default().push((stated.account, change));
    }

    /// Takes the new postings: by how much each has changed its accounts.
    pub(super) fn take_postings(&mut self) -> Vec<Vec<(Account, i128)>> {
        std::mem::take(&mut self.postings).into_values().collect()
    }

    /// What all vaults hold of an asset.
    pub(crate) fn in_custody(&self, asset: AssetId) -> i128 {
        self.custody.get(&asset).copied().unwrap_or_default()
    }

    /// The owners of the nonempty escrow accounts and prepayments of vault assets.
    pub(super) fn escrows(&self, of: &BTreeSet<VaultAsset>) -> Vec<Uuid> {
        let escrow =
            |kind| matches!(kind, AccountKind::AdvertEscrow | AccountKind::OrderEscrow | AccountKind::Prepayment);
        let stated = of.iter().flat_map(|vault_asset| self.stated(vault_asset));
        stated.filter(|s| escrow(s.account.kind) && s.balance != 0).map(|s| s.account.owner).collect()
    }

    /// Describes what is wrong with the accounts of vault assets.
    pub(super) fn check(&self, vault_assets: &BTreeSet<VaultAsset>) -> Vec<String> {
        let mut wrong = Vec::new();
        for vault_asset in vault_assets {
            let (mut has, mut owes) = (0, 0);
            for Stated { account, balance, entries } in self.stated(vault_asset) {
                if balance != entries || *balance < 0 {
                    wrong.push(format!("{account:?} says {balance}, its entries {entries}"));
                }
                *(if account.kind.debit_normal() { &mut has } else { &mut owes }) += balance;
            }
            if has != owes {
                wrong.push(format!("{vault_asset:?} has {has} and owes {owes}"));
            }
            let (debt, free) = (self.balance(vault_asset.reorganisation_loss()), self.balance(vault_asset.temporary()));
            if debt != 0 && free != 0 {
                wrong.push(format!("{} owes {debt} but has a balance of {free}", vault_asset.vault));
            }
        }
        wrong
    }

    fn stated(&self, of: &VaultAsset) -> impl Iterator<Item = &Stated> {
        self.of.get(of).into_iter().flatten().map(|number| &self.accounts[number])
    }
}

fn vault_asset(account: Account) -> VaultAsset {
    VaultAsset { vault: account.vault, asset: account.asset }
}
