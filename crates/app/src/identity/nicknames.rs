//! Nickname skeletons, which prevent nicknames that look like another.

use domain::identity::nickname::skeleton;
use domain::ids::UserId;
use store::Store;
use store::identity::accounts;

use crate::Result;

/// The number of nicknames per transaction.
const PAGE: i64 = 500;

/// The result of [`renew_nickname_skeletons`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenewedSkeletons {
    /// The number of skeletons written.
    pub written: u64,
    /// Users whose nickname looks like that of someone who had it first.
    pub alike: Vec<UserId>,
}

/// Updates the skeletons of all nicknames: of those that have none yet, and of those that changed with newer Unicode
/// tables. Called after each migration; safe to repeat.
///
/// Older accounts come first, because IDs are ordered by time. Outdated skeletons are removed before others are
/// written, so that they do not conflict.
pub async fn renew_nickname_skeletons(store: &Store) -> Result<RenewedSkeletons> {
    let mut renewed = RenewedSkeletons::default();
    for clearing in [true, false] {
        let mut last = None;
        loop {
            let mut tx = store.begin().await?;
            let page = accounts::nickname_skeletons(&mut tx, last, PAGE).await?;
            let Some((newest, _, _)) = page.last() else { break };
            last = Some(*newest);
            let stale = page.iter().map(|(user, nickname, kept)| (*user, nickname, kept, skeleton(nickname)));
            let stale: Vec<_> = stale.filter(|(_, _, kept, right)| kept.as_ref() != Some(right)).collect();
            if clearing {
                let wrong: Vec<_> =
                    stale.iter().filter(|(_, _, kept, _)| kept.is_some()).map(|(user, ..)| *user).collect();
                accounts::clear_nickname_skeletons(&mut tx, &wrong).await?;
            } else {
                for (user, nickname, _, right) in &stale {
                    if accounts::set_nickname_skeleton(&mut tx, *user, nickname, right).await? {
                        renewed.written = renewed.written.saturating_add(1);
                    } else {
                        renewed.alike.push(*user);
                    }
                }
            }
            tx.commit().await?;
        }
    }
    Ok(renewed)
}
