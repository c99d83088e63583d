//! The scenes: what happens to an order of 100 MEC. Each scene is played twice, with Maria as the buyer and as the seller.

use domain::orders::AppealReason::{self, DepositLost, NotPaid, NotReleased, PaymentNotReceived};
use domain::trade::Party::{self, Buyer, Seller};
use domain::trade::Side;

use Step::*;

/// What an advert offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// To sell MEC for dollars.
    Dollars,
    /// To buy MEC with dollars.
    DollarsBought,
    /// To sell MEC for USDT, which the buyer sends to the seller.
    Usdt,
    /// To sell MEC for USDT automatically.
    Swap,
}

impl For {
    pub(super) fn side(self) -> Side {
        if self == Self::DollarsBought { Side::Buy } else { Side::Sell }
    }
}

/// What happens to the order. Panics if it is not possible.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// The advertiser accepts the order.
    Accept,
    /// The advertiser rejects the order.
    Reject,
    /// The seller deposits the MEC of a buy advert.
    Deposit,
    /// The buyer marks the order as paid.
    Pay,
    /// The buyer does the same, with two receipts.
    PayWithReceipts,
    /// This buyer and the one of the other order report the transfer in the newest block.
    PayWithHash,
    Confirm,
    Cancel(Party),
    AskCancel,
    AgreeCancel,
    Appeal(Party, AppealReason),
    WithdrawAppeal(Party),
    /// An officer asks the party for a bank statement.
    AskForEvidence(Party),
    /// Two officers decide for the party.
    Decide(Party),
    /// The buyer sends the total to the vault, in a block that is not final.
    SendToEscrow,
    /// The buyer sends the total to the seller, in a block that is not final.
    SendToSeller,
    /// An unknown address sends the total of this order and of another one to the seller.
    StrangerSends,
    /// The seller's deposit is on the chain again.
    ReturnDeposit,
    /// Makes the newest block final.
    Finalize,
    /// Pays all payouts, in a block that is not final.
    PayOut,
    /// Voids all payouts on the chain, in a final block.
    Void,
    /// Replaces the newest blocks by empty ones.
    Reorganize(usize),
    /// Advances the clock by minutes and seconds, and acts on deadlines.
    Wait(i64, i64),
}

#[derive(Clone, Copy)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) offer: For,
    /// What happens before the order is placed.
    pub(super) before: Before,
    pub(super) steps: &'static [Step],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// The buyer has used all free cancellations of the day.
    Cancellations,
    /// The buyer has a temporary balance of 60 USDT.
    Balance,
    /// The buyer has attached the second receipt to another order, and cancelled that order.
    Receipt,
    /// Another buyer has an accepted order for the same total.
    SameOrder,
}

const fn scene(name: &'static str, offer: For, steps: &'static [Step]) -> Scene {
    Scene { name, offer, before: Before::Nothing, steps }
}

const fn after(before: Before, scene: Scene) -> Scene {
    Scene { before, ..scene }
}

const A_DAY: Step = Wait(24 * 60, 0);
const LACKS_PAYMENT: Step = Appeal(Seller, PaymentNotReceived);

