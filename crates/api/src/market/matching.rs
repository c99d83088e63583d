//! Matching: the adverts that can take a trade, and why others cannot.

use std::sync::Arc;

use app::Context;
use app::market::hall::{self, Hall, Match, Matched};
use app::orders::Size;
use axum::extract::State;
use domain::ids::AdvertId;
use domain::market::Misfit;
use domain::money::Amount;
use domain::trade::Side;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::dto::{HallAdvert, append};
use super::hall::{methods, pair, positive};
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Body, MaybeUser};
use crate::requirements::MissingRequirement;
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(matching))
}

/// The trade for which to find adverts.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MatchBody {
    /// Whether the advertisers sell or buy the base: `SELL` for a user who wants to buy.
    side: Side,
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// The quantity of the base, as a decimal string. Provide either this or `amount`.
    quantity: Option<String>,
    /// The amount of the quote, as a decimal string. Provide either this or `quantity`.
    amount: Option<String>,
    /// The types of payment methods of which the advert must offer one, at most 20. Defaults to any.
    #[serde(default)]
    #[schema(max_items = 20)]
    methods: Vec<String>,
    /// An advert that is listed in any case, to learn whether it can fill the trade.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    advert_id: Option<AdvertId>,
}

/// An advert, and whether it can fill the whole trade.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MatchedAdvert {
    #[schema(value_type = HallAdvert)]
    advert: Box<RawValue>,
    /// The quantity of the base that the order would have, as a decimal string; null if the trade is too small or too large for
    /// the price.
    quantity: Option<String>,
    /// The amount that the buyer would pay, in the quote, as a decimal string.
    total: Option<String>,
    /// The fee, in the base, as a decimal string. It would be deducted from the quantity.
    fee: Option<String>,
    /// The quantity that the buyer would receive after the fee, as a decimal string.
    receives: Option<String>,
    /// Whether the price is far from the market: outside the price band for new ads.
    outside_price_band: bool,
    /// Why the user can't order the trade from this advert; empty if nothing prevents it.
    misfits: Vec<Misfit>,
}

/// The adverts for a trade.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Matches {
    /// Up to 20 adverts that can fill the whole trade, and then up to 10 of the others.
    adverts: Vec<MatchedAdvert>,
    /// What the user lacks to order from any of them; empty without a session.
    missing: Vec<MissingRequirement>,
    /// Whether the user has no payment method in the quote, without which no order can be placed. False without a session.
    needs_payment_method: bool,
}

/// Lists the adverts that can fill the whole trade, and explains why others cannot.
///
/// The best adverts come first: by price, then completion rate, then speed. Those that can fill the trade come before the others.
#[utoipa::path(post, path = "/c2c/advert/match", tag = "market", request_body = MatchBody,
    responses((status = 200, body = Envelope<Matches>)))]
async fn matching(
    State(context): State<Context>,
    State(hall): State<Arc<Hall>>,
    MaybeUser(user): MaybeUser,
    Body(body): Body<MatchBody>,
) -> Answer<Matches> {
    let pair = pair(&context, &hall, &body.base, &body.quote).await?;
    let (base, quote) = (pair.base_decimals, pair.quote_decimals);
    let size = match (&body.quantity, &body.amount) {
        (Some(quantity), None) => Size::Quantity(positive("quantity", quantity, base)?),
        (None, Some(amount)) => Size::Total(positive("amount", amount, quote)?),
        _ => return Err(ApiError::invalid("quantity", "either quantity or amount is needed")),
    };
    let kinds = methods(&hall, body.methods)?;
    let wanted = Match { pair: pair.id, side: body.side, size, kinds, advert: body.advert_id };
    let found = hall::matching(&context, &hall, user, &wanted).await?;
    let adverts = found.adverts.iter().map(|matched| MatchedAdvert::new(matched, base, quote));
    Ok(Done(Matches {
        adverts: adverts.collect::<Result<_, ApiError>>()?,
        missing: found.missing.iter().map(MissingRequirement::from).collect(),
        needs_payment_method: found.needs_method,
    }))
}

impl MatchedAdvert {
    fn new(matched: &Matched, base: u8, quote: u8) -> Result<Self, ApiError> {
        let mut json = Vec::new();
        append(&mut json, &matched.row, matched.mine);
        let json = String::from_utf8(json).map_err(|error| ApiError::internal(&error))?;
        let of = matched.amounts;
        let format = |amount: Option<Amount>, decimals| amount.map(|amount| amount.format(decimals));
        Ok(Self {
            advert: RawValue::from_string(json).map_err(|error| ApiError::internal(&error))?,
            quantity: format(of.map(|of| of.quantity), base),
            total: format(of.map(|of| of.total), quote),
            fee: format(of.map(|of| of.fee), base),
            receives: format(of.map(|of| of.receives), base),
            outside_price_band: matched.outside_band,
            misfits: matched.misfits.clone(),
        })
    }
}
