//! The reference price: real trades determine it, and two users cannot manipulate it.

use app::market::{ReferencePrices, catalog, hall};
use app::orders::Size;
use domain::ids::OrderId;
use domain::market::Band;
use domain::refusal::Refusal;
use testkit::market::officers::set_reference;
use testkit::market::{Market, Trader, mec, minutes, price};

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

    /// Completes orders of five users for one MEC each, at 1000, an hour apart because each user counts once an hour.
    async fn sells_to_five(&mut self) {
        for number in 0..5 {
            if number > 0 {
                self.market.waits(minutes(60)).await;
            }
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
    set_reference(&market.context, ("MEC", "KRW"), price(at), "as elsewhere").await.unwrap();
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

/// Whoever moves the reference price of a quiet pair makes no existing advert unorderable. Both sides are warned.
#[tokio::test]
async fn an_existing_advert_stays_orderable_outside_the_band() {
    let mut stage = Stage::set().await;
    let ben = stage.ben.clone();
    let warned = async |stage: &Stage| {
        let size = Size::Quantity(mec("1"));
        let previewed = hall::preview(&stage.market.context, Some(ben.id()), stage.advert, size).await.unwrap();
        let own = stage.anna.sees_advert(stage.advert).await.unwrap();
        assert_eq!(previewed.outside_band, own.outside_band, "both sides see the same");
        own.outside_band
    };
    assert!(!warned(&stage).await, "there is no reference price");
    decides(&stage.market, "2000").await;
    assert!(warned(&stage).await);
    assert_eq!(stage.offered_at("1000").await, out_of("1800", "2200"), "a new advert is bound");
    stage.sells_to(&ben, "1").await;
    decides(&stage.market, "1050").await;
    assert!(!warned(&stage).await);
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
}

/// Attackers who own all counted trades of a quiet pair move its price little by little, and an officer can put it back.
#[tokio::test]
async fn the_reference_price_moves_by_two_percent_an_hour() {
    let mut stage = Stage::set().await;
    let prices = ReferencePrices::default();
    decides(&stage.market, "500").await;
    stage.sells_to_five().await;
    stage.market.waits(minutes(1)).await;
    // The median is 1000. The officer's price is four hours old, so an hour begins with the first median.
    for (wait, lowest, highest) in [(0, "459", "561"), (59, "459", "561"), (1, "468.18", "572.22")] {
        stage.market.waits(minutes(wait)).await;
        assert_eq!(prices.keep(&stage.market.context).await.unwrap(), 1);
        assert_eq!(band(&stage.market).await, Some(Band { min: price(lowest), max: price(highest) }), "after {wait}");
    }
    stage.market.waits(minutes(1)).await;
    decides(&stage.market, "1000").await;
    assert_eq!(prices.keep(&stage.market.context).await.unwrap(), 0, "no trade is later");
    assert_eq!(band(&stage.market).await, Some(Band { min: price("900"), max: price("1100") }));
}

/// The median of five users qualifies only if their accounts are aged and they are not related.
#[tokio::test]
async fn trades_of_new_and_of_related_accounts_do_not_count() {
    for (change, qualifies) in [
        ("select", 1),
        // The last trade is completed four hours after noon.
        ("update users set created_at = timestamptz '2026-01-01 16:00Z' - interval '7 days' where id = $last", 1),
        ("update users set created_at = timestamptz '2026-01-01 16:00:01Z' - interval '7 days' where id = $last", 0),
        (
            "insert into login_networks select id, '10.0.0.1', created_at, created_at from users where id in ($last, $anna)",
            0,
        ),
        (
            "insert into login_networks select id, '10.0.0.1', created_at, created_at from users where id in ($last, $ben)",
            1,
        ),
        (
            "update payment_methods set digest = (select digest from payment_methods where user_id = $anna)
          where user_id = $last",
            0,
        ),
    ] {
        let mut stage = Stage::set().await;
        stage.sells_to_five().await;
        let last = "(select taker from orders order by settled_at desc limit 1)";
        let id = |trader: &Trader| format!("'{}'", trader.id());
        let change = change.replace("$last", last).replace("$anna", &id(&stage.anna)).replace("$ben", &id(&stage.ben));
        stage.market.sql(&change).await;
        let kept = ReferencePrices::default().keep(&stage.market.context).await.unwrap();
        assert_eq!(kept, qualifies, "{change}");
    }
}
