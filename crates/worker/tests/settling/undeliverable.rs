//! Recipients that reject the native coin, and pairs with a voided leg, on a real chain.

use chain::calls;
use chain::node::{At, Node};
use domain::chain::{Address, Reference, Token};
use domain::ids::OrderId;
use domain::money::Amount;
use domain::wallet::{Kind, State};
use serde_json::json;
use testkit::market::{CONFIRMATIONS, mec, minutes, usdt};
use worker::reconcile;

use crate::frozen::Stage;

impl Stage {
    /// Replaces the code at an address with code that reverts every call and so rejects the native coin.
    pub async fn refuses(&self, address: Address) {
        self.test_chain.anvil.raw("anvil_setCode", json!([address.to_string(), "0x60006000fd"])).await;
    }

    /// Sends the owed legs and finalizes the result.
    pub async fn round(&self) {
        self.settles().await;
        self.test_chain.anvil.mine(CONFIRMATIONS).await;
        self.settles().await;
    }

    /// Runs rounds with backoff until all owed legs are settled. Returns the number of rounds.
    pub async fn insists(&self) -> i64 {
        let owed = "select count(*) from payout_legs where state = 'owed'";
        let mut rounds = 0;
        while self.market.count(owed).await > 0 {
            self.round().await;
            assert!(rounds < 20, "a leg is never settled");
            self.market.waits(minutes((1 << rounds).min(60))).await;
            rounds += 1;
        }
        rounds
    }

    pub async fn held(&self, token: Token, holder: Address) -> Amount {
        let held = self.test_chain.anvil.node.holding(token, holder, At::Latest).await.unwrap();
        Amount::new(i128::try_from(held).unwrap()).unwrap()
    }

    /// Asserts that the chain and the ledger agree, without a surplus in a vault, and that no payouts are stopped.
    pub async fn is_sound(&self) {
        self.market.is_sound().await;
        reconcile::step(&self.worker).await.unwrap();
        self.market.is_sound().await;
        assert_eq!(self.market.count("select count(*) from payout_stops").await, 0);
        assert_eq!(self.market.count("select count(*) from deposits where position is null").await, 0, "a surplus");
    }

    /// Creates an order in which Ben has paid for 4 of Anna's 10 MEC and Anna has confirmed the payment.
    async fn releasing(&self) -> (domain::ids::AdvertId, OrderId) {
        let advert = self.anna.posts(self.anna.mec_for_krw("10", "1000")).await.unwrap();
        self.brings("10").await;
        let order = self.ben.orders(advert, "4").await.unwrap();
        self.anna.accepts(order).await.unwrap();
        self.ben.marks_paid(order).await.unwrap();
        self.anna.confirms(order).await.unwrap();
        (advert, order)
    }

    /// Creates an automatic order in which Anna sells 4 MEC for 10 USDT and Ben's payment has arrived.
    async fn releasing_pair(&self) -> OrderId {
        let advert = self.anna.posts(self.anna.mec_for_usdt("10", "2.5").automatic()).await.unwrap();
        self.brings("10").await;
        let order = self.ben.orders(advert, "4").await.unwrap();
        self.test_chain.mint(self.ben.user.vault, usdt("10").units()).await;
        self.test_chain.anvil.mine(CONFIRMATIONS).await;
        while worker::watch::step(&self.worker).await.unwrap() == worker::Next::Immediately {}
        assert_eq!(self.market.state(order).await, "RELEASING");
        order
    }

    pub fn receiving(&self) -> Address {
        self.anna.user.receiving.clone().unwrap().address.parse().unwrap()
    }

    async fn voids(&self, reference: u64) {
        let call = calls::void_reference(self.test_chain.deployment.escrow, Reference(reference));
        assert!(self.test_chain.as_admin(&call).await.succeeded);
    }
}

