//! Writes the record of an order for one of its parties.

use domain::assets::{Asset, Home};
use domain::chain::{SettlementOutcome, TxHash};
use domain::clock::Timestamp;
use domain::files::Attachment;
use domain::ids::{OrderId, UserId};
use domain::money::Amount;
use domain::order_log::{self, Head};
use domain::orders::Order;
use domain::refusal::Refusal;
use domain::trade::{Leg, Party};
use store::Tx;
use store::payouts::{LegState, Purpose};

use super::file::{self, Entry, FORMAT, Header, Line, Transaction};
use super::keys::RecordKeys;
use crate::engine::confirmations::Confirmations;
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::{Context, Error, Result};

/// The number of entries that are read at once.
const ENTRIES_AT_ONCE: i64 = 500;
/// The maximum number of deposits in a record.
const MAX_DEPOSITS: i64 = 100;

/// A signed record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderRecord {
    /// The name under which the record is saved.
    pub name: String,
    /// The lines of the record.
    pub text: String,
}

/// Makes records of orders.
#[derive(Clone)]
pub struct OrderRecords {
    context: Context,
    keys: Option<RecordKeys>,
}

impl OrderRecords {
    /// Without keys, no records are made.
    pub fn new(context: Context, keys: Option<RecordKeys>) -> Self {
        Self { context, keys }
    }

    /// Returns the keys that sign records; `None` if none are configured.
    pub fn keys(&self) -> Option<&RecordKeys> {
        self.keys.as_ref()
    }

    /// Returns the record of an order to one of its parties. To anyone else, reports that the order does not exist.
    pub async fn export(&self, user: UserId, id: OrderId) -> Result<OrderRecord> {
        // Messages that arrive meanwhile are not in the record, and their files must not be, either.
        let (mut tx, now) = self.context.begin_snapshot().await?;
        let keys = Keys { orders: [id].into(), users: [user].into(), ..Keys::default() };
        let work = UnitOfWork::read(&self.context, &mut tx, now, keys).await?;
        let order = work.orders.get(&id).ok_or(Refusal::OrderMissing)?;
        let party = order.terms.party(user).ok_or(Refusal::OrderMissing)?;
        let keys = self.keys.as_ref().ok_or(Error::Unavailable { what: "the key of order records" })?;
        let base = work.asset(order.terms.base.asset)?;
        let quote = work.asset(order.terms.quote.asset)?;
        let (mut body, head) = entries(&mut tx, id).await?;
        body.extend(files(&mut tx, order).await?);
        body.extend(transactions(&mut tx, order, party, &base, &quote, work.confirmations).await?);
        let header = header(order, party, now, keys, &base, &quote);
        Ok(OrderRecord { name: format!("mec2c-order-{id}.jsonl"), text: file::sealed(header, &body, head, keys)? })
    }
}

fn header(order: &Order, party: Party, now: Timestamp, keys: &RecordKeys, base: &Asset, quote: &Asset) -> Header {
    let asset = |asset: &Asset| file::Asset { id: asset.id.0.to_string(), code: asset.code.clone() };
    let facts = order_log::terms_facts(&order.terms);
    Header {
        format: FORMAT.to_owned(),
        order: order.id.to_string(),
        exported_for: party.into_str().to_owned(),
        exported_at: file::time(now),
        key: keys.public(),
        base: asset(base),
        quote: asset(quote),
        state: order.state.into_str().to_owned(),
        version: order.version,
        terms: facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        terms_hash: order_log::terms_hash(order.id, &order.terms),
    }
}

/// Reads the whole log and verifies it: the platform does not sign a log that is broken.
async fn entries(tx: &mut Tx, id: OrderId) -> Result<(Vec<Line>, Head)> {
    let mut head = Head::default();
    let mut lines = Vec::new();
    loop {
        let piece = store::order_log::after(tx, id, head.number, ENTRIES_AT_ONCE).await?;
        if piece.is_empty() {
            return Ok((lines, head));
        }
        head =
            order_log::verify(head, &piece).map_err(|broken| Error::Internal(format!("the log of {id}: {broken}")))?;
        lines.extend(piece.iter().map(|entry| Line::Entry(Entry::of(entry))));
    }
}

