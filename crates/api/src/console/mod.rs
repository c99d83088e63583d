//! The calls of the console, for officers. The permission table in `domain::console` says which roles may make which call.

mod adverts;
mod appeals;
mod certifications;
mod dashboard;
mod dto;
mod market;
mod nicknames;
mod officer;
mod officers;
mod payouts;
mod platform;
mod sign_in;
mod unlisted;
mod users;
mod waiting;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use officer::COOKIE;

use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(sign_in::sign_in))
        .routes(routes!(sign_in::begin_enrollment))
        .routes(routes!(sign_in::enroll))
        .routes(routes!(sign_in::me))
        .routes(routes!(sign_in::sign_out))
        .routes(routes!(waiting::get))
        .routes(routes!(dashboard::get))
        .routes(routes!(users::find))
        .routes(routes!(users::get))
        .routes(routes!(users::set_flags))
        .routes(routes!(users::set_badges))
        .routes(routes!(users::set_hold))
        .routes(routes!(users::end_sessions))
        .routes(routes!(users::review_nickname))
        .routes(routes!(users::nicknames, nicknames::review))
        .routes(routes!(certifications::pending))
        .routes(routes!(certifications::decide))
        .routes(routes!(adverts::find))
        .routes(routes!(adverts::take_down))
        .routes(routes!(appeals::queue))
        .routes(routes!(appeals::next))
        .routes(routes!(appeals::search))
        .routes(routes!(appeals::assignee::officers))
        .routes(routes!(appeals::assignee::assign))
        .routes(routes!(appeals::summary))
        .routes(routes!(appeals::case))
        .routes(routes!(appeals::join))
        .routes(routes!(appeals::leave))
        .routes(routes!(appeals::talk, appeals::say))
        .routes(routes!(appeals::write_note))
        .routes(routes!(appeals::requests::ask))
        .routes(routes!(appeals::requests::close))
        .routes(routes!(appeals::decide))
        .routes(routes!(appeals::file))
        .routes(routes!(payouts::get))
        .routes(routes!(payouts::resume))
        .routes(routes!(payouts::void))
        .routes(routes!(unlisted::get))
        .routes(routes!(market::list))
        .routes(routes!(market::change))
        .routes(routes!(market::set_reference))
        .routes(routes!(platform::maintenance, platform::plan_maintenance))
        .routes(routes!(platform::end_maintenance))
        .routes(routes!(platform::audit_log))
        .routes(routes!(officers::list, officers::create))
        .routes(routes!(officers::change))
        .routes(routes!(officers::reset))
        .routes(routes!(officers::send_link))
}
