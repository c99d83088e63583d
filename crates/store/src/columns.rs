//! Conversions between columns and domain values.

use std::fmt::Display;

use domain::chain::Address;
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use uuid::Uuid;

use crate::{Error, Result};

/// Converts a chain ID, block number, reference or nonce to a column value.
pub(crate) fn signed(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::row("chains", number, "beyond what the database counts"))
}

/// Converts IDs to an array parameter.
pub(crate) fn uuids<T: Copy + Into<Uuid>>(ids: &[T]) -> Vec<Uuid> {
    ids.iter().map(|id| (*id).into()).collect()
}

/// Returns one value of each row, as an array parameter.
pub(crate) fn column<R, T>(rows: &[R], value: impl FnMut(&R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

/// Splits vault assets into two array parameters: vaults and assets.
pub(crate) fn unzip(vault_assets: &[VaultAsset]) -> (Vec<Uuid>, Vec<i64>) {
    vault_assets.iter().map(|vault_asset| (vault_asset.vault.0, vault_asset.asset.0)).unzip()
}

/// Parses the vault address in a row about `owner`.
pub(crate) fn vault_address(bytes: &[u8], owner: impl Display) -> Result<Address> {
    Address::from_slice(bytes).ok_or_else(|| Error::row("users", owner, "vault address"))
}

/// Converts the number of a user's rows in `table`.
pub(crate) fn count(table: &'static str, user: Uuid, many: i64) -> Result<(UserId, u32)> {
    Ok((UserId(user), u32::try_from(many).map_err(|_| Error::row(table, user, "count"))?))
}
