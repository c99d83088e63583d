use chrono::Duration;
use serde_json::json;

use crate::server::{Got, PASSWORD, SECURITY, Somebody, TestServer, address, server};

async fn own_code(server: &TestServer, who: &Somebody, email: &str) -> String {
    let body = json!({"email": email, "purpose": "security"});
    server.post("/email/send", Some(&who.token), &body).await.data();
    server.mail.code_for(if email.is_empty() { &who.email } else { email }).unwrap()
}

#[tokio::test]
async fn nicknames_are_alphanumeric_unique_and_changeable_once_a_week() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    for (nickname, code) in [
        ("", "999"),
        ("a b", "1038"),
        ("李雷", "1038"),
        ("adrnin7", "1030"),
        ("Official7", "1030"),
        ("客服小王", "1030"),
    ] {
        let got = server.update(&one, &json!({"nickname": nickname})).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), (code, &json!("nickname")), "{nickname}");
        if code == "1030" {
            assert_eq!(got.body["data"]["reason"], "forbidden words", "{nickname}");
        }
    }
    assert_eq!(server.update(&one, &json!({"nickname": "李雷7"})).await.data()["nickname"], "李雷7");
    assert_eq!(server.update(&two, &json!({"nickname": "李雷7"})).await.code(), "1037");
    server.update(&two, &json!({"nickname": "Ann"})).await.data();
    let soon = server.update(&one, &json!({"nickname": "ANN"})).await;
    assert_eq!((soon.code(), &soon.body["data"]["until"]), ("1031", &json!("2026-01-08T12:00:00.000Z")));
    server.advance(Duration::days(7) - Duration::seconds(1)).await;
    let one = Somebody { token: token(&server, &one).await, ..one };
    assert_eq!(server.update(&one, &json!({"nickname": "Bob"})).await.code(), "1031");
    server.advance(Duration::seconds(1)).await;
    assert_eq!(server.update(&one, &json!({"nickname": "ANN"})).await.code(), "1037");
    assert_eq!(server.update(&one, &json!({"nickname": "Bob"})).await.data()["nickname"], "Bob");
}

#[tokio::test]
async fn a_nickname_must_not_resemble_another() {
    let server = server().await;
    let (hana, other) = (server.somebody().await, server.somebody().await);
    server.update(&hana, &json!({"nickname": "HanaSeoul"})).await.data();
    for (nickname, code, reason) in [
        // In the first two, the first letter is Cyrillic.
        ("НanaSeoul", "1038", "mixed scripts"),
        ("Аdmin", "1038", "mixed scripts"),
        ("a", "1038", "length"),
        ("Hana_Seoul", "1038", "characters"),
        ("HanaSeouI", "1037", ""),
        ("hanaSeou1", "1037", ""),
        ("HANASEOUL", "1037", ""),
    ] {
        let got = server.update(&other, &json!({"nickname": nickname})).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), (code, &json!("nickname")), "{nickname}");
        assert_eq!(got.body["data"]["reason"].as_str().unwrap_or_default(), reason, "{nickname}");
    }
    // A user may change the spelling of their own nickname.
    server.advance(Duration::days(7)).await;
    let hana = Somebody { token: token(&server, &hana).await, ..hana };
    server.update(&hana, &json!({"nickname": "HANASEOUL"})).await.data();
    for (word, valid) in [("Hana", true), ("adrnin", false), ("оffiсiаl", false)] {
        let got = server.post("/common/word/valid", Some(&hana.token), &json!({"word": word})).await;
        assert_eq!(got.data()["valid"], valid, "{word}");
    }
}

#[tokio::test]
async fn existing_nicknames_get_skeletons_and_the_first_keeps_its_own() {
    let server = server().await;
    let first = server.somebody().await;
    server.advance(Duration::seconds(1)).await;
    let (second, third) = (server.somebody().await, server.somebody().await);
    // Simulates older data: the first two nicknames were accepted before the check existed, and the third has an
    // outdated skeleton.
    for (who, nickname, look) in
        [(&first, "HanaSeoul", "null"), (&second, "НanaSeoul", "null"), (&third, "Ben", "'hanaseoul'")]
    {
        let row =
            format!("update users set nickname = '{nickname}', nickname_skeleton = {look} where id = '{}'", who.id);
        server.database.execute(&row).await;
    }
    let renewed = app::identity::renew_nickname_skeletons(&server.database.store).await.unwrap();
    let second_id = domain::ids::UserId(second.id.parse().unwrap());
    assert_eq!((renewed.written, renewed.alike), (2, vec![second_id]));
    let again = app::identity::renew_nickname_skeletons(&server.database.store).await.unwrap();
    assert_eq!((again.written, again.alike), (0, vec![second_id]));
    assert_eq!(server.update(&third, &json!({"nickname": "hanaSeoul"})).await.code(), "1037");
    // A user whose nickname resembles another keeps it and can still change other fields.
    assert_eq!(server.update(&second, &json!({"remark": "hello"})).await.data()["nickname"], "НanaSeoul");
    assert_eq!(server.update(&second, &json!({"nickname": "Nadia"})).await.data()["nickname"], "Nadia");
    assert_eq!(
        app::identity::renew_nickname_skeletons(&server.database.store).await.unwrap(),
        app::identity::RenewedSkeletons::default()
    );
}

