//! The reference price: real trades determine it, and two users cannot manipulate it.

use app::market::{ReferencePrices, catalog};
use app::officers::{ReferencePrice, set_reference};
use domain::ids::OrderId;
use domain::market::Band;
use domain::refusal::Refusal;
use testkit::market::{Market, Trader, minutes, price};

use crate::Stage;

impl Stage {
    /// Trades a quantity of Anna's advert until the order is completed.
    async fn sells_to(&mut self, buyer: &Trader, quantity: &str) -> OrderId {
        let order = buyer.orders(self.advert, quantity).await.unwrap();
        self.anna.accepts(order).await.unwrap();
        buyer.marks_paid(order).await.unwrap();
        self.anna.confirms(order).await.unwrap();
        self.chain.settles().await;
        assert_eq!(self.market.state(order).await, "COMPLETED");
        order
    }

    /// Completes orders of five users for one MEC each, at 1000.
    async fn sells_to_five(&mut self) {
        for _ in 0..5 {
            let buyer = self.market.trader().await;
            self.sells_to(&buyer, "1").await;
        }
    }

    /// Publishes an advert of a new user at a price, and returns the response.
    async fn offered_at(&self, at: &str) -> Result<(), Refusal> {
        let trader = self.market.trader().await;
        trader.posts(trader.mec_for_krw("10", at)).await.map(|_| ())
    }
}

async fn band(market: &Market) -> Option<Band> {
    let terms = catalog(&market.context).await.unwrap().pairs;
    terms.into_iter().find(|terms| terms.pair.id == market.mec_krw).unwrap().band
}

pub(crate) async fn decides(market: &Market, at: &str) {
    let decision = ReferencePrice {
        base: "MEC".to_owned(),
        quote: "KRW".to_owned(),
        price: price(at),
        officer: "olga".into(),
        reason: "as elsewhere".to_owned(),
    };
    set_reference(&market.context, &decision).await.unwrap();
}

fn out_of(min: &str, max: &str) -> Result<(), Refusal> {
    Err(Refusal::PriceOutOfBounds { min: min.to_owned(), max: max.to_owned() })
}

#[tokio::test]
async fn a_tiny_trade_of_two_people_halts_nobody() {
    let mut stage = Stage::set().await;
    let prices = ReferencePrices::default();
    let ben = stage.ben.clone();
    // Try it every hour.
    for _ in 0..6 {
        stage.sells_to(&ben, "0.5").await;
        stage.market.waits(minutes(61)).await;
    }
    assert_eq!(prices.keep(&stage.market.context).await.unwrap(), 0);
    assert_eq!(band(&stage.market).await, None);
    for honest in ["20", "500", "2000000"] {
        assert_eq!(stage.offered_at(honest).await, Ok(()), "{honest}");
    }
}

#[tokio::test]
async fn enough_trades_between_enough_people_bound_every_price() {
    let mut stage = Stage::set().await;
    let prices = ReferencePrices::default();
    stage.sells_to_five().await;
    assert_eq!(prices.keep(&stage.market.context).await.unwrap(), 1);
    assert_eq!(band(&stage.market).await, Some(Band { min: price("900"), max: price("1100") }));
    for (at, answer) in
        [("900", Ok(())), ("1100", Ok(())), ("899.99", out_of("900", "1100")), ("1100.01", out_of("900", "1100"))]
    {
        assert_eq!(stage.offered_at(at).await, answer, "{at}");
    }
    // A day later these trades no longer count; the last qualifying price is still valid.
    stage.market.waits(minutes(25 * 60)).await;
    assert_eq!(prices.keep(&stage.market.context).await.unwrap(), 0);
    assert_eq!(stage.offered_at("1100.01").await, out_of("900", "1100"));
    assert_eq!(stage.offered_at("1000").await, Ok(()));
}

#[tokio::test]
async fn an_order_is_bound_by_it_as_well() {
    let mut stage = Stage::set().await;
    decides(&stage.market, "2000").await;
    let ben = stage.ben.clone();
    assert_eq!(ben.orders(stage.advert, "1").await.map(|_| ()), out_of("1800", "2200"));
    decides(&stage.market, "1050").await;
    stage.sells_to(&ben, "1").await;
}

#[tokio::test]
async fn a_reference_price_set_by_an_officer_is_valid_until_newer_trades_qualify() {
    let mut stage = Stage::set().await;
    let prices = ReferencePrices::default();
    decides(&stage.market, "1000").await;
    assert_eq!(stage.offered_at("1101").await, out_of("900", "1100"));
    stage.sells_to_five().await;
    stage.market.waits(minutes(1)).await;
    prices.keep(&stage.market.context).await.unwrap();
    // The market price has moved while no user could trade, so an officer sets the reference price.
    stage.market.waits(minutes(25 * 60)).await;
    prices.keep(&stage.market.context).await.unwrap();
    decides(&stage.market, "2000").await;
    assert_eq!(stage.offered_at("2200").await, Ok(()));
    assert_eq!(stage.offered_at("1000").await, out_of("1800", "2200"));
    let kept = "select count(*) from reference_price_acts where officer = 'olga' and reason = 'as elsewhere'";
    assert_eq!(stage.market.count(kept).await, 2);
    let unknown = ReferencePrice {
        base: "MEC".to_owned(),
        quote: "XXX".to_owned(),
        price: price("1"),
        officer: "olga".into(),
        reason: "none".to_owned(),
    };
    let refused = set_reference(&stage.market.context, &unknown).await;
    assert!(matches!(refused, Err(app::Error::Refused(Refusal::PairUnsupported))));
}
