//! Accounts: validation of nicknames, passwords, addresses and the pass's statements.

pub mod address;
pub mod email;
pub mod matching;
pub mod nickname;
pub mod password;
pub mod person;
pub mod refusal;
pub mod words;

pub use refusal::IdentityRefusal;
