//! A user's balances and fund records.

use std::collections::BTreeMap;

use domain::assets::{Asset, AssetId, Home};
use domain::chain::{Address, confirmations};
use domain::clock::Timestamp;
use domain::ids::UserId;
use domain::ledger::AccountKind;
use domain::money::Amount;
use domain::people::Person;
use domain::refusal::Refusal;
use store::Tx;
use uuid::Uuid;

use crate::wallet::balance::allowed;
use crate::{Context, Error, Result};

pub use store::funds::{Direction, Effect, FundRecord, Kind, State};

/// Why a user may not withdraw a coin now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// An advert is open.
    Adverts,
    /// An order is open.
    Orders,
    /// A hold after a change of credentials.
    Hold,
    /// The balance does not exceed the gas.
    Dust,
    /// The user's KYC level is too low.
    Kyc,
    /// An officer has set a risk flag.
    Risk,
    /// Payouts are stopped.
    Stopped,
}

impl Obstacle {
    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adverts => "adverts",
            Self::Orders => "orders",
            Self::Hold => "hold",
            Self::Dust => "dust",
            Self::Kyc => "kyc",
            Self::Risk => "risk",
            Self::Stopped => "stopped",
        }
    }
}

/// A user's balance of one coin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub asset: Asset,
    pub temporary: Amount,
    /// Coins set aside for adverts.
    pub in_adverts: Amount,
    /// Coins set aside for orders.
    pub in_orders: Amount,
    /// Coins that a payout is moving out of the vault.
    pub in_flight: Amount,
    /// Unconfirmed deposits.
    pub confirming: Amount,
    /// The debt from a reorganization that removed a deposit after it was paid out. Deposits pay it first.
    pub debt: Amount,
    /// The amount that would arrive if the balance were withdrawn now; `None` if that is not allowed or there is no
    /// balance.
    pub withdrawable: Option<Amount>,
    /// Why the balance may not be withdrawn.
    pub obstacle: Option<Obstacle>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The custody address for deposits.
    pub vault: Address,
    /// The bound address, for returns and withdrawals.
    pub bound: Option<Address>,
    /// One line for each coin of the chain.
    pub lines: Vec<Line>,
    /// The time of the balances.
    pub at: Timestamp,
}

/// A fund record as its user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    pub record: FundRecord,
    pub asset: Asset,
    /// The other party of the order, if the coins went from one party to the other.
    pub counterparty: Option<Person>,
    /// The confirmations so far and those required, once the transfer is in a block.
    pub confirmations: Option<(u64, u64)>,
    /// The user's own address refused the payout, so it goes to the user's vault and is credited there as a deposit.
    pub redirected: bool,
}

pub async fn balance(context: &Context, user: UserId) -> Result<Balance> {
    let (mut tx, now) = context.begin().await?;
    let person = store::people::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let chain = store::catalog::escrow_chain(&mut tx).await?;
    let assets = store::catalog::assets(&mut tx).await?;
    let coins: Vec<_> = assets.into_iter().filter(|asset| matches!(asset.home, Home::Chain { .. })).collect();
    let held = store::ledger::holdings_in(&mut tx, user).await?;
    let vault_assets: Vec<_> = coins.iter().map(|asset| (user, asset.id)).collect();
    let confirming: BTreeMap<_, _> =
        store::blocks::unconfirmed_incoming(&mut tx, &vault_assets).await?.into_iter().collect();
    let busy = Busy {
        adverts: !store::adverts::count_open(&mut tx, &[user]).await?.is_empty(),
        orders: !store::orders::count_open(&mut tx, &[user]).await?.is_empty(),
        stopped: chain.is_none_or(|chain| chain.stopped_because.is_some()),
    };
    let stops = store::stops::all(&mut tx).await?;
    let lines = coins.into_iter().map(|asset| {
        let sum = |kind: AccountKind| {
            held.iter()
                .filter(|(account, _)| account.asset == asset.id && account.kind == kind)
                .try_fold(Amount::ZERO, |sum, (_, amount)| sum.add(*amount))
                .map_err(|error| Error::Internal(error.to_string()))
        };
        let temporary = sum(AccountKind::Temporary)?;
        let busy = Busy { stopped: busy.stopped || stops.iter().any(|stop| stop.asset == asset.id), ..busy };
        let (withdrawable, obstacle) = busy.withdrawal(&person, &asset, temporary, now);
        Ok(Line {
            temporary,
            in_adverts: sum(AccountKind::AdvertEscrow)?,
            in_orders: sum(AccountKind::OrderEscrow)?,
            in_flight: sum(AccountKind::InFlight)?,
            confirming: confirming.get(&(user, asset.id)).copied().unwrap_or(Amount::ZERO),
            debt: sum(AccountKind::ReorganisationLoss)?,
            withdrawable,
            obstacle,
            asset,
        })
    });
    Ok(Balance { vault: person.vault, bound: person.bound, lines: lines.collect::<Result<_>>()?, at: now })
}

