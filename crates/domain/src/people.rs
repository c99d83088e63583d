//! A person as trading sees them. How they log in is another matter.

use crate::chain::{Address, CustodyIndex};
use crate::clock::Timestamp;
use crate::ids::UserId;
use crate::refusal::RiskFlag;

/// How well the pass knows a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KycLevel {
    /// Not at all.
    None,
    /// Enough to register, log in and trade.
    Basic,
    /// Enough for fiat adverts and large withdrawals.
    Advanced,
}

impl KycLevel {
    /// The name under which it is kept and sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "basic",
            Self::Advanced => "advanced",
        }
    }

    /// The level of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::None, Self::Basic, Self::Advanced].into_iter().find(|level| level.name() == name)
    }
}

/// Where a person is paid in USDT.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReceivingAddress {
    /// The address, as its chain type writes it.
    pub address: String,
    /// The chain type: it names one chain, not a format.
    pub chain_type: String,
}

/// A person who trades.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub id: UserId,
    /// From it the vault's address is made.
    pub custody_index: CustodyIndex,
    /// Where the person sends deposits.
    pub vault: Address,
    /// The person's own address on the escrow chain, proved through the pass. All returns go there.
    pub bound: Option<Address>,
    /// The region that the pass states.
    pub region: String,
    /// How well the pass knows them.
    pub kyc: KycLevel,
    /// The name that others see.
    pub nickname: Option<String>,
    /// Where they are paid in USDT.
    pub receiving: Option<ReceivingAddress>,
    /// Their own switch; never a connection's presence.
    pub online: bool,
    /// Reputation, 0 to 100.
    pub reputation: i32,
    /// Granted by an officer: may post fiat adverts.
    pub certified: bool,
    /// Granted by an officer.
    pub verified: bool,
    /// What an officer has forbidden.
    pub forbidden: Vec<RiskFlag>,
    /// New adverts, new orders and withdrawals wait until then.
    pub held_until: Option<Timestamp>,
}
