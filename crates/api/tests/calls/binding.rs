//! Changes of the bound address.

use chrono::Duration;
use domain::chain::Address;
use serde_json::{Value, json};
use testkit::market::mec;

use crate::stage::{Caller, Got, SECURITY, Stage, order_of};

const NOT_BOUND: &str = "1002";
const BOUND_ELSEWHERE: &str = "1008";
const BINDING_FAILED: &str = "1011";
const MISMATCH: &str = "1012";

fn elsewhere() -> Address {
    Address::from_slice(&[0xAB; 20]).unwrap()
}

impl Stage {
    /// Asks for a change and approves it through a pass that states this address.
    async fn ticket(&self, who: &Caller, change: &str, address: Address) -> Value {
        let challenge = self.get(who, &format!("/scan/proof?purpose={change}")).await.ok();
        self.approves_at(who, address, &challenge).await
    }

    async fn changes_binding(&self, who: &Caller, change: &str, ticket: &Value) -> Got {
        let body = json!({"passTicket": ticket, "securityCode": self.seal(who, SECURITY).await});
        self.post(who, &format!("/user/{change}"), &body).await
    }

    async fn binds(&self, who: &Caller, address: Address) -> Got {
        let ticket = self.ticket(who, "bind", address).await;
        self.changes_binding(who, "bind", &ticket).await
    }

    async fn unbinds(&self, who: &Caller) -> Got {
        let ticket = self.ticket(who, "unbind", who.trader.user.bound.unwrap()).await;
        self.changes_binding(who, "unbind", &ticket).await
    }

    async fn binding(&self, who: &Caller) -> Value {
        self.get(who, &format!("/user/isBind/{}", who.trader.id())).await.ok()
    }

    /// Checks that both changes are refused for these reasons, which the server also announces.
    async fn is_bound_by(&self, who: &Caller, obstacles: &[&str]) {
        assert_eq!(self.binding(who).await["obstacles"], json!(obstacles));
        let before = self.print().await;
        for got in [self.binds(who, elsewhere()).await, self.unbinds(who).await] {
            if obstacles.is_empty() {
                continue;
            }
            let refusal = got.refused(409, BINDING_FAILED);
            assert_eq!(refusal["obstacles"], json!(obstacles));
        }
        assert_eq!(self.print().await, before);
    }
}

#[tokio::test]
async fn a_user_moves_to_another_address_through_the_pass_and_is_held_for_a_day() {
    let stage = Stage::empty().await;
    let ben = &stage.ben;
    stage.protects(ben).await;
    let old = ben.trader.user.bound.unwrap();
    let info = stage.binds(ben, elsewhere()).await.ok();
    assert_eq!(info["boundAddress"].as_str().unwrap().to_lowercase(), elsewhere().to_string());
    assert_ne!(info["holdUntil"], Value::Null);
    // A second change during the hold needs the same proofs, and prolongs it.
    stage.market.waits(Duration::hours(1)).await;
    let back = stage.binds(ben, old).await.ok();
    assert!(back["holdUntil"].as_str() > info["holdUntil"].as_str());
    // The address that the account has already changes nothing.
    let same = stage.binds(ben, old).await.ok();
    assert_eq!(same["holdUntil"], back["holdUntil"]);
}

#[tokio::test]
async fn only_the_pass_of_the_account_and_the_security_password_change_the_bound_address() {
    let stage = Stage::empty().await;
    let (anna, ben) = (&stage.anna, &stage.ben);
    let ticket = stage.ticket(ben, "bind", elsewhere()).await;
    // Without a security password.
    stage.changes_binding(ben, "bind", &ticket).await.refused(409, "5041");
    stage.protects(ben).await;
    stage.protects(anna).await;
    let wrong = json!({"passTicket": ticket, "securityCode": stage.seal(ben, "not-my-password").await});
    stage.post(ben, "/user/bind", &wrong).await.refused(422, "USER3011");
    // An approval counts only for its purpose and its user.
    stage.changes_binding(ben, "unbind", &ticket).await.refused(422, "1010");
    stage.changes_binding(anna, "bind", &ticket).await.refused(422, "1010");
    let login = stage.ticket(ben, "security", elsewhere()).await;
    stage.changes_binding(ben, "bind", &login).await.refused(422, "1010");
    // Another pass approves Ben's request.
    let challenge = stage.get(ben, "/scan/proof?purpose=bind").await.ok();
    let annas = stage.approves(anna, &challenge).await;
    stage.changes_binding(ben, "bind", &annas).await.refused(409, MISMATCH);
    // The address of another account, and one of the platform.
    stage.binds(ben, anna.trader.user.bound.unwrap()).await.refused(409, BOUND_ELSEWHERE);
    stage.binds(ben, anna.trader.user.vault).await.refused(422, "5060");
    assert_eq!(stage.binding(ben).await["bound"], true);
    // The approval of a change is used once.
    stage.changes_binding(ben, "bind", &ticket).await.ok();
    stage.changes_binding(ben, "bind", &ticket).await.refused(409, "803");
}

