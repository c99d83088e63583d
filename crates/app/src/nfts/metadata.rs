//! What the metadata of an NFT says, and the port that fetches it. It is data from strangers: every text is a claim, and whatever
//! is not acceptable is refused with a reason.

use async_trait::async_trait;
use chrono::Duration;
use domain::chain::{ChainId, MetadataUpdate};
use domain::clock::{Timestamp, after};
use domain::files::MediaType;
use domain::nfts::{MetadataFault, Royalty};
use sha2::{Digest as _, Sha256};
use store::Tx;
use store::nft_metadata::{Due, FetchedPicture, StoredPicture, Texts};

use crate::files::ports::FileStore;
use crate::{Context, Error, Result};

/// The maximum length of the name of an NFT and of its creator, in characters.
pub const MAX_NAME_LENGTH: usize = 200;
/// The maximum length of a description, in characters.
pub const MAX_DESCRIPTION_LENGTH: usize = 5_000;
/// The maximum number of traits. Others are left out.
pub const MAX_TRAITS: usize = 100;
/// The maximum length of the type and of the value of a trait, in characters.
pub const MAX_TRAIT_LENGTH: usize = 200;
/// The longest side of the picture in lists, in pixels.
pub const SMALL_SIDE: u32 = 256;
/// The longest side of the picture on the page of the NFT, in pixels.
pub const LARGE_SIDE: u32 = 1024;

/// The metadata of an NFT. Longer texts are cut. They contain no control characters except line breaks in the description, and
/// nothing that is invisible or changes the direction of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub name: Option<String>,
    pub description: Option<String>,
    pub creator: Option<String>,
    pub traits: Vec<Trait>,
    pub image: Image,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trait {
    /// For example `Background`; `None` if the trait has only a value.
    pub kind: Option<String>,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Image {
    Picture(Picture),
    /// There is no acceptable picture.
    Refused(MetadataFault),
}

/// The picture of an NFT in both sizes. A picture is never enlarged, so both may have the same size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// At most [`SMALL_SIDE`] wide and high.
    pub small: ScaledPicture,
    /// At most [`LARGE_SIDE`] wide and high.
    pub large: ScaledPicture,
}

/// A picture that was encoded anew, so it contains nothing but pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScaledPicture {
    pub media: MediaType,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    pub bytes: Vec<u8>,
}

#[async_trait]
pub trait MetadataSource: Send + Sync {
    /// Fetches the metadata at the URI of a token, and its picture. Takes at most a minute.
    ///
    /// If only the picture is not acceptable, the result contains the rest.
    async fn fetch(&self, uri: &str) -> std::result::Result<Metadata, MetadataFault>;
}

/// How long the metadata of an NFT is kept before it is fetched again, even if its contract says that it has changed.
const REST: Duration = Duration::hours(24);
/// When a server is asked again that was not reached, and when a fetch that has not ended counts as failed.
const AGAIN: Duration = Duration::hours(6);

/// Begins to fetch the NFTs whose metadata has been due for longest. Nobody else fetches them meanwhile.
pub async fn begin(context: &Context, most: i64) -> Result<Vec<Due>> {
    let (mut tx, now) = context.begin().await?;
    let due = store::nft_metadata::begin(&mut tx, context.fresh(now), now, after(now, AGAIN), most).await?;
    tx.commit().await?;
    Ok(due)
}

/// Stores what the contract of an NFT states about its royalty. This does not wait for the metadata, whose server may never respond.
pub async fn put_royalty(context: &Context, due: &Due, royalty: Option<Royalty>) -> Result<()> {
    let (mut tx, _) = context.begin().await?;
    store::nft_metadata::put_royalty(&mut tx, due, royalty).await?;
    Ok(tx.commit().await?)
}

/// Fetches the metadata of an NFT and stores it. A server that cannot be reached is asked again later, and what was known before
/// stays: everything, or only the picture if its server is another one.
pub async fn refresh(
    context: &Context,
    source: &dyn MetadataSource,
    files: &dyn FileStore,
    due: &Due,
    uri: Option<String>,
) -> Result<()> {
    let fetched = match &uri {
        Some(uri) => source.fetch(uri).await,
        None => Err(MetadataFault::Missing),
    };
    let metadata = match fetched {
        Err(fault) if fault.is_temporary() => return postpone(context, due, fault).await,
        Err(fault) => {
            let (name, description, creator) = (None, None, None);
            Metadata { name, description, creator, traits: Vec::new(), image: Image::Refused(fault) }
        }
        Ok(metadata) => metadata,
    };
    let digest = digest(&metadata);
    let traits = metadata.traits.into_iter().map(|one| (one.kind.unwrap_or_default(), one.value)).collect();
    let picture = keep_image(context, files, &metadata.image).await?;
    let (mut tx, now) = context.begin().await?;
    let again = match picture.picture {
        Err(fault) if fault.is_temporary() => {
            store::nft_metadata::lack_picture(&mut tx, due.nft, fault).await?;
            Some(after(now, AGAIN))
        }
        _ => {
            store::nft_metadata::put_picture(&mut tx, due.nft, &picture, now).await?;
            None
        }
    };
    let (name, description, shown) = (metadata.name, metadata.description, uri.as_deref().map(shown_uri));
    let texts = Texts { uri: shown, name, description, traits, digest, at: now };
    if !store::nft_metadata::put(&mut tx, due, &texts, again, REST).await? {
        tracing::debug!(nft = due.nft.0, "a fetch took so long that another one has begun");
        return Ok(tx.rollback().await?);
    }
    Ok(tx.commit().await?)
}

