//! Checks that the batch encoding can be decoded again and matches the contracts' README.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use chain::batch::{Batch, BatchError, BatchLeg, MAX_SPAN};
use domain::chain::{Address, CustodyIndex, Reference, Token};
use domain::money::{Amount, MAX_UNITS};
use proptest::prelude::*;

fn leg(reference: u64, with_next: bool) -> BatchLeg {
    BatchLeg {
        reference: Reference(reference),
        vault: CustodyIndex(1),
        token: Token::Native,
        to: Address([2; 20]),
        amount: Amount::ONE,
        with_next,
        or_void: false,
    }
}

#[test]
fn the_encoding_matches_the_readme() {
    let usdt = Address([0xaa; 20]);
    let album = Address([0x0b; 20]);
    let legs = vec![
        BatchLeg { token: Token::Erc20(usdt), amount: Amount::new(258).unwrap(), ..leg(7, true) },
        BatchLeg { token: Token::Erc721(album, [9; 32]), vault: CustodyIndex(515), ..leg(8, false) },
        leg(11, false),
    ];
    let text = [
        "0503",
        "010000000000000000000000000000000000000000",
        "030b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
        "02aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "030200000000000000010202020202020202020202020202020202020202",
        "00000000000000000000000000000102",
        "010100000000000002030202020202020202020202020202020202020202",
        "0909090909090909090909090909090909090909090909090909090909090909",
        "0000",
        "010000000000000000010202020202020202020202020202020202020202",
        "00000000000000000000000000000001",
    ];
    assert_eq!(hex::encode(Batch::new(legs).unwrap().encode()), text.concat());
}

#[test]
fn invalid_legs_are_refused() {
    let refused = |legs| Batch::new(legs).unwrap_err();
    assert_eq!(refused(vec![]), BatchError::Empty);
    assert_eq!(refused(vec![leg(2, false), leg(2, false)]), BatchError::OutOfOrder(Reference(2)));
    assert_eq!(refused(vec![leg(1, true)]), BatchError::NoPartner(Reference(1)));
    assert_eq!(refused(vec![leg(1, true), leg(3, false)]), BatchError::NoPartner(Reference(1)));
    assert_eq!(refused(vec![leg(1, true), leg(2, true), leg(3, false)]), BatchError::NoPartner(Reference(1)));
    assert_eq!(refused(vec![leg(1, false), leg(256, false)]), BatchError::TooLong);
    assert!(Batch::new(vec![leg(1, false), leg(255, false)]).is_ok());
    let nothing = BatchLeg { amount: Amount::ZERO, ..leg(1, false) };
    assert_eq!(refused(vec![nothing]), BatchError::Amount(Reference(1)));
    let two =
        BatchLeg { token: Token::Erc721(Address([1; 20]), [0; 32]), amount: Amount::new(2).unwrap(), ..leg(1, false) };
    assert_eq!(refused(vec![two]), BatchError::Amount(Reference(1)));
}

#[test]
fn the_gas_limit_covers_each_leg_and_fits_in_a_transaction() {
    let legs: Vec<_> = (0..50).map(|reference| leg(reference, reference % 2 == 0)).collect();
    let pairs = Batch::new(legs).unwrap().gas_limit();
    let singles = Batch::new((0..50).map(|reference| leg(reference, false)).collect()).unwrap().gas_limit();
    assert!(singles >= 50 * 283_174 + 150_000);
    assert!(pairs >= 25 * 595_337 + 150_000);
    // The maximum for a transaction since EIP-7825.
    assert!(pairs <= 1 << 24, "{pairs}");
    assert!(singles <= 1 << 24, "{singles}");
}

fn tokens() -> impl Strategy<Value = Token> {
    prop_oneof![
        Just(Token::Native),
        (1_u8..4).prop_map(|byte| Token::Erc20(Address([byte; 20]))),
        ((4_u8..6), any::<[u8; 32]>()).prop_map(|(byte, id)| Token::Erc721(Address([byte; 20]), id)),
    ]
}

/// Generates legs in order, with gaps of every size and with pairs.
fn legs() -> impl Strategy<Value = Vec<BatchLeg>> {
    let drawn = (1_u64..300, any::<u64>(), tokens(), any::<[u8; 20]>(), 1..=MAX_UNITS, any::<bool>());
    (0..u64::MAX / 2, prop::collection::vec(drawn, 1..40)).prop_map(|(start, drawn)| {
        let mut reference = start;
        let mut partner = false;
        let last = drawn.len() - 1;
        let legs = drawn.into_iter().enumerate().map(|(place, (gap, vault, token, to, units, pair))| {
            reference += if partner { 1 } else { gap };
            let with_next = pair && !partner && place < last;
            partner = with_next;
            let nft = matches!(token, Token::Erc721(..));
            BatchLeg {
                reference: Reference(reference),
                vault: CustodyIndex(vault),
                token,
                to: Address(to),
                amount: if nft { Amount::ONE } else { Amount::new(units).unwrap() },
                with_next,
                or_void: false,
            }
        });
        legs.collect()
    })
}

proptest! {
    #[test]
    fn batches_round_trip(legs in legs()) {
        for batch in Batch::split(legs, 10).unwrap() {
            prop_assert_eq!(Batch::decode(batch.first(), &batch.encode()), Ok(batch));
        }
    }

    #[test]
    fn splitting_loses_nothing_and_keeps_pairs_and_limits(legs in legs(), most in 1_usize..20, seed in any::<u64>()) {
        let mut shuffled = legs.clone();
        let turn = usize::try_from(seed % 40).unwrap() % shuffled.len();
        shuffled.rotate_left(turn);
        let batches = Batch::split(shuffled, most).unwrap();
        for batch in &batches {
            prop_assert!(batch.legs().len() <= most + 1);
            prop_assert!(batch.span() <= MAX_SPAN);
        }
        let all: Vec<_> = batches.iter().flat_map(|batch| batch.legs().to_vec()).collect();
        prop_assert_eq!(all, legs);
    }

    #[test]
    fn arbitrary_bytes_are_refused_or_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(batch) = Batch::decode(Reference(3), &bytes) {
            prop_assert_eq!(Batch::decode(batch.first(), &batch.encode()), Ok(batch));
        }
    }

    #[test]
    fn a_truncated_batch_is_refused(legs in legs(), cut in 1_usize..60) {
        let batch = Batch::split(legs, 10).unwrap().remove(0);
        let bytes = batch.encode();
        let short = &bytes[..bytes.len().saturating_sub(cut)];
        prop_assert!(Batch::decode(batch.first(), short).is_err());
    }
}
