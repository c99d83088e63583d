//! The order of a case.

use app::console::CaseView;
use domain::identity::address::checksummed;
use domain::orders;
use domain::trade::Party;
use serde::Serialize;
use utoipa::ToSchema;

use crate::orders::dto::PaymentMarkDto;
use crate::orders::facts::{OrderFacts, OrderOverlay, Surroundings};
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::SeenPaymentDto;

/// The order of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseOrder)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderItem {
    #[serde(flatten)]
    facts: OrderFacts,
    /// The party who posted the advert.
    advertiser: Party,
    /// The buyer's bound address, which receives the base.
    buyer_address: String,
    /// The seller's bound address, to which the base returns.
    seller_address: String,
    /// The party for whom the order waits, if any.
    waits_for: Option<Party>,
}

impl OrderItem {
    pub(super) fn new(view: &CaseView) -> Self {
        let (order, terms) = (&view.row.order, &view.row.order.terms);
        let (assets, seen) = (&view.row.assets, &view.order);
        let around = Surroundings {
            overdue: seen.overdue,
            covered: seen.covered,
            // An appeal suspends the order whether or not payouts are stopped.
            overlay: OrderOverlay::of(order, false),
            pay_to: seen.method.as_ref().map(|(method, pictures)| PaymentMethodDto::new(method, pictures)),
            payment: seen.paid.as_ref().map(|paid| PaymentMarkDto::new(paid, &seen.receipts, seen.repeated)),
            payment_seen: seen.payment_seen.as_ref().map(|seen| SeenPaymentDto::new(seen, assets.quote.decimals)),
            shows_address: true,
        };
        let facts = OrderFacts::new(order, assets, around);
        Self {
            facts,
            advertiser: terms.advertiser_party(),
            buyer_address: checksummed(terms.buyer_bound),
            seller_address: checksummed(terms.seller_bound),
            waits_for: orders::waits_for(order),
        }
    }
}
