//! The script of the demo world: a year of offers and deals. It is generated from a fixed seed, so it is the same in
//! every demo world, relative to the end date.

use anyhow::Context as _;
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::trade::{Leg, Side};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::people::Name;
use super::prices::price;

/// An arbitrary fixed seed.
const SEED: u64 = 20_251_121;
/// The seed of the adverts that buy, so that they change no other advert.
const BUYING_SEED: u64 = 20_261_126;
/// The time from the beginning of the script to its end.
pub(super) const LENGTH: Duration = Duration::days(365);
/// The time between the last round, which posts the adverts that stay open, and the end of the script.
const LAST_ROUND: Duration = Duration::minutes(45);

/// Returns the rounds before which nothing happens for twice as long as this. A round takes less than half of that.
pub(super) fn calm(rounds: &[Round], span: Duration) -> Vec<usize> {
    let pairs = rounds.iter().zip(rounds.iter().skip(1)).enumerate();
    let calm = pairs.filter(|(_, (before, next))| after(before.at, span.checked_mul(2).unwrap_or(span)) < next.at);
    calm.map(|(index, _)| index.saturating_add(1)).collect()
}

/// A round of trading: offers of the previous round are taken and new ones posted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Round {
    pub(super) at: Timestamp,
    /// Orders on the offers of the previous round.
    pub(super) deals: Vec<Deal>,
    pub(super) offers: Vec<Offer>,
    /// The time that sellers take to confirm, in minutes.
    pub(super) patience: i64,
    /// The user who withdraws the temporary balance.
    pub(super) withdraws: Option<Name>,
}

/// An advert. Amounts are in whole units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Offer {
    pub(super) owner: Name,
    pub(super) side: Side,
    pub(super) base: &'static str,
    pub(super) quote: &'static str,
    pub(super) automatic: bool,
    pub(super) quantity: u32,
    pub(super) price: String,
    /// The minimum total of an order, in whole units of the quote.
    pub(super) least: u32,
    pub(super) remark: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Deal {
    /// The index of the offer in the previous round.
    pub(super) offer: usize,
    pub(super) taker: Name,
    pub(super) quantity: u32,
    pub(super) ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Completed,
    /// Completed, with a payment higher than requested. Only for automatic orders.
    Overpaid,
    /// The buyer cancels after the seller accepted.
    Cancelled,
    Rejected,
}

impl Ending {
    /// Returns whether the deal ends with a trade.
    pub(super) fn is_trade(self) -> bool {
        matches!(self, Self::Completed | Self::Overpaid)
    }
}

/// A user's recurring offer, and those who take it.
struct Stall {
    owner: Name,
    side: Side,
    base: &'static str,
    quote: &'static str,
    automatic: bool,
    takers: &'static [Name],
}

const fn stall(owner: Name, base: &'static str, quote: &'static str, takers: &'static [Name]) -> Stall {
    Stall { owner, side: Side::Sell, base, quote, automatic: false, takers }
}

const fn automatic(owner: Name, takers: &'static [Name]) -> Stall {
    Stall { automatic: true, ..stall(owner, "MEC", "USDT", takers) }
}

const fn buying(owner: Name, quote: &'static str, takers: &'static [Name]) -> Stall {
    Stall { side: Side::Buy, ..stall(owner, "MEC", quote, takers) }
}

const fn buying_automatically(owner: Name, takers: &'static [Name]) -> Stall {
    Stall { side: Side::Buy, ..automatic(owner, takers) }
}

impl Stall {
    /// Returns the user and the coin of the deposit that the offer needs.
    fn deposit(&self) -> Option<(Name, &'static str)> {
        let leg = self.side.advertiser().deposits(self.automatic)?;
        Some((self.owner, if leg == Leg::Base { self.base } else { self.quote }))
    }
}

