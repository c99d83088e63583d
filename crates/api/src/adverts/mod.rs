//! Commands and queries on a user's own adverts, and single adverts of others.

pub(crate) mod dto;
mod viewed;

use app::Context;
use app::commands::{CommandKind, Executor, View};
use app::market::missing_to_post;
use axum::extract::State;
use chrono::Duration;
use domain::adverts::{AdvertCommand, Group, Options};
use domain::assets::Pair;
use domain::checks::AdvertRequest;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, PaymentMethodId, UserId};
use domain::money::{Amount, Price};
use domain::nfts::TokenId;
use domain::refusal::Refusal;
use domain::trade::{Leg, Side};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::dto::{AdvertDto, AdvertGroups, PriceCheckDto, TakerRequirementsDto};
use crate::adverts::dto::AdvertKind;
use crate::commands::{DepositBody, Target, VersionedCommand, amount, execute, execute_new, execute_on, money_field};
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{Command, CommandKey, CommandOn, Page, PageOf, Query, Session};
use crate::nfts::dto::PrepayingDto;
use crate::requirements::MissingRequirement;
use crate::state::ApiState;

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(page_by_user))
        .routes(routes!(groups))
        .routes(routes!(check_price))
        .routes(routes!(requirements))
        .routes(routes!(prepayment))
        .routes(routes!(cancel))
        .routes(routes!(deposit))
        .routes(routes!(switch))
        .routes(routes!(delete))
        .routes(routes!(online, set_online))
        .merge(viewed::calls())
}

/// The advert to post.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateAdvert {
    /// Whether the advertiser sells or buys the base.
    side: Side,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    kind: AdvertKind,
    /// The code of the base: a coin, or an album.
    base: String,
    /// The token ID of the NFT to sell: a whole number. Required for an album.
    #[serde(default)]
    #[schema(max_length = 78)]
    nft_id: Option<String>,
    /// The code of the quote.
    quote: String,
    /// The price of one unit of the base, in the quote, as a decimal string with at most `priceDecimals` decimals (see
    /// the pair).
    price: String,
    /// The quantity of the base, as a decimal string with at most 8 decimals. Required for a coin; 1 for an NFT.
    #[serde(default)]
    quantity: Option<String>,
    /// The minimum total of an order, in the quote, as a decimal string. Required for a coin; ignored for an NFT.
    #[serde(default)]
    order_min: Option<String>,
    /// The maximum total of an order, in the quote, as a decimal string. Required for a coin; ignored for an NFT.
    #[serde(default)]
    order_max: Option<String>,
    /// The user's payment methods to offer, for a fiat quote. Their currency must be the quote.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    payment_method_ids: Vec<PaymentMethodId>,
    /// The time that a buyer has to pay, in minutes, from `windowMinutesMin` to `windowMinutesMax` of the pair. Defaults to its
    /// payment window.
    #[serde(default)]
    window_minutes: Option<u32>,
    /// A note to other traders, of at most 100 characters, without forbidden words, links or contact information
    /// (1030).
    #[serde(default)]
    #[schema(max_length = 100)]
    remark: Option<String>,
    /// What the user requires of whoever orders. Others are refused with 5069. Defaults to nothing.
    #[serde(default)]
    taker_requirements: TakerRequirementsDto,
    /// Whether the user has confirmed a price that is far from the market (`far` of `/c2c/advert/price`). Without this, such an
    /// advert is refused with 5061.
    #[serde(default)]
    far_price_confirmed: bool,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SwitchBody {
    /// The version of the advert that the user saw.
    version: i64,
    /// Whether the advert takes orders.
    online: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OnlineStatus {
    /// Whether the user takes orders.
    online: bool,
}

/// Posts an advert.
///
/// A sell advert needs a deposit before it goes online: the response contains the address and the deadline.
#[utoipa::path(post, path = "/c2c/advert/create", tag = "adverts", security(("session" = [])),
    params(CommandKey), request_body = CreateAdvert, responses((status = 200, body = Envelope<AdvertDto>)))]
