//! A manual payment in USDT on the chain: whose it is, that it prevents a cancellation, and that it releases nothing.

use app::orders::Repeated;
use chrono::Duration;
use domain::chain::{Address, Transfer, TxHash};
use domain::direct_payment::SenderProof;
use domain::ids::OrderId;
use domain::money::Amount;
use domain::orders::{Action, OrderCommand};
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

/// Creates a transfer of USDT from the bound address of one user to the receiving address of another.
fn pays(chain: &mut Chain, from: &Trader, to: &Trader, amount: Amount) -> Transfer {
    let address: Address = to.user.receiving.as_ref().unwrap().address.parse().unwrap();
    let usdt = chain.market.usdt;
    Transfer { to: address, ..chain.coins(from, usdt, amount) }
}

/// Creates such a transfer from an address of which the platform knows nothing, like that of an exchange.
fn arrives(chain: &mut Chain, to: &Trader, amount: Amount) -> Transfer {
    let own = pays(chain, to, to, amount);
    Chain::from_a_stranger(&own)
}

fn reports(tx: TxHash, reference: Option<&str>) -> OrderCommand {
    let hash = Some(tx.to_string());
    OrderCommand::MarkPaid { method: None, reference: reference.map(str::to_owned), hash, receipts: Vec::new() }
}

#[tokio::test]
async fn it_is_shown_to_both_with_its_confirmations_and_moves_nothing() {
    let mut stage = Stage::for_usdt().await;
    let order = stage.accepted("4").await;
    assert_eq!(stage.seen(order).await, None);
    let payment = pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment.clone()]).await;
    assert_eq!(stage.seen(order).await, Some((usdt("8"), 1)));
    let seen = stage.ben.sees(order).await.unwrap().payment_seen.unwrap();
    assert_eq!((seen.tx, seen.position, seen.sender), (payment.tx, payment.position, payment.from));
    assert_eq!((seen.proof, seen.ambiguous, seen.reported), (SenderProof::Bound, false, false));
    stage.chain.mines(5).await;
    assert_eq!(stage.seen(order).await, Some((usdt("8"), 3)));
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT", "it does not release the order");
    stage.market.is_sound().await;
    stage.ben.does(order, reports(payment.tx, None)).await.unwrap();
    assert!(stage.anna.sees(order).await.unwrap().payment_seen.unwrap().reported);
    stage.anna.confirms(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "RELEASING");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn while_it_is_seen_nobody_cancels_for_want_of_it_and_a_reorganisation_ends_that() {
    let mut stage = Stage::for_usdt().await;
    let order = stage.accepted("4").await;
    let payment = arrives(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment]).await;
    stage.market.at(noon() + minutes(16)).await;
    stage.market.clock_strikes().await;
    stage.market.at(noon() + minutes(26)).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT");
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)));

    stage.chain.reorganises(1, [Contents::default()]).await;
    assert_eq!(stage.seen(order).await, None);
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "CANCELLED");
    stage.market.is_sound().await;
}

