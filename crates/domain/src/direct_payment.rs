//! Transfers on the chain that may be the payment of a manual order, which the buyer sends to the seller directly.
//!
//! The chain does not say which order a transfer is for. The sender's address decides if it is the bound address of a user,
//! because the pass has proved whose it is. Everything else can be copied from the public chain or chosen by an attacker, so
//! a transfer from any other address that fits several orders stays ambiguous.

use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

use crate::chain::Address;
use crate::ids::{OrderId, UserId};
use crate::money::Amount;
use crate::text::is_blank;

/// An open manual order to whose seller coins were sent after its acceptance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub order: OrderId,
    pub buyer: UserId,
    /// The buyer's own receiving address. Anyone may have chosen it, also the address of an exchange that many use.
    pub buyer_receives_at: Option<Address>,
    /// What the buyer has to pay, in base units.
    pub total: Amount,
    /// Whether the buyer has reported this transfer's transaction.
    pub reported: bool,
    /// Whether an earlier transfer from the buyer's bound address is the order's payment.
    pub proved: bool,
}

/// Whose address sent a transfer, as far as the platform knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum SenderProof {
    /// The buyer's bound address.
    Bound,
    /// The buyer's receiving address.
    Receiving,
    Unknown,
}

/// A sender of coins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender {
    pub address: Address,
    /// The user whose bound address this is.
    pub bound_to: Option<UserId>,
    /// Whether this is a vault. The platform pays from vaults, and no user can.
    pub vault: bool,
}

/// An order whose payment a transfer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    pub order: OrderId,
    pub sender: SenderProof,
}

/// Returns whether a transfer may as well be something else than the payment of an order that it fits: if it is not from the
/// buyer's bound address and fits several orders, or has another amount. What a buyer sent too late or with too little for one
/// order must not prove that a cheaper one is paid.
pub fn is_ambiguous(sender: SenderProof, fits: u32, exact: bool) -> bool {
    sender != SenderProof::Bound && (fits > 1 || !exact)
}

/// Returns the orders whose payment a transfer of this amount may be, out of the candidates in the order of their
/// acceptance. [`is_ambiguous`] tells how much a match says.
///
/// A transfer from a user's bound address is the payment of one order of this user, or of none: first the order for exactly
/// this amount, then the one for which it was reported, then the one that was accepted first. Any other transfer fits the
/// orders for exactly this amount, or else those for less.
pub fn matches(sender: &Sender, amount: Amount, candidates: &[Candidate]) -> Vec<Match> {
    if sender.vault {
        return Vec::new();
    }
    let fits = |one: &&Candidate| one.total <= amount && !one.proved;
    if let Some(user) = sender.bound_to {
        let own = candidates.iter().filter(fits).filter(|one| one.buyer == user);
        // `min_by_key` returns the first of several equal ones.
        let best = own.min_by_key(|one| (one.total != amount, !one.reported));
        return best.map(|one| Match { order: one.order, sender: SenderProof::Bound }).into_iter().collect();
    }
    let exact = candidates.iter().filter(fits).any(|one| one.total == amount);
    let fitting = candidates.iter().filter(fits).filter(|one| !exact || one.total == amount);
    fitting
        .map(|one| {
            let receiving = one.buyer_receives_at == Some(sender.address);
            let sender = if receiving { SenderProof::Receiving } else { SenderProof::Unknown };
            Match { order: one.order, sender }
        })
        .collect()
}

/// The longest key, so that an index can contain it.
const MAX_KEY: usize = 100;

/// The number of letters and digits of the shortest hash of any chain that is looked for in a longer text.
const SHORTEST_HASH: usize = 32;

