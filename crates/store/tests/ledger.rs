#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]
//! Tests the ledger on a real PostgreSQL server: which rows it stores, and which its constraints refuse for every
//! caller.

use domain::assets::{AssetId, Home};
use domain::chain::{ChainId, Token};
use domain::ids::{AdvertId, DepositId, IdSource, OrderId, PayoutId, PostingId};
use domain::ledger::{self, Account, Posting, VaultAsset};
use domain::money::Amount;
use proptest::prelude::*;
use store::catalog;
use store::{Error, Tx};
use testkit::market::chain_row;
use testkit::{Database, Ids, noon, users};

struct Ledger {
    database: Database,
    vault_asset: VaultAsset,
    other: VaultAsset,
}

fn amount(units: i128) -> Amount {
    Amount::new(units).unwrap()
}

async fn ledger() -> Ledger {
    let database = Database::fresh().await;
    let (anna, ben) = (users::trader(1), users::trader(2));
    users::join(&database.store, &anna).await;
    users::join(&database.store, &ben).await;
    let mut tx = database.store.begin().await.unwrap();
    let mec = coin(&mut tx).await;
    tx.commit().await.unwrap();
    Ledger {
        database,
        vault_asset: VaultAsset { vault: anna.id, asset: mec },
        other: VaultAsset { vault: ben.id, asset: mec },
    }
}

async fn coin(tx: &mut Tx) -> AssetId {
    let chain = ChainId(31_337);
    catalog::put_chain(tx, &chain_row(chain)).await.unwrap();
    let home = Home::Chain { chain, token: Token::Native };
    catalog::put_asset(tx, "MEC", 18, home, Amount::ZERO, Amount::ZERO).await.unwrap()
}

impl Ledger {
    async fn post(&self, postings: &[Posting]) -> Result<(), Error> {
        let mut tx = self.database.store.begin().await.unwrap();
        let postings: Vec<_> = postings.iter().map(|posting| (PostingId(Ids.fresh(noon())), posting.clone())).collect();
        store::ledger::post(&mut tx, &postings, noon()).await?;
        tx.commit().await
    }

    async fn holds(&self, account: Account) -> i128 {
        let mut tx = self.database.store.begin().await.unwrap();
        let vault_asset = VaultAsset { vault: account.vault, asset: account.asset };
        let holdings = store::ledger::lock_vault_assets(&mut tx, &[vault_asset]).await.unwrap();
        holdings.iter().find(|(held, _)| *held == account).map_or(0, |(_, amount)| amount.units())
    }

    async fn agree(&self) {
        let mut tx = self.database.store.begin().await.unwrap();
        assert_eq!(store::ledger::disagreements(&mut tx).await.unwrap(), Vec::<String>::new());
    }

    async fn refused_statement(&self, statement: &'static str) -> String {
        let pool = sqlx::PgPool::connect(&self.database.url).await.unwrap();
        let error = sqlx::raw_sql(statement).execute(&pool).await.expect_err(statement);
        error.as_database_error().unwrap().constraint().unwrap_or_default().to_owned()
    }
}

fn deposit(vault_asset: VaultAsset, units: i128) -> Posting {
    ledger::deposit_confirmed(DepositId(Ids.fresh(noon())), vault_asset, amount(units))
}

#[tokio::test]
async fn a_deposit_stands_on_both_sides() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, 70), deposit(ledger.vault_asset, 30)]).await.unwrap();
    assert_eq!(ledger.holds(ledger.vault_asset.custody()).await, 100);
    assert_eq!(ledger.holds(ledger.vault_asset.temporary()).await, 100);
    ledger.agree().await;
}

#[tokio::test]
async fn the_largest_amount_survives_the_books() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, domain::money::MAX_UNITS)]).await.unwrap();
    assert_eq!(ledger.holds(ledger.vault_asset.temporary()).await, domain::money::MAX_UNITS);
}

#[tokio::test]
async fn nobody_spends_what_is_not_there() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, 100)]).await.unwrap();
    let request = ledger::fund_advert(AdvertId(Ids.fresh(noon())), 1, ledger.vault_asset, amount(101));
    let error = ledger.post(&[request]).await.unwrap_err();
    assert!(error.is_refused_by(store::ledger::NOT_NEGATIVE), "{error}");
    assert_eq!(ledger.holds(ledger.vault_asset.temporary()).await, 100);
    ledger.agree().await;
}

#[tokio::test]
async fn a_posting_happens_once_by_its_key() {
    let ledger = ledger().await;
    let posting = deposit(ledger.vault_asset, 5);
    ledger.post(std::slice::from_ref(&posting)).await.unwrap();
    let error = ledger.post(&[posting]).await.unwrap_err();
    assert!(error.is_refused_by(store::ledger::POSTED_ONCE), "{error}");
    assert_eq!(ledger.holds(ledger.vault_asset.temporary()).await, 5);
}

#[tokio::test]
async fn two_at_once_cannot_both_spend_the_last_coin() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, 1)]).await.unwrap();
    let take = || ledger::fund_order(OrderId(Ids.fresh(noon())), 1, ledger.vault_asset, amount(1));
    let (one, other) = (vec![take()], vec![take()]);
    let (one, other) = tokio::join!(ledger.post(&one), ledger.post(&other));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    assert_eq!(ledger.holds(ledger.vault_asset.temporary()).await, 0);
    ledger.agree().await;
}

