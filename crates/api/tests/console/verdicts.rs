//! Decisions of officers in the console: verdicts, second officers, limits, rejections, reopening and races.

use chrono::Duration;
use domain::console::Role;
use serde_json::{Value, json};

use crate::cases::{Cases, text};

#[tokio::test]
async fn a_verdict_by_one_officer_is_executed_after_the_delay() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    let body = cases.decision(&cases.olga, &case, "SELLER").await;
    let decide = async || cases.desk.post_as("decide-once", &cases.olga, &case.path("/decision"), &body).await.ok();
    let decided = decide().await;
    assert_eq!(decided["status"], "DONE");
    let again = decide().await;
    assert_eq!((&again["status"], &again["case"]["version"]), (&json!("DONE"), &decided["case"]["version"]));
    let shown = &decided["case"];
    assert_eq!((&shown["appeal"]["status"], &shown["appeal"]["winner"]), (&json!("DECIDED"), &json!("SELLER")));
    let history = shown["history"].as_array().unwrap();
    assert_eq!(history.len(), 1, "a repeated command decides nothing");
    assert_eq!((&history[0]["kind"], &history[0]["winner"]), (&json!("VERDICT"), &json!("SELLER")));
    assert_eq!((&history[0]["officer"], &history[0]["officerId"]), (&json!("olga"), &json!(cases.olga.id)));
    assert_eq!(history[0]["note"], "The bank says so.");
    let acts = cases.acts(&case).await;
    assert_eq!(acts.iter().filter(|act| *act == "olga decide_seller").count(), 1);

    cases.waits(Duration::hours(24) - Duration::microseconds(1)).await;
    assert_eq!((cases.status(&case).await, cases.state(&case).await), ("DECIDED", "AWAITING_CONFIRMATION"));
    cases.waits(Duration::microseconds(1)).await;
    assert_eq!((cases.status(&case).await, cases.state(&case).await), ("EXECUTED", "CANCELLED"));
    assert_eq!((cases.anna.trader.reputation().await, cases.ben.trader.reputation().await), (100, 80));
}

#[tokio::test]
async fn a_large_order_needs_the_same_verdict_by_two_officers() {
    let cases = Cases::open().await;
    let case = cases.appealed("5000.0001", 1).await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
    }
    let proposed = cases.decides(&cases.olga, &case, "BUYER").await.ok();
    assert_eq!((&proposed["status"], &proposed["case"]["appeal"]["status"]), (&json!("PROPOSED"), &json!("PENDING")));
    let proposal = &proposed["case"]["summary"]["proposal"];
    assert_eq!((&proposal["officerId"], &proposal["ruling"]), (&json!(cases.olga.id), &json!("BUYER")));
    // The same officer again, also under another name.
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["status"], "PROPOSED");
    cases.desk.market.sql("update officers set name = 'otilia' where name = 'olga'").await;
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["status"], "PROPOSED");
    // Other rulings replace the proposal and do not combine with it.
    assert_eq!(cases.decides(&cases.otto, &case, "SELLER").await.ok()["status"], "PROPOSED");
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["status"], "PROPOSED");
    let mut malicious = cases.decision(&cases.otto, &case, "BUYER").await;
    malicious["malicious"] = json!(true);
    let path = case.path("/decision");
    assert_eq!(cases.desk.post(&cases.otto, &path, &malicious).await.ok()["status"], "PROPOSED");
    assert_eq!(cases.status(&case).await, "PENDING");
    let body = cases.decision(&cases.olga, &case, "BUYER").await;
    let malicious = json!({ "malicious": true, "ruling": "BUYER", "note": "So it is.", "version": body["version"] });
    let decided = cases.desk.post(&cases.olga, &path, &malicious).await.ok();
    assert_eq!((&decided["status"], &decided["case"]["appeal"]["malicious"]), (&json!("DONE"), &json!(true)));
    let kinds: Vec<_> = decided["case"]["history"].as_array().unwrap().iter().map(|act| text(&act["kind"])).collect();
    assert_eq!(kinds, ["PROPOSAL", "PROPOSAL", "PROPOSAL", "PROPOSAL", "PROPOSAL", "PROPOSAL", "VERDICT"]);
    assert_eq!(decided["case"]["summary"]["proposal"], Value::Null);
    cases.waits(Duration::hours(24)).await;
    assert_eq!((cases.status(&case).await, cases.state(&case).await), ("EXECUTED", "RELEASING"));
    let release = cases.sees(&cases.desk.signs_in(&cases.olga).await, &case).await["transactions"][0].clone();
    assert_eq!((&release["kind"], &release["party"]), (&json!("RELEASE"), &json!("BUYER")));
}

