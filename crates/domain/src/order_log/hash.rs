//! The hash chain of an order log. Anybody can verify a log with this description and SHA-256.
//!
//! The hash of an entry is the SHA-256 of the previous entry's hash (32 bytes; 32 zero bytes before entry 1), followed by
//! the canonical encoding of the entry. The canonical encoding is a list of texts in UTF-8. Each text is written as its
//! length in bytes as a decimal number, a colon, the text, and a comma, so that no two lists have the same encoding. The
//! texts are, in this order:
//!
//! 1. `mec2c order log 2`
//! 2. the ID of the order, such as `01930000-0000-7000-8000-000000000001`
//! 3. the number of the entry, such as `12`
//! 4. the time in UTC with microseconds, such as `2026-01-31T12:00:00.000000Z`
//! 5. the kind of the entry: `SYSTEM`, `MESSAGE` or `OFFICER`
//! 6. the author: `BUYER`, `SELLER`, or an empty text for the platform
//! 7. each fact of the entry, as two texts: its name and its value
//!
//! | kind | facts |
//! |---|---|
//! | `SYSTEM` | `notice` (empty if there is none), `state`, `version`, then [details](#details) |
//! | `MESSAGE` | `text`, then `file` for each file, then `warning` for each warning, then `automatic` = `true` if it is the author's automatic reply |
//! | `OFFICER` | `name`, `text`, then `file` for each file |
//!
//! The value of `file` is the ID of the file, a space, and the SHA-256 of its content in lowercase hexadecimal digits.
//!
//! # Details
//!
//! What caused a transition or was added by it, each only where there is something to record.
//!
//! | fact | value |
//! |---|---|
//! | `terms` | when the order is placed: the hash of its [terms](super::terms_hash) |
//! | `payTo` | when the order is accepted: the hash of [where the buyer is to pay](super::pay_to_hash) |
//! | `paymentMethod`, `paymentReference`, `paymentHash` | what the buyer said about the payment: the ID of the seller's payment method, the reference, the hash of the transfer |
//! | `file` | a receipt or a piece of evidence that a party added; one fact for each file |
//! | `appeal` | when the appeal changes: its number, its status and its reason, separated by spaces |
//! | `description` | the initiator's description of the appeal |
//! | `winner` | for whom an officer decided |
//! | `outcome` | what the verdict does with the escrow: `RELEASE` or `CANCEL` |
//! | `movement` | coins that the verdict moves: the kind, `BASE` or `QUOTE`, the amount in base units, the party, and the address if there is one, separated by spaces |
//! | `note` | the officer's reasons |
//! | `malicious` | `true` if the officer found the appeal malicious |
//! | `transaction` | `RELEASE`, `REFUND` or `VOID`, a space, and the hash of a transaction that settled the payout |
//! | `redirect` | when the recipient's contract refuses a payout: the party that receives it, a space, and the address that it goes to instead |
//! | `rejection` | why the advertiser rejected the order |

use std::fmt;
use std::str::FromStr;

use chrono::SecondsFormat;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

use super::details::{self, file_fact};
use super::entry::{Content, Head, LogEntry};

/// The first text of the canonical encoding of an entry.
pub const ENTRY_FORMAT: &str = "mec2c order log 2";

/// The hash before the first entry.
pub const FIRST: Hash = Hash([0; 32]);

/// A SHA-256 hash, written as 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 32]);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl FromStr for Hash {
    type Err = hex::FromHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map(|()| Self(bytes))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Returns the hash of an entry that follows an entry with the hash `previous`. Ignores the hash in `entry`.
pub fn hash(previous: &Hash, entry: &LogEntry) -> Hash {
    hash_of_texts(previous, &texts(entry))
}

/// Returns the hash of an entry with these texts that follows an entry with the hash `previous`.
pub fn hash_of_texts<T: AsRef<str>>(previous: &Hash, texts: &[T]) -> Hash {
    let mut sha = Sha256::new();
    sha.update(previous.0);
    sha.update(encoding(texts));
    Hash(sha.finalize().into())
}

/// Returns the canonical encoding of a list of texts. No two lists have the same encoding.
pub fn encoding<T: AsRef<str>>(texts: &[T]) -> String {
    let mut encoded = String::new();
    for text in texts.iter().map(AsRef::as_ref) {
        encoded.push_str(&text.len().to_string());
        encoded.push(':');
        encoded.push_str(text);
        encoded.push(',');
    }
    encoded
}

