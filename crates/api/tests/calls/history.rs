//! The ended orders of a user: what the filters show, and the file with them.

use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use testkit::market::minutes;
use tower::ServiceExt;

use crate::stage::{Caller, SECURITY, Stage, order_of, text};

const EXPORT: &str = "/c2c/deal/order/export";

impl Stage {
    /// Returns the IDs of the ended orders that a user finds.
    async fn finds(&self, who: &Caller, filters: &str) -> Vec<String> {
        let page = self.get(who, &format!("/c2c/deal/order/page?finish=true&{filters}")).await.ok();
        let records = page["records"].as_array().unwrap();
        assert_eq!(page["total"], records.len(), "{filters}");
        records.iter().map(|order| text(&order["id"])).collect()
    }

    /// Downloads the file with the ended orders of a user.
    async fn exports(&self, who: &Caller, filters: &str) -> (HeaderMap, String) {
        let request = Request::get(format!("/api{EXPORT}?{filters}")).header(header::AUTHORIZATION, &who.token);
        let response = self.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        let headers = response.headers().clone();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (headers, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// Places an order of a user on an advert, which Anna rejects ten minutes later.
    async fn rejected(&self, who: &Caller, advert: &str) -> String {
        let order = self.post(who, "/c2c/deal/order", &order_of(advert)).await.ok();
        self.market.waits(minutes(1)).await;
        let body = json!({ "version": order["version"] });
        self.post(&self.anna, &format!("/c2c/deal/order/cancel/{}", text(&order["id"])), &body).await.ok();
        self.market.waits(minutes(9)).await;
        text(&order["id"])
    }
}

fn nickname(who: &Caller) -> &str {
    who.trader.user.nickname.as_deref().unwrap()
}

#[tokio::test]
async fn ended_orders_are_found_by_person_id_time_and_coin() {
    let (stage, advert) = Box::pin(Stage::selling()).await;
    let (anna, ben, carl) = (&stage.anna, &stage.ben, &stage.carl);
    let first = stage.rejected(ben, &advert).await;
    let between = stage.market.now().await.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let second = stage.rejected(carl, &advert).await;
    let third = stage.rejected(ben, &advert).await;
    let open = text(&stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await.ok()["id"]);
    let both = [third.clone(), first.clone()];

    assert_eq!(stage.finds(anna, "").await, [third.clone(), second.clone(), first.clone()]);
    assert_eq!(stage.finds(anna, &format!("search={}", nickname(ben))).await, both);
    assert_eq!(stage.finds(anna, &format!("search=+{}+", nickname(ben).to_uppercase())).await, both);
    assert_eq!(stage.finds(ben, &format!("search={}", nickname(anna))).await, both);
    assert_eq!(stage.finds(carl, &format!("search={}", nickname(ben))).await, [""; 0]);
    assert_eq!(stage.finds(anna, "search=nobody").await, [""; 0]);

    assert_eq!(stage.finds(anna, &format!("search={first}")).await, [first.as_str()]);
    assert_eq!(stage.finds(anna, &format!("search={}", &first[..13])).await, [first.as_str()]);
    assert_eq!(stage.finds(anna, &format!("search={open}")).await, [""; 0], "an open order");
    assert_eq!(stage.finds(carl, &format!("search={first}")).await, [""; 0], "an order of others");

    assert_eq!(stage.finds(anna, &format!("to={between}")).await, [first.as_str()]);
    assert_eq!(stage.finds(anna, &format!("from={between}")).await, [third.clone(), second.clone()]);
    assert_eq!(stage.finds(anna, &format!("from={between}&search={}", nickname(ben))).await, [third.as_str()]);
    assert_eq!(stage.finds(anna, &format!("from={between}&to={between}")).await, [""; 0]);

    for (asset, found) in [("MEC", 3), ("KRW", 3), ("USDT", 0)] {
        assert_eq!(stage.finds(anna, &format!("asset={asset}")).await.len(), found, "{asset}");
        let with_ben = format!("asset={asset}&search={}", nickname(ben));
        assert_eq!(stage.finds(anna, &with_ben).await.len(), found.min(2), "{asset}");
    }
    // Each page continues the one before.
    let page = stage.get(anna, "/c2c/deal/order/page?finish=true&asset=MEC&size=2&page=2").await.ok();
    assert_eq!((page["records"][0]["id"].as_str(), page["total"].as_i64()), (Some(first.as_str()), Some(3)));
    assert_eq!(page["records"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn filters_that_mean_nothing_are_named() {
    let (stage, _) = Box::pin(Stage::selling()).await;
    let long = "x".repeat(37);
    for (filters, field) in [
        ("search=%20", "search"),
        ("search=%00", "search"),
        (&format!("search={long}"), "search"),
        ("from=yesterday", "from"),
        ("from=2026-01-01", "from"),
        ("to=1767225600", "to"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to"),
        ("asset=XXX", "asset"),
        ("asset=%00", "asset"),
    ] {
        for path in ["/c2c/deal/order/page?finish=true&", &format!("{EXPORT}?")] {
            let data = stage.get(&stage.anna, &format!("{path}{filters}")).await.refused(400, "400");
            assert_eq!(data["field"], field, "{path}{filters}");
        }
    }
    // An empty filter is none.
    assert_eq!(stage.finds(&stage.anna, "search=&from=&to=&asset=").await, [""; 0]);
    // The filters are about ended orders only.
    for which in ["", "finish=false&"] {
        let path = format!("/c2c/deal/order/page?{which}asset=MEC");
        assert_eq!(stage.get(&stage.anna, &path).await.refused(400, "400")["field"], "finish");
    }
    // Times that no ID can contain.
    for edge in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
        assert_eq!(stage.finds(&stage.anna, &format!("from={edge}")).await, [""; 0]);
        assert_eq!(stage.finds(&stage.anna, &format!("to={edge}")).await, [""; 0]);
    }
}

#[tokio::test]
async fn a_file_contains_what_the_filters_show() {
    let (mut stage, _, order) = Box::pin(Stage::accepted()).await;
    let version = stage.order(&stage.ben, &order).await["version"].clone();
    let body = json!({ "version": version, "reference": "=1+\"1\", paid" });
    stage.post(&stage.ben, &format!("/c2c/deal/order/pay/{order}"), &body).await.ok();
    let header = "\u{feff}Order ID,Placed at,Ended at,Status,Role,Coin,Quantity,Currency,Price,Total,Fee,Fee coin,\
                  Counterparty,Payment method,Payment reference,Transaction hash,NFT,Ad ID\r\n";
    let (_, open) = stage.exports(&stage.anna, "").await;
    assert_eq!(open, header, "an open order is in no file");

    stage.protects(&stage.anna).await;
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let body = json!({ "version": version, "securityCode": stage.seal(&stage.anna, SECURITY).await });
    stage.post(&stage.anna, &format!("/c2c/deal/order/confirm/{order}"), &body).await.ok();
    stage.chain.settles().await;
    for (who, role, other) in [(&stage.anna, "SELLER", &stage.ben), (&stage.ben, "BUYER", &stage.anna)] {
        let shown = stage.order(who, &order).await;
        let (headers, file) = stage.exports(who, "asset=MEC").await;
        let placed = &text(&shown["createdAt"])[..19];
        let row = file.strip_prefix(header).unwrap();
        let begins = format!("{order},{placed}Z,");
        assert!(row.starts_with(&begins), "{row}");
        let rest = format!(
            ",COMPLETED,{role},MEC,4,KRW,1000,4000,0.004,MEC,{},bankCard,\"'=1+\"\"1\"\", paid\",,,{}\r\n",
            nickname(other),
            text(&shown["advertId"]),
        );
        assert!(row.ends_with(&rest), "{row}\n{rest}");
        assert_eq!(row.lines().count(), 1);
        assert_eq!(headers[header::CONTENT_TYPE], "text/csv; charset=utf-8; header=present");
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(headers["x-more-orders"], "false");
        let name = format!("mec2c-orders-{}.csv", stage.market.now().await.format("%Y-%m-%d"));
        assert_eq!(headers[header::CONTENT_DISPOSITION], format!("attachment; filename=\"{name}\""));
        assert_eq!(stage.exports(who, "asset=USDT").await.1, header);
    }
    assert_eq!(stage.exports(&stage.carl, "").await.1, header, "a stranger");
    assert_eq!(stage.exports(&stage.carl, &format!("search={order}")).await.1, header, "a stranger");
}

#[tokio::test]
async fn strangers_get_no_file() {
    let stage = Box::pin(Stage::empty()).await;
    stage.get_as_guest(EXPORT).await.refused(401, "401");
    for (_, officer) in &stage.officers {
        let request = Request::get(format!("/api{EXPORT}")).header(header::AUTHORIZATION, officer);
        assert_eq!(stage.send(request.body(Body::empty()).unwrap()).await.refused(401, "401"), Value::Null);
    }
}
