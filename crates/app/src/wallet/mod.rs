//! A user's money: balances, withdrawals, deposits, payouts and fund records.

pub mod balance;
pub(crate) mod fund_from_balance;
pub mod records;
pub mod view;
pub mod withdrawals;
