//! Conversions that adverts, orders and pairs share.

use chrono::Duration;
use domain::assets::{AssetId, Prepayment, Windows};
use domain::money::{Amount, Price};
use domain::trade::Coin;
use domain::users::ReceivingAddress;

use crate::numeric::Units;
use crate::{Error, Result};

/// Returns the windows in seconds, in the order of the columns.
pub(crate) fn window_seconds(windows: &Windows) -> Result<[i32; 6]> {
    let seconds = |span: Duration| {
        i32::try_from(span.num_seconds()).map_err(|_| Error::row("pairs", span, "a window out of range"))
    };
    Ok([
        seconds(windows.acceptance)?,
        seconds(windows.advert_deposit)?,
        seconds(windows.order_deposit)?,
        seconds(windows.payment)?,
        seconds(windows.confirmation)?,
        seconds(windows.grace)?,
    ])
}

/// Reads the windows from a row.
macro_rules! windows {
    ($row:expr) => {
        domain::assets::Windows {
            acceptance: chrono::Duration::seconds($row.acceptance_seconds.into()),
            advert_deposit: chrono::Duration::seconds($row.advert_deposit_seconds.into()),
            order_deposit: chrono::Duration::seconds($row.order_deposit_seconds.into()),
            payment: chrono::Duration::seconds($row.payment_seconds.into()),
            confirmation: chrono::Duration::seconds($row.confirmation_seconds.into()),
            grace: chrono::Duration::seconds($row.grace_seconds.into()),
        }
    };
}

pub(crate) fn coin(asset: i64, decimals: i16, return_gas: Units) -> Option<Coin> {
    Some(Coin { asset: AssetId(asset), decimals: u8::try_from(decimals).ok()?, return_gas: return_gas.into() })
}

/// Reads a prepayment from its columns, of which the table has all or none. `amounts` are the fee and the gas.
pub(crate) fn prepayment(
    asset: Option<i64>,
    decimals: Option<i16>,
    amounts: Option<(Units, Units)>,
) -> Option<Prepayment> {
    let (fee, gas) = amounts?;
    let decimals = u8::try_from(decimals?).ok()?;
    Some(Prepayment { asset: AssetId(asset?), decimals, fee: fee.into(), gas: gas.into() })
}

pub(crate) fn receiving(address: Option<String>, chain_type: Option<String>) -> Option<ReceivingAddress> {
    address.zip(chain_type).map(|(address, chain_type)| ReceivingAddress { address, chain_type })
}

pub(crate) fn steps(price: Price) -> Result<Units> {
    Ok(Units(Amount::new(price.steps()).map_err(|_| Error::row("prices", price, "out of range"))?))
}

/// Selects a page of the rows of a table whose deadline has passed.
macro_rules! due {
    ($tx:expr, $table:literal, $id:path, $now:expr, $after:expr, $most:expr) => {{
        let (timestamp, id) = $after.map(|(timestamp, id)| (timestamp, id.0)).unzip();
        let rows = sqlx::query!(
            r#"select id, due_at as "due_at!" from "#
                + $table
                + " where due_at <= $1
               and ($2::timestamptz is null or (due_at, id) > ($2, $3::uuid)) order by due_at, id limit $4",
            $now,
            timestamp,
            id,
            $most
        )
        .fetch_all($tx.connection())
        .await?;
        Ok(rows.into_iter().map(|row| (row.due_at, $id(row.id))).collect())
    }};
}

/// Moves the deadline column of the rows of a table that are due. Skips rows that another transaction is changing.
macro_rules! postpone {
    ($tx:expr, $table:literal, $due:expr, $until:expr) => {{
        sqlx::query!(
            "update "
                + $table
                + " set due_at = $2 where id = any(array(select id from "
                + $table
                + " where due_at <= $1 order by due_at, id limit 1000 for no key update skip locked))",
            $due,
            $until
        )
        .execute($tx.connection())
        .await?;
        Ok(())
    }};
}
pub(crate) use {due, postpone, windows};
