//! The ledger: accounts and postings in double entry.
//!
//! Every account belongs to one vault and one asset, and each posting balances within each vault asset. Therefore, a
//! vault's custody always equals the net amount owed from it, independent of other vaults.

mod templates;

pub use templates::*;

use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

use crate::assets::AssetId;
use crate::ids::{AdvertId, OrderId, PayoutId, UserId};
use crate::money::Amount;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum AccountKind {
    /// The coins in the vault: an asset of the platform, therefore debit-normal.
    Custody,
    /// The owner's balance that no advert or order uses.
    Temporary,
    AdvertEscrow,
    OrderEscrow,
    /// The fee and network fee that the owner of an advert has prepaid in another coin than the base.
    Prepayment,
    /// Coins that a payout is moving out of the vault.
    InFlight,
    /// Earned fees that are still in the vault.
    Fees,
    /// Gas charged for returns that is still in the vault.
    Gas,
    /// The owner's debt after a reorganization removed a deposit that was already paid out: a claim of the platform,
    /// therefore debit-normal.
    ReorganisationLoss,
}

impl AccountKind {
    /// Returns whether a debit increases the balance.
    pub fn debit_normal(self) -> bool {
        matches!(self, Self::Custody | Self::ReorganisationLoss)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    pub kind: AccountKind,
    /// The ID of an advert, an order, a payout, or the vault's owner.
    pub owner: Uuid,
    pub vault: UserId,
    pub asset: AssetId,
}

impl Account {
    pub fn vault_asset(&self) -> VaultAsset {
        VaultAsset { vault: self.vault, asset: self.asset }
    }
}

/// One asset in one vault. Postings balance within each vault asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VaultAsset {
    /// The vault's owner.
    pub vault: UserId,
    pub asset: AssetId,
}

impl VaultAsset {
    fn account(self, kind: AccountKind, owner: Uuid) -> Account {
        Account { kind, owner, vault: self.vault, asset: self.asset }
    }

    pub fn custody(self) -> Account {
        self.account(AccountKind::Custody, self.vault.0)
    }

    pub fn temporary(self) -> Account {
        self.account(AccountKind::Temporary, self.vault.0)
    }

    pub fn advert(self, advert: AdvertId) -> Account {
        self.account(AccountKind::AdvertEscrow, advert.0)
    }

    pub fn order(self, order: OrderId) -> Account {
        self.account(AccountKind::OrderEscrow, order.0)
    }

    pub fn prepayment(self, advert: AdvertId) -> Account {
        self.account(AccountKind::Prepayment, advert.0)
    }

    pub fn in_flight(self, payout: PayoutId) -> Account {
        self.account(AccountKind::InFlight, payout.0)
    }

    pub fn fees(self) -> Account {
        self.account(AccountKind::Fees, self.vault.0)
    }

    pub fn gas(self) -> Account {
        self.account(AccountKind::Gas, self.vault.0)
    }

    pub fn reorganisation_loss(self) -> Account {
        self.account(AccountKind::ReorganisationLoss, self.vault.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub account: Account,
    /// Whether the amount is debited (true) or credited (false).
    pub debit: bool,
    /// Never zero.
    pub amount: Amount,
}

/// A balanced movement of money. Only the templates create postings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    pub template: &'static str,
    /// The idempotency key. The ledger refuses a second posting with the same key.
    pub key: String,
    pub entries: Vec<Entry>,
}
