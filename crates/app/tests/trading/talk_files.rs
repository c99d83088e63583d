//! Files of messages: what can be attached, once, and by whom.

use app::talk::Outgoing;
use domain::files::{Content, FileKind, GRID, LOOSE_LIFETIME, Look, MAX_LOOSE, MediaType, StoredFile};
use domain::ids::{FileId, IdSource, OrderId};
use domain::order_log::{FileReference, Hash, LogEntry};
use domain::refusal::Refusal;
use domain::talk::{MAX_BYTES_OF_PARTY, MAX_FILES_OF_PARTY};
use testkit::Ids;
use testkit::market::{Market, Trader};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::Stage;
use crate::talk::{message, refused, sends};

/// Stores a file of a trader that is not attached to anything. Its hash is that of no other file.
async fn uploads(who: &Trader, kind: FileKind) -> FileId {
    match kind {
        FileKind::Image => picture(who, &[0; GRID * GRID]).await,
        FileKind::Video => stores(who, MediaType::Mp4, Content::Video { milliseconds: 1_000 }).await,
    }
}

/// Stores a picture of a trader that is not attached to anything.
pub(crate) async fn picture(who: &Trader, grid: &[u8; GRID * GRID]) -> FileId {
    stores(who, MediaType::Png, Content::Image { width: 1, height: 1, look: Look::of(grid) }).await
}

async fn stores(who: &Trader, media: MediaType, content: Content) -> FileId {
    let (id, object) = (Ids.fresh(testkit::noon()), Ids.fresh(testkit::noon()));
    let (mut tx, now) = who.market.context.begin().await.unwrap();
    let file = StoredFile {
        id: FileId(id),
        owner: who.id(),
        object,
        media,
        bytes: 1,
        content,
        sha256: hash_of(FileId(id)).0,
        created_at: now,
        attached: None,
        used_before: false,
    };
    store::files::insert_loose_object(&mut tx, object, now).await.unwrap();
    assert!(store::files::insert(&mut tx, &file).await.unwrap());
    tx.commit().await.unwrap();
    file.id
}

fn hash_of(file: FileId) -> Hash {
    let mut bytes = [7; 32];
    bytes[..16].copy_from_slice(file.0.as_bytes());
    Hash(bytes)
}

fn with(text: &str, files: &[FileId]) -> Outgoing {
    Outgoing { files: files.to_vec(), ..message(text) }
}

fn references(files: &[FileId]) -> Vec<FileReference> {
    files.iter().map(|id| FileReference { id: *id, sha256: hash_of(*id) }).collect()
}

/// Returns the number of files that are attached to the messages of an order.
async fn attached(market: &Market, order: OrderId) -> i64 {
    let query = format!("select count(*) from files where purpose = 'message' and order_id = '{order}'");
    market.count(&query).await
}

#[tokio::test]
async fn a_message_carries_its_files_in_their_order_with_their_hashes() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let (first, second) = (uploads(&stage.ben, FileKind::Image).await, uploads(&stage.ben, FileKind::Image).await);
    let video = uploads(&stage.ben, FileKind::Video).await;
    let files = [second, video, first];
    let entry = sends(&stage.ben, "key", order, &with("see", &files)).await.unwrap();
    assert_eq!(entry.content.files(), references(&files));
    // A message may consist of files alone, and the other party may send some, too.
    let own = uploads(&stage.anna, FileKind::Image).await;
    let entry = sends(&stage.anna, "key", order, &with(" ", &[own])).await.unwrap();
    assert_eq!(entry.content.files(), references(&[own]));
    assert_eq!(attached(&stage.market, order).await, 4);
    assert_eq!(stage.market.count("select count(*) from files where loose_since is not null").await, 0);
    let log = stage.market.log(order).await;
    assert_eq!(log[2].content.files(), references(&files));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_cannot_be_attached_is_refused_and_nothing_is_sent() {
    let stage = Stage::set().await;
    let (order, other) = (stage.accepted("4").await, stage.accepted("2").await);
    let own = uploads(&stage.ben, FileKind::Image).await;
    let foreign = uploads(&stage.anna, FileKind::Image).await;
    let (video, another) = (uploads(&stage.ben, FileKind::Video).await, uploads(&stage.ben, FileKind::Video).await);
    let used = uploads(&stage.ben, FileKind::Image).await;
    sends(&stage.ben, "the first use", other, &with("see", &[used])).await.unwrap();
    for (files, reason) in [
        (vec![FileId(Uuid::nil())], "no such file"),
        (vec![own, foreign], "no such file"),
        (vec![own, used], "already used"),
        (vec![own, own], "the same file twice"),
        (vec![video, own, another], "too many videos"),
        (vec![own; 6], "too many"),
    ] {
        let result = sends(&stage.ben, "key", order, &with("see", &files)).await;
        assert_eq!(refused(result), Refusal::Invalid { field: "files", reason }, "{files:?}");
    }
    assert_eq!((stage.market.log(order).await.len(), attached(&stage.market, order).await), (2, 0));
    // The sender decides about a warning before anything is attached.
    let flagged = with("add me on Telegram", &[own]);
    assert!(matches!(refused(sends(&stage.ben, "key", order, &flagged).await), Refusal::MessageFlagged { .. }));
    assert_eq!(attached(&stage.market, order).await, 0);
    // The refusals did not use the file up.
    sends(&stage.ben, "key", order, &with("see", &[own])).await.unwrap();
    assert_eq!(attached(&stage.market, order).await, 1);
}

