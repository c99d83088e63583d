//! Blocks and their contents are always stored. An effect that the ledger refuses stops one vault, but never chain
//! ingestion.

use app::chain_ingest::{self, Balance, Held, Policy};
use app::console;
use domain::chain::{Reference, Settlement, SettlementOutcome};
use domain::ledger::VaultAsset;
use store::vault_stops::Cause;
use testkit::market::{Chain, Contents, Market, Trader, mec, usdt};

use crate::Stage;

fn empty(count: usize) -> Vec<Contents> {
    vec![Contents::default(); count]
}

/// Simulates a bug of the ledger, which refuses every posting that touches a user's vault.
async fn books_refuse(market: &Market, trader: &Trader) {
    let defect = "create function refuse() returns trigger language plpgsql as $$ begin
        if exists (select from ledger_accounts where id = new.account_id and vault = 'VAULT') then
            raise exception 'refused' using errcode = 'check_violation', constraint = 'a_defect';
        end if; return new; end $$;
        create trigger refuse before insert on ledger_entries for each row execute function refuse();";
    market.sql(&defect.replace("VAULT", &trader.id().to_string())).await;
}

async fn books_accept(market: &Market) {
    market.sql("drop trigger refuse on ledger_entries; drop function refuse();").await;
}

/// Asserts that all blocks of the chain are stored.
async fn stored_whole(chain: &Chain) {
    let market = &chain.market;
    let head = i64::try_from(chain.head()).unwrap();
    assert_eq!(market.count("select head_number from chains").await, head);
    assert_eq!(market.count("select max(number) from blocks").await, head);
    assert_eq!(market.count("select count(*) - 1 from blocks").await, head, "without a gap");
}

/// Returns the vaults that were stopped because the ledger refused an effect.
async fn stopped(market: &Market) -> Vec<VaultAsset> {
    let stopped = console::stopped_vaults(&market.context).await.unwrap();
    stopped.into_iter().filter(|one| one.stop.cause == Cause::Refused).map(|one| one.stop.vault_asset).collect()
}

#[tokio::test]
async fn what_the_escrow_did_with_a_reference_that_nobody_owed_stops_payouts_and_not_the_reader() {
    for (reference, outcome) in [
        (Reference(999), SettlementOutcome::Failed),
        (Reference(999), SettlementOutcome::Voided),
        (Reference(u64::MAX), SettlementOutcome::Paid),
        (Reference(u64::MAX), SettlementOutcome::Failed),
    ] {
        let mut stage = Stage::set().await;
        let order = stage.releasing("4").await;
        let mut contents = stage.chain.signs().await;
        contents.settlements.push(Settlement { reference, outcome, tx: contents.settlements[0].tx });
        stage.chain.mines_blocks([contents]).await;
        assert_eq!(stage.market.count("select count(*) from payout_stops").await, 0, "not final yet");
        stage.chain.confirms().await;
        assert_eq!(stage.market.count("select count(*) from payout_stops").await, 2, "{reference:?} {outcome:?}");
        assert_eq!(stage.market.state(order).await, "COMPLETED", "what we owed was paid");
        stored_whole(&stage.chain).await;
        stage.chain.brings(&stage.ben, stage.market.usdt, usdt("5")).await;
        assert_eq!(stage.ben.has_free(stage.market.usdt).await, usdt("5"), "deposits continue");
        stage.chain.reorganises(3, empty(4)).await;
        stage.market.is_sound().await;
    }
}

#[tokio::test]
async fn a_payout_is_final_before_the_deposit_without_a_log_that_it_was_paid_from_is_found_again() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.mines(3).await;
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("10")).await, 1, "a contract sent it");
    let order = ben.orders(advert, "10").await.unwrap();
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();
    anna.confirms(order).await.unwrap();
    let sent = chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    chain.reorganises(6, empty(7)).await;
    assert_eq!(market.state(order).await, "RELEASE_REVOKED");
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.mec };
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, mec("10"));
    market.is_sound().await;

    // The deposit and the payout are mined again. Only the payout leaves a log.
    chain.mines_blocks([sent]).await;
    chain.confirms().await;
    stored_whole(&chain).await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(
        market.balance(vault_asset.reorganisation_loss()).await,
        mec("0.01"),
        "what was paid must have been there"
    );
    assert_eq!(stopped(&market).await, []);
    market.is_sound().await;
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("0.01")).await, 1, "the fee is still in the vault");
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
    assert_eq!((anna.has_free(market.mec).await, market.balance(vault_asset.custody()).await), (mec("0"), mec("0.01")));
    market.is_sound().await;

    // Another reorganization removes everything again.
    chain.reorganises(6, empty(7)).await;
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, mec("10"));
    market.is_sound().await;
}

