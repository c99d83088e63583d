//! Payouts that the chain pays, removes, pays again or voids, and payouts that were not owed.

use app::chain::settlement::Turn;
use domain::chain::{Reference, Settlement, SettlementOutcome};
use domain::funding::FundingTarget;
use domain::ledger::VaultAsset;
use metrics_exporter_prometheus::PrometheusBuilder;
use testkit::market::{CHAIN, Chain, Contents, Market, Trader, mec, minutes, usdt};

use crate::Stage;

fn empty(count: usize) -> Vec<Contents> {
    vec![Contents::default(); count]
}

#[tokio::test]
async fn a_release_that_left_the_chain_is_paid_again_once() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let sent = stage.chain.pays().await;
    stage.chain.reorganises(1, empty(1)).await;
    assert_eq!(stage.market.state(order).await, "RELEASE_REVOKED");
    let payout = stage.market.order(order).await.state.payout();
    stage.market.is_sound().await;
    assert_eq!(stage.chain.signs().await, Contents::default(), "the signed transaction may still be mined");
    stage.chain.mines_blocks([sent]).await;
    assert_eq!(stage.market.state(order).await, "RELEASING");
    assert_eq!(stage.market.order(order).await.state.payout(), payout, "the same payout");
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.count("select count(*) from payout_legs").await, 1);
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_completed_order_is_taken_back_and_completed_again() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let sent = stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    let ended = stage.market.order(order).await.progress.ended_at;
    stage.market.waits(minutes(3)).await;
    stage.chain.reorganises(3, empty(4)).await;
    assert_eq!(stage.market.state(order).await, "RELEASE_REVOKED");
    assert_eq!(stage.anna.holds(stage.market.mec).await.in_flight, mec("3.996"));
    stage.market.is_sound().await;
    stage.ben.recovers(order).await.unwrap();
    assert_eq!(stage.market.state(order).await, "RELEASING");
    assert_eq!(stage.market.count("select count(*) from payouts").await, 1, "never a second one");
    stage.chain.mines_blocks([sent]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.order(order).await.progress.ended_at, ended);
    assert_eq!(stage.market.advert(stage.advert).await.running, 0);
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    assert_eq!(stage.market.balance(vault_asset.custody()).await, mec("6.004"));
    assert_eq!(stage.market.count("select rounds::bigint from payout_legs").await, 2);
    stage.market.is_sound().await;
}

/// Found by the simulator (seed 1173): the removed attempt took the void back.
#[tokio::test]
async fn a_failed_attempt_that_leaves_the_chain_does_not_take_back_an_earlier_settlement() {
    for outcome in [SettlementOutcome::Paid, SettlementOutcome::Voided] {
        let mut stage = Stage::set().await;
        let order = stage.releasing("4").await;
        let mut settled = stage.chain.signs().await;
        settled.settlements.iter_mut().for_each(|settlement| settlement.outcome = outcome);
        if outcome == SettlementOutcome::Voided {
            settled.transfers.clear();
        }
        stage.chain.mines_blocks([settled.clone()]).await;
        stage.chain.confirms().await;
        let before = stage.market.order(order).await;
        assert!(before.state.ended() || before.progress.voided.is_some());

        let tx = stage.chain.transaction();
        let failed = Settlement { tx, outcome: SettlementOutcome::Failed, ..settled.settlements[0] };
        stage.chain.mines_blocks([Contents { settlements: vec![failed], ..Contents::default() }]).await;
        stage.chain.confirms().await;
        let applied = stage.chain.reorganises(3, empty(4)).await;
        assert_eq!(applied.revoked, 0);
        assert_eq!(stage.market.order(order).await, before);
        assert_eq!(stage.market.count("select count(*) from payout_legs where state = 'owed'").await, 0);
        stage.market.is_sound().await;
    }
}

