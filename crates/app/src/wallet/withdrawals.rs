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
    let busy = is_busy(&mut tx, user).await?;
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
    let withdrawal = Withdrawal {
        payout,
        user,
        asset: asset.id,
        amount,
        gas: asset.return_gas,
        gas_asset: asset.id,
        recipient,
        requested_at: now,
    };
    store::payouts::insert_withdrawal(&mut tx, &withdrawal).await?;
    key.remember(&mut tx, user, Response { id: Some(payout.0), version: 0 }, now).await?;
    tx.commit().await?;
    Ok(payout)
}

/// Withdraws an NFT to the user's bound address. Its network fee comes out of the temporary balance of the coin in which its
/// album asks for it. The caller must have verified the security password.
///
/// Refused like the withdrawal of a coin, and if the temporary balance does not cover the network fee.
pub async fn withdraw_nft(context: &Context, key: &IdempotencyKey, user: UserId, nft: AssetId) -> Result<PayoutId> {
    let (mut tx, now) = context.begin().await?;
    let row = store::users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    if let Some(Response { id: Some(id), .. }) = key.response(&mut tx, user).await? {
        return Ok(PayoutId(id));
    }
    let data = context.reference_data(&mut tx).await?.data;
    let chain = data.chain.as_ref().ok_or(Refusal::MoneyStopped)?;
    let (vault_asset, asset) = vault_asset_of_nft(&mut tx, user, nft).await?.ok_or(Refusal::NftMissing)?;
    let (contract, _) = asset.nft().ok_or(Refusal::NftMissing)?;
    let album =
        data.assets.values().find(|album| matches!(album.home, Home::Album { contract: of, .. } if of == contract));
    let album = album.ok_or(Refusal::NftMissing)?;
    let stopped = store::stops::all(&mut tx).await?.iter().any(|stop| [asset.id, album.id].contains(&stop.asset));
    if data.money_stopped() || stopped || store::vault_stops::is_stopped(&mut tx, vault_asset).await? {
        return Err(Refusal::MoneyStopped.into());
    }
    let busy = is_busy(&mut tx, user).await?;
    let available = store::ledger::balance(&mut tx, vault_asset.temporary()).await?;
    // While the user trades, the NFT may be in escrow.
    if available.is_zero() && !busy {
        return Err(Refusal::NftMissing.into());
    }
    let (recipient, amount) = allowed(&row, &asset, available, busy, now)?;
    let albums = store::catalog::albums(&mut tx).await?;
    let terms = albums.into_iter().find(|one| one.asset == album.id).ok_or(Refusal::NftMissing)?.prepayment;
    let paying = VaultAsset { vault: user, asset: terms.asset };
    let balance = store::ledger::balance(&mut tx, paying.temporary()).await?;
    if balance < terms.gas {
        let shown = |amount| Shown { amount, decimals: terms.decimals };
        let shortfall = shown(terms.gas.saturating_sub(balance));
        return Err(Refusal::GasShort { needed: shown(terms.gas), shortfall }.into());
    }

    let payout = PayoutId(context.fresh(now));
    let mut postings =
        vec![(PostingId(context.fresh(now)), ledger::withdrawal(payout, vault_asset, amount, Amount::ZERO))];
    if !terms.gas.is_zero() {
        postings.push((PostingId(context.fresh(now)), ledger::withdrawal_gas(payout, paying, terms.gas)));
    }
    store::ledger::post(&mut tx, &postings, now).await?;
    let leg =
        NewLeg { vault_asset, custody_index: row.custody_index, recipient, amount, source: vault_asset.temporary() };
    let new = NewPayout { id: payout, purpose: Purpose::Withdrawal, subject: payout.0, legs: vec![leg] };
    store::payouts::insert(&mut tx, chain.id, &[new], now).await?;
    let withdrawal = Withdrawal {
        payout,
        user,
        asset: asset.id,
        amount,
        gas: terms.gas,
        gas_asset: terms.asset,
        recipient,
        requested_at: now,
    };
    store::payouts::insert_withdrawal(&mut tx, &withdrawal).await?;
    key.remember(&mut tx, user, Response { id: Some(payout.0), version: 0 }, now).await?;
    tx.commit().await?;
    Ok(payout)
}

/// Returns the vault asset of a user's NFT; `None` if the asset is no NFT.
async fn vault_asset_of_nft(tx: &mut store::Tx, user: UserId, id: AssetId) -> Result<Option<(VaultAsset, Asset)>> {
    let nft = store::nfts::by_ids(tx, &[id]).await?.pop();
    Ok(nft.map(|nft| (VaultAsset { vault: user, asset: nft.id }, nft)))
}

/// Returns whether the user has an open advert or order.
pub(crate) async fn is_busy(tx: &mut store::Tx, user: UserId) -> Result<bool> {
    Ok(!store::adverts::count_open(tx, &[user]).await?.is_empty()
        || !store::orders::count_open(tx, &[user]).await?.is_empty())
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
