//! The parties of a case.

use app::console::{CaseView, PartyOrder, PartyView};
use chrono::{DateTime, Utc};
use domain::ids::UserId;
use domain::orders::{self, AppealStatusName};
use domain::refusal::RiskFlag;
use domain::trade::Party;
use domain::users::KycLevel;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::market::TraderStats;
use crate::nfts::dto::NftDto;

/// An order of a party.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CasePartyOrder)]
#[serde(rename_all = "camelCase")]
pub(super) struct PartyOrderItem {
    id: Uuid,
    base: String,
    quote: String,
    /// The NFT that is sold; null for coins.
    nft: Option<NftDto>,
    /// The ordered quantity of the base, as a decimal string.
    quantity: String,
    /// The amount of the quote, as a decimal string.
    total: String,
    state: orders::StateName,
    /// The party's role in the order.
    role: Party,
    created_at: DateTime<Utc>,
    /// The other party of the order.
    other_id: Uuid,
    other_nickname: Option<String>,
    /// The status of the latest appeal about the order; null if there was none.
    appeal: Option<AppealStatusName>,
}

/// A party of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseParty)]
#[serde(rename_all = "camelCase")]
pub(super) struct PartyItem {
    id: Uuid,
    nickname: Option<String>,
    /// The ISO 3166-1 alpha-2 code of the country.
    region: String,
    kyc: KycLevel,
    certified: bool,
    verified: bool,
    online: bool,
    /// The credit score, from 0 to 100.
    reputation: i32,
    joined_at: DateTime<Utc>,
    /// The statistics of the last 30 days: completed orders, share of completed orders, and the time to release.
    stats: TraderStats,
    /// The number of appeals that the user has filed.
    appeals_filed: u32,
    /// The number of appeals about the user's orders that are open or were filed within 30 days.
    recent_appeals: u32,
    /// The number of appeals that cost the user reputation.
    appeals_lost: u32,
    /// The number of those that were malicious.
    malicious_appeals: u32,
    /// The restrictions.
    risk_flags: Vec<RiskFlag>,
    /// The time until which the user can't withdraw, post adverts or place orders; null if they can.
    hold_until: Option<DateTime<Utc>>,
    /// The last 10 orders, newest first.
    recent_orders: Vec<PartyOrderItem>,
}

/// The parties of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CaseParties)]
pub(super) struct PartiesItem {
    buyer: PartyItem,
    seller: PartyItem,
}

impl PartiesItem {
    pub(super) fn new(view: &CaseView) -> Self {
        let [buyer, seller] = &view.parties;
        Self { buyer: party(view, buyer), seller: party(view, seller) }
    }
}

fn party(view: &CaseView, party: &PartyView) -> PartyItem {
    let (user, facts) = (&party.user, &party.facts);
    let orders = party.orders.iter();
    PartyItem {
        id: user.id.0,
        nickname: user.nickname.clone(),
        region: user.region.clone(),
        kyc: user.kyc,
        certified: user.certified,
        verified: user.verified,
        online: user.online,
        reputation: user.reputation,
        joined_at: facts.joined_at,
        stats: (&party.record).into(),
        appeals_filed: facts.filed,
        recent_appeals: facts.recent,
        appeals_lost: facts.lost,
        malicious_appeals: facts.malicious,
        risk_flags: user.forbidden.clone(),
        hold_until: user.held_until,
        recent_orders: orders.filter_map(|order| recent(view, user.id, order)).collect(),
    }
}

fn recent(view: &CaseView, user: UserId, PartyOrder { order, other, nft }: &PartyOrder) -> Option<PartyOrderItem> {
    let terms = &order.terms;
    let party = terms.party(user)?;
    let base = nft.as_ref().map(|nft| &nft.asset).or_else(|| view.assets.get(&terms.base.asset))?;
    let quote = view.assets.get(&terms.quote.asset)?;
    Some(PartyOrderItem {
        id: order.id.0,
        nft: nft.as_ref().map(NftDto::from),
        quantity: terms.quantity.format(base.decimals),
        total: terms.total.format(quote.decimals),
        base: base.code.clone(),
        quote: quote.code.clone(),
        state: (&order.state).into(),
        role: party,
        created_at: terms.created_at,
        other_id: terms.user(party.other()).0,
        other_nickname: other.clone(),
        appeal: order.appeal.as_ref().map(|appeal| (&appeal.status).into()),
    })
}
