//! Loads the data needed to publish adverts and place orders, in addition to the locked rows.

use std::collections::{BTreeMap, BTreeSet};

use domain::assets::{AssetId, Home, Pair, PairId};
use domain::chain::{Address, Token};
use domain::checks::AdvertRequest;
use domain::identity::address;
use domain::ids::{AdvertId, OrderId, PaymentMethodId, UserId};
use domain::ledger::VaultAsset;
use domain::nfts::Nft;
use domain::orders::{Order, State};
use domain::payment_methods::PaymentMethod;
use domain::refusal::Refusal;
use domain::trade::{Leg, Method, Side};
use store::Tx;

use super::changes::CommandChanges;
use super::unit_of_work::UnitOfWork;
use crate::reputation::records_at;

/// An advert that a user publishes, or an order that a user places.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Opening {
    Advert {
        user: UserId,
        /// The pair of the album and the token ID of the NFT to sell.
        nft: Option<(PairId, [u8; 32])>,
    },
    Order {
        user: UserId,
        advert: AdvertId,
    },
}

#[derive(Default)]
pub(crate) struct OpeningInputs {
    methods: BTreeMap<UserId, Vec<PaymentMethod>>,
    /// The account holders of the takers' payment methods, and of those of the advertisers who buy.
    pub(crate) holders: BTreeMap<PaymentMethodId, String>,
    /// The number of orders completed in 30 days by each taker of whom an advertiser requires a number.
    pub(crate) completed: BTreeMap<UserId, u32>,
    will_request_funding: Vec<(OrderId, VaultAsset)>,
    /// The addresses in the set that belong to the platform.
    pub(crate) own: BTreeSet<Address>,
    /// The pairs of a taker and an advertiser in which one user has blocked the other.
    pub(crate) blocked: Vec<(UserId, UserId)>,
    /// Whether the chain is unavailable or is not the expected one.
    stopped: bool,
    /// The NFTs to sell that exist, by their albums' contracts and token IDs.
    nfts: BTreeMap<(Address, [u8; 32]), Nft>,
    /// The NFTs to sell, to buy or of orders to accept whose payouts are stopped.
    stopped_nfts: BTreeSet<AssetId>,
}

impl OpeningInputs {
    /// Loads the data for the set's new adverts and orders, and for the orders that it accepts. If there are none, loads only
    /// whether money can move. `of_users` is whether the set has any command of a user.
    pub(crate) async fn load(
        tx: &mut Tx,
        work: &UnitOfWork,
        (openings, accepted): (&[Opening], &[OrderId]),
        of_users: bool,
    ) -> store::Result<Self> {
        let stopped = of_users && work.reference_data.money_stopped();
        let mut inputs = Self { stopped, ..Self::default() };
        let mut meetings = Vec::new();
        let mut buying = Vec::new();
        let mut counted = Vec::new();
        for opening in openings {
            let (Opening::Advert { user, .. } | Opening::Order { user, .. }) = opening;
            inputs.methods.entry(*user).or_default();
            if let Opening::Order { user, advert } = opening
                && let Some(advert) = work.adverts.get(advert)
            {
                meetings.push((*user, advert.terms.owner));
                if advert.terms.options.taker.completed_orders.is_some() {
                    counted.push(*user);
                }
                if advert.terms.side == Side::Buy {
                    buying.extend(advert.terms.methods.iter().map(|method| method.id));
                }
            }
        }
        inputs.nfts = nfts_to_sell(tx, work, openings).await?;
        let bought = openings.iter().filter_map(|opening| nft_to_buy(work, opening));
        let accepted = accepted.iter().filter_map(|order| nft_of(work, *order));
        let sold = inputs.nfts.values().map(|nft| nft.asset.id);
        let traded: Vec<_> = bought.chain(accepted).chain(sold).collect();
        inputs.stopped_nfts = store::stops::among(tx, &traded).await?.into_iter().collect();
        if inputs.methods.is_empty() {
            return Ok(inputs);
        }
        let openers: Vec<_> = inputs.methods.keys().copied().collect();
        for method in store::payment_methods::of_users(tx, &openers).await? {
            inputs.methods.entry(method.user).or_default().push(method);
        }
        let named = |method: &PaymentMethod| Some((method.id, method.holder()?.to_owned()));
        inputs.holders = inputs.methods.values().flatten().filter_map(named).collect();
        if !buying.is_empty() {
            // A payment method does not change while an advert uses it.
            inputs.holders.extend(store::payment_methods::by_ids(tx, &buying).await?.iter().filter_map(named));
        }
        if !counted.is_empty() {
            let records = records_at(tx, &counted, work.now).await?;
            inputs.completed = records.into_iter().map(|(user, record)| (user, record.completed)).collect();
        }
        if !meetings.is_empty() {
            inputs.blocked = store::users::blocked(tx, &meetings).await?;
        }
        let users = work.users.values().map(|user| (user.bound, &user.receiving));
        let adverts = work.adverts.values().map(|advert| (Some(advert.terms.bound), &advert.terms.receiving));
        let addresses: Vec<_> = users
            .chain(adverts)
            .flat_map(|(bound, receiving)| [bound, receiving.as_ref().and_then(|to| address::payload(&to.address))])
            .flatten()
            .collect();
        inputs.own = store::catalog::own_addresses(tx, &addresses).await?.into_iter().collect();
        // The users' rows are locked, so no other transaction places or accepts an order of these users before this set
        // is written.
        inputs.will_request_funding = store::orders::will_request_funding(tx, &openers).await?;
        Ok(inputs)
    }

