//! The ledger. The database computes the balances and refuses postings that would break its constraints (see the
//! migration).

use std::collections::BTreeSet;

use domain::assets::AssetId;
use domain::chain::{Address, BlockNumber, ChainId, CustodyIndex};
use domain::clock::Timestamp;
use domain::ids::{PostingId, UserId};
use domain::ledger::{Account, Posting, VaultAsset};
use domain::money::Amount;

use crate::columns::{column, signed, unzip, vault_address};
use crate::numeric::{Units, units};
use crate::{Error, Result, Tx};

/// The constraint that refuses a second posting with the same key.
pub const POSTED_ONCE: &str = "ledger_posting_once";
/// The constraint that refuses a negative balance.
pub const NOT_NEGATIVE: &str = "ledger_balance_not_negative";

pub type Holding = (Account, Amount);

/// Inserts postings, all or none.
///
/// Fails with [`POSTED_ONCE`] if a key was already used, and with [`NOT_NEGATIVE`] if a balance would become negative.
pub async fn post(tx: &mut Tx, postings: &[(PostingId, Posting)], at: Timestamp) -> Result<()> {
    if postings.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = postings.iter().map(|(id, _)| id.0).collect();
    let templates: Vec<_> = postings.iter().map(|(_, posting)| posting.template.to_owned()).collect();
    let keys: Vec<_> = postings.iter().map(|(_, posting)| posting.key.clone()).collect();
    sqlx::query!(
        "insert into ledger_postings (id, template, key, at)
         select id, template, key, $4 from unnest($1::uuid[], $2::text[], $3::text[]) as p (id, template, key)",
        &ids,
        &templates,
        &keys,
        at
    )
    .execute(tx.connection())
    .await?;

    let accounts: BTreeSet<Account> =
        postings.iter().flat_map(|(_, posting)| posting.entries.iter().map(|entry| entry.account)).collect();
    let kinds: Vec<_> = accounts.iter().map(|account| account.kind.into_str().to_owned()).collect();
    let owners: Vec<_> = accounts.iter().map(|account| account.owner).collect();
    let vaults: Vec<_> = accounts.iter().map(|account| account.vault.0).collect();
    let assets: Vec<_> = accounts.iter().map(|account| account.asset.0).collect();
    sqlx::query!(
        "insert into ledger_accounts (kind, owner, vault, asset_id)
         select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::bigint[])
         on conflict do nothing",
        &kinds,
        &owners,
        &vaults,
        &assets
    )
    .execute(tx.connection())
    .await?;

    let mut lines = Lines::default();
    for (id, posting) in postings {
        lines.add(*id, posting)?;
    }
    sqlx::query!(
        "insert into ledger_entries (posting_id, line, account_id, debit, amount)
         select e.posting_id, e.line, a.id, e.debit, e.amount
         from unnest($1::uuid[], $2::smallint[], $3::text[], $4::uuid[], $5::uuid[], $6::bigint[], $7::boolean[], $8::numeric[])
              as e (posting_id, line, kind, owner, vault, asset_id, debit, amount)
         join ledger_accounts a using (kind, owner, vault, asset_id)",
        &lines.postings,
        &lines.numbers,
        &lines.kinds,
        &lines.owners,
        &lines.vaults,
        &lines.assets,
        &lines.debits,
        &units(lines.amounts) as _
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

#[derive(Default)]
struct Lines {
    postings: Vec<uuid::Uuid>,
    numbers: Vec<i16>,
    kinds: Vec<String>,
    owners: Vec<uuid::Uuid>,
    vaults: Vec<uuid::Uuid>,
    assets: Vec<i64>,
    debits: Vec<bool>,
    amounts: Vec<Amount>,
}

impl Lines {
    fn add(&mut self, id: PostingId, posting: &Posting) -> Result<()> {
        for (number, entry) in posting.entries.iter().enumerate() {
            let number = i16::try_from(number).map_err(|_| Error::row("ledger_entries", id, "too many lines"))?;
            self.postings.push(id.0);
            self.numbers.push(number);
            self.kinds.push(entry.account.kind.into_str().to_owned());
            self.owners.push(entry.account.owner);
            self.vaults.push(entry.account.vault.0);
            self.assets.push(entry.account.asset.0);
            self.debits.push(entry.debit);
            self.amounts.push(entry.amount);
        }
        Ok(())
    }
}

struct Row {
    kind: String,
    owner: uuid::Uuid,
    vault: uuid::Uuid,
    asset_id: i64,
    balance: Units,
}

impl Row {
    fn holding(self) -> Result<Holding> {
        let kind = self.kind.parse().map_err(|_| Error::row("ledger_accounts", self.owner, "unknown kind"))?;
        let account = Account { kind, owner: self.owner, vault: UserId(self.vault), asset: AssetId(self.asset_id) };
        Ok((account, self.balance.into()))
    }
}

macro_rules! holdings {
    ($tx:expr, $rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Row,
            "select kind, owner, vault, asset_id, balance from ledger_accounts where balance > 0 and " + $rest
            $(, $argument)*
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(Row::holding)
        .collect()
    };
}

/// Locks the accounts of vault assets and returns the nonempty ones with their balances.
pub async fn lock_vault_assets(tx: &mut Tx, vault_assets: &[VaultAsset]) -> Result<Vec<Holding>> {
    let (vaults, assets) = unzip(vault_assets);
    holdings!(
        tx,
        "(vault, asset_id) in (select * from unnest($1::uuid[], $2::bigint[])) order by id for no key update",
        &vaults,
        &assets
    )
}

/// Returns the nonempty accounts of vault assets with their balances, without locking them.
pub async fn of_vault_assets(tx: &mut Tx, vault_assets: &[VaultAsset]) -> Result<Vec<Holding>> {
    let (vaults, assets) = unzip(vault_assets);
    holdings!(tx, "(vault, asset_id) in (select * from unnest($1::uuid[], $2::bigint[])) order by id", &vaults, &assets)
}

/// Returns the balance of an account; zero if it has no entries.
pub async fn balance(tx: &mut Tx, account: Account) -> Result<Amount> {
    let balance = sqlx::query_scalar!(
        "select balance from ledger_accounts where kind = $1 and owner = $2 and vault = $3 and asset_id = $4",
        account.kind.into_str(),
        account.owner,
        account.vault.0,
        account.asset.0
    )
    .fetch_optional(tx.connection())
    .await?;
    Ok(balance.map_or(Amount::ZERO, Amount::from))
}

/// Returns the balances of accounts. Omits empty accounts.
pub async fn balances(tx: &mut Tx, accounts: &[Account]) -> Result<Vec<Holding>> {
    if accounts.is_empty() {
        return Ok(Vec::new());
    }
    holdings!(
        tx,
        "(kind, owner, vault, asset_id) in (select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::bigint[]))",
        &column(accounts, |account| account.kind.into_str().to_owned()),
        &column(accounts, |account| account.owner),
        &column(accounts, |account| account.vault.0),
        &column(accounts, |account| account.asset.0)
    )
}

/// Returns the nonempty accounts of an advert, order or payout in all vaults.
pub async fn holdings_of(tx: &mut Tx, owner: uuid::Uuid) -> Result<Vec<Holding>> {
    holdings!(tx, "owner = $1 order by id", owner)
}

/// Returns the nonempty accounts in a user's vault.
pub async fn holdings_in(tx: &mut Tx, vault: UserId) -> Result<Vec<Holding>> {
    holdings!(tx, "vault = $1 order by id", vault.0)
}

/// Returns the holdings that the ledger expects in all vaults by asset, unless they are zero.
pub async fn custody_by_vault(tx: &mut Tx) -> Result<Vec<(Address, AssetId, Amount)>> {
    let rows = sqlx::query!(
        "select u.vault_address, a.vault, a.asset_id, a.balance from ledger_accounts a join users u on u.id = a.vault
         where a.kind = 'custody' and a.balance > 0 order by a.id"
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| Ok((vault_address(&row.vault_address, row.vault)?, AssetId(row.asset_id), row.balance.into())))
        .collect()
}

/// The amount of one coin that the ledger expects in a vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Custody {
    pub index: CustodyIndex,
    pub vault: Address,
    pub asset: AssetId,
    /// The balance of the vault's custody account.
    pub held: Amount,
    /// Whether it is an NFT whose newest transfer is into the vault, but not recorded as a transfer of the vault's owner, or revoked as
    /// a deposit.
    pub unrecorded: bool,
}

