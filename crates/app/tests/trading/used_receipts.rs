//! Receipts and evidence that were used for another order before.

use app::files::{Wanted, attach, compare};
use app::talk::Outgoing;
use domain::files::{Attachment, FileKind, GRID, Purpose};
use domain::ids::{FileId, OrderId};
use domain::orders::OrderCommand;
use testkit::market::Trader;

use crate::Stage;
use crate::talk::{message, sends};
use crate::talk_files::picture;

/// A receipt of a bank: receipts of the same bank differ in a few cells, which do not change the hash.
fn receipt(number: u8) -> [u8; GRID * GRID] {
    std::array::from_fn(|cell| {
        let template = u8::try_from(cell.wrapping_mul(37) % 200).unwrap();
        if cell < usize::from(number) { template.wrapping_add(20) } else { template }
    })
}

/// The picture as another program has encoded it.
fn encoded_anew(picture: &[u8; GRID * GRID]) -> [u8; GRID * GRID] {
    picture.map(|cell| cell.wrapping_add(2))
}

/// Attaches a picture, and compares it with earlier ones.
async fn shows(who: &Trader, order: OrderId, purpose: Purpose, grid: &[u8; GRID * GRID]) -> FileId {
    let file = picture(who, grid).await;
    attaches(who, order, purpose, file).await;
    assert_eq!(compare(&who.market.context).await.unwrap(), 1);
    file
}

async fn attaches(who: &Trader, order: OrderId, purpose: Purpose, file: FileId) {
    let (mut tx, now) = who.market.context.begin().await.unwrap();
    let wanted = Wanted { user: who.id(), files: &[file], kind: FileKind::Image, field: "files" };
    attach(&mut tx, wanted, Attachment::Order { order, purpose }, now).await.unwrap();
    tx.commit().await.unwrap();
}

async fn was_used(stage: &Stage, file: FileId) -> bool {
    stage.market.count(&format!("select count(*) from files where used_before and id = '{file}'")).await == 1
}

/// Returns whether officers see the signal for an order.
async fn is_signalled(stage: &Stage, order: OrderId) -> bool {
    let mut tx = stage.market.database.store.begin().await.unwrap();
    !store::console::cases::with_used_proofs(&mut tx, &[order]).await.unwrap().is_empty()
}

#[tokio::test]
async fn a_copy_of_an_old_receipt_is_recognized_among_many_newer_ones() {
    let stage = Stage::set().await;
    let (first, second) = (stage.accepted("4").await, stage.accepted("2").await);
    let old = shows(&stage.ben, first, Purpose::Receipt, &receipt(0)).await;
    // Newer receipts: of each four, one shares one band of the hash and nothing else, and the others have the same hash.
    let newer = format!(
        "insert into files (id, owner, object, media_type, bytes, width, height, look, grid, sha256, created_at, purpose, order_id,
                            attached_at)
         select ('ffffffff-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, owner, gen_random_uuid(), media_type, bytes, width,
                height, case when n % 4 = 0 then look # ~(65535::bigint << (16 * (n / 4 % 4))) else look end,
                set_byte(grid, 500, 255), sha256(n::text::bytea), created_at, purpose, order_id, attached_at
         from files, generate_series(1, 1600) n where id = '{old}'"
    );
    stage.market.sql(&newer).await;
    let bands = "insert into picture_bands (place, band, file, look, is_proof)
                 select place, (look >> (16 * (3 - place))) & 65535, id, look, true
                 from files, generate_series(0, 3) place where id::text like 'ffffffff-%'";
    stage.market.sql(bands).await;

    let copy = shows(&stage.ben, second, Purpose::Receipt, &encoded_anew(&receipt(0))).await;
    let genuine = shows(&stage.ben, second, Purpose::Receipt, &receipt(9)).await;
    assert!(was_used(&stage, copy).await && !was_used(&stage, genuine).await && !was_used(&stage, old).await);
    assert!(is_signalled(&stage, second).await && !is_signalled(&stage, first).await);
}

