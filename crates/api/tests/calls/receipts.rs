//! Receipts of payments, and the QR codes of payment methods: who sees them, and what is attached once.

use chrono::Duration;
use domain::orders::OrderCommand;
use serde_json::{Value, json};

use crate::samples::{jpeg, jpeg_of, mp4, png, png_of, squares};
use crate::stage::{Caller, SECURITY, Stage, order_of, text};

impl Stage {
    async fn marks_paid(&self, who: &Caller, order: &str, receipts: &[&Value]) -> crate::stage::Got {
        let version = self.order(who, order).await["version"].clone();
        let body = json!({ "version": version, "reference": "R-1", "receipts": receipts });
        self.post(who, &format!("/c2c/deal/order/pay/{order}"), &body).await
    }

    /// Places another order on Anna's advert, which Anna accepts.
    async fn accepted_of(&self, who: &Caller, advert: &str) -> String {
        let body = json!({ "advertId": advert, "price": "1000", "quantity": "2" });
        let order = text(&self.post(who, "/c2c/deal/order", &body).await.ok()["id"]);
        self.anna.trader.does(order.parse().unwrap(), OrderCommand::Accept).await.unwrap();
        order
    }
}

fn receipts(order: &Value) -> Vec<Value> {
    order["payment"]["receipts"].as_array().unwrap().clone()
}

