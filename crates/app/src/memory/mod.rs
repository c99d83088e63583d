//! What a process keeps in memory, and how it learns that this is out of date. Commands never decide by it, except by the
//! [`reference_data`], whose version they check. Nobody needs to know this folder to change a rule.

pub mod assets;
pub mod feed;
pub(crate) mod outages;
pub(crate) mod reference_data;
pub(crate) mod versions;
