//! Plays the rounds of the script. Every step is a command of the product, and every coin moves on the chain.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use app::commands::{self, Actor, Command, CommandKind};
use app::engine::idempotency::{IdempotencyKey, Response};
use app::market;
use app::orders::{PlaceOrder, Size};
use app::talk::{KEPT_OPEN, Outgoing, Talk};
use chrono::Duration;
use domain::adverts::{self, Options};
use domain::assets::{Asset, Home, Pair};
use domain::chain::Token;
use domain::checks::AdvertRequest;
use domain::clock::{Timestamp, after};
use domain::ids::{AdvertId, OrderId};
use domain::money::{Amount, Price};
use domain::orders;
use domain::trade::{Leg, Payment, Side};

use super::accounts::Trader;
use super::people::Name;
use super::script::{Deal, Ending, Offer, Round};
use super::stage::Stage;

/// The excess that an overpaying buyer sends, in whole units.
const TOO_MUCH: &str = "5";

/// The users of the demo world and the environment they act in.
pub(super) struct Actors {
    pub(super) stage: Stage,
    traders: BTreeMap<Name, Trader>,
    pairs: Vec<Pair>,
    /// The number of commands sent so far, which makes their idempotency keys unique.
    sent: u64,
}

/// An offer and the advert posted for it.
#[derive(Debug, Clone)]
pub(super) struct Posted {
    offer: Offer,
    advert: AdvertId,
}

/// An order that is being played.
pub(super) struct Running {
    pub(super) deal: Deal,
    owner: Name,
    side: Side,
    automatic: bool,
    pub(super) id: OrderId,
    version: i64,
}

impl Running {
    /// Returns the order on the only unit of an advert that sells.
    pub(super) fn of_sale(owner: Name, automatic: bool, taker: Name, placed: &Response) -> anyhow::Result<Self> {
        let deal = Deal { offer: 0, taker, quantity: 1, ending: Ending::Completed };
        let id = OrderId(placed.id.context("no order ID returned")?);
        Ok(Self { deal, owner, side: Side::Sell, automatic, id, version: placed.version })
    }

    pub(super) fn seller(&self) -> Name {
        if self.side == Side::Sell { self.owner } else { self.deal.taker }
    }

    fn buyer(&self) -> Name {
        if self.side == Side::Sell { self.deal.taker } else { self.owner }
    }
}

impl Actors {
    /// Puts everybody online.
    pub(super) async fn gather(stage: Stage, traders: BTreeMap<Name, Trader>) -> anyhow::Result<Self> {
        let catalog = market::catalog(&stage.context).await?;
        let pairs = catalog.pairs.into_iter().map(|terms| terms.pair).collect();
        let everybody: Vec<_> = traders.keys().copied().collect();
        let mut actors = Self { stage, traders, pairs, sent: 0 };
        let wishes = everybody.into_iter().map(|name| (name, CommandKind::Switch { online: true })).collect();
        actors.ask(wishes).await?;
        Ok(actors)
    }

    /// Plays one round: takes the offers of the previous round and posts new ones.
    pub(super) async fn play(&mut self, round: &Round, open: &[Posted]) -> anyhow::Result<Vec<Posted>> {
        let minute = |count| after(round.at, Duration::minutes(count));
        let confirming = round.patience.saturating_add(9);
        self.stage.at(round.at).await?;
        let posted = self.post(&round.offers).await?;
        if let Some(name) = round.withdraws {
            self.withdraw(name).await?;
        }

        self.stage.at(minute(2)).await?;
        let mut running = self.order(&round.deals, open).await?;
        self.stage.at(minute(4)).await?;
        self.answer(&mut running).await?;
        self.deposit(&mut running, minute(6)).await?;
        self.stage.at(minute(9)).await?;
        self.pay(&mut running).await?;
        if running.iter().any(|order| order.automatic) {
            self.stage.at(minute(10)).await?;
            self.stage.settle().await?;
        }
        self.stage.at(minute(confirming)).await?;
        self.confirm(&mut running).await?;
        let taken_down = self.take_down(&round.deals, open).await?;
        self.stage.settle().await?;
        if taken_down {
            // The remaining escrow is returned once the last release is final.
            self.stage.at(minute(confirming.saturating_add(2))).await?;
            self.stage.settle().await?;
        }
        Ok(posted)
    }