/// The offers of MEC for USDT. Each round has one of them: from each seller in turn at first, and always from the first
/// seller in the last weeks.
const FOR_USDT: [Stall; 4] = [
    stall(Name::Hana, "MEC", "USDT", &[Name::Farida, Name::Goran, Name::Minjun, Name::Linh, Name::Emeka, Name::Bruno]),
    automatic(Name::Bruno, &[Name::Minjun, Name::Dalia, Name::Amina]),
    stall(Name::Farida, "MEC", "USDT", &[Name::Bruno, Name::Mei, Name::Linh]),
    automatic(Name::Goran, &[Name::Dalia, Name::Minjun, Name::Amina]),
];

/// The fiat offers. Each round has one of them, in turn.
const FOR_FIAT: [Stall; 10] = [
    stall(Name::Chen, "MEC", "CNY", &[Name::Mei]),
    stall(Name::Emeka, "USDT", "NGN", &[Name::Amina]),
    stall(Name::Dalia, "MEC", "EUR", &[Name::Goran]),
    stall(Name::Chen, "MEC", "CNY", &[Name::Mei]),
    stall(Name::Amina, "MEC", "NGN", &[Name::Emeka]),
    stall(Name::Mei, "USDT", "CNY", &[Name::Chen]),
    stall(Name::Hana, "USDT", "KRW", &[Name::Minjun]),
    stall(Name::Hana, "MEC", "KRW", &[Name::Minjun]),
    stall(Name::Chen, "MEC", "CNY", &[Name::Mei]),
    stall(Name::Goran, "USDT", "EUR", &[Name::Dalia]),
];

/// The offers that buy. Some rounds have one of them, in turn. Their takers sell nothing else in the same coin.
const BUYING: [Stall; 4] = [
    buying(Name::Chen, "CNY", &[Name::Mei]),
    buying_automatically(Name::Farida, &[Name::Emeka]),
    buying(Name::Hana, "KRW", &[Name::Minjun]),
    buying(Name::Goran, "USDT", &[Name::Linh]),
];

/// Returns whether a round has an offer that buys.
fn has_buyer(number: usize) -> bool {
    number.checked_rem(6) == Some(4)
}

