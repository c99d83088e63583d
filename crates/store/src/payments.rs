//! Transfers between users that may be the payments of manual orders, and what buyers report of their payments.

use std::collections::BTreeSet;

use domain::assets::AssetId;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, TxHash};
use domain::clock::Timestamp;
use domain::direct_payment::{self, Match, SenderProof};
use domain::ids::{OrderId, UserId};
use domain::money::Amount;

use crate::columns::{column, signed, uuids};
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// An order whose seller may receive a payment on the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaiting {
    pub order: OrderId,
    pub buyer: UserId,
    /// The buyer's receiving address, if it is an address on the escrow chain.
    pub buyer_receives_at: Option<Address>,
    /// The seller's receiving address, as fixed in the order.
    pub to: Address,
    pub asset: AssetId,
    /// The minimum amount of a matching transfer.
    pub total: Amount,
    /// When the order was accepted. Earlier transfers do not match.
    pub accepted_at: Timestamp,
    /// The key of the transaction that the buyer reported.
    pub reported: Option<String>,
    /// Whether a transfer from the buyer's bound address was seen.
    pub proved: bool,
}

/// A transfer to a seller's receiving address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    pub chain: ChainId,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    pub tx: TxHash,
    /// The log's index in the block.
    pub position: i64,
    pub sender: Address,
    pub amount: Amount,
}

/// A transfer that may be an order's payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payment {
    pub order: OrderId,
    pub transfer: Transfer,
    /// The time of the block.
    pub at: Timestamp,
    /// Whose address the sender's is.
    pub sender: SenderProof,
    /// How many orders the transfer fits, including this one.
    pub fits: u32,
    /// Whether the amount is exactly the order's total.
    pub exact: bool,
}

impl Payment {
    /// Returns whether the transfer may as well be something else than this order's payment.
    pub fn ambiguous(&self) -> bool {
        direct_payment::is_ambiguous(self.sender, self.fits, self.exact)
    }
}

/// What a buyer reported of a payment, as keys that can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub order: OrderId,
    pub hash: Option<String>,
    pub reference: Option<String>,
}

/// Which parts of a report were reported for another order, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repeated {
    pub hash: bool,
    pub reference: bool,
}

/// The maximum number of transfers that are read for each order: those that say most about it.
const MAX_TRANSFERS: i64 = 20;

/// Returns those of the addresses on the escrow chain to which open manual orders are paid. Includes orders that are not
/// accepted yet, so that a payment at the moment of acceptance is not missed.
pub async fn payees(tx: &mut Tx, among: &[Address]) -> Result<Vec<Address>> {
    let among: Vec<_> = among.iter().map(ToString::to_string).collect();
    let rows = sqlx::query_scalar!(
        r#"select distinct lower(o.pay_to) as "to!" from orders o
           join pairs p on p.id = o.pair_id and p.automatic_chain_type = o.pay_chain_type
           where o.payment = 'TRANSFER' and lower(o.pay_to) = any($1)
             and o.state in ('AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION')"#,
        &among
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(|to| to.parse().map_err(|_| Error::row("orders", to, "receiving address"))).collect()
}

/// Returns the accepted orders that are paid to these addresses on the escrow chain, in the order of their acceptance.
pub async fn awaiting(tx: &mut Tx, to: &[Address]) -> Result<Vec<Awaiting>> {
    let to: Vec<_> = to.iter().map(ToString::to_string).collect();
    let rows = sqlx::query!(
        r#"select o.id, lower(o.pay_to) as "to!", o.quote_asset, o.total as "total: Units",
                  (o.progress ->> 'accepted_at')::timestamptz as "accepted_at!", buyer.id as buyer,
                  case when buyer.receiving_chain_type = p.automatic_chain_type then lower(buyer.receiving_address) end
                      as buyer_receives_at,
                  r.hash as "reported?",
                  exists (select from payment_matches m where m.order_id = o.id and m.sender = 'BOUND') as "proved!"
           from orders o
           join pairs p on p.id = o.pair_id and p.automatic_chain_type = o.pay_chain_type
           join users buyer on buyer.id = case o.side when 'SELL' then o.taker else o.advertiser end
           left join payment_reports r on r.order_id = o.id
           where o.payment = 'TRANSFER' and lower(o.pay_to) = any($1)
             and o.state in ('AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION')
             and o.progress ->> 'accepted_at' is not null
           order by 5, o.id"#,
        &to
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Awaiting {
                order: OrderId(row.id),
                buyer: UserId(row.buyer),
                // The chain type may be one whose addresses have another format.
                buyer_receives_at: row.buyer_receives_at.and_then(|address| address.parse().ok()),
                to: row.to.parse().map_err(|_| Error::row("orders", row.id, "receiving address"))?,
                asset: AssetId(row.quote_asset),
                total: row.total.into(),
                accepted_at: row.accepted_at,
                reported: row.reported,
                proved: row.proved,
            })
        })
        .collect()
}

