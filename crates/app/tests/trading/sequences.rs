//! Checks that random sequences of actions by three users, the clock, the worker and the chain leave the market
//! consistent.
//!
//! Refusals are valid responses. A bug fails the test, and so does a refusal by the ledger that reaches a caller.
//! `PROPTEST_CASES` sets the number of sequences.

use domain::chain::SettlementOutcome;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId};
use domain::orders::OrderCommand;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use testkit::market::{Chain, Contents, Market, Trader, mec, minutes, paid, usdt};

/// An action. Users, adverts and orders are selected by an index, which wraps around.
#[derive(Debug, Clone)]
enum Step {
    Post { who: usize, kind: usize },
    Send { who: usize, coin: usize, much: usize },
    Order { who: usize, advert: usize, much: usize },
    OrderCommand { who: usize, order: usize, act: usize },
    End { advert: usize },
    Switch { who: usize, online: bool },
    Withdraw { who: usize, coin: usize },
    Offer { who: usize, target: usize, much: usize },
    Mine { blocks: usize },
    Pay,
    FailToPay,
    Reorganise { depth: usize, kept: u8 },
    Return,
    Wait { minutes: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let who = || 0..3_usize;
    prop_oneof![
        2 => (who(), 0..3_usize).prop_map(|(who, kind)| Step::Post { who, kind }),
        4 => (who(), 0..2_usize, 0..4_usize).prop_map(|(who, coin, much)| Step::Send { who, coin, much }),
        4 => (who(), 0..4_usize, 0..3_usize).prop_map(|(who, advert, much)| Step::Order { who, advert, much }),
        8 => (who(), 0..4_usize, 0..8_usize).prop_map(|(who, order, act)| Step::OrderCommand { who, order, act }),
        1 => (0..4_usize).prop_map(|advert| Step::End { advert }),
        1 => (who(), any::<bool>()).prop_map(|(who, online)| Step::Switch { who, online }),
        1 => (who(), 0..2_usize).prop_map(|(who, coin)| Step::Withdraw { who, coin }),
        2 => (who(), 0..8_usize, 0..3_usize).prop_map(|(who, target, much)| Step::Offer { who, target, much }),
        4 => (1..4_usize).prop_map(|blocks| Step::Mine { blocks }),
        4 => Just(Step::Pay),
        1 => Just(Step::FailToPay),
        3 => (1..8_usize, any::<u8>()).prop_map(|(depth, kept)| Step::Reorganise { depth, kept }),
        2 => Just(Step::Return),
        3 => (1..20_i64).prop_map(|minutes| Step::Wait { minutes }),
    ]
}

struct Play {
    market: Market,
    chain: Chain,
    people: Vec<Trader>,
    adverts: Vec<(usize, AdvertId)>,
    orders: Vec<OrderId>,
    dropped: Vec<Contents>,
}

fn nth<T: Copy>(all: &[T], place: usize) -> Option<T> {
    all.get(place.checked_rem(all.len())?).copied()
}

impl Play {
    /// Opens a market with two online adverts, so that even short sequences reach late states.
    async fn begin() -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let people = vec![market.trader().await, market.trader().await, market.trader().await];
        let manual = people[0].posts(people[0].mec_for_krw("10", "1000")).await.unwrap();
        let automatic = people[1].posts(people[1].mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        let coins = [&people[0], &people[1]].map(|trader| chain.coins(trader, market.mec, mec("10")));
        chain.mines_coins(coins).await;
        chain.confirms().await;
        Self {
            market,
            chain,
            people,
            adverts: vec![(0, manual), (1, automatic)],
            orders: Vec::new(),
            dropped: Vec::new(),
        }
    }

