//! A user's money: balances, withdrawals, deposits, payouts and fund records.

pub mod balance;
pub mod records;
pub mod view;
pub mod withdrawals;
