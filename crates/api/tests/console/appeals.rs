//! The queue of appeals, who is on a case, and what a case shows.

use chrono::Duration;
use domain::console::{CALLS, Role};
use domain::orders::{Action, MovementKind};
use serde_json::{Value, json};
use testkit::market::{mec, usdt};

use crate::cases::{Case, Cases, text};
use crate::desk::Person;

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_queue_is_sorted_by_age_value_or_risk() {
    let cases = Cases::open().await;
    let old = cases.appealed("10", 1).await;
    cases.desk.advance(Duration::minutes(1)).await;
    let large = cases.appealed("5000.0001", 2).await;
    cases.desk.advance(Duration::minutes(1)).await;
    // The same picture as in the first appeal.
    let suspicious = cases.appealed("20", 1).await;
    while app::files::compare(&cases.desk.context).await.unwrap() > 0 {}
    // Everybody has joined the market today.
    cases.desk.market.sql("update users set created_at = timestamptz '2026-01-01 12:00Z'").await;
    let sorted = async |query: &str| ids(&cases.queue(&cases.carl, query).await).join(" ");
    let order = |of: [&Case; 3]| of.map(|case| case.id.clone()).join(" ");
    assert_eq!(sorted("").await, order([&old, &large, &suspicious]));
    assert_eq!(sorted("?view=OPEN&order=AGE").await, order([&old, &large, &suspicious]));
    assert_eq!(sorted("?order=AMOUNT").await, order([&large, &suspicious, &old]));
    assert_eq!(sorted("?order=RISK").await, order([&suspicious, &large, &old]));
    assert_eq!(sorted("?order=RISK&size=1&page=2").await, large.id);
    assert_eq!(sorted("?size=2&page=2").await, suspicious.id);
    let page = cases.desk.get(&cases.olga, "/console/appeals?size=2").await.ok();
    assert_eq!((&page["total"], page["records"].as_array().unwrap().len()), (&json!(3), 2));

    let rows = cases.queue(&cases.olga, "").await;
    // Three appeals are many.
    assert_eq!(rows[0]["signals"], json!(["MANY_APPEALS", "NEW_ACCOUNT"]));
    assert_eq!(rows[1]["signals"], json!(["VALUE_ABOVE_LIMIT", "MANY_APPEALS", "NEW_ACCOUNT"]));
    assert_eq!(rows[2]["signals"], json!(["RECEIPT_USED_BEFORE", "MANY_APPEALS", "NEW_ACCOUNT"]));
    assert_eq!([&rows[0]["risk"], &rows[1]["risk"], &rows[2]["risk"]], [25, 40, 60]);
    let required = rows.iter().map(|row| text(&row["requires"])).collect::<Vec<_>>();
    assert_eq!(required, ["CUSTOMER_SERVICE", "TWO_OFFICERS", "CUSTOMER_SERVICE"]);
    assert_eq!(rows[0]["value"], json!({ "amount": "20", "unit": "USDT" }));
    assert_eq!(
        (&rows[0]["amount"], &rows[0]["base"], &rows[0]["filedBy"]),
        (&json!("10"), &json!("MEC"), &json!("SELLER"))
    );
    for query in ["view=ALL", "order=NAME", "page=0", "size=101"] {
        cases.desk.get(&cases.olga, &format!("/console/appeals?{query}")).await.refused(400, "400");
    }
}

#[tokio::test]
async fn an_order_without_a_reference_price_has_no_value_and_comes_first() {
    let cases = Cases::without_value().await;
    let case = cases.appealed("10", 1).await;
    let row = cases.queue(&cases.olga, "?order=AMOUNT").await.remove(0);
    assert_eq!((&row["id"], &row["value"], &row["requires"]), (&json!(case.id), &Value::Null, &json!("TWO_OFFICERS")));
}

