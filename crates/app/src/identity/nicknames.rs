//! The looks of nicknames, which keep one from passing for another.

use domain::identity::nickname::skeleton;
use domain::ids::UserId;
use store::Store;
use store::identity::accounts;

use crate::Result;

/// How many nicknames are looked at in one transaction.
const PAGE: i64 = 500;

/// What came of [`renew_nickname_skeletons`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenewedSkeletons {
    /// How many looks were written.
    pub written: u64,
    /// Whose nickname passes for somebody else's, who had it first.
    pub alike: Vec<UserId>,
}

/// Writes the looks of all nicknames as this program sees them: of those that have none yet, and of those that look otherwise
/// since the Unicode tables are newer. Called after each migration; doing it twice does no harm.
///
/// Older accounts come first: their ids are sorted by time. Looks that are no longer right are taken away before others are
/// written, so that they stand in nobody's way.
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
