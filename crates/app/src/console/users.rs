//! Administrators find users, restrict them, give them badges, and review their nicknames.
//!
//! Personal data, such as an email address, is masked: officers see it only inside a case.

use domain::clock::Timestamp;
use domain::identity::email::Email;
use domain::ids::UserId;
use domain::refusal::{Refusal, RiskFlag};
use domain::users::User;
use serde_json::{Value, json};
use store::console::audit::{self, Entry, Line, Subject};
use store::console::search;
use store::console::users::{self as rows, AccountFacts, Open};
use store::identity::{accounts, devices, sessions};
use store::{Tx, nicknames, users};

use super::By;
use super::{Console, Decision, checked_query, masked, record, version_of};
use crate::identity::register::taken;
use crate::memory::feed::Change;
use crate::{Context, Result};

/// The number of decisions that are shown with a user, and of nicknames on a page.
const PAGE_SIZE: usize = 20;
/// The number of users that are found by a part of their nickname.
const MAX_FOUND: i64 = 50;

/// A user in a list. The email address is masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLine {
    pub user: User,
    /// `None` for a user without credentials.
    pub email: Option<String>,
    pub created_at: Option<Timestamp>,
    pub nickname_pending_since: Option<Timestamp>,
    /// The nickname under review, if others see a neutral name meanwhile.
    pub nickname_proposed: Option<String>,
    pub nickname_refusal: Option<String>,
    /// Changes with everything that a decision can change.
    pub version: String,
}

/// A user with what is open, and the newest decisions of officers about the user.
#[derive(Debug, Clone, PartialEq)]
pub struct UserDetails {
    pub line: UserLine,
    pub has_security_password: bool,
    pub open: Open,
    pub decisions: Vec<Line>,
}

/// A change of a user by an officer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserChange {
    /// All restrictions that apply from now on.
    Flags(Vec<RiskFlag>),
    Badges {
        certified: bool,
        verified: bool,
    },
    /// Blocks withdrawals, new adverts and new orders until a time; `None` lifts the hold.
    Hold(Option<Timestamp>),
    EndSessions,
    Nickname(NicknameDecision),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NicknameDecision {
    Approve,
    /// Replaces the nickname with a neutral name. It stays refused, and the user may choose another one at once.
    Reject,
}

/// A nickname under review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingNickname {
    pub line: UserLine,
    pub since: Timestamp,
}

fn flag_names(flags: &[RiskFlag]) -> Vec<&'static str> {
    [RiskFlag::Login, RiskFlag::Withdrawal, RiskFlag::Buy, RiskFlag::Sell]
        .into_iter()
        .filter(|flag| flags.contains(flag))
        .map(<&str>::from)
        .collect()
}

pub(super) fn line(user: User, account: Option<&AccountFacts>) -> UserLine {
    let pending = account.and_then(|account| account.nickname_pending_since);
    let proposed = account.and_then(|account| account.nickname_proposed.clone());
    let version = version_of(&[
        flag_names(&user.forbidden).join(" "),
        format!("{} {}", user.certified, user.verified),
        format!("{:?}", user.held_until),
        format!("{:?} {proposed:?} {pending:?}", user.nickname),
    ]);
    UserLine {
        email: account.map(|account| Email::masked(&account.email)),
        created_at: account.map(|account| account.created_at),
        nickname_pending_since: pending,
        nickname_proposed: proposed,
        nickname_refusal: account.and_then(|account| account.nickname_refusal.clone()),
        user,
        version,
    }
}

/// Returns users in the order of `ids`.
pub(super) async fn lines(tx: &mut Tx, ids: &[UserId]) -> Result<Vec<UserLine>> {
    let facts = rows::accounts(tx, ids).await?;
    let users = users::read(tx, ids).await?;
    let lines = ids.iter().filter_map(|id| {
        let user = users.iter().find(|user| user.id == *id)?;
        Some(line(user.clone(), facts.iter().find(|account| account.user == *id)))
    });
    Ok(lines.collect())
}

async fn details(tx: &mut Tx, id: UserId, now: Timestamp) -> Result<UserDetails> {
    let facts = rows::accounts(tx, &[id]).await?.pop();
    let user = users::read(tx, &[id]).await?.pop().ok_or(Refusal::NotFound)?;
    let mut decisions = store::console::audit::decisions_on(tx, Subject::User(id)).await?;
    decisions.reverse();
    decisions.truncate(PAGE_SIZE);
    Ok(UserDetails {
        line: line(user, facts.as_ref()),
        has_security_password: facts.is_some_and(|account| account.has_security_password),
        open: rows::open(tx, id, now).await?,
        decisions,
    })
}

