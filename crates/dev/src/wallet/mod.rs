//! The wallets of the development environment: a page that shows balances and sends coins as any person.
//!
//! Like any wallet, it uses only the chain and knows nothing of the product. The node holds the keys and signs.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use chain::calls::{self, Call};
use chain::nfts;
use chain::node::{At, Node as _};
use chain::rpc::RpcNode;
use chain::wallet::mined;
use domain::chain::{Address, Token, TxHash};
use domain::money::Amount;
use domain::nfts::TokenId;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::album;
use crate::http::{Failure, file};
use crate::people::{self, Person};
use crate::rpc::Node;

/// The time limit for a transaction.
const NODE_TIMEOUT: Duration = Duration::from_secs(20);
/// The amount that the faucet sends at once, in whole units.
const GIFT: &str = "1000";

#[derive(Debug, Clone)]
pub(crate) struct Coin {
    pub(crate) code: &'static str,
    pub(crate) token: Token,
    pub(crate) decimals: u8,
}

#[derive(Clone)]
pub(crate) struct Wallets {
    node: Node,
    chain: Arc<RpcNode>,
    coins: Arc<[Coin]>,
    album: Address,
}

impl Wallets {
    /// Wallets for the native coin, USDT and the NFTs of an album.
    pub(crate) fn new(node: Node, usdt: Address, album: Address) -> anyhow::Result<Self> {
        let chain = Arc::new(RpcNode::new(node.url(), NODE_TIMEOUT)?);
        let coins = [
            Coin { code: "MEC", token: Token::Native, decimals: 18 },
            Coin { code: "USDT", token: Token::Erc20(usdt), decimals: 6 },
        ];
        Ok(Self { node, chain, coins: coins.into(), album })
    }

    fn coin(&self, code: &str) -> Result<&Coin, Failure> {
        self.coins.iter().find(|coin| coin.code == code).ok_or_else(|| Failure::bad(format!("no coin {code}")))
    }

    async fn holding(&self, coin: &Coin, holder: Address) -> Result<Amount, Failure> {
        let held = self.chain.holding(coin.token, holder, At::Latest).await?;
        Ok(Amount::new(i128::try_from(held).context("the balance is out of range")?)?)
    }

    /// Sends coins from an account whose key the node holds, and waits until the transfer is mined.
    async fn transfer(&self, from: Address, to: Address, coin: &Coin, amount: Amount) -> Result<TxHash, Failure> {
        let held = self.holding(coin, from).await?;
        if held.sub(amount).is_err() {
            let (held, wanted) = (held.format(coin.decimals), amount.format(coin.decimals));
            return Err(Failure::bad(format!("this account has {held} {}, less than {wanted}", coin.code)));
        }
        self.transact(from, calls::transfer(coin.token, from, to, amount)).await
    }

    /// Sends an NFT of the album from an account whose key the node holds, and waits until the transfer is mined.
    async fn transfer_nft(&self, from: Address, to: Address, id: TokenId) -> Result<TxHash, Failure> {
        let token = Token::Erc721(self.album, id.0);
        if self.chain.holding(token, from, At::Latest).await?.is_zero() {
            return Err(Failure::bad(format!("this account does not hold number {id}")));
        }
        self.transact(from, calls::transfer(token, from, to, Amount::ONE)).await
    }

    /// Returns the owners of the album's NFTs.
    async fn owners(&self) -> Result<Vec<(u8, Address)>, Failure> {
        let mut owners = Vec::new();
        for number in 1..=album::MINTED {
            let id = album::token_id(number).0;
            let owner = nfts::owner(self.chain.as_ref(), self.album, id, At::Latest).await?;
            owners.extend(owner.map(|owner| (number, owner)));
        }
        Ok(owners)
    }

