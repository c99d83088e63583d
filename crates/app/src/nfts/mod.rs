//! NFTs.

pub mod metadata;
