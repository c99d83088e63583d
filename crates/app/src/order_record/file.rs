//! The lines of a record. Each line is a JSON object with one field, which names its kind.

use domain::order_log::{ENTRY_FORMAT, Hash, Head, LogEntry, encoding, facts, hash_of_texts};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::keys::{PublicKey, RecordKeys};
use crate::{Error, Result};

/// The name and version of the format.
pub(super) const FORMAT: &str = "mec2c order record 3";

/// A name and a value, as they are hashed.
pub(super) type Fact = (String, String);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Line {
    Header(Box<Header>),
    Entry(Entry),
    File(File),
    Transaction(Transaction),
    End(End),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) order: String,
    /// `BUYER` or `SELLER`: the party for whom the record was made.
    pub(super) exported_for: String,
    pub(super) exported_at: String,
    /// The public key of the signature.
    pub(super) key: PublicKey,
    pub(super) base: Asset,
    pub(super) quote: Asset,
    pub(super) state: String,
    pub(super) version: i64,
    pub(super) terms: Vec<Fact>,
    pub(super) terms_hash: Hash,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Asset {
    /// As in the facts `baseAsset` and `quoteAsset` of the terms.
    pub(super) id: String,
    pub(super) code: String,
}

/// An entry of the order log, as it is hashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) number: i64,
    pub(super) at: String,
    pub(super) kind: String,
    /// `BUYER`, `SELLER`, or empty for the platform.
    pub(super) author: String,
    pub(super) facts: Vec<Fact>,
    pub(super) hash: Hash,
}

impl Entry {
    pub(super) fn of(entry: &LogEntry) -> Self {
        Self {
            number: entry.number,
            at: time(entry.at),
            kind: entry.content.kind().to_owned(),
            author: entry.author.map_or("", Into::into).to_owned(),
            facts: facts(&entry.content).into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            hash: entry.hash,
        }
    }

    /// Computes the hash of the entry in the log of an order, after an entry with the hash `previous`.
    pub(super) fn expected_hash(&self, order: &str, previous: &Hash) -> Hash {
        let number = self.number.to_string();
        let mut texts = vec![ENTRY_FORMAT, order, &number, &self.at, &self.kind, &self.author];
        texts.extend(self.facts.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]));
        hash_of_texts(previous, &texts)
    }
}

/// A file that is attached to the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct File {
    pub(super) id: String,
    /// `RECEIPT`, `EVIDENCE` or `MESSAGE`.
    pub(super) purpose: String,
    pub(super) by: String,
    pub(super) media_type: String,
    pub(super) bytes: u64,
    pub(super) uploaded_at: String,
    pub(super) sha256: Hash,
}

/// A transaction on the escrow chain that belongs to the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Transaction {
    /// `DEPOSIT`, `PAYMENT`, `RELEASE` or `REFUND`.
    pub(super) kind: String,
    /// The chain ID.
    pub(super) chain: u64,
    /// The transaction hash; null before the transaction is in a block, and for coins that a contract sent without a log.
    pub(super) hash: Option<String>,
    pub(super) asset: String,
    /// A decimal string in whole units.
    pub(super) amount: String,
    /// The address that a payout is paid to; null for deposits and payments.
    pub(super) to: Option<String>,
    #[serde(rename = "final")]
    pub(super) is_final: bool,
    /// Whether the transaction has spent the payout's reference without paying it.
    pub(super) voided: bool,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct End {
    /// The number of entries.
    pub(super) entries: i64,
    /// The hash of the last entry; zeros if there is none.
    pub(super) head: Hash,
    /// The SHA-256 of all lines before this one.
    pub(super) content: Hash,
    /// 128 hexadecimal digits.
    pub(super) signature: String,
}

impl End {
    /// Returns what the signature of a record signs.
    pub(super) fn signed(&self, order: &str) -> Vec<u8> {
        let (entries, head, content) = (self.entries.to_string(), self.head.to_string(), self.content.to_string());
        encoding(&[FORMAT, order, &entries, &head, &content]).into_bytes()
    }
}

pub(super) fn time(at: domain::clock::Timestamp) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
}

pub(super) fn sha256(bytes: &[u8]) -> Hash {
    Hash(Sha256::digest(bytes).into())
}

pub(super) fn write_line(text: &mut String, line: &Line) -> Result<()> {
    text.push_str(&serde_json::to_string(line).map_err(Error::internal)?);
    text.push('\n');
    Ok(())
}

/// Writes and signs a record.
pub(super) fn sealed(header: Header, body: &[Line], head: Head, keys: &RecordKeys) -> Result<String> {
    let order = header.order.clone();
    let mut text = String::new();
    write_line(&mut text, &Line::Header(Box::new(header)))?;
    for line in body {
        write_line(&mut text, line)?;
    }
    let mut end =
        End { entries: head.number, head: head.hash, content: sha256(text.as_bytes()), signature: String::new() };
    end.signature = hex::encode(keys.sign(&end.signed(&order)));
    write_line(&mut text, &Line::End(end))?;
    Ok(text)
}