#[tokio::test]
async fn views_follow_the_life_of_an_appeal() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    let in_views = async |who: &Person| {
        let mut found = Vec::new();
        for view in ["OPEN", "MINE", "DECIDED", "ENDED"] {
            if !cases.queue(who, &format!("?view={view}")).await.is_empty() {
                found.push(view);
            }
        }
        found.join(" ")
    };
    assert_eq!(in_views(&cases.olga).await, "OPEN");
    cases.joins(&cases.olga, &case).await;
    assert_eq!((in_views(&cases.olga).await, in_views(&cases.otto).await), ("OPEN MINE".into(), "OPEN".into()));
    let row = cases.queue(&cases.otto, "").await.remove(0);
    assert_eq!((&row["joined"], &row["officers"]), (&json!(false), &json!([{ "id": cases.olga.id, "name": "olga" }])));
    assert_eq!(cases.queue(&cases.olga, "").await[0]["joined"], true);
    cases.decides(&cases.olga, &case, "SELLER").await.ok();
    assert_eq!((in_views(&cases.olga).await, in_views(&cases.otto).await), ("MINE DECIDED".into(), "DECIDED".into()));
    assert!(cases.queue(&cases.otto, "?view=DECIDED").await[0]["executesAt"].is_string());
    cases.waits(Duration::hours(24)).await;
    let olga = cases.desk.signs_in(&cases.olga).await;
    assert_eq!(in_views(&olga).await, "ENDED");
    let row = cases.queue(&olga, "?view=ENDED").await.remove(0);
    assert_eq!((&row["status"], row["endedAt"].is_string()), (&json!("EXECUTED"), true));
}

#[tokio::test]
async fn the_queue_contains_no_personal_data() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.adds_evidence(&case, 2).await;
    cases.joins(&cases.olga, &case).await;
    let shown = json!([cases.queue(&cases.carl, "").await, cases.summary(&cases.carl, &case).await]).to_string();
    let full = cases.sees(&cases.olga, &case).await.to_string();
    for (user, other) in [(&cases.anna, &cases.ben), (&cases.ben, &cases.anna)] {
        let person = &user.trader.user;
        let secrets = [user.id.clone(), person.nickname.clone().unwrap()];
        for secret in &secrets {
            assert!(!shown.contains(secret.as_str()) && full.contains(secret.as_str()), "{secret}");
        }
        assert_ne!(secrets[0], other.id);
    }
    for secret in ["Nothing has arrived.", "name", "fields", "Address", "/files/", "signature"] {
        // The names of officers are not personal data of users.
        let shown = shown.replace("\"name\":\"olga\"", "");
        assert!(!shown.contains(secret) && full.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn the_summary_of_an_appeal_is_its_row_in_the_queue() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    let other = cases.appealed("11", 2).await;
    let is_row = async |who: &Person, view: &str| {
        let rows = cases.queue(who, &format!("?view={view}")).await;
        let row = rows.into_iter().find(|row| row["id"] == json!(case.id)).unwrap();
        assert_eq!(cases.summary(who, &case).await, row, "{view}");
        row
    };
    for who in [&cases.olga, &cases.carl] {
        assert_eq!(is_row(who, "OPEN").await["joined"], false);
    }
    cases.joins(&cases.olga, &case).await;
    assert_eq!(is_row(&cases.olga, "OPEN").await["joined"], true);
    assert_eq!(is_row(&cases.otto, "OPEN").await["officers"][0]["name"], "olga");
    cases.decides(&cases.olga, &case, "SELLER").await.ok();
    assert_eq!(is_row(&cases.otto, "DECIDED").await["status"], "DECIDED");
    cases.waits(Duration::hours(24)).await;
    let otto = cases.desk.signs_in(&cases.otto).await;
    assert_eq!(is_row(&otto, "ENDED").await["status"], "EXECUTED");
    assert_eq!(cases.summary(&otto, &other).await["amount"], "11");
}

#[tokio::test]
async fn each_view_of_a_summary_is_recorded_and_strangers_get_none() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.summary(&cases.olga, &case).await;
    cases.summary(&cases.olga, &case).await;
    cases.summary(&cases.carl, &case).await;
    let viewed = ["olga view_appeal_summary", "carl view_appeal_summary"];
    assert_eq!(cases.acts(&case).await, viewed, "a refresh is not a new view");
    let path = case.path("/summary");
    cases.desk.get(&cases.desk.admin, &path).await.refused(403, "403");
    for token in [String::new(), cases.anna.token.clone(), cases.ben.token.clone()] {
        cases.desk.get(&Person { token, ..cases.olga.clone() }, &path).await.refused(401, "401");
    }
    assert_eq!(cases.acts(&case).await, viewed, "a refused view is no view");
    let entries = cases.desk.log_length().await;
    let unknown = Case { id: uuid::Uuid::nil().to_string(), order: case.order };
    cases.desk.get(&cases.olga, &unknown.path("/summary")).await.refused(404, "5001");
    cases.desk.get(&cases.olga, "/console/appeals/x/summary").await.refused(400, "400");
    assert_eq!(cases.desk.log_length().await, entries);
}

