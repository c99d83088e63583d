//! Notifications: what users are told about what others or the platform did, and the channels on which they are told.

use serde::{Deserialize, Serialize};
use strum::{EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

use crate::effect::Notice;
use crate::orders::{Order, State, waits_for};
use crate::trade::Party;

/// What a notification is about. Users choose the channels of each category.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NotificationCategory))]
pub enum Category {
    /// Someone placed an order on the user's ad.
    NewOrder,
    /// An order waits for the user: to deposit, to pay, to confirm the payment, or to agree to a cancellation.
    ActionNeeded,
    /// An order goes on or ends, without the user.
    OrderProgress,
    /// An appeal about one of the user's orders.
    Appeal,
    /// One of the user's ads.
    Advert,
    /// The user's standing: certification, and being taken offline.
    Account,
    /// Coins of the user leave by a command of the user: the confirmation of a payment, a deposit from the balance, a withdrawal.
    /// Users are told because somebody else may have their session and their passwords.
    Funds,
    /// What protects the account: passwords, email address and addresses for coins. Users always get an email about it.
    Security,
}

/// How a user is told, besides the list of notifications, which contains all of them.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NotificationChannel))]
pub enum Channel {
    Email,
    /// The notifications of the operating system, which the web app shows while it is open.
    Browser,
}

impl Channel {
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }
}

/// What changed about an account that protects it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum AccountChange {
    LoginPassword,
    SecurityPassword,
    /// The user had no security password.
    SecurityPasswordSet,
    EmailAddress,
    ReceivingAddress,
    BoundAddress,
    /// Emails that are sent by default were turned off.
    NotificationEmails,
}

impl AccountChange {
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// Returns whether the change puts the account on hold ([`crate::users::User::hold`]).
    pub fn starts_hold(self) -> bool {
        !matches!(self, Self::SecurityPasswordSet | Self::NotificationEmails)
    }
}

impl Category {
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// Returns whether users who have chosen nothing are told on a channel: by email about what needs an answer or concerns the
    /// account, in the browser about what they did not do themselves.
    pub fn default_on(self, channel: Channel) -> bool {
        match channel {
            Channel::Email => !matches!(self, Self::OrderProgress | Self::Advert),
            // The browser belongs to whoever has done it.
            Channel::Browser => self != Self::Funds,
        }
    }

    /// Returns whether users can turn a channel on and off. A thief must not be able to keep a change from the owner.
    pub fn is_optional(self, channel: Channel) -> bool {
        !(self == Self::Security && channel == Channel::Email)
    }

    /// Returns the categories of which users get emails unless they have turned them off.
    pub fn emailed_by_default() -> Vec<Self> {
        Self::iter().filter(|category| category.default_on(Channel::Email)).collect()
    }
}

/// Returns the category of a notice about an order to one of its parties.
pub fn category_of_order(notice: Notice, order: &Order, reader: Party) -> Category {
    match notice {
        Notice::NewOrder => Category::NewOrder,
        Notice::AppealFiled
        | Notice::PictureUsedBefore
        | Notice::EvidenceAdded
        | Notice::EvidenceRequested
        | Notice::AppealWithdrawn
        | Notice::AppealRejected
        | Notice::AppealDecided
        | Notice::AppealReopened
        | Notice::OrderDecided => Category::Appeal,
        // The reader knows already what the order waits for. After an outage, every open order moves.
        Notice::DeadlineMoved => Category::OrderProgress,
        _ if waits_for(order) == Some(reader) => Category::ActionNeeded,
        _ => Category::OrderProgress,
    }
}

/// Returns the category of a notice about an order to the user who caused it: what a thief might do, and nothing else.
pub fn category_of_own(notice: Notice) -> Option<Category> {
    match notice {
        Notice::PaymentConfirmed | Notice::OrderDeposited => Some(Category::Funds),
        Notice::AppealWithdrawn => Some(Category::Appeal),
        _ => None,
    }
}

/// Returns whether an email about an order still helps: if it asks for something, the order must still wait for the reader. An
/// automatic order waits for nobody.
pub fn is_current(category: Category, order: &Order, reader: Party) -> bool {
    match category {
        Category::NewOrder if order.terms.automatic() => !order.state.ended(),
        Category::NewOrder => {
            matches!(order.state, State::AwaitingAcceptance { .. }) && waits_for(order) == Some(reader)
        }
        Category::ActionNeeded => waits_for(order) == Some(reader),
        _ => true,
    }
}
