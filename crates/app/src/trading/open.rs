//! Publishing an advert and placing an order: loads the additional data, checks it, and creates the entity.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use domain::adverts::{self, Advert};
use domain::assets::{Home, Pair, PairId};
use domain::chain::Address;
use domain::checks::{self, AdvertFacts, AdvertRequest, OrderFacts, OrderRequest};
use domain::identity::address;
use domain::identity::words::ForbiddenWords;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::VaultAsset;
use domain::money::{Amount, Price};
use domain::orders;
use domain::payment_methods::PaymentMethod;
use domain::people::Person;
use domain::refusal::Refusal;
use domain::trade::{Coin, Leg, Method, Side};
use store::Tx;

use super::changes::CommandChanges;
use super::command::{Actor, Command, CommandKind, PlaceOrder, PostAdvert, Size};
use super::unit_of_work::UnitOfWork;
use crate::idempotency::Response;

/// The data needed to open an advert or order, in addition to the locked rows.
#[derive(Default)]
pub(super) struct OpeningInputs {
    methods: BTreeMap<UserId, Vec<PaymentMethod>>,
    references: BTreeMap<PairId, Price>,
    will_request_funding: Vec<(OrderId, VaultAsset)>,
    own: BTreeSet<Address>,
    currencies: BTreeMap<String, String>,
    blocked: Vec<(UserId, UserId)>,
    words: ForbiddenWords,
    stopped: bool,
}

impl OpeningInputs {
    /// Loads the data for the set's new adverts and orders; empty if there are none.
    pub(super) async fn load(tx: &mut Tx, work: &UnitOfWork, set: &[Command]) -> store::Result<Self> {
        let asked = |command: &Command| matches!(command.actor, Actor::Person { .. });
        let stopped = set.iter().any(asked) && chain_stopped(tx).await?;
        let opens =
            |command: &&Command| matches!(command.what, CommandKind::PostAdvert(_) | CommandKind::PlaceOrder(_));
        let mut inputs = Self { stopped, ..Self::default() };
        let mut meetings = Vec::new();
        for command in set.iter().filter(opens) {
            let Actor::Person { user, .. } = &command.actor else { continue };
            if !inputs.methods.contains_key(user) {
                inputs.methods.insert(*user, store::payment_methods::of_user(tx, *user).await?);
            }
            if let CommandKind::PlaceOrder(order) = &command.what
                && let Some(advert) = work.adverts.get(&order.advert)
            {
                meetings.push((*user, advert.terms.owner));
            }
        }
        if inputs.methods.is_empty() {
            return Ok(inputs);
        }
        inputs.blocked = store::people::blocked(tx, &meetings).await?;
        let people = work.people.values().map(|person| (person.bound, &person.receiving));
        let adverts = work.adverts.values().map(|advert| (Some(advert.terms.bound), &advert.terms.receiving));
        let addresses: Vec<_> = people
            .chain(adverts)
            .flat_map(|(bound, receiving)| [bound, receiving.as_ref().and_then(|to| address::payload(&to.address))])
            .flatten()
            .collect();
        inputs.own = store::catalog::own_addresses(tx, &addresses).await?.into_iter().collect();
        inputs.references = store::market::references(tx).await?.into_iter().collect();
        // Their rows are locked, so no other transaction places or accepts an order of theirs before this set is
        // written.
        let openers: Vec<_> = inputs.methods.keys().copied().collect();
        inputs.will_request_funding = store::orders::will_request_funding(tx, &openers).await?;
        if set.iter().any(|command| matches!(&command.what, CommandKind::PostAdvert(wanted) if wanted.remark.is_some()))
        {
            let words = store::identity::accounts::forbidden_words(tx).await?;
            inputs.words = ForbiddenWords::new(words.iter().map(String::as_str));
        }
        let regions = store::identity::regions::all(tx).await?;
        inputs.currencies =
            regions.into_iter().filter(|r| r.enabled).map(|region| (region.code, region.currency)).collect();
        Ok(inputs)
    }

    /// Whether the pair is available in the user's region. Coins trade everywhere, fiat currencies only in their own
    /// regions.
    fn region_supported(&self, person: &Person, pair: Option<&Pair>) -> bool {
        pair.is_none_or(|pair| {
            !matches!(pair.quote.home, Home::Fiat) || self.currencies.get(&person.region) == Some(&pair.quote.code)
        })
    }

    /// A user's payment methods in the pair's currency.
    fn methods(&self, user: UserId, pair: Option<&Pair>) -> Vec<Method> {
        let mine = self.methods.get(&user).into_iter().flatten();
        mine.filter(|method| pair.is_some_and(|pair| pair.quote.code == method.currency))
            .map(|method| Method { id: method.id, kind: method.kind.clone() })
            .collect()
    }

    /// Refuses commands that move money while the chain is unavailable or is not the expected one.
    fn money_moves(&self) -> Result<(), Refusal> {
        if self.stopped { Err(Refusal::MoneyStopped) } else { Ok(()) }
    }

    /// Refuses a user's command if it moves money that cannot move now. The clock's and the chain's changes are always
    /// admitted: their payouts wait.
    pub(super) fn admits(
        &self,
        command: &Command,
        decided: (CommandChanges, Response),
    ) -> Result<(CommandChanges, Response), Refusal> {
        let (changes, _) = &decided;
        let moves = !changes.postings.is_empty() || !changes.payouts.is_empty();
        if moves && matches!(command.actor, Actor::Person { .. }) {
            self.money_moves()?;
        }
        Ok(decided)
    }
}

/// Whether the chain is unavailable or is not the expected one.
async fn chain_stopped(tx: &mut Tx) -> store::Result<bool> {
    Ok(store::catalog::escrow_chain(tx).await?.is_none_or(|chain| chain.stopped_because.is_some()))
}