impl Console {
    /// Returns the users with this ID, ME ID, nickname, look-alike nickname or email address, or with this text in the nickname.
    pub async fn find_users(&self, by: &By, query: &str) -> Result<Vec<UserLine>> {
        let query = checked_query(query)?;
        let (mut tx, now) = self.context.begin().await?;
        let mut logged = query.to_owned();
        let ids = if let Ok(id) = query.parse::<UserId>() {
            vec![id]
        } else if query.contains('@') {
            // The log does not reveal email addresses either.
            logged = Email::masked(query);
            accounts::by_email(&mut tx, &query.to_lowercase()).await?.into_iter().collect()
        } else if let Some(user) = search::user_by_me_id(&mut tx, query).await? {
            logged = masked(query);
            vec![user]
        } else {
            let mut found = nicknames::with_nickname(&mut tx, query).await?;
            if query.chars().count() >= search::SHORTEST_PART {
                let part = search::users_by_part(&mut tx, query, MAX_FOUND).await?;
                found.extend(part.into_iter().filter(|user| !found.contains(user)).collect::<Vec<_>>());
            }
            found
        };
        let details = json!({ "query": logged });
        let entry = Entry { action: "search_users", subject: Subject::Platform, details, reason: None };
        audit::record(&mut tx, by, entry, now).await?;
        let found = lines(&mut tx, &ids).await?;
        tx.commit().await?;
        Ok(found)
    }

    pub async fn user(&self, by: &By, id: UserId) -> Result<UserDetails> {
        let (mut tx, now) = self.view(by, "view_user", Subject::User(id), json!({})).await?;
        let found = details(&mut tx, id, now).await?;
        tx.commit().await?;
        Ok(found)
    }

    /// Returns nicknames under review, oldest first, after `after`.
    pub async fn pending_nicknames(&self, by: &By, after: Option<(Timestamp, UserId)>) -> Result<Vec<PendingNickname>> {
        let (mut tx, _) = self.view(by, "view_nicknames", Subject::Platform, json!({})).await?;
        let most = i64::try_from(PAGE_SIZE).unwrap_or(i64::MAX);
        let pending = nicknames::pending(&mut tx, after, most).await?;
        let ids: Vec<_> = pending.iter().map(|(user, _)| *user).collect();
        let lines = lines(&mut tx, &ids).await?;
        tx.commit().await?;
        Ok(lines.into_iter().zip(pending).map(|(line, (_, since))| PendingNickname { line, since }).collect())
    }

    /// Changes a user. Refused if the user has changed since the officer saw it.
    pub async fn change_user(&self, id: UserId, change: UserChange, decision: &Decision) -> Result<UserDetails> {
        let Some((mut tx, now)) = self.begin(&decision.by).await? else {
            let (mut tx, now) = self.context.begin().await?;
            return details(&mut tx, id, now).await;
        };
        let mut user = users::lock(&mut tx, &[id]).await?.pop().ok_or(Refusal::NotFound)?;
        let facts = rows::accounts(&mut tx, &[id]).await?.pop();
        let before = line(user.clone(), facts.as_ref());
        decision.check_version(&before.version)?;
        let (action, logged) = apply(&self.context, &mut tx, &before, &mut user, change, decision, now).await?;
        record(&mut tx, decision, action, Subject::User(id), logged, now).await?;
        let changed = details(&mut tx, id, now).await?;
        tx.commit().await?;
        self.context.changed(&[Change::User(id), Change::Profile(id), Change::Session(id)]);
        Ok(changed)
    }
}

/// Writes a change. Returns its action and details for the log.
pub(super) async fn apply(
    context: &Context,
    tx: &mut Tx,
    before: &UserLine,
    user: &mut User,
    change: UserChange,
    decision: &Decision,
    now: Timestamp,
) -> Result<(&'static str, Value)> {
    let nothing = || Refusal::Invalid { field: "body", reason: "nothing to change" };
    let old = user.clone();
    let (action, logged) = match change {
        UserChange::Flags(flags) => {
            let (from, to) = (flag_names(&old.forbidden), flag_names(&flags));
            user.forbidden = flags;
            if from == to {
                return Err(nothing().into());
            }
            ("set_flags", json!({ "before": from, "after": to }))
        }
        UserChange::Badges { certified, verified } => {
            (user.certified, user.verified) = (certified, verified);
            let badges = |user: &User| json!({ "certified": user.certified, "verified": user.verified });
            ("set_badges", json!({ "before": badges(&old), "after": badges(user) }))
        }
        UserChange::Hold(until) => {
            if until.is_some_and(|until| until <= now) {
                return Err(Refusal::Invalid { field: "until", reason: "must lie in the future" }.into());
            }
            user.held_until = until;
            ("hold", json!({ "before": old.held_until, "after": until }))
        }
        UserChange::EndSessions => {
            let ended = rows::open(tx, user.id, now).await?.sessions;
            sessions::end_others(tx, user.id, None, now).await?;
            devices::forget_all(tx, user.id).await?;
            return Ok(("end_sessions", json!({ "sessions": ended })));
        }
        UserChange::Nickname(verdict) => {
            if before.nickname_pending_since.is_none() {
                return Err(Refusal::Stale.into());
            }
            let nickname = before.nickname_proposed.clone().or(old.nickname).unwrap_or_default();
            let logged = json!({ "nickname": nickname });
            return Ok(match verdict {
                NicknameDecision::Approve => {
                    nicknames::approve(tx, user.id).await.map_err(taken)?;
                    ("approve_nickname", logged)
                }
                NicknameDecision::Reject => {
                    nicknames::reject(tx, user.id, &nickname, &decision.reason, now).await?;
                    ("reject_nickname", logged)
                }
            });
        }
    };
    if *user == old {
        return Err(nothing().into());
    }
    rows::set_standing(tx, user).await?;
    if user.hold(now).is_some() {
        crate::adverts::hold(context, tx, user.id, now).await?;
        devices::forget_all(tx, user.id).await?;
    }
    Ok((action, logged))
}
