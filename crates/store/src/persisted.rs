//! State that is stored as JSON with a format version.
//!
//! The version is the member `v`. `fixtures/persisted` contains every form of every type, and the test below loads each of
//! them. CONTRIBUTING.md says how to change a format.

use domain::{adverts, orders};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::idempotency::Response;
use crate::{Error, Result};

const VERSION: &str = "v";

/// A type that is stored as a JSON object.
pub(crate) trait Persisted: Serialize + DeserializeOwned {
    /// The version that is written and read.
    const VERSION: u64 = 1;
}

impl Persisted for orders::State {}
impl Persisted for orders::Frozen {}
impl Persisted for orders::Appeal {}
impl Persisted for orders::Progress {}
impl Persisted for adverts::State {}
impl Persisted for adverts::Frozen {}
impl Persisted for Response {}

pub(crate) fn encode<T: Persisted>(table: &'static str, row: impl std::fmt::Display, value: &T) -> Result<Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(mut object)) => {
            object.insert(VERSION.to_owned(), T::VERSION.into());
            Ok(Value::Object(object))
        }
        _ => Err(Error::row(table, row, "state cannot be encoded")),
    }
}

pub(crate) fn decode<T: Persisted>(table: &'static str, row: impl std::fmt::Display, value: Value) -> Result<T> {
    read(value).ok_or_else(|| Error::row(table, row, "unknown state"))
}

fn read<T: Persisted>(value: Value) -> Option<T> {
    let Value::Object(mut object) = value else { return None };
    if object.remove(VERSION)?.as_u64()? != T::VERSION {
        return None;
    }
    serde_json::from_value(Value::Object(object)).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use strum::VariantNames;

    use super::*;

    /// Loads the fixtures of a type and returns their names. They must be written back unchanged, because a changed format
    /// needs a new version.
    fn load<T: Persisted>(folder: &str) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/persisted").join(folder);
        let mut names = BTreeSet::new();
        for path in fs::read_dir(folder.join(format!("v{}", T::VERSION))).unwrap().map(|file| file.unwrap().path()) {
            let stored: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let value: T = read(stored.clone()).unwrap_or_else(|| panic!("{} does not load", path.display()));
            assert_eq!(encode("fixture", path.display(), &value).unwrap(), stored, "{}", path.display());
            names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
        names
    }

    fn names(of: &[&str]) -> BTreeSet<String> {
        of.iter().map(|name| name.to_lowercase()).collect()
    }

    #[test]
    fn every_form_of_every_type_loads() {
        assert_eq!(load::<orders::State>("order_state"), names(orders::State::VARIANTS));
        assert_eq!(load::<adverts::State>("advert_state"), names(adverts::State::VARIANTS));
        assert_eq!(load::<orders::Frozen>("order_frozen"), names(&["frozen"]));
        assert_eq!(load::<orders::Appeal>("order_appeal"), names(orders::AppealStatus::VARIANTS));
        assert_eq!(load::<adverts::Frozen>("advert_frozen"), names(&["frozen"]));
        assert_eq!(load::<orders::Progress>("order_progress"), names(&["new", "complete", "voided"]));
        assert_eq!(load::<Response>("response"), names(&["without_id", "with_id"]));
    }

    #[test]
    fn a_value_of_no_or_another_version_is_refused() {
        assert_eq!(read(serde_json::json!({ "state": "ONLINE", "v": 1 })), Some(adverts::State::Online));
        assert_eq!(read::<adverts::State>(serde_json::json!({ "state": "ONLINE" })), None);
        assert_eq!(read::<adverts::State>(serde_json::json!({ "state": "ONLINE", "v": 2 })), None);
    }
}
