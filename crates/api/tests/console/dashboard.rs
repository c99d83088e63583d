//! The dashboard: exact figures from known orders, appeals, payouts and a round of reconciliation.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use domain::clock::Timestamp;
use domain::deadline::Deadline;
use domain::ids::{AppealId, OrderId};
use domain::ledger::VaultAsset;
use domain::orders::{Appeal, AppealReason, AppealStatus, Outcome, Verdict};
use domain::trade::Party;
use serde_json::{Value, json};
use store::reconciliations::{self, Reconciled, Reconciliation};
use store::vault_stops::{self, Cause};
use testkit::market::{CHAIN, mec, usdt};
use testkit::noon;
use testkit::trades::Trades;
use uuid::Uuid;

use crate::desk::Desk;

async fn shown(desk: &Desk) -> Value {
    desk.get(&desk.admin, "/console/dashboard").await.ok()
}

fn iso(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

fn hours(count: i64) -> Duration {
    Duration::hours(count)
}

#[tokio::test]
async fn a_new_platform_has_figures_without_orders() {
    let desk = Desk::open().await;
    let open = ["AWAITING_ACCEPTANCE", "AWAITING_DEPOSIT", "AWAITING_PAYMENT", "AWAITING_CONFIRMATION", "RELEASING"];
    let open = open.into_iter().chain(["RELEASE_REVOKED", "REFUNDING"]);
    let none = json!({ "decided": 0, "median": null, "ninetieth": null });
    assert_eq!(
        shown(&desk).await,
        json!({
            "at": iso(noon()), "volumes": [],
            "openOrders": open.map(|state| json!({ "state": state, "orders": 0 })).collect::<Vec<_>>(),
            "appeals": { "waiting": 0, "overdue": 0, "oldestDueAt": null },
            "decisionsWeek": none, "decisionsMonth": none, "escrow": null,
            "payouts": { "stops": [], "failing": [], "failingTotal": 0, "vaults": [], "vaultsTotal": 0 },
        })
    );
}

#[tokio::test]
async fn volumes_cover_exactly_24_hours_and_7_days() {
    let desk = Desk::open().await;
    let (market, mut chain) = (&desk.market, desk.market.chain().await);
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    let template = ben.orders(advert, "1").await.unwrap();
    let trades = Trades::place(market, template, &[anna, ben, market.trader().await], 8).await;
    let usdt_pair = market.usdt_krw.0;
    market.sql(&format!("update orders set pair_id = {usdt_pair} where id = '{}'", trades.orders[6])).await;
    for (place, quantity) in
        [10, 200, 3_000, 40_000, 500_000, 6_000_000, 70_000_000, 800_000_000].into_iter().enumerate()
    {
        let order = trades.orders[place];
        market.sql(&format!("update orders set quantity = {quantity} where id = '{order}'")).await;
    }
    let microsecond = Duration::microseconds(1);
    for (place, at) in [
        noon(),
        noon() - hours(24) + microsecond,
        noon() - hours(24),
        noon() - Duration::days(7) + microsecond,
        noon() - Duration::days(7),
        // Another process, whose clock is ahead, has completed it.
        noon() + microsecond,
        noon() - Duration::days(3),
        noon() - hours(1),
    ]
    .into_iter()
    .enumerate()
    {
        trades.complete(&[trades.orders[place]], at).await;
    }
    trades.revoke(&[trades.orders[7]]).await;
    assert_eq!(
        shown(&desk).await["volumes"],
        json!([
            { "asset": "MEC", "decimals": 18, "day": { "orders": 2, "quantity": "210" }, "week": { "orders": 4, "quantity": "43210" } },
            { "asset": "USDT", "decimals": 6, "day": { "orders": 0, "quantity": "0" }, "week": { "orders": 1, "quantity": "70000000" } },
        ])
    );
}

#[tokio::test]
async fn open_orders_are_counted_by_state_and_ended_ones_are_not() {
    let desk = Desk::open().await;
    let (market, mut chain) = (&desk.market, desk.market.chain().await);
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("100", "1000")).await.unwrap();
    chain.brings(&anna, market.mec, mec("100")).await;
    let mut orders = Vec::new();
    for _ in 0..6 {
        orders.push(ben.orders(advert, "4").await.unwrap());
    }
    for order in &orders[1..5] {
        anna.accepts(*order).await.unwrap();
    }
    anna.rejects(orders[5]).await.unwrap();
    for order in &orders[3..5] {
        ben.marks_paid(*order).await.unwrap();
    }
    anna.confirms(orders[4]).await.unwrap();
    let found = shown(&desk).await["openOrders"].clone();
    let found: Vec<_> = found.as_array().unwrap().iter().filter(|one| one["orders"] != 0).cloned().collect();
    let of = |state: &str, orders: i64| json!({ "state": state, "orders": orders });
    let wanted = [("AWAITING_ACCEPTANCE", 1), ("AWAITING_PAYMENT", 2), ("AWAITING_CONFIRMATION", 1), ("RELEASING", 1)];
    assert_eq!(found, wanted.map(|(state, orders)| of(state, orders)));
}

