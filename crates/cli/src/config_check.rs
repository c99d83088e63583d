//! Compares the configuration with the database. Vault addresses are computed from the configuration, but payouts from
//! the database. If the two differ in chain, Escrow or coins, users see addresses from which no payout can be made.

use std::time::Duration;

use anyhow::{Context as _, bail};
use app::chain::catalog::{Known, known};
use domain::assets::Home;
use domain::chain::ChainId;
use store::Store;
use tokio_util::sync::CancellationToken;

use crate::catalog::token;
use crate::config::{Album, Config};

/// The interval between attempts to reach the database.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Runs `work` if the database agrees with the configuration. A process may start before its database is available. In
/// that case `work` starts at once, and stops if the database then differs.
pub(crate) async fn guard(
    store: &Store,
    config: &Config,
    stop: &CancellationToken,
    work: impl Future<Output = anyhow::Result<()>>,
) -> anyhow::Result<()> {
    if compared(store, config).await? {
        return work.await;
    }
    tracing::warn!("the database is not available; it is compared with the configuration later");
    let working = async {
        let worked = work.await;
        stop.cancel();
        worked
    };
    let comparing = async {
        let agreed = until_compared(store, config, stop).await;
        if let Err(refusal) = &agreed {
            tracing::error!(error = format!("{refusal:#}"), "stopping");
            stop.cancel();
        }
        agreed
    };
    let (worked, agreed) = tokio::join!(working, comparing);
    agreed?;
    worked
}

async fn until_compared(store: &Store, config: &Config, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(RETRY_PAUSE) => {}
        }
        if compared(store, config).await? {
            tracing::info!("configuration and database agree");
            return Ok(());
        }
    }
}

/// Fails if the database differs from the configuration. Returns `false` if the database is not available.
async fn compared(store: &Store, config: &Config) -> anyhow::Result<bool> {
    match known(store).await {
        Ok(known) => refuse(&differences(&known, config, true)?).map(|()| true),
        Err(app::Error::Unavailable { .. }) => Ok(false),
        Err(error) => Err(error).context("cannot read the chain and its coins: run `mec2c migrate`"),
    }
}

/// Fails if the database contains another chain, Escrow or coin. Entries that it lacks may be written.
pub(crate) async fn check_writable(store: &Store, config: &Config) -> anyhow::Result<()> {
    refuse(&differences(&known(store).await?, config, false)?)
}

fn refuse(problems: &[String]) -> anyhow::Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    bail!("the configuration contradicts the database:\n  {}", problems.join("\n  "))
}

/// Returns the differences between configuration and database; with `missing`, also entries that it lacks.
fn differences(known: &Known, config: &Config, missing: bool) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    let unknown = |what: &str| format!("{what} is not in the database: run `mec2c migrate`");
    let id = ChainId(config.chain.id);
    match &known.chain {
        Some(row) if row.id != id => found.push(format!("chain.id is {}, in the database {}", id.0, row.id.0)),
        Some(row) => match (config.escrow().ok(), row.escrow) {
            (Some(ours), Some(theirs)) if ours != theirs => {
                found.push(format!("chain.escrow is {ours}, in the database {theirs}"));
            }
            (None, Some(theirs)) => found.push(format!("chain.escrow is not set, in the database it is {theirs}")),
            (Some(ours), None) if missing => found.push(unknown(&format!("chain.escrow {ours}"))),
            _ => {}
        },
        None if missing => found.push(unknown(&format!("chain {}", id.0))),
        None => {}
    }
    for asset in &config.assets {
        let code = &asset.code;
        let Some(row) = known.assets.iter().find(|row| row.code == *code) else {
            if missing {
                found.push(unknown(&format!("asset {code}")));
            }
            continue;
        };
        let ours = Home::Chain { chain: id, token: token(asset)? };
        if row.home != ours {
            found.push(format!("asset {code} is {}, in the database {}", words(&ours), words(&row.home)));
        }
        if row.decimals != asset.decimals {
            found.push(format!("asset {code} has {} decimals, in the database {}", asset.decimals, row.decimals));
        }
    }
    for album in &config.albums {
        found.extend(differences_of(known, album, id)?);
        if missing && !known.assets.iter().any(|row| row.code == album.code) {
            found.push(unknown(&format!("album {}", album.code)));
        }
    }
    Ok(found)
}

