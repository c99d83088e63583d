//! What a user lacks, compared with the refusals of posting and ordering.

use super::*;
use crate::trade::Party;

fn facts(scene: &Scene, posts: bool) -> TraderFacts<'_> {
    TraderFacts {
        now: now(),
        person: &scene.person,
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
    scene.own = [scene.person.bound.unwrap()].into();
    scene.person.forbidden.push(RiskFlag::Sell);
    scene.person.kyc = KycLevel::None;
    scene.person.nickname = None;
    scene.person.receiving = None;
    scene.person.held_until = Some(until());
    scene.person.reputation = 59;
    scene.person.certified = false;
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
        Requirement::NoRestriction,
        Requirement::BasicVerification,
        Requirement::AdvancedVerification,
        Requirement::Nickname,
        Requirement::ReceivingAddress,
        Requirement::PayableAddress,
        Requirement::NoHold,
        Requirement::Reputation,
        Requirement::Certification,
        Requirement::Region,
        Requirement::SecurityPassword,
    ];
    assert_eq!(listed, needed_to_post);
    let only_to_post = [Requirement::AdvancedVerification, Requirement::Reputation, Requirement::Certification];
    let to_order: Vec<_> = facts(&scene, false).missing(false).into_iter().map(|(one, _)| one).collect();
    assert_eq!(to_order, needed_to_post.into_iter().filter(|one| !only_to_post.contains(one)).collect::<Vec<_>>());
}

#[test]
fn a_user_who_lacks_nothing_can_post_and_a_buyer_needs_no_security_password() {
    let scene = scene(Side::Sell, false, true);
    assert_eq!(facts(&scene, true).missing(true), []);
    assert!(post(&scene).is_ok());
    assert_eq!(facts(&scene, true).missing(false), [(Requirement::SecurityPassword, Refusal::SecurityPasswordMissing)]);
    assert_eq!(TraderFacts { as_: Party::Buyer, ..facts(&scene, false) }.missing(false), []);
}

#[test]
fn before_a_pair_is_chosen_only_what_every_pair_requires_is_missing() {
    let scene = Scene { pair: None, region_supported: true, ..lacking() };
    let missing: Vec<_> = facts(&scene, true).missing(true).into_iter().map(|(one, _)| one).collect();
    let of_a_pair = [Requirement::AdvancedVerification, Requirement::Certification, Requirement::Region];
    assert!(missing.contains(&Requirement::Reputation));
    assert!(of_a_pair.iter().all(|one| !missing.contains(one)), "{missing:?}");
}
