//! What the server says that a user lacks, compared with what it refuses.

use serde_json::{Value, json};

use crate::stage::{Caller, Stage, order_of, text};

/// A fault of a user's account.
struct Fault {
    column: &'static str,
    /// The value that breaks the account, in SQL.
    broken: String,
    requirement: &'static str,
    /// The code of the refusal.
    code: &'static str,
}

fn fault(column: &'static str, broken: impl Into<String>, requirement: &'static str, code: &'static str) -> Fault {
    Fault { column, broken: broken.into(), requirement, code }
}

/// Returns the faults of an account that concern every user, in the order of the refusals.
fn faults(stage: &Stage, flag: &'static str, risk: &'static str) -> Vec<Fault> {
    let foreign = stage.carl.trader.user.vault.to_string();
    vec![
        fault(flag, "true", "NO_RESTRICTION", risk),
        fault("kyc_level", "'none'", "BASIC_VERIFICATION", "801"),
        fault("nickname", "null", "NICKNAME", "1039"),
        fault("receiving_address, receiving_chain_type", "null, null", "RECEIVING_ADDRESS", "5023"),
        fault("bound_address", format!("'\\x{}'", foreign.trim_start_matches("0x")), "PAYABLE_ADDRESS", "5060"),
        fault("held_until", "timestamptz '2030-01-01Z'", "NO_HOLD", "5036"),
    ]
}

impl Stage {
    /// Breaks a user's account, and returns the statements that repair it.
    async fn breaks(&self, who: &Caller, faults: &[Fault]) -> Vec<String> {
        let id = who.trader.id();
        self.market.sql(&format!("create table whole as select * from users where id = '{id}'")).await;
        for Fault { column, broken, .. } in faults {
            let change = format!("update users set ({column}) = row({broken}) where id = '{id}'");
            self.market.sql(&change).await;
        }
        let repair = |Fault { column, .. }: &Fault| {
            format!("update users set ({column}) = (select {column} from whole) where id = '{id}'")
        };
        faults.iter().map(repair).collect()
    }

    async fn lacks(&self, who: &Caller, query: &str) -> Vec<Value> {
        let listed = self.get(who, &format!("/c2c/advert/requirements?{query}")).await.ok();
        listed.as_array().unwrap().clone()
    }
}

fn names(listed: &[Value]) -> Vec<String> {
    listed.iter().map(|one| text(&one["requirement"])).collect()
}

fn expected(faults: &[Fault], more: &[&str]) -> Vec<String> {
    faults.iter().map(|one| one.requirement).chain(more.iter().copied()).map(str::to_owned).collect()
}

#[tokio::test]
async fn posting_refuses_what_the_server_says_is_missing_one_after_the_other() {
    let stage = Stage::empty().await;
    let anna = &stage.anna;
    let mut faults = faults(&stage, "sell_forbidden", "RISK5004");
    // A user without any verification lacks the advanced one, too.
    faults.insert(2, fault("kyc_level", "'none'", "ADVANCED_VERIFICATION", "4001"));
    faults.push(fault("reputation", "59", "REPUTATION", "5006"));
    faults.push(fault("certified", "false", "CERTIFICATION", "5027"));
    faults.push(fault("region", "'VN'", "REGION", "5042"));
    let repairs = stage.breaks(anna, &faults).await;
    let krw = "side=SELL&kind=MANUAL&base=MEC&quote=KRW";

    let listed = stage.lacks(anna, krw).await;
    let numbers: Vec<_> = listed.iter().filter(|one| one["needed"] != Value::Null).collect();
    assert_eq!(numbers, [&json!({ "requirement": "REPUTATION", "has": 59, "needed": 60, "until": null })]);
    let waits: Vec<_> = listed.iter().filter(|one| one["until"] != Value::Null).collect();
    assert_eq!(
        waits,
        [&json!({ "requirement": "NO_HOLD", "has": null, "needed": null, "until": "2030-01-01T00:00:00Z" })]
    );

    let mut at = 0;
    while at < faults.len() {
        assert_eq!(names(&stage.lacks(anna, krw).await), expected(&faults[at..], &["SECURITY_PASSWORD"]));
        let refused = stage.post(anna, "/c2c/advert/create", &stage.mec_for_krw()).await;
        assert_eq!(refused.body["code"], faults[at].code, "{}", faults[at].requirement);
        if faults[at].requirement == "BASIC_VERIFICATION" {
            let id = anna.trader.id();
            stage.market.sql(&format!("update users set kyc_level = 'basic' where id = '{id}'")).await;
        } else {
            stage.market.sql(&repairs[at]).await;
        }
        at += 1;
    }
    // Posting does not need the security password, which the seller needs to confirm a payment.
    stage.post(anna, "/c2c/advert/create", &stage.mec_for_krw()).await.ok();
    assert_eq!(names(&stage.lacks(anna, "side=BUY&kind=MANUAL&base=MEC&quote=KRW").await), [""; 0]);
    stage.protects(anna).await;
    assert_eq!(names(&stage.lacks(anna, krw).await), [""; 0]);
}

