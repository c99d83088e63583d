//! Implementations of the ports of `app` to external services: mail, the pass, slide checks, files, pictures and the metadata of
//! NFTs. Only binaries depend on this crate.

// In tests, an overflow panics and thereby fails the test.
#![cfg_attr(test, allow(clippy::arithmetic_side_effects))]

pub mod fakes;
mod files;
mod mail;
mod metadata;
mod pass;
mod pictures;
mod slide_art;

pub use files::{Bucket, ObjectFiles};
pub use mail::{SmtpMail, SmtpSettings};
pub use metadata::GuardedMetadata;
pub use pass::{KeySource, PassSettings, SignedPass};
pub use pictures::CleanedPictures;
pub use slide_art::DrawnSlides;
