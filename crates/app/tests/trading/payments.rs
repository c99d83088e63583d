//! A manual payment in USDT on the chain: it matches one order, prevents its cancellation, and releases nothing.

use chrono::Duration;
use domain::chain::Address;
use domain::chain::Transfer;
use domain::ids::OrderId;
use domain::money::Amount;
use domain::refusal::OrderAction;
use testkit::market::{Chain, Contents, Market, Trader, mec, minutes, usdt};
use testkit::noon;

use crate::{Stage, forbidden};

impl Stage {
    /// Creates a stage on which Anna sells 10 MEC for 2 USDT each, paid to her receiving address.
    async fn for_usdt() -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_usdt("10", "2")).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        Self { market, chain, anna, ben, advert }
    }

    async fn seen(&self, order: OrderId) -> Option<(Amount, u64)> {
        let view = self.anna.sees(order).await.unwrap();
        let his = self.ben.sees(order).await.unwrap();
        assert_eq!(view.payment_seen, his.payment_seen, "both parties see the same");
        view.payment_seen.map(|seen| (seen.amount, seen.confirmations))
    }
}

/// Creates a transfer of USDT to a user's receiving address.
fn to(chain: &mut Chain, person: &Trader, amount: Amount) -> Transfer {
    let address: Address = person.person.receiving.as_ref().unwrap().address.parse().unwrap();
    let usdt = chain.market.usdt;
    Transfer { to: address, ..chain.coins(person, usdt, amount) }
}

#[tokio::test]
async fn it_is_shown_to_both_with_its_confirmations_and_moves_nothing() {
    let mut stage = Stage::for_usdt().await;
    let order = stage.accepted("4").await;
    assert_eq!(stage.seen(order).await, None);
    let payment = to(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment.clone()]).await;
    assert_eq!(stage.seen(order).await, Some((usdt("8"), 1)));
    let seen = stage.ben.sees(order).await.unwrap().payment_seen.unwrap();
    assert_eq!((seen.tx, seen.position, seen.sender), (payment.tx, payment.position, payment.from));
    stage.chain.mines(5).await;
    assert_eq!(stage.seen(order).await, Some((usdt("8"), 3)));
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT", "it does not release the order");
    stage.market.is_sound().await;
    stage.ben.marks_paid(order).await.unwrap();
    stage.anna.confirms(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "RELEASING");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn while_it_is_seen_nobody_cancels_for_want_of_it_and_a_reorganisation_ends_that() {
    let mut stage = Stage::for_usdt().await;
    let order = stage.accepted("4").await;
    let payment = to(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment]).await;
    stage.market.at(noon() + minutes(16)).await;
    stage.market.clock_strikes().await;
    stage.market.at(noon() + minutes(26)).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT");
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(OrderAction::Cancel)));

    stage.chain.reorganises(1, [Contents::default()]).await;
    assert_eq!(stage.seen(order).await, None);
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "CANCELLED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_transfer_supports_one_order_and_an_order_has_one() {
    let mut stage = Stage::for_usdt().await;
    let first = stage.accepted("2").await;
    // The other orders are accepted later, but within the same second of the block time.
    stage.market.waits(Duration::milliseconds(1)).await;
    let (second, dear) = (stage.accepted("2").await, stage.accepted("3").await);
    let payments = ["6", "4"].map(|amount| to(&mut stage.chain, &stage.anna, usdt(amount)));
    stage.chain.mines_coins(payments).await;
    assert_eq!(stage.seen(dear).await, Some((usdt("6"), 1)), "the order for exactly this amount");
    assert_eq!(stage.seen(first).await, Some((usdt("4"), 1)), "the order that was accepted first");
    assert_eq!(stage.seen(second).await, None);
    let more = to(&mut stage.chain, &stage.anna, usdt("4.5"));
    stage.chain.mines_coins([more]).await;
    assert_eq!(stage.seen(second).await, Some((usdt("4.5"), 1)), "more is enough");
    let another = to(&mut stage.chain, &stage.anna, usdt("4"));
    stage.chain.mines_coins([another]).await;
    assert_eq!(stage.market.count("select count(*) from payments").await, 3, "nobody is left whom it could be for");
}

#[tokio::test]
async fn what_cannot_be_its_payment_is_not_taken_for_it() {
    let mut stage = Stage::for_usdt().await;
    let order = stage.ordered("4").await;
    let early = to(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([early]).await;
    assert_eq!(stage.seen(order).await, None, "before the acceptance");
    stage.market.waits(Duration::seconds(1)).await;
    stage.anna.accepts(order).await.unwrap();
    let less = to(&mut stage.chain, &stage.anna, usdt("7.999999"));
    let elsewhere = to(&mut stage.chain, &stage.ben, usdt("8"));
    let coin = Transfer { token: domain::chain::Token::Native, ..less.clone() };
    let known_only_now = to(&mut stage.chain, &stage.anna, usdt("8"));
    // The blocks' time is noon. The order was accepted a second later, so even the transfer of the exact amount is not
    // its payment.
    stage.chain.mines_coins([less, elsewhere, coin, known_only_now]).await;
    assert_eq!(stage.seen(order).await, None);
    assert_eq!(stage.market.count("select count(*) from payments").await, 0);
    stage.market.is_sound().await;
}
