//! The baseline of `order_lives`: the usual handler, which runs BEGIN, a few statements and COMMIT for each request. It serves the
//! calls of an order's life with session, idempotency key, ledger and events, but without most checks of the product.
//!
//! It runs as a process of its own, like the product's server.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::postgres::PgPoolOptions;
use sqlx::{PgConnection, PgPool};
use tokio::net::TcpListener;
use uuid::Uuid;

/// As many as the product's server has by default.
const CONNECTIONS: u32 = 10;

pub(crate) async fn serve(database: &str, listen: SocketAddr) -> anyhow::Result<()> {
    let pool = Arc::new(PgPoolOptions::new().max_connections(CONNECTIONS).connect(database).await?);
    let listener = TcpListener::bind(listen).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let pool = Arc::clone(&pool);
        let service = service_fn(move |request| {
            let pool = Arc::clone(&pool);
            async move { Ok::<_, Infallible>(answer(&pool, request).await) }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(pool: &PgPool, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (status, body) = match handle(pool, request).await {
        Ok(order) => (200, json!({ "code": "200", "message": "", "data": order })),
        Err(error) => (400, json!({ "code": "400", "message": error.to_string(), "data": error.to_string() })),
    };
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
    response
}

struct Asked {
    user: i64,
    key: String,
    path: String,
    body: Value,
}

async fn handle(pool: &PgPool, request: Request<Incoming>) -> anyhow::Result<Value> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let token = header("authorization").trim_start_matches("Bearer ").to_owned();
    let (key, path) = (header("idempotency-key").to_owned(), request.uri().path().to_owned());
    if request.method() == hyper::Method::GET {
        return Ok(Value::Null);
    }
    let body = serde_json::from_slice(&request.into_body().collect().await?.to_bytes())?;
    let mut tx = pool.begin().await?;
    let user: i64 = sqlx::query_scalar("select id from users where token_hash = $1")
        .bind(Sha256::digest(&token).as_slice())
        .fetch_one(&mut *tx)
        .await?;
    let before: Option<Value> =
        sqlx::query_scalar("select response from idempotency_keys where user_id = $1 and key = $2")
            .bind(user)
            .bind(&key)
            .fetch_optional(&mut *tx)
            .await?;
    if let Some(before) = before {
        return Ok(before);
    }
    let asked = Asked { user, key, path, body };
    let order =
        if asked.path.ends_with("/order") { place(&mut tx, &asked).await? } else { act(&mut tx, &asked).await? };
    sqlx::query("insert into idempotency_keys (user_id, key, response) values ($1, $2, $3)")
        .bind(user)
        .bind(&asked.key)
        .bind(&order)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(order)
}

async fn place(tx: &mut PgConnection, asked: &Asked) -> anyhow::Result<Value> {
    let text = |name: &str| asked.body.get(name).and_then(Value::as_str).context("a member is missing");
    let advert: Uuid = text("advertId")?.parse()?;
    let quantity: i64 = text("quantity")?.parse()?;
    let (seller, price): (i64, i64) =
        sqlx::query_as("select owner, price::bigint from adverts where id = $1 for update")
            .bind(advert)
            .fetch_one(&mut *tx)
            .await?;
    if text("price")?.parse::<i64>()? != price {
        bail!("the price is {price}");
    }
    let open: i64 = sqlx::query_scalar(
        "select count(*) from orders where taker = $1 and state not in ('COMPLETED', 'CANCELLED', 'REJECTED')",
    )
    .bind(asked.user)
    .fetch_one(&mut *tx)
    .await?;
    if open >= 10 {
        bail!("too many open orders");
    }
    let id = Uuid::now_v7();
    sqlx::query("update adverts set remaining = remaining - $2 where id = $1")
        .bind(advert)
        .bind(quantity)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "insert into orders (id, advert, seller, taker, state, version, quantity, created_at)
         values ($1, $2, $3, $4, 'AWAITING_ACCEPTANCE', 1, $5, now())",
    )
    .bind(id)
    .bind(advert)
    .bind(seller)
    .bind(asked.user)
    .bind(quantity)
    .execute(&mut *tx)
    .await?;
    post(tx, &format!("order/{id}/opened"), ("advert", advert), ("order", id), quantity).await?;
    tell(tx, [seller, asked.user], id).await?;
    Ok(json!({ "id": id, "version": 1 }))
}

async fn act(tx: &mut PgConnection, asked: &Asked) -> anyhow::Result<Value> {
    let mut parts = asked.path.rsplit('/');
    let id: Uuid = parts.next().unwrap_or_default().parse()?;
    let what = parts.next().unwrap_or_default();
    let (advert, seller, taker, state, version, quantity): (Uuid, i64, i64, String, i64, i64) = sqlx::query_as(
        "select advert, seller, taker, state, version, quantity::bigint from orders where id = $1 for update",
    )
    .bind(id)
    .fetch_one(&mut *tx)
    .await?;
    if asked.body.get("version").and_then(Value::as_i64) != Some(version) {
        bail!("the version is {version}");
    }
    let next = match (what, state.as_str()) {
        ("take", "AWAITING_ACCEPTANCE") if asked.user == seller => "AWAITING_PAYMENT",
        ("pay", "AWAITING_PAYMENT") if asked.user == taker => "AWAITING_CONFIRMATION",
        ("confirm", "AWAITING_CONFIRMATION") if asked.user == seller => "RELEASING",
        ("cancel", "AWAITING_ACCEPTANCE") if asked.user == seller => "REJECTED",
        ("cancel", "AWAITING_ACCEPTANCE") if asked.user == taker => "CANCELLED",
        _ => bail!("{what} is not possible in {state}"),
    };
    sqlx::query("update orders set state = $2, version = version + 1 where id = $1")
        .bind(id)
        .bind(next)
        .execute(&mut *tx)
        .await?;
    match next {
        "RELEASING" => {
            let payout = Uuid::now_v7();
            sqlx::query("insert into payouts (id, subject, amount) values ($1, $2, $3)")
                .bind(payout)
                .bind(id)
                .bind(quantity)
                .execute(&mut *tx)
                .await?;
            post(tx, &format!("order/{id}/release"), ("order", id), ("in_flight", payout), quantity).await?;
        }
        "REJECTED" | "CANCELLED" => {
            sqlx::query("update adverts set remaining = remaining + $2 where id = $1")
                .bind(advert)
                .bind(quantity)
                .execute(&mut *tx)
                .await?;
            post(tx, &format!("order/{id}/undone"), ("order", id), ("advert", advert), quantity).await?;
        }
        _ => {}
    }
    tell(tx, [seller, taker], id).await?;
    Ok(json!({ "id": id, "version": version.saturating_add(1) }))
}

/// Moves an amount between two accounts.
async fn post(
    tx: &mut PgConnection,
    key: &str,
    from: (&str, Uuid),
    to: (&str, Uuid),
    amount: i64,
) -> anyhow::Result<()> {
    let posting = Uuid::now_v7();
    sqlx::query("insert into postings (id, key, at) values ($1, $2, now())")
        .bind(posting)
        .bind(key)
        .execute(&mut *tx)
        .await?;
    for ((kind, owner), signed) in [(from, amount.saturating_neg()), (to, amount)] {
        let account: i64 = sqlx::query_scalar(
            "insert into accounts (kind, owner, balance) values ($1, $2, $3)
             on conflict (kind, owner) do update set balance = accounts.balance + $3 returning id",
        )
        .bind(kind)
        .bind(owner)
        // The check of a new row precedes the conflict, so a withdrawal must not be inserted as it is.
        .bind(signed.max(0))
        .fetch_one(&mut *tx)
        .await?;
        if signed < 0 {
            sqlx::query("update accounts set balance = balance + $2 where id = $1")
                .bind(account)
                .bind(signed)
                .execute(&mut *tx)
                .await?;
        }
        sqlx::query("insert into entries (posting, account, amount) values ($1, $2, $3)")
            .bind(posting)
            .bind(account)
            .bind(signed)
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// Writes an event for each of two users, who are locked in the order of their IDs.
async fn tell(tx: &mut PgConnection, mut users: [i64; 2], order: Uuid) -> anyhow::Result<()> {
    users.sort_unstable();
    for user in users {
        let number: i64 =
            sqlx::query_scalar("update users set last_event = last_event + 1 where id = $1 returning last_event")
                .bind(user)
                .fetch_one(&mut *tx)
                .await?;
        sqlx::query("insert into events (user_id, number, body) values ($1, $2, $3)")
            .bind(user)
            .bind(number)
            .bind(json!({ "orderId": order }))
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}