/// Applies all blocks from a height upward. The node reports `held` as the vault's USDT balance.
async fn applies_holding(chain: &Chain, from: u64, of: &Trader, held: &str) {
    let range = chain.reads(&chain.range_from(from)).await;
    let finalizing =
        chain_ingest::finalizing(&chain.market.context, &range).await.unwrap().expect("USDT becomes money");
    let known = finalizing.vault_assets.iter().map(|(vault, token)| {
        assert_eq!(*vault, of.user.vault);
        Balance { vault: *vault, token: *token, amount: usdt(held) }
    });
    let held = Held { at: Some(finalizing.block), known: known.collect(), unknown: Vec::new() };
    let range = app::chain_ingest::Range { held: Some(held), ..range };
    chain_ingest::apply(&chain.market.context, &range, Policy { stop_on_deep_reorganisation: false }).await.unwrap();
}

#[tokio::test]
async fn a_deposit_and_the_payout_from_it_become_final_together_and_both_are_posted() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.brings(&anna, market.usdt, usdt("5")).await;
    anna.withdraws(market.usdt).await.unwrap();
    chain.settles().await;
    let again = chain.contents_of_newest(6);
    chain.reorganises(6, empty(1)).await;
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.usdt };
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, usdt("5"));

    let from = chain.head() + 1;
    chain.finds(again.into_iter().chain(empty(3)));
    applies_holding(&chain, from, &anna, "0.1").await;
    stored_whole(&chain).await;
    assert_eq!(market.count("select count(*) from transfers where uncredited").await, 0);
    assert_eq!(stopped(&market).await, []);
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, usdt("0"));
    assert_eq!(market.balance(vault_asset.custody()).await, usdt("0.1"), "the gas");
    market.is_sound().await;
}

#[tokio::test]
async fn a_deposit_that_the_books_refuse_stops_its_vault_until_they_accept_it() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let (anna, carl) = (market.trader().await, market.trader().await);
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    books_refuse(&market, &carl).await;
    let coins = [chain.coins(&anna, market.mec, mec("10")), chain.coins(&carl, market.mec, mec("3"))];
    chain.mines_coins(coins).await;
    chain.confirms().await;
    stored_whole(&chain).await;
    assert_eq!(market.advert_state(advert).await, "ONLINE", "other users do not wait");
    let vault_asset = VaultAsset { vault: carl.id(), asset: market.mec };
    assert_eq!((stopped(&market).await, carl.has_free(market.mec).await), (vec![vault_asset], mec("0")));
    chain.brings(&carl, market.usdt, usdt("5")).await;
    chain.brings(&anna, market.mec, mec("1")).await;
    assert_eq!(anna.has_free(market.mec).await, mec("1"), "and still does not wait");
    assert_eq!(market.count("select count(*) from vault_stops").await, 2, "one for each of his assets");
    assert_eq!(market.count("select count(*) from payout_stops").await, 0);
    market.is_sound().await;

    books_accept(&market).await;
    chain.mines(1).await;
    assert_eq!((carl.has_free(market.mec).await, carl.has_free(market.usdt).await), (mec("3"), usdt("5")), "once");
    assert_eq!(stopped(&market).await, [], "there is nothing left to refuse");
    chain.mines(1).await;
    assert_eq!(carl.has_free(market.mec).await, mec("3"));
    market.is_sound().await;
}

