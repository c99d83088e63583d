//! The books: accounts and postings in double entry.
//!
//! Every account belongs to one vault (the person in whose custody vault the coins lie) and one asset, and a posting
//! balances for each vault and asset by itself. So the books always say out of which vault a thing is owed, and a
//! vault's custody equals what is owed out of it at every commit, without a sum over anything else.

mod templates;

pub use templates::*;

use uuid::Uuid;

use crate::assets::AssetId;
use crate::ids::{AdvertId, OrderId, PayoutId, UserId};
use crate::money::Amount;

/// What an account stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountKind {
    /// Coins that lie in the vault. Debit-normal: the platform has them.
    Custody,
    /// What the vault's owner holds in it that nothing has funded.
    Temporary,
    /// What backs an advert.
    AdvertEscrow,
    /// What backs an order.
    OrderEscrow,
    /// What is on its way out.
    InFlight,
    /// What the platform earned and has not moved out yet.
    Fees,
    /// What the platform took for returns and has not moved out yet.
    Gas,
    /// What was paid out of a deposit that then left the chain: owed to the platform by the vault's owner.
    /// Debit-normal: a funding request, not a debt.
    ReorganisationLoss,
}

impl AccountKind {
    /// All kinds.
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

    /// Whether a debit makes the balance grow.
    pub fn debit_normal(self) -> bool {
        matches!(self, Self::Custody | Self::ReorganisationLoss)
    }

    /// The name under which the books keep it.
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

/// Names one account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    /// What it stands for.
    pub kind: AccountKind,
    /// Whose it is: an advert, an order, a payout, or the vault's owner.
    pub owner: Uuid,
    /// In whose custody vault the coins lie.
    pub vault: UserId,
    /// Of what.
    pub asset: AssetId,
}

/// An asset in a vault: within one, postings balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VaultAsset {
    /// In whose custody vault.
    pub vault: UserId,
    /// Of what.
    pub asset: AssetId,
}

impl VaultAsset {
    fn account(self, kind: AccountKind, owner: Uuid) -> Account {
        Account { kind, owner, vault: self.vault, asset: self.asset }
    }

    /// The coins in the vault.
    pub fn custody(self) -> Account {
        self.account(AccountKind::Custody, self.vault.0)
    }

    /// What the vault's owner holds free.
    pub fn temporary(self) -> Account {
        self.account(AccountKind::Temporary, self.vault.0)
    }

    /// What backs an advert.
    pub fn advert(self, advert: AdvertId) -> Account {
        self.account(AccountKind::AdvertEscrow, advert.0)
    }

    /// What backs an order.
    pub fn order(self, order: OrderId) -> Account {
        self.account(AccountKind::OrderEscrow, order.0)
    }

    /// What a payout carries out.
    pub fn in_flight(self, payout: PayoutId) -> Account {
        self.account(AccountKind::InFlight, payout.0)
    }

    /// Fees earned.
    pub fn fees(self) -> Account {
        self.account(AccountKind::Fees, self.vault.0)
    }

    /// Gas taken.
    pub fn gas(self) -> Account {
        self.account(AccountKind::Gas, self.vault.0)
    }

    /// What the vault's owner owes after a reorganisation.
    pub fn reorganisation_loss(self) -> Account {
        self.account(AccountKind::ReorganisationLoss, self.vault.0)
    }
}

/// One line of a posting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Which account.
    pub account: Account,
    /// Debit (true) or credit (false).
    pub debit: bool,
    /// How much; never zero.
    pub amount: Amount,
}

/// A movement of money, made by one of the templates only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    /// The template's name.
    pub template: &'static str,
    /// What makes it happen once: a second posting with the same key is refused by the books.
    pub key: String,
    /// Its lines.
    pub entries: Vec<Entry>,
}
