//! Messages, marks and unread counts.

use app::engine::idempotency::IdempotencyKey;
use app::talk::{KEPT_OPEN, Official, Outgoing, Talk, TalkEvent, TalkMarks, Viewer, Window, append_official};
use domain::effect::Notice;
use domain::ids::{OrderId, UserId};
use domain::order_log::{Content, LogEntry};
use domain::refusal::Refusal;
use domain::talk::Warning;
use domain::trade::Party;
use testkit::market::{Market, Trader, minutes};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::Stage;

pub(crate) fn talk(market: &Market) -> Talk {
    Talk::new(market.context.clone(), KEPT_OPEN)
}

pub(crate) fn refused<T: std::fmt::Debug>(result: app::Result<T>) -> Refusal {
    match result {
        Err(app::Error::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn message(text: &str) -> Outgoing {
    Outgoing { text: text.to_owned(), files: Vec::new(), despite_warnings: false }
}

pub(crate) async fn sends(who: &Trader, key: &str, order: OrderId, what: &Outgoing) -> app::Result<LogEntry> {
    let key = IdempotencyKey { request_hash: IdempotencyKey::derived(&[&what.text]).request_hash, key: key.to_owned() };
    talk(&who.market).send(&key, who.id(), order, what).await
}

async fn says(who: &Trader, order: OrderId, text: &str) -> LogEntry {
    sends(who, &format!("key of {text}"), order, &message(text)).await.unwrap()
}

async fn unread(who: &Trader, order: OrderId) -> (u32, u32) {
    let talk = talk(&who.market);
    (talk.unread_of(who.id(), order).await.unwrap(), talk.unread(who.id()).await.unwrap())
}

/// Returns the `TALK` events of a user.
async fn heard(market: &Market, user: UserId) -> Vec<TalkEvent> {
    let mut tx = market.database.store.begin().await.unwrap();
    let events = store::outbox::since(&mut tx, user, 0, 1_000).await.unwrap();
    let talk = events.into_iter().filter(|event| event.kind == "TALK");
    talk.map(|event| serde_json::from_value(event.body).unwrap()).collect()
}

#[tokio::test]
async fn both_parties_are_told_of_a_message_which_is_unread_by_the_other() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let entry = says(&stage.ben, order, " I pay now \n").await;
    assert_eq!((entry.number, entry.author), (3, Some(Party::Buyer)));
    let said =
        Content::Message { text: "I pay now".to_owned(), files: Vec::new(), warnings: Vec::new(), automatic: false };
    assert_eq!(entry.content, said);
    assert_eq!((unread(&stage.anna, order).await, unread(&stage.ben, order).await), ((1, 1), (0, 0)));
    let event = TalkEvent { order_id: order, entry: Some(entry), key: None, marks: None };
    assert_eq!(heard(&stage.market, stage.anna.id()).await, std::slice::from_ref(&event));
    let own = TalkEvent { key: Some("key of  I pay now \n".to_owned()), ..event };
    assert_eq!(heard(&stage.market, stage.ben.id()).await, [own]);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn marks_only_grow_and_the_other_party_is_told() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    for text in ["one", "two", "three"] {
        says(&stage.ben, order, text).await;
    }
    let (anna, talk) = (stage.anna.id(), talk(&stage.market));
    talk.mark_delivered(anna, order, Some(4)).await.unwrap();
    talk.mark_delivered(anna, order, Some(3)).await.unwrap();
    assert_eq!(unread(&stage.anna, order).await, (3, 3));
    let marks = talk.mark_read(anna, order, Some(3)).await.unwrap();
    assert_eq!((marks.delivered_to, marks.read_to, marks.unread), (4, 3, 2));
    let marks = talk.mark_read(anna, order, None).await.unwrap();
    assert_eq!((marks.delivered_to, marks.read_to, marks.unread), (5, 5, 0));
    assert_eq!(talk.mark_read(anna, order, Some(1)).await.unwrap(), marks);
    assert_eq!(talk.mark_read(anna, order, Some(1_000)).await.unwrap(), marks, "there is no such entry yet");
    assert_eq!(unread(&stage.anna, order).await, (0, 0));

    let told = |events: Vec<TalkEvent>| -> Vec<_> { events.into_iter().filter_map(|event| event.marks).collect() };
    let marks = |delivered_to, read_to| TalkMarks { party: Party::Seller, delivered_to, read_to };
    let bens = told(heard(&stage.market, stage.ben.id()).await);
    assert_eq!(bens, [marks(4, 0), marks(4, 3), marks(5, 5)]);
    assert_eq!(told(heard(&stage.market, anna).await), [marks(4, 3), marks(5, 5)], "her other devices");
    // The next message is unread again.
    says(&stage.ben, order, "four").await;
    assert_eq!(unread(&stage.anna, order).await, (1, 1));
    assert!(!stage.market.session().await.runs("update conversations set read_to = 0").await);
}

/// An outbox that is flushed after a reconnection sends messages before the conversation is read again.
#[tokio::test]
async fn sending_a_message_neither_receives_nor_reads_those_of_the_other_party() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let (anna, talk) = (stage.anna.id(), talk(&stage.market));
    says(&stage.ben, order, "one").await;
    talk.mark_read(anna, order, None).await.unwrap();
    says(&stage.ben, order, "two").await;
    says(&stage.anna, order, "late").await;
    assert_eq!((unread(&stage.anna, order).await, unread(&stage.ben, order).await), ((1, 1), (1, 1)));
    let marks = async |viewer| {
        let page = talk.page(viewer, order, Window::Newest, 10).await.unwrap();
        page.marks.map(|marks| (marks.delivered_to, marks.read_to))
    };
    for viewer in [Viewer::User(stage.ben.id()), Viewer::User(anna), Viewer::Officer] {
        assert_eq!(marks(viewer).await, [(0, 0), (3, 3)]);
    }
    assert_eq!((talk.list(anna, 0, 10).await.unwrap().0[0].unread, talk.bubble(anna).await.unwrap().unread), (1, 1));
    assert_eq!(stage.anna.sees(order).await.unwrap().news.messages, 1);

    // What a device reports counts, and her own message is never unread.
    let reported = talk.mark_read(anna, order, Some(4)).await.unwrap();
    assert_eq!((reported.read_to, reported.unread), (4, 0));
    assert_eq!(marks(Viewer::Officer).await, [(0, 0), (4, 4)]);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_page_shows_entries_before_and_after_a_number() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    for number in 3..=9 {
        says(if number % 2 == 0 { &stage.anna } else { &stage.ben }, order, &number.to_string()).await;
    }
    let talk = talk(&stage.market);
    let viewer = Viewer::User(stage.anna.id());
    let numbers = async |window, most| -> Vec<i64> {
        let page = talk.page(viewer, order, window, most).await.unwrap();
        assert_eq!(page.last, 9);
        page.entries.iter().map(|entry| entry.number).collect()
    };
    assert_eq!(numbers(Window::Newest, 3).await, [7, 8, 9]);
    assert_eq!(numbers(Window::Before(7), 3).await, [4, 5, 6]);
    assert_eq!(numbers(Window::Before(2), 3).await, [1]);
    assert_eq!(numbers(Window::After(7), 3).await, [8, 9]);
    assert_eq!(numbers(Window::After(9), 3).await, [0; 0]);
    let page = talk.page(viewer, order, Window::Newest, 100).await.unwrap();
    assert_eq!((page.party, page.unread, page.open, page.closes_at), (Some(Party::Seller), 4, true, None));
    talk.mark_read(stage.anna.id(), order, Some(7)).await.unwrap();
    let page = talk.page(viewer, order, Window::Newest, 100).await.unwrap();
    assert_eq!(page.unread, 1);
    assert_eq!(page.marks.map(|marks| (marks.party, marks.read_to)), [(Party::Buyer, 0), (Party::Seller, 7)]);
    let officer = talk.page(Viewer::Officer, order, Window::Newest, 100).await.unwrap();
    assert_eq!((officer.party, officer.entries), (None, page.entries));
}

#[tokio::test]
async fn strangers_are_refused() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    says(&stage.ben, order, "hello").await;
    let (carl, talk) = (stage.market.trader().await, talk(&stage.market));
    let id = carl.id();
    for order in [order, OrderId(Uuid::nil())] {
        assert_eq!(refused(sends(&carl, "key", order, &message("hello")).await), Refusal::OrderMissing);
        let page = talk.page(Viewer::User(id), order, Window::Newest, 10).await;
        assert_eq!(refused(page), Refusal::OrderMissing);
        assert_eq!(refused(talk.mark_read(id, order, None).await), Refusal::OrderMissing);
        assert_eq!(refused(talk.mark_delivered(id, order, None).await), Refusal::OrderMissing);
        assert_eq!(refused(talk.unread_of(id, order).await), Refusal::OrderMissing);
    }
    assert_eq!(stage.market.log(order).await.len(), 3);
    assert_eq!(heard(&stage.market, id).await, []);
}

