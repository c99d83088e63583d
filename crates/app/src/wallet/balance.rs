//! Shows users their balances and the amounts that they can withdraw.

use std::collections::BTreeMap;

use domain::assets::{Asset, Home};
use domain::chain::Address;
use domain::clock::Timestamp;
use domain::identity::IdentityRefusal;
use domain::ids::UserId;
use domain::ledger::{AccountKind, VaultAsset};
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::users::User;
use store::Tx;

use super::withdrawals::allowed;
use crate::memory::feed::Change;
use crate::{Context, Error, Lasting, Result};

/// Why a user may not withdraw a coin now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// An advert is open.
    Adverts,
    /// An order is open.
    Orders,
    /// The account is on hold after a change of credentials.
    Hold,
    /// The balance does not exceed the gas.
    Dust,
    /// The user has bound no address to which the coins could go.
    Address,
    /// An officer has set a risk flag.
    Risk,
    /// Payouts are stopped.
    Stopped,
}

impl Obstacle {
    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adverts => "adverts",
            Self::Orders => "orders",
            Self::Hold => "hold",
            Self::Dust => "dust",
            Self::Address => "address",
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
    /// Coins set aside for adverts, including what the owner has prepaid for NFTs.
    pub in_adverts: Amount,
    /// Coins set aside for orders.
    pub in_orders: Amount,
    /// Coins that a payout is moving out of the vault.
    pub in_flight: Amount,
    /// The total of unconfirmed deposits.
    pub confirming: Amount,
    /// The debt from a reorganization that removed a deposit after its coins were paid out. Later deposits pay the debt
    /// first.
    pub debt: Amount,
    /// The amount that would arrive if the balance were withdrawn now; `None` if the user may not withdraw it or there
    /// is no balance.
    pub withdrawable: Option<Amount>,
    /// Why the user may not withdraw the balance.
    pub obstacle: Option<Obstacle>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The custody address for deposits.
    pub vault: Address,
    /// The bound address, for returns and withdrawals.
    pub bound: Option<Address>,
    /// The balance of each coin of the chain.
    pub lines: Vec<Line>,
    /// The time of the balances.
    pub at: Timestamp,
    /// How long the balances stay the same.
    pub lasting: Lasting,
}

/// Returns a user's balance of each coin of the chain.
pub async fn balance(context: &Context, user: UserId) -> Result<Balance> {
    let (mut tx, now) = context.begin().await?;
    let row = store::users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let data = context.reference_data(&mut tx).await?.data;
    let coins: Vec<_> =
        data.assets.values().filter(|asset| matches!(asset.home, Home::Chain { .. })).cloned().collect();
    let held = store::ledger::holdings_in(&mut tx, user).await?;
    let vault_assets: Vec<_> = coins.iter().map(|asset| VaultAsset { vault: user, asset: asset.id }).collect();
    let confirming: BTreeMap<_, _> =
        store::blocks::unconfirmed_incoming(&mut tx, &vault_assets).await?.into_iter().collect();
    let busy = Busy {
        adverts: !store::adverts::count_open(&mut tx, &[user]).await?.is_empty(),
        orders: !store::orders::count_open(&mut tx, &[user]).await?.is_empty(),
        stopped: data.money_stopped(),
    };
    let stops = store::stops::all(&mut tx).await?;
    let lines = coins.into_iter().map(|asset| {
        let sum = |kind: AccountKind| {
            held.iter()
                .filter(|(account, _)| account.asset == asset.id && account.kind == kind)
                .try_fold(Amount::ZERO, |sum, (_, amount)| sum.add(*amount))
                .map_err(Error::internal)
        };
        let temporary = sum(AccountKind::Temporary)?;
        let busy = Busy { stopped: busy.stopped || stops.iter().any(|stop| stop.asset == asset.id), ..busy };
        let (withdrawable, obstacle) = busy.withdrawal(&row, &asset, temporary, now);
        Ok(Line {
            temporary,
            in_adverts: sum(AccountKind::AdvertEscrow)?.add(sum(AccountKind::Prepayment)?).map_err(Error::internal)?,
            in_orders: sum(AccountKind::OrderEscrow)?,
            in_flight: sum(AccountKind::InFlight)?,
            confirming: confirming.get(&VaultAsset { vault: user, asset: asset.id }).copied().unwrap_or(Amount::ZERO),
            debt: sum(AccountKind::ReorganisationLoss)?,
            withdrawable,
            obstacle,
            asset,
        })
    });
    let lasting = Lasting {
        on: vec![Change::User(user), Change::Reference, Change::Platform],
        until: row.hold(now),
        deadlines: false,
    };
    Ok(Balance { vault: row.vault, bound: row.bound, lines: lines.collect::<Result<_>>()?, at: now, lasting })
}

/// Returns a user's temporary balance of an asset that is not promised to an open funding request.
pub(crate) async fn unpromised(tx: &mut Tx, vault_asset: VaultAsset) -> Result<Amount> {
    let balances = store::ledger::balances(tx, &[vault_asset.temporary()]).await?;
    let balance = balances.first().map_or(Amount::ZERO, |(_, balance)| *balance);
    let requests = store::funding::open_of(tx, &[vault_asset.vault]).await?;
    let promised = requests.iter().filter(|request| request.vault_asset == vault_asset).map(|request| request.funded);
    Ok(promised.fold(balance, Amount::saturating_sub))
}

/// The conditions that can prevent a withdrawal.
#[derive(Clone, Copy)]
struct Busy {
    adverts: bool,
    orders: bool,
    stopped: bool,
}

impl Busy {
    /// Returns the amount that the user can withdraw, or the obstacle. Uses the same check as the withdrawal itself.
    fn withdrawal(
        self,
        user: &User,
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
        match allowed(user, asset, available, self.adverts || self.orders, now) {
            Ok((_, amount)) => (Some(amount), None),
            Err(refusal) => {
                let obstacle = match refusal {
                    Refusal::BusyWithTrades if self.orders => Obstacle::Orders,
                    Refusal::BusyWithTrades => Obstacle::Adverts,
                    Refusal::HeldUntil { .. } => Obstacle::Hold,
                    Refusal::BelowGas { .. } | Refusal::BalanceShort { .. } => Obstacle::Dust,
                    Refusal::Identity(IdentityRefusal::NotBound) => Obstacle::Address,
                    Refusal::Risk(_) => Obstacle::Risk,
                    _ => Obstacle::Stopped,
                };
                (None, Some(obstacle))
            }
        }
    }
}
