//! Verifies a record without any other data.

use std::collections::{BTreeMap, BTreeSet};

use domain::order_log::{FIRST, Hash, hash_of_terms};

use super::file::{End, Entry, FORMAT, Fact, Header, Line, sha256};
use super::keys::PublicKey;

/// Why a record is not genuine or not complete.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    #[error("this is not a record of an order, or not of a format that this program knows")]
    NotARecord,
    #[error("the end of the record is missing")]
    Incomplete,
    #[error("line {0} is not a line of a record as the platform writes it")]
    Line(usize),
    /// The first entry that does not follow from the entries before it.
    #[error(
        "entry {0} was changed, removed, inserted or moved: it does not follow from the entries before it, or is older"
    )]
    Entry(i64),
    #[error("the last entries are missing: the record has {present} of {signed}")]
    Missing { present: i64, signed: i64 },
    #[error("the terms of the order were changed, or the log does not begin with them")]
    Terms,
    /// The ID of a file that the log names with another hash, or that is not listed.
    #[error("file {0} is missing, or the log does not name it, or names another")]
    File(String),
    #[error("the header, the files or the transactions were changed")]
    Content,
    #[error("the signature is not valid")]
    Signature,
    #[error("the record was signed with the key {0}, not with the given one")]
    Key(PublicKey),
}

/// What a genuine record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub order: String,
    pub exported_for: String,
    pub exported_at: String,
    pub key: PublicKey,
    /// The code of the base and of the quote.
    pub assets: (String, String),
    pub state: String,
    /// The facts of the terms.
    pub terms: BTreeMap<String, String>,
    pub entries: i64,
    /// The times of the first and the last entry.
    pub period: Option<(String, String)>,
    pub head: String,
    /// The number of messages by each party and by officers.
    pub buyer_messages: u32,
    pub seller_messages: u32,
    pub official_messages: u32,
    pub files: u32,
    pub transactions: Vec<Transaction>,
}

/// A transaction as the record lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub kind: String,
    /// With the code of the asset.
    pub amount: String,
    pub hash: Option<String>,
    /// Whether it spent the payout's reference without paying.
    pub voided: bool,
}

/// Verifies a record: each line, each hash, the terms and the signature. With `pinned`, the signature must be by this key;
/// otherwise by the key that the record names, which the caller must compare with the published ones.
pub fn verify(file: &[u8], pinned: Option<PublicKey>) -> Result<Summary, Wrong> {
    let text = std::str::from_utf8(file).map_err(|_| Wrong::NotARecord)?;
    let mut reader = Reader { text, read: 0, line: 0 };
    let header = match reader.next() {
        Some(Ok(Line::Header(header))) if header.format == FORMAT => *header,
        _ => return Err(Wrong::NotARecord),
    };
    let mut summary = summary_of(&header);
    let mut head = Head { number: 0, hash: FIRST, at: String::new() };
    let mut section = Section::Entries;
    let (mut named, mut unlisted) = (BTreeMap::new(), BTreeSet::new());
    let terms_hash = header.terms_hash.to_string();
    loop {
        let before = reader.read;
        let line = match reader.next() {
            None => return Err(Wrong::Incomplete),
            // A changed line among the entries is reported as the entry that should be there.
            Some(Err(Wrong::Line(_))) if section == Section::Entries && !reader.is_at_end() => {
                return Err(Wrong::Entry(head.number.saturating_add(1)));
            }
            Some(line) => line?,
        };
        section = section.after(&line).ok_or(Wrong::Line(reader.line))?;
        match line {
            Line::Entry(entry) => {
                head = follow(&header.order, &head, &entry)?;
                summary.count(&entry);
                let files = entry.facts.iter().filter(|(name, _)| name == "file");
                for (id, sha256) in files.filter_map(|(_, value)| value.split_once(' ')).map(owned) {
                    // A file is attached once, so a later entry cannot exchange it.
                    if named.insert(id.clone(), sha256.clone()).is_some_and(|before| before != sha256) {
                        return Err(Wrong::File(id));
                    }
                    unlisted.insert(id);
                }
                let terms = fact(&entry.facts, "terms").filter(|_| entry.kind == "SYSTEM");
                if terms.is_some() != (entry.number == 1) || terms.is_some_and(|terms| terms != terms_hash) {
                    return Err(Wrong::Terms);
                }
            }
            Line::File(file) => {
                summary.files = summary.files.saturating_add(1);
                unlisted.remove(&file.id);
                if named.get(&file.id).is_none_or(|sha256| *sha256 != file.sha256.to_string()) {
                    return Err(Wrong::File(file.id));
                }
            }
            Line::Transaction(listed) => {
                summary.transactions.push(Transaction {
                    amount: format!("{} {}", listed.amount, listed.asset),
                    kind: listed.kind,
                    hash: listed.hash,
                    voided: listed.voided,
                });
            }
            Line::End(end) => {
                let content = text.get(..before).unwrap_or_default();
                if !reader.is_at_end() {
                    return Err(Wrong::Line(reader.line.saturating_add(1)));
                }
                check_end(&header, &head, &end, content, pinned)?;
                if let Some(id) = unlisted.pop_first() {
                    return Err(Wrong::File(id));
                }
                summary.entries = head.number;
                summary.head = head.hash.to_string();
                return Ok(summary);
            }
            Line::Header(_) => return Err(Wrong::Line(reader.line)),
        }
    }
}

