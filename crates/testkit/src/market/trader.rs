//! People who act: each act is one command under a key of its own.

use std::collections::BTreeMap;

use app::balance::{self, Holding, Requested};
use app::idempotency::IdempotencyKey;
use app::trading::{self, Actor, AdvertView, Command, CommandKind, OrderView, PlaceOrder, PostAdvert, Size};
use domain::adverts;
use domain::assets::{AssetId, PairId};
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, IdSource, OrderId, PaymentMethodId, UserId};
use domain::money::Amount;
use domain::orders;
use domain::payment_methods::PaymentMethod;
use domain::people::Person;
use domain::refusal::Refusal;
use domain::trade::Side;

use super::{Market, Reply, krw, mec, price, usdt};
use crate::{Ids, noon, people};

/// Somebody who trades.
#[derive(Clone)]
pub struct Trader {
    /// Where.
    pub market: Market,
    /// Who, as they were when they joined.
    pub person: Person,
    /// Their bank account in KRW.
    pub account: PaymentMethodId,
}

/// An advert to be posted: what it is about. The rest is what most people would choose.
#[derive(Debug, Clone)]
pub struct Offer(pub PostAdvert);

impl Offer {
    fn new(pair: PairId, side: Side, quantity: Amount, price_of_one: &str, limits: (Amount, Amount)) -> Self {
        Self(PostAdvert {
            pair,
            side,
            automatic: false,
            quantity,
            price: price(price_of_one),
            min_total: limits.0,
            max_total: limits.1,
            methods: Vec::new(),
            remark: None,
            payment_minutes: None,
        })
    }

    /// The system accepts, pays and confirms.
    #[must_use]
    pub fn automatic(mut self) -> Self {
        self.0.automatic = true;
        self
    }
}

/// An error as the refusal that it should be; a defect ends the test.
pub(super) fn refusal<T>(result: app::Result<T>) -> Result<T, Refusal> {
    match result {
        Ok(value) => Ok(value),
        Err(app::Error::Refused(refusal)) => Err(refusal),
        Err(error) => panic!("{error}"),
    }
}

