//! Follows a manual sell order from the advert to its end state, and checks the money after each step.

use domain::ledger::VaultAsset;
use domain::orders::{self, Action, Proofs, RequiredProof};
use domain::refusal::{Refusal, Shown};
use domain::trade::Party;
use testkit::market::{Market, krw, mec, paid, usdt};

use crate::{Stage, forbidden};

#[tokio::test]
async fn mec_is_sold_for_krw_from_the_advert_to_the_chain() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.mec };

    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    assert_eq!(market.advert_state(advert).await, "CREATING");
    let waiting = anna.sees_advert(advert).await.unwrap().request.unwrap();
    assert_eq!(
        (waiting.request.required, waiting.request.shortfall(), waiting.vault),
        (mec("10"), mec("10"), anna.user.vault)
    );
    assert_eq!(market.balance(vault_asset.custody()).await, mec("0"));

    let coins = chain.shows(&anna, market.mec, mec("10")).await;
    let waiting = anna.sees_advert(advert).await.unwrap().request.unwrap();
    assert_eq!(waiting.transfers, [(Some(coins.tx), mec("10"), 1)]);
    assert_eq!((waiting.seen, waiting.confirmations_needed), (mec("10"), 3));
    assert_eq!(market.balance(vault_asset.custody()).await, mec("0"), "an unconfirmed deposit is not credited");
    chain.mines(1).await;
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().transfers[0].2, 2);
    chain.mines(1).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(market.balance(vault_asset.custody()).await, mec("10"));
    assert_eq!(market.balance(vault_asset.advert(advert)).await, mec("10"));
    assert_eq!(market.balance(vault_asset.temporary()).await, mec("0"));

    let order = ben.orders(advert, "4").await.unwrap();
    assert_eq!(market.state(order).await, "AWAITING_ACCEPTANCE");
    assert_eq!(market.balance(vault_asset.advert(advert)).await, mec("6"));
    assert_eq!(market.balance(vault_asset.order(order)).await, mec("4"));
    assert_eq!(market.advert(advert).await.remaining, mec("6"));
    let seen = anna.sees(order).await.unwrap();
    assert_eq!(seen.party, Party::Seller);
    assert!(seen.actions.get(Action::Accept).is_some() && seen.actions.get(Action::Reject).is_some());
    assert_eq!(seen.method, None);
    assert_eq!(ben.sees(order).await.unwrap().method, None, "the bank account is hidden before acceptance");
    market.is_sound().await;

    anna.accepts(order).await.unwrap();
    assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
    let seen = ben.sees(order).await.unwrap();
    assert_eq!(seen.order.terms.total, krw("4000"));
    let (shown, own) = (seen.method.unwrap(), anna.sees(order).await.unwrap().method.unwrap());
    assert_eq!(
        (shown.id, shown.fields["account"].as_str()),
        (anna.account, "12345678901"),
        "the buyer sees where to pay"
    );
    assert_eq!((own.id, own.fields["account"].as_str()), (anna.account, "•••••••8901"));
    assert_eq!(anna.sees_advert(advert).await.unwrap().methods[0].fields["account"], "•••••••8901");

    ben.marks_paid(order).await.unwrap();
    assert_eq!(market.state(order).await, "AWAITING_CONFIRMATION");
    let actions = anna.sees(order).await.unwrap().actions;
    let offer = actions.get(Action::Confirm).unwrap();
    assert_eq!(offer.required_proof, RequiredProof::SecurityPassword);

    anna.confirms(order).await.unwrap();
    assert_eq!(market.state(order).await, "RELEASING");
    assert_eq!(market.balance(vault_asset.order(order)).await, mec("0"));
    assert_eq!(market.balance(vault_asset.fees()).await, mec("0.004"));
    assert_eq!(market.balance(vault_asset.custody()).await, mec("10"), "it leaves the vault when the payout is final");
    assert_eq!(anna.holds(market.mec).await.in_flight, mec("3.996"));
    market.is_sound().await;

    let sent = chain.pays().await;
    let [leg] = ben.sees(order).await.unwrap().payout.unwrap().legs.try_into().unwrap();
    assert_eq!((leg.amount, leg.recipient), (mec("3.996"), ben.user.bound.unwrap()));
    assert_eq!((leg.tx, leg.confirmations, leg.paid), (Some(sent.settlements[0].tx), 1, false));
    assert_eq!(market.state(order).await, "RELEASING");
    chain.confirms().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(market.balance(vault_asset.custody()).await, mec("6.004"));
    assert_eq!(anna.holds(market.mec).await.in_flight, mec("0"));
    assert!(orders::steps(&market.order(order).await).iter().all(|step| step.done));
    assert_eq!(market.advert(advert).await.running, 0);
    assert_eq!(ben.sees(order).await.unwrap().method, None, "the bank account is hidden after the end");
    market.is_sound().await;

    assert_eq!(ben.was_told().await, ["ORDER_ACCEPTED", "ORDER_PAID", "PAYMENT_CONFIRMED", "ORDER_COMPLETED"]);
    let called = "select count(*) from outbox_events where kind = 'OTC_VOICE' and user_id =";
    for who in [&anna, &ben] {
        assert_eq!(market.count(&format!("{called} '{}'", who.id())).await, 1, "to pay, and to confirm");
    }
    assert_eq!(
        anna.was_told().await,
        ["ADVERT_CONFIRMED", "NEW_ORDER", "ORDER_ACCEPTED", "ORDER_PAID", "PAYMENT_CONFIRMED", "ORDER_COMPLETED"]
    );
}

