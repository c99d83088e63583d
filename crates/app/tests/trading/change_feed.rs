//! The change feed: every change of a row that processes keep in memory is reported once to every reader.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use app::memory::feed::{Change, Feed, Follower, Pace, follow};
use async_trait::async_trait;
use domain::ids::UserId;
use testkit::market::{Market, Trader, mec, minutes, usdt};
use tokio::sync::mpsc;

use crate::Stage;

struct Reader(Feed);

impl Reader {
    /// Starts a reader that has read everything so far.
    async fn of(market: &Market) -> Self {
        let mut reader = Self(Feed::begin(&market.context).await.unwrap());
        assert_eq!(reader.sees().await, [Change::Reference, Change::Head].into(), "a new reader knows nothing");
        reader
    }

    async fn sees(&mut self) -> BTreeSet<Change> {
        self.0.next().await.unwrap().expect("nothing is deleted").into_iter().collect()
    }
}

fn users<const N: usize>(traders: [&Trader; N]) -> BTreeSet<Change> {
    traders.into_iter().map(|trader| Change::User(trader.id())).collect()
}

fn people<const N: usize>(traders: [&Trader; N]) -> BTreeSet<Change> {
    traders.into_iter().map(|trader| Change::Profile(trader.id())).collect()
}

fn all<const N: usize>(sets: [BTreeSet<Change>; N]) -> BTreeSet<Change> {
    sets.into_iter().flatten().collect()
}

#[tokio::test]
async fn a_trade_is_reported_to_both_parties_at_every_step() {
    let mut stage = Stage::set().await;
    let mut reader = Reader::of(&stage.market).await;
    let advert: BTreeSet<_> = [Change::Advert(stage.advert)].into();
    let both = users([&stage.anna, &stage.ben]);
    let order = stage.ordered("4").await;
    assert_eq!(reader.sees().await, all([advert.clone(), both.clone()]));
    stage.anna.accepts(order).await.unwrap();
    assert_eq!(reader.sees().await, both);
    stage.ben.marks_paid(order).await.unwrap();
    assert_eq!(reader.sees().await, both);
    stage.anna.confirms(order).await.unwrap();
    assert_eq!(reader.sees().await, both);
    stage.chain.pays().await;
    assert_eq!(reader.sees().await, all([both.clone(), [Change::Head].into()]), "a payout in a block");
    stage.chain.reorganises(1, [testkit::market::Contents::default()]).await;
    assert_eq!(reader.sees().await, both, "a payout that left the chain");
    stage.chain.mines(1).await;
    assert_eq!(reader.sees().await, [Change::Head].into());
    stage.ben.cancels(order).await.unwrap_err();
    assert_eq!(reader.sees().await, BTreeSet::new(), "a refused command changes nothing");
}

#[tokio::test]
async fn the_end_of_an_order_changes_what_others_see() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    stage.chain.pays().await;
    let mut reader = Reader::of(&stage.market).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    let both = [&stage.anna, &stage.ben];
    let expected = all([users(both), people(both), [Change::Head, Change::Trade, Change::Advert(stage.advert)].into()]);
    assert_eq!(reader.sees().await, expected);

    let order = stage.accepted("4").await;
    reader.sees().await;
    stage.ben.cancels(order).await.unwrap();
    assert_eq!(reader.sees().await, all([users(both), people(both), [Change::Advert(stage.advert)].into()]));
    app::orders::mark_read(&stage.market.context, stage.ben.id(), order).await.unwrap();
    assert_eq!(reader.sees().await, users([&stage.ben]), "the other party does not see it");
}

#[tokio::test]
async fn money_in_a_vault_is_reported_to_its_owner() {
    let mut stage = Stage::set().await;
    let mut reader = Reader::of(&stage.market).await;
    stage.chain.shows(&stage.ben, stage.market.usdt, usdt("7")).await;
    assert_eq!(reader.sees().await, all([users([&stage.ben]), [Change::Head].into()]), "an unconfirmed deposit");
    stage.chain.confirms().await;
    assert_eq!(reader.sees().await, all([users([&stage.ben]), [Change::Head].into()]), "a credited deposit");
    stage.ben.withdraws(stage.market.usdt).await.unwrap();
    assert_eq!(reader.sees().await, users([&stage.ben]));
    stage.chain.shows(&stage.ben, stage.market.mec, mec("1")).await;
    reader.sees().await;
    stage.chain.reorganises(1, [testkit::market::Contents::default()]).await;
    assert_eq!(reader.sees().await, users([&stage.ben]), "a deposit that left the chain");
}

