//! Uploads, and the files themselves.

pub(crate) mod serving;

use std::fmt::Display;
use std::sync::Arc;

use app::engine::idempotency::IdempotencyKey;
use app::files::{Files, LinkedFile, VideoUpload, Viewer};
use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Request, State};
use axum::http::StatusCode;
use domain::files::{Content, FileKind, MOST_IMAGE_BYTES};
use domain::ids::UserId;
use domain::refusal::Refusal;
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::codes;
use crate::envelope::{Answer, ApiError, Done, Envelope};
use crate::extract::{CommandKey, Session};
use crate::middleware::{Middleware, Shared};
use crate::state::ApiState;

/// The name of the part of a body that contains the file.
const FIELD: &str = "file";

pub(crate) fn calls() -> OpenApiRouter<ApiState> {
    // The handlers count the bytes themselves.
    let uploads = OpenApiRouter::new().routes(routes!(upload_image)).routes(routes!(upload_video));
    uploads.layer(DefaultBodyLimit::disable()).merge(serving::calls())
}

/// An uploaded file, with a link for the user who gets the response.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = File)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileDto {
    pub(crate) id: String,
    pub(crate) kind: FileKind,
    /// Such as `image/jpeg`.
    pub(crate) media_type: String,
    /// The size in bytes.
    pub(crate) size: u64,
    /// In pixels; null for a video.
    pub(crate) width: Option<u32>,
    /// In pixels; null for a video.
    pub(crate) height: Option<u32>,
    /// The length of a video in milliseconds; null for a picture.
    pub(crate) duration: Option<u32>,
    /// The address of the content, on this origin. It works for this user only, with the user's session, for at most ten
    /// minutes. For an officer, it works only in the session in which it was requested.
    pub(crate) url: String,
    /// Whether the same picture was attached to another order before. Whoever has uploaded it does not learn this: for them
    /// it is `false`.
    pub(crate) used_before: bool,
}

impl From<&LinkedFile> for FileDto {
    fn from(linked: &LinkedFile) -> Self {
        let file = &linked.file;
        let (width, height, duration) = match file.content {
            Content::Image { width, height, .. } => (Some(width), Some(height), None),
            Content::Video { milliseconds } => (None, None, Some(milliseconds)),
        };
        let place = match linked.viewer {
            Viewer::User(_) => "file",
            Viewer::Officer(_) => "console/files",
        };
        let LinkedFile { expires, signature, .. } = linked;
        let url = format!("{}/{place}/{}?expires={expires}&signature={signature}", crate::BASE, file.id);
        Self {
            id: file.id.to_string(),
            kind: file.media.kind(),
            media_type: file.media.name().to_owned(),
            size: file.bytes,
            width,
            height,
            duration,
            url,
            used_before: file.used_before,
        }
    }
}

/// The body of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "documents the body")]
struct UploadBody {
    /// The only part of the body.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// A place among the uploads that the rate limit allows a user. An upload keeps its place, unless its body was broken off: then
/// the user may upload again at once, for example after a lost connection.
struct Place {
    middleware: Arc<Middleware>,
    user: UserId,
    /// `None` for a request without a body.
    body: Option<Shared>,
    kept: bool,
}

impl Place {
    fn take(middleware: &Arc<Middleware>, user: UserId, body: Option<Shared>) -> Result<Self, ApiError> {
        middleware.limits.upload(user).map_err(codes::too_many)?;
        Ok(Self { middleware: Arc::clone(middleware), user, body, kept: false })
    }

    /// Gives the place back if the body ended early. Must be called when the upload has ended.
    fn end(mut self) {
        self.kept = !self.body.as_ref().is_some_and(Shared::is_broken);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // A request that is dropped while it waits for its body has timed out or lost its connection.
        let broken_off = self.body.as_ref().is_some_and(|body| body.is_broken() || body.is_awaited());
        if !self.kept && broken_off {
            self.middleware.limits.take_upload_back(self.user);
        }
    }
}

/// An upload by a user. Its parts are read in this order, and the first invalid part is refused.
struct Upload {
    user: UserId,
    key: IdempotencyKey,
    body: Multipart,
    place: Place,
}

impl FromRequest<ApiState> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Session(who) = Session::from_request_parts(&mut parts, state).await?;
        let CommandKey(key) = CommandKey::from_request_parts(&mut parts, state).await?;
        let place = Place::take(&state.middleware, who.user, parts.extensions.get::<Shared>().cloned())?;
        let body = Multipart::from_request(Request::from_parts(parts, body), state).await;
        let body = body.map_err(|_| ApiError::invalid("Content-Type", "multipart/form-data is needed"))?;
        Ok(Self { user: who.user, key, body, place })
    }
}

/// Returns the part with the file.
async fn file_of(body: &mut Multipart) -> Result<Field<'_>, ApiError> {
    let field = body.next_field().await.map_err(|error| broken(&error))?;
    let field = field.ok_or_else(|| ApiError::invalid(FIELD, "missing"))?;
    match field.name() {
        Some(FIELD) => Ok(field),
        Some(other) => Err(ApiError::invalid(other.chars().take(64).collect::<String>(), "unknown field")),
        None => Err(ApiError::invalid(FIELD, "missing")),
    }
}

