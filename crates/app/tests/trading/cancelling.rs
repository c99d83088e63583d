//! Ends orders without a trade, and ends adverts, in each allowed state. Checks where the money is afterwards.

use domain::adverts::{EndReason, State};
use domain::ids::{AdvertId, OrderId};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders::{Action, CancelReason, MovementKind, Proofs};
use domain::refusal::Refusal;
use store::users::ReputationChange;
use testkit::market::{krw, mec, minutes, usdt};

use crate::{Stage, forbidden};

impl Stage {
    /// Asserts that the order has ended in this state and for this reason, and that its coins are back in the advert.
    async fn gave_back(&self, order: OrderId, state: &str, reason: Option<CancelReason>) {
        let ended = self.market.order(order).await;
        assert_eq!(ended.state.into_str(), state);
        assert_eq!(ended.state.cancelled().map(|cancelled| cancelled.reason), reason);
        let vault_asset = VaultAsset { vault: self.anna.id(), asset: self.market.mec };
        assert_eq!(self.market.balance(vault_asset.order(order)).await, mec("0"));
        assert_eq!(self.market.balance(vault_asset.advert(self.advert)).await, mec("10"));
        let advert = self.market.advert(self.advert).await;
        assert_eq!((advert.remaining, advert.running), (mec("10"), 0));
        assert_eq!(self.market.count("select count(*) from payouts").await, 0, "with no chain transaction");
        self.market.is_sound().await;
    }
}

#[tokio::test]
async fn the_advertiser_rejects() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    stage.anna.rejects(order).await.unwrap();
    stage.gave_back(order, "REJECTED", None).await;
    assert_eq!(stage.ben.was_told().await, ["ORDER_REJECTED"]);
    assert_eq!(stage.anna.accepts(order).await, Err(forbidden(Action::Accept)));
}

#[tokio::test]
async fn the_taker_cancels_before_it_is_accepted() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    stage.ben.cancels(order).await.unwrap();
    stage.gave_back(order, "CANCELLED", Some(CancelReason::Withdrawn)).await;
    assert_eq!(stage.anna.accepts(order).await, Err(forbidden(Action::Accept)));
}

#[tokio::test]
async fn the_buyer_cancels_instead_of_paying() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    stage.ben.cancels(order).await.unwrap();
    stage.gave_back(order, "CANCELLED", Some(CancelReason::Withdrawn)).await;
}

#[tokio::test]
async fn the_seller_asks_and_the_buyer_agrees() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)));
    assert_eq!(stage.ben.agrees_to_cancel(order).await, Err(forbidden(Action::Cancel)), "no request to cancel");
    assert_eq!(stage.ben.asks_to_cancel(order).await, Err(forbidden(Action::Cancel)));
    stage.anna.asks_to_cancel(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "AWAITING_PAYMENT", "until the buyer agrees");
    assert!(stage.ben.sees(order).await.unwrap().actions.get(Action::AgreeCancel).is_some());
    stage.ben.agrees_to_cancel(order).await.unwrap();
    stage.gave_back(order, "CANCELLED", Some(CancelReason::Agreed)).await;
}

#[tokio::test]
async fn the_buyer_may_pay_though_the_seller_asked_to_cancel() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    stage.anna.asks_to_cancel(order).await.unwrap();
    stage.ben.marks_paid(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "AWAITING_CONFIRMATION");
    assert_eq!(stage.ben.agrees_to_cancel(order).await, Err(forbidden(Action::Cancel)));
}

#[tokio::test]
async fn the_buyer_takes_a_payment_back_with_the_security_password() {
    let stage = Stage::set().await;
    let order = stage.paid("4").await;
    let seen = stage.market.order(order).await.version;
    let act = domain::orders::OrderCommand::Cancel;
    let what = app::commands::CommandKind::order(order, seen, act, Proofs::NONE);
    let required = Err(Refusal::Invalid { field: "securityCode", reason: "required" });
    assert_eq!(stage.ben.asks(what).await, required);
    stage.ben.cancels(order).await.unwrap();
    stage.gave_back(order, "CANCELLED", Some(CancelReason::Withdrawn)).await;
}