#[tokio::test]
async fn mec_is_sold_for_usdt_that_goes_from_person_to_person() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_usdt("10", "2.5")).await.unwrap();
    chain.brings(&anna, market.mec, mec("10")).await;
    let order = ben.orders(advert, "10").await.unwrap();
    anna.accepts(order).await.unwrap();
    let seen = ben.sees(order).await.unwrap();
    assert_eq!(
        (seen.order.terms.total, seen.request.is_none(), seen.order.terms.automatic()),
        (usdt("25"), true, false)
    );
    ben.marks_paid(order).await.unwrap();
    anna.confirms(order).await.unwrap();
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(market.advert_state(advert).await, "CANCELLED", "everything is sold");
    assert_eq!(anna.was_told().await.last().unwrap(), "ORDER_COMPLETED");
    assert!(anna.was_told().await.contains(&"ADVERT_CANCELLED".to_owned()));
    market.is_sound().await;
}

#[tokio::test]
async fn usdt_is_sold_for_krw_the_token_leaving_the_vault() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.usdt_for_krw("100", "1400")).await.unwrap();
    chain.brings(&anna, market.usdt, usdt("100")).await;
    let wanted = ben.order_for(advert, usdt("40")).await;
    let answer = ben.asks(app::commands::CommandKind::PlaceOrder(wanted)).await.unwrap();
    let order = domain::ids::OrderId(answer.id.unwrap());
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();
    anna.confirms(order).await.unwrap();
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.usdt };
    assert_eq!(market.balance(vault_asset.fees()).await, usdt("0.05"), "the minimum fee");
    assert_eq!(market.balance(vault_asset.custody()).await, usdt("60.05"));
    market.is_sound().await;
}

#[tokio::test]
async fn a_total_buys_as_much_as_it_covers() {
    let stage = Stage::set().await;
    let mut wanted = stage.ben.order_for(stage.advert, mec("1")).await;
    wanted.size = app::orders::Size::Total(krw("2500"));
    let answer = stage.ben.asks(app::commands::CommandKind::PlaceOrder(wanted)).await.unwrap();
    let order = stage.market.order(domain::ids::OrderId(answer.id.unwrap())).await;
    assert_eq!((order.terms.quantity, order.terms.total), (mec("2.5"), krw("2500")));
}

#[tokio::test]
async fn nothing_goes_without_the_security_password() {
    let stage = Stage::set().await;
    let order = stage.paid("4").await;
    let seen = stage.market.order(order).await.version;
    let what = app::commands::CommandKind::order(order, seen, orders::OrderCommand::Confirm, Proofs::NONE);
    let refused = stage.anna.asks(what).await;
    assert_eq!(refused, Err(Refusal::Invalid { field: "securityCode", reason: "required" }));
    assert_eq!(stage.market.order(order).await.version, seen);
}

