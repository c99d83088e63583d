//! The user's own account.

use app::identity::{Profile, Update};
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use domain::assets::Asset;
use domain::identity::address::checksummed;
use domain::ids::UserId;
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::users::{KycLevel, OfflineCause};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Client, Command, CommandKey, PathId, Session, Who};
use crate::identity::dto::SealedText;
use crate::market::{TradedVolume, TraderStats};
use crate::polls::Poll;
use crate::state::ApiState;

/// The temporary balance of a coin.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TemporaryBalance {
    /// The code of the coin.
    asset: String,
    /// What no advert or order uses, as a decimal string.
    amount: String,
}

impl From<&(Asset, Amount)> for TemporaryBalance {
    fn from((asset, amount): &(Asset, Amount)) -> Self {
        Self { asset: asset.code.clone(), amount: amount.format(asset.decimals) }
    }
}

/// A user's account, as they see it.
#[expect(clippy::struct_excessive_bools, reason = "a response DTO with independent flags")]
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UserInfo {
    id: Uuid,
    email: String,
    /// The public name.
    nickname: Option<String>,
    /// The nickname that others see. After a rejection, it is a neutral name until an officer approves another nickname.
    public_nickname: Option<String>,
    /// The time from which the nickname can be changed again; null if it can be changed now.
    nickname_changeable_at: Option<DateTime<Utc>>,
    /// Whether an officer has yet to approve the nickname. Others see it meanwhile, unless an earlier one was rejected.
    nickname_under_review: bool,
    /// Why an officer rejected the last nickname; null once the user has chosen another one.
    nickname_refusal: Option<String>,
    /// The user's public description.
    remark: Option<String>,
    /// What takers read in the conversation of a new order; null for nothing.
    automatic_reply: Option<String>,
    /// The address at which the user is paid in USDT.
    receiving_address: Option<String>,
    /// The chain type of `receivingAddress`.
    chain_type: Option<String>,
    /// The user's own address on the escrow chain, confirmed through the pass. Returns and withdrawals go there.
    bound_address: Option<String>,
    /// The address on the escrow chain to which the user sends deposits.
    custody_address: String,
    /// The credit score, from 0 to 100.
    reputation: i32,
    /// The region that the pass reports, as two letters.
    region_id: String,
    /// The ISO 3166-1 alpha-2 code of the country, for its flag.
    country_code: String,
    /// The level of identity verification.
    kyc_level: KycLevel,
    /// Whether the user is a certified trader.
    certified: bool,
    /// Whether the user is a verified trader.
    verified: bool,
    /// Whether the user made at least 10 confirmations in 30 days, in less than 30 minutes on average.
    fast: bool,
    /// The user's public statistics of the last 30 days.
    stats: TraderStats,
    /// The volume of orders completed in the last 30 days, for each base.
    volume30d: Vec<TradedVolume>,
    /// The temporary balance of each coin, as in `/balance`.
    temporary_balance: Vec<TemporaryBalance>,
    /// Whether the user takes orders.
    online: bool,
    /// Why the platform took the user offline; null if the user is online, or went offline otherwise.
    offline_cause: Option<OfflineCause>,
    has_security_password: bool,
    /// The time until which the user can't withdraw, post adverts or place orders, because security settings were
    /// changed; null if they can.
    hold_until: Option<DateTime<Utc>>,
    /// The server's time.
    server_time: DateTime<Utc>,
}

impl From<Profile> for UserInfo {
    fn from(profile: Profile) -> Self {
        let user = profile.user;
        let hold_until = user.hold(profile.at);
        let (receiving_address, chain_type) = user.receiving.map(|to| (to.address, to.chain_type)).unzip();
        Self {
            id: user.id.0,
            email: profile.email,
            nickname: profile.nickname,
            public_nickname: user.nickname,
            nickname_changeable_at: profile.nickname_changeable_at,
            nickname_under_review: profile.nickname_under_review,
            nickname_refusal: profile.nickname_refusal,
            remark: Some(profile.remark).filter(|remark| !remark.is_empty()),
            automatic_reply: user.automatic_reply,
            receiving_address,
            chain_type,
            bound_address: user.bound.map(checksummed),
            custody_address: checksummed(user.vault),
            reputation: user.reputation,
            country_code: user.region.clone(),
            region_id: user.region,
            kyc_level: user.kyc,
            certified: user.certified,
            verified: user.verified,
            fast: profile.record.fast(),
            stats: (&profile.record).into(),
            volume30d: profile.volume.iter().map(TradedVolume::from).collect(),
            temporary_balance: profile.temporary.iter().map(TemporaryBalance::from).collect(),
            online: user.online,
            offline_cause: user.offline_cause,
            has_security_password: profile.has_security_password,
            hold_until,
            server_time: profile.at,
        }
    }
}

/// Refuses access to another user's account as if it did not exist.
pub(super) fn own(id: UserId, who: Who) -> Result<(), ApiError> {
    if id == who.user { Ok(()) } else { Err(Refusal::NotFound.into()) }
}

