use chrono::Duration;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::server::{Got, PASSWORD, Somebody, TestServer, server};

const STRANGER: &str = "203.0.113.9";

#[tokio::test]
async fn a_code_is_valid_for_five_tries_and_ten_minutes() {
    let server = server().await;
    let code = server.code("ann@example.org", "register").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let id = server.code_id("ann@example.org", "register");
    let verify =
        |purpose: &str, code: &str| json!({"email": "ann@example.org", "purpose": purpose, "code": code, "id": id});
    server.post("/email/verify", None, &verify("register", &code)).await.data();
    assert_eq!(server.post("/email/verify", None, &verify("reset", &code)).await.code(), "1013");
    for left in [4, 3, 2, 1] {
        let got = server.post("/email/verify", None, &verify("register", wrong)).await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("1013", &json!(left)));
    }
    server.get(&format!("/email/check/{code}?email=ann@example.org&purpose=register&id={id}"), None).await.data();
    assert_eq!(server.post("/email/verify", None, &verify("register", wrong)).await.code(), "1013");
    assert_eq!(server.post("/email/verify", None, &verify("register", &code)).await.code(), "1013");
    server.advance(Duration::minutes(2)).await;
    let code = server.code("ann@example.org", "register").await;
    let id = server.code_id("ann@example.org", "register");
    let verify =
        |purpose: &str, code: &str| json!({"email": "ann@example.org", "purpose": purpose, "code": code, "id": id});
    server.advance(Duration::minutes(10) - Duration::milliseconds(1)).await;
    server.post("/email/verify", None, &verify("register", &code)).await.data();
    server.advance(Duration::milliseconds(1)).await;
    assert_eq!(server.post("/email/verify", None, &verify("register", &code)).await.code(), "1013");
}

#[tokio::test]
async fn a_command_sends_one_email_and_the_next_must_wait() {
    let server = server().await;
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": server.slide_token().await});
    let first = server.post_as("send-once", "/email/send", None, &body).await;
    assert_eq!(first.data()["resendAt"], "2026-01-01T12:01:00Z");
    let again = server.post_as("send-once", "/email/send", None, &body).await;
    assert_eq!(again.data(), first.data());
    assert_eq!(server.mail.emails().len(), 1);
    // The same key for another mailbox or purpose is another request.
    for (email, purpose) in [("bob@example.org", "register"), ("ann@example.org", "reset")] {
        let other = json!({"email": email, "purpose": purpose, "slideToken": server.slide_token().await});
        let reused = server.post_as("send-once", "/email/send", None, &other).await;
        assert_eq!((reused.status, reused.code()), (409, "409"), "{email} {purpose}");
    }
    assert_eq!(server.mail.emails().len(), 1);
    let other = json!({"email": "ann@example.org", "purpose": "register", "slideToken": server.slide_token().await});
    assert_eq!(server.post("/email/send", None, &other).await.body["data"]["retryAfter"], 60);
}

#[tokio::test]
async fn responses_do_not_reveal_whether_an_email_address_has_an_account() {
    let server = server().await;
    let somebody = server.somebody().await;
    let before = server.mail.emails().len();
    let mut answers = Vec::new();
    for _ in 0..2 {
        for email in ["nobody@example.org", somebody.email.as_str()] {
            answers.push(without_id(ask(&server, email, "reset").await));
        }
    }
    assert_eq!((&answers[0], &answers[2]), (&answers[1], &answers[3]));
    assert_eq!((&answers[0]["code"], &answers[2]["code"]), (&json!("200"), &json!("429")));
    while server.mail.emails().len() == before {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.mail.emails().len(), before + 1);
}

/// Requests a code.
async fn ask(server: &TestServer, email: &str, purpose: &str) -> Got {
    let body = json!({"email": email, "purpose": purpose, "slideToken": server.slide_token().await});
    server.post("/email/send", None, &body).await
}

/// Removes the ID, which is different in every response.
fn without_id(mut got: Got) -> Value {
    if got.code() == "200" {
        assert_eq!(got.data()["id"].as_str().unwrap().len(), 43);
        got.body["data"]["id"].take();
    }
    got.body
}

