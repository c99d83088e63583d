//! Accounts: what a nickname, a password, an address or a statement of the pass must be.

pub mod address;
pub mod email;
pub mod matching;
pub mod nickname;
pub mod password;
pub mod person;
pub mod refusal;
pub mod words;

pub use refusal::IdentityRefusal;
