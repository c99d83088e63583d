//! The checks of an advert for an NFT, which is whole, only sold, and whose seller prepays.

use super::*;
use crate::assets::Prepayment;

const ID: [u8; 32] = [7; 32];
const ALBUM: Address = Address([9; 20]);

/// A seller who can prepay exactly what an NFT of the album needs.
struct Gallery {
    scene: Scene,
    available: Amount,
}

impl Gallery {
    fn open() -> Self {
        let mut scene = scene(Side::Sell, false, false);
        let pair = scene.pair.as_mut().unwrap();
        pair.base = Asset {
            decimals: 0,
            home: Home::Chain { chain: ChainId(1), token: Token::Erc721(ALBUM, ID) },
            album: Some(AssetId(4)),
            ..pair.base.clone()
        };
        (pair.fee_rate_ppm, pair.fee_minimum) = (0, Amount::ZERO);
        pair.prepayment = Some(Prepayment { asset: AssetId(3), decimals: 2, fee: amount(200), gas: amount(1) });
        scene.advert_request =
            AdvertRequest::new(PairId(9), Side::Sell, price("10"), Amount::ONE, (Amount::ZERO, Amount::ZERO));
        scene.advert_request.nft = Some(ID);
        Self { scene, available: amount(201) }
    }

    /// The pair of the album, which has no NFT with the requested number.
    fn album(&mut self) {
        let pair = self.scene.pair.as_mut().unwrap();
        pair.base.home = Home::Album { chain: ChainId(1), contract: ALBUM };
        pair.base.album = None;
    }

    fn coin(&mut self) {
        self.scene.pair = Some(pair(false));
    }

    fn posts(&self) -> Result<adverts::Terms, Refusal> {
        let facts = AdvertFacts { prepayable: self.available, ..advert_inputs(&self.scene) };
        advert(&facts, &self.scene.advert_request)
    }
}

/// Returns the refusal after a change of what can be posted.
fn refused(change: impl FnOnce(&mut Gallery)) -> Option<Refusal> {
    let mut gallery = Gallery::open();
    change(&mut gallery);
    gallery.posts().err()
}

#[test]
fn an_nft_is_sold_whole_whatever_the_limits_of_the_request() {
    let mut gallery = Gallery::open();
    for limits in [(Amount::ZERO, Amount::ZERO), (amount(5), amount(3))] {
        (gallery.scene.advert_request.min_total, gallery.scene.advert_request.max_total) = limits;
        let terms = gallery.posts().unwrap();
        let total = amount(1_000);
        assert_eq!((terms.quantity, terms.total, terms.min_total, terms.max_total), (Amount::ONE, total, total, total));
    }
    let two = refused(|gallery| gallery.scene.advert_request.quantity = amount(2));
    assert_eq!(two, Some(Refusal::Invalid { field: "quantity", reason: "not 1" }));
}

#[test]
fn the_price_of_an_nft_is_within_the_limits_of_its_pair() {
    for (asked, fits) in [("9.99", false), ("10", true), ("1000", true), ("1000.01", false)] {
        let refusal = refused(|gallery| gallery.scene.advert_request.price = price(asked));
        assert_eq!(refusal, (!fits).then(|| limits(1_000, 100_000)), "{asked}");
    }
}

#[test]
fn any_price_within_the_limits_is_accepted_whatever_others_cost() {
    assert_eq!(refused(|gallery| gallery.scene.reference = Some(price("900"))), None);
}

#[test]
fn an_album_needs_an_nft_and_a_coin_has_none() {
    let buys = |gallery: &mut Gallery| gallery.scene.advert_request.side = Side::Buy;
    assert_eq!(refused(buys), Some(Refusal::NftOnlySold));
    let album_buys = |gallery: &mut Gallery| {
        gallery.album();
        buys(gallery);
    };
    assert_eq!(refused(album_buys), Some(Refusal::NftOnlySold));
    assert_eq!(refused(Gallery::album), Some(Refusal::NftMissing));
    assert_eq!(refused(Gallery::coin), Some(Refusal::AlbumMissing));
    let required = Refusal::Invalid { field: "nftId", reason: "required" };
    assert_eq!(refused(|gallery| gallery.scene.advert_request.nft = None), Some(required.clone()));
    let album_alone = |gallery: &mut Gallery| {
        gallery.album();
        gallery.scene.advert_request.nft = None;
    };
    assert_eq!(refused(album_alone), Some(required));
}

#[test]
fn the_seller_prepays_fee_and_gas() {
    let short = Refusal::PrepaymentShort { needed: shown(201), shortfall: shown(1) };
    assert_eq!(refused(|gallery| gallery.available = amount(200)), Some(short));
    assert_eq!(refused(|gallery| gallery.available = amount(202)), None);
    let flagged = refused(|gallery| gallery.scene.user.forbidden.push(RiskFlag::Withdrawal));
    assert_eq!(flagged, Some(Refusal::Risk(RiskFlag::Withdrawal)), "a prepayment uses a temporary balance");
}