/// The calls about a case that officers make before they are on it.
const BEFORE_JOINING: [&str; 3] =
    ["get /console/appeals/{id}/summary", "post /console/appeals/{id}/join", "post /console/appeals/{id}/assignee"];
const FILE: &str = "get /console/files/{id}";

/// What an officer on a case knows about it: its version, and the link to a file.
struct Known {
    version: Value,
    link: String,
}

/// A call, and what became of it.
type Tried = (&'static str, u16, String);

/// Makes every call of the permission table about a case or a file, except those before joining, with a body that would be accepted.
async fn tries_everything(cases: &Cases, who: &Person, case: &Case, known: &Known) -> Vec<Tried> {
    let mut tried = Vec::new();
    for (call, _) in CALLS {
        let (method, path) = call.split_once(' ').unwrap();
        let about = ["/console/appeals/{id}", "/console/files/{id}"].iter().any(|start| path.starts_with(start));
        if BEFORE_JOINING.contains(call) || !about {
            continue;
        }
        let path = if *call == FILE { known.link.clone() } else { path.replace("{id}", &case.id) };
        let body = match *call {
            "post /console/appeals/{id}/leave" => json!({}),
            "post /console/appeals/{id}/talk" | "post /console/appeals/{id}/notes" => {
                json!({ "text": "Pay me instead." })
            }
            "post /console/appeals/{id}/evidence-requests" => {
                json!({ "party": "BUYER", "kind": "BANK_STATEMENT", "hours": 24 })
            }
            "post /console/appeals/{id}/evidence-requests/close" => json!({ "request": 1 }),
            "post /console/appeals/{id}/decision" => {
                json!({ "ruling": "BUYER", "malicious": false, "note": "I say so.", "version": known.version })
            }
            _ if method == "get" => Value::Null,
            _ => panic!("{call}: which body would be accepted?"),
        };
        let got = match method {
            "get" => cases.desk.get(who, &path).await,
            _ => cases.desk.post(who, &path, &body).await,
        };
        tried.push((*call, got.status, got.body["code"].as_str().unwrap_or_default().to_owned()));
    }
    assert!(tried.len() >= 6 && tried.iter().any(|(call, ..)| *call == FILE), "{tried:?}");
    tried
}

/// Asserts what became of the calls about the case, and of the call for the file.
fn assert_all(tried: &[Tried], case: (u16, &str), file: (u16, &str)) {
    for (call, status, code) in tried {
        assert_eq!((*status, code.as_str()), if *call == FILE { file } else { case }, "{call}");
    }
}

#[tokio::test]
async fn only_officers_on_the_case_see_it_or_act_on_it() {
    let cases = Cases::open().await;
    let (case, other) = (cases.appealed("10", 1).await, cases.appealed("11", 2).await);
    let seen = cases.joins(&cases.olga, &case).await;
    let link = text(&seen["appeal"]["evidence"][0]["file"]["url"]).trim_start_matches("/api").to_owned();
    let known = Known { version: seen["version"].clone(), link };
    assert_eq!(cases.desk.get(&cases.olga, &known.link).await.status, 200);
    let acts = cases.acts(&case).await;
    let log = cases.desk.market.count("select count(*) from order_log").await;
    // Of the right role, or on another case. The link was made for another session.
    cases.joins(&cases.carl, &other).await;
    for stranger in [&cases.otto, &cases.carl] {
        assert_all(&tries_everything(&cases, stranger, &case, &known).await, (403, "6008"), (403, "403"));
    }
    assert_all(&tries_everything(&cases, &cases.desk.admin, &case, &known).await, (403, "403"), (403, "403"));
    cases.desk.post(&cases.desk.admin, &case.path("/join"), &json!({})).await.refused(403, "403");
    cases.desk.get(&cases.desk.admin, "/console/appeals").await.refused(403, "403");
    let nobody = Person { token: String::new(), ..cases.olga.clone() };
    assert_all(&tries_everything(&cases, &nobody, &case, &known).await, (401, "401"), (401, "401"));
    for user in [&cases.anna, &cases.ben] {
        let user = Person { token: user.token.clone(), ..cases.olga.clone() };
        assert_all(&tries_everything(&cases, &user, &case, &known).await, (401, "401"), (401, "401"));
    }
    assert_eq!(cases.acts(&case).await, acts, "a refused view is no view");
    // Whoever has left sees nothing any more.
    cases.leaves(&cases.olga, &case).await;
    assert_all(&tries_everything(&cases, &cases.olga, &case, &known).await, (403, "6008"), (403, "6008"));
    assert_eq!(cases.desk.market.count("select count(*) from order_log").await, log);
    assert_eq!(cases.status(&case).await, "PENDING");
    let unknown = Case { id: uuid::Uuid::nil().to_string(), order: case.order };
    assert_all(&tries_everything(&cases, &cases.olga, &unknown, &known).await, (404, "5001"), (403, "6008"));
    cases.desk.post(&cases.olga, &unknown.path("/join"), &json!({})).await.refused(404, "5001");
}

#[tokio::test]
async fn joining_leaving_and_every_view_is_recorded() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    let join = async |key: &str| cases.desk.post_as(key, &cases.olga, &case.path("/join"), &json!({})).await;
    let first = join("join-olga").await.ok();
    assert_eq!(join("join-olga").await.ok()["version"], first["version"]);
    cases.desk.get(&cases.olga, "/console/appeals").await.ok();
    cases.sees(&cases.olga, &case).await;
    cases.desk.get(&cases.olga, &case.path("/talk")).await.ok();
    cases.desk.post(&cases.olga, &case.path("/talk"), &json!({ "text": "Hello" })).await.ok();
    let leave = async |key: &str| cases.desk.post_as(key, &cases.olga, &case.path("/leave"), &json!({})).await;
    assert_eq!(leave("leave-olga").await.ok()["joined"], false);
    assert_eq!(leave("leave-olga").await.ok()["joined"], false);
    leave("leave-again").await.refused(403, "6008");
    let acts = [
        "olga join_appeal",
        // The repeated command shows the case again. Later views of the next minutes count as refreshes of this one.
        "olga view_appeal",
        "olga view_appeal_talk",
        "olga write_to_parties",
        "olga leave_appeal",
    ];
    assert_eq!(cases.acts(&case).await, acts);
    assert!(cases.desk.log(20).await.contains(&"olga view_appeals platform".to_owned()));
    cases.joins(&cases.olga, &case).await;
    let before = cases.acts(&case).await.len();
    cases.desk.advance(Duration::minutes(6)).await;
    cases.sees(&cases.olga, &case).await;
    cases.sees(&cases.olga, &case).await;
    assert_eq!(cases.acts(&case).await.len(), before + 1);
    let audit = format!("/console/audit?subjectKind=appeal&subjectId={}", case.id);
    let listed = cases.desk.get(&cases.desk.admin, &audit).await.ok();
    assert_eq!(listed["entries"].as_array().unwrap().len(), before + 1);
    cases.joins(&cases.olga, &case).await;
    assert_eq!(cases.desk.market.count("select count(*) from case_officers").await, 1);
}

