//! The call that withdraws temporary balance.

use app::wallet::withdrawals;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Client, Command, CommandKey, PathId, Session};
use crate::identity::SealedText;
use crate::nfts::asset_of_nft;
use crate::state::ApiState;

pub(super) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(withdraw)).routes(routes!(withdraw_nft))
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WithdrawBody {
    /// The code of the coin. Its whole temporary balance is paid to the bound address, less the network fee.
    asset: String,
    security_code: SealedText,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WithdrawNftBody {
    security_code: SealedText,
}

/// The accepted withdrawal.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Withdrawal {
    /// The ID of the withdrawal's fund record.
    id: String,
}

/// Withdraws the whole temporary balance of a coin. Refused while the user has an open advert or order.
#[utoipa::path(post, path = "/balance/extract", tag = "wallet", security(("session" = [])),
    params(CommandKey), request_body = WithdrawBody, responses((status = 200, body = Envelope<Withdrawal>)))]
async fn withdraw(
    State(state): State<ApiState>,
    Session(who): Session,
    Client(device): Client,
    Command { key, body }: Command<WithdrawBody>,
) -> Answer<Withdrawal> {
    state.identity.check_security_password(&key, who.user, &body.security_code.into(), &device).await?;
    let coin = withdrawals::coin(&state.context, &body.asset).await?;
    let payout = withdrawals::withdraw(&state.context, &key, who.user, coin.id).await?;
    Ok(Done(Withdrawal { id: payout.to_string() }))
}

/// Withdraws an NFT in custody to the bound address.
///
/// Its network fee comes out of the temporary balance: see `gas` of its album. Refused while the user has an open advert or
/// order.
#[utoipa::path(post, path = "/balance/extract/{id}", tag = "wallet", security(("session" = [])),
    params(CommandKey, ("id" = String, Path, description = "The ID of the NFT")), request_body = WithdrawNftBody,
    responses((status = 200, body = Envelope<Withdrawal>)))]
async fn withdraw_nft(
    State(state): State<ApiState>,
    Session(who): Session,
    Client(device): Client,
    PathId(id): PathId<String>,
    Command { key, body }: Command<WithdrawNftBody>,
) -> Answer<Withdrawal> {
    state.identity.check_security_password(&key, who.user, &body.security_code.into(), &device).await?;
    let payout = withdrawals::withdraw_nft(&state.context, &key, who.user, asset_of_nft(&id)?).await?;
    Ok(Done(Withdrawal { id: payout.to_string() }))
}
