//! DTOs of the hall.

use app::market::hall::{Face, Render, Row};
use domain::adverts::{Limits, TakerRequirement};
use domain::assets::{Asset, Pair};
use domain::market::Offer;
use domain::money::Amount;
use domain::reputation::Record;
use domain::users::Profile;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::adverts::dto::AdvertFacts;
use crate::requirements::MissingRequirement;

/// A pair by the codes of its assets.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PairQuery {
    /// The code of the base.
    pub(super) base: String,
    /// The code of the quote.
    pub(super) quote: String,
}

/// The volume that a user traded of a coin.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TradedVolume {
    /// The code of the coin.
    asset: String,
    /// The quantity, as a decimal string.
    amount: String,
}

impl From<&(Asset, Amount)> for TradedVolume {
    fn from((asset, amount): &(Asset, Amount)) -> Self {
        Self { asset: asset.code.clone(), amount: amount.format(asset.decimals) }
    }
}

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
    /// The number of payments to the user that were confirmed, or released by a verdict.
    confirmations: u32,
    /// Those of the confirmations that came after the deadline.
    late_confirmations: u32,
    /// The share of the orders placed with the user that the user accepted, rather than rejecting them or letting them pass, as
    /// a decimal string from 0 to 1; null without such orders. Automatic orders and orders that the taker cancelled in time do
    /// not count.
    acceptance_rate: Option<String>,
}

impl From<&Record> for TraderStats {
    fn from(record: &Record) -> Self {
        let share = |ppm: u32| Amount::new(i128::from(ppm)).map(|amount| amount.format(6));
        Self {
            orders30d: record.completed,
            completion_rate: record.completion_ppm().and_then(|ppm| share(ppm).ok()),
            average_confirm_seconds: record.average_confirmation().map(|average| average.num_seconds()),
            confirmations: record.confirmations,
            late_confirmations: record.late,
            acceptance_rate: record.acceptance_ppm().and_then(|ppm| share(ppm).ok()),
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
    pub(crate) fn new(profile: &Profile, record: &Record) -> Self {
        Self {
            id: profile.id.0,
            nickname: profile.nickname.clone().unwrap_or_default(),
            country_code: profile.region.clone(),
            certified: profile.certified,
            verified: profile.verified,
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
    #[serde(flatten)]
    facts: AdvertFacts,
    /// The types of the advert's payment methods; empty if the quote is a coin.
    method_types: Vec<String>,
    /// The advertiser's payment methods; empty if the quote is a coin.
    methods: Vec<OfferedMethod>,
    advertiser: Trader,
    /// Whether the user owns the advert and therefore can't order from it.
    mine: bool,
}

impl HallAdvert {
    fn new(offer: &Offer, pair: &Pair, limits: Option<Limits>, advertiser: Trader, mine: bool) -> Self {
        Self {
            facts: AdvertFacts::new(offer, (&pair.base, &pair.quote), limits),
            method_types: offer.kinds(),
            methods: offer
                .methods
                .iter()
                .map(|method| OfferedMethod { id: method.id.0, r#type: method.kind.clone() })
                .collect(),
            advertiser,
            mine,
        }
    }
}

/// An advert from which a user might order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OrderableAdvert {
    #[serde(flatten)]
    advert: HallAdvert,
    /// What the user lacks to order from the advert; empty for its owner and without a session.
    missing: Vec<MissingRequirement>,
    /// Those of the advertiser's requirements that the user does not meet; empty for its owner and without a session.
    unmet: Vec<TakerRequirement>,
}

impl From<&Face> for OrderableAdvert {
    fn from(face: &Face) -> Self {
        let advertiser = Trader::new(&face.owner, &face.record);
        let advert = HallAdvert::new(&face.offer, &face.pair, face.limits, advertiser, face.mine);
        Self { advert, missing: face.missing.iter().map(MissingRequirement::from).collect(), unmet: face.unmet.clone() }
    }
}

/// The name before the advertiser in the JSON of an advert, and what follows the advertiser: the pages of the hall show
/// nobody their own adverts.
const ADVERTISER: &str = r#""advertiser":"#;
const END: &[u8] = br#","mine":false}"#;
const END_MINE: &[u8] = br#","mine":true}"#;

/// Renders the rows of the hall in two parts: the JSON of an advert up to its advertiser, and the advertiser.
#[derive(Debug, Clone, Copy, Default)]
pub struct HallRows;

impl Render for HallRows {
    fn advert(&self, offer: &Offer, pair: &Pair, limits: Limits) -> Vec<u8> {
        let nobody = Trader {
            id: Uuid::nil(),
            nickname: String::new(),
            country_code: String::new(),
            certified: false,
            verified: false,
            fast: false,
            stats: (&Record::default()).into(),
        };
        let mut json = json(&HallAdvert::new(offer, pair, Some(limits), nobody, false));
        // In a remark, the quotation marks would be escaped.
        let end = json.rfind(ADVERTISER).map_or(0, |at| at.saturating_add(ADVERTISER.len()));
        json.truncate(end);
        json.into_bytes()
    }

    fn owner(&self, profile: &Profile, record: &Record) -> Vec<u8> {
        json(&Trader::new(profile, record)).into_bytes()
    }
}

/// Serializing a DTO fails only for maps whose keys are not text, which DTOs do not contain.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Appends the JSON of an advert, which may be the visitor's own.
pub(super) fn append(json: &mut Vec<u8>, row: &Row, mine: bool) {
    json.extend_from_slice(&row.advert);
    json.extend_from_slice(&row.owner);
    json.extend_from_slice(if mine { END_MINE } else { END });
}
