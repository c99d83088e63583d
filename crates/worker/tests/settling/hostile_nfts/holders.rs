//! Albums that lie about the owners of their NFTs, or move what is in a vault.

use domain::refusal::Refusal;

use super::*;
use crate::platform::resume;

/// Payouts of the NFT are stopped for this reason.
const fn stopped(because: &'static [&'static str]) -> Seen {
    Seen { stops: because, ..STUCK }
}

const ELSEWHERE: Seen = stopped(&["holds 0 instead of 1"]);
const SILENT: Seen = stopped(&["does not report the balance"]);

async fn an_album_that_answers(what: Answers, expected: Seen) {
    let stage = Stage::set().await;
    stage.answers(what, STRANGER).await;
    stage.plays().await.is(&expected);
    stage.answers(Answers::Honest, STRANGER).await;
    stage.watches().await;
    assert_eq!(resume(&stage.base.worker, stage.nft, "the album answers again").await, Ok(()));
    stage.base.insists().await;
    let seen = stage.seen().await;
    assert_eq!((seen.order, seen.stops), ("COMPLETED", vec![]));
}

#[tokio::test]
async fn an_album_that_names_another_owner_stops_the_payout_until_it_is_right() {
    an_album_that_answers(Answers::Lies, ELSEWHERE).await;
}

#[tokio::test]
async fn an_album_that_denies_an_nft_stops_the_payout_until_it_is_right() {
    an_album_that_answers(Answers::Reverts, ELSEWHERE).await;
}

#[tokio::test]
async fn an_album_that_uses_all_gas_to_answer_stops_the_payout_until_it_answers() {
    an_album_that_answers(Answers::UsesAllGas, SILENT).await;
}

#[tokio::test]
async fn an_album_that_answers_nothing_stops_the_payout_until_it_answers() {
    an_album_that_answers(Answers::Nothing, SILENT).await;
}

#[tokio::test]
async fn an_album_that_answers_too_much_stops_the_payout_until_it_is_right() {
    an_album_that_answers(Answers::TooLong, ELSEWHERE).await;
}

/// Moves the NFT out of Anna's vault. Zero burns it.
async fn an_album_that_takes_the_nft(to: Address, logged: bool) {
    let stage = Stage::set().await;
    stage.tells("seize(address,uint256,bool)", &[padded(to), ATTACKED, word(logged.into())]).await;
    stage.plays().await.is(&ELSEWHERE);
    let details = app::nfts::one(&stage.base.market.context, None, stage.nft).await.unwrap();
    let holder = if logged { to } else { stage.base.anna.user.vault };
    assert_eq!(details.holder, Some(holder), "as the logs say");
    // Back in the vault, it can be delivered.
    let vault = padded(stage.base.anna.user.vault);
    stage.tells("seize(address,uint256,bool)", &[vault, ATTACKED, word(0)]).await;
    stage.watches().await;
    assert_eq!(resume(&stage.base.worker, stage.nft, "the NFT is back").await, Ok(()));
    stage.base.insists().await;
    assert_eq!(stage.seen().await.order, "COMPLETED");
}

#[tokio::test]
async fn an_album_that_burns_an_nft_in_a_vault_stops_its_payout() {
    an_album_that_takes_the_nft(Address([0; 20]), true).await;
}

#[tokio::test]
async fn an_album_that_moves_an_nft_out_of_a_vault_stops_its_payout() {
    an_album_that_takes_the_nft(STRANGER, true).await;
}

#[tokio::test]
async fn an_album_that_moves_an_nft_secretly_stops_its_payout() {
    an_album_that_takes_the_nft(STRANGER, false).await;
}

#[tokio::test]
async fn nobody_can_order_an_nft_that_has_left_its_vault() {
    let stage = Stage::set().await;
    let frozen::Stage { ben, market, .. } = &stage.base;
    ben.cancels(stage.order).await.unwrap();
    stage.tells("seize(address,uint256,bool)", &[padded(STRANGER), ATTACKED, word(1)]).await;
    stage.watches().await;
    assert_eq!(ben.orders_nft(stage.advert).await, Err(Refusal::MoneyStopped));
    let details = app::nfts::one(&market.context, None, stage.nft).await.unwrap();
    assert_eq!(details.advert, None, "it is not offered");
    stage.seen().await;
}

#[tokio::test]
async fn an_album_that_becomes_another_contract_after_listing_stops_its_payouts() {
    let stage = Stage::set().await;
    let anvil = &stage.base.test_chain.anvil;
    let before = anvil.raw("eth_getCode", json!([stage.hostile.to_string(), "latest"])).await;
    let coin = anvil.raw("eth_getCode", json!([stage.base.test_chain.usdt.to_string(), "latest"])).await;
    anvil.raw("anvil_setCode", json!([stage.hostile.to_string(), coin])).await;
    // The coin has no `ownerOf`.
    stage.plays().await.is(&ELSEWHERE);
    anvil.raw("anvil_setCode", json!([stage.hostile.to_string(), before])).await;
    stage.watches().await;
    assert_eq!(resume(&stage.base.worker, stage.nft, "it was undone").await, Ok(()));
    stage.base.insists().await;
    assert_eq!(stage.seen().await.order, "COMPLETED");
}

#[tokio::test]
async fn an_nft_of_which_only_its_album_speaks_is_never_paid_for() {
    // The album logs that an NFT is in Anna's vault, and says so if it is asked. Anna sells it, but it cannot be delivered.
    let mut stage = Stage::set().await;
    let frozen::Stage { anna, ben, .. } = &stage.base;
    ben.cancels(stage.order).await.unwrap();
    stage.answers(Answers::Lies, anna.user.vault).await;
    stage.forges(Address([0; 20]), anna.user.vault, 9, 1).await;
    stage.watches().await;
    stage.nft = nft_of(&stage.base, stage.hostile, word(9)).await;
    let advert = anna.posts(offer(anna, stage.hostile_pair, word(9)).automatic()).await;
    assert_eq!(stage.places(anna).await.len(), 2, "{advert:?}");
    stage.order = ben.orders_nft(advert.unwrap()).await.unwrap();
    let seen = stage.plays().await;
    assert_eq!((seen.order, seen.stops), ("RELEASING", vec![]));
    let paid = stage.base.held(Token::Erc20(stage.base.test_chain.usdt), stage.base.receiving()).await;
    assert_eq!(paid, usdt("0"), "Anna gets no money for it");
}