/// Returns the differences between an album of the configuration and the database.
fn differences_of(known: &Known, album: &Album, chain: ChainId) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    let Album { code, class_id, .. } = album;
    let ours = Home::Album { chain, contract: album.contract.to_lowercase().parse()? };
    for row in &known.assets {
        if row.code == *code && row.home != ours {
            found.push(format!("album {code} is {}, in the database {}", words(&ours), words(&row.home)));
        }
        if row.code != *code && row.home == ours {
            found.push(format!("album {code}: contract is in the database that of the album {}", row.code));
        }
        let Some(stored) = known.albums.iter().find(|stored| stored.asset == row.id) else { continue };
        if row.code == *code && stored.class_id != *class_id {
            found.push(format!("album {code}: class_id is {class_id}, in the database {}", stored.class_id));
        }
        if row.code != *code && stored.class_id == *class_id {
            found.push(format!("album {code}: class_id is in the database that of the album {}", row.code));
        }
    }
    Ok(found)
}

fn words(home: &Home) -> String {
    use domain::chain::Token;
    match home {
        Home::Fiat => "a fiat currency".to_owned(),
        Home::Album { chain, contract } => format!("the album {contract} of chain {}", chain.0),
        Home::Chain { chain, token: Token::Native } => format!("the native coin of chain {}", chain.0),
        Home::Chain { chain, token: Token::Erc20(contract) } => format!("the token {contract} of chain {}", chain.0),
        Home::Chain { chain, token: Token::Erc721(contract, _) } => format!("the NFT {contract} of chain {}", chain.0),
    }
}

#[cfg(test)]
mod tests {
    use domain::assets::Prepayment;
    use domain::chain::{Address, Token};
    use domain::money::Amount;
    use store::catalog::{self, Chain, put_album, put_asset, put_chain};
    use testkit::Database;

    use super::*;
    use crate::config::{Asset, AssetKind};

    type Change = fn(&mut Config);
    type AlbumChange = fn(&mut Album);

    const ESCROW: Address = Address([0xe5; 20]);
    const USDT: Address = Address([0x0d; 20]);

    /// Creates a database that contains the chain 31337, its Escrow and two coins.
    async fn migrated() -> Database {
        let database = Database::fresh().await;
        let mut tx = database.store.begin().await.unwrap();
        let id = ChainId(31_337);
        let row = Chain {
            id,
            name: "MEC".to_owned(),
            genesis: None,
            escrow: Some(ESCROW),
            escrow_code: None,
            confirmations: 12,
            start: 0,
            head: None,
            confirmed: None,
            stopped_because: None,
        };
        put_chain(&mut tx, &row).await.unwrap();
        for (code, decimals, token) in [("MEC", 18, Token::Native), ("USDT", 6, Token::Erc20(USDT))] {
            let home = Home::Chain { chain: id, token };
            put_asset(&mut tx, code, decimals, home, Amount::ZERO, Amount::ZERO).await.unwrap();
        }
        tx.commit().await.unwrap();
        database
    }

    fn config(database: &Database, change: impl FnOnce(&mut Config)) -> Config {
        let given = [
            ("MEC2C_DATABASE_URL", database.url.clone()),
            ("MEC2C_CHAIN_ESCROW", ESCROW.to_string()),
            // Nothing listens on this port, so the check must fail before it asks the node.
            ("MEC2C_CHAIN_RPC", "http://127.0.0.1:1".to_owned()),
        ];
        let environment = given.into_iter().map(|(name, value)| (name.to_owned(), value));
        let mut config = Config::load(None, environment).unwrap();
        config.assets.push(Asset {
            code: "USDT".to_owned(),
            kind: AssetKind::Erc20,
            contract: USDT.to_string(),
            decimals: 6,
            dust: "0.01".to_owned(),
            return_gas: "0.1".to_owned(),
        });
        change(&mut config);
        config
    }

    #[tokio::test]
    async fn what_agrees_begins() {
        let database = migrated().await;
        let config = config(&database, |_| ());
        assert!(compared(&database.store, &config).await.unwrap());
    }