#[tokio::test]
async fn the_pair_the_side_and_the_kind_decide_what_is_missing() {
    let stage = Stage::empty().await;
    let (anna, id) = (&stage.anna, stage.anna.trader.id());
    let change = "certified = false, region = 'VN', receiving_chain_type = 'TRC20'";
    stage.market.sql(&format!("update users set {change} where id = '{id}'")).await;
    for (query, missing) in [
        ("side=SELL&kind=MANUAL", vec!["SECURITY_PASSWORD"]),
        ("side=SELL&kind=MANUAL&base=MEC&quote=KRW", vec!["CERTIFICATION", "REGION", "SECURITY_PASSWORD"]),
        ("side=SELL&kind=AUTOMATIC&base=MEC&quote=USDT", vec!["CHAIN_TYPE", "SECURITY_PASSWORD"]),
        ("side=BUY&kind=AUTOMATIC&base=MEC&quote=USDT", vec![]),
    ] {
        assert_eq!(names(&stage.lacks(anna, query).await), missing, "{query}");
    }
    let body = json!({
        "side": "SELL", "kind": "AUTOMATIC", "base": "MEC", "quote": "USDT", "price": "2", "quantity": "10",
        "orderMin": "1", "orderMax": "1000"
    });
    stage.post(anna, "/c2c/advert/create", &body).await.refused(409, "5049");
    for (query, status, code) in [
        ("side=SELL&kind=MANUAL&base=MEC&quote=XXX", 422, "5028"),
        ("side=SELL&kind=MANUAL&base=MEC", 400, "400"),
        ("side=SELL&kind=MANUAL&quote=KRW", 400, "400"),
    ] {
        stage.get(anna, &format!("/c2c/advert/requirements?{query}")).await.refused(status, code);
    }
}

#[tokio::test]
async fn ordering_refuses_what_the_advert_says_is_missing_one_after_the_other() {
    let (stage, advert) = Stage::selling().await;
    let ben = &stage.ben;
    let mut faults = faults(&stage, "buy_forbidden", "RISK5003");
    faults.push(fault("region", "'VN'", "REGION", "5042"));
    let repairs = stage.breaks(ben, &faults).await;
    // A low reputation and no certification keep nobody from ordering.
    stage
        .market
        .sql(&format!("update users set reputation = 0, certified = false where id = '{}'", ben.trader.id()))
        .await;
    let missing = async |who| {
        let shown = stage.get(who, &format!("/c2c/advert/{advert}")).await.ok();
        names(shown["missing"].as_array().unwrap())
    };
    for (at, fault) in faults.iter().enumerate() {
        assert_eq!(missing(ben).await, expected(&faults[at..], &[]));
        let refused = stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await;
        assert_eq!(refused.body["code"], fault.code, "{}", fault.requirement);
        stage.market.sql(&repairs[at]).await;
    }
    assert_eq!(missing(ben).await, [""; 0]);
    stage.post(ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
    // The owner cannot order in any case.
    stage.market.sql(&format!("update users set region = 'VN' where id = '{}'", stage.anna.trader.id())).await;
    assert_eq!(missing(&stage.anna).await, [""; 0]);
}

#[tokio::test]
async fn a_taker_who_sells_needs_an_accepted_chain_type_and_a_security_password() {
    let mut stage = Stage::empty().await;
    let body = json!({
        "side": "BUY", "kind": "AUTOMATIC", "base": "MEC", "quote": "USDT", "price": "2", "quantity": "10",
        "orderMin": "1", "orderMax": "1000"
    });
    let advert = text(&stage.post(&stage.anna, "/c2c/advert/create", &body).await.ok()["id"]);
    let Stage { market, chain, anna, .. } = &mut stage;
    chain.brings(&anna.trader, market.usdt, testkit::market::usdt("20")).await;
    let ben = stage.ben.trader.id();
    stage.market.sql(&format!("update users set receiving_chain_type = 'TRC20' where id = '{ben}'")).await;
    let shown = stage.get(&stage.ben, &format!("/c2c/advert/{advert}")).await.ok();
    assert_eq!(names(shown["missing"].as_array().unwrap()), ["CHAIN_TYPE", "SECURITY_PASSWORD"]);
    let order = json!({ "advertId": advert, "price": "2", "quantity": "4" });
    stage.post(&stage.ben, "/c2c/deal/order", &order).await.refused(409, "5049");
    stage.market.sql(&format!("update users set receiving_chain_type = 'ERC20' where id = '{ben}'")).await;
    stage.post(&stage.ben, "/c2c/deal/order", &order).await.ok();
}
