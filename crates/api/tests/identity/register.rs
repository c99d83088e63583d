use serde_json::json;

use crate::server::{PASSWORD, address, server};

#[tokio::test]
async fn registration_logs_the_user_in() {
    let server = server().await;
    let somebody = server.somebody().await;
    let info = server.info(&somebody).await;
    insta::assert_json_snapshot!(info, { ".id" => "[id]", ".boundAddress" => "[bound]", ".receivingAddress" => "[receiving]" }, @r#"
    {
      "automaticReply": null,
      "boundAddress": "[bound]",
      "certified": false,
      "chainType": "ERC20",
      "countryCode": "VN",
      "custodyAddress": "0xAAAAAAaaaAaaaAAAaAAAaAaA0000000000000001",
      "email": "person1@example.org",
      "fast": false,
      "hasSecurityPassword": false,
      "holdUntil": null,
      "id": "[id]",
      "kycLevel": "basic",
      "nickname": null,
      "nicknameChangeableAt": null,
      "nicknameRefusal": null,
      "nicknameUnderReview": false,
      "offlineCause": null,
      "online": false,
      "publicNickname": null,
      "receivingAddress": "[receiving]",
      "regionId": "VN",
      "remark": null,
      "reputation": 100,
      "serverTime": "2026-01-01T12:00:00Z",
      "stats": {
        "acceptanceRate": null,
        "averageConfirmSeconds": null,
        "completionRate": null,
        "confirmations": 0,
        "lateConfirmations": 0,
        "orders30d": 0
      },
      "temporaryBalance": [],
      "verified": false,
      "volume30d": []
    }
    "#);
    assert_eq!(info["boundAddress"].as_str().unwrap().to_lowercase(), address(somebody.me));
    assert_eq!(info["id"], somebody.id);
}

#[tokio::test]
async fn two_users_have_different_vaults() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    let vault = |info: serde_json::Value| info["custodyAddress"].as_str().unwrap().to_owned();
    assert_ne!(vault(server.info(&one).await), vault(server.info(&two).await));
}

#[tokio::test]
async fn a_repeated_registration_opens_one_account_and_one_session() {
    let server = server().await;
    let body = server.register_body(7, "ann@example.org").await;
    let first = server.post_as("one-and-only", "/user/register", None, &body).await;
    let second = server.post_as("one-and-only", "/user/register", None, &body).await;
    assert_eq!(first.data(), second.data());
    let token = first.data()["token"].as_str().unwrap();
    let sessions = server.get("/user/session/list", Some(token)).await;
    assert_eq!(sessions.data().as_array().unwrap().len(), 1);
    let mut other = body.clone();
    other["termsAccepted"] = json!(false);
    assert_eq!(server.post_as("one-and-only", "/user/register", None, &other).await.code(), "409");
}

#[tokio::test]
async fn every_invalid_field_has_its_code_and_opens_no_account() {
    let server = server().await;
    let body = server.register_body(7, "ann@example.org").await;
    let wrong = |field: &str, value: serde_json::Value| {
        let mut body = body.clone();
        body[field] = value;
        body
    };
    for (body, code, field) in [
        (wrong("email", json!("ann@")), "400", Some("email")),
        (wrong("email", json!(" ")), "999", Some("email")),
        (wrong("termsAccepted", json!(false)), "400", Some("termsAccepted")),
        (wrong("chainType", json!("BEP2")), "400", Some("chainType")),
        (wrong("chainType", json!("TRC20")), "1015", None),
        (wrong("receivingAddress", json!("0x12")), "1015", None),
        (wrong("ticket", json!("nonsense")), "1010", None),
        (wrong("ticket", json!("")), "999", Some("ticket")),
        (wrong("emailCode", json!("12345")), "USER4000", None),
        (wrong("emailCode", json!("")), "999", Some("emailCode")),
        (wrong("password", json!({"keyId": uuid::Uuid::nil(), "cipher": "AA=="})), "1019", None),
        (wrong("password", server.seal("short").await), "400", Some("password")),
        (wrong("more", json!(1)), "400", Some("more")),
    ] {
        let mut body = body;
        // Requests that were refused after the password was decrypted have used its nonce.
        if code == "USER4000" || field == Some("emailCode") {
            body["password"] = server.seal(PASSWORD).await;
        }
        let got = server.post("/user/register", None, &body).await;
        assert_eq!(got.code(), code, "{body}");
        if let Some(field) = field {
            assert_eq!(got.body["data"]["field"], field);
        }
    }
    let mut good = body.clone();
    good["password"] = server.seal(PASSWORD).await;
    assert_eq!(server.post("/user/register", None, &good).await.code(), "200");
}

