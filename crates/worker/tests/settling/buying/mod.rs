//! Trades on adverts that buy. Each step is disturbed: a reorganization removes it from the chain, or the worker is
//! killed around it. In the end, the chain, the ledger, the advert and the order agree, and nothing is paid twice.

mod life;

use domain::chain::Token;
use testkit::market::{CONFIRMATIONS, mec, minutes, usdt};

use life::{Act, Holdings, Life};

/// What disturbs each step of a trade.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    Reorganization,
    /// A reorganization of each final payout that also removes the newest deposit.
    DeepReorganization,
    /// The worker is killed at this point of sending a payout, and whenever it reads or has applied a range.
    Kill(&'static str),
}

const TROUBLES: [Trouble; 4] =
    [Trouble::Reorganization, Trouble::DeepReorganization, Trouble::Kill("written"), Trouble::Kill("sent")];

enum Transfer {
    /// Anna's escrow of the advert.
    Annas(&'static str),
    /// Ben's deposit for the order.
    Bens(&'static str),
    /// What the worker pays; the states after a reorganization that also removes the newest deposit, and then until the deposit
    /// is back.
    Payout { lost_with_deposit: [&'static str; 2] },
}

struct Step {
    acts: &'static [Act],
    transfer: Transfer,
    /// The states of the advert and the order until the transfer is final, then, and after a block with it has left the chain:
    /// a final one, or any of a payout.
    before: &'static str,
    after: &'static str,
    lost: &'static str,
}

const DEPOSIT_FOR_MANUAL: Step = Step {
    acts: &[Act::PostManual, Act::OrderAndAccept],
    transfer: Transfer::Bens("4"),
    before: "ONLINE, AWAITING_DEPOSIT",
    after: "ONLINE, AWAITING_PAYMENT",
    lost: "ONLINE, AWAITING_PAYMENT frozen",
};

impl Life {
    async fn goes_through(&mut self, step: &Step, trouble: Trouble) {
        for act in step.acts {
            self.act(act).await;
        }
        match step.transfer {
            Transfer::Annas(amount) => {
                self.deposits(step, trouble, Token::Erc20(self.stage.test_chain.usdt), amount).await;
            }
            Transfer::Bens(amount) => self.deposits(step, trouble, Token::Native, amount).await,
            Transfer::Payout { lost_with_deposit } => self.is_paid(step, lost_with_deposit, trouble).await,
        }
    }

    async fn deposits(&mut self, step: &Step, trouble: Trouble, token: Token, amount: &'static str) {
        let mark = self.head().await;
        self.deposit = Some((mark, token, amount));
        self.sends(token, amount).await;
        match trouble {
            Trouble::Reorganization => {
                self.reads().await;
                self.is(step.before, "a deposit was seen").await;
                self.loses_since(mark).await;
                self.is(step.before, "a deposit that was only seen is lost").await;
                self.sends(token, amount).await;
                self.mines(CONFIRMATIONS).await;
                self.reads().await;
                self.is(step.after, "a deposit is final").await;
                self.loses_since(mark).await;
                self.is(step.lost, "a final deposit is lost").await;
                self.returns_deposit().await;
            }
            Trouble::DeepReorganization => {}
            Trouble::Kill(_) => {
                self.killed_at("read");
                self.is(step.before, "killed before the deposit was seen").await;
                self.mines(CONFIRMATIONS).await;
                self.killed_at("applied");
                self.is(step.after, "killed after the deposit was final").await;
            }
        }
        self.mines(CONFIRMATIONS).await;
        self.reads().await;
        self.is(step.after, "a deposit is final").await;
    }

    async fn is_paid(&mut self, step: &Step, [lost, without_deposit]: [&str; 2], trouble: Trouble) {
        // A transaction waits for its block.
        self.automines(false).await;
        let mark = self.head().await;
        match trouble {
            Trouble::Reorganization => {
                self.stage.settles().await;
                self.is(step.before, "a payout was sent").await;
                self.loses_since(mark - 1).await;
                self.stage.settles().await;
                self.mines(1).await;
                self.reads().await;
                self.is(step.before, "a payout is in a block").await;
                self.loses_since(mark).await;
                self.is(step.lost, "a payout that was in a block is lost").await;
                self.finalises().await;
                self.is(step.after, "a payout is final").await;
                self.loses_since(mark).await;
                self.is(step.lost, "a final payout is lost").await;
            }
            Trouble::DeepReorganization => {
                self.finalises().await;
                self.is(step.after, "a payout is final").await;
                self.loses_since(self.deposit.unwrap().0).await;
                self.is(lost, "a payout and the deposit are lost").await;
                // The same bytes are sent again, but pay nothing out of the vault that lacks the deposit.
                self.finalises().await;
                self.is(without_deposit, "a payout was sent without the deposit").await;
                self.automines(true).await;
                self.returns_deposit().await;
                self.stage.market.waits(minutes(60)).await;
            }
            Trouble::Kill(point) => {
                self.killed_at(point);
                self.is(step.before, "killed while sending").await;
                self.stage.settles().await;
                self.mines(1).await;
                self.killed_at("read");
                self.is(step.before, "killed before the payout was seen").await;
                self.mines(CONFIRMATIONS).await;
                self.killed_at("applied");
                self.is(step.after, "killed after the payout was final").await;
            }
        }
        self.finalises().await;
        self.is(step.after, "a payout is final").await;
        self.automines(true).await;
    }
}

/// Lets the trade live through each trouble, and checks what Anna and Ben hold in the end.
async fn survives(steps: &[Step], annas: Holdings, bens: Holdings) {
    for trouble in TROUBLES {
        let mut life = Life::begin().await;
        for step in steps {
            life.goes_through(step, trouble).await;
        }
        assert_eq!(life.holdings(&life.stage.anna).await, annas, "{trouble:?}");
        assert_eq!(life.holdings(&life.stage.ben).await, bens, "{trouble:?}");
    }
}

#[tokio::test]
async fn a_manual_order_is_released_once() {
    let release = Step {
        acts: &[Act::PayAndConfirm],
        transfer: Transfer::Payout {
            lost_with_deposit: ["ONLINE, RELEASE_REVOKED, payouts stopped", "ONLINE, RELEASE_REVOKED, payouts stopped"],
        },
        before: "ONLINE, RELEASING",
        after: "ONLINE, COMPLETED",
        lost: "ONLINE, RELEASE_REVOKED",
    };
    let annas = Holdings { bound: [mec("3.996"), usdt("0")], ..Holdings::default() };
    // The fee stays in the vault.
    let bens = Holdings { vault: [mec("0.004"), usdt("0")], ..Holdings::default() };
    Box::pin(survives(&[DEPOSIT_FOR_MANUAL, release], annas, bens)).await;
}

#[tokio::test]
async fn a_manual_order_is_refunded_once() {
    let refund = Step {
        acts: &[Act::Cancel],
        transfer: Transfer::Payout {
            lost_with_deposit: ["ONLINE, REFUNDING, payouts stopped", "ONLINE, REFUNDING, payouts stopped"],
        },
        before: "ONLINE, REFUNDING",
        after: "ONLINE, CANCELLED",
        lost: "ONLINE, REFUNDING",
    };
    let bens = Holdings { bound: [mec("4"), usdt("0")], ..Holdings::default() };
    Box::pin(survives(&[DEPOSIT_FOR_MANUAL, refund], Holdings::default(), bens)).await;
}

#[tokio::test]
async fn both_legs_of_an_automatic_order_are_paid_once_and_the_rest_of_the_escrow_returns_once() {
    let steps = [
        Step {
            acts: &[Act::PostAutomatic],
            transfer: Transfer::Annas("25"),
            before: "CREATING",
            after: "ONLINE",
            lost: "ONLINE frozen",
        },
        Step {
            acts: &[Act::Order],
            transfer: Transfer::Bens("4"),
            before: "ONLINE, AWAITING_DEPOSIT",
            after: "ONLINE, RELEASING",
            // The release was already posted, so the lost deposit is a debt until it is back.
            lost: "ONLINE, RELEASING, payouts stopped",
        },
        Step {
            acts: &[],
            transfer: Transfer::Payout {
                lost_with_deposit: [
                    "ONLINE, RELEASE_REVOKED, payouts stopped",
                    "ONLINE, RELEASE_REVOKED, payouts stopped",
                ],
            },
            before: "ONLINE, RELEASING",
            after: "ONLINE, COMPLETED",
            lost: "ONLINE, RELEASE_REVOKED",
        },
        Step {
            acts: &[Act::Revoke],
            transfer: Transfer::Payout {
                lost_with_deposit: [
                    "REVOKING, RELEASE_REVOKED, payouts stopped",
                    "CANCELLED, RELEASE_REVOKED, payouts stopped",
                ],
            },
            before: "REVOKING, COMPLETED",
            after: "CANCELLED, COMPLETED",
            lost: "REVOKING, COMPLETED",
        },
    ];
    // The gas of the return and the fee stay in the vaults.
    let annas = Holdings { bound: [mec("3.996"), usdt("14.9")], vault: [mec("0"), usdt("0.1")], ..Holdings::default() };
    let bens = Holdings { receiving: [mec("0"), usdt("10")], vault: [mec("0.004"), usdt("0")], ..Holdings::default() };
    Box::pin(survives(&steps, annas, bens)).await;
}
