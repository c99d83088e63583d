//! The ledger: accounts and postings in double entry.
//!
//! Every account belongs to one vault and one asset, and each posting balances within each vault asset. A vault's
//! custody therefore always equals what is owed from it, without considering other vaults.

mod templates;

pub use templates::*;

use uuid::Uuid;

use crate::assets::AssetId;
use crate::ids::{AdvertId, OrderId, PayoutId, UserId};
use crate::money::Amount;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountKind {
    /// The coins in the vault. Debit-normal, because they are the platform's asset.
    Custody,
    /// Balance of the vault's owner that no advert or order uses.
    Temporary,
    AdvertEscrow,
    OrderEscrow,
    /// Coins that a payout is moving out of the vault.
    InFlight,
    /// Fees that were earned and are still in the vault.
    Fees,
    /// Gas that was charged for returns and is still in the vault.
    Gas,
    /// Debt of the vault's owner after a reorganization removed a deposit that was already paid out. Debit-normal,
    /// because it is a claim of the platform.
    ReorganisationLoss,
}

impl AccountKind {
    pub const ALL: [Self; 8] = [
        Self::Custody,
        Self::Temporary,
        Self::AdvertEscrow,
        Self::OrderEscrow,
        Self::InFlight,
        Self::Fees,
        Self::Gas,
        Self::ReorganisationLoss,
    ];

    /// Whether a debit increases the balance.
    pub fn debit_normal(self) -> bool {
        matches!(self, Self::Custody | Self::ReorganisationLoss)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Custody => "custody",
            Self::Temporary => "temporary",
            Self::AdvertEscrow => "advert_escrow",
            Self::OrderEscrow => "order_escrow",
            Self::InFlight => "in_flight",
            Self::Fees => "fees",
            Self::Gas => "gas",
            Self::ReorganisationLoss => "reorganisation_loss",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    pub kind: AccountKind,
    /// The id of an advert, an order, a payout, or the vault's owner.
    pub owner: Uuid,
    pub vault: UserId,
    pub asset: AssetId,
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
    /// Debit (true) or credit (false).
    pub debit: bool,
    /// Never zero.
    pub amount: Amount,
}

/// A balanced movement of money, created only by the templates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    pub template: &'static str,
    /// The idempotency key: the ledger refuses a second posting with the same key.
    pub key: String,
    pub entries: Vec<Entry>,
}
