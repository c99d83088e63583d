//! Every change of a record is noticed.

#![allow(clippy::arithmetic_side_effects)]

use domain::effect::Notice;
use domain::ids::{FileId, OrderId};
use domain::order_log::{Content, Draft, FileReference, Hash, Head, LogEntry};
use domain::talk::Warning;
use domain::trade::Party;
use proptest::prelude::*;
use uuid::Uuid;

use super::super::file::{self, Entry, FORMAT, Header, Line, Transaction};
use super::super::keys::RecordKeys;
use super::{Wrong, verify};
use domain::order_log::hash_of_terms;

const SEED: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
/// The public key of `SEED` according to RFC 8032, section 7.1.
const PUBLIC: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

fn keys() -> RecordKeys {
    RecordKeys::new(SEED, Vec::new()).unwrap()
}

fn log(texts: &[String]) -> (Vec<LogEntry>, Head, Vec<(String, String)>) {
    let order = OrderId(Uuid::from_u128(7));
    let at = "2026-01-31T12:00:00.123456Z".parse().unwrap();
    let terms = vec![("side".to_owned(), "SELL".to_owned()), ("payer".to_owned(), "王 小明".to_owned())];
    let hash = hash_of_terms(&order.to_string(), terms.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let mut head = Head::default();
    let placed = Content::System {
        notice: Some(Notice::NewOrder),
        state: "AWAITING_ACCEPTANCE".to_owned(),
        version: 1,
        terms: Some(hash),
        details: Box::default(),
    };
    let mut entries = vec![head.append(order, Draft { author: Some(Party::Buyer), content: placed }, at)];
    for (index, text) in texts.iter().enumerate() {
        let files = vec![FileReference { id: FileId(Uuid::from_u128(9)), sha256: Hash([0xab; 32]) }];
        let (author, content) = match index % 3 {
            0 => (
                Some(Party::Seller),
                Content::Message { text: text.clone(), files, warnings: vec![Warning::EarlyRelease], automatic: false },
            ),
            1 => (
                Some(Party::Buyer),
                Content::Message { text: text.clone(), files: Vec::new(), warnings: Vec::new(), automatic: false },
            ),
            _ => (None, Content::Officer { name: "Mia".to_owned(), text: text.clone(), files }),
        };
        entries.push(head.append(order, Draft { author, content }, at));
    }
    (entries, head, terms)
}

/// Returns a record of a log whose lines between the header and the end are changed before the platform signs it.
fn record_of(
    (entries, head, terms): (Vec<LogEntry>, Head, Vec<(String, String)>),
    change: impl FnOnce(&mut Vec<Line>),
) -> String {
    let order = OrderId(Uuid::from_u128(7)).to_string();
    let facts = terms.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let header = Header {
        format: FORMAT.to_owned(),
        terms_hash: hash_of_terms(&order, facts),
        order,
        exported_for: "BUYER".to_owned(),
        exported_at: "2026-02-01T12:00:00.000000Z".to_owned(),
        key: keys().public(),
        base: file::Asset { id: "1".to_owned(), code: "MEC".to_owned() },
        quote: file::Asset { id: "2".to_owned(), code: "KRW".to_owned() },
        state: "COMPLETED".to_owned(),
        version: 5,
        terms,
    };
    let mut body: Vec<_> = entries.iter().map(|entry| Line::Entry(Entry::of(entry))).collect();
    body.push(Line::File(file::File {
        id: FileId(Uuid::from_u128(9)).to_string(),
        purpose: "MESSAGE".to_owned(),
        by: "SELLER".to_owned(),
        media_type: "image/png".to_owned(),
        bytes: 123,
        uploaded_at: "2026-01-31T12:00:00.000000Z".to_owned(),
        sha256: Hash([0xab; 32]),
    }));
    for (kind, hash) in [("DEPOSIT", Some("0x01".to_owned())), ("RELEASE", None)] {
        body.push(Line::Transaction(Transaction {
            kind: kind.to_owned(),
            chain: 31337,
            hash,
            asset: "MEC".to_owned(),
            amount: "9.99".to_owned(),
            to: None,
            is_final: true,
            voided: kind == "RELEASE",
        }));
    }
    change(&mut body);
    file::sealed(header, &body, head, &keys()).unwrap()
}

/// Returns a record whose log has a message with each text.
fn record(texts: &[String]) -> String {
    record_of(log(texts), |_| {})
}

fn sample() -> String {
    record(&["hello".to_owned(), "你好 \"quoted\" \\ and\nlines".to_owned(), "decided".to_owned(), "thanks".to_owned()])
}

/// The lines of a record, each with its line break.
fn lines(record: &str) -> Vec<&str> {
    record.split_inclusive('\n').collect()
}

#[test]
fn a_genuine_record_is_summarized() {
    let summary = verify(sample().as_bytes(), Some(PUBLIC.parse().unwrap())).unwrap();
    assert_eq!(summary.key.to_string(), PUBLIC);
    assert_eq!((summary.entries, summary.files, summary.transactions.len()), (5, 1, 2));
    assert_eq!((summary.buyer_messages, summary.seller_messages, summary.official_messages), (1, 2, 1));
    assert_eq!(summary.terms["payer"], "王 小明");
    assert_eq!(verify(sample().as_bytes(), None).unwrap(), summary);
}

#[test]
fn every_changed_byte_is_noticed() {
    let whole = sample().into_bytes();
    for index in 0..whole.len() {
        for change in [1_u8, 0x20] {
            let mut changed = whole.clone();
            changed[index] ^= change;
            assert!(verify(&changed, None).is_err(), "byte {index} ^ {change}");
        }
    }
}

#[test]
fn every_truncation_and_addition_is_noticed() {
    let whole = sample().into_bytes();
    for length in 0..whole.len() {
        assert!(verify(&whole[..length], None).is_err(), "{length} bytes");
    }
    for added in ["\n", " ", "x", "{}\n", "\u{feff}"] {
        assert!(verify(&[whole.as_slice(), added.as_bytes()].concat(), None).is_err(), "{added:?} at the end");
        assert!(verify(&[added.as_bytes(), whole.as_slice()].concat(), None).is_err(), "{added:?} at the start");
    }
    let short: String = lines(&sample())[..4].concat();
    assert_eq!(verify(short.as_bytes(), None), Err(Wrong::Incomplete));
}

#[test]
fn the_first_wrong_entry_is_named() {
    let whole = sample();
    let lines = lines(&whole);
    // Line 0 is the header, lines 1 to 5 are the entries.
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut lines);
        verify(lines.concat().as_bytes(), None).unwrap_err()
    };
    assert_eq!(with(&|lines| lines[2] = lines[2].replace("hello", "hallo")), Wrong::Entry(2));
    assert_eq!(with(&|lines| lines[2] = lines[2].replace("SELLER", "BUYER")), Wrong::Entry(2));
    assert_eq!(with(&|lines| lines[2] = lines[2].replace("EARLY_RELEASE", "OFF_PLATFORM")), Wrong::Entry(2));
    assert_eq!(with(&|lines| lines[4] = lines[4].replace("Mia", "Leo")), Wrong::Entry(4));
    assert_eq!(with(&|lines| drop(lines.remove(3))), Wrong::Entry(3));
    assert_eq!(with(&|lines| lines.swap(2, 3)), Wrong::Entry(2));
    assert_eq!(with(&|lines| lines.insert(3, lines[2].clone())), Wrong::Entry(3));
    assert_eq!(with(&|lines| drop(lines.remove(5))), Wrong::Missing { present: 4, signed: 5 });
    assert_eq!(with(&|lines| lines[3] = lines[3].replace("{\"entry\":{", "{\"entry\": {")), Wrong::Entry(3));
    assert_eq!(with(&|lines| lines[0] = lines[0].replace("王 小明", "王 大明")), Wrong::Terms);
    assert_eq!(with(&|lines| lines[0] = lines[0].replace("KRW", "USD")), Wrong::Content);
    assert_eq!(with(&|lines| lines[6] = lines[6].replace("123", "124")), Wrong::Content);
    assert_eq!(with(&|lines| lines[7] = lines[7].replace("9.99", "8.99")), Wrong::Content);
    assert_eq!(with(&|lines| drop(lines.remove(7))), Wrong::Content);
    assert_eq!(with(&|lines| lines.swap(6, 7)), Wrong::Line(8));
    assert_eq!(with(&|lines| lines[9].insert(2, 'x')), Wrong::Line(10));
}

