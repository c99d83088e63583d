//! DTOs of orders, from the point of view of one party.

use app::files::LinkedFile;
use app::orders::{OrderView, Repeated};
use app::wallet::view::FundingView;
use chrono::{DateTime, Utc};
use domain::assets::Asset;
use domain::identity::address::checksummed;
use domain::orders::{self, AppealReason, CancelReason, FundsLocation, MovementKind, Paid, StepName};
use domain::people::Profile;
use domain::trade::{Leg, Party, Payment};
use serde::Serialize;
use strum::VariantArray;
use utoipa::ToSchema;

use crate::adverts::dto::AdvertKind;
use crate::appeals::dto::AppealDto;
use crate::files::FileDto;
use crate::market::Trader;
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::{DepositDto, PayoutDto, SeenPaymentDto};

/// A condition that suspends an order, in any state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OrderOverlay {
    /// A reorganization removed a deposit. The buyer must not pay.
    Frozen,
    /// An officer decides the order. The buyer must not pay.
    UnderAppeal,
}

impl OrderOverlay {
    /// Returns the overlay that an order shows. An appeal locks more than a freeze.
    pub(crate) fn of(order: &orders::Order) -> Option<Self> {
        let frozen = order.frozen.as_ref().map(|_| Self::Frozen);
        order.open_appeal().map(|_| Self::UnderAppeal).or(frozen)
    }
}

/// A step of an order.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OrderStep)]
pub(crate) struct StepDto {
    pub(crate) step: StepName,
    /// The time of the step; null if it has not happened, or if the kind of order skips it.
    pub(crate) at: Option<DateTime<Utc>>,
    pub(crate) done: bool,
}

/// Coins that a command or a decision moves out of the escrow of an order or advert.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Movement)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MovementDto {
    pub(crate) kind: MovementKind,
    pub(crate) asset: String,
    /// A decimal string.
    pub(crate) amount: String,
    /// The party that receives the coins, or pays the fee.
    pub(crate) party: Party,
    /// The recipient of a payout; otherwise null.
    pub(crate) address: Option<String>,
}

/// A command that the user may send now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AvailableAction)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AvailableActionDto {
    pub(crate) action: orders::Action,
    /// The reputation points that the command would cost.
    pub(crate) reputation_cost: i32,
    /// Whether the command would use one of the day's free cancellations.
    pub(crate) uses_free: bool,
    /// Whether the command requires the security password.
    pub(crate) security_code: bool,
    /// Whether the command requires an approval through the pass, because of a hold on the account.
    pub(crate) pass: bool,
    /// The coins that the command would move. For `askCancel`: if the buyer agrees. Empty if no coins move at once.
    pub(crate) movements: Vec<MovementDto>,
}

/// The address to which the buyer sends coins directly to the seller.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PayTo)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayToDto {
    pub(crate) address: String,
    /// The chain type, such as `ERC20`.
    pub(crate) chain_type: String,
    pub(crate) asset: String,
    /// The amount to send, as a decimal string.
    pub(crate) amount: String,
}

/// The buyer's report of the payment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PaymentMark)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaymentMarkDto {
    pub(crate) method_id: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) hash: Option<String>,
    /// The receipts that the buyer attached.
    pub(crate) receipts: Vec<FileDto>,
    /// Whether the same transaction was reported for another order, too. False for the buyer.
    pub(crate) hash_repeated: bool,
    /// Whether the same reference was reported for another order, too. False for the buyer.
    pub(crate) reference_repeated: bool,
    pub(crate) at: DateTime<Utc>,
}

impl PaymentMarkDto {
    pub(crate) fn new(paid: &Paid, receipts: &[LinkedFile], repeated: Repeated) -> Self {
        Self {
            method_id: paid.method.map(|method| method.to_string()),
            reference: paid.reference.clone(),
            hash: paid.hash.clone(),
            receipts: receipts.iter().map(FileDto::from).collect(),
            hash_repeated: repeated.hash,
            reference_repeated: repeated.reference,
            at: paid.at,
        }
    }
}

