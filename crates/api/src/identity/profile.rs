//! One's own account.

use app::identity::{Profile, Update};
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::assets::Asset;
use domain::identity::address::checksummed;
use domain::ids::UserId;
use domain::money::Amount;
use domain::refusal::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::enums::Kyc;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Command, From, PathId, Session, Who};
use crate::identity::dto::SealedText;
use crate::market::TraderStats;
use crate::state::ApiState;

/// How much of a coin changed hands.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TradedVolume {
    /// The coin's short name.
    asset: String,
    /// How much, decimal.
    amount: String,
}

impl std::convert::From<&(Asset, Amount)> for TradedVolume {
    fn from((asset, amount): &(Asset, Amount)) -> Self {
        Self { asset: asset.code.clone(), amount: amount.format(asset.decimals) }
    }
}

/// A person, to themselves.
#[expect(clippy::struct_excessive_bools, reason = "each is a badge or switch of its own")]
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserInfo {
    /// Their id.
    id: Uuid,
    /// The e-mail.
    email: String,
    /// The name that others see.
    nickname: Option<String>,
    /// When the nickname may be changed again; null if now.
    nickname_changeable_at: Option<DateTime<Utc>>,
    /// What they say of themselves.
    remark: Option<String>,
    /// Where they are paid in USDT.
    receiving_address: Option<String>,
    /// Its chain type.
    chain_type: Option<String>,
    /// Their own MEC-chain address, proved through the pass: all returns go there.
    bound_address: Option<String>,
    /// The MEC-chain address that takes their deposits.
    custody_address: String,
    /// Credit, 0 to 100.
    reputation: i32,
    /// The region that the pass states, two letters.
    region_id: String,
    /// The country, for its flag.
    country_code: String,
    /// How well the pass knows them.
    kyc_level: Kyc,
    /// Certified trader.
    certified: bool,
    /// Verified trader.
    verified: bool,
    /// At least 10 confirmations in 30 days, in less than 30 minutes on average.
    fast: bool,
    /// The last 30 days, as others see them.
    stats: TraderStats,
    /// What changed hands in the orders of the last 30 days that were completed, one line for each base.
    volume30d: Vec<TradedVolume>,
    /// Their switch.
    online: bool,
    /// Whether a security password is set.
    has_security_password: bool,
    /// Until then no withdrawal, advert or order: something that protects money was changed. Null if none.
    hold_until: Option<DateTime<Utc>>,
    /// The product's time.
    server_time: DateTime<Utc>,
}

impl std::convert::From<Profile> for UserInfo {
    fn from(profile: Profile) -> Self {
        let person = profile.person;
        let (receiving_address, chain_type) = person.receiving.map(|to| (to.address, to.chain_type)).unzip();
        Self {
            id: person.id.0,
            email: profile.email,
            nickname: person.nickname,
            nickname_changeable_at: profile.nickname_changeable_at,
            remark: Some(profile.remark).filter(|remark| !remark.is_empty()),
            receiving_address,
            chain_type,
            bound_address: person.bound.map(checksummed),
            custody_address: checksummed(person.vault),
            reputation: person.reputation,
            country_code: person.region.clone(),
            region_id: person.region,
            kyc_level: person.kyc.into(),
            certified: person.certified,
            verified: person.verified,
            fast: profile.record.fast(),
            stats: (&profile.record).into(),
            volume30d: profile.volume.iter().map(TradedVolume::from).collect(),
            online: person.online,
            has_security_password: profile.has_security_password,
            hold_until: person.held_until.filter(|until| *until > profile.at),
            server_time: profile.at,
        }
    }
}

/// Somebody else's account is answered as one that does not exist.
fn own(id: UserId, who: Who) -> Result<(), ApiError> {
    if id == who.user { Ok(()) } else { Err(Refusal::NotFound.into()) }
}

/// One's own account. Anybody else's: 1016.
#[utoipa::path(get, path = "/user/info/{id}", tag = "account",
    params(("id" = Uuid, Path, description = "One's own id")),
    responses((status = 200, body = Envelope<UserInfo>)), security(("session" = [])))]
pub(super) async fn info(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<UserId>,
) -> Answer<UserInfo> {
    own(id, who)?;
    Ok(Done(state.identity.profile(id).await?.into()))
}

