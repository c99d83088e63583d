//! DTOs that several calls of the console share.

use app::console::{Acting, Decision};
use app::engine::idempotency::IdempotencyKey;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::envelope::ApiError;

/// A decision without parameters.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DecisionBody {
    /// The `version` that the officer saw. If it is out of date, the command is refused with 5050.
    version: String,
    /// The reason, of 1 to 500 characters. Line breaks are the only control characters allowed. It is recorded in the audit log.
    reason: String,
}

impl DecisionBody {
    pub(super) fn decision(&self, acting: &Acting, key: &IdempotencyKey) -> Result<Decision, ApiError> {
        decision(acting, key, &self.reason, &self.version)
    }
}

pub(super) fn decision(
    acting: &Acting,
    key: &IdempotencyKey,
    reason: &str,
    version: &str,
) -> Result<Decision, ApiError> {
    Ok(Decision::new(acting.commanding(key), reason, version)?)
}

/// An entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuditEntry {
    /// The position in the log.
    id: i64,
    /// The ID of the officer; null for a command of `mec2c officer`.
    officer_id: Option<Uuid>,
    /// The name of the officer at that time.
    officer: String,
    /// The action, such as `set_flags`.
    action: String,
    /// The kind of the subject: `user`, `asset`, `order`, `appeal`, `pair`, `advert`, `officer` or
    /// `platform`.
    subject_kind: String,
    /// The ID of the subject; empty for the platform.
    subject_id: String,
    /// Facts about the action, such as the values before and after, by name.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    details: serde_json::Value,
    /// The reason; null if the officer decided nothing.
    reason: Option<String>,
    /// The network address; empty for a command of `mec2c officer`.
    address: String,
    at: DateTime<Utc>,
}

impl From<app::console::AuditLine> for AuditEntry {
    fn from(line: app::console::AuditLine) -> Self {
        Self {
            id: line.id,
            officer_id: line.officer.map(|officer| officer.0),
            officer: line.name,
            action: line.action,
            subject_kind: line.subject_kind,
            subject_id: line.subject_id,
            details: line.details,
            reason: line.reason,
            address: line.address,
            at: line.at,
        }
    }
}