pub(super) const SCENES: &[Scene] = &[
    scene("placed", For::Dollars, &[Wait(0, 48)]),
    scene("rejected", For::Dollars, &[Reject]),
    scene("awaiting-payment", For::Dollars, &[Accept, Wait(0, 28)]),
    after(Before::Cancellations, scene("no-free-cancellations", For::Dollars, &[Accept, Wait(0, 28)])),
    scene("payment-overdue", For::Dollars, &[Accept, Wait(17, 0)]),
    scene("payment-lapsed", For::Dollars, &[Accept, Wait(17, 0), Wait(10, 0)]),
    scene("cancellation-asked", For::Dollars, &[Accept, Wait(0, 28), AskCancel]),
    scene("cancellation-agreed", For::Dollars, &[Accept, AskCancel, AgreeCancel]),
    scene("cancelled", For::Dollars, &[Accept, Cancel(Buyer)]),
    scene("marked-as-paid", For::Dollars, &[Accept, Wait(2, 0), Pay, Wait(0, 28)]),
    after(
        Before::Receipt,
        scene("marked-as-paid-with-receipts", For::Dollars, &[Accept, PayWithReceipts, Wait(13, 24)]),
    ),
    scene("confirmation-overdue", For::Dollars, &[Accept, Pay, Wait(35, 0)]),
    scene("releasing", For::Dollars, &[Accept, Pay, Confirm, PayOut]),
    scene("completed", For::Dollars, &[Accept, Pay, Confirm, PayOut, Finalize]),
    scene("release-revoked", For::Dollars, &[Accept, Pay, Confirm, PayOut, Reorganize(1)]),
    scene("release-voided", For::Dollars, &[Accept, Pay, Confirm, Void]),
    scene("frozen", For::Dollars, &[Accept, Wait(0, 28), Reorganize(3)]),
    scene("frozen-for-a-day", For::Dollars, &[Accept, Wait(0, 28), Reorganize(3), A_DAY]),
    scene("appealed-before-payment", For::Dollars, &[Accept, Wait(17, 0), Appeal(Seller, NotPaid)]),
    scene(
        "appeal-ended-before-payment",
        For::Dollars,
        &[
            Accept,
            Wait(0, 28),
            Reorganize(3),
            A_DAY,
            Appeal(Seller, DepositLost),
            ReturnDeposit,
            WithdrawAppeal(Seller),
        ],
    ),
    scene("appealed", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, Wait(30, 0)]),
    scene("appealed-by-buyer", For::Dollars, &[Accept, Pay, Wait(16, 0), Appeal(Buyer, NotReleased)]),
    scene("appeal-withdrawn-by-buyer", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, WithdrawAppeal(Buyer)]),
    scene("appeal-withdrawn-by-seller", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, WithdrawAppeal(Seller)]),
    scene("evidence-asked", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, AskForEvidence(Buyer), Wait(50, 0)]),
    scene("decided-for-seller", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, Decide(Seller), Wait(60, 0)]),
    scene("decided-for-buyer", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, Decide(Buyer), Wait(60, 0)]),
    scene("cancelled-by-officer", For::Dollars, &[Accept, Pay, LACKS_PAYMENT, Decide(Seller), A_DAY]),
    scene("bought-placed", For::DollarsBought, &[Wait(0, 48)]),
    scene("bought-awaiting-deposit", For::DollarsBought, &[Accept, Wait(0, 28)]),
    scene("bought-awaiting-payment", For::DollarsBought, &[Accept, Deposit, Wait(0, 28)]),
    scene("bought-refunding", For::DollarsBought, &[Accept, Deposit, Cancel(Buyer), PayOut]),
    scene("usdt-awaiting-payment", For::Usdt, &[Accept, Wait(0, 28)]),
    scene("usdt-payment-seen", For::Usdt, &[Accept, SendToSeller, Finalize, Wait(0, 28)]),
    scene("usdt-marked-as-paid", For::Usdt, &[Accept, SendToSeller, Pay, Wait(0, 28)]),
    after(Before::SameOrder, scene("usdt-ambiguous", For::Usdt, &[Accept, StrangerSends, Finalize, Wait(0, 28)])),
    after(Before::SameOrder, scene("usdt-ambiguous-marked-as-paid", For::Usdt, &[Accept, StrangerSends, PayWithHash])),
    after(Before::Balance, scene("swap-awaiting-payment", For::Swap, &[Wait(1, 28)])),
    scene("swap-arrived", For::Swap, &[SendToEscrow, Wait(19, 0)]),
    scene("swap-frozen", For::Swap, &[Wait(1, 28), Reorganize(3)]),
    scene("swap-cancelled", For::Swap, &[Cancel(Buyer)]),
    scene("swap-releasing", For::Swap, &[SendToEscrow, Finalize, PayOut]),
];
