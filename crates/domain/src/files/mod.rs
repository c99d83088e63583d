//! Uploaded pictures and videos: what they may be attached to, and who may see them.

mod look;
pub mod video;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::Timestamp;
use crate::ids::{FileId, OrderId, PaymentMethodId, UserId};
use crate::refusal::Refusal;

pub use look::{GRID, LARGEST_DISTANCE, Look};

/// The maximum size of an uploaded picture, in bytes.
pub const MOST_IMAGE_BYTES: usize = 1024 * 1024;
/// The maximum number of files that a user has uploaded and not attached to anything.
pub const MAX_LOOSE: u32 = 40;
/// The maximum size of what a user uploads in any 24 hours, in bytes.
pub const MOST_DAILY_BYTES: u64 = 2_000_000_000;
/// How long a file that is attached to nothing is kept.
pub const LOOSE_LIFETIME: chrono::Duration = chrono::Duration::hours(24);

/// Whether a file is a picture or a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum FileKind {
    Image,
    Video,
}

/// The format in which a file is stored and served. It comes from the content, never from what the client says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MediaType {
    Jpeg,
    Png,
    Mp4,
    QuickTime,
    WebM,
}

impl MediaType {
    pub const ALL: [Self; 5] = [Self::Jpeg, Self::Png, Self::Mp4, Self::QuickTime, Self::WebM];

    /// Returns the value of the `Content-Type` header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Mp4 => "video/mp4",
            Self::QuickTime => "video/quicktime",
            Self::WebM => "video/webm",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|media| media.name() == name)
    }

    /// Returns the extension of a file name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Mp4 => "mp4",
            Self::QuickTime => "mov",
            Self::WebM => "webm",
        }
    }

    pub fn kind(self) -> FileKind {
        match self {
            Self::Jpeg | Self::Png => FileKind::Image,
            Self::Mp4 | Self::QuickTime | Self::WebM => FileKind::Video,
        }
    }
}

/// What a file shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Image {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        look: Look,
    },
    Video {
        milliseconds: u32,
    },
}

/// Why a file belongs to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// The buyer's receipt of the payment.
    Receipt,
    /// Evidence in an appeal.
    Evidence,
    /// Part of a message in the order's chat.
    Message,
}

impl Purpose {
    /// Returns whether the file proves something about its order. Others may be the same in each order, such as a picture with which
    /// a seller explains how to pay.
    pub fn is_proof(self) -> bool {
        match self {
            Self::Receipt | Self::Evidence => true,
            Self::Message => false,
        }
    }
}

/// What a file is attached to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attachment {
    Order {
        order: OrderId,
        purpose: Purpose,
    },
    /// The QR code of a payment method.
    PaymentMethod(PaymentMethodId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    pub id: FileId,
    /// The user who has uploaded it.
    pub owner: UserId,
    /// The random name under which the bytes are stored.
    pub object: Uuid,
    pub media: MediaType,
    pub bytes: u64,
    pub content: Content,
    /// The hash of the stored bytes.
    pub sha256: [u8; 32],
    pub created_at: Timestamp,
    pub attached: Option<Attachment>,
    /// Whether the same picture was attached to another order before this one was attached to its order.
    pub used_before: bool,
}

impl StoredFile {
    /// Checks that `user` may attach the file to something. `field` is the name of the field that contains its ID.
    ///
    /// A file of another user is refused like a file that does not exist, so that nobody can find out which IDs exist.
    pub fn check_attachable(
        file: Option<&Self>,
        user: UserId,
        kind: FileKind,
        field: &'static str,
    ) -> Result<(), Refusal> {
        let refused = |reason| Err(Refusal::Invalid { field, reason });
        match file.filter(|file| file.owner == user) {
            None => refused("no such file"),
            Some(file) if file.attached.is_some() => refused("already used"),
            Some(file) if file.media.kind() != kind => {
                refused(if kind == FileKind::Image { "not a picture" } else { "not a video" })
            }
            Some(_) => Ok(()),
        }
    }
}

/// Why somebody may see files. The caller establishes it: that the user is a party of the order, for example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// To the user's own uploads.
    Owner(UserId),
    /// To everything attached to an order, for its parties and for officers who handle its case.
    Order(OrderId),
    /// To the picture of a payment method, for the buyer of an open order that shows the method.
    PaymentMethod(PaymentMethodId),
}

