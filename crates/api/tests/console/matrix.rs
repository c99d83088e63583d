//! Every call of the console, for everybody: the permission table decides.

use std::collections::BTreeSet;

use domain::chain::TxHash;
use domain::console::{CALLS, PUBLIC_CALLS, Role, may};
use serde_json::{Value, json};

use crate::conforming::DOCUMENT;
use crate::desk::{Desk, Person};

/// Returns the calls in the API document whose path begins with `/console/`, or all others, by method and path.
fn calls(document: &Value, console: bool) -> BTreeSet<String> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .filter(|(path, _)| path.starts_with("/console/") == console)
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| format!("{method} {path}")))
        .collect()
}

/// Returns method and path with an ID in place of the parameter. The ID of no record, so that nothing changes.
fn at(call: &str) -> (String, String) {
    let (method, path) = call.split_once(' ').unwrap();
    let id = if path.contains("/pairs/") || path.contains("/payouts/") {
        "999999".to_owned()
    } else {
        uuid::Uuid::nil().to_string()
    };
    let path = path.replace("{id}", &id);
    let searches =
        ["/console/users", "/console/adverts", "/console/appeals/search"].contains(&path.as_str()) && method == "get";
    let query = if searches { "?query=nobody" } else { "" };
    (method.to_uppercase(), format!("{path}{query}"))
}

#[test]
fn the_table_lists_every_call_of_the_console_and_no_other() {
    let listed: BTreeSet<_> = CALLS.iter().map(|(call, _)| *call).chain(PUBLIC_CALLS.iter().copied()).collect();
    let documented = calls(&DOCUMENT, true);
    assert_eq!(documented, listed.into_iter().map(str::to_owned).collect());
    for call in &documented {
        let (method, path) = call.split_once(' ').unwrap();
        let security = &DOCUMENT["paths"][path][method]["security"];
        let wanted = if PUBLIC_CALLS.contains(&call.as_str()) { Value::Null } else { json!([{"officer": []}]) };
        assert_eq!(*security, wanted, "{call}");
    }
}

#[tokio::test]
async fn every_call_answers_each_role_as_the_table_says() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let roles = [
        (Role::Administrator, desk.admin.clone()),
        (Role::AppealOfficer, desk.officer("olga", Role::AppealOfficer).await),
        (Role::CustomerService, desk.officer("carl", Role::CustomerService).await),
    ];
    let in_cookie = |token: &str| vec![("cookie", format!("MEC2C-console={token}"))];
    let strangers: Vec<(&str, Vec<(&str, String)>)> = vec![
        ("nobody", Vec::new()),
        ("a wrong token", in_cookie("wrong")),
        ("an empty token", in_cookie("")),
        ("a user", vec![("authorization", user.token.clone())]),
        ("a user's token as an officer's", in_cookie(&user.token)),
        ("an officer's token as a user's", vec![("authorization", desk.admin.token.clone())]),
        ("an officer's token in a user's cookie", vec![("cookie", format!("MEC2C-token={}", desk.admin.token))]),
    ];
    // Signing out comes last, because it ends the session.
    let mut table: Vec<_> = CALLS.iter().map(|(call, _)| *call).collect();
    table.sort_by_key(|call| call.contains("sign-out"));
    for call in table {
        let (method, path) = at(call);
        for (who, session) in &strangers {
            let before = desk.log_length().await;
            let got = desk.call((&method, &path), session, &desk.key(), &json!({})).await;
            assert_eq!((got.status, &got.body["code"]), (401, &json!("401")), "{who} calls {call}");
            assert_eq!(desk.log_length().await, before, "{who} calls {call}");
        }
        for (role, person) in &roles {
            let session = [("cookie", person.cookie())];
            let got = desk.call((&method, &path), &session, &desk.key(), &json!({})).await;
            let said = (got.status, got.body["code"].as_str().unwrap().to_owned());
            if may(*role, call) {
                assert!(![401, 403].contains(&said.0), "{role:?} may call {call}: {said:?}");
            } else {
                assert_eq!(said, (403, "403".to_owned()), "{role:?} may not call {call}");
            }
        }
    }
}

#[tokio::test]
async fn the_session_of_an_officer_opens_nothing_else() {
    let desk = Desk::open().await;
    let document = &DOCUMENT;
    let mut tried = 0;
    for call in calls(document, false) {
        let (method, path) = call.split_once(' ').unwrap();
        if document["paths"][path][method]["security"].is_null() {
            continue;
        }
        let path: Vec<_> = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect();
        for session in [
            vec![("authorization", desk.admin.token.clone())],
            vec![("cookie", desk.admin.cookie())],
            vec![("cookie", format!("MEC2C-token={}", desk.admin.token))],
        ] {
            let got = desk.call((&method.to_uppercase(), &path.join("/")), &session, &desk.key(), &json!({})).await;
            got.refused(401, "401");
        }
        tried += 1;
    }
    assert!(tried > 30, "{tried}");
}

/// Returns how many views a call has recorded.
async fn views(desk: &Desk, person: &Person, path: &str) -> i64 {
    let before = desk.log_length().await;
    desk.get(person, path).await.ok();
    desk.log_length().await - before
}

#[tokio::test]
async fn every_view_is_recorded_with_its_officer() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    // Who views a case is tested with the cases.
    let views_of = |role| CALLS.iter().filter(move |(call, _)| call.starts_with("get ") && may(role, call));
    for (call, _) in views_of(Role::Administrator) {
        let path = call.trim_start_matches("get ").replace("{id}", &user.id);
        let path = if ["/console/users", "/console/adverts"].contains(&path.as_str()) {
            format!("{path}?query=una")
        } else if path == "/console/unlisted-nfts" {
            format!("{path}?transaction={}", TxHash([7; 32]))
        } else {
            path
        };
        let path = path.as_str();
        // An officer's own account is nobody else's data.
        let wanted = i64::from(path != "/console/me");
        assert_eq!(views(&desk, &desk.admin, path).await, wanted, "{path}");
    }
    let seen = desk.log(7).await;
    for action in ["search_users", "view_user", "view_nicknames", "view_payouts", "view_pairs", "view_maintenance"] {
        assert!(
            seen.iter().chain(&desk.log(20).await).any(|line| line.starts_with(&format!("Ada {action} "))),
            "{action}"
        );
    }
}