/// An attacker orders the same amount as an honest buyer, is accepted earlier, and reports the honest buyer's transaction.
#[tokio::test]
async fn the_payment_of_a_bound_address_is_not_taken_by_an_earlier_order_nor_by_its_public_hash() {
    let mut stage = Stage::for_usdt().await;
    let mallory = stage.market.trader().await;
    let attacked = mallory.orders(stage.advert, "4").await.unwrap();
    stage.anna.accepts(attacked).await.unwrap();
    stage.market.waits(Duration::milliseconds(1)).await;
    let order = stage.accepted("4").await;
    let payment = pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment.clone()]).await;
    assert_eq!(stage.anna.sees(attacked).await.unwrap().payment_seen, None);
    assert_eq!(stage.seen(order).await, Some((usdt("8"), 1)));

    mallory.does(attacked, reports(payment.tx, Some("TX 0091"))).await.unwrap();
    assert_eq!(stage.anna.sees(attacked).await.unwrap().payment_seen, None);
    assert_eq!(stage.anna.sees(attacked).await.unwrap().repeated, Repeated::default(), "nobody else has reported it");
    stage.ben.does(order, reports(payment.tx, Some("tx-00 91"))).await.unwrap();
    // Whoever reported first, the seller sees on both orders that one of the buyers has copied it.
    for (id, buyer) in [(attacked, &mallory), (order, &stage.ben)] {
        assert_eq!(stage.anna.sees(id).await.unwrap().repeated, Repeated { hash: true, reference: true });
        assert_eq!(buyer.sees(id).await.unwrap().repeated, Repeated::default(), "the buyer does not see it");
    }
    stage.anna.confirms(order).await.unwrap();
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_payment_that_fits_several_orders_gives_each_buyer_one_more_grace_period() {
    let mut stage = Stage::for_usdt().await;
    let mallory = stage.market.trader().await;
    let attacked = mallory.orders(stage.advert, "4").await.unwrap();
    stage.anna.accepts(attacked).await.unwrap();
    let order = stage.accepted("4").await;
    let payment = arrives(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment.clone()]).await;
    for id in [attacked, order] {
        let seen = stage.anna.sees(id).await.unwrap().payment_seen.unwrap();
        assert_eq!((seen.ambiguous, seen.proof), (true, SenderProof::Unknown));
    }
    // Reporting the transaction says nothing about who sent it.
    mallory.does(attacked, reports(payment.tx, None)).await.unwrap();
    assert!(stage.anna.sees(attacked).await.unwrap().payment_seen.unwrap().ambiguous);
    assert!(stage.anna.sees(order).await.unwrap().payment_seen.unwrap().ambiguous);

    // The payment window is 15 minutes, the grace period 10. Each starts when the clock notifies the parties.
    stage.market.at(noon() + minutes(16)).await;
    stage.market.clock_strikes().await;
    stage.market.at(noon() + minutes(26)).await;
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)), "before the second notification");
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT");
    let told = stage.ben.was_told().await;
    assert!(told.contains(&"PAYMENT_AMBIGUOUS".to_owned()), "{told:?}");
    let end = noon() + minutes(36);
    assert_eq!(stage.ben.sees(order).await.unwrap().lapses_at, Some(end));
    stage.market.at(end - Duration::milliseconds(1)).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)));
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT");
    stage.market.at(end).await;
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(order).await, "CANCELLED");
    assert_eq!(stage.market.state(attacked).await, "AWAITING_CONFIRMATION", "the seller decides");
    // The cancellation of the other order proves nothing.
    assert!(stage.anna.sees(attacked).await.unwrap().payment_seen.unwrap().ambiguous);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_buyer_of_an_ambiguous_payment_may_cancel_and_mark_the_order_as_paid() {
    let mut stage = Stage::for_usdt().await;
    let (first, second) = (stage.accepted("4").await, stage.accepted("4").await);
    let payment = arrives(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([payment]).await;
    stage.ben.cancels(first).await.unwrap();
    stage.market.at(noon() + minutes(16)).await;
    stage.market.clock_strikes().await;
    stage.market.at(noon() + minutes(26)).await;
    stage.market.clock_strikes().await;
    stage.market.at(noon() + minutes(36)).await;
    stage.ben.marks_paid(second).await.unwrap();
    stage.market.clock_strikes().await;
    assert_eq!(stage.market.state(second).await, "AWAITING_CONFIRMATION");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn an_order_that_is_paid_from_the_bound_address_does_not_make_other_payments_ambiguous() {
    let mut stage = Stage::for_usdt().await;
    let carla = stage.market.trader().await;
    let order = stage.accepted("4").await;
    let other = carla.orders(stage.advert, "4").await.unwrap();
    stage.anna.accepts(other).await.unwrap();
    let payments =
        [pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8")), arrives(&mut stage.chain, &stage.anna, usdt("8"))];
    stage.chain.mines_coins(payments).await;
    assert_eq!(stage.anna.sees(order).await.unwrap().payment_seen.unwrap().proof, SenderProof::Bound);
    assert!(!stage.anna.sees(other).await.unwrap().payment_seen.unwrap().ambiguous);
    // A second transfer of the same buyer is the payment of no order.
    let again = pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8"));
    stage.chain.mines_coins([again]).await;
    assert_eq!(stage.market.count("select count(*) from payments").await, 2);

    // If its block is removed, the order waits for its payment again, and the other payment may be for both.
    stage.chain.reorganises(2, [Contents::default()]).await;
    assert_eq!(stage.seen(order).await, None);
    let late = arrives(&mut stage.chain, &stage.anna, usdt("8"));
    stage.chain.mines_coins([late]).await;
    assert!(stage.anna.sees(order).await.unwrap().payment_seen.unwrap().ambiguous);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_cannot_be_its_payment_is_not_taken_for_it() {
    let mut stage = Stage::for_usdt().await;
    let order = stage.ordered("4").await;
    let early = pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8"));
    stage.chain.mines_coins([early]).await;
    assert_eq!(stage.seen(order).await, None, "before the acceptance");
    stage.market.waits(Duration::seconds(1)).await;
    stage.anna.accepts(order).await.unwrap();
    // The blocks' time is noon. The order was accepted a second later, so even the transfer of the exact amount is not
    // its payment.
    let known_only_now = pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8"));
    stage.chain.mines_coins([known_only_now]).await;
    stage.market.at(noon()).await;
    let second = stage.accepted("4").await;
    let less = pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("7.999999"));
    let elsewhere = pays(&mut stage.chain, &stage.ben, &stage.ben, usdt("8"));
    let coin =
        Transfer { token: domain::chain::Token::Native, ..pays(&mut stage.chain, &stage.ben, &stage.anna, usdt("8")) };
    let sellers_own = pays(&mut stage.chain, &stage.anna, &stage.anna, usdt("8"));
    let carla = stage.market.trader().await;
    let another_users = pays(&mut stage.chain, &carla, &stage.anna, usdt("8"));
    let vault = stage.ben.user.vault;
    let payout = Transfer { from: vault, ..arrives(&mut stage.chain, &stage.anna, usdt("8")) };
    stage.chain.mines_coins([less, elsewhere, coin, sellers_own, another_users, payout]).await;
    assert_eq!(stage.seen(order).await, None);
    assert_eq!(stage.seen(second).await, None);
    assert_eq!(stage.market.count("select count(*) from payments").await, 0);
    stage.market.is_sound().await;
}

/// An honest buyer sends less than the order costs, for example because an exchange keeps its fee, while an attacker has a
/// cheaper order with the same seller.
#[tokio::test]
async fn a_transfer_of_another_amount_from_an_unknown_address_proves_no_payment() {
    let mut stage = Stage::for_usdt().await;
    let mallory = stage.market.trader().await;
    let attacked = mallory.orders(stage.advert, "3").await.unwrap();
    stage.anna.accepts(attacked).await.unwrap();
    let order = stage.accepted("4").await;
    let short = arrives(&mut stage.chain, &stage.anna, usdt("7.9"));
    stage.chain.mines_coins([short]).await;
    assert_eq!(stage.seen(order).await, None);
    assert!(stage.anna.sees(attacked).await.unwrap().payment_seen.unwrap().ambiguous);
    for passed in [16, 26, 36] {
        stage.market.at(noon() + minutes(passed)).await;
        stage.market.clock_strikes().await;
    }
    assert_eq!(stage.market.state(attacked).await, "CANCELLED", "it does not keep the order open");
    stage.market.is_sound().await;
}
