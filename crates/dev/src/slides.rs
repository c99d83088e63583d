//! `GET /slides/{id}`: where the piece of a slide check belongs, for browser tests, which cannot see.

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use store::Store;
use uuid::Uuid;

use crate::http::Failure;

/// The call.
pub(crate) fn router(store: Store) -> Router {
    Router::new().route("/slides/{id}", get(answer)).with_state(store)
}

/// Where the piece belongs, in picture pixels from the left.
#[derive(Debug, Serialize)]
struct Answer {
    x: u32,
}

async fn answer(State(store): State<Store>, Path(id): Path<Uuid>) -> Result<Json<Answer>, Failure> {
    let mut tx = store.begin().await?;
    let x = store::identity::slides::answer(&mut tx, id).await?;
    tx.rollback().await?;
    x.map(|x| Json(Answer { x })).ok_or_else(|| Failure::bad(format!("there is no slide check {id}")))
}
