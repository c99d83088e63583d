//! What the pass says of a person.

use super::IdentityRefusal;
use crate::chain::Address;
use crate::clock::Timestamp;
pub use crate::people::KycLevel;
use crate::refusal::Refusal;

/// A statement of the pass about one person, its signature checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Names the statement, so that it is used once.
    pub id: String,
    /// The person's ME ID at the pass.
    pub me_id: String,
    /// The person's own address on the MEC chain.
    pub address: Address,
    /// The region by its country code (two letters), which the pass may leave out.
    pub region: Option<String>,
    /// How well the pass knows the person.
    pub kyc: KycLevel,
    /// Our challenge that it answers.
    pub challenge: String,
    /// What the person answered.
    pub decision: Decision,
    /// When it was made.
    pub issued_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What a person answers to a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Yes.
    Approved {
        /// The number that they picked in the pass after scanning a QR code. None by redirect, where their browser takes the
        /// answer back itself.
        number: Option<u8>,
    },
    /// No.
    Declined,
}

/// Whether a text is a country code of two capital letters.
pub fn is_region(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// A person as the pass proved them, fit to have an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    /// The person's ME ID.
    pub me_id: String,
    /// The bound address: all returns go there and nowhere else.
    pub address: Address,
    /// The region by its country code, two capital letters.
    pub region: String,
    /// How well the pass knows the person.
    pub kyc: KycLevel,
}

impl Statement {
    /// The person, if the pass knows them well enough to register, log in and trade.
    pub fn proven(self) -> Result<Proven, Refusal> {
        if self.kyc < KycLevel::Basic {
            return Err(Refusal::KycMissing);
        }
        let region = self.region.ok_or(IdentityRefusal::RegionMissing)?.to_ascii_uppercase();
        if !is_region(&region) {
            return Err(IdentityRefusal::RegionMissing.into());
        }
        if self.me_id.trim().is_empty() {
            return Err(IdentityRefusal::StatementInvalid.into());
        }
        Ok(Proven { me_id: self.me_id, address: self.address, region, kyc: self.kyc })
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
            address: Address([1; 20]),
            region: Some("vn".into()),
            kyc: KycLevel::Basic,
            challenge: "c1".into(),
            decision: Decision::Approved { number: Some(42) },
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
}
