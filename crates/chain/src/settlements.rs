//! What the Escrow says that it did with references.

use alloy::primitives::{B256, Bytes, Log as EvmLog, LogData};
use alloy::sol_types::SolEvent;
use domain::chain::Reference;

use crate::contracts::Escrow;
use crate::convert::to_evm;
use crate::node::Log;

/// Why a leg was not paid. Its reference is unspent, but for [`Failure::AlreadySpent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failure {
    /// Paid or voided before: look for that on the chain.
    AlreadySpent,
    /// The Escrow's admin has not listed the asset, or as another kind.
    AssetNotListed,
    /// More than may still leave today: it waits for the next day (UTC) or a higher limit.
    OverDayLimit,
    /// Recipient or amount zero.
    InvalidLeg,
    /// The vault is too short, or the token or recipient refused.
    PaymentFailed,
    /// The other leg of the pair failed.
    PartnerFailed,
    /// A reason that this program does not know.
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

    /// The number by which the contract knows it.
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

/// What became of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettlementOutcome {
    /// The leg was paid.
    Paid,
    /// It was tried and not paid.
    Failed(Failure),
    /// The reference was spent without paying.
    Voided,
}

/// The first topics of the events that say it.
pub fn events() -> [[u8; 32]; 3] {
    [Escrow::Settled::SIGNATURE_HASH.0, Escrow::LegFailed::SIGNATURE_HASH.0, Escrow::Voided::SIGNATURE_HASH.0]
}

/// What one log of the Escrow says; nothing if it is about something else. Whether the log is the Escrow's is the
/// caller's to check.
pub fn read(log: &Log) -> Vec<(Reference, SettlementOutcome)> {
    let Some(event) = decode(log) else { return Vec::new() };
    match event {
        Escrow::EscrowEvents::Settled(settled) => (0..u64::from(settled.count))
            .filter(|place| usize::try_from(*place).is_ok_and(|bit| settled.paid.bit(bit)))
            .filter_map(|place| settled.firstReference.checked_add(place))
            .map(|reference| (Reference(reference), SettlementOutcome::Paid))
            .collect(),
        Escrow::EscrowEvents::LegFailed(failed) => {
            vec![(Reference(failed.legReference), SettlementOutcome::Failed(Failure::of_number(failed.reason)))]
        }
        Escrow::EscrowEvents::Voided(voided) => vec![(Reference(voided.legReference), SettlementOutcome::Voided)],
        _ => Vec::new(),
    }
}

fn decode(log: &Log) -> Option<Escrow::EscrowEvents> {
    use alloy::sol_types::SolEventInterface;

    let topics: Vec<B256> = log.topics.iter().copied().map(B256::from).collect();
    let data = LogData::new(topics, Bytes::copy_from_slice(&log.data))?;
    Escrow::EscrowEvents::decode_log(&EvmLog { address: to_evm(log.contract), data }).ok().map(|log| log.data)
}
