//! The shared state of the calls.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use app::Context;
use app::appeals::AppealFigures;
use app::commands::Executor;
use app::console::Console;
use app::files::Files;
use app::identity::Identity;
use app::market::hall::Hall;
use app::order_record::OrderRecords;
use app::payment_methods::PaymentMethods;
use app::talk::Talk;
use async_trait::async_trait;
use axum::extract::FromRef;
use domain::ids::UserId;

use crate::envelope::ApiError;
use crate::extract::{SessionCheck, Who};
use crate::market::KeptPages;
use crate::middleware::Middleware;
use crate::polls::Polls;
use crate::realtime::Hub;

/// The services, settings and open websockets that all calls share.
pub struct Services {
    pub middleware: Arc<Middleware>,
    /// Database, clock and IDs, for use cases that are functions.
    pub context: Context,
    /// Executes the commands of trading.
    pub executor: Executor,
    /// The adverts of all visitors, in memory. The server must also load it and pass on changes.
    pub hall: Arc<Hall>,
    pub identity: Identity,
    pub methods: PaymentMethods,
    pub files: Files,
    pub talk: Talk,
    /// Makes the records that parties of orders download.
    pub records: OrderRecords,
    /// The published figures about appeals.
    pub appeal_figures: AppealFigures,
    /// The use cases of officers.
    pub console: Console,
    /// Whether browsers reach the product over https only, so that cookies must not be sent over http.
    pub secure_cookies: bool,
    /// The open websockets of this process. The server must also run [`Hub::run`], and call [`Hub::stop`] when it
    /// stops.
    pub hub: Arc<Hub>,
    /// Responses that are sent again while nothing that they show has changed.
    pub polls: Arc<Polls>,
    /// Where browsers look up transactions and addresses.
    pub explorers: Explorers,
}

/// The block explorers of the chains.
#[derive(Debug, Clone, Default)]
pub struct Explorers {
    /// That of the escrow chain.
    pub escrow: Option<Explorer>,
    /// Those of the chain types of receiving addresses, by the name of the chain type.
    pub receiving: Arc<BTreeMap<String, Explorer>>,
}

/// The address of a block explorer, without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explorer(Arc<str>);

impl Explorer {
    /// Returns the explorer at an address that the configuration check has accepted; `None` if it is empty.
    pub fn at(url: &str) -> Option<Self> {
        let url = url.trim_end_matches('/');
        (!url.is_empty()).then(|| Self(url.into()))
    }

    pub(crate) fn url(&self) -> &str {
        &self.0
    }
}

/// The state of the calls. The router clones it several times per request, so it is a single reference.
#[derive(Clone)]
pub struct ApiState(Arc<Shared>);

struct Shared {
    services: Services,
    pages: Arc<KeptPages>,
}

impl From<Services> for ApiState {
    fn from(services: Services) -> Self {
        Self(Arc::new(Shared { services, pages: Arc::default() }))
    }
}

impl Deref for ApiState {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.0.services
    }
}

impl FromRef<ApiState> for Arc<KeptPages> {
    fn from_ref(state: &ApiState) -> Self {
        Self::clone(&state.0.pages)
    }
}

macro_rules! extractable {
    ($($field:ident: $service:ty),* $(,)?) => {$(
        impl FromRef<ApiState> for $service {
            fn from_ref(state: &ApiState) -> Self {
                state.$field.clone()
            }
        }
    )*};
}

extractable! {
    middleware: Arc<Middleware>,
    context: Context,
    executor: Executor,
    hall: Arc<Hall>,
    identity: Identity,
    methods: PaymentMethods,
    files: Files,
    hub: Arc<Hub>,
    polls: Arc<Polls>,
    appeal_figures: AppealFigures,
    explorers: Explorers,
}

pub struct AccountSessions(pub Identity);

#[async_trait]
impl SessionCheck for AccountSessions {
    async fn who(&self, token: &str) -> Result<Who, ApiError> {
        let (user, session) = self.0.who(token).await?;
        Ok(Who { user, session })
    }

    async fn who_recently(&self, token: &str) -> Result<Who, ApiError> {
        let (user, session) = self.0.who_recently(token).await?;
        Ok(Who { user, session })
    }

    fn has_acted(&self, user: UserId) {
        self.0.has_acted(user);
    }
}
