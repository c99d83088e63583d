//! The hash of an order's terms, with which its log begins. So the log proves what the parties agreed to, and the name under
//! which the buyer was to pay.
//!
//! The hash is the SHA-256 of the canonical encoding (see [`encoding`]) of these texts: `mec2c order terms 1`, the ID of the
//! order, and the name and the value of each fact. The facts are those that both parties know from the start. Users, the
//! seller's own address and the address to which the buyer pays are not among them.

use chrono::{Duration, SecondsFormat};
use sha2::{Digest, Sha256};

use super::hash::{Hash, encoding};
use crate::ids::OrderId;
use crate::orders::Terms;
use crate::trade::Payment;

/// The first text of the canonical encoding of terms.
pub const TERMS_FORMAT: &str = "mec2c order terms 1";

/// Returns the hash of an order's terms.
pub fn terms_hash(order: OrderId, terms: &Terms) -> Hash {
    let facts = terms_facts(terms);
    hash_of_terms(&order.to_string(), facts.iter().map(|(name, value)| (*name, value.as_str())))
}

/// Returns the hash of terms with these facts.
pub fn hash_of_terms<'a>(order: &'a str, facts: impl Iterator<Item = (&'a str, &'a str)>) -> Hash {
    let mut texts = vec![TERMS_FORMAT, order];
    texts.extend(facts.flat_map(|(name, value)| [name, value]));
    Hash(Sha256::digest(encoding(&texts)).into())
}

/// Returns the facts of an order's terms: their names and values. Amounts are in base units.
pub fn terms_facts(terms: &Terms) -> Vec<(&'static str, String)> {
    let seconds = |window: Duration| window.num_seconds().to_string();
    let mut facts = vec![
        ("advert", terms.advert.to_string()),
        ("side", terms.side.into_str().to_owned()),
        ("baseAsset", terms.base.asset.0.to_string()),
        ("baseDecimals", terms.base.decimals.to_string()),
        ("quoteAsset", terms.quote.asset.0.to_string()),
        ("quoteDecimals", terms.quote.decimals.to_string()),
        ("quantity", terms.quantity.units().to_string()),
        ("price", terms.price.to_string()),
        ("total", terms.total.units().to_string()),
        ("fee", terms.fee.units().to_string()),
        ("buyerAddress", terms.buyer_bound.to_string()),
    ];
    match &terms.payment {
        Payment::Method(method) => {
            facts.push(("payment", "METHOD".to_owned()));
            facts.push(("method", method.kind.clone()));
        }
        Payment::Transfer(to) => {
            facts.push(("payment", "TRANSFER".to_owned()));
            facts.push(("chainType", to.chain_type.clone()));
        }
        Payment::Automatic { chain_type, .. } => {
            facts.push(("payment", "AUTOMATIC".to_owned()));
            facts.push(("chainType", chain_type.clone()));
        }
    }
    if let Some(payer) = &terms.payer {
        facts.push(("payer", payer.clone()));
    }
    let windows = &terms.windows;
    facts.extend([
        ("acceptanceSeconds", seconds(windows.acceptance)),
        ("advertDepositSeconds", seconds(windows.advert_deposit)),
        ("orderDepositSeconds", seconds(windows.order_deposit)),
        ("paymentSeconds", seconds(windows.payment)),
        ("confirmationSeconds", seconds(windows.confirmation)),
        ("graceSeconds", seconds(windows.grace)),
        ("placedAt", terms.created_at.to_rfc3339_opts(SecondsFormat::Micros, true)),
    ]);
    facts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::order_log::{Content, TransitionDetails, of_transition};
    use crate::orders;
    use crate::orders::tests::{self, Kind};
    use crate::trade::Side;
    use chrono::{DateTime, Utc};
    use uuid::Uuid;

    fn sample() -> (OrderId, Terms) {
        let id = OrderId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001));
        let mut terms = tests::terms(Kind { side: Side::Sell, automatic: false });
        terms.payer = Some("王 小明".to_owned());
        terms.created_at = DateTime::parse_from_rfc3339("2026-01-31T12:00:00.123456Z").unwrap().with_timezone(&Utc);
        (id, terms)
    }

    /// The expected hash was computed by a separate program that follows the description above.
    #[test]
    fn the_hash_follows_the_description() {
        let (id, terms) = sample();
        assert_eq!(terms_hash(id, &terms).to_string(), EXPECTED);
    }

    #[test]
    fn every_change_of_the_terms_changes_the_hash() {
        let (id, terms) = sample();
        let changes: [fn(&mut Terms); 8] = [
            |terms| terms.payer = None,
            |terms| terms.payer = Some("王 小".to_owned()),
            |terms| terms.quantity = terms.total,
            |terms| terms.fee = terms.total,
            |terms| terms.side = Side::Buy,
            |terms| terms.buyer_bound = terms.seller_bound,
            |terms| terms.windows.payment += Duration::seconds(1),
            |terms| terms.base = terms.quote,
        ];
        let mut hashes = BTreeSet::from([terms_hash(id, &terms), terms_hash(OrderId(Uuid::nil()), &terms)]);
        for change in changes {
            let mut changed = terms.clone();
            change(&mut changed);
            hashes.insert(terms_hash(id, &changed));
        }
        assert_eq!(hashes.len(), 10);
    }

    #[test]
    fn the_log_begins_with_the_hash_of_the_terms() {
        let (id, terms) = sample();
        let placed = orders::open(id, terms.clone()).unwrap();
        let told = |content: &Content| match content {
            Content::System { terms, .. } => *terms,
            _ => panic!(),
        };
        let drafts = of_transition(None, &placed.order, None, &placed.effects, TransitionDetails::default());
        let hashes: Vec<_> = drafts.iter().filter_map(|draft| told(&draft.content)).collect();
        assert_eq!(hashes, [terms_hash(id, &terms)]);
        let later = orders::Order { version: 2, ..placed.order.clone() };
        assert!(
            of_transition(Some(&placed.order), &later, None, &placed.effects, TransitionDetails::default())
                .iter()
                .all(|draft| told(&draft.content).is_none())
        );
    }

    const EXPECTED: &str = "2c65d11b7d47adaa33f26a4bf37c6c17bc4bd573be1b4ac0fc254ad8fe403336";
}
