//! Uploaded pictures and videos.
//!
//! The object is noted as loose, then its bytes are stored, and then one transaction stores the file and makes the object
//! no longer loose. So whatever fails, an object without a file is known to [`sweep`]. A file belongs to nothing until a
//! command attaches it ([`attach`]); until then only its owner can see it.

mod attach;
mod compare;
mod links;
pub mod ports;
mod sweep;

use std::ops::Range;
use std::sync::Arc;

use domain::assets::AssetId;
use domain::clock::Timestamp;
use domain::files::video::VideoReader;
use domain::files::{Access, Content, LOOSE_LIFETIME, MAX_LOOSE, MOST_DAILY_BYTES, MediaType, StoredFile};
use domain::ids::{FileId, UserId};
use domain::nfts::PictureSize;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::files as rows;
use store::{Tx, users};
use tokio::sync::Semaphore;
use uuid::Uuid;

pub use attach::{Wanted, attach};
pub use compare::compare;
pub use links::{LINK_SECONDS, LinkedFile, Viewer, links};
pub(crate) use links::{LinkKey, Linker, links_change_at};
pub use sweep::sweep;

use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::{Context, Error, Result};
use ports::{CleanPicture, FileStore, PartialFile, PictureFault, Pictures};

/// The limits of uploads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSettings {
    /// The maximum size of a video, in bytes.
    pub most_video_bytes: u64,
    /// The maximum length of a video.
    pub most_video_seconds: u32,
    /// The number of pictures that are decoded at once, each with up to 64 MiB of memory.
    pub decodes_at_once: usize,
}

#[derive(Clone)]
pub struct Files {
    context: Context,
    store: Arc<dyn FileStore>,
    pictures: Arc<dyn Pictures>,
    decodes: Arc<Semaphore>,
    settings: FileSettings,
}

/// The bytes of a file to send to a viewer.
#[derive(Clone)]
pub struct OpenFile {
    pub file: StoredFile,
    store: Arc<dyn FileStore>,
}

impl OpenFile {
    /// Reads a part of the file.
    pub async fn read(&self, range: Range<u64>) -> Result<Vec<u8>> {
        if range.is_empty() {
            return Ok(Vec::new());
        }
        self.store.read(self.file.object, range).await
    }
}

impl Files {
    pub fn new(
        context: Context,
        store: Arc<dyn FileStore>,
        pictures: Arc<dyn Pictures>,
        settings: FileSettings,
    ) -> Self {
        let decodes = Arc::new(Semaphore::new(settings.decodes_at_once.max(1)));
        Self { context, store, pictures, decodes, settings }
    }

    pub fn settings(&self) -> FileSettings {
        self.settings
    }

    /// Stores a picture, encoded anew. `key` must cover the uploaded bytes.
    pub async fn upload_image(&self, key: &IdempotencyKey, user: UserId, upload: Vec<u8>) -> Result<LinkedFile> {
        if let Some(file) = self.uploaded(key, user).await? {
            return Ok(file);
        }
        self.check_room(user, 0).await?;
        let CleanPicture { media, bytes, content } = self.clean(upload).await?;
        let sha256 = Sha256::digest(&bytes).into();
        let length = u64::try_from(bytes.len()).map_err(Error::internal)?;
        self.check_room(user, length).await?;
        let object = self.new_object().await?;
        self.store.put(object, bytes).await?;
        self.keep(key, user, Stored { object, media, bytes: length, content, sha256 }).await
    }

    async fn clean(&self, upload: Vec<u8>) -> Result<CleanPicture> {
        let turn = Arc::clone(&self.decodes).acquire_owned().await.map_err(Error::internal)?;
        let pictures = Arc::clone(&self.pictures);
        let cleaned = tokio::task::spawn_blocking(move || {
            // The turn ends with the work: a request that is dropped does not end the work.
            let _turn = turn;
            pictures.clean(&upload)
        });
        let cleaned = match cleaned.await {
            Ok(cleaned) => cleaned,
            Err(failed) if failed.is_panic() => {
                tracing::error!(%failed, "a decoder panicked");
                Err(PictureFault::Damaged)
            }
            Err(failed) => return Err(Error::internal(failed)),
        };
        Ok(cleaned.map_err(|fault| Refusal::UploadFailed { reason: fault.reason() })?)
    }