#[tokio::test]
async fn a_message_sent_again_is_said_once() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let ben = stage.ben.clone();
        tasks.spawn(async move { sends(&ben, "the same", order, &message("hello")).await.unwrap() });
    }
    let entries = tasks.join_all().await;
    assert!(entries.iter().all(|entry| *entry == entries[0]), "{entries:?}");
    let other = sends(&stage.ben, "the same", order, &message("other")).await;
    assert_eq!(refused(other), Refusal::KeyReused);
    assert_eq!(stage.market.log(order).await.len(), 3);
    assert_eq!(unread(&stage.anna, order).await, (1, 1));
}

#[tokio::test]
async fn messages_and_transitions_at_once_leave_no_gap_and_no_deadlock() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let mut tasks = JoinSet::new();
    for number in 0..12 {
        let (who, other) = if number % 2 == 0 { (&stage.anna, &stage.ben) } else { (&stage.ben, &stage.anna) };
        let (who, reader, market) = (who.clone(), other.id(), stage.market.clone());
        tasks.spawn(async move {
            says(&who, order, &format!("number {number}")).await;
            talk(&market).mark_read(reader, order, None).await.unwrap();
        });
    }
    let (ben, anna) = (stage.ben.clone(), stage.anna.clone());
    tasks.spawn(async move {
        ben.marks_paid(order).await.unwrap();
        anna.confirms(order).await.unwrap();
    });
    tasks.join_all().await;
    assert_eq!(stage.market.log(order).await.len(), 2 + 12 + 2);
    stage.market.is_sound().await;
    for who in [&stage.anna, &stage.ben] {
        talk(&stage.market).mark_read(who.id(), order, None).await.unwrap();
        assert_eq!(unread(who, order).await, (0, 0));
    }
}