/// Refuses a body that does not end after the file.
async fn ends(body: &mut Multipart) -> Result<(), ApiError> {
    match body.next_field().await.map_err(|error| broken(&error))? {
        None => Ok(()),
        Some(_) => Err(ApiError::invalid(FIELD, "one file only")),
    }
}

fn broken(error: &MultipartError) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        codes::TOO_LARGE.into()
    } else {
        ApiError::invalid("body", "the body is malformed or ended early")
    }
}

/// Adds the uploaded bytes to the request hash.
fn with_content(key: &IdempotencyKey, content: Sha256) -> IdempotencyKey {
    let mut hash = Sha256::new();
    hash.update(key.request_hash);
    hash.update(content.finalize());
    IdempotencyKey { key: key.key.clone(), request_hash: hash.finalize().into() }
}

/// Uploads a picture: JPEG, PNG or BMP of at most 1 MB. It is stored upright as JPEG or PNG, without metadata, and deleted
/// after 24 hours unless it is attached to something.
///
/// Refused with 1014 and a `reason` if it is not acceptable: `not a picture`, `animated`, `too many pixels`, `damaged`,
/// `too many unused files`, `too much today`: at most 40 files are unused, and at most 2 GB are uploaded in any 24 hours.
#[utoipa::path(post, path = "/file/uploadImage", tag = "files", security(("session" = [])), params(CommandKey),
    request_body(content = UploadBody, content_type = "multipart/form-data"),
    responses((status = 200, body = Envelope<FileDto>)))]
async fn upload_image(State(files): State<Files>, upload: Upload) -> Answer<FileDto> {
    let Upload { user, key, mut body, place } = upload;
    let uploaded = picture(&files, (user, key), &mut body).await;
    place.end();
    uploaded
}

async fn picture(files: &Files, (user, key): (UserId, IdempotencyKey), body: &mut Multipart) -> Answer<FileDto> {
    let mut field = file_of(body).await?;
    let mut bytes = Vec::new();
    while let Some(part) = field.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len().saturating_add(part.len()) > MOST_IMAGE_BYTES {
            let limit = u64::try_from(MOST_IMAGE_BYTES).unwrap_or(u64::MAX);
            return Err(Refusal::UploadTooLarge { limit }.into());
        }
        bytes.extend_from_slice(&part);
    }
    drop(field);
    ends(body).await?;
    if bytes.is_empty() {
        return Err(Refusal::Invalid { field: FIELD, reason: "empty" }.into());
    }
    let key = with_content(&key, Sha256::new_with_prefix(&bytes));
    Ok(Done(FileDto::from(&files.upload_image(&key, user, bytes).await?)))
}

/// Uploads a video: MP4, `QuickTime` or `WebM` of at most 50 MB and 3 minutes, unless configured otherwise. Metadata is
/// removed. It is deleted after 24 hours unless it is attached to something.
///
/// Refused with 1014 and a `reason` if it is not acceptable: `not a video`, `truncated`, `too long`, `damaged`,
/// `too many unused files`, `too much today`: at most 40 files are unused, and at most 2 GB are uploaded in any 24 hours.
#[utoipa::path(post, path = "/file/uploadFile", tag = "files", security(("session" = [])), params(CommandKey),
    request_body(content = UploadBody, content_type = "multipart/form-data"),
    responses((status = 200, body = Envelope<FileDto>)))]
async fn upload_video(State(files): State<Files>, upload: Upload) -> Answer<FileDto> {
    let Upload { user, key, mut body, place } = upload;
    let uploaded = video(&files, (user, key), &mut body).await;
    place.end();
    uploaded
}

async fn video(files: &Files, (user, key): (UserId, IdempotencyKey), body: &mut Multipart) -> Answer<FileDto> {
    let field = file_of(body).await?;
    let mut video = files.begin_video(&key, user).await?;
    let received = match receive(field, &mut video).await {
        Ok(content) => ends(body).await.map(|()| content),
        Err(error) => Err(error),
    };
    match received {
        Ok(content) => {
            let key = with_content(&key, content);
            Ok(Done(FileDto::from(&video.finish(&key).await?)))
        }
        Err(error) => {
            video.abandon().await;
            Err(error)
        }
    }
}

/// Receives the bytes of a video. Returns their hash.
async fn receive(mut field: Field<'_>, video: &mut VideoUpload) -> Result<Sha256, ApiError> {
    let mut content = Sha256::new();
    let mut empty = true;
    while let Some(part) = field.chunk().await.map_err(|error| broken(&error))? {
        empty &= part.is_empty();
        content.update(&part);
        video.write(&part).await?;
    }
    if empty { Err(Refusal::Invalid { field: FIELD, reason: "empty" }.into()) } else { Ok(content) }
}

/// Logs a failure that the client does not need to know about.
pub(crate) fn log_failure<E: Display>(error: &E) {
    tracing::warn!(%error, "a file could not be read");
}
