//! What the calls stand on.

use std::sync::Arc;

use app::Context;
use app::identity::Identity;
use app::payment_methods::PaymentMethods;
use async_trait::async_trait;
use axum::extract::FromRef;

use crate::envelope::ApiError;
use crate::extract::{SessionCheck, Who};
use crate::house::House;

/// What the calls stand on. Cheap to clone.
#[derive(Clone)]
pub struct ApiState {
    /// What every call shares.
    pub house: Arc<House>,
    /// Database, clock and identifiers, for the use cases that are functions.
    pub context: Context,
    /// Accounts.
    pub identity: Identity,
    /// Payment methods.
    pub methods: PaymentMethods,
}

impl FromRef<ApiState> for Arc<House> {
    fn from_ref(state: &ApiState) -> Self {
        Self::clone(&state.house)
    }
}

/// Finds the person of a token among the sessions of accounts.
pub struct AccountSessions(pub Identity);

#[async_trait]
impl SessionCheck for AccountSessions {
    async fn who(&self, token: &str) -> Result<Who, ApiError> {
        let (user, session) = self.0.who(token).await?;
        Ok(Who { user, session })
    }
}