/// An order, as one of its parties sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Order)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "a response DTO with independent flags")]
pub(crate) struct OrderDto {
    pub(crate) id: String,
    /// The version of this order. Send it with each command about the order.
    pub(crate) version: i64,
    pub(crate) state: orders::StateName,
    /// The condition that suspends the order, if any.
    pub(crate) overlay: Option<OrderOverlay>,
    /// The latest appeal about the order, open or ended.
    pub(crate) appeal: Option<AppealDto>,
    /// The time from which the user can appeal if the order stays as it is; null if the user cannot.
    pub(crate) appeal_from: Option<DateTime<Utc>>,
    /// The reasons that the user can give for an appeal.
    pub(crate) appeal_reasons: Vec<AppealReason>,
    /// The user's role in the order.
    pub(crate) role: Party,
    /// Whether the user is the advertiser.
    pub(crate) advertiser: bool,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    pub(crate) kind: AdvertKind,
    pub(crate) advert_id: String,
    pub(crate) base: String,
    pub(crate) quote: String,
    /// The ordered quantity of the base, as a decimal string.
    pub(crate) quantity: String,
    pub(crate) price: String,
    /// The amount that the buyer pays, in the quote.
    pub(crate) total: String,
    /// The platform's fee, in the base.
    pub(crate) fee: String,
    pub(crate) fee_asset: String,
    /// The amount that the buyer receives at their bound address, in the base.
    pub(crate) receives: String,
    /// The buyer's bound address.
    pub(crate) receiving_address: String,
    /// The other party.
    pub(crate) counterparty: Trader,
    pub(crate) created_at: DateTime<Utc>,
    /// The time by which a party must act.
    pub(crate) deadline: Option<DateTime<Utc>>,
    /// Whether the deadline has passed. It does not pass while transfers on the chain cover the expected amount.
    pub(crate) overdue: bool,
    /// Whether transfers on the chain cover the deposit or automatic payment that the order waits for. The deadline is
    /// then met, neither party can cancel, and the order waits for confirmations only.
    pub(crate) covered: bool,
    /// After a missed deadline, the time at which the order is cancelled automatically, and from which the other party
    /// can cancel it. Null if it is never cancelled automatically: while the payment has to be confirmed, or is visible
    /// on the chain.
    pub(crate) grace_until: Option<DateTime<Utc>>,
    /// Whether the order waits for the user.
    pub(crate) my_turn: bool,
    pub(crate) steps: Vec<StepDto>,
    pub(crate) actions: Vec<AvailableActionDto>,
    /// The location of the base.
    pub(crate) money: FundsLocation,
    /// The location of an automatic order's quote. Null for a manual order, whose payment the platform never holds.
    pub(crate) quote_money: Option<FundsLocation>,
    /// The payment method for a fiat payment, while an accepted order is open. The seller sees masked account numbers.
    pub(crate) pay_to: Option<PaymentMethodDto>,
    /// The account holder from whom a fiat payment must come, fixed when the order was placed. The seller compares it with the
    /// name of the payer. Null for a payment in coins.
    pub(crate) payer_name: Option<String>,
    /// The address for a direct payment in coins, once the order is accepted.
    pub(crate) pay_to_address: Option<PayToDto>,
    /// The deposit that the order needs in the user's vault.
    pub(crate) deposit: Option<DepositDto>,
    pub(crate) payment: Option<PaymentMarkDto>,
    /// The direct payment, as seen on the escrow chain. While it is visible, the order can't be cancelled for a missing
    /// payment, unless it is ambiguous: then the buyer has a second grace period.
    pub(crate) payment_seen: Option<SeenPaymentDto>,
    /// The payouts of the release or refund.
    pub(crate) payouts: Vec<PayoutDto>,
    /// The party that asked the other to agree to a cancellation, if any.
    pub(crate) cancel_asked_by: Option<Party>,
    /// The reason why the order was cancelled.
    pub(crate) end_reason: Option<CancelReason>,
    /// The party that cancelled the order; null if the platform or an officer did. With `AGREED`, the seller, who asked for it.
    pub(crate) cancelled_by: Option<Party>,
    /// What the advertiser told the taker when rejecting the order, if anything.
    pub(crate) rejection: Option<String>,
    /// Whether someone else has changed the order since the user last marked it as read.
    pub(crate) unread: bool,
    /// The number of unread messages to the user in the order's conversation.
    pub(crate) unread_messages: u32,
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
            overlay: OrderOverlay::of(order),
            appeal: order.appeal.as_ref().map(|appeal| AppealDto::new(appeal, &view.evidence, &view.requests)),
            appeal_from: order.appeal_from(view.party),
            appeal_reasons: AppealReason::VARIANTS
                .iter()
                .copied()
                .filter(|reason| reason.fits(order, view.party))
                .collect(),
            role: view.party,
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
            counterparty: Trader::new(&Profile::from(&view.counterparty), &view.record),
            created_at: terms.created_at,
            deadline: deadline.map(|deadline| deadline.at),
            overdue: view.overdue,
            covered: view.covered,
            grace_until: view.lapses_at,
            my_turn: orders::waits_for(order) == Some(view.party) && !view.covered,
            steps: orders::steps(order)
                .iter()
                .map(|step| StepDto { step: step.step, at: step.at, done: step.done })
                .collect(),
            actions: view.actions.0.iter().map(|offer| action(offer, &view.assets)).collect(),
            money: orders::base_location(order),
            quote_money: orders::quote_location(order),
            pay_to: view.method.as_ref().map(|method| PaymentMethodDto::new(method, &view.pictures)),
            payer_name: terms.payer.clone(),
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
            payment: order.progress.paid.as_ref().map(|paid| PaymentMarkDto::new(paid, &view.receipts, view.repeated)),
            payment_seen: view.payment_seen.as_ref().map(|seen| SeenPaymentDto::new(seen, quote.decimals)),
            payouts: PayoutDto::all(view.payout.as_ref(), [base, quote]),
            cancel_asked_by: order.state.cancel_asked_by(),
            end_reason: order.state.cancelled().map(|cancelled| cancelled.reason),
            cancelled_by: order.state.cancelled().and_then(|cancelled| cancelled.by),
            rejection: order.state.rejection().map(str::to_owned),
            unread: view.news.changed,
            unread_messages: view.news.messages,
            server_time: view.now,
        }
    }
}

impl MovementDto {
    pub(crate) fn new(movement: &orders::Movement, (base, quote): &(Asset, Asset)) -> Self {
        let asset = match movement.leg {
            Leg::Base => base,
            Leg::Quote => quote,
        };
        Self {
            kind: movement.kind,
            asset: asset.code.clone(),
            amount: movement.amount.format(asset.decimals),
            party: movement.party,
            address: movement.address.map(checksummed),
        }
    }
}

fn action(offer: &orders::AvailableAction, assets: &(Asset, Asset)) -> AvailableActionDto {
    AvailableActionDto {
        action: offer.action,
        reputation_cost: offer.reputation_cost,
        uses_free: offer.uses_free,
        security_code: offer.requirements.security_password(),
        pass: offer.requirements.pass(),
        movements: offer.movements.iter().map(|movement| MovementDto::new(movement, assets)).collect(),
    }
}