#[tokio::test]
async fn adverts_and_switches_are_reported() {
    let stage = Stage::set().await;
    let mut reader = Reader::of(&stage.market).await;
    let advert: BTreeSet<_> = [Change::Advert(stage.advert)].into();
    let anna = [&stage.anna];
    stage.anna.takes(stage.advert, false).await.unwrap();
    assert_eq!(reader.sees().await, all([users(anna), advert.clone()]));
    stage.anna.takes(stage.advert, true).await.unwrap();
    stage.anna.switches(false).await.unwrap();
    assert_eq!(reader.sees().await, all([users(anna), people(anna), advert]));
    let posted = stage.ben.posts(stage.ben.mec_for_krw("1", "1000")).await.unwrap();
    assert_eq!(reader.sees().await, all([users([&stage.ben]), [Change::Advert(posted)].into()]));
}

type Of = fn(UserId) -> Change;

/// Changes without a command of trading, by statement, and what they change for a user.
const STATEMENTS: &[(&str, &[Of])] = &[
    ("update users set last_event = last_event + 1", &[]),
    ("update users set nickname = nickname where id = $1", &[]),
    ("update users set nickname = 'Anna' where id = $1", &[Change::User, Change::Profile]),
    ("update users set held_until = '2030-01-01Z' where id = $1", &[Change::User, Change::Profile]),
    ("update users set certified = false where id = $1", &[Change::User, Change::Profile]),
    ("update users set withdrawal_forbidden = true where id = $1", &[Change::User, Change::Profile]),
    ("update users set login_forbidden = true where id = $1", &[Change::User, Change::Profile, Change::Session]),
    (
        "update users set receiving_address = 'x', receiving_chain_type = 'y' where id = $1",
        &[Change::User, Change::Profile],
    ),
    (
        "insert into accounts (user_id, email, me_id, password_hash, terms_accepted_at) values ($1, 'a@b.c', 'm', 'h', now())",
        &[],
    ),
    ("update accounts set language = 'ko' where user_id = $1", &[]),
    ("update accounts set remark = 'Hello' where user_id = $1", &[Change::User, Change::Profile]),
    ("update accounts set security_hash = 'h' where user_id = $1", &[Change::User, Change::Profile]),
    (
        "insert into sessions (id, user_id, token_hash, salt, opened_by, request_hash, opened_at, expires_at)
      select gen_random_uuid(), $1, h, h, h, h, now(), now() from sha256('s') as h",
        &[],
    ),
    ("update sessions set ended_at = now() where user_id = $1", &[Change::Session]),
    (
        "insert into reputation_changes (user_id, change, reputation, cause, at) values ($1, -5, 95, 'x', now())",
        &[Change::User, Change::Profile],
    ),
    ("update payment_methods set version = version + 1 where user_id = $1", &[Change::User, Change::Profile]),
    ("insert into blocks_between select $1, id from users where id <> $1 limit 1", &[Change::Profile]),
    ("delete from blocks_between where blocker = $1", &[Change::Profile]),
    ("update reference_data_version set version = version + 1", &[|_| Change::Reference]),
    (
        "insert into payout_stops (asset_id, because, at) select min(id), 'x', now() from assets",
        &[|_| Change::Platform],
    ),
    ("delete from payout_stops", &[|_| Change::Platform]),
];

#[tokio::test]
async fn every_other_change_is_reported() {
    let stage = Stage::set().await;
    let mut reader = Reader::of(&stage.market).await;
    let anna = stage.anna.id();
    for (statement, changes) in STATEMENTS {
        stage.market.sql(&statement.replace("$1", &format!("'{anna}'"))).await;
        let mut seen = reader.sees().await;
        // A block also changes what the blocked user sees.
        seen.retain(|change| *change != Change::Profile(stage.ben.id()));
        assert_eq!(seen, changes.iter().map(|of| of(anna)).collect(), "{statement}");
    }
}

