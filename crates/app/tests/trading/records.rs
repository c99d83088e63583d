//! Fund records: checks which record each event creates for each of the two users, and its effect on their balance.
//! `Market::is_sound` checks that all effects add up to the balance.

use app::wallet::records::{Effect, Movement};
use domain::chain::SettlementOutcome;
use testkit::market::{Contents, Market, Trader, mec, usdt};

use crate::Stage;

/// Formats a record as a line: kind, state, direction, amount, effect, the amount that the platform kept, and the
/// counterparty.
fn said(movement: &Movement) -> String {
    let record = &movement.record;
    let shown = |amount: domain::money::Amount| amount.format(movement.asset.decimals);
    let effect = match record.effect {
        Effect::More(more) => format!("+{}", shown(more)),
        Effect::Less(less) => format!("-{}", shown(less)),
    };
    let kept = if record.cost.is_zero() { String::new() } else { format!(" kept {}", shown(record.cost)) };
    let with = movement.counterparty.as_ref().and_then(|other| other.nickname.clone());
    let with = with.map_or(String::new(), |name| format!(" with {name}"));
    let (kind, state, direction) = (record.kind.into_str(), record.state.into_str(), record.direction.into_str());
    format!("{kind} {state} {direction} {} {}: {effect}{kept}{with}", shown(record.amount), movement.asset.code)
}

/// Returns a user's records as sorted lines. They are not in order of time, because the clock is stopped and many
/// records have the same time.
async fn reads(person: &Trader, market: &Market) -> Vec<String> {
    let (movements, total) =
        app::wallet::records::page(&market.context, person.id(), None, None, 0, 100).await.unwrap();
    assert_eq!(i64::try_from(movements.len()).unwrap(), total);
    for movement in &movements {
        let one = app::wallet::records::one(&market.context, person.id(), movement.record.id).await.unwrap();
        assert_eq!(one, *movement, "each record has a unique ID");
    }
    sorted(movements.iter().map(said))
}

fn sorted(lines: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    let mut lines: Vec<_> = lines.into_iter().map(Into::into).collect();
    lines.sort_unstable();
    lines
}

fn name(person: &Trader) -> &str {
    person.user.nickname.as_deref().unwrap()
}

#[tokio::test]
async fn a_release_takes_from_the_seller_and_comes_straight_to_the_buyer() {
    let mut stage = Stage::set().await;
    let (anna, ben) = (name(&stage.anna).to_owned(), name(&stage.ben).to_owned());
    stage.releasing("4").await;
    let deposit = "DEPOSIT COMPLETED IN 10 MEC: +10";
    let sold = format!("OUT 3.996 MEC: -4 kept 0.004 with {ben}");
    assert_eq!(reads(&stage.anna, &stage.market).await, sorted([&format!("RELEASE REQUESTED {sold}"), deposit]));
    let bought = format!("DIRECT 3.996 MEC: +0 with {anna}");
    assert_eq!(reads(&stage.ben, &stage.market).await, [format!("RELEASE REQUESTED {bought}")]);
    stage.market.is_sound().await;
    stage.chain.settles().await;
    assert_eq!(reads(&stage.anna, &stage.market).await, sorted([&format!("RELEASE COMPLETED {sold}"), deposit]));
    assert_eq!(reads(&stage.ben, &stage.market).await, [format!("RELEASE COMPLETED {bought}")]);
    stage.market.is_sound().await;
    // A reorganization removes the release. It is owed to Ben again, and Anna's balance does not change.
    stage.chain.reorganises(3, [Contents::default(), Contents::default(), Contents::default()]).await;
    assert!(reads(&stage.anna, &stage.market).await.contains(&format!("RELEASE REVOKED {sold}")));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn an_automatic_payment_is_a_record_of_both() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    ben.orders(advert, "4").await.unwrap();
    chain.brings(&ben, market.usdt, usdt("10.5")).await;
    chain.settles().await;
    assert_eq!(
        reads(&anna, &market).await,
        [
            "DEPOSIT COMPLETED IN 10 MEC: +10".to_owned(),
            format!("PAYMENT COMPLETED DIRECT 10 USDT: +0 with {}", name(&ben)),
            format!("RELEASE COMPLETED OUT 3.996 MEC: -4 kept 0.004 with {}", name(&ben)),
        ]
    );
    assert_eq!(
        reads(&ben, &market).await,
        [
            "DEPOSIT COMPLETED IN 10.5 USDT: +10.5".to_owned(),
            format!("PAYMENT COMPLETED OUT 10 USDT: -10 with {}", name(&anna)),
            format!("RELEASE COMPLETED DIRECT 3.996 MEC: +0 with {}", name(&anna)),
        ]
    );
    market.is_sound().await;
}

#[tokio::test]
async fn a_refund_and_a_return_leave_for_ones_own_address() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    // Anna places a buy advert, Ben deposits his coins for an order, and Anna cancels.
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5").buying()).await.unwrap();
    let order = ben.orders(advert, "4").await.unwrap();
    anna.accepts(order).await.unwrap();
    chain.brings(&ben, market.mec, mec("4")).await;
    anna.cancels(order).await.unwrap();
    chain.settles().await;
    assert_eq!(
        reads(&ben, &market).await,
        ["DEPOSIT COMPLETED IN 4 MEC: +4", "REFUND COMPLETED OUT 4 MEC: -4"],
        "the counterparty of a cancellation pays no gas"
    );
    assert_eq!(reads(&anna, &market).await, Vec::<String>::new());
    market.is_sound().await;

    let mut stage = Stage::set().await;
    stage.anna.ends(stage.advert).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(
        reads(&stage.anna, &stage.market).await,
        ["DEPOSIT COMPLETED IN 10 MEC: +10", "RETURN COMPLETED OUT 9.999 MEC: -10 kept 0.001"]
    );
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_withdrawal_that_fails_costs_its_gas_and_no_more() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.shows(&anna, market.usdt, usdt("5")).await;
    assert_eq!(reads(&anna, &market).await, ["DEPOSIT CONFIRMING IN 5 USDT: +0"], "it is not credited yet");
    market.is_sound().await;
    chain.confirms().await;
    let deposit = "DEPOSIT COMPLETED IN 5 USDT: +5";
    anna.withdraws(market.usdt).await.unwrap();
    let asked = "WITHDRAWAL REQUESTED OUT 4.9 USDT: -5 kept 0.1";
    assert_eq!(reads(&anna, &market).await, [deposit, asked]);
    market.is_sound().await;
    let mut contents = chain.signs().await;
    contents.settlements[0].outcome = SettlementOutcome::Voided;
    chain.mines_blocks([contents]).await;
    chain.confirms().await;
    assert_eq!(reads(&anna, &market).await, [deposit, "WITHDRAWAL FAILED OUT 4.9 USDT: -0.1 kept 0.1"]);
    market.is_sound().await;
    anna.withdraws(market.usdt).await.unwrap();
    chain.settles().await;
    let second = "WITHDRAWAL COMPLETED OUT 4.8 USDT: -4.9 kept 0.1".to_owned();
    assert!(reads(&anna, &market).await.contains(&second));
    market.is_sound().await;
}

#[tokio::test]
async fn a_deposit_that_the_chain_takes_back_comes_to_nothing() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.brings(&anna, market.usdt, usdt("5")).await;
    chain.reorganises(3, [Contents::default(), Contents::default(), Contents::default()]).await;
    assert_eq!(reads(&anna, &market).await, ["DEPOSIT REVOKED IN 5 USDT: +0"]);
    market.is_sound().await;
}
