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

use crate::columns::signed;
use crate::numeric::Units;
use crate::{Result, Tx};

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
    for payout in payouts {
        sqlx::query!(
            "insert into payouts (id, chain_id, purpose, subject, created_at) values ($1, $2, $3, $4, $5)",
            payout.id.0,
            signed(chain.0)?,
            payout.purpose.name(),
            payout.subject,
            at
        )
        .execute(tx.connection())
        .await?;
        let count = signed(u64::try_from(payout.legs.len()).unwrap_or(u64::MAX))?;
        // Reserve all references at once, so that the legs of a payout stay adjacent if other transactions reserve
        // references too.
        let first = reserve_references(tx, count).await?;
        for (place, leg) in (0_i64..).zip(&payout.legs) {
            sqlx::query!(
                "insert into payout_legs (reference, payout_id, vault, custody_index, asset_id, recipient, amount, with_next,
                                          source_kind, source_owner, state)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'owed')",
                first.saturating_add(place),
                payout.id.0,
                leg.vault_asset.vault.0,
                signed(leg.custody_index.0)?,
                leg.vault_asset.asset.0,
                leg.recipient.as_slice(),
                Units(leg.amount) as _,
                place.saturating_add(1) < count,
                leg.source.kind.name(),
                leg.source.owner
            )
            .execute(tx.connection())
            .await?;
        }
    }
    Ok(())
}

async fn reserve_references(tx: &mut Tx, count: i64) -> Result<i64> {
    // The lock lasts until the transaction ends, so that the references of a payout are consecutive.
    sqlx::query!("select pg_advisory_xact_lock(hashtext('payout_references'))").execute(tx.connection()).await?;
    let first =
        sqlx::query_scalar!(r#"select nextval('payout_references') as "first!""#).fetch_one(tx.connection()).await?;
    if count > 1 {
        sqlx::query_scalar!("select setval('payout_references', $1)", first.saturating_add(count).saturating_sub(1))
            .fetch_one(tx.connection())
            .await?;
    }
    Ok(first)
}

/// Converts references to column values. Omits those above the column's maximum, because no leg has them.
fn possible(references: &[Reference]) -> Vec<i64> {
    references.iter().filter_map(|reference| i64::try_from(reference.0).ok()).collect()
}
