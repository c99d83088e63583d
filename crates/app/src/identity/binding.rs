//! Binds a user to another address on the escrow chain, or to none.

use domain::assets::Home;
use domain::chain::Address;
use domain::identity::IdentityRefusal;
use domain::identity::binding::{BindingFacts, BindingObstacle, Holding, binding_obstacles};
use domain::ids::{SessionId, UserId};
use domain::money::Amount;
use domain::notifications::AccountChange;
use domain::refusal::Refusal;
use domain::users::{KycLevel, User};
use store::identity::{accounts, challenges, devices, sessions};
use store::{Tx, users};

use super::register::{payable, taken};
use super::update::start_hold;
use super::{Device, Identity, PassPurpose, Profile, Sealed};
use crate::Result;
use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::notifications::account_changed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingChange {
    /// To the address that the pass states.
    Bind,
    Unbind,
}

impl BindingChange {
    fn purpose(self) -> PassPurpose {
        match self {
            Self::Bind => PassPurpose::Bind,
            Self::Unbind => PassPurpose::Unbind,
        }
    }
}

/// A user's bound address, and what proved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub bound: Option<Address>,
    /// The user's ID at the pass.
    pub me_id: String,
    /// Why the address may not change now.
    pub obstacles: Vec<BindingObstacle>,
}

/// The proofs that a change of the bound address needs: what a user knows, and the pass of the account.
#[derive(Debug, Clone)]
pub struct ChangeBinding {
    /// The secret of a challenge that the user approved for this change.
    pub pass_ticket: String,
    pub security_code: Sealed,
    pub device: Device,
}

impl Identity {
    /// Changes or removes the bound address. Ends the other sessions and puts the account on hold for a day.
    ///
    /// Refused while the platform holds or owes anything of the user, because all of it goes to the bound address.
    pub async fn change_binding(
        &self,
        key: &IdempotencyKey,
        user: UserId,
        session: SessionId,
        change: BindingChange,
        ask: &ChangeBinding,
    ) -> Result<Profile> {
        let (mut tx, _) = self.context.begin().await?;
        if key.response(&mut tx, user).await?.is_some() {
            drop(tx);
            return self.profile(user).await;
        }
        drop(tx);
        self.check_security_password(key, user, &ask.security_code, &ask.device).await?;

        let (mut tx, now) = self.context.begin().await?;
        let mut row = users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        let mut account = accounts::lock(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        if key.response(&mut tx, user).await?.is_some() {
            drop(tx);
            return self.profile(user).await;
        }
        let (challenge, proven) = self.approved(&mut tx, &ask.pass_ticket, user, change.purpose(), now).await?;
        let bound = match change {
            BindingChange::Bind => Some(proven.address),
            BindingChange::Unbind if row.bound.is_none() => return Err(IdentityRefusal::NotBound.into()),
            BindingChange::Unbind => None,
        };
        challenges::spend(&mut tx, challenge, now).await?;
        if row.bound != bound {
            let obstacles = self.obstacles(&mut tx, &row).await?;
            if !obstacles.is_empty() {
                return Err(IdentityRefusal::BindingBlocked { obstacles }.into());
            }
            if let Some(address) = bound {
                payable(&mut tx, address, "boundAddress").await?;
            }
            accounts::set_bound(&mut tx, user, bound).await.map_err(taken)?;
            let email = account.email.clone();
            start_hold(&mut row, &mut account, email, now);
            accounts::update(&mut tx, &account).await?;
            accounts::update_profile(&mut tx, &row).await?;
            sessions::end_others(&mut tx, user, Some(session), now).await?;
            devices::forget_all(&mut tx, user).await?;
            crate::adverts::hold(&self.context, &mut tx, user, now).await?;
            store::outbox::write(&mut tx, &[account_changed(user, AccountChange::BoundAddress)], now).await?;
        }
        if row.kyc != proven.kyc && proven.kyc >= KycLevel::Basic {
            accounts::update_kyc(&mut tx, user, proven.kyc).await?;
        }
        key.remember(&mut tx, user, Response::default(), now).await?;
        tx.commit().await?;
        self.has_acted(user);
        self.profile(user).await
    }

    /// Returns a user's bound address, and whether it may change now.
    pub async fn binding(&self, user: UserId) -> Result<Binding> {
        let (mut tx, _) = self.context.begin().await?;
        let row = users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::NotFound)?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::NotFound)?;
        let obstacles = self.obstacles(&mut tx, &row).await?;
        Ok(Binding { bound: row.bound, me_id: account.me_id, obstacles })
    }

    /// Nothing keeps a user without a bound address from binding one, because coins that have come meanwhile can only then be
    /// withdrawn.
    async fn obstacles(&self, tx: &mut Tx, user: &User) -> Result<Vec<BindingObstacle>> {
        if user.bound.is_none() {
            return Ok(Vec::new());
        }
        let user = user.id;
        let data = self.context.reference_data(tx).await?.data;
        let withdrawal_gas = |asset| match data.assets.get(&asset) {
            Some(coin) if matches!(coin.home, Home::Chain { .. }) => coin.return_gas,
            _ => Amount::ZERO,
        };
        let holdings = store::ledger::holdings_in(tx, user).await?.into_iter().map(|(account, amount)| Holding {
            kind: account.kind,
            amount,
            withdrawal_gas: withdrawal_gas(account.asset),
        });
        let holdings = holdings.collect();
        let unsettled = store::payouts::unsettled_in(tx, user).await?;
        Ok(binding_obstacles(&BindingFacts {
            open_adverts: !store::adverts::count_open(tx, &[user]).await?.is_empty(),
            open_orders: !store::orders::count_open(tx, &[user]).await?.is_empty(),
            holdings,
            open_payouts: unsettled.owed,
            superseded_payouts: unsettled.superseded,
        }))
    }
}
