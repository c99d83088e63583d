//! Helpers for the commands on adverts, orders and the wallet.

use app::Context;
use app::commands::{Actor, Command, CommandKind, Executor, Outcome, View};
use app::engine::idempotency::IdempotencyKey;
use domain::assets::Asset;
use domain::ids::UserId;
use domain::money::{Amount, MoneyError};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::envelope::{Answer, ApiError, Done};
use crate::extract::CommandOn;
use crate::identity::SealedText;
use crate::state::ApiState;

/// The ID of an advert or order. Commands about it return its current state.
pub(crate) trait Target: Copy {
    type Dto: Serialize;

    /// Returns the advert or order, as the user sees it.
    async fn load(self, context: &Context, user: UserId) -> Result<Self::Dto, ApiError>;

    /// Returns the advert or order in the outcome of a command.
    fn shown(view: &View) -> Option<Self::Dto>;

    /// Returns the advert or order after a command, reading it if the command's outcome does not contain it.
    async fn after(self, view: Option<View>, context: &Context, user: UserId) -> Result<Self::Dto, ApiError> {
        match view.as_ref().and_then(Self::shown) {
            Some(dto) => Ok(dto),
            None => self.load(context, user).await,
        }
    }
}

/// Executes a command of a user.
pub(crate) async fn execute(executor: &Executor, user: UserId, key: IdempotencyKey, what: CommandKind) -> Outcome {
    executor.execute(Command { actor: Actor::User { user, key }, what }).await
}

/// Executes a command that opens an advert or order, and returns what was opened.
pub(crate) async fn execute_new<I: Target>(
    state: &ApiState,
    user: UserId,
    key: IdempotencyKey,
    what: CommandKind,
    of_id: impl Fn(Uuid) -> I,
) -> Answer<I::Dto> {
    let Outcome { reply, view } = execute(&state.executor, user, key, what).await;
    let id = reply?.id.ok_or_else(|| ApiError::internal(&"a command that opened nothing"))?;
    Ok(Done(of_id(id).after(view, &state.context, user).await?))
}

/// Executes a command about an advert or order, and returns its current state. If `version` is out of date, the refusal
/// contains the current state.
pub(crate) async fn execute_on<I: Target, B>(command: &CommandOn<I, B>, what: CommandKind) -> Answer<I::Dto> {
    let CommandOn { context, executor, user, id, key, .. } = command;
    execute_about(context, executor, (*user, key.clone()), *id, what).await
}

/// Does the same as [`execute_on`] for a command whose path does not contain the ID.
pub(crate) async fn execute_about<I: Target>(
    context: &Context,
    executor: &Executor,
    (user, key): (UserId, IdempotencyKey),
    id: I,
    what: CommandKind,
) -> Answer<I::Dto> {
    let Outcome { reply, view } = execute(executor, user, key, what).await;
    match reply.map_err(ApiError::from) {
        Ok(_) => Ok(Done(id.after(view, context, user).await?)),
        Err(error) if error.is(&Refusal::Stale) => Err(error.showing(&id.after(view, context, user).await?)),
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
