//! Every call of the document that asks for a session refuses who has none. A new call is tested by being there.

use axum::body::Body;
use axum::http::Request;

use crate::world::world;

/// The calls that a stranger may make.
const OPEN: &[&str] = &[
    "get /user/secretKey",
    "get /slide",
    "post /slide/verify",
    "post /user/login",
    "post /user/register",
    "post /user/resetPassword",
    "post /user/unBindResetPassword",
    "post /user/authorizeLogin",
    "post /user/authorizeRegister",
    "get /scan/genQrCodeUrl/{id}",
    "get /scan/resetByEmail",
    "get /scan/result/{id}",
    "get /scan/callBack",
    "post /email/send",
    "post /email/verify",
    "get /email/check/{code}",
    "get /common/country/all",
    "get /common/coin",
    "get /common/credit/setting",
    "get /c2c/coin/config",
    "get /c2c/advert/page",
    "get /c2c/advert/hall/{id}",
    "post /c2c/advert/match",
    "get /market/stats",
    "get /order/price/thread/new/page",
    // Its session comes in a cookie: tried with real sockets.
    "get /fiat/{address}",
];

#[tokio::test]
async fn a_stranger_is_refused_everywhere_else() {
    let world = world().await;
    let mut refused = 0;
    for (path, item) in world.document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = format!("{method} {path}");
            let asks = operation["security"].as_array().is_some_and(|list| !list.is_empty());
            assert_eq!(asks, !OPEN.contains(&name.as_str()), "{name}: open to strangers or not?");
            if !asks {
                continue;
            }
            let uri = format!("/api{}", path.replace("{id}", &uuid::Uuid::nil().to_string()));
            for token in [None, Some("wrong"), Some("")] {
                let mut request = Request::builder()
                    .method(method.to_uppercase().as_str())
                    .uri(&uri)
                    .header("content-type", "application/json")
                    .header("idempotency-key", "0123456789");
                if let Some(token) = token {
                    request = request.header("authorization", token);
                }
                let got = world.send(request.body(Body::from("{}")).unwrap()).await;
                assert_eq!((got.status, got.code()), (401, "401"), "{name} with {token:?}");
            }
            refused += 1;
        }
    }
    assert!(refused >= 15, "{refused}");
}

#[tokio::test]
async fn every_command_needs_its_key() {
    let world = world().await;
    let somebody = world.somebody().await;
    for (path, item) in world.document["paths"].as_object().unwrap() {
        let Some(operation) = item.get("post") else { continue };
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        if !parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key") {
            continue;
        }
        let uri = format!("/api{}", path.replace("{id}", &uuid::Uuid::nil().to_string()));
        let request = Request::post(uri)
            .header("content-type", "application/json")
            .header("authorization", &somebody.token)
            .body(Body::from("{}"))
            .unwrap();
        let got = world.send(request).await;
        assert_eq!((got.status, &got.body["data"]["field"]), (400, &"Idempotency-Key".into()), "{path}");
    }
}