    /// Begins to store a video whose bytes arrive in parts. The request hash of `key` need not cover them yet.
    pub async fn begin_video(&self, key: &IdempotencyKey, user: UserId) -> Result<VideoUpload> {
        let (mut tx, now) = self.context.begin().await?;
        // The repetition of an upload gets its file, also if there is no room for another one.
        if !key.is_used(&mut tx, user).await? {
            has_room(&mut tx, user, 0, now).await?;
        }
        drop(tx);
        let object = self.new_object().await?;
        let partial = self.store.begin(object).await?;
        Ok(VideoUpload {
            files: self.clone(),
            user,
            object,
            partial,
            reader: VideoReader::new(self.settings.most_video_seconds),
            stored: Sha256::new(),
            received: 0,
            out: Vec::new(),
        })
    }

    /// Returns the file of the first upload under this key.
    pub async fn uploaded(&self, key: &IdempotencyKey, user: UserId) -> Result<Option<LinkedFile>> {
        let (mut tx, now) = self.context.begin().await?;
        match key.response(&mut tx, user).await? {
            Some(Response { id: Some(id), .. }) => {
                let id = FileId(id);
                let mut linked =
                    links(&self.context, &mut tx, now, Viewer::User(user), Access::Owner(user), &[id]).await?;
                // It was never attached, and deleted after a day.
                Ok(Some(linked.remove(&id).ok_or(Refusal::NotFound)?))
            }
            _ => Ok(None),
        }
    }

    /// Refuses an upload of a size by a user who has too many unused files, or has uploaded too much.
    async fn check_room(&self, user: UserId, bytes: u64) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        has_room(&mut tx, user, bytes, now).await
    }

    /// Notes a new object before its bytes are stored.
    async fn new_object(&self) -> Result<Uuid> {
        links::create_key(&self.context).await?;
        let (mut tx, now) = self.context.begin().await?;
        let object = self.context.fresh(now);
        rows::insert_loose_object(&mut tx, object, now).await?;
        tx.commit().await?;
        Ok(object)
    }

    /// Stores the row of a file whose bytes are stored. Deletes them at once if the file is refused, so that refused uploads do
    /// not fill the store.
    async fn keep(&self, key: &IdempotencyKey, user: UserId, stored: Stored) -> Result<LinkedFile> {
        let object = stored.object;
        let kept = self.insert(key, user, stored).await;
        if let Err(Error::Refused(_)) = &kept {
            // The object stays noted as loose, so another attempt follows if this one fails.
            if let Err(error) = self.store.delete(object).await {
                tracing::warn!(%error, "a refused upload could not be deleted");
            }
        }
        kept
    }

    async fn insert(&self, key: &IdempotencyKey, user: UserId, stored: Stored) -> Result<LinkedFile> {
        let (mut tx, now) = self.context.begin().await?;
        users::lock(&mut tx, &[user]).await?;
        if key.response(&mut tx, user).await?.is_some() {
            // The same upload has finished in the meantime. This object stays loose.
            drop(tx);
            return self.uploaded(key, user).await?.ok_or_else(|| Refusal::NotFound.into());
        }
        has_room(&mut tx, user, stored.bytes, now).await?;
        let file = stored.file(FileId(self.context.fresh(now)), user, now);
        if !rows::insert(&mut tx, &file).await? {
            return Err(Error::Unavailable { what: "the file store" });
        }
        key.remember(&mut tx, user, Response { id: Some(file.id.0), version: 0 }, now).await?;
        let mut linked =
            links(&self.context, &mut tx, now, Viewer::User(user), Access::Owner(user), &[file.id]).await?;
        tx.commit().await?;
        linked.remove(&file.id).ok_or_else(|| Error::Internal("no link to an own file".to_owned()))
    }

    /// Returns our own encoding of an NFT's picture, which everybody may see, with its digest; `None` if there is none.
    pub async fn nft_picture(&self, nft: AssetId, size: PictureSize) -> Result<Option<(String, MediaType, Vec<u8>)>> {
        let (mut tx, _) = self.context.alone().await?;
        let Some((digest, picture)) = store::nft_metadata::picture(&mut tx, nft, size).await? else { return Ok(None) };
        let bytes = self.store.read(picture.object, 0..picture.bytes).await?;
        Ok(Some((digest, picture.media, bytes)))
    }

    /// Returns a file to the viewer for whom the link was made. Returns `None` if the link has expired, was made for
    /// somebody else or was altered.
    pub async fn open(&self, viewer: Viewer, id: FileId, expires: i64, signature: &str) -> Result<Option<OpenFile>> {
        let (mut tx, now) = self.context.alone().await?;
        if !links::check(&self.context, &mut tx, now, viewer, id, (expires, signature)).await? {
            return Ok(None);
        }
        let file = rows::by_ids(&mut tx, &[id]).await?.pop().ok_or(Refusal::NotFound)?;
        Ok(Some(OpenFile { file, store: Arc::clone(&self.store) }))
    }
}