#[tokio::test]
async fn a_case_shows_order_parties_evidence_and_history() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.adds_evidence(&case, 2).await;
    let seen = cases.joins(&cases.olga, &case).await;
    assert_eq!(seen["summary"]["id"], json!(case.id));
    let order = &seen["order"];
    assert_eq!(
        (&order["quantity"], &order["total"], &order["receives"]),
        (&json!("10"), &json!("10000"), &json!("9.99"))
    );
    assert_eq!((&order["state"], &order["overlay"]), (&json!("AWAITING_CONFIRMATION"), &json!("UNDER_APPEAL")));
    // The complete account, which even its owner sees masked in the order.
    let mut tx = cases.desk.context.store.begin().await.unwrap();
    let method = store::payment_methods::by_ids(&mut tx, &[cases.anna.trader.account]).await.unwrap().remove(0);
    drop(tx);
    assert_eq!(order["payTo"]["fields"], json!(method.fields));
    assert_eq!(seen["appeal"]["specificReason"], "Nothing has arrived.");
    let by: Vec<_> = seen["appeal"]["evidence"].as_array().unwrap().iter().map(|one| text(&one["by"])).collect();
    assert_eq!(by, ["SELLER", "BUYER"]);
    let (buyer, seller) = (&seen["parties"]["buyer"], &seen["parties"]["seller"]);
    assert_eq!((&buyer["id"], &seller["id"]), (&json!(cases.ben.id), &json!(cases.anna.id)));
    assert_eq!((&buyer["appealsFiled"], &seller["appealsFiled"]), (&json!(0), &json!(1)));
    assert_eq!((&buyer["recentAppeals"], &seller["recentAppeals"]), (&json!(1), &json!(1)));
    assert_eq!(buyer["recentOrders"][0]["otherId"], json!(cases.anna.id));
    assert_eq!(buyer["recentOrders"][0]["appeal"], "PENDING");
    let notices: Vec<_> = seen["timeline"].as_array().unwrap().iter().map(|event| event["notice"].clone()).collect();
    assert_eq!(notices.last(), Some(&json!("EVIDENCE_ADDED")), "{notices:?}");
    assert!(notices.contains(&json!("APPEAL_FILED")));
    assert_eq!(seen["history"], json!([]));

    let allowed = seen["allowed"].as_array().unwrap();
    let decide: Vec<_> = allowed.iter().map(|one| (text(&one["ruling"]), one["allowed"].as_bool().unwrap())).collect();
    let wanted = [("BUYER", true), ("SELLER", true), ("REJECT", true), ("REOPEN", false)];
    assert_eq!(decide, wanted.map(|(ruling, allowed)| (ruling.to_owned(), allowed)));
    assert_eq!((&allowed[0]["outcome"], &allowed[1]["outcome"]), (&json!("RELEASE"), &json!("CANCEL")));
    let release = json!([
        { "kind": "PAYOUT", "asset": "MEC", "amount": "9.99", "party": "BUYER", "address": order["buyerAddress"] },
        { "kind": "FEE", "asset": "MEC", "amount": "0.01", "party": "BUYER", "address": null },
    ]);
    assert_eq!(allowed[0]["movements"], release);
    let back = json!([
        { "kind": "BACK_TO_ADVERT", "asset": "MEC", "amount": "10", "party": "SELLER", "address": null },
    ]);
    assert_eq!(allowed[1]["movements"], back);
    assert_eq!(allowed[2]["movements"], json!([]), "the order only continues");
    assert_eq!((&allowed[3]["refusal"], &seen["verdictDelaySeconds"]), (&json!("NOT_DECIDED"), &json!(86_400)));
}