#[tokio::test]
async fn an_unbound_user_trades_and_withdraws_nothing_until_bound_again() {
    let (mut stage, advert) = Box::pin(Stage::selling()).await;
    stage.protects(&stage.ben).await;
    let info = stage.unbinds(&stage.ben).await.ok();
    assert_eq!(info["boundAddress"], Value::Null);
    stage.unbinds(&stage.ben).await.refused(409, NOT_BOUND);
    let ben = &stage.ben;
    let id = ben.trader.id();
    // Wait until the end of the hold.
    stage.market.waits(Duration::hours(24)).await;
    let shown = stage.get(ben, &format!("/c2c/advert/{advert}")).await.ok();
    let missing: Vec<_> = shown["missing"].as_array().unwrap().iter().map(|one| &one["requirement"]).collect();
    assert_eq!(missing, ["BOUND_ADDRESS"]);
    stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await.refused(409, NOT_BOUND);
    stage.post(ben, "/c2c/advert/create", &stage.mec_for_krw()).await.refused(409, NOT_BOUND);
    // Coins that arrive meanwhile stay in temporary balance.
    stage.chain.brings(&stage.ben.trader, stage.market.mec, mec("5")).await;
    let ben = &stage.ben;
    let body = json!({"asset": "MEC", "securityCode": stage.seal(ben, SECURITY).await});
    stage.post(ben, "/balance/extract", &body).await.refused(409, NOT_BOUND);
    // The user cannot withdraw without an address, so one is bound in spite of the balance.
    assert_eq!(stage.binding(ben).await["obstacles"], json!([]));
    stage.binds(ben, elsewhere()).await.ok();
    stage.market.waits(Duration::hours(24)).await;
    let body = json!({"asset": "MEC", "securityCode": stage.seal(ben, SECURITY).await});
    stage.post(ben, "/balance/extract", &body).await.ok();
    let paid =
        format!("select count(*) from payout_legs where vault = '{id}' and recipient = '\\x{}'", "ab".repeat(20));
    assert_eq!(stage.market.count(&paid).await, 1);
}

#[tokio::test]
async fn whatever_the_platform_holds_or_owes_keeps_the_bound_address() {
    let (mut stage, _, order) = Box::pin(Stage::accepted()).await;
    for who in [&stage.anna, &stage.ben, &stage.carl] {
        stage.protects(who).await;
    }
    stage.is_bound_by(&stage.anna, &["ADVERT", "ORDER", "BALANCE"]).await;
    stage.is_bound_by(&stage.ben, &["ORDER"]).await;
    assert_eq!(stage.order(&stage.ben, &order).await["state"], "AWAITING_PAYMENT");

    // Dust that cannot be withdrawn is no obstacle: a stranger could send it again and again.
    stage.chain.brings(&stage.carl.trader, stage.market.mec, mec("0.0000001")).await;
    assert_eq!(stage.binding(&stage.carl).await["obstacles"], json!([]));
    stage.chain.brings(&stage.carl.trader, stage.market.mec, mec("5")).await;
    let carl = &stage.carl;
    stage.is_bound_by(carl, &["BALANCE"]).await;
    let body = json!({"asset": "MEC", "securityCode": stage.seal(carl, SECURITY).await});
    stage.post(carl, "/balance/extract", &body).await.ok();
    stage.is_bound_by(carl, &["PAYOUT"]).await;
    stage.chain.settles().await;
    stage.chain.confirms().await;
    let carl = &stage.carl;
    assert_eq!(stage.binding(carl).await["obstacles"], json!([]));
    // As if the void of the payout had left the chain.
    let set = async |change: &str| {
        stage.market.sql(&format!("update payout_legs set {change} where vault = '{}'", carl.trader.id())).await;
    };
    set("state = 'owed', superseded = true").await;
    stage.is_bound_by(carl, &["VOIDED_PAYOUT"]).await;
    set("state = 'paid', superseded = false, orphaned = true").await;
    stage.is_bound_by(carl, &["PAYOUT"]).await;
    set("orphaned = false").await;
    stage.binds(carl, elsewhere()).await.ok();
}

#[tokio::test]
async fn a_pass_with_another_address_logs_in_only_to_an_unbound_account() {
    let stage = Stage::empty().await;
    let ben = &stage.ben;
    stage.protects(ben).await;
    let logs_in = async || {
        let challenge = stage.get(ben, "/scan/genQrCodeUrl/device-1?purpose=login").await.ok();
        let ticket = stage.approves_at(ben, elsewhere(), &challenge).await;
        stage.get(&stage.anna, &format!("/scan/result/{}", ticket.as_str().unwrap())).await
    };
    logs_in().await.refused(409, MISMATCH);
    stage.unbinds(ben).await.ok();
    assert_eq!(logs_in().await.ok()["session"]["userId"], ben.trader.id().to_string());
}

#[tokio::test]
async fn a_change_that_is_sent_twice_happens_once_and_ends_the_other_sessions() {
    let stage = Stage::empty().await;
    let ben = &stage.ben;
    stage.protects(ben).await;
    let digest = "\\x".to_owned() + &"07".repeat(32);
    let other = format!(
        "insert into sessions (id, user_id, token_hash, salt, opened_by, request_hash, opened_at, expires_at)
         select gen_random_uuid(), user_id, '{digest}', '{digest}', '{digest}', '{digest}', opened_at, expires_at
         from sessions where user_id = '{}' limit 1",
        ben.trader.id()
    );
    stage.market.sql(&other).await;
    let ticket = stage.ticket(ben, "bind", elsewhere()).await;
    let body = json!({"passTicket": ticket, "securityCode": stage.seal(ben, SECURITY).await});
    let first = stage.post_as("the-same-key", ben, "/user/bind", &body).await.ok();
    let second = stage.post_as("the-same-key", ben, "/user/bind", &body).await.ok();
    assert_eq!(first["boundAddress"], second["boundAddress"]);
    let open = format!("select count(*) from sessions where user_id = '{}' and ended_at is null", ben.trader.id());
    assert_eq!(stage.market.count(&open).await, 1);
}
