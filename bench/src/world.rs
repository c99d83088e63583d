//! Databases full of users and adverts, from which each run gets a fresh copy.

use argon2::password_hash::PasswordHasher as _;
use argon2::{Algorithm, Argon2, Params, Version};
use chain::vaults::Vaults;
use domain::chain::CustodyIndex;
use domain::money::Amount;

use crate::node::Node;
use crate::postgres::Postgres;
use crate::product::Product;

/// The password of every user.
pub(crate) const PASSWORD: &str = "bench-money-1";
/// The coins behind each advert, in base units: a million.
const QUANTITY: &str = "1000000000000000000000000";
/// More than the orders of one run.
const NONCES: u32 = 100_000;
const FILL: &str = include_str!("../sql/world.sql");

/// The size of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct World {
    /// The database that is the template of copies.
    pub(crate) name: &'static str,
    pub(crate) users: u64,
    /// The users that have adverts: those with the lowest numbers.
    pub(crate) sellers: u64,
    pub(crate) adverts: u64,
}

pub(crate) const SMALL: World = World { name: "world_small", users: 40_000, sellers: 256, adverts: 260 };
pub(crate) const MEDIUM: World = World { name: "world_medium", users: 40_000, sellers: 10_000, adverts: 10_000 };
pub(crate) const LARGE: World = World { name: "world_large", users: 1_000_000, sellers: 10_000, adverts: 1_000_000 };
/// Takes the place of [`LARGE`] in a quick run.
pub(crate) const LESS: World = World { name: "world_less", users: 100_000, sellers: 10_000, adverts: 50_000 };

/// The cost of the password hashes in a world. The product checks a password at the cost that its hash states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HashCost {
    /// The lowest that Argon2 allows, to measure everything else.
    Minimal,
    /// The cost at which the product hashes new passwords.
    Real,
}

impl World {
    /// Creates and fills the template.
    pub(crate) async fn fill(&self, postgres: &Postgres, product: &Product, node: &Node) -> anyhow::Result<()> {
        postgres.create_database(self.name, None).await?;
        product.migrate(postgres, self.name, node).await?;
        let Self { users, sellers, adverts, .. } = self;
        let hash = hash(HashCost::Minimal)?;
        let sizes = format!(
            "create table bench_world as select {users}::bigint as users, {sellers}::bigint as sellers,
                    {adverts}::bigint as adverts, {NONCES}::bigint as nonces, {QUANTITY}::numeric as quantity, '{hash}'::text as security_hash,
                    date_trunc('second', now()) - interval '1 hour' as at;
             create table bench_vaults (seller bigint primary key, address bytea not null);"
        );
        postgres.execute(self.name, &sizes).await?;
        let vaults = Vaults::of(node.escrow);
        let addresses: Vec<_> = (1..=*sellers).map(|index| vaults.address(CustodyIndex(index))).collect();
        let rows: Vec<_> =
            (1..).zip(&addresses).map(|(n, vault): (u64, _)| format!("({n}, '\\x{}')", hex::encode(vault.0))).collect();
        postgres.execute(self.name, &format!("insert into bench_vaults values {}", rows.join(", "))).await?;
        postgres.execute(self.name, FILL).await?;
        postgres.execute(self.name, "vacuum (analyze)").await?;
        let pool = postgres.pool(self.name, 1).await?;
        let held: Vec<(i64, String)> = sqlx::query_as(
            "select u.custody_index, d.amount::text from deposits d join users u on u.id = d.vault order by 1",
        )
        .fetch_all(&pool)
        .await?;
        pool.close().await;
        let balances = held.into_iter().map(|(index, amount)| {
            Ok((vaults.address(CustodyIndex(u64::try_from(index)?)), Amount::parse(&amount, 0)?))
        });
        node.endow(&balances.collect::<anyhow::Result<Vec<_>>>()?).await?;
        Ok(())
    }
}

/// Returns the hash of every user's password.
pub(crate) fn hash(cost: HashCost) -> anyhow::Result<String> {
    let (memory, passes) = match cost {
        HashCost::Minimal => (8, 1),
        HashCost::Real => (19 * 1024, 2),
    };
    let params = Params::new(memory, passes, 1, None)?;
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Ok(argon.hash_password_with_salt(PASSWORD.as_bytes(), b"bench world salt")?.to_string())
}

/// The session token of a user.
pub(crate) fn token(user: u64) -> String {
    format!("bench-token-{user}")
}

/// The ID of a user.
pub(crate) fn user_id(user: u64) -> String {
    format!("00000000-0000-7000-8000-{user:012x}")
}

/// The ID of an advert.
pub(crate) fn advert_id(advert: u64) -> String {
    format!("00000001-0000-7000-8000-{advert:012x}")
}

/// The price of an advert, in the quote.
pub(crate) fn price(advert: u64) -> u64 {
    advert.wrapping_mul(7919).checked_rem(50).unwrap_or_default().saturating_add(1000)
}

/// The owner of an advert.
pub(crate) fn owner(world: World, advert: u64) -> u64 {
    advert.saturating_sub(1).checked_rem(world.sellers).unwrap_or_default().saturating_add(1)
}