#[tokio::test]
async fn a_case_shows_the_payer_to_whom_the_order_is_bound() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    let mut tx = cases.desk.context.store.begin().await.unwrap();
    let method = store::payment_methods::by_ids(&mut tx, &[cases.ben.trader.account]).await.unwrap().remove(0);
    drop(tx);
    let payer = method.holder().unwrap();
    assert_eq!(cases.joins(&cases.olga, &case).await["order"]["payerName"], payer);
    // Ben renames his account and adds one in the name of whoever has paid.
    cases.desk.market.sql("update payment_methods set fields = fields || '{\"name\": \"Someone Else\"}'").await;
    let fields = json!({ "name": "A Third Party", "bankName": "Some Bank", "account": "55501" });
    let body = json!({ "type": "bankCard", "currency": "KRW", "fields": fields });
    cases.desk.as_user(&cases.ben, ("POST", "/payment/method"), &body).await.ok();
    let seen = cases.sees(&cases.olga, &case).await;
    assert_eq!(seen["order"]["payerName"], payer);
    assert!(!seen["parties"].to_string().contains("Third Party"), "{}", seen["parties"]);
}

#[tokio::test]
async fn officer_and_parties_see_the_coins_that_the_end_of_an_appeal_releases() {
    let mut cases = Cases::open().await;
    let (anna, ben) = (&cases.anna.trader, &cases.ben.trader);
    let advert = anna.posts(anna.mec_for_usdt("10", "2").automatic()).await.unwrap();
    cases.chain.brings(anna, cases.desk.market.mec, mec("10")).await;
    let order = ben.orders(advert, "4").await.unwrap();
    cases.desk.advance(Duration::minutes(16)).await;
    let case = cases.appeals_because(order, "NOT_PAID", 1).await;
    cases.joins(&cases.olga, &case).await;
    let rejection = async |cases: &Cases| cases.sees(&cases.olga, &case).await["allowed"][2].clone();
    assert_eq!(rejection(&cases).await["movements"], json!([]), "the payment has not arrived");

    // The payment is held, and both coins are released as soon as the appeal ends.
    cases.chain.brings(ben, cases.desk.market.usdt, usdt("8")).await;
    let shown = rejection(&cases).await;
    let movements = shown["movements"].as_array().unwrap().iter();
    let moved: Vec<_> = movements.map(|one| ["kind", "amount", "asset", "party"].map(|key| text(&one[key]))).collect();
    let released = [["PAYOUT", "3.996", "MEC", "BUYER"], ["PAYOUT", "8", "USDT", "SELLER"]];
    assert_eq!(moved, [released[0], released[1], ["FEE", "0.004", "MEC", "BUYER"]]);
    let seen = ben.sees(order).await.unwrap();
    let withdrawal = &seen.actions.get(Action::WithdrawAppeal).unwrap().movements;
    let announced: Vec<_> = withdrawal.iter().map(|one| (one.kind, one.amount)).collect();
    assert_eq!(
        announced,
        [(MovementKind::Payout, mec("3.996")), (MovementKind::Payout, usdt("8")), (MovementKind::Fee, mec("0.004")),]
    );
    cases.decides(&cases.olga, &case, "REJECT").await.ok();
    assert_eq!(cases.state(&case).await, "RELEASING");
}

