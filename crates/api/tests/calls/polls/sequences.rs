//! Random sequences of steps, after each of which the processes must answer alike.

use app::MachineTime as _;
use chrono::Duration;
use domain::ids::OrderId;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use testkit::market::{Contents, usdt};

use super::{ORDERS, Platform};
use crate::stage::text;

#[derive(Debug, Clone)]
enum Step {
    /// A command by one of the users on one of the orders.
    Order(Index, Index, &'static str),
    Place(Index),
    Read(Index, Index),
    /// A message, or a mark that it was read.
    Say(Index, Index),
    Hear(Index, Index),
    Remark(Index, u8),
    Switch(Index),
    Deposit(Index),
    Withdraw(Index),
    Blocks(usize),
    Pay,
    Reorganize(usize),
    Wait(i64),
    /// A change by an officer or a timer of the worker.
    Sql(Index),
    Timers,
    Beat,
}

/// What officers change.
const SQL: &[&str] = &[
    "update users set certified = not certified where id = $1",
    "update users set held_until = $2 where id = $1",
    "update users set withdrawal_forbidden = not withdrawal_forbidden where id = $1",
    "update pairs set payment_seconds = payment_seconds + 1",
    "insert into payout_stops (asset_id, because, at) select min(id), 'x', $2 from assets on conflict do nothing",
    "delete from payout_stops",
];

fn step() -> impl Strategy<Value = Step> {
    let commands = prop::sample::select(vec!["take", "cancel", "pay", "confirm", "askCancel", "agreeCancel"]);
    prop_oneof![
        8 => (any::<Index>(), any::<Index>(), commands).prop_map(|(who, order, act)| Step::Order(who, order, act)),
        6 => any::<Index>().prop_map(Step::Place),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(who, order)| Step::Read(who, order)),
        3 => (any::<Index>(), any::<Index>()).prop_map(|(who, order)| Step::Say(who, order)),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(who, order)| Step::Hear(who, order)),
        1 => (any::<Index>(), any::<u8>()).prop_map(|(who, remark)| Step::Remark(who, remark)),
        1 => any::<Index>().prop_map(Step::Switch),
        2 => any::<Index>().prop_map(Step::Deposit),
        1 => any::<Index>().prop_map(Step::Withdraw),
        3 => (1..3_usize).prop_map(Step::Blocks),
        2 => Just(Step::Pay),
        1 => (1..3_usize).prop_map(Step::Reorganize),
        3 => prop::sample::select(vec![1, 59, 240, 960, 86_400, 30 * 86_400]).prop_map(Step::Wait),
        2 => any::<Index>().prop_map(Step::Sql),
        2 => Just(Step::Timers),
        3 => Just(Step::Beat),
    ]
}

