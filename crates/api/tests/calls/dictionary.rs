//! The dictionary, which visitors can read and browsers keep.

use axum::body::Body;
use axum::http::Request;
use domain::orders::AppealReason;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use strum::VariantArray;
use tower::ServiceExt;

use crate::stage::Stage;

/// Returns the status, the body, and the headers about caching of a visitor's request.
async fn asks(stage: &Stage, query: &str, language: Option<&str>) -> (u16, Value, [String; 2]) {
    let mut request = Request::get(format!("/api/common/dict{query}"));
    if let Some(language) = language {
        request = request.header("language", language);
    }
    let response = stage.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let header = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    let kept = [header("cache-control"), header("vary")];
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&bytes).unwrap();
    crate::conforming::check(&axum::http::Method::GET, "/api/common/dict", status, &body);
    (status, body, kept)
}

fn name_of(body: &Value, reason: AppealReason) -> &str {
    let reasons = body["data"]["appealReasons"].as_array().unwrap();
    reasons.iter().find(|word| word["value"] == reason.into_str()).unwrap()["name"].as_str().unwrap()
}

#[tokio::test]
async fn the_dictionary_names_every_reason_in_the_requested_language() {
    let stage = Stage::empty().await;
    for (query, header, language, name) in [
        ("", Some("en_US"), "en_US", "The seller hasn’t deposited"),
        ("", None, "zh_CN", "卖家未存入托管"),
        ("?language=EN_US", None, "en_US", "The seller hasn’t deposited"),
        ("?language=ZH_TW", Some("en_US"), "zh_TW", "賣家未存入託管"),
        ("?language=KO_KR", Some("en_US"), "ko_KR", "판매자가 입금하지 않았습니다"),
        ("?language=vi-VN", Some("en_US"), "vi_VN", "Người bán chưa ký quỹ"),
    ] {
        let (status, body, kept) = asks(&stage, query, header).await;
        assert_eq!((status, &body["data"]["language"]), (200, &json!(language)), "{query} {header:?}");
        assert_eq!(name_of(&body, AppealReason::NotDeposited), name);
        assert_eq!(body["data"]["appealReasons"].as_array().unwrap().len(), AppealReason::VARIANTS.len());
        let vary = kept[1].split(',').any(|name| name.trim().eq_ignore_ascii_case("language"));
        assert_eq!((kept[0].as_str(), vary), ("public, max-age=3600", true), "{kept:?}");
    }
}

#[tokio::test]
async fn an_unknown_language_or_field_is_refused_and_not_kept() {
    let stage = Stage::empty().await;
    for (query, field) in [("?language=XX", "language"), ("?language=en", "language"), ("?lang=EN_US", "lang")] {
        let (status, body, kept) = asks(&stage, query, Some("en_US")).await;
        assert_eq!((status, &body["data"]["field"]), (400, &json!(field)), "{query}");
        assert_eq!(kept[0], "no-store");
    }
}