    /// Returns the NFTs that the set's new adverts sell.
    pub(crate) fn nfts(&self) -> Vec<Nft> {
        self.nfts.values().cloned().collect()
    }

    /// Returns the pair for which an advert asks. For an NFT that exists, this is its own pair and not that of its album.
    pub(crate) fn pair(&self, work: &UnitOfWork, wanted: &AdvertRequest) -> Option<Pair> {
        let pair = work.reference_data.pairs.get(&wanted.pair)?;
        let nft = contract(pair).zip(wanted.nft).and_then(|nft| self.nfts.get(&nft));
        Some(nft.map_or_else(|| pair.clone(), |nft| pair.of_nft(&nft.asset)))
    }

    /// Returns a user's payment methods in the pair's currency.
    pub(crate) fn methods(&self, user: UserId, pair: Option<&Pair>) -> Vec<Method> {
        let mine = self.methods.get(&user).into_iter().flatten();
        mine.filter(|method| pair.is_some_and(|pair| pair.quote.code == method.currency))
            .map(|method| Method { id: method.id, kind: method.kind.clone() })
            .collect()
    }

    /// Refuses commands that move money while the chain is unavailable or is not the expected one.
    pub(crate) fn money_moves(&self) -> Result<(), Refusal> {
        if self.stopped { Err(Refusal::MoneyStopped) } else { Ok(()) }
    }

    /// Refuses to begin the trade of an NFT whose payouts are stopped: unlike a coin, it cannot come from elsewhere.
    pub(crate) fn check_deliverable(&self, base: AssetId) -> Result<(), Refusal> {
        if self.stopped_nfts.contains(&base) { Err(Refusal::MoneyStopped) } else { Ok(()) }
    }

    /// Refuses the changes of a user's command if they move money while money cannot move. Always accepts changes by
    /// the clock and the chain; their payouts wait.
    pub(crate) fn admits(&self, changes: &CommandChanges) -> Result<(), Refusal> {
        let moves = !changes.postings.is_empty() || !changes.payouts.is_empty();
        if moves && changes.actor.is_some() { self.money_moves() } else { Ok(()) }
    }

    /// Returns whether a user has an open funding request for the asset, or an order that will open such a request when
    /// it is accepted. For orders in the set, the state in the set takes precedence over the database.
    pub(crate) fn requests_funding(&self, work: &UnitOfWork, vault_asset: VaultAsset) -> bool {
        let will_request_funding = |order: &Order| {
            !order.terms.automatic()
                && order.terms.side == Side::Buy
                && matches!(order.state, State::AwaitingAcceptance { .. })
                && order.terms.vault_asset(Leg::Base) == vault_asset
        };
        let before =
            |(order, funded): &(OrderId, VaultAsset)| *funded == vault_asset && !work.orders.contains_key(order);
        work.funding_requests.of(vault_asset).next().is_some()
            || work.orders.values().any(will_request_funding)
            || self.will_request_funding.iter().any(before)
    }
}

/// Returns the contract of the album whose NFTs a pair sells.
fn contract(pair: &Pair) -> Option<Address> {
    match pair.base.home {
        Home::Album { contract, .. } => Some(contract),
        _ => None,
    }
}

/// Returns the NFT that a new order buys.
fn nft_to_buy(work: &UnitOfWork, opening: &Opening) -> Option<AssetId> {
    let Opening::Order { advert, .. } = opening else { return None };
    let terms = &work.adverts.get(advert)?.terms;
    work.reference_data.pairs.get(&terms.pair)?.of_nfts().then_some(terms.base.asset)
}

/// Returns the NFT of an order.
fn nft_of(work: &UnitOfWork, order: OrderId) -> Option<AssetId> {
    let terms = &work.orders.get(&order)?.terms;
    work.reference_data.pairs.get(&terms.pair)?.of_nfts().then_some(terms.base.asset)
}

/// Returns the NFTs of the set's new adverts that exist.
async fn nfts_to_sell(
    tx: &mut Tx,
    work: &UnitOfWork,
    openings: &[Opening],
) -> store::Result<BTreeMap<(Address, [u8; 32]), Nft>> {
    let wanted = openings.iter().filter_map(|opening| match opening {
        Opening::Advert { nft: Some((pair, id)), .. } => {
            Some(Token::Erc721(contract(work.reference_data.pairs.get(pair)?)?, *id))
        }
        _ => None,
    });
    let wanted: Vec<_> = wanted.collect();
    let Some(chain) = work.reference_data.chain.as_ref().filter(|_| !wanted.is_empty()) else {
        return Ok(BTreeMap::new());
    };
    let nfts = store::nfts::existing(tx, chain.id, &wanted).await?;
    Ok(nfts.into_iter().filter_map(|nft| Some((nft.asset.nft()?, nft))).collect())
}
