//! Decodes the Escrow's reports about references.

use alloy::primitives::{B256, Bytes, Log as EvmLog, LogData};
use alloy::sol_types::SolEvent;
use domain::chain::{Reference, SettlementOutcome};

use crate::contracts::Escrow;
use crate::convert::to_evm;
use crate::node::Log;

/// Why a leg was not paid. Except for [`Failure::AlreadySpent`], its reference is unspent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failure {
    /// The reference was already paid or voided. An earlier log has the outcome.
    AlreadySpent,
    /// The asset is not listed, or is listed as another kind.
    AssetNotListed,
    /// The leg exceeds the day limit. It can be paid on the next UTC day, or after the limit is raised.
    OverDayLimit,
    InvalidLeg,
    /// The vault's balance is too low, or the token or recipient rejected the payment.
    PaymentFailed,
    /// The other leg of the pair failed.
    PartnerFailed,
    /// A reason that this version does not know.
    Unknown(u8),
}

impl Failure {
    fn of_number(number: u8) -> Self {
        match number {
            1 => Self::AlreadySpent,
            2 => Self::AssetNotListed,
            3 => Self::OverDayLimit,
            4 => Self::InvalidLeg,
            5 => Self::PaymentFailed,
            6 => Self::PartnerFailed,
            other => Self::Unknown(other),
        }
    }

    /// Returns the number of the reason in the contract.
    pub fn number(self) -> u8 {
        match self {
            Self::AlreadySpent => 1,
            Self::AssetNotListed => 2,
            Self::OverDayLimit => 3,
            Self::InvalidLeg => 4,
            Self::PaymentFailed => 5,
            Self::PartnerFailed => 6,
            Self::Unknown(other) => other,
        }
    }
}

/// A [`SettlementOutcome`] with the contract's reason for a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DecodedOutcome {
    Paid,
    Failed(Failure),
    /// The reference was spent without payment.
    Voided,
}

impl From<DecodedOutcome> for SettlementOutcome {
    fn from(decoded: DecodedOutcome) -> Self {
        match decoded {
            DecodedOutcome::Paid => Self::Paid,
            DecodedOutcome::Failed(Failure::PaymentFailed) => Self::Rejected,
            DecodedOutcome::Failed(_) => Self::Failed,
            DecodedOutcome::Voided => Self::Voided,
        }
    }
}

/// Returns the first topics of the events that report outcomes.
pub fn events() -> [[u8; 32]; 3] {
    [Escrow::Settled::SIGNATURE_HASH.0, Escrow::LegFailed::SIGNATURE_HASH.0, Escrow::Voided::SIGNATURE_HASH.0]
}

/// Decodes the outcomes in a log. Returns none if it is another event. The caller must check that the Escrow emitted
/// the log.
pub fn read(log: &Log) -> Vec<(Reference, DecodedOutcome)> {
    let Some(event) = decode(log) else { return Vec::new() };
    match event {
        Escrow::EscrowEvents::Settled(settled) => (0..u64::from(settled.count))
            .filter(|place| usize::try_from(*place).is_ok_and(|bit| settled.paid.bit(bit)))
            .filter_map(|place| settled.firstReference.checked_add(place))
            .map(|reference| (Reference(reference), DecodedOutcome::Paid))
            .collect(),
        Escrow::EscrowEvents::LegFailed(failed) => {
            vec![(Reference(failed.legReference), DecodedOutcome::Failed(Failure::of_number(failed.reason)))]
        }
        Escrow::EscrowEvents::Voided(voided) => vec![(Reference(voided.legReference), DecodedOutcome::Voided)],
        _ => Vec::new(),
    }
}

fn decode(log: &Log) -> Option<Escrow::EscrowEvents> {
    use alloy::sol_types::SolEventInterface;

    let topics: Vec<B256> = log.topics.iter().copied().map(B256::from).collect();
    let data = LogData::new(topics, Bytes::copy_from_slice(&log.data))?;
    Escrow::EscrowEvents::decode_log(&EvmLog { address: to_evm(log.contract), data }).ok().map(|log| log.data)
}