fn texts(entry: &LogEntry) -> Vec<String> {
    let mut texts = vec![
        ENTRY_FORMAT.to_owned(),
        entry.order.to_string(),
        entry.number.to_string(),
        entry.at.to_rfc3339_opts(SecondsFormat::Micros, true),
        entry.content.kind().to_owned(),
        entry.author.map_or("", Into::into).to_owned(),
    ];
    texts.extend(facts(&entry.content).into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
    texts
}

/// Returns the facts of an entry: their names and values.
pub fn facts(content: &Content) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut fact = |name, value: String| facts.push((name, value));
    match content {
        Content::System { notice, state, version, terms, details } => {
            fact("notice", notice.map(|notice| notice.to_string()).unwrap_or_default());
            fact("state", state.clone());
            fact("version", version.to_string());
            if let Some(terms) = terms {
                fact("terms", terms.to_string());
            }
            facts.extend(details::facts(details));
        }
        Content::Message { text, files, warnings, automatic } => {
            fact("text", text.clone());
            for file in files {
                fact("file", file_fact(file));
            }
            for warning in warnings {
                fact("warning", warning.into_str().to_owned());
            }
            if *automatic {
                fact("automatic", true.to_string());
            }
        }
        Content::Officer { name, text, files } => {
            fact("name", name.clone());
            fact("text", text.clone());
            for file in files {
                fact("file", file_fact(file));
            }
        }
    }
    facts
}

/// The number of the first entry that does not follow from the entries before it, or is older than they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("entry {0} does not follow from the entries before it")]
pub struct Broken(pub i64);

