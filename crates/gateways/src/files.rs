//! Stores files in a local folder, or in a bucket of a service that speaks the protocol of S3.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path as Folder, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use app::files::ports::{FileStore, PartialFile};
use app::{Error, Result};
use async_trait::async_trait;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig, WriteMultipart};
use uuid::Uuid;

/// The maximum number of parts of an upload that are sent at once.
const PARTS_AT_ONCE: usize = 2;
/// The time limit of a request to a bucket.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// A bucket and the credentials to use it.
#[derive(Clone)]
pub struct Bucket {
    pub name: String,
    pub region: String,
    /// The URL of the service; empty for AWS.
    pub endpoint: String,
    pub key_id: String,
    pub secret: String,
}

#[derive(Clone)]
pub struct ObjectFiles {
    store: Arc<dyn ObjectStore>,
    /// The folder that holds the objects, if they are local.
    folder: Option<PathBuf>,
}

impl ObjectFiles {
    /// Stores files in a folder, which is created if necessary.
    pub fn local(folder: &Folder) -> Result<Self> {
        let failed = |error: &dyn std::fmt::Display| Error::Internal(format!("{}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        // A file is on the disk before its row is committed.
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| failed(&error))?.with_fsync(true);
        Ok(Self { store: Arc::new(store), folder: Some(folder.to_owned()) })
    }

    /// Stores files in memory, for tests.
    pub fn memory() -> Self {
        Self { store: Arc::new(InMemory::new()), folder: None }
    }

    /// Stores files in a bucket. Connects only when it is used.
    pub fn bucket(bucket: &Bucket) -> Result<Self> {
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&bucket.name)
            .with_region(&bucket.region)
            .with_access_key_id(&bucket.key_id)
            .with_secret_access_key(&bucket.secret)
            .with_client_options(ClientOptions::new().with_timeout(REQUEST_TIMEOUT))
            .with_retry(RetryConfig { max_retries: 2, retry_timeout: REQUEST_TIMEOUT, ..RetryConfig::default() });
        if !bucket.endpoint.is_empty() {
            builder = builder.with_endpoint(&bucket.endpoint).with_allow_http(bucket.endpoint.starts_with("http://"));
        }
        let store = builder.build().map_err(|error| Error::Internal(format!("the bucket: {error}")))?;
        Ok(Self { store: Arc::new(store), folder: None })
    }
}

/// Returns where an object is stored. The last digits are random, so the folders fill evenly.
fn path_of(object: Uuid) -> Path {
    let name = object.simple().to_string();
    let folder: String = name.chars().rev().take(2).collect();
    Path::from_iter([folder, name])
}

