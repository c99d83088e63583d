//! What the commands on adverts, orders and the wallet have in common.

use app::Context;
use app::idempotency::{IdempotencyKey, Response};
use app::identity::Device;
use app::trading::{Actor, Command, CommandKind};
use async_trait::async_trait;
use domain::ids::UserId;
use domain::money::{Amount, MoneyError};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::envelope::ApiError;
use crate::extract::Asked;
use crate::identity::SealedText;

/// Verifies security passwords.
#[async_trait]
pub trait SecurityPasswords: Send + Sync {
    /// Verifies the user's security password. Wrong guesses are counted and lead to a lockout. Retrying a command under
    /// its idempotency key gives the first result and counts no further guess.
    async fn check(
        &self,
        user: UserId,
        device: &Device,
        key: &IdempotencyKey,
        password: &SealedText,
    ) -> Result<(), ApiError>;
}

/// Executes a command of a user.
pub(crate) async fn carry_out(
    context: &Context,
    user: UserId,
    key: IdempotencyKey,
    what: CommandKind,
) -> Result<Response, ApiError> {
    let command = Command { actor: Actor::Person { user, key }, what };
    let mut replies = app::trading::execute(context, &[command]).await;
    let reply = replies.pop().ok_or_else(|| ApiError::internal(&"a command without a reply"))?;
    Ok(reply?)
}

/// The version of an advert or order that the user saw.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Seen {
    /// The `version` of the last response. If it is out of date, the command is refused and the refusal contains the
    /// current state.
    pub(crate) version: i64,
}

/// A deposit to check, or to pay from temporary balance.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DepositBody {
    /// The amount of temporary balance to use, as a decimal string; at most the missing amount is taken. Omit it if the
    /// coins were sent on-chain.
    #[serde(default)]
    pub(crate) from_balance: Option<String>,
    /// The security password. Required with `fromBalance`.
    #[serde(default)]
    pub(crate) security_code: Option<SealedText>,
}

/// Parses an amount that a user typed. It may have 8 decimals at most, and no more than the asset has.
pub(crate) fn amount(field: &'static str, text: &str, decimals: u8) -> Result<Amount, ApiError> {
    let amount = Amount::parse(text, decimals).map_err(|error| money_field(field, error))?;
    if amount.fits_decimals(decimals, domain::money::MAX_TYPED_DECIMALS) {
        Ok(amount)
    } else {
        Err(money_field(field, MoneyError::TooManyDecimals(domain::money::MAX_TYPED_DECIMALS)))
    }
}

/// Requires the security password, because the command spends temporary balance.
pub(crate) async fn allowed<I>(
    passwords: &dyn SecurityPasswords,
    asked: &Asked<I, DepositBody>,
) -> Result<(), ApiError> {
    match &asked.body.security_code {
        Some(password) => passwords.check(asked.user, &asked.device, &asked.key, password).await,
        None => Err(ApiError::invalid("securityCode", "missing")),
    }
}

/// Parses the amount to take from the balance. Accepts as many decimals as the asset has, because deposits can use all
/// of them.
pub(crate) fn given(text: &str, decimals: u8) -> Result<Amount, ApiError> {
    let amount = Amount::parse(text, decimals).map_err(|error| money_field("fromBalance", error))?;
    if amount.is_zero() { Err(ApiError::invalid("fromBalance", "zero")) } else { Ok(amount) }
}

pub(crate) fn money_field(field: &'static str, error: MoneyError) -> ApiError {
    ApiError::invalid(field, error.to_string())
}
