//! The people of the development world, as far as the chain knows them: a name and an account whose key the node holds.
//!
//! The node's accounts are the same in every world, so the first are people with a name and the others are for people
//! that a demonstration makes up.

use anyhow::{Context as _, bail};
use domain::chain::Address;

use crate::rpc::Node;

/// Whose names are known. Never reordered: each has the node's account of the same number.
const NAMES: [&str; 15] = [
    "Amina", "Bruno", "Chen", "Dalia", "Emeka", "Farida", "Goran", "Hana", "Ivan", "Jun", "Kofi", "Leila", "Mei",
    "Minjun", "Linh",
];

/// The name that goes with the account of a number; nothing for those without one.
pub(crate) fn name(account: usize) -> &'static str {
    NAMES.get(account).copied().unwrap_or_default()
}

/// Somebody with coins on the development chain.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// A name, for people to tell them apart.
    pub(crate) name: String,
    /// The account, whose key the node holds.
    pub(crate) address: Address,
}

/// The account that gives: the node's last.
pub(crate) async fn bank(node: &Node) -> anyhow::Result<Address> {
    let accounts = node.accounts().await?;
    accounts
        .last()
        .context("the node holds no accounts")?
        .to_lowercase()
        .parse()
        .context("an account that is no address")
}

/// The names and accounts that the pass knows: everybody's but the one that gives.
pub(crate) async fn with_pass(node: &Node) -> anyhow::Result<Vec<(String, Address)>> {
    let bank = bank(node).await?;
    let people = all(node).await?.into_iter().filter(|person| person.address != bank);
    Ok(people.map(|person| (person.name, person.address)).collect())
}

/// Everybody with an account, those with a name first.
pub(crate) async fn all(node: &Node) -> anyhow::Result<Vec<Person>> {
    let accounts = node.accounts().await?;
    if accounts.len() < NAMES.len() {
        bail!("the node holds {} accounts and not {}", accounts.len(), NAMES.len());
    }
    accounts
        .into_iter()
        .enumerate()
        .map(|(index, address)| {
            let name =
                NAMES.get(index).map_or_else(|| format!("Person {}", index.saturating_add(1)), ToString::to_string);
            Ok(Person { name, address: address.to_lowercase().parse().context("an account that is no address")? })
        })
        .collect()
}
