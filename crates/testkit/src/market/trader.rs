//! The actions of users. Each action sends one command, with a new idempotency key unless the test provides one.

use app::adverts::AdvertView;
use app::commands::{Actor, Command, CommandKind};
use app::engine::idempotency::IdempotencyKey;
use app::orders::{OrderView, PlaceOrder, Size};
use app::wallet::balance::{Line, balance};
use app::wallet::withdrawals::withdraw;
use domain::adverts;
use domain::assets::{AssetId, PairId};
use domain::chain::Address;
use domain::checks::AdvertRequest;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, IdSource, OrderId, PaymentMethodId, PayoutId, UserId};
use domain::money::Amount;
use domain::orders;
use domain::refusal::Refusal;
use domain::trade::Side;
use domain::users::User;

use super::{Market, Reply, krw, mec, price, usdt};
use crate::{Ids, noon, users};

#[derive(Clone)]
pub struct Trader {
    pub market: Market,
    /// The user as created; later changes are not reflected.
    pub user: User,
    /// The user's bank account in KRW.
    pub account: PaymentMethodId,
}

/// An advert to be posted, with default values for what a test does not set.
#[derive(Debug, Clone)]
pub struct Offer(pub AdvertRequest);

impl Offer {
    fn new(pair: PairId, side: Side, quantity: Amount, price_of_one: &str, limits: (Amount, Amount)) -> Self {
        Self(AdvertRequest::new(pair, side, price(price_of_one), quantity, limits))
    }

    /// Lets the advertiser buy.
    #[must_use]
    pub fn buying(mut self) -> Self {
        self.0.side = Side::Buy;
        self
    }

    /// Makes the advert automatic.
    #[must_use]
    pub fn automatic(mut self) -> Self {
        self.0.automatic = true;
        self
    }
}

/// Returns the refusal; panics on any other error.
pub(super) fn refusal<T>(result: app::Result<T>) -> Result<T, Refusal> {
    match result {
        Ok(value) => Ok(value),
        Err(app::Error::Refused(refusal)) => Err(refusal),
        Err(error) => panic!("{error}"),
    }
}

impl Trader {
    pub(super) async fn join(market: &Market, index: u64, ids: &dyn IdSource) -> Self {
        let user = User { id: UserId(ids.fresh(noon())), ..users::trader(index) };
        users::join(&market.database.store, &user).await;
        let account = PaymentMethodId(ids.fresh(noon()));
        let method = users::bank_account(account, user.id, index);
        let mut tx = market.database.store.begin().await.expect("a transaction");
        store::payment_methods::insert(&mut tx, &method, noon()).await.expect("a payment method");
        tx.commit().await.expect("a commit");
        Self { market: market.clone(), user, account }
    }

    /// Gives the user the vault at another address, such as one from which an Escrow pays.
    pub async fn with_vault(mut self, vault: Address) -> Self {
        self.user.vault = vault;
        let update =
            format!("update users set vault_address = decode(substr('{vault}', 3), 'hex') where id = '{}'", self.id());
        self.market.sql(&update).await;
        self
    }

    pub fn id(&self) -> UserId {
        self.user.id
    }

    pub fn command(&self, key: &str, what: CommandKind) -> Command {
        Command { actor: Actor::User { user: self.id(), key: idempotency_key(key, &what) }, what }
    }

    pub fn wants(&self, what: CommandKind) -> Command {
        self.command(&Ids.fresh(noon()).to_string(), what)
    }

    pub async fn asks(&self, what: CommandKind) -> Reply {
        self.sends(self.wants(what)).await
    }

    pub async fn asks_under(&self, key: &str, what: CommandKind) -> Reply {
        self.sends(self.command(key, what)).await
    }

    async fn sends(&self, command: Command) -> Reply {
        self.market.execute(&[command]).await.pop().expect("a reply")
    }

    /// Sells MEC for KRW, paid to the bank account.
    pub fn mec_for_krw(&self, quantity: &str, price: &str) -> Offer {
        let mut offer =
            Offer::new(self.market.mec_krw, Side::Sell, mec(quantity), price, (krw("100"), krw("1000000000")));
        offer.0.methods = vec![self.account];
        offer
    }

    /// Sells USDT for KRW, paid to the bank account.
    pub fn usdt_for_krw(&self, quantity: &str, price: &str) -> Offer {
        let mut offer =
            Offer::new(self.market.usdt_krw, Side::Sell, usdt(quantity), price, (krw("100"), krw("1000000000")));
        offer.0.methods = vec![self.account];
        offer
    }

    /// Sells MEC for USDT, paid to the receiving address.
    pub fn mec_for_usdt(&self, quantity: &str, price: &str) -> Offer {
        Offer::new(self.market.mec_usdt, Side::Sell, mec(quantity), price, (usdt("1"), usdt("1000000")))
    }

    pub async fn posts(&self, offer: Offer) -> Result<AdvertId, Refusal> {
        self.asks(CommandKind::PostAdvert(offer.0)).await.map(|answer| AdvertId(answer.id.expect("an advert")))
    }

    /// Returns the order that this user would place, at the advert's price.
    pub async fn order_for(&self, advert: AdvertId, quantity: Amount) -> PlaceOrder {
        let price = self.market.advert(advert).await.terms.price;
        PlaceOrder { password_verified: true, ..PlaceOrder::new(advert, Size::Quantity(quantity), price) }
    }