/// The length of the version of a picture, which begins its digest, in hexadecimal digits.
const VERSION_LENGTH: usize = 16;
/// The maximum length of a URI that is shown.
const MAX_SHOWN_URI: usize = 2_000;

/// Returns what is shown of a URI: of a `data:` URI only its type.
fn shown_uri(uri: &str) -> String {
    let shown = match uri.split_once(',') {
        Some((kind, _)) if kind.starts_with("data:") => format!("{kind},…"),
        _ => uri.to_owned(),
    };
    shown.chars().take(MAX_SHOWN_URI).collect()
}

/// Fetches the metadata of an NFT later, because of a fault that may pass.
pub async fn postpone(context: &Context, due: &Due, fault: MetadataFault) -> Result<()> {
    let (mut tx, now) = context.begin().await?;
    store::nft_metadata::postpone(&mut tx, due, after(now, AGAIN), fault).await?;
    Ok(tx.commit().await?)
}

/// Leaves the metadata of an NFT due, because nobody could be asked for it.
pub async fn give_back(context: &Context, due: &Due) -> Result<()> {
    let (mut tx, _) = context.begin().await?;
    store::nft_metadata::give_back(&mut tx, due).await?;
    Ok(tx.commit().await?)
}

/// Asks for the metadata of NFTs again whose albums say that it has changed.
pub(crate) async fn ask_again(tx: &mut Tx, chain: ChainId, updates: Vec<MetadataUpdate>, now: Timestamp) -> Result<()> {
    Ok(store::nft_metadata::ask_again(tx, chain, &merged(updates), now, REST).await?)
}

/// Merges updates of overlapping ranges of NFTs, because a contract can report as many as it likes.
fn merged(mut updates: Vec<MetadataUpdate>) -> Vec<MetadataUpdate> {
    updates.retain(|update| update.ids.0 <= update.ids.1);
    updates.sort_unstable_by_key(|update| (update.album, update.ids));
    let mut merged: Vec<MetadataUpdate> = Vec::new();
    for update in updates {
        match merged.last_mut() {
            Some(last) if last.album == update.album && update.ids.0 <= last.ids.1 => {
                last.ids.1 = last.ids.1.max(update.ids.1);
            }
            _ => merged.push(update),
        }
    }
    merged
}

/// Stores both sizes of a picture.
async fn keep_image(context: &Context, files: &dyn FileStore, image: &Image) -> Result<FetchedPicture> {
    Ok(match image {
        Image::Refused(fault) => {
            FetchedPicture { digest: Sha256::digest(fault.into_str()).into(), picture: Err(*fault) }
        }
        Image::Picture(picture) => {
            let digest = Sha256::digest(&picture.large.bytes).into();
            let version = hex::encode(digest).chars().take(VERSION_LENGTH).collect();
            let kept = [keep(context, files, &picture.small).await?, keep(context, files, &picture.large).await?];
            FetchedPicture { digest, picture: Ok((version, kept)) }
        }
    })
}

/// Stores a picture. It is noted as loose until the metadata names it, so whatever fails, it is known to the sweep.
async fn keep(context: &Context, files: &dyn FileStore, picture: &ScaledPicture) -> Result<StoredPicture> {
    let (mut tx, now) = context.begin().await?;
    let object = context.fresh(now);
    store::files::insert_loose_object(&mut tx, object, now).await?;
    tx.commit().await?;
    files.put(object, picture.bytes.clone()).await?;
    let bytes = u64::try_from(picture.bytes.len()).map_err(Error::internal)?;
    Ok(StoredPicture { object, media: picture.media, bytes })
}

/// Returns a digest of all that the metadata says besides the picture.
fn digest(metadata: &Metadata) -> [u8; 32] {
    let mut digest = Sha256::new();
    let mut add = |bytes: &[u8]| {
        digest.update(bytes.len().to_be_bytes());
        digest.update(bytes);
    };
    for text in [&metadata.name, &metadata.description, &metadata.creator] {
        add(text.as_deref().unwrap_or_default().as_bytes());
    }
    for Trait { kind, value } in &metadata.traits {
        add(kind.as_deref().unwrap_or_default().as_bytes());
        add(value.as_bytes());
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use domain::chain::Address;

    use super::*;

    fn updates(of: &[(u8, u8, u8)]) -> Vec<MetadataUpdate> {
        let update = |(album, from, to): &(u8, u8, u8)| MetadataUpdate {
            album: Address([*album; 20]),
            ids: ([*from; 32], [*to; 32]),
        };
        of.iter().map(update).collect()
    }

    #[test]
    fn updates_of_overlapping_ranges_are_merged() {
        let reported = [(1, 5, 5), (2, 0, 255), (1, 1, 3), (1, 3, 4), (1, 5, 5), (1, 2, 2), (1, 9, 8), (2, 7, 7)];
        assert_eq!(merged(updates(&reported)), updates(&[(1, 1, 4), (1, 5, 5), (2, 0, 255)]));
        assert_eq!(merged(Vec::new()), Vec::new());
    }
}
