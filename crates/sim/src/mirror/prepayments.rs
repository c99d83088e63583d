//! What became of the prepayments of adverts: which part each posting moved where, and where all of it must be.

use std::collections::{BTreeMap, BTreeSet};

use domain::adverts::Advert;
use domain::assets::Prepayment;
use domain::ids::AdvertId;
use domain::ledger::{Account, AccountKind};
use domain::orders::{Order, State as OrderState};
use sqlx::PgConnection;

use super::books::Books;

/// The parts of a prepayment that the platform keeps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Kept {
    fees: i128,
    gas: i128,
}

#[derive(Default)]
pub(super) struct Prepayments {
    kept: BTreeMap<AdvertId, Kept>,
    /// The adverts that have returned an NFT on the chain, or tried to, and do not name this payout any more.
    returned: BTreeSet<AdvertId>,
}

impl Prepayments {
    /// Takes over postings: by how much each has changed its accounts.
    pub(super) fn follow(&mut self, postings: Vec<Vec<(Account, i128)>>) {
        for posting in postings {
            let prepaid = posting.iter().find(|(account, _)| account.kind == AccountKind::Prepayment);
            let Some((prepaid, _)) = prepaid else { continue };
            let kept = self.kept.entry(AdvertId(prepaid.owner)).or_default();
            for (account, change) in &posting {
                match account.kind {
                    AccountKind::Fees => kept.fees += change,
                    AccountKind::Gas => kept.gas += change,
                    _ => {}
                }
            }
        }
    }

    /// Reads which of the adverts have returned an NFT, which may be a wrong NFT, or a return that was voided. A wrong coin
    /// returns at its own expense.
    pub(super) async fn read<'a>(&mut self, inspector: &mut PgConnection, adverts: impl Iterator<Item = &'a Advert>) {
        let names_no_payout = |advert: &&Advert| advert.state.ended() && advert.state.payout().is_none();
        let ended: Vec<_> =
            adverts.filter(|advert| advert.terms.prepayment.is_some()).filter(names_no_payout).collect();
        if ended.is_empty() {
            return;
        }
        let query = "select p.subject from payouts p join payout_legs l on l.payout_id = p.id
                     join assets a on a.id = l.asset_id
                     where p.purpose in ('advert_return', 'wrong_deposit') and p.subject = any($1) and a.album is not null";
        let ids: Vec<_> = ended.iter().map(|advert| advert.id.0).collect();
        let returned: Vec<uuid::Uuid> =
            sqlx::query_scalar(query).bind(ids).fetch_all(inspector).await.expect("payouts");
        self.returned.extend(returned.into_iter().map(AdvertId));
    }

    /// Describes what is wrong with the prepayment of an advert.
    pub(super) fn wrong<'a>(
        &self,
        advert: &Advert,
        mut orders: impl Iterator<Item = &'a Order>,
        books: &Books,
    ) -> Option<String> {
        let (vault_asset, Prepayment { fee, gas, .. }) = advert.terms.prepaid()?;
        let (fee, gas) = (fee.units(), gas.units());
        let sold = orders.any(|order| {
            let state = &order.state;
            matches!(
                state,
                OrderState::Releasing { .. } | OrderState::Completed { .. } | OrderState::ReleaseRevoked { .. }
            )
        });
        let returned = advert.state.payout().is_some() || self.returned.contains(&advert.id);
        let kept = Kept { fees: if sold { fee } else { 0 }, gas: if sold || returned { gas } else { 0 } };
        let prepaid = if sold || returned || advert.state.ended() { 0 } else { fee + gas };
        let (has, held) = (advert.prepaid.units(), books.balance(vault_asset.prepayment(advert.id)));
        let found = self.kept.get(&advert.id).copied().unwrap_or_default();
        ((has, held, found) != (prepaid, prepaid, kept)).then(|| {
            format!(
                "advert {} in {:?} must have prepaid {prepaid} and paid {kept:?}; it says {has}, the ledger {held} and \
                 {found:?}",
                advert.id, advert.state
            )
        })
    }
}
