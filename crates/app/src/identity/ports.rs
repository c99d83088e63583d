//! The external services that accounts need. Gateways implement these traits, and binaries pass the implementations to
//! this crate.

use async_trait::async_trait;
use domain::chain::{Address, CustodyIndex};
use domain::clock::Timestamp;
use domain::identity::statement::Statement;
use uuid::Uuid;

use crate::Result;

/// Why an assertion is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    /// The assertion's signature, issuer, audience, time or content is wrong.
    #[error("the statement is not one of the pass: {0}")]
    NotOurs(String),
    /// The pass's keys cannot be fetched at the moment.
    #[error("the pass's keys cannot be fetched: {0}")]
    Unavailable(String),
}

/// The QR code and the link with which a user opens a challenge in the pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The content of the QR code.
    pub qr: String,
    /// The redirect URL, for a phone that has the app.
    pub redirect: String,
}

#[async_trait]
pub trait Pass: Send + Sync {
    fn invite(&self, challenge: Uuid, purpose: &str) -> Invitation;

    /// Checks an assertion: its signature under the pass's published keys, its issuer and audience, and its time
    /// against `now`.
    async fn verify(&self, statement: &str, now: Timestamp) -> std::result::Result<Statement, PassError>;
}

/// Computes custody addresses before the vaults exist.
#[async_trait]
pub trait Vaults: Send + Sync {
    /// Computes the custody address of an index. Fails with [`crate::Error::Unavailable`] while no Escrow is known.
    async fn address(&self, index: CustodyIndex) -> Result<Address>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlidePicture {
    /// PNG of the picture with the gap.
    pub background: Vec<u8>,
    /// PNG of the piece, with transparency.
    pub piece: Vec<u8>,
    /// Of the background, in pixels.
    pub width: u32,
    /// Of the background, in pixels.
    pub height: u32,
    /// In pixels.
    pub piece_width: u32,
    /// The vertical position of the piece.
    pub piece_y: u32,
    /// The correct horizontal position of the piece.
    pub x: u32,
}

pub trait SlideArt: Send + Sync {
    /// Draws a picture from a seed. Takes milliseconds of CPU time, so call it on a blocking thread.
    fn draw(&self, seed: [u8; 32]) -> Result<SlidePicture>;
}

/// A source of randomness for secrets.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable values.
    fn fill(&self, bytes: &mut [u8]);
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

impl domain::ids::IdSource for SystemRandom {
    fn random(&self) -> [u8; 10] {
        rand::random()
    }
}
