//! Appeals about orders on NFTs, before and after their release.

use domain::chain::SettlementOutcome;
use domain::files::GRID;
use domain::ids::OrderId;
use domain::nfts::NftPlace;
use domain::orders::{AppealReason, NewEvidence, OrderCommand};
use domain::trade::Party;
use testkit::market::{Contents, Trader, mec, usdt};

use crate::decisions::executed;
use crate::nfts::Gallery;
use crate::talk_files::picture;

async fn appeals(who: &Trader, order: OrderId, reason: AppealReason) {
    let evidence = NewEvidence { pictures: vec![picture(who, &[0; GRID * GRID]).await], videos: Vec::new() };
    who.does(order, OrderCommand::Appeal { reason, description: None, evidence }).await.unwrap();
}

#[tokio::test]
async fn a_verdict_about_a_paid_order_gives_the_nft_to_the_buyer_or_back_to_the_advert() {
    for winner in [Party::Buyer, Party::Seller] {
        let (mut stage, nft, advert) = Gallery::selling(false).await;
        let Gallery { market, chain, anna, ben, .. } = &mut stage;
        let order = ben.orders_nft(advert).await.unwrap();
        anna.accepts(order).await.unwrap();
        ben.marks_paid(order).await.unwrap();
        appeals(anna, order, AppealReason::PaymentNotReceived).await;
        let state = executed(market, order, winner).await;
        chain.settles().await;
        market.is_sound().await;
        if winner == Party::Buyer {
            assert_eq!(state, "RELEASING");
            assert_eq!((market.state(order).await, market.advert_state(advert).await), ("COMPLETED", "CANCELLED"));
            assert_eq!(anna.has_nfts().await, []);
            assert_eq!(stage.kept().await, (mec("2"), mec("0.01")));
        } else {
            assert_eq!(state, "CANCELLED", "without a transaction");
            assert_eq!(market.advert_state(advert).await, "ONLINE");
            assert_eq!(anna.has_nfts().await, [(nft, NftPlace::InAdvert(advert))]);
            assert_eq!(market.advert(advert).await.prepaid, mec("2.01"));
            let again = ben.orders_nft(advert).await.unwrap();
            assert_eq!(anna.has_nfts().await, [(nft, NftPlace::InOrder(again))]);
            assert_eq!(stage.kept().await, (mec("0"), mec("0")));
        }
    }
}

#[tokio::test]
async fn a_payment_that_arrives_during_an_appeal_waits_for_the_verdict() {
    for winner in [Party::Buyer, Party::Seller] {
        let (mut stage, nft, advert) = Gallery::selling(true).await;
        let Gallery { market, chain, anna, ben, .. } = &mut stage;
        let order = ben.orders_nft(advert).await.unwrap();
        market.at(market.order(order).await.state.deadline().unwrap().at).await;
        market.clock_strikes().await;
        appeals(anna, order, AppealReason::NotPaid).await;
        chain.brings(ben, market.usdt, usdt("100")).await;
        assert_eq!(market.state(order).await, "AWAITING_PAYMENT");
        executed(market, order, winner).await;
        let paid = chain.settles().await;
        market.is_sound().await;
        assert_eq!(ben.has_free(market.usdt).await, usdt("0"));
        if winner == Party::Buyer {
            assert_eq!((market.state(order).await, paid.settlements.len()), ("COMPLETED", 2));
            assert_eq!(stage.kept().await, (mec("2"), mec("0.01")));
        } else {
            assert_eq!((market.state(order).await, paid.settlements.len()), ("CANCELLED", 1), "the payment returned");
            assert_eq!(anna.has_nfts().await, [(nft, NftPlace::InAdvert(advert))]);
            assert_eq!(market.advert(advert).await.prepaid, mec("2.01"));
            assert_eq!(stage.kept().await, (mec("0"), mec("0")));
        }
    }
}

/// The advert has ended with the release, so what a verdict for the seller gives back is the seller's own.
#[tokio::test]
async fn a_release_that_is_voided_after_the_advert_has_ended_gives_nft_and_prepayment_to_the_winner() {
    for winner in [Party::Buyer, Party::Seller] {
        let (mut stage, nft, advert) = Gallery::selling(true).await;
        let Gallery { market, chain, anna, ben, .. } = &mut stage;
        let order = ben.orders_nft(advert).await.unwrap();
        chain.brings(ben, market.usdt, usdt("100")).await;
        let mut void = chain.settles().await;
        assert_eq!((market.state(order).await, market.advert_state(advert).await), ("COMPLETED", "CANCELLED"));
        for settlement in &mut void.settlements {
            settlement.outcome = SettlementOutcome::Voided;
        }
        void.transfers.clear();
        chain.reorganises(3, [void, Contents::default(), Contents::default()]).await;
        market.is_sound().await;
        executed(market, order, winner).await;
        chain.settles().await;
        market.is_sound().await;
        assert_eq!(market.advert_state(advert).await, "CANCELLED");
        if winner == Party::Buyer {
            assert_eq!((market.state(order).await, anna.has_nfts().await), ("COMPLETED", vec![]));
            assert_eq!(stage.kept().await, (mec("2"), mec("0.01")));
        } else {
            assert_eq!(market.state(order).await, "CANCELLED");
            assert_eq!(anna.has_nfts().await, [(nft, NftPlace::Available)]);
            assert_eq!(anna.has_free(market.mec).await, mec("5"), "nothing is spent");
            assert_eq!(stage.kept().await, (mec("0"), mec("0")));
        }
    }
}