async fn token(server: &TestServer, who: &Somebody) -> String {
    server.login(&who.email, PASSWORD).await.data()["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_new_receiving_address_needs_confirmation_holds_the_account_and_ends_other_sessions() {
    let server = server().await;
    let somebody = server.somebody().await;
    let other = token(&server, &somebody).await;
    let to = json!({"receivingAddress": address(9_000), "chainType": "ERC20"});
    let unproved = server.update(&somebody, &to).await;
    assert_eq!((unproved.code(), &unproved.body["data"]["field"]), ("999", &json!("emailCode")));
    let mut proved = to.clone();
    proved["emailCode"] = json!(own_code(&server, &somebody, "").await);
    let info = server.update(&somebody, &proved).await;
    assert_eq!(info.data()["receivingAddress"].as_str().unwrap().to_lowercase(), address(9_000));
    assert_eq!(info.data()["holdUntil"], "2026-01-02T12:00:00Z");
    assert_eq!(server.get("/user/hasSecurityCode", Some(&other)).await.code(), "401");
    // The security password also confirms the change. A code can be used only once.
    server.advance(Duration::hours(24)).await;
    protect(&server, &somebody).await.data();
    let mut again = json!({"receivingAddress": address(9_001), "chainType": "ERC20"});
    again["emailCode"] = proved["emailCode"].clone();
    assert_eq!(server.update(&somebody, &again).await.code(), "1013");
    again["securityCode"] = server.seal(SECURITY).await;
    assert_eq!(server.update(&somebody, &again).await.code(), "200");
}

/// Sets the first security password.
async fn protect(server: &TestServer, somebody: &Somebody) -> Got {
    let body = json!({"newSecurityCode": server.seal(SECURITY).await, "password": server.seal(PASSWORD).await});
    server.update(somebody, &body).await
}

#[tokio::test]
async fn the_security_password_must_be_long_and_differ_from_the_login_password() {
    let server = server().await;
    let somebody = server.somebody().await;
    for (password, code) in [("", "999"), ("12345678", "USER3003"), (PASSWORD, "USER3008")] {
        let body = json!({"newSecurityCode": server.seal(password).await, "password": server.seal(PASSWORD).await});
        assert_eq!(server.update(&somebody, &body).await.code(), code, "{password}");
    }
    // A session alone is not enough, because it may be stolen.
    let alone = json!({"newSecurityCode": server.seal(SECURITY).await});
    let refused = server.update(&somebody, &alone).await;
    assert_eq!((refused.code(), &refused.body["data"]["field"]), ("400", &json!("password")));
    let guessed = json!({"newSecurityCode": server.seal(SECURITY).await, "password": server.seal("Guess-Work1").await});
    assert_eq!(server.update(&somebody, &guessed).await.code(), "1004");
    assert_eq!(server.get("/user/hasSecurityCode", Some(&somebody.token)).await.data()["has"], false);
    let first = protect(&server, &somebody).await;
    assert_eq!((&first.data()["hasSecurityPassword"], &first.data()["holdUntil"]), (&json!(true), &json!(null)));
    // Changing the security password requires the old one and holds the account.
    let unproved = json!({"newSecurityCode": server.seal("another-secret").await});
    assert_eq!(server.update(&somebody, &unproved).await.body["data"]["field"], "securityCode");
    let body = json!({
        "newSecurityCode": server.seal("another-secret").await, "securityCode": server.seal(SECURITY).await
    });
    assert_eq!(server.update(&somebody, &body).await.data()["holdUntil"], "2026-01-02T12:00:00Z");
    let methods = server.get("/user/amrExist", Some(&somebody.token)).await;
    assert_eq!(methods.data(), &json!({"exist": true, "methods": ["pwd", "swk", "pin"]}));
}

#[tokio::test]
async fn changing_the_login_password_requires_the_old_one() {
    let server = server().await;
    let somebody = server.somebody().await;
    for (old, new, code) in [
        ("Wrong-Horse7", "Fresh-Horse8", "1004"),
        (PASSWORD, PASSWORD, "1032"),
        (PASSWORD, "weak", "400"),
        (PASSWORD, "Fresh-Horse8", "200"),
    ] {
        let body = json!({"password": server.seal(old).await, "newPassword": server.seal(new).await});
        let got = server.update(&somebody, &body).await;
        assert_eq!(got.code(), code, "{old} {new}");
        if old == PASSWORD && code != "200" {
            assert_eq!(got.body["data"]["field"], "newPassword", "{new}");
        }
    }
    assert_eq!(server.login(&somebody.email, PASSWORD).await.code(), "1004");
    assert_eq!(server.login(&somebody.email, "Fresh-Horse8").await.code(), "200");
    assert_eq!(
        server.update(&somebody, &json!({"newPassword": server.seal("X").await})).await.body["data"]["field"],
        "password"
    );
}

#[tokio::test]
async fn a_new_email_address_is_confirmed_through_its_mailbox() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    let code = own_code(&server, &one, "new@example.org").await;
    let taken = json!({"email": two.email, "emailCode": code, "password": server.seal(PASSWORD).await});
    assert_eq!(server.update(&one, &taken).await.code(), "1013");
    let body = json!({"email": "new@example.org", "emailCode": code});
    let alone = server.update(&one, &body).await;
    assert_eq!((alone.code(), &alone.body["data"]["field"]), ("400", &json!("password")), "a session is not enough");
    let mut body = body;
    body["password"] = server.seal(PASSWORD).await;
    assert_eq!(server.update(&one, &body).await.data()["email"], "new@example.org");
    assert_eq!(server.login(&one.email, PASSWORD).await.code(), "1004");
    assert_eq!(server.login("new@example.org", PASSWORD).await.code(), "200");
}

