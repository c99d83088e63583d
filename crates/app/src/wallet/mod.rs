//! Balances, withdrawals and fund records.

pub mod balance;
pub mod records;
