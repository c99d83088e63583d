//! `mec2c worker` is killed around each step of trades on adverts that buy. Each payout is paid once.

use std::path::Path;

use chain::node::{At, Node};
use chain::signer::LocalSigner;
use domain::chain::{Address, Token};
use domain::money::Amount;
use testkit::market::{CONFIRMATIONS, Trader, mec, usdt};

use crate::anvil::key;
use crate::platform::Platform;
use crate::process::until;

const PASSWORD: &str = "the settler's password";

// What grows right after a worker has credited a deposit, stored what it sends next, or read a mined payout.
const CREDITED: &str = "select count(*) from deposits";
const STORED: &str = "select count(*) from payout_attempts";
const MINED: &str = "select count(*) from settlements";

impl Platform {
    /// Lets workers pay, with the settler's key in this folder.
    fn pays(self, folder: &Path) -> Self {
        LocalSigner::write_keystore(folder, "settler", key(1), PASSWORD).unwrap();
        self.told("PAYOUTS_KEYSTORE_FILE", folder.join("settler").display().to_string())
            .told("PAYOUTS_PASSWORD", PASSWORD.to_owned())
    }

    /// Adds a user whose vault belongs to the Escrow.
    async fn trader(&self) -> Trader {
        let trader = self.market.trader().await;
        let vault = self.test_chain.vaults.address(trader.user.custody_index);
        trader.with_vault(vault).await
    }

    /// Kills a worker whenever one of these counts has grown. The next one brings the trade to its next state.
    async fn survives(&self, counts: &[&str], done: impl AsyncFn() -> bool) {
        let mut before = Vec::new();
        for count in counts {
            before.push(self.market.count(count).await);
        }
        for (count, before) in counts.iter().zip(before) {
            let worker = self.worker().await;
            until(count, async || self.market.count(count).await > before).await;
            worker.kill().await;
        }
        let worker = self.worker().await;
        self.test_chain.anvil.mine(CONFIRMATIONS).await;
        until("the trade goes on", async || done().await).await;
        worker.kill().await;
        self.market.is_sound().await;
    }

    async fn holds(&self, token: Token, holder: Address) -> Amount {
        let held = self.test_chain.anvil.node.holding(token, holder, At::Latest).await.unwrap();
        Amount::new(held.try_into().unwrap()).unwrap()
    }
}

#[tokio::test]
async fn a_worker_that_is_killed_around_each_step_pays_and_refunds_purchases_once() {
    let folder = tempfile::tempdir().unwrap();
    let platform = Platform::new().await.pays(folder.path());
    let (market, token) = (&platform.market, platform.test_chain.usdt);
    let contract = format!("update assets set contract = decode(substr('{token}', 3), 'hex') where code = 'USDT'");
    market.sql(&contract).await;
    let (anna, ben) = (platform.trader().await, platform.trader().await);

    for (ending, end) in [("RELEASING", "COMPLETED"), ("REFUNDING", "CANCELLED")] {
        let advert = anna.posts(anna.mec_for_krw("4", "1000").buying()).await.unwrap();
        let order = ben.orders(advert, "4").await.unwrap();
        anna.accepts(order).await.unwrap();
        platform.sends(&ben, mec("4")).await;
        platform.survives(&[CREDITED], async || market.state(order).await == "AWAITING_PAYMENT").await;
        if ending == "RELEASING" {
            anna.marks_paid(order).await.unwrap();
            ben.confirms(order).await.unwrap();
        } else {
            anna.cancels(order).await.unwrap();
        }
        assert_eq!(market.state(order).await, ending);
        platform.survives(&[STORED, MINED], async || market.state(order).await == end).await;
    }

    let advert = anna.posts(anna.mec_for_usdt("4", "2.5").automatic().buying()).await.unwrap();
    platform.test_chain.mint(anna.user.vault, usdt("10").units()).await;
    platform.test_chain.anvil.mine(CONFIRMATIONS).await;
    platform.survives(&[CREDITED], async || market.advert_state(advert).await == "ONLINE").await;
    let order = ben.orders(advert, "4").await.unwrap();
    platform.sends(&ben, mec("4")).await;
    platform.survives(&[CREDITED, MINED], async || market.state(order).await == "COMPLETED").await;

    assert_eq!(platform.holds(Token::Native, anna.user.bound.unwrap()).await, mec("7.992"));
    assert_eq!(platform.holds(Token::Native, ben.user.bound.unwrap()).await, mec("4"));
    let receiving = ben.user.receiving.as_ref().unwrap().address.parse().unwrap();
    assert_eq!(platform.holds(Token::Erc20(token), receiving).await, usdt("10"));
    // The fees stay in the vaults.
    assert_eq!(platform.holds(Token::Native, ben.user.vault).await, mec("0.008"));
    assert_eq!(platform.holds(Token::Erc20(token), anna.user.vault).await, usdt("0"));
}
