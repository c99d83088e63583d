//! Invalid input is refused with its code and, if a field is wrong, the field's name. Nothing changes.

use domain::chain::Address;
use serde_json::{Value, json};
use testkit::market::mec;

use crate::stage::{Caller, SECURITY, Stage, order_of, text};

/// Replaces one field of a body.
fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// Sends a request that must be refused without changing anything. Returns the data of the refusal.
async fn refused(stage: &Stage, who: &Caller, path: &str, body: &Value, status: u16, code: &str) -> Value {
    let before = stage.print().await;
    let got = stage.post(who, path, body).await;
    assert_eq!((got.status, &got.body["code"]), (status, &json!(code)), "{path} {body}: {}", got.body);
    assert_eq!(stage.print().await, before, "{path} {body} changed data");
    got.body["data"].clone()
}

#[tokio::test]
async fn every_invalid_field_of_an_advert_is_named() {
    let stage = Stage::empty().await;
    let good = stage.mec_for_krw();
    let account = json!(stage.anna.trader.account);
    for (field, value, status, code, names) in [
        ("side", json!("sell"), 400, "400", "side"),
        ("kind", json!("auto"), 400, "400", "kind"),
        ("kind", json!("AUTOMATIC"), 422, "5028", ""),
        ("base", json!("XXX"), 422, "5028", ""),
        ("quote", json!(""), 422, "5028", ""),
        ("price", json!(""), 400, "400", "price"),
        ("price", json!("abc"), 400, "400", "price"),
        ("price", json!("-1"), 400, "400", "price"),
        ("price", json!("0"), 400, "400", "price"),
        ("price", json!("1e3"), 400, "400", "price"),
        ("price", json!("1.123456789"), 400, "400", "price"),
        ("price", json!("9".repeat(60)), 400, "400", "price"),
        ("price", json!("1\u{0}"), 400, "400", "price"),
        ("quantity", json!("0"), 400, "400", "quantity"),
        ("quantity", json!("1.123456789"), 400, "400", "quantity"),
        ("quantity", json!(" 1"), 400, "400", "quantity"),
        ("quantity", json!("٣"), 400, "400", "quantity"),
        ("quantity", json!("9".repeat(60)), 400, "400", "quantity"),
        ("orderMin", json!("x"), 400, "400", "orderMin"),
        ("orderMin", json!("0.5"), 400, "400", "orderMin"),
        ("orderMin", json!("2000000000"), 400, "400", "orderMin"),
        ("orderMin", json!("99"), 422, "5009", ""),
        ("orderMax", json!("1,000"), 400, "400", "orderMax"),
        ("orderMax", json!("1000000001"), 422, "5009", ""),
        ("paymentMethodIds", json!([]), 409, "5026", ""),
        ("paymentMethodIds", json!(["x"]), 400, "400", "paymentMethodIds[0]"),
        ("windowMinutes", json!(4), 400, "400", "windowMinutes"),
        ("windowMinutes", json!(121), 400, "400", "windowMinutes"),
        ("windowMinutes", json!(-5), 400, "400", "windowMinutes"),
        ("windowMinutes", json!(u64::MAX), 400, "400", "windowMinutes"),
        ("remark", json!("x".repeat(101)), 400, "400", "remark"),
        ("remark", json!("a\u{0}b"), 400, "400", "remark"),
        ("remark", json!("a\nb"), 400, "400", "remark"),
        ("remark", json!("write me on T3legram"), 422, "1030", "remark"),
        ("remark", json!("anna@example.org"), 422, "1030", "remark"),
        ("remark", json!("see example.com"), 422, "1030", "remark"),
        ("remark", json!("call 010-1234-5678"), 422, "1030", "remark"),
    ] {
        let body = with(&good, field, value);
        let data = refused(&stage, &stage.anna, "/c2c/advert/create", &body, status, code).await;
        assert_eq!(data["field"].as_str().unwrap_or_default(), names, "{body}");
    }
    // The refusal includes the limit.
    let below = with(&good, "orderMin", json!("99"));
    let data = refused(&stage, &stage.anna, "/c2c/advert/create", &below, 422, "5009").await;
    assert_eq!(data, json!({ "min": "100", "max": "1000000000" }));
    // A repeated method counts once. The advert's other fields were valid.
    let twice = with(&good, "paymentMethodIds", json!([account, account]));
    let advert = stage.post(&stage.anna, "/c2c/advert/create", &twice).await.ok();
    assert_eq!(advert["methods"].as_array().unwrap().len(), 1);
    refused(&stage, &stage.anna, "/c2c/advert/create", &good, 409, "5004").await;
}

