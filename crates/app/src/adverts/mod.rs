//! Publishes adverts, shows them to their owner, and switches them online and offline.

mod online;
mod post;
mod prepaying;
mod view;

pub use online::is_online;
pub use prepaying::{Prepaying, prepaying};
pub use store::takedowns::Takedown;
pub use view::{AdvertView, ViewedAdvert, groups, one, open, page, viewed};

pub(crate) use online::{hold, switch};
pub(crate) use post::post;
pub(crate) use view::AdvertViews;
