//! Hostile collections that are no albums, whose NFTs an officer searches.

use app::console::UNLISTED_AT_ONCE;

use super::*;
use crate::unlisted::unlisted;

#[tokio::test]
async fn a_hostile_collection_does_not_prevent_the_search_and_its_many_nfts_are_cut() {
    let stage = Stage::set().await;
    let artifact = include_str!("../../../../../contracts/artifacts/DevHostileNft.json");
    let foreign = stage.base.test_chain.as_admin(&deployment(artifact)).await.created.unwrap();
    let stage = Stage { hostile: foreign, ..stage };
    let frozen::Stage { anna, worker, test_chain, .. } = &stage.base;
    let vault = anna.user.vault;
    let sent = stage.forges(STRANGER, vault, 0, 3).await;
    stage.watches().await;
    let attacks = [Answers::Honest, Answers::Reverts, Answers::UsesAllGas, Answers::Nothing, Answers::TooLong];
    for what in attacks {
        stage.answers(what, vault).await;
        stage.watches().await;
        assert_eq!(unlisted(worker, test_chain.deployment.escrow, sent).await, [], "{what:?}");
    }
    stage.answers(Answers::Lies, vault).await;
    let sent = stage.forges(STRANGER, vault, 0, 255).await;
    assert_eq!(unlisted(worker, test_chain.deployment.escrow, sent).await, [], "not final");
    stage.watches().await;
    let found = unlisted(worker, test_chain.deployment.escrow, sent).await;
    assert!(found.iter().all(|one| (one.collection, one.recipient) == (foreign, STRANGER)), "{found:?}");
    assert_eq!(found.len(), UNLISTED_AT_ONCE);
}
