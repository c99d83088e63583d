//! What is fixed when an order is created and never changes afterwards.

use crate::assets::{PairId, Windows};
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::ids::{AdvertId, UserId};
use crate::ledger::VaultAsset;
use crate::money::{Amount, Price};
use crate::trade::{Coin, Leg, Party, Payment, Side};

/// The terms of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The advert.
    pub advert: AdvertId,
    /// The pair.
    pub pair: PairId,
    /// What is escrowed and released.
    pub base: Coin,
    /// What the buyer pays with.
    pub quote: Coin,
    /// What the advertiser does.
    pub side: Side,
    /// Who posted the advert.
    pub advertiser: UserId,
    /// Who ordered.
    pub taker: UserId,
    /// How much of the base, in its base units.
    pub quantity: Amount,
    /// Units of the quote for one unit of the base.
    pub price: Price,
    /// What the buyer pays, in base units of the quote.
    pub total: Amount,
    /// What the platform keeps of the quantity, in base units of the base; less than the quantity.
    pub fee: Amount,
    /// How the buyer pays. An automatic order is one whose payment is [`Payment::Automatic`].
    pub payment: Payment,
    /// The buyer's bound address: where the base goes.
    pub buyer_bound: Address,
    /// The seller's bound address: where a refund of the base goes.
    pub seller_bound: Address,
    /// How long each step may take.
    pub windows: Windows,
    /// When the order was placed.
    pub created_at: Timestamp,
}

impl Terms {
    /// Whether the system accepts, pays and confirms.
    pub fn automatic(&self) -> bool {
        matches!(self.payment, Payment::Automatic { .. })
    }

    /// Who receives the base.
    pub fn buyer(&self) -> UserId {
        match self.side {
            Side::Sell => self.taker,
            Side::Buy => self.advertiser,
        }
    }

    /// Who gives the base.
    pub fn seller(&self) -> UserId {
        match self.side {
            Side::Sell => self.advertiser,
            Side::Buy => self.taker,
        }
    }

    /// The person on one side.
    pub fn user(&self, party: Party) -> UserId {
        match party {
            Party::Buyer => self.buyer(),
            Party::Seller => self.seller(),
        }
    }

    /// On which side a person is; nothing for a stranger.
    pub fn party(&self, user: UserId) -> Option<Party> {
        if user == self.buyer() {
            Some(Party::Buyer)
        } else if user == self.seller() {
            Some(Party::Seller)
        } else {
            None
        }
    }

    /// The side of the person who posted the advert.
    pub fn advertiser_party(&self) -> Party {
        match self.side {
            Side::Sell => Party::Seller,
            Side::Buy => Party::Buyer,
        }
    }

    /// Where the coins of a leg lie: the base in the seller's vault, the quote in the buyer's.
    pub fn vault_asset(&self, leg: Leg) -> VaultAsset {
        match leg {
            Leg::Base => VaultAsset { vault: self.seller(), asset: self.base.asset },
            Leg::Quote => VaultAsset { vault: self.buyer(), asset: self.quote.asset },
        }
    }

    /// How much of a leg changes hands.
    pub fn amount(&self, leg: Leg) -> Amount {
        match leg {
            Leg::Base => self.quantity,
            Leg::Quote => self.total,
        }
    }

    /// What the order took out of the advert's escrow when it was placed; nothing on a manual buy advert.
    pub fn advert_leg(&self) -> Option<Leg> {
        match (self.side, self.automatic()) {
            (Side::Sell, _) => Some(Leg::Base),
            (Side::Buy, true) => Some(Leg::Quote),
            (Side::Buy, false) => None,
        }
    }

    /// What arrives at the buyer's bound address: the quantity less the fee.
    pub fn receives(&self) -> Amount {
        self.quantity.saturating_sub(self.fee)
    }
}