#[tokio::test]
async fn a_stale_screen_changes_nothing() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let before = stage.market.order(order).await;
    let refused = stage.ben.does_having_seen(order, before.version - 1, paid()).await;
    assert_eq!(refused, Err(Refusal::Stale));
    assert_eq!(stage.market.order(order).await, before);
    let refused = stage.anna.asks(app::commands::CommandKind::Advert {
        id: stage.advert,
        seen: 1,
        act: domain::adverts::AdvertCommand::Cancel,
    });
    assert_eq!(refused.await, Err(Refusal::Stale));
    assert_eq!(stage.market.advert_state(stage.advert).await, "ONLINE");
}

#[tokio::test]
async fn each_side_may_do_only_its_own_part() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    assert_eq!(stage.ben.accepts(order).await, Err(forbidden(Action::Accept)));
    assert_eq!(stage.ben.rejects(order).await, Err(forbidden(Action::Reject)));
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)));
    stage.anna.accepts(order).await.unwrap();
    assert_eq!(stage.anna.marks_paid(order).await, Err(forbidden(Action::MarkPaid)));
    assert_eq!(stage.anna.confirms(order).await, Err(forbidden(Action::Confirm)));
    assert_eq!(stage.anna.rejects(order).await, Err(forbidden(Action::Reject)));
    stage.ben.marks_paid(order).await.unwrap();
    assert_eq!(stage.ben.confirms(order).await, Err(forbidden(Action::Confirm)));
    assert_eq!(stage.anna.cancels(order).await, Err(forbidden(Action::Cancel)));
    stage.anna.confirms(order).await.unwrap();
    for person in [&stage.anna, &stage.ben] {
        assert_eq!(person.cancels(order).await, Err(forbidden(Action::Cancel)));
    }
    assert_eq!(stage.ben.marks_paid(order).await, Err(forbidden(Action::MarkPaid)));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_stranger_is_told_that_there_is_nothing() {
    let stage = Stage::set().await;
    let order = stage.paid("4").await;
    let carl = stage.market.trader().await;
    let (before, advert_before) = (stage.market.order(order).await, stage.market.advert(stage.advert).await);
    for act in [
        orders::OrderCommand::Accept,
        orders::OrderCommand::Reject { reason: None },
        orders::OrderCommand::Cancel,
        orders::OrderCommand::AskCancel,
        orders::OrderCommand::AgreeCancel,
        paid(),
        orders::OrderCommand::Confirm,
        orders::OrderCommand::Recover,
    ] {
        assert_eq!(carl.does(order, act).await, Err(Refusal::OrderMissing));
    }
    for act in [
        domain::adverts::AdvertCommand::Cancel,
        domain::adverts::AdvertCommand::Switch { online: false },
        domain::adverts::AdvertCommand::Delete,
    ] {
        assert_eq!(carl.manages(stage.advert, act).await, Err(Refusal::AdvertMissing));
    }
    assert_eq!(carl.sees(order).await.unwrap_err(), Refusal::OrderMissing);
    assert_eq!(carl.sees_advert(stage.advert).await.unwrap_err(), Refusal::AdvertMissing);
    assert_eq!(stage.ben.sees_advert(stage.advert).await.unwrap_err(), Refusal::AdvertMissing);
    let context = &stage.market.context;
    assert_eq!(app::orders::page(context, carl.id(), None, 0, 10).await.unwrap().1, 0);
    assert_eq!(app::adverts::page(context, carl.id(), None, 0, 10).await.unwrap().1, 0);
    assert_eq!(stage.market.order(order).await, before);
    assert_eq!(stage.market.advert(stage.advert).await, advert_before);
    assert_eq!(carl.was_told().await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_not_there_is_missing() {
    let stage = Stage::set().await;
    let (order, advert) = (domain::ids::OrderId(stage.advert.0), domain::ids::AdvertId(stage.ben.id().0));
    let what = app::commands::CommandKind::order(order, 1, orders::OrderCommand::Accept, Proofs::ALL);
    assert_eq!(stage.anna.asks(what).await, Err(Refusal::OrderMissing));
    let what = app::commands::CommandKind::Advert { id: advert, seen: 1, act: domain::adverts::AdvertCommand::Cancel };
    assert_eq!(stage.anna.asks(what).await, Err(Refusal::AdvertMissing));
    assert_eq!(stage.market.system(app::commands::CommandKind::OrderDue(order)).await, Err(Refusal::OrderMissing));
    assert_eq!(stage.market.system(app::commands::CommandKind::AdvertDue(advert)).await, Err(Refusal::AdvertMissing));
}

#[tokio::test]
async fn people_page_through_what_is_theirs() {
    let stage = Stage::set().await;
    let first = stage.ordered("1").await;
    stage.ben.cancels(first).await.unwrap();
    let second = stage.ordered("2").await;
    let context = &stage.market.context;
    for person in [&stage.anna, &stage.ben] {
        let of = |finished| app::orders::page(context, person.id(), finished, 0, 10);
        let (all, total) = of(None).await.unwrap();
        assert_eq!((all.len(), total), (2, 2));
        let (running, _) = of(Some(false)).await.unwrap();
        assert_eq!(running.iter().map(|view| view.order.id).collect::<Vec<_>>(), [second]);
        let (finished, _) = of(Some(true)).await.unwrap();
        assert_eq!(finished.iter().map(|view| view.order.id).collect::<Vec<_>>(), [first]);
        let (page, total) = app::orders::page(context, person.id(), None, 1, 1).await.unwrap();
        assert_eq!((page.len(), total), (1, 2));
    }
    let (adverts, total) = app::adverts::page(context, stage.anna.id(), None, 0, 10).await.unwrap();
    assert_eq!((adverts[0].advert.id, total), (stage.advert, 1));
}

#[tokio::test]
async fn an_order_is_checked_before_it_is_placed() {
    let stage = Stage::set().await;
    let (ben, advert) = (&stage.ben, stage.advert);
    let left = Shown { amount: mec("10"), decimals: 18 };
    assert_eq!(ben.orders(advert, "10.00000001").await, Err(Refusal::QuantityShort { left }));
    assert_eq!(stage.anna.orders(advert, "1").await, Err(Refusal::OwnAdvert));
    let mut wanted = ben.order_for(advert, mec("1")).await;
    wanted.price = testkit::market::price("999");
    let refused = ben.asks(app::commands::CommandKind::PlaceOrder(wanted)).await;
    assert_eq!(refused, Err(Refusal::PriceChanged { price: "1000".to_owned() }));
    let small = Refusal::AmountOutOfLimits {
        min: Shown { amount: krw("100"), decimals: 0 },
        max: Shown { amount: krw("1000000000"), decimals: 0 },
    };
    assert_eq!(ben.orders(advert, "0.09").await, Err(small));
    stage.market.sql(&format!("insert into blocks_between values ('{}', '{}')", stage.anna.id(), ben.id())).await;
    assert_eq!(ben.orders(advert, "1").await, Err(Refusal::Blocked));
    stage.anna.switches(false).await.unwrap();
    let carl = stage.market.trader().await;
    assert_eq!(carl.orders(advert, "1").await, Err(Refusal::AdvertiserOffline));
    assert_eq!(stage.market.advert(advert).await.remaining, mec("10"));
}

#[tokio::test]
async fn while_the_chain_is_not_ours_nothing_new_begins() {
    let stage = Stage::set().await;
    stage.market.sql("update chains set stopped_because = 'another genesis'").await;
    assert_eq!(stage.ben.orders(stage.advert, "1").await, Err(Refusal::MoneyStopped));
    assert_eq!(stage.anna.posts(stage.anna.mec_for_krw("1", "1000")).await, Err(Refusal::MoneyStopped));
    assert_eq!(stage.anna.withdraws(stage.market.mec).await, Err(Refusal::MoneyStopped));
}

#[tokio::test]
async fn while_the_chain_is_not_ours_nobody_moves_money_that_is_there() {
    let stage = Stage::set().await;
    let (paid, open) = (stage.paid("2").await, stage.accepted("1").await);
    let before = (stage.market.order(paid).await, stage.market.order(open).await);
    stage.market.sql("update chains set stopped_because = 'another genesis'").await;
    assert_eq!(stage.anna.confirms(paid).await, Err(Refusal::MoneyStopped));
    assert_eq!(stage.ben.cancels(paid).await, Err(Refusal::MoneyStopped));
    assert_eq!(stage.ben.cancels(open).await, Err(Refusal::MoneyStopped));
    assert_eq!((stage.market.order(paid).await, stage.market.order(open).await), before);
    stage.ben.marks_paid(open).await.unwrap();
    stage.market.sql("update chains set stopped_because = null").await;
    stage.anna.confirms(paid).await.unwrap();
    stage.market.is_sound().await;
}
