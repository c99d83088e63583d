//! How the chain moves: a block a second while a transaction lacks confirmations, or, held, a block at a time.
//!
//! `POST /chain` with `{"held": true}` stops the blocks that come by themselves, `{"mine": 1}` makes some at once, and
//! `{"held": false}` lets them come again: confirmations can be watched, and tested, one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::http::Failure;
use crate::rpc::Node;

/// More blocks than this at once help nobody.
const MOST: u32 = 1000;

/// Whether blocks come by themselves. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockProduction(Arc<AtomicBool>);

impl BlockProduction {
    /// Whether they do not.
    pub(crate) fn held(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The call.
pub(crate) fn router(block_production: BlockProduction, node: Node) -> Router {
    Router::new().route("/chain", post(change)).with_state((block_production, node))
}

/// What is wanted of the chain.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Wish {
    /// Whether blocks wait to be asked for.
    Held(bool),
    /// Make so many now.
    Mine(u32),
}

/// How the chain moves.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    held: bool,
    head: u64,
}

async fn change(
    State((block_production, node)): State<(BlockProduction, Node)>,
    Json(wish): Json<Wish>,
) -> Result<Json<Answer>, Failure> {
    match wish {
        Wish::Held(held) => block_production.0.store(held, Ordering::Relaxed),
        Wish::Mine(blocks) if blocks > MOST => return Err(Failure::bad(format!("at most {MOST} blocks at once"))),
        Wish::Mine(blocks) => {
            for _ in 0..blocks {
                node.mine().await?;
            }
        }
    }
    Ok(Json(Answer { held: block_production.held(), head: node.head().await? }))
}