/// A change of one's account; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct UpdateInfoBody {
    /// Letters and digits, at most 20; once a week.
    #[serde(default)]
    nickname: Option<String>,
    /// At most 100 characters.
    #[serde(default)]
    remark: Option<String>,
    /// Where one is paid in USDT; with `chainType`.
    #[serde(default)]
    receiving_address: Option<String>,
    /// Its chain type.
    #[serde(default)]
    chain_type: Option<String>,
    /// A new e-mail; `emailCode` was sent there for `security`.
    #[serde(default)]
    email: Option<String>,
    /// A new login password; with `password`.
    #[serde(default)]
    new_password: Option<SealedText>,
    /// The login password: needed for a new one, and while there is no security password for the first one and for a new
    /// e-mail.
    #[serde(default)]
    password: Option<SealedText>,
    /// A new security password, longer than 8 characters.
    #[serde(default)]
    new_security_code: Option<SealedText>,
    /// The security password. Once there is one, it or `emailCode` is needed for a new address or security password, and
    /// both for a new e-mail.
    #[serde(default)]
    security_code: Option<SealedText>,
    /// A code that was sent for `security`.
    #[serde(default)]
    email_code: Option<String>,
}

/// Changes one's account. A new e-mail, address or password ends the other sessions and holds withdrawals, adverts and
/// orders for a day.
#[utoipa::path(post, path = "/user/updateInfo", tag = "account", request_body = UpdateInfoBody,
    params(("Idempotency-Key" = String, Header, description = "Names the command")),
    responses((status = 200, body = Envelope<UserInfo>)), security(("session" = [])))]
pub(super) async fn update(
    State(state): State<ApiState>,
    Session(who): Session,
    From(device): From,
    Command { key, body }: Command<UpdateInfoBody>,
) -> Answer<UserInfo> {
    let missing = |field: &str| ApiError::invalid(field, "missing");
    let receiving = match (body.receiving_address, body.chain_type) {
        (Some(address), Some(chain_type)) => Some((address, chain_type)),
        (None, None) => None,
        (Some(_), None) => return Err(missing("chainType")),
        (None, Some(_)) => return Err(missing("receivingAddress")),
    };
    let update = Update {
        nickname: body.nickname,
        remark: body.remark,
        receiving,
        email: body.email,
        new_password: body.new_password.map(Into::into),
        password: body.password.map(Into::into),
        new_security_code: body.new_security_code.map(Into::into),
        security_code: body.security_code.map(Into::into),
        email_code: body.email_code,
        device,
    };
    Ok(Done(state.identity.update(&key, who.user, who.session, &update).await?.into()))
}

/// Whether an account is bound to the pass.
#[expect(clippy::struct_field_names, reason = "the names of the call")]
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Bound {
    /// Whether it is.
    bound: bool,
    /// The person at the pass.
    me_id: String,
    /// The bound address.
    bound_address: Option<String>,
}

/// Whether one's own account is bound to the pass, and to which address.
#[utoipa::path(get, path = "/user/isBind/{id}", tag = "account",
    params(("id" = Uuid, Path, description = "One's own id")),
    responses((status = 200, body = Envelope<Bound>)), security(("session" = [])))]
pub(super) async fn is_bound(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<UserId>,
) -> Answer<Bound> {
    own(id, who)?;
    let profile = state.identity.profile(id).await?;
    let bound_address = profile.person.bound.map(checksummed);
    Ok(Done(Bound { bound: bound_address.is_some(), me_id: profile.me_id, bound_address }))
}

/// By what somebody can prove who they are.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuthenticationMethods {
    /// Whether there is any.
    exist: bool,
    /// In the words of RFC 8176: `pwd` the login password, `swk` the pass's key, `pin` the security password.
    methods: Vec<String>,
}

/// By what one can prove who one is (authentication method references).
#[utoipa::path(get, path = "/user/amrExist", tag = "account",
    responses((status = 200, body = Envelope<AuthenticationMethods>)), security(("session" = [])))]
pub(super) async fn authentication_methods(
    State(state): State<ApiState>,
    Session(who): Session,
) -> Answer<AuthenticationMethods> {
    let profile = state.identity.profile(who.user).await?;
    let methods = [("pwd", true), ("swk", profile.person.bound.is_some()), ("pin", profile.has_security_password)];
    let methods: Vec<_> = methods.into_iter().filter(|(_, has)| *has).map(|(name, _)| name.to_owned()).collect();
    Ok(Done(AuthenticationMethods { exist: !methods.is_empty(), methods }))
}

/// Whether a security password is set.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HasSecurityCode {
    /// Whether it is.
    has: bool,
}

/// Whether one has set a security password.
#[utoipa::path(get, path = "/user/hasSecurityCode", tag = "account",
    responses((status = 200, body = Envelope<HasSecurityCode>)), security(("session" = [])))]
pub(super) async fn has_security_password(
    State(state): State<ApiState>,
    Session(who): Session,
) -> Answer<HasSecurityCode> {
    Ok(Done(HasSecurityCode { has: state.identity.profile(who.user).await?.has_security_password }))
}
