//! Trades of NFTs: an NFT is an asset of quantity one, and its seller prepays fee and gas.

use std::collections::HashSet;

use app::chain_ingest::Range;
use app::nfts;
use domain::adverts::AdvertCommand;
use domain::assets::{AssetId, PairId};
use domain::chain::{Address, SettlementOutcome, Transfer};
use domain::checks::AdvertRequest;
use domain::ids::AdvertId;
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::nfts::NftPlace;
use domain::refusal::{Refusal, RiskFlag, Shown};
use domain::trade::{Party, Side};
use testkit::market::{Chain, Contents, Market, Trader, mec, minutes, usdt};
use testkit::noon;

use crate::decisions::executed;

pub(crate) struct Gallery {
    pub(crate) market: Market,
    pub(crate) chain: Chain,
    pair: PairId,
    pub(crate) anna: Trader,
    pub(crate) ben: Trader,
}

impl Gallery {
    /// Anna has 5 MEC of temporary balance, with which she can prepay.
    pub(crate) async fn open() -> Self {
        let market = Market::open().await;
        let pair = market.opens_album().await;
        let mut chain = market.chain().await;
        let (anna, ben) = (market.trader().await, market.trader().await);
        chain.brings(&anna, market.mec, mec("5")).await;
        Self { market, chain, pair, anna, ben }
    }

    /// Anna sells the NFT 7, which is in custody, for 100 USDT.
    pub(crate) async fn selling(automatic: bool) -> (Self, AssetId, AdvertId) {
        let mut gallery = Self::open().await;
        let nft = gallery.chain.brings_nft(&gallery.anna, 7).await;
        let offer = gallery.anna.nft_for_usdt(gallery.pair, 7, "100");
        let offer = if automatic { offer.automatic() } else { offer };
        let advert = gallery.anna.posts(offer).await.unwrap();
        (gallery, nft, advert)
    }

    /// Returns Anna's fees and gas in MEC that the platform keeps.
    pub(crate) async fn kept(&self) -> (Amount, Amount) {
        let paid = VaultAsset { vault: self.anna.id(), asset: self.market.mec };
        (self.market.balance(paid.fees()).await, self.market.balance(paid.gas()).await)
    }
}

#[tokio::test]
async fn an_nft_in_custody_is_sold_with_both_legs_in_one_transaction() {
    let (mut stage, nft, advert) = Gallery::selling(true).await;
    let Gallery { market, chain, anna, ben, .. } = &mut stage;
    assert_eq!(market.advert_state(advert).await, "ONLINE", "it was in custody");
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::InAdvert(advert))]);
    let held = anna.holds(market.mec).await;
    assert_eq!((held.temporary, held.in_adverts), (mec("2.99"), mec("2.01")), "the prepayment is still hers");
    market.is_sound().await;

    let order = ben.orders_nft(advert).await.unwrap();
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::InOrder(order))]);
    market.is_sound().await;
    chain.brings(ben, market.usdt, usdt("100")).await;
    assert_eq!(market.state(order).await, "RELEASING");
    market.is_sound().await;
    let paid = chain.settles().await;
    assert_eq!(paid.settlements.len(), 2);
    assert_eq!(paid.transfers[0].to, ben.user.bound.unwrap());
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(anna.has_nfts().await, []);
    assert_eq!(stage.kept().await, (mec("2"), mec("0.01")));
    stage.market.is_sound().await;

    let (lines, total) = nfts::history(&stage.market.context, nft, 0, 10).await.unwrap();
    assert_eq!(total, 2);
    let (price, quote) = lines[0].sale.as_ref().unwrap();
    assert_eq!((price.to_string().as_str(), quote.code.as_str()), ("100", "USDT"));
    assert_eq!((lines[0].vaults, lines[1].vaults), ((true, false), (false, true)));
    let details = nfts::one(&stage.market.context, None, nft).await.unwrap();
    assert_eq!((details.holder, details.in_custody), (stage.ben.user.bound, false));

    let elsewhere = Transfer { from: paid.transfers[0].to, to: Address([0x55; 20]), ..paid.transfers[0].clone() };
    stage.chain.mines_coins([elsewhere]).await;
    let (lines, _) = nfts::history(&stage.market.context, nft, 0, 10).await.unwrap();
    let sold: Vec<_> = lines.iter().map(|line| line.sale.is_some()).collect();
    assert_eq!(sold, [false, true, false], "another transfer that the album logs with the same transaction is no sale");
}

