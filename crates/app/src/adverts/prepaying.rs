//! What a seller prepays for an advert, and whether the temporary balance covers it.

use domain::assets::{Asset, PairId, Prepayment};
use domain::chain::Address;
use domain::funding::FundingTarget;
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::refusal::Refusal;

use crate::market::pair_by_id;
use crate::wallet::balance::unpromised;
use crate::{Context, Error, Result};

/// What a seller prepays, next to what the seller has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepaying {
    /// The coin of the prepayment.
    pub asset: Asset,
    pub prepayment: Prepayment,
    /// The fee and the network fee together.
    pub needed: Amount,
    /// The temporary balance that can be used.
    pub available: Amount,
    /// The total of unconfirmed deposits.
    pub confirming: Amount,
    /// What must arrive before the balance covers the prepayment, besides the unconfirmed deposits. Deposits repay debt first.
    pub to_send: Amount,
    /// The custody address, to which missing coins can be sent. `None` while an advert of the user waits for its deposit, because
    /// other coins would cancel that advert.
    pub vault: Option<Address>,
}

/// Returns what the user would prepay for an advert of a pair; `None` if sellers of the pair prepay nothing.
pub async fn prepaying(context: &Context, user: UserId, pair: PairId) -> Result<Option<Prepaying>> {
    let (mut tx, _) = context.begin().await?;
    let Some(prepayment) = pair_by_id(context, &mut tx, pair).await?.prepayment else { return Ok(None) };
    let data = context.reference_data(&mut tx).await?.data;
    let missing = || Error::Internal(format!("no asset {}", prepayment.asset.0));
    let asset = data.assets.get(&prepayment.asset).cloned().ok_or_else(missing)?;
    let vault = store::users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?.vault;
    let vault_asset = VaultAsset { vault: user, asset: asset.id };
    let needed = prepayment.total().map_err(Error::internal)?;
    let available = unpromised(&mut tx, vault_asset).await?;
    let arriving = store::blocks::unconfirmed_incoming(&mut tx, &[vault_asset]).await?;
    let confirming = arriving.first().map_or(Amount::ZERO, |(_, amount)| *amount);
    let debt = store::ledger::balance(&mut tx, vault_asset.reorganisation_loss()).await?;
    let short = needed.saturating_sub(available);
    let to_send = if short.is_zero() { short } else { short.saturating_add(debt).saturating_sub(confirming) };
    let requests = store::funding::open_of(&mut tx, &[user]).await?;
    let creating = requests.iter().any(|request| matches!(request.target, FundingTarget::Advert(_)));
    let vault = (!creating).then_some(vault);
    Ok(Some(Prepaying { asset, prepayment, needed, available, confirming, to_send, vault }))
}
