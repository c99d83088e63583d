//! Shows users their own account.

use std::collections::BTreeMap;

use domain::assets::{Asset, Home};
use domain::clock::{Timestamp, after};
use domain::identity::nickname::NICKNAME_REST;
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::reputation::{PERIOD, Record};
use domain::users::User;
use store::identity::accounts;
use store::users;

use super::Identity;
use crate::memory::feed::Change;
use crate::reputation::{records_at, records_change_at, volume_of};
use crate::{Context, Lasting, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub user: User,
    pub email: String,
    /// The user's ID at the pass.
    pub me_id: String,
    /// The user's description of themselves.
    pub remark: String,
    pub has_security_password: bool,
    /// The nickname that the user has chosen. Others see that of `person`, which is a neutral name after a rejection.
    pub nickname: Option<String>,
    /// When the user may change the nickname again; `None` if they may change it now.
    pub nickname_changeable_at: Option<Timestamp>,
    /// Whether an officer has yet to approve the nickname.
    pub nickname_under_review: bool,
    /// Why an officer rejected the last nickname; `None` once the user has chosen another one.
    pub nickname_refusal: Option<String>,
    /// The user's public trading record of the last 30 days.
    pub record: Record,
    /// The volume of the orders completed in the last 30 days, by base.
    pub volume: Vec<(Asset, Amount)>,
    /// The temporary balance of each coin of the chain.
    pub temporary: Vec<(Asset, Amount)>,
    /// The time to which the data refers.
    pub at: Timestamp,
    /// How long the data stays the same.
    pub lasting: Lasting,
}

/// Returns whether there is a hold on the user's account now.
pub async fn is_held(context: &Context, user: UserId) -> Result<bool> {
    let (mut tx, now) = context.begin().await?;
    let row = store::users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Ok(row.hold(now).is_some())
}

impl Identity {
    pub async fn profile(&self, user: UserId) -> Result<Profile> {
        let (mut tx, now) = self.context.begin().await?;
        let row = users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::NotFound)?;
        let review = store::nicknames::review(&mut tx, user).await?;
        let record = records_at(&mut tx, &[user], now).await?.pop().ok_or(Refusal::NotFound)?.1;
        let since = now.checked_sub_signed(PERIOD).unwrap_or(now);
        let volume = volume_of(&self.context, &mut tx, user, since).await?;
        let data = self.context.reference_data(&mut tx).await?.data;
        let coins = data.assets.values().filter(|asset| matches!(asset.home, Home::Chain { .. }));
        let accounts: Vec<_> =
            coins.clone().map(|coin| VaultAsset { vault: user, asset: coin.id }.temporary()).collect();
        let held: BTreeMap<_, _> = store::ledger::balances(&mut tx, &accounts).await?.into_iter().collect();
        let temporary = coins.zip(&accounts).map(|(coin, account)| {
            let balance = held.get(account).copied().unwrap_or(Amount::ZERO);
            (coin.clone(), balance)
        });
        let nickname_changeable_at =
            account.nickname_changed_at.map(|changed| after(changed, NICKNAME_REST)).filter(|until| *until > now);
        let held_until = row.hold(now);
        let record_until = records_change_at(&mut tx, &[user], now).await?;
        let until = [nickname_changeable_at, held_until, Some(record_until)].into_iter().flatten().min();
        Ok(Profile {
            lasting: Lasting { on: vec![Change::User(user), Change::Reference], until, deadlines: false },
            record,
            volume,
            temporary: temporary.collect(),
            nickname_changeable_at,
            nickname: review.proposed.or_else(|| row.nickname.clone()),
            nickname_under_review: review.is_pending,
            nickname_refusal: review.refusal,
            email: account.email,
            me_id: account.me_id,
            remark: account.remark,
            has_security_password: account.security_hash.is_some(),
            user: row,
            at: now,
        })
    }
}