#[tokio::test]
async fn a_case_tells_whether_a_proposal_still_moves_the_same_coins() {
    let cases = Cases::open().await;
    let case = cases.appealed("6000", 1).await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
    }
    let proposed = async || {
        let seen = cases.sees(&cases.otto, &case).await;
        let options = seen["allowed"].as_array().unwrap().clone();
        let proposed = options.iter().filter(|option| option["isProposed"] == true);
        proposed.map(|option| text(&option["ruling"])).collect::<Vec<_>>()
    };
    assert!(proposed().await.is_empty());
    cases.decides(&cases.olga, &case, "BUYER").await.ok();
    assert_eq!(proposed().await, ["BUYER"]);
    // As if the order had moved nothing when Olga proposed.
    cases.desk.market.sql("update appeal_proposals set movements = '[]'").await;
    assert!(proposed().await.is_empty());
    assert_eq!(cases.decides(&cases.otto, &case, "BUYER").await.ok()["status"], "PROPOSED");
    assert_eq!(proposed().await, ["BUYER"]);
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["status"], "DONE");
}

#[tokio::test]
async fn one_officer_cannot_reject_a_large_appeal() {
    let cases = Cases::open().await;
    let case = cases.appealed("5000.0001", 1).await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
    }
    let rejects = async |who, malicious: bool| {
        let mut body = cases.decision(who, &case, "REJECT").await;
        body["malicious"] = json!(malicious);
        cases.desk.post(who, &case.path("/decision"), &body).await.ok()
    };
    let proposed = rejects(&cases.olga, true).await;
    assert_eq!((&proposed["status"], &proposed["case"]["appeal"]["status"]), (&json!("PROPOSED"), &json!("PENDING")));
    let proposal = &proposed["case"]["summary"]["proposal"];
    assert_eq!((&proposal["officerId"], &proposal["ruling"]), (&json!(cases.olga.id), &json!("REJECT")));
    assert_eq!(proposal["malicious"], true);
    assert_eq!(rejects(&cases.olga, true).await["status"], "PROPOSED", "the same officer");
    assert_eq!(rejects(&cases.otto, false).await["status"], "PROPOSED", "a milder one");
    assert_eq!((cases.status(&case).await, cases.anna.trader.reputation().await), ("PENDING", 100));
    let rejected = rejects(&cases.olga, false).await;
    assert_eq!((&rejected["status"], &rejected["case"]["appeal"]["status"]), (&json!("DONE"), &json!("REJECTED")));
    let history = rejected["case"]["history"].as_array().unwrap();
    let kinds: Vec<_> = history.iter().map(|act| (text(&act["kind"]), act["winner"].clone())).collect();
    let wanted = ["PROPOSAL", "PROPOSAL", "PROPOSAL", "REJECTION"].map(|kind| (kind.to_owned(), Value::Null));
    assert_eq!(kinds, wanted);
    let acts = cases.acts(&case).await;
    assert!(acts.contains(&"olga propose_reject".to_owned()) && acts.contains(&"olga reject_appeal".to_owned()));
    assert_eq!(cases.anna.trader.reputation().await, 100);
}

/// An administrator creates two officers, and decides with both.
#[tokio::test]
async fn two_officers_of_one_administrator_do_not_agree() {
    let cases = Cases::open().await;
    let oscar = cases.desk.officer("oscar", Role::AppealOfficer).await;
    let case = cases.appealed("6000", 1).await;
    for who in [&cases.olga, &oscar, &cases.otto] {
        cases.joins(who, &case).await;
    }
    let refusals = async |who| {
        let seen = cases.sees(who, &case).await["allowed"].clone();
        seen.as_array().unwrap().iter().map(|option| option["refusal"].clone()).collect::<Vec<_>>()
    };
    cases.decides(&cases.olga, &case, "BUYER").await.ok();
    assert_eq!(refusals(&oscar).await, [json!("NOT_INDEPENDENT"), Value::Null, Value::Null, json!("NOT_DECIDED")]);
    cases.decides(&oscar, &case, "BUYER").await.refused(409, "6013");
    // Another ruling replaces the first proposal, and the two agree on that one no more than on the first.
    assert_eq!(cases.decides(&oscar, &case, "SELLER").await.ok()["status"], "PROPOSED");
    cases.decides(&cases.olga, &case, "SELLER").await.refused(409, "6013");
    assert_eq!(cases.status(&case).await, "PENDING");
    assert_eq!(refusals(&cases.otto).await, [Value::Null, Value::Null, Value::Null, json!("NOT_DECIDED")]);
    assert_eq!(cases.decides(&cases.otto, &case, "SELLER").await.ok()["status"], "DONE");
}