/// Whether a user has an open funding request for the asset, or will have one once one of their orders is accepted. For
/// orders in the set, the state in the set takes precedence over the database.
fn funding_requests(work: &UnitOfWork, inputs: &OpeningInputs, vault_asset: VaultAsset) -> bool {
    let will_request_funding = |order: &&orders::Order| {
        !order.terms.automatic()
            && order.terms.side == Side::Buy
            && matches!(order.state, orders::State::AwaitingAcceptance { .. })
            && order.terms.vault_asset(Leg::Base) == vault_asset
    };
    let before = |(order, funded): &(OrderId, VaultAsset)| *funded == vault_asset && !work.orders.contains_key(order);
    work.funding_requests.iter().any(|request| request.vault_asset == vault_asset)
        || work.orders.values().any(|order| will_request_funding(&order))
        || inputs.will_request_funding.iter().any(before)
}

pub(super) fn advert(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    inputs: &OpeningInputs,
    user: UserId,
    wanted: &PostAdvert,
) -> Result<Response, Refusal> {
    inputs.money_moves()?;
    let person = work.person(user)?;
    let pair = work.pairs.get(&wanted.pair);
    let escrowed = match (wanted.side, wanted.automatic) {
        (Side::Sell, _) => pair.map(|pair| pair.base.id),
        (Side::Buy, true) => pair.map(|pair| pair.quote.id),
        (Side::Buy, false) => None,
    };
    let request = AdvertRequest {
        side: wanted.side,
        automatic: wanted.automatic,
        price: wanted.price,
        quantity: wanted.quantity,
        min_total: wanted.min_total,
        max_total: wanted.max_total,
        methods: wanted.methods.clone(),
        payment_window: wanted.payment_minutes.map(|minutes| Duration::minutes(i64::from(minutes))),
        remark: wanted.remark.clone(),
    };
    let terms = checks::advert(
        &AdvertFacts {
            now: work.now,
            signed_in: true,
            person,
            pair,
            region_supported: inputs.region_supported(person, pair),
            own: &inputs.own,
            reference: inputs.references.get(&wanted.pair).copied(),
            methods: &inputs.methods(user, pair),
            funding_request_open: escrowed
                .is_some_and(|asset| funding_requests(work, inputs, VaultAsset { vault: user, asset })),
            adverts: work.open_adverts.get(&user).copied().unwrap_or(0),
            words: &inputs.words,
        },
        &request,
    )?;
    let posted = adverts::post(AdvertId(work.fresh()), terms, person.online)?;
    let response = Response { id: Some(posted.advert.id.0), version: posted.advert.version };
    changes.advert_changed(work, posted.advert, posted.effects)?;
    Ok(response)
}

pub(super) fn order(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    inputs: &OpeningInputs,
    user: UserId,
    wanted: &PlaceOrder,
) -> Result<Response, Refusal> {
    inputs.money_moves()?;
    let advert = changes.advert(work, wanted.advert)?;
    let (taker, advertiser) = (work.person(user)?, work.person(advert.terms.owner)?);
    let pair = work.pairs.get(&advert.terms.pair);
    let sent = taker_sends(&advert).map(|coin| VaultAsset { vault: user, asset: coin.asset });
    let request =
        OrderRequest { price: wanted.price, quantity: quantity(&advert, wanted)?, method: wanted.method, kind: None };
    let terms = checks::order(
        &OrderFacts {
            now: work.now,
            signed_in: true,
            taker,
            advertiser,
            advert: &advert,
            pair,
            region_supported: inputs.region_supported(taker, pair),
            own: &inputs.own,
            reference: inputs.references.get(&advert.terms.pair).copied(),
            methods: &inputs.methods(user, pair),
            funding_request_open: sent.is_some_and(|vault_asset| funding_requests(work, inputs, vault_asset)),
            orders: work.running_orders.get(&user).copied().unwrap_or(0),
            blocked: inputs.blocked.contains(&(user, advert.terms.owner)),
        },
        &request,
    )?;
    let (quantity, escrow) = terms.taken();
    changes.advert_event(work, advert.id, &adverts::Event::OrderPlaced { quantity, escrow })?;
    let placed = orders::open(OrderId(work.fresh()), terms)?;
    let response = Response { id: Some(placed.order.id.0), version: placed.order.version };
    changes.order_changed(work, placed.order, placed.effects)?;
    Ok(response)
}

/// The coin that the taker deposits: the quote for an automatic sell advert, the base for any buy advert.
fn taker_sends(advert: &Advert) -> Option<Coin> {
    match (advert.terms.side, advert.terms.automatic) {
        (Side::Sell, true) => Some(advert.terms.quote),
        (Side::Sell, false) => None,
        (Side::Buy, _) => Some(advert.terms.base),
    }
}

/// The ordered quantity of the base.
fn quantity(advert: &Advert, wanted: &PlaceOrder) -> Result<Amount, Refusal> {
    let terms = &advert.terms;
    quantity_at(wanted.size, terms.price, terms.base.decimals, terms.quote.decimals)
}

/// The quantity of the base that a size means at a price. A total is converted to the quantity that costs exactly the
/// total, or else to the largest quantity that the total covers.
pub(crate) fn quantity_at(size: Size, price: Price, base_decimals: u8, quote_decimals: u8) -> Result<Amount, Refusal> {
    match size {
        Size::Quantity(quantity) => Ok(quantity),
        Size::Total(total) => price
            .quantity(total, base_decimals, quote_decimals)
            .map_err(|_| Refusal::Invalid { field: "total", reason: "out of range" }),
    }
}
