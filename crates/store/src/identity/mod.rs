//! Accounts, sessions, codes and challenges.

pub mod accounts;
pub mod challenges;
pub mod codes;
pub mod devices;
pub mod guesses;
pub mod regions;
pub mod secrets;
pub mod sessions;
pub mod slides;
