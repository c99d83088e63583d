//! DTOs of the hall.

use app::market::hall::Face;
use domain::money::Amount;
use domain::people::Person;
use domain::reputation::Record;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::enums::{AdvertKind, AdvertSide};

/// The statistics of a user's last 30 days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraderStats {
    /// The number of completed orders.
    orders30d: u32,
    /// The share of completed orders among those that the user decided, as a decimal string from 0 to 1; null without
    /// orders.
    completion_rate: Option<String>,
    /// The average time from the payment to its confirmation, in whole seconds, rounded down; null without
    /// confirmations.
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

/// The public profile of a trader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trader {
    id: Uuid,
    nickname: String,
    /// The ISO 3166-1 alpha-2 code of the country.
    country_code: String,
    /// Whether an officer has certified the trader: official guarantee, compensation on anomaly.
    certified: bool,
    /// Whether an officer has verified the trader: official guarantee.
    verified: bool,
    /// Whether the trader made at least 10 confirmations in 30 days, in less than 30 minutes on average.
    fast: bool,
    stats: TraderStats,
}

impl Trader {
    pub(crate) fn new(person: &Person, record: &Record) -> Self {
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

/// A payment method that an advert offers, without the details needed to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct OfferedMethod {
    /// The ID of the method. For a `SELL` advert, it is the `paymentMethodId` of an order to be paid through this
    /// method.
    id: Uuid,
    /// The type of the method.
    r#type: String,
}

/// An advert, as other users see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HallAdvert {
    id: Uuid,
    /// The version of the advert that is shown.
    version: i64,
    /// Whether the advertiser sells or buys the base.
    side: AdvertSide,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    kind: AdvertKind,
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// The price of one unit of the base, in the quote, as a decimal string.
    price: String,
    /// The quantity of the base that can still be ordered, as a decimal string.
    remaining: String,
    /// The minimum total of an order now, in the quote, as a decimal string.
    order_min: String,
    /// The maximum total of an order now, in the quote, as a decimal string: the advert's own limit or the remaining
    /// quantity, whichever is smaller.
    order_max: String,
    /// The types of the advert's payment methods; empty if the quote is a coin.
    method_types: Vec<String>,
    /// The advertiser's payment methods; empty if the quote is a coin.
    methods: Vec<OfferedMethod>,
    /// The advertiser's note.
    remark: Option<String>,
    /// The time that the buyer has to pay, in minutes.
    window_minutes: i64,
    advertiser: Trader,
    /// Whether the user owns the advert and therefore can't order from it.
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
