//! What the parties of an order and the officers on its appeal both see of it.

use app::memory::assets::TradedAssets;
use chrono::{DateTime, Utc};
use domain::orders::{self, CancelReason, FundsLocation, Order, StepName};
use domain::trade::{Party, Payment};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::PaymentMarkDto;
use crate::adverts::dto::AdvertKind;
use crate::nfts::dto::{NftDto, PrepaymentDto};
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::SeenPaymentDto;

/// A condition that suspends an order, in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderOverlay {
    /// A reorganization removed a deposit. The buyer must not pay.
    Frozen,
    /// An officer decides the order. The buyer must not pay.
    UnderAppeal,
    /// Payouts of the NFT are stopped, because the ledger and the chain disagree about it. It cannot be delivered for now. Deadlines
    /// remain.
    Paused,
}

impl OrderOverlay {
    /// Returns the overlay that an order shows. An appeal locks more than a freeze, and both more than a pause.
    pub(crate) fn of(order: &orders::Order, paused: bool) -> Option<Self> {
        let frozen = order.frozen.as_ref().map(|_| Self::Frozen);
        let paused = (paused && !order.state.ended()).then_some(Self::Paused);
        order.open_appeal().map(|_| Self::UnderAppeal).or(frozen).or(paused)
    }
}

/// A step of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OrderStep)]
struct StepDto {
    step: StepName,
    /// The time of the step; null if it has not happened, or if the kind of order skips it.
    at: Option<DateTime<Utc>>,
    done: bool,
}

/// The address to which the buyer sends coins directly to the seller.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PayTo)]
#[serde(rename_all = "camelCase")]
struct PayToDto {
    address: String,
    /// The chain type, such as `ERC20`.
    chain_type: String,
    asset: String,
    /// The amount to send, as a decimal string.
    amount: String,
}

/// What the parties of an order and the officers on its appeal both see of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderFacts {
    id: String,
    state: orders::StateName,
    /// The condition that suspends the order, if any.
    overlay: Option<OrderOverlay>,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    kind: AdvertKind,
    advert_id: String,
    base: String,
    quote: String,
    /// The ordered quantity of the base, as a decimal string.
    quantity: String,
    price: String,
    /// The amount that the buyer pays, in the quote.
    total: String,
    /// The platform's fee, in `feeAsset`: taken out of the base, or prepaid by the seller (`prepayment`).
    fee: String,
    /// The code of the coin of the fee.
    fee_asset: String,
    /// The NFT that is sold; null for coins.
    nft: Option<NftDto>,
    /// What the seller has prepaid; null if the fee is taken out of the base.
    prepayment: Option<PrepaymentDto>,
    /// The amount that the buyer receives at their bound address, in the base.
    receives: String,
    created_at: DateTime<Utc>,
    /// The time by which a party must act. It is suspended while the order is under appeal.
    deadline: Option<DateTime<Utc>>,
    /// Whether the deadline has passed. It does not pass while transfers on the chain cover the expected amount.
    overdue: bool,
    /// Whether transfers on the chain cover the deposit or automatic payment that the order waits for. The deadline is
    /// then met, neither party can cancel, and the order waits for confirmations only.
    covered: bool,
    steps: Vec<StepDto>,
    /// The location of the base.
    money: FundsLocation,
    /// The location of an automatic order's quote. Null for a manual order, whose payment the platform never holds.
    quote_money: Option<FundsLocation>,
    /// The payment method for a fiat payment. Parties see it while an accepted order is open, and the seller sees masked account
    /// numbers.
    pay_to: Option<PaymentMethodDto>,
    /// The account holder from whom a fiat payment must come, fixed when the order was placed. The seller compares it with the
    /// name of the payer. Null for a payment in coins.
    payer_name: Option<String>,
    /// The address for a direct payment in coins. Parties see it once the order is accepted.
    pay_to_address: Option<PayToDto>,
    payment: Option<PaymentMarkDto>,
    /// The direct payment, as seen on the escrow chain. While it is visible, the order can't be cancelled for a missing
    /// payment, unless it is ambiguous: then the buyer has a second grace period.
    payment_seen: Option<SeenPaymentDto>,
    /// The party that asked the other to agree to a cancellation, if any.
    cancel_asked_by: Option<Party>,
    /// The reason why the order was cancelled.
    end_reason: Option<CancelReason>,
}

/// What is known of an order besides its row.
pub(crate) struct Surroundings {
    pub(crate) overdue: bool,
    pub(crate) covered: bool,
    pub(crate) pay_to: Option<PaymentMethodDto>,
    pub(crate) payment: Option<PaymentMarkDto>,
    pub(crate) payment_seen: Option<SeenPaymentDto>,
    pub(crate) overlay: Option<OrderOverlay>,
    /// Whether the viewer may see where a direct payment goes.
    pub(crate) shows_address: bool,
}

impl OrderFacts {
    pub(crate) fn new(order: &Order, assets: &TradedAssets, around: Surroundings) -> Self {
        let (base, quote) = (&assets.base, &assets.quote);
        // The fee that is taken out of the base, or that the seller has prepaid.
        let (fee, fee_asset) = match &assets.prepayment {
            Some((coin, prepayment)) => (prepayment.fee, coin),
            None => (order.terms.fee, base),
        };
        let terms = &order.terms;
        Self {
            id: order.id.to_string(),
            state: (&order.state).into(),
            overlay: around.overlay,
            kind: AdvertKind::of(terms.automatic()),
            advert_id: terms.advert.to_string(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: terms.quantity.format(base.decimals),
            price: terms.price.to_string(),
            total: terms.total.format(quote.decimals),
            fee: fee.format(fee_asset.decimals),
            fee_asset: fee_asset.code.clone(),
            nft: assets.nft.as_ref().map(NftDto::from),
            prepayment: assets.prepayment.as_ref().map(PrepaymentDto::from),
            receives: terms.receives().format(base.decimals),
            created_at: terms.created_at,
            deadline: order.state.deadline().map(|deadline| deadline.at),
            overdue: around.overdue,
            covered: around.covered,
            steps: orders::steps(order)
                .iter()
                .map(|step| StepDto { step: step.step, at: step.at, done: step.done })
                .collect(),
            money: orders::base_location(order),
            quote_money: orders::quote_location(order),
            pay_to: around.pay_to,
            payer_name: terms.payer.clone(),
            pay_to_address: match &terms.payment {
                Payment::Transfer(to) if around.shows_address => Some(PayToDto {
                    address: to.address.clone(),
                    chain_type: to.chain_type.clone(),
                    asset: quote.code.clone(),
                    amount: terms.total.format(quote.decimals),
                }),
                _ => None,
            },
            payment: around.payment,
            payment_seen: around.payment_seen,
            cancel_asked_by: order.state.cancel_asked_by(),
            end_reason: order.state.cancelled().map(|cancelled| cancelled.reason),
        }
    }
}
