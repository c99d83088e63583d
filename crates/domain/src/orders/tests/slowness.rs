//! What orders record of slow advertisers and sellers.

use super::*;
use crate::effect::Effect;
use crate::reputation::Acceptance;

const MISSED: Acceptance = Acceptance::Missed { taker: UserId(Uuid::from_u128(TAKER)) };

fn acceptances(transition: &Transition) -> Vec<Acceptance> {
    let of = |effect: &Effect| match effect {
        Effect::Acceptance { advertiser, acceptance } => {
            assert_eq!(*advertiser, transition.order.terms.advertiser);
            Some(*acceptance)
        }
        _ => None,
    };
    transition.effects.iter().filter_map(of).collect()
}

fn deadline(order: &Order) -> Timestamp {
    order.state.deadline().unwrap().at
}

#[test]
fn an_advertiser_answers_an_order_or_misses_it() {
    for kind in [MANUAL_SELL, MANUAL_BUY] {
        let order = placed(kind);
        let (advertiser, taker) = (order.terms.advertiser_party(), order.terms.advertiser_party().other());
        for command in [OrderCommand::Accept, OrderCommand::Reject { reason: None }] {
            let answered = act(&order, advertiser, &command, start());
            assert_eq!(acceptances(&answered), [Acceptance::Answered]);
            assert!(!answered.order.progress.acceptance_missed);
        }
        let missed = event(&order, &Event::DeadlinePassed, deadline(&order));
        assert_eq!((acceptances(&missed), missed.order.progress.acceptance_missed), (vec![MISSED], true));
        let given_up = act(&order, taker, &OrderCommand::Cancel, deadline(&order));
        assert_eq!((acceptances(&given_up), given_up.order.progress.acceptance_missed), (vec![MISSED], true));
        let early = act(&order, taker, &OrderCommand::Cancel, deadline(&order) - instant());
        assert_eq!((acceptances(&early), early.order.progress.acceptance_missed), (vec![], false));
    }
}

#[test]
fn an_order_whose_window_an_outage_interrupted_is_not_missed() {
    let order = placed(MANUAL_SELL);
    let minute = |minute| start() + Duration::minutes(minute);
    let moved = event(&order, &Event::Outage { from: minute(1), until: minute(2) }, minute(2)).order;
    let over = event(&moved, &Event::DeadlinePassed, deadline(&moved));
    assert_eq!((over.order.state.into_str(), acceptances(&over)), ("CANCELLED", vec![]));
    assert!(!over.order.progress.acceptance_missed);
}

#[test]
fn the_platform_accepts_automatic_orders() {
    for kind in [AUTOMATIC_SELL, AUTOMATIC_BUY] {
        let opened = open(OrderId(Uuid::from_u128(60)), terms(kind)).unwrap();
        assert_eq!(acceptances(&opened), []);
    }
}

#[test]
fn a_confirmation_is_late_from_its_deadline_on() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let late = |now| act(&order, Party::Seller, &OrderCommand::Confirm, now).order.progress.confirmed_late;
    assert!(!late(deadline(&order) - instant()));
    assert!(late(deadline(&order)));
    let from = deadline(&order) - Duration::minutes(1);
    let moved =
        event(&order, &Event::Outage { from, until: from + Duration::hours(1) }, from + Duration::hours(1)).order;
    let confirmed = act(&moved, Party::Seller, &OrderCommand::Confirm, deadline(&order) + Duration::minutes(2));
    assert!(!confirmed.order.progress.confirmed_late, "an outage has moved the deadline");
}

#[test]
fn a_verdict_releases_late_only_what_the_seller_was_late_with() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    for (filed_at, by, late) in
        [(deadline(&order) - Duration::minutes(1), Party::Seller, false), (deadline(&order), Party::Buyer, true)]
    {
        let filed = act(&order, by, &appeal(), filed_at).order;
        let later = filed_at + Duration::hours(1);
        let decided = decide_appeal(&filed, &verdict(Party::Buyer), &inputs(later)).unwrap().order;
        let released = event(&decided, &Event::VerdictDue, later + Duration::days(2)).order;
        assert_eq!((released.state.into_str(), released.progress.confirmed_late), ("RELEASING", late), "{by:?}");
    }
}

#[test]
fn a_buyer_who_gives_up_leaves_no_late_confirmation() {
    // The buyer may never have paid.
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let cancelled = act(&order, Party::Buyer, &OrderCommand::Cancel, deadline(&order)).order;
    assert!(!cancelled.progress.confirmed_late);
}
