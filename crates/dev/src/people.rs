//! The people of the development environment: names for accounts whose keys the node holds.
//!
//! The node's accounts are the same in every environment. The first ones have names; the others are free for people
//! created on the pass's page.

use anyhow::{Context as _, bail};
use domain::chain::Address;

use crate::rpc::Node;

/// The names of the first accounts. Must not be reordered, because the index is the account's.
const NAMES: [&str; 15] = [
    "Amina", "Bruno", "Chen", "Dalia", "Emeka", "Farida", "Goran", "Hana", "Ivan", "Jun", "Kofi", "Leila", "Mei",
    "Minjun", "Linh",
];

/// Returns the name of an account, or the empty string if it has none.
pub(crate) fn name(account: usize) -> &'static str {
    NAMES.get(account).copied().unwrap_or_default()
}

/// A person with coins on the development chain.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// A display name.
    pub(crate) name: String,
    /// The account, whose key the node holds.
    pub(crate) address: Address,
}

/// Returns the account that funds the others: the node's last account.
pub(crate) async fn bank(node: &Node) -> anyhow::Result<Address> {
    let accounts = node.accounts().await?;
    accounts.last().context("the node has no accounts")?.to_lowercase().parse().context("an account is not an address")
}

/// Returns names and accounts for the pass: all but the funding account.
pub(crate) async fn with_pass(node: &Node) -> anyhow::Result<Vec<(String, Address)>> {
    let bank = bank(node).await?;
    let people = all(node).await?.into_iter().filter(|person| person.address != bank);
    Ok(people.map(|person| (person.name, person.address)).collect())
}

/// Returns all people, in the order of the accounts.
pub(crate) async fn all(node: &Node) -> anyhow::Result<Vec<Person>> {
    let accounts = node.accounts().await?;
    if accounts.len() < NAMES.len() {
        bail!("the node has {} accounts instead of {}", accounts.len(), NAMES.len());
    }
    accounts
        .into_iter()
        .enumerate()
        .map(|(index, address)| {
            let name =
                NAMES.get(index).map_or_else(|| format!("Person {}", index.saturating_add(1)), ToString::to_string);
            Ok(Person { name, address: address.to_lowercase().parse().context("an account is not an address")? })
        })
        .collect()
}