#[tokio::test]
async fn a_mail_server_that_is_down_does_not_reveal_it_either() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.advance(Duration::minutes(2)).await;
    server.mail.set_broken(true);
    for purpose in ["reset", "register"] {
        for _ in 0..2 {
            let mut answers = Vec::new();
            for email in ["nobody@example.org", somebody.email.as_str()] {
                let got = ask(&server, email, purpose).await;
                // Let the failed delivery finish, so that it does not affect the next response.
                for _ in 0..100 {
                    tokio::task::yield_now().await;
                }
                answers.push(without_id(got));
            }
            assert_eq!(answers[0], answers[1], "{purpose}");
        }
    }
}

#[tokio::test]
async fn only_the_email_says_that_an_account_exists() {
    let server = server().await;
    // The account's language is Vietnamese; the stranger's is English.
    let body = server.register_body(7, "ann@example.org").await;
    let request = axum::http::Request::post("/api/user/register")
        .header("language", "vi_VN")
        .header("idempotency-key", "a-registration")
        .header("content-type", "application/json")
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    server.send(request).await.data();
    server.advance(Duration::minutes(2)).await;
    server.come_from(STRANGER);
    let mut answers = Vec::new();
    for (me, email) in [(8, "ann@example.org"), (9, "nobody@example.org")] {
        let got = ask(&server, email, "register").await;
        let id = got.data()["id"].clone();
        let mut said = vec![without_id(got)];
        let verify = json!({"email": email, "purpose": "register", "code": "000000", "id": id});
        for _ in 0..6 {
            said.push(server.post("/email/verify", None, &verify).await.body);
        }
        let mut register = server.register_body(me, &format!("else{me}@example.org")).await;
        register["email"] = json!(email);
        register["emailCode"] = json!("000000");
        register["emailCodeId"] = id;
        said.push(server.post("/user/register", None, &register).await.body);
        answers.push(said);
    }
    assert_eq!(answers[0], answers[1]);
    let emails = server.mail.emails();
    let to_ann = emails.iter().rev().find(|message| message.to == "ann@example.org").unwrap();
    assert_eq!(to_ann.subject, "Bạn đã có tài khoản MEC2C");
    assert!(!to_ann.text.chars().any(|c| c.is_ascii_digit() && c != '2'), "no code: {}", to_ann.text);
    let to_nobody = emails.iter().rev().find(|message| message.to == "nobody@example.org").unwrap();
    assert!(to_nobody.subject.starts_with("MEC2C: Your code to create an account ("));
}

#[tokio::test]
async fn only_the_mailbox_owner_learns_that_an_address_is_registered() {
    let server = server().await;
    let first = server.register_body(7, "ann@example.org").await;
    server.come_from(STRANGER);
    let second = server.register_body(8, "ann@example.org").await;
    server.post("/user/register", None, &first).await.data();
    let mut guessed = second.clone();
    guessed["emailCode"] = json!(if second["emailCode"] == "000000" { "000001" } else { "000000" });
    assert_eq!(server.post("/user/register", None, &guessed).await.code(), "1013");
    let mut proven = second.clone();
    proven["password"] = server.seal(PASSWORD).await;
    assert_eq!(server.post("/user/register", None, &proven).await.code(), "1000");
}

#[tokio::test]
async fn a_stranger_cannot_use_up_the_tries_of_a_users_code() {
    let server = server().await;
    let code = server.code("ann@example.org", "register").await;
    let id = server.code_id("ann@example.org", "register");
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let verify =
        |code: &str, id: &str| json!({"email": "ann@example.org", "purpose": "register", "code": code, "id": id});
    server.come_from(STRANGER);
    server.code("ann@example.org", "register").await;
    let strangers = server.code_id("ann@example.org", "register");
    for _ in 0..6 {
        for id in [strangers.as_str(), "", "not-an-id"] {
            assert_eq!(server.post("/email/verify", None, &verify(wrong, id)).await.code(), "1013");
        }
    }
    // Another user who learns the code cannot use it either.
    assert_eq!(server.post("/email/verify", None, &verify(&code, &strangers)).await.code(), "1013");
    let missing = json!({"email": "ann@example.org", "purpose": "register", "code": code});
    assert_eq!(server.post("/email/verify", None, &missing).await.body["data"]["field"], "id");
    // The owner may have moved to another network meanwhile.
    server.come_from("192.0.2.77");
    server.post("/email/verify", None, &verify(&code, &id)).await.data();
}

