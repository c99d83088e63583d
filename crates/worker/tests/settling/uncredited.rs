//! A transfer that a token logs without moving the coins stays uncredited until the vault holds them.

use app::console;
use chain::calls;
use domain::assets::AssetId;
use domain::chain::{Address, Token};
use domain::wallet::State;
use serde_json::json;

use crate::anvil::amount;
use crate::platform::{CONFIRMATIONS, Platform, resume};
use crate::tokens::lying_token;

struct Stage {
    platform: Platform,
    contract: Address,
    asset: AssetId,
}

impl Stage {
    /// Creates a platform with the lying token. The user has 1000 of it.
    async fn set() -> Self {
        let platform = Platform::new().await;
        let (contract, asset) = lying_token(&platform).await;
        let stage = Self { platform, contract, asset };
        stage.brings(1_000).await;
        stage.platform.finalise().await;
        assert_eq!(stage.free().await, 1_000);
        stage
    }

    /// Transfers coins to the vault and logs the same amount.
    async fn brings(&self, units: i128) {
        let mint = calls::mint_dev_usdt(self.contract, self.platform.anna.vault, amount(units));
        self.platform.test_chain.as_admin(&mint).await;
    }

    /// Logs a transfer to the vault, but transfers a tenth less.
    async fn lies(&self, units: i128) {
        let test_chain = &self.platform.test_chain;
        let from = test_chain.person.address();
        test_chain.as_admin(&calls::mint_dev_usdt(self.contract, from, amount(units))).await;
        let call = calls::transfer(Token::Erc20(self.contract), from, self.platform.anna.vault, amount(units));
        test_chain.as_person(&call).await;
    }

    /// Sets the vault's balance, without a log.
    async fn holds(&self, units: i128) {
        let anvil = &self.platform.test_chain.anvil;
        let key = format!("0x{:0>64}{:064x}", hex::encode(self.platform.anna.vault.as_slice()), 1);
        let slot = anvil.raw("web3_sha3", json!([key])).await;
        let contract = self.contract.to_string();
        anvil.raw("anvil_setStorageAt", json!([contract, slot, format!("0x{units:064x}")])).await;
    }

    async fn free(&self) -> i128 {
        self.platform.free(self.asset).await
    }

    async fn uncredited(&self) -> Vec<i128> {
        let uncredited = console::uncredited(&self.platform.worker.context).await.unwrap();
        assert!(uncredited.iter().all(|one| one.asset.id == self.asset));
        uncredited.into_iter().map(|one| one.transfer.amount.units()).collect()
    }

    async fn stopped(&self) -> bool {
        let stopped = console::stopped(&self.platform.worker.context).await.unwrap();
        stopped.iter().any(|one| one.asset.id == self.asset)
    }
}

#[tokio::test]
async fn an_honest_deposit_into_a_short_vault_is_credited_once_as_soon_as_the_vault_holds_it() {
    let stage = Stage::set().await;
    let platform = &stage.platform;
    stage.holds(400).await;
    stage.brings(300).await;
    platform.finalise().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (1_000, vec![300]), "the vault holds 700 of 1000");
    assert!(stage.stopped().await);

    stage.holds(1_100).await;
    platform.finalise().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (1_000, vec![300]), "100 of 300 are covered");
    stage.brings(80).await;
    platform.finalise().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (1_080, vec![300]), "what fits is credited");
    stage.holds(1_379).await;
    platform.finalise().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (1_080, vec![300]), "one less than enough");

    stage.holds(1_380).await;
    for _ in 0..2 {
        platform.finalise().await;
        assert_eq!((stage.free().await, stage.uncredited().await), (1_380, vec![]));
    }
    let context = &platform.worker.context;
    let (records, _) = app::wallet::records::page(context, platform.anna.id, None, Some("LUSDT"), 0, 10).await.unwrap();
    let states: Vec<_> = records.iter().map(|one| one.record.state).collect();
    assert_eq!(states, [State::Completed; 3], "one record each");

    assert!(stage.stopped().await, "until an officer resumes payouts");
    assert_eq!(resume(&platform.worker, stage.asset, "the vault is whole again").await, Ok(()));
    platform.finalise().await;
    assert!(!stage.stopped().await);
    let mut tx = platform.database.store.begin().await.unwrap();
    assert_eq!(store::ledger::disagreements(&mut tx).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn of_transfers_that_become_final_together_those_that_the_vault_holds_are_credited() {
    let stage = Stage::set().await;
    stage.lies(500).await;
    stage.brings(40).await;
    stage.brings(5).await;
    stage.platform.finalise().await;
    let (free, uncredited) = (stage.free().await, stage.uncredited().await);
    // The vault held 1000 and received 450, 40 and 5.
    assert_eq!((free, uncredited), (1_045, vec![500]), "the first does not fit; the later ones do");
    stage.brings(400).await;
    stage.platform.finalise().await;
    assert_eq!(
        (stage.free().await, stage.uncredited().await),
        (1_445, vec![500]),
        "new transfers take precedence over uncredited ones"
    );
}

#[tokio::test]
async fn an_uncredited_transfer_leaves_the_chain_with_its_block() {
    let stage = Stage::set().await;
    let platform = &stage.platform;
    stage.lies(1_000).await;
    platform.finalise().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (1_000, vec![1_000]));
    platform.test_chain.anvil.reorganise(CONFIRMATIONS + 1).await;
    platform.settle().await;
    assert_eq!(stage.uncredited().await, Vec::<i128>::new());
    stage.holds(5_000).await;
    platform.finalise().await;
    assert_eq!(stage.free().await, 1_000, "no transfer is left to credit");

    // A reorganization also reverts a transfer that was uncredited at first and credited later.
    stage.holds(1_000).await;
    platform.finalise().await;
    stage.lies(1_000).await;
    platform.finalise().await;
    stage.holds(2_000).await;
    platform.finalise().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (2_000, vec![]));
    platform.test_chain.anvil.reorganise(2 * CONFIRMATIONS + 1).await;
    platform.settle().await;
    assert_eq!((stage.free().await, stage.uncredited().await), (1_000, vec![]));
    let mut tx = platform.database.store.begin().await.unwrap();
    assert_eq!(store::ledger::disagreements(&mut tx).await.unwrap(), Vec::<String>::new());
}