#[tokio::test]
async fn every_invalid_field_of_an_order_is_named() {
    let (stage, advert) = Stage::selling().await;
    let good = order_of(&advert);
    let nobody = json!(uuid::Uuid::nil());
    for (field, value, status, code, names) in [
        ("advertId", json!("x"), 400, "400", "advertId"),
        ("advertId", nobody.clone(), 404, "5000", ""),
        ("price", json!("x"), 400, "400", "price"),
        ("price", json!("0"), 400, "400", "price"),
        ("fee", json!("x"), 400, "400", "fee"),
        ("fee", json!("-1"), 400, "400", "fee"),
        ("fee", json!("0.0000000000000000001"), 400, "400", "fee"),
        ("quantity", json!("0"), 400, "400", "quantity"),
        ("quantity", json!("-4"), 400, "400", "quantity"),
        ("quantity", json!("0.000000001"), 400, "400", "quantity"),
        ("quantity", json!("9".repeat(60)), 400, "400", "quantity"),
        ("quantity", Value::Null, 400, "400", "quantity"),
        ("total", json!("4000"), 400, "400", "quantity"),
        ("paymentMethodId", json!("x"), 400, "400", "paymentMethodId"),
        ("paymentMethodId", nobody, 404, "5025", ""),
    ] {
        let body = with(&good, field, value);
        let data = refused(&stage, &stage.ben, "/c2c/deal/order", &body, status, code).await;
        assert_eq!(data["field"].as_str().unwrap_or_default(), names, "{body}");
    }
    // A refusal by a rule contains the allowed value.
    for (field, value, status, code, said) in [
        ("price", "999", 409, "5043", json!({ "price": "1000" })),
        ("quantity", "0.09", 422, "5009", json!({ "min": "100", "max": "1000000000" })),
        ("quantity", "10.00000001", 409, "5008", json!({ "left": "10" })),
    ] {
        let body = with(&good, field, json!(value));
        assert_eq!(refused(&stage, &stage.ben, "/c2c/deal/order", &body, status, code).await, said);
    }
    let total = json!({ "advertId": advert, "price": "1000", "total": "0.5" });
    assert_eq!(refused(&stage, &stage.ben, "/c2c/deal/order", &total, 400, "400").await["field"], "total");
    refused(&stage, &stage.anna, "/c2c/deal/order", &good, 409, "5020").await;
}

#[tokio::test]
async fn an_order_costs_the_fee_that_the_taker_saw() {
    let (stage, advert) = Stage::selling().await;
    let preview = async || stage.get(&stage.ben, &format!("/c2c/advert/{advert}/preview?quantity=4")).await.ok();
    let seen = preview().await;
    // An administrator doubles the fee between the page and the order.
    stage.market.sql("update pairs set fee_rate_ppm = fee_rate_ppm * 2 + 1000, fee_minimum = fee_minimum * 2").await;
    let body = with(&order_of(&advert), "fee", seen["fee"].clone());
    let said = refused(&stage, &stage.ben, "/c2c/deal/order", &body, 409, "5051").await;
    let now = preview().await;
    assert_eq!(said, json!({ "fee": now["fee"] }));
    assert_ne!(seen["fee"], now["fee"]);
    let body = with(&body, "fee", now["fee"].clone());
    let order = stage.post(&stage.ben, "/c2c/deal/order", &body).await.ok();
    assert_eq!((&order["fee"], &order["receives"]), (&now["fee"], &now["receives"]));
}