impl Platform {
    async fn takes(&mut self, step: &Step, orders: &mut Vec<OrderId>) {
        let now = self.hands.now();
        let one = |index: &Index| *index.get(&self.callers());
        match step {
            Step::Place(who) => {
                let body = json!({ "advertId": self.advert, "price": "1000", "quantity": "0.5" });
                let order = self.stage.post(one(who), "/c2c/deal/order", &body).await;
                if order.status == 200 {
                    orders.push(text(&order.body["data"]["id"]).parse().unwrap());
                }
            }
            Step::Order(..) | Step::Read(..) | Step::Say(..) | Step::Hear(..) if orders.is_empty() => {}
            Step::Order(who, order, act) => {
                let order = order.get(orders);
                let version = self.stage.market.order(*order).await.version;
                self.stage
                    .post(one(who), &format!("/c2c/deal/order/{act}/{order}"), &json!({ "version": version }))
                    .await;
                if *act == "confirm" {
                    // Without its security password.
                    drop(one(who).trader.confirms(*order).await);
                }
            }
            Step::Read(who, order) => {
                let id = order.get(orders);
                self.stage.post(one(who), &format!("/c2c/deal/order/updateRead?id={id}"), &json!({})).await;
            }
            Step::Say(who, order) => {
                let path = format!("/user/fiat/talk/{}", order.get(orders));
                self.stage.post(one(who), &path, &json!({ "text": "Hello" })).await;
            }
            Step::Hear(who, order) => {
                self.stage.get(one(who), &format!("/user/fiat/talk/read/{}", order.get(orders))).await;
            }
            Step::Remark(who, remark) => {
                self.stage.post(one(who), "/user/updateInfo", &json!({ "remark": format!("R{remark}") })).await;
            }
            Step::Switch(who) => {
                let trader = &one(who).trader;
                let offline = trader.market.count("select count(*) from users where not online").await;
                drop(trader.switches(offline > 0).await);
            }
            Step::Deposit(who) => {
                let trader = one(who).trader.clone();
                let asset = self.stage.market.usdt;
                self.stage.chain.shows(&trader, asset, usdt("3")).await;
            }
            Step::Withdraw(who) => drop(one(who).trader.withdraws(self.stage.market.usdt).await),
            Step::Blocks(count) => drop(self.stage.chain.mines(*count).await),
            Step::Pay => drop(self.stage.chain.pays().await),
            Step::Reorganize(depth) => {
                let contents = self.stage.chain.contents_of_newest(*depth);
                let (_, kept) = contents.split_at(1);
                let blocks = kept.iter().cloned().chain([Contents::default()]);
                self.stage.chain.reorganises(*depth, blocks.collect::<Vec<_>>()).await;
            }
            Step::Wait(seconds) => self.hands.advances(Duration::seconds(*seconds)),
            Step::Sql(index) => {
                let user = one(index).trader.id();
                let statement = index.get(SQL).replace("$1", &format!("'{user}'"));
                self.stage.market.sql(&statement.replace("$2", &format!("'{}'", now + Duration::seconds(90)))).await;
            }
            Step::Timers => {
                app::deadlines::outages::move_deadlines(&self.stage.market.context).await.unwrap();
                self.stage.market.clock_strikes().await;
            }
            Step::Beat => drop(app::deadlines::outages::beat(&self.stage.market.context).await.unwrap()),
        }
    }

    /// Returns whether the process that executes the step needs no feed to see it.
    fn is_own(step: &Step) -> bool {
        matches!(
            step,
            Step::Place(_)
                | Step::Order(..)
                | Step::Read(..)
                | Step::Say(..)
                | Step::Hear(..)
                | Step::Remark(..)
                | Step::Switch(_)
        )
    }
}

/// The number of random sequences, and their length.
const SEQUENCES: usize = 2;
const LENGTH: usize = 30;

#[tokio::test]
async fn kept_answers_are_the_same_as_computed_ones_after_any_commands() {
    let mut runner = TestRunner::deterministic();
    let (mut placed, mut kept, mut computed) = (0, 0, 0);
    for _ in 0..SEQUENCES {
        let steps = prop::collection::vec(step(), LENGTH).new_tree(&mut runner).unwrap().current();
        let mut platform = Box::pin(Platform::selling()).await;
        let mut orders = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let before = platform.hands.now();
            platform.takes(step, &mut orders).await;
            let after = format!("{number}. {step:?} at {before}");
            if Platform::is_own(step) {
                platform.compare(&[&platform.own], &after).await;
            }
            platform.both_read().await;
            platform.compare(&[&platform.own, &platform.other], &after).await;
            platform.compare_market(&[&platform.own, &platform.other], &after).await;
            for who in platform.callers() {
                match platform.cost(&platform.other, who, ORDERS).await {
                    0 => kept += 1,
                    _ => computed += 1,
                }
            }
        }
        placed += orders.len();
    }
    assert!(placed > SEQUENCES, "the steps placed {placed} orders");
    assert!(kept > computed, "{kept} answers were kept, {computed} computed");
}