#[tokio::test]
async fn a_posting_balances_within_each_vault() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, 10), deposit(ledger.other, 10)]).await.unwrap();
    // The posting balances in total but moves a coin from one vault to another, which no template does.
    let mut crooked = ledger::fund_order(OrderId(Ids.fresh(noon())), 1, ledger.vault_asset, amount(1));
    crooked.entries[1].account.vault = ledger.other.vault;
    let error = ledger.post(&[crooked]).await.unwrap_err();
    assert!(error.is_refused_by("ledger_posting_balances"), "{error}");
    ledger.agree().await;
}

#[tokio::test]
async fn nothing_that_was_written_changes() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, 10)]).await.unwrap();
    for statement in [
        "update ledger_entries set amount = 11",
        "delete from ledger_entries",
        "truncate ledger_entries",
        "update ledger_postings set key = 'other'",
        "delete from ledger_postings",
        "delete from ledger_accounts",
    ] {
        assert_eq!(ledger.refused_statement(statement).await, "ledger_append_only", "{statement}");
    }
    for statement in [
        "update ledger_accounts set balance = balance + 1",
        "insert into ledger_accounts (kind, owner, vault, asset_id, balance) select 'fees', id, id, 1, 5 from users limit 1",
    ] {
        assert_eq!(ledger.refused_statement(statement).await, "ledger_balance_by_posting", "{statement}");
    }
    ledger.agree().await;
}

#[derive(Debug, Clone, Copy)]
enum Move {
    Deposit(i128),
    FundingRequest(i128),
    Open(i128),
    Undo(i128),
    Release(i128, i128),
    Paid(i128),
    Unpaid(i128),
    Withdraw(i128, i128),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let units = || 1..50_i128;
    let one = prop_oneof![
        units().prop_map(Move::Deposit),
        units().prop_map(Move::FundingRequest),
        units().prop_map(Move::Open),
        units().prop_map(Move::Undo),
        (units(), 0..5_i128).prop_map(|(out, fee)| Move::Release(out, fee)),
        units().prop_map(Move::Paid),
        units().prop_map(Move::Unpaid),
        (units(), 0..5_i128).prop_map(|(out, gas)| Move::Withdraw(out, gas)),
    ];
    proptest::collection::vec(one, 1..30)
}

/// All tests trust this check.
#[tokio::test]
async fn a_balance_that_differs_from_its_entries_is_found_with_its_vault() {
    let ledger = ledger().await;
    ledger.post(&[deposit(ledger.vault_asset, 5)]).await.unwrap();
    ledger.agree().await;
    let defect = "set session_replication_role = replica;
                  update ledger_accounts set balance = 4 where kind = 'temporary'";
    ledger.database.execute(defect).await;
    let mut tx = ledger.database.store.begin().await.unwrap();
    let [account, vault] = store::ledger::disagreements(&mut tx).await.unwrap().try_into().unwrap();
    assert!(account.ends_with(": balance 4, entries 5"), "{account}");
    assert!(vault.ends_with(": held 5, owed 4") && vault.contains(&ledger.vault_asset.vault.to_string()), "{vault}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 60, ..ProptestConfig::default() })]

    /// Refused postings leave no trace. After any sequence, the ledger is balanced and equals custody.
    #[test]
    fn any_sequence_of_movements_leaves_the_ledger_in_order(moves in moves()) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let ledger = ledger().await;
            let id = Ids.fresh(noon());
            let (advert, payout) = (AdvertId(id), PayoutId(id));
            for (round, step) in (1..).zip(moves) {
                let vault_asset = ledger.vault_asset;
                // All steps share one order and one payout, so that they affect each other; the round makes the keys
                // unique.
                let mut posting = match step {
                    Move::Deposit(units) => deposit(vault_asset, units),
                    Move::FundingRequest(units) => ledger::fund_advert(advert, round, vault_asset, amount(units)),
                    Move::Open(units) => ledger::order_opened(advert, OrderId(id), vault_asset, amount(units)),
                    Move::Undo(units) => ledger::order_undone(advert, OrderId(id), vault_asset, amount(units)),
                    Move::Release(out, fee) => ledger::release(OrderId(id), payout, &[ledger::ReleaseLeg { vault_asset, out: amount(out), fee: amount(fee) }]),
                    Move::Paid(units) => ledger::payout_confirmed(payout, 1, round, vault_asset, amount(units)),
                    Move::Unpaid(units) => ledger::payout_revoked(payout, 1, round, vault_asset, amount(units)),
                    Move::Withdraw(out, gas) => ledger::withdrawal(payout, vault_asset, amount(out), amount(gas)),
                };
                posting.key = format!("{}/{round}", posting.key);
                if let Err(error) = ledger.post(&[posting]).await {
                    assert!(error.is_refused_by(store::ledger::NOT_NEGATIVE), "{error}");
                }
            }
            ledger.agree().await;
        });
    }
}