/// What keeps a user from withdrawing.
#[derive(Clone, Copy)]
struct Busy {
    adverts: bool,
    orders: bool,
    stopped: bool,
}

impl Busy {
    /// The amount or the obstacle of a withdrawal, determined by the same check that a withdrawal passes.
    fn withdrawal(
        self,
        person: &Person,
        asset: &Asset,
        available: Amount,
        now: Timestamp,
    ) -> (Option<Amount>, Option<Obstacle>) {
        if available.is_zero() {
            return (None, None);
        }
        if self.stopped {
            return (None, Some(Obstacle::Stopped));
        }
        match allowed(person, asset, available, self.adverts || self.orders, now) {
            Ok((_, amount)) => (Some(amount), None),
            Err(refusal) => {
                let obstacle = match refusal {
                    Refusal::BusyWithTrades if self.orders => Obstacle::Orders,
                    Refusal::BusyWithTrades => Obstacle::Adverts,
                    Refusal::HeldUntil { .. } => Obstacle::Hold,
                    Refusal::BelowGas { .. } | Refusal::BalanceShort { .. } => Obstacle::Dust,
                    Refusal::KycMissing | Refusal::AdvancedKycMissing => Obstacle::Kyc,
                    Refusal::Risk(_) => Obstacle::Risk,
                    _ => Obstacle::Stopped,
                };
                (None, Some(obstacle))
            }
        }
    }
}

/// A page of a user's fund records, newest first, and their total number. An unknown coin has none.
pub async fn page(
    context: &Context,
    user: UserId,
    kind: Option<Kind>,
    asset: Option<&str>,
    offset: i64,
    limit: i64,
) -> Result<(Vec<Movement>, i64)> {
    let (mut tx, _) = context.begin().await?;
    let assets = store::catalog::assets(&mut tx).await?;
    let asset = match asset {
        None => None,
        Some(code) => match assets.iter().find(|asset| asset.code == code) {
            Some(asset) => Some(asset.id),
            None => return Err(Refusal::Invalid { field: "asset", reason: "not a coin" }.into()),
        },
    };
    let (records, total) = store::funds::page_of(&mut tx, user, kind, asset, offset, limit).await?;
    Ok((movements(&mut tx, user, records, &assets).await?, total))
}

/// Returns a fund record of the user. For anyone else, it does not exist.
pub async fn one(context: &Context, user: UserId, id: Uuid) -> Result<Movement> {
    let (mut tx, _) = context.begin().await?;
    let assets = store::catalog::assets(&mut tx).await?;
    let record = store::funds::one(&mut tx, user, id).await?.ok_or(Refusal::NotFound)?;
    Ok(movements(&mut tx, user, vec![record], &assets).await?.pop().ok_or(Refusal::NotFound)?)
}

async fn movements(tx: &mut Tx, user: UserId, records: Vec<FundRecord>, assets: &[Asset]) -> Result<Vec<Movement>> {
    let person = store::people::read(tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let chain = store::catalog::escrow_chain(tx).await?;
    let needed = chain.as_ref().map_or(0, |chain| chain.confirmations);
    let head = chain.and_then(|chain| chain.head);
    let mut others: Vec<_> = records.iter().filter_map(|record| record.counterparty).collect();
    others.sort_unstable();
    others.dedup();
    let others = store::people::read(tx, &others).await?;
    let asset = |id: AssetId| {
        let known = assets.iter().find(|asset| asset.id == id).cloned();
        known.ok_or_else(|| Error::Internal(format!("no asset {}", id.0)))
    };
    records
        .into_iter()
        .map(|record| {
            let seen = match (record.state, record.block, head) {
                // The block was removed, so the number of blocks at that height means nothing.
                (State::Revoked, ..) => None,
                (_, Some(block), Some(head)) => Some((confirmations(block, head).min(needed), needed)),
                _ => None,
            };
            let counterparty = others.iter().find(|other| Some(other.id) == record.counterparty).cloned();
            // Only a redirected payout goes to a vault: bound and receiving addresses are never the platform's own.
            let redirected = record.direction != Direction::In && record.recipient == Some(person.vault);
            Ok(Movement { asset: asset(record.asset)?, counterparty, confirmations: seen, redirected, record })
        })
        .collect()
}
