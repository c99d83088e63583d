//! Helpers for the commands on adverts, orders and the wallet.

use app::Context;
use app::idempotency::{IdempotencyKey, Response};
use app::trading::{Actor, Command, CommandKind};
use domain::assets::Asset;
use domain::ids::UserId;
use domain::money::{Amount, MoneyError};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::envelope::{Answer, ApiError, Done};
use crate::extract::CommandOn;
use crate::identity::SealedText;

/// The ID of an advert or order. Commands about it return its current state.
pub(crate) trait Target: Copy {
    type Dto: Serialize;

    /// Returns the advert or order, as the user sees it.
    async fn load(self, context: &Context, user: UserId) -> Result<Self::Dto, ApiError>;
}

/// Executes a command of a user.
pub(crate) async fn execute(
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

/// Executes a command about an advert or order, and returns its current state. If `version` is out of date, the refusal
/// contains the current state.
pub(crate) async fn execute_on<I: Target, B>(command: &CommandOn<I, B>, what: CommandKind) -> Answer<I::Dto> {
    let CommandOn { context, user, id, key, .. } = command;
    match execute(context, *user, key.clone(), what).await {
        Ok(_) => Ok(Done(id.load(context, *user).await?)),
        Err(error) if error.is(&Refusal::Stale) => Err(error.showing(&id.load(context, *user).await?)),
        Err(error) => Err(error),
    }
}

/// The version of an advert or order that the user saw.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct VersionedCommand {
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

impl<I, B> CommandOn<I, B> {
    /// Verifies the security password, which is required.
    pub(crate) async fn check_security_password(&self, password: Option<&SealedText>) -> Result<(), ApiError> {
        let password = password.ok_or_else(|| ApiError::invalid("securityCode", "missing"))?.clone().into();
        Ok(self.identity.check_security_password(&self.key, self.user, &password, &self.device).await?)
    }
}

impl<I> CommandOn<I, DepositBody> {
    /// Returns the temporary balance to use, if any, after verifying the security password.
    pub(crate) async fn balance_to_use(&self, asset: &Asset) -> Result<Option<Amount>, ApiError> {
        let Some(text) = &self.body.from_balance else { return Ok(None) };
        // Any number of decimals that the asset has is accepted, because deposits can use all of them.
        let amount = Amount::parse(text, asset.decimals).map_err(|error| money_field("fromBalance", error))?;
        if amount.is_zero() {
            return Err(ApiError::invalid("fromBalance", "zero"));
        }
        self.check_security_password(self.body.security_code.as_ref()).await?;
        Ok(Some(amount))
    }
}

pub(crate) fn money_field(field: &'static str, error: MoneyError) -> ApiError {
    ApiError::invalid(field, error.to_string())
}
