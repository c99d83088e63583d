//! The scenes: what happens to an order until the officers see its appeal as the examples show it.

use chrono::Duration;
use serde_json::json;
use testkit::market::{mec, minutes};

use super::set::{COINS, CaseSet, DOLLARS, DOLLARS_BOUGHT, Deal, EUROS, WON, hours};
use crate::cases::Case;

/// The names of the scenes. What follows a slash is how Olga then decides.
pub(super) const SCENES: [&str; 17] = [
    "evidence-requested",
    "proposed",
    "not-joined",
    "decided",
    "executed",
    "withdrawn",
    "by-the-platform",
    "wrong-amount",
    "small",
    "small/BUYER",
    "small/SELLER",
    "small/REJECT",
    "small/REOPEN",
    "large",
    "large/BUYER",
    "large/SELLER",
    "large/REJECT",
];

/// Plays a scene.
pub(super) async fn played(name: &str) -> (CaseSet, Case) {
    let (before, ruling) = name.split_once('/').unwrap_or((name, ""));
    let (mut set, case) = match before {
        "evidence-requested" => evidence_requested().await,
        "proposed" => proposed().await,
        "not-joined" => not_joined().await,
        "decided" => decided().await,
        "executed" => executed().await,
        "withdrawn" => withdrawn().await,
        "by-the-platform" => by_the_platform().await,
        "wrong-amount" => wrong_amount().await,
        "small" => small().await,
        "large" => large().await,
        _ => panic!("there is no scene {name}"),
    };
    if !ruling.is_empty() {
        set.waits(minutes(2)).await;
        let olga = set.olga().await;
        if ruling == "REOPEN" {
            set.decides(&olga, &case, ("SELLER", false), NOT_PAID).await;
        }
        set.decides(&olga, &case, (ruling, false), "The bank confirms it.").await;
    }
    (set, case)
}

const NOT_PAID: &str = "The buyer did not show any payment.";
const MISSING: &str = "Nothing has arrived in my account since the order was marked as paid. The reference on the receipt \
                       belongs to an older transfer, and the buyer stopped answering.";

/// The seller is waiting for a payment in dollars, and appeals.
async fn paid_and_appealed(deal: Deal, quantity: &str, advert: &str, reason: &str) -> (CaseSet, Case) {
    let mut set = CaseSet::open(deal, advert).await;
    let case = pays_and_appeals(&mut set, quantity, reason).await;
    (set, case)
}

async fn pays_and_appeals(set: &mut CaseSet, quantity: &str, reason: &str) -> Case {
    let order = set.orders(quantity).await;
    set.waits(minutes(3)).await;
    set.pays(order, 1).await;
    set.waits(minutes(9)).await;
    set.says(&set.cases.anna, order, "Nothing has arrived. From which account did you send it?").await;
    set.waits(minutes(5)).await;
    set.says(&set.cases.anna, order, "Hello? Please answer.").await;
    set.waits(minutes(5)).await;
    set.appeals(&set.cases.anna, order, reason, MISSING).await
}

/// Kaya has an account for eleven days, has cancelled many orders, and pays twice with the same receipt.
async fn evidence_requested() -> (CaseSet, Case) {
    let mut set = CaseSet::open(Deal { days: 11, ..DOLLARS }, "1000").await;
    minh_buys(&mut set).await;
    cancels(&mut set, 4).await;
    let earlier = set.orders("100").await;
    set.waits(minutes(1)).await;
    set.pays(earlier, 2).await;
    set.cases.ben.trader.cancels(earlier).await.unwrap();
    app::files::compare(&set.cases.desk.context).await.unwrap();
    set.waits(minutes(1)).await;

    let order = set.orders("100").await;
    set.waits(minutes(1)).await;
    set.says(&set.cases.anna, order, "Please pay to the account shown in the order.").await;
    set.waits(minutes(4)).await;
    set.says(&set.cases.ben, order, "It’s faster on Telegram: @kaya_d").await;
    set.waits(minutes(3)).await;
    set.pays(order, 2).await;
    while app::files::compare(&set.cases.desk.context).await.unwrap() > 0 {}
    set.waits(minutes(1)).await;
    set.says(&set.cases.ben, order, "I’ve paid. Please release first, it arrives tomorrow.").await;
    set.waits(minutes(2)).await;
    set.says(&set.cases.ben, order, "The bank says it has arrived.").await;
    set.waits(minutes(6)).await;
    set.says(&set.cases.anna, order, "Nothing has arrived. From which account did you send it?").await;
    set.waits(hours(1, 0)).await;
    set.says(&set.cases.anna, order, "Hello? Please answer.").await;
    set.waits(minutes(40)).await;
    let case = set.appeals(&set.cases.anna, order, "PAYMENT_NOT_RECEIVED", MISSING).await;

    set.waits(minutes(7)).await;
    let otto = set.otto().await;
    set.cases.joins(&otto, &case).await;
    let recording = json!({ "party": "SELLER", "kind": "SCREEN_RECORDING", "hours": 24 });
    set.posts(&otto, &case, "/evidence-requests", &recording).await;
    set.waits(minutes(5)).await;
    let video = set.films(&set.cases.anna).await;
    set.adds_evidence(&set.cases.anna, &case, &json!({ "videos": [video] })).await;
    set.waits(hours(1, 0)).await;
    for seed in [4, 5] {
        let picture = set.cases.uploads(&set.cases.ben, seed).await;
        set.adds_evidence(&set.cases.ben, &case, &json!({ "pictures": [picture["id"]] })).await;
    }
    set.waits(hours(12, 0)).await;
    let details = "Of the account that the transfer came from.";
    let holder = json!({ "party": "BUYER", "kind": "ACCOUNT_HOLDER", "details": details, "hours": 12 });
    set.posts(&set.otto().await, &case, "/evidence-requests", &holder).await;
    restricts_kaya(&set).await;
    set.waits(hours(11, 0)).await;
    let olga = set.olga().await;
    set.cases.joins(&olga, &case).await;
    let message = "Kaya, please show whose account you paid from.";
    set.posts(&olga, &case, "/talk", &json!({ "text": message })).await;
    set.waits(minutes(30)).await;
    let note = json!({ "text": "Called the bank: they answer tomorrow." });
    set.posts(&set.otto().await, &case, "/notes", &note).await;
    set.waits(hours(1, 30)).await;
    (set, case)
}