#[tokio::test]
async fn a_party_attaches_a_limited_number_and_size_of_files_to_the_messages_about_an_order() {
    let stage = Stage::set().await;
    let (order, other) = (stage.accepted("4").await, stage.accepted("2").await);
    let full = Refusal::UploadFailed { reason: "conversation full" };
    let first = uploads(&stage.ben, FileKind::Image).await;
    sends(&stage.ben, "first", order, &with("see", &[first])).await.unwrap();
    let more = MAX_FILES_OF_PARTY - 2;
    let copies = format!(
        "insert into files (id, owner, object, media_type, bytes, width, height, look, grid, sha256, created_at, purpose, order_id,
                            attached_at)
         select gen_random_uuid(), owner, gen_random_uuid(), media_type, bytes, width, height, look, grid, sha256, created_at,
                purpose, order_id, attached_at
         from files, generate_series(1, {more}) where id = '{first}'"
    );
    stage.market.sql(&copies).await;
    let (one, two) = (uploads(&stage.ben, FileKind::Image).await, uploads(&stage.ben, FileKind::Image).await);
    assert_eq!(refused(sends(&stage.ben, "both", order, &with("see", &[one, two])).await), full);
    sends(&stage.ben, "the last one", order, &with("see", &[one])).await.unwrap();
    assert_eq!(refused(sends(&stage.ben, "another", order, &with("see", &[two])).await), full);
    // Neither the other party nor another order is affected, and words are always possible.
    let own = uploads(&stage.anna, FileKind::Image).await;
    sends(&stage.anna, "own", order, &with("see", &[own])).await.unwrap();
    sends(&stage.ben, "words", order, &message("I have paid")).await.unwrap();
    sends(&stage.ben, "elsewhere", other, &with("see", &[two])).await.unwrap();

    let bytes = MAX_BYTES_OF_PARTY - 1;
    stage.market.sql(&format!("update files set bytes = {bytes} where id = '{two}'")).await;
    let (one, two) = (uploads(&stage.ben, FileKind::Image).await, uploads(&stage.ben, FileKind::Image).await);
    sends(&stage.ben, "it fits", other, &with("see", &[one])).await.unwrap();
    assert_eq!(refused(sends(&stage.ben, "too large", other, &with("see", &[two])).await), full);
    assert_eq!(attached(&stage.market, other).await, 2);
}

#[tokio::test]
async fn a_stranger_attaches_nothing_to_an_order() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let carl = stage.market.trader().await;
    let file = uploads(&carl, FileKind::Image).await;
    assert_eq!(refused(sends(&carl, "key", order, &with("see", &[file])).await), Refusal::OrderMissing);
    assert_eq!(attached(&stage.market, order).await, 0);
}

#[tokio::test]
async fn a_file_that_was_deleted_unused_is_refused_and_an_attached_one_is_kept() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let (kept, lost) = (uploads(&stage.ben, FileKind::Image).await, uploads(&stage.ben, FileKind::Image).await);
    sends(&stage.ben, "kept", order, &with("see", &[kept])).await.unwrap();
    let (mut tx, now) = stage.market.context.begin().await.unwrap();
    let deleted = store::files::delete_loose(&mut tx, now + LOOSE_LIFETIME, MAX_LOOSE.into()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(deleted, 1);
    let missing = Refusal::Invalid { field: "files", reason: "no such file" };
    assert_eq!(refused(sends(&stage.ben, "lost", order, &with("see", &[lost])).await), missing);
    assert_eq!(attached(&stage.market, order).await, 1);
}

#[tokio::test]
async fn a_message_with_files_that_is_sent_again_is_said_once() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let files = [uploads(&stage.ben, FileKind::Image).await, uploads(&stage.ben, FileKind::Video).await];
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let ben = stage.ben.clone();
        tasks.spawn(async move { sends(&ben, "the same", order, &with("see", &files)).await.unwrap() });
    }
    let entries = tasks.join_all().await;
    assert!(entries.iter().all(|entry| *entry == entries[0]), "{entries:?}");
    assert_eq!(entries[0].content.files(), references(&files));
    assert_eq!((stage.market.log(order).await.len(), attached(&stage.market, order).await), (3, 2));
}

#[tokio::test]
async fn of_many_messages_with_one_file_one_is_sent() {
    let stage = Stage::set().await;
    let orders = [stage.accepted("4").await, stage.accepted("2").await];
    let file = uploads(&stage.ben, FileKind::Image).await;
    let mut tasks = JoinSet::new();
    for number in 0..8 {
        let (ben, order) = (stage.ben.clone(), orders[number % 2]);
        tasks.spawn(async move { sends(&ben, &format!("key {number}"), order, &with("see", &[file])).await });
    }
    let (sent, rest): (Vec<_>, Vec<_>) = tasks.join_all().await.into_iter().partition(Result::is_ok);
    let sent: Vec<LogEntry> = sent.into_iter().map(Result::unwrap).collect();
    assert_eq!((sent.len(), rest.len()), (1, 7));
    for result in rest {
        assert_eq!(refused(result), Refusal::Invalid { field: "files", reason: "already used" });
    }
    assert_eq!(attached(&stage.market, sent[0].order).await, 1);
    assert_eq!(stage.market.count("select count(*) from files where purpose = 'message'").await, 1);
    stage.market.is_sound().await;
}
