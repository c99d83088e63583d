//! Tests of trading on a real PostgreSQL. They call the public functions of all use cases and check the ledger after
//! each step.

// A failing test helper should end the test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod appeals;
mod at_once;
mod attempts;
mod automatic;
mod cancelling;
mod change_feed;
mod cost;
mod crediting;
mod deadlines;
mod decisions;
mod deposits;
mod figures;
mod hall;
mod hold_emails;
mod ingestion_conflicts;
mod lock_order;
mod maintenance;
mod market_data;
mod nft_appeals;
mod nft_losses;
mod nfts;
mod order_log;
mod outages;
mod pair_settings;
mod pairs;
mod payments;
mod prefunding;
mod records;
mod references;
mod refused;
mod reorganisations;
mod sell;
mod settlements;
mod slow_advertisers;
mod statements;
mod takers;
mod talk;
mod talk_files;
mod used_receipts;
mod withdrawals;

use domain::ids::{AdvertId, OrderId};
use domain::orders::Action;
use domain::refusal::Refusal;
use testkit::market::{Chain, mec};
use testkit::market::{Market, Trader};

/// A seller (Anna) with an online advert for MEC against KRW, a buyer (Ben), and the chain with the advert's escrow.
pub(crate) struct Stage {
    pub(crate) market: Market,
    pub(crate) chain: Chain,
    pub(crate) anna: Trader,
    pub(crate) ben: Trader,
    pub(crate) advert: AdvertId,
}

impl Stage {
    /// Creates a stage on a new market. Anna's advert sells 10 MEC for 1000 KRW each.
    pub(crate) async fn set() -> Self {
        Self::on(Market::open().await).await
    }

    /// Creates a stage like [`Self::set`] on an existing market.
    pub(crate) async fn on(market: Market) -> Self {
        Self::selling(market, "10", "1000").await
    }

    /// Creates a stage on which Anna sells a quantity of MEC for a price in KRW.
    pub(crate) async fn selling(market: Market, quantity: &str, price: &str) -> Self {
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_krw(quantity, price)).await.unwrap();
        chain.brings(&anna, market.mec, mec(quantity)).await;
        assert_eq!(market.advert_state(advert).await, "ONLINE");
        Self { market, chain, anna, ben, advert }
    }

    /// Places an order by Ben.
    pub(crate) async fn ordered(&self, quantity: &str) -> OrderId {
        self.ben.orders(self.advert, quantity).await.unwrap()
    }

    /// Places an order by Ben, which Anna accepts.
    pub(crate) async fn accepted(&self, quantity: &str) -> OrderId {
        let order = self.ordered(quantity).await;
        self.anna.accepts(order).await.unwrap();
        order
    }

    /// Places and accepts an order, which Ben marks as paid.
    pub(crate) async fn paid(&self, quantity: &str) -> OrderId {
        let order = self.accepted(quantity).await;
        self.ben.marks_paid(order).await.unwrap();
        order
    }

    /// Places, accepts and pays an order, which Anna confirms, so that the release is owed.
    pub(crate) async fn releasing(&self, quantity: &str) -> OrderId {
        let order = self.paid(quantity).await;
        self.anna.confirms(order).await.unwrap();
        order
    }
}

pub(crate) fn forbidden(action: Action) -> Refusal {
    Refusal::Forbidden(action)
}
