//! Encodes batches of payout legs for the Escrow, as described in `contracts/README.md`.

use domain::chain::{Address, CustodyIndex, Reference, Token};
use domain::money::Amount;

use crate::convert::{asset, units};

/// The maximum number of references that a batch can cover.
pub const MAX_SPAN: usize = 255;

/// The gas that the Escrow requires for a leg, for a pair, and for the batch itself, including calldata.
const LEG_GAS: u64 = 283_174 + LEG_DATA_GAS;
const PAIR_GAS: u64 = 595_337 + 2 * LEG_DATA_GAS;
const BATCH_GAS: u64 = 171_000;
/// The gas for a leg's calldata: 62 bytes at up to 40 gas each (EIP-7623).
const LEG_DATA_GAS: u64 = 2_480;
const SKIP_GAS: u64 = 1_000;

const SKIP: u8 = 0;
const PAY: u8 = 1;
const PAY_WITH_NEXT: u8 = 3;
const PAY_OR_VOID: u8 = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchLeg {
    /// The unique number of the leg. The Escrow pays each reference at most once.
    pub reference: Reference,
    pub vault: CustodyIndex,
    pub token: Token,
    pub to: Address,
    /// In base units; 1 for an NFT.
    pub amount: Amount,
    /// Whether this leg and the next form a pair: the Escrow pays both or neither.
    pub with_next: bool,
    /// Whether the Escrow voids the reference if the payment fails. Never set in a pair.
    pub or_void: bool,
}

/// Why legs cannot form a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    #[error("a batch needs at least one leg")]
    Empty,
    #[error("legs must be sorted by reference; {0:?} is out of order")]
    OutOfOrder(Reference),
    #[error("the references span more than {MAX_SPAN}")]
    TooLong,
    /// The leg's partner is missing, or belongs to another pair.
    #[error("the leg after {0:?} is not its partner")]
    NoPartner(Reference),
    /// The amount is zero, or the amount of an NFT is not one.
    #[error("leg {0:?} has an invalid amount")]
    Amount(Reference),
    /// A leg of a pair has `or_void` set, so it could be voided alone.
    #[error("leg {0:?} of a pair would be voided alone")]
    HalfVoid(Reference),
    #[error("not a batch")]
    Malformed,
}

/// Legs in ascending order of their references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    legs: Vec<BatchLeg>,
    first: Reference,
}

impl Batch {
    pub fn new(legs: Vec<BatchLeg>) -> Result<Self, BatchError> {
        let (Some(head), Some(tail)) = (legs.first(), legs.last()) else { return Err(BatchError::Empty) };
        let first = head.reference;
        for leg in &legs {
            let nft = matches!(leg.token, Token::Erc721(..));
            if leg.amount.is_zero() || (nft && leg.amount != Amount::ONE) {
                return Err(BatchError::Amount(leg.reference));
            }
        }
        if tail.with_next {
            return Err(BatchError::NoPartner(tail.reference));
        }
        for (leg, next) in legs.iter().zip(legs.iter().skip(1)) {
            if next.reference <= leg.reference {
                return Err(BatchError::OutOfOrder(next.reference));
            }
            if leg.with_next && (leg.or_void || next.or_void) {
                return Err(BatchError::HalfVoid(leg.reference));
            }
            if leg.with_next && (next.with_next || Some(next.reference.0) != leg.reference.0.checked_add(1)) {
                return Err(BatchError::NoPartner(leg.reference));
            }
        }
        let span = tail.reference.0.checked_sub(first.0).and_then(|reach| usize::try_from(reach).ok());
        if span.is_none_or(|reach| reach >= MAX_SPAN) {
            return Err(BatchError::TooLong);
        }
        Ok(Self { legs, first })
    }

    /// Sorts legs and splits them into batches of at most `most` legs, or one leg more if a pair would be split.
    pub fn split(mut legs: Vec<BatchLeg>, most: usize) -> Result<Vec<Self>, BatchError> {
        legs.sort_by_key(|leg| leg.reference);
        let mut batches = Vec::new();
        let mut open: Vec<BatchLeg> = Vec::new();
        for leg in legs {
            let partner = open.last().is_some_and(|last| last.with_next);
            // Leave space for a partner, so that a pair does not exceed the span.
            let reach = open.first().and_then(|first| leg.reference.0.checked_sub(first.reference.0));
            let far =
                reach.is_some_and(|reach| usize::try_from(reach).map_or(true, |r| r >= MAX_SPAN.saturating_sub(1)));
            if !partner && !open.is_empty() && (far || open.len() >= most) {
                batches.push(Self::new(std::mem::take(&mut open))?);
            }
            open.push(leg);
        }
        if !open.is_empty() {
            batches.push(Self::new(open)?);
        }
        Ok(batches)
    }

    pub fn legs(&self) -> &[BatchLeg] {
        &self.legs
    }

    pub fn first(&self) -> Reference {
        self.first
    }

