//! What albums say about the metadata of their NFTs, and when it is fetched.

use std::sync::{Arc, Mutex};

use app::nfts::metadata::{Image, Metadata, MetadataSource, Picture, ScaledPicture};
use app::nfts::{self, NftDetails};
use async_trait::async_trait;
use chrono::Duration;
use domain::chain::MetadataUpdate;
use domain::files::MediaType;
use domain::nfts::{MetadataFault, Royalty};
use gateways::{GuardedMetadata, ObjectFiles};
use tempfile::TempDir;
use tokio::sync::Notify;
use worker::Worker;

use super::*;

type Fetched = Result<Metadata, MetadataFault>;

const DAY: i64 = 24 * 60;

/// Says what it is told, and notes what it is asked for. The last answer stays. Waits before each answer if it is told to.
struct Told {
    answers: Mutex<Vec<Fetched>>,
    asked: Mutex<Vec<String>>,
    waits: bool,
    begun: Notify,
    may_end: Notify,
}

impl Told {
    fn new(answers: impl IntoIterator<Item = Fetched>) -> Arc<Self> {
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.reverse();
        let answers = Mutex::new(answers);
        Arc::new(Self { answers, asked: Mutex::default(), waits: false, begun: Notify::new(), may_end: Notify::new() })
    }

    fn waiting(answers: impl IntoIterator<Item = Fetched>) -> Arc<Self> {
        let told = Arc::into_inner(Self::new(answers)).unwrap();
        Arc::new(Self { waits: true, ..told })
    }

    /// Returns what it was asked for since the last call.
    fn asked(&self) -> Vec<String> {
        let mut asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked.sort();
        asked
    }
}

#[async_trait]
impl MetadataSource for Told {
    async fn fetch(&self, uri: &str) -> Fetched {
        self.asked.lock().unwrap().push(uri.to_owned());
        if self.waits {
            self.begun.notify_one();
            self.may_end.notified().await;
        }
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 { answers.pop().unwrap() } else { answers[0].clone() }
    }
}

fn named(name: &str, image: Image) -> Metadata {
    let (name, description) = (Some(name.to_owned()), Some(format!("About {name}")));
    Metadata { name, description, creator: None, traits: Vec::new(), image }
}

fn picture(bytes: &[u8]) -> Image {
    let scaled = ScaledPicture { media: MediaType::Png, width: 1, height: 1, bytes: bytes.to_vec() };
    Image::Picture(Picture { small: scaled.clone(), large: scaled })
}

/// Returns a worker that fetches metadata from a source, and its folder.
fn fetching(stage: &Stage, source: Arc<dyn MetadataSource>) -> (Worker, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let files = Arc::new(ObjectFiles::local(folder.path()).unwrap());
    (Worker { files: Some(files), metadata: Some(source), ..stage.base.worker.clone() }, folder)
}

/// Fetches everything that is due.
async fn fetches(worker: &Worker) {
    while worker::metadata::step(worker).await.unwrap() == Next::Immediately {}
}

impl Stage {
    /// Changes the metadata of an NFT of the hostile album, which reports a change of the NFTs from this number to another.
    async fn updates(&self, from: u8, to: u8, uri: &str) {
        let mut parameters = vec![word(from), word(to), word(0x60), word(u8::try_from(uri.len()).unwrap())];
        for part in uri.as_bytes().chunks(32) {
            let mut word = [0; 32];
            word[..part.len()].copy_from_slice(part);
            parameters.push(word);
        }
        self.tells("update(uint256,uint256,string)", &parameters).await;
    }

    /// Mints an NFT of an album to a stranger.
    async fn mints(&self, album: Address, id: [u8; 32], uri: &str) {
        self.base.test_chain.as_admin(&calls::mint_dev_nft(album, STRANGER, id, uri)).await;
    }

    async fn only_the_attacked_nft_is_due(&self) {
        let others = format!("update nft_metadata set due_at = null where asset_id <> {}", self.nft.0);
        self.base.market.sql(&others).await;
    }

    async fn details(&self, nft: AssetId) -> NftDetails {
        nfts::one(&self.base.market.context, None, nft).await.unwrap()
    }
}