#[tokio::test]
async fn a_release_that_only_moved_to_another_block_completes() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let sent = stage.chain.pays().await;
    stage.chain.mines(1).await;
    let told = stage.ben.was_told().await;
    stage.chain.reorganises(2, [Contents::default(), sent.clone()]).await;
    assert_eq!(stage.market.state(order).await, "RELEASING");
    assert_eq!(stage.ben.was_told().await, told, "no user is notified");
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    stage.chain.reorganises(3, [sent].into_iter().chain(empty(3))).await;
    assert_eq!(stage.market.state(order).await, "COMPLETED", "it was taken back and is final again in one step");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_revoked_return_puts_the_advert_back_to_revoking() {
    let mut stage = Stage::set().await;
    stage.anna.ends(stage.advert).await.unwrap();
    let sent = stage.chain.settles().await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED");
    stage.chain.reorganises(3, empty(3)).await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "REVOKING");
    stage.market.is_sound().await;
    stage.chain.mines_blocks([sent]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_hidden_advert_comes_back_when_its_return_left_the_chain() {
    let mut stage = Stage::set().await;
    stage.anna.ends(stage.advert).await.unwrap();
    stage.chain.settles().await;
    stage.anna.manages(stage.advert, domain::adverts::AdvertCommand::Delete).await.unwrap();
    stage.chain.reorganises(3, empty(3)).await;
    assert_eq!(stage.market.advert_state(stage.advert).await, "REVOKING");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_deposit_and_the_release_from_it_vanish_together_and_return() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("10").await;
    stage.chain.settles().await;
    let all = stage.chain.contents_of_newest(6);
    assert_eq!(stage.market.advert_state(stage.advert).await, "CANCELLED", "sold out");
    stage.chain.reorganises(6, empty(7)).await;
    assert_eq!(stage.market.state(order).await, "RELEASE_REVOKED");
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("10"));
    stage.market.is_sound().await;
    stage.chain.mines_blocks(all).await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
    assert_eq!(stage.anna.has_free(stage.market.mec).await, mec("0"), "the coins are the buyer's");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn what_somebody_deposits_who_owes_pays_the_debt_first() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("10").await;
    stage.chain.settles().await;
    let sent = stage.chain.contents_of_newest(3);
    stage.chain.reorganises(6, empty(7)).await;
    assert_eq!(stage.market.state(order).await, "RELEASE_REVOKED");
    let vault_asset = VaultAsset { vault: stage.anna.id(), asset: stage.market.mec };
    let mec_of_anna = stage.market.mec;
    stage.chain.brings(&stage.anna, mec_of_anna, mec("4")).await;
    assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("6"));
    let told = app::wallet::balance::balance(&stage.market.context, stage.anna.id()).await.unwrap();
    let owes: Vec<_> = told.lines.iter().map(|line| (line.asset.code.as_str(), line.debt)).collect();
    assert_eq!(owes, [("MEC", mec("6")), ("USDT", usdt("0"))]);
    assert_eq!(stage.anna.has_free(stage.market.mec).await, mec("0"));
    stage.market.is_sound().await;
    stage.chain.brings(&stage.anna, mec_of_anna, mec("7")).await;
    assert_eq!(stage.market.balance(vault_asset.reorganisation_loss()).await, mec("0"));
    assert_eq!(stage.anna.has_free(stage.market.mec).await, mec("1"), "what is over is hers");
    stage.market.is_sound().await;
    // The release is in a block again, paid from Anna's new deposit.
    stage.chain.mines_blocks(sent).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.balance(vault_asset.custody()).await, mec("1.01"), "the balance and the fee");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn attempts_close_with_their_block_and_open_again_without_it() {
    let mut stage = Stage::set().await;
    stage.releasing("4").await;
    let open = "select count(*) from payout_attempts where done_at is null";
    let sent = stage.chain.pays().await;
    assert_eq!(stage.market.count(open).await, 1, "seen is not final");
    stage.chain.confirms().await;
    assert_eq!(stage.market.count(open).await, 0);
    stage.chain.reorganises(3, empty(3)).await;
    assert_eq!(stage.market.count(open).await, 1);
    let mut turn = Turn::begin(&stage.market.context, CHAIN).await.unwrap().unwrap();
    let attempts = turn.open_attempts().await.unwrap();
    assert_eq!((attempts.len(), attempts[0].tx), (1, sent.settlements[0].tx));
    assert_eq!(attempts[0].nonce, 0);
    turn.pass().await.unwrap();
    stage.chain.mines_blocks([sent]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.count(open).await, 0);
}

#[tokio::test]
async fn only_one_worker_has_a_turn() {
    let stage = Stage::set().await;
    stage.releasing("4").await;
    let first = Turn::begin(&stage.market.context, CHAIN).await.unwrap();
    assert!(first.is_some());
    assert!(Turn::begin(&stage.market.context, CHAIN).await.unwrap().is_none());
    first.unwrap().pass().await.unwrap();
    assert!(Turn::begin(&stage.market.context, CHAIN).await.unwrap().is_some());
}

