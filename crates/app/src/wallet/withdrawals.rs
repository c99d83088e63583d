//! Withdraws temporary balance to the user's bound address.

use domain::assets::{Asset, AssetId, Home};
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::ids::{PayoutId, PostingId, UserId};
use domain::ledger::{self, VaultAsset};
use domain::money::Amount;
use domain::refusal::{Refusal, RiskFlag, Shown};
use domain::users::User;
use store::payouts::{NewLeg, NewPayout, Purpose, Withdrawal};

use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::{Context, Result};

/// Returns the coin with a code. Fiat currencies are not coins.
pub async fn coin(context: &Context, code: &str) -> Result<Asset> {
    let (mut tx, _) = context.begin().await?;
    let data = context.reference_data(&mut tx).await?.data;
    let coin = data.assets.values().find(|asset| asset.code == code && matches!(asset.home, Home::Chain { .. }));
    Ok(coin.cloned().ok_or(Refusal::NotFound)?)
}

/// Withdraws the whole temporary balance of a coin to the user's bound address. The caller must have verified the
/// security password.
///
/// Refused while an advert or order is open, during a hold, with a risk flag, if the balance does not exceed the gas,
/// and while payouts of the coin or out of the user's vault are stopped.
pub async fn withdraw(context: &Context, key: &IdempotencyKey, user: UserId, asset: AssetId) -> Result<PayoutId> {
    let (mut tx, now) = context.begin().await?;
    let row = store::users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    if let Some(Response { id: Some(id), .. }) = key.response(&mut tx, user).await? {
        return Ok(PayoutId(id));
    }
    let data = context.reference_data(&mut tx).await?.data;
    let chain = data.chain.as_ref().ok_or(Refusal::MoneyStopped)?;
    let asset = data.assets.get(&asset).ok_or(Refusal::NotFound)?;
    if data.money_stopped() || !matches!(asset.home, Home::Chain { .. }) {
        return Err(Refusal::MoneyStopped.into());
    }
    if store::stops::all(&mut tx).await?.iter().any(|stop| stop.asset == asset.id) {
        return Err(Refusal::MoneyStopped.into());
    }
    let busy = !store::adverts::count_open(&mut tx, &[user]).await?.is_empty()
        || !store::orders::count_open(&mut tx, &[user]).await?.is_empty();
    let vault_asset = VaultAsset { vault: user, asset: asset.id };
    if store::vault_stops::is_stopped(&mut tx, vault_asset).await? {
        return Err(Refusal::MoneyStopped.into());
    }
    let available = store::ledger::balance(&mut tx, vault_asset.temporary()).await?;
    let (recipient, amount) = allowed(&row, asset, available, busy, now)?;

    let payout = PayoutId(context.fresh(now));
    let posting = ledger::withdrawal(payout, vault_asset, amount, asset.return_gas);
    store::ledger::post(&mut tx, &[(PostingId(context.fresh(now)), posting)], now).await?;
    let leg =
        NewLeg { vault_asset, custody_index: row.custody_index, recipient, amount, source: vault_asset.temporary() };
    let row = NewPayout { id: payout, purpose: Purpose::Withdrawal, subject: payout.0, legs: vec![leg] };
    store::payouts::insert(&mut tx, chain.id, &[row], now).await?;
    let withdrawal =
        Withdrawal { payout, user, asset: asset.id, amount, gas: asset.return_gas, recipient, requested_at: now };
    store::payouts::insert_withdrawal(&mut tx, &withdrawal).await?;
    key.remember(&mut tx, user, Response { id: Some(payout.0), version: 0 }, now).await?;
    tx.commit().await?;
    Ok(payout)
}

/// Checks that the user may withdraw the coin. Returns the destination and the amount that arrives.
pub(super) fn allowed(
    user: &User,
    asset: &Asset,
    available: Amount,
    busy: bool,
    now: Timestamp,
) -> std::result::Result<(Address, Amount), Refusal> {
    if user.forbidden.contains(&RiskFlag::Withdrawal) {
        return Err(Refusal::Risk(RiskFlag::Withdrawal));
    }
    domain::checks::hold(user, now)?;
    if busy {
        return Err(Refusal::BusyWithTrades);
    }
    let recipient = user.bound.ok_or(Refusal::KycMissing)?;
    let shown = |amount| Shown { amount, decimals: asset.decimals };
    if available.is_zero() {
        return Err(Refusal::BalanceShort { available: shown(available) });
    }
    let amount = available.saturating_sub(asset.return_gas);
    if amount.is_zero() {
        return Err(Refusal::BelowGas { gas: shown(asset.return_gas) });
    }
    Ok((recipient, amount))
}
