//! Replaces what differs between runs: random IDs, hashes of them, and signed links.

use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;

/// Returns an example whose IDs are numbered after its name.
pub(super) fn named(name: &str, example: &Value) -> Value {
    named_with(name, example, &BTreeMap::new())
}

/// Does the same, except that these IDs get names that all examples share.
pub(super) fn named_with(name: &str, example: &Value, shared: &BTreeMap<String, &str>) -> Value {
    let mut named = example.clone();
    let mut names = shared.iter().map(|(id, name)| (id.clone(), (*name).to_owned())).collect();
    replace(&mut named, &name.replace('/', "-"), &mut 0, &mut names);
    named
}

fn replace(value: &mut Value, name: &str, count: &mut usize, names: &mut BTreeMap<String, String>) {
    match value {
        Value::String(text) if is_random(text) => {
            let made = names.entry(text.clone()).or_insert_with(|| {
                *count += 1;
                format!("{name}-{count}")
            });
            text.clone_from(made);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, name, count, names)),
        Value::Object(fields) => {
            for (field, value) in fields {
                if field == "url" {
                    *value = "".into();
                }
                replace(value, name, count, names);
            }
        }
        _ => (),
    }
}

/// Returns whether a text is an ID, or a hash that depends on IDs. Hashes of transactions begin with `0x`.
fn is_random(text: &str) -> bool {
    text.parse::<Uuid>().is_ok() || (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
