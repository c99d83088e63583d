//! What a person sees of themselves.

use domain::assets::Asset;
use domain::clock::{Timestamp, after};
use domain::identity::nickname::NICKNAME_REST;
use domain::ids::UserId;
use domain::money::Amount;
use domain::people::Person;
use domain::refusal::Refusal;
use domain::reputation::{PERIOD, Record};
use store::identity::accounts;
use store::people;

use super::Identity;
use crate::Result;
use crate::reputation::records_at;

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
    pub nickname_changeable_at: Option<Timestamp>,
    /// What their last 30 days say to others.
    pub record: Record,
    /// What changed hands in the orders of those days that were completed: of each base, how much.
    pub volume: Vec<(Asset, Amount)>,
    /// When this was true.
    pub at: Timestamp,
}

impl Identity {
    /// A person, to themselves.
    pub async fn profile(&self, user: UserId) -> Result<Profile> {
        let (mut tx, now) = self.context.begin().await?;
        let person = people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::NotFound)?;
        let record = records_at(&mut tx, &[user], now).await?.pop().ok_or(Refusal::NotFound)?.1;
        let since = now.checked_sub_signed(PERIOD).unwrap_or(now);
        let traded = store::market::volume_of(&mut tx, user, since).await?;
        let assets = if traded.is_empty() { Vec::new() } else { store::catalog::assets(&mut tx).await? };
        let volume = traded
            .into_iter()
            .filter_map(|(id, amount)| assets.iter().find(|asset| asset.id == id).map(|asset| (asset.clone(), amount)));
        Ok(Profile {
            record,
            volume: volume.collect(),
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
