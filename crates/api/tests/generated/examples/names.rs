//! Replaces what differs between runs: random IDs and signed links.

use std::collections::BTreeMap;

use serde_json::Value;
use uuid::Uuid;

/// Returns an example whose IDs are numbered after its name.
pub(super) fn named(name: &str, example: &Value) -> Value {
    let mut named = example.clone();
    replace(&mut named, &name.replace('/', "-"), &mut BTreeMap::new());
    named
}

fn replace(value: &mut Value, name: &str, ids: &mut BTreeMap<Uuid, usize>) {
    match value {
        Value::String(text) => {
            if let Ok(id) = text.parse::<Uuid>() {
                let next = ids.len() + 1;
                *text = format!("{name}-{}", ids.entry(id).or_insert(next));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, name, ids)),
        Value::Object(fields) => {
            for (field, value) in fields {
                if field == "url" {
                    *value = "".into();
                }
                replace(value, name, ids);
            }
        }
        _ => (),
    }
}
