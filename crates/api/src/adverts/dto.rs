//! DTOs of a user's own adverts.

use std::collections::BTreeMap;

use app::adverts::AdvertView;
use app::market::PriceCheck;
use chrono::{DateTime, Utc};
use domain::adverts::{self, EndReason, Group, Limits, TakerRequirements};
use domain::assets::Asset;
use domain::market::{self, Offer};
use domain::trade::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::nfts::dto::{NftDto, PrepaymentDto};
use crate::orders::dto::MovementDto;
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::{DepositDto, PayoutDto};

/// How the payment is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum AdvertKind {
    /// The buyer pays outside escrow and the seller confirms the payment.
    Manual,
    /// Both coins are escrowed and swapped in one transaction.
    Automatic,
}

impl AdvertKind {
    pub(crate) fn of(automatic: bool) -> Self {
        if automatic { Self::Automatic } else { Self::Manual }
    }
}

/// What an advertiser requires of whoever orders from an advert.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TakerRequirements)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TakerRequirementsDto {
    /// The minimum number of orders that the taker has completed in 30 days, from 1 to 1000; null for none.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    completed_orders: Option<u32>,
    /// Whether the pass must report advanced verification.
    #[serde(default)]
    advanced_verification: bool,
    /// The region in which the taker must be, as its ISO 3166-1 alpha-2 code; null for any.
    #[serde(default)]
    region: Option<String>,
}

impl From<&TakerRequirements> for TakerRequirementsDto {
    fn from(required: &TakerRequirements) -> Self {
        let TakerRequirements { completed_orders, advanced_verification, region } = required.clone();
        Self { completed_orders, advanced_verification, region }
    }
}

impl From<TakerRequirementsDto> for TakerRequirements {
    fn from(required: TakerRequirementsDto) -> Self {
        let TakerRequirementsDto { completed_orders, advanced_verification, region } = required;
        Self { completed_orders, advanced_verification, region }
    }
}

/// Why and when the platform took an advert down.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TakenDown)]
pub(crate) struct TakenDownDto {
    /// The words of the officer.
    reason: String,
    at: DateTime<Utc>,
}

impl From<&app::adverts::Takedown> for TakenDownDto {
    fn from(takedown: &app::adverts::Takedown) -> Self {
        Self { reason: takedown.reason.clone(), at: takedown.at }
    }
}

/// What everybody sees of an advert.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvertFacts {
    pub(crate) id: Uuid,
    /// The version of this advert. Its owner sends it with each command about the advert.
    pub(crate) version: i64,
    /// Whether the advertiser sells or buys the base.
    pub(crate) side: Side,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    pub(crate) kind: AdvertKind,
    /// The code of the base.
    pub(crate) base: String,
    /// The code of the quote.
    pub(crate) quote: String,
    /// The price of one unit of the base, in the quote, as a decimal string.
    pub(crate) price: String,
    /// The quantity of the base that can still be ordered, as a decimal string.
    pub(crate) remaining: String,
    /// The minimum total of an order now, in the quote, as a decimal string. If nothing can be ordered, this is the minimum with
    /// which the advert was posted.
    pub(crate) order_min: String,
    /// The maximum total of an order now, in the quote, as a decimal string: the advert's own limit or the remaining quantity,
    /// whichever is smaller. If nothing can be ordered, this is the maximum with which the advert was posted.
    pub(crate) order_max: String,
    /// The advertiser's note.
    pub(crate) remark: Option<String>,
    /// What the advertiser requires of whoever orders.
    pub(crate) taker_requirements: TakerRequirementsDto,
    /// The chain type on which buyers pay the seller, for a `SELL` advert whose quote is a coin; null otherwise.
    pub(crate) chain_type: Option<String>,
    /// The time that the buyer has to pay, in minutes.
    pub(crate) window_minutes: i64,
    /// The time that a seller who orders from a buy advert has for the deposit, in minutes.
    pub(crate) deposit_minutes: i64,
    /// The NFT that is sold; null for coins.
    pub(crate) nft: Option<NftDto>,
}

