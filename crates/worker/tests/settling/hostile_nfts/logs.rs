//! Albums that log transfers that never were.

use domain::wallet::State;

use super::*;
use crate::platform::resume;

#[tokio::test]
async fn forged_transfers_into_vaults_are_not_credited_and_stop_only_what_they_name() {
    let stage = Stage::set().await;
    let nobody = Address([0; 20]);
    stage.forges(nobody, stage.cleo.user.vault, 100, 60).await;
    stage.forges(stage.base.anna.user.vault, stage.base.ben.user.vault, 50, 3).await;
    stage.forges(stage.cleo.user.vault, stage.dan.user.vault, 60, 3).await;
    stage.watches().await;
    stage.plays().await.is(&DELIVERED);
    let uncredited = console::uncredited(&stage.base.worker.context).await.unwrap();
    assert_eq!(uncredited.len(), 66);
    assert_eq!(console::stopped(&stage.base.worker.context).await.unwrap().len(), 66);
    let page = records::page(&stage.base.market.context, stage.cleo.id(), None, None, 0, 100).await.unwrap().0;
    let failed = page.iter().filter(|one| one.record.state == State::Failed).count();
    assert_eq!(failed, 60, "Cleo sees that they did not arrive");
}

#[tokio::test]
async fn a_forged_transfer_of_an_nft_in_an_order_stops_it_until_an_officer_compares() {
    let stage = Stage::set().await;
    let frozen::Stage { anna, ben, worker, .. } = &stage.base;
    stage.forges(anna.user.vault, ben.user.vault, 1, 1).await;
    stage.watches().await;
    stage.plays().await.is(&Seen {
        stops: &["holds 0 of what should be 1"],
        ben_records: &["DEPOSIT FAILED", "RELEASE REQUESTED"],
        ..STUCK
    });
    assert_eq!(resume(worker, stage.nft, "the vault holds it").await, Ok(()));
    stage.base.insists().await;
    let seen = stage.seen().await;
    assert_eq!((seen.order, seen.places), ("COMPLETED", [vec![], vec![]]));
    assert_eq!(stage.owner(stage.hostile, ATTACKED).await, ben.user.bound);
}

#[tokio::test]
async fn a_forged_transfer_out_of_a_vault_changes_nothing_but_the_history() {
    let stage = Stage::set().await;
    stage.forges(stage.base.anna.user.vault, STRANGER, 1, 1).await;
    stage.watches().await;
    let details = app::nfts::one(&stage.base.market.context, None, stage.nft).await.unwrap();
    assert_eq!(details.holder, Some(STRANGER), "as the logs say");
    stage.plays().await.is(&DELIVERED);
}