#[tokio::test]
async fn a_code_allows_five_guesses() {
    let server = server().await;
    let somebody = server.somebody().await;
    let code = own_code(&server, &somebody, "").await;
    let guess = if code == "000000" { "000001" } else { "000000" };
    let body = |code: &str| json!({"receivingAddress": address(9_100), "chainType": "ERC20", "emailCode": code});
    for left in [4, 3, 2, 1, 0] {
        let got = server.update(&somebody, &body(guess)).await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("1013", &json!(left)));
    }
    assert_eq!(server.update(&somebody, &body(&code)).await.code(), "1013", "the right code comes too late");
    assert_ne!(server.info(&somebody).await["receivingAddress"], address(9_100));
}

#[tokio::test]
async fn a_repeated_change_is_made_once_and_an_empty_one_changes_nothing() {
    let server = server().await;
    let somebody = server.somebody().await;
    let body = json!({"nickname": "Ann", "remark": "I answer fast"});
    let first = server.post_as("change-once", "/user/updateInfo", Some(&somebody.token), &body).await;
    let again = server.post_as("change-once", "/user/updateInfo", Some(&somebody.token), &body).await;
    assert_eq!(first.data(), again.data());
    let other = json!({"remark": "else"});
    assert_eq!(server.post_as("change-once", "/user/updateInfo", Some(&somebody.token), &other).await.code(), "409");
    assert_eq!(server.update(&somebody, &json!({})).await.code(), "400");
    for (remark, code) in [("x".repeat(101), "400"), ("write me on T.e.l.e.g.r.a.m".into(), "1030")] {
        assert_eq!(server.update(&somebody, &json!({"remark": remark})).await.code(), code);
    }
}

#[tokio::test]
async fn only_the_owner_can_read_an_account() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    for path in ["info", "isBind"] {
        let got = server.get(&format!("/user/{path}/{}", one.id), Some(&two.token)).await;
        let missing = server.get(&format!("/user/{path}/{}", uuid::Uuid::nil()), Some(&two.token)).await;
        assert_eq!((got.status, got.code(), &got.body), (404, "1016", &missing.body));
    }
    let bound = server.get(&format!("/user/isBind/{}", one.id), Some(&one.token)).await;
    assert_eq!((&bound.data()["bound"], &bound.data()["meId"]), (&json!(true), &json!(format!("ME-{}", one.me))));
}

#[tokio::test]
async fn countries_and_word_checks_are_returned() {
    let server = server().await;
    let somebody = server.somebody().await;
    let countries = server.get("/common/country/all", None).await;
    let vietnam = countries.data().as_array().unwrap().iter().find(|country| country["abb2"] == "VN").unwrap();
    assert_eq!((&vietnam["code"], &vietnam["currency"]), (&json!("84"), &json!("VND")));
    for (word, reason) in [
        ("hello", None),
        ("official", Some("forbidden words")),
        ("I sent 15000000 VND on 2026-11-23", None),
        ("Call 0901 234 567", Some("contact information")),
    ] {
        let got = server.post("/common/word/valid", Some(&somebody.token), &json!({"word": word})).await;
        assert_eq!((&got.data()["valid"], &got.data()["reason"]), (&json!(reason.is_none()), &json!(reason)), "{word}");
    }
}

#[tokio::test]
async fn a_receiving_address_must_not_be_a_contract_of_the_product() {
    let server = server().await;
    let (somebody, other) = (server.somebody().await, server.somebody().await);
    let contracts = server.contracts().await;
    let vault = server.vault_of(&other).await;
    let low = |number: u32| format!("0x{number:040x}");
    for to in [&contracts.token, &contracts.escrow, &vault, &server.vault_of(&somebody).await, &low(1), &low(0xff)] {
        let body = json!({"receivingAddress": to, "chainType": "ERC20"});
        let got = server.update(&somebody, &body).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), ("5060", &json!("receivingAddress")), "{to}");
    }
    // The zero address belongs to no user.
    let zero = json!({"receivingAddress": low(0), "chainType": "ERC20"});
    assert_eq!(server.update(&somebody, &zero).await.code(), "1015");
}