#[tokio::test]
async fn a_payout_that_the_ledger_refuses_stops_its_vault_and_is_posted_later() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let carl = stage.market.trader().await;
    stage.chain.brings(&carl, stage.market.usdt, usdt("5")).await;
    carl.withdraws(stage.market.usdt).await.unwrap();
    books_refuse(&stage.market, &stage.anna).await;
    stage.chain.settles().await;
    stored_whole(&stage.chain).await;
    assert_eq!(carl.holds(stage.market.usdt).await.in_flight, usdt("0"), "his is counted");
    assert_eq!(stage.market.state(order).await, "RELEASING", "hers waits");
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    assert_eq!(stopped(&stage.market).await, [vault_asset]);
    assert_eq!(stage.chain.signs().await, Contents::default(), "and is not paid again meanwhile");
    books_accept(&stage.market).await;
    stage.chain.mines(1).await;
    assert_eq!((stage.market.state(order).await, stopped(&stage.market).await), ("COMPLETED", vec![]));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_a_reorganisation_took_is_taken_back_later_where_the_books_refused_it() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let (market, carl) = (stage.market.clone(), stage.market.trader().await);
    stage.chain.brings(&carl, market.usdt, usdt("5")).await;
    stage.chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    books_refuse(&market, &stage.anna).await;
    // The removed blocks contain Anna's deposit and release, and Carl's deposit.
    let newest = usize::try_from(stage.chain.head()).unwrap();
    let again = stage.chain.contents_of_newest(newest);
    stage.chain.reorganises(newest, empty(newest + 1)).await;
    stored_whole(&stage.chain).await;
    assert_eq!(carl.has_free(market.usdt).await, usdt("0"), "his deposit is reverted at once");
    assert_eq!(market.state(order).await, "COMPLETED", "hers waits");
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: market.mec };
    assert_eq!(stopped(&market).await, [vault_asset]);
    market.is_sound().await;
    stage.chain.mines(2).await;
    assert_eq!((market.state(order).await, stopped(&market).await), ("COMPLETED", vec![vault_asset]));

    books_accept(&market).await;
    stage.chain.mines(1).await;
    assert_eq!((market.state(order).await, stopped(&market).await), ("RELEASE_REVOKED", vec![]));
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, mec("4"), "of ten, six were there to be taken");
    market.is_sound().await;
    stage.chain.mines_blocks(again).await;
    stage.chain.confirms().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
    assert_eq!(carl.has_free(market.usdt).await, usdt("5"));
    market.is_sound().await;
}

#[tokio::test]
async fn a_release_that_is_back_before_the_books_accept_its_loss_completes_the_order() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let market = stage.market.clone();
    stage.chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    books_refuse(&market, &stage.anna).await;
    // A deep reorganization moves the deposit and the release to newer blocks while the books refuse both changes.
    let newest = usize::try_from(stage.chain.head()).unwrap();
    let again = stage.chain.contents_of_newest(newest);
    stage.chain.reorganises(newest, empty(newest + 1)).await;
    stage.chain.mines_blocks(again).await;
    stage.chain.confirms().await;
    stored_whole(&stage.chain).await;
    assert_eq!(market.state(order).await, "COMPLETED", "nothing was accepted yet");

    books_accept(&market).await;
    stage.chain.confirms().await;
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: market.mec };
    assert_eq!((market.state(order).await, stopped(&market).await), ("COMPLETED", vec![]));
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
    assert_eq!(stage.chain.signs().await, Contents::default(), "the release is not paid twice");
    market.is_sound().await;
}

#[tokio::test]
async fn blocks_that_return_after_the_ledger_refused_to_revert_them_are_posted_once() {
    let mut stage = Stage::set().await;
    let market = stage.market.clone();
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: market.mec };
    let before = stage.chain.range_from(stage.chain.head() - 2);
    books_refuse(&market, &stage.anna).await;
    stage.chain.reorganises(3, empty(4)).await;
    assert_eq!(stopped(&market).await, [vault_asset]);
    // The chain returns to exactly the same blocks as before the reorganization.
    stage.chain.returns(&before);
    stage.chain.reports(&before).await.unwrap();
    stage.chain.mines(2).await;
    stored_whole(&stage.chain).await;
    books_accept(&market).await;
    stage.chain.mines(1).await;
    assert_eq!(stopped(&market).await, []);
    let advert = market.advert(stage.advert).await;
    assert_eq!(
        (advert.escrow, advert.frozen, market.balance(vault_asset.custody()).await),
        (mec("10"), None, mec("10"))
    );
    market.is_sound().await;
}