#[tokio::test]
async fn a_conversation_closes_some_days_after_the_end() {
    let stage = Stage::set().await;
    let order = stage.ordered("4").await;
    stage.anna.rejects(order).await.unwrap();
    stage.market.waits(KEPT_OPEN - minutes(1)).await;
    says(&stage.ben, order, "why?").await;
    let page = async || {
        let viewer = Viewer::User(stage.ben.id());
        talk(&stage.market).page(viewer, order, Window::Newest, 10).await.unwrap()
    };
    assert_eq!((page().await.open, page().await.closes_at), (true, Some(testkit::noon() + KEPT_OPEN)));
    stage.market.waits(minutes(1)).await;
    assert_eq!(refused(sends(&stage.anna, "late", order, &message("late")).await), Refusal::ConversationClosed);
    assert_eq!((page().await.open, page().await.entries.len()), (false, 3));
    // A repeated message still gets its response.
    assert_eq!(says(&stage.ben, order, "why?").await.number, 3);
}

#[tokio::test]
async fn a_message_with_warnings_needs_its_senders_agreement() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let both = [Warning::OffPlatform, Warning::EarlyRelease];
    for (text, warnings) in
        [("add me on Telegram", &both[..1]), ("请先放币", &both[1..]), ("release first, t.me/ben", &both[..])]
    {
        let flagged = Refusal::MessageFlagged { warnings: warnings.to_vec() };
        assert_eq!(refused(sends(&stage.ben, "key", order, &message(text)).await), flagged, "{text}");
        let anyway = Outgoing { despite_warnings: true, ..message(text) };
        let entry = sends(&stage.ben, text, order, &anyway).await.unwrap();
        assert!(matches!(entry.content, Content::Message { warnings: shown, .. } if shown == warnings), "{text}");
    }
    // An administrator's change of the list takes effect at once.
    stage.market.sql("insert into warning_words values ('pigeon', 'OFF_PLATFORM')").await;
    let flagged = Refusal::MessageFlagged { warnings: both[..1].to_vec() };
    assert_eq!(refused(sends(&stage.ben, "key", order, &message("by pigeon")).await), flagged);
}

