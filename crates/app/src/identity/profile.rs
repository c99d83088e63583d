//! What a person sees of themselves.

use domain::clock::{Moment, after};
use domain::identity::nickname::NICKNAME_REST;
use domain::ids::UserId;
use domain::people::Person;
use domain::refusal::Refusal;
use store::identity::accounts;
use store::people;

use super::Identity;
use crate::Result;

/// A person, to themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// As trading sees them.
    pub person: Person,
    /// The e-mail.
    pub email: String,
    /// The person at the pass.
    pub me_id: String,
    /// What they say of themselves.
    pub remark: String,
    /// Whether a security password is set.
    pub has_security_password: bool,
    /// When the nickname may be changed again; nothing if now.
    pub nickname_changeable_at: Option<Moment>,
    /// When this was true.
    pub at: Moment,
}

impl Identity {
    /// A person, to themselves.
    pub async fn profile(&self, user: UserId) -> Result<Profile> {
        let (mut tx, now) = self.context.begin().await?;
        let person = people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::NotFound)?;
        Ok(Profile {
            nickname_changeable_at: account
                .nickname_changed_at
                .map(|changed| after(changed, NICKNAME_REST))
                .filter(|until| *until > now),
            email: account.email,
            me_id: account.me_id,
            remark: account.remark,
            has_security_password: account.security_hash.is_some(),
            person,
            at: now,
        })
    }
}
