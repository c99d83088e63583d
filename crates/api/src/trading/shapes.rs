//! What adverts and orders look like to clients.

use app::trading::{AdvertView, ClaimView, OrderView, PayoutView};
use chrono::{DateTime, Utc};
use domain::adverts::{self, EndReason};
use domain::assets::{Asset, Home};
use domain::chain::Token;
use domain::money::Amount;
use domain::orders::{self, Action, Demand};
use domain::payment_methods::PaymentMethod;
use domain::people::Person;
use domain::trade::Payment;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Somebody, as others see them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PersonShape {
    /// Who.
    pub(crate) id: String,
    /// The name that others see.
    pub(crate) nickname: String,
    /// ISO 3166-1, two letters.
    pub(crate) country_code: String,
    /// Granted by an officer: official guarantee, compensation on anomaly.
    pub(crate) certified: bool,
    /// Granted by an officer: official guarantee.
    pub(crate) verified: bool,
}

impl From<&Person> for PersonShape {
    fn from(person: &Person) -> Self {
        Self {
            id: person.id.to_string(),
            nickname: person.nickname.clone().unwrap_or_default(),
            country_code: person.region.clone(),
            certified: person.certified,
            verified: person.verified,
        }
    }
}

/// How deep a block lies, and how deep it must.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct ConfirmationsShape {
    /// Blocks since, itself included.
    pub(crate) seen: u64,
    /// Blocks needed.
    pub(crate) needed: u64,
}

/// A transfer that was seen and is not final yet.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct TransferShape {
    /// Its transaction; none for coins that a contract sent without a trace.
    pub(crate) hash: Option<String>,
    /// How much, decimal.
    pub(crate) amount: String,
    /// How deep it lies.
    pub(crate) confirmations: u64,
}

/// Coins that are waited for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DepositShape {
    /// Where to send them: the person's custody address.
    pub(crate) address: String,
    /// On which chain.
    pub(crate) chain_id: u64,
    /// Which coin.
    pub(crate) asset: String,
    /// The token's contract; none for the chain's own coin.
    pub(crate) contract: Option<String>,
    /// Decimals of the coin's base unit.
    pub(crate) decimals: u8,
    /// How much is needed, decimal.
    pub(crate) needed: String,
    /// How much counts already: final transfers, and balance that was offered.
    pub(crate) received: String,
    /// How much is on its way.
    pub(crate) confirming: String,
    /// How much is missing, with what is on its way counted.
    pub(crate) shortfall: String,
    /// How much arrives beyond the need and becomes temporary balance.
    pub(crate) excess: String,
    /// The youngest transfer's depth.
    pub(crate) confirmations: Option<ConfirmationsShape>,
    /// Each transfer on its way.
    pub(crate) transfers: Vec<TransferShape>,
    /// Until when.
    pub(crate) deadline: Option<DateTime<Utc>>,
}

impl DepositShape {
    fn new(view: &ClaimView, asset: &Asset, deadline: Option<DateTime<Utc>>) -> Self {
        let shown = |amount: Amount| amount.format(asset.decimals);
        let known = view.claim.counted.add(view.seen).unwrap_or(view.claim.counted);
        let (chain_id, contract) = match asset.home {
            Home::Chain { chain, token: Token::Native } => (chain.0, None),
            Home::Chain { chain, token: Token::Erc20(contract) | Token::Erc721(contract, _) } => {
                (chain.0, Some(contract.to_string()))
            }
            Home::Fiat => (0, None),
        };
        let youngest = view.transfers.iter().map(|(.., depth)| *depth).min();
        Self {
            address: view.vault.to_string(),
            chain_id,
            asset: asset.code.clone(),
            contract,
            decimals: asset.decimals,
            needed: shown(view.claim.need),
            received: shown(view.claim.counted),
            confirming: shown(view.seen),
            shortfall: shown(view.claim.need.saturating_sub(known)),
            excess: shown(known.saturating_sub(view.claim.need)),
            confirmations: youngest.map(|seen| ConfirmationsShape { seen, needed: view.confirmations_needed }),
            transfers: view
                .transfers
                .iter()
                .map(|(hash, amount, depth)| TransferShape {
                    hash: hash.map(|hash| hash.to_string()),
                    amount: shown(*amount),
                    confirmations: *depth,
                })
                .collect(),
            deadline,
        }
    }
}

/// How a payout stands.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PayoutState {
    /// Decided; no block shows it yet.
    Planned,
    /// In a block that is not deep enough.
    Confirming,
    /// Final.
    Confirmed,
}