#[tokio::test]
async fn an_attempt_that_was_mined_and_did_nothing_is_given_up() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    stage.chain.signs().await;
    assert_eq!(stage.chain.signs().await, Contents::default());
    let mut turn = Turn::begin(&stage.market.context, CHAIN).await.unwrap().unwrap();
    let nonce = turn.open_attempts().await.unwrap()[0].nonce;
    turn.give_up(nonce).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.count("select count(*) from payout_attempts").await, 2);
}

#[tokio::test]
async fn a_release_to_somebody_whose_own_advert_waits_for_coins_becomes_final() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let own = stage.ben.posts(stage.ben.mec_for_krw("1", "1000")).await.unwrap();
    stage.chain.settles().await;
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    assert_eq!(stage.market.advert_state(own).await, "CREATING");
    stage.market.is_sound().await;
}

/// Anna withdraws 5 USDT, 0.1 of them for gas. The payout is signed, and not yet in a block.
struct Withdrawal {
    market: Market,
    chain: Chain,
    anna: Trader,
    /// What a block contains if the chain voids the payout.
    void: Contents,
}

impl Withdrawal {
    async fn signed() -> Self {
        let market = Market::open().await;
        let mut chain = market.chain().await;
        let anna = market.trader().await;
        chain.brings(&anna, market.usdt, usdt("5")).await;
        anna.withdraws(market.usdt).await.unwrap();
        let mut void = chain.signs().await;
        void.settlements[0].outcome = SettlementOutcome::Voided;
        Self { market, chain, anna, void }
    }
}

#[tokio::test]
async fn a_voided_withdrawal_is_temporary_balance_again() {
    let Withdrawal { market, mut chain, anna, void } = Withdrawal::signed().await;
    chain.mines_blocks([void.clone()]).await;
    assert_eq!(anna.has_free(market.usdt).await, usdt("0"), "only a confirmed void undoes a payout");
    chain.confirms().await;
    assert_eq!(anna.has_free(market.usdt).await, usdt("4.9"), "the gas is spent");
    market.is_sound().await;
    chain.reorganises(3, empty(3)).await;
    let holding = anna.holds(market.usdt).await;
    assert_eq!((holding.temporary, holding.in_flight), (usdt("0"), usdt("4.9")));
    market.is_sound().await;
    chain.mines_blocks([void]).await;
    chain.confirms().await;
    anna.withdraws(market.usdt).await.unwrap();
    chain.settles().await;
    market.is_sound().await;
}

#[tokio::test]
async fn a_void_that_is_taken_back_after_its_coins_were_spent_is_a_debt_and_stops_payouts() {
    let Withdrawal { market, mut chain, anna, void } = Withdrawal::signed().await;
    chain.mines_blocks([void]).await;
    chain.confirms().await;
    anna.withdraws(market.usdt).await.unwrap();
    chain.reorganises(3, empty(3)).await;
    let vault_asset = VaultAsset { vault: anna.id(), asset: market.usdt };
    assert_eq!(market.balance(vault_asset.reorganisation_loss()).await, usdt("4.9"));
    assert_eq!(anna.holds(market.usdt).await.in_flight, usdt("9.7"));
    assert_eq!(chain.signs().await, Contents::default(), "payouts are stopped");
    assert_eq!(market.count("select count(*) from payout_stops").await, 2, "until an officer resumes them");
    market.is_sound().await;
}

#[tokio::test]
async fn a_void_that_is_taken_back_takes_coins_from_a_funding_request_before_there_is_a_debt() {
    let Withdrawal { market, mut chain, anna, void } = Withdrawal::signed().await;
    chain.mines_blocks([void]).await;
    chain.confirms().await;
    let advert = anna.posts(anna.usdt_for_krw("10", "1400")).await.unwrap();
    anna.offers(FundingTarget::Advert(advert), usdt("4")).await.unwrap();
    chain.reorganises(3, empty(3)).await;
    let holding = anna.holds(market.usdt).await;
    assert_eq!((holding.temporary, holding.in_flight, holding.debt), (usdt("0"), usdt("4.9"), usdt("0")));
    assert_eq!(anna.sees_advert(advert).await.unwrap().request.unwrap().request.shortfall(), usdt("10"));
    assert_eq!(market.count("select count(*) from payout_stops").await, 0);
    market.is_sound().await;
}

