//! Automatic sell orders: events of the chain advance them, and one transaction pays both legs.

use app::chain::settlement::Turn;
use domain::chain::SettlementOutcome;
use domain::funding::FundingTarget;
use domain::ids::OrderId;
use domain::ledger::VaultAsset;
use domain::orders::{Action, CancelReason};
use domain::refusal::Refusal;
use testkit::market::{CHAIN, Chain, Contents, Market, Trader, mec, minutes, usdt};
use testkit::noon;

use crate::forbidden;

pub(crate) struct Scene {
    pub(crate) market: Market,
    pub(crate) chain: Chain,
    pub(crate) anna: Trader,
    pub(crate) ben: Trader,
    pub(crate) order: OrderId,
}

/// Publishes Anna's automatic advert for 10 MEC at 2.5 USDT each, and places Ben's order for 4 MEC.
pub(crate) async fn ordered() -> Scene {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "4").await.unwrap();
    Scene { market, chain, anna, ben, order }
}

impl Scene {
    fn quote(&self) -> VaultAsset {
        VaultAsset { vault: self.ben.id(), asset: self.market.usdt }
    }
}

#[tokio::test]
async fn the_payment_releases_both_legs_together() {
    let Scene { market, mut chain, anna, ben, order } = ordered().await;
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT", "accepted at once");
    let waiting = ben.sees(order).await.unwrap().request.unwrap();
    assert_eq!((waiting.request.required, waiting.vault), (usdt("10"), ben.user.vault));
    chain.brings(&ben, market.usdt, usdt("10.5")).await;
    assert_eq!(market.state(order).await, "RELEASING");
    assert_eq!(ben.has_free(market.usdt).await, usdt("0.5"));
    market.is_sound().await;

    let mut turn = Turn::begin(&market.context, CHAIN).await.unwrap().unwrap();
    let [base, quote] = turn.payable(100).await.unwrap().try_into().unwrap();
    assert_eq!(turn.payable(1).await.unwrap(), [], "legs that are paid together are not separated");
    turn.pass().await.unwrap();
    assert_eq!((base.with_next, quote.with_next), (true, false));
    assert_eq!(quote.reference.0, base.reference.0 + 1);
    assert_eq!((base.recipient, base.amount), (ben.user.bound.unwrap(), mec("3.996")));
    let receiving: domain::chain::Address = anna.user.receiving.clone().unwrap().address.parse().unwrap();
    assert_eq!((quote.recipient, quote.amount), (receiving, usdt("10")));

    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    let vault_asset = VaultAsset { vault: ben.id(), asset: market.usdt };
    assert_eq!(market.balance(vault_asset.custody()).await, usdt("0.5"));
    market.is_sound().await;
    assert_eq!(ben.was_told().await, ["ORDER_PAID", "ORDER_RELEASING", "ORDER_COMPLETED"]);
    assert_eq!(
        anna.was_told().await,
        ["ADVERT_CONFIRMED", "NEW_ORDER", "ORDER_PAID", "ORDER_RELEASING", "ORDER_COMPLETED"]
    );
}

#[tokio::test]
async fn temporary_balance_pays_and_both_legs_go_together() {
    let Scene { market, mut chain, anna, ben, order } = ordered().await;
    let (target, mine) = (FundingTarget::Order(order), ben.sees(order).await.unwrap().request.unwrap());
    assert_eq!(mine.balance, usdt("0"));
    // The coins arrive for a first order, which ends. The second order can use them.
    chain.brings(&ben, market.usdt, usdt("9")).await;
    ben.cancels(order).await.unwrap();
    let advert = market.order(order).await.terms.advert;
    let again = ben.orders(advert, "2").await.unwrap();
    assert_eq!(ben.offers(target, usdt("1")).await, Err(Refusal::Stale), "an ended order waits for nothing");
    assert_eq!(
        anna.offers(FundingTarget::Order(again), usdt("1")).await,
        Err(Refusal::Stale),
        "the seller is asked for nothing"
    );
    ben.offers(FundingTarget::Order(again), usdt("9")).await.unwrap();
    assert_eq!(market.state(again).await, "RELEASING");
    assert_eq!(ben.has_free(market.usdt).await, usdt("4"));
    market.is_sound().await;
    chain.settles().await;
    assert_eq!(market.state(again).await, "COMPLETED");
    market.is_sound().await;
}

#[tokio::test]
async fn it_is_complete_only_when_both_legs_are_final() {
    let Scene { market, mut chain, ben, order, .. } = ordered().await;
    chain.brings(&ben, market.usdt, usdt("10")).await;
    let Contents { settlements, .. } = chain.signs().await;
    let only = |index: usize| Contents { settlements: vec![settlements[index]], ..Contents::default() };
    chain.mines_blocks([only(0)]).await;
    chain.confirms().await;
    assert_eq!(market.state(order).await, "RELEASING");
    chain.mines_blocks([only(1)]).await;
    chain.mines(1).await;
    assert_eq!(market.state(order).await, "RELEASING");
    chain.mines(1).await;
    assert_eq!(market.state(order).await, "COMPLETED");
    market.is_sound().await;
}

