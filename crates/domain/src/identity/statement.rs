//! The pass's assertions about users.

use super::IdentityRefusal;
use crate::chain::Address;
use crate::clock::Timestamp;
use crate::refusal::Refusal;
pub use crate::users::KycLevel;

/// An assertion of the pass about a user, with a verified signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The unique ID of the statement, which can be used only once.
    pub id: String,
    /// The user's ME ID at the pass; empty if the pass does not state it.
    pub me_id: String,
    /// The user's own address on the MEC chain; `None` if the pass states none that is valid.
    pub address: Option<Address>,
    /// A two-letter country code; `None` if the pass does not report one.
    pub region: Option<String>,
    pub kyc: KycLevel,
    pub challenge: String,
    pub answer: Answer,
    pub issued_at: Timestamp,
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Approved {
        /// The number that the user selected in the pass after scanning a QR code. `None` after a redirect, because the
        /// redirect itself returns the answer to the user's browser.
        number: Option<u8>,
    },
    Declined,
}

/// Returns whether the text is a country code: two capital letters.
pub fn is_region(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// A user whose identity the pass has proved and whose verification level suffices for an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    pub me_id: String,
    /// The bound address, to which returns and withdrawals are paid.
    pub address: Address,
    /// A country code: two capital letters.
    pub region: String,
    pub kyc: KycLevel,
}

impl Statement {
    /// Returns the user if their verification level suffices to register, log in and trade.
    pub fn proven(self) -> Result<Proven, Refusal> {
        if self.kyc < KycLevel::Basic {
            return Err(Refusal::KycMissing);
        }
        let region = self.region.ok_or(IdentityRefusal::RegionMissing)?.to_ascii_uppercase();
        if !is_region(&region) {
            return Err(IdentityRefusal::RegionMissing.into());
        }
        if self.me_id.trim().is_empty() {
            return Err(IdentityRefusal::MeIdMissing.into());
        }
        let address = self.address.ok_or(IdentityRefusal::StatedAddressMissing)?;
        Ok(Proven { me_id: self.me_id, address, region, kyc: self.kyc })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{Duration, TimeZone, Utc};

    fn statement() -> Statement {
        let now = Utc.timestamp_opt(1_000_000, 0).unwrap();
        Statement {
            id: "s1".into(),
            me_id: "ME-1".into(),
            address: Some(Address([1; 20])),
            region: Some("vn".into()),
            kyc: KycLevel::Basic,
            challenge: "c1".into(),
            answer: Answer::Approved { number: Some(42) },
            issued_at: now,
            expires_at: now + Duration::minutes(5),
        }
    }

    #[test]
    fn basic_verification_and_a_region_are_needed() {
        assert_eq!(statement().proven().unwrap().region, "VN");
        assert_eq!(Statement { kyc: KycLevel::None, ..statement() }.proven(), Err(Refusal::KycMissing));
        for region in [None, Some(String::new()), Some("VNM".into()), Some("1x".into())] {
            assert_eq!(Statement { region, ..statement() }.proven(), Err(IdentityRefusal::RegionMissing.into()));
        }
    }

    #[test]
    fn the_me_id_and_an_address_are_needed() {
        let nobody = Statement { me_id: " ".into(), ..statement() };
        assert_eq!(nobody.proven(), Err(IdentityRefusal::MeIdMissing.into()));
        let nowhere = Statement { address: None, ..statement() };
        assert_eq!(nowhere.proven(), Err(IdentityRefusal::StatedAddressMissing.into()));
    }
}
