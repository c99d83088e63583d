//! Accounts: validation of nicknames, passwords and addresses, and the pass's assertions.

pub mod address;
pub mod binding;
pub mod email;
pub mod matching;
pub mod nickname;
pub mod password;
pub mod refusal;
pub mod statement;
pub mod words;

pub use refusal::IdentityRefusal;
