//! The adverts that can take a trade, and the best of the others, are those of a filter over all adverts.

use std::sync::Arc;

use domain::ids::UserId;
use domain::market::{Misfit, Sort};

use super::super::matching::{MAX_FITTING, MAX_OTHERS, Match, Search, Visitor};
use super::super::takers::TakerFilter;
use super::{Both, OWNERS, PAIR, Query, pair, user};
use crate::orders::Size;

impl Both {
    /// Compares the adverts that can take a trade, and the best of the others with their reasons. `own` are the kinds of the
    /// visitor's payment methods.
    pub(super) fn compare_match(&self, query: &Query, size: Size, own: &[String]) {
        let pair = pair();
        let unfiltered = Query {
            total: None,
            kinds: Vec::new(),
            region: None,
            certified: false,
            fast: false,
            takers: TakerFilter::All,
            sort: Sort::best(query.side),
            ..query.clone()
        };
        let blocked_by: Vec<_> = (0..OWNERS)
            .map(user)
            .filter(|owner| query.viewer.is_some_and(|viewer| self.blocks(*owner, viewer)))
            .collect();
        let blocked: Vec<_> = (0..OWNERS)
            .map(user)
            .filter(|owner| {
                query.viewer.is_some_and(|viewer| self.blocks(viewer, *owner)) && !blocked_by.contains(owner)
            })
            .collect();
        let taker = match &query.takers {
            TakerFilter::MetBy(facts) => Some(Arc::clone(facts)),
            TakerFilter::All | TakerFilter::Unrestricted => None,
        };
        let uses = |kinds: &[String], kind: &String| kinds.is_empty() || kinds.contains(kind);
        let (mut fitting, mut others) = (Vec::new(), Vec::new());
        for (rank, limits) in self.naive.all(&Query { viewer: None, ..unfiltered }) {
            let offer = &self.naive.offers[&rank.advert];
            if blocked_by.contains(&offer.owner) {
                continue;
            }
            let quantity = size.quantity(rank.price, pair.base.decimals, pair.quote.decimals);
            let amounts = quantity.ok().and_then(|quantity| Some((quantity, pair.total(quantity, rank.price).ok()?)));
            let below = amounts.is_none_or(|(_, total)| total < limits.min);
            let kinds = offer.kinds();
            let method = query.kinds.is_empty() || kinds.iter().any(|kind| query.kinds.contains(kind));
            let misfits: Vec<_> = [
                (Misfit::Own, query.viewer == Some(offer.owner)),
                (Misfit::Blocked, blocked.contains(&offer.owner)),
                (Misfit::BelowMinimum, below),
                (
                    Misfit::AboveMaximum,
                    !below && amounts.is_some_and(|(quantity, total)| total > limits.max || quantity > rank.remaining),
                ),
                (Misfit::Method, !method),
                (
                    Misfit::NoSharedMethod,
                    method
                        && !own.is_empty()
                        && !kinds.iter().any(|kind| own.contains(kind) && uses(&query.kinds, kind)),
                ),
                (
                    Misfit::TakerRequirements,
                    query.viewer != Some(offer.owner)
                        && taker.as_ref().is_some_and(|of| !of.unmet(&offer.options.taker).is_empty()),
                ),
            ]
            .into_iter()
            .filter_map(|(misfit, applies)| applies.then_some(misfit))
            .collect();
            let found = if misfits.is_empty() { &mut fitting } else { &mut others };
            found.push((rank.advert.to_string(), amounts, misfits));
        }
        fitting.truncate(MAX_FITTING);
        others.truncate(MAX_OTHERS);
        fitting.extend(others);
        let asked = Match { pair: PAIR, side: query.side, size, kinds: query.kinds.clone(), advert: None };
        let visitor = Visitor {
            id: query.viewer,
            kinds: own.iter().cloned().collect(),
            blocked,
            blocked_by,
            taker,
            ..Visitor::default()
        };
        let search = Search { index: &self.index, pair: &pair, band: None, visitor: &visitor, wanted: &asked };
        let text = |row: &[u8]| String::from_utf8(row.to_vec()).unwrap();
        let found: Vec<_> = search
            .adverts()
            .into_iter()
            .map(|one| (text(&one.row.advert), one.amounts.map(|of| (of.quantity, of.total)), one.misfits))
            .collect();
        assert_eq!(found, fitting, "{asked:?}");
    }

    fn blocks(&self, blocker: UserId, blocked: UserId) -> bool {
        self.naive.blocks.contains(&(blocker, blocked))
    }
}