#[tokio::test]
async fn what_a_void_gives_back_to_somebody_who_owes_pays_the_debt_first() {
    let Withdrawal { market, mut chain, anna, void } = Withdrawal::signed().await;
    chain.reorganises(3, empty(3)).await;
    let owed = async || anna.holds(market.usdt).await;
    assert_eq!((owed().await.debt, owed().await.in_flight), (usdt("5"), usdt("4.9")));
    chain.mines_blocks([void]).await;
    chain.confirms().await;
    let holding = owed().await;
    assert_eq!((holding.debt, holding.in_flight, holding.temporary), (usdt("0.1"), usdt("0"), usdt("0")));
    market.is_sound().await;
}

#[tokio::test]
async fn a_payment_that_nobody_owed_stops_all_payouts() {
    let mut stage = Stage::set().await;
    stage.releasing("4").await;
    let tx = stage.chain.transaction();
    let stray = Contents {
        settlements: vec![Settlement { reference: Reference(999), outcome: SettlementOutcome::Paid, tx }],
        ..Contents::default()
    };
    stage.chain.mines_blocks([stray]).await;
    assert_eq!(stage.market.count("select count(*) from payout_stops").await, 0, "not final yet");
    stage.chain.confirms().await;
    assert_eq!(stage.market.count("select count(*) from payout_stops").await, 2);
    assert_eq!(stage.chain.signs().await, Contents::default());
    stage.market.sql("delete from payout_stops").await;
    assert_ne!(stage.chain.signs().await, Contents::default());
}

#[tokio::test]
async fn a_reference_that_is_spent_twice_stops_all_payouts() {
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let sent = stage.chain.settles().await;
    let tx = stage.chain.transaction();
    let again = Contents { settlements: vec![Settlement { tx, ..sent.settlements[0] }], ..Contents::default() };
    stage.chain.mines_blocks([again]).await;
    stage.chain.confirms().await;
    assert_eq!(stage.market.count("select count(*) from payout_stops").await, 2);
    assert_eq!(stage.market.state(order).await, "COMPLETED");
    stage.market.is_sound().await;
}

#[tokio::test]
async fn coins_that_a_contract_sent_are_found_by_the_balance_and_credited_once() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    chain.brings(&anna, market.mec, mec("4")).await;
    chain.mines(1).await;
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("4")).await, 0, "nothing that is missing in the ledger");
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("10")).await, 1);
    assert_eq!(market.advert_state(advert).await, "ONLINE");
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("10")).await, 0, "once");
    chain.mines(2).await;
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("10")).await, 0);
    market.is_sound().await;
    chain.reorganises(3, empty(3)).await;
    assert_eq!(market.advert(advert).await.frozen, None, "it was found below");
    chain.reorganises(5, empty(5)).await;
    assert_eq!(market.advert(advert).await.frozen.unwrap().missing, mec("6"));
    assert_eq!(chain.reports_balance(&anna, market.mec, mec("10")).await, 1);
    assert_eq!(market.advert(advert).await.frozen, None);
    market.is_sound().await;
}

#[tokio::test]
async fn a_balance_of_another_block_is_ignored() {
    let market = Market::open().await;
    let mut chain = market.chain().await;
    let anna = market.trader().await;
    chain.mines(5).await;
    let stale = chain.block(chain.head() - 3).place;
    let balance =
        app::chain_ingest::Balance { vault: anna.user.vault, token: domain::chain::Token::Native, amount: mec("10") };
    let found = app::chain_ingest::apply_balances(&market.context, CHAIN, stale, &[balance]).await.unwrap();
    assert_eq!((found, anna.has_free(market.mec).await), (0, mec("0")));
}

/// The rules accept every end of a payout. If a bug breaks that, nobody else notices the order that never ends.
#[tokio::test]
async fn a_payout_whose_end_the_order_refuses_raises_an_alarm() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recorded = metrics::set_default_local_recorder(&recorder);
    let alarms = || recorder.handle().render().contains("mec2c_ingestion_refused_settlements_total 1");
    let mut stage = Stage::set().await;
    let order = stage.releasing("4").await;
    let before = stage.market.order(order).await;
    stage
        .market
        .sql("update orders set state_data = jsonb_set(state_data, '{payout}', to_jsonb(gen_random_uuid()::text))")
        .await;
    assert!(!alarms());
    stage.chain.settles().await;
    assert!(alarms(), "{}", recorder.handle().render());
    assert_eq!(stage.market.order(order).await.version, before.version);
}
