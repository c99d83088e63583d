//! Publishes an advert.

use chrono::Duration;
use domain::adverts;
use domain::assets::PairId;
use domain::checks::{self, AdvertFacts, AdvertRequest};
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::ledger::VaultAsset;
use domain::money::{Amount, Price};
use domain::refusal::Refusal;
use domain::trade::Side;

use crate::idempotency::Response;
use crate::trading::changes::CommandChanges;
use crate::trading::opening::OpeningInputs;
use crate::trading::unit_of_work::UnitOfWork;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostAdvert {
    pub pair: PairId,
    pub side: Side,
    /// Whether the platform accepts, pays and confirms.
    pub automatic: bool,
    /// In the base.
    pub quantity: Amount,
    /// In the quote, per whole unit of the base.
    pub price: Price,
    /// The smallest total of an order, in the quote.
    pub min_total: Amount,
    /// The largest total of an order, in the quote.
    pub max_total: Amount,
    /// How the owner receives or makes payments in fiat.
    pub methods: Vec<PaymentMethodId>,
    pub remark: Option<String>,
    /// How long buyers may take to pay, within the pair's bounds. `None` means the pair's default.
    pub payment_minutes: Option<u32>,
}

pub(crate) fn post(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    opening: &OpeningInputs,
    user: UserId,
    wanted: &PostAdvert,
) -> Result<Response, Refusal> {
    opening.money_moves()?;
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
            region_supported: opening.region_supported(person, pair),
            own: &opening.own,
            reference: opening.references.get(&wanted.pair).copied(),
            methods: &opening.methods(user, pair),
            funding_request_open: escrowed
                .is_some_and(|asset| opening.requests_funding(work, VaultAsset { vault: user, asset })),
            adverts: work.open_adverts.get(&user).copied().unwrap_or(0),
            words: &opening.words,
        },
        &request,
    )?;
    let posted = adverts::post(AdvertId(work.fresh()), terms, person.online)?;
    let response = Response { id: Some(posted.advert.id.0), version: posted.advert.version };
    changes.advert_changed(work, posted.advert, posted.effects)?;
    Ok(response)
}