/// Sofia sells to Minh.
async fn minh_buys(set: &mut CaseSet) {
    let (sofia, minh) = (set.sofia.clone(), set.cases.anna.trader.clone());
    let advert = sofia.posts(sofia.mec_for_usdt("200", "0.4835")).await.unwrap();
    let coins = set.cases.desk.market.mec;
    set.cases.chain.brings(&sofia, coins, mec("200")).await;
    let order = minh.orders(advert, "120").await.unwrap();
    sofia.accepts(order).await.unwrap();
    minh.marks_paid(order).await.unwrap();
    sofia.confirms(order).await.unwrap();
    set.cases.chain.settles().await;
    set.waits(minutes(1)).await;
}

/// Kaya cancels orders. The first three of a day are free.
async fn cancels(set: &mut CaseSet, count: usize) {
    for _ in 0..count {
        let order = set.orders("100").await;
        set.cases.ben.trader.cancels(order).await.unwrap();
        set.waits(minutes(1)).await;
    }
}

/// An administrator blocks Kaya's withdrawals.
async fn restricts_kaya(set: &CaseSet) {
    let desk = &set.cases.desk;
    let admin = desk.signs_in(&desk.admin).await;
    let path = format!("/console/users/{}", set.cases.ben.id);
    let seen = desk.get(&admin, &path).await.ok();
    let body = json!({ "flags": ["WITHDRAWAL"], "version": seen["user"]["version"], "reason": "A case is open." });
    desk.post(&admin, &format!("{path}/flags"), &body).await.ok();
}

/// A buyer who has appealed maliciously pays for a large order from another account.
async fn proposed() -> (CaseSet, Case) {
    let mut set = CaseSet::open(EUROS, "30000").await;
    let order = set.orders("100").await;
    set.pays(order, 1).await;
    set.waits(minutes(20)).await;
    let lost = set.appeals(&set.cases.ben, order, "NOT_RELEASED", "I paid an hour ago.").await;
    let olga = set.olga().await;
    set.cases.joins(&olga, &lost).await;
    set.decides(&olga, &lost, ("SELLER", true), "The receipt is forged.").await;
    set.waits(hours(24, 0)).await;

    let order = set.orders("25000").await;
    set.waits(minutes(5)).await;
    set.pays(order, 2).await;
    set.waits(minutes(6)).await;
    set.says(&set.cases.ben, order, "My wife has sent it.").await;
    set.waits(minutes(2)).await;
    set.says(&set.cases.anna, order, "Whose account is that?").await;
    let words = "The payment came from an account in another name.";
    let case = set.appeals(&set.cases.anna, order, "THIRD_PARTY_PAYMENT", words).await;
    set.waits(hours(4, 30)).await;
    join_otto_and_olga(&mut set, &case).await;
    let note = "The bank confirms the transfer from the buyer’s own account.";
    set.decides(&set.otto().await, &case, ("BUYER", false), note).await;
    set.waits(hours(1, 0)).await;
    (set, case)
}

