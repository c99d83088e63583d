//! Controls block production: automatic, one block per second while a transaction lacks confirmations, or held, only on
//! request.
//!
//! `POST /chain` with `{"held": true}` stops automatic blocks, `{"mine": 1}` mines blocks immediately, and
//! `{"held": false}` resumes automatic blocks. While blocks are held, confirmations can be watched one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use crate::http::Failure;
use crate::rpc::Node;

/// The maximum number of blocks per request.
const MAX_BLOCKS: u32 = 1000;

/// Whether automatic blocks are held. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockProduction(Arc<AtomicBool>);

impl BlockProduction {
    pub(crate) fn held(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) fn router(block_production: BlockProduction, node: Node) -> Router {
    Router::new().route("/chain", post(change)).with_state((block_production, node))
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Wish {
    /// Whether to stop automatic blocks.
    Held(bool),
    /// Mines this many blocks immediately.
    Mine(u32),
}

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
        Wish::Mine(blocks) if blocks > MAX_BLOCKS => {
            return Err(Failure::bad(format!("at most {MAX_BLOCKS} blocks at once")));
        }
        Wish::Mine(blocks) => {
            for _ in 0..blocks {
                node.mine().await?;
            }
        }
    }
    Ok(Json(Answer { held: block_production.held(), head: node.head().await? }))
}
