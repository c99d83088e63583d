//! State that is stored as JSON with a format version.
//!
//! The version is the member `v`, or 1 if it is missing. To change a format: add the next version with an
//! [`Persisted::upgrade`] step and its fixtures, deploy, rewrite the stored rows in a migration, and remove the old
//! version in a later release. `fixtures/persisted` contains every form of every version, and the test below loads each
//! of them.

use domain::{adverts, orders};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::idempotency::Response;
use crate::{Error, Result};

const VERSION: &str = "v";

/// A type that is stored as a JSON object.
pub(crate) trait Persisted: Serialize + DeserializeOwned {
    /// The version that is written. All earlier versions can be read.
    const VERSION: u64 = 1;

    /// Rewrites a value of version `from` as the next version.
    fn upgrade(from: u64, value: &mut Map<String, Value>) {
        let _ = (from, value);
    }
}

impl Persisted for orders::State {}
impl Persisted for orders::Overlay {}
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
    let version = object.remove(VERSION).map_or(Some(1), |version| version.as_u64())?;
    if version > T::VERSION {
        return None;
    }
    for from in version..T::VERSION {
        T::upgrade(from, &mut object);
    }
    serde_json::from_value(Value::Object(object)).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Loads the fixtures of a type and returns the names of those in the newest version. The newest version must be
    /// written back unchanged, because a changed format needs a new version.
    fn load<T: Persisted>(folder: &str) -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/persisted").join(folder);
        let mut newest = BTreeSet::new();
        for version in 1..=T::VERSION {
            let files = fs::read_dir(folder.join(format!("v{version}"))).unwrap();
            for path in files.map(|file| file.unwrap().path()) {
                let stored: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
                let value: T = read(stored.clone()).unwrap_or_else(|| panic!("{} does not load", path.display()));
                if version == T::VERSION {
                    assert_eq!(encode("fixture", path.display(), &value).unwrap(), stored, "{}", path.display());
                    newest.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        newest
    }

    fn names(of: &[&str]) -> BTreeSet<String> {
        of.iter().map(|name| name.to_lowercase()).collect()
    }

    #[test]
    fn every_form_of_every_version_loads() {
        assert_eq!(load::<orders::State>("order_state"), names(&orders::State::NAMES));
        assert_eq!(load::<adverts::State>("advert_state"), names(&adverts::State::NAMES));
        assert_eq!(load::<orders::Overlay>("order_overlay"), names(&["frozen"]));
        assert_eq!(load::<orders::Appeal>("order_appeal"), names(&orders::AppealStatus::NAMES));
        assert_eq!(load::<adverts::Frozen>("advert_overlay"), names(&["frozen"]));
        assert_eq!(load::<orders::Progress>("order_progress"), names(&["new", "complete", "voided"]));
        assert_eq!(load::<Response>("response"), names(&["without_id", "with_id"]));
    }

    #[test]
    fn a_value_without_a_version_is_of_version_1_and_a_later_version_is_refused() {
        let online = serde_json::json!({ "state": "ONLINE" });
        assert_eq!(read::<adverts::State>(online), Some(adverts::State::Online));
        assert_eq!(read::<adverts::State>(serde_json::json!({ "state": "ONLINE", "v": 2 })), None);
    }
}