/// Kaya has cancelled many orders, and three orders are under appeal. Mina is on the case.
async fn not_joined() -> (CaseSet, Case) {
    let mut set = CaseSet::open(WON, "10000").await;
    cancels(&mut set, 6).await;
    for _ in 0..2 {
        pays_and_appeals(&mut set, "100", "PAYMENT_NOT_RECEIVED").await;
    }
    let order = set.orders("4200").await;
    set.waits(minutes(5)).await;
    set.pays(order, 3).await;
    set.waits(minutes(31)).await;
    let words = "I paid half an hour ago, and nobody answers.";
    let case = set.appeals(&set.cases.ben, order, "NOT_RELEASED", words).await;
    set.waits(minutes(8)).await;
    let mina = set.mina().await;
    set.cases.joins(&mina, &case).await;
    set.waits(minutes(44)).await;
    (set, case)
}

/// A buyer has not paid, and the verdict is for the seller.
async fn decided() -> (CaseSet, Case) {
    let mut set = CaseSet::open(COINS, "2000").await;
    let order = set.orders("900").await;
    set.waits(minutes(17)).await;
    let case = set.appeals(&set.cases.anna, order, "NOT_PAID", "The buyer neither pays nor cancels.").await;
    set.waits(hours(73, 17)).await;
    let olga = set.olga().await;
    set.cases.joins(&olga, &case).await;
    set.decides(&olga, &case, ("SELLER", false), NOT_PAID).await;
    set.waits(hours(2, 43)).await;
    (set, case)
}

/// A verdict for the seller has been executed.
async fn executed() -> (CaseSet, Case) {
    let (mut set, case) = paid_and_appealed(DOLLARS, "60", "1000", "UNRESPONSIVE").await;
    set.waits(hours(48, 0)).await;
    let olga = set.olga().await;
    set.cases.joins(&olga, &case).await;
    set.decides(&olga, &case, ("SELLER", false), NOT_PAID).await;
    set.waits(hours(24, 0)).await;
    set.waits(Duration::days(6)).await;
    (set, case)
}

/// The seller has withdrawn the appeal and released the coins, whose value nobody knew.
async fn withdrawn() -> (CaseSet, Case) {
    let (mut set, case) = paid_and_appealed(Deal { reference: None, ..DOLLARS }, "310", "1000", "FRAUD").await;
    set.waits(hours(1, 0)).await;
    let mina = set.mina().await;
    set.cases.joins(&mina, &case).await;
    set.waits(hours(23, 0)).await;
    let version = set.cases.desk.market.order(case.order).await.version;
    let (path, body) = (format!("/c2c/appeal/{}", case.id), json!({ "version": version }));
    set.cases.desk.as_user(&set.cases.anna, ("POST", &path), &body).await.ok();
    set.cases.anna.trader.confirms(case.order).await.unwrap();
    set.cases.chain.settles().await;
    set.waits(Duration::days(11)).await;
    (set, case)
}

/// Nobody acts for a week after the buyer has paid.
async fn by_the_platform() -> (CaseSet, Case) {
    let mut set = CaseSet::open(DOLLARS, "1000").await;
    let order = set.orders("15").await;
    set.waits(minutes(4)).await;
    set.pays(order, 1).await;
    set.waits(minutes(15)).await;
    set.waits(Duration::days(7)).await;
    let appeal = set.cases.desk.market.order(order).await.appeal.unwrap();
    set.waits(hours(7, 40)).await;
    (set, Case { id: appeal.id.to_string(), order })
}

/// The payment is too small.
async fn wrong_amount() -> (CaseSet, Case) {
    let (mut set, case) = paid_and_appealed(DOLLARS, "75", "1000", "WRONG_AMOUNT").await;
    set.waits(hours(1, 0)).await;
    let olga = set.olga().await;
    set.cases.joins(&olga, &case).await;
    set.waits(hours(2, 0)).await;
    (set, case)
}

/// One officer decides.
async fn small() -> (CaseSet, Case) {
    let (mut set, case) = paid_and_appealed(DOLLARS_BOUGHT, "50", "1000", "PAYMENT_NOT_RECEIVED").await;
    set.waits(minutes(10)).await;
    let olga = set.olga().await;
    set.cases.joins(&olga, &case).await;
    set.waits(minutes(10)).await;
    (set, case)
}

/// Two officers decide, and the first has.
async fn large() -> (CaseSet, Case) {
    let (mut set, case) = paid_and_appealed(DOLLARS, "31000", "40000", "PAYMENT_NOT_RECEIVED").await;
    set.waits(minutes(5)).await;
    join_otto_and_olga(&mut set, &case).await;
    set.decides(&set.otto().await, &case, ("BUYER", false), "The bank confirms the transfer.").await;
    set.waits(minutes(4)).await;
    (set, case)
}

/// Otto joins a case, and a minute later Olga, because officers are sorted by when they have joined.
async fn join_otto_and_olga(set: &mut CaseSet, case: &Case) {
    set.cases.joins(&set.otto().await, case).await;
    set.waits(minutes(1)).await;
    set.cases.joins(&set.olga().await, case).await;
}
