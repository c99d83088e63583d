//! The trading hall: the adverts that take orders now.

use domain::assets::PairId;
use domain::ids::{AdvertId, UserId};
use domain::market::Listing;
use domain::money::{Amount, Price};
use domain::trade::Side;

use crate::numeric::Units;
use crate::{Error, Result, Tx};

/// Which adverts somebody wants to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// Of which pair.
    pub pair: PairId,
    /// What their owners do.
    pub side: Side,
    /// Who looks: their own adverts, and those of people with whom there is a block, are left out.
    pub viewer: Option<UserId>,
    /// Within whose limits this total lies, in base units of the quote.
    pub total: Option<Amount>,
    /// With a payment method of this kind.
    pub kind: Option<String>,
    /// Of people of this region.
    pub region: Option<String>,
    /// Only of certified people.
    pub certified: bool,
}

/// An advert of the hall and whose it is. What its owner's history says is not filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its owner.
    pub owner: UserId,
    /// What its order among others depends on.
    pub listing: Listing,
}

/// The adverts that take orders now: online and whole, of people who are online and may do this.
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
