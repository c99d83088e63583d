//! What commands on adverts, orders and the wallet share.

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

/// Knows security passwords. Given by whoever joins the parts.
#[async_trait]
pub trait SecurityPasswords: Send + Sync {
    /// Whether this is the person's security password; wrong ones are counted and lock out. The same command sent again
    /// is answered as the first time.
    async fn check(
        &self,
        user: UserId,
        device: &Device,
        key: &IdempotencyKey,
        password: &SealedText,
    ) -> Result<(), ApiError>;
}

/// Carries out one command of a user.
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

/// The version of an advert or order that the person saw.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Seen {
    /// As the last answer had it. If it has moved on, the command is refused with the present state.
    pub(crate) version: i64,
}

/// What was done about a deposit.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DepositBody {
    /// How much of the temporary balance to give to it, decimal; no more is taken than is missing. Without it, nothing: the
    /// coins were sent on the chain.
    #[serde(default)]
    pub(crate) from_balance: Option<String>,
    /// The security password; with `fromBalance`.
    #[serde(default)]
    pub(crate) security_code: Option<SealedText>,
}

/// Reads an amount that a person typed: at most 8 decimals, and no more than the asset has.
pub(crate) fn amount(field: &'static str, text: &str, decimals: u8) -> Result<Amount, ApiError> {
    let amount = Amount::parse(text, decimals).map_err(|error| money_field(field, error))?;
    if amount.fits_decimals(decimals, domain::money::MAX_TYPED_DECIMALS) {
        Ok(amount)
    } else {
        Err(money_field(field, MoneyError::TooManyDecimals(domain::money::MAX_TYPED_DECIMALS)))
    }
}

/// Refuses without the security password: balance leaves with whatever it is given to.
pub(crate) async fn allowed<I>(
    passwords: &dyn SecurityPasswords,
    asked: &Asked<I, DepositBody>,
) -> Result<(), ApiError> {
    match &asked.body.security_code {
        Some(password) => passwords.check(asked.user, &asked.device, &asked.key, password).await,
        None => Err(ApiError::invalid("securityCode", "missing")),
    }
}

/// Reads an amount to be given from the balance: as fine as what came from the chain.
pub(crate) fn given(text: &str, decimals: u8) -> Result<Amount, ApiError> {
    let amount = Amount::parse(text, decimals).map_err(|error| money_field("fromBalance", error))?;
    if amount.is_zero() { Err(ApiError::invalid("fromBalance", "zero")) } else { Ok(amount) }
}

pub(crate) fn money_field(field: &'static str, error: MoneyError) -> ApiError {
    ApiError::invalid(field, error.to_string())
}
