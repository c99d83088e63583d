//! The examples of adverts, as Maria sees her own.

use std::collections::BTreeMap;

use domain::ids::AdvertId;
use domain::trade::Party;
use serde_json::json;
use testkit::market::{mec, minutes, price};

use super::names;
use super::scenes::For;
use super::set::Set;

const SCENES: [&str; 8] = [
    "creating",
    "creating-with-part-of-the-deposit",
    "online",
    "offline",
    "offline-with-little-left",
    "revoking",
    "sold-out",
    "cancelled",
];

#[tokio::test]
async fn the_examples_of_adverts_are_up_to_date() {
    let mut examples = BTreeMap::new();
    for name in SCENES {
        let (set, advert) = played(name).await;
        let seen = set.gets(&format!("/api/c2c/advert/{advert}")).await["own"].take();
        set.market.database.remove().await;
        examples.insert(name, names::named(name, &seen));
    }
    let has = |state: &str| examples.values().any(|advert| advert["state"] == json!(state));
    for state in ["CREATING", "ONLINE", "OFFLINE", "REVOKING", "CANCELLED"] {
        assert!(has(state), "no example is {state}");
    }
    let text = serde_json::to_string_pretty(&examples).unwrap();
    crate::is_up_to_date("examples/adverts.json", &format!("{text}\n"));
}

async fn played(name: &str) -> (Set, AdvertId) {
    let in_part = name == "creating-with-part-of-the-deposit";
    let offer = if in_part { For::Swap } else { For::Dollars };
    let mut set = Set::open(Party::Seller, offer).await;
    let (maria, base) = (set.advertiser.clone(), set.market.mec);
    if in_part {
        set.chain.brings(&maria, base, mec("120.5")).await;
    }
    let mut offered = set.offer(offer);
    offered.0.payment_window = Some(minutes(30));
    if name == "offline-with-little-left" {
        offered.0.price = price("0.4790");
    }
    let advert = maria.posts(offered).await.unwrap();
    match name {
        "creating" => set.market.waits(minutes(3)).await,
        "creating-with-part-of-the-deposit" => {
            set.chain.brings(&maria, base, mec("400")).await;
            set.chain.shows(&maria, base, mec("350")).await;
            set.market.waits(minutes(6)).await;
        }
        "cancelled" => {
            maria.ends(advert).await.unwrap();
        }
        _ => {
            set.chain.brings(&maria, base, mec("1000")).await;
            set.market.waits(minutes(48 * 60)).await;
        }
    }
    match name {
        "online" | "offline" => {
            set.sells(advert, &["60", "50", "50"]).await;
            set.orders(advert, "100").await;
        }
        "offline-with-little-left" => set.sells(advert, &["500", "445"]).await,
        "revoking" => set.sells(advert, &["400", "400"]).await,
        "sold-out" => set.sells(advert, &["500", "500"]).await,
        _ => (),
    }
    match name {
        "offline" | "offline-with-little-left" => {
            maria.takes(advert, false).await.unwrap();
        }
        "revoking" => {
            maria.ends(advert).await.unwrap();
            set.chain.pays().await;
            set.chain.mines(1).await;
        }
        _ => (),
    }
    (set, advert)
}

impl Set {
    /// Completes orders of these quantities.
    async fn sells(&mut self, advert: AdvertId, quantities: &[&str]) {
        for quantity in quantities {
            let order = self.orders(advert, quantity).await;
            self.buyer.marks_paid(order).await.unwrap();
            self.seller.confirms(order).await.unwrap();
            self.chain.settles().await;
        }
    }

    /// Places an order, which Maria accepts.
    async fn orders(&self, advert: AdvertId, quantity: &str) -> domain::ids::OrderId {
        let order = self.places(&self.taker, advert, quantity, true).await;
        self.advertiser.accepts(order).await.unwrap();
        order
    }
}
