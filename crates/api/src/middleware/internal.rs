//! The internal listener for operators: metrics, liveness and readiness.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Serialize;

/// The timeout of a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// A check of a dependency, such as PostgreSQL or the node.
#[async_trait]
pub trait Check: Send + Sync {
    /// Returns the name of the dependency in the response.
    fn name(&self) -> &'static str;
    /// Returns whether the process is useless without the dependency. If a dependency that is not needed fails, the
    /// response reports the failure, and the process stays ready for the calls that work without the dependency.
    fn needed(&self) -> bool {
        true
    }
    /// Checks the dependency. The error text is for the operator.
    async fn check(&self) -> Result<(), String>;
}

#[derive(Clone)]
struct Internal {
    metrics: PrometheusHandle,
    checks: Arc<[Arc<dyn Check>]>,
}

/// Returns the routes of the internal listener: `/metrics`, `/health/live`, `/health/ready`.
pub fn internal_router(metrics: PrometheusHandle, checks: Vec<Arc<dyn Check>>) -> Router {
    Router::new()
        .route("/metrics", get(render))
        .route("/health/live", get(|| async { "alive\n" }))
        .route("/health/ready", get(ready))
        .with_state(Internal { metrics, checks: checks.into() })
}

async fn render(State(internal): State<Internal>) -> impl IntoResponse {
    internal.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], internal.metrics.render())
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    needed: bool,
    ready: bool,
    problem: Option<String>,
}

async fn ready(State(internal): State<Internal>) -> impl IntoResponse {
    let parts = futures::future::join_all(internal.checks.iter().map(|check| async move {
        let answer = tokio::time::timeout(CHECK_TIMEOUT, check.check()).await;
        let problem = answer.unwrap_or_else(|_| Err(format!("no answer within {} s", CHECK_TIMEOUT.as_secs()))).err();
        Part { name: check.name(), needed: check.needed(), ready: problem.is_none(), problem }
    }))
    .await;
    let status = if parts.iter().all(|part| part.ready || !part.needed) {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(parts))
}