#[tokio::test]
async fn only_the_chain_moves_it() {
    let Scene { market, ben, anna, order, .. } = ordered().await;
    assert_eq!(ben.marks_paid(order).await, Err(forbidden(Action::MarkPaid)));
    assert_eq!(anna.confirms(order).await, Err(forbidden(Action::Confirm)));
    assert_eq!(anna.accepts(order).await, Err(forbidden(Action::Accept)));
    assert_eq!(anna.rejects(order).await, Err(forbidden(Action::Reject)));
    assert!(ben.sees(order).await.unwrap().actions.get(Action::CheckDeposit).is_some());
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
}

#[tokio::test]
async fn the_buyer_cancels_and_keeps_the_part_that_came() {
    let scene = ordered().await;
    let Scene { market, mut chain, ben, order, .. } = scene;
    chain.brings(&ben, market.usdt, usdt("4")).await;
    assert_eq!(ben.sees(order).await.unwrap().request.unwrap().request.shortfall(), usdt("6"));
    ben.cancels(order).await.unwrap();
    assert_eq!(market.state(order).await, "CANCELLED");
    assert_eq!(ben.has_free(market.usdt).await, usdt("4"));
    chain.brings(&ben, market.usdt, usdt("6")).await;
    assert_eq!(market.state(order).await, "CANCELLED", "what comes after the end is temporary balance");
    assert_eq!(ben.has_free(market.usdt).await, usdt("10"));
    ben.withdraws(market.usdt).await.unwrap();
    chain.settles().await;
    market.is_sound().await;
}

#[tokio::test]
async fn nobody_cancels_while_the_payment_is_on_its_way() {
    let scene = ordered().await;
    let (vault_asset, Scene { market, mut chain, anna, ben, order }) = (scene.quote(), scene);
    chain.brings(&ben, market.usdt, usdt("4")).await;
    chain.shows(&ben, market.usdt, usdt("6")).await;
    assert_eq!(ben.cancels(order).await, Err(forbidden(Action::Cancel)));
    assert_eq!(anna.asks_to_cancel(order).await, Err(forbidden(Action::Cancel)));
    market.at(noon() + minutes(60)).await;
    market.clock_strikes().await;
    market.waits(minutes(60)).await;
    market.clock_strikes().await;
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
    chain.confirms().await;
    assert_eq!(market.state(order).await, "RELEASING");
    assert_eq!(market.balance(vault_asset.order(order)).await, usdt("0"));
    market.is_sound().await;
}

#[tokio::test]
async fn without_a_payment_it_ends_after_the_grace() {
    let Scene { market, order, ben, .. } = ordered().await;
    market.at(noon() + minutes(16)).await;
    market.clock_strikes().await;
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
    market.waits(minutes(10)).await;
    market.clock_strikes().await;
    assert_eq!(market.order(order).await.state.cancelled().unwrap().reason, CancelReason::PaymentOverdue);
    assert!(ben.was_told().await.contains(&"PAYMENT_OVERDUE".to_owned()));
    market.is_sound().await;
}

#[tokio::test]
async fn the_seller_asks_the_buyer_to_cancel_and_the_buyer_agrees() {
    let Scene { market, anna, ben, order, .. } = ordered().await;
    anna.asks_to_cancel(order).await.unwrap();
    ben.agrees_to_cancel(order).await.unwrap();
    assert_eq!(market.order(order).await.state.cancelled().unwrap().reason, CancelReason::Agreed);
    market.is_sound().await;
}

#[tokio::test]
async fn one_automatic_order_at_a_time_waits_for_a_person_s_coins() {
    let Scene { market, ben, order, .. } = ordered().await;
    let advert = market.order(order).await.terms.advert;
    assert_eq!(ben.orders(advert, "1").await, Err(Refusal::FundingRequestOpen));
    let carl = market.trader().await;
    carl.orders(advert, "1").await.unwrap();
    market.is_sound().await;
}

#[tokio::test]
async fn a_leg_that_the_escrow_cannot_pay_stays_owed_and_is_tried_later() {
    let Scene { market, mut chain, ben, order, .. } = ordered().await;
    chain.brings(&ben, market.usdt, usdt("10")).await;
    for attempt in 1..=2 {
        let mut contents = chain.signs().await;
        assert_eq!(contents.settlements.len(), 2, "attempt {attempt}");
        for settlement in &mut contents.settlements {
            settlement.outcome = SettlementOutcome::Failed;
        }
        chain.mines_blocks([contents]).await;
        chain.confirms().await;
        assert_eq!(market.state(order).await, "RELEASING");
        assert_eq!(chain.signs().await, Contents::default(), "not before some time has passed");
        market.waits(minutes(attempt)).await;
    }
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    market.is_sound().await;
}

#[tokio::test]
async fn a_leg_that_fails_for_days_is_still_tried_each_hour() {
    let Scene { market, mut chain, ben, order, .. } = ordered().await;
    chain.brings(&ben, market.usdt, usdt("10")).await;
    market.sql("update payout_legs set failures = 2000").await;
    let mut contents = chain.signs().await;
    contents.settlements.iter_mut().for_each(|settlement| settlement.outcome = SettlementOutcome::Failed);
    chain.mines_blocks([contents]).await;
    chain.confirms().await;
    market.waits(minutes(59)).await;
    assert_eq!(chain.signs().await, Contents::default());
    market.waits(minutes(1)).await;
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
}