    /// Computes a gas limit that is sufficient regardless of the recipients' and tokens' code. Unused gas costs
    /// nothing.
    pub fn gas_limit(&self) -> u64 {
        let skips = self.span().saturating_sub(self.legs.len());
        let skips = u64::try_from(skips).unwrap_or(u64::MAX).saturating_mul(SKIP_GAS);
        let mut after_pair = false;
        let legs = self.legs.iter().fold(0_u64, |sum, leg| {
            let gas = match (after_pair, leg.with_next) {
                (true, _) => 0,
                (false, true) => PAIR_GAS,
                (false, false) => LEG_GAS,
            };
            after_pair = leg.with_next;
            sum.saturating_add(gas)
        });
        BATCH_GAS.saturating_add(skips).saturating_add(legs)
    }

    /// Encodes the `batch` argument of `settle`. The other argument is the first reference.
    pub fn encode(&self) -> Vec<u8> {
        let assets = self.assets();
        let mut bytes = vec![byte(self.span()), byte(assets.len())];
        for (address, kind) in &assets {
            bytes.push(*kind);
            bytes.extend(address.0);
        }
        let mut expected = self.first.0;
        for leg in &self.legs {
            let skipped = leg.reference.0.saturating_sub(expected);
            bytes.extend((0..skipped).map(|_| SKIP));
            expected = leg.reference.0.saturating_add(1);

            let asset = asset(leg.token);
            let slot = assets.iter().position(|known| *known == asset).unwrap_or_default();
            bytes.push(match (leg.with_next, leg.or_void) {
                (true, _) => PAY_WITH_NEXT,
                (false, true) => PAY_OR_VOID,
                (false, false) => PAY,
            });
            bytes.push(byte(slot));
            bytes.extend(leg.vault.0.to_be_bytes());
            bytes.extend(leg.to.0);
            match leg.token {
                Token::Native | Token::Erc20(_) => bytes.extend(units(leg.amount).to_be_bytes()),
                Token::Erc721(_, token_id) => bytes.extend(token_id),
            }
        }
        bytes
    }

    pub fn decode(first: Reference, bytes: &[u8]) -> Result<Self, BatchError> {
        let mut reader = Reader(bytes);
        let span = reader.byte()?;
        let assets = reader.byte()?;
        let assets = (0..assets)
            .map(|_| Ok((reader.byte()?, Address(reader.take::<20>()?))))
            .collect::<Result<Vec<_>, BatchError>>()?;
        if assets.iter().zip(assets.iter().skip(1)).any(|(a, b)| a.1 >= b.1) {
            return Err(BatchError::Malformed);
        }
        let mut legs = Vec::new();
        for place in 0..u64::from(span) {
            let flags = reader.byte()?;
            if flags == SKIP {
                continue;
            }
            if ![PAY, PAY_WITH_NEXT, PAY_OR_VOID].contains(&flags) {
                return Err(BatchError::Malformed);
            }
            let (kind, address) = *assets.get(usize::from(reader.byte()?)).ok_or(BatchError::Malformed)?;
            let vault = CustodyIndex(u64::from_be_bytes(reader.take()?));
            let to = Address(reader.take()?);
            let (token, amount) = match kind {
                1 => (Token::Native, reader.amount()?),
                2 => (Token::Erc20(address), reader.amount()?),
                3 => (Token::Erc721(address, reader.take()?), Amount::ONE),
                _ => return Err(BatchError::Malformed),
            };
            let reference = Reference(first.0.checked_add(place).ok_or(BatchError::Malformed)?);
            let (with_next, or_void) = (flags == PAY_WITH_NEXT, flags == PAY_OR_VOID);
            legs.push(BatchLeg { reference, vault, token, to, amount, with_next, or_void });
        }
        if reader.0.is_empty() { Self::new(legs) } else { Err(BatchError::Malformed) }
    }

    /// Returns the number of references from the first to the last leg, including skipped references.
    pub fn span(&self) -> usize {
        let last = self.legs.last().map_or(self.first.0, |leg| leg.reference.0);
        usize::try_from(last.saturating_sub(self.first.0)).unwrap_or(usize::MAX).saturating_add(1)
    }

    /// Returns the distinct assets and their kinds, in ascending order of addresses.
    fn assets(&self) -> Vec<(Address, u8)> {
        let mut assets: Vec<_> = self.legs.iter().map(|leg| asset(leg.token)).collect();
        assets.sort_unstable();
        assets.dedup();
        assets
    }
}

/// Converts a count to a byte. Validation limits the count to 255.
fn byte(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], BatchError> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(BatchError::Malformed)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, BatchError> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn amount(&mut self) -> Result<Amount, BatchError> {
        let units = i128::try_from(u128::from_be_bytes(self.take()?)).map_err(|_| BatchError::Malformed)?;
        Amount::new(units).map_err(|_| BatchError::Malformed)
    }
}
