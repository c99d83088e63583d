//! Accounts over HTTP, on a real database, with real statements of a pass.

mod codes;
mod login;
mod methods;
mod pass;
mod profile;
mod register;
mod strangers;
mod world;