#[tokio::test]
async fn receipts_are_compared_with_all_pictures_of_other_orders_and_evidence_with_proofs() {
    let stage = Stage::set().await;
    let (first, second) = (stage.accepted("4").await, stage.accepted("2").await);
    // The seller shows the same picture in each conversation.
    for order in [first, second] {
        shows(&stage.anna, order, Purpose::Message, &receipt(0)).await;
        assert!(!is_signalled(&stage, order).await);
    }
    let evidence = shows(&stage.anna, first, Purpose::Evidence, &receipt(0)).await;
    assert!(!was_used(&stage, evidence).await, "only shown in conversations");

    let own = shows(&stage.ben, first, Purpose::Receipt, &receipt(5)).await;
    let again = shows(&stage.ben, first, Purpose::Receipt, &encoded_anew(&receipt(5))).await;
    assert!(!was_used(&stage, own).await && !was_used(&stage, again).await, "the same order");
    assert!(!is_signalled(&stage, first).await);
    let other = shows(&stage.ben, second, Purpose::Receipt, &encoded_anew(&receipt(5))).await;
    assert!(was_used(&stage, other).await && is_signalled(&stage, second).await);
    let evidence = shows(&stage.anna, first, Purpose::Evidence, &receipt(5)).await;
    assert!(was_used(&stage, evidence).await && is_signalled(&stage, first).await);
}

#[tokio::test]
async fn a_receipt_that_was_shown_in_another_conversation_is_recognized() {
    let stage = Stage::set().await;
    let (first, second) = (stage.accepted("4").await, stage.accepted("2").await);
    shows(&stage.ben, first, Purpose::Message, &receipt(0)).await;
    let own = shows(&stage.ben, first, Purpose::Receipt, &receipt(0)).await;
    assert!(!was_used(&stage, own).await && !is_signalled(&stage, first).await);
    shows(&stage.anna, first, Purpose::Message, &receipt(5)).await;
    for picture in [receipt(5), encoded_anew(&receipt(5))] {
        let copy = shows(&stage.ben, second, Purpose::Receipt, &picture).await;
        assert!(was_used(&stage, copy).await && is_signalled(&stage, second).await);
    }
}

#[tokio::test]
async fn of_copies_that_wait_together_the_later_one_was_used_before() {
    let stage = Stage::set().await;
    let (first, second) = (stage.accepted("4").await, stage.accepted("2").await);
    let (own, copy) = (picture(&stage.ben, &receipt(0)).await, picture(&stage.ben, &receipt(0)).await);
    let same = format!("update files set sha256 = (select sha256 from files where id = '{own}') where id = '{copy}'");
    stage.market.sql(&same).await;
    // The copy has the smaller ID, but it is attached later.
    let (earlier, later) = if own < copy { (copy, own) } else { (own, copy) };
    attaches(&stage.ben, first, Purpose::Receipt, earlier).await;
    stage.market.waits(chrono::Duration::milliseconds(1)).await;
    attaches(&stage.ben, second, Purpose::Receipt, later).await;
    assert_eq!(compare(&stage.market.context).await.unwrap(), 2);
    assert!(was_used(&stage, later).await && !was_used(&stage, earlier).await);
    assert_eq!(compare(&stage.market.context).await.unwrap(), 0, "each picture is compared once");
}

#[tokio::test]
async fn the_other_party_is_told_of_a_picture_that_was_used_before() {
    let stage = Stage::set().await;
    let (first, second) = (stage.accepted("4").await, stage.accepted("2").await);
    shows(&stage.ben, first, Purpose::Receipt, &receipt(0)).await;
    let told = "PICTURE_USED_BEFORE".to_owned();
    assert!(!stage.anna.was_told().await.contains(&told));
    shows(&stage.ben, second, Purpose::Receipt, &receipt(0)).await;
    assert!(stage.anna.was_told().await.contains(&told));
    assert!(!stage.ben.was_told().await.contains(&told), "the owner does not learn it");
}

/// While pictures are compared, however long that takes, commands with pictures are executed.
#[tokio::test]
async fn no_command_waits_for_a_comparison() {
    let stage = Stage::set().await;
    let order = stage.accepted("4").await;
    let mut comparing = stage.market.database.store.begin().await.unwrap();
    assert!(store::pictures::lock(&mut comparing).await.unwrap());
    let receipts = vec![picture(&stage.ben, &receipt(0)).await];
    let paid = OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts };
    stage.ben.does(order, paid).await.unwrap();
    let message = Outgoing { files: vec![picture(&stage.ben, &receipt(1)).await], ..message("the receipt") };
    sends(&stage.ben, "a key", order, &message).await.unwrap();
    assert_eq!(compare(&stage.market.context).await.unwrap(), 0, "another process compares");
    comparing.rollback().await.unwrap();
    assert_eq!(compare(&stage.market.context).await.unwrap(), 2);
}
