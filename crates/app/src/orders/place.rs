//! Places an order on an advert.

use domain::adverts::{self, Advert};
use domain::checks::{self, OrderFacts, OrderRequest};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId, PaymentMethodId, UserId};
use domain::ledger::VaultAsset;
use domain::money::{Amount, Price};
use domain::order_log::{Content, Draft};
use domain::orders;
use domain::refusal::Refusal;
use domain::trade::{Coin, Leg};
use domain::users::User;

use crate::engine::changes::CommandChanges;
use crate::engine::idempotency::Response;
use crate::engine::opening::OpeningInputs;
use crate::engine::unit_of_work::UnitOfWork;
use crate::wallet::fund_from_balance::{self, Free};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceOrder {
    pub advert: AdvertId,
    pub size: Size,
    /// The price that the taker saw.
    pub price: Price,
    /// The fee that the taker saw, if any.
    pub fee: Option<Amount>,
    /// The advertiser's payment method that the taker chose, for fiat only.
    pub method: Option<PaymentMethodId>,
    /// The taker's own payment method from which the taker pays, for buying with fiat only.
    pub payer: Option<PaymentMethodId>,
    /// Whether the taker has proved the security password, which an order that claims temporary balance requires.
    pub password_verified: bool,
}

impl PlaceOrder {
    /// Returns an order at a price, whatever its fee, that is paid with any method and claims no temporary balance.
    pub fn new(advert: AdvertId, size: Size, price: Price) -> Self {
        Self { advert, size, price, fee: None, method: None, payer: None, password_verified: false }
    }
}

/// The size of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// An amount of the base.
    Quantity(Amount),
    /// An amount of the quote, which determines the quantity of the base.
    Total(Amount),
}

impl Size {
    /// Returns the quantity of the base at a price. Converts a total to the quantity that costs exactly this total, or
    /// else to the largest quantity that it covers.
    pub(crate) fn quantity(self, price: Price, base_decimals: u8, quote_decimals: u8) -> Result<Amount, Refusal> {
        match self {
            Self::Quantity(quantity) => Ok(quantity),
            Self::Total(total) => price
                .quantity(total, base_decimals, quote_decimals)
                .map_err(|_| Refusal::Invalid { field: "total", reason: "out of range" }),
        }
    }
}

pub(crate) fn place(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    (opening, free): (&OpeningInputs, &Free),
    user: UserId,
    wanted: &PlaceOrder,
) -> Result<Response, Refusal> {
    opening.money_moves()?;
    let advert = changes.advert(work, wanted.advert)?;
    opening.check_deliverable(advert.terms.base.asset)?;
    let (taker, advertiser) = (work.user(user)?, work.user(advert.terms.owner)?);
    let pair = work.reference_data.pairs.get(&advert.terms.pair);
    let sent = taker_sends(&advert).map(|coin| VaultAsset { vault: user, asset: coin.asset });
    let prefunding = sent
        .filter(|_| advert.terms.automatic && work.must_prefund(user).is_ok_and(|must| must))
        .map(|vault_asset| free.unpromised(work, vault_asset));
    let quantity = wanted.size.quantity(advert.terms.price, advert.terms.base.decimals, advert.terms.quote.decimals)?;
    let request = OrderRequest {
        price: wanted.price,
        fee: wanted.fee,
        quantity,
        method: wanted.method,
        payer: wanted.payer,
        kind: None,
    };
    let terms = checks::order(
        &OrderFacts {
            now: work.now,
            signed_in: true,
            taker,
            advertiser,
            advert: &advert,
            pair,
            region_supported: work.reference_data.region_supported(taker, pair),
            own: &opening.own,
            methods: &opening.methods(user, pair),
            holders: &opening.holders,
            funding_request_open: sent.is_some_and(|vault_asset| opening.requests_funding(work, vault_asset)),
            orders: work.running_orders.get(&user).copied().unwrap_or(0),
            completed: opening.completed.get(&user).copied().unwrap_or(0),
            blocked: opening.blocked.contains(&(user, advert.terms.owner)),
            prefunding,
        },
        &request,
    )?;
    if prefunding.is_some() && !wanted.password_verified {
        return Err(Refusal::Invalid { field: "securityCode", reason: "required" });
    }
    let (quantity, escrow) = terms.taken();
    changes.advert_event(work, advert.id, &adverts::Event::OrderPlaced { quantity, escrow })?;
    let placed = orders::open(OrderId(work.fresh()), terms)?;
    let (id, author) = (placed.order.id, placed.order.terms.party(advertiser.id));
    changes.order_changed(work, placed.order, placed.effects)?;
    changes.log.extend(automatic_reply(work, advertiser).map(|content| (id, Draft { author, content })));
    if prefunding.is_some() {
        fund_from_balance::fund_whole(changes, work, FundingTarget::Order(id))?;
    }
    Ok(Response { id: Some(id.0), version: changes.order(work, id)?.version })
}

/// Returns the advertiser's automatic reply.
fn automatic_reply(work: &UnitOfWork, advertiser: &User) -> Option<Content> {
    let text = advertiser.automatic_reply.clone()?;
    let warnings = work.reference_data.warning_words.warnings(&text);
    Some(Content::Message { text, files: Vec::new(), warnings, automatic: true })
}

/// Returns the coin that the taker deposits for an order.
pub(crate) fn taker_sends(advert: &Advert) -> Option<Coin> {
    let terms = &advert.terms;
    terms.side.advertiser().other().deposits(terms.automatic).map(|leg| match leg {
        Leg::Base => terms.base,
        Leg::Quote => terms.quote,
    })
}