/// The adverts that stay open for visitors: owner, base, quote, automatic, quantity, minimum total of an order,
/// remark.
type Staying = (Name, &'static str, &'static str, bool, u32, u32, Option<&'static str>);
const STAYING: [Staying; 12] = [
    (Name::Chen, "MEC", "CNY", false, 800, 50, Some("Bank or Alipay, I answer within minutes")),
    (Name::Mei, "USDT", "CNY", false, 2000, 100, None),
    (Name::Amina, "MEC", "NGN", false, 400, 10_000, Some("Naira transfers only from your own account, please")),
    (Name::Emeka, "USDT", "NGN", false, 1500, 20_000, None),
    (Name::Hana, "MEC", "KRW", false, 600, 10_000, Some("Quick and friendly")),
    (Name::Dalia, "MEC", "EUR", false, 500, 20, None),
    (Name::Goran, "MEC", "USDT", false, 450, 10, Some("Manual: I confirm when your USDT has arrived")),
    (Name::Goran, "USDT", "EUR", false, 3000, 50, None),
    (Name::Farida, "MEC", "USDT", true, 1000, 5, Some("Automatic, any hour")),
    (Name::Bruno, "MEC", "USDT", true, 350, 5, None),
    (Name::Linh, "USDT", "VND", false, 500, 100_000, None),
    (Name::Farida, "USDT", "TRY", false, 900, 300, None),
];

/// The adverts that buy and stay open.
const STAYING_BUYERS: [Staying; 4] = [
    (Name::Hana, "MEC", "KRW", false, 300, 10_000, Some("I pay within minutes from KB Kookmin")),
    (Name::Chen, "MEC", "CNY", false, 600, 50, None),
    (Name::Goran, "MEC", "USDT", false, 250, 10, None),
    (Name::Bruno, "MEC", "USDT", true, 200, 5, Some("Automatic: send MEC, get USDT")),
];

/// The order on Hana's open advert that is left for a visitor to confirm.
pub(super) const WAITING: Deal = Deal { offer: 4, taker: Name::Minjun, quantity: 60, ending: Ending::Completed };

/// The order on Dalia's open advert that Goran marks as paid without paying. It is left under appeal for an officer.
pub(super) const DISPUTED: Deal = Deal { offer: 5, taker: Name::Goran, quantity: 80, ending: Ending::Completed };

/// Generates all rounds, in chronological order.
pub(super) fn story(end: Timestamp) -> anyhow::Result<Vec<Round>> {
    let mut dice = StdRng::seed_from_u64(SEED);
    let mut buyers_dice = StdRng::seed_from_u64(BUYING_SEED);
    let mut buyers = BUYING.iter().cycle();
    let timestamps = timestamps(&mut dice);
    let busy_from = timestamps.len().saturating_sub(BUSY_ROUNDS);
    let (busiest, others) = FOR_USDT.split_first().context("no one sells for USDT")?;
    let (mut by_turns, mut others) = (FOR_USDT.iter().cycle(), others.iter().cycle());
    let mut for_fiat = FOR_FIAT.iter().cycle();
    let mut rounds: Vec<Round> = Vec::with_capacity(timestamps.len());
    let mut open: Vec<&Stall> = Vec::new();
    let mut next_deals: Vec<Deal> = Vec::new();
    for (number, before_end) in timestamps.into_iter().enumerate() {
        let at = end.checked_sub_signed(before_end).context("the year is out of range")?;
        let deals = std::mem::take(&mut next_deals);
        let days = f64::from(i32::try_from(before_end.num_minutes())?) / 1440.0;
        let mut offers = Vec::new();
        open.clear();
        if before_end == LAST_ROUND {
            offers = staying(&STAYING, Side::Sell, days, &mut dice)?;
            offers.extend(staying(&STAYING_BUYERS, Side::Buy, days, &mut buyers_dice)?);
        } else {
            if number < busy_from {
                open.extend(by_turns.next());
            } else {
                open.push(busiest);
                open.extend(others.next().filter(|_| number.is_multiple_of(2)));
            }
            // A user cannot have two funding requests in the same coin at once.
            let elsewhere = |stall: &&Stall| open.iter().all(|other| other.deposit() != stall.deposit());
            let next = for_fiat.find(elsewhere);
            open.extend(next);
            open.extend(has_buyer(number).then(|| buyers.next()).flatten());
        }
        for (place, stall) in open.iter().enumerate() {
            let dice = if stall.side == Side::Buy { &mut buyers_dice } else { &mut dice };
            let mine = takings(stall, place, number, number == busy_from.saturating_add(14), dice);
            let quantity = mine.iter().map(|deal| deal.quantity).fold(0, u32::saturating_add);
            next_deals.extend(mine);
            offers.push(Offer {
                owner: stall.owner,
                side: stall.side,
                base: stall.base,
                quote: stall.quote,
                automatic: stall.automatic,
                quantity,
                price: price(stall.base, stall.quote, days, dice).context("the pair has no price")?,
                least: 1,
                remark: None,
            });
        }
        let patience = dice.random_range(3..=14);
        rounds.push(Round { at, deals, offers, patience, withdraws: None });
    }
    let_somebody_withdraw(&mut rounds);
    Ok(rounds)
}

/// The number of rounds in the last weeks, including the very last one.
const BUSY_ROUNDS: usize = 24;

/// Returns the times of the rounds, before the end: rare at first, every other day in the last weeks, every few hours
/// on the last day.
fn timestamps(dice: &mut StdRng) -> Vec<Duration> {
    let mut timestamps = Vec::new();
    let mut push = |days: u32, hours: u32, dice: &mut StdRng| {
        let minutes = days.saturating_mul(24).saturating_add(hours).saturating_mul(60);
        let early = dice.random_range(0..55_u32);
        timestamps.push(Duration::minutes(i64::from(minutes.saturating_add(early))));
    };
    // The first round only posts offers, so the first trade is almost a year ago.
    for days in std::iter::once(363).chain((46..=360).rev().step_by(10)) {
        let hours = dice.random_range(0..20);
        push(days, hours, dice);
    }
    for days in (2..=36).rev().step_by(2) {
        let hours = dice.random_range(0..20);
        push(days, hours, dice);
    }
    for hours in [21, 16, 11, 6, 2] {
        push(0, hours, dice);
    }
    timestamps.push(LAST_ROUND);
    timestamps
}

/// Generates the orders on a stall's offer in the next round.
fn takings(stall: &Stall, place: usize, number: usize, trouble: bool, dice: &mut StdRng) -> Vec<Deal> {
    let mut deals = Vec::new();
    let mut take = |taker: Name, ending: Ending, dice: &mut StdRng| {
        let steps = if stall.base == "MEC" { dice.random_range(4..=24_u32) } else { dice.random_range(6..=50) };
        deals.push(Deal { offer: place, taker, quantity: steps.saturating_mul(5), ending });
    };
    let first = number.checked_rem(stall.takers.len()).unwrap_or(0);
    let mut takers = stall.takers.iter().cycle().skip(first).copied();
    let mut next = || takers.next().unwrap_or(Name::Minjun);
    let taker = next();
    let overpaid = stall.automatic && taker == Name::Minjun;
    take(taker, if overpaid { Ending::Overpaid } else { Ending::Completed }, dice);
    if stall.side == Side::Sell && dice.random_ratio(1, 4) {
        let ending = match dice.random_range(0..5) {
            0 if !stall.automatic => Ending::Cancelled,
            1 if !stall.automatic => Ending::Rejected,
            _ => Ending::Completed,
        };
        // A second automatic order of the same user would wait for a second deposit of the same coin.
        let another = next();
        if !(stall.automatic && another == taker) {
            take(another, ending, dice);
        }
    }
    if trouble && place == 0 {
        // Three cancellations per day are free; the fourth costs reputation.
        for _ in 0..4 {
            take(Name::Bruno, Ending::Cancelled, dice);
        }
    }
    deals
}

fn staying(adverts: &[Staying], side: Side, days: f64, dice: &mut StdRng) -> anyhow::Result<Vec<Offer>> {
    let offer = |&(owner, base, quote, automatic, quantity, least, remark): &Staying| {
        let price = price(base, quote, days, dice).context("the pair has no price")?;
        Ok(Offer { owner, side, base, quote, automatic, quantity, price, least, remark })
    };
    adverts.iter().map(offer).collect()
}

/// Lets the first buyer who overpaid withdraw the excess in the next round in which they have no order.
fn let_somebody_withdraw(rounds: &mut [Round]) {
    let mut overpaid = None;
    for round in rounds {
        let theirs = |deal: &&Deal| Some(deal.taker) == overpaid;
        if overpaid.is_some() && round.deals.iter().find(theirs).is_none() {
            round.withdraws = overpaid;
            return;
        }
        overpaid = overpaid.or(round.deals.iter().find(|deal| deal.ending == Ending::Overpaid).map(|deal| deal.taker));
    }
}

pub(super) fn trades(rounds: &[Round]) -> usize {
    rounds.iter().flat_map(|round| &round.deals).filter(|deal| deal.ending.is_trade()).count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::trade::Party;

    use super::*;

    fn deposits(offer: &Offer, party: Party) -> Option<&'static str> {
        party.deposits(offer.automatic).map(|leg| if leg == Leg::Base { offer.base } else { offer.quote })
    }

    fn end() -> Timestamp {
        "2026-11-21T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn the_script_is_deterministic_and_fills_a_year() {
        let rounds = story(end()).unwrap();
        assert_eq!(rounds, story(end()).unwrap());
        assert!(rounds.windows(2).all(|pair| pair[0].at + Duration::minutes(40) < pair[1].at));
        assert!(rounds[0].at > end() - LENGTH && rounds[0].at < end() - Duration::days(355));
        assert_eq!(rounds.last().unwrap().at, end() - LAST_ROUND);
        let count = trades(&rounds);
        assert!((100..=160).contains(&count), "{count} trades");
        let recent = |span| trades(&rounds.iter().filter(|r| r.at > end() - span).cloned().collect::<Vec<_>>());
        assert!(recent(Duration::days(30)) > 40 && recent(Duration::hours(24)) > 10);
    }

    #[test]
    fn every_deal_has_an_offer_and_nobody_has_two_deposits_of_one_coin() {
        let rounds = story(end()).unwrap();
        for pair in rounds.windows(2) {
            let mut waiting = BTreeSet::new();
            for offer in &pair[1].offers {
                if let Some(coin) = deposits(offer, offer.side.advertiser()) {
                    assert!(waiting.insert((offer.owner, coin)), "{:?} offers {coin} twice", offer.owner);
                }
            }
            for deal in &pair[1].deals {
                let offer = &pair[0].offers[deal.offer];
                assert_ne!(offer.owner, deal.taker);
                if let Some(coin) = deposits(offer, offer.side.advertiser().other()) {
                    assert!(waiting.insert((deal.taker, coin)), "{:?} deposits {coin} twice at once", deal.taker);
                }
            }
            for (place, offer) in pair[0].offers.iter().enumerate().filter(|(_, offer)| offer.least == 1) {
                let taken: u32 = pair[1].deals.iter().filter(|d| d.offer == place).map(|d| d.quantity).sum();
                assert_eq!(taken, offer.quantity);
            }
        }
    }

    #[test]
    fn each_kind_of_buying_has_been_traded_and_stays_open() {
        let rounds = story(end()).unwrap();
        let bought: BTreeSet<_> = rounds
            .windows(2)
            .flat_map(|pair| pair[1].deals.iter().map(|deal| &pair[0].offers[deal.offer]))
            .filter(|offer| offer.side == Side::Buy)
            .map(|offer| (offer.automatic, offer.quote))
            .collect();
        assert_eq!(bought, [(false, "CNY"), (false, "KRW"), (false, "USDT"), (true, "USDT")].into());
        let staying = rounds.last().unwrap().offers.iter().filter(|offer| offer.side == Side::Buy);
        assert_eq!(staying.count(), 4);
    }

    #[test]
    fn the_script_contains_every_ending_and_a_withdrawal() {
        let rounds = story(end()).unwrap();
        let endings: Vec<_> = rounds.iter().flat_map(|round| &round.deals).map(|deal| deal.ending).collect();
        for ending in [Ending::Completed, Ending::Overpaid, Ending::Cancelled, Ending::Rejected] {
            assert!(endings.contains(&ending), "{ending:?}");
        }
        assert_eq!(rounds.iter().filter(|round| round.withdraws.is_some()).count(), 1);
        let last = rounds.last().unwrap();
        assert_eq!(last.offers[WAITING.offer].owner, Name::Hana);
        // The pictures of the dispute show 86.56 EUR.
        assert_eq!((last.offers[DISPUTED.offer].owner, &*last.offers[DISPUTED.offer].price), (Name::Dalia, "1.0820"));
        assert_eq!(DISPUTED.quantity, 80);
        let confirmed = |name| {
            rounds.windows(2).filter(|pair| pair[1].at > end() - Duration::days(29)).fold(0, |count, pair| {
                let of = |deal: &&Deal| {
                    let offer = &pair[0].offers[deal.offer];
                    let sells = offer.side == Side::Sell && !offer.automatic;
                    offer.owner == name && sells && deal.ending.is_trade()
                };
                count + pair[1].deals.iter().filter(of).count()
            })
        };
        assert!(confirmed(Name::Hana) >= 10 && confirmed(Name::Chen) >= 5);
    }
}