/// Coins that leave custody.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PayoutShape {
    /// How it stands.
    pub(crate) state: PayoutState,
    /// How much arrives, decimal.
    pub(crate) amount: String,
    /// Of which coin.
    pub(crate) asset: String,
    /// Where.
    pub(crate) to: String,
    /// The transaction, once a block shows it.
    pub(crate) hash: Option<String>,
    /// How deep that lies.
    pub(crate) confirmations: Option<ConfirmationsShape>,
}

impl PayoutShape {
    fn all(view: Option<&PayoutView>, assets: [&Asset; 2], needed: u64) -> Vec<Self> {
        let legs = view.map(|view| view.legs.as_slice()).unwrap_or_default();
        legs.iter()
            .filter_map(|leg| {
                let asset = assets.into_iter().find(|asset| asset.id == leg.asset)?;
                Some(Self {
                    state: match (leg.paid, leg.tx) {
                        (true, _) => PayoutState::Confirmed,
                        (false, Some(_)) => PayoutState::Confirming,
                        (false, None) => PayoutState::Planned,
                    },
                    amount: leg.amount.format(asset.decimals),
                    asset: asset.code.clone(),
                    to: leg.recipient.to_string(),
                    hash: leg.tx.map(|hash| hash.to_string()),
                    confirmations: leg.tx.map(|_| ConfirmationsShape { seen: leg.confirmations, needed }),
                })
            })
            .collect()
    }
}

/// A payment method: of one's own, or of the other side of a running order.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MethodShape {
    /// Its id.
    pub(crate) id: String,
    /// Its type, as in the forms.
    pub(crate) r#type: String,
    /// Its currency.
    pub(crate) currency: String,
    /// Values by field name.
    pub(crate) fields: BTreeMap<String, String>,
}

impl From<&PaymentMethod> for MethodShape {
    fn from(method: &PaymentMethod) -> Self {
        Self {
            id: method.id.to_string(),
            r#type: method.kind.clone(),
            currency: method.currency.clone(),
            fields: method.fields.clone(),
        }
    }
}

/// One's own advert.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvertShape {
    pub(crate) id: String,
    /// To be sent with each command about it.
    pub(crate) version: i64,
    /// CREATING, ONLINE, OFFLINE, REVOKING, CANCELLED or DELETED.
    pub(crate) state: String,
    /// Part of its escrow left the chain: no new orders until it is back.
    pub(crate) frozen: bool,
    /// SELL or BUY: what the owner does.
    pub(crate) side: String,
    /// MANUAL or AUTOMATIC.
    pub(crate) kind: String,
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
    /// The least total of an order, in the quote.
    pub(crate) order_min: String,
    /// The largest total of an order, in the quote.
    pub(crate) order_max: String,
    /// The owner's payment methods that it offers.
    pub(crate) methods: Vec<MethodShape>,
    /// Where the owner is paid in coins.
    pub(crate) receiving_address: Option<String>,
    pub(crate) remark: Option<String>,
    /// How long a buyer may take to pay, in minutes.
    pub(crate) window_minutes: i64,
    pub(crate) running_orders: u32,
    pub(crate) created_at: DateTime<Utc>,
    /// Why it ended: EXPIRED, OWNER_CANCELLED, WRONG_DEPOSIT, SOLD_OUT or REVOKED.
    pub(crate) end_reason: Option<String>,
    /// What it waits for, while it is created.
    pub(crate) deposit: Option<DepositShape>,
    /// The return of what remained.
    pub(crate) payouts: Vec<PayoutShape>,
    /// What the owner may do now: checkDeposit, online, offline, cancel, revoke, delete.
    pub(crate) actions: Vec<String>,
    pub(crate) server_time: DateTime<Utc>,
}

impl From<&AdvertView> for AdvertShape {
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
        let needed = view.claim.as_ref().map_or(0, |claim| claim.confirmations_needed);
        Self {
            id: advert.id.to_string(),
            version: advert.version,
            state: advert.state.name().to_owned(),
            frozen: advert.frozen.is_some(),
            side: terms.side.name().to_owned(),
            kind: kind(terms.automatic),
            base: base.code.clone(),
            quote: quote.code.clone(),
            price: terms.price.to_string(),
            quantity: terms.quantity.format(base.decimals),
            remaining: advert.remaining.format(base.decimals),
            in_orders: advert.ordered().format(base.decimals),
            order_min: terms.min_total.format(quote.decimals),
            order_max: terms.max_total.format(quote.decimals),
            methods: view.methods.iter().map(MethodShape::from).collect(),
            receiving_address: terms.receiving.as_ref().map(|receiving| receiving.address.clone()),
            remark: terms.remark.clone(),
            window_minutes: terms.windows.payment.num_minutes(),
            running_orders: advert.running,
            created_at: terms.created_at,
            end_reason: reason.map(end_reason),
            deposit: view.claim.as_ref().map(|claim| {
                let asset = if claim.claim.pot.asset == base.id { base } else { quote };
                DepositShape::new(claim, asset, deadline)
            }),
            payouts: PayoutShape::all(view.payout.as_ref(), [base, quote], needed),
            actions: view.actions.iter().map(|action| advert_action(*action).to_owned()).collect(),
            server_time: view.now,
        }
    }
}