impl Trader {
    pub(super) async fn join(market: &Market, index: u64) -> Self {
        let person = people::trader(index);
        people::join(&market.database.store, &person).await;
        let account = PaymentMethodId(Ids.fresh(noon()));
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&index.to_be_bytes());
        let text = |name: &str, value: String| (name.to_owned(), value);
        let method = PaymentMethod {
            id: account,
            user: person.id,
            kind: "bankCard".to_owned(),
            currency: "KRW".to_owned(),
            fields: BTreeMap::from([
                text("name", format!("Person {index}")),
                text("account", format!("1234567890{index}")),
                text("bankName", "Bank".to_owned()),
            ]),
            digest,
            version: 1,
        };
        let mut tx = market.database.store.begin().await.expect("a transaction");
        store::payment_methods::insert(&mut tx, &method, noon()).await.expect("a payment method");
        tx.commit().await.expect("a commit");
        Self { market: market.clone(), person, account }
    }

    /// Who.
    pub fn id(&self) -> UserId {
        self.person.id
    }

    /// A command of this person under a given key.
    pub fn command(&self, key: &str, what: CommandKind) -> Command {
        Command { actor: Actor::Person { user: self.id(), key: idempotency_key(key, &what) }, what }
    }

    /// A command of this person under a key of its own.
    pub fn wants(&self, what: CommandKind) -> Command {
        self.command(&Ids.fresh(noon()).to_string(), what)
    }

    /// Asks.
    pub async fn asks(&self, what: CommandKind) -> Reply {
        self.sends(self.wants(what)).await
    }

    /// Asks under a given key.
    pub async fn asks_under(&self, key: &str, what: CommandKind) -> Reply {
        self.sends(self.command(key, what)).await
    }

    async fn sends(&self, command: Command) -> Reply {
        self.market.execute(&[command]).await.pop().expect("a reply")
    }

    /// Sells MEC for KRW through the bank account.
    pub fn mec_for_krw(&self, quantity: &str, price: &str) -> Offer {
        let mut offer =
            Offer::new(self.market.mec_krw, Side::Sell, mec(quantity), price, (krw("100"), krw("1000000000")));
        offer.0.methods = vec![self.account];
        offer
    }

    /// Sells USDT for KRW through the bank account.
    pub fn usdt_for_krw(&self, quantity: &str, price: &str) -> Offer {
        let mut offer =
            Offer::new(self.market.usdt_krw, Side::Sell, usdt(quantity), price, (krw("100"), krw("1000000000")));
        offer.0.methods = vec![self.account];
        offer
    }

    /// Sells MEC for USDT to the receiving address.
    pub fn mec_for_usdt(&self, quantity: &str, price: &str) -> Offer {
        Offer::new(self.market.mec_usdt, Side::Sell, mec(quantity), price, (usdt("1"), usdt("1000000")))
    }

    /// Posts an advert.
    pub async fn posts(&self, offer: Offer) -> Result<AdvertId, Refusal> {
        self.asks(CommandKind::PostAdvert(offer.0)).await.map(|answer| AdvertId(answer.id.expect("an advert")))
    }

    /// The order that this person would place, at the advert's price.
    pub async fn order_for(&self, advert: AdvertId, quantity: Amount) -> PlaceOrder {
        let price = self.market.advert(advert).await.terms.price;
        PlaceOrder { advert, size: Size::Quantity(quantity), price, method: None }
    }

    /// Orders so much MEC from an advert, at its price.
    pub async fn orders(&self, advert: AdvertId, quantity: &str) -> Result<OrderId, Refusal> {
        let order = self.order_for(advert, mec(quantity)).await;
        self.asks(CommandKind::PlaceOrder(order)).await.map(|answer| OrderId(answer.id.expect("an order")))
    }

    /// Does something to an order as it stands now, with the security password.
    pub async fn does(&self, order: OrderId, act: orders::OrderCommand) -> Reply {
        let seen = self.market.order(order).await.version;
        self.does_having_seen(order, seen, act).await
    }

    /// Does something to an order as it stood at a version.
    pub async fn does_having_seen(&self, id: OrderId, seen: i64, act: orders::OrderCommand) -> Reply {
        self.asks(CommandKind::Order { id, seen, act, password_verified: true }).await
    }

    /// Accepts an order.
    pub async fn accepts(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Accept).await
    }

    /// Rejects an order.
    pub async fn rejects(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Reject).await
    }

    /// Cancels an order.
    pub async fn cancels(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Cancel).await
    }

    /// Asks the other side to agree to a cancellation.
    pub async fn asks_to_cancel(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::AskCancel).await
    }

    /// Agrees to a cancellation.
    pub async fn agrees_to_cancel(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::AgreeCancel).await
    }

    /// Says that the payment was made.
    pub async fn marks_paid(&self, order: OrderId) -> Reply {
        self.does(order, paid()).await
    }

    /// Confirms that the payment has come.
    pub async fn confirms(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Confirm).await
    }

    /// Asks to hurry a release that left the chain.
    pub async fn recovers(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Recover).await
    }

    /// Does something to an advert as it stands now.
    pub async fn manages(&self, id: AdvertId, act: adverts::AdvertCommand) -> Reply {
        let seen = self.market.advert(id).await.version;
        self.asks(CommandKind::Advert { id, seen, act }).await
    }

    /// Cancels or revokes an advert.
    pub async fn ends(&self, advert: AdvertId) -> Reply {
        self.manages(advert, adverts::AdvertCommand::Cancel).await
    }

    /// Takes one advert online or offline.
    pub async fn takes(&self, advert: AdvertId, online: bool) -> Reply {
        self.manages(advert, adverts::AdvertCommand::Switch { online }).await
    }

    /// Turns the person's own switch.
    pub async fn switches(&self, online: bool) -> Reply {
        self.asks(CommandKind::Switch { online }).await
    }

    /// Takes all temporary balance of a coin out.
    pub async fn withdraws(&self, asset: AssetId) -> Result<Requested, Refusal> {
        self.withdraws_under(&Ids.fresh(noon()).to_string(), asset).await
    }

    /// The same under a given key.
    pub async fn withdraws_under(&self, key: &str, asset: AssetId) -> Result<Requested, Refusal> {
        let key = idempotency_key(key, &asset);
        refusal(balance::withdraw(&self.market.context, &key, self.id(), asset).await)
    }

    /// Gives temporary balance to what waits for coins.
    pub async fn offers(&self, target: FundingTarget, amount: Amount) -> Reply {
        self.asks(CommandKind::FundFromBalance { target, amount }).await
    }

    /// What the person holds of a coin.
    pub async fn holds(&self, asset: AssetId) -> Holding {
        let holdings = balance::holdings(&self.market.context, self.id()).await.expect("holdings");
        holdings.into_iter().find(|holding| holding.asset.id == asset).expect("a coin")
    }

    /// What the person holds free of a coin.
    pub async fn has_free(&self, asset: AssetId) -> Amount {
        self.holds(asset).await.temporary
    }

    /// An order as the person sees it.
    pub async fn sees(&self, order: OrderId) -> Result<OrderView, Refusal> {
        refusal(trading::order(&self.market.context, self.id(), order).await)
    }

    /// An advert as the person sees it.
    pub async fn sees_advert(&self, advert: AdvertId) -> Result<AdvertView, Refusal> {
        refusal(trading::advert(&self.market.context, self.id(), advert).await)
    }

    /// Everything that the person was told, in order.
    pub async fn was_told(&self) -> Vec<String> {
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        let events = store::outbox::since(&mut tx, self.id(), 0, 10_000).await.expect("events");
        let numbers: Vec<_> = events.iter().map(|event| event.number).collect();
        let expected: Vec<_> = (1..).take(events.len()).collect();
        assert_eq!(numbers, expected, "a person's news are numbered without gaps");
        let notice = |body: &serde_json::Value| body.get("notice").and_then(|n| n.as_str()).unwrap_or("?").to_owned();
        events.iter().filter(|event| event.kind != "OTC_VOICE").map(|event| notice(&event.body)).collect()
    }

    /// The person's credit.
    pub async fn reputation(&self) -> i32 {
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        store::people::read(&mut tx, &[self.id()]).await.expect("the person")[0].reputation
    }
}

/// What a buyer says who paid.
pub fn paid() -> orders::OrderCommand {
    orders::OrderCommand::MarkPaid { method: None, reference: Some("R-1".to_owned()), hash: None, receipts: Vec::new() }
}

/// A key whose request hash tells requests apart, as the API's does.
fn idempotency_key(key: &str, request: &impl std::fmt::Debug) -> IdempotencyKey {
    let request_hash = IdempotencyKey::derived(&[&format!("{request:?}")]).request_hash;
    IdempotencyKey { key: key.to_owned(), request_hash }
}
