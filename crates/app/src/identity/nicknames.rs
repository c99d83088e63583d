//! Updates nickname skeletons. Two nicknames that look alike have the same skeleton.

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
    /// The number of skeletons that were written.
    pub written: u64,
    /// Users whose nickname looks like the nickname of an older account.
    pub alike: Vec<UserId>,
}

/// Updates the skeletons that are missing or that newer Unicode tables change. Must be called after each migration.
/// Safe to repeat.
///
/// Older accounts come first, because IDs are ordered by time. Removes outdated skeletons before it writes new ones, so
/// that they do not conflict.
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