/// Returns what identifies a transaction that a buyer reported: its hash without `0x`, spaces and differences of case, also if
/// it is part of a link or has words around it. `None` if nothing is left.
pub fn hash_key(hash: &str) -> Option<String> {
    let digits = hash.split(|c: char| !c.is_ascii_hexdigit()).find(|part| part.len() == 64);
    let words = hash.split(|c: char| !c.is_alphanumeric()).filter(|part| part.len() >= SHORTEST_HASH);
    let key = reference_key(digits.or(words.max_by_key(|part| part.len())).unwrap_or(hash))?;
    let bare = key.strip_prefix("0x").unwrap_or(&key);
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// Returns what identifies a payment's reference: its letters and digits in lower case. `None` if it has none.
pub fn reference_key(reference: &str) -> Option<String> {
    let letters = reference.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let key: String = letters.take(MAX_KEY).collect();
    (!is_blank(&key)).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn order(number: u128) -> OrderId {
        OrderId(Uuid::from_u128(number))
    }

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn address(number: u8) -> Address {
        Address::from_slice(&[number; 20]).unwrap()
    }

    fn amount(units: i128) -> Amount {
        Amount::new(units).unwrap()
    }

    /// The order with this number of the user with the same number.
    fn candidate(number: u128, total: i128) -> Candidate {
        Candidate {
            order: order(number),
            buyer: user(number),
            buyer_receives_at: None,
            total: amount(total),
            reported: false,
            proved: false,
        }
    }

    fn stranger() -> Sender {
        Sender { address: address(9), bound_to: None, vault: false }
    }

    fn of(number: u128) -> Sender {
        Sender { bound_to: Some(user(number)), ..stranger() }
    }

    fn found(sender: &Sender, units: i128, candidates: &[Candidate]) -> Vec<(OrderId, SenderProof)> {
        matches(sender, amount(units), candidates).into_iter().map(|one| (one.order, one.sender)).collect()
    }

    #[test]
    fn a_bound_address_decides_against_every_hint() {
        let thief = Candidate { buyer_receives_at: Some(address(9)), reported: true, ..candidate(1, 100) };
        let honest = candidate(2, 100);
        assert_eq!(found(&of(2), 100, &[thief, honest]), [(order(2), SenderProof::Bound)]);
        assert_eq!(
            found(&of(2), 101, &[Candidate { total: amount(101), ..thief }, honest]),
            [(order(2), SenderProof::Bound)]
        );
    }

    #[test]
    fn the_coins_of_another_user_or_of_the_platform_are_nobodys_payment() {
        let candidates = [candidate(1, 100), candidate(2, 100)];
        assert_eq!(found(&of(3), 100, &candidates), []);
        assert_eq!(found(&Sender { vault: true, ..stranger() }, 100, &candidates), []);
        // Also if the buyer's order has its payment already.
        let paid = Candidate { proved: true, ..candidate(1, 100) };
        assert_eq!(found(&of(1), 100, &[paid, candidate(2, 100)]), []);
    }

    #[test]
    fn hints_show_but_do_not_exclude() {
        let hinted = Candidate { buyer_receives_at: Some(address(9)), reported: true, ..candidate(1, 100) };
        let both = [(order(1), SenderProof::Receiving), (order(2), SenderProof::Unknown)];
        assert_eq!(found(&stranger(), 100, &[hinted, candidate(2, 100)]), both);
    }

    #[test]
    fn the_exact_amount_fits_better_than_more() {
        let candidates = [candidate(1, 40), candidate(2, 60), candidate(3, 61)];
        assert_eq!(found(&stranger(), 60, &candidates), [(order(2), SenderProof::Unknown)]);
        assert_eq!(found(&stranger(), 59, &candidates), [(order(1), SenderProof::Unknown)]);
        assert_eq!(found(&stranger(), 70, &candidates).len(), 3);
        assert_eq!(found(&stranger(), 39, &candidates), []);
    }

    #[test]
    fn of_several_orders_of_the_sender_one_is_paid() {
        let mine = |number, total| Candidate { buyer: user(1), ..candidate(number, total) };
        let candidates = [mine(1, 50), mine(2, 100), Candidate { reported: true, ..mine(3, 100) }, mine(4, 100)];
        assert_eq!(found(&of(1), 100, &candidates), [(order(3), SenderProof::Bound)]);
        assert_eq!(found(&of(1), 99, &candidates), [(order(1), SenderProof::Bound)]);
        assert_eq!(found(&of(1), 100, &[candidates[1], candidates[3]]), [(order(2), SenderProof::Bound)]);
    }

    #[test]
    fn only_the_bound_address_or_the_exact_amount_of_one_order_says_whose_payment_it_is() {
        for (sender, fits, exact, ambiguous) in [
            (SenderProof::Bound, 1, false, false),
            (SenderProof::Unknown, 1, true, false),
            (SenderProof::Unknown, 1, false, true),
            (SenderProof::Receiving, 1, false, true),
            (SenderProof::Receiving, 2, true, true),
        ] {
            assert_eq!(is_ambiguous(sender, fits, exact), ambiguous, "{sender:?} {fits} {exact}");
        }
    }

    #[test]
    fn keys_ignore_how_a_hash_or_reference_is_written() {
        assert_eq!(hash_key(" 0xABc1 "), hash_key("abC1"));
        assert_eq!(hash_key("0x"), None);
        let hash = "ab12".repeat(16);
        for text in [
            format!("0x{hash}"),
            format!("https://scan.example/tx/0x{hash}?a=1"),
            format!("TX:{}", hash.to_uppercase()),
        ] {
            assert_eq!(hash_key(&text).as_ref(), Some(&hash), "{text}");
        }
        let solana = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb".repeat(2);
        assert_eq!(hash_key(&format!("https://scan.example/tx/{solana}")), hash_key(&solana));
        assert_eq!(reference_key("TX 48.35 / 0091"), reference_key("tx4835-0091"));
        assert_eq!(reference_key(" -- "), None);
        assert_ne!(reference_key("TX 1"), reference_key("TX 2"));
        // A transfer's hash is longer than no key.
        assert_eq!(reference_key(&"x".repeat(500)).unwrap().len(), MAX_KEY);
    }
}
