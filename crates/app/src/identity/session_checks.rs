//! Finds the session of each request: among the sessions that were found before, or together with those of concurrent
//! requests.

use std::collections::HashMap;
use std::sync::Arc;

use domain::ids::{SessionId, UserId};
use domain::refusal::{Refusal, RiskFlag};
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use store::identity::sessions::{self, ActiveSession};

use crate::engine::batch::Batch;
use crate::memory::feed::Change;
use crate::{Context, Lasting, Result, Stamp};

/// The number of sessions that are kept.
const MAX_SESSIONS: usize = 400_000;

type TokenHash = [u8; 32];

/// A session that was active when it was read.
#[derive(Debug, Clone, Copy)]
struct Kept {
    session: ActiveSession,
    read_after: Stamp,
}

#[derive(Clone)]
pub(super) struct SessionChecks {
    context: Context,
    batch: Arc<Batch<TokenHash, Result<Option<ActiveSession>>>>,
    kept: Arc<Cache<TokenHash, Kept>>,
}

impl SessionChecks {
    pub(super) fn new(context: Context) -> Self {
        let read = context.clone();
        let batch = Batch::new(move |hashes: Vec<TokenHash>| {
            let context = read.clone();
            async move {
                match by_tokens(&context, &hashes).await {
                    Ok(found) => hashes.iter().map(|hash| Ok(found.get(hash).copied())).collect(),
                    Err(error) => hashes.iter().map(|_| Err(error.clone())).collect(),
                }
            }
        });
        Self { context, batch: Arc::new(batch), kept: Arc::new(Cache::new(MAX_SESSIONS)) }
    }

    /// Returns the user and session of a token, which may have ended in another process up to half a second ago.
    pub(super) async fn who_recently(&self, token: &str) -> Result<(UserId, SessionId)> {
        let hash = Sha256::digest(token).into();
        if let Some(session) = self.known(&hash).await? {
            return Ok((session.user, session.id));
        }
        self.read(hash).await
    }

    /// Returns the user and session of a token.
    pub(super) async fn who(&self, token: &str) -> Result<(UserId, SessionId)> {
        self.read(Sha256::digest(token).into()).await
    }

    async fn read(&self, hash: TokenHash) -> Result<(UserId, SessionId)> {
        let read_after = self.context.stamp();
        let session = self.batch.run(hash).await??.ok_or(Refusal::SessionInvalid)?;
        if session.login_forbidden {
            return Err(Refusal::Risk(RiskFlag::Login).into());
        }
        self.kept.insert(hash, Kept { session, read_after });
        Ok((session.user, session.id))
    }

    /// Returns the session of a token if it was found before and has not ended since.
    async fn known(&self, hash: &TokenHash) -> Result<Option<ActiveSession>> {
        let Some(Kept { session, read_after }) = self.kept.get(hash) else { return Ok(None) };
        let until = Some(session.expires_at);
        let lasting = Lasting { on: vec![Change::Session(session.user)], until, deadlines: false };
        Ok(self.context.lasts(read_after, &lasting, self.context.now().await?).then_some(session))
    }
}

async fn by_tokens(context: &Context, hashes: &[TokenHash]) -> Result<HashMap<TokenHash, ActiveSession>> {
    let (mut tx, now) = context.alone().await?;
    let found = sessions::by_tokens(&mut tx, hashes, now).await?;
    Ok(found.into_iter().map(|session| (session.token_hash, session)).collect())
}
