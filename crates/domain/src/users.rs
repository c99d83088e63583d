//! Users, as trading sees them.

use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

use crate::chain::{Address, CustodyIndex};
use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::refusal::RiskFlag;
use crate::reputation::MissedAcceptances;

/// The level of identity verification at the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Kyc))]
pub enum KycLevel {
    None,
    /// Required to register, log in and trade.
    Basic,
    /// Required for fiat adverts and large withdrawals.
    Advanced,
}

/// An address at which a user receives USDT.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReceivingAddress {
    /// In the format of the chain type.
    pub address: String,
    /// Identifies one chain, not an address format.
    pub chain_type: String,
}

/// Why the platform took a user offline, with all the user's adverts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum OfflineCause {
    /// The user let the orders of several takers in a row pass ([`crate::reputation::MissedAcceptances`]).
    MissedAcceptances,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// Determines the address of the vault.
    pub custody_index: CustodyIndex,
    /// The address to which the user sends deposits.
    pub vault: Address,
    /// The user's own address on the escrow chain, confirmed through the pass. Returns and withdrawals go there.
    pub bound: Option<Address>,
    /// As reported by the pass.
    pub region: String,
    pub kyc: KycLevel,
    pub nickname: Option<String>,
    pub receiving: Option<ReceivingAddress>,
    /// What takers read in the conversation of a new order ([`crate::talk::check_automatic_reply`]).
    pub automatic_reply: Option<String>,
    /// Set by the user, regardless of open connections.
    pub online: bool,
    /// Why the platform took the user offline; `None` if the user is online, or went offline otherwise.
    pub offline_cause: Option<OfflineCause>,
    /// Takers whose orders the user did not answer.
    pub missed_acceptances: MissedAcceptances,
    /// 0 to 100.
    pub reputation: i32,
    /// Whether the user may post fiat adverts; granted by an officer.
    pub certified: bool,
    /// Whether other users see the user as verified; granted by an officer.
    pub verified: bool,
    /// Restrictions set by an officer.
    pub forbidden: Vec<RiskFlag>,
    /// See [`User::hold`].
    pub held_until: Option<Timestamp>,
}

impl User {
    /// Returns the end of the hold on the account, if there is one now.
    ///
    /// During a hold, the user cannot withdraw, publish adverts, go online, or place or accept orders, and needs the pass
    /// to release an escrow. Whoever stole the mailbox or the session therefore gains nothing before the user notices.
    pub fn hold(&self, now: Timestamp) -> Option<Timestamp> {
        self.held_until.filter(|until| now < *until)
    }

    /// Returns whether no flag and no hold keeps the user's coins on the platform.
    pub fn may_withdraw(&self, now: Timestamp) -> bool {
        !self.forbidden.contains(&RiskFlag::Withdrawal) && self.hold(now).is_none()
    }
}

/// The part of a user that other users see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub id: UserId,
    pub nickname: Option<String>,
    pub region: String,
    pub certified: bool,
    pub verified: bool,
}

impl From<&User> for Profile {
    fn from(user: &User) -> Self {
        Self {
            id: user.id,
            nickname: user.nickname.clone(),
            region: user.region.clone(),
            certified: user.certified,
            verified: user.verified,
        }
    }
}