async fn create(
    State(state): State<ApiState>,
    Session(who): Session,
    Command { key, body }: Command<CreateAdvert>,
) -> Answer<AdvertDto> {
    let nft = body.nft_id.as_deref().map(token_id).transpose()?;
    let pair = match nft {
        None => app::market::pair(&state.context, &body.base, &body.quote).await?,
        Some(_) => app::market::pair_of_album(&state.context, &body.base, &body.quote).await?,
    };
    let price = Price::parse(&body.price).map_err(|error| money_field("price", error))?;
    let side = body.side;
    let far = async || {
        match app::market::check_price(&state.context, &state.hall, who.user, &pair, side, price).await {
            Ok(check) => Ok(check.comparison.filter(|found| found.far).map(|found| found.market)),
            // A hall that is behind stops nobody from publishing.
            Err(app::Error::Unavailable { .. }) => Ok(None),
            Err(error) => Err(ApiError::from(error)),
        }
    };
    let [quantity, min_total, max_total] = amounts(&body, &pair)?;
    let wanted = AdvertRequest {
        pair: pair.id,
        nft,
        side,
        automatic: body.kind == AdvertKind::Automatic,
        quantity,
        price,
        min_total,
        max_total,
        methods: body.payment_method_ids,
        options: Options {
            remark: body.remark.filter(|remark| !remark.trim().is_empty()),
            taker: body.taker_requirements.into(),
        },
        payment_window: body.window_minutes.map(|minutes| Duration::minutes(minutes.into())),
        unconfirmed_from: if body.far_price_confirmed { None } else { far().await? },
    };
    execute_new(&state, who.user, key, CommandKind::PostAdvert(wanted), AdvertId).await
}

/// Returns the quantity and the limits of orders. An NFT is one of its kind, and an order on it is never partial.
fn amounts(body: &CreateAdvert, pair: &Pair) -> Result<[Amount; 3], ApiError> {
    let given = |field, text: &Option<String>, decimals, of_nft| match text {
        Some(text) => amount(field, text, decimals),
        None if body.nft_id.is_some() => Ok(of_nft),
        None => Err(Refusal::Invalid { field, reason: "required" }.into()),
    };
    let (base, quote) = (pair.base.decimals, pair.quote.decimals);
    Ok([
        given("quantity", &body.quantity, base, Amount::ONE)?,
        given("orderMin", &body.order_min, quote, Amount::ZERO)?,
        given("orderMax", &body.order_max, quote, Amount::ZERO)?,
    ])
}

fn token_id(text: &str) -> Result<[u8; 32], ApiError> {
    if text.is_empty() {
        return Err(Refusal::Invalid { field: "nftId", reason: "empty" }.into());
    }
    text.parse().map(|TokenId(id)| id).map_err(|_| ApiError::invalid("nftId", "not a whole number from 0 to 2^256 - 1"))
}

/// The advert that the user would post.
#[derive(Debug, Clone, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RequirementsQuery {
    /// Whether the advertiser sells or buys the base.
    side: Side,
    /// Whether the seller confirms the payment (`MANUAL`) or the platform swaps two escrowed coins (`AUTOMATIC`).
    kind: AdvertKind,
    /// The code of the base. Omit it together with `quote` to ask for what all pairs require.
    base: Option<String>,
    /// The code of the quote.
    quote: Option<String>,
}

/// Returns what the user lacks to post an advert.
///
/// `/c2c/advert/create` refuses each of these, apart from `SECURITY_PASSWORD`, whatever the price and the amounts.
#[utoipa::path(get, path = "/c2c/advert/requirements", tag = "adverts", security(("session" = [])),
    params(RequirementsQuery), responses((status = 200, body = Envelope<Vec<MissingRequirement>>)))]
