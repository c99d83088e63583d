//! The hall: the adverts that currently take orders.

use domain::assets::PairId;
use domain::ids::{AdvertId, UserId};
use domain::market::Listing;
use domain::money::{Amount, Price};
use domain::trade::Side;

use crate::numeric::Units;
use crate::{Error, Result, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    pub pair: PairId,
    pub side: Side,
    /// The visitor. Excludes the visitor's own adverts and those of users blocked by or blocking the visitor.
    pub viewer: Option<UserId>,
    /// A total that must be within the advert's limits, in base units of the quote.
    pub total: Option<Amount>,
    /// A kind of payment method that the advert must offer.
    pub kind: Option<String>,
    /// The region in which the owner must be.
    pub region: Option<String>,
    /// Whether to return only adverts of certified owners.
    pub certified: bool,
}

/// An advert in the hall. The owner's statistics in the listing are still empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub owner: UserId,
    /// The values that determine the rank of the advert.
    pub listing: Listing,
}

/// Returns the adverts that take orders now: online, not frozen, and owned by users who are online and may trade.
pub async fn candidates(tx: &mut Tx, filter: &Filter) -> Result<Vec<Candidate>> {
    let rows = sqlx::query!(
        r#"select a.id, a.owner, a.price, a.remaining, a.min_total, a.max_total,
                  array(select distinct m.kind from advert_methods m where m.advert_id = a.id order by m.kind) as "kinds!"
           from adverts a join users u on u.id = a.owner
           where a.state = 'ONLINE' and a.frozen is null and a.remaining > 0 and a.pair_id = $1 and a.side = $2
             and u.online and not u.login_forbidden
             and not case a.side when 'SELL' then u.sell_forbidden else u.buy_forbidden end
             and ($3::uuid is null or a.owner <> $3 and not exists (
                 select from blocks_between b where (b.blocker, b.blocked) in ((a.owner, $3), ($3, a.owner))))
             and ($4::numeric is null or $4 between a.min_total and a.max_total)
             and ($5::text is null or exists (select from advert_methods m where m.advert_id = a.id and m.kind = $5))
             and ($6::text is null or u.region = $6)
             and (not $7::boolean or u.certified)"#,
        filter.pair.0,
        filter.side.name(),
        filter.viewer.map(|viewer| viewer.0),
        filter.total.map(Units) as _,
        filter.kind,
        filter.region,
        filter.certified
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Candidate {
                owner: UserId(row.owner),
                listing: Listing {
                    advert: AdvertId(row.id),
                    side: filter.side,
                    price: Price::new(row.price.0.units()).map_err(|_| Error::row("adverts", row.id, "price"))?,
                    remaining: row.remaining.into(),
                    min_total: row.min_total.into(),
                    max_total: row.max_total.into(),
                    kinds: row.kinds,
                    completion_ppm: None,
                    average_confirmation: None,
                },
            })
        })
        .collect()
}