#[tokio::test]
async fn a_long_transaction_neither_delays_other_changes_nor_loses_its_own() {
    let stage = Stage::set().await;
    let mut reader = Reader::of(&stage.market).await;
    let mut long = stage.market.database.store.begin().await.unwrap();
    store::users::set_online(&mut long, &[store::users::Switch { user: stage.ben.id(), online: false, cause: None }])
        .await
        .unwrap();
    for online in [false, true] {
        stage.anna.takes(stage.advert, online).await.unwrap();
        assert_eq!(reader.sees().await, all([users([&stage.anna]), [Change::Advert(stage.advert)].into()]));
        assert_eq!(reader.sees().await, BTreeSet::new(), "a change is reported once");
    }
    long.commit().await.unwrap();
    assert_eq!(reader.sees().await, all([users([&stage.ben]), people([&stage.ben])]));
    assert_eq!(reader.sees().await, BTreeSet::new());
}

#[tokio::test]
async fn readers_read_independently() {
    let stage = Stage::set().await;
    let (mut one, mut other) = (Reader::of(&stage.market).await, Reader::of(&stage.market.reconnected()).await);
    stage.anna.takes(stage.advert, false).await.unwrap();
    let seen = one.sees().await;
    stage.anna.takes(stage.advert, true).await.unwrap();
    assert_eq!(seen, one.sees().await);
    assert_eq!(seen, other.sees().await);
    assert_eq!((one.sees().await, other.sees().await), (BTreeSet::new(), BTreeSet::new()));
}

#[tokio::test]
async fn old_changes_are_deleted_and_a_reader_that_missed_some_is_told() {
    let stage = Stage::set().await;
    let mut late = Reader::of(&stage.market).await;
    let changes = "select count(*) from changes";
    stage.anna.takes(stage.advert, false).await.unwrap();
    app::memory::feed::expire(&stage.market.context).await.unwrap();
    let before = stage.market.count(changes).await;
    app::memory::feed::expire(&stage.market.context).await.unwrap();
    assert_eq!(stage.market.count(changes).await, before, "changes are kept for a while");

    // Transactions of other tests on the same server also count as running, so the test sets what was noted.
    let later = "update changes_deleted set at = at - interval '5 minutes', noted = pg_current_xact_id()";
    stage.market.sql(later).await;
    assert!(app::memory::feed::expire(&stage.market.context).await.unwrap() > 0);
    assert_eq!(stage.market.count(changes).await, 0);
    assert_eq!(late.0.next().await.unwrap(), None);
    assert_eq!(late.0.next().await.unwrap(), None, "it has to begin anew");
}

/// Reports what it is told.
struct Recorder {
    told: mpsc::UnboundedSender<Option<Vec<Change>>>,
    fails: AtomicBool,
}

#[async_trait]
impl Follower for Recorder {
    async fn apply(&self, changes: &[Change]) -> app::Result<()> {
        if self.fails.swap(false, Ordering::Relaxed) {
            return Err(app::Error::Unavailable { what: "a test" });
        }
        self.told.send(Some(changes.to_vec())).unwrap();
        Ok(())
    }

    async fn reset(&self) -> app::Result<()> {
        self.told.send(None).unwrap();
        Ok(())
    }
}

#[tokio::test]
async fn followers_begin_anew_after_a_failure() {
    let stage = Stage::set().await;
    let (told, mut heard) = mpsc::unbounded_channel();
    let recorder = Arc::new(Recorder { told, fails: AtomicBool::new(false) });
    let follower: Arc<dyn Follower> = recorder.clone();
    let context = stage.market.context.clone();
    // Without a commit of this process, the loop would wait for an hour.
    let pace = Pace { idle: minutes(60).to_std().unwrap(), busy_for: std::time::Duration::ZERO, ..Pace::default() };
    let following = tokio::spawn(async move { follow(&context, &[follower], pace).await });
    assert_eq!(heard.recv().await.unwrap(), None, "a reset at the start");
    assert_eq!(heard.recv().await.unwrap(), Some(vec![Change::Reference, Change::Head]));

    stage.anna.takes(stage.advert, false).await.unwrap();
    let changes: BTreeSet<_> = heard.recv().await.unwrap().unwrap().into_iter().collect();
    assert_eq!(changes, all([users([&stage.anna]), [Change::Advert(stage.advert)].into()]));

    recorder.fails.store(true, Ordering::Relaxed);
    stage.anna.takes(stage.advert, true).await.unwrap();
    assert_eq!(heard.recv().await.unwrap(), None, "a reset after the failure");
    following.abort();
}
