//! Repeated commands and concurrent commands.

use app::commands::{Command, CommandKind};
use domain::funding::FundingTarget;
use domain::ids::OrderId;
use domain::orders::{OrderCommand, Proofs};
use domain::refusal::{Refusal, Shown};
use testkit::market::{Market, Trader, mec, paid};
use tokio::task::JoinSet;

use crate::Stage;

/// Executes all sets concurrently, each in a separate task. Returns the replies in the order of the sets.
async fn at_once(market: &Market, sets: Vec<Vec<Command>>) -> Vec<Vec<testkit::market::Reply>> {
    let mut tasks = JoinSet::new();
    for (place, set) in sets.into_iter().enumerate() {
        let market = market.clone();
        tasks.spawn(async move { (place, market.execute(&set).await) });
    }
    let mut replies = tasks.join_all().await;
    replies.sort_by_key(|(place, _)| *place);
    replies.into_iter().map(|(_, replies)| replies).collect()
}

impl Stage {
    async fn no_deadlocks(&self) {
        // PostgreSQL counts a connection's deadlocks when the connection ends.
        self.market.database.store.close().await;
        let query = "select deadlocks from pg_stat_database where datname = current_database()";
        assert_eq!(self.market.count(query).await, 0, "a deadlock occurred");
    }
}

#[tokio::test]
async fn a_command_sent_again_is_answered_the_same() {
    let stage = Stage::set().await;
    let place = CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("4")).await);
    let first = stage.ben.asks_under("order", place.clone()).await.unwrap();
    assert_eq!(stage.ben.asks_under("order", place.clone()).await, Ok(first));
    let id = OrderId(first.id.unwrap());
    let accept = CommandKind::order(id, first.version, OrderCommand::Accept, Proofs::NONE);
    let accepted = stage.anna.asks_under("accept", accept.clone()).await.unwrap();
    stage.ben.marks_paid(id).await.unwrap();
    assert_eq!(stage.anna.asks_under("accept", accept.clone()).await, Ok(accepted), "though it has moved on");
    assert_eq!(stage.ben.asks_under("order", place).await, Ok(first));
    assert_eq!(stage.market.count("select count(*) from orders").await, 1);
    assert_eq!(stage.anna.asks(accept).await, Err(Refusal::Stale), "another key is another command");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_key_belongs_to_one_request_of_one_person() {
    let stage = Stage::set().await;
    let wanted = |quantity: &str| {
        let (ben, advert, quantity) = (stage.ben.clone(), stage.advert, mec(quantity));
        async move { CommandKind::PlaceOrder(ben.order_for(advert, quantity).await) }
    };
    stage.ben.asks_under("key", wanted("4").await).await.unwrap();
    assert_eq!(stage.ben.asks_under("key", wanted("3").await).await, Err(Refusal::KeyReused));
    let carl = stage.market.trader().await;
    carl.asks_under("key", wanted("3").await).await.unwrap();
    assert_eq!(stage.market.count("select count(*) from orders").await, 2);
}

#[tokio::test]
async fn a_refused_command_may_be_sent_again_under_its_key() {
    let stage = Stage::set().await;
    stage.anna.switches(false).await.unwrap();
    let place = CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("4")).await);
    assert_eq!(stage.ben.asks_under("key", place.clone()).await, Err(Refusal::AdvertiserOffline));
    stage.anna.switches(true).await.unwrap();
    stage.ben.asks_under("key", place).await.unwrap();
}

#[tokio::test]
async fn what_is_done_already_is_answered_as_done() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    let first = stage.anna.accepts(order).await.unwrap();
    assert_eq!(stage.anna.does_having_seen(order, 1, OrderCommand::Accept).await, Ok(first));
    stage.ben.marks_paid(order).await.unwrap();
    let seen = stage.market.order(order).await.version;
    assert!(stage.ben.does_having_seen(order, seen - 1, paid()).await.is_ok(), "the same payment");
    let released = stage.anna.confirms(order).await.unwrap();
    assert_eq!(stage.anna.does_having_seen(order, seen, OrderCommand::Confirm).await, Ok(released));
    assert_eq!(stage.market.count("select count(*) from payouts").await, 1);
    let ended = stage.anna.ends(stage.advert).await.unwrap();
    assert_eq!(stage.anna.ends(stage.advert).await, Ok(ended));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_thousand_times_in_one_set_is_once() {
    let stage = Stage::set().await;
    let place = CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("4")).await);
    let set = vec![stage.ben.command("order", place); 1_000];
    let replies = stage.market.execute(&set).await;
    assert!(replies.iter().all(|reply| reply.is_ok() && *reply == replies[0]));
    assert_eq!(stage.market.count("select count(*) from orders").await, 1);
    stage.market.is_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_times_at_once_is_once() {
    let stage = Stage::set().await;
    let place = CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("4")).await);
    let sets = (0..50).map(|_| vec![stage.ben.command("order", place.clone()); 20]).collect();
    let replies: Vec<_> = at_once(&stage.market, sets).await.into_iter().flatten().collect();
    assert_eq!(replies.len(), 1_000);
    assert!(replies.iter().all(|reply| reply.is_ok() && *reply == replies[0]), "{replies:?}");
    assert_eq!(stage.market.count("select count(*) from orders").await, 1);
    assert_eq!(stage.anna.was_told().await, ["ADVERT_CONFIRMED", "NEW_ORDER"]);
    stage.market.is_sound().await;
    stage.no_deadlocks().await;
}

