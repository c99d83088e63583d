//! What commands and pages cost on a platform with a history: each reads rows of its own, however many there are.

use app::engine::idempotency::IdempotencyKey;
use app::orders::{MAX_EXPORTED, Wanted};
use app::talk::{KEPT_OPEN, Outgoing, Talk, Viewer, Window};
use app::wallet::{balance, records};
use chrono::Duration;
use domain::orders::{State, StateName};
use testkit::history::{self, Size};
use testkit::market::{Market, Trader, minutes};
use testkit::noon;

use crate::Stage;

/// The most rows that a command or page may read. Anna has 5,000 finished orders, and the platform has 5,000 users.
const MAX_ROWS: i64 = 1_200;

/// Creates a stage whose Anna has a history.
async fn stage() -> Stage {
    stage_of(Size::SMALL).await
}

async fn stage_of(size: Size) -> Stage {
    let stage = Stage::set().await;
    history::fill(&stage.market.database, size).await;
    let (anna, database) = (stage.anna.id().0, &stage.market.database);
    let advertiser = "(select advertiser from orders group by advertiser order by count(*) desc limit 1)";
    let first = format!("create table first as select {advertiser} as id");
    let accounts = "alter table ledger_accounts disable trigger ledger_balance_guard";
    database.execute(&first).await;
    database.execute(accounts).await;
    for (table, column) in [
        ("orders", "advertiser"),
        ("user_days", "user_id"),
        ("payout_legs", "vault"),
        ("deposits", "vault"),
        ("transfers", "vault"),
        ("outbox_events", "user_id"),
        ("conversations", "user_id"),
    ] {
        let number = if table == "outbox_events" { ", number = number + 1000" } else { "" };
        let change = format!("update {table} set {column} = '{anna}'{number} where {column} = (select id from first)");
        database.execute(&change).await;
    }
    database.execute("drop table first").await;
    // The tables are too small for the planner to prefer an index everywhere.
    let planner =
        "do $$ begin execute format('alter database %I set enable_seqscan = off', current_database()); end $$";
    database.execute(planner).await;
    database.execute("vacuum analyze").await;
    stage
}

/// Runs an action on connections of its own, and asserts that it reads few rows.
async fn cheap<T>(market: &Market, what: &str, act: impl AsyncFnOnce(Market) -> T) -> T {
    // Close the connections of the stage, so that they do not count.
    market.database.store.close().await;
    let before = market.database.rows_read().await;
    let own = market.reconnected();
    let result = act(own.clone()).await;
    own.database.store.close().await;
    let read = market.database.rows_read().await.saturating_sub(before);
    assert!(read <= MAX_ROWS, "{what} read {read} rows");
    result
}

fn on(trader: &Trader, market: Market) -> Trader {
    Trader { market, ..trader.clone() }
}

#[tokio::test]
async fn an_order_costs_the_same_after_many_orders() {
    let stage = stage().await;
    let (anna, ben, market) = (&stage.anna, &stage.ben, &stage.market);
    let order = cheap(market, "placing", async |own| on(ben, own).orders(stage.advert, "4").await.unwrap()).await;
    cheap(market, "accepting", async |own| on(anna, own).accepts(order).await.unwrap()).await;
    cheap(market, "marking as paid", async |own| on(ben, own).marks_paid(order).await.unwrap()).await;
    cheap(market, "confirming", async |own| on(anna, own).confirms(order).await.unwrap()).await;
    let order = cheap(market, "the next", async |own| on(ben, own).orders(stage.advert, "1").await.unwrap()).await;
    cheap(market, "rejecting", async |own| on(anna, own).rejects(order).await.unwrap()).await;
}

#[tokio::test]
async fn a_page_costs_the_same_after_many_orders() {
    let stage = stage().await;
    let (anna, market) = (stage.anna.id(), &stage.market);
    for finished in [None, Some(true), Some(false)] {
        let what = format!("orders with finished = {finished:?}");
        let (page, total) =
            cheap(market, &what, async |own| app::orders::page(&own.context, anna, finished, 0, 20).await.unwrap())
                .await;
        let expected = if finished == Some(false) { 0 } else { 5_000 };
        assert_eq!((total, page.len()), (expected, if expected == 0 { 0 } else { 20 }), "{what}");
        assert!(page.iter().all(|view| matches!(
            view.order.state,
            State::Completed { .. } | State::Cancelled { .. } | State::Rejected { .. }
        )));
    }
    let nobody = Wanted::default();
    let day = noon().checked_sub_signed(Duration::days(100)).unwrap();
    let (newest, taker) = {
        let page = app::orders::page(&market.reconnected().context, anna, Some(true), 0, 1).await.unwrap().0;
        (page[0].order.id, page[0].counterparty.nickname.clone().unwrap())
    };
    for (what, wanted, expected) in [
        ("an ID", Wanted { search: Some(newest.to_string()), ..nobody.clone() }, 1),
        ("a nickname", Wanted { search: Some(taker), ..nobody.clone() }, 25),
        ("a day", Wanted { from: Some(day), to: day.checked_add_signed(Duration::days(1)), ..nobody.clone() }, 13),
        ("no order", Wanted { asset: Some("KRW".to_owned()), ..nobody.clone() }, 0),
    ] {
        let (page, total) =
            cheap(market, what, async |own| app::orders::history(&own.context, anna, &wanted, 0, 20).await.unwrap())
                .await;
        assert!((expected..=expected + 1).contains(&total), "{what}: {total}");
        assert_eq!(page.len(), usize::try_from(total.min(20)).unwrap(), "{what}");
    }
    // The total counts the orders in the index; the page reads only itself.
    let all = Wanted { asset: Some("MEC".to_owned()), ..nobody };
    let (page, total) = app::orders::history(&market.reconnected().context, anna, &all, 4_990, 20).await.unwrap();
    assert_eq!((page.len(), total), (10, 5_000));
    cheap(market, "balance", async |own| balance::balance(&own.context, anna).await.unwrap()).await;
    cheap(market, "one order's statistics", async |own| {
        app::market::hall::one(&own.context, None, stage.advert).await.unwrap()
    })
    .await;
    // The total counts the user's own records; the page reads only itself.
    let (page, total) = {
        let own = market.reconnected();
        records::page(&own.context, anna, None, None, 0, 20).await.unwrap()
    };
    assert_eq!((total, page.len()), (4_500 + 50 + 1, 20));
    let newest = page[0].record.id;
    cheap(market, "a fund record", async |own| records::one(&own.context, anna, newest).await.unwrap()).await;
}

