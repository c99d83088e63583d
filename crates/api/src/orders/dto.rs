//! DTOs of orders, from the point of view of one party.

use app::files::LinkedFile;
use app::memory::assets::TradedAssets;
use app::orders::{OrderView, Repeated};
use app::wallet::view::FundingView;
use chrono::{DateTime, Utc};
use domain::identity::address::checksummed;
use domain::orders::{self, AppealReason, MovementKind, Paid};
use domain::trade::{Leg, Party};
use domain::users::Profile;
use serde::Serialize;
use strum::VariantArray;
use utoipa::ToSchema;

use super::facts::{OrderFacts, OrderOverlay, Surroundings};
use crate::appeals::dto::AppealDto;
use crate::files::FileDto;
use crate::market::Trader;
use crate::payment_methods::PaymentMethodDto;
use crate::wallet::dto::{DepositDto, PayoutDto, SeenPaymentDto};

/// Coins that a command or a decision moves out of the escrow of an order or advert, or out of the prepayment of the advert.
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
pub(crate) struct OrderDto {
    #[serde(flatten)]
    pub(crate) facts: OrderFacts,
    /// The version of this order. Send it with each command about the order.
    pub(crate) version: i64,
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
    /// The buyer's bound address.
    pub(crate) receiving_address: String,
    /// The other party.
    pub(crate) counterparty: Trader,
    /// After a missed deadline, the time at which the order is cancelled automatically, and from which the other party
    /// can cancel it. Null if it is never cancelled automatically: while the payment has to be confirmed, or is visible
    /// on the chain.
    pub(crate) grace_until: Option<DateTime<Utc>>,
    /// Whether the order waits for the user.
    pub(crate) my_turn: bool,
    pub(crate) actions: Vec<AvailableActionDto>,
    /// The deposit that the order needs in the user's vault.
    pub(crate) deposit: Option<DepositDto>,
    /// The payouts of the release or refund.
    pub(crate) payouts: Vec<PayoutDto>,
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
        let (base, quote) = (&view.assets.base, &view.assets.quote);
        let paid = order.progress.paid.as_ref();
        let around = Surroundings {
            overdue: view.overdue,
            covered: view.covered,
            overlay: OrderOverlay::of(order, view.paused),
            pay_to: view.method.as_ref().map(|method| PaymentMethodDto::new(method, &view.pictures)),
            payment: paid.map(|paid| PaymentMarkDto::new(paid, &view.receipts, view.repeated)),
            payment_seen: view.payment_seen.as_ref().map(|seen| SeenPaymentDto::new(seen, quote.decimals)),
            shows_address: order.progress.accepted_at.is_some(),
        };
        let facts = OrderFacts::new(order, &view.assets, around);
        let deadline = order.state.deadline();
        let mine = |request: &&FundingView| request.request.vault_asset.vault == terms.user(view.party);
        Self {
            facts,
            version: order.version,
            appeal: order.appeal.as_ref().map(|appeal| AppealDto::new(appeal, &view.evidence, &view.requests)),
            appeal_from: order.appeal_from(view.party),
            appeal_reasons: AppealReason::VARIANTS
                .iter()
                .copied()
                .filter(|reason| reason.fits(order, view.party))
                .collect(),
            role: view.party,
            advertiser: terms.advertiser_party() == view.party,
            receiving_address: checksummed(terms.buyer_bound),
            counterparty: Trader::new(&Profile::from(&view.counterparty), &view.record),
            grace_until: view.lapses_at,
            my_turn: orders::waits_for(order) == Some(view.party) && !view.covered,
            actions: view.actions.0.iter().map(|offer| action(offer, &view.assets)).collect(),
            deposit: view.request.as_ref().filter(mine).map(|request| {
                let asset = if request.request.vault_asset.asset == base.id { base } else { quote };
                DepositDto::new(request, asset, deadline.map(|deadline| deadline.at))
            }),
            payouts: PayoutDto::all(view.payout.as_ref(), [base, quote]),
            cancelled_by: order.state.cancelled().and_then(|cancelled| cancelled.by),
            rejection: order.state.rejection().map(str::to_owned),
            unread: view.news.changed,
            unread_messages: view.news.messages,
            server_time: view.now,
        }
    }
}

impl MovementDto {
    pub(crate) fn all(movements: &[orders::Movement], assets: &TradedAssets) -> Vec<Self> {
        let asset = |leg| match leg {
            Some(Leg::Base) => Some(&assets.base),
            Some(Leg::Quote) => Some(&assets.quote),
            None => assets.prepayment.as_ref().map(|(coin, _)| coin),
        };
        let dto = |movement: &orders::Movement| {
            let asset = asset(movement.leg)?;
            Some(Self {
                kind: movement.kind,
                asset: asset.code.clone(),
                amount: movement.amount.format(asset.decimals),
                party: movement.party,
                address: movement.address.map(checksummed),
            })
        };
        movements.iter().filter_map(dto).collect()
    }
}

fn action(offer: &orders::AvailableAction, assets: &TradedAssets) -> AvailableActionDto {
    AvailableActionDto {
        action: offer.action,
        reputation_cost: offer.reputation_cost,
        uses_free: offer.uses_free,
        security_code: offer.required_proof.security_password(),
        pass: offer.required_proof.pass(),
        movements: MovementDto::all(&offer.movements, assets),
    }
}
