//! Protection of the login against bots and eavesdroppers: the published key and the slide check.

use app::identity::{SlideAnswer, TrailPoint};
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::envelope::{Answer, Done, Envelope};
use crate::extract::Body;
use crate::state::ApiState;

/// The key and nonce with which a client encrypts a password.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SecretKey {
    /// The ID of the key.
    key_id: Uuid,
    /// The RSA-OAEP (SHA-256) key, as a DER `SubjectPublicKeyInfo` in base64.
    public_key: String,
    /// The nonce for the encrypted JSON. It is valid for one command.
    nonce: String,
    /// The time at which the nonce expires.
    expires_at: DateTime<Utc>,
}

/// Returns the public key that encrypts passwords, with a new nonce.
#[utoipa::path(get, path = "/user/secretKey", tag = "account", responses((status = 200, body = Envelope<SecretKey>)))]
pub(super) async fn secret_key(State(state): State<ApiState>) -> Answer<SecretKey> {
    let key = state.identity.publish_key().await?;
    Ok(Done(SecretKey {
        key_id: key.id,
        public_key: STANDARD.encode(&key.public),
        nonce: key.nonce,
        expires_at: key.expires_at,
    }))
}

/// A slide check: a picture with a gap, and a proof of work.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SlideChallenge {
    id: Uuid,
    /// The picture, as a `data:` URL of a PNG.
    background: String,
    /// The piece, as a `data:` URL of a PNG with transparency.
    piece: String,
    /// The width of the picture in pixels.
    width: u32,
    /// The height of the picture in pixels.
    height: u32,
    /// The width of the piece in pixels.
    piece_width: u32,
    /// The vertical position of the piece in the picture, in pixels.
    piece_y: u32,
    /// The salt of the proof of work: find the number up to `most` for which the SHA-256 hash of `salt` followed by the
    /// decimal number is `hash`.
    salt: String,
    /// The hash to find, in hexadecimal.
    hash: String,
    /// The upper bound of the number.
    most: u32,
    /// The time at which the check expires.
    expires_at: DateTime<Utc>,
}

/// Creates a slide check.
#[utoipa::path(get, path = "/slide", tag = "account", responses((status = 200, body = Envelope<SlideChallenge>)))]
pub(super) async fn slide(State(state): State<ApiState>) -> Answer<SlideChallenge> {
    let slide = state.identity.slide().await?;
    let picture = |png: &[u8]| format!("data:image/png;base64,{}", STANDARD.encode(png));
    Ok(Done(SlideChallenge {
        id: slide.id,
        background: picture(&slide.picture.background),
        piece: picture(&slide.picture.piece),
        width: slide.picture.width,
        height: slide.picture.height,
        piece_width: slide.picture.piece_width,
        piece_y: slide.picture.piece_y,
        salt: slide.work.salt,
        hash: slide.work.hash,
        most: slide.work.most,
        expires_at: slide.expires_at,
    }))
}

/// A check that consists of a proof of work only, for users who can't see the picture.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WorkChallenge {
    id: Uuid,
    /// The salt of the proof of work: find the number up to `most` for which the SHA-256 hash of `salt` followed by the
    /// decimal number is `hash`. It takes sixteen times the work of a slide check.
    salt: String,
    /// The hash to find, in hexadecimal.
    hash: String,
    /// The upper bound of the number.
    most: u32,
    /// The time at which the check expires, five minutes after its creation.
    expires_at: DateTime<Utc>,
}

/// Creates a check that needs neither sight nor a pointer.
#[utoipa::path(get, path = "/slide/work", tag = "account",
    responses((status = 200, body = Envelope<WorkChallenge>)))]
pub(super) async fn slide_by_work(State(state): State<ApiState>) -> Answer<WorkChallenge> {
    let check = state.identity.slide_by_work().await?;
    Ok(Done(WorkChallenge {
        id: check.id,
        salt: check.work.salt,
        hash: check.work.hash,
        most: check.work.most,
        expires_at: check.expires_at,
    }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkAnswer {
    /// The ID of the check.
    id: Uuid,
    /// The number that solves the proof of work.
    number: u32,
}

/// Submits the answer to a proof-of-work check. Each check allows three attempts; a wrong answer is refused with
/// SDK1003.
#[utoipa::path(post, path = "/slide/work/verify", tag = "account", request_body = WorkAnswer,
    responses((status = 200, body = Envelope<SlideToken>)))]
pub(super) async fn verify_work(State(state): State<ApiState>, Body(answer): Body<WorkAnswer>) -> Answer<SlideToken> {
    Ok(Done(SlideToken { token: state.identity.verify_work(answer.id, answer.number).await? }))
}

/// A point of the movement.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SlidePoint {
    /// The time since the movement began, in milliseconds.
    t: u32,
    /// The horizontal position, in pixels of the picture.
    x: u32,
}

#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = SlideAnswer)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SlideAnswerBody {
    /// The ID of the check.
    id: Uuid,
    /// The final horizontal position of the piece, in pixels of the picture.
    x: u32,
    /// The movement of the piece.
    trail: Vec<SlidePoint>,
    /// The number that solves the proof of work.
    number: u32,
}

/// The token for a solved check.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SlideToken {
    /// The token, valid for one command and five minutes.
    token: String,
}

/// Submits the answer to a slide check. Each check allows three attempts; a wrong answer is refused with SDK1003.
#[utoipa::path(post, path = "/slide/verify", tag = "account", request_body = SlideAnswerBody,
    responses((status = 200, body = Envelope<SlideToken>)))]
pub(super) async fn verify_slide(
    State(state): State<ApiState>,
    Body(answer): Body<SlideAnswerBody>,
) -> Answer<SlideToken> {
    let trail = answer.trail.iter().map(|point| TrailPoint { t: point.t, x: point.x }).collect();
    let answer = SlideAnswer { id: answer.id, x: answer.x, trail, number: answer.number };
    Ok(Done(SlideToken { token: state.identity.verify_slide(&answer).await? }))
}
