//! Publishes an advert, with a funding request if it needs escrow.

use domain::adverts;
use domain::checks::{self, AdvertFacts, AdvertRequest};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, UserId};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::refusal::Refusal;
use domain::trade::Leg;

use crate::engine::changes::CommandChanges;
use crate::engine::idempotency::Response;
use crate::engine::opening::OpeningInputs;
use crate::engine::unit_of_work::UnitOfWork;
use crate::wallet::fund_from_balance::{self, Free};

pub(crate) fn post(
    changes: &mut CommandChanges,
    work: &UnitOfWork,
    (opening, free): (&OpeningInputs, &Free),
    user: UserId,
    wanted: &AdvertRequest,
) -> Result<Response, Refusal> {
    opening.money_moves()?;
    let row = work.user(user)?;
    let pair = opening.pair(work, wanted);
    let pair = pair.as_ref();
    if let Some(pair) = pair {
        opening.check_deliverable(pair.base.id)?;
    }
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
            prepayable: pair.and_then(|pair| pair.prepayment).map_or(Amount::ZERO, |prepayment| {
                free.unpromised(work, VaultAsset { vault: user, asset: prepayment.asset })
            }),
            adverts: work.open_adverts.get(&user).copied().unwrap_or(0),
            words: &work.reference_data.words,
            regions: &work.reference_data.currencies,
        },
        wanted,
    )?;
    let held =
        pair.filter(|pair| pair.base.nft().is_some()).map(|pair| VaultAsset { vault: user, asset: pair.base.id });
    let in_custody = held.is_some_and(|nft| !free.unpromised(work, nft).is_zero());
    let posted = adverts::post(AdvertId(work.fresh()), terms, row.online)?;
    let id = posted.advert.id;
    changes.advert_changed(work, posted.advert, posted.effects)?;
    // There is no other way to deposit an NFT that is in custody already.
    if in_custody {
        fund_from_balance::fund_whole(changes, work, FundingTarget::Advert(id))?;
    }
    Ok(Response { id: Some(id.0), version: changes.advert(work, id)?.version })
}