#[tokio::test]
async fn one_officer_revokes_any_verdict_and_two_decide_again() {
    let cases = Cases::open().await;
    let case = cases.appealed("6000", 1).await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
        cases.decides(who, &case, "BUYER").await.ok();
    }
    assert_eq!(cases.status(&case).await, "DECIDED");
    assert_eq!(cases.decides(&cases.olga, &case, "REOPEN").await.ok()["status"], "DONE");
    assert_eq!(cases.decides(&cases.olga, &case, "SELLER").await.ok()["status"], "PROPOSED");
    assert_eq!(cases.status(&case).await, "PENDING");
}

#[tokio::test]
async fn officers_with_the_same_name_are_two_officers() {
    let cases = Cases::open().await;
    let case = cases.appealed("6000", 1).await;
    cases.desk.market.sql("update officers set name = 'olga' where name = 'otto'").await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
    }
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["status"], "PROPOSED");
    assert_eq!(cases.decides(&cases.otto, &case, "BUYER").await.ok()["status"], "DONE");
}

#[tokio::test]
async fn the_proposal_of_an_officer_who_was_disabled_counts_no_longer() {
    let cases = Cases::open().await;
    let case = cases.appealed("6000", 1).await;
    let third = cases.desk.officer("odile", Role::AppealOfficer).await;
    for who in [&cases.olga, &cases.otto, &third] {
        cases.joins(who, &case).await;
    }
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.ok()["status"], "PROPOSED");
    cases.desk.market.sql("update officers set disabled_at = created_at where name = 'olga'").await;
    assert_eq!(cases.decides(&cases.otto, &case, "BUYER").await.ok()["status"], "PROPOSED");
    assert_eq!(cases.decides(&third, &case, "BUYER").await.ok()["status"], "DONE");
}

#[tokio::test]
async fn a_repeated_proposal_stays_a_proposal() {
    let cases = Cases::open().await;
    let case = cases.appealed("6000", 1).await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
    }
    let body = cases.decision(&cases.olga, &case, "BUYER").await;
    let propose = async || cases.desk.post_as("propose-once", &cases.olga, &case.path("/decision"), &body).await;
    assert_eq!(propose().await.ok()["status"], "PROPOSED");
    cases.decides(&cases.otto, &case, "BUYER").await.ok();
    let again = propose().await.ok();
    assert_eq!((&again["status"], &again["case"]["appeal"]["status"]), (&json!("PROPOSED"), &json!("DECIDED")));
    let other = json!({ "ruling": "SELLER", "note": "No.", "version": body["version"] });
    cases.desk.post_as("propose-once", &cases.olga, &case.path("/decision"), &other).await.refused(409, "409");
}

#[tokio::test]
async fn of_two_officers_at_once_one_decides_on_what_the_other_did() {
    for round in 0..4_u8 {
        let cases = Cases::open().await;
        let (small, large) = (cases.appealed("10", 1).await, cases.appealed("6000", 2).await);
        for (case, one_is) in [(&small, "DONE"), (&large, "PROPOSED")] {
            for who in [&cases.olga, &cases.otto] {
                cases.joins(who, case).await;
            }
            let same = round % 2 == 0;
            let one = cases.decision(&cases.olga, case, "BUYER").await;
            let other = cases.decision(&cases.otto, case, if same { "BUYER" } else { "SELLER" }).await;
            let path = case.path("/decision");
            let (one, other) =
                tokio::join!(cases.desk.post(&cases.olga, &path, &one), cases.desk.post(&cases.otto, &path, &other));
            let mut got =
                [one, other].map(|got| (got.status, got.body["data"]["status"].clone(), got.body["code"].clone()));
            got.sort_by_key(|(status, ..)| *status);
            let [won, lost] = got;
            assert_eq!(won, (200, json!(one_is), json!("200")));
            assert_eq!(
                lost,
                (409, Value::Null, json!("5050")),
                "neither decides without having seen the other's decision"
            );
        }
        assert_eq!((cases.status(&small).await, cases.status(&large).await), ("DECIDED", "PENDING"));
        let proposals = "select count(*) from appeal_proposals where ended_at is null";
        assert_eq!(cases.desk.market.count(proposals).await, 1);
        cases.desk.market.is_sound().await;
    }
}

