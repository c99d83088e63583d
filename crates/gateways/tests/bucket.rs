//! Files in a bucket of a real server that speaks the protocol of S3, including its signatures.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::path::Path;

use app::Error;
use app::files::ports::FileStore;
use gateways::{Bucket, ObjectFiles};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use uuid::Uuid;

const KEY_ID: &str = "mec2c";
const SECRET: &str = "a-secret-of-the-bucket";

/// A server with one bucket, which keeps its objects in a folder.
struct Server {
    folder: TempDir,
    endpoint: String,
}

impl Server {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("files")).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        Self { folder, endpoint }
    }

    fn bucket(&self) -> Bucket {
        Bucket {
            name: "files".to_owned(),
            region: "eu-central-1".to_owned(),
            endpoint: self.endpoint.clone(),
            key_id: KEY_ID.to_owned(),
            secret: SECRET.to_owned(),
        }
    }

    /// Returns the sizes of the objects in the bucket.
    fn sizes(&self) -> Vec<u64> {
        sizes(&self.folder.path().join("files"))
    }
}

fn sizes(folder: &Path) -> Vec<u64> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .flat_map(|entry| {
            let data = entry.metadata().unwrap();
            if data.is_dir() { sizes(&entry.path()) } else { vec![data.len()] }
        })
        .collect()
}

#[tokio::test]
async fn objects_are_stored_read_in_parts_and_deleted() {
    let server = Server::start().await;
    let store = ObjectFiles::bucket(&server.bucket()).unwrap();
    let object = Uuid::from_u128(0x12_34ab);
    store.put(object, b"0123456789".to_vec()).await.unwrap();
    assert_eq!(server.sizes(), [10]);
    assert_eq!(store.read(object, 0..10).await.unwrap(), b"0123456789");
    assert_eq!(store.read(object, 3..5).await.unwrap(), b"34");
    store.delete(object).await.unwrap();
    assert_eq!(server.sizes(), [0_u64; 0]);
    assert!(matches!(store.read(object, 0..1).await, Err(Error::Unavailable { .. })));
    store.delete(object).await.unwrap();
}

#[tokio::test]
async fn a_large_object_exists_only_when_it_is_finished() {
    let server = Server::start().await;
    let store = ObjectFiles::bucket(&server.bucket()).unwrap();
    let object = Uuid::from_u128(1);
    // Four writes become three parts of the upload.
    let bytes: Vec<u8> = (0..3 * 1024 * 1024).map(|at: u32| at.to_le_bytes()[1]).collect();
    let mut partial = store.begin(object).await.unwrap();
    for _ in 0..4 {
        partial.write(&bytes).await.unwrap();
    }
    assert!(store.read(object, 0..1).await.is_err());
    partial.finish().await.unwrap();
    assert_eq!(store.read(object, 0..3 * 1024 * 1024).await.unwrap(), bytes);
    assert_eq!(store.read(object, 12_582_911..12_582_912).await.unwrap(), bytes[bytes.len() - 1..]);
    assert!(server.sizes().contains(&12_582_912));

    let mut partial = store.begin(Uuid::from_u128(2)).await.unwrap();
    partial.write(&bytes).await.unwrap();
    partial.write(&bytes).await.unwrap();
    partial.abandon().await.unwrap();
    assert!(store.read(Uuid::from_u128(2), 0..1).await.is_err());
}

#[tokio::test]
async fn a_bucket_that_refuses_the_credentials_is_unavailable() {
    let server = Server::start().await;
    let store = ObjectFiles::bucket(&Bucket { secret: "another-secret".to_owned(), ..server.bucket() }).unwrap();
    let stored = store.put(Uuid::from_u128(1), b"x".to_vec()).await;
    assert!(matches!(stored, Err(Error::Unavailable { .. })), "{stored:?}");
    assert_eq!(server.sizes(), [0_u64; 0]);
}
