//! What guards log-in against programs and eavesdroppers: the published key and the slide check.

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

/// What a browser needs to send a password.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SecretKey {
    /// Names the key.
    key_id: Uuid,
    /// A `SubjectPublicKeyInfo`, DER in base64. RSA-OAEP with SHA-256.
    public_key: String,
    /// Goes into the encrypted JSON; good for one command.
    nonce: String,
    /// Until when the nonce is good.
    expires_at: DateTime<Utc>,
}

/// The key under which passwords are sent, with a fresh nonce.
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
    /// Its name.
    id: Uuid,
    /// The picture, a `data:` address of a PNG.
    background: String,
    /// The piece, a `data:` address of a PNG with transparency.
    piece: String,
    /// Of the picture, in pixels.
    width: u32,
    /// Of the picture, in pixels.
    height: u32,
    /// Of the piece, in pixels.
    piece_width: u32,
    /// Where the piece sits vertically, in picture pixels.
    piece_y: u32,
    /// Proof of work: find the number, not above `most`, whose decimal text behind `salt` has this SHA-256.
    salt: String,
    /// In hexadecimal.
    hash: String,
    /// The number is below this.
    most: u32,
    /// Until when it is good.
    expires_at: DateTime<Utc>,
}

/// A fresh slide check.
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
        salt: slide.salt,
        hash: slide.hash,
        most: slide.most,
        expires_at: slide.expires_at,
    }))
}

/// A check by work alone, for whoever cannot see a picture.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WorkChallenge {
    /// Its name.
    id: Uuid,
    /// Proof of work: find the number, not above `most`, whose decimal text behind `salt` has this SHA-256. Sixteen times
    /// the work of a check with a picture.
    salt: String,
    /// In hexadecimal.
    hash: String,
    /// The number is below this.
    most: u32,
    /// Until when it is good: five minutes.
    expires_at: DateTime<Utc>,
}

/// A fresh check that needs no eyesight and no hand.
#[utoipa::path(get, path = "/slide/work", operation_id = "slideByWork", tag = "account",
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

/// The answer to a check by work alone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkAnswer {
    /// The check.
    id: Uuid,
    /// The number of the proof of work.
    number: u32,
}

/// Answers a check by work alone. Each may be tried three times; SDK1003 when the answer is wrong.
#[utoipa::path(post, path = "/slide/work/verify", operation_id = "verifyWork", tag = "account", request_body = WorkAnswer,
    responses((status = 200, body = Envelope<SlideToken>)))]
pub(super) async fn verify_work(State(state): State<ApiState>, Body(answer): Body<WorkAnswer>) -> Answer<SlideToken> {
    Ok(Done(SlideToken { token: state.identity.verify_work(answer.id, answer.number).await? }))
}

/// A point of the movement.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SlidePoint {
    /// Milliseconds since the movement began.
    t: u32,
    /// In picture pixels.
    x: u32,
}

/// An answer to a slide check.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = SlideAnswer)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SlideAnswerBody {
    /// The check.
    id: Uuid,
    /// Where the piece was left, in picture pixels.
    x: u32,
    /// How it got there.
    trail: Vec<SlidePoint>,
    /// The number of the proof of work.
    number: u32,
}

/// What a right answer earns.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SlideToken {
    /// Good for one command, for five minutes.
    token: String,
}

/// Answers a slide check. Each may be tried three times; SDK1003 when the answer is wrong.
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
