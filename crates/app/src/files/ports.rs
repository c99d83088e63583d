//! The external services that uploads need. Gateways implement these traits, and binaries pass the implementations to
//! this crate.

use std::ops::Range;

use async_trait::async_trait;
use domain::files::{Content, MediaType};
use uuid::Uuid;

use crate::Result;

/// Stores the bytes of files under random names. Fails with [`crate::Error::Unavailable`] if the store does not respond.
#[async_trait]
pub trait FileStore: Send + Sync {
    /// Stores a small object.
    async fn put(&self, object: Uuid, bytes: Vec<u8>) -> Result<()>;

    /// Begins to store an object whose bytes arrive in parts. Dropping the result abandons it.
    async fn begin(&self, object: Uuid) -> Result<Box<dyn PartialFile>>;

    /// Reads a part of an object. The range must not be empty, and lie within the object.
    async fn read(&self, object: Uuid, range: Range<u64>) -> Result<Vec<u8>>;

    /// Deletes an object if it exists.
    async fn delete(&self, object: Uuid) -> Result<()>;
}

/// An object that is being stored. It does not exist until it is finished.
#[async_trait]
pub trait PartialFile: Send {
    async fn write(&mut self, bytes: &[u8]) -> Result<()>;

    async fn finish(self: Box<Self>) -> Result<()>;

    /// Deletes what was written.
    async fn abandon(self: Box<Self>) -> Result<()>;
}

/// A picture that was encoded anew, so it contains nothing but pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CleanPicture {
    pub media: MediaType,
    pub bytes: Vec<u8>,
    /// Always an image.
    pub content: Content,
}

/// Why an upload is not an acceptable picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFault {
    /// Not a picture in a supported format.
    Format,
    /// A picture with several frames.
    Animated,
    /// The picture has so many pixels that decoding it would need too much memory.
    TooManyPixels,
    /// The content does not match its format, or ends early.
    Damaged,
}

impl PictureFault {
    /// Returns the reason in a refusal, which clients act on.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Format => "not a picture",
            Self::Animated => "animated",
            Self::TooManyPixels => "too many pixels",
            Self::Damaged => "damaged",
        }
    }
}

pub trait Pictures: Send + Sync {
    /// Decodes a picture and encodes it anew, upright. Takes up to a second of CPU time, so call it on a blocking thread.
    fn clean(&self, upload: &[u8]) -> std::result::Result<CleanPicture, PictureFault>;
}