#[tokio::test]
async fn concurrent_requests_are_counted_individually() {
    let server = server().await;
    let mut bodies = Vec::new();
    for _ in 0..12 {
        let token = server.slide_token().await;
        bodies.push(json!({"email": "ann@example.org", "purpose": "register", "slideToken": token}));
    }
    let answers = futures::future::join_all(bodies.iter().map(|body| server.post("/email/send", None, body))).await;
    assert_eq!(answers.iter().filter(|got| got.code() == "200").count(), 1);
    assert_eq!(server.mail.emails().len(), 1);
}

#[tokio::test]
async fn a_recorded_request_for_a_code_reveals_nothing() {
    let server = server().await;
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": server.slide_token().await});
    server.post_as("send-once", "/email/send", None, &body).await.data();
    server.come_from(STRANGER);
    assert_eq!(server.post_as("send-once", "/email/send", None, &body).await.code(), "SDK1003");
}

#[tokio::test]
async fn a_security_code_belongs_to_the_session_that_requested_it() {
    let server = server().await;
    let (one, two) = (server.somebody().await, server.somebody().await);
    let stranger = json!({"email": one.email, "purpose": "security", "slideToken": server.slide_token().await});
    assert_eq!(server.post("/email/send", None, &stranger).await.code(), "401");
    let send = |who: &Somebody| {
        let (token, body) = (who.token.clone(), json!({"email": one.email, "purpose": "security"}));
        let server = &server;
        async move {
            let got = server.post("/email/send", Some(&token), &body).await;
            got.data();
            server.mail.code_for(body["email"].as_str().unwrap()).unwrap()
        }
    };
    let code = send(&one).await;
    let strangers = send(&two).await;
    let wrong = ["000000", "000001", "000002"].into_iter().find(|text| *text != code && *text != strangers).unwrap();
    let verify = |code: &str| json!({"email": one.email, "purpose": "security", "code": code});
    assert_eq!(server.post("/email/verify", None, &verify(&code)).await.code(), "401");
    for _ in 0..6 {
        assert_eq!(server.post("/email/verify", Some(&two.token), &verify(wrong)).await.code(), "1013");
    }
    assert_eq!(server.post("/email/verify", Some(&two.token), &verify(&code)).await.code(), "1013");
    server.post("/email/verify", Some(&one.token), &verify(&code)).await.data();
    server.get(&format!("/email/check/{code}?purpose=security"), Some(&one.token)).await.data();
}

#[tokio::test]
async fn a_mail_server_that_is_down_is_reported_and_the_user_can_retry_immediately() {
    let server = server().await;
    server.mail.set_broken(true);
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": server.slide_token().await});
    let got = server.post("/email/send", None, &body).await;
    assert_eq!((got.status, got.code()), (503, "503"));
    server.mail.set_broken(false);
    server.code("ann@example.org", "register").await;
}

#[tokio::test]
async fn an_email_is_in_the_readers_language() {
    let server = server().await;
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": server.slide_token().await});
    let request = axum::http::Request::post("/api/email/send")
        .header("language", "vi_VN")
        .header("idempotency-key", "a-message")
        .header("content-type", "application/json")
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    server.send(request).await.data();
    assert!(server.mail.emails()[0].text.starts_with("Mã để đăng ký tài khoản của bạn\n"));
}

#[tokio::test]
async fn an_email_says_what_its_code_does() {
    let server = server().await;
    let somebody = server.somebody().await;
    server.advance(Duration::minutes(2)).await;
    server.code("ann@example.org", "register").await;
    server.code(&somebody.email, "reset").await;
    for email in ["", "new@example.org"] {
        let body = json!({"email": email, "purpose": "security"});
        server.post("/email/send", Some(&somebody.token), &body).await.data();
    }
    let emails = server.mail.emails();
    let says = |to: &str, what: &str| {
        let found =
            emails.iter().filter(|email| email.to == to && email.text.starts_with(&format!("{what}\n"))).count();
        assert_eq!(found, 1, "{to}: {what}");
    };
    says("ann@example.org", "Your code to create an account");
    says(&somebody.email, "Your code to reset your login password");
    says(&somebody.email, "Your code to change your security password or receiving address");
    says("new@example.org", "Your code to confirm your new email address");
}