async fn requirements(
    State(context): State<Context>,
    Session(who): Session,
    Query(query): Query<RequirementsQuery>,
) -> Answer<Vec<MissingRequirement>> {
    let pair = match (&query.base, &query.quote) {
        (Some(base), Some(quote)) => Some(app::market::pair(&context, base, quote).await?),
        (None, None) => None,
        (Some(_), None) => return Err(ApiError::invalid("quote", "missing")),
        (None, Some(_)) => return Err(ApiError::invalid("base", "missing")),
    };
    let automatic = query.kind == AdvertKind::Automatic;
    let missing = missing_to_post(&context, who.user, pair.as_ref(), query.side, automatic).await?;
    Ok(Done(missing.iter().map(MissingRequirement::from).collect()))
}

/// The pair of the advert that the user would post.
#[derive(Debug, Clone, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PairQuery {
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
}

/// Returns what the user would prepay for a sell advert, and what the balance lacks; null if sellers of the pair prepay nothing.
#[utoipa::path(get, path = "/c2c/advert/prepayment", tag = "adverts", security(("session" = [])),
    params(PairQuery), responses((status = 200, body = Envelope<Option<PrepayingDto>>)))]
async fn prepayment(
    State(context): State<Context>,
    Session(who): Session,
    Query(query): Query<PairQuery>,
) -> Answer<Option<PrepayingDto>> {
    let pair = app::market::pair(&context, &query.base, &query.quote).await?;
    let prepaying = app::adverts::prepaying(&context, who.user, pair.id).await?;
    Ok(Done(prepaying.as_ref().map(PrepayingDto::from)))
}

/// A price to compare with the market.
#[derive(Debug, Clone, Deserialize, ToSchema, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PriceQuery {
    /// The code of the base.
    base: String,
    /// The code of the quote.
    quote: String,
    /// Whether the advertiser sells or buys the base.
    side: Side,
    /// The price of one unit of the base, in the quote, as a decimal string.
    price: String,
}

/// Compares a price for a new advert with the market, and ranks it among the other adverts.
#[utoipa::path(get, path = "/c2c/advert/price", tag = "adverts", security(("session" = [])), params(PriceQuery),
    responses((status = 200, body = Envelope<PriceCheckDto>)))]
async fn check_price(
    State(state): State<ApiState>,
    Session(who): Session,
    Query(query): Query<PriceQuery>,
) -> Answer<PriceCheckDto> {
    let pair = app::market::pair(&state.context, &query.base, &query.quote).await?;
    let price = Price::parse(&query.price).map_err(|error| money_field("price", error))?;
    let side = query.side;
    let check = app::market::check_price(&state.context, &state.hall, who.user, &pair, side, price).await?;
    Ok(Done(PriceCheckDto::from(&check)))
}

#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GroupQuery {
    /// Filter: the group.
    #[param(inline)]
    group: Option<Group>,
}

/// Lists the user's own adverts, newest first.
#[utoipa::path(get, path = "/c2c/advert/pageByUser", tag = "adverts", security(("session" = [])), params(Page, GroupQuery),
    responses((status = 200, body = Envelope<PageOf<AdvertDto>>)))]
async fn page_by_user(
    State(context): State<Context>,
    Session(who): Session,
    Query(page): Query<Page>,
    Query(query): Query<GroupQuery>,
) -> Answer<PageOf<AdvertDto>> {
    let group = query.group;
    let (views, total) = app::adverts::page(&context, who.user, group, page.offset(), page.limit()).await?;
    Ok(Done(page.of(views.iter().map(AdvertDto::from).collect(), total)))
}

/// Counts the user's own adverts in each group.
#[utoipa::path(get, path = "/c2c/advert/groups", tag = "adverts", security(("session" = [])),
    responses((status = 200, body = Envelope<AdvertGroups>)))]
async fn groups(State(context): State<Context>, Session(who): Session) -> Answer<AdvertGroups> {
    Ok(Done(app::adverts::groups(&context, who.user).await?.into()))
}