/// Returns the files that are attached to the order, all of which both parties see.
async fn files(tx: &mut Tx, order: &Order) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for stored in store::files::of_order(tx, order.id).await? {
        let Some(Attachment::Order { purpose, .. }) = stored.attached else { continue };
        lines.push(Line::File(file::File {
            id: stored.id.to_string(),
            purpose: match purpose {
                domain::files::Purpose::Receipt => "RECEIPT",
                domain::files::Purpose::Evidence => "EVIDENCE",
                domain::files::Purpose::Message => "MESSAGE",
            }
            .to_owned(),
            by: order.terms.party(stored.owner).map_or("", Into::into).to_owned(),
            media_type: stored.media.name().to_owned(),
            bytes: stored.bytes,
            uploaded_at: file::time(stored.created_at),
            sha256: domain::order_log::Hash(stored.sha256),
        }));
    }
    Ok(lines)
}

/// Returns the transactions on the escrow chain that the party sees, or has seen, on the order's page: the party's own
/// deposits, the payment that was seen, and all payouts. The other party's deposits would show which addresses that party
/// uses.
async fn transactions(
    tx: &mut Tx,
    order: &Order,
    party: Party,
    base: &Asset,
    quote: &Asset,
    confirmations: Confirmations,
) -> Result<Vec<Line>> {
    let chain = |asset: &Asset| match asset.home {
        Home::Chain { chain, .. } | Home::Album { chain, .. } => chain.0,
        Home::Fiat => 0,
    };
    let transaction = |kind: &str, asset: &Asset, amount: Amount, hash: Option<TxHash>, is_final| Transaction {
        kind: kind.to_owned(),
        chain: chain(asset),
        hash: hash.map(|hash| hash.to_string()),
        asset: asset.code.clone(),
        amount: amount.format(asset.decimals),
        to: None,
        is_final,
        voided: false,
    };
    let mut lines = Vec::new();
    let own = match party {
        Party::Buyer => (Leg::Quote, quote, order.progress.payment_funded_at),
        Party::Seller => (Leg::Base, base, order.progress.deposited_at),
    };
    if let (leg, asset, Some(funded_at)) = own {
        // The order's request counts what is credited from the acceptance of the order until it is funded.
        let from = order.progress.accepted_at.unwrap_or(order.terms.created_at);
        let vault_asset = order.terms.vault_asset(leg);
        let credited = store::deposits::credited(tx, vault_asset, from, funded_at, MAX_DEPOSITS).await?;
        for deposit in credited.into_iter().filter(|one| one.revoked_at.is_none()).map(|one| one.deposit) {
            lines.push(transaction("DEPOSIT", asset, deposit.amount, deposit.tx, true));
        }
    }
    for payment in store::payments::of_orders(tx, &[order.id]).await? {
        let transfer = payment.transfer;
        let is_final = !confirmations.grows(confirmations.of(transfer.block));
        lines.push(transaction("PAYMENT", quote, transfer.amount, Some(transfer.tx), is_final));
    }
    // All payouts: each was the order's payout, which both parties see, until it was voided.
    let legs = store::payouts::legs_about(tx, order.id.0).await?;
    let references: Vec<_> = legs.iter().map(|leg| leg.reference).collect();
    let outcomes = store::blocks::outcomes_of(tx, &references).await?;
    for leg in legs {
        let asset = if leg.vault_asset.asset == base.id { base } else { quote };
        let kind = match leg.purpose {
            Purpose::Release => "RELEASE",
            Purpose::Refund => "REFUND",
            _ => continue,
        };
        let voided = leg.state == LegState::Voided;
        let ends = if voided { SettlementOutcome::Voided } else { SettlementOutcome::Paid };
        let ended = outcomes.iter().find(|(one, _)| one.reference == leg.reference && one.outcome == ends);
        let hash = ended.map(|(one, _)| one.tx);
        let line = transaction(kind, asset, leg.amount, hash, leg.state != LegState::Owed);
        lines.push(Transaction { to: Some(leg.recipient.to_string()), voided, ..line });
    }
    Ok(lines.into_iter().map(Line::Transaction).collect())
}