#[tokio::test]
async fn a_case_shows_what_the_chain_did() {
    let mut cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    assert_eq!(cases.joins(&cases.olga, &case).await["transactions"], json!([]));
    cases.decides(&cases.olga, &case, "BUYER").await.ok();
    cases.waits(Duration::hours(24)).await;
    let olga = cases.desk.signs_in(&cases.olga).await;
    let planned = cases.sees(&olga, &case).await["transactions"].clone();
    assert_eq!((&planned[0]["kind"], &planned[0]["state"]), (&json!("RELEASE"), &json!("PLANNED")));
    assert_eq!((&planned[0]["amount"], &planned[0]["hash"]), (&json!("9.99"), &Value::Null));
    cases.chain.settles().await;
    let seen = cases.sees(&olga, &case).await;
    let paid = &seen["transactions"];
    assert_eq!((paid.as_array().unwrap().len(), &paid[0]["state"]), (1, &json!("FINAL")));
    assert!(paid[0]["hash"].is_string() && paid[0]["at"].is_string(), "{paid}");
    assert_eq!((&seen["order"]["state"], &paid[0]["to"]), (&json!("COMPLETED"), &seen["order"]["buyerAddress"]));
    assert_eq!(seen["parties"]["buyer"]["appealsLost"], 0);
    assert_eq!(seen["parties"]["seller"]["appealsLost"], 1);
}