impl AdvertFacts {
    /// `limits` are those of an order now; `None` if nothing can be ordered.
    pub(crate) fn new(offer: &Offer, (base, quote): (&Asset, &Asset), limits: Option<Limits>) -> Self {
        let Limits { min, max } = limits.unwrap_or(offer.terms);
        Self {
            id: offer.advert.0,
            version: offer.version,
            side: offer.side,
            kind: AdvertKind::of(offer.automatic),
            base: base.code.clone(),
            quote: quote.code.clone(),
            price: offer.price.to_string(),
            remaining: offer.remaining.format(base.decimals),
            order_min: min.format(quote.decimals),
            order_max: max.format(quote.decimals),
            remark: offer.options.remark.clone(),
            taker_requirements: (&offer.options.taker).into(),
            chain_type: offer.chain_type.clone(),
            window_minutes: offer.payment_window.num_minutes(),
            deposit_minutes: offer.deposit_window.num_minutes(),
            nft: offer.nft.as_ref().map(NftDto::from),
        }
    }
}

/// An advert, as its owner sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Advert)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvertDto {
    #[serde(flatten)]
    pub(crate) facts: AdvertFacts,
    pub(crate) state: adverts::StateName,
    /// Whether the advert is frozen: a reorganization removed part of its escrow, so it takes no orders until the
    /// deposit is back.
    pub(crate) frozen: bool,
    /// Whether the price is far from the market: outside the price band for new ads. Takers are warned.
    pub(crate) outside_price_band: bool,
    /// The quantity of the base that was posted, as a decimal string.
    pub(crate) quantity: String,
    /// The quantity in open and completed orders.
    pub(crate) in_orders: String,
    /// Whether the remaining quantity is enough for an order. Otherwise the hall hides the advert.
    pub(crate) orderable: bool,
    /// The owner's payment methods that the advert offers, with masked account numbers.
    pub(crate) methods: Vec<PaymentMethodDto>,
    /// The address at which the owner is paid, if the quote is a coin.
    pub(crate) receiving_address: Option<String>,
    pub(crate) running_orders: u32,
    pub(crate) completed_orders: u32,
    /// The quantity of the base in completed orders, as a decimal string.
    pub(crate) completed_quantity: String,
    /// The quote that was paid in completed orders, as a decimal string.
    pub(crate) turnover: String,
    pub(crate) created_at: DateTime<Utc>,
    /// The reason why the advert ended.
    pub(crate) end_reason: Option<EndReason>,
    /// Null unless an officer took the advert down.
    pub(crate) taken_down: Option<TakenDownDto>,
    /// The deposit that the advert needs before it goes online.
    pub(crate) deposit: Option<DepositDto>,
    /// What the owner has prepaid; null if fees are taken out of the base.
    pub(crate) prepayment: Option<PrepaymentDto>,
    /// The payouts that return the remaining escrow.
    pub(crate) payouts: Vec<PayoutDto>,
    /// The commands that the owner may send now.
    pub(crate) actions: Vec<adverts::Action>,
    /// The coins that `revoke` would return to the owner, and its network fee. They are returned once all running orders
    /// have ended, together with what those give back. Empty if the owner cannot revoke the advert, or if nothing is in
    /// escrow.
    pub(crate) revocation: Vec<MovementDto>,
    pub(crate) server_time: DateTime<Utc>,
}

