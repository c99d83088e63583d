//! The number of statements does not depend on the size of a set.

use app::commands::{Command, CommandKind, execute_with_views};
use domain::adverts::AdvertCommand;
use domain::ids::{FileId, OrderId};
use domain::orders::{AppealReason, NewEvidence, OrderCommand, Proofs};
use testkit::market::{Market, Trader, mec};
use testkit::statements::counted;

use crate::Stage;
use crate::talk_files::picture;

/// The sizes of sets; the largest is the largest set of the executor.
const SIZES: [usize; 3] = [1, 64, 256];

/// The sets whose orders have files.
const WITH_FILES: [&str; 4] =
    ["mark paid with receipts", "appeal with evidence", "add evidence", "confirm with receipts"];

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
        set.push(trader.wants(CommandKind::order(*id, seen, act.clone(), proofs)));
    }
    all_done(&stage.market, set).await.1
}

/// Executes a set of commands of the traders, which `act` makes, about their orders. Returns the number of statements.
async fn do_each(
    stage: &Stage,
    by: &[&Trader],
    orders: &[OrderId],
    act: impl AsyncFn(&Trader, usize) -> OrderCommand,
) -> usize {
    let mut set = Vec::new();
    for (number, (trader, id)) in by.iter().zip(orders).enumerate() {
        let seen = stage.market.order(*id).await.version;
        let act = act(trader, number).await;
        set.push(trader.wants(CommandKind::order(*id, seen, act, Proofs::default())));
    }
    all_done(&stage.market, set).await.1
}

/// Returns a picture of a trader, which looks like no other one.
async fn picture_of(trader: &Trader, number: usize) -> FileId {
    picture(trader, &std::array::from_fn(|cell| u8::try_from(cell.wrapping_mul(number.wrapping_add(7)) % 251).unwrap()))
        .await
}

async fn paid(stage: &Stage, by: &[&Trader], orders: &[OrderId]) -> usize {
    do_each(stage, by, orders, async |trader, number| {
        let receipts = vec![picture_of(trader, number).await, picture_of(trader, number.wrapping_add(1)).await];
        let (reference, hash) = (Some(format!("R-{number}")), Some(format!("0x{number:064x}")));
        OrderCommand::MarkPaid { method: None, reference, hash, receipts }
    })
    .await
}

async fn appealed(stage: &Stage, by: &[&Trader], orders: &[OrderId]) -> usize {
    do_each(stage, by, orders, async |trader, number| {
        let evidence = NewEvidence { pictures: vec![picture_of(trader, number).await], videos: Vec::new() };
        OrderCommand::Appeal { reason: AppealReason::PaymentNotReceived, description: None, evidence }
    })
    .await
}

async fn adds_evidence(stage: &Stage, by: &[&Trader], orders: &[OrderId]) -> usize {
    do_each(stage, by, orders, async |trader, number| {
        let pictures = vec![picture_of(trader, number).await, picture_of(trader, number.wrapping_add(3)).await];
        OrderCommand::AddEvidence(NewEvidence { pictures, videos: Vec::new() })
    })
    .await
}

async fn placed_and_accepted(stage: &Stage, by: &[&Trader], anna: &[&Trader]) -> Vec<OrderId> {
    let mut set = Vec::new();
    for taker in by {
        set.push(taker.wants(CommandKind::PlaceOrder(taker.order_for(stage.advert, mec("0.01")).await)));
    }
    let (orders, _) = all_done(&stage.market, set).await;
    does(stage, anna, &orders, OrderCommand::Accept).await;
    orders
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
        let plain = OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts: Vec::new() };
        count.push(("mark paid", does(&stage, &by, &first, plain).await));
        count.push(("confirm", does(&stage, &anna, &first, OrderCommand::Confirm).await));
        count.push(("cancel", does(&stage, &by, &second, OrderCommand::Cancel).await));
        let third = placed_and_accepted(&stage, &by, &anna).await;
        count.push((WITH_FILES[0], paid(&stage, &by, &third).await));
        count.push((WITH_FILES[1], appealed(&stage, &anna, &third).await));
        count.push((WITH_FILES[2], adds_evidence(&stage, &by, &third).await));
        let fourth = placed_and_accepted(&stage, &by, &anna).await;
        paid(&stage, &by, &fourth).await;
        count.push((WITH_FILES[3], does(&stage, &anna, &fourth, OrderCommand::Confirm).await));
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
    let most = |with_files: bool| {
        let counts = one.iter().filter(|(name, _)| WITH_FILES.contains(name) == with_files);
        counts.map(|(_, count)| *count).max()
    };
    assert!(most(false) <= Some(27), "{one:?}");
    // One more reads the files that the view links to.
    assert!(most(true) <= Some(28), "{one:?}");
}