#[tokio::test]
async fn an_order_on_an_nft_that_is_stopped_meanwhile_is_rejected_and_not_accepted() {
    let (stage, nft, advert) = Gallery::selling(false).await;
    let Gallery { market, anna, ben, .. } = &stage;
    let order = ben.orders_nft(advert).await.unwrap();
    app::chain::stop_payouts(&market.context, nft, "burnt").await.unwrap();
    assert_eq!(anna.accepts(order).await.unwrap_err(), Refusal::MoneyStopped, "the buyer would pay for nothing");
    assert_eq!(market.state(order).await, "AWAITING_ACCEPTANCE");
    anna.rejects(order).await.unwrap();
    assert_eq!(ben.orders_nft(advert).await.unwrap_err(), Refusal::MoneyStopped);
    market.sql("delete from payout_stops").await;
    let order = ben.orders_nft(advert).await.unwrap();
    anna.accepts(order).await.unwrap();
    market.is_sound().await;
}

#[tokio::test]
async fn an_announced_nft_is_sold_by_hand_once_it_has_arrived() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, pair, anna, ben } = &mut stage;
    let nft = chain.mints(anna, 7).await;
    let advert = anna.posts(anna.nft_for_usdt(*pair, 7, "100")).await.unwrap();
    assert_eq!(market.advert_state(advert).await, "CREATING");
    assert_eq!(anna.has_free(market.mec).await, mec("2.99"), "prepaid at once");
    market.is_sound().await;
    let transfer = chain.nft(anna, 7);
    chain.mines_coins([transfer]).await;
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Confirming(chain.head()))]);
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "ONLINE");

    let order = ben.orders_nft(advert).await.unwrap();
    anna.accepts(order).await.unwrap();
    ben.marks_paid(order).await.unwrap();
    anna.confirms(order).await.unwrap();
    assert_eq!(market.state(order).await, "RELEASING");
    market.is_sound().await;
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(stage.kept().await, (mec("2"), mec("0.01")));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn a_revoked_advert_returns_the_nft_and_the_fee_but_not_the_gas() {
    let (mut stage, nft, advert) = Gallery::selling(true).await;
    let Gallery { market, chain, anna, .. } = &mut stage;
    anna.manages(advert, AdvertCommand::Cancel).await.unwrap();
    assert_eq!(market.advert_state(advert).await, "REVOKING");
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Leaving)]);
    assert_eq!(anna.has_free(market.mec).await, mec("4.99"));
    market.is_sound().await;
    let paid = chain.settles().await;
    assert_eq!(paid.transfers[0].to, anna.user.bound.unwrap());
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(stage.kept().await, (mec("0"), mec("0.01")));
    stage.market.is_sound().await;
}

#[tokio::test]
async fn an_advert_whose_nft_does_not_arrive_gives_everything_back() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, pair, anna, .. } = &mut stage;
    chain.mints(anna, 7).await;
    let advert = anna.posts(anna.nft_for_usdt(*pair, 7, "100")).await.unwrap();
    market.waits(minutes(31)).await;
    market.clock_strikes().await;
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(anna.has_free(market.mec).await, mec("5"));
    market.is_sound().await;
    let nft = chain.brings_nft(anna, 7).await;
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Available)], "late, so it is hers");
    market.is_sound().await;
}

