//! Orders, as one of the two people sees them.

use app::trading::{FundingView, OrderView};
use chrono::{DateTime, Utc};
use domain::identity::address::checksummed;
use domain::orders::{self, Requirements};
use domain::trade::Payment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::enums::{AdvertKind, CancelReason, FundsLocation, OrderAction, OrderOverlay, OrderState, Role, StepName};
use crate::market::Trader;
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::{DepositDto, PayoutDto, SeenPaymentDto};

/// One of the five steps.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OrderStep)]
pub(crate) struct StepDto {
    /// Which.
    pub(crate) step: StepName,
    /// When; none if not yet, or if the kind of advert makes it unnecessary.
    pub(crate) at: Option<DateTime<Utc>>,
    pub(crate) done: bool,
}

/// Something that the person may do now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OfferedAction)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AvailableActionDto {
    /// What.
    pub(crate) action: OrderAction,
    /// Credit points that it would cost, from the function that would charge them.
    pub(crate) reputation_cost: i32,
    /// Whether it would use up one of the free cancellations of the day.
    pub(crate) uses_free: bool,
    /// Whether the security password is needed.
    pub(crate) security_code: bool,
}

/// Where the buyer sends coins, from person to person.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PayTo)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayToDto {
    pub(crate) address: String,
    /// Names one chain, such as ERC20.
    pub(crate) chain_type: String,
    pub(crate) asset: String,
    /// How much, decimal.
    pub(crate) amount: String,
}

/// What the buyer said of the payment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Paid)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentMarkDto {
    pub(crate) method_id: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) hash: Option<String>,
    pub(crate) receipts: Vec<String>,
    pub(crate) at: DateTime<Utc>,
}

/// An order, as one of its two people sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Order)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "an answer on the wire, where each says something of its own")]
pub(crate) struct OrderDto {
    pub(crate) id: String,
    /// To be sent with each command about it.
    pub(crate) version: i64,
    /// Where it stands.
    pub(crate) state: OrderState,
    /// What holds it up, if anything.
    pub(crate) overlay: Option<OrderOverlay>,
    /// Which of the two the person is.
    pub(crate) role: Role,
    /// Whether the person posted the advert.
    pub(crate) advertiser: bool,
    /// Who accepts, pays and confirms.
    pub(crate) kind: AdvertKind,
    pub(crate) advert_id: String,
    pub(crate) base: String,
    pub(crate) quote: String,
    /// How much of the base, decimal.
    pub(crate) quantity: String,
    pub(crate) price: String,
    /// What the buyer pays, in the quote.
    pub(crate) total: String,
    /// What the platform keeps, in the base.
    pub(crate) fee: String,
    pub(crate) fee_asset: String,
    /// What arrives at the buyer's bound address, in the base.
    pub(crate) receives: String,
    /// The buyer's bound address.
    pub(crate) receiving_address: String,
    /// The other person.
    pub(crate) counterparty: Trader,
    pub(crate) created_at: DateTime<Utc>,
    /// Until when somebody must act.
    pub(crate) deadline: Option<DateTime<Utc>>,
    /// Whether the deadline has passed. It has not while what is seen on the chain covers what the order waits for.
    pub(crate) overdue: bool,
    /// What is seen in blocks covers the deposit or the automatic payment that the order waits for: the deadline is met,
    /// nobody may cancel, and only the confirmation is waited for.
    pub(crate) covered: bool,
    /// Once the late one was told: when the system cancels, and from when the other side may. None where the system
    /// never does: while a payment has to be confirmed, or is seen on the chain.
    pub(crate) grace_until: Option<DateTime<Utc>>,
    /// Whether it waits for this person.
    pub(crate) my_turn: bool,
    pub(crate) steps: Vec<StepDto>,
    pub(crate) actions: Vec<AvailableActionDto>,
    /// Where the base is.
    pub(crate) money: FundsLocation,
    /// How the buyer pays in fiat, while the order runs and once it was accepted; for the seller account numbers are
    /// masked.
    pub(crate) pay_to: Option<PaymentMethodDto>,
    /// For the seller, while the order runs and once it was accepted: the account holders of the buyer's own payment
    /// methods of the type and currency of `payTo`, to be compared with the name of the payer. Empty for the buyer.
    pub(crate) payer_names: Vec<String>,
    /// How the buyer pays in coins from person to person, once it was accepted.
    pub(crate) pay_to_address: Option<PayToDto>,
    /// Coins that are waited for in this person's vault.
    pub(crate) deposit: Option<DepositDto>,
    pub(crate) payment: Option<PaymentMarkDto>,
    /// What the chain shows of a payment in coins from person to person, on the escrow chain. While it is there nobody
    /// cancels for a payment that did not come.
    pub(crate) payment_seen: Option<SeenPaymentDto>,
    /// The release or refund.
    pub(crate) payouts: Vec<PayoutDto>,
    /// Who asked the other to agree to a cancellation, if anybody.
    pub(crate) cancel_asked_by: Option<Role>,
    /// Why it was cancelled.
    pub(crate) end_reason: Option<CancelReason>,
    pub(crate) server_time: DateTime<Utc>,
}

