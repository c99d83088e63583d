//! Accounts: login, registration, the pass, email codes, profile and sessions.

mod account;
mod binding;
mod dto;
mod email;
mod guard;
mod pass;
mod profile;
mod sessions;

pub(crate) use dto::EmptyBody;
pub use dto::SealedText;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(guard::secret_key))
        .routes(routes!(guard::slide))
        .routes(routes!(guard::verify_slide))
        .routes(routes!(guard::slide_by_work))
        .routes(routes!(guard::verify_work))
        .routes(routes!(account::login))
        .routes(routes!(account::logout))
        .routes(routes!(account::register))
        .routes(routes!(account::reset_password))
        .routes(routes!(account::reset_password_by_pass))
        .routes(routes!(pass::authorize_login))
        .routes(routes!(pass::authorize_register))
        .routes(routes!(pass::generate))
        .routes(routes!(pass::generate_for_reset))
        .routes(routes!(pass::generate_for_proof))
        .routes(routes!(pass::challenge))
        .routes(routes!(pass::result))
        .routes(routes!(pass::call_back))
        .routes(routes!(email::send))
        .routes(routes!(email::verify))
        .routes(routes!(email::check))
        .routes(routes!(profile::info))
        .routes(routes!(profile::update))
        .routes(routes!(binding::is_bound))
        .routes(routes!(binding::bind))
        .routes(routes!(binding::unbind))
        .routes(routes!(profile::authentication_methods))
        .routes(routes!(profile::has_security_password))
        .routes(routes!(sessions::list))
        .routes(routes!(sessions::revoke))
        .routes(routes!(sessions::revoke_others))
}