    #[tokio::test]
    async fn nothing_begins_while_configuration_and_database_name_different_things() {
        let database = migrated().await;
        let other = Address([0x99; 20]);
        let changes: [(Change, [String; 2]); 5] = [
            (|config| config.chain.escrow = Address([0x99; 20]).to_string(), [other.to_string(), ESCROW.to_string()]),
            (|config| config.chain.id = 5, ["is 5".to_owned(), "31337".to_owned()]),
            (
                |config| config.assets[1].contract = Address([0x99; 20]).to_string(),
                [other.to_string(), USDT.to_string()],
            ),
            (|config| config.assets[1].decimals = 18, ["18 decimals".to_owned(), "database 6".to_owned()]),
            (|config| config.chain.escrow = String::new(), ["not set".to_owned(), ESCROW.to_string()]),
        ];
        for (change, named) in changes {
            let config = config(&database, change);
            let stop = CancellationToken::new();
            let refusals = [
                crate::serve::run(&config, stop.clone()).await.unwrap_err(),
                crate::work::run(&config, stop.clone()).await.unwrap_err(),
                crate::migrate(&config).await.unwrap_err(),
            ];
            for refusal in refusals {
                let words = format!("{refusal:#}");
                assert!(named.iter().all(|name| words.contains(name.as_str())), "{named:?}: {words}");
            }
        }
        let row = known(&database.store).await.unwrap().chain.unwrap();
        assert_eq!((row.id, row.escrow), (ChainId(31_337), Some(ESCROW)), "nothing was written over it");
    }

    #[tokio::test]
    async fn an_album_of_the_database_keeps_its_contract_and_its_id() {
        let database = migrated().await;
        let contract = Address([0xa1; 20]);
        let mut tx = database.store.begin().await.unwrap();
        let home = Home::Album { chain: ChainId(31_337), contract };
        let asset = put_asset(&mut tx, "ART", 0, home, Amount::ZERO, Amount::ZERO).await.unwrap();
        let coins = catalog::assets(&mut tx).await.unwrap();
        let prepayment = Prepayment { asset: coins[0].id, decimals: 18, fee: Amount::ZERO, gas: Amount::ZERO };
        let [class_id, name, creator, description] = ["art", "Art", "An artist", ""].map(str::to_owned);
        let album = catalog::Album { asset, class_id, name, creator, description, prepayment, start: 0 };
        put_album(&mut tx, &album).await.unwrap();
        tx.commit().await.unwrap();
        let configured = |change: AlbumChange| {
            let [code, class_id, name, creator] = ["ART", "art", "Art", "An artist"].map(str::to_owned);
            let [description, fee, gas] = ["", "2", "0"].map(str::to_owned);
            let contract = contract.to_string();
            let mut album = Album { code, class_id, name, creator, description, contract, fee, gas, start_block: 0 };
            change(&mut album);
            config(&database, |config| config.albums.push(album))
        };
        check_writable(&database.store, &configured(|_| ())).await.unwrap();
        let changes: [(AlbumChange, &str); 4] = [
            (|album| album.class_id = "new".to_owned(), "class_id is new, in the database art"),
            (|album| album.contract = Address([0x99; 20]).to_string(), "album ART is"),
            (|album| album.code = "NEW".to_owned(), "contract is in the database that of the album ART"),
            (
                |album| (album.code, album.contract) = ("NEW".to_owned(), Address([0x99; 20]).to_string()),
                "class_id is in the database that of the album ART",
            ),
        ];
        for (change, words) in changes {
            let refusal = check_writable(&database.store, &configured(change)).await.unwrap_err().to_string();
            assert!(refusal.contains(words), "{words}: {refusal}");
        }
    }

    #[tokio::test]
    async fn a_database_of_another_version_is_refused() {
        let changes = [
            "update _sqlx_migrations set checksum = '\\x00' where version = 2",
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
             values (9999, 'of a later version', true, '\\x00', 0)",
        ];
        for change in changes {
            let database = migrated().await;
            database.execute(change).await;
            let refusal = crate::migrate(&config(&database, |_| ())).await.unwrap_err();
            let words = format!("{refusal:#}");
            assert!(words.contains("the database belongs to another version of the product"), "{change}: {words}");
        }
    }

    #[tokio::test]
    async fn a_database_that_does_not_know_a_coin_yet_is_to_be_migrated_first() {
        let database = Database::fresh().await;
        let config = config(&database, |_| ());
        let refusal = crate::serve::run(&config, CancellationToken::new()).await.unwrap_err().to_string();
        assert!(refusal.contains("mec2c migrate") && refusal.contains("asset USDT"), "{refusal}");
        check_writable(&database.store, &config).await.unwrap();
    }
}