/// Not even the platform can exchange or omit a file that the log names.
#[test]
fn a_record_lists_the_files_that_the_log_names() {
    let file = FileId(Uuid::from_u128(9)).to_string();
    let texts = ["hello".to_owned()];
    assert!(verify(record_of(log(&texts), |_| {}).as_bytes(), None).is_ok());
    let omitted = record_of(log(&texts), |lines| lines.retain(|line| !matches!(line, Line::File(_))));
    assert_eq!(verify(omitted.as_bytes(), None), Err(Wrong::File(file.clone())));

    let (mut entries, mut head, terms) = log(&texts);
    let files = vec![FileReference { id: FileId(Uuid::from_u128(9)), sha256: Hash([0xcd; 32]) }];
    let content = Content::Message { text: String::new(), files, warnings: Vec::new(), automatic: false };
    let at = entries[0].at;
    entries.push(head.append(OrderId(Uuid::from_u128(7)), Draft { author: Some(Party::Seller), content }, at));
    let exchanged = record_of((entries, head, terms), |lines| {
        for line in lines {
            if let Line::File(file) = line {
                file.sha256 = Hash([0xcd; 32]);
            }
        }
    });
    assert_eq!(verify(exchanged.as_bytes(), None), Err(Wrong::File(file)));
}

/// A forger who recomputes all hashes still cannot sign.
#[test]
fn a_recomputed_log_has_no_valid_signature() {
    let whole = sample();
    let mut forged = record(&["forged".to_owned(), "b".to_owned(), "c".to_owned(), "thanks".to_owned()]);
    // The forger keeps the signature of the genuine record.
    let signature = |record: &str| {
        let end: Line = serde_json::from_str(lines(record).last().unwrap()).unwrap();
        let Line::End(end) = end else { panic!() };
        end.signature
    };
    forged = forged.replace(&signature(&forged), &signature(&whole));
    assert_eq!(verify(forged.as_bytes(), None), Err(Wrong::Signature));

    // Or signs with another key, which the record then names.
    let other = RecordKeys::new(&SEED.replace('9', "8"), Vec::new()).unwrap();
    let key = other.public();
    let text = whole.replace(PUBLIC, &key.to_string());
    assert_eq!(verify(text.as_bytes(), None), Err(Wrong::Content));
    let (entries, head, _) = log(&[]);
    let Line::Header(header) = serde_json::from_str(lines(&whole)[0]).unwrap() else { panic!() };
    let body: Vec<_> = entries.iter().map(|entry| Line::Entry(Entry::of(entry))).collect();
    let resigned = file::sealed(Header { key, ..*header }, &body, head, &other).unwrap();
    assert_eq!(verify(resigned.as_bytes(), Some(PUBLIC.parse().unwrap())), Err(Wrong::Key(key)));
    assert_eq!(verify(resigned.as_bytes(), None).unwrap().key, key);
}

