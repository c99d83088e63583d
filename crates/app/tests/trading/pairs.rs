//! Payouts of two legs, which the chain pays, voids and removes leg by leg.

use domain::chain::Settlement;
use domain::chain::SettlementOutcome::{self, Paid, Voided};
use domain::ids::OrderId;
use testkit::market::{CONFIRMATIONS, Chain, Contents, Market, Trader, mec, usdt};

/// An automatic order over 4 MEC for 10 USDT whose release is signed but not mined.
struct Pair {
    market: Market,
    chain: Chain,
    anna: Trader,
    ben: Trader,
    order: OrderId,
    signed: Contents,
}

impl Pair {
    async fn signed() -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        let advert = anna.posts(anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        chain.brings(&anna, market.mec, mec("10")).await;
        let order = ben.orders(advert, "4").await.unwrap();
        chain.brings(&ben, market.usdt, usdt("10")).await;
        let signed = chain.signs().await;
        assert_eq!(signed.settlements.len(), 2);
        Self { market, chain, anna, ben, order, signed }
    }

    /// Returns a block in which these legs end with an outcome.
    fn block(&self, legs: &[usize], outcome: SettlementOutcome) -> Contents {
        let settlements = legs.iter().map(|leg| Settlement { outcome, ..self.signed.settlements[*leg] });
        Contents { settlements: settlements.collect(), ..Contents::default() }
    }

    /// Ends these legs in a block that becomes final.
    async fn ends(&mut self, legs: &[usize], outcome: SettlementOutcome) {
        let block = self.block(legs, outcome);
        self.chain.mines_blocks([block]).await;
        self.chain.confirms().await;
        self.market.is_sound().await;
    }

    /// Replaces the block of the newest settlements, which has just become final, and those after it.
    async fn loses(&mut self) {
        let depth = usize::try_from(CONFIRMATIONS).unwrap();
        self.chain.reorganises(depth, vec![Contents::default(); depth]).await;
        self.market.is_sound().await;
    }

    /// Asserts that both legs are in flight as a whole, and that nobody owes coins.
    async fn is_in_flight(&self) {
        let (base, quote) = (self.anna.holds(self.market.mec).await, self.ben.holds(self.market.usdt).await);
        assert_eq!((base.in_flight, base.debt), (mec("3.996"), mec("0")));
        assert_eq!((quote.in_flight, quote.debt), (usdt("10"), usdt("0")));
    }

    /// Asserts that the order holds both legs again, and that nobody owes coins.
    async fn is_given_back(&self) {
        let (base, quote) = (self.anna.holds(self.market.mec).await, self.ben.holds(self.market.usdt).await);
        assert_eq!((base.in_flight, base.in_orders, base.debt), (mec("0"), mec("3.996"), mec("0")));
        assert_eq!((quote.in_flight, quote.in_orders, quote.debt), (usdt("0"), usdt("10"), usdt("0")));
        assert!(self.market.order(self.order).await.progress.voided.is_some());
    }

    /// How many times each leg was confirmed.
    async fn rounds(&self) -> [i64; 2] {
        let rounds = async |order: &str| {
            let query = format!("select rounds::bigint from payout_legs order by reference {order} limit 1");
            self.market.count(&query).await
        };
        [rounds("asc").await, rounds("desc").await]
    }
}

const BOTH: &[usize] = &[0, 1];

#[tokio::test]
async fn a_pair_whose_void_leaves_the_chain_is_owed_as_a_whole_and_voided_again() {
    let mut pair = Pair::signed().await;
    pair.ends(BOTH, Voided).await;
    pair.is_given_back().await;
    pair.loses().await;
    assert!(pair.market.order(pair.order).await.progress.voided.is_none());
    pair.is_in_flight().await;
    pair.ends(BOTH, Voided).await;
    pair.is_given_back().await;
    assert_eq!(pair.rounds().await, [2, 2]);
}

#[tokio::test]
async fn a_pair_is_owed_as_a_whole_when_the_void_of_one_leg_leaves_the_chain() {
    for (first, second) in [(0, 1), (1, 0)] {
        let mut pair = Pair::signed().await;
        pair.ends(&[first], Voided).await;
        pair.is_in_flight().await;
        pair.ends(&[second], Voided).await;
        pair.is_given_back().await;
        pair.loses().await;
        assert!(pair.market.order(pair.order).await.progress.voided.is_none());
        pair.is_in_flight().await;
        assert_eq!(pair.market.count("select count(*) from payout_legs where state = 'voided'").await, 1);
        pair.ends(&[second], Voided).await;
        pair.is_given_back().await;
    }
}

#[tokio::test]
async fn a_void_of_one_leg_that_leaves_the_chain_changes_nothing() {
    for leg in [0, 1] {
        let mut pair = Pair::signed().await;
        pair.ends(&[leg], Voided).await;
        pair.loses().await;
        pair.is_in_flight().await;
        assert_eq!(pair.market.count("select count(*) from payout_legs where state = 'owed'").await, 2);
        pair.ends(BOTH, Paid).await;
        assert_eq!(pair.market.state(pair.order).await, "COMPLETED");
    }
}

#[tokio::test]
async fn a_pair_completes_again_when_the_payment_of_one_leg_left_the_chain() {
    for (first, second) in [(0, 1), (1, 0)] {
        let mut pair = Pair::signed().await;
        pair.ends(&[first], Paid).await;
        assert_eq!(pair.market.state(pair.order).await, "RELEASING");
        pair.ends(&[second], Paid).await;
        assert_eq!(pair.market.state(pair.order).await, "COMPLETED");
        pair.loses().await;
        assert_eq!(pair.market.state(pair.order).await, "RELEASE_REVOKED");
        pair.ends(&[second], Paid).await;
        assert_eq!(pair.market.state(pair.order).await, "COMPLETED");
        let mut rounds = pair.rounds().await;
        rounds.sort_unstable();
        assert_eq!(rounds, [1, 2], "only the removed payment is counted again");
        assert_eq!(pair.rounds().await[second], 2);
    }
}

#[tokio::test]
async fn a_pair_of_which_one_leg_is_paid_and_the_other_voided_neither_completes_nor_gives_coins_back() {
    for (first, second) in [(0, 1), (1, 0)] {
        for outcomes in [[Paid, Voided], [Voided, Paid]] {
            let mut pair = Pair::signed().await;
            pair.ends(&[first], outcomes[0]).await;
            pair.ends(&[second], outcomes[1]).await;
            assert_eq!(pair.market.state(pair.order).await, "RELEASING");
            assert!(pair.market.order(pair.order).await.progress.voided.is_none());
            let (base, quote) = (pair.anna.holds(pair.market.mec).await, pair.ben.holds(pair.market.usdt).await);
            assert_eq!((base.in_orders, quote.in_orders), (mec("0"), usdt("0")));
            assert!(base.in_flight.is_zero() != quote.in_flight.is_zero(), "only the paid leg has left");
        }
    }
}