fn decided(at: Timestamp) -> AppealStatus {
    let verdict = Verdict {
        winner: Party::Buyer,
        outcome: Outcome::Release,
        note: "The bank says so.".to_owned(),
        malicious: false,
        movements: Vec::new(),
    };
    AppealStatus::Decided { verdict, delay: Deadline::new(at, hours(24)) }
}

async fn saves(desk: &Desk, order: OrderId, number: u128, filed_at: Timestamp, status: AppealStatus, at: Timestamp) {
    let appeal = Appeal {
        id: AppealId(Uuid::from_u128(number)),
        number: 1,
        initiator: Some(Party::Buyer),
        reason: AppealReason::NotReleased,
        description: None,
        filed_at,
        withdrawn_by: Vec::new(),
        suspended_at: filed_at,
        evidence: Vec::new(),
        status,
    };
    let mut tx = desk.context.store.begin().await.unwrap();
    store::appeals::save(&mut tx, &[(order, appeal)], at).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn appeals_show_what_waits_and_how_long_decisions_took() {
    let desk = Desk::open().await;
    let (market, mut chain) = (&desk.market, desk.market.chain().await);
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "1").await.unwrap();
    // Decisions of the last hours that took 1, 2, … 10 hours, and of 20 days ago that took 11, 12, … 20 hours.
    for took in 1..=20 {
        let at = if took <= 10 { noon() - hours(took) } else { noon() - Duration::days(20) };
        saves(&desk, order, u128::try_from(took).unwrap(), at - hours(took), decided(at), at).await;
    }
    // The rejection of an appeal decides it, too. Its execution is none, and neither is a withdrawal.
    let at = noon() - Duration::days(8);
    let rejected = AppealStatus::Rejected { at, note: "Nothing is shown.".to_owned(), malicious: false };
    saves(&desk, order, 30, at - hours(100), rejected, at).await;
    let old = noon() - Duration::days(31);
    saves(&desk, order, 31, old - hours(500), decided(old), old).await;
    let withdrawn = AppealStatus::Withdrawn { at: noon(), by: Some(Party::Buyer) };
    saves(&desk, order, 32, noon() - hours(60), withdrawn, noon()).await;
    for (number, age) in [(40, 25), (41, 24), (42, 23)] {
        saves(&desk, order, number, noon() - hours(age), AppealStatus::Pending, noon()).await;
    }
    let found = shown(&desk).await;
    let due = iso(noon() - hours(1));
    assert_eq!(found["appeals"], json!({ "waiting": 3, "overdue": 2, "oldestDueAt": due }));
    let times = |decided: i64, median: i64, ninetieth: i64| json!({ "decided": decided, "median": median * 3600, "ninetieth": ninetieth * 3600 });
    assert_eq!(found["decisionsWeek"], times(10, 5, 9));
    assert_eq!(found["decisionsMonth"], times(21, 11, 19));
}