#[tokio::test]
async fn an_official_message_is_unread_by_both_and_cannot_be_imitated() {
    let stage = Stage::set().await;
    let id = stage.accepted("4").await;
    let (mut tx, now) = stage.market.context.begin().await.unwrap();
    let official = Official { name: "Mia".to_owned(), text: "Do not pay yet.".to_owned(), files: Vec::new() };
    let entry = append_official(&mut tx, id, &official, now).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((entry.author, entry.content.kind()), (None, "OFFICER"));
    assert_eq!((unread(&stage.anna, id).await, unread(&stage.ben, id).await), ((1, 1), (1, 1)));
    for user in [stage.anna.id(), stage.ben.id()] {
        assert_eq!(heard(&stage.market, user).await.pop().unwrap().entry.as_ref(), Some(&entry));
    }
    // Not even a defect could store an official message with a party as its author.
    for author in ["null", "'BUYER'"] {
        let forged = format!(
            "insert into order_log (order_id, number, author, data, at, hash)
             select order_id, number + 1, {author}, data, at, hash from order_log where kind = 'OFFICER'"
        );
        let rolled_back = format!("begin; {forged}; rollback");
        assert_eq!(stage.market.session().await.runs(&rolled_back).await, author == "null", "{author}");
    }
    stage.market.is_sound().await;
}

#[tokio::test]
async fn the_list_and_the_bubble_show_what_is_new() {
    let stage = Stage::set().await;
    let (first, second) = (stage.accepted("1").await, stage.ordered("2").await);
    let (anna, ben, talk) = (stage.anna.id(), stage.ben.id(), talk(&stage.market));
    assert_eq!(talk.list(anna, 0, 10).await.unwrap().1, 0, "transitions alone are no conversation");
    says(&stage.ben, second, "two").await;
    stage.market.waits(minutes(1)).await;
    says(&stage.ben, first, "one").await;
    says(&stage.ben, first, "three").await;
    let list = async |user, offset| {
        let (found, total) = talk.list(user, offset, 1).await.unwrap();
        let found: Vec<_> = found.iter().map(|one| (one.order.id, one.party, one.last.number, one.unread)).collect();
        (found, total)
    };
    assert_eq!(list(anna, 0).await, (vec![(first, Party::Seller, 4, 2)], 2));
    assert_eq!(list(anna, 1).await, (vec![(second, Party::Seller, 2, 1)], 2));
    assert_eq!(list(ben, 0).await, (vec![(first, Party::Buyer, 4, 0)], 2));

    let bubble = async |user| {
        let bubble = talk.bubble(user).await.unwrap();
        (bubble.open_orders, bubble.changed_orders, bubble.unread)
    };
    assert_eq!((bubble(anna).await, bubble(ben).await), ((2, 2, 3), (2, 1, 0)), "Anna accepted the first order");
    app::orders::mark_read(&stage.market.context, anna, second).await.unwrap();
    assert_eq!(bubble(anna).await, (2, 1, 3));
    assert!(!stage.anna.sees(second).await.unwrap().news.changed);
    stage.ben.cancels(second).await.unwrap();
    let news = stage.anna.sees(second).await.unwrap().news;
    assert_eq!((news.changed, news.messages), (true, 1));
    assert!(!stage.ben.sees(second).await.unwrap().news.changed, "his own command");
    // The conversation shows the transition too.
    talk.mark_read(anna, second, None).await.unwrap();
    let news = stage.anna.sees(second).await.unwrap().news;
    assert_eq!((news.changed, news.messages), (false, 0));
    assert_eq!(bubble(anna).await, (1, 1, 2));
}

