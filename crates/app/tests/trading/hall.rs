//! The hall of a process that follows the change feed shows after every change what the hall of a process that starts shows.

use std::sync::Arc;

use app::commands::CommandKind;
use app::market::hall::{Filter, Hall, Render, Shelf};
use app::memory::feed::{Follower, Following};
use domain::adverts::{AdvertCommand, Limits};
use domain::assets::Pair;
use domain::ids::UserId;
use domain::market::{Offer, Sort};
use domain::reputation::Record;
use domain::trade::Side;
use domain::users::Profile;
use testkit::market::Market;

use crate::Stage;

/// Renders what a page must show of the present state of an advert.
struct Plain;

impl Render for Plain {
    fn advert(&self, offer: &Offer, _: &Pair, limits: Limits) -> Vec<u8> {
        format!("{} up to {}", offer.advert, limits.max).into_bytes()
    }

    fn owner(&self, profile: &Profile, _: &Record) -> Vec<u8> {
        format!("{profile:?}").into_bytes()
    }
}

pub(crate) struct Process {
    hall: Arc<Hall>,
    following: Following,
}

impl Process {
    pub(crate) fn starts(market: &Market) -> Self {
        let hall = Arc::new(Hall::new(market.context.clone(), Arc::new(Plain)));
        let follower: Arc<dyn Follower> = hall.clone();
        Self { following: Following::new(&market.context, &[follower]), hall }
    }

    /// Reads everything that was committed.
    pub(crate) async fn catches_up(&mut self) -> &Hall {
        self.following.step().await.unwrap();
        self.hall.catch_up().await.unwrap();
        &self.hall
    }

    /// Returns the page for a viewer, as rendered, after reading everything that was committed.
    async fn shows(&mut self, market: &Market, viewer: UserId) -> Vec<(String, String)> {
        self.catches_up().await;
        let shelf = Shelf::Book(market.mec_krw, Side::Sell);
        let filter = Filter { viewer: Some(viewer), ..Filter::all(shelf) };
        let page = self.hall.page(&filter, Sort::best(Side::Sell), 0, 10).unwrap();
        assert_eq!(page.total, page.rows.len());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        page.rows.iter().map(|row| (text(&row.advert), text(&row.owner))).collect()
    }
}

#[tokio::test]
async fn a_hall_that_follows_shows_what_a_hall_that_starts_shows() {
    let stage = Stage::set().await;
    let (market, anna, ben) = (&stage.market, &stage.anna, &stage.ben);
    let mut follower = Process::starts(market);
    let mut seen = Vec::new();
    let mut look = async |what: &str, adverts: usize| {
        let shown = follower.shows(market, ben.id()).await;
        assert_eq!(shown.len(), adverts, "{what}");
        assert_eq!(shown, Process::starts(market).shows(market, ben.id()).await, "{what}");
        assert_eq!(follower.shows(market, anna.id()).await, [], "{what}: the owner's own");
        let changed = seen.last() != Some(&shown);
        seen.push(shown);
        changed
    };
    assert!(look("an advert is online", 1).await);
    let order = stage.ordered("4").await;
    assert!(look("less is left", 1).await, "the limits have changed");
    ben.cancels(order).await.unwrap();
    assert!(look("all is left again", 1).await);
    let order = stage.ordered("10").await;
    assert!(look("nothing is left", 0).await);
    anna.rejects(order).await.unwrap();
    look("the order was rejected", 1).await;
    anna.manages(stage.advert, AdvertCommand::Switch { online: false }).await.unwrap();
    look("the advert is offline", 0).await;
    anna.manages(stage.advert, AdvertCommand::Switch { online: true }).await.unwrap();
    look("the advert is online again", 1).await;
    anna.asks(CommandKind::Switch { online: false }).await.unwrap();
    look("the owner is offline", 0).await;
    anna.asks(CommandKind::Switch { online: true }).await.unwrap();
    look("the owner is online again", 1).await;
    testkit::users::block(&market.database, ben.id(), anna.id()).await;
    look("the viewer has blocked the owner", 0).await;
    market.sql("delete from blocks_between").await;
    look("the block has ended", 1).await;
    anna.ends(stage.advert).await.unwrap();
    look("the advert is revoked", 0).await;
}