/// Returns the user's own account. Any other ID is refused with 1016.
#[utoipa::path(get, path = "/user/info/{id}", tag = "account",
    params(("id" = Uuid, Path, description = "The user's own ID")),
    responses((status = 200, body = Envelope<UserInfo>)), security(("session" = [])))]
pub(super) async fn info(
    State(state): State<ApiState>,
    Session(who): Session,
    PathId(id): PathId<UserId>,
) -> Result<Response, ApiError> {
    own(id, who)?;
    let compute = async || {
        let profile = state.identity.profile(id).await?;
        let lasting = profile.lasting.clone();
        Ok((UserInfo::from(profile), Some(lasting)))
    };
    state.polls.answer(Poll::Account(id), compute).await
}

/// The fields to change. Omitted fields keep their values.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct UpdateInfoBody {
    /// A nickname of at most 20 letters and digits. It can be changed once a week.
    #[serde(default)]
    nickname: Option<String>,
    /// A public description of at most 100 characters.
    #[serde(default)]
    remark: Option<String>,
    /// What takers read in the conversation of a new order: at most 300 characters, without forbidden words, links or contact
    /// information, and without a request to release early (1030). An empty text for nothing.
    #[serde(default)]
    automatic_reply: Option<String>,
    /// The address at which the user is paid in USDT. Requires `chainType`.
    #[serde(default)]
    receiving_address: Option<String>,
    /// The chain type of `receivingAddress`.
    #[serde(default)]
    chain_type: Option<String>,
    /// A new email address. Requires an `emailCode` that was sent to it for `security`.
    #[serde(default)]
    email: Option<String>,
    /// A new login password. Requires `password`.
    #[serde(default)]
    new_password: Option<SealedText>,
    /// The login password. Required for a new login password. Without a security password, also required to set the
    /// first one or to change the email address.
    #[serde(default)]
    password: Option<SealedText>,
    /// A new security password, longer than 8 characters.
    #[serde(default)]
    new_security_code: Option<SealedText>,
    /// The security password. Once it is set, a new address or security password requires it or `emailCode`, and a new
    /// email address requires both.
    #[serde(default)]
    security_code: Option<SealedText>,
    /// A code that was sent for `security`.
    #[serde(default)]
    email_code: Option<String>,
    /// The ticket of a challenge from `/scan/proof` with the purpose `security`, in place of the current security password
    /// for a new receiving address or security password. During a hold on the account, `emailCode` cannot replace it.
    #[serde(default)]
    pass_ticket: Option<String>,
}

/// Changes the user's account.
///
/// A new email address, receiving address or password ends the other sessions, and for a day the user can't withdraw,
/// post adverts or place orders.
#[utoipa::path(post, path = "/user/updateInfo", tag = "account", request_body = UpdateInfoBody,
    params(CommandKey), responses((status = 200, body = Envelope<UserInfo>)), security(("session" = [])))]
pub(super) async fn update(
    State(state): State<ApiState>,
    Session(who): Session,
    Client(device): Client,
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
        automatic_reply: body.automatic_reply,
        receiving,
        email: body.email,
        new_password: body.new_password.map(Into::into),
        password: body.password.map(Into::into),
        new_security_code: body.new_security_code.map(Into::into),
        security_code: body.security_code.map(Into::into),
        email_code: body.email_code,
        pass_ticket: body.pass_ticket,
        device,
    };
    Ok(Done(state.identity.update(&key, who.user, who.session, &update).await?.into()))
}

/// The ways in which the user can authenticate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AuthenticationMethods {
    /// Whether the user has any way to authenticate.
    exist: bool,
    /// Methods as in RFC 8176: `pwd` is the login password, `swk` the key of the pass, `pin` the security password.
    methods: Vec<String>,
}

/// Lists the ways in which the user can authenticate (authentication method references).
#[utoipa::path(get, path = "/user/amrExist", tag = "account",
    responses((status = 200, body = Envelope<AuthenticationMethods>)), security(("session" = [])))]
pub(super) async fn authentication_methods(
    State(state): State<ApiState>,
    Session(who): Session,
) -> Answer<AuthenticationMethods> {
    let profile = state.identity.profile(who.user).await?;
    let methods = [("pwd", true), ("swk", profile.user.bound.is_some()), ("pin", profile.has_security_password)];
    let methods: Vec<_> = methods.into_iter().filter(|(_, has)| *has).map(|(name, _)| name.to_owned()).collect();
    Ok(Done(AuthenticationMethods { exist: !methods.is_empty(), methods }))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct HasSecurityCode {
    /// Whether a security password is set.
    has: bool,
}

/// Returns whether the user has set a security password.
#[utoipa::path(get, path = "/user/hasSecurityCode", tag = "account",
    responses((status = 200, body = Envelope<HasSecurityCode>)), security(("session" = [])))]
pub(super) async fn has_security_password(
    State(state): State<ApiState>,
    Session(who): Session,
) -> Answer<HasSecurityCode> {
    Ok(Done(HasSecurityCode { has: state.identity.profile(who.user).await?.has_security_password }))
}