fn kind(automatic: bool) -> String {
    if automatic { "AUTOMATIC".to_owned() } else { "MANUAL".to_owned() }
}

fn end_reason(reason: EndReason) -> String {
    match reason {
        EndReason::Expired => "EXPIRED",
        EndReason::OwnerCancelled => "OWNER_CANCELLED",
        EndReason::WrongDeposit => "WRONG_DEPOSIT",
        EndReason::SoldOut => "SOLD_OUT",
        EndReason::Revoked => "REVOKED",
    }
    .to_owned()
}

fn advert_action(action: adverts::Action) -> &'static str {
    match action {
        adverts::Action::CheckDeposit => "checkDeposit",
        adverts::Action::Online => "online",
        adverts::Action::Offline => "offline",
        adverts::Action::Cancel => "cancel",
        adverts::Action::Revoke => "revoke",
        adverts::Action::Delete => "delete",
    }
}

/// One of the five steps.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct StepShape {
    /// BUYER_ACCEPTED, SELLER_DEPOSITED, BUYER_PAID, SELLER_RECEIVED or CHAIN_CONFIRMED.
    pub(crate) step: String,
    /// When; none if not yet, or if the kind of advert makes it unnecessary.
    pub(crate) at: Option<DateTime<Utc>>,
    pub(crate) done: bool,
}

/// Something that the person may do now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActionShape {
    /// accept, reject, checkDeposit, pay, confirm, askCancel, agreeCancel, cancel or recover.
    pub(crate) action: String,
    /// Credit points that it would cost, from the function that would charge them.
    pub(crate) credit_cost: i32,
    /// Whether the security password is needed.
    pub(crate) security_code: bool,
}

/// Where the buyer sends coins, from person to person.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayToShape {
    pub(crate) address: String,
    /// Names one chain, such as ERC20.
    pub(crate) chain_type: String,
    pub(crate) asset: String,
    /// How much, decimal.
    pub(crate) amount: String,
}

/// What the buyer said of the payment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaidShape {
    pub(crate) method_id: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) hash: Option<String>,
    pub(crate) receipts: Vec<String>,
    pub(crate) at: DateTime<Utc>,
}

/// An order, as one of its two people sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderShape {
    pub(crate) id: String,
    /// To be sent with each command about it.
    pub(crate) version: i64,
    /// As in `docs/generated/states.md`.
    pub(crate) state: String,
    /// FROZEN while a deposit is missing on the chain: do not pay.
    pub(crate) overlay: Option<String>,
    /// BUYER or SELLER: which side the person is on.
    pub(crate) role: String,
    /// Whether the person posted the advert.
    pub(crate) advertiser: bool,
    /// MANUAL or AUTOMATIC.
    pub(crate) kind: String,
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
    pub(crate) counterparty: PersonShape,
    pub(crate) created_at: DateTime<Utc>,
    /// Until when somebody must act.
    pub(crate) deadline: Option<DateTime<Utc>>,
    pub(crate) overdue: bool,
    /// Once the late one was told: when the system or the other side may act.
    pub(crate) grace_until: Option<DateTime<Utc>>,
    /// Whether it waits for this person.
    pub(crate) my_turn: bool,
    pub(crate) steps: Vec<StepShape>,
    pub(crate) actions: Vec<ActionShape>,
    /// Where the base is: SELLER, ESCROW, IN_FLIGHT, BUYER or RETURNED.
    pub(crate) money: String,
    /// How the buyer pays in fiat, while the order runs and once it was accepted.
    pub(crate) pay_to: Option<MethodShape>,
    /// How the buyer pays in coins from person to person, once it was accepted.
    pub(crate) pay_to_address: Option<PayToShape>,
    /// Coins that are waited for in this person's vault.
    pub(crate) deposit: Option<DepositShape>,
    pub(crate) payment: Option<PaidShape>,
    /// The release or refund.
    pub(crate) payouts: Vec<PayoutShape>,
    /// BUYER or SELLER, if the seller asked the buyer to agree to a cancellation.
    pub(crate) cancel_asked_by: Option<String>,
    /// Why it was cancelled: WITHDRAWN, AGREED, ACCEPTANCE_OVERDUE, DEPOSIT_OVERDUE, PAYMENT_OVERDUE, CONFIRMATION_OVERDUE.
    #[schema(value_type = Option<String>)]
    pub(crate) end_reason: Option<orders::CancelReason>,
    pub(crate) server_time: DateTime<Utc>,
}