    async fn takes(&mut self, step: &Step) {
        match *step {
            Step::Post { who, kind } => {
                let trader = &self.people[who];
                let offer = match kind {
                    0 => trader.mec_for_krw("10", "1000"),
                    1 => trader.mec_for_usdt("10", "2.5"),
                    _ => trader.mec_for_usdt("10", "2.5").automatic(),
                };
                self.adverts.extend(trader.posts(offer).await.ok().map(|advert| (who, advert)));
            }
            Step::Send { who, coin, much } => {
                let (asset, amount) = match coin {
                    0 => (self.market.mec, mec(["0.005", "4", "6", "10"][much])),
                    _ => (self.market.usdt, usdt(["0.005", "5", "10", "25"][much])),
                };
                let coins = self.chain.coins(&self.people[who], asset, amount);
                self.mines(vec![Contents { transfers: vec![coins], ..Contents::default() }]).await;
            }
            Step::Order { who, advert, much } => {
                if let Some((_, advert)) = nth(&self.adverts, advert) {
                    self.orders.extend(self.people[who].orders(advert, ["4", "6", "10"][much]).await);
                }
            }
            Step::OrderCommand { who, order, act } => {
                if let Some(order) = nth(&self.orders, order) {
                    let acts = [
                        OrderCommand::Accept,
                        paid(),
                        OrderCommand::Confirm,
                        OrderCommand::Reject,
                        OrderCommand::Cancel,
                        OrderCommand::AskCancel,
                        OrderCommand::AgreeCancel,
                        OrderCommand::Recover,
                    ];
                    let _either = self.people[who].does(order, acts[act].clone()).await;
                }
            }
            Step::End { advert } => {
                if let Some((owner, advert)) = nth(&self.adverts, advert) {
                    let _either = self.people[owner].ends(advert).await;
                }
            }
            Step::Switch { who, online } => {
                self.people[who].switches(online).await.unwrap();
            }
            Step::Withdraw { who, coin } => {
                let asset = if coin == 0 { self.market.mec } else { self.market.usdt };
                let _either = self.people[who].withdraws(asset).await;
            }
            Step::Offer { who, target, much } => {
                let adverts = self.adverts.iter().map(|(_, advert)| FundingTarget::Advert(*advert));
                let all: Vec<_> = adverts.chain(self.orders.iter().map(|order| FundingTarget::Order(*order))).collect();
                if let Some(target) = nth(&all, target) {
                    // The same number of base units is used for both coins.
                    let amount = [usdt("5"), mec("0.005"), mec("10")][much];
                    let _either = self.people[who].offers(target, amount).await;
                }
            }
            Step::Mine { blocks } => self.mines(vec![Contents::default(); blocks]).await,
            Step::Pay | Step::FailToPay => {
                let mut contents = self.chain.signs().await;
                if matches!(step, Step::FailToPay) {
                    for settlement in &mut contents.settlements {
                        settlement.outcome = SettlementOutcome::Failed;
                    }
                }
                self.mines(vec![contents, Contents::default(), Contents::default()]).await;
            }
            Step::Reorganise { depth, kept } => {
                let mut blocks = Vec::new();
                for (place, contents) in self.chain.contents_of_newest(depth).into_iter().enumerate() {
                    if kept & (1 << place) == 0 {
                        self.dropped.push(contents);
                        blocks.push(Contents::default());
                    } else {
                        blocks.push(contents);
                    }
                }
                blocks.push(Contents::default());
                self.chain.reorganises_plausibly(depth, blocks).await;
            }
            Step::Return => {
                let dropped = std::mem::take(&mut self.dropped);
                self.mines(dropped.into_iter().chain(vec![Contents::default(); 2]).collect()).await;
            }
            Step::Wait { minutes: count } => {
                self.market.waits(minutes(count)).await;
                self.market.clock_strikes().await;
            }
        }
    }

    async fn mines(&mut self, blocks: Vec<Contents>) {
        self.chain.reorganises_plausibly(0, blocks).await;
    }
}

/// Creates the random source, which is the same on every machine unless `MEC2C_SEED` is set: to a number, or to
/// `random` for a random seed, which is printed so that the run can be repeated.
fn rng() -> TestRng {
    let seed: u64 = match std::env::var("MEC2C_SEED").as_deref() {
        Err(_) => return TestRng::deterministic_rng(RngAlgorithm::ChaCha),
        Ok("random") => std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0),
        Ok(number) => number.parse().expect("MEC2C_SEED is a number or random"),
    };
    println!("MEC2C_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

#[test]
fn whatever_happens_the_market_stays_sound() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outcome = runner.run(&prop::collection::vec(step(), 1..28), |steps| {
        runtime.block_on(async {
            let mut play = Play::begin().await;
            for (place, step) in steps.iter().enumerate() {
                play.takes(step).await;
                if let Some(wrong) = play.market.unsound().await {
                    return Err(TestCaseError::fail(format!("after step {place}, {step:?}: {wrong}")));
                }
            }
            Ok(())
        })
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
