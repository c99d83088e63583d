//! What commands and decisions are said to move.

use std::collections::BTreeSet;

use super::table::{Command, Seen, When, cases, situation, situations};
use super::*;
use crate::assets::{AssetId, Prepayment};
use crate::effect::Effect;
use crate::ledger::{Account, Entry, VaultAsset};

/// Returns what a transition debits to an account, or credits to it.
fn moved(account: Account, debit: bool, done: &Transition) -> i128 {
    let posted = |effect: &Effect| match effect {
        Effect::Post(posting) => Some(posting.clone()),
        _ => None,
    };
    let entries = done.effects.iter().filter_map(posted).flat_map(|posting| posting.entries);
    let of_account = |entry: &Entry| (entry.account, entry.debit) == (account, debit);
    entries.filter(of_account).map(|entry| entry.amount.units()).sum()
}

/// Returns the coins that leave an account in a transition.
fn leaves(account: Account, done: &Transition) -> i128 {
    moved(account, true, done) - moved(account, false, done)
}

/// Returns an order whose refunds do not exceed their gas.
fn with_high_gas(mut order: Order) -> Order {
    order.terms.base.return_gas = order.terms.quantity;
    order.terms.quote.return_gas = order.terms.total;
    order
}

/// Returns an order whose seller has prepaid.
fn prepaid(mut order: Order) -> Order {
    order.terms.prepayment = Some(Prepayment { asset: AssetId(3), decimals: 18, fee: amount(20), gas: amount(3) });
    order
}

/// Returns all cases, the same with refunds that do not exceed their gas, and those in which sellers can prepay.
fn variants() -> impl Iterator<Item = (Kind, Order, Command, When, Seen, OrderInputs)> {
    let changed = |change: fn(Order) -> Order| {
        cases()
            .into_iter()
            .map(move |(kind, order, command, when, seen, inputs)| (kind, change(order), command, when, seen, inputs))
    };
    let prepaid = changed(prepaid).filter(|(kind, ..)| kind.side == Side::Sell);
    cases().into_iter().chain(changed(with_high_gas)).chain(prepaid)
}

/// Compares movements with the postings of the transition that they announce. Returns how much of it leaves the escrow,
/// becomes temporary balance, is kept as fees, and is taken out of the prepayment.
fn compare(order: &Order, announced: &[Movement], done: &Transition, told: &str) -> [i128; 4] {
    let mut sums = [0; 4];
    for leg in [Leg::Base, Leg::Quote] {
        let vault_asset = order.terms.vault_asset(leg);
        let sum = |kinds: &[MovementKind]| -> i128 {
            let of_leg = announced.iter().filter(|one| one.leg == Some(leg) && kinds.contains(&one.kind));
            of_leg.map(|one| one.amount.units()).sum()
        };
        let all = announced.iter().filter(|one| one.leg == Some(leg)).map(|one| one.amount.units()).sum::<i128>();
        let (kept, temporary) =
            (sum(&[MovementKind::Fee, MovementKind::NetworkFee]), sum(&[MovementKind::TemporaryBalance]));
        // The fee of a voided payout first returns from the platform's account.
        let back = -leaves(vault_asset.fees(), done) - leaves(vault_asset.gas(), done) - kept;
        assert_eq!(all, leaves(vault_asset.order(order.id), done) - back, "{told}");
        assert_eq!(
            -back,
            if order.progress.voided.is_some() { returned_by_platform(done, vault_asset) } else { 0 },
            "{told}"
        );
        assert_eq!(temporary, -leaves(vault_asset.temporary(), done), "{told}");
        for (total, part) in sums.iter_mut().zip([all, temporary, kept]) {
            *total += part;
        }
    }
    if let Some((coin, _)) = order.terms.prepaid() {
        let sum = |kind| -> i128 {
            let prepaid = announced.iter().filter(|one| one.leg.is_none() && one.kind == kind);
            prepaid.map(|one| one.amount.units()).sum()
        };
        // The prepayment that a voided payout had spent first returns from the platform's accounts.
        let kept = [(MovementKind::PrepaidFee, coin.fees()), (MovementKind::PrepaidNetworkFee, coin.gas())];
        for (kind, account) in kept {
            assert_eq!(sum(kind), moved(account, false, done), "{told}");
            sums[3] += sum(kind);
        }
        assert_eq!(sums[3], moved(coin.prepayment(order.terms.advert), true, done), "{told}");
    }
    for one in announced {
        assert_eq!(one.address.is_some(), one.kind == MovementKind::Payout, "{told}");
        assert!(!one.amount.is_zero(), "{told}");
    }
    sums
}

