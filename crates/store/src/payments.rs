//! Transfers between users that may be the payment of a manual order.

use domain::assets::AssetId;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, TxHash};
use domain::clock::Timestamp;
use domain::ids::OrderId;
use domain::money::Amount;

use crate::columns::{signed, uuids};
use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// An order whose seller may receive a payment on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaiting {
    pub order: OrderId,
    /// The seller's receiving address, as fixed in the order.
    pub to: Address,
    pub asset: AssetId,
    /// The minimum amount of a matching transfer.
    pub total: Amount,
    /// When the order was accepted. Earlier transfers do not match.
    pub accepted_at: Timestamp,
}

/// A transfer that may be an order's payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payment {
    pub order: OrderId,
    pub chain: ChainId,
    pub block: BlockNumber,
    pub block_hash: BlockHash,
    /// The time of the block.
    pub at: Timestamp,
    pub tx: TxHash,
    /// The log's index in the block.
    pub position: i64,
    pub sender: Address,
    pub amount: Amount,
}

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

/// Returns the accepted orders that are paid to these addresses on the escrow chain and for which no payment was seen
/// yet, in the order of their acceptance.
pub async fn awaiting(tx: &mut Tx, to: &[Address]) -> Result<Vec<Awaiting>> {
    let to: Vec<_> = to.iter().map(ToString::to_string).collect();
    let rows = sqlx::query!(
        r#"select o.id, lower(o.pay_to) as "to!", o.quote_asset, o.total as "total: Units",
                  (o.progress ->> 'accepted_at')::timestamptz as "accepted_at!"
           from orders o
           join pairs p on p.id = o.pair_id and p.automatic_chain_type = o.pay_chain_type
           where o.payment = 'TRANSFER' and lower(o.pay_to) = any($1)
             and o.state in ('AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION')
             and o.progress ->> 'accepted_at' is not null
             and not exists (select from payments s where s.order_id = o.id)
           order by 5, o.id"#,
        &to
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Awaiting {
                order: OrderId(row.id),
                to: row.to.parse().map_err(|_| Error::row("orders", row.id, "receiving address"))?,
                asset: AssetId(row.quote_asset),
                total: row.total.into(),
                accepted_at: row.accepted_at,
            })
        })
        .collect()
}

/// Records which transfers match which orders. Ignores a transfer that already matches an order, and an order that
/// already has a transfer.
pub async fn insert(tx: &mut Tx, payments: &[Payment]) -> Result<()> {
    for payment in payments {
        sqlx::query!(
            "insert into payments (chain_id, block_number, block_hash, tx_hash, position, sender, amount, order_id)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing",
            signed(payment.chain.0)?,
            signed(payment.block)?,
            payment.block_hash.as_slice(),
            payment.tx.as_slice(),
            payment.position,
            payment.sender.as_slice(),
            Units(payment.amount) as _,
            payment.order.0
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Returns the transfers that match these orders.
pub async fn of_orders(tx: &mut Tx, orders: &[OrderId]) -> Result<Vec<Payment>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select p.order_id, p.chain_id, p.block_number, p.block_hash, b.at, p.tx_hash, p.position, p.sender,
                  p.amount as "amount: Units"
           from payments p join blocks b on b.chain_id = p.chain_id and b.number = p.block_number
           where p.order_id = any($1)"#,
        &uuids(orders)
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let wrong = |why| Error::row("payments", row.order_id, why);
            Ok(Payment {
                order: OrderId(row.order_id),
                chain: ChainId(u64::try_from(row.chain_id).map_err(|_| wrong("negative chain"))?),
                block: u64::try_from(row.block_number).map_err(|_| wrong("negative height"))?,
                block_hash: BlockHash::from_slice(&row.block_hash).ok_or_else(|| wrong("block"))?,
                at: row.at,
                tx: TxHash::from_slice(&row.tx_hash).ok_or_else(|| wrong("transaction"))?,
                position: row.position,
                sender: Address::from_slice(&row.sender).ok_or_else(|| wrong("sender"))?,
                amount: row.amount.into(),
            })
        })
        .collect()
}
