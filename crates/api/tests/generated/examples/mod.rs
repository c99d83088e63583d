//! `docs/generated/examples`: responses of the API that the mock of the web app serves. Each comes from the product itself,
//! which reaches it by commands of users, blocks and time. `UPDATE=1` rewrites them.

mod adverts;
mod appeals;
mod hall;
mod names;
mod play;
mod scenes;
mod set;

use std::collections::{BTreeMap, BTreeSet};

use domain::orders::StateName;
use domain::trade::Party;
use futures::{StreamExt, stream};
use serde_json::{Value, json};

use scenes::SCENES;
use set::Set;

/// The number of scenes that are played at the same time, each on a database of its own.
const MAX_CONCURRENT: usize = 4;

#[tokio::test]
async fn the_examples_of_orders_are_up_to_date() {
    let views = SCENES.iter().flat_map(|scene| [Party::Buyer, Party::Seller].map(|role| (scene, role)));
    let played = views.map(async |(scene, role)| {
        let name = format!("{}/{}", scene.name, role.into_str().to_lowercase());
        let mut set = Set::open(role, scene.offer).await;
        let order = play::play(&mut set, scene).await;
        let seen = set.gets(&format!("/api/c2c/deal/order/{order}")).await;
        assert_eq!(seen["role"], role.into_str());
        // Together, the databases of all scenes would need a gigabyte.
        set.market.database.remove().await;
        let example = names::named(&name, &seen);
        (name, example)
    });
    let examples: BTreeMap<_, _> = stream::iter(played).buffer_unordered(MAX_CONCURRENT).collect().await;
    reach_everything(&examples);
    let text = serde_json::to_string_pretty(&examples).unwrap();
    crate::is_up_to_date("examples/orders.json", &format!("{text}\n"));
}

/// Fails unless the examples contain each state, as both parties see it, each overlay and each action.
fn reach_everything(examples: &BTreeMap<String, Value>) {
    let mut missing = BTreeSet::new();
    for role in ["BUYER", "SELLER"] {
        let has = |field: &str, value: &str| {
            examples.values().any(|order| order["role"] == role && order[field] == json!(value))
        };
        let states =
            StateName::OPEN.map(|state| state.into_str()).into_iter().chain(["COMPLETED", "CANCELLED", "REJECTED"]);
        missing.extend(states.filter(|state| !has("state", state)).map(|state| format!("{state} of the {role}")));
        let overlays = ["FROZEN", "UNDER_APPEAL"].into_iter();
        missing.extend(overlays.filter(|overlay| !has("overlay", overlay)).map(|name| format!("{name} of the {role}")));
    }
    let schemas = &crate::conforming::DOCUMENT["components"]["schemas"];
    let offered: BTreeSet<_> = examples
        .values()
        .flat_map(|order| order["actions"].as_array().unwrap())
        .map(|one| &one["action"])
        .map(Value::to_string)
        .collect();
    let actions = schemas["OrderAction"]["enum"].as_array().unwrap().iter().map(Value::to_string);
    missing.extend(actions.filter(|action| !offered.contains(action)));
    assert!(missing.is_empty(), "no example has {missing:?}");
}
