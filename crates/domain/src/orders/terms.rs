//! The terms of an order, fixed when it is placed.

use crate::assets::{PairId, Prepayment, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::ids::{AdvertId, UserId};
use crate::ledger::VaultAsset;
use crate::money::{Amount, Price};
use crate::trade::{Coin, Leg, Party, Payment, Side};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub advert: AdvertId,
    pub pair: PairId,
    /// The asset that is sold and escrowed.
    pub base: Coin,
    /// The asset with which the buyer pays.
    pub quote: Coin,
    pub side: Side,
    pub advertiser: UserId,
    pub taker: UserId,
    /// In base units of the base.
    pub quantity: Amount,
    pub price: Price,
    /// The price of the quantity, in base units of the quote.
    pub total: Amount,
    /// The platform's share of `quantity`, in base units of the base; less than the quantity. Zero if the seller has prepaid.
    pub fee: Amount,
    /// What the seller has prepaid with the advert, of which a release is paid; `None` if the fee is taken out of the base.
    pub prepayment: Option<Prepayment>,
    /// How the buyer pays. An order with [`Payment::Automatic`] is automatic.
    pub payment: Payment,
    /// The name of the account holder from whom a fiat payment must come; `None` if the buyer pays in coins.
    pub payer: Option<String>,
    /// The buyer's bound address, to which the base is released.
    pub buyer_bound: Address,
    /// The seller's bound address, to which the base is refunded.
    pub seller_bound: Address,
    pub windows: Windows,
    pub created_at: Timestamp,
}

impl Terms {
    /// Returns whether the platform accepts the order and confirms the payment.
    pub fn automatic(&self) -> bool {
        matches!(self.payment, Payment::Automatic { .. })
    }

    pub fn buyer(&self) -> UserId {
        match self.side {
            Side::Sell => self.taker,
            Side::Buy => self.advertiser,
        }
    }

    pub fn seller(&self) -> UserId {
        match self.side {
            Side::Sell => self.advertiser,
            Side::Buy => self.taker,
        }
    }

    pub fn user(&self, party: Party) -> UserId {
        match party {
            Party::Buyer => self.buyer(),
            Party::Seller => self.seller(),
        }
    }

    /// Returns the user's side; `None` if the user is not a party.
    pub fn party(&self, user: UserId) -> Option<Party> {
        if user == self.buyer() {
            Some(Party::Buyer)
        } else if user == self.seller() {
            Some(Party::Seller)
        } else {
            None
        }
    }

    pub fn advertiser_party(&self) -> Party {
        self.side.advertiser()
    }

    /// Returns the vault asset of a leg: the seller's vault for the base, the buyer's for the quote.
    pub fn vault_asset(&self, leg: Leg) -> VaultAsset {
        match leg {
            Leg::Base => VaultAsset { vault: self.seller(), asset: self.base.asset },
            Leg::Quote => VaultAsset { vault: self.buyer(), asset: self.quote.asset },
        }
    }

    /// Returns where the prepayment is kept, and what it is.
    pub fn prepaid(&self) -> Option<(VaultAsset, Prepayment)> {
        let prepayment = self.prepayment?;
        Some((VaultAsset { vault: self.seller(), asset: prepayment.asset }, prepayment))
    }

    pub fn amount(&self, leg: Leg) -> Amount {
        match leg {
            Leg::Base => self.quantity,
            Leg::Quote => self.total,
        }
    }

    /// Returns the leg that the order takes from the advert's escrow; `None` for a manual buy advert.
    pub fn advert_leg(&self) -> Option<Leg> {
        match (self.side, self.automatic()) {
            (Side::Sell, _) => Some(Leg::Base),
            (Side::Buy, true) => Some(Leg::Quote),
            (Side::Buy, false) => None,
        }
    }

    /// Returns the amount that the buyer receives: the quantity less the fee.
    pub fn receives(&self) -> Amount {
        self.quantity.saturating_sub(self.fee)
    }
}
