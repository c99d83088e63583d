//! Withdraws temporary balance to the user's bound address.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

use domain::assets::{Asset, AssetId, Home};
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::identity::IdentityRefusal;
use domain::ids::{PayoutId, PostingId, UserId};
use domain::ledger::{self, VaultAsset};
use domain::money::Amount;
use domain::refusal::{Refusal, RiskFlag, Shown};
use domain::users::User;
use store::Tx;
use store::payouts::{NewLeg, NewPayout, Purpose, Withdrawal};

use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::memory::reference_data::ReferenceData;
use crate::notifications::withdrawal_requested;
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
    let mut request = match Request::begin(context, key, user).await? {
        Continue(request) => request,
        Break(payout) => return Ok(payout),
    };
    let data = Arc::clone(&request.data);
    let asset = data.assets.get(&asset).ok_or(Refusal::NotFound)?;
    if !matches!(asset.home, Home::Chain { .. }) {
        return Err(Refusal::MoneyStopped.into());
    }
    let vault_asset = request.vault_asset(asset.id);
    request.check_stops(vault_asset).await?;
    let busy = is_busy(&mut request.tx, user).await?;
    let available = store::ledger::balance(&mut request.tx, vault_asset.temporary()).await?;
    let (recipient, amount) = allowed(&request.user, asset, available, busy, request.now)?;
    request.pay_out(vault_asset, amount, (vault_asset, asset.return_gas), recipient).await
}

/// Withdraws an NFT to the user's bound address. Its network fee comes out of the temporary balance of the coin in which its
/// album asks for it. The caller must have verified the security password.
///
/// Refused like the withdrawal of a coin, and if the temporary balance does not cover the network fee.
pub async fn withdraw_nft(context: &Context, key: &IdempotencyKey, user: UserId, nft: AssetId) -> Result<PayoutId> {
    let mut request = match Request::begin(context, key, user).await? {
        Continue(request) => request,
        Break(payout) => return Ok(payout),
    };
    let nft = store::nfts::assets(&mut request.tx, &[nft]).await?.pop().ok_or(Refusal::NftMissing)?;
    let data = Arc::clone(&request.data);
    let terms = data.albums.get(&nft.counted_as()).ok_or(Refusal::NftMissing)?.prepayment;
    let vault_asset = request.vault_asset(nft.id);
    request.check_stops(vault_asset).await?;
    let busy = is_busy(&mut request.tx, user).await?;
    let available = store::ledger::balance(&mut request.tx, vault_asset.temporary()).await?;
    // While the user trades, the NFT may be in escrow.
    if available.is_zero() && !busy {
        return Err(Refusal::NftMissing.into());
    }
    let (recipient, amount) = allowed(&request.user, &nft, available, busy, request.now)?;
    let paying = request.vault_asset(terms.asset);
    let balance = store::ledger::balance(&mut request.tx, paying.temporary()).await?;
    if balance < terms.gas {
        let shown = |amount| Shown { amount, decimals: terms.decimals };
        let shortfall = shown(terms.gas.saturating_sub(balance));
        return Err(Refusal::GasShort { needed: shown(terms.gas), shortfall }.into());
    }
    request.pay_out(vault_asset, amount, (paying, terms.gas), recipient).await
}

/// A request for a withdrawal, with its user locked.
struct Request<'a> {
    context: &'a Context,
    key: &'a IdempotencyKey,
    tx: Tx,
    now: Timestamp,
    user: User,
    data: Arc<ReferenceData>,
}

impl<'a> Request<'a> {
    /// Breaks with the payout for which the key was used before.
    async fn begin(context: &'a Context, key: &'a IdempotencyKey, user: UserId) -> Result<ControlFlow<PayoutId, Self>> {
        let (mut tx, now) = context.begin().await?;
        let user = store::users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
        if let Some(Response { id: Some(id), .. }) = key.response(&mut tx, user.id).await? {
            return Ok(Break(PayoutId(id)));
        }
        let data = context.reference_data(&mut tx).await?.data;
        Ok(Continue(Self { context, key, tx, now, user, data }))
    }

    fn vault_asset(&self, asset: AssetId) -> VaultAsset {
        VaultAsset { vault: self.user.id, asset }
    }

    /// Refuses the request while payouts are stopped: all, those of the asset or of its album, or those of the vault.
    async fn check_stops(&mut self, vault_asset: VaultAsset) -> Result<()> {
        if self.data.money_stopped()
            || !store::stops::among(&mut self.tx, &[vault_asset.asset]).await?.is_empty()
            || store::vault_stops::is_stopped(&mut self.tx, vault_asset).await?
        {
            return Err(Refusal::MoneyStopped.into());
        }
        Ok(())
    }

    /// Moves the amount out of temporary balance and commits the payout. `gas` is the network fee, and where it is taken from:
    /// out of the same temporary balance, or out of that of another coin.
    async fn pay_out(
        mut self,
        vault_asset: VaultAsset,
        amount: Amount,
        (paying, gas): (VaultAsset, Amount),
        recipient: Address,
    ) -> Result<PayoutId> {
        let chain = self.data.chain.as_ref().ok_or(Refusal::MoneyStopped)?.id;
        let (context, now, tx) = (self.context, self.now, &mut self.tx);
        let payout = PayoutId(context.fresh(now));
        let postings = if paying == vault_asset {
            vec![ledger::withdrawal(payout, vault_asset, amount, gas)]
        } else {
            let moved = ledger::withdrawal(payout, vault_asset, amount, Amount::ZERO);
            let paid = (!gas.is_zero()).then(|| ledger::withdrawal_gas(payout, paying, gas));
            std::iter::once(moved).chain(paid).collect()
        };
        let postings: Vec<_> = postings.into_iter().map(|posting| (PostingId(context.fresh(now)), posting)).collect();
        store::ledger::post(tx, &postings, now).await?;
        let (custody_index, source) = (self.user.custody_index, vault_asset.temporary());
        let leg = NewLeg { vault_asset, custody_index, recipient, amount, source };
        let new = NewPayout { id: payout, purpose: Purpose::Withdrawal, subject: payout.0, legs: vec![leg] };
        store::payouts::insert(tx, chain, &[new], now).await?;
        let withdrawal = Withdrawal {
            payout,
            user: self.user.id,
            asset: vault_asset.asset,
            amount,
            gas,
            gas_asset: paying.asset,
            recipient,
            requested_at: now,
        };
        store::payouts::insert_withdrawal(tx, &withdrawal).await?;
        store::outbox::write(tx, &[withdrawal_requested(self.user.id, payout)], now).await?;
        self.key.remember(tx, self.user.id, Response { id: Some(payout.0), version: 0 }, now).await?;
        self.tx.commit().await?;
        Ok(payout)
    }
}

/// Returns whether the user has an open advert or order.
pub(crate) async fn is_busy(tx: &mut Tx, user: UserId) -> Result<bool> {
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
    let recipient = user.bound.ok_or(IdentityRefusal::NotBound)?;
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
