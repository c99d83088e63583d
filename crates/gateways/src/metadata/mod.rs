//! Fetches the metadata of NFTs, which is data from strangers.
//!
//! - [`uri`] decides where a URI points to,
//! - [`guard`] is the only way to servers, and [`address`] knows which are public,
//! - [`document`] reads the JSON, and [`text`] what it says,
//! - [`picture`] decodes pictures and encodes them anew.
//!
//! No setting switches a check off.

mod address;
mod document;
mod guard;
mod picture;
#[cfg(test)]
mod tests;
mod text;
mod uri;

use std::sync::Arc;
use std::time::Duration;

use app::nfts::metadata::{Image, Metadata, MetadataSource, Picture};
use async_trait::async_trait;
use domain::nfts::MetadataFault;
use tokio::sync::Semaphore;
use url::Url;

use document::{Document, ImageSource};
use guard::{Guard, Network, Patience};
use uri::Target;

/// What a fetch may cost.
#[derive(Debug, Clone, Copy)]
struct Limits {
    patience: Patience,
    /// The time limit for decoding and encoding a picture.
    decoding: Duration,
    /// The maximum size of the JSON, in bytes. It may contain the picture.
    document_bytes: usize,
    /// The maximum size of a picture, in bytes.
    picture_bytes: usize,
}

const LIMITS: Limits = Limits {
    patience: Patience { connect: Duration::from_secs(5), total: Duration::from_secs(15) },
    decoding: Duration::from_secs(15),
    document_bytes: 2 * 1024 * 1024,
    picture_bytes: 16 * 1024 * 1024,
};

/// Fetches metadata and pictures from public servers, and pictures one at a time.
#[derive(Debug)]
pub struct GuardedMetadata {
    guard: Guard,
    gateway: Option<Url>,
    limits: Limits,
    /// Held while a picture is decoded, because it may need much memory.
    decoder: Arc<Semaphore>,
}

impl GuardedMetadata {
    /// Creates the source. `gateway` is the base URL of a public server that has the files of IPFS below `/ipfs/`; without it,
    /// `ipfs:` URIs are refused. Fails if the guard would never fetch from this URL.
    pub fn new(gateway: Option<Url>) -> app::Result<Self> {
        Self::over(Network::internet(), gateway, LIMITS)
    }

    fn over(network: Network, gateway: Option<Url>, limits: Limits) -> app::Result<Self> {
        if let Some(Err(fault)) = gateway.as_ref().map(guard::check) {
            return Err(app::Error::Internal(format!("gateway of IPFS: {}", <&str>::from(fault))));
        }
        let guard = Guard::new(network, limits.patience)
            .map_err(|error| app::Error::Internal(format!("client for NFT metadata: {error}")))?;
        Ok(Self { guard, gateway, limits, decoder: Arc::new(Semaphore::new(1)) })
    }

    async fn load(&self, uri: &str, max_bytes: usize) -> Result<Vec<u8>, MetadataFault> {
        match uri::target(uri, self.gateway.as_ref(), max_bytes)? {
            Target::Document(bytes) => Ok(bytes),
            Target::Remote(url) => self.guard.get(url, max_bytes).await,
        }
    }

    async fn picture(&self, source: ImageSource) -> Result<Picture, MetadataFault> {
        let bytes = match source {
            ImageSource::Uri(uri) => self.load(&uri, self.limits.picture_bytes).await?,
            ImageSource::Inline(text) => text.into_bytes(),
            ImageSource::None => return Err(MetadataFault::Missing),
        };
        let turn = Arc::clone(&self.decoder).acquire_owned().await;
        // The turn ends with the work, even if nobody waits for its result any longer.
        let decoding = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            picture::picture(&bytes)
        });
        match tokio::time::timeout(self.limits.decoding, decoding).await {
            Ok(Ok(decoded)) => decoded,
            Ok(Err(error)) => {
                tracing::error!(%error, "a decoder of pictures has failed");
                Err(MetadataFault::DamagedPicture)
            }
            Err(_) => Err(MetadataFault::TooSlow),
        }
    }
}

#[async_trait]
impl MetadataSource for GuardedMetadata {
    async fn fetch(&self, uri: &str) -> Result<Metadata, MetadataFault> {
        let Document { name, description, creator, traits, image } =
            Document::parse(&self.load(uri, self.limits.document_bytes).await?)?;
        let image = self.picture(image).await.map_or_else(Image::Refused, Image::Picture);
        Ok(Metadata { name, description, creator, traits, image })
    }
}