#[tokio::test]
async fn official_messages_reach_both_parties_and_cannot_be_imitated() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.carl, &case).await;
    let body = json!({ "text": "Please send the bank statement." });
    let say = async |key: &str| cases.desk.post_as(key, &cases.carl, &case.path("/talk"), &body).await.ok();
    let said = say("say-it-once").await;
    assert_eq!(say("say-it-once").await, said);
    assert_eq!((&said["kind"], &said["officer"], &said["author"]), (&json!("OFFICER"), &json!("carl"), &Value::Null));
    let talk = format!("/user/fiat/talk/{}", case.order);
    // A party who writes the same as an officer writes as a party.
    let fake = json!({ "text": "Please send the bank statement.", "files": [] });
    cases.desk.as_user(&cases.ben, ("POST", &talk), &fake).await.ok();
    for more in [json!({ "kind": "OFFICER" }), json!({ "officer": "carl" }), json!({ "name": "carl" })] {
        let mut forged = fake.clone();
        forged.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        cases.desk.as_user(&cases.ben, ("POST", &talk), &forged).await.refused(400, "400");
    }
    for user in [&cases.anna, &cases.ben] {
        let entries = cases.desk.as_user(user, ("GET", &talk), &Value::Null).await.ok()["entries"].clone();
        let spoken: Vec<_> = entries.as_array().unwrap().iter().filter(|entry| entry["kind"] != "SYSTEM").collect();
        let authors: Vec<_> =
            spoken.iter().map(|entry| (&entry["kind"], &entry["author"], &entry["officer"])).collect();
        let wanted = [(json!("OFFICER"), Value::Null, json!("carl")), (json!("MESSAGE"), json!("BUYER"), Value::Null)];
        assert_eq!(authors, wanted.each_ref().map(|(kind, author, officer)| (kind, author, officer)));
    }
    let page = cases.desk.get(&cases.carl, &format!("{}?after={}", case.path("/talk"), said["number"])).await.ok();
    let after: Vec<_> = page["entries"].as_array().unwrap().iter().map(|entry| text(&entry["kind"])).collect();
    assert_eq!(after, ["MESSAGE"]);
    let outbox = "select count(*) from outbox_events where kind = 'TALK' and body -> 'entry' -> 'content' ->> 'kind' = 'OFFICER'";
    assert_eq!(cases.desk.market.count(outbox).await, 2, "both parties are told");
    for wrong in ["", " ", &"x".repeat(1_001), "\u{7}"] {
        let refused = cases.desk.post(&cases.carl, &case.path("/talk"), &json!({ "text": wrong })).await;
        assert_eq!(refused.status, 400, "{wrong:?}");
    }
}

#[tokio::test]
async fn customer_service_and_appeal_officers_work_on_cases_and_administrators_do_not() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    for who in [&cases.carl, &cases.olga] {
        cases.joins(who, &case).await;
    }
    // A role that changes ends the sessions of the officer.
    let otto = format!("/console/officers/{}", cases.otto.id);
    let listed = cases.desk.get(&cases.desk.admin, "/console/officers").await.ok();
    let officer = listed.as_array().unwrap().iter().find(|one| one["id"] == json!(cases.otto.id)).unwrap().clone();
    cases.joins(&cases.otto, &case).await;
    let body =
        json!({ "role": Role::Administrator.into_str(), "version": officer["version"], "reason": "a promotion" });
    let promoted = cases.desk.post(&cases.desk.admin, &otto, &body).await.ok();
    cases.desk.sends_link(&cases.desk.second().await, &promoted).await.ok();
    let otto = cases.desk.signs_in(&cases.desk.enrolls(&cases.desk.mailed_token(&promoted)).await).await;
    for path in [case.path(""), case.path("/talk"), "/console/appeals".to_owned()] {
        cases.desk.get(&otto, &path).await.refused(403, "403");
    }
}
