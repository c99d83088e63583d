//! What advertisers require of takers.

use super::*;
use crate::adverts::{TakerRequirement, TakerRequirements};

fn requiring(completed_orders: Option<u32>, advanced_verification: bool, region: Option<&str>) -> TakerRequirements {
    TakerRequirements { completed_orders, advanced_verification, region: region.map(str::to_owned) }
}

/// What breaks a requirement.
type Break = (fn(&mut Scene), TakerRequirement);

#[test]
fn an_order_needs_each_requirement_of_the_advertiser() {
    let required = requiring(Some(10), true, Some("TH"));
    let mut scene = scene(Side::Sell, true, false);
    scene.advert.terms.options.taker = required.clone();
    scene.completed = 10;
    place(&scene).unwrap();
    let breaks: [Break; 3] = [
        (|scene| scene.completed = 9, TakerRequirement::CompletedOrders),
        (|scene| scene.user.kyc = KycLevel::Basic, TakerRequirement::AdvancedVerification),
        (|scene| scene.user.region = "KR".to_owned(), TakerRequirement::Region),
    ];
    let mut unmet = Vec::new();
    for (cause, requirement) in breaks {
        let mut alone = scene.clone();
        cause(&mut alone);
        let refused = Refusal::TakerRequirementsUnmet { unmet: vec![requirement], required: required.clone() };
        assert_eq!(place(&alone).unwrap_err(), refused);
        unmet.push(requirement);
    }
    for (cause, _) in breaks {
        cause(&mut scene);
    }
    assert_eq!(place(&scene).unwrap_err(), Refusal::TakerRequirementsUnmet { unmet, required });
}

#[test]
fn an_advert_without_requirements_takes_orders_of_everybody() {
    let mut scene = scene(Side::Buy, false, false);
    scene.user.kyc = KycLevel::Basic;
    place(&scene).unwrap();
}

#[test]
fn requirements_must_be_possible_to_meet() {
    let posted = |fiat, required| {
        let mut scene = scene(Side::Sell, false, fiat);
        scene.advert_request.options.taker = required;
        post(&scene).map(|terms| terms.options.taker)
    };
    for required in [requiring(Some(1), true, Some("KR")), requiring(Some(1_000), false, None)] {
        assert_eq!(posted(false, required.clone()), Ok(required));
    }
    assert!(posted(true, requiring(None, false, Some("TH"))).is_ok());
    let invalid = |field, reason| Err(Refusal::Invalid { field, reason });
    for least in [0, 1_001] {
        let refused = invalid("takerRequirements.completedOrders", "not from 1 to 1000");
        assert_eq!(posted(false, requiring(Some(least), false, None)), refused);
    }
    let refused = invalid("takerRequirements.region", "unknown");
    assert_eq!(posted(false, requiring(None, false, Some("XX"))), refused);
    let refused = invalid("takerRequirements.region", "does not use the quote");
    assert_eq!(posted(true, requiring(None, false, Some("KR"))), refused);
}
