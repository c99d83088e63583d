//! Payouts: the coins owed on the chain, and the signed transactions that pay them.

mod attempts;
mod failures;
mod legs;
mod withdrawals;

use domain::chain::{Address, ChainId, CustodyIndex, Reference};
use domain::clock::Timestamp;
use domain::ids::PayoutId;
use domain::ledger::{Account, VaultAsset};
use domain::money::Amount;
use uuid::Uuid;

use crate::columns::{column, signed};
use crate::numeric::Units;
use crate::{Error, Result, Tx};

pub use attempts::*;
pub use failures::*;
pub use legs::*;
pub use withdrawals::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Pays an order's escrow to the other party.
    Release,
    /// Pays an order's escrow back.
    Refund,
    /// Pays an advert's remaining escrow back.
    AdvertReturn,
    /// Pays back an unexpected deposit that cancelled an advert in creation.
    WrongDeposit,
    /// Pays temporary balance to its owner.
    Withdrawal,
    /// Pays the platform's earnings from a vault to the treasury.
    Treasury,
}

impl Purpose {
    const ALL: [Self; 6] =
        [Self::Release, Self::Refund, Self::AdvertReturn, Self::WrongDeposit, Self::Withdrawal, Self::Treasury];

    /// Returns the name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Refund => "refund",
            Self::AdvertReturn => "advert_return",
            Self::WrongDeposit => "wrong_deposit",
            Self::Withdrawal => "withdrawal",
            Self::Treasury => "treasury",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLeg {
    pub vault_asset: VaultAsset,
    pub custody_index: CustodyIndex,
    pub recipient: Address,
    pub amount: Amount,
    /// The account that was debited. If the leg is voided, the coins return to it.
    pub source: Account,
}

/// A payout of one leg, or of several legs that are paid together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayout {
    pub id: PayoutId,
    pub purpose: Purpose,
    /// The order, advert, withdrawal or vault to which the payout belongs.
    pub subject: Uuid,
    pub legs: Vec<NewLeg>,
}

/// Inserts payouts and assigns a reference to each leg. The legs of a payout get consecutive references.
pub async fn insert(tx: &mut Tx, chain: ChainId, payouts: &[NewPayout], at: Timestamp) -> Result<()> {
    if payouts.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into payouts (id, chain_id, purpose, subject, created_at)
         select n.id, $2, n.purpose, n.subject, $5 from unnest($1::uuid[], $3::text[], $4::uuid[]) as n (id, purpose, subject)",
        &column(payouts, |payout| payout.id.0),
        signed(chain.0)?,
        &column(payouts, |payout| payout.purpose.name().to_owned()),
        &column(payouts, |payout| payout.subject),
        at
    )
    .execute(tx.connection())
    .await?;
    let legs: Vec<_> = payouts
        .iter()
        .flat_map(|payout| {
            let last = payout.legs.len().saturating_sub(1);
            payout.legs.iter().enumerate().map(move |(place, leg)| (payout.id, place < last, leg))
        })
        .collect();
    let indexes = legs.iter().map(|(.., leg)| signed(leg.custody_index.0)).collect::<Result<Vec<_>>>()?;
    sqlx::query!(
        "insert into payout_legs (reference, payout_id, vault, custody_index, asset_id, recipient, amount, with_next,
                                  source_kind, source_owner, state)
         select f.first + n.place - 1, n.payout_id, n.vault, n.custody_index, n.asset_id, n.recipient, n.amount, n.with_next,
                n.source_kind, n.source_owner, 'owed'
         from reserve_payout_references($1) as f (first),
              unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bytea[], $7::numeric[], $8::boolean[], $9::text[],
                     $10::uuid[]) with ordinality
              as n (payout_id, vault, custody_index, asset_id, recipient, amount, with_next, source_kind, source_owner, place)",
        i64::try_from(legs.len()).map_err(|_| Error::row("payout_legs", legs.len(), "too many"))?,
        &column(&legs, |(payout, ..)| payout.0),
        &column(&legs, |(.., leg)| leg.vault_asset.vault.0),
        &indexes,
        &column(&legs, |(.., leg)| leg.vault_asset.asset.0),
        &column(&legs, |(.., leg)| leg.recipient.as_slice().to_vec()),
        &column(&legs, |(.., leg)| Units(leg.amount)) as _,
        &column(&legs, |(_, with_next, _)| *with_next),
        &column(&legs, |(.., leg)| leg.source.kind.into_str().to_owned()),
        &column(&legs, |(.., leg)| leg.source.owner)
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Converts references to column values. Omits those above the column's maximum, because no leg has them.
fn possible(references: &[Reference]) -> Vec<i64> {
    references.iter().filter_map(|reference| i64::try_from(reference.0).ok()).collect()
}