#[tokio::test]
async fn a_file_has_room_for_the_newest_orders() {
    let stage = stage_of(Size { orders: 10_001, ..Size::SMALL }).await;
    let (anna, context) = (stage.anna.id(), &stage.market.context);
    let all = app::orders::export(context, anna, &Wanted::default()).await.unwrap();
    let rows: Vec<_> = all.text.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(i64::try_from(rows.len()).unwrap(), MAX_EXPORTED);
    assert!(rows.is_sorted_by(|newer, older| newer > older));
    assert!(all.more && all.name.ends_with("-newest-10000.csv"), "{}", all.name);
    let oldest = app::orders::page(context, anna, Some(true), 10_000, 1).await.unwrap().0[0].order.terms.created_at;
    let newer = Wanted { from: oldest.checked_add_signed(Duration::seconds(1)), ..Wanted::default() };
    let rest = app::orders::export(context, anna, &newer).await.unwrap();
    assert_eq!((rest.text == all.text, rest.more), (true, false));
}

#[tokio::test]
async fn talking_costs_the_same_after_many_orders() {
    let stage = stage().await;
    let (anna, ben, market) = (stage.anna.id(), stage.ben.id(), &stage.market);
    let order = stage.accepted("4").await;
    let talk = |own: &Market| Talk::new(own.context.clone(), KEPT_OPEN);
    cheap(market, "a message", async |own| {
        let message = Outgoing { text: "Hello".to_owned(), files: Vec::new(), despite_warnings: false };
        talk(&own).send(&IdempotencyKey::derived(&["hello"]), ben, order, &message).await.unwrap()
    })
    .await;
    let viewer = Viewer::User(anna);
    cheap(market, "a conversation", async |own| talk(&own).page(viewer, order, Window::Newest, 50).await.unwrap())
        .await;
    cheap(market, "a mark", async |own| talk(&own).mark_read(anna, order, None).await.unwrap()).await;
    let bubble = cheap(market, "the bubble", async |own| talk(&own).bubble(anna).await.unwrap()).await;
    assert_eq!((bubble.open_orders, bubble.unread), (1, 50));
    // The total counts the user's conversations in the index; the page reads only itself.
    let (page, total) = talk(&market.reconnected()).list(anna, 0, 20).await.unwrap();
    assert_eq!((page.len(), total, page[0].order.id), (20, 5_001, order));
}

#[tokio::test]
async fn idle_loops_cost_nothing_after_many_orders() {
    let stage = stage().await;
    let market = &stage.market;
    assert!(cheap(market, "payouts", async |own| app::chain::settlement::is_idle(&own.context).await.unwrap()).await);
    assert!(!cheap(market, "timers", async |own| app::deadlines::has_work(&own.context).await.unwrap()).await);
    cheap(market, "the newest block", async |own| app::chain::newest(&own.context).await.unwrap()).await;
    cheap(market, "reference prices", async |own| {
        own.waits(minutes(60 * 48)).await;
        app::market::ReferencePrices::default().keep(&own.context).await.unwrap()
    })
    .await;
}

#[tokio::test]
async fn the_figures_of_the_dashboard_cost_the_same_after_many_orders() {
    let stage = stage().await;
    stage.accepted("4").await;
    let now = stage.market.now().await;
    let after = |span| now.checked_sub_signed(span).unwrap();
    let week = cheap(&stage.market, "the volumes of a week", async |own| {
        let mut tx = own.database.store.begin().await.unwrap();
        store::console::dashboard::volumes(&mut tx, after(Duration::days(7)), now).await.unwrap()
    })
    .await;
    assert!(week[0].orders > 80, "{week:?}");
    let states = cheap(&stage.market, "the open orders", async |own| {
        let mut tx = own.database.store.begin().await.unwrap();
        store::console::dashboard::open_orders(&mut tx, &StateName::OPEN).await.unwrap()
    })
    .await;
    // Besides this one, every tenth of the 1,500 adverts has an open order.
    assert_eq!(states.iter().map(|(_, orders)| orders).sum::<i64>(), 151);
    cheap(&stage.market, "the decisions of a month", async |own| {
        let mut tx = own.database.store.begin().await.unwrap();
        store::console::dashboard::decisions(&mut tx, after(Duration::days(30)), now).await.unwrap();
        store::console::dashboard::undecided(&mut tx, now).await.unwrap()
    })
    .await;
}