#[tokio::test]
async fn reported_changes_are_fetched_once_a_day() {
    let stage = Stage::set().await;
    let first = std::iter::repeat_n(Ok(named("One", picture(b"1"))), 5);
    let source = Told::new(first.chain([Ok(named("Two", picture(b"1")))]));
    let (worker, _folder) = fetching(&stage, source.clone());
    for number in 2..=4 {
        stage.mints(stage.hostile, word(number), &format!("u{number}")).await;
    }
    stage.watches().await;
    fetches(&worker).await;
    assert_eq!(source.asked(), ["data:,{}", "data:,{}", "u2", "u3", "u4"], "each NFT once");

    // One, then some of them in one report, several times and in one range of blocks.
    for _ in 0..2 {
        stage.updates(2, 2, "v2").await;
        stage.updates(3, 4, "v3").await;
        stage.updates(4, 3, "ignored").await;
    }
    stage.watches().await;
    fetches(&worker).await;
    assert_eq!(source.asked(), Vec::<String>::new(), "not within a day");
    stage.base.market.waits(minutes(DAY)).await;
    fetches(&worker).await;
    assert_eq!(source.asked(), ["ignored", "v2", "v3"], "those that were named, once");
    let nft = nft_of(&stage.base, stage.hostile, word(2)).await;
    let details = stage.details(nft).await;
    assert_eq!((details.nft.name.as_deref(), details.metadata.changed), (Some("Two"), true));

    stage.base.market.waits(minutes(DAY)).await;
    stage.updates(1, 255, "u1").await;
    stage.watches().await;
    fetches(&worker).await;
    assert_eq!(source.asked(), ["ignored", "u1", "v2", "v3"], "at once after a day, all of the album and no other");
}

#[tokio::test]
async fn a_change_that_is_reported_during_a_fetch_is_fetched_after_a_day() {
    let stage = Stage::set().await;
    let source = Told::waiting([Ok(named("Old", picture(b"1"))), Ok(named("New", picture(b"1")))]);
    let (worker, _folder) = fetching(&stage, source.clone());
    stage.only_the_attacked_nft_is_due().await;
    let report = async {
        source.begun.notified().await;
        stage.updates(1, 1, "changed").await;
        stage.watches().await;
        source.may_end.notify_one();
    };
    let (done, ()) = tokio::join!(worker::metadata::step(&worker), report);
    assert_eq!(done.unwrap(), Next::Immediately);
    assert_eq!((source.asked().len(), stage.details(stage.nft).await.nft.name.as_deref()), (1, Some("Old")));
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Rest, "not within a day");
    stage.base.market.waits(minutes(DAY)).await;
    source.may_end.notify_one();
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Immediately);
    assert_eq!(
        (source.asked(), stage.details(stage.nft).await.nft.name.as_deref()),
        (vec!["changed".to_owned()], Some("New"))
    );
    stage.base.market.waits(minutes(DAY)).await;
    assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Rest, "once");
}

#[tokio::test]
async fn an_nft_is_fetched_by_one_worker_and_again_only_if_the_fetch_does_not_end_for_hours() {
    let stage = Stage::set().await;
    let [dead, second, third] = [
        Told::waiting([Ok(named("Dead", picture(b"1")))]),
        Told::waiting([Ok(named("Second", picture(b"2")))]),
        Told::new([Ok(named("Third", picture(b"3")))]),
    ];
    let ((one, _folder), (two, _other_folder)) = (fetching(&stage, dead.clone()), fetching(&stage, second.clone()));
    let (three, _third_folder) = fetching(&stage, third.clone());
    stage.only_the_attacked_nft_is_due().await;
    let market = &stage.base.market;
    let nobody_waits = async || {
        let step = tokio::time::timeout(std::time::Duration::from_secs(20), worker::metadata::step(&three));
        assert_eq!(step.await.expect("no lock is waited for").unwrap(), Next::Rest);
    };
    let others = async {
        dead.begun.notified().await;
        nobody_waits().await;
        market.waits(minutes(6 * 60)).await;
        let mut tx = market.database.store.begin().await.unwrap();
        let update = MetadataUpdate { album: stage.hostile, ids: (ATTACKED, ATTACKED) };
        store::nft_metadata::ask_again(&mut tx, CHAIN, &[update], market.now().await, Duration::days(1)).await.unwrap();
        nobody_waits().await;
        tx.rollback().await.unwrap();
        let end = async {
            second.begun.notified().await;
            dead.may_end.notify_one();
        };
        tokio::join!(worker::metadata::step(&two), end).0.unwrap()
    };
    let ended = async {
        let done = worker::metadata::step(&one).await.unwrap();
        assert_eq!(stage.details(stage.nft).await.nft.name, None, "another fetch has begun");
        second.may_end.notify_one();
        done
    };
    assert_eq!(tokio::join!(ended, others), (Next::Immediately, Next::Immediately));
    assert_eq!(stage.details(stage.nft).await.nft.name.as_deref(), Some("Second"));
    assert_eq!(market.count("select count(*) from loose_objects").await, 2, "the other picture");
    market.waits(minutes(2 * DAY)).await;
    nobody_waits().await;
    assert_eq!(third.asked(), Vec::<String>::new(), "the album has reported nothing");
}