/// Refuses a file of a user who has too many unused files, or whose uploads of the last day would become too large with it. Files
/// are kept for at least a day, so none of them is missing from the sum.
async fn has_room(tx: &mut Tx, user: UserId, bytes: u64, now: Timestamp) -> Result<()> {
    let refused = |reason| Err(Refusal::UploadFailed { reason }.into());
    if rows::count_loose(tx, user).await? >= MAX_LOOSE {
        return refused("too many unused files");
    }
    let since = now.checked_sub_signed(LOOSE_LIFETIME).unwrap_or(now);
    let uploaded = rows::bytes_since(tx, user, since).await?;
    if uploaded.saturating_add(bytes.max(1)) > MOST_DAILY_BYTES {
        return refused("too much today");
    }
    Ok(())
}

/// A stored object that has no row yet.
struct Stored {
    object: Uuid,
    media: MediaType,
    bytes: u64,
    content: Content,
    sha256: [u8; 32],
}

impl Stored {
    fn file(self, id: FileId, owner: UserId, created_at: Timestamp) -> StoredFile {
        let Self { object, media, bytes, content, sha256 } = self;
        let (attached, used_before) = (None, false);
        StoredFile { id, owner, object, media, bytes, content, sha256, created_at, attached, used_before }
    }
}

/// A video that is being uploaded. Dropping it abandons the upload.
pub struct VideoUpload {
    files: Files,
    user: UserId,
    object: Uuid,
    partial: Box<dyn PartialFile>,
    reader: VideoReader,
    stored: Sha256,
    received: u64,
    out: Vec<u8>,
}

impl VideoUpload {
    /// Checks and stores the next bytes. Refuses a video that is too large or not acceptable.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let limit = self.files.settings.most_video_bytes;
        self.received = self.received.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        if self.received > limit {
            return Err(Refusal::UploadTooLarge { limit }.into());
        }
        self.out.clear();
        let read = self.reader.read(bytes, &mut self.out);
        read.map_err(|fault| Refusal::UploadFailed { reason: fault.reason() })?;
        self.stored.update(&self.out);
        self.partial.write(&self.out).await
    }

    /// Deletes what was received.
    pub async fn abandon(self) {
        if let Err(error) = self.partial.abandon().await {
            tracing::warn!(%error, "an upload could not be abandoned");
        }
    }

    /// Completes the upload. `key` must cover the uploaded bytes.
    pub async fn finish(self, key: &IdempotencyKey) -> Result<LinkedFile> {
        let Self { files, user, object, partial, reader, stored, received, .. } = self;
        let facts = match reader.finish() {
            Ok(facts) => facts,
            Err(fault) => {
                partial.abandon().await?;
                return Err(Refusal::UploadFailed { reason: fault.reason() }.into());
            }
        };
        if let Some(file) = files.uploaded(key, user).await? {
            partial.abandon().await?;
            return Ok(file);
        }
        if let Err(full) = files.check_room(user, received).await {
            partial.abandon().await?;
            return Err(full);
        }
        partial.finish().await?;
        let content = Content::Video { milliseconds: facts.milliseconds };
        let sha256 = stored.finalize().into();
        files.keep(key, user, Stored { object, media: facts.media, bytes: received, content, sha256 }).await
    }
}