#[tokio::test]
async fn the_escrow_is_that_of_the_latest_round_of_reconciliation() {
    let desk = Desk::open().await;
    let began_at = noon() - Duration::minutes(30);
    let found = |asset, on_chain, in_ledger| Reconciled {
        asset,
        on_chain,
        in_ledger,
        vaults: 7,
        short: 1,
        unknown: 2,
        left_out: 3,
    };
    let (native, token) = (desk.market.mec, desk.market.usdt);
    let earlier = vec![found(native, mec("1"), mec("1"))];
    let later = vec![found(native, mec("4.5"), mec("5")), found(token, usdt("2"), usdt("1"))];
    for (ended_at, first_block, assets) in [(began_at, 50, earlier), (began_at + Duration::minutes(5), 70, later)] {
        let round = Reconciliation { began_at, ended_at, first_block, last_block: 90, assets };
        let mut tx = desk.context.store.begin().await.unwrap();
        reconciliations::keep(&mut tx, CHAIN, &round).await.unwrap();
        tx.commit().await.unwrap();
    }
    let of = |asset: &str, decimals: u8, on_chain: &str, in_ledger: &str, difference: &str| {
        json!({
            "asset": asset, "decimals": decimals, "onChain": on_chain, "inLedger": in_ledger, "difference": difference,
            "vaults": 7, "short": 1, "unknown": 2, "leftOut": 3,
        })
    };
    assert_eq!(
        shown(&desk).await["escrow"],
        json!({
            "beganAt": iso(began_at), "endedAt": iso(began_at + Duration::minutes(5)),
            // The round took five minutes, and the next one may take three times as long.
            "staleAt": iso(began_at + Duration::minutes(20)), "firstBlock": 70, "lastBlock": 90,
            "assets": [
                of("MEC", 18, "4500000000000000000", "5000000000000000000", "-500000000000000000"),
                of("USDT", 6, "2000000", "1000000", "1000000"),
            ],
        })
    );
}

#[tokio::test]
async fn stopped_and_failing_payouts_are_listed_with_reason_and_age() {
    let desk = Desk::open().await;
    let (market, mut chain) = (&desk.market, desk.market.chain().await);
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "4").await.unwrap();
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();
    anna.confirms(order).await.unwrap();
    let since = noon() - hours(2);
    let failing = format!("update payout_legs set failures = 3, failing_since = '{}'", since.to_rfc3339());
    market.sql(&failing).await;
    let mut tx = desk.context.store.begin().await.unwrap();
    for (because, hour) in [("a vault is short", 3), ("another vault is short", 1)] {
        store::stops::stop(&mut tx, market.usdt, because, noon() - hours(hour)).await.unwrap();
    }
    store::stops::stop(&mut tx, market.mec, "a final block was replaced", noon() - hours(5)).await.unwrap();
    // More stopped vaults than are listed. The oldest ones come first.
    for hour in 1..=21 {
        let vault = market.trader().await.id();
        let vault_asset = VaultAsset { vault, asset: market.mec };
        vault_stops::stop(&mut tx, vault_asset, Cause::Debt, &format!("{hour} MEC"), noon() - hours(hour))
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    let payouts = shown(&desk).await["payouts"].clone();
    assert_eq!(
        payouts["stops"],
        json!([
            { "asset": "MEC", "since": iso(noon() - hours(5)), "because": "a final block was replaced" },
            { "asset": "USDT", "since": iso(noon() - hours(3)), "because": "another vault is short" },
        ])
    );
    assert_eq!((&payouts["failingTotal"], &payouts["vaultsTotal"]), (&json!(1), &json!(21)));
    let leg = &payouts["failing"][0];
    assert_eq!(
        *leg,
        json!({
            "reference": leg["reference"], "purpose": "release", "asset": "MEC", "decimals": 18,
            "amount": mec("3.996").to_string(), "failures": 3, "since": iso(since),
        })
    );
    let vaults = payouts["vaults"].as_array().unwrap();
    let reasons: Vec<_> = vaults.iter().map(|vault| vault["because"].as_str().unwrap().to_owned()).collect();
    assert_eq!(reasons, (2..=21).rev().map(|hour| format!("{hour} MEC")).collect::<Vec<_>>());
    assert_eq!((&vaults[0]["cause"], &vaults[0]["asset"]), (&json!("debt"), &json!("MEC")));
}

#[tokio::test]
async fn refreshes_of_the_dashboard_are_not_recorded_again() {
    let desk = Desk::open().await;
    shown(&desk).await;
    let recorded = desk.log_length().await;
    desk.advance(Duration::minutes(4)).await;
    shown(&desk).await;
    assert_eq!(desk.log_length().await, recorded);
    desk.advance(Duration::minutes(2)).await;
    shown(&desk).await;
    assert_eq!(desk.log(1).await, ["Ada view_dashboard platform"]);
    assert_eq!(desk.log_length().await, recorded + 1);
}