impl From<&OrderView> for OrderShape {
    fn from(view: &OrderView) -> Self {
        let (order, terms) = (&view.order, &view.order.terms);
        let (base, quote) = (&view.assets.0, &view.assets.1);
        let accepted = order.progress.accepted_at.is_some();
        let deadline = order.state.deadline();
        let needed = view.claim.as_ref().map_or(0, |claim| claim.confirmations_needed);
        let mine = |claim: &&ClaimView| claim.claim.pot.vault == terms.user(view.party);
        Self {
            id: order.id.to_string(),
            version: order.version,
            state: order.state.name().to_owned(),
            overlay: order.overlay.as_ref().map(|overlay| overlay.name().to_owned()),
            role: view.party.name().to_owned(),
            advertiser: terms.advertiser_party() == view.party,
            kind: kind(terms.automatic()),
            advert_id: terms.advert.to_string(),
            base: base.code.clone(),
            quote: quote.code.clone(),
            quantity: terms.quantity.format(base.decimals),
            price: terms.price.to_string(),
            total: terms.total.format(quote.decimals),
            fee: terms.fee.format(base.decimals),
            fee_asset: base.code.clone(),
            receives: terms.receives().format(base.decimals),
            receiving_address: terms.buyer_bound.to_string(),
            counterparty: PersonShape::from(&view.counterparty),
            created_at: terms.created_at,
            deadline: deadline.map(|deadline| deadline.at),
            overdue: deadline.is_some_and(|deadline| deadline.passed(view.now)),
            grace_until: deadline.and_then(|deadline| deadline.grace_until(terms.windows.grace)),
            my_turn: orders::waits_for(order) == Some(view.party),
            steps: orders::steps(order)
                .iter()
                .map(|step| StepShape { step: step.step.name().to_owned(), at: step.at, done: step.done })
                .collect(),
            actions: view.actions.0.iter().copied().map(action).collect(),
            money: orders::whereabouts(order).name().to_owned(),
            pay_to: view.method.as_ref().filter(|_| accepted).map(MethodShape::from),
            pay_to_address: match &terms.payment {
                Payment::Transfer(to) if accepted => Some(PayToShape {
                    address: to.address.clone(),
                    chain_type: to.chain_type.clone(),
                    asset: quote.code.clone(),
                    amount: terms.total.format(quote.decimals),
                }),
                _ => None,
            },
            deposit: view.claim.as_ref().filter(mine).map(|claim| {
                let asset = if claim.claim.pot.asset == base.id { base } else { quote };
                DepositShape::new(claim, asset, deadline.map(|deadline| deadline.at))
            }),
            payment: order.progress.paid.as_ref().map(|paid| PaidShape {
                method_id: paid.method.map(|method| method.to_string()),
                reference: paid.reference.clone(),
                hash: paid.hash.clone(),
                receipts: paid.receipts.iter().map(ToString::to_string).collect(),
                at: paid.at,
            }),
            payouts: PayoutShape::all(view.payout.as_ref(), [base, quote], needed),
            cancel_asked_by: match order.state {
                orders::State::AwaitingPayment { cancel_asked_at: Some(_), .. } => Some("SELLER".to_owned()),
                _ => None,
            },
            end_reason: order.state.cancelled().map(|cancelled| cancelled.reason),
            server_time: view.now,
        }
    }
}

fn action(offer: orders::Offer) -> ActionShape {
    let name = match offer.action {
        Action::Accept => "accept",
        Action::Reject => "reject",
        Action::CheckDeposit => "checkDeposit",
        Action::MarkPaid => "pay",
        Action::Confirm => "confirm",
        Action::AskCancel => "askCancel",
        Action::AgreeCancel => "agreeCancel",
        Action::Cancel => "cancel",
        Action::Recover => "recover",
    };
    ActionShape {
        action: name.to_owned(),
        credit_cost: offer.credit_cost,
        security_code: offer.demand == Demand::SecurityPassword,
    }
}
