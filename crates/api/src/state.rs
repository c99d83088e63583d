//! The shared state of the calls.

use std::sync::Arc;

use app::Context;
use app::idempotency::IdempotencyKey;
use app::identity::{Device, Identity, Sealed};
use app::payment_methods::PaymentMethods;
use async_trait::async_trait;
use axum::extract::FromRef;
use domain::ids::UserId;

use crate::commands::SecurityPasswords;
use crate::envelope::ApiError;
use crate::extract::{SessionCheck, Who};
use crate::identity::SealedText;
use crate::middleware::Middleware;
use crate::realtime::Hub;

/// The shared state of the calls. Cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    pub middleware: Arc<Middleware>,
    /// Database, clock and IDs, for use cases that are functions.
    pub context: Context,
    pub identity: Identity,
    pub methods: PaymentMethods,
    /// The open websockets of this process. The server must also run [`Hub::run`], and call [`Hub::stop`] when it
    /// stops.
    pub hub: Arc<Hub>,
}

impl FromRef<ApiState> for Arc<Hub> {
    fn from_ref(state: &ApiState) -> Self {
        Self::clone(&state.hub)
    }
}

impl FromRef<ApiState> for Arc<Middleware> {
    fn from_ref(state: &ApiState) -> Self {
        Self::clone(&state.middleware)
    }
}

impl FromRef<ApiState> for Context {
    fn from_ref(state: &ApiState) -> Self {
        state.context.clone()
    }
}

impl FromRef<ApiState> for Arc<dyn SecurityPasswords> {
    fn from_ref(state: &ApiState) -> Self {
        Arc::new(AccountPasswords(state.identity.clone()))
    }
}

struct AccountPasswords(Identity);

#[async_trait]
impl SecurityPasswords for AccountPasswords {
    async fn check(
        &self,
        user: UserId,
        device: &Device,
        key: &IdempotencyKey,
        password: &SealedText,
    ) -> Result<(), ApiError> {
        Ok(self.0.check_security_password(key, user, &Sealed::from(password.clone()), device).await?)
    }
}

pub struct AccountSessions(pub Identity);

#[async_trait]
impl SessionCheck for AccountSessions {
    async fn who(&self, token: &str) -> Result<Who, ApiError> {
        let (user, session) = self.0.who(token).await?;
        Ok(Who { user, session })
    }
}