#[tokio::test]
async fn a_picture_whose_server_fails_does_not_delay_the_texts() {
    let stage = Stage::set().await;
    let slow = Image::Refused(MetadataFault::TooSlow);
    let gone = Image::Refused(MetadataFault::Unreachable);
    let source = Told::new([
        Ok(named("One", slow.clone())),
        Ok(named("One", picture(b"1"))),
        Ok(named("Two", gone.clone())),
        Err(MetadataFault::Unreachable),
        Ok(named("Two", picture(b"2"))),
        Ok(named("One", picture(b"1"))),
    ]);
    let (worker, _folder) = fetching(&stage, source.clone());
    stage.only_the_attacked_nft_is_due().await;
    let shown = async || {
        fetches(&worker).await;
        let details = stage.details(stage.nft).await;
        let (name, about) = (details.nft.name.unwrap(), details.metadata.description.unwrap());
        assert_eq!(about, format!("About {name}"));
        (name, details.nft.picture, details.metadata.changed)
    };
    let (name, none, changed) = shown().await;
    assert_eq!((name.as_str(), none, changed), ("One", Err(MetadataFault::TooSlow), false));
    assert_eq!(source.asked().len(), 1);
    fetches(&worker).await;
    assert_eq!(source.asked(), Vec::<String>::new(), "not at once");

    stage.base.market.waits(minutes(6 * 60)).await;
    let (name, first, changed) = shown().await;
    assert_eq!((name.as_str(), first.is_ok(), changed), ("One", true, false), "a picture that comes late is no change");
    stage.base.market.waits(minutes(DAY)).await;
    fetches(&worker).await;
    assert_eq!(source.asked().len(), 1, "now it is complete");

    stage.updates(1, 1, "changed").await;
    stage.watches().await;
    let (name, kept, changed) = shown().await;
    assert_eq!(
        (name.as_str(), kept == first, changed),
        ("Two", true, true),
        "the texts have changed, the picture stays"
    );
    for same in [true, false] {
        stage.base.market.waits(minutes(6 * 60)).await;
        let (name, picture, changed) = shown().await;
        assert_eq!((name.as_str(), picture == first, changed), ("Two", same, true));
    }
    stage.base.market.waits(minutes(DAY)).await;
    stage.updates(1, 1, "back").await;
    stage.watches().await;
    let (name, picture, changed) = shown().await;
    assert_eq!((name.as_str(), picture == first, changed), ("One", true, false), "as it was at first");
    let loose = "select count(*) from loose_objects";
    assert_eq!(stage.base.market.count(loose).await, 4, "two sizes of each picture that was replaced");
}

#[tokio::test]
async fn an_album_that_does_not_say_where_metadata_is_keeps_no_other_waiting() {
    let stage = Stage::set().await;
    let (worker, _folder) = fetching(&stage, Arc::new(GuardedMetadata::new(None).unwrap()));
    fetches(&worker).await;
    let attacks = [Answers::Reverts, Answers::UsesAllGas, Answers::Nothing, Answers::TooLong];
    for (number, what) in (10..).zip(attacks) {
        let first = 50 + (number - 10) * 20;
        stage.answers(what, STRANGER).await;
        stage.forges(STRANGER, STRANGER, first, 20).await;
        stage.watches().await;
        stage.mints(stage.honest, word(number), &format!(r#"data:,{{"name":"Art {number}"}}"#)).await;
        stage.watches().await;
        // Twenty others have waited for longer.
        assert_eq!(worker::metadata::step(&worker).await.unwrap(), Next::Immediately);
        let nft = nft_of(&stage.base, stage.honest, word(number)).await;
        assert_eq!(stage.details(nft).await.nft.name, Some(format!("Art {number}")), "{what:?}");
        fetches(&worker).await;
        let nft = nft_of(&stage.base, stage.hostile, word(first)).await;
        assert_eq!(stage.details(nft).await.nft.picture, Err(MetadataFault::Missing), "{what:?}");
    }
}

#[tokio::test]
async fn the_royalty_is_what_the_contract_stated_last() {
    let stage = Stage::set().await;
    // The server of the metadata does not matter.
    let (worker, _folder) = fetching(&stage, Told::new([Err(MetadataFault::Unreachable)]));
    let honest = nft_of(&stage.base, stage.honest, LAST).await;
    let stated = async || {
        stage.base.market.sql("update nft_metadata set due_at = 'epoch'").await;
        fetches(&worker).await;
        let [of_honest, of_hostile] = [stage.details(honest).await, stage.details(stage.nft).await];
        (of_honest.metadata.royalty, of_hostile.metadata.royalty)
    };
    let five_percent = Some(Royalty { receiver: stage.base.test_chain.admin.address(), basis_points: 500 });
    let ten_percent = Some(Royalty { receiver: stage.hostile, basis_points: 1_000 });
    assert_eq!(stage.details(honest).await.metadata.royalty, None, "the contract was not asked yet");
    for what in [Answers::Reverts, Answers::UsesAllGas, Answers::Nothing, Answers::Lies, Answers::TooLong] {
        stage.answers(Answers::Honest, STRANGER).await;
        assert_eq!(stated().await, (five_percent, ten_percent));
        stage.answers(what, STRANGER).await;
        assert_eq!(stated().await, (five_percent, None), "{what:?}");
    }
}
