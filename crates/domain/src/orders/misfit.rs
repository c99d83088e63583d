//! Checks that the values of a stored order are consistent.

use super::{Order, State};
use crate::money::Amount;
use crate::trade::{Leg, Side};

impl Order {
    /// Returns why the stored values contradict each other, or `None` if they are consistent.
    pub fn misfit(&self) -> Option<&'static str> {
        let (automatic, progress) = (self.terms.automatic(), &self.progress);
        let wrong = |wrong: bool, why: &'static str| wrong.then_some(why);
        let state = match &self.state {
            State::AwaitingAcceptance { .. } => wrong(automatic, "an automatic order awaits acceptance"),
            State::AwaitingDeposit { .. } => wrong(self.terms.side == Side::Sell, "a sell order awaits a deposit"),
            State::AwaitingPayment { .. } => wrong(
                self.terms.side == Side::Buy && (automatic || progress.deposited_at.is_none()),
                "a buy order awaits payment without a deposit, or although its advert escrows the payment",
            ),
            State::AwaitingConfirmation { .. } => {
                wrong(automatic || progress.paid.is_none(), "awaits confirmation without a payment")
            }
            State::Releasing { .. } | State::ReleaseRevoked { .. } => {
                wrong(progress.received_at.is_none(), "is releasing without confirmation")
            }
            State::Completed { .. } => wrong(progress.settled_at.is_none(), "completed without a settlement time"),
            State::Refunding { .. } => wrong(
                progress.deposited_at.is_none() && progress.payment_funded_at.is_none(),
                "is refunding without a deposit",
            ),
            State::Cancelled { .. } | State::Rejected { .. } => None,
        };
        let accepted =
            !matches!(self.state, State::AwaitingAcceptance { .. } | State::Cancelled { .. } | State::Rejected { .. });
        let lacks = |leg, test: fn(Amount, Amount) -> bool| {
            self.frozen.is_some_and(|frozen| test(frozen.missing(leg), self.terms.amount(leg)))
        };
        let nothing = [Leg::Base, Leg::Quote].into_iter().all(|leg| lacks(leg, |missing, _| missing.is_zero()));
        let too_much = [Leg::Base, Leg::Quote].into_iter().any(|leg| lacks(leg, |missing, whole| missing > whole));
        state
            .or_else(|| wrong(accepted && progress.accepted_at.is_none(), "continues without acceptance"))
            .or_else(|| wrong(self.state.ended() && progress.ended_at.is_none(), "ended without an end time"))
            .or_else(|| {
                let still = self.state.deadline().is_none() && progress.voided.is_none();
                wrong(self.frozen.is_some() && still, "frozen in a state without a deadline")
            })
            .or_else(|| {
                let paying = matches!(self.state, State::Releasing { .. } | State::Refunding { .. });
                wrong(progress.voided.is_some() && !paying, "has a voided payout without a payout")
            })
            .or_else(|| {
                let locked = self.open_appeal().is_some();
                wrong(locked && self.state.ended(), "ended with an open appeal")
                    .or_else(|| wrong(!locked && progress.voided.is_some(), "has a voided payout without an appeal"))
            })
            .or_else(|| wrong(nothing, "frozen although nothing is missing"))
            .or_else(|| wrong(too_much, "more is missing than was escrowed"))
    }
}