    /// Places and pays one more order and leaves it for the seller to confirm. The parties talk, and the buyer's last message
    /// is unread.
    pub(super) async fn leave_waiting(
        &mut self,
        deal: &Deal,
        open: &[Posted],
        paid_at: Timestamp,
    ) -> anyhow::Result<()> {
        let before = |minutes| after(paid_at, Duration::minutes(minutes));
        self.stage.at(before(-6)).await?;
        let mut running = self.order(std::slice::from_ref(deal), open).await?;
        self.stage.at(before(-4)).await?;
        self.answer(&mut running).await?;
        let Some(order) = running.first() else { bail!("no order was placed") };
        let (id, seller) = (order.id, order.seller());
        self.stage.at(before(-3)).await?;
        self.say(deal.taker, id, "Hello! I’m transferring the money now.").await?;
        self.stage.at(before(-2)).await?;
        self.say(seller, id, "Hello! Please pay from your own account.").await?;
        self.stage.at(paid_at).await?;
        self.pay(&mut running).await?;
        self.say(deal.taker, id, "I’ve paid. Please check.").await
    }

    /// Sends a message in the conversation of an order.
    pub(super) async fn say(&mut self, name: Name, order: OrderId, text: &str) -> anyhow::Result<()> {
        let key = IdempotencyKey::derived(&["demo", &self.next().to_string()]);
        let message = Outgoing { text: text.to_owned(), files: Vec::new(), despite_warnings: false };
        let talk = Talk::new(self.stage.context.clone(), KEPT_OPEN);
        talk.send(&key, self.trader(name)?.user, order, &message).await?;
        Ok(())
    }

    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the number of the next command.
    pub(super) fn next(&mut self) -> u64 {
        self.sent = self.sent.saturating_add(1);
        self.sent
    }

    pub(super) fn trader(&self, name: Name) -> anyhow::Result<&Trader> {
        self.traders.get(&name).with_context(|| format!("{name:?} has no account"))
    }

    fn pair(&self, base: &str, quote: &str) -> anyhow::Result<&Pair> {
        let named = |pair: &&Pair| pair.base.code == base && pair.quote.code == quote;
        self.pairs.iter().find(named).with_context(|| format!("{base} is not traded for {quote}"))
    }

    /// Executes commands. In the demo world, no command may be refused.
    pub(super) async fn ask(&mut self, wishes: Vec<(Name, CommandKind)>) -> anyhow::Result<Vec<Response>> {
        let mut set = Vec::new();
        for (name, what) in wishes {
            let key = IdempotencyKey::derived(&["demo", &self.next().to_string()]);
            let actor = Actor::User { user: self.trader(name)?.user, key };
            set.push(Command { actor, what });
        }
        if set.is_empty() {
            return Ok(Vec::new());
        }
        let replies = commands::execute(&self.stage.context, &set).await;
        let mut answers = Vec::with_capacity(replies.len());
        for (reply, command) in replies.into_iter().zip(&set) {
            match reply {
                Ok(answer) => answers.push(answer),
                Err(error) => bail!("{:?} failed: {error}", command.what),
            }
        }
        Ok(answers)
    }

    /// Posts adverts and sends their deposits.
    async fn post(&mut self, offers: &[Offer]) -> anyhow::Result<Vec<Posted>> {
        let wishes = offers.iter().map(|offer| Ok((offer.owner, CommandKind::PostAdvert(self.advert(offer)?))));
        let wishes: Vec<_> = wishes.collect::<anyhow::Result<_>>()?;
        let answers = self.ask(wishes).await?;
        let mut posted = Vec::with_capacity(offers.len());
        for (offer, answer) in offers.iter().zip(answers) {
            let advert = AdvertId(answer.id.context("no advert ID returned")?);
            posted.push(Posted { offer: offer.clone(), advert });
            let pair = self.pair(offer.base, offer.quote)?;
            let owner = self.trader(offer.owner)?;
            let quantity = Amount::parse(&offer.quantity.to_string(), pair.base.decimals)?;
            let (asset, amount) = match offer.side.advertiser().deposits(offer.automatic) {
                Some(Leg::Base) => (&pair.base, quantity),
                Some(Leg::Quote) => (&pair.quote, pair.total(quantity, Price::parse(&offer.price)?)?),
                None => continue,
            };
            self.stage.send(token(asset)?, owner.account, owner.vault, amount).await?;
        }
        Ok(posted)
    }

