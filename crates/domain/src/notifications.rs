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
    EmailAddress,
    ReceivingAddress,
    BoundAddress,
}

impl Category {
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// Returns whether users who have chosen nothing are told on a channel: by email about what needs an answer or concerns the
    /// account, in the browser about everything.
    pub fn default_on(self, channel: Channel) -> bool {
        match channel {
            Channel::Email => !matches!(self, Self::OrderProgress | Self::Advert),
            Channel::Browser => true,
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

/// Returns whether an email about an order still helps: if it asks for something, the order must still wait for the reader.
pub fn is_current(category: Category, order: &Order, reader: Party) -> bool {
    match category {
        Category::NewOrder => {
            matches!(order.state, State::AwaitingAcceptance { .. }) && waits_for(order) == Some(reader)
        }
        Category::ActionNeeded => waits_for(order) == Some(reader),
        _ => true,
    }
}
