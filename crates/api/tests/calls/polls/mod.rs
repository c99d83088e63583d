//! Polls are answered without a statement while nothing has changed, and always like a process that keeps nothing.

mod sequences;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use api::realtime::{Hub, HubSettings};
use app::memory::feed::Following;
use app::{Clock, Context, MachineTime};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use chrono::{DateTime, Duration, Utc};
use domain::ids::OrderId;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use testkit::market::{Market, mec};
use testkit::statements::counted;
use testkit::{Ids, noon};
use tower::ServiceExt;

use crate::product::unlimited;
use crate::stage::{Caller, Stage, order_of, text};

/// The machine's clock, which tests set.
#[derive(Clone)]
struct Hands(Arc<AtomicI64>);

impl Hands {
    fn at_noon() -> Self {
        Self(Arc::new(AtomicI64::new(noon().timestamp_micros())))
    }

    fn advances(&self, by: Duration) {
        self.0.fetch_add(by.num_microseconds().unwrap(), Ordering::SeqCst);
    }
}

impl MachineTime for Hands {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// A server process.
struct Node {
    following: Following,
    app: Router,
}

impl Node {
    fn of(context: &Context) -> Self {
        let hub = Arc::new(Hub::new(context.clone(), HubSettings::default()));
        let (app, _) = api::router(unlimited(context, &hub));
        Self { following: Following::new(context, &[]), app }
    }

    fn on(market: &Market, hands: &Hands) -> Self {
        let clock = Clock::Machine(Arc::new(hands.clone()));
        Self::of(&Context::new(market.database.reconnected().store, clock, Arc::new(Ids)))
    }

    async fn reads_feed(&mut self) {
        self.following.step().await.unwrap();
    }

    async fn answers(&self, token: &str, path: &str) -> (u16, Value) {
        let request = Request::get(format!("/api{path}")).header(header::AUTHORIZATION, token);
        let response = self.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap())
    }
}

const ORDERS: &str = "/c2c/deal/order/page?finish=false";

fn polls(who: &Caller) -> [String; 3] {
    [format!("/user/info/{}", who.trader.id()), "/balance".to_owned(), ORDERS.to_owned()]
}

/// What visitors see of the trades.
const MARKET: [&str; 3] = [
    "/market/stats?base=MEC&quote=KRW",
    "/order/price/thread/new/page?base=MEC&quote=KRW&range=7D",
    "/order/price/thread/new/page?base=MEC&quote=KRW&range=1Y",
];

/// Two processes that keep responses, and one that never reads the feed and therefore keeps nothing.
struct Platform {
    hands: Hands,
    stage: Stage,
    advert: String,
    /// The process that executes the commands.
    own: Node,
    other: Node,
    forgetful: Node,
}

