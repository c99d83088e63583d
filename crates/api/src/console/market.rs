//! Administrators change the settings of pairs and set reference prices.

use std::collections::BTreeMap;

use app::console::{PairChange, PairSettings, ReferenceChange};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::assets::PairId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dto::decision;
use super::officer::Officer;
use crate::envelope::{Answer, Done, Envelope};
use crate::extract::{Command, CommandKey, PathId};
use crate::state::ApiState;

/// A setting of a pair.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsolePairSetting)]
pub(super) struct SettingItem {
    /// The name, as in `policy.default.toml`, or `trading`.
    name: &'static str,
    /// The value. Shares are decimal fractions, windows are minutes, and `trading` is `on` or `off`.
    value: String,
}

/// A pair with its settings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConsolePair)]
#[serde(rename_all = "camelCase")]
pub(super) struct PairItem {
    id: i64,
    base: String,
    quote: String,
    settings: Vec<SettingItem>,
    /// Changes with the settings. A change of the settings must send it.
    version: String,
    /// The price from which the price band is computed.
    reference_price: Option<String>,
    /// The officer who last set a reference price.
    reference_set_by: Option<String>,
    reference_set_at: Option<DateTime<Utc>>,
    /// Changes with the reference price. A change of the reference price must send it.
    reference_version: String,
}

impl From<PairSettings> for PairItem {
    fn from(settings: PairSettings) -> Self {
        let (reference_set_by, reference_set_at) = settings.set_by.unzip();
        let values = settings.pair.settings().into_iter().map(|(name, value)| SettingItem { name, value }).collect();
        Self {
            id: settings.pair.id.0,
            base: settings.pair.base.code,
            quote: settings.pair.quote.code,
            settings: values,
            version: settings.version,
            reference_price: settings.reference.map(|price| price.to_string()),
            reference_set_by,
            reference_set_at,
            reference_version: settings.reference_version,
        }
    }
}

/// Lists all pairs with their settings.
#[utoipa::path(get, path = "/console/pairs", tag = "console",
    responses((status = 200, body = Envelope<Vec<PairItem>>)), security(("officer" = [])))]
pub(super) async fn list(State(state): State<ApiState>, Officer(acting): Officer) -> Answer<Vec<PairItem>> {
    Ok(Done(state.console.pairs(&acting.viewing()).await?.into_iter().map(Into::into).collect()))
}

/// A change of a pair's settings.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsolePairBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PairBody {
    /// New values by name of the setting. Other settings keep their values.
    settings: BTreeMap<String, String>,
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Changes settings of a pair. All new adverts and orders use them at once; existing orders keep their terms. Refused with
/// 6007 if the settings would make trading impossible.
#[utoipa::path(post, path = "/console/pairs/{id}", tag = "console", request_body = PairBody,
    params(("id" = i64, Path, description = "The ID of the pair"), CommandKey),
    responses((status = 200, body = Envelope<PairItem>)), security(("officer" = [])))]
pub(super) async fn change(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<i64>,
    Command { key, body }: Command<PairBody>,
) -> Answer<PairItem> {
    let decision = decision(&acting, &key, &body.reason, &body.version)?;
    let change = PairChange { settings: body.settings };
    Ok(Done(state.console.change_pair(PairId(id), &change, &decision).await?.into()))
}

/// A reference price.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ConsoleReferenceBody)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ReferenceBody {
    /// The quote paid per whole unit of the base, as a decimal string.
    price: String,
    /// The `referenceVersion` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

/// Sets the reference price of a pair. It applies until the trades of a day determine a new one.
#[utoipa::path(post, path = "/console/pairs/{id}/reference", tag = "console", request_body = ReferenceBody,
    params(("id" = i64, Path, description = "The ID of the pair"), CommandKey),
    responses((status = 200, body = Envelope<PairItem>)), security(("officer" = [])))]
pub(super) async fn set_reference(
    State(state): State<ApiState>,
    Officer(acting): Officer,
    PathId(id): PathId<i64>,
    Command { key, body }: Command<ReferenceBody>,
) -> Answer<PairItem> {
    let decision = decision(&acting, &key, &body.reason, &body.version)?;
    let change = ReferenceChange { price: body.price };
    Ok(Done(state.console.change_reference(PairId(id), &change, &decision).await?.into()))
}
