//! `GET /slides/{id}` returns the solution of a slide check, for browser tests.

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use store::Store;
use uuid::Uuid;

use crate::http::Failure;

pub(crate) fn router(store: Store) -> Router {
    Router::new().route("/slides/{id}", get(answer)).with_state(store)
}

/// The solution, in pixels from the left edge of the picture.
#[derive(Debug, Serialize)]
struct Answer {
    x: u32,
}

async fn answer(State(store): State<Store>, Path(id): Path<Uuid>) -> Result<Json<Answer>, Failure> {
    let mut tx = store.begin().await?;
    let x = store::identity::slides::answer(&mut tx, id).await?;
    tx.rollback().await?;
    x.map(|x| Json(Answer { x })).ok_or_else(|| Failure::bad(format!("no slide check {id}")))
}
