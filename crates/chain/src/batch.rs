//! Batches of settlement legs, as the Escrow reads them. The bytes are described in `contracts/README.md`.

use domain::chain::{Address, CustodyIndex, Reference, Token};
use domain::money::Amount;

/// The most references that one batch can cover.
pub const MAX_SPAN: usize = 255;

/// Gas that the Escrow wants to see before a leg, before a pair, and for the batch itself, with the call data's price.
const LEG_GAS: u64 = 283_174 + LEG_DATA_GAS;
const PAIR_GAS: u64 = 595_337 + 2 * LEG_DATA_GAS;
const BATCH_GAS: u64 = 171_000;
/// 62 bytes at the 40 gas that a node may ask for each (EIP-7623).
const LEG_DATA_GAS: u64 = 2_480;
const SKIP_GAS: u64 = 1_000;

const SKIP: u8 = 0;
const PAY: u8 = 1;
const PAY_WITH_NEXT: u8 = 3;
const PAY_OR_VOID: u8 = 5;

/// One payment out of one vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    /// Its number: the Escrow pays it once, ever.
    pub reference: Reference,
    /// Out of which vault.
    pub vault: CustodyIndex,
    /// Of what.
    pub token: Token,
    /// To whom.
    pub to: Address,
    /// How much, in base units; 1 for an NFT.
    pub amount: Amount,
    /// Goes with the next reference, or neither goes.
    pub with_next: bool,
    /// Is voided if its payment is refused. Never one of a pair.
    pub or_void: bool,
}

/// Legs that no batch can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    /// No legs.
    #[error("a batch needs at least one leg")]
    Empty,
    /// Not in ascending order of references.
    #[error("the legs are not in ascending order of their references, at {0:?}")]
    OutOfOrder(Reference),
    /// The references lie too far apart.
    #[error("the references span more than {MAX_SPAN}")]
    TooLong,
    /// A leg goes with the next reference, which is not there, or itself goes with another.
    #[error("the leg behind {0:?} is not its partner")]
    NoPartner(Reference),
    /// An amount of zero, or of an NFT other than one.
    #[error("the leg {0:?} has an amount that cannot be paid")]
    Amount(Reference),
    /// A leg of a pair that would be voided alone.
    #[error("the leg {0:?} of a pair would be voided alone")]
    HalfVoid(Reference),
    /// Bytes that follow another encoding.
    #[error("not a batch")]
    Malformed,
}

/// Legs that are sent together, in ascending order of their references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    legs: Vec<Leg>,
    first: Reference,
}

impl Batch {
    /// Checks that legs can be one batch.
    pub fn new(legs: Vec<Leg>) -> Result<Self, BatchError> {
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

    /// Makes batches of at most `most` legs (a pair may make it one more) out of legs in any order. Pairs stay together.
    pub fn split(mut legs: Vec<Leg>, most: usize) -> Result<Vec<Self>, BatchError> {
        legs.sort_by_key(|leg| leg.reference);
        let mut batches = Vec::new();
        let mut open: Vec<Leg> = Vec::new();
        for leg in legs {
            let partner = open.last().is_some_and(|last| last.with_next);
            // Room is kept for a partner, so that a pair never straddles the end of the span.
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

    /// The legs.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The reference of the first leg.
    pub fn first(&self) -> Reference {
        self.first
    }

    /// Gas that is enough for this batch whatever recipients and tokens do. What is not used is not paid.
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

    /// The bytes that `settle` takes beside the first reference.
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
                Token::Native | Token::Erc20(_) => bytes.extend(crate::convert::units(leg.amount).to_be_bytes()),
                Token::Erc721(_, token_id) => bytes.extend(token_id),
            }
        }
        bytes
    }

    /// Reads what [`Batch::encode`] writes.
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
            legs.push(Leg { reference, vault, token, to, amount, with_next, or_void });
        }
        if reader.0.is_empty() { Self::new(legs) } else { Err(BatchError::Malformed) }
    }

    /// How many references it covers, skipped ones counted.
    pub fn span(&self) -> usize {
        let last = self.legs.last().map_or(self.first.0, |leg| leg.reference.0);
        usize::try_from(last.saturating_sub(self.first.0)).unwrap_or(usize::MAX).saturating_add(1)
    }

    /// The assets in ascending order of addresses, with their kinds.
    fn assets(&self) -> Vec<(Address, u8)> {
        let mut assets: Vec<_> = self.legs.iter().map(|leg| asset(leg.token)).collect();
        assets.sort_unstable();
        assets.dedup();
        assets
    }
}

fn asset(token: Token) -> (Address, u8) {
    match token {
        Token::Native => (Address([0; 20]), 1),
        Token::Erc20(contract) => (contract, 2),
        Token::Erc721(album, _) => (album, 3),
    }
}

/// A count that a checked batch keeps below 256.
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