#[tokio::test]
async fn a_release_that_the_buyers_contract_rejects_becomes_temporary_balance() {
    let stage = Stage::set().await;
    let (anna, ben, market) = (&stage.anna, &stage.ben, &stage.market);
    let (advert, order) = stage.releasing().await;
    let bound = ben.user.bound.unwrap();
    stage.refuses(bound).await;
    anna.ends(advert).await.unwrap();
    for _ in 0..5 {
        stage.round().await;
        market.waits(minutes(10)).await;
    }
    assert_eq!(market.state(order).await, "RELEASING", "not within the hour");
    assert_eq!(market.advert_state(advert).await, "REVOKING");
    assert!(stage.insists().await > 1);

    assert_eq!((market.state(order).await, market.advert_state(advert).await), ("COMPLETED", "CANCELLED"));
    assert_eq!((stage.held(Token::Native, bound).await, ben.has_free(market.mec).await), (mec("0"), mec("3.996")));
    assert_eq!(stage.held(Token::Native, ben.user.vault).await, mec("3.996"));
    assert_eq!(stage.held(Token::Native, anna.user.bound.unwrap()).await, mec("5.999"), "the rest is returned");
    assert_eq!(market.count("select count(*) from payout_legs where redirected_at is not null").await, 1);
    assert_eq!(market.count("select count(distinct reference) from settlements where outcome = 'paid'").await, 2);
    assert!(ben.was_told().await.contains(&"PAYOUT_REDIRECTED".to_owned()));
    stage.is_sound().await;
    assert_eq!(ben.has_free(market.mec).await, mec("3.996"), "counted once");

    let shown = app::wallet::records::page(&market.context, ben.id(), None, None, 0, 10).await.unwrap().0;
    let told: Vec<_> = shown.iter().map(|one| (one.record.kind, one.redirected)).collect();
    assert_eq!(told.len(), 2);
    assert!(told.contains(&(Kind::Release, true)) && told.contains(&(Kind::Deposit, false)), "{told:?}");
    let (given, _) = app::wallet::records::page(&market.context, anna.id(), None, None, 0, 10).await.unwrap();
    assert!(given.iter().all(|one| !one.redirected), "the seller does not see the buyer's redirected payout");

    // No other user has to wait. A withdrawal that Ben's contract rejects stays in his balance.
    stage.brings("2").await;
    anna.withdraws(market.mec).await.unwrap();
    ben.withdraws(market.mec).await.unwrap();
    stage.insists().await;
    assert_eq!(stage.held(Token::Native, anna.user.bound.unwrap()).await, mec("7.998"));
    assert_eq!(ben.has_free(market.mec).await, mec("3.995"), "the gas is spent");
    assert_eq!(market.count("select count(*) from payout_legs where state = 'voided'").await, 1);
    let (records, _) =
        app::wallet::records::page(&market.context, ben.id(), Some(Kind::Withdrawal), None, 0, 10).await.unwrap();
    assert_eq!(records[0].record.state, State::Failed);
    stage.is_sound().await;
}

#[tokio::test]
async fn a_release_that_an_officer_voids_returns_to_the_order() {
    let stage = Stage::set().await;
    let (ben, market) = (&stage.ben, &stage.market);
    let (_, order) = stage.releasing().await;
    stage.refuses(ben.user.bound.unwrap()).await;
    stage.round().await;
    assert_eq!(market.count("select count(*) from payout_legs where state = 'owed'").await, 1, "not voided by itself");
    let mut tx = market.database.store.begin().await.unwrap();
    let now = market.context.now().await.unwrap();
    store::payouts::void_if_refused(&mut tx, Reference(1), now).await.unwrap();
    tx.commit().await.unwrap();
    stage.round().await;
    assert_eq!(market.count("select count(*) from payout_legs where state = 'voided'").await, 1);
    assert!(market.order(order).await.progress.voided.is_some(), "an officer decides");
    assert_eq!(stage.held(Token::Native, ben.user.bound.unwrap()).await, mec("0"));
    stage.is_sound().await;
}

