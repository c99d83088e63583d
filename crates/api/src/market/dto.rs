//! What the hall shows.

use app::hall::Face;
use domain::money::Amount;
use domain::people::Person;
use domain::reputation::Record;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::enums::{AdvertKind, AdvertSide};

/// What a person's last 30 days say of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraderStats {
    /// Orders that were completed.
    orders30d: u32,
    /// The share of orders that were completed, from 0 to 1 as a decimal, of those that the person decided; null without any.
    completion_rate: Option<String>,
    /// Seconds from "paid" to the confirmation on average, rounded down; null without confirmations.
    average_confirm_seconds: Option<i64>,
}

impl From<&Record> for TraderStats {
    fn from(record: &Record) -> Self {
        let share = |ppm: u32| Amount::new(i128::from(ppm)).map(|amount| amount.format(6));
        Self {
            orders30d: record.completed,
            completion_rate: record.completion_ppm().and_then(|ppm| share(ppm).ok()),
            average_confirm_seconds: record.average_confirmation().map(|average| average.num_seconds()),
        }
    }
}

/// A person who trades, as everybody sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trader {
    /// Who.
    id: Uuid,
    /// The name that others see.
    nickname: String,
    /// ISO 3166-1, two letters.
    country_code: String,
    /// Granted by an officer: official guarantee, compensation on anomaly.
    certified: bool,
    /// Granted by an officer: official guarantee.
    verified: bool,
    /// At least 10 confirmations in 30 days, in less than 30 minutes on average.
    fast: bool,
    /// The last 30 days.
    stats: TraderStats,
}

impl Trader {
    /// A person with what their last 30 days say.
    pub fn new(person: &Person, record: &Record) -> Self {
        Self {
            id: person.id.0,
            nickname: person.nickname.clone().unwrap_or_default(),
            country_code: person.region.clone(),
            certified: person.certified,
            verified: person.verified,
            fast: record.fast(),
            stats: record.into(),
        }
    }
}

/// A payment method that an advert offers: enough to choose it, nothing to pay to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct OfferedMethod {
    /// On a SELL advert: the `paymentMethodId` of an order that is to be paid through it.
    id: Uuid,
    /// Its type.
    r#type: String,
}

/// An advert as a visitor sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HallAdvert {
    /// Its id.
    id: Uuid,
    /// The version that is shown.
    version: i64,
    /// What the advertiser does.
    side: AdvertSide,
    /// Who accepts, pays and confirms.
    kind: AdvertKind,
    /// The base's short name.
    base: String,
    /// The quote's short name.
    quote: String,
    /// Quote for one unit of the base, decimal.
    price: String,
    /// How much of the base can still be ordered, decimal.
    remaining: String,
    /// The least total that an order may have now, in the quote, decimal.
    order_min: String,
    /// The largest total that an order may have now, in the quote, decimal: the advert's own limit, or what remains.
    order_max: String,
    /// The types of payment method; empty for a coin as quote.
    method_types: Vec<String>,
    /// The advertiser's payment methods; empty for a coin as quote.
    methods: Vec<OfferedMethod>,
    /// What the advertiser says.
    remark: Option<String>,
    /// How long the buyer may take to pay, in minutes.
    window_minutes: i64,
    /// Who posted it.
    advertiser: Trader,
    /// Whether it is one's own: not to be ordered from.
    mine: bool,
}

impl From<&Face> for HallAdvert {
    fn from(face: &Face) -> Self {
        let (advert, terms) = (&face.advert, &face.advert.terms);
        let (base, quote) = &face.assets;
        let mut kinds: Vec<_> = terms.methods.iter().map(|method| method.kind.clone()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        Self {
            id: advert.id.0,
            version: advert.version,
            side: terms.side.into(),
            kind: AdvertKind::of(terms.automatic),
            base: base.code.clone(),
            quote: quote.code.clone(),
            price: terms.price.to_string(),
            remaining: advert.remaining.format(base.decimals),
            order_min: face.limits.min.format(quote.decimals),
            order_max: face.limits.max.format(quote.decimals),
            method_types: kinds,
            methods: terms
                .methods
                .iter()
                .map(|method| OfferedMethod { id: method.id.0, r#type: method.kind.clone() })
                .collect(),
            remark: terms.remark.clone(),
            window_minutes: terms.windows.payment.num_minutes(),
            advertiser: Trader::new(&face.owner, &face.record),
            mine: face.mine,
        }
    }
}
