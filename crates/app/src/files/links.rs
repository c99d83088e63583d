//! Links to files. A link is signed for one viewer and expires, so it needs no lookup of who may see what.

use std::collections::BTreeMap;

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::clock::Timestamp;
use domain::files::{Access, StoredFile};
use domain::ids::{FileId, SessionId, UserId};
use sha2::{Digest, Sha256};
use store::Tx;
use store::files as rows;

use crate::{Context, Error, Result};

/// The maximum time for which a link is valid, in seconds.
pub const LINK_SECONDS: i64 = 600;
/// Links are the same for so many seconds, so that browsers can keep what they have loaded. A link is valid for at least
/// [`LINK_SECONDS`] less this time.
const SAME_SECONDS: i64 = 120;

/// Who opens a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    User(UserId),
    /// An officer in one session of the console. The link works in no other session.
    Officer(SessionId),
}

/// Signs links. All processes use the same key.
#[derive(Clone)]
pub(crate) struct LinkKey(hmac::Key);

impl LinkKey {
    fn new(bytes: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    fn sign(&self, viewer: Viewer, file: FileId, expires: i64) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&self.0, &signed(viewer, file, expires)))
    }

    fn verifies(&self, viewer: Viewer, file: FileId, expires: i64, signature: &str) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        hmac::verify(&self.0, &signed(viewer, file, expires), &signature).is_ok()
    }
}

/// Returns what a link signs. All parts have a fixed length.
fn signed(viewer: Viewer, file: FileId, expires: i64) -> Vec<u8> {
    let (kind, viewer) = match viewer {
        Viewer::User(user) => (b'u', user.0),
        Viewer::Officer(session) => (b'o', session.0),
    };
    [b"mec2c file".as_slice(), &[kind], viewer.as_bytes(), file.0.as_bytes(), &expires.to_be_bytes()].concat()
}

/// A file with a link for one viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedFile {
    pub file: StoredFile,
    pub viewer: Viewer,
    /// The time at which the link expires, in seconds since 1970.
    pub expires: i64,
    pub signature: String,
}

/// Returns links to those of the files that the access includes. `access` must hold for the viewer.
///
/// The transaction is only read.
pub async fn links(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    viewer: Viewer,
    access: Access,
    ids: &[FileId],
) -> Result<BTreeMap<FileId, LinkedFile>> {
    let files = rows::by_ids(tx, ids).await?;
    Ok(Linker::load(context, tx, now, !files.is_empty()).await?.links(viewer, access, &files))
}

/// Makes links at one time.
pub(crate) struct Linker {
    /// `None` if there are no files.
    key: Option<LinkKey>,
    expires: i64,
}

impl Linker {
    /// Reads the key, unless no links are needed.
    pub(crate) async fn load(context: &Context, tx: &mut Tx, now: Timestamp, needed: bool) -> store::Result<Self> {
        let key = if needed { key(context, tx).await?.cloned() } else { None };
        Ok(Self { key, expires: expiry(now) })
    }

    pub(crate) fn links(&self, viewer: Viewer, access: Access, files: &[StoredFile]) -> BTreeMap<FileId, LinkedFile> {
        let seen = files.iter().filter(|file| access.includes(file));
        seen.filter_map(|file| Some((file.id, self.link(viewer, file)?))).collect()
    }

    fn link(&self, viewer: Viewer, file: &StoredFile) -> Option<LinkedFile> {
        let signature = self.key.as_ref()?.sign(viewer, file.id, self.expires);
        let mut file = file.clone();
        // Whoever has uploaded a picture does not learn that it was recognized.
        file.used_before &= viewer != Viewer::User(file.owner);
        Some(LinkedFile { file, viewer, expires: self.expires, signature })
    }
}

/// Returns when links that are made at `now` expire.
fn expiry(now: Timestamp) -> i64 {
    let second = now.timestamp();
    second.saturating_sub(second.rem_euclid(SAME_SECONDS)).saturating_add(LINK_SECONDS)
}

/// Returns the time from which links are different.
pub(crate) fn links_change_at(now: Timestamp) -> Option<Timestamp> {
    let next = expiry(now).saturating_sub(LINK_SECONDS).saturating_add(SAME_SECONDS);
    Timestamp::from_timestamp(next, 0)
}

/// Checks a link before anything is looked up, so that it reveals nothing about files that the viewer may not see.
pub(crate) async fn check(
    context: &Context,
    tx: &mut Tx,
    now: Timestamp,
    viewer: Viewer,
    file: FileId,
    (expires, signature): (i64, &str),
) -> Result<bool> {
    let Some(key) = key(context, tx).await? else { return Ok(false) };
    Ok(now.timestamp() < expires && key.verifies(viewer, file, expires, signature))
}

/// Returns the key, which never changes, or `None` if no file was uploaded yet.
async fn key<'c>(context: &'c Context, tx: &mut Tx) -> store::Result<Option<&'c LinkKey>> {
    if let Some(key) = context.link_key.get() {
        return Ok(Some(key));
    }
    let stored = rows::link_key(tx).await?;
    Ok(stored.map(|bytes| context.link_key.get_or_init(|| LinkKey::new(&bytes))))
}

/// Creates the key if there is none.
pub(crate) async fn create_key(context: &Context) -> Result<()> {
    if context.link_key.get().is_some() {
        return Ok(());
    }
    let (mut tx, _) = context.begin().await?;
    if rows::link_key(&mut tx).await?.is_none() {
        let mut hash = Sha256::new();
        for _ in 0..4 {
            hash.update(context.random());
        }
        rows::put_link_key(&mut tx, &hash.finalize().into()).await?;
        tx.commit().await?;
        (tx, _) = context.begin().await?;
    }
    key(context, &mut tx).await?.ok_or_else(|| Error::Internal("no key for links".to_owned()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_signature_is_for_one_viewer_file_and_time() {
        let key = LinkKey::new(&[7; 32]);
        let (user, file) = (UserId(Uuid::from_u128(1)), FileId(Uuid::from_u128(2)));
        let viewer = Viewer::User(user);
        let signature = key.sign(viewer, file, 600);
        assert!(key.verifies(viewer, file, 600, &signature));
        assert!(!key.verifies(viewer, file, 601, &signature));
        assert!(!key.verifies(viewer, FileId(Uuid::from_u128(3)), 600, &signature));
        assert!(!key.verifies(Viewer::User(UserId(Uuid::from_u128(3))), file, 600, &signature));
        // An officer with the same ID is another viewer.
        assert!(!key.verifies(Viewer::Officer(SessionId(user.0)), file, 600, &signature));
        assert!(!LinkKey::new(&[8; 32]).verifies(viewer, file, 600, &signature));
        for wrong in ["", "%", &signature[1..], &signature.to_uppercase(), &format!("{signature}=")] {
            assert!(!key.verifies(viewer, file, 600, wrong), "{wrong}");
        }
    }

    #[test]
    fn links_stay_the_same_for_a_while_and_are_valid_for_at_most_ten_minutes() {
        for second in [0, 1, 119, 120, 121, 1_000] {
            let now = Timestamp::from_timestamp(second, 0).unwrap();
            let valid = expiry(now) - second;
            assert!((LINK_SECONDS - SAME_SECONDS + 1..=LINK_SECONDS).contains(&valid), "{second}: {valid}");
            let next = links_change_at(now).unwrap();
            assert!(next > now && expiry(next) > expiry(now));
            assert_eq!(expiry(next - chrono::Duration::seconds(1)), expiry(now));
        }
    }
}
