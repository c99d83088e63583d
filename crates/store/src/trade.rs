//! What adverts and orders store in the same way.

use chrono::Duration;
use domain::assets::{AssetId, Windows};
use domain::trade::{Coin, Side};

use crate::numeric::Units;
use crate::{Error, Result};

/// The windows in seconds, in the order of the columns.
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

pub(crate) fn windows([acceptance, advert_deposit, order_deposit, payment, confirmation, grace]: [i32; 6]) -> Windows {
    let seconds = |count: i32| Duration::seconds(i64::from(count));
    Windows {
        acceptance: seconds(acceptance),
        advert_deposit: seconds(advert_deposit),
        order_deposit: seconds(order_deposit),
        payment: seconds(payment),
        confirmation: seconds(confirmation),
        grace: seconds(grace),
    }
}

pub(crate) fn coin(asset: i64, decimals: i16, return_gas: Units) -> Option<Coin> {
    Some(Coin { asset: AssetId(asset), decimals: u8::try_from(decimals).ok()?, return_gas: return_gas.into() })
}

pub(crate) fn side(name: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|side| side.name() == name)
}
