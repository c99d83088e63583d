//! What officers on a case can still do after its appeal has ended.

use chrono::Duration;
use domain::chain::{Address, Transfer};
use serde_json::{Value, json};
use testkit::market::{Chain, mec, usdt};

use crate::cases::{Case, Cases, text};
use crate::desk::Person;

/// How long officers read a case after the end of its appeal.
const READABLE: Duration = Duration::days(7);

impl Cases {
    /// Anna withdraws her appeal.
    async fn withdraws(&self, case: &Case) {
        let version = self.desk.market.order(case.order).await.version;
        let path = format!("/c2c/appeal/{}", case.id);
        self.desk.as_user(&self.anna, ("POST", &path), &json!({ "version": version })).await.ok();
    }

    /// Anna writes to Ben.
    async fn writes(&self, case: &Case, words: &str) {
        let path = format!("/user/fiat/talk/{}", case.order);
        self.desk.as_user(&self.anna, ("POST", &path), &json!({ "text": words, "files": [] })).await.ok();
    }

    /// Someone sends USDT to the address at which Anna receives payments.
    async fn pays(&mut self, amount: &str) {
        let to: Address = self.anna.trader.user.receiving.as_ref().unwrap().address.parse().unwrap();
        let coins = self.chain.coins(&self.anna.trader, self.desk.market.usdt, usdt(amount));
        self.chain.time = self.desk.market.now().await;
        self.chain.mines_coins([Transfer { to, ..Chain::from_a_stranger(&coins) }]).await;
    }

    /// Returns a page of the conversation as an officer sees it.
    async fn talk(&self, who: &Person, case: &Case, query: &str) -> Value {
        self.desk.get(who, &case.path(&format!("/talk{query}"))).await.ok()
    }
}

