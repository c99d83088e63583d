//! Administrators review several nicknames at once.

use domain::identity::IdentityRefusal;
use domain::ids::UserId;
use domain::refusal::Refusal;
use serde_json::{Value, json};
use store::console::audit::{self, Entry, Subject};
use store::console::users as rows;
use store::users;

use super::By;
use super::users::{apply, line};
use super::{Console, Decision, NicknameDecision, UserChange, record};
use crate::memory::feed::Change;
use crate::{Error, Result};

/// The most nicknames in one review.
pub const MAX_NICKNAMES: usize = 100;

/// What became of a review of several nicknames.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReviewedNicknames {
    pub reviewed: Vec<UserId>,
    /// Users who have changed since the officer saw them, for example because another officer was faster.
    pub skipped: Vec<UserId>,
    /// Users whose nicknames could not be approved, because others have them meanwhile.
    pub taken: Vec<UserId>,
}

impl Console {
    /// Approves or rejects the nicknames of users, each with the version that the officer saw. Each is recorded as if it had
    /// been reviewed alone; those that have changed or are taken are left as they are, and keep no other from being reviewed.
    pub async fn review_nicknames(
        &self,
        nicknames: &[(UserId, String)],
        verdict: NicknameDecision,
        (by, reason): (By, &str),
    ) -> Result<ReviewedNicknames> {
        if nicknames.is_empty() || nicknames.len() > MAX_NICKNAMES {
            return Err(Refusal::Invalid { field: "nicknames", reason: "from 1 to 100" }.into());
        }
        let decision = Decision::new(by, reason, "")?;
        let Some((mut tx, now)) = self.begin(&decision.by).await? else {
            let (mut tx, _) = self.context.begin().await?;
            return self.reviewed_before(&mut tx, &decision.by).await;
        };
        let mut ids: Vec<_> = nicknames.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() != nicknames.len() {
            return Err(Refusal::Invalid { field: "nicknames", reason: "each user once" }.into());
        }
        let mut users = users::lock(&mut tx, &ids).await?;
        let facts = rows::accounts(&mut tx, &ids).await?;
        let mut done = ReviewedNicknames::default();
        for (id, seen) in nicknames {
            let user = users.iter_mut().find(|user| user.id == *id);
            let before = user.as_deref().map(|user| line(user.clone(), facts.iter().find(|one| one.user == *id)));
            let (Some(user), Some(before)) = (user, before) else {
                done.skipped.push(*id);
                continue;
            };
            if before.version != *seen || before.nickname_pending_since.is_none() {
                done.skipped.push(*id);
                continue;
            }
            let change = UserChange::Nickname(verdict);
            tx.mark().await?;
            let (action, logged) = match apply(&self.context, &mut tx, &before, user, change, &decision, now).await {
                // The database has refused a statement, so nothing more could be written without going back.
                Err(Error::Refused(Refusal::Identity(IdentityRefusal::NicknameTaken))) => {
                    tx.roll_back_to_mark().await?;
                    done.taken.push(*id);
                    continue;
                }
                applied => applied?,
            };
            tx.keep().await?;
            // The command has a line of its own, after which it does not run again.
            let alone = Decision { by: By { command: None, ..decision.by.clone() }, ..decision.clone() };
            record(&mut tx, &alone, action, Subject::User(*id), logged, now).await?;
            done.reviewed.push(*id);
        }
        let details = json!({ "reviewed": done.reviewed, "skipped": done.skipped, "taken": done.taken });
        let entry =
            Entry { action: "review_nicknames", subject: Subject::Platform, details, reason: Some(&decision.reason) };
        audit::record(&mut tx, &decision.by, entry, now).await?;
        tx.commit().await?;
        let changes: Vec<_> = done
            .reviewed
            .iter()
            .flat_map(|id| [Change::User(*id), Change::Profile(*id), Change::Session(*id)])
            .collect();
        self.context.changed(&changes);
        Ok(done)
    }

    /// Returns what became of a review that was made before.
    async fn reviewed_before(&self, tx: &mut store::Tx, by: &By) -> Result<ReviewedNicknames> {
        let lost = || Error::Internal("a review without its line in the log".to_owned());
        let (officer, command) = by.officer.zip(by.command.as_ref()).ok_or_else(lost)?;
        let details = audit::line_of(tx, officer, &command.key).await?.ok_or_else(lost)?.details;
        let users = |name: &str| -> Vec<UserId> {
            let listed = details.get(name).and_then(Value::as_array).into_iter().flatten();
            listed.filter_map(|id| id.as_str()?.parse().ok()).collect()
        };
        Ok(ReviewedNicknames { reviewed: users("reviewed"), skipped: users("skipped"), taken: users("taken") })
    }
}
