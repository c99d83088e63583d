//! The hash of where the buyer was told to pay. With it, the log proves what the buyer saw, and reveals no account number.
//!
//! The hash is the SHA-256 of the canonical encoding (see [`encoding`]) of these texts: `mec2c pay to 1`, the ID of the order, and
//! the name and the value of each fact. The facts of a payment method are `type`, `currency`, and its fields by name, pictures
//! as the ID of the file. The facts of an address are `chainType` and `address`.

use sha2::{Digest, Sha256};

use super::hash::{Hash, encoding};
use crate::ids::OrderId;
use crate::payment_methods::PaymentMethod;
use crate::trade::Payment;

/// The first text of the canonical encoding.
pub const PAY_TO_FORMAT: &str = "mec2c pay to 1";

/// Returns the hash of where the buyer of an order pays; `None` for a payment through a method that is not `method`.
pub fn pay_to_hash(order: OrderId, payment: &Payment, method: Option<&PaymentMethod>) -> Option<Hash> {
    let facts = match payment {
        Payment::Method(chosen) => {
            let method = method.filter(|method| method.id == chosen.id)?;
            let fields = method.fields.iter().map(|(name, value)| (name.as_str(), value.clone()));
            let facts = [("type", method.kind.clone()), ("currency", method.currency.clone())];
            facts.into_iter().chain(fields).collect()
        }
        Payment::Transfer(to) => vec![("chainType", to.chain_type.clone()), ("address", to.address.clone())],
        Payment::Automatic { to, chain_type } => vec![("chainType", chain_type.clone()), ("address", to.to_string())],
    };
    let mut texts = vec![PAY_TO_FORMAT.to_owned(), order.to_string()];
    texts.extend(facts.into_iter().flat_map(|(name, value)| [name.to_owned(), value]));
    Some(Hash(Sha256::digest(encoding(&texts)).into()))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::{PaymentMethodId, UserId};
    use crate::trade::Method;
    use crate::users::ReceivingAddress;

    fn method() -> PaymentMethod {
        PaymentMethod {
            id: PaymentMethodId(Uuid::from_u128(5)),
            user: UserId(Uuid::from_u128(6)),
            kind: "BANK".to_owned(),
            currency: "KRW".to_owned(),
            fields: [("name", "王 小明"), ("account", "123-456")].map(|(a, b)| (a.to_owned(), b.to_owned())).into(),
            digest: [0; 32],
            version: 1,
        }
    }

    /// The expected hashes were computed by a separate program that follows the description above.
    #[test]
    fn the_hash_follows_the_description() {
        let order = OrderId(Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001));
        let through = Payment::Method(Method { id: PaymentMethodId(Uuid::from_u128(5)), kind: "BANK".to_owned() });
        let hash = pay_to_hash(order, &through, Some(&method())).unwrap();
        assert_eq!(hash.to_string(), "3aee74fa69586813b3bff067601013266bc7c61746ec64f58302f33b0e99d2ed");
        let to = Payment::Transfer(ReceivingAddress { address: "0xAb".to_owned(), chain_type: "TRC20".to_owned() });
        assert_eq!(
            pay_to_hash(order, &to, None).unwrap().to_string(),
            "5b7f1754c27f535bc0de943f5ec0bf2005997cfdd7df80f32eb42bfcdac7df31"
        );
        let other = PaymentMethod { id: PaymentMethodId(Uuid::from_u128(7)), ..method() };
        assert_eq!(pay_to_hash(order, &through, Some(&other)), None);
        assert_eq!(pay_to_hash(order, &through, None), None);
    }

    #[test]
    fn every_other_account_has_another_hash() {
        let order = OrderId(Uuid::nil());
        let through = Payment::Method(Method { id: PaymentMethodId(Uuid::from_u128(5)), kind: "BANK".to_owned() });
        let hash = |method: &PaymentMethod| pay_to_hash(order, &through, Some(method)).unwrap();
        let mut other = method();
        other.fields.insert("account".to_owned(), "123-457".to_owned());
        assert_ne!(hash(&other), hash(&method()));
        let other = PaymentMethod { currency: "CNY".to_owned(), ..method() };
        assert_ne!(hash(&other), hash(&method()));
    }
}
