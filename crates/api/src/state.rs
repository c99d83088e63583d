//! The shared state of the calls.

use std::sync::Arc;

use app::Context;
use app::identity::Identity;
use app::payment_methods::PaymentMethods;
use app::trading::Executor;
use async_trait::async_trait;
use axum::extract::FromRef;
use domain::ids::UserId;

use crate::envelope::ApiError;
use crate::extract::{SessionCheck, Who};
use crate::middleware::Middleware;
use crate::polls::Polls;
use crate::realtime::Hub;

/// The state that all calls share: services, settings and open websockets. Cheap to clone.
#[derive(Clone, FromRef)]
pub struct ApiState {
    pub middleware: Arc<Middleware>,
    /// Database, clock and IDs, for use cases that are functions.
    pub context: Context,
    /// Executes the commands of trading.
    pub executor: Executor,
    pub identity: Identity,
    pub methods: PaymentMethods,
    /// The open websockets of this process. The server must also run [`Hub::run`], and call [`Hub::stop`] when it
    /// stops.
    pub hub: Arc<Hub>,
    /// Responses that are sent again while nothing that they show has changed.
    pub polls: Arc<Polls>,
}

pub struct AccountSessions(pub Identity);

#[async_trait]
impl SessionCheck for AccountSessions {
    async fn who(&self, token: &str) -> Result<Who, ApiError> {
        let (user, session) = self.0.who(token).await?;
        Ok(Who { user, session })
    }

    fn has_acted(&self, user: UserId) {
        self.0.has_acted(user);
    }
}