    fn advert(&self, offer: &Offer) -> anyhow::Result<AdvertRequest> {
        let pair = self.pair(offer.base, offer.quote)?;
        let quantity = Amount::parse(&offer.quantity.to_string(), pair.base.decimals)?;
        let price = Price::parse(&offer.price)?;
        let of_currency = |(currency, id): &(&str, _)| (*currency == offer.quote).then_some(*id);
        let min_total = Amount::parse(&offer.least.to_string(), pair.quote.decimals)?;
        // The whole quantity in one order, if the pair allows it.
        let max_total = pair.total(quantity, price)?.min(pair.max_total);
        Ok(AdvertRequest {
            automatic: offer.automatic,
            methods: self.trader(offer.owner)?.methods.iter().filter_map(of_currency).collect(),
            options: Options::with_remark(offer.remark.map(str::to_owned)),
            ..AdvertRequest::new(pair.id, offer.side, price, quantity, (min_total, max_total))
        })
    }

    async fn withdraw(&mut self, name: Name) -> anyhow::Result<()> {
        let key = IdempotencyKey::derived(&["demo", &self.next().to_string()]);
        let (user, usdt) = (self.trader(name)?.user, self.pair("MEC", "USDT")?.quote.id);
        app::wallet::withdrawals::withdraw(&self.stage.context, &key, user, usdt)
            .await
            .map(drop)
            .context("cannot withdraw")
    }

    pub(super) async fn order(&mut self, deals: &[Deal], open: &[Posted]) -> anyhow::Result<Vec<Running>> {
        let mut wishes = Vec::new();
        let mut offers = Vec::new();
        for deal in deals {
            let Posted { offer, advert } = open.get(deal.offer).context("the deal's offer does not exist")?;
            let base = &self.pair(offer.base, offer.quote)?.base;
            let size = Size::Quantity(Amount::parse(&deal.quantity.to_string(), base.decimals)?);
            let order = PlaceOrder::new(*advert, size, Price::parse(&offer.price)?);
            wishes.push((deal.taker, CommandKind::PlaceOrder(order)));
            offers.push(offer);
        }
        let answers = self.ask(wishes).await?;
        let running = deals.iter().zip(offers).zip(answers).map(|((deal, offer), answer)| {
            let id = OrderId(answer.id.context("no order ID returned")?);
            let &Offer { owner, side, automatic, .. } = offer;
            Ok(Running { deal: deal.clone(), owner, side, automatic, id, version: answer.version })
        });
        running.collect()
    }

    /// Sends a command for each order for which `what` returns one.
    pub(super) async fn act(
        &mut self,
        running: &mut [Running],
        mut what: impl FnMut(&Running) -> Option<(Name, orders::OrderCommand)>,
    ) -> anyhow::Result<()> {
        let (mut touched, mut wishes) = (Vec::new(), Vec::new());
        for order in running {
            if let Some((name, act)) = what(order) {
                // This stands for a correct security password.
                wishes.push((name, CommandKind::order(order.id, order.version, act, orders::Proofs::ALL)));
                touched.push(order);
            }
        }
        for (order, answer) in touched.into_iter().zip(self.ask(wishes).await?) {
            order.version = answer.version;
        }
        Ok(())
    }

    /// Lets advertisers accept or reject their orders. Automatic orders are already accepted.
    pub(super) async fn answer(&mut self, running: &mut [Running]) -> anyhow::Result<()> {
        self.act(running, |order| match order.deal.ending {
            _ if order.automatic => None,
            Ending::Rejected => Some((order.owner, orders::OrderCommand::Reject { reason: None })),
            _ => Some((order.owner, orders::OrderCommand::Accept)),
        })
        .await
    }

    /// Lets those who sell into an advert deposit their coins.
    async fn deposit(&mut self, running: &mut [Running], at: Timestamp) -> anyhow::Result<()> {
        let terms = self.terms(running).await?;
        let mut sent = Vec::new();
        for order in running.iter_mut().filter(|order| order.side == Side::Buy) {
            let terms = terms.get(&order.id).context("the order does not exist")?;
            let seller = self.trader(order.deal.taker)?;
            let pair = self.pairs.iter().find(|pair| pair.id == terms.pair).context("the pair does not exist")?;
            self.stage.send(token(&pair.base)?, seller.account, seller.vault, terms.quantity).await?;
            sent.push(order);
        }
        if sent.is_empty() {
            return Ok(());
        }
        self.stage.at(at).await?;
        self.stage.settle().await?;
        let ids: Vec<_> = sent.iter().map(|order| order.id).collect();
        let mut tx = self.stage.context.store.begin().await?;
        let orders = store::orders::read(&mut tx, &ids).await?;
        tx.rollback().await?;
        for order in sent {
            let read = orders.iter().find(|read| read.id == order.id).context("the order does not exist")?;
            order.version = read.version;
        }
        Ok(())
    }

