//! Handles payouts that the recipient's contract rejects. Other users must not wait for them, so after several
//! rejections the coins are sent to the recipient's own vault, which cannot reject them, under the same reference. A
//! withdrawal is voided instead, and its coins stay in the vault.
//!
//! Only the database row changes here. A transaction that was signed earlier can still be mined and pay the old
//! address. The Escrow pays a reference only once, and the ledger records the payment that was made.

use domain::clock::Timestamp;
use domain::delivery;
use domain::effect::{Effect, Notice, Subject};
use domain::ids::{AdvertId, OrderId, UserId};
use domain::order_log::{self, Redirect, TransitionDetails};
use store::Tx;
use store::payouts::{self, PayoutLeg, Purpose};

use crate::Result;
use crate::engine::changes::{CommandChanges, advert_notification, order_notification};
use crate::engine::unit_of_work::UnitOfWork;

/// Counts a rejection, and redirects or voids a leg that was rejected too often. Returns the notices and log entries.
pub(super) async fn count_rejection(
    tx: &mut Tx,
    work: &UnitOfWork,
    leg: &PayoutLeg,
    now: Timestamp,
) -> Result<CommandChanges> {
    // If the vault's owner has a debt, the payment failed for lack of coins; the recipient did not reject it.
    if !store::ledger::balance(tx, leg.vault_asset.reorganisation_loss()).await?.is_zero() {
        return Ok(CommandChanges::default());
    }
    let Some(rejections) = payouts::reject(tx, leg.reference, now).await? else { return Ok(CommandChanges::default()) };
    if !delivery::undeliverable(rejections.times, rejections.since, now) {
        return Ok(CommandChanges::default());
    }
    if leg.purpose == Purpose::Withdrawal {
        if !leg.or_void {
            tracing::warn!(reference = leg.reference.0, "the recipient refuses a withdrawal, which will be voided");
            payouts::void_if_refused(tx, leg.reference, now).await?;
        }
        return Ok(CommandChanges::default());
    }
    let recipient = recipient(work, leg).and_then(|user| work.users.get(&user));
    let Some(recipient) = recipient.filter(|user| user.vault != leg.recipient) else {
        return Ok(CommandChanges::default());
    };
    tracing::warn!(
        reference = leg.reference.0,
        from = %leg.recipient,
        to = %recipient.vault,
        "the recipient refuses a payout, which is redirected to the recipient's vault"
    );
    payouts::redirect(tx, leg.reference, recipient.vault, now).await?;
    let Some(subject) = subject(leg) else { return Ok(CommandChanges::default()) };
    let (user, notice) = (recipient.id, Notice::PayoutRedirected);
    let order = match subject {
        Subject::Order(order) => work.orders.get(&order),
        Subject::Advert(_) => None,
    };
    let log = order.map(|order| {
        let redirect = order.terms.party(user).map(|party| Redirect { party, to: recipient.vault });
        let details = TransitionDetails { redirect, ..TransitionDetails::default() };
        let effects = [Effect::Notify { user, subject, notice }];
        let drafts = order_log::of_transition(Some(order), order, None, &effects, details);
        drafts.into_iter().map(|draft| (order.id, draft)).collect()
    });
    let event = match subject {
        Subject::Order(_) => order.map(|order| order_notification(user, order, notice, None)),
        Subject::Advert(advert) => Some(advert_notification(user, advert, notice)),
    };
    Ok(CommandChanges {
        events: event.into_iter().collect(),
        log: log.unwrap_or_default(),
        ..CommandChanges::default()
    })
}

/// Returns the user who receives the coins of a leg; `None` for the platform's fees.
fn recipient(work: &UnitOfWork, leg: &PayoutLeg) -> Option<UserId> {
    match leg.purpose {
        // Each leg of a release goes from one party's vault to the other party.
        Purpose::Release => {
            let terms = &work.orders.get(&OrderId(leg.subject))?.terms;
            [terms.buyer(), terms.seller()].into_iter().find(|user| *user != leg.vault_asset.vault)
        }
        Purpose::Refund | Purpose::AdvertReturn | Purpose::WrongDeposit | Purpose::Withdrawal => {
            Some(leg.vault_asset.vault)
        }
        Purpose::Treasury => None,
    }
}

fn subject(leg: &PayoutLeg) -> Option<Subject> {
    match leg.purpose {
        Purpose::Release | Purpose::Refund => Some(Subject::Order(OrderId(leg.subject))),
        Purpose::AdvertReturn | Purpose::WrongDeposit => Some(Subject::Advert(AdvertId(leg.subject))),
        Purpose::Withdrawal | Purpose::Treasury => None,
    }
}