/// Messages wait for the row of a user, which somebody has locked. They leave connections to everyone else.
#[tokio::test]
async fn messages_that_wait_do_not_occupy_the_connections() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let talk = talk(&stage.market);
    let mut holding = stage.market.database.store.begin().await.unwrap();
    store::users::lock(&mut holding, &[stage.ben.id()]).await.unwrap();
    let connections = usize::try_from(stage.market.database.store.connections()).unwrap();
    let mut waiting = tokio::task::JoinSet::new();
    for number in 0..connections.saturating_mul(3) {
        let (talk, ben) = (talk.clone(), stage.ben.id());
        waiting.spawn(async move {
            let text = format!("message {number}");
            let request_hash = IdempotencyKey::derived(&[&text]).request_hash;
            let key = IdempotencyKey { request_hash, key: format!("key {number}") };
            talk.send(&key, ben, order, &message(&text)).await.map(|_| ())
        });
    }
    // Until the database shows that all turns are taken.
    let locked =
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while stage.market.database.count(locked).await < i64::try_from(connections / 3).unwrap() {
        tokio::task::yield_now().await;
    }
    // As many connections as are left work: all but those of the messages and the one that holds the row.
    let free = connections.saturating_sub(connections / 3).saturating_sub(1);
    let mut others = Vec::new();
    for _ in 0..free {
        others.push(stage.market.database.store.begin().await.unwrap());
    }
    drop(others);
    assert_eq!(stage.market.database.count(locked).await, i64::try_from(connections / 3).unwrap());
    holding.rollback().await.unwrap();
    while let Some(sent) = waiting.join_next().await {
        sent.unwrap().unwrap();
    }
    let sent = format!("select count(*) from order_log where order_id = '{order}' and kind = 'MESSAGE'");
    assert_eq!(stage.market.count(&sent).await, i64::try_from(connections.saturating_mul(3)).unwrap());
}

#[tokio::test]
async fn takers_read_the_automatic_reply_of_the_advertiser() {
    let stage = Stage::set().await;
    stage
        .market
        .sql(&format!("update users set automatic_reply = 'I answer fast' where id = '{}'", stage.anna.id()))
        .await;
    let order = stage.ordered("4").await;
    let page = talk(&stage.market).page(Viewer::Officer, order, Window::Newest, 10).await.unwrap();
    let [placed, reply] = &page.entries[..] else { panic!("{:?}", page.entries) };
    assert!(matches!(placed.content, Content::System { notice: Some(Notice::NewOrder), .. }), "{placed:?}");
    let text = "I answer fast".to_owned();
    let said = Content::Message { text, files: Vec::new(), warnings: Vec::new(), automatic: true };
    assert_eq!((reply.number, reply.author, &reply.content), (2, Some(Party::Seller), &said));
    assert_eq!((unread(&stage.ben, order).await, unread(&stage.anna, order).await), ((1, 1), (0, 0)));
    let event = TalkEvent { order_id: order, entry: Some(reply.clone()), key: None, marks: None };
    for party in [&stage.anna, &stage.ben] {
        assert_eq!(heard(&stage.market, party.id()).await, std::slice::from_ref(&event));
    }
    assert_eq!(talk(&stage.market).list(stage.ben.id(), 0, 10).await.unwrap().0[0].last, *reply);

    // The orders of others who advertise nothing have none.
    stage.market.sql("update users set automatic_reply = null").await;
    let other = stage.ordered("1").await;
    assert_eq!(talk(&stage.market).page(Viewer::Officer, other, Window::Newest, 10).await.unwrap().entries.len(), 1);
    stage.market.is_sound().await;
}