#[tokio::test]
async fn receipts_are_seen_by_both_parties_and_nobody_else() {
    let (stage, _, order) = Stage::accepted().await;
    let first = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let second = stage.uploads_picture(&stage.ben, &png()).await;
    // Until it is attached, only the owner has a link.
    assert_eq!(stage.opens_as(&stage.anna, first["url"].as_str().unwrap()).await.status, 403);
    let paid = stage.marks_paid(&stage.ben, &order, &[&second["id"], &first["id"]]).await.ok();
    assert_eq!(paid["state"], "AWAITING_CONFIRMATION");
    for who in [&stage.ben, &stage.anna] {
        for seen in [
            stage.order(who, &order).await,
            stage.get(who, "/c2c/deal/order/page?finish=false").await.ok()["records"][0].clone(),
        ] {
            let shown = receipts(&seen);
            assert_eq!(shown.iter().map(|file| &file["id"]).collect::<Vec<_>>(), [&second["id"], &first["id"]]);
            for file in &shown {
                assert_eq!(stage.opens_as(who, file["url"].as_str().unwrap()).await.status, 200);
                assert_eq!(stage.opens_as(&stage.carl, file["url"].as_str().unwrap()).await.status, 403);
                assert_eq!(file["usedBefore"], false);
            }
        }
    }
    // A link of one party does not work for the other.
    let url = text(&receipts(&stage.order(&stage.anna, &order).await)[0]["url"]);
    assert_eq!(stage.opens_as(&stage.ben, &url).await.status, 403);
    // The links are renewed, although nothing else has changed.
    let link = async || {
        let page = stage.get(&stage.anna, "/c2c/deal/order/page?finish=false").await.ok();
        text(&receipts(&page["records"][0])[0]["url"])
    };
    let before = link().await;
    stage.market.waits(chrono::Duration::seconds(125)).await;
    let after = link().await;
    assert_ne!(before, after);
    assert_eq!(stage.opens_as(&stage.anna, &after).await.status, 200);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn receipts_remain_after_the_order_has_ended() {
    let (stage, _, order) = Stage::accepted().await;
    let file = stage.uploads_picture(&stage.ben, &jpeg()).await;
    stage.marks_paid(&stage.ben, &order, &[&file["id"]]).await.ok();
    stage.protects(&stage.anna).await;
    let body = json!({
        "version": stage.order(&stage.anna, &order).await["version"],
        "securityCode": stage.seal(&stage.anna, SECURITY).await,
    });
    stage.post(&stage.anna, &format!("/c2c/deal/order/confirm/{order}"), &body).await.ok();
    stage.market.waits(chrono::Duration::hours(48)).await;
    assert_eq!(receipts(&stage.order(&stage.anna, &order).await).len(), 1);
}

#[tokio::test]
async fn what_cannot_be_a_receipt_is_refused_and_changes_nothing() {
    let (stage, advert, order) = Stage::accepted().await;
    let other = stage.accepted_of(&stage.carl, &advert).await;
    let used = stage.uploads_picture(&stage.carl, &jpeg()).await;
    stage.marks_paid(&stage.carl, &other, &[&used["id"]]).await.ok();
    let own = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let annas = stage.uploads_picture(&stage.anna, &jpeg()).await;
    let video = stage.uploads(&stage.ben, "/file/uploadFile", &mp4(1_000)).await.ok();
    let unknown = json!("00000000-0000-7000-8000-000000000000");
    let before = stage.print().await;
    let attached = "select count(*) from files where attached_at is not null";
    for (list, reason) in [
        (vec![&own["id"], &unknown], "no such file"),
        (vec![&own["id"], &annas["id"]], "no such file"),
        (vec![&used["id"]], "no such file"),
        (vec![&own["id"], &video["id"]], "not a picture"),
        (vec![&own["id"], &own["id"]], "the same file twice"),
        (vec![&own["id"]; 6], "too many"),
    ] {
        let data = stage.marks_paid(&stage.ben, &order, &list).await.refused(400, "400");
        assert_eq!((&data["field"], &data["reason"]), (&json!("receipts"), &json!(reason)));
    }
    assert_eq!((stage.print().await, stage.market.count(attached).await), (before, 1));
    stage.marks_paid(&stage.ben, &order, &[&own["id"]]).await.ok();
    // A file belongs to one order.
    let next = stage.accepted_of(&stage.ben, &advert).await;
    let data = stage.marks_paid(&stage.ben, &next, &[&own["id"]]).await.refused(400, "400");
    assert_eq!(data["reason"], "already used");
    assert_eq!(stage.market.count(attached).await, 2);
}

#[tokio::test]
async fn a_file_is_attached_once_however_often_it_is_sent() {
    let (stage, advert, first) = Stage::accepted().await;
    let second = stage.accepted_of(&stage.ben, &advert).await;
    let file = stage.uploads_picture(&stage.ben, &jpeg()).await;
    let list = [&file["id"]];
    let (one, two) =
        tokio::join!(stage.marks_paid(&stage.ben, &first, &list), stage.marks_paid(&stage.ben, &second, &list));
    let mut codes = [&one, &two].map(|got| got.body["code"].as_str().unwrap().to_owned());
    codes.sort();
    assert_eq!(codes, ["200", "400"]);
    assert_eq!(stage.market.count("select count(*) from files where order_id is not null").await, 1);

    // The same command again gets the first response.
    let third = stage.accepted_of(&stage.carl, &advert).await;
    let file = stage.uploads_picture(&stage.carl, &png()).await;
    let version = stage.order(&stage.carl, &third).await["version"].clone();
    let body = json!({ "version": version, "receipts": [file["id"]] });
    for _ in 0..2 {
        let path = format!("/c2c/deal/order/pay/{third}");
        let paid = stage.post_as("the-same-key", &stage.carl, &path, &body).await.ok();
        assert_eq!(receipts(&paid).len(), 1);
    }
}

#[tokio::test]
async fn a_picture_that_was_used_before_is_reported_to_the_seller_only() {
    let (stage, advert, first) = Stage::accepted().await;
    let picture = squares(1, 400, 300);
    let genuine = stage.uploads_picture(&stage.ben, &png_of(picture.clone())).await;
    stage.marks_paid(&stage.ben, &first, &[&genuine["id"]]).await.ok();

    stage.market.waits(Duration::seconds(1)).await;
    let second = stage.accepted_of(&stage.carl, &advert).await;
    let smaller = image::imageops::resize(&picture, 300, 225, image::imageops::FilterType::Triangle);
    let copy = stage.uploads_picture(&stage.carl, &jpeg_of(&smaller, 70)).await;
    let fresh = stage.uploads_picture(&stage.carl, &png_of(squares(2, 400, 300))).await;
    stage.marks_paid(&stage.carl, &second, &[&copy["id"], &fresh["id"]]).await.ok();

    while app::files::compare(&stage.market.context).await.unwrap() > 0 {}

    let flags = |order: &Value| receipts(order).iter().map(|file| file["usedBefore"] == true).collect::<Vec<_>>();
    assert_eq!(flags(&stage.order(&stage.anna, &second).await), [true, false]);
    assert_eq!(flags(&stage.order(&stage.carl, &second).await), [false, false], "the buyer does not learn it");
    assert_eq!(flags(&stage.order(&stage.anna, &first).await), [false], "the first use is no reuse");
    let shown = stage.order(&stage.anna, &second).await.to_string();
    assert!(!shown.contains(&first) && !shown.contains(&text(&genuine["id"])), "the other order is not revealed");
}

fn kakao_pay(picture: Option<&Value>) -> Value {
    let mut fields = json!({ "name": "Anna Kim", "account": "anna.kakao" });
    if let Some(picture) = picture {
        fields["qrCode"] = picture.clone();
    }
    json!({ "type": "kakaoPay", "currency": "KRW", "fields": fields })
}

#[tokio::test]
async fn a_qr_code_is_seen_by_its_owner_and_the_buyer_of_an_open_order() {
    for kind in ["kakaoPay", "bankCard"] {
        Box::pin(the_qr_code_of_a_method_is_seen_by_two(kind)).await;
    }
}

async fn the_qr_code_of_a_method_is_seen_by_two(kind: &str) {
    let stage = Stage::empty().await;
    let code = stage.uploads_picture(&stage.anna, &png()).await;
    let mut body = kakao_pay(Some(&code["id"]));
    body["type"] = json!(kind);
    if kind == "bankCard" {
        body["fields"]["bankName"] = json!("Some Bank");
    }
    let method = stage.post(&stage.anna, "/payment/method", &body).await.ok();
    let url = text(&method["pictures"]["qrCode"]["url"]);
    assert_eq!(stage.opens_as(&stage.anna, &url).await.status, 200);
    assert_eq!(stage.opens_as(&stage.ben, &url).await.status, 403);
    // Ben has a bank card already.
    stage.post(&stage.ben, "/payment/method", &kakao_pay(None)).await.ok();

    let mut chain = stage.market.chain().await;
    let mut advert = stage.mec_for_krw();
    advert["paymentMethodIds"] = json!([method["id"]]);
    let advert = stage.post(&stage.anna, "/c2c/advert/create", &advert).await.ok();
    chain.brings(&stage.anna.trader, stage.market.mec, testkit::market::mec("10")).await;
    let order =
        text(&stage.post(&stage.ben, "/c2c/deal/order", &order_of(advert["id"].as_str().unwrap())).await.ok()["id"]);
    assert_eq!(stage.order(&stage.ben, &order).await["payTo"], Value::Null, "not before the order is accepted");
    stage.anna.trader.does(order.parse().unwrap(), OrderCommand::Accept).await.unwrap();

    let shown = stage.order(&stage.ben, &order).await;
    let picture = &shown["payTo"]["pictures"]["qrCode"];
    assert_eq!(picture["id"], code["id"]);
    assert_eq!(stage.opens_as(&stage.ben, picture["url"].as_str().unwrap()).await.status, 200);
    assert_eq!(stage.opens_as(&stage.carl, picture["url"].as_str().unwrap()).await.status, 403);
    let sellers = stage.order(&stage.anna, &order).await;
    assert_eq!(sellers["payTo"]["pictures"], json!({}));

    stage.ben.trader.does(order.parse().unwrap(), OrderCommand::Cancel).await.unwrap();
    assert_eq!(stage.order(&stage.ben, &order).await["payTo"], Value::Null);
}

#[tokio::test]
async fn a_picture_that_a_method_no_longer_has_is_released() {
    let stage = Stage::empty().await;
    let first = stage.uploads_picture(&stage.anna, &jpeg()).await;
    let second = stage.uploads_picture(&stage.anna, &png()).await;
    let method = stage.post(&stage.anna, "/payment/method", &kakao_pay(Some(&first["id"]))).await.ok();
    let path = format!("/payment/method/{}", text(&method["id"]));
    let attached = "select count(*) from files where method_id is not null";
    let loose = "select count(*) from files where loose_since is not null";
    let count = async || (stage.market.count(attached).await, stage.market.count(loose).await);
    assert_eq!(count().await, (1, 1));
    // The same picture stays.
    let same = stage.post(&stage.anna, &path, &kakao_pay(Some(&first["id"]))).await.ok();
    assert_eq!((&same["pictures"]["qrCode"]["id"], count().await), (&first["id"], (1, 1)));
    let changed = stage.post(&stage.anna, &path, &kakao_pay(Some(&second["id"]))).await.ok();
    assert_eq!((&changed["pictures"]["qrCode"]["id"], count().await), (&second["id"], (1, 1)));
    let without = stage.post(&stage.anna, &path, &kakao_pay(None)).await.ok();
    assert_eq!((&without["pictures"], count().await), (&json!({}), (0, 2)));
    stage.post(&stage.anna, &path, &kakao_pay(Some(&second["id"]))).await.ok();
    stage.post(&stage.anna, &path.replace("/method/", "/method/delete/"), &json!({})).await.ok();
    assert_eq!(count().await, (0, 2));
}

#[tokio::test]
async fn a_qr_code_must_be_an_own_unused_picture() {
    let stage = Stage::empty().await;
    let bens = stage.uploads_picture(&stage.ben, &png()).await;
    let video = stage.uploads(&stage.anna, "/file/uploadFile", &mp4(1_000)).await.ok();
    let unknown = json!("00000000-0000-7000-8000-000000000000");
    let before = stage.print().await;
    for (picture, reason) in [
        (&bens["id"], "no such file"),
        (&unknown, "no such file"),
        (&video["id"], "not a picture"),
        (&json!("../../etc/passwd"), "not the id of an uploaded picture"),
    ] {
        let data = stage.post(&stage.anna, "/payment/method", &kakao_pay(Some(picture))).await.refused(400, "400");
        assert_eq!((&data["field"], &data["reason"]), (&json!("fields.qrCode"), &json!(reason)));
    }
    assert_eq!(stage.print().await, before);
}