#[tokio::test]
async fn the_proposal_of_an_officer_ends_with_each_change_of_the_officer() {
    let cases = Cases::open().await;
    let case = cases.appealed("6000", 1).await;
    for who in [&cases.olga, &cases.otto] {
        cases.joins(who, &case).await;
    }
    let changes = async |steps: &[Value]| {
        for step in steps {
            let listed = cases.desk.get(&cases.desk.admin, "/console/officers").await.ok();
            let olga =
                listed.as_array().unwrap().iter().find(|one| one["id"] == cases.olga.id.as_str()).unwrap().clone();
            let mut body = step.clone();
            (body["version"], body["reason"]) = (olga["version"].clone(), json!("a stolen phone"));
            let suffix = if step == &json!({}) { "/enrollment" } else { "" };
            let path = format!("/console/officers/{}{suffix}", cases.olga.id);
            cases.desk.post(&cases.desk.admin, &path, &body).await.ok();
        }
    };
    let disabled = [json!({ "disabled": true }), json!({ "disabled": false })];
    for steps in [&disabled[..], &[json!({})]] {
        let olga = cases.desk.signs_in(&cases.olga).await;
        assert_eq!(cases.decides(&olga, &case, "BUYER").await.ok()["status"], "PROPOSED");
        changes(steps).await;
        assert_eq!(cases.decides(&cases.otto, &case, "BUYER").await.ok()["status"], "PROPOSED", "{steps:?}");
        // The next round begins with another ruling of Otto, which Olga cannot complete.
        assert_eq!(cases.decides(&cases.otto, &case, "SELLER").await.ok()["status"], "PROPOSED");
    }
    assert_eq!(cases.status(&case).await, "PENDING");
}

#[tokio::test]
async fn a_command_that_waited_until_its_session_ended_is_refused() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    let body = cases.decision(&cases.olga, &case, "BUYER").await;
    let mut administrator = cases.desk.market.session().await;
    assert!(administrator.runs("begin; select 1 from officers order by id for no key update").await);
    let ends = async {
        cases.desk.market.somebody_waits().await;
        assert!(
            administrator.runs("update officer_sessions set ended_at = opened_at where ended_at is null; commit").await
        );
        administrator.ends().await;
    };
    let path = case.path("/decision");
    let (got, ()) = tokio::join!(cases.desk.post(&cases.olga, &path, &body), ends);
    got.refused(401, "401");
    assert_eq!(cases.status(&case).await, "PENDING");
}

#[tokio::test]
async fn customer_service_decides_up_to_its_limit() {
    let cases = Cases::open().await;
    let (small, large) = (cases.appealed("250", 1).await, cases.appealed("250.0001", 2).await);
    for case in [&small, &large] {
        cases.joins(&cases.carl, case).await;
    }
    for ruling in ["BUYER", "SELLER", "REJECT"] {
        cases.decides(&cases.carl, &large, ruling).await.refused(403, "6009");
    }
    let allowed = cases.sees(&cases.carl, &large).await["allowed"].clone();
    let refusals: Vec<_> = allowed.as_array().unwrap().iter().map(|one| text(&one["refusal"])).collect();
    assert_eq!(refusals, ["ABOVE_LIMIT", "ABOVE_LIMIT", "ABOVE_LIMIT", "NOT_DECIDED"]);
    assert_eq!(cases.status(&large).await, "PENDING");
    assert_eq!(cases.decides(&cases.carl, &small, "BUYER").await.ok()["status"], "DONE");
    assert_eq!(
        cases
            .desk
            .market
            .count("select count(*) from audit_log where reason is not null and subject_kind = 'appeal'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_rejected_appeal_lets_the_order_continue_and_ends_the_case() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    for who in [&cases.olga, &cases.carl] {
        cases.joins(who, &case).await;
    }
    let mut body = cases.decision(&cases.olga, &case, "REJECT").await;
    body["malicious"] = json!(true);
    let rejected = cases.desk.post(&cases.olga, &case.path("/decision"), &body).await.ok();
    assert_eq!((&rejected["status"], &rejected["case"]["appeal"]["status"]), (&json!("DONE"), &json!("REJECTED")));
    assert_eq!(cases.anna.trader.reputation().await, 0);
    cases.anna.trader.confirms(case.order).await.unwrap();
    assert_eq!(cases.state(&case).await, "RELEASING");
    // Those who are on the case still read it, and nobody joins or decides it any more.
    let seen = cases.sees(&cases.carl, &case).await;
    assert!(seen["allowed"].as_array().unwrap().iter().all(|one| one["allowed"] == false));
    cases.desk.post(&cases.otto, &case.path("/join"), &json!({})).await.refused(409, "5002");
    cases.desk.get(&cases.otto, &case.path("")).await.refused(403, "6008");
    for ruling in ["BUYER", "SELLER", "REJECT", "REOPEN"] {
        cases.decides(&cases.olga, &case, ruling).await.refused(409, "5002");
    }
}

#[tokio::test]
async fn an_earlier_appeal_is_read_and_only_the_latest_is_decided() {
    let cases = Cases::open().await;
    let first = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &first).await;
    cases.decides(&cases.olga, &first, "REJECT").await.ok();
    let second = cases.appeals(first.order, 2).await;
    // Being on the first case opens nothing of the second.
    cases.desk.get(&cases.olga, &second.path("")).await.refused(403, "6008");
    let seen = cases.sees(&cases.olga, &first).await;
    assert_eq!((&seen["appeal"]["status"], &seen["summary"]["number"]), (&json!("REJECTED"), &json!(1)));
    assert!(seen["allowed"].as_array().unwrap().iter().all(|one| one["refusal"] == "NOT_OPEN"));
    cases.decides(&cases.olga, &first, "BUYER").await.refused(409, "5002");
    cases.joins(&cases.olga, &second).await;
    assert_eq!(cases.decides(&cases.olga, &second, "BUYER").await.ok()["status"], "DONE");
}