#[tokio::test]
async fn an_undone_order_leaves_the_prepayment_to_the_advert() {
    let (mut stage, _, advert) = Gallery::selling(true).await;
    let Gallery { market, chain, ben, .. } = &mut stage;
    let order = ben.orders_nft(advert).await.unwrap();
    ben.cancels(order).await.unwrap();
    assert_eq!(market.advert(advert).await.remaining, Amount::ONE);
    market.is_sound().await;
    let order = ben.orders_nft(advert).await.unwrap();
    chain.brings(ben, market.usdt, usdt("100")).await;
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    market.is_sound().await;
}

#[tokio::test]
async fn what_cannot_be_sold_is_refused() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, pair, anna, ben } = &mut stage;
    let refused = async |change: fn(&mut AdvertRequest)| {
        let mut offer = anna.nft_for_usdt(*pair, 7, "100");
        change(&mut offer.0);
        anna.posts(offer).await.unwrap_err()
    };
    assert_eq!(refused(|_| {}).await, Refusal::NftMissing, "nobody has seen it");
    let nft = chain.brings_nft(anna, 7).await;
    assert_eq!(refused(|wanted| wanted.side = Side::Buy).await, Refusal::NftOnlySold);
    assert_eq!(refused(|wanted| wanted.nft = None).await, Refusal::Invalid { field: "nftId", reason: "required" });
    let two = |wanted: &mut AdvertRequest| wanted.quantity = Amount::new(2).unwrap();
    assert_eq!(refused(two).await, Refusal::Invalid { field: "quantity", reason: "not 1" });
    let mut coins = anna.mec_for_usdt("1", "1");
    coins.0.nft = Some([0; 32]);
    assert_eq!(anna.posts(coins).await.unwrap_err(), Refusal::AlbumMissing);
    let shown = |amount| Shown { amount, decimals: 18 };
    let short = Refusal::PrepaymentShort { needed: shown(mec("2.01")), shortfall: shown(mec("2.01")) };
    assert_eq!(ben.posts(ben.nft_for_usdt(*pair, 7, "100")).await.unwrap_err(), short);
    let burned = chain.nft(anna, 9);
    let to = Address([0; 20]);
    chain.mines_coins([domain::chain::Transfer { to, ..burned }]).await;
    let burned = anna.posts(anna.nft_for_usdt(*pair, 9, "100")).await.unwrap_err();
    assert_eq!(burned, Refusal::NftMissing);
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Available)]);
    assert_eq!(anna.has_free(market.mec).await, mec("5"));
    market.is_sound().await;
}

#[tokio::test]
async fn an_nft_is_withdrawn_for_gas_out_of_the_temporary_balance() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, pair, anna, ben } = &mut stage;
    let nft = chain.brings_nft(anna, 7).await;
    let shown = |amount| Shown { amount, decimals: 18 };
    let bens = chain.brings_nft(ben, 8).await;
    let short = Refusal::GasShort { needed: shown(mec("0.01")), shortfall: shown(mec("0.01")) };
    assert_eq!(ben.withdraws_nft(bens).await, Err(short));
    assert_eq!(ben.withdraws_nft(nft).await, Err(Refusal::NftMissing), "it is Anna's");
    assert_eq!(anna.withdraws_nft(market.mec).await, Err(Refusal::NftMissing), "not an NFT");
    let advert = anna.posts(anna.nft_for_usdt(*pair, 7, "100")).await.unwrap();
    assert_eq!(anna.withdraws_nft(nft).await, Err(Refusal::BusyWithTrades));
    anna.manages(advert, AdvertCommand::Cancel).await.unwrap();
    chain.settles().await;
    let nft = chain.brings_nft(anna, 7).await;
    anna.withdraws_nft(nft).await.unwrap();
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Leaving)]);
    assert_eq!(anna.withdraws_nft(nft).await, Err(Refusal::NftMissing));
    assert_eq!(anna.has_free(market.mec).await, mec("4.98"));
    market.is_sound().await;
    let paid = chain.settles().await;
    assert_eq!(paid.transfers[0].to, anna.user.bound.unwrap());
    assert_eq!(anna.has_nfts().await, []);
    market.is_sound().await;
}

