//! The people in the pass emulator. Each has an account of the development chain, whose key the node holds.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use domain::chain::Address;
use serde::{Deserialize, Serialize};

use crate::environment::write_bytes;

/// The regions of the first people, assigned in turn so that several regions occur.
const REGIONS: [&str; 6] = ["VN", "KR", "TH", "CN", "TR", "ES"];

/// A person in the pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    pub(super) me_id: String,
    /// A display name.
    pub(super) name: String,
    /// The account on the MEC chain.
    pub(super) address: Address,
    /// Two letters.
    pub(super) region: String,
    /// `none`, `basic` or `advanced`.
    pub(super) kyc: String,
    /// Whether the person was created or changed, by the demo world or on the page.
    pub(super) known: bool,
}

/// The stored data of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Made {
    pub(super) name: String,
    pub(super) region: String,
    pub(super) kyc: String,
    /// Another address than that of the person's account of the chain, since the person has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<Address>,
}

pub(super) struct People {
    file: PathBuf,
    accounts: Vec<(String, Address)>,
    /// By index of the account.
    made: Mutex<BTreeMap<usize, Made>>,
}

/// Returns a person's ME ID. It is derived from the account, so that it stays the same across restarts.
pub(super) fn me_id(address: Address) -> String {
    let text = address.to_string();
    format!("ME-{}", text.get(2..12).unwrap_or_default().to_ascii_uppercase())
}

impl People {
    /// Reads the stored data. Every account has a person, stored or not.
    pub(super) fn open(file: PathBuf, accounts: Vec<(String, Address)>) -> anyhow::Result<Self> {
        let made = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", file.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        Ok(Self { file, accounts, made: Mutex::new(made) })
    }

    fn person(&self, number: usize, made: &BTreeMap<usize, Made>) -> Option<Person> {
        let (name, address) = self.accounts.get(number)?;
        let region = number.checked_rem(REGIONS.len()).and_then(|place| REGIONS.get(place)).copied().unwrap_or("VN");
        let said = made.get(&number);
        let as_made = Made { name: name.clone(), region: region.to_owned(), kyc: "advanced".to_owned(), address: None };
        let Made { name, region, kyc, address: moved } = said.cloned().unwrap_or(as_made);
        let known = said.is_some();
        Some(Person { me_id: me_id(*address), name, address: moved.unwrap_or(*address), region, kyc, known })
    }

    pub(super) fn all(&self) -> Vec<Person> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        (0..self.accounts.len()).filter_map(|number| self.person(number, &made)).collect()
    }

    pub(super) fn get(&self, me_id: &str) -> Option<Person> {
        self.all().into_iter().find(|person| person.me_id == me_id)
    }

    /// Changes an existing person, or creates one with the last free account.
    pub(super) fn put(&self, me: Option<&str>, said: Made) -> anyhow::Result<Person> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match me {
            Some(me) => {
                self.accounts.iter().position(|(_, address)| me_id(*address) == me).context("no such person")?
            }
            // The very last account funds the others, so it has no person.
            None => (0..self.accounts.len().saturating_sub(1))
                .rev()
                .find(|number| !made.contains_key(number))
                .context("every account of the chain already belongs to someone")?,
        };
        made.insert(number, said);
        let text = serde_json::to_vec_pretty(&*made)?;
        write_bytes(&self.file, &text, 0o600)?;
        self.person(number, &made).context("no such person")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(file: PathBuf) -> People {
        let account = |number: u8| (format!("Person {number}"), Address([number; 20]));
        People::open(file, (1..=4).map(account).collect()).unwrap()
    }

    #[test]
    fn a_created_person_keeps_their_account() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("people.json");
        let said = |name: &str| Made { name: name.into(), region: "PT".into(), kyc: "basic".into(), address: None };
        let all = people(file.clone());
        let (one, two) = (all.put(None, said("One")).unwrap(), all.put(None, said("Two")).unwrap());
        assert_ne!(one.address, two.address);
        assert_eq!(one.address, Address([3; 20]), "the last account funds the others");
        let changed = all.put(Some(&one.me_id), Made { kyc: "none".into(), ..said("One") }).unwrap();
        assert_eq!((changed.me_id.as_str(), changed.kyc.as_str()), (one.me_id.as_str(), "none"));
        assert_eq!(people(file.clone()).get(&one.me_id), Some(changed));
        let moved = all.put(Some(&one.me_id), Made { address: Some(Address([9; 20])), ..said("One") }).unwrap();
        assert_eq!((&moved.me_id, moved.address), (&one.me_id, Address([9; 20])));
        assert_eq!(people(file).get(&one.me_id), Some(moved));
        assert!(all.put(Some("ME-0"), said("Nobody")).is_err());
    }
}