#[tokio::test]
async fn a_pair_with_one_rejecting_recipient_is_paid_together() {
    let stage = Stage::set().await;
    let (ben, market) = (&stage.ben, &stage.market);
    let order = stage.releasing_pair().await;
    stage.refuses(ben.user.bound.unwrap()).await;
    for _ in 0..3 {
        stage.round().await;
        assert_eq!(stage.held(Token::Erc20(stage.test_chain.usdt), stage.receiving()).await, usdt("0"), "neither");
        market.waits(minutes(10)).await;
    }
    stage.insists().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(
        stage.held(Token::Erc20(stage.test_chain.usdt), stage.receiving()).await,
        usdt("10"),
        "paid to the receiving address"
    );
    assert_eq!(ben.has_free(market.mec).await, mec("3.996"));
    let paid = "select count(distinct tx_hash) from settlements where outcome = 'paid'";
    assert_eq!(market.count(paid).await, 1, "together");
    stage.is_sound().await;
}

#[tokio::test]
async fn a_return_that_the_owners_contract_rejects_becomes_temporary_balance() {
    let stage = Stage::set().await;
    let (anna, market) = (&stage.anna, &stage.market);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    stage.brings("10").await;
    stage.refuses(anna.user.bound.unwrap()).await;
    anna.ends(advert).await.unwrap();
    stage.insists().await;
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(anna.has_free(market.mec).await, mec("9.999"), "minus the gas");
    assert_eq!(stage.held(Token::Native, anna.user.vault).await, mec("10"), "the coins have not moved");
    stage.is_sound().await;
    // After a reorganization, the Escrow pays the same reference again, once.
    stage.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
    stage.insists().await;
    stage.round().await;
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(anna.has_free(market.mec).await, mec("9.999"));
    stage.is_sound().await;
}

/// Voids the two references of a pair one after the other. Checks that neither leg is paid and that both return their
/// coins.
async fn a_pair_is_voided(first: u64, second: u64) {
    let stage = Stage::set().await;
    let market = &stage.market;
    let order = stage.releasing_pair().await;
    let terms = market.order(order).await.terms;
    stage.voids(first).await;
    for _ in 0..3 {
        stage.round().await;
        market.waits(minutes(60)).await;
    }
    let unpaid = async || {
        let usdt_paid = stage.held(Token::Erc20(stage.test_chain.usdt), stage.receiving()).await;
        (usdt_paid, stage.held(Token::Native, stage.ben.user.bound.unwrap()).await)
    };
    assert_eq!(unpaid().await, (usdt("0"), mec("0")), "one leg of a pair is never paid alone");
    assert_eq!(market.count("select count(*) from payout_legs where state = 'owed'").await, 1);
    assert_eq!(market.state(order).await, "RELEASING");
    market.is_sound().await;
    stage.voids(second).await;
    for _ in 0..2 {
        stage.round().await;
        market.waits(minutes(60)).await;
    }
    assert_eq!(unpaid().await, (usdt("0"), mec("0")));
    assert_eq!(market.count("select count(*) from payout_legs where state = 'voided'").await, 2);
    let base = terms.vault_asset(domain::trade::Leg::Base).order(order);
    let quote = terms.vault_asset(domain::trade::Leg::Quote).order(order);
    assert_eq!((market.balance(base).await, market.balance(quote).await), (mec("3.996"), usdt("10")));
    assert!(market.order(order).await.progress.voided.is_some(), "an officer decides");
    stage.is_sound().await;
}

#[tokio::test]
async fn a_pair_whose_first_leg_was_voided_is_not_paid() {
    Box::pin(a_pair_is_voided(1, 2)).await;
}

#[tokio::test]
async fn a_pair_whose_second_leg_was_voided_is_not_paid() {
    Box::pin(a_pair_is_voided(2, 1)).await;
}