#[tokio::test]
async fn a_hold_a_flag_and_a_stop_refuse_the_withdrawal_of_an_nft() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, anna, .. } = &mut stage;
    let nft = chain.brings_nft(anna, 7).await;
    let until = noon() + minutes(24 * 60);
    market.sql(&format!("update users set held_until = '{}' where id = '{}'", until.to_rfc3339(), anna.id())).await;
    assert_eq!(anna.withdraws_nft(nft).await, Err(Refusal::HeldUntil { until }));
    market.at(until).await;
    market.sql("update users set withdrawal_forbidden = true").await;
    assert_eq!(anna.withdraws_nft(nft).await, Err(Refusal::Risk(RiskFlag::Withdrawal)));
    market.sql("update users set withdrawal_forbidden = false").await;
    market.sql(&format!("insert into payout_stops values ({}, 'it is elsewhere', now())", nft.0)).await;
    assert_eq!(anna.withdraws_nft(nft).await, Err(Refusal::MoneyStopped));
    market.sql("delete from payout_stops").await;
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Available)]);
    assert_eq!(anna.has_free(market.mec).await, mec("5"));
    anna.withdraws_nft(nft).await.unwrap();
    market.is_sound().await;
}

#[tokio::test]
async fn a_withdrawal_that_is_voided_gives_the_nft_back() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, anna, .. } = &mut stage;
    let nft = chain.brings_nft(anna, 7).await;
    anna.withdraws_nft(nft).await.unwrap();
    let mut void = chain.signs().await;
    void.settlements[0].outcome = SettlementOutcome::Voided;
    void.transfers.clear();
    chain.mines_blocks([void]).await;
    chain.confirms().await;
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Available)]);
    market.is_sound().await;
}

#[tokio::test]
async fn an_nft_that_the_chain_takes_back_freezes_its_advert_until_it_returns() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, pair, anna, ben } = &mut stage;
    let transfer = chain.nft(anna, 7);
    chain.mines_coins([transfer.clone()]).await;
    chain.confirms().await;
    let advert = anna.posts(anna.nft_for_usdt(*pair, 7, "100").automatic()).await.unwrap();
    let order = ben.orders_nft(advert).await.unwrap();
    chain.reorganises(3, vec![Contents::default(); 3]).await;
    assert!(market.order(order).await.frozen.is_some());
    assert_eq!(anna.has_nfts().await, []);
    market.is_sound().await;
    chain.mines_coins([transfer]).await;
    chain.confirms().await;
    assert!(market.order(order).await.frozen.is_none());
    chain.brings(ben, market.usdt, usdt("100")).await;
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    market.is_sound().await;
}

#[tokio::test]
async fn a_prepayment_that_the_chain_takes_back_is_the_sellers_debt_and_nobody_elses_loss() {
    let market = Market::open().await;
    let pair = market.opens_album().await;
    let mut chain = market.chain().await;
    let (anna, ben) = (market.trader().await, market.trader().await);
    let nft = chain.brings_nft(&anna, 7).await;
    chain.brings(&anna, market.mec, mec("2.01")).await;
    let advert = anna.posts(anna.nft_for_usdt(pair, 7, "100").automatic()).await.unwrap();
    chain.reorganises(3, vec![Contents::default(); 3]).await;
    assert_eq!(anna.holds(market.mec).await.debt, mec("2.01"));
    market.is_sound().await;
    market.sql("delete from payout_stops").await;
    let order = ben.orders_nft(advert).await.unwrap();
    chain.brings(&ben, market.usdt, usdt("100")).await;
    chain.settles().await;
    assert_eq!(market.state(order).await, "COMPLETED");
    assert_eq!(anna.has_nfts().await, [], "{nft:?} is sold");
    market.is_sound().await;
    chain.brings(&anna, market.mec, mec("3")).await;
    assert_eq!((anna.holds(market.mec).await.debt, anna.has_free(market.mec).await), (mec("0"), mec("0.99")));
    market.is_sound().await;
}