impl Platform {
    /// Creates a platform on which Anna sells MEC.
    async fn selling() -> Self {
        let hands = Hands::at_noon();
        let mut market = Market::open().await;
        let clock = Clock::Machine(Arc::new(hands.clone()));
        market.context = Context::new(market.database.store.clone(), clock, Arc::new(Ids));
        let mut stage = Stage::on(market).await;
        stage.market.sql("update sessions set expires_at = expires_at + interval '10 years'").await;
        let advert = stage.post(&stage.anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok();
        stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
        let mut own = Node::of(&stage.market.context);
        stage.app = own.app.clone();
        let mut other = Node::on(&stage.market, &hands);
        let forgetful = Node::on(&stage.market, &hands);
        own.reads_feed().await;
        other.reads_feed().await;
        Self { hands, stage, advert: text(&advert["id"]), own, other, forgetful }
    }

    fn callers(&self) -> [&Caller; 3] {
        [&self.stage.anna, &self.stage.ben, &self.stage.carl]
    }

    async fn both_read(&mut self) {
        self.own.reads_feed().await;
        self.other.reads_feed().await;
    }

    /// Compares the answers of nodes with those of the node that keeps nothing.
    async fn compare(&self, nodes: &[&Node], after: &str) {
        for who in self.callers() {
            for path in polls(who) {
                let fresh = self.forgetful.answers(&who.token, &path).await;
                for node in nodes {
                    let kept = node.answers(&who.token, &path).await;
                    assert_eq!(kept, fresh, "{} {path} after {after}", who.name);
                }
            }
            self.compare_balances(who, after).await;
        }
    }

    /// Compares the temporary balance in the two polls that show it.
    async fn compare_balances(&self, who: &Caller, after: &str) {
        let [account, balance, _] = polls(who);
        let (_, account) = self.forgetful.answers(&who.token, &account).await;
        let (_, balance) = self.forgetful.answers(&who.token, &balance).await;
        let lines = balance["data"]["lines"].as_array().unwrap().iter();
        let lines = lines.map(|line| json!({ "asset": line["asset"], "amount": line["temporary"] }));
        assert_eq!(account["data"]["temporaryBalance"], lines.collect::<Value>(), "{} after {after}", who.name);
    }

    /// Compares what visitors see.
    async fn compare_market(&self, nodes: &[&Node], after: &str) {
        for path in MARKET {
            let fresh = self.forgetful.answers(&self.stage.carl.token, path).await;
            assert_eq!(fresh.0, 200);
            for node in nodes {
                let kept = node.answers(&self.stage.carl.token, path).await;
                assert_eq!(kept, fresh, "{path} after {after}");
            }
        }
    }

    /// Completes an order by Ben.
    async fn trades(&mut self) {
        let order = self.accepted().await;
        self.stage.ben.trader.marks_paid(order).await.unwrap();
        self.stage.anna.trader.confirms(order).await.unwrap();
        self.stage.chain.settles().await;
        assert_eq!(self.stage.market.state(order).await, "COMPLETED");
    }

    /// Places an order by Ben, which Anna accepts.
    async fn accepted(&self) -> OrderId {
        let order = self.stage.post(&self.stage.ben, "/c2c/deal/order", &order_of(&self.advert)).await.ok();
        let order: OrderId = text(&order["id"]).parse().unwrap();
        self.stage.anna.trader.accepts(order).await.unwrap();
        order
    }

    /// Returns the number of statements of a poll.
    async fn cost(&self, node: &Node, who: &Caller, path: &str) -> usize {
        let ((status, _), statements) = counted(node.answers(&who.token, path)).await;
        assert_eq!(status, 200);
        statements
    }
}

#[tokio::test]
async fn a_repeated_poll_executes_no_statement() {
    let mut platform = Box::pin(Platform::selling()).await;
    platform.accepted().await;
    platform.both_read().await;
    for who in platform.callers() {
        for path in polls(who) {
            assert!(platform.cost(&platform.own, who, &path).await > 0, "{path} is computed once");
            assert_eq!(platform.cost(&platform.own, who, &path).await, 0, "{} {path}", who.name);
            assert!(platform.cost(&platform.forgetful, who, &path).await > 0, "{path}");
        }
    }
    platform.hands.advances(Duration::milliseconds(999));
    let (_, later) = platform.own.answers(&platform.stage.ben.token, "/balance").await;
    assert_eq!(later["data"]["serverTime"], json!(noon() + Duration::milliseconds(999)));
    assert_eq!(platform.cost(&platform.own, &platform.stage.ben, ORDERS).await, 0);
}

#[tokio::test]
async fn visitors_share_what_they_see_of_the_market_until_it_changes() {
    let mut platform = Box::pin(Platform::selling()).await;
    for round in 0..2 {
        platform.trades().await;
        platform.both_read().await;
        for path in MARKET {
            let alone = platform.cost(&platform.other, &platform.stage.ben, path).await;
            let carl = &platform.stage.carl.token;
            let all = async {
                let own = &platform.own;
                tokio::join!(own.answers(carl, path), own.answers(carl, path), own.answers(carl, path))
            };
            let ((one, two, three), together) = counted(all).await;
            assert!(one == two && two == three && one.0 == 200, "{one:?} {two:?} {three:?}");
            assert!((1..=alone).contains(&together), "{together} statements instead of {alone}");
            assert_eq!(platform.cost(&platform.own, &platform.stage.ben, path).await, 0, "{path}");
        }
        platform.compare_market(&[&platform.own, &platform.other], &format!("trade {round}")).await;
        for _ in 0..30 {
            platform.hands.advances(Duration::minutes(59));
            platform.both_read().await;
            platform.compare_market(&[&platform.own, &platform.other], &format!("a while after trade {round}")).await;
        }
    }
    let missing = "/market/stats?base=MEC&quote=XYZ";
    for _ in 0..2 {
        let (status, body) = platform.own.answers(&platform.stage.ben.token, missing).await;
        assert_eq!(status, platform.forgetful.answers(&platform.stage.ben.token, missing).await.0, "{body}");
        assert_ne!(status, 200);
    }
}

#[tokio::test]
async fn a_process_that_has_not_read_the_feed_for_a_second_keeps_nothing() {
    let mut platform = Box::pin(Platform::selling()).await;
    let ben = "/balance";
    platform.own.answers(&platform.stage.ben.token, ben).await;
    platform.hands.advances(Duration::seconds(1));
    assert!(platform.cost(&platform.own, &platform.stage.ben, ben).await > 1, "the session and the balance");
    platform.own.reads_feed().await;
    assert_eq!(platform.cost(&platform.own, &platform.stage.ben, ben).await, 0);
    platform.hands.advances(Duration::seconds(-1));
    assert!(platform.cost(&platform.own, &platform.stage.ben, ben).await > 1, "the clock was put back");
}

#[tokio::test]
async fn an_ended_session_is_refused_at_once_here_and_with_the_next_read_elsewhere() {
    let mut platform = Box::pin(Platform::selling()).await;
    let (stage, own) = (&platform.stage, &platform.own);
    let (user, token) = (stage.ben.trader.id(), stage.ben.token.as_str());
    for node in [own, &platform.other] {
        node.answers(token, "/balance").await;
        assert_eq!(platform.cost(node, &stage.ben, "/balance").await, 0);
    }
    stage.post(&stage.ben, "/logout", &json!({})).await.ok();
    assert_eq!(own.answers(token, "/balance").await.0, 401, "{user}");
    platform.other.reads_feed().await;
    assert_eq!(platform.other.answers(&platform.stage.ben.token, "/balance").await.0, 401);

    let anna = platform.stage.anna.trader.id();
    platform.both_read().await;
    platform.own.answers(&platform.stage.anna.token, "/balance").await;
    platform.stage.market.sql(&format!("update users set login_forbidden = true where id = '{anna}'")).await;
    platform.own.reads_feed().await;
    assert_eq!(platform.own.answers(&platform.stage.anna.token, "/balance").await.0, 403);

    platform.own.answers(&platform.stage.carl.token, "/balance").await;
    platform.hands.advances(Duration::days(4_000));
    platform.own.reads_feed().await;
    assert_eq!(platform.own.answers(&platform.stage.carl.token, "/balance").await.0, 401, "expired");
}

#[tokio::test]
async fn an_outage_and_maintenance_show_in_deadlines() {
    let mut platform = Box::pin(Platform::selling()).await;
    platform.accepted().await;
    app::deadlines::outages::beat(&platform.stage.market.context).await.unwrap();
    platform.both_read().await;
    platform.compare(&[&platform.own, &platform.own], "a heartbeat").await;
    assert_eq!(platform.cost(&platform.own, &platform.stage.ben, ORDERS).await, 0);
    for seconds in [30, 31, 32] {
        platform.hands.advances(noon() + Duration::seconds(seconds) - platform.hands.now());
        platform.both_read().await;
        platform.compare(&[&platform.own, &platform.own], "a silence").await;
    }
    assert!(platform.cost(&platform.own, &platform.stage.ben, ORDERS).await > 0, "the deadline moves constantly");
    app::deadlines::outages::beat(&platform.stage.market.context).await.unwrap();
    platform.both_read().await;
    platform.compare(&[&platform.own, &platform.other], "an outage").await;
    app::deadlines::outages::move_deadlines(&platform.stage.market.context).await.unwrap();
    platform.both_read().await;
    platform.compare(&[&platform.own, &platform.other], "the deadlines were moved").await;

    let (from, until) = (platform.hands.now() + Duration::seconds(1), platform.hands.now() + Duration::minutes(1));
    let why = app::deadlines::maintenance::MaintenanceDecision { officer: "Olga".into(), reason: "a test".to_owned() };
    testkit::market::officers::plan_maintenance(&platform.stage.market.context, from, until, &why).await.unwrap();
    for _ in 0..3 {
        platform.both_read().await;
        platform.compare(&[&platform.own, &platform.own], "maintenance").await;
        platform.hands.advances(Duration::milliseconds(500));
    }
}
