//! A token that does not report balances delays only its own deposits and payouts.

use app::console;
use chain::calls;
use domain::money::Amount;
use serde_json::json;

use crate::anvil::{CHAIN, amount};
use crate::platform::{CONFIRMATIONS, Platform, differences, resume};
use crate::tokens::lying_token;

/// Contract codes that do not report balances: they revert, fail on an invalid opcode, return one byte, or return a
/// number above the maximum amount.
const MUTE: [&str; 4] = ["0x60006000fd", "0xfe", "0x60016000f3", "0x60001960005260206000f3"];

#[tokio::test]
async fn a_token_that_does_not_report_balances_waits_alone() {
    let platform = Platform::new().await;
    let (contract, asset) = lying_token(&platform).await;
    let (test_chain, context) = (&platform.test_chain, &platform.worker.context);
    let mint = |units| calls::mint_dev_usdt(contract, platform.anna.vault, amount(units));
    test_chain.as_admin(&mint(5_000)).await;
    platform.finalise().await;
    assert_eq!(platform.free(asset).await, 5_000);
    let code = test_chain.anvil.raw("eth_getCode", json!([contract.to_string(), "latest"])).await;

    for (round, mute) in (1..).zip(MUTE) {
        test_chain.as_admin(&mint(70)).await;
        test_chain.mint(platform.anna.vault, 20).await;
        test_chain.deposit(1, 30).await;
        test_chain.anvil.raw("anvil_setCode", json!([contract.to_string(), mute])).await;
        platform.finalise().await;
        assert_eq!(platform.free(asset).await, 4_930 + 70 * round, "{mute}: the amount is unknown");
        assert_eq!(platform.free(platform.mec).await, 37 * round - 7, "{mute}");
        assert_eq!(platform.free(platform.usdt).await, 20 * round, "{mute}");
        let stopped = console::stopped(context).await.unwrap();
        assert_eq!(stopped.iter().map(|one| one.asset.id).collect::<Vec<_>>(), [asset], "{mute}");
        assert!(stopped[0].stop.because.contains("does not report what"), "{stopped:?}");

        // The reconciliation round still compares the assets that come after this token.
        let found = 37 * round;
        test_chain.anvil.raw("anvil_setBalance", json!([test_chain.vault(1).to_string(), format!("{found:#x}")])).await;
        test_chain.anvil.mine(CONFIRMATIONS).await;
        platform.settle().await;
        worker::reconcile::step(&platform.worker).await.unwrap();
        assert_eq!(platform.free(platform.mec).await, found, "{mute}: found by the round");
        let mut tx = platform.database.store.begin().await.unwrap();
        let round_found = store::reconciliations::latest(&mut tx, CHAIN).await.unwrap().unwrap();
        let of_token = round_found.assets.iter().find(|one| one.asset == asset).unwrap();
        let nothing = (0, Amount::ZERO, Amount::ZERO);
        assert_eq!((of_token.vaults, of_token.on_chain, of_token.in_ledger), nothing, "{mute}: unknown");
        assert_eq!((of_token.unknown, of_token.left_out), (1, 0), "{mute}");
        let reason = "its code is restored";
        assert!(differences(resume(&platform.worker, asset, reason).await).contains("does not report"));
        test_chain.anvil.raw("anvil_setCode", json!([contract.to_string(), code])).await;
        platform.finalise().await;
        assert_eq!(platform.free(asset).await, 5_000 + 70 * round, "{mute}: it reports balances again");
        assert_eq!(resume(&platform.worker, asset, reason).await, Ok(()));
    }
}