#[test]
fn a_wrong_key_is_noticed() {
    let other = RecordKeys::new(&SEED.replace('9', "8"), Vec::new()).unwrap().public();
    assert_eq!(verify(sample().as_bytes(), Some(other)), Err(Wrong::Key(PUBLIC.parse().unwrap())));
}

#[test]
fn keys_are_hexadecimal() {
    assert_eq!(keys().public().to_string(), PUBLIC);
    assert!(!format!("{:?}", keys()).contains(SEED));
    for wrong in ["", "zz", &SEED[1..], &format!("{SEED}0")] {
        assert!(RecordKeys::new(wrong, Vec::new()).is_none(), "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever was said: the record is genuine, and no longer after an entry was removed, repeated, moved or replaced by one
    /// of another log.
    #[test]
    fn every_change_of_the_entries_is_noticed(
        texts in prop::collection::vec(any::<String>(), 2..8),
        others in prop::collection::vec(any::<String>(), 2..8),
        (at, to, byte) in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        replaced in any::<u8>(),
    ) {
        let whole = record(&texts);
        prop_assert!(verify(whole.as_bytes(), Some(keys().public())).is_ok());
        let original = lines(&whole);
        let entries = texts.len() + 1;
        let (at, to) = (1 + at.index(entries), 1 + to.index(entries));
        let mut removed = original.clone();
        removed.remove(at);
        prop_assert!(verify(removed.concat().as_bytes(), None).is_err());
        let mut repeated = original.clone();
        repeated.insert(to, original[at]);
        let wrong = i64::try_from(if to == at { at + 1 } else { to }).unwrap();
        prop_assert_eq!(verify(repeated.concat().as_bytes(), None), Err(Wrong::Entry(wrong)));
        if at != to {
            let mut moved = original.clone();
            moved.swap(at, to);
            let first = i64::try_from(at.min(to)).unwrap();
            prop_assert_eq!(verify(moved.concat().as_bytes(), None), Err(Wrong::Entry(first)));
        }
        let other = record(&others);
        let foreign = lines(&other)[1 + at % (others.len() + 1)];
        if foreign != original[at] {
            let mut exchanged = original.clone();
            exchanged[at] = foreign;
            prop_assert!(verify(exchanged.concat().as_bytes(), None).is_err());
        }
        let mut bytes = whole.clone().into_bytes();
        let byte = byte.index(bytes.len());
        if bytes[byte] != replaced {
            bytes[byte] = replaced;
            prop_assert!(verify(&bytes, None).is_err(), "byte {}", byte);
        }
    }
}
