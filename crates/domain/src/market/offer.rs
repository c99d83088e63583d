//! The advert as the hall shows it.

use chrono::Duration;

use super::Rank;
use crate::adverts::{Advert, Limits, Options};
use crate::assets::{AssetId, Pair, PairId};
use crate::ids::{AdvertId, UserId};
use crate::money::{Amount, Price};
use crate::nfts::Nft;
use crate::reputation::Record;
use crate::trade::{Method, Side};

/// The part of an advert that other users see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub advert: AdvertId,
    pub version: i64,
    pub owner: UserId,
    pub side: Side,
    /// Whether the platform accepts orders and confirms payments.
    pub automatic: bool,
    pub pair: PairId,
    /// The asset that is sold: for an NFT, not its album.
    pub base: AssetId,
    pub price: Price,
    /// The quantity of the base that can still be ordered, in its base units.
    pub remaining: Amount,
    /// The limits of the advert's terms, in base units of the quote.
    pub terms: Limits,
    /// The owner's payment methods; empty if the quote is a coin.
    pub methods: Vec<Method>,
    /// The chain type on which a buyer pays the owner; `None` if the owner buys or is paid in fiat.
    pub chain_type: Option<String>,
    pub options: Options,
    pub payment_window: Duration,
    /// The time that the seller of an order has for the deposit.
    pub deposit_window: Duration,
    /// The NFT that is sold, as far as the caller knows it; `None` for coins.
    pub nft: Option<Nft>,
}

impl From<&Advert> for Offer {
    fn from(advert: &Advert) -> Self {
        let terms = &advert.terms;
        Self {
            advert: advert.id,
            version: advert.version,
            owner: terms.owner,
            side: terms.side,
            automatic: terms.automatic,
            pair: terms.pair,
            base: terms.base.asset,
            price: terms.price,
            remaining: advert.remaining,
            terms: Limits { min: terms.min_total, max: terms.max_total },
            methods: terms.methods.clone(),
            chain_type: terms.receiving.as_ref().map(|receiving| receiving.chain_type.clone()),
            options: terms.options.clone(),
            payment_window: terms.windows.payment,
            deposit_window: terms.windows.order_deposit,
            nft: None,
        }
    }
}

impl Offer {
    /// Returns the limits of an order placed now, as [`Limits::now`].
    pub fn limits(&self, pair: &Pair) -> Option<Limits> {
        self.terms.within(pair).of_remaining(pair, self.price, self.remaining)
    }

    /// Returns the kinds of the payment methods, sorted and without duplicates.
    pub fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<_> = self.methods.iter().map(|method| method.kind.clone()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Returns the properties by which the advert is sorted, with its owner's statistics.
    pub fn rank(&self, record: &Record) -> Rank {
        Rank {
            advert: self.advert,
            price: self.price,
            remaining: self.remaining,
            completion_ppm: record.completion_ppm(),
            average_confirmation: record.average_confirmation(),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::adverts::tests::posted;
    use crate::ids::PaymentMethodId;
    use crate::orders::tests::MANUAL_SELL;

    #[test]
    fn kinds_of_payment_methods_are_sorted_and_named_once() {
        let method = |kind: &str| Method { id: PaymentMethodId(Uuid::nil()), kind: kind.to_owned() };
        let mut advert = posted(MANUAL_SELL);
        advert.terms.methods = ["WECHAT", "ALIPAY", "WECHAT"].map(method).into();
        assert_eq!(Offer::from(&advert).kinds(), ["ALIPAY", "WECHAT"]);
    }
}