/// Cancels an advert before it is online, or revokes an online one. The remaining escrow is returned to the bound
/// address.
#[utoipa::path(post, path = "/c2c/advert/cancel/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn cancel(command: CommandOn<AdvertId, VersionedCommand>) -> Answer<AdvertDto> {
    act(&command, command.body.version, AdvertCommand::Cancel).await
}

/// Returns the deposits that are visible on the chain.
///
/// The call itself credits no deposit. With `fromBalance`, temporary balance is moved into the escrow.
#[utoipa::path(post, path = "/c2c/advert/deposit/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = DepositBody,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn deposit(command: CommandOn<AdvertId, DepositBody>) -> Answer<AdvertDto> {
    let view = app::adverts::one(&command.context, command.user, command.id).await?;
    let (base, quote) = (&view.assets.base, &view.assets.quote);
    let escrowed = match view.advert.terms.side.advertiser().gives() {
        Leg::Base => base,
        Leg::Quote => quote,
    };
    match command.balance_to_use(escrowed).await? {
        Some(amount) => {
            execute_on(&command, CommandKind::FundFromBalance { target: FundingTarget::Advert(command.id), amount })
                .await
        }
        None => Ok(Done(AdvertDto::from(&view))),
    }
}

/// Takes an advert online or offline.
#[utoipa::path(post, path = "/c2c/advert/switch/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = SwitchBody,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn switch(command: CommandOn<AdvertId, SwitchBody>) -> Answer<AdvertDto> {
    act(&command, command.body.version, AdvertCommand::Switch { online: command.body.online }).await
}

/// Hides an advert that has ended.
#[utoipa::path(post, path = "/c2c/advert/delete/{id}", tag = "adverts", security(("session" = [])),
    params(("id" = String, Path), CommandKey), request_body = VersionedCommand,
    responses((status = 200, body = Envelope<AdvertDto>)))]
async fn delete(command: CommandOn<AdvertId, VersionedCommand>) -> Answer<AdvertDto> {
    act(&command, command.body.version, AdvertCommand::Delete).await
}

/// Returns whether the user is online.
#[utoipa::path(get, path = "/c2c/advert/online", tag = "adverts", security(("session" = [])),
    responses((status = 200, body = Envelope<OnlineStatus>)))]
async fn online(State(context): State<Context>, Session(who): Session) -> Answer<OnlineStatus> {
    let online = app::adverts::is_online(&context, who.user).await?;
    Ok(Done(OnlineStatus { online }))
}

/// Takes the user online or offline, with all of their adverts. Open orders continue.
#[utoipa::path(post, path = "/c2c/advert/online", tag = "adverts", security(("session" = [])),
    params(OnlineStatus, CommandKey), responses((status = 200, body = Envelope<OnlineStatus>)))]
async fn set_online(
    State(executor): State<Executor>,
    Session(who): Session,
    CommandKey(key): CommandKey,
    Query(wanted): Query<OnlineStatus>,
) -> Answer<OnlineStatus> {
    execute(&executor, who.user, key, CommandKind::Switch { online: wanted.online }).await.reply?;
    Ok(Done(wanted))
}

async fn act<B>(command: &CommandOn<AdvertId, B>, seen: i64, act: AdvertCommand) -> Answer<AdvertDto> {
    execute_on(command, CommandKind::Advert { id: command.id, seen, act }).await
}

impl Target for AdvertId {
    type Dto = AdvertDto;

    async fn load(self, context: &Context, user: UserId) -> Result<AdvertDto, ApiError> {
        Ok(AdvertDto::from(&app::adverts::one(context, user, self).await?))
    }

    fn shown(view: &View) -> Option<AdvertDto> {
        match view {
            View::Advert(view) => Some(AdvertDto::from(view.as_ref())),
            View::Order(_) => None,
        }
    }
}