/// Returns what the platform had kept for a voided payout and gives back in a transition.
fn returned_by_platform(done: &Transition, vault_asset: VaultAsset) -> i128 {
    let mut returned = 0;
    for effect in &done.effects {
        if let Effect::Post(posting) = effect
            && posting.template == "kept_undone"
        {
            let credits =
                posting.entries.iter().filter(|entry| !entry.debit && entry.account.vault_asset() == vault_asset);
            returned += credits.map(|entry| entry.amount.units()).sum::<i128>();
        }
    }
    returned
}

#[test]
fn the_announced_movements_are_those_that_the_command_posts() {
    let (mut moved, mut withdrawals) = ([0; 4], 0);
    for (kind, order, command, when, seen, inputs) in variants() {
        let Command::User(party, act) = &command else { continue };
        let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else { continue };
        let (action, done) = match act {
            OrderCommand::Reject { .. } => (Action::Reject, *done),
            OrderCommand::Cancel => (Action::Cancel, *done),
            OrderCommand::AgreeCancel => (Action::AgreeCancel, *done),
            OrderCommand::Confirm => (Action::Confirm, *done),
            OrderCommand::MarkPaid { .. } => (Action::MarkPaid, *done),
            OrderCommand::Accept => (Action::Accept, *done),
            OrderCommand::AskCancel => {
                let agreed = Command::User(Party::Buyer, OrderCommand::AgreeCancel).try_on(&done.order, &inputs);
                let Ok(Applied::Done(agreed)) = agreed else { panic!("the buyer cannot agree") };
                (Action::AskCancel, *agreed)
            }
            OrderCommand::WithdrawAppeal => (Action::WithdrawAppeal, *done),
            _ => continue,
        };
        let offers = available_actions(&order, (order.terms.user(*party), None), &inputs, fresh_standing());
        let announced = &offers.get(action).unwrap().movements;
        let told = format!("{} {} {} {when:?} {seen:?}", kind.name(), situation(&order), command.name());
        let sums = compare(&order, announced, &done, &told);
        for (moved, sum) in moved.iter_mut().zip(sums) {
            *moved += sum;
        }
        withdrawals += u32::from(action == Action::WithdrawAppeal && !announced.is_empty());
    }
    assert!(moved.iter().all(|sum| *sum > 0), "{moved:?}");
    assert!(withdrawals > 0, "the withdrawal of an appeal can release coins");
}

#[test]
fn the_movements_shown_to_officers_are_those_that_their_decisions_post() {
    let (mut moved, mut rejections, mut charged) = ([0; 4], 0, 0);
    for (kind, order, command, _, _, inputs) in variants() {
        let Command::Officer(decision) = &command else { continue };
        let Ok(Applied::Done(done)) = command.try_on(&order, &inputs) else { continue };
        let told = format!("{} {} {}", kind.name(), situation(&order), command.name());
        let shown = decision_effects(&order, decision, &inputs).unwrap().movements;
        let executed = match decision {
            AppealDecision::Verdict { .. } => event(&done.order, &Event::VerdictDue, done.order.due_at().unwrap()),
            AppealDecision::Reject { .. } | AppealDecision::Reopen => *done,
        };
        let charges = executed.effects.iter().find_map(|effect| match effect {
            Effect::ChargeReputation { user, .. } => order.terms.party(*user),
            _ => None,
        });
        let malicious = matches!(
            decision,
            AppealDecision::Verdict { malicious: true, .. } | AppealDecision::Reject { malicious: true, .. }
        );
        let announced = decision_effects(&order, decision, &inputs).unwrap().charged;
        assert!(malicious || announced == charges, "{told}: {announced:?} {charges:?}");
        charged += u32::from(announced.is_some());
        for (moved, sum) in moved.iter_mut().zip(compare(&order, &shown, &executed, &told)) {
            *moved += sum;
        }
        rejections += u32::from(matches!(decision, AppealDecision::Reject { .. }) && !shown.is_empty());
    }
    assert!(moved[0] > 0 && moved[2] > 0 && moved[3] > 0, "{moved:?}");
    assert!(rejections > 0, "a rejection can release coins");
    assert!(charged > 0, "a verdict can cost reputation");
}

#[test]
fn nobody_loses_reputation_for_a_base_that_the_chain_has_removed() {
    let mut seen = BTreeSet::new();
    for order in Kind::ALL.into_iter().flat_map(situations).filter(|order| !order.missing(Leg::Base).is_zero()) {
        for winner in [Party::Buyer, Party::Seller] {
            let Ok(effects) = decision_effects(&order, &verdict(winner), &inputs(start() + Duration::days(9))) else {
                continue;
            };
            assert_eq!(effects.charged, None, "{}", situation(&order));
            seen.insert(order.state.into_str());
        }
    }
    assert!(seen.contains("AWAITING_ACCEPTANCE") && seen.contains("AWAITING_PAYMENT"), "{seen:?}");
}