#[tokio::test]
async fn a_slide_check_needs_position_work_and_a_human_trail() {
    let server = server().await;
    for (field, value) in [
        ("x", json!(130)),
        ("number", json!(51)),
        ("trail", json!([])),
        ("trail", json!([{"t": 0, "x": 0}, {"t": 100, "x": 40}, {"t": 200, "x": 80}, {"t": 300, "x": 120}])),
        ("id", json!(uuid::Uuid::nil())),
    ] {
        let mut answer = server.slide_answer().await;
        answer[field] = value;
        assert_eq!(server.post("/slide/verify", None, &answer).await.code(), "SDK1003", "{answer}");
    }
    // After three wrong answers, the right one is refused as well.
    let answer = server.slide_answer().await;
    let mut wrong = answer.clone();
    wrong["x"] = json!(0);
    for _ in 0..3 {
        assert_eq!(server.post("/slide/verify", None, &wrong).await.code(), "SDK1003");
    }
    assert_eq!(server.post("/slide/verify", None, &answer).await.code(), "SDK1003");
}

#[tokio::test]
async fn a_check_without_picture_is_solved_by_work_alone() {
    let server = server().await;
    let check = async || server.get("/slide/work", None).await.body["data"].clone();
    let solve = |check: &serde_json::Value| {
        let (salt, hash) = (check["salt"].as_str().unwrap(), check["hash"].as_str().unwrap());
        let most = u32::try_from(check["most"].as_u64().unwrap()).unwrap();
        (0..=most).find(|number| hex::encode(Sha256::digest(format!("{salt}{number}"))) == hash).unwrap()
    };
    // A check without a picture takes 16 times the work of a check with a picture, whose bound is 50 here.
    let first = check().await;
    assert_eq!(first["most"], 800);
    assert!(first.get("background").is_none());
    let number = solve(&first);
    let answer = json!({"id": first["id"], "number": number});
    let token = server.post("/slide/work/verify", None, &answer).await.body["data"]["token"].clone();
    let message = json!({"email": "ann@example.org", "purpose": "register", "slideToken": token});
    assert_eq!(server.post("/email/send", None, &message).await.code(), "200");
    // Neither the answer nor the token can be used twice.
    assert_eq!(server.post("/slide/work/verify", None, &answer).await.code(), "SDK1003");
    let other = json!({"email": "ben@example.org", "purpose": "register", "slideToken": token});
    assert_eq!(server.post("/email/send", None, &other).await.code(), "SDK1003");
    // A check with a picture needs the position as well; a check without a picture cannot be solved through the call
    // for pictures.
    let picture = server.slide_answer().await;
    let only = json!({"id": picture["id"], "number": picture["number"]});
    assert_eq!(server.post("/slide/work/verify", None, &only).await.code(), "SDK1003");
    let second = check().await;
    let mut placed = picture.clone();
    (placed["id"], placed["number"]) = (second["id"].clone(), json!(solve(&second)));
    assert_eq!(server.post("/slide/verify", None, &placed).await.code(), "SDK1003");
    // After three wrong answers, the right one is refused.
    let third = check().await;
    let right = solve(&third);
    for _ in 0..3 {
        let wrong = json!({"id": third["id"], "number": right + 1});
        assert_eq!(server.post("/slide/work/verify", None, &wrong).await.code(), "SDK1003");
    }
    let late = json!({"id": third["id"], "number": right});
    assert_eq!(server.post("/slide/work/verify", None, &late).await.code(), "SDK1003");
}

#[tokio::test]
async fn without_a_session_an_email_needs_a_slide_token() {
    let server = server().await;
    let body = json!({"email": "ann@example.org", "purpose": "register"});
    let got = server.post("/email/send", None, &body).await;
    assert_eq!((got.code(), &got.body["data"]["field"]), ("999", &json!("slideToken")));
}