    /// Lets buyers pay and mark their orders as paid, or cancel. Sends payments in coins on the chain.
    pub(super) async fn pay(&mut self, running: &mut [Running]) -> anyhow::Result<()> {
        let terms = self.terms(running).await?;
        let mut hashes = BTreeMap::new();
        // The USDT of an automatic advert that buys is already in escrow.
        let swapped = |order: &&Running| order.automatic && order.side == Side::Buy;
        for order in running.iter().filter(|order| order.deal.ending.is_trade() && !swapped(order)) {
            let terms = terms.get(&order.id).context("the order does not exist")?;
            let buyer = self.trader(order.buyer())?;
            let to = match &terms.payment {
                Payment::Method(_) => continue,
                Payment::Transfer(receiving) => receiving.address.parse().context("invalid receiving address")?,
                Payment::Automatic { .. } => buyer.vault,
            };
            let quote = self.quote(terms)?;
            let amount = match order.deal.ending {
                Ending::Overpaid => terms.total.add(Amount::parse(TOO_MUCH, quote.decimals)?)?,
                _ => terms.total,
            };
            hashes.insert(order.id, self.stage.send(token(quote)?, buyer.account, to, amount).await?);
        }
        self.act(running, |order| match order.deal.ending {
            _ if order.automatic => None,
            Ending::Rejected => None,
            Ending::Cancelled => Some((order.deal.taker, orders::OrderCommand::Cancel)),
            Ending::Completed | Ending::Overpaid => {
                let hash = hashes.get(&order.id).map(ToString::to_string);
                let method = terms.get(&order.id).and_then(|terms| match &terms.payment {
                    Payment::Method(method) => Some(method.id),
                    _ => None,
                });
                let paid = orders::OrderCommand::MarkPaid { method, reference: None, hash, receipts: Vec::new() };
                Some((order.buyer(), paid))
            }
        })
        .await
    }

    pub(super) async fn confirm(&mut self, running: &mut [Running]) -> anyhow::Result<()> {
        self.act(running, |order| {
            (!order.automatic && order.deal.ending.is_trade())
                .then_some((order.seller(), orders::OrderCommand::Confirm))
        })
        .await
    }

    /// Revokes the adverts that have a remainder. Returns whether there were any.
    async fn take_down(&mut self, deals: &[Deal], open: &[Posted]) -> anyhow::Result<bool> {
        let mut left: Vec<_> = deals.iter().filter(|deal| !deal.ending.is_trade()).map(|deal| deal.offer).collect();
        left.dedup();
        let left: Vec<_> = left.into_iter().filter_map(|offer| open.get(offer)).collect();
        let ids: Vec<_> = left.iter().map(|posted| posted.advert).collect();
        let mut tx = self.stage.context.store.begin().await?;
        let adverts = store::adverts::read(&mut tx, &ids).await?;
        tx.rollback().await?;
        let mut wishes = Vec::new();
        for advert in adverts {
            let posted = left.iter().find(|posted| posted.advert == advert.id).context("the advert does not exist")?;
            let act = adverts::AdvertCommand::Cancel;
            wishes.push((posted.offer.owner, CommandKind::Advert { id: advert.id, seen: advert.version, act }));
        }
        Ok(!self.ask(wishes).await?.is_empty())
    }

    pub(super) async fn terms(&self, running: &[Running]) -> anyhow::Result<BTreeMap<OrderId, orders::Terms>> {
        let ids: Vec<_> = running.iter().map(|running| running.id).collect();
        let mut tx = self.stage.context.store.begin().await?;
        let orders = store::orders::read(&mut tx, &ids).await?;
        tx.rollback().await?;
        Ok(orders.into_iter().map(|order| (order.id, order.terms)).collect())
    }

    fn quote(&self, terms: &orders::Terms) -> anyhow::Result<&Asset> {
        let pair = self.pairs.iter().find(|pair| pair.id == terms.pair).context("the pair does not exist")?;
        Ok(&pair.quote)
    }
}

pub(super) fn token(asset: &Asset) -> anyhow::Result<Token> {
    match asset.home {
        Home::Chain { token, .. } => Ok(token),
        Home::Album { .. } | Home::Fiat => bail!("{} is no token of the chain", asset.code),
    }
}