#[tokio::test]
async fn another_nft_of_the_owner_ends_the_creation_and_returns_at_the_expense_of_the_prepayment() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, pair, anna, .. } = &mut stage;
    chain.mints(anna, 7).await;
    let advert = anna.posts(anna.nft_for_usdt(*pair, 7, "100")).await.unwrap();
    let wrong = chain.nft(anna, 8);
    chain.mines_coins([Chain::from_a_stranger(&wrong)]).await;
    chain.confirms().await;
    assert_eq!(market.advert_state(advert).await, "CREATING", "a stranger cannot end it");
    let wrong = chain.brings_nft(anna, 9).await;
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(anna.has_nfts().await[0], (wrong, NftPlace::Leaving));
    assert_eq!(anna.has_free(market.mec).await, mec("4.99"));
    market.is_sound().await;
    let paid = chain.settles().await;
    assert_eq!(paid.transfers[0].to, anna.user.bound.unwrap());
    market.is_sound().await;
}

#[tokio::test]
async fn an_nft_that_ends_the_creation_of_an_advert_of_coins_stays_in_custody() {
    let mut stage = Gallery::open().await;
    let Gallery { market, chain, anna, .. } = &mut stage;
    let advert = anna.posts(anna.mec_for_krw("10", "1000")).await.unwrap();
    let nft = chain.brings_nft(anna, 7).await;
    assert_eq!(market.advert_state(advert).await, "CANCELLED");
    assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Available)]);
    market.is_sound().await;
}

#[tokio::test]
async fn a_voided_release_restores_the_prepayment_and_a_repeated_one_spends_it_again() {
    for buyer_wins in [true, false] {
        let (mut stage, nft, advert) = Gallery::selling(true).await;
        let Gallery { market, chain, anna, ben, .. } = &mut stage;
        let order = ben.orders_nft(advert).await.unwrap();
        chain.brings(ben, market.usdt, usdt("100")).await;
        let mut void = chain.signs().await;
        for settlement in &mut void.settlements {
            settlement.outcome = SettlementOutcome::Voided;
        }
        void.transfers.clear();
        chain.mines_blocks([void]).await;
        chain.confirms().await;
        market.is_sound().await;
        executed(market, order, if buyer_wins { Party::Buyer } else { Party::Seller }).await;
        chain.settles().await;
        market.is_sound().await;
        if buyer_wins {
            assert_eq!(market.state(order).await, "COMPLETED");
            assert_eq!(stage.kept().await, (mec("2"), mec("0.01")));
        } else {
            assert_eq!(market.state(order).await, "CANCELLED");
            assert_eq!(market.advert_state(advert).await, "ONLINE");
            assert_eq!(anna.has_nfts().await, [(nft, NftPlace::InAdvert(advert))]);
            assert_eq!(market.advert(advert).await.prepaid, mec("2.01"));
            assert_eq!(stage.kept().await, (mec("0"), mec("0")));
        }
    }
}

#[tokio::test]
async fn a_range_that_was_read_before_an_album_was_configured_is_read_again() {
    let mut stage = Gallery::open().await;
    stage.chain.finds([Contents::default()]);
    let range = stage.chain.reads(&stage.chain.range_from(stage.chain.head())).await;
    let without = Range { albums: HashSet::new(), ..range.clone() };
    assert_eq!(stage.chain.reports_late(&without).await.unwrap(), None);
    assert!(stage.chain.reports_late(&range).await.unwrap().is_some());
}
