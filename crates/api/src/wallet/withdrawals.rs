//! Withdrawals.

use std::sync::Arc;

use app::Context;
use app::wallet::balance::balance;
use app::wallet::withdrawals::withdraw;
use axum::extract::{FromRef, State};
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::commands::SecurityPasswords;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, From, Session};
use crate::identity::SealedText;
use crate::middleware::Middleware;

pub(super) fn calls<S>() -> OpenApiRouter<S>
where
    S: Clone + Send + Sync + 'static,
    Context: FromRef<S>,
    Arc<Middleware>: FromRef<S>,
    Arc<dyn SecurityPasswords>: FromRef<S>,
{
    OpenApiRouter::new().routes(routes!(extract))
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Extract {
    /// The code of the coin. Its whole temporary balance is paid to the bound address, less the network fee.
    asset: String,
    security_code: SealedText,
}

/// The accepted withdrawal.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Extracted {
    /// The ID of the withdrawal's fund record.
    id: String,
}

/// Withdraws the whole temporary balance of a coin. Refused while the user has an open advert or order.
#[utoipa::path(post, path = "/balance/extract", tag = "balance", security(("session" = [])),
    params(("Idempotency-Key" = String, Header)), request_body = Extract,
    responses((status = 200, body = Envelope<Extracted>)))]
async fn extract(
    State(context): State<Context>,
    State(passwords): State<Arc<dyn SecurityPasswords>>,
    Session(who): Session,
    From(device): From,
    Command { key, body }: Command<Extract>,
) -> Answer<Extracted> {
    passwords.check(who.user, &device, &key, &body.security_code).await?;
    let lines = balance(&context, who.user).await?.lines;
    let line = lines.iter().find(|line| line.asset.code == body.asset).ok_or(Refusal::NotFound)?;
    let payout = withdraw(&context, &key, who.user, line.asset.id).await?;
    Ok(Done(Extracted { id: payout.to_string() }))
}