    /// Places an order for a quantity of MEC, at the advert's price.
    pub async fn orders(&self, advert: AdvertId, quantity: &str) -> Result<OrderId, Refusal> {
        let order = self.order_for(advert, mec(quantity)).await;
        self.asks(CommandKind::PlaceOrder(order)).await.map(|answer| OrderId(answer.id.expect("an order")))
    }

    /// Sends a command for the current version of an order, with a verified security password.
    pub async fn does(&self, order: OrderId, act: orders::OrderCommand) -> Reply {
        let seen = self.market.order(order).await.version;
        self.does_having_seen(order, seen, act).await
    }

    /// Sends a command for the version of an order that the user has seen.
    pub async fn does_having_seen(&self, id: OrderId, seen: i64, act: orders::OrderCommand) -> Reply {
        self.asks(CommandKind::order(id, seen, act, orders::Proofs::ALL)).await
    }

    pub async fn accepts(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Accept).await
    }

    pub async fn rejects(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Reject { reason: None }).await
    }

    pub async fn cancels(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Cancel).await
    }

    pub async fn asks_to_cancel(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::AskCancel).await
    }

    pub async fn agrees_to_cancel(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::AgreeCancel).await
    }

    pub async fn marks_paid(&self, order: OrderId) -> Reply {
        self.does(order, paid()).await
    }

    pub async fn confirms(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Confirm).await
    }

    /// Asks to speed up a release that a reorganization removed.
    pub async fn recovers(&self, order: OrderId) -> Reply {
        self.does(order, orders::OrderCommand::Recover).await
    }

    /// Sends a command for the current version of an advert.
    pub async fn manages(&self, id: AdvertId, act: adverts::AdvertCommand) -> Reply {
        let seen = self.market.advert(id).await.version;
        self.asks(CommandKind::Advert { id, seen, act }).await
    }

    pub async fn ends(&self, advert: AdvertId) -> Reply {
        self.manages(advert, adverts::AdvertCommand::Cancel).await
    }

    pub async fn takes(&self, advert: AdvertId, online: bool) -> Reply {
        self.manages(advert, adverts::AdvertCommand::Switch { online }).await
    }

    /// Turns all of the user's adverts on or off.
    pub async fn switches(&self, online: bool) -> Reply {
        self.asks(CommandKind::Switch { online }).await
    }

    /// Withdraws the whole temporary balance of an asset.
    pub async fn withdraws(&self, asset: AssetId) -> Result<PayoutId, Refusal> {
        self.withdraws_under(&Ids.fresh(noon()).to_string(), asset).await
    }

    pub async fn withdraws_under(&self, key: &str, asset: AssetId) -> Result<PayoutId, Refusal> {
        let key = idempotency_key(key, &asset);
        refusal(withdraw(&self.market.context, &key, self.id(), asset).await)
    }

    /// Funds an advert or order from the temporary balance.
    pub async fn offers(&self, target: FundingTarget, amount: Amount) -> Reply {
        self.asks(CommandKind::FundFromBalance { target, amount }).await
    }

    pub async fn holds(&self, asset: AssetId) -> Line {
        let balance = balance(&self.market.context, self.id()).await.expect("a balance");
        balance.lines.into_iter().find(|line| line.asset.id == asset).expect("a coin")
    }

    /// Returns the user's temporary balance.
    pub async fn has_free(&self, asset: AssetId) -> Amount {
        self.holds(asset).await.temporary
    }

    pub async fn sees(&self, order: OrderId) -> Result<OrderView, Refusal> {
        refusal(app::orders::one(&self.market.context, self.id(), order).await)
    }

    pub async fn sees_advert(&self, advert: AdvertId) -> Result<AdvertView, Refusal> {
        refusal(app::adverts::one(&self.market.context, self.id(), advert).await)
    }

    /// Returns the notices that the user has received, in order.
    pub async fn was_told(&self) -> Vec<String> {
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        let events = store::outbox::since(&mut tx, self.id(), 0, 10_000).await.expect("events");
        let numbers: Vec<_> = events.iter().map(|event| event.number).collect();
        let expected: Vec<_> = (1..).take(events.len()).collect();
        assert_eq!(numbers, expected, "outbox events are numbered without gaps");
        let notice = |body: &serde_json::Value| body.get("notice").and_then(|n| n.as_str()).unwrap_or("?").to_owned();
        events.iter().filter(|event| event.kind != "OTC_VOICE").map(|event| notice(&event.body)).collect()
    }

    pub async fn reputation(&self) -> i32 {
        let mut tx = self.market.database.store.begin().await.expect("a transaction");
        store::users::read(&mut tx, &[self.id()]).await.expect("the user")[0].reputation
    }
}

/// Returns the command with which a buyer marks an order as paid.
pub fn paid() -> orders::OrderCommand {
    orders::OrderCommand::MarkPaid { method: None, reference: Some("R-1".to_owned()), hash: None, receipts: Vec::new() }
}

/// Builds an idempotency key with a hash of the request, like the API.
pub(super) fn idempotency_key(key: &str, request: &impl std::fmt::Debug) -> IdempotencyKey {
    let request_hash = IdempotencyKey::derived(&[&format!("{request:?}")]).request_hash;
    IdempotencyKey { key: key.to_owned(), request_hash }
}