/// Reads lines that are exactly as the platform writes them.
struct Reader<'a> {
    text: &'a str,
    /// The number of bytes read.
    read: usize,
    /// The number of the last line that was read, from 1.
    line: usize,
}

impl Reader<'_> {
    fn is_at_end(&self) -> bool {
        self.read >= self.text.len()
    }

    /// Returns the next line; `None` at the end of the file, or if the last line is not complete.
    fn next(&mut self) -> Option<Result<Line, Wrong>> {
        let rest = self.text.get(self.read..)?;
        let (line, _) = rest.split_once('\n')?;
        self.read = self.read.saturating_add(line.len()).saturating_add(1);
        self.line = self.line.saturating_add(1);
        // One line has only one spelling, so that nothing can be changed that is not noticed.
        let parsed = serde_json::from_str::<Line>(line).ok();
        let parsed = parsed.filter(|parsed| serde_json::to_string(parsed).is_ok_and(|written| written == line));
        Some(parsed.ok_or(Wrong::Line(self.line)))
    }
}

/// The parts of a record, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Entries,
    Files,
    Transactions,
    End,
}

impl Section {
    /// Returns the section to which a line belongs; `None` if an earlier line belongs to a later section.
    fn after(self, line: &Line) -> Option<Self> {
        let next = match line {
            Line::Header(_) => return None,
            Line::Entry(_) => Self::Entries,
            Line::File(_) => Self::Files,
            Line::Transaction(_) => Self::Transactions,
            Line::End(_) => Self::End,
        };
        (next >= self).then_some(next)
    }
}

/// The last entry that was read.
struct Head {
    number: i64,
    hash: Hash,
    /// Empty before the first entry.
    at: String,
}

fn follow(order: &str, head: &Head, entry: &Entry) -> Result<Head, Wrong> {
    let number = head.number.saturating_add(1);
    // Times have a fixed width, so they sort as texts.
    if entry.number != number || entry.at < head.at || entry.hash != entry.expected_hash(order, &head.hash) {
        return Err(Wrong::Entry(number));
    }
    Ok(Head { number, hash: entry.hash, at: entry.at.clone() })
}

fn check_end(header: &Header, head: &Head, end: &End, content: &str, pinned: Option<PublicKey>) -> Result<(), Wrong> {
    if end.entries > head.number {
        return Err(Wrong::Missing { present: head.number, signed: end.entries });
    }
    if end.entries < head.number {
        return Err(Wrong::Entry(end.entries.saturating_add(1)));
    }
    if end.head != head.hash {
        return Err(Wrong::Entry(head.number));
    }
    let terms = header.terms.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    if header.terms_hash != hash_of_terms(&header.order, terms) {
        return Err(Wrong::Terms);
    }
    if end.content != sha256(content.as_bytes()) {
        return Err(Wrong::Content);
    }
    if pinned.is_some_and(|key| key != header.key) {
        return Err(Wrong::Key(header.key));
    }
    let signature = hex::decode(&end.signature).map_err(|_| Wrong::Signature)?;
    let is_canonical = hex::encode(&signature) == end.signature;
    if !is_canonical || !header.key.verifies(&end.signed(&header.order), &signature) {
        return Err(Wrong::Signature);
    }
    Ok(())
}

fn owned((id, sha256): (&str, &str)) -> (String, String) {
    (id.to_owned(), sha256.to_owned())
}

fn fact<'a>(facts: &'a [Fact], wanted: &str) -> Option<&'a str> {
    facts.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

fn summary_of(header: &Header) -> Summary {
    Summary {
        order: header.order.clone(),
        exported_for: header.exported_for.clone(),
        exported_at: header.exported_at.clone(),
        key: header.key,
        assets: (header.base.code.clone(), header.quote.code.clone()),
        state: header.state.clone(),
        terms: header.terms.iter().cloned().collect(),
        entries: 0,
        period: None,
        head: String::new(),
        buyer_messages: 0,
        seller_messages: 0,
        official_messages: 0,
        files: 0,
        transactions: Vec::new(),
    }
}

impl Summary {
    fn count(&mut self, entry: &Entry) {
        let first = self.period.take().map_or_else(|| entry.at.clone(), |(first, _)| first);
        self.period = Some((first, entry.at.clone()));
        let counter = match (entry.kind.as_str(), entry.author.as_str()) {
            ("MESSAGE", "BUYER") => &mut self.buyer_messages,
            ("MESSAGE", _) => &mut self.seller_messages,
            ("OFFICER", _) => &mut self.official_messages,
            _ => return,
        };
        *counter = counter.saturating_add(1);
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