#[tokio::test]
async fn a_verdict_is_reopened_before_its_execution() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    assert_eq!(cases.decides(&cases.olga, &case, "REOPEN").await.refused(409, "6010")["reason"], "NOT_DECIDED");
    cases.decides(&cases.olga, &case, "SELLER").await.ok();
    assert_eq!(cases.decides(&cases.olga, &case, "BUYER").await.refused(409, "6010")["reason"], "DECIDED");
    let reopened = cases.decides(&cases.olga, &case, "REOPEN").await.ok();
    assert_eq!((&reopened["status"], &reopened["case"]["appeal"]["status"]), (&json!("DONE"), &json!("PENDING")));
    cases.waits(Duration::hours(24)).await;
    assert_eq!((cases.status(&case).await, cases.state(&case).await), ("PENDING", "AWAITING_CONFIRMATION"));
}

#[tokio::test]
async fn only_an_appeal_whose_initiator_loses_is_malicious() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.joins(&cases.olga, &case).await;
    let decides = async |ruling: &str| {
        let mut body = cases.decision(&cases.olga, &case, ruling).await;
        body["malicious"] = json!(true);
        cases.desk.post(&cases.olga, &case.path("/decision"), &body).await
    };
    // Anna has filed it.
    assert_eq!(decides("SELLER").await.refused(400, "400")["field"], "malicious");
    assert_eq!((cases.status(&case).await, cases.acts(&case).await.len()), ("PENDING", 2));
    assert_eq!(decides("BUYER").await.ok()["case"]["appeal"]["malicious"], true);
}

#[tokio::test]
async fn a_decision_on_an_outdated_case_is_refused() {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    for who in [&cases.olga, &cases.carl] {
        cases.joins(who, &case).await;
    }
    let body = cases.decision(&cases.olga, &case, "SELLER").await;
    cases.adds_evidence(&case, 2).await;
    let path = case.path("/decision");
    cases.desk.post(&cases.olga, &path, &body).await.refused(409, "5050");
    let body = cases.decision(&cases.olga, &case, "SELLER").await;
    // Messages change no facts.
    cases.desk.post(&cases.carl, &case.path("/talk"), &json!({ "text": "Hello" })).await.ok();
    cases.desk.post(&cases.olga, &path, &body).await.ok();
    cases.desk.post(&cases.carl, &path, &body).await.refused(409, "5050");
    for (field, wrong) in
        [("note", json!("")), ("note", json!("x".repeat(501))), ("ruling", json!("BOTH")), ("version", Value::Null)]
    {
        let mut body = cases.decision(&cases.olga, &case, "REOPEN").await;
        body[field] = wrong;
        assert_eq!(cases.desk.post(&cases.olga, &path, &body).await.refused(400, "400")["field"], field);
    }
    assert_eq!(cases.status(&case).await, "DECIDED");
}
