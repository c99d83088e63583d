//! Encodes and decodes amounts in base units in PostgreSQL's binary format of `NUMERIC(38, 0)`.
//!
//! PostgreSQL encodes a numeric value in base-10,000 digits, most significant first, without trailing zeros.

use domain::money::Amount;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef, Postgres};

const BASE: i128 = 10_000;

/// An amount as a column or parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units(pub Amount);

impl From<Amount> for Units {
    fn from(amount: Amount) -> Self {
        Self(amount)
    }
}

impl From<Units> for Amount {
    fn from(units: Units) -> Self {
        units.0
    }
}

/// Converts amounts to an array parameter.
pub(crate) fn units(amounts: impl IntoIterator<Item = Amount>) -> Vec<Units> {
    amounts.into_iter().map(Units).collect()
}

impl sqlx::Type<Postgres> for Units {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("NUMERIC")
    }
}

impl PgHasArrayType for Units {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("_NUMERIC")
    }
}

impl sqlx::Encode<'_, Postgres> for Units {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let mut rest = self.0.units();
        let mut digits = Vec::with_capacity(10);
        while rest > 0 {
            digits.push(u16::try_from(rest.rem_euclid(BASE))?);
            rest = rest.div_euclid(BASE);
        }
        let count = u16::try_from(digits.len())?;
        buffer.extend_from_slice(&count.to_be_bytes());
        buffer.extend_from_slice(&count.saturating_sub(1).to_be_bytes()); // weight of the first digit
        buffer.extend_from_slice(&[0; 4]); // positive, no decimals
        for digit in digits.iter().rev() {
            buffer.extend_from_slice(&digit.to_be_bytes());
        }
        Ok(IsNull::No)
    }
}

impl<'r> sqlx::Decode<'r, Postgres> for Units {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        if value.format() == PgValueFormat::Text {
            return Ok(Self(Amount::new(value.as_str()?.parse()?)?));
        }
        let words: Vec<u16> =
            value.as_bytes()?.chunks_exact(2).filter_map(|pair| pair.try_into().ok().map(u16::from_be_bytes)).collect();
        let [count, weight, sign, scale, digits @ ..] = words.as_slice() else {
            return Err("a numeric shorter than its head".into());
        };
        if *sign != 0 || *scale != 0 || usize::from(*count) != digits.len() {
            return Err("a numeric that is negative, fractional or not a number".into());
        }
        let missing = if *count == 0 {
            0
        } else {
            u32::from(*weight).saturating_add(1).checked_sub(u32::from(*count)).ok_or("a numeric with a fraction")?
        };
        let mut units: i128 = 0;
        for digit in digits {
            units = units
                .checked_mul(BASE)
                .and_then(|u| u.checked_add(i128::from(*digit)))
                .ok_or("a numeric out of range")?;
        }
        let scale = BASE.checked_pow(missing).ok_or("a numeric out of range")?;
        Ok(Self(Amount::new(units.checked_mul(scale).ok_or("a numeric out of range")?)?))
    }
}
