//! When the signed transactions of payouts are closed, because they are final, and opened again, because they are not.

use app::chain::settlement::{Attempt, Turn};
use testkit::market::{CHAIN, Chain, Contents, Market, Trader, usdt};

/// A market on which three users each have 5 USDT.
struct Scene {
    market: Market,
    chain: Chain,
    users: Vec<Trader>,
}

impl Scene {
    async fn set() -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let mut users = Vec::new();
        for _ in 0..3 {
            let user = market.trader().await;
            chain.brings(&user, market.usdt, usdt("5")).await;
            users.push(user);
        }
        Self { market, chain, users }
    }

    /// Signs the withdrawal of a user, under the next nonce.
    async fn signs(&mut self, user: usize) -> Contents {
        self.users[user].withdraws(self.market.usdt).await.unwrap();
        self.chain.signs().await
    }

    /// Signs each user's withdrawal, under the nonces 0, 1 and 2.
    async fn signs_all(&mut self) -> Vec<Contents> {
        let mut signed = Vec::new();
        for user in 0..self.users.len() {
            signed.push(self.signs(user).await);
        }
        assert_eq!(self.open().await, [0, 1, 2]);
        signed
    }

    /// Replaces the attempt of a nonce, as for a higher fee.
    async fn replaces(&mut self, nonce: u64) {
        let tx = self.chain.transaction();
        let mut turn = self.turn().await;
        let open = turn.open_attempts().await.unwrap();
        let last = open.into_iter().find(|attempt| attempt.nonce == nonce).unwrap();
        turn.commit(&Attempt { tx, ..last }).await.unwrap();
    }

    async fn turn(&self) -> Turn {
        Turn::begin(&self.market.context, CHAIN).await.unwrap().unwrap()
    }

    /// The nonces of the open attempts.
    async fn open(&self) -> Vec<u64> {
        let mut turn = self.turn().await;
        let open = turn.open_attempts().await.unwrap();
        turn.pass().await.unwrap();
        open.iter().map(|attempt| attempt.nonce).collect()
    }
}

#[tokio::test]
async fn a_final_transaction_closes_all_attempts_of_its_nonce_and_no_others() {
    let mut scene = Scene::set().await;
    let signed = scene.signs_all().await;
    scene.replaces(1).await;
    assert_eq!(scene.open().await, [0, 1, 1, 2]);
    scene.chain.mines_blocks([signed[1].clone()]).await;
    scene.chain.mines(1).await;
    assert_eq!(scene.open().await, [0, 1, 1, 2], "one confirmation is missing");
    scene.chain.mines(1).await;
    assert_eq!(scene.open().await, [0, 2]);
}

#[tokio::test]
async fn a_reorganization_opens_the_attempts_from_the_first_removed_nonce_on() {
    let mut scene = Scene::set().await;
    for (nonce, user) in (0..).zip(0..3) {
        let signed = scene.signs(user).await;
        if nonce == 1 {
            scene.replaces(nonce).await;
        }
        scene.chain.mines_blocks([signed]).await;
        scene.chain.confirms().await;
        assert_eq!(scene.open().await, [0_u64; 0]);
    }
    scene.chain.reorganises(6, vec![Contents::default(); 6]).await;
    assert_eq!(scene.open().await, [1, 1, 2], "the block of nonce 0 is still there");
    scene.market.is_sound().await;
}

#[tokio::test]
async fn a_nonce_that_was_used_for_nothing_is_given_up_alone() {
    let mut scene = Scene::set().await;
    scene.signs_all().await;
    scene.replaces(1).await;
    scene.turn().await.give_up(1).await.unwrap();
    assert_eq!(scene.open().await, [0, 2]);
    assert_eq!(scene.chain.signs().await.settlements.len(), 1, "only the leg of the closed attempts is owed again");
}

#[tokio::test]
async fn nonces_that_are_free_again_are_taken_up_from_the_first_to_before_the_last() {
    let mut scene = Scene::set().await;
    scene.signs_all().await;
    for nonce in 0..3 {
        scene.turn().await.give_up(nonce).await.unwrap();
    }
    assert_eq!(scene.turn().await.take_up(1, 2).await.unwrap(), 1);
    assert_eq!(scene.open().await, [1]);
    assert_eq!(scene.turn().await.take_up(0, 2).await.unwrap(), 1, "one was open already");
    assert_eq!(scene.open().await, [0, 1]);
}
