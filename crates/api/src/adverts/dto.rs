//! One's own adverts.

use app::trading::AdvertView;
use chrono::{DateTime, Utc};
use domain::adverts::{self, Limits};
use serde::Serialize;
use utoipa::ToSchema;

use crate::enums::{AdvertAction, AdvertKind, AdvertSide, AdvertState, EndReason};
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::{DepositDto, PayoutDto};

/// One's own advert.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Advert)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvertDto {
    pub(crate) id: String,
    /// To be sent with each command about it.
    pub(crate) version: i64,
    /// Where it stands.
    pub(crate) state: AdvertState,
    /// Part of its escrow left the chain: no new orders until it is back.
    pub(crate) frozen: bool,
    /// What the owner does.
    pub(crate) side: AdvertSide,
    /// Who accepts, pays and confirms.
    pub(crate) kind: AdvertKind,
    pub(crate) base: String,
    pub(crate) quote: String,
    /// Units of the quote for one unit of the base, decimal.
    pub(crate) price: String,
    /// How much of the base, decimal.
    pub(crate) quantity: String,
    /// How much can still be ordered.
    pub(crate) remaining: String,
    /// How much is in running and completed orders.
    pub(crate) in_orders: String,
    /// The least total that an order may have now, in the quote; that of the terms if nothing can be ordered.
    pub(crate) order_min: String,
    /// The largest total that an order may have now, in the quote: the advert's own limit, or what remains; that of the
    /// terms if nothing can be ordered.
    pub(crate) order_max: String,
    /// Whether what remains is enough for an order. If it is not, the hall does not show the advert.
    pub(crate) orderable: bool,
    /// The owner's payment methods that it offers, account numbers masked.
    pub(crate) methods: Vec<PaymentMethodDto>,
    /// Where the owner is paid in coins.
    pub(crate) receiving_address: Option<String>,
    pub(crate) remark: Option<String>,
    /// How long a buyer may take to pay, in minutes.
    pub(crate) window_minutes: i64,
    pub(crate) running_orders: u32,
    pub(crate) created_at: DateTime<Utc>,
    /// Why it ended.
    pub(crate) end_reason: Option<EndReason>,
    /// What it waits for, while it is created.
    pub(crate) deposit: Option<DepositDto>,
    /// The return of what remained.
    pub(crate) payouts: Vec<PayoutDto>,
    /// What the owner may do now.
    pub(crate) actions: Vec<AdvertAction>,
    pub(crate) server_time: DateTime<Utc>,
}

impl From<&AdvertView> for AdvertDto {
    fn from(view: &AdvertView) -> Self {
        let (advert, terms) = (&view.advert, &view.advert.terms);
        let (base, quote) = (&view.assets.0, &view.assets.1);
        let deadline = match &advert.state {
            adverts::State::Creating { deadline } => Some(deadline.at),
            _ => None,
        };
        let reason = match advert.state {
            adverts::State::Cancelled { reason, .. } | adverts::State::Deleted { reason, .. } => Some(reason),
            _ => None,
        };
        let Limits { min, max } = view.limits.unwrap_or(Limits { min: terms.min_total, max: terms.max_total });
        Self {
            id: advert.id.to_string(),
            version: advert.version,
            state: (&advert.state).into(),
            frozen: advert.frozen.is_some(),
            side: terms.side.into(),
            kind: AdvertKind::of(terms.automatic),
            base: base.code.clone(),
            quote: quote.code.clone(),
            price: terms.price.to_string(),
            quantity: terms.quantity.format(base.decimals),
            remaining: advert.remaining.format(base.decimals),
            in_orders: advert.ordered().format(base.decimals),
            order_min: min.format(quote.decimals),
            order_max: max.format(quote.decimals),
            orderable: view.limits.is_some(),
            methods: view.methods.iter().map(PaymentMethodDto::from).collect(),
            receiving_address: terms.receiving.as_ref().map(|receiving| receiving.address.clone()),
            remark: terms.remark.clone(),
            window_minutes: terms.windows.payment.num_minutes(),
            running_orders: advert.running,
            created_at: terms.created_at,
            end_reason: reason.map(EndReason::from),
            deposit: view.request.as_ref().map(|request| {
                let asset = if request.request.vault_asset.asset == base.id { base } else { quote };
                DepositDto::new(request, asset, deadline)
            }),
            payouts: PayoutDto::all(view.payout.as_ref(), [base, quote]),
            actions: view.actions.iter().copied().map(AdvertAction::from).collect(),
            server_time: view.now,
        }
    }
}
