//! The order of a case.

use app::console::CaseView;
use chrono::{DateTime, Utc};
use domain::identity::address::checksummed;
use domain::orders::{self, CancelReason, FundsLocation};
use domain::trade::{Party, Payment};
use serde::Serialize;
use utoipa::ToSchema;

use crate::adverts::dto::AdvertKind;
use crate::orders::dto::{OrderOverlay, PayToDto, PaymentMarkDto, StepDto};
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::SeenPaymentDto;

/// The order of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseOrder)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderItem {
    id: String,
    advert_id: String,
    state: orders::StateName,
    /// The condition that suspends the order, if any.
    overlay: Option<OrderOverlay>,
    /// The party who posted the advert.
    advertiser: Party,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    kind: AdvertKind,
    base: String,
    quote: String,
    /// The ordered quantity of the base, as a decimal string.
    quantity: String,
    price: String,
    /// The amount that the buyer pays, in the quote.
    total: String,
    /// The platform's fee, in the base.
    fee: String,
    fee_asset: String,
    /// The amount that the buyer receives, in the base.
    receives: String,
    /// The buyer's bound address, which receives the base.
    buyer_address: String,
    /// The seller's bound address, to which the base returns.
    seller_address: String,
    created_at: DateTime<Utc>,
    /// The time by which a party must act. It is suspended while the order is under appeal.
    deadline: Option<DateTime<Utc>>,
    /// Whether the deadline has passed.
    overdue: bool,
    /// Whether transfers on the chain cover what the order waits for.
    covered: bool,
    /// The party for whom the order waits, if any.
    waits_for: Option<Party>,
    steps: Vec<StepDto>,
    /// The location of the base.
    money: FundsLocation,
    /// The location of an automatic order's quote. Null for a manual order, whose payment the platform never holds.
    quote_money: Option<FundsLocation>,
    /// The seller's payment method with all details, for a fiat payment.
    pay_to: Option<PaymentMethodDto>,
    /// The account holder from whom the fiat payment must come, fixed when the order was placed; null for a payment in coins,
    /// and for orders that ended before names were fixed.
    payer_name: Option<String>,
    /// The address for a direct payment in coins.
    pay_to_address: Option<PayToDto>,
    /// The buyer's report of the payment.
    payment: Option<PaymentMarkDto>,
    /// The direct payment, as seen on the escrow chain.
    payment_seen: Option<SeenPaymentDto>,
    /// The party that asked the other to agree to a cancellation, if any.
    cancel_asked_by: Option<Party>,
    /// The reason why the order was cancelled.
    end_reason: Option<CancelReason>,
}

impl OrderItem {
    pub(super) fn new(view: &CaseView) -> Self {
        let (order, terms) = (&view.row.order, &view.row.order.terms);
        let (base, quote) = &view.row.assets;
        Self {
            id: order.id.to_string(),
            advert_id: terms.advert.to_string(),
            state: (&order.state).into(),
            overlay: OrderOverlay::of(order),
            advertiser: terms.advertiser_party(),
            kind: AdvertKind::of(terms.automatic()),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: terms.quantity.format(base.decimals),
            price: terms.price.to_string(),
            total: terms.total.format(quote.decimals),
            fee: terms.fee.format(base.decimals),
            fee_asset: base.code.clone(),
            receives: terms.receives().format(base.decimals),
            buyer_address: checksummed(terms.buyer_bound),
            seller_address: checksummed(terms.seller_bound),
            created_at: terms.created_at,
            deadline: order.state.deadline().map(|deadline| deadline.at),
            overdue: view.order.overdue,
            covered: view.order.covered,
            waits_for: orders::waits_for(order),
            steps: orders::steps(order)
                .iter()
                .map(|step| StepDto { step: step.step, at: step.at, done: step.done })
                .collect(),
            money: orders::base_location(order),
            quote_money: orders::quote_location(order),
            pay_to: view.order.method.as_ref().map(|(method, pictures)| PaymentMethodDto::new(method, pictures)),
            payer_name: terms.payer.clone(),
            pay_to_address: match &terms.payment {
                Payment::Transfer(to) => Some(PayToDto {
                    address: to.address.clone(),
                    chain_type: to.chain_type.clone(),
                    asset: quote.code.clone(),
                    amount: terms.total.format(quote.decimals),
                }),
                Payment::Method(_) | Payment::Automatic { .. } => None,
            },
            payment: view
                .order
                .paid
                .as_ref()
                .map(|paid| PaymentMarkDto::new(paid, &view.order.receipts, view.order.repeated)),
            payment_seen: view.order.payment_seen.as_ref().map(|seen| SeenPaymentDto::new(seen, quote.decimals)),
            cancel_asked_by: order.state.cancel_asked_by(),
            end_reason: order.state.cancelled().map(|cancelled| cancelled.reason),
        }
    }
}