/// Deletes what an upload has left in a folder because its process was killed: until it is finished, it writes to a file of its
/// own, with the name of the object and the first free number. The store neither lists nor deletes these files. A bucket
/// needs a rule that deletes incomplete uploads instead.
fn delete_staged(folder: &Folder, object: Uuid) -> std::io::Result<()> {
    let path = folder.join(path_of(object).as_ref());
    for number in 1_u32.. {
        let mut staged = path.as_os_str().to_owned();
        staged.push(format!("#{number}"));
        match std::fs::remove_file(staged) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn unavailable(error: &dyn std::fmt::Display) -> Error {
    tracing::warn!(%error, "the file store failed");
    Error::Unavailable { what: "the file store" }
}

#[async_trait]
impl FileStore for ObjectFiles {
    async fn put(&self, object: Uuid, bytes: Vec<u8>) -> Result<()> {
        self.store.put(&path_of(object), bytes.into()).await.map_err(|error| unavailable(&error))?;
        Ok(())
    }

    async fn begin(&self, object: Uuid) -> Result<Box<dyn PartialFile>> {
        let upload = self.store.put_multipart(&path_of(object)).await.map_err(|error| unavailable(&error))?;
        Ok(Box::new(Partial(WriteMultipart::new(upload))))
    }

    async fn read(&self, object: Uuid, range: Range<u64>) -> Result<Vec<u8>> {
        let bytes = self.store.get_range(&path_of(object), range).await.map_err(|error| unavailable(&error))?;
        Ok(bytes.into())
    }

    async fn delete(&self, object: Uuid) -> Result<()> {
        match self.store.delete(&path_of(object)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(unavailable(&error)),
        }
        let Some(folder) = self.folder.clone() else { return Ok(()) };
        let deleted = tokio::task::spawn_blocking(move || delete_staged(&folder, object)).await;
        deleted.map_err(|error| Error::Internal(error.to_string()))?.map_err(|error| unavailable(&error))
    }
}

struct Partial(WriteMultipart);

#[async_trait]
impl PartialFile for Partial {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.wait_for_capacity(PARTS_AT_ONCE).await.map_err(|error| unavailable(&error))?;
        self.0.write(bytes);
        Ok(())
    }

    async fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish().await.map(|_| ()).map_err(|error| unavailable(&error))
    }

    async fn abandon(self: Box<Self>) -> Result<()> {
        self.0.abort().await.map_err(|error| unavailable(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Folder) -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    #[tokio::test]
    async fn objects_are_stored_read_in_parts_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = ObjectFiles::local(folder.path()).unwrap();
        let object = Uuid::from_u128(0x12_34ab);
        store.put(object, b"0123456789".to_vec()).await.unwrap();
        assert_eq!(store.read(object, 0..10).await.unwrap(), b"0123456789");
        assert_eq!(store.read(object, 3..5).await.unwrap(), b"34");
        store.delete(object).await.unwrap();
        assert!(matches!(store.read(object, 0..1).await, Err(Error::Unavailable { .. })));
        store.delete(object).await.unwrap();
    }

    #[tokio::test]
    async fn a_large_object_exists_only_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let store = ObjectFiles::local(folder.path()).unwrap();
        let object = Uuid::from_u128(1);
        let part = vec![7; 3 * 1024 * 1024];
        let mut partial = store.begin(object).await.unwrap();
        for _ in 0..4 {
            partial.write(&part).await.unwrap();
        }
        assert!(store.read(object, 0..1).await.is_err());
        partial.finish().await.unwrap();
        assert_eq!(store.read(object, 12_582_911..12_582_912).await.unwrap(), [7]);

        let mut partial = store.begin(Uuid::from_u128(2)).await.unwrap();
        partial.write(&part).await.unwrap();
        partial.abandon().await.unwrap();
        assert_eq!(files(folder.path()).len(), 1, "an abandoned upload leaves nothing");
    }

    #[tokio::test]
    async fn what_a_killed_process_has_left_is_deleted_with_its_object() {
        let folder = tempfile::tempdir().unwrap();
        let store = ObjectFiles::local(folder.path()).unwrap();
        let (killed, other) = (Uuid::from_u128(1), Uuid::from_u128(0x2001));
        for object in [killed, other] {
            let mut partial = store.begin(object).await.unwrap();
            // Larger than a part, so that some of it is on the disk.
            partial.write(&vec![7; 6 * 1024 * 1024]).await.unwrap();
            // A killed process drops nothing.
            std::mem::forget(partial);
        }
        assert_eq!(files(folder.path()).len(), 2, "each upload has its own file");
        store.delete(killed).await.unwrap();
        let left = files(folder.path());
        assert_eq!(left.len(), 1);
        assert!(left[0].to_string_lossy().contains(&other.simple().to_string()), "{left:?}");
        // A file that cannot be deleted stays known to the sweep.
        std::fs::remove_file(&left[0]).unwrap();
        std::fs::create_dir(&left[0]).unwrap();
        assert!(matches!(store.delete(other).await, Err(Error::Unavailable { .. })));
    }

    #[test]
    fn a_bucket_needs_no_connection_to_be_configured() {
        let bucket = Bucket {
            name: "files".to_owned(),
            region: "eu-central-1".to_owned(),
            endpoint: "https://s3.example.com".to_owned(),
            key_id: "id".to_owned(),
            secret: "secret".to_owned(),
        };
        ObjectFiles::bucket(&bucket).unwrap();
    }
}
