//! Files of messages: who gets links to them, and what is refused.

use chrono::Duration;
use serde_json::{Value, json};

use crate::samples::{jpeg, mp4, png, png_of, squares};
use crate::stage::{Caller, Got, Stage, text};

impl Stage {
    async fn shows(&self, who: &Caller, order: &str, files: &[&Value]) -> Got {
        let body = json!({ "text": "see", "files": files });
        self.post(who, &format!("/user/fiat/talk/{order}"), &body).await
    }

    /// Returns the files of the last entry of a conversation.
    async fn shown(&self, who: &Caller, order: &str) -> Vec<Value> {
        let page = self.get(who, &format!("/user/fiat/talk/{order}")).await.ok();
        page["entries"].as_array().unwrap().last().unwrap()["files"].as_array().unwrap().clone()
    }
}

fn link(file: &Value) -> &str {
    file["file"]["url"].as_str().unwrap()
}

#[tokio::test]
async fn both_parties_and_nobody_else_get_links_to_the_files_of_a_message() {
    let (stage, _, order) = Stage::accepted().await;
    let picture = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let video = stage.uploads(&stage.ben, "/file/uploadFile", &mp4(1_000)).await.ok();
    let sent = stage.shows(&stage.ben, &order, &[&picture["id"], &video["id"]]).await.ok();
    for who in [&stage.ben, &stage.anna] {
        let list = stage.get(who, "/user/fiat/talk/talkList").await.ok();
        let mut all = vec![stage.shown(who, &order).await];
        all.push(list["records"][0]["last"]["files"].as_array().unwrap().clone());
        if who.name == "ben" {
            all.push(sent["files"].as_array().unwrap().clone());
        }
        for files in all {
            assert_eq!(files.iter().map(|file| &file["id"]).collect::<Vec<_>>(), [&picture["id"], &video["id"]]);
            assert_eq!((&files[0]["file"]["kind"], &files[1]["file"]["kind"]), (&json!("IMAGE"), &json!("VIDEO")));
            for file in &files {
                assert_eq!(text(&file["sha256"]).len(), 64);
                let content = stage.opens_as(who, link(file)).await;
                assert_eq!((content.status, json!(content.bytes.len())), (200, file["file"]["size"].clone()));
                assert_eq!(stage.opens_as(&stage.carl, link(file)).await.status, 403);
            }
        }
    }
    // A link of one party does not work for the other, and a stranger gets none.
    let annas = stage.shown(&stage.anna, &order).await;
    assert_eq!(stage.opens_as(&stage.ben, link(&annas[0])).await.status, 403);
    stage.get(&stage.carl, &format!("/user/fiat/talk/{order}")).await.refused(404, "5007");
    stage.shows(&stage.carl, &order, &[&picture["id"]]).await.refused(404, "5007");
    // Links expire, and the page has new ones.
    stage.market.waits(Duration::minutes(11)).await;
    assert_eq!(stage.opens_as(&stage.anna, link(&annas[0])).await.status, 403);
    assert_eq!(stage.opens_as(&stage.anna, link(&stage.shown(&stage.anna, &order).await[0])).await.status, 200);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_cannot_be_attached_is_refused_with_its_field_and_changes_nothing() {
    let (stage, _, order) = Stage::paid().await;
    let own = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let annas = stage.uploads_picture(&stage.anna, &png()).await;
    let videos = [1_000, 2_000].map(mp4);
    let first = stage.uploads(&stage.ben, "/file/uploadFile", &videos[0]).await.ok();
    let second = stage.uploads(&stage.ben, "/file/uploadFile", &videos[1]).await.ok();
    let code = stage.uploads_picture(&stage.ben, &png()).await;
    let method = json!({
        "type": "kakaoPay", "currency": "KRW",
        "fields": { "name": "Ben Lee", "account": "ben.kakao", "qrCode": code["id"] },
    });
    stage.post(&stage.ben, "/payment/method", &method).await.ok();
    let unknown = json!("00000000-0000-7000-8000-000000000000");
    let before = stage.print().await;
    for (list, reason) in [
        (vec![&unknown], "no such file"),
        (vec![&own["id"], &annas["id"]], "no such file"),
        (vec![&code["id"]], "already used"),
        (vec![&first["id"], &second["id"]], "too many videos"),
        (vec![&own["id"], &own["id"]], "the same file twice"),
        (vec![&own["id"]; 6], "too many"),
    ] {
        let data = stage.shows(&stage.ben, &order, &list).await.refused(400, "400");
        assert_eq!((&data["field"], &data["reason"]), (&json!("files"), &json!(reason)));
    }
    let attached = "select count(*) from files where order_id is not null";
    assert_eq!((stage.print().await, stage.market.count(attached).await), (before, 0));
}

#[tokio::test]
async fn a_message_with_files_sent_again_gets_the_first_response() {
    let (stage, _, order) = Stage::accepted().await;
    let file = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let body = json!({ "text": "", "files": [file["id"]] });
    let path = format!("/user/fiat/talk/{order}");
    let first = stage.post_as("the-same-key", &stage.ben, &path, &body).await.ok();
    assert_eq!(stage.post_as("the-same-key", &stage.ben, &path, &body).await.ok(), first);
    assert_eq!(stage.opens_as(&stage.ben, link(&first["files"][0])).await.status, 200);
    let data = stage.post(&stage.ben, &path, &body).await.refused(400, "400");
    assert_eq!((&data["field"], &data["reason"]), (&json!("files"), &json!("already used")));
}

#[tokio::test]
async fn a_picture_that_was_in_another_chat_is_recognized_for_its_recipient() {
    let (stage, advert, order) = Stage::accepted().await;
    let picture = png_of(squares(1, 400, 300));
    let own = stage.uploads_picture(&stage.ben, &picture).await;
    stage.shows(&stage.ben, &order, &[&own["id"]]).await.ok();
    stage.market.waits(Duration::seconds(1)).await;
    let body = json!({ "advertId": advert, "price": "1000", "quantity": "2" });
    let other = text(&stage.post(&stage.carl, "/c2c/deal/order", &body).await.ok()["id"]);
    let copy = stage.uploads_picture(&stage.carl, &picture).await;
    stage.shows(&stage.carl, &other, &[&copy["id"]]).await.ok();
    while app::files::compare(&stage.market.context).await.unwrap() > 0 {}
    let flag = async |who, order| stage.shown(who, order).await[0]["file"]["usedBefore"] == true;
    assert!(flag(&stage.anna, &other).await);
    assert!(!flag(&stage.carl, &other).await, "its sender does not learn it");
    assert!(!flag(&stage.anna, &order).await, "the first use is no reuse");
}

#[tokio::test]
async fn the_list_of_conversations_has_pages() {
    let (stage, advert, first) = Stage::accepted().await;
    let mut orders = vec![first];
    for _ in 0..2 {
        let body = json!({ "advertId": advert, "price": "1000", "quantity": "1" });
        orders.push(text(&stage.post(&stage.carl, "/c2c/deal/order", &body).await.ok()["id"]));
    }
    for order in &orders {
        stage.market.waits(Duration::seconds(1)).await;
        stage.post(&stage.anna, &format!("/user/fiat/talk/{order}"), &json!({ "text": "Hello" })).await.ok();
    }
    let page = async |who, page: u32| {
        let list = stage.get(who, &format!("/user/fiat/talk/talkList?page={page}&size=2")).await.ok();
        assert_eq!((&list["page"], &list["size"]), (&json!(page), &json!(2)));
        let ids: Vec<_> = list["records"].as_array().unwrap().iter().map(|one| text(&one["orderId"])).collect();
        (ids, list["total"].clone())
    };
    assert_eq!(page(&stage.anna, 1).await, (vec![orders[2].clone(), orders[1].clone()], json!(3)));
    assert_eq!(page(&stage.anna, 2).await, (vec![orders[0].clone()], json!(3)));
    assert_eq!(page(&stage.anna, 3).await, (vec![], json!(3)));
    assert_eq!(page(&stage.ben, 1).await, (vec![orders[0].clone()], json!(1)), "only his own");
}