#[tokio::test]
async fn funding_from_the_balance_needs_a_valid_amount() {
    let mut stage = Stage::empty().await;
    let posted = stage.post(&stage.anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok();
    let path = format!("/c2c/advert/deposit/{}", posted["id"].as_str().unwrap());
    for wrong in ["", "x", "-1", "0", "1e3", "0.0000000000000000001", " 1", "٣", &"9".repeat(60)] {
        let body = json!({ "fromBalance": wrong });
        assert_eq!(refused(&stage, &stage.anna, &path, &body, 400, "400").await["field"], "fromBalance", "{body}");
    }
    let body = json!({ "fromBalance": 1 });
    assert_eq!(refused(&stage, &stage.anna, &path, &body, 400, "400").await["field"], "fromBalance");
    let open = refused(&stage, &stage.anna, &path, &json!({ "fromBalance": "1" }), 400, "400").await;
    assert_eq!(open["field"], "securityCode", "a session alone cannot spend the balance");
    stage.protects(&stage.anna).await;
    let wrong = json!({ "fromBalance": "1", "securityCode": stage.seal(&stage.anna, "not-the-secret").await });
    assert_eq!(stage.post(&stage.anna, &path, &wrong).await.body["code"], "USER3011");
    let body = json!({ "fromBalance": "1", "securityCode": stage.seal(&stage.anna, SECURITY).await });
    let short = stage.post(&stage.anna, &path, &body).await;
    assert_eq!(short.body["code"], "AC3001");
    let data = short.body["data"].clone();
    assert_eq!(data, json!({ "available": "0" }));
    // The excess of one advert's deposit can fund the next advert.
    let Stage { market, chain, anna, .. } = &mut stage;
    chain.brings(&anna.trader, market.mec, mec("25")).await;
    let next = stage.post(&stage.anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok();
    assert_eq!(next["deposit"]["balance"], "15");
    let path = format!("/c2c/advert/deposit/{}", next["id"].as_str().unwrap());
    let body = json!({ "fromBalance": "10", "securityCode": stage.seal(&stage.anna, SECURITY).await });
    let online = stage.post(&stage.anna, &path, &body).await.ok();
    assert_eq!((&online["state"], &online["deposit"]), (&json!("ONLINE"), &Value::Null));
}

#[tokio::test]
async fn every_invalid_field_of_a_payment_is_named() {
    let (stage, _, order) = Stage::accepted().await;
    let path = format!("/c2c/deal/order/pay/{order}");
    let good = json!({ "version": stage.order(&stage.ben, &order).await["version"], "reference": "R-1" });
    let six = json!([uuid::Uuid::nil(); 6].map(|id| id.to_string()));
    for (field, value, status, code, names) in [
        ("version", json!("1"), 400, "400", "version"),
        ("version", json!(1.5), 400, "400", "version"),
        ("methodId", json!("x"), 400, "400", "methodId"),
        ("methodId", json!(stage.ben.trader.account), 404, "5025", ""),
        ("reference", json!("x".repeat(101)), 400, "400", "reference"),
        ("reference", json!(" "), 400, "400", "reference"),
        ("reference", json!("a\u{0}b"), 400, "400", "reference"),
        ("hash", json!("x".repeat(101)), 400, "400", "hash"),
        ("hash", json!("a\u{0}b"), 400, "400", "hash"),
        ("receipts", six, 400, "400", "receipts"),
        ("receipts", json!(["x"]), 400, "400", "receipts[0]"),
    ] {
        let body = with(&good, field, value);
        let data = refused(&stage, &stage.ben, &path, &body, status, code).await;
        assert_eq!(data["field"].as_str().unwrap_or_default(), names, "{body}");
    }
    // Only the buyer can pay, and only once.
    refused(&stage, &stage.anna, &path, &good, 409, "5013").await;
    let named = with(&good, "methodId", json!(stage.anna.trader.account));
    stage.post(&stage.ben, &path, &named).await.ok();
    let later = with(&good, "version", stage.order(&stage.ben, &order).await["version"].clone());
    refused(&stage, &stage.ben, &path, &with(&later, "reference", json!("R-2")), 409, "5013").await;
}

#[tokio::test]
async fn each_call_refuses_the_wrong_party_and_the_wrong_state() {
    let (stage, _, order) = Stage::accepted().await;
    stage.protects(&stage.anna).await;
    stage.protects(&stage.ben).await;
    let seen = json!({ "version": stage.order(&stage.ben, &order).await["version"] });
    let guarded = with(&seen, "securityCode", stage.seal(&stage.anna, SECURITY).await);
    for (who, what, body, code) in [
        (&stage.ben, "take", &seen, "5012"),
        (&stage.anna, "confirm", &guarded, "5014"),
        (&stage.anna, "cancel", &seen, "5015"),
        (&stage.ben, "askCancel", &seen, "5015"),
        (&stage.ben, "agreeCancel", &seen, "5015"),
        (&stage.anna, "recover", &seen, "5046"),
        (&stage.ben, "recover", &seen, "5046"),
    ] {
        refused(&stage, who, &format!("/c2c/deal/order/{what}/{order}"), body, 409, code).await;
    }
    let guarded = with(&seen, "securityCode", stage.seal(&stage.ben, SECURITY).await);
    refused(&stage, &stage.ben, &format!("/c2c/deal/order/confirm/{order}"), &guarded, 409, "5014").await;
}

#[tokio::test]
async fn money_moves_only_with_the_security_password() {
    let (stage, _, order) = Stage::paid().await;
    let version = stage.order(&stage.anna, &order).await["version"].clone();
    let (confirm, cancel) = (format!("/c2c/deal/order/confirm/{order}"), format!("/c2c/deal/order/cancel/{order}"));
    let body =
        async |who: &Caller, secret: &str| json!({ "version": version, "securityCode": stage.seal(who, secret).await });
    for (who, path) in [(&stage.anna, &confirm), (&stage.ben, &cancel)] {
        // Neither user has a security password yet.
        refused(&stage, who, path, &body(who, SECURITY).await, 409, "5041").await;
        stage.protects(who).await;
        let data = refused(&stage, who, path, &json!({ "version": version }), 400, "400").await;
        assert_eq!(data["field"], "securityCode");
        let data = refused(&stage, who, path, &body(who, "not-the-right-one").await, 422, "USER3011").await;
        assert_eq!(data["left"], 4);
        let nonsense = json!({ "version": version, "securityCode": { "keyId": "x", "cipher": "x" } });
        let data = refused(&stage, who, path, &nonsense, 400, "400").await;
        assert_eq!(data["field"], "securityCode.keyId");
        let mut garbled = body(who, SECURITY).await;
        garbled["securityCode"]["cipher"] = json!("AAAA");
        refused(&stage, who, path, &garbled, 422, "1019").await;
        // An intercepted secret cannot be used for a second command.
        let used = body(who, "not-the-right-one").await;
        refused(&stage, who, path, &used, 422, "USER3011").await;
        refused(&stage, who, path, &used, 422, "1019").await;
    }
}

#[tokio::test]
async fn a_security_password_authorizes_one_request_only() {
    const KEY: &str = "a-recorded-key";
    let (stage, _, order) = Stage::paid().await;
    stage.protects(&stage.anna).await;
    let (confirm, version) =
        (format!("/c2c/deal/order/confirm/{order}"), &stage.order(&stage.anna, &order).await["version"]);
    // An eavesdropper records a command that was refused.
    let code = stage.seal(&stage.anna, SECURITY).await;
    let recorded = json!({ "version": version.as_i64().unwrap() - 1, "securityCode": code });
    stage.post_as(KEY, &stage.anna, &confirm, &recorded).await.refused(409, "5050");
    // Its key and ciphertext authorize no other command, even with the session.
    let before = stage.print().await;
    for (path, body) in [
        (confirm.as_str(), json!({ "version": version, "securityCode": code })),
        ("/user/updateInfo", json!({ "email": "thief@example.org", "emailCode": "123456", "securityCode": code })),
        ("/balance/extract", json!({ "asset": "MEC", "securityCode": code })),
    ] {
        let got = stage.post_as(KEY, &stage.anna, path, &body).await;
        assert_ne!(got.status, 200, "{path}");
        if path != "/user/updateInfo" {
            got.refused(422, "1019");
        }
    }
    assert_eq!(stage.print().await, before);
    // The same request may be repeated, with the same result.
    stage.post_as(KEY, &stage.anna, &confirm, &recorded).await.refused(409, "5050");
    let body = json!({ "version": version, "securityCode": stage.seal(&stage.anna, SECURITY).await });
    stage.post_as(KEY, &stage.anna, &confirm, &body).await.ok();
}

#[tokio::test]
async fn a_withdrawal_needs_a_known_asset_and_no_open_trades() {
    let (stage, _, _) = Stage::accepted().await;
    stage.protects(&stage.anna).await;
    let body = async |asset: &str, secret: &str| json!({ "asset": asset, "securityCode": stage.seal(&stage.anna, secret).await });
    for (asset, status, code) in [("MEC", 409, "5019"), ("XXX", 404, "1016"), ("KRW", 404, "1016"), ("", 404, "1016")] {
        refused(&stage, &stage.anna, "/balance/extract", &body(asset, SECURITY).await, status, code).await;
    }
    let wrong = body("MEC", "not-the-right-one").await;
    refused(&stage, &stage.anna, "/balance/extract", &wrong, 422, "USER3011").await;
}

#[tokio::test]
async fn every_invalid_query_parameter_is_named() {
    let (stage, _, order) = Stage::accepted().await;
    for (path, field) in [
        ("/c2c/advert/online", "online"),
        ("/c2c/advert/online?online=perhaps", "online"),
        ("/c2c/advert/online?online=true&unheardOf=1", "unheardOf"),
        ("/c2c/deal/order/updateRead", "id"),
        ("/c2c/deal/order/updateRead?id=x", "id"),
    ] {
        let data = refused(&stage, &stage.ben, path, &json!({}), 400, "400").await;
        assert_eq!(data["field"], field, "{path}");
    }
    for list in ["/c2c/deal/order/page", "/c2c/advert/pageByUser", "/balance/detail"] {
        for (query, field) in
            [("page=0", "page"), ("page=x", "page"), ("size=0", "size"), ("size=101", "size"), ("size=-1", "size")]
        {
            let data = stage.get(&stage.ben, &format!("{list}?{query}")).await.refused(400, "400");
            assert_eq!(data["field"], field, "{list}?{query}");
        }
    }
    for (path, field) in [
        ("/c2c/deal/order/page?finish=perhaps", "finish"),
        ("/balance/detail?type=GIFT", "type"),
        ("/c2c/deal/order/x", "id"),
        ("/c2c/advert/x", "id"),
        ("/balance/record/x", "id"),
    ] {
        let data = stage.get(&stage.ben, path).await.refused(400, "400");
        assert_eq!(data["field"], field, "{path}");
    }
    // NUL bytes, which the database cannot store, are refused before they reach it.
    for path in ["/balance/detail?asset=%00", "/c2c/advert/page?side=SELL&base=MEC&quote=KRW&methods[0]=%00&region=%00"]
    {
        let got = stage.get(&stage.ben, path).await;
        assert!(got.status < 500, "{path}: {}", got.body);
    }
    stage.order(&stage.ben, &order).await;
}

#[tokio::test]
async fn payments_to_contract_addresses_in_old_data_are_refused() {
    let stage = Stage::empty().await;
    let change = async |column: &str, who: &Caller, to: &str| {
        let id = who.trader.id();
        stage.market.sql(&format!("update users set {column} = {to} where id = '{id}'")).await;
    };
    let token = testkit::market::USDT_CONTRACT;
    let vault = stage.carl.trader.user.vault;
    let sells = json!({
        "side": "SELL", "kind": "AUTOMATIC", "base": "MEC", "quote": "USDT", "price": "2", "quantity": "10",
        "orderMin": "1", "orderMax": "1000", "paymentMethodIds": []
    });
    for (number, to) in [token, vault, Address([0; 20])].into_iter().enumerate() {
        change("receiving_address", &stage.anna, &format!("'{to}'")).await;
        let data = stage.post(&stage.anna, "/c2c/advert/create", &sells).await.refused(422, "5060");
        assert_eq!(data, json!({ "field": "receivingAddress" }), "{number}");
    }
    change("receiving_address", &stage.anna, "'0xcccccccccccccccccccccccc0000000000000001'").await;
    let bytes = |address: Address| format!("'\\x{}'", address.to_string().trim_start_matches("0x"));
    let own = stage.anna.trader.user.bound.unwrap();
    change("bound_address", &stage.anna, &bytes(vault)).await;
    let data = stage.post(&stage.anna, "/c2c/advert/create", &sells).await.refused(422, "5060");
    assert_eq!(data, json!({ "field": "boundAddress" }));
    change("bound_address", &stage.anna, &bytes(own)).await;

    // No user can order from an advert whose terms contain such an address.
    let advert = text(&stage.post(&stage.anna, "/c2c/advert/create", &sells).await.ok()["id"]);
    let mut stage = stage;
    stage.chain.brings(&stage.anna.trader, stage.market.mec, mec("10")).await;
    stage.market.sql(&format!("update adverts set receiving_address = '{token}' where id = '{advert}'")).await;
    let order = json!({ "advertId": advert, "price": "2", "quantity": "4" });
    let data = stage.post(&stage.ben, "/c2c/deal/order", &order).await.refused(422, "5060");
    assert_eq!(data, json!({ "field": "advertId" }));
    // A buyer whose bound address is such an address cannot order either.
    stage
        .market
        .sql(&format!("update users set bound_address = {} where id = '{}'", bytes(vault), stage.ben.trader.id()))
        .await;
    let data = stage.post(&stage.ben, "/c2c/deal/order", &order).await.refused(422, "5060");
    assert_eq!(data, json!({ "field": "boundAddress" }));
    assert_eq!(stage.market.count("select count(*) from orders").await, 0);
}