fn numbers(page: &Value) -> Vec<i64> {
    page["entries"].as_array().unwrap().iter().map(|entry| entry["number"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_case_that_has_ended_is_read_only() {
    for end in ["WITHDRAWN", "REJECTED", "EXECUTED"] {
        let cases = Cases::open().await;
        let case = cases.appealed("10", 1).await;
        cases.joins(&cases.olga, &case).await;
        let hello = json!({ "text": "Please send the statement." });
        let say = async |who: &Person, key: &str| cases.desk.post_as(key, who, &case.path("/talk"), &hello).await;
        let said = say(&cases.olga, "say-it-once").await.ok();
        match end {
            "WITHDRAWN" => cases.withdraws(&case).await,
            "REJECTED" => drop(cases.decides(&cases.olga, &case, "REJECT").await.ok()),
            _ => {
                cases.decides(&cases.olga, &case, "BUYER").await.ok();
                cases.waits(Duration::hours(24)).await;
            }
        }
        assert_eq!(cases.status(&case).await, end);
        let olga = cases.desk.signs_in(&cases.olga).await;
        let (log, acts) = (cases.desk.market.count("select count(*) from order_log").await, cases.acts(&case).await);
        say(&olga, "say-another").await.refused(409, "5002");
        for ruling in ["BUYER", "SELLER", "REJECT", "REOPEN"] {
            let body = json!({ "ruling": ruling, "malicious": false, "note": "So it is.", "version": "1" });
            cases.desk.post(&olga, &case.path("/decision"), &body).await.refused(409, "5002");
        }
        assert_eq!(cases.desk.market.count("select count(*) from order_log").await, log, "{end}");
        assert_eq!(cases.acts(&case).await, acts, "{end}");
        // The response to a message that was sent before is still available.
        assert_eq!(say(&olga, "say-it-once").await.ok(), said);
        let seen = cases.sees(&olga, &case).await;
        assert!(seen["allowed"].as_array().unwrap().iter().all(|one| one["allowed"] == false), "{end}");
        assert!(seen["readableUntil"].is_string(), "{end}");
    }
}

#[tokio::test]
async fn a_case_is_closed_to_everyone_seven_days_after_its_end() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    assert_eq!(cases.joins(&cases.olga, &case).await["readableUntil"], Value::Null);
    cases.withdraws(&case).await;
    cases.desk.advance(READABLE - Duration::minutes(1)).await;
    let olga = cases.desk.signs_in(&cases.olga).await;
    let seen = cases.sees(&olga, &case).await;
    let link = text(&seen["appeal"]["evidence"][0]["file"]["url"]).trim_start_matches("/api").to_owned();
    assert_eq!(cases.desk.get(&olga, &link).await.status, 200);
    cases.talk(&olga, &case, "").await;
    assert_eq!(cases.queue(&olga, "?view=ENDED").await[0]["joined"], true);

    cases.desk.advance(Duration::minutes(1)).await;
    let acts = cases.acts(&case).await;
    for path in [case.path(""), case.path("/talk"), link] {
        cases.desk.get(&olga, &path).await.refused(403, "6008");
    }
    cases.desk.post(&olga, &case.path("/talk"), &json!({ "text": "Hello" })).await.refused(403, "6008");
    cases.desk.post(&olga, &case.path("/join"), &json!({})).await.refused(409, "5002");
    assert_eq!(cases.acts(&case).await, acts);
    let row = cases.queue(&olga, "?view=ENDED").await.remove(0);
    assert_eq!((&row["id"], &row["joined"]), (&json!(case.id), &json!(false)));
}

#[tokio::test]
async fn an_ended_case_shows_no_payment_that_was_reported_after_it() {
    let cases = Cases::open().await;
    let order = cases.ben.trader.orders(cases.advert, "10").await.unwrap();
    cases.anna.trader.accepts(order).await.unwrap();
    cases.desk.advance(Duration::hours(1)).await;
    let case = cases.appeals_because(order, "NOT_PAID", 1).await;
    let olga = cases.desk.signs_in(&cases.olga).await;
    cases.joins(&olga, &case).await;
    cases.withdraws(&case).await;
    cases.desk.advance(Duration::seconds(1)).await;
    cases.ben.trader.marks_paid(order).await.unwrap();
    cases.anna.trader.confirms(order).await.unwrap();
    let seen = cases.sees(&olga, &case).await;
    assert_eq!((&seen["order"]["payment"], &seen["transactions"]), (&Value::Null, &json!([])));
}

#[tokio::test]
async fn an_ended_case_shows_the_payment_on_the_chain_only_if_it_came_before_the_end() {
    for early in [true, false] {
        let mut cases = Cases::open().await;
        let advert = cases.anna.trader.posts(cases.anna.trader.mec_for_usdt("10", "2")).await.unwrap();
        cases.chain.brings(&cases.anna.trader, cases.desk.market.mec, mec("10")).await;
        let order = cases.ben.trader.orders(advert, "4").await.unwrap();
        cases.anna.trader.accepts(order).await.unwrap();
        cases.ben.trader.marks_paid(order).await.unwrap();
        if early {
            cases.pays("8").await;
        }
        let case = cases.appeals(order, 1).await;
        cases.joins(&cases.olga, &case).await;
        cases.withdraws(&case).await;
        if !early {
            cases.desk.advance(Duration::seconds(1)).await;
            cases.pays("8").await;
        }
        let payer = cases.anna.trader.sees(order).await.unwrap().payment_seen.unwrap().sender.to_string();
        let seen = cases.sees(&cases.olga, &case).await;
        let (shown, listed) = (&seen["order"]["paymentSeen"], &seen["transactions"]);
        if early {
            assert_eq!(shown["amount"], "8");
            assert_eq!((&listed[0]["kind"], &listed[0]["party"]), (&json!("PAYMENT"), &json!("BUYER")));
        } else {
            assert_eq!((shown, listed), (&Value::Null, &json!([])));
        }
        assert_eq!(seen.to_string().to_lowercase().contains(&payer.to_lowercase()), early);
    }
}

#[tokio::test]
async fn an_ended_case_does_not_show_an_account_that_was_changed_after_it() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    let shown = cases.joins(&cases.olga, &case).await["order"]["payTo"]["fields"].clone();
    cases.withdraws(&case).await;
    assert_eq!(cases.sees(&cases.olga, &case).await["order"]["payTo"]["fields"], shown);
    cases.desk.advance(Duration::seconds(1)).await;
    // As the owner can, once no order and no advert uses the account.
    let mut tx = cases.desk.context.store.begin().await.unwrap();
    let account = store::payment_methods::by_ids(&mut tx, &[cases.anna.trader.account]).await.unwrap().remove(0);
    store::payment_methods::update(&mut tx, &account, cases.desk.market.now().await).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(cases.sees(&cases.olga, &case).await["order"]["payTo"], Value::Null);
}

#[tokio::test]
async fn an_ended_case_shows_nothing_of_what_came_after_it() {
    let cases = Cases::open().await;
    let first = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &first).await;
    cases.writes(&first, "Where is it?").await;
    cases.decides(&cases.olga, &first, "REJECT").await.ok();
    let until = cases.desk.market.count("select max(number) from order_log").await;
    cases.desk.advance(Duration::minutes(1)).await;
    cases.writes(&first, "This is between us.").await;
    let second = cases.appeals(first.order, 2).await;
    cases.joins(&cases.otto, &second).await;
    cases.desk.post(&cases.otto, &second.path("/talk"), &json!({ "text": "I look into it." })).await.ok();
    let all = cases.desk.market.count("select max(number) from order_log").await;
    assert!(all >= until + 3);

    let newest = cases.talk(&cases.olga, &first, "").await;
    assert_eq!((numbers(&newest), &newest["last"]), ((1..=until).collect(), &json!(until)));
    assert_eq!(
        newest["marks"].as_array().unwrap().iter().filter(|one| one["readTo"].as_i64() > Some(until)).count(),
        0
    );
    let query = |query: &str, number: i64| format!("?{query}={number}");
    let before = cases.talk(&cases.olga, &first, &query("before", all + 1)).await;
    assert_eq!(numbers(&before), (1..=until).collect::<Vec<_>>());
    let before = cases.talk(&cases.olga, &first, &query("before", 3)).await;
    assert_eq!(numbers(&before), [1, 2]);
    for (number, wanted) in [(until - 1, vec![until]), (until, Vec::new()), (all, Vec::new())] {
        let after = cases.talk(&cases.olga, &first, &query("after", number)).await;
        assert_eq!((numbers(&after), &after["last"]), (wanted, &json!(until)));
    }
    let seen = cases.sees(&cases.olga, &first).await;
    assert_eq!(seen["timeline"].as_array().unwrap().last().unwrap()["notice"], "APPEAL_REJECTED");
    for secret in ["This is between us.", "I look into it."] {
        assert!(!format!("{newest}{before}{seen}").contains(secret), "{secret}");
    }
    assert_eq!(seen["appeal"]["evidence"].as_array().unwrap().len(), 1);
    assert_eq!(numbers(&cases.talk(&cases.otto, &second, "").await), (1..=all).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_file_of_a_later_appeal_is_closed_to_officers_on_the_earlier_case() {
    let cases = Cases::open().await;
    let first = cases.appealed("10", 1).await;
    let own = text(&cases.joins(&cases.olga, &first).await["appeal"]["evidence"][0]["file"]["url"]);
    cases.decides(&cases.olga, &first, "REJECT").await.ok();
    cases.desk.advance(Duration::minutes(1)).await;
    let second = cases.appeals(first.order, 2).await;
    let later = text(&cases.joins(&cases.olga, &second).await["appeal"]["evidence"][0]["file"]["url"]);
    let path = |link: &str| link.trim_start_matches("/api").to_owned();
    for link in [&own, &later] {
        assert_eq!(cases.desk.get(&cases.olga, &path(link)).await.status, 200);
    }
    cases.leaves(&cases.olga, &second).await;
    cases.desk.get(&cases.olga, &path(&later)).await.refused(403, "6008");
    assert_eq!(cases.desk.get(&cases.olga, &path(&own)).await.status, 200);
}

#[tokio::test]
async fn a_party_that_withdraws_and_files_again_keeps_its_case_and_its_place_in_the_queue() {
    let cases = Cases::open().await;
    // Large enough for two officers.
    let case = cases.appealed("5000.0001", 1).await;
    cases.desk.advance(Duration::minutes(1)).await;
    let later = cases.appealed("10", 2).await;
    for officer in [&cases.olga, &cases.otto] {
        cases.joins(officer, &case).await;
    }
    let proposed = cases.decides(&cases.olga, &case, "BUYER").await.ok();
    assert_eq!(proposed["status"], "PROPOSED");
    let filed_at = cases.sees(&cases.olga, &case).await["appeal"]["filedAt"].clone();

    cases.withdraws(&case).await;
    cases.desk.advance(Duration::minutes(20)).await;
    let again = cases.appeals(case.order, 3).await;
    assert_eq!(again.id, case.id);
    let seen = cases.sees(&cases.otto, &case).await;
    assert_eq!((&seen["appeal"]["status"], &seen["appeal"]["number"]), (&json!("PENDING"), &json!(2)));
    assert_eq!(seen["appeal"]["filedAt"], filed_at);
    assert_eq!(seen["appeal"]["evidence"].as_array().unwrap().len(), 2);
    assert_eq!(seen["summary"]["proposal"], Value::Null, "it was about what the officer saw before");
    let queue: Vec<_> = cases.queue(&cases.olga, "").await.iter().map(|one| text(&one["id"])).collect();
    assert_eq!(queue, [case.id.clone(), later.id.clone()]);

    // Anna has withdrawn once, so the two officers can take the time that they need.
    let version = cases.desk.market.order(case.order).await.version;
    let (path, body) = (format!("/c2c/appeal/{}", case.id), json!({ "version": version }));
    cases.desk.as_user(&cases.anna, ("POST", &path), &body).await.refused(409, "5016");
    cases.decides(&cases.olga, &case, "BUYER").await.ok();
    // Evidence that the first officer has not seen ends the proposal.
    cases.adds_evidence(&case, 4).await;
    assert_eq!(cases.sees(&cases.otto, &case).await["summary"]["proposal"], Value::Null);
    assert_eq!(cases.decides(&cases.otto, &case, "BUYER").await.ok()["status"], "PROPOSED");
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["case"]["appeal"]["status"], "DECIDED");
}
