//! Handles payouts that the recipient's contract rejects. Other users must not wait for them, so after several
//! rejections the coins are sent to the recipient's own vault, which cannot reject them, under the same reference. A
//! withdrawal is voided instead, and its coins stay in the vault.
//!
//! Only the database row changes here. A transaction that was signed earlier can still be mined and pay the old
//! address. The Escrow pays a reference only once, and the ledger records the payment that was made.

use domain::clock::Timestamp;
use domain::delivery;
use domain::effect::{Notice, Subject};
use domain::ids::{AdvertId, OrderId, UserId};
use store::Tx;
use store::outbox::OutboxEvent;
use store::payouts::{self, PayoutLeg, Purpose};

use crate::Result;
use crate::trading::changes::notification;
use crate::trading::unit_of_work::UnitOfWork;

/// Counts a rejection, and redirects or voids a leg that was rejected too often. Returns the outbox events.
pub(super) async fn rejected(
    tx: &mut Tx,
    work: &UnitOfWork,
    leg: &PayoutLeg,
    now: Timestamp,
) -> Result<Vec<OutboxEvent>> {
    // If the vault's owner has a debt, the payment failed for lack of coins; the recipient did not reject it.
    if !store::ledger::balance(tx, leg.vault_asset.reorganisation_loss()).await?.is_zero() {
        return Ok(Vec::new());
    }
    let Some(rejections) = payouts::reject(tx, leg.reference, now).await? else { return Ok(Vec::new()) };
    if !delivery::undeliverable(rejections.times, rejections.since, now) {
        return Ok(Vec::new());
    }
    if leg.purpose == Purpose::Withdrawal {
        if !leg.or_void {
            tracing::warn!(reference = leg.reference.0, "the recipient refuses a withdrawal, which will be voided");
            payouts::void_if_refused(tx, leg.reference, now).await?;
        }
        return Ok(Vec::new());
    }
    let recipient = recipient(work, leg).and_then(|user| work.people.get(&user));
    let Some(recipient) = recipient.filter(|person| person.vault != leg.recipient) else { return Ok(Vec::new()) };
    tracing::warn!(
        reference = leg.reference.0,
        from = %leg.recipient,
        to = %recipient.vault,
        "the recipient refuses a payout, which is redirected to the recipient's vault"
    );
    payouts::redirect(tx, leg.reference, recipient.vault, now).await?;
    let told = subject(leg).map(|subject| notification(recipient.id, subject, Notice::PayoutRedirected));
    Ok(told.into_iter().collect())
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