impl From<&OrderView> for OrderDto {
    fn from(view: &OrderView) -> Self {
        let (order, terms) = (&view.order, &view.order.terms);
        let (base, quote) = (&view.assets.0, &view.assets.1);
        let accepted = order.progress.accepted_at.is_some();
        let deadline = order.state.deadline();
        let mine = |request: &&FundingView| request.request.vault_asset.vault == terms.user(view.party);
        Self {
            id: order.id.to_string(),
            version: order.version,
            state: (&order.state).into(),
            overlay: order.overlay.as_ref().map(OrderOverlay::from),
            role: view.party.into(),
            advertiser: terms.advertiser_party() == view.party,
            kind: AdvertKind::of(terms.automatic()),
            advert_id: terms.advert.to_string(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: terms.quantity.format(base.decimals),
            price: terms.price.to_string(),
            total: terms.total.format(quote.decimals),
            fee: terms.fee.format(base.decimals),
            fee_asset: base.code.clone(),
            receives: terms.receives().format(base.decimals),
            receiving_address: checksummed(terms.buyer_bound),
            counterparty: Trader::new(&view.counterparty, &view.record),
            created_at: terms.created_at,
            deadline: deadline.map(|deadline| deadline.at),
            overdue: view.overdue,
            covered: view.covered,
            grace_until: view.lapses_at,
            my_turn: orders::waits_for(order) == Some(view.party) && !view.covered,
            steps: orders::steps(order)
                .iter()
                .map(|step| StepDto { step: step.step.into(), at: step.at, done: step.done })
                .collect(),
            actions: view.actions.0.iter().copied().map(action).collect(),
            money: orders::funds_location(order).into(),
            pay_to: view.method.as_ref().map(PaymentMethodDto::from),
            payer_names: view.payers.clone(),
            pay_to_address: match &terms.payment {
                Payment::Transfer(to) if accepted => Some(PayToDto {
                    address: to.address.clone(),
                    chain_type: to.chain_type.clone(),
                    asset: quote.code.clone(),
                    amount: terms.total.format(quote.decimals),
                }),
                _ => None,
            },
            deposit: view.request.as_ref().filter(mine).map(|request| {
                let asset = if request.request.vault_asset.asset == base.id { base } else { quote };
                DepositDto::new(request, asset, deadline.map(|deadline| deadline.at))
            }),
            payment: order.progress.paid.as_ref().map(|paid| PaymentMarkDto {
                method_id: paid.method.map(|method| method.to_string()),
                reference: paid.reference.clone(),
                hash: paid.hash.clone(),
                receipts: paid.receipts.iter().map(ToString::to_string).collect(),
                at: paid.at,
            }),
            payment_seen: view.payment_seen.as_ref().map(|seen| SeenPaymentDto::new(seen, quote.decimals)),
            payouts: PayoutDto::all(view.payout.as_ref(), [base, quote]),
            cancel_asked_by: match order.state {
                orders::State::AwaitingPayment { cancel_asked_at: Some(_), .. } => Some(Role::Seller),
                _ => None,
            },
            end_reason: order.state.cancelled().map(|cancelled| cancelled.reason.into()),
            server_time: view.now,
        }
    }
}

fn action(offer: orders::AvailableAction) -> AvailableActionDto {
    AvailableActionDto {
        action: offer.action.into(),
        reputation_cost: offer.reputation_cost,
        uses_free: offer.uses_free,
        security_code: offer.requirements == Requirements::SecurityPassword,
    }
}
