//! What a party gives, how it calls an order off, and who asked for a cancellation.

use super::*;

#[test]
fn each_party_gives_the_leg_of_its_own_vault() {
    for kind in Kind::ALL {
        let terms = placed(kind).terms;
        for party in Party::ALL {
            assert_eq!(terms.vault_asset(party.gives()).vault, terms.user(party), "{} {party:?}", kind.name());
        }
        assert_eq!(terms.user(kind.side.advertiser()), terms.advertiser, "{}", kind.name());
    }
}

#[test]
fn only_an_advertiser_who_has_not_accepted_rejects() {
    let order = reach(MANUAL_SELL, "AWAITING_ACCEPTANCE").unwrap();
    let (advertiser, taker) = (order.terms.advertiser, order.terms.taker);
    let why = Some("I’m out of office.".to_owned());
    let reject = Ok(OrderCommand::Reject { reason: why.clone() });
    assert_eq!(order.calling_off(advertiser, order.version, why.clone()), reject);
    let rejected = act(&order, order.terms.advertiser_party(), &reject.clone().unwrap(), start()).order;
    // Sent again, the command is the same.
    assert_eq!(rejected.calling_off(advertiser, order.version, why.clone()), reject);
    let without_reason = Ok(OrderCommand::Reject { reason: None });
    assert_eq!(order.calling_off(advertiser, order.version, None), without_reason);

    let refused = Err(Refusal::Invalid { field: "reason", reason: "only for a rejection" });
    let accepted = act(&order, order.terms.advertiser_party(), &OrderCommand::Accept, start()).order;
    for (order, user) in [(&order, taker), (&accepted, advertiser), (&accepted, taker)] {
        assert_eq!(order.calling_off(user, order.version, None), Ok(OrderCommand::Cancel));
        assert_eq!(order.calling_off(user, order.version, why.clone()), refused);
    }
    // The order was accepted after the advertiser saw it: the cancellation is refused as stale.
    let cancel = accepted.calling_off(advertiser, order.version, why).unwrap();
    let by = OrderCaller { seen: order.version, ..by(&accepted, order.terms.advertiser_party()) };
    assert_eq!(decide(&accepted, &by, &cancel, &inputs(start())), Err(Refusal::Stale));
}

#[test]
fn the_seller_asks_for_a_cancellation_until_the_buyer_agrees_or_pays() {
    let order = reach(MANUAL_SELL, "AWAITING_PAYMENT").unwrap();
    assert_eq!(order.state.cancel_asked_by(), None);
    let asked = act(&order, Party::Seller, &OrderCommand::AskCancel, start()).order;
    assert_eq!(asked.state.cancel_asked_by(), Some(Party::Seller));
    let agreed = act(&asked, Party::Buyer, &OrderCommand::AgreeCancel, start()).order;
    assert_eq!(agreed.state.cancel_asked_by(), None);
}