/// Verifies that entries are a complete part of a log that begins after `head`. Returns the head after the last of them.
pub fn verify(mut head: Head, entries: &[LogEntry]) -> Result<Head, Broken> {
    for entry in entries {
        let number = head.number.saturating_add(1);
        if entry.number != number || entry.at < head.at || entry.hash != hash(&head.hash, entry) {
            return Err(Broken(number));
        }
        head = Head { number, hash: entry.hash, at: entry.at };
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use uuid::Uuid;

    use super::*;
    use crate::chain::{Address, TxHash};
    use crate::clock::Timestamp;
    use crate::effect::Notice;
    use crate::ids::{FileId, OrderId, PaymentMethodId};
    use crate::money::Amount;
    use crate::order_log::{
        AppealDetails, Draft, FileReference, PaymentDetails, Redirect, TransactionKind, TransactionReference,
        TransitionDetails,
    };
    use crate::orders::{AppealReason, Movement, MovementKind, Outcome};
    use crate::talk::Warning;
    use crate::trade::Leg;
    use crate::trade::Party;

    fn at(text: &str) -> Timestamp {
        DateTime::parse_from_rfc3339(text).unwrap().with_timezone(&Utc)
    }

    fn log() -> Vec<LogEntry> {
        let order = OrderId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001));
        let file = FileReference { id: FileId(Uuid::from_u128(7)), sha256: Hash([0xab; 32]) };
        let said = |text: &str, files: &[FileReference], warnings: &[Warning]| Content::Message {
            text: text.to_owned(),
            files: files.to_vec(),
            warnings: warnings.to_vec(),
            automatic: false,
        };
        let system = |notice, state: &str, version| Content::System {
            notice,
            state: state.to_owned(),
            version,
            terms: None,
            details: Box::default(),
        };
        let mut head = Head::default();
        [
            (Some(Party::Buyer), system(Some(Notice::NewOrder), "AWAITING_ACCEPTANCE", 1)),
            (Some(Party::Seller), said("你好, 1:2,\nok", std::slice::from_ref(&file), &[Warning::EarlyRelease])),
            (None, system(None, "AWAITING_PAYMENT", 2)),
            (None, Content::Officer { name: "Mia".to_owned(), text: "Hello".to_owned(), files: vec![file] }),
        ]
        .into_iter()
        .map(|(author, content)| head.append(order, Draft { author, content }, at("2026-01-31T12:00:00.123456Z")))
        .collect()
    }

    /// The expected hashes were computed by a separate program that follows the description above.
    #[test]
    fn the_hashes_follow_the_description() {
        let hashes: Vec<_> = log().iter().map(|entry| entry.hash.to_string()).collect();
        assert_eq!(hashes, EXPECTED);
    }

    #[test]
    fn the_log_commits_to_the_details_of_transitions() {
        let details = TransitionDetails {
            pay_to: Some(Hash([2; 32])),
            payment: Some(PaymentDetails {
                method: Some(PaymentMethodId(Uuid::from_u128(5))),
                reference: Some("ref 1".to_owned()),
                hash: Some("0xAB".to_owned()),
            }),
            files: vec![FileReference { id: FileId(Uuid::from_u128(7)), sha256: Hash([0xab; 32]) }],
            appeal: Some(AppealDetails {
                number: 1,
                status: "DECIDED".to_owned(),
                reason: AppealReason::Fraud,
                description: Some("forged".to_owned()),
                winner: Some(Party::Seller),
                outcome: Some(Outcome::Cancel),
                movements: vec![
                    Movement {
                        kind: MovementKind::Payout,
                        leg: Some(Leg::Base),
                        amount: Amount::new(7).unwrap(),
                        party: Party::Seller,
                        address: Some(Address([3; 20])),
                    },
                    Movement {
                        kind: MovementKind::Fee,
                        leg: Some(Leg::Base),
                        amount: Amount::new(1).unwrap(),
                        party: Party::Buyer,
                        address: None,
                    },
                    Movement {
                        kind: MovementKind::PrepaidFee,
                        leg: None,
                        amount: Amount::new(2).unwrap(),
                        party: Party::Seller,
                        address: None,
                    },
                ],
                note: Some("the bank says so".to_owned()),
                malicious: true,
            }),
            transactions: vec![TransactionReference { kind: TransactionKind::Void, hash: TxHash([1; 32]) }],
            redirect: Some(Redirect { party: Party::Buyer, to: Address([4; 20]) }),
            rejection: Some("closed today".to_owned()),
        };
        let details = Box::new(details);
        let content = Content::System { notice: None, state: "RELEASING".to_owned(), version: 4, terms: None, details };
        let told: Vec<_> = facts(&content).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        let file = format!("file=00000000-0000-0000-0000-000000000007 {}", "ab".repeat(32));
        let expected = [
            "notice=",
            "state=RELEASING",
            "version=4",
            &format!("payTo={}", "02".repeat(32)),
            "paymentMethod=00000000-0000-0000-0000-000000000005",
            "paymentReference=ref 1",
            "paymentHash=0xAB",
            &file,
            "appeal=1 DECIDED FRAUD",
            "description=forged",
            "winner=SELLER",
            "outcome=CANCEL",
            &format!("movement=PAYOUT BASE 7 SELLER 0x{}", "03".repeat(20)),
            "movement=FEE BASE 1 BUYER",
            "movement=PREPAID_FEE PREPAYMENT 2 SELLER",
            "note=the bank says so",
            "malicious=true",
            &format!("transaction=VOID 0x{}", "01".repeat(32)),
            &format!("redirect=BUYER 0x{}", "04".repeat(20)),
            "rejection=closed today",
        ];
        assert_eq!(told, expected);
        let stored = serde_json::to_string(&content).unwrap();
        assert_eq!(serde_json::from_str::<Content>(&stored).unwrap(), content);
    }

    #[test]
    fn times_never_go_back() {
        let order = OrderId(Uuid::nil());
        let said = |text: &str| Draft {
            author: Some(Party::Buyer),
            content: Content::Message {
                text: text.to_owned(),
                files: Vec::new(),
                warnings: Vec::new(),
                automatic: false,
            },
        };
        let (early, late) = (at("2026-01-31T12:00:00Z"), at("2026-01-31T12:00:01Z"));
        let mut head = Head::default();
        let mut entries = vec![head.append(order, said("a"), late), head.append(order, said("b"), early)];
        assert_eq!(entries.iter().map(|entry| entry.at).collect::<Vec<_>>(), [late, late]);
        assert_eq!(verify(Head::default(), &entries), Ok(head));
        // Not even the platform can write an earlier time.
        entries[1].at = early;
        entries[1].hash = hash(&entries[0].hash, &entries[1]);
        assert_eq!(verify(Head::default(), &entries), Err(Broken(2)));
    }

    #[test]
    fn every_change_of_an_entry_breaks_the_chain() {
        let whole = log();
        let last = whole.last().unwrap();
        let end = Head { number: last.number, hash: last.hash, at: last.at };
        assert_eq!(verify(Head::default(), &whole), Ok(end));
        assert_eq!(verify(Head { number: 1, hash: whole[0].hash, at: whole[0].at }, &whole[1..]), Ok(end));
        let changes: [fn(&mut LogEntry); 6] = [
            |entry| entry.order = OrderId(Uuid::nil()),
            |entry| entry.number += 1,
            |entry| entry.at += chrono::Duration::microseconds(1),
            |entry| entry.author = Some(Party::Buyer),
            |entry| entry.hash.0[31] ^= 1,
            |entry| {
                entry.content = Content::System {
                    notice: None,
                    state: "COMPLETED".to_owned(),
                    version: 2,
                    terms: None,
                    details: Box::default(),
                }
            },
        ];
        for change in changes {
            let mut entries = whole.clone();
            change(&mut entries[2]);
            assert_eq!(verify(Head::default(), &entries), Err(Broken(3)));
        }
        let mut entries = whole.clone();
        let Content::Message { warnings, .. } = &mut entries[1].content else { panic!() };
        warnings.clear();
        assert_eq!(verify(Head::default(), &entries), Err(Broken(2)));
        entries = whole.clone();
        entries.remove(1);
        assert_eq!(verify(Head::default(), &entries), Err(Broken(2)));
        entries = whole;
        entries.swap(0, 1);
        assert_eq!(verify(Head::default(), &entries), Err(Broken(1)));
    }

    #[test]
    fn a_hash_is_written_as_digits_and_read_again() {
        let text = "00".repeat(31) + "ff";
        let hash: Hash = text.parse().unwrap();
        assert_eq!((hash.to_string(), hash.0[31]), (text, 0xff));
        for wrong in ["", "0", "zz", &"00".repeat(31), &"00".repeat(33)] {
            assert!(wrong.parse::<Hash>().is_err(), "{wrong}");
        }
    }

    const EXPECTED: [&str; 4] = [
        "408de910959a0b752f8d9910f7ff6789c88f898f71ca0630e8f18c4bc84196d7",
        "6a0a18e5c3de1da521c472c89e8ee24e6cd960d790c4e336a1892aac63508ad1",
        "a404d9f84460c23227a2c8fcc44e1360872a856db7be27c9f436e478529b7573",
        "76083cc343a9a09f4a1dae7aa099a40c889894944c3737df52930a2513bc9dfa",
    ];
}