/// Creates twenty users. Returns an order by each user for the whole advert, so only one order can succeed.
async fn twenty_want_all(stage: &Stage) -> Vec<Command> {
    let mut commands = Vec::new();
    for _ in 0..20 {
        let trader: Trader = stage.market.trader().await;
        let order = trader.order_for(stage.advert, mec("10")).await;
        commands.push(trader.wants(CommandKind::PlaceOrder(order)));
    }
    commands
}

async fn one_has_it(stage: &Stage, replies: Vec<testkit::market::Reply>) {
    let short = Refusal::QuantityShort { left: Shown { amount: mec("0"), decimals: 18 } };
    assert_eq!(replies.iter().filter(|reply| reply.is_ok()).count(), 1);
    assert_eq!(replies.iter().filter(|reply| **reply == Err(short.clone())).count(), 19, "{replies:?}");
    let advert = stage.market.advert(stage.advert).await;
    assert_eq!((advert.remaining, advert.escrow, advert.running), (mec("0"), mec("0"), 1));
    assert_eq!(stage.market.count("select count(*) from orders").await, 1);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn of_twenty_in_one_set_one_gets_the_last_of_it() {
    let stage = Stage::set().await;
    let commands = twenty_want_all(&stage).await;
    let replies = stage.market.execute(&commands).await;
    assert!(replies[0].is_ok(), "the first who asked");
    one_has_it(&stage, replies).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_twenty_at_once_one_gets_the_last_of_it() {
    let stage = Stage::set().await;
    let commands = twenty_want_all(&stage).await;
    let sets = commands.into_iter().map(|command| vec![command]).collect();
    let replies = at_once(&stage.market, sets).await.into_iter().flatten().collect();
    one_has_it(&stage, replies).await;
    stage.no_deadlocks().await;
}

#[tokio::test]
async fn a_refusal_leaves_its_neighbours_alone() {
    let stage = Stage::set().await;
    let carl = stage.market.trader().await;
    let want = |trader: &Trader, quantity: &str| {
        let (trader, advert, quantity) = (trader.clone(), stage.advert, mec(quantity));
        async move { trader.wants(CommandKind::PlaceOrder(trader.order_for(advert, quantity).await)) }
    };
    let set =
        [want(&stage.ben, "4").await, want(&stage.anna, "1").await, want(&carl, "7").await, want(&carl, "6").await];
    let replies = stage.market.execute(&set).await;
    assert!(replies[0].is_ok() && replies[3].is_ok());
    assert_eq!(replies[1], Err(Refusal::OwnAdvert));
    assert_eq!(replies[2], Err(Refusal::QuantityShort { left: Shown { amount: mec("6"), decimals: 18 } }));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn one_that_the_database_refuses_leaves_its_neighbours_alone() {
    let stage = Stage::set().await;
    // No advert in the set knows about the funding request, so only the database can refuse Carl's advert.
    let carl = stage.market.trader().await;
    let set = [
        stage.ben.wants(CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("4")).await)),
        carl.wants(CommandKind::PostAdvert(carl.mec_for_krw("5", "1000").0)),
    ];
    let refuse = "create function refuse() returns trigger language plpgsql as $$ begin
        if new.user_id = 'CARL' then
            raise exception 'refused' using errcode = 'unique_violation', constraint = 'funding_requests_one_open';
        end if; return new; end $$;
        create trigger refuse before insert on funding_requests for each row execute function refuse();";
    stage.market.sql(&refuse.replace("CARL", &carl.id().to_string())).await;
    let replies = stage.market.execute(&set).await;
    assert!(replies[0].is_ok(), "{replies:?}");
    assert_eq!(replies[1], Err(Refusal::FundingRequestOpen));
    assert_eq!(stage.market.count("select count(*) from orders").await, 1);
    assert_eq!(stage.market.count("select count(*) from adverts").await, 1);
    stage.market.is_sound().await;
}

/// Creates eight users and returns an order for one MEC by each user.
async fn eight_want_one(stage: &Stage) -> (Vec<Trader>, Vec<Command>) {
    let (mut traders, mut set) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        let trader = stage.market.trader().await;
        set.push(trader.wants(CommandKind::PlaceOrder(trader.order_for(stage.advert, mec("1")).await)));
        traders.push(trader);
    }
    (traders, set)
}