impl Access {
    /// Returns whether this access includes a file.
    pub fn includes(self, file: &StoredFile) -> bool {
        match (self, file.attached) {
            (Self::Owner(user), _) => file.owner == user,
            (Self::Order(of), Some(Attachment::Order { order, .. })) => of == order,
            (Self::PaymentMethod(of), Some(Attachment::PaymentMethod(method))) => of == method,
            (Self::Order(_) | Self::PaymentMethod(_), _) => false,
        }
    }
}

/// Refuses a list that names a file twice, or more than `most` files.
pub fn check_list(ids: &[FileId], most: usize, field: &'static str) -> Result<(), Refusal> {
    if ids.len() > most {
        return Err(Refusal::Invalid { field, reason: "too many" });
    }
    let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
    if distinct.len() < ids.len() {
        return Err(Refusal::Invalid { field, reason: "the same file twice" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u128) -> UserId {
        UserId(Uuid::from_u128(number))
    }

    fn file(attached: Option<Attachment>) -> StoredFile {
        StoredFile {
            id: FileId(Uuid::from_u128(1)),
            owner: user(1),
            object: Uuid::from_u128(2),
            media: MediaType::Png,
            bytes: 1,
            content: Content::Image { width: 1, height: 1, look: Look::of(&[0; GRID * GRID]) },
            sha256: [0; 32],
            created_at: Timestamp::UNIX_EPOCH,
            attached,
            used_before: false,
        }
    }

    #[test]
    fn a_file_is_attached_once_by_its_owner_as_what_it_is() {
        let order = OrderId(Uuid::from_u128(3));
        let check = |file: Option<&StoredFile>, user, kind| match StoredFile::check_attachable(file, user, kind, "x") {
            Ok(()) => "fine",
            Err(Refusal::Invalid { field: "x", reason }) => reason,
            Err(other) => panic!("{other:?}"),
        };
        let (loose, receipt) = (file(None), file(Some(Attachment::Order { order, purpose: Purpose::Receipt })));
        assert_eq!(check(Some(&loose), user(1), FileKind::Image), "fine");
        assert_eq!(check(None, user(1), FileKind::Image), "no such file");
        assert_eq!(check(Some(&loose), user(2), FileKind::Image), "no such file");
        assert_eq!(check(Some(&receipt), user(2), FileKind::Image), "no such file");
        assert_eq!(check(Some(&receipt), user(1), FileKind::Image), "already used");
        assert_eq!(check(Some(&loose), user(1), FileKind::Video), "not a video");
        let video = StoredFile { media: MediaType::Mp4, ..loose };
        assert_eq!(check(Some(&video), user(1), FileKind::Image), "not a picture");
    }

    #[test]
    fn access_includes_only_the_files_of_its_subject() {
        let (order, method) = (OrderId(Uuid::from_u128(3)), PaymentMethodId(Uuid::from_u128(4)));
        let receipt = file(Some(Attachment::Order { order, purpose: Purpose::Receipt }));
        let code = file(Some(Attachment::PaymentMethod(method)));
        let loose = file(None);
        let seen = |access: Access| [&receipt, &code, &loose].map(|file| access.includes(file));
        assert_eq!(seen(Access::Owner(user(1))), [true, true, true]);
        assert_eq!(seen(Access::Owner(user(2))), [false, false, false]);
        assert_eq!(seen(Access::Order(order)), [true, false, false]);
        assert_eq!(seen(Access::Order(OrderId(Uuid::from_u128(9)))), [false, false, false]);
        assert_eq!(seen(Access::PaymentMethod(method)), [false, true, false]);
        assert_eq!(seen(Access::PaymentMethod(PaymentMethodId(Uuid::from_u128(9)))), [false, false, false]);
    }

    #[test]
    fn a_list_names_each_file_once() {
        let ids = [1, 2, 3].map(|number| FileId(Uuid::from_u128(number)));
        assert_eq!(check_list(&ids, 3, "x"), Ok(()));
        assert_eq!(check_list(&ids, 2, "x"), Err(Refusal::Invalid { field: "x", reason: "too many" }));
        let twice = [ids[0], ids[1], ids[0]];
        assert_eq!(check_list(&twice, 3, "x"), Err(Refusal::Invalid { field: "x", reason: "the same file twice" }));
    }

    #[test]
    fn every_media_type_has_its_own_name() {
        for media in MediaType::ALL {
            assert_eq!(MediaType::named(media.name()), Some(media));
            assert!(media.name().starts_with(if media.kind() == FileKind::Image { "image/" } else { "video/" }));
        }
        assert_eq!(MediaType::named("image/svg+xml"), None);
    }
}
