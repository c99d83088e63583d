//! Publishes an advert, with a funding request if it needs escrow.

use domain::adverts;
use domain::checks::{self, AdvertFacts, AdvertRequest};
use domain::ids::{AdvertId, UserId};
use domain::ledger::VaultAsset;
use domain::refusal::Refusal;
use domain::trade::Leg;

use crate::engine::changes::CommandChanges;
use crate::engine::idempotency::Response;
use crate::engine::opening::OpeningInputs;
use crate::engine::unit_of_work::UnitOfWork;

pub(crate) fn post(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    opening: &OpeningInputs,
    user: UserId,
    wanted: &AdvertRequest,
) -> Result<Response, Refusal> {
    opening.money_moves()?;
    let row = work.user(user)?;
    let pair = work.reference_data.pairs.get(&wanted.pair);
    let escrowed = pair.zip(wanted.side.advertiser().deposits(wanted.automatic)).map(|(pair, leg)| match leg {
        Leg::Base => pair.base.id,
        Leg::Quote => pair.quote.id,
    });
    let terms = checks::advert(
        &AdvertFacts {
            now: work.now,
            signed_in: true,
            user: row,
            pair,
            region_supported: work.reference_data.region_supported(row, pair),
            own: &opening.own,
            reference: work.reference_data.reference_prices.get(&wanted.pair).copied(),
            methods: &opening.methods(user, pair),
            funding_request_open: escrowed
                .is_some_and(|asset| opening.requests_funding(work, VaultAsset { vault: user, asset })),
            adverts: work.open_adverts.get(&user).copied().unwrap_or(0),
            words: &work.reference_data.words,
        },
        wanted,
    )?;
    let posted = adverts::post(AdvertId(work.fresh()), terms, row.online)?;
    let response = Response { id: Some(posted.advert.id.0), version: posted.advert.version };
    changes.advert_changed(work, posted.advert, posted.effects)?;
    Ok(response)
}
