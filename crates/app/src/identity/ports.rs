//! What accounts need of the outside. Gateways implement these; only binaries join the two.

use async_trait::async_trait;
use domain::chain::{Address, CustodyIndex};
use domain::clock::Timestamp;
use domain::identity::person::Statement;
use uuid::Uuid;

use crate::Result;

/// A letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailMessage {
    /// To whom.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its text, plain.
    pub text: String,
}

/// Sends letters.
#[async_trait]
pub trait Mail: Send + Sync {
    /// Hands a letter to the mail server. [`crate::Error::Unavailable`] if that does not take it.
    async fn send(&self, message: EmailMessage) -> Result<()>;
}

/// Why a statement is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PassError {
    /// Its signature, issuer, audience, time or content is wrong.
    #[error("the statement is not one of the pass: {0}")]
    NotOurs(String),
    /// The pass's keys cannot be fetched just now.
    #[error("the pass's keys cannot be fetched: {0}")]
    Unavailable(String),
}

/// Where a person answers a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// What the QR holds.
    pub qr: String,
    /// The same by redirect, on a phone that has the app.
    pub redirect: String,
}

/// The identity app.
#[async_trait]
pub trait Pass: Send + Sync {
    /// Where a challenge is answered.
    fn invite(&self, challenge: Uuid, purpose: &str) -> Invitation;

    /// Checks a signed statement: its signature under the pass's published keys, issuer, audience, and its time at `now`.
    async fn verify(&self, statement: &str, now: Timestamp) -> std::result::Result<Statement, PassError>;
}

/// Knows the custody addresses beforehand.
#[async_trait]
pub trait Vaults: Send + Sync {
    /// The custody address of an index. [`crate::Error::Unavailable`] while no Escrow is known.
    async fn address(&self, index: CustodyIndex) -> Result<Address>;
}

/// The picture of a slide check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlidePicture {
    /// The picture with its gap, PNG.
    pub background: Vec<u8>,
    /// The piece, PNG with transparency.
    pub piece: Vec<u8>,
    /// Of the picture, in pixels.
    pub width: u32,
    /// Of the picture, in pixels.
    pub height: u32,
    /// Of the piece, in pixels.
    pub piece_width: u32,
    /// Where the piece sits vertically.
    pub piece_y: u32,
    /// Where it belongs.
    pub x: u32,
}

/// Draws slide checks.
pub trait SlideArt: Send + Sync {
    /// A picture made of a seed. Takes milliseconds of processor time: called on a thread for that.
    fn draw(&self, seed: [u8; 32]) -> Result<SlidePicture>;
}

/// Randomness for secrets.
pub trait Random: Send + Sync {
    /// Fills bytes that nobody can guess.
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