#[tokio::test]
async fn what_was_cancelled_is_ordered_again() {
    let stage = Stage::set().await;
    let first = stage.accepted("10").await;
    stage.ben.cancels(first).await.unwrap();
    let second = stage.paid("10").await;
    stage.anna.confirms(second).await.unwrap();
    let mut stage = stage;
    stage.chain.settles().await;
    assert_eq!(stage.market.state(second).await, "COMPLETED");
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn three_cancellations_of_a_day_are_free_and_the_fourth_costs() {
    let stage = Stage::set().await;
    for _ in 0..3 {
        let order = stage.accepted("1").await;
        let actions = stage.ben.sees(order).await.unwrap().actions;
        let offer = actions.get(Action::Cancel).unwrap();
        assert_eq!(offer.reputation_cost, 0);
        stage.ben.cancels(order).await.unwrap();
    }
    assert_eq!(stage.ben.reputation().await, 100);
    let order = stage.accepted("1").await;
    assert_eq!(stage.ben.sees(order).await.unwrap().actions.get(Action::Cancel).unwrap().reputation_cost, 20);
    stage.ben.cancels(order).await.unwrap();
    assert_eq!((stage.ben.reputation().await, stage.anna.reputation().await), (80, 100));
    stage.market.waits(minutes(12 * 60)).await;
    let order = stage.accepted("1").await;
    assert_eq!(
        stage.ben.sees(order).await.unwrap().actions.get(Action::Cancel).unwrap().reputation_cost,
        0,
        "a new day"
    );
    stage.ben.cancels(order).await.unwrap();
    assert_eq!(stage.ben.reputation().await, 80);
}

#[tokio::test]
async fn a_new_month_restores_credit_and_keeps_what_it_has_charged_itself() {
    let stage = Stage::set().await;
    let context = &stage.market.context;
    let cancels_four = async || {
        for _ in 0..4 {
            let order = stage.accepted("1").await;
            stage.ben.cancels(order).await.unwrap();
        }
    };
    cancels_four().await;
    assert_eq!(app::reputation::restore(context).await.unwrap(), 0, "the month is not over");
    assert_eq!(stage.ben.reputation().await, 80);
    stage.market.waits(minutes(31 * 24 * 60)).await;
    // Reputation is deducted again before it is restored.
    cancels_four().await;
    assert_eq!(stage.ben.reputation().await, 60);
    assert_eq!(app::reputation::restore(context).await.unwrap(), 1);
    assert_eq!(stage.ben.reputation().await, 80);
    assert_eq!(app::reputation::restore(context).await.unwrap(), 0);
    let restored = "select count(*) from reputation_changes where cause = 'MONTHLY_RESTORATION' and change = 20";
    assert_eq!(stage.market.count(restored).await, 1);
    assert_eq!(app::reputation::standing(context, stage.ben.id()).await.unwrap().cancelled_today, 4);
}

#[tokio::test]
async fn a_charge_at_the_time_of_restoration_is_not_forgiven() {
    let stage = Stage::set().await;
    let context = &stage.market.context;
    for _ in 0..4 {
        let order = stage.accepted("1").await;
        stage.ben.cancels(order).await.unwrap();
    }
    stage.market.waits(minutes(31 * 24 * 60)).await;
    let order = stage.accepted("1").await;
    let (mut charging, now) = context.begin().await.unwrap();
    let charge = ReputationChange {
        user: stage.ben.id(),
        change: -20,
        reputation: 60,
        cause: domain::reputation::Cause::Cancelled.into_str(),
        order: Some(order),
        appeal: None,
    };
    store::users::change_reputation(&mut charging, &[charge], now).await.unwrap();
    let restoring = tokio::spawn({
        let context = context.clone();
        async move { app::reputation::restore(&context).await.unwrap() }
    });
    let waits = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while stage.market.count(waits).await == 0 {
        tokio::task::yield_now().await;
    }
    charging.commit().await.unwrap();
    assert_eq!(restoring.await.unwrap(), 1);
    assert_eq!(stage.ben.reputation().await, 80, "what the old month took is back, what the new one took is not");
}

#[tokio::test]
async fn cancellations_of_one_set_are_counted_one_after_another() {
    let stage = Stage::set().await;
    let mut set = Vec::new();
    for _ in 0..5 {
        let id = stage.accepted("1").await;
        let seen = stage.market.order(id).await.version;
        let act = domain::orders::OrderCommand::Cancel;
        set.push(stage.ben.wants(app::commands::CommandKind::order(id, seen, act, Proofs::ALL)));
    }
    let replies = stage.market.execute(&set).await;
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    assert_eq!(stage.ben.reputation().await, 60);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn an_advert_goes_offline_and_its_orders_go_on() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    stage.anna.takes(stage.advert, false).await.unwrap();
    assert_eq!(stage.ben.orders(stage.advert, "1").await, Err(Refusal::AdvertiserOffline));
    stage.ben.marks_paid(order).await.unwrap();
    stage.anna.confirms(order).await.unwrap();
    let mut stage = stage;
    stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    stage.anna.takes(stage.advert, true).await.unwrap();
    stage.ordered("1").await;
    stage.market.is_sound().await;
}

#[tokio::test]
async fn all_adverts_follow_the_switch_of_their_owner() {
    let mut stage = Stage::set().await;
    let other = stage.anna.posts(stage.anna.usdt_for_krw("10", "1400")).await.unwrap();
    stage.chain.brings(&stage.anna, stage.market.usdt, usdt("10")).await;
    stage.anna.switches(false).await.unwrap();
    for advert in [stage.advert, other] {
        assert_eq!(stage.market.advert_state(advert).await, "OFFLINE");
    }
    stage.anna.switches(false).await.unwrap();
    let told = format!("select count(*) from outbox_events where user_id = '{}' and body = '\"37\"'", stage.anna.id());
    assert_eq!(stage.market.count(&told).await, 1, "told in all their windows, once");
    stage.anna.switches(true).await.unwrap();
    for advert in [stage.advert, other] {
        assert_eq!(stage.market.advert_state(advert).await, "ONLINE");
    }
    assert_eq!(stage.market.count(&told).await, 1);
}

/// Returns the coins that the owner's view of an advert says that a revocation returns.
async fn revocation(stage: &Stage, advert: AdvertId) -> Vec<(MovementKind, Amount)> {
    let seen = stage.anna.sees_advert(advert).await.unwrap();
    seen.revocation.into_iter().map(|one| (one.kind, one.amount)).collect()
}

#[tokio::test]
async fn a_revoked_advert_returns_what_remains() {
    let mut stage = Stage::set().await;
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    let returned = [(MovementKind::Payout, mec("9.999")), (MovementKind::NetworkFee, mec("0.001"))];
    assert_eq!(revocation(&stage, stage.advert).await, returned);
    stage.anna.ends(stage.advert).await.unwrap();
    assert_eq!(revocation(&stage, stage.advert).await, [], "already revoked");
    assert_eq!(stage.market.advert_state(stage.advert).await, "REVOKING");
    assert_eq!(stage.anna.holds(stage.market.mec).await.in_flight, mec("9.999"));
    assert_eq!(stage.market.balance(vault_asset.gas()).await, mec("0.001"));
    assert_eq!(stage.ben.orders(stage.advert, "1").await, Err(Refusal::AdvertMissing));
    let seen = app::market::hall::one(&stage.market.context, Some(stage.ben.id()), stage.advert).await;
    assert!(matches!(seen, Err(app::Error::Refused(Refusal::AdvertMissing))), "the hall and an order agree: {seen:?}");
    stage.market.is_sound().await;
    stage.chain.pays().await;
    let [leg] = stage.anna.sees_advert(stage.advert).await.unwrap().payout.unwrap().legs.try_into().unwrap();
    assert_eq!((leg.recipient, leg.amount), (stage.anna.user.bound.unwrap(), mec("9.999")));
    assert_eq!(stage.market.advert_state(stage.advert).await, "REVOKING", "until the chain has confirmed it");
    stage.chain.confirms().await;
    let state = stage.market.advert(stage.advert).await.state;
    assert!(matches!(state, State::Cancelled { reason: EndReason::Revoked, .. }), "{state:?}");
    assert_eq!(stage.market.balance(vault_asset.custody()).await, mec("0.001"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_revoked_advert_waits_for_its_orders() {
    let mut stage = Stage::set().await;
    let (sold, reverted) = (stage.paid("4").await, stage.accepted("1").await);
    let if_both_complete = [(MovementKind::Payout, mec("4.999")), (MovementKind::NetworkFee, mec("0.001"))];
    assert_eq!(revocation(&stage, stage.advert).await, if_both_complete);
    stage.anna.ends(stage.advert).await.unwrap();
    assert_eq!(stage.market.count("select count(*) from payouts").await, 0);
    stage.ben.cancels(reverted).await.unwrap();
    assert_eq!(stage.market.count("select count(*) from payouts").await, 0);
    stage.anna.confirms(sold).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(stage.market.state(sold).await, "COMPLETED");
    assert_eq!(stage.market.advert_state(stage.advert).await, "REVOKING");
    assert_eq!(stage.anna.holds(stage.market.mec).await.in_flight, mec("5.999"));
    stage.chain.settles().await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_rest_not_above_the_gas_of_its_return_stays_temporary_balance() {
    let mut stage = Stage::set().await;
    let mut offer = stage.anna.mec_for_krw("1.001", "1000000");
    offer.0.min_total = krw("100");
    stage.anna.ends(stage.advert).await.unwrap();
    stage.chain.settles().await;
    let advert = stage.anna.posts(offer).await.unwrap();
    stage.chain.brings(&stage.anna, stage.market.mec, mec("1.001")).await;
    let order = stage.ben.orders(advert, "1").await.unwrap();
    stage.anna.accepts(order).await.unwrap();
    stage.ben.marks_paid(order).await.unwrap();
    stage.anna.confirms(order).await.unwrap();
    assert_eq!(revocation(&stage, advert).await, [(MovementKind::TemporaryBalance, mec("0.001"))]);
    stage.anna.ends(advert).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(stage.market.advert_state(advert).await, "CANCELLED");
    assert_eq!(stage.anna.has_free(stage.market.mec).await, mec("0.001"));
    stage.market.is_sound().await;
}
