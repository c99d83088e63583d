//! Reads the past of albums: the transfers of their NFTs in the blocks before the watcher followed them.

use app::chain_ingest::backfill;
use chain::watch;

use crate::watch::caught_up;
use crate::{Next, Point, Result, Worker};

/// How many new blocks may wait. The newest one often does: the watcher reads it at the same time.
const NEW_BLOCKS: u64 = 1;

/// Reads one range of old blocks of one album, all of them final, while hardly any new block waits to be read. It then rests, however
/// much is left, so that new blocks are never delayed by more than one range. Albums take turns.
pub async fn step(worker: &Worker) -> Result<Next> {
    let unfinished = backfill::unfinished(&worker.context).await?;
    if unfinished.is_empty() {
        return Ok(Next::Rest);
    }
    let Some((_, Some(newest_final))) = caught_up(worker, NEW_BLOCKS).await? else { return Ok(Next::Rest) };
    for album in unfinished {
        let most = album.next.saturating_add(worker.settings.blocks_at_once).min(album.end).saturating_sub(1);
        let read = watch::past(worker.node.as_ref(), album.contract, album.next, most.min(newest_final)).await;
        let past = match read {
            Ok(Some(past)) => past,
            Ok(None) => continue,
            Err(error) if error.is_transient() => return Err(error.into()),
            // The node answers for others, so this album must not keep them waiting.
            Err(error) => {
                tracing::warn!(%error, album = album.album.0, from = album.next, "the node does not return old transfers");
                continue;
            }
        };
        worker.points.reached(Point::Read);
        if backfill::apply(&worker.context, &album, &past.blocks, past.last).await? {
            tracing::debug!(album = album.album.0, from = album.next, to = past.last, "indexed old transfers");
        }
        worker.points.reached(Point::Applied);
        break;
    }
    Ok(Next::Rest)
}