    async fn transact(&self, from: Address, call: Call) -> Result<TxHash, Failure> {
        let transaction = json!([{
            "from": from,
            "to": call.to,
            "value": format!("{:#x}", call.value.units()),
            "data": format!("0x{}", hex::encode(&call.data)),
        }]);
        let hash: TxHash = self.node.call("eth_sendTransaction", transaction).await?;
        let receipt = mined(self.chain.as_ref(), hash, NODE_TIMEOUT).await?;
        if receipt.succeeded { Ok(hash) } else { Err(Failure::bad(format!("transaction {hash} reverted"))) }
    }
}

pub(crate) fn router(wallets: Wallets) -> Router {
    Router::new()
        .route("/", get(async || file("text/html; charset=utf-8", include_str!("page.html"))))
        .route("/page.css", get(async || file("text/css; charset=utf-8", include_str!("page.css"))))
        .route("/page.js", get(async || file("text/javascript; charset=utf-8", include_str!("page.js"))))
        .route("/people", get(list))
        .route("/send", post(send))
        .route("/faucet", post(faucet))
        .with_state(wallets)
}

#[derive(Debug, Serialize)]
struct Holder {
    name: String,
    address: Address,
    holdings: Vec<Holding>,
    /// The numbers of the NFTs of the album.
    nfts: Vec<u8>,
}

/// An amount in whole units of the coin, as a decimal number.
#[derive(Debug, Serialize)]
struct Holding {
    coin: &'static str,
    amount: String,
}

async fn list(State(wallets): State<Wallets>) -> Result<Json<Vec<Holder>>, Failure> {
    let mut holders = Vec::new();
    let owners = wallets.owners().await?;
    for Person { name, address } in people::all(&wallets.node).await? {
        let mut holdings = Vec::new();
        for coin in wallets.coins.iter() {
            let amount = wallets.holding(coin, address).await?.format(coin.decimals);
            holdings.push(Holding { coin: coin.code, amount });
        }
        let nfts = owners.iter().filter(|(_, owner)| *owner == address).map(|(number, _)| *number).collect();
        holders.push(Holder { name, address, holdings, nfts });
    }
    Ok(Json(holders))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sending {
    from: String,
    to: String,
    coin: String,
    amount: String,
}

#[derive(Debug, Serialize)]
struct Sent {
    hash: TxHash,
}

async fn send(State(wallets): State<Wallets>, Json(sending): Json<Sending>) -> Result<Json<Sent>, Failure> {
    let (from, to) = (address("from", &sending.from)?, address("to", &sending.to)?);
    if !people::all(&wallets.node).await?.iter().any(|person| person.address == from) {
        return Err(Failure::bad(format!("the node does not hold the key of {from}")));
    }
    let hash = if sending.coin == album::CODE {
        let number = sending.amount.trim().parse().map_err(|_| Failure::bad("amount: must be the number of an NFT"))?;
        wallets.transfer_nft(from, to, number).await?
    } else {
        let coin = wallets.coin(&sending.coin)?;
        wallets.transfer(from, to, coin, amount(coin, &sending.amount)?).await?
    };
    Ok(Json(Sent { hash }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanting {
    to: String,
    coin: String,
}

async fn faucet(State(wallets): State<Wallets>, Json(wanting): Json<Wanting>) -> Result<Json<Sent>, Failure> {
    let to = address("to", &wanting.to)?;
    let coin = wallets.coin(&wanting.coin)?;
    let from = people::bank(&wallets.node).await?;
    let hash = wallets.transfer(from, to, coin, amount(coin, GIFT)?).await?;
    Ok(Json(Sent { hash }))
}

fn address(name: &str, text: &str) -> Result<Address, Failure> {
    let wrong = |_| Failure::bad(format!("{name}: must be 0x and 40 hexadecimal digits"));
    text.trim().to_lowercase().parse().map_err(wrong)
}

fn amount(coin: &Coin, text: &str) -> Result<Amount, Failure> {
    match Amount::parse(text.trim(), coin.decimals) {
        Ok(amount) if !amount.is_zero() => Ok(amount),
        Ok(_) => Err(Failure::bad("amount: must be greater than 0")),
        Err(_) => Err(Failure::bad(format!("amount: must be a number with at most {} decimals", coin.decimals))),
    }
}