/// Returns the users whose bound addresses are among these.
pub async fn bound_to(tx: &mut Tx, addresses: &[Address]) -> Result<Vec<(Address, UserId)>> {
    let addresses: Vec<_> = addresses.iter().map(|address| address.as_slice().to_vec()).collect();
    let rows =
        sqlx::query!(r#"select bound_address as "bound!", id from users where bound_address = any($1)"#, &addresses)
            .fetch_all(tx.connection())
            .await?;
    rows.into_iter()
        .map(|row| {
            let address =
                Address::from_slice(&row.bound).ok_or_else(|| Error::row("users", row.id, "bound address"))?;
            Ok((address, UserId(row.id)))
        })
        .collect()
}

/// Records which orders each of these transfers may pay. Ignores transfers that are recorded already.
pub async fn insert(tx: &mut Tx, found: &[(Transfer, Vec<Match>)]) -> Result<()> {
    for (transfer, matches) in found {
        let (chain, block) = (signed(transfer.chain.0)?, signed(transfer.block)?);
        let orders = column(matches, |one| one.order.0);
        let senders = column(matches, |one| one.sender.into_str().to_owned());
        sqlx::query!(
            "with paid as (
                 insert into payments (chain_id, block_number, block_hash, tx_hash, position, sender, amount)
                 values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing
                 returning chain_id, block_hash, tx_hash, position
             )
             insert into payment_matches (order_id, chain_id, block_hash, tx_hash, position, sender)
             select m.order_id, p.chain_id, p.block_hash, p.tx_hash, p.position, m.sender::text::payment_sender
             from paid p cross join unnest($8::uuid[], $9::text[]) as m (order_id, sender)",
            chain,
            block,
            transfer.block_hash.as_slice(),
            transfer.tx.as_slice(),
            transfer.position,
            transfer.sender.as_slice(),
            Units(transfer.amount) as _,
            &orders,
            &senders
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Returns the transfers that may be the payments of these orders: for each order, those that say most about it first.
pub async fn of_orders(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<Payment>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select m.order_id, p.chain_id, p.block_number, p.block_hash, b.at, p.tx_hash, p.position, p.sender,
                  p.amount as "amount: Units", m.proof as "proof!", m.fits as "fits!", p.amount = o.total as "exact!"
           from unnest($1::uuid[]) as wanted (id)
           cross join lateral (
               select of.order_id, of.chain_id, of.block_hash, of.tx_hash, of.position, of.sender::text as proof,
                      (select count(*) from payment_matches o
                       where (o.chain_id, o.block_hash, o.tx_hash, o.position)
                           = (of.chain_id, of.block_hash, of.tx_hash, of.position)) as fits
               from payment_matches of where of.order_id = wanted.id
               order by of.sender, fits, of.block_hash, of.tx_hash, of.position limit $2
           ) m
           join orders o on o.id = m.order_id
           join payments p on (p.chain_id, p.block_hash, p.tx_hash, p.position)
                            = (m.chain_id, m.block_hash, m.tx_hash, m.position)
           join blocks b on b.chain_id = p.chain_id and b.number = p.block_number
           order by m.order_id, m.proof, m.fits, p.block_number, p.position"#,
        &uuids(orders),
        MAX_TRANSFERS
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("payments", row.order_id, why);
            Ok(Payment {
                order: OrderId(row.order_id),
                transfer: Transfer {
                    chain: ChainId(u64::try_from(row.chain_id).map_err(|_| wrong("negative chain"))?),
                    block: u64::try_from(row.block_number).map_err(|_| wrong("negative height"))?,
                    block_hash: BlockHash::from_slice(&row.block_hash).ok_or_else(|| wrong("block"))?,
                    tx: TxHash::from_slice(&row.tx_hash).ok_or_else(|| wrong("transaction"))?,
                    position: row.position,
                    sender: Address::from_slice(&row.sender).ok_or_else(|| wrong("sender"))?,
                    amount: row.amount.into(),
                },
                at: row.at,
                sender: row.proof.parse().map_err(|_| wrong("sender's proof"))?,
                fits: u32::try_from(row.fits).map_err(|_| wrong("count"))?,
                exact: row.exact,
            })
        })
        .collect()
}

/// Records what buyers reported of their payments.
pub async fn report(tx: &mut Tx, reports: &[Report]) -> Result<()> {
    if reports.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into payment_reports (order_id, hash, reference) select * from unnest($1::uuid[], $2::text[], $3::text[])
         on conflict (order_id) do update set hash = excluded.hash, reference = excluded.reference",
        &column(reports, |one| one.order.0),
        &column(reports, |one| one.hash.clone()) as _,
        &column(reports, |one| one.reference.clone()) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns those of these orders whose reported transaction or reference was reported for another order, too.
pub async fn repeated(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<(OrderId, Repeated)>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let unique: BTreeSet<_> = orders.iter().copied().collect();
    let rows = sqlx::query!(
        r#"select r.order_id,
                  exists (select from payment_reports o where o.hash = r.hash and o.order_id <> r.order_id) as "hash!",
                  exists (select from payment_reports o where o.reference = r.reference and o.order_id <> r.order_id)
                      as "reference!"
           from payment_reports r where r.order_id = any($1)"#,
        &uuids(&unique.into_iter().collect::<Vec<_>>())
    )
    .fetch_all(tx.connection())
    .await?;
    let found = rows.into_iter().filter(|row| row.hash || row.reference);
    Ok(found.map(|row| (OrderId(row.order_id), Repeated { hash: row.hash, reference: row.reference })).collect())
}