impl From<&AdvertView> for AdvertDto {
    fn from(view: &AdvertView) -> Self {
        let (advert, terms) = (&view.advert, &view.advert.terms);
        let (base, quote) = (&view.assets.base, &view.assets.quote);
        let deadline = match &advert.state {
            adverts::State::Creating { deadline } => Some(deadline.at),
            _ => None,
        };
        let reason = match advert.state {
            adverts::State::Cancelled { reason, .. } | adverts::State::Deleted { reason, .. } => Some(reason),
            _ => None,
        };
        Self {
            facts: AdvertFacts::new(
                &Offer { nft: view.assets.nft.clone(), ..Offer::from(advert) },
                (base, quote),
                view.limits,
            ),
            state: (&advert.state).into(),
            frozen: advert.frozen.is_some(),
            outside_price_band: view.outside_band,
            quantity: terms.quantity.format(base.decimals),
            in_orders: advert.ordered().format(base.decimals),
            orderable: view.limits.is_some(),
            methods: view.methods.iter().map(PaymentMethodDto::from).collect(),
            receiving_address: terms.receiving.as_ref().map(|receiving| receiving.address.clone()),
            running_orders: advert.running,
            completed_orders: view.totals.completed,
            completed_quantity: view.totals.quantity.format(base.decimals),
            turnover: view.totals.total.format(quote.decimals),
            created_at: terms.created_at,
            end_reason: reason,
            taken_down: view.taken_down.as_ref().map(Into::into),
            deposit: view.request.as_ref().map(|request| {
                let asset = if request.request.vault_asset.asset == base.id { base } else { quote };
                DepositDto::new(request, asset, deadline)
            }),
            prepayment: view.assets.prepayment.as_ref().map(PrepaymentDto::from),
            payouts: PayoutDto::all(view.payout.as_ref(), [base, quote]),
            actions: view.actions.clone(),
            revocation: MovementDto::all(&view.revocation, &view.assets),
            server_time: view.now,
        }
    }
}

/// The number of the user's adverts in each group.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvertGroups {
    online: u32,
    offline: u32,
    ended: u32,
}

impl From<BTreeMap<Group, u32>> for AdvertGroups {
    fn from(groups: BTreeMap<Group, u32>) -> Self {
        let of = |group| groups.get(&group).copied().unwrap_or(0);
        Self { online: of(Group::Online), offline: of(Group::Offline), ended: of(Group::Ended) }
    }
}

/// A price for a new advert, compared with the market.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PriceCheck)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PriceCheckDto {
    /// The price of the market, as a decimal string; null if there is none to compare with.
    pub(crate) market: Option<String>,
    pub(crate) source: Option<market::Source>,
    /// The distance from the price of the market as a share of it, such as `-0.0125`; null without such a price.
    pub(crate) distance: Option<String>,
    /// Whether the distance exceeds the pair's price band. With a reference price, such an advert is refused; otherwise it needs
    /// `farPriceConfirmed`.
    pub(crate) far: bool,
    /// The lowest price that an advert may have now, as a decimal string; null if the pair has no reference price.
    pub(crate) price_min: Option<String>,
    /// The highest price that an advert may have now.
    pub(crate) price_max: Option<String>,
    /// The place that the advert would have among the adverts of its side, by price; 1 for the best for takers.
    pub(crate) rank: usize,
    /// The number of other users' adverts of the same side that take orders.
    pub(crate) others: usize,
}

impl From<&PriceCheck> for PriceCheckDto {
    fn from(check: &PriceCheck) -> Self {
        let comparison = check.comparison.as_ref();
        Self {
            market: comparison.map(|comparison| comparison.market.to_string()),
            source: comparison.map(|comparison| comparison.source),
            distance: comparison.map(|comparison| share(comparison.distance_ppm)),
            far: comparison.is_some_and(|comparison| comparison.far),
            price_min: check.band.map(|band| band.min.to_string()),
            price_max: check.band.map(|band| band.max.to_string()),
            rank: check.rank.better.saturating_add(1),
            others: check.rank.offers,
        }
    }
}

/// Formats millionths as a decimal string.
fn share(ppm: i128) -> String {
    let (sign, size) = (if ppm < 0 { "-" } else { "" }, ppm.unsigned_abs());
    format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000)
}
