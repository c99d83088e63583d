use chrono::Duration;
use serde_json::json;

use crate::world::world;

#[tokio::test]
async fn a_code_is_right_five_tries_and_ten_minutes_long() {
    let world = world().await;
    let code = world.code("ann@example.org", "register").await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let verify = |purpose: &str, code: &str| json!({"email": "ann@example.org", "purpose": purpose, "code": code});
    world.post("/email/verify", None, &verify("register", &code)).await.data();
    assert_eq!(world.post("/email/verify", None, &verify("reset", &code)).await.code(), "1013");
    for left in [4, 3, 2, 1] {
        let got = world.post("/email/verify", None, &verify("register", wrong)).await;
        assert_eq!((got.code(), &got.body["data"]["left"]), ("1013", &json!(left)));
    }
    world.get(&format!("/email/check/{code}?email=ann@example.org&purpose=register"), None).await.data();
    assert_eq!(world.post("/email/verify", None, &verify("register", wrong)).await.code(), "1013");
    assert_eq!(world.post("/email/verify", None, &verify("register", &code)).await.code(), "1013");
    world.advance(Duration::minutes(2)).await;
    let code = world.code("ann@example.org", "register").await;
    world.advance(Duration::minutes(10) - Duration::milliseconds(1)).await;
    world.post("/email/verify", None, &verify("register", &code)).await.data();
    world.advance(Duration::milliseconds(1)).await;
    assert_eq!(world.post("/email/verify", None, &verify("register", &code)).await.code(), "1013");
}

#[tokio::test]
async fn one_command_sends_one_letter_and_another_must_wait() {
    let world = world().await;
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": world.slide_token().await});
    let first = world.post_as("send-once", "/email/send", None, &body).await;
    assert_eq!(first.data()["resendAt"], "2026-01-01T12:01:00Z");
    let again = world.post_as("send-once", "/email/send", None, &body).await;
    assert_eq!(again.data(), first.data());
    assert_eq!(world.mail.letters().len(), 1);
    let other = json!({"email": "ann@example.org", "purpose": "register", "slideToken": world.slide_token().await});
    assert_eq!(world.post("/email/send", None, &other).await.body["data"]["retryAfter"], 60);
}

#[tokio::test]
async fn nobody_learns_whether_an_address_has_an_account() {
    let world = world().await;
    let somebody = world.somebody().await;
    let before = world.mail.letters().len();
    let mut answers = Vec::new();
    for email in ["nobody@example.org", somebody.email.as_str()] {
        let body = json!({"email": email, "purpose": "reset", "slideToken": world.slide_token().await});
        answers.push(world.post("/email/send", None, &body).await.body);
    }
    for email in ["nobody@example.org", somebody.email.as_str()] {
        let body = json!({"email": email, "purpose": "reset", "slideToken": world.slide_token().await});
        answers.push(world.post("/email/send", None, &body).await.body);
    }
    assert_eq!((&answers[0], &answers[2]), (&answers[1], &answers[3]));
    assert_eq!((&answers[0]["code"], &answers[2]["code"]), (&json!("200"), &json!("429")));
    assert_eq!(world.mail.letters().len(), before + 1);
}

#[tokio::test]
async fn a_mail_server_that_is_gone_is_said_and_one_may_try_again_at_once() {
    let world = world().await;
    world.mail.set_broken(true);
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": world.slide_token().await});
    let got = world.post("/email/send", None, &body).await;
    assert_eq!((got.status, got.code()), (503, "503"));
    world.mail.set_broken(false);
    world.code("ann@example.org", "register").await;
}

#[tokio::test]
async fn a_letter_speaks_the_readers_language() {
    let world = world().await;
    let body = json!({"email": "ann@example.org", "purpose": "register", "slideToken": world.slide_token().await});
    let request = axum::http::Request::post("/api/email/send")
        .header("language", "vi_VN")
        .header("idempotency-key", "a-letter")
        .header("content-type", "application/json")
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    world.send(request).await.data();
    assert!(world.mail.letters()[0].text.starts_with("Mã xác minh của bạn"));
}

#[tokio::test]
async fn a_slide_check_wants_its_place_its_work_and_a_hand() {
    let world = world().await;
    for (field, value) in [
        ("x", json!(130)),
        ("number", json!(51)),
        ("trail", json!([])),
        ("trail", json!([{"t": 0, "x": 0}, {"t": 100, "x": 40}, {"t": 200, "x": 80}, {"t": 300, "x": 120}])),
        ("id", json!(uuid::Uuid::nil())),
    ] {
        let mut answer = world.slide_answer().await;
        answer[field] = value;
        assert_eq!(world.post("/slide/verify", None, &answer).await.code(), "SDK1003", "{answer}");
    }
    // Three tries, then even the right answer comes too late.
    let answer = world.slide_answer().await;
    let mut wrong = answer.clone();
    wrong["x"] = json!(0);
    for _ in 0..3 {
        assert_eq!(world.post("/slide/verify", None, &wrong).await.code(), "SDK1003");
    }
    assert_eq!(world.post("/slide/verify", None, &answer).await.code(), "SDK1003");
}

#[tokio::test]
async fn without_a_session_a_letter_needs_a_slide_token() {
    let world = world().await;
    let body = json!({"email": "ann@example.org", "purpose": "register"});
    let got = world.post("/email/send", None, &body).await;
    assert_eq!((got.code(), &got.body["data"]["field"]), ("999", &json!("slideToken")));
}
