//! The examples of appeals, as Olga sees them: an appeal officer.

mod scenes;
mod set;

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt, stream};
use serde_json::{Value, json};

use super::names;
use scenes::SCENES;

#[tokio::test]
async fn the_examples_of_appeals_are_up_to_date() {
    let played = SCENES.iter().map(async |name| {
        let (mut set, case) = Box::pin(scenes::played(name)).await;
        let seen = set.example(&case).await;
        let example = names::named_with(name, &seen, &set.officers());
        set.cases.desk.market.database.remove().await;
        (*name, example)
    });
    let examples: BTreeMap<_, _> = stream::iter(played).buffer_unordered(super::MAX_CONCURRENT).collect().await;
    reach_everything(&examples);
    let text = serde_json::to_string_pretty(&examples).unwrap();
    crate::is_up_to_date("examples/cases.json", &format!("{text}\n"));
}

/// The reasons of appeals that no example has.
const WITHOUT_EXAMPLE: [&str; 4] = [
    // To the console, they differ in their name only.
    "NOT_DEPOSITED",
    "OTHER",
    // The examples of orders contain these, as the parties see them.
    "DEPOSIT_LOST",
    "PAYOUT_VOIDED",
];

/// Fails unless the examples contain each value that the document lists: of what a queue shows, and of what officers decided.
fn reach_everything(examples: &BTreeMap<&str, Value>) {
    let mut missing = BTreeSet::new();
    let mut reach = |schema: &str, reached: &BTreeSet<String>| {
        let listed = crate::conforming::DOCUMENT["components"]["schemas"][schema]["enum"].as_array().unwrap();
        assert!(listed.iter().all(Value::is_string), "{schema}");
        let listed = listed.iter().map(|value| value.as_str().unwrap());
        missing.extend(listed.filter(|value| !reached.contains(*value)).map(|value| format!("{schema} {value}")));
    };
    let all = |path: &str| -> BTreeSet<String> { examples.values().flat_map(|one| values(one, path)).collect() };
    reach("AppealStatus", &all("row/status"));
    reach("RiskSignal", &all("row/signals"));
    reach("FiledBy", &all("row/filedBy"));
    reach("AppealActKind", &all("case/history/kind"));
    reach("AppealRuling", &examples.values().flat_map(rulings).collect());
    let mut reasons = all("row/reason");
    for reason in WITHOUT_EXAMPLE {
        assert!(reasons.insert(reason.to_owned()), "there is an example of {reason}");
    }
    reach("AppealReason", &reasons);
    assert!(missing.is_empty(), "no example has {missing:?}");
}

/// Returns the strings at a path, and those in lists on the way.
fn values(value: &Value, path: &str) -> Vec<String> {
    match (value, path.split_once('/').unwrap_or((path, ""))) {
        (Value::Array(items), _) => items.iter().flat_map(|item| values(item, path)).collect(),
        (Value::String(text), ("", _)) => vec![text.clone()],
        (Value::Object(fields), (field, rest)) => values(&fields[field], rest),
        _ => Vec::new(),
    }
}

/// Returns the rulings that officers have made about an example.
fn rulings(example: &Value) -> Vec<String> {
    let history = example["case"]["history"].as_array().into_iter().flatten();
    let ruling = |act: &Value| match act["kind"].as_str().unwrap() {
        "VERDICT" => Some(act["winner"].as_str().unwrap().to_owned()),
        "REJECTION" => Some("REJECT".to_owned()),
        "REOPENING" => Some("REOPEN".to_owned()),
        _ => None,
    };
    history.filter_map(ruling).collect()
}

#[test]
fn a_value_that_no_example_has_is_found() {
    let example = json!({ "row": { "signals": ["NEW_ACCOUNT"], "status": "PENDING" }, "case": null });
    assert_eq!(values(&example, "row/signals"), ["NEW_ACCOUNT"]);
    assert_eq!(values(&example, "case/history/kind"), Vec::<String>::new());
    let examples = [("one", example)].into();
    assert!(std::panic::catch_unwind(|| reach_everything(&examples)).is_err());
}
