//! A market on a real PostgreSQL and a real Anvil, with proxies to them and to a mail server.

use std::net::SocketAddr;

use domain::chain::Token;
use domain::ids::{AdvertId, IdSource, SessionId};
use domain::money::Amount;
use sha2::{Digest, Sha256};
use store::identity::sessions;
use store::sessions::Session;
use testkit::market::{Market, Trader, mec};
use testkit::{Ids, noon};

use crate::anvil::TestChain;
use crate::emails::Emails;
use crate::process::{Process, run, until};
use crate::proxy::Proxy;

pub struct Platform {
    pub market: Market,
    pub test_chain: TestChain,
    pub emails: Emails,
    pub postgres: Proxy,
    pub node: Proxy,
    pub mail: Proxy,
    environment: Vec<(&'static str, String)>,
}

impl Platform {
    pub async fn new() -> Self {
        let (market, test_chain, emails) = (Market::open().await, TestChain::new().await, Emails::start().await);
        let database: url::Url = market.database.url.parse().unwrap();
        let postgres = Proxy::to(database.socket_addrs(|| None).unwrap()[0]).await;
        let node = Proxy::to(place(&test_chain.anvil.address)).await;
        let mail = Proxy::to(emails.address).await;
        let mut through = database;
        through.set_port(Some(postgres.port)).unwrap();
        let anywhere = "127.0.0.1:0".to_owned();
        let environment = vec![
            ("DATABASE_URL", through.to_string()),
            // A short timeout, so that tests don't wait longer than necessary.
            ("DATABASE_PATIENCE_MS", "1500".to_owned()),
            ("HTTP_TIMEOUT_SECONDS", "10".to_owned()),
            ("HTTP_LISTEN", anywhere.clone()),
            ("HTTP_INTERNAL_LISTEN", anywhere),
            ("HTTP_WEB_FOLDER", String::new()),
            ("CHAIN_RPC", format!("http://127.0.0.1:{}", node.port)),
            ("CHAIN_CONFIRMATIONS", testkit::market::CONFIRMATIONS.to_string()),
            ("CHAIN_ESCROW", test_chain.deployment.escrow.to_string()),
            ("CLOCK_SOURCE", "database".to_owned()),
            ("MAIL_PORT", mail.port.to_string()),
            ("MARKET_FIAT", "KRW".to_owned()),
        ];
        run("migrate", &environment).await;
        Self { market, test_chain, emails, postgres, node, mail, environment }
    }

    pub async fn serve(&self) -> Process {
        Process::start("serve", &self.environment).await
    }

    pub async fn worker(&self) -> Process {
        Process::start("worker", &self.environment).await
    }

    /// Overrides a variable of the configuration.
    pub fn told(mut self, name: &'static str, value: String) -> Self {
        self.environment.retain(|(known, _)| *known != name);
        self.environment.push((name, value));
        self
    }

    /// Logs a user in and returns the token of the session.
    pub async fn session(&self, of: &Trader) -> String {
        let token = format!("token-of-{}", of.id());
        let id = SessionId(Ids.fresh(noon()));
        let session = Session {
            id,
            owner: of.id(),
            token_hash: Sha256::digest(&token).into(),
            salt: [0; 32],
            opened_by: Sha256::digest(id.0).into(),
            request_hash: [0; 32],
            opened_at: noon(),
            expires_at: noon() + chrono::Duration::days(7),
            agent: "test browser".to_owned(),
            address: "192.0.2.1".to_owned(),
        };
        let mut tx = self.market.database.store.begin().await.unwrap();
        sessions::insert(&mut tx, &session).await.unwrap();
        tx.commit().await.unwrap();
        token
    }

    /// Sends coins to a user's vault and finalizes the block.
    pub async fn sends(&self, to: &Trader, amount: Amount) {
        let call = chain::calls::transfer(Token::Native, self.test_chain.person.address(), to.user.vault, amount);
        self.test_chain.as_person(&call).await;
        self.test_chain.anvil.mine(testkit::market::CONFIRMATIONS).await;
    }

    /// Creates a user with an advert for 10 MEC that waits for its deposit.
    pub async fn seller(&self) -> (Trader, AdvertId) {
        let anna = self.market.trader().await;
        let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
        (anna, advert)
    }

    /// Creates a user with an online advert for 10 MEC.
    pub async fn seller_online(&self) -> (Trader, AdvertId) {
        let (anna, advert) = self.seller().await;
        self.sends(&anna, mec("10")).await;
        self.goes_online(advert).await;
        (anna, advert)
    }

    pub async fn goes_online(&self, advert: AdvertId) {
        until("the deposit counts", async || self.market.advert_state(advert).await == "ONLINE").await;
    }
}

pub fn place(address: &str) -> SocketAddr {
    address.strip_prefix("http://").unwrap().parse().unwrap()
}
