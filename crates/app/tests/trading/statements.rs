//! The number of statements does not depend on the size of a set.

use app::trading::{Command, CommandKind, execute_with_views};
use domain::adverts::AdvertCommand;
use domain::ids::OrderId;
use domain::orders::{OrderCommand, Proofs};
use testkit::market::{Market, Trader, mec};
use testkit::statements::counted;

use crate::Stage;

/// The sizes of sets; the largest is the largest set of the executor.
const SIZES: [usize; 3] = [1, 64, 256];

/// Executes a set in which every command succeeds, as the API does. Returns the orders and the number of statements.
async fn all_done(market: &Market, set: Vec<Command>) -> (Vec<OrderId>, usize) {
    let (outcomes, statements) = counted(execute_with_views(&market.context, &set)).await;
    let orders = outcomes.into_iter().map(|outcome| {
        assert!(outcome.view.is_some());
        OrderId(outcome.reply.unwrap().id.unwrap())
    });
    (orders.collect(), statements)
}

async fn does(stage: &Stage, by: &[&Trader], orders: &[OrderId], act: OrderCommand) -> usize {
    let mut set = Vec::new();
    for (trader, id) in by.iter().zip(orders) {
        let seen = stage.market.order(*id).await.version;
        let proofs = Proofs { security_password: matches!(act, OrderCommand::Confirm), pass: false };
        set.push(trader.wants(CommandKind::Order { id: *id, seen, act: act.clone(), proofs }));
    }
    all_done(&stage.market, set).await.1
}

#[tokio::test]
async fn a_set_of_any_size_executes_the_same_number_of_statements() {
    let mut counts = Vec::new();
    for size in SIZES {
        let mut stage = Stage::selling(Market::open().await, "10", "10000").await;
        let automatic = stage.anna.posts(stage.anna.mec_for_usdt("10", "250").automatic()).await.unwrap();
        stage.chain.brings(&stage.anna, stage.market.mec, mec("10")).await;
        let mut takers = Vec::new();
        for _ in 0..size {
            takers.push(stage.market.trader().await);
        }
        let by: Vec<_> = takers.iter().collect();
        let anna: Vec<_> = std::iter::repeat_n(&stage.anna, size).collect();
        let mut placed = Vec::new();
        let mut count = Vec::new();
        for _ in 0..2 {
            let mut set = Vec::new();
            for taker in &takers {
                let order = taker.order_for(stage.advert, mec("0.01")).await;
                set.push(taker.wants(CommandKind::PlaceOrder(order)));
            }
            // A version is out of date after the first set.
            let (orders, statements) = all_done(&stage.market, set).await;
            count.push(("place", statements));
            placed.push(orders);
        }
        let [first, second] = placed.try_into().unwrap();
        count.push(("accept", does(&stage, &anna, &first, OrderCommand::Accept).await));
        count.push(("accept", does(&stage, &anna, &second, OrderCommand::Accept).await));
        let paid = OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts: Vec::new() };
        count.push(("mark paid", does(&stage, &by, &first, paid).await));
        count.push(("confirm", does(&stage, &anna, &first, OrderCommand::Confirm).await));
        count.push(("cancel", does(&stage, &by, &second, OrderCommand::Cancel).await));
        // Automatic orders open and close funding requests.
        let mut set = Vec::new();
        for taker in &takers {
            set.push(taker.wants(CommandKind::PlaceOrder(taker.order_for(automatic, mec("0.01")).await)));
        }
        let (orders, statements) = all_done(&stage.market, set).await;
        count.push(("place automatically", statements));
        count.push(("cancel before paying", does(&stage, &by, &orders, OrderCommand::Cancel).await));
        let posts: Vec<_> =
            takers.iter().map(|taker| taker.wants(CommandKind::PostAdvert(taker.mec_for_krw("1", "250").0))).collect();
        let (replies, statements) = counted(stage.market.execute(&posts)).await;
        count.push(("post", statements));
        let mut cancels = Vec::new();
        for (taker, reply) in takers.iter().zip(replies) {
            let answer = reply.unwrap();
            let id = domain::ids::AdvertId(answer.id.unwrap());
            cancels.push(taker.wants(CommandKind::Advert { id, seen: answer.version, act: AdvertCommand::Cancel }));
        }
        count.push(("cancel the advert", counted(stage.market.execute(&cancels)).await.1));
        let switches: Vec<_> = takers.iter().map(|taker| taker.wants(CommandKind::Switch { online: false })).collect();
        count.push(("switch", counted(stage.market.execute(&switches)).await.1));
        counts.push(count);
    }
    let [one, many, most] = counts.try_into().unwrap();
    assert_eq!(one, many);
    assert_eq!(one, most);
    let most_statements = one.iter().map(|(_, count)| *count).max();
    assert!(most_statements <= Some(27), "{one:?}");
}
