//! What a user lacks, compared with the refusals of posting and ordering.

use super::*;
use crate::trade::Party;

fn facts(scene: &Scene, posts: bool) -> TraderFacts<'_> {
    TraderFacts {
        now: now(),
        user: &scene.user,
        pair: scene.pair.as_ref(),
        as_: Party::Seller,
        automatic: false,
        posts,
        region_supported: scene.region_supported,
        own: &scene.own,
    }
}

fn lacking() -> Scene {
    let mut scene = scene(Side::Sell, false, true);
    scene.own = [scene.user.bound.unwrap()].into();
    scene.user.forbidden.push(RiskFlag::Sell);
    scene.user.kyc = KycLevel::None;
    scene.user.nickname = None;
    scene.user.receiving = None;
    scene.user.held_until = Some(until());
    scene.user.reputation = 59;
    scene.user.certified = false;
    scene.region_supported = false;
    scene
}

#[test]
fn everything_that_is_missing_is_listed_in_the_order_of_the_refusals() {
    let scene = lacking();
    let missing = facts(&scene, true).missing(false);
    assert_eq!(post(&scene).err().as_ref(), missing.first().map(|(_, refusal)| refusal));
    let listed: Vec<_> = missing.into_iter().map(|(requirement, _)| requirement).collect();
    let needed_to_post = [
        TradeRequirement::NoRestriction,
        TradeRequirement::BasicVerification,
        TradeRequirement::AdvancedVerification,
        TradeRequirement::Nickname,
        TradeRequirement::ReceivingAddress,
        TradeRequirement::PayableAddress,
        TradeRequirement::NoHold,
        TradeRequirement::Reputation,
        TradeRequirement::Certification,
        TradeRequirement::Region,
        TradeRequirement::SecurityPassword,
    ];
    assert_eq!(listed, needed_to_post);
    let only_to_post =
        [TradeRequirement::AdvancedVerification, TradeRequirement::Reputation, TradeRequirement::Certification];
    let to_order: Vec<_> = facts(&scene, false).missing(false).into_iter().map(|(one, _)| one).collect();
    assert_eq!(to_order, needed_to_post.into_iter().filter(|one| !only_to_post.contains(one)).collect::<Vec<_>>());
}

#[test]
fn a_user_who_lacks_nothing_can_post_and_a_buyer_needs_no_security_password() {
    let scene = scene(Side::Sell, false, true);
    assert_eq!(facts(&scene, true).missing(true), []);
    assert!(post(&scene).is_ok());
    assert_eq!(
        facts(&scene, true).missing(false),
        [(TradeRequirement::SecurityPassword, Refusal::SecurityPasswordMissing)]
    );
    assert_eq!(TraderFacts { as_: Party::Buyer, ..facts(&scene, false) }.missing(false), []);
}

#[test]
fn before_a_pair_is_chosen_only_what_every_pair_requires_is_missing() {
    let scene = Scene { pair: None, region_supported: true, ..lacking() };
    let missing: Vec<_> = facts(&scene, true).missing(true).into_iter().map(|(one, _)| one).collect();
    let of_a_pair = [TradeRequirement::AdvancedVerification, TradeRequirement::Certification, TradeRequirement::Region];
    assert!(missing.contains(&TradeRequirement::Reputation));
    assert!(of_a_pair.iter().all(|one| !missing.contains(one)), "{missing:?}");
}