#[tokio::test]
async fn identity_and_addresses_of_other_users_are_refused() {
    let server = server().await;
    let first = server.somebody().await;
    // A person who already has an account is logged in instead.
    let (secret, challenge) = server.challenge("register").await;
    server.approve(&server.claims(first.me, &challenge).await).await.data();
    let got = server.get(&format!("/scan/result/{secret}"), None).await;
    assert_eq!((got.data()["registered"].as_bool(), &got.data()["session"]["userId"]), (Some(true), &json!(first.id)));
    // Another person cannot register with the same bound or receiving address.
    for (field, code) in [("address", "1008"), ("receiving", "1033")] {
        let me = server.number();
        let email = format!("other{me}@example.org");
        let mut body = server.register_body(me, &email).await;
        if field == "address" {
            let (secret, challenge) = server.challenge("register").await;
            let mut claims = server.claims(me, &challenge).await;
            claims["address"] = json!(address(first.me));
            server.approve(&claims).await.data();
            body["ticket"] = json!(secret);
        } else {
            body["receivingAddress"] = json!(address(first.me + 1_000_000));
        }
        assert_eq!(server.post("/user/register", None, &body).await.code(), code, "{field}");
    }
}

#[tokio::test]
async fn a_ticket_opens_one_account() {
    let server = server().await;
    let body = server.register_body(7, "ann@example.org").await;
    server.post("/user/register", None, &body).await.data();
    let mut second = body.clone();
    second["email"] = json!("bob@example.org");
    second["emailCode"] = json!(server.code("bob@example.org", "register").await);
    second["emailCodeId"] = json!(server.code_id("bob@example.org", "register"));
    second["password"] = server.seal(PASSWORD).await;
    assert_eq!(server.post("/user/register", None, &second).await.code(), "803");
}

#[tokio::test]
async fn twenty_concurrent_registrations_of_one_person_open_one_account() {
    let server = server().await;
    let body = server.register_body(7, "ann@example.org").await;
    let attempts = (0..20).map(|_| server.post_as("the-same-key", "/user/register", None, &body));
    let answers = futures::future::join_all(attempts).await;
    let opened: std::collections::BTreeSet<_> =
        answers.iter().filter(|got| got.code() == "200").map(|got| got.data()["token"].to_string()).collect();
    assert_eq!(opened.len(), 1);
    for got in &answers {
        assert_eq!(got.code(), "200", "{}", got.body);
    }
}

#[tokio::test]
async fn a_contract_address_opens_no_account() {
    let server = server().await;
    let contracts = server.contracts().await;
    let mut body = server.register_body(7, "ann@example.org").await;
    body["receivingAddress"] = json!(contracts.token);
    let got = server.post("/user/register", None, &body).await;
    assert_eq!((got.code(), &got.body["data"]["field"]), ("5060", &json!("receivingAddress")));
    // The pass confirms that the user controls the bound address, but it may still be a contract's.
    for (number, bound) in (8..).zip([contracts.escrow, contracts.token, format!("0x{:040x}", 4)]) {
        let (secret, challenge) = server.challenge("register").await;
        let mut claims = server.claims(number, &challenge).await;
        claims["address"] = json!(bound);
        server.approve(&claims).await.data();
        let got = server.get(&format!("/scan/result/{secret}"), None).await;
        let mut body = server.register_body(number, &format!("ben{number}@example.org")).await;
        body["ticket"] = got.data()["ticket"].clone();
        let got = server.post("/user/register", None, &body).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), ("5060", &json!("boundAddress")), "{bound}");
    }
}