/// Executes a set of eight commands twice. Asserts that all but one succeed, with the same replies both times.
async fn all_but_one_once(stage: &Stage, set: &[Command], bad: usize) {
    let context = &stage.market.context;
    let mut answers = Vec::new();
    for round in 0..2 {
        let replies = app::commands::execute(context, set).await;
        assert_eq!(replies.len(), 8, "each command has its reply");
        for (place, reply) in replies.iter().enumerate() {
            let defect = matches!(reply, Err(app::Error::Internal(_)));
            assert_eq!(defect, place == bad, "round {round}, place {place}: {reply:?}");
        }
        answers.push(replies.into_iter().flatten().collect::<Vec<_>>());
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn a_statement_that_the_database_refuses_fails_its_own_command_alone() {
    let stage = Stage::set().await;
    let (traders, set) = eight_want_one(&stage).await;
    // The failure is not caused by a constraint, but by a number out of range, which a bug might write.
    let refuse = "create function refuse() returns trigger language plpgsql as $$ begin
        if new.taker = 'TAKER' then raise exception 'refused' using errcode = 'numeric_value_out_of_range'; end if;
        return new; end $$;
        create trigger refuse before insert on orders for each row execute function refuse();";
    let bad = 5;
    stage.market.sql(&refuse.replace("TAKER", &traders[bad].id().to_string())).await;
    all_but_one_once(&stage, &set, bad).await;
    assert_eq!(stage.market.count("select count(*) from orders").await, 7);
    assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("3"));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_row_that_makes_no_sense_fails_only_the_commands_that_need_it() {
    let stage = Stage::set().await;
    let (traders, places) = eight_want_one(&stage).await;
    let orders: Vec<_> =
        stage.market.execute(&places).await.into_iter().map(|reply| OrderId(reply.unwrap().id.unwrap())).collect();
    let bad = 2;
    let ruin = format!("update orders set progress = '{{\"nonsense\": 1}}' where id = '{}'", orders[bad].0);
    stage.market.sql(&ruin).await;
    let cancel = |place: usize| {
        let what = CommandKind::order(orders[place], 1, OrderCommand::Cancel, Proofs::NONE);
        traders[place].wants(what)
    };
    let set: Vec<_> = (0..8).map(cancel).collect();
    all_but_one_once(&stage, &set, bad).await;
    assert_eq!(stage.market.count("select count(*) from orders where state = 'CANCELLED'").await, 7);
    assert_eq!(stage.market.advert(stage.advert).await.remaining, mec("9"));
    assert_eq!(stage.market.count("select count(*) from reputation_changes").await, 7, "each was charged once");
    // Deadlines of the other rows are applied as well.
    stage.market.waits(testkit::market::minutes(6)).await;
    assert_eq!(stage.market.clock_strikes().await, 0);
}

#[tokio::test]
async fn an_order_that_awaits_acceptance_prevents_a_second_funding_request_of_its_seller() {
    let stage = Stage::set().await;
    let carl = stage.market.trader().await;
    let buys = |trader: &Trader| {
        let trader = trader.clone();
        async move { trader.posts(trader.mec_for_krw("10", "1000").buying()).await.unwrap() }
    };
    let (annas, bens) = (buys(&stage.anna).await, buys(&stage.ben).await);
    let order = carl.orders(annas, "1").await.unwrap();
    assert_eq!(carl.orders(bens, "1").await, Err(Refusal::FundingRequestOpen), "another order");
    assert_eq!(carl.posts(carl.mec_for_krw("5", "1000")).await, Err(Refusal::FundingRequestOpen), "an advert");
    // Requests for another coin, or by another user, are separate funding requests.
    carl.posts(carl.usdt_for_krw("5", "1000")).await.unwrap();
    stage.anna.rejects(order).await.unwrap();
    let again = carl.orders(bens, "1").await.unwrap();
    // A single set cancels the order and places the next order.
    let cancel = CommandKind::order(again, 1, OrderCommand::Cancel, Proofs::NONE);
    let place = CommandKind::PlaceOrder(carl.order_for(annas, mec("1")).await);
    let replies = stage.market.execute(&[carl.wants(cancel), carl.wants(place)]).await;
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_set_is_as_its_commands_one_after_another() {
    let stage = Stage::set().await;
    let mut orders = Vec::new();
    for _ in 0..10 {
        orders.push(stage.ordered("0.5").await);
    }
    assert_eq!(stage.ben.orders(stage.advert, "0.5").await, Err(Refusal::OrderLimit { limit: 10 }));
    let cancel = CommandKind::order(orders[0], 1, OrderCommand::Cancel, Proofs::NONE);
    let place = CommandKind::PlaceOrder(stage.ben.order_for(stage.advert, mec("0.5")).await);
    let set = [stage.ben.wants(cancel), stage.ben.wants(place.clone()), stage.ben.wants(place)];
    let replies = stage.market.execute(&set).await;
    assert!(replies[0].is_ok() && replies[1].is_ok(), "{replies:?}");
    assert_eq!(replies[2], Err(Refusal::OrderLimit { limit: 10 }));
    stage.market.is_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sets_that_touch_the_same_in_another_order_never_wait_in_a_circle() {
    let stage = Stage::set().await;
    let second = stage.ben.posts(stage.ben.mec_for_krw("10", "1000")).await.unwrap();
    let mut stage = stage.with_escrow(second).await;
    let (anna, ben) = (stage.anna.clone(), stage.ben.clone());
    let mut sets = Vec::new();
    for _ in 0..8 {
        let from_anna = ben.wants(CommandKind::PlaceOrder(ben.order_for(stage.advert, mec("0.5")).await));
        let from_ben = anna.wants(CommandKind::PlaceOrder(anna.order_for(second, mec("0.5")).await));
        sets.push(vec![from_anna.clone(), from_ben.clone()]);
        sets.push(vec![from_ben, from_anna]);
    }
    for replies in at_once(&stage.market, sets).await {
        assert!(
            replies.iter().all(|reply| reply.is_ok() || matches!(reply, Err(Refusal::OrderLimit { .. }))),
            "{replies:?}"
        );
    }
    stage.chain.mines(1).await;
    stage.market.is_sound().await;
    stage.no_deadlocks().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_and_the_chain_never_wait_for_one_another_in_a_circle() {
    let mut stage = Stage::set().await;
    let mut traders = Vec::new();
    for _ in 0..6 {
        traders.push(stage.market.trader().await);
    }
    let mut orders = Vec::new();
    for trader in &traders {
        let order = trader.orders(stage.advert, "0.5").await.unwrap();
        stage.anna.accepts(order).await.unwrap();
        trader.marks_paid(order).await.unwrap();
        orders.push(order);
    }
    let mut tasks = JoinSet::new();
    for order in orders.clone() {
        // Each confirmation writes a payout, whose rows refer to the chain and to both users.
        let anna = stage.anna.clone();
        tasks.spawn(async move { anna.confirms(order).await });
    }
    for round in 0..6 {
        let coins: Vec<_> = traders
            .iter()
            .map(|trader| stage.chain.coins(trader, stage.market.usdt, testkit::market::usdt("1")))
            .collect();
        stage.chain.mines_coins(coins).await;
        if round % 2 == 1 {
            let again = stage.chain.contents_of_newest(1);
            stage.chain.reorganises(1, again).await;
        }
    }
    for reply in tasks.join_all().await {
        reply.unwrap();
    }
    stage.chain.confirms().await;
    stage.chain.settles().await;
    for order in orders {
        assert_eq!(stage.market.state(order).await, "COMPLETED");
    }
    stage.market.is_sound().await;
    stage.no_deadlocks().await;
}

impl Stage {
    /// Adds the escrow of Ben's advert.
    async fn with_escrow(mut self, advert: domain::ids::AdvertId) -> Self {
        self.chain.brings(&self.ben, self.market.mec, mec("10")).await;
        assert_eq!(self.market.advert_state(advert).await, "ONLINE");
        self
    }
}

#[tokio::test]
async fn a_balance_offered_eight_times_at_once_is_used_once() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.brings(&anna, market.mec, mec("50")).await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let offer = CommandKind::FundFromBalance { target: FundingTarget::Advert(advert), amount: mec("10") };
    let sets = (0..8).map(|_| vec![anna.wants(offer.clone())]).collect();
    let replies: Vec<_> = at_once(&market, sets).await.into_iter().flatten().collect();
    assert_eq!(replies.iter().filter(|reply| reply.is_ok()).count(), 1);
    assert!(replies.iter().all(|reply| matches!(reply, Ok(_) | Err(Refusal::Stale))), "{replies:?}");
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(anna.has_free(market.mec).await, mec("40"));
    market.is_sound().await;
}