struct CustodyRow {
    custody_index: i64,
    vault_address: Vec<u8>,
    asset_id: i64,
    held: Units,
    unrecorded: bool,
}

impl TryFrom<CustodyRow> for Custody {
    type Error = Error;

    fn try_from(row: CustodyRow) -> Result<Self> {
        let index = u64::try_from(row.custody_index);
        Ok(Self {
            index: CustodyIndex(index.map_err(|_| Error::row("users", row.custody_index, "custody index"))?),
            vault: vault_address(&row.vault_address, row.custody_index)?,
            asset: AssetId(row.asset_id),
            held: row.held.into(),
            unrecorded: row.unrecorded,
        })
    }
}

/// Returns the expected holdings of a page of at most `most` vaults by custody index: all that are not zero, those of the asset
/// `always` even if they are zero, and unrecorded NFTs, which may be in no account: the newest transfer has brought them, and is no
/// deposit or a revoked one.
pub async fn custody_page(
    tx: &mut Tx,
    always: Option<AssetId>,
    after: Option<CustodyIndex>,
    most: i64,
) -> Result<Vec<Custody>> {
    let rows = sqlx::query_as!(
        CustodyRow,
        r#"select u.custody_index, u.vault_address, c.asset_id as "asset_id!",
                  coalesce((select balance from ledger_accounts l
                            where l.vault = u.id and l.asset_id = c.asset_id and l.kind = 'custody'), 0) as "held!: Units",
                  c.unrecorded as "unrecorded!"
           from (select id, custody_index, vault_address from users where custody_index > $2
                 order by custody_index limit $3) u
           cross join lateral (
               select asset_id, bool_or(unrecorded) as unrecorded from (
                   select $1::bigint as asset_id, false as unrecorded where $1::bigint is not null
                   union all select asset_id, false from ledger_accounts
                             where vault = u.id and kind = 'custody' and balance > 0
                   union all select t.asset_id, true from nft_transfers t
                             where t.recipient = u.vault_address and not exists (
                                 select from nft_transfers later where later.asset_id = t.asset_id
                                        and (later.block_number, later.position) > (t.block_number, t.position))
                             and not exists (
                                 select from transfers d where d.chain_id = t.chain_id and d.block_number = t.block_number
                                        and d.position = t.position and d.vault = u.id and d.asset_id = t.asset_id and d.incoming
                                        and not exists (select from deposits r where r.id = d.id and r.revoked_at is not null))
               ) found group by asset_id
           ) c
           order by u.custody_index, c.asset_id"#,
        always.map(|asset| asset.0),
        after.map_or(Ok(0), |after| signed(after.0))?,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(Custody::try_from).collect()
}

/// Returns the expected holdings of the vaults with movements in blocks above `above` up to `up_to`.
pub async fn custody_touched(
    tx: &mut Tx,
    chain: ChainId,
    above: BlockNumber,
    up_to: BlockNumber,
) -> Result<Vec<Custody>> {
    let rows = sqlx::query_as!(
        CustodyRow,
        r#"select u.custody_index, u.vault_address, c.asset_id as "asset_id!", coalesce(l.balance, 0) as "held!: Units",
                  false as "unrecorded!"
           from (select vault, asset_id from transfers where chain_id = $1 and block_number > $2 and block_number <= $3
                 union select p.vault, p.asset_id from settlements s join payout_legs p on p.reference = s.reference
                       where s.chain_id = $1 and s.block_number > $2 and s.block_number <= $3) c
           join users u on u.id = c.vault
           left join ledger_accounts l on l.vault = u.id and l.asset_id = c.asset_id and l.kind = 'custody'
           order by u.custody_index, c.asset_id"#,
        signed(chain.0)?,
        signed(above)?,
        signed(up_to)?
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter().map(Custody::try_from).collect()
}

/// An inconsistency of an asset in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    pub asset: AssetId,
    /// The album of an NFT; otherwise the asset itself.
    pub counted_as: AssetId,
    pub because: String,
}

/// Returns the inconsistencies of a page of vaults by asset, described in words: accounts whose balance differs from
/// the sum of their entries, and vaults whose holdings differ from the sum of their accounts.
pub async fn disagreements_in(
    tx: &mut Tx,
    after: Option<CustodyIndex>,
    last: CustodyIndex,
) -> Result<Vec<Disagreement>> {
    let rows = sqlx::query!(
        r#"with mine as (
               select a.*, coalesce(s.album, s.id) as counted_as from users u
               -- `offset 0` keeps the planner from reading the accounts of all vaults.
               cross join lateral (select * from ledger_accounts where vault = u.id offset 0) a
               join assets s on s.id = a.asset_id
               where u.custody_index > $1 and u.custody_index <= $2
           )
           select m.asset_id as "asset_id!", m.counted_as as "counted_as!", 'account ' || m.id || ': balance ' || m.balance || ', entries ' || e.sum as "why!"
           from mine m cross join lateral (
               select coalesce(sum(case when e.debit = m.debit_normal then e.amount else -e.amount end), 0) as sum
               from ledger_entries e where e.account_id = m.id) e
           where m.balance <> e.sum
           union all
           select asset_id, counted_as, 'vault ' || vault || ': held ' || sum(case when debit_normal then balance else 0 end)
                  || ', owed ' || sum(case when debit_normal then 0 else balance end)
           from mine group by vault, asset_id, counted_as
           having sum(case when debit_normal then balance else -balance end) <> 0"#,
        after.map_or(Ok(0), |after| signed(after.0))?,
        signed(last.0)?
    )
    .fetch_all(tx.connection())
    .await?;
    let found = rows.into_iter().map(|row| Disagreement {
        asset: AssetId(row.asset_id),
        counted_as: AssetId(row.counted_as),
        because: row.why,
    });
    Ok(found.collect())
}

/// Returns the inconsistencies of the whole ledger, described in words; empty if there are none.
pub async fn disagreements(tx: &mut Tx) -> Result<Vec<String>> {
    let accounts = sqlx::query!(r#"select account_id as "account_id!", balance::text as "balance!", entries::text as "entries!" from ledger_disagreements"#)
        .fetch_all(tx.connection())
        .await?;
    let vault_assets = sqlx::query!(
        r#"select vault as "vault!", asset_id as "asset_id!", held::text, owed::text from ledger_unbacked"#
    )
    .fetch_all(tx.connection())
    .await?;
    let mut found: Vec<_> = accounts
        .into_iter()
        .map(|row| format!("account {}: balance {}, entries {}", row.account_id, row.balance, row.entries))
        .collect();
    found.extend(vault_assets.into_iter().map(|row| {
        let or_nothing = |amount: Option<String>| amount.unwrap_or_else(|| "0".to_owned());
        format!(
            "vault {} asset {}: held {}, owed {}",
            row.vault,
            row.asset_id,
            or_nothing(row.held),
            or_nothing(row.owed)
        )
    }));
    Ok(found)
}