#[test]
fn an_officer_sees_the_same_movements_before_and_after_a_verdict() {
    for order in Kind::ALL.into_iter().flat_map(situations) {
        for winner in [Party::Buyer, Party::Seller] {
            let Some(decided) = decided(&order, winner) else { continue };
            let shown = |order| decision_effects(order, &verdict(winner), &inputs(start() + Duration::days(9)));
            assert_eq!(shown(&decided), shown(&order), "{}", situation(&order));
        }
    }
}

#[test]
fn a_release_from_an_incomplete_escrow_shows_no_fee() {
    let order = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let open = act(&order, Party::Seller, &appeal(), start()).order;
    let kinds = |order: &Order| {
        let shown = decision_effects(order, &verdict(Party::Buyer), &inputs(start())).unwrap().movements;
        shown.into_iter().map(|one| (one.kind, one.amount)).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&open), [(MovementKind::Payout, amount(990)), (MovementKind::Fee, amount(10))]);
    let lost = event(&open, &Event::DepositRevoked { leg: Leg::Base, drawn: amount(400) }, start()).order;
    assert_eq!(kinds(&lost), [(MovementKind::Payout, amount(600))]);
}

#[test]
fn a_refund_below_its_network_fee_is_announced_as_temporary_balance() {
    let order = with_high_gas(reach(MANUAL_BUY, "AWAITING_PAYMENT").unwrap());
    let amount = order.terms.quantity;
    let offers = available_actions(&order, (order.terms.seller(), None), &inputs(start()), fresh_standing());
    let kept = Movement {
        kind: MovementKind::TemporaryBalance,
        leg: Some(Leg::Base),
        amount,
        party: Party::Seller,
        address: None,
    };
    assert_eq!(offers.get(Action::AskCancel).unwrap().movements, std::slice::from_ref(&kept));
    // The seller pays no network fee for a cancellation by the buyer.
    let offers = available_actions(&order, (order.terms.buyer(), None), &inputs(start()), fresh_standing());
    let paid_back = Movement { kind: MovementKind::Payout, address: Some(order.terms.seller_bound), ..kept };
    assert_eq!(offers.get(Action::Cancel).unwrap().movements, [paid_back]);
}

#[test]
fn a_release_goes_to_the_buyer_and_a_refund_to_the_one_who_deposited() {
    let seller_confirms = reach(MANUAL_SELL, "AWAITING_CONFIRMATION").unwrap();
    let seller = seller_confirms.terms.seller();
    let offers = available_actions(&seller_confirms, (seller, None), &inputs(start()), fresh_standing());
    let released = &offers.get(Action::Confirm).unwrap().movements;
    let parts: Vec<_> = released.iter().map(|one| (one.kind, one.party, one.amount)).collect();
    let terms = &seller_confirms.terms;
    assert_eq!(
        parts,
        [(MovementKind::Payout, Party::Buyer, terms.receives()), (MovementKind::Fee, Party::Buyer, terms.fee)]
    );
    assert_eq!(released[0].address, Some(terms.buyer_bound));

    let paid = reach(MANUAL_BUY, "AWAITING_PAYMENT").unwrap();
    let offers = available_actions(&paid, (paid.terms.buyer(), None), &inputs(start()), fresh_standing());
    let refunded = &offers.get(Action::Cancel).unwrap().movements;
    assert_eq!((refunded[0].kind, refunded[0].party), (MovementKind::Payout, Party::Seller));
    assert_eq!(refunded[0].address, Some(paid.terms.seller_bound));
}

#[test]
fn a_verdict_shows_a_remainder_that_becomes_temporary_balance() {
    let waiting = reach(MANUAL_BUY, "AWAITING_PAYMENT").unwrap();
    let asked = act(&waiting, Party::Seller, &OrderCommand::AskCancel, start()).order;
    let refunding = act(&asked, Party::Buyer, &OrderCommand::AgreeCancel, start()).order;
    let voided = Event::PayoutVoided { payout: payout(FRESH), base: amount(995), quote: Amount::ZERO };
    let lost = frozen(&event(&refunding, &voided, start()).order, Leg::Base, start()).unwrap();
    // Only the network fee of the voided refund is left, which the seller caused.
    let shown = decision_effects(&lost, &verdict(Party::Seller), &inputs(start())).unwrap().movements;
    let kind = MovementKind::TemporaryBalance;
    assert_eq!(
        shown,
        [Movement { kind, leg: Some(Leg::Base), amount: amount(5), party: Party::Seller, address: None }]
    );
    let executed = executed(&lost, Party::Seller);
    assert_eq!(compare(&lost, &shown, &executed, "a voided refund"), [5, 5, 0, 0]);
}
