//! The slide check stops bots: the user moves a piece into the gap of a picture, and the browser computes a small proof
//! of work.

use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::identity::IdentityRefusal;
use domain::refusal::Refusal;
use sha2::{Digest, Sha256};
use store::Tx;
use store::identity::slides::{self, Slide};
use uuid::Uuid;

use super::Identity;
use super::ports::SlidePicture;
use super::sessions::text_of;
use crate::{Error, Result};

/// How long a user has to solve a check.
const CHECK_LIFETIME: Duration = Duration::seconds(90);
/// How long the token for a correct answer is valid.
const TOKEN_LIFETIME: Duration = Duration::minutes(5);
/// How many answers a check accepts.
const MAX_ANSWERS: u32 = 3;
/// The tolerated distance of the piece from its place, in pixels.
const TOLERANCE: u32 = 4;
/// How long a human takes to move the piece, in milliseconds.
const MOVE_MILLISECONDS: std::ops::RangeInclusive<u32> = 250..=60_000;
/// The minimum number of points of a human movement.
const POINTS: usize = 3;

/// The factor by which the proof of work is harder in a check without a picture, where it is the only protection.
const WORK_WITHOUT_PICTURE: u32 = 16;
/// How long a user has to solve a check without a picture: enough for a slow phone.
const ALONE_LIFETIME: Duration = Duration::minutes(5);

/// A check without a picture, for users who cannot see it: a proof of work alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkChallenge {
    pub id: Uuid,
    pub work: Work,
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The task is to find the number that, appended to this salt in decimal, yields `hash`.
    pub salt: String,
    /// SHA-256 of salt and number, in hexadecimal.
    pub hash: String,
    /// The largest possible number.
    pub most: u32,
}

/// A check with a picture, as the client gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlideChallenge {
    pub id: Uuid,
    /// The picture, without the correct position of the piece.
    pub picture: SlidePicture,
    pub work: Work,
    pub expires_at: Timestamp,
}

/// A point of the piece's movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailPoint {
    /// Milliseconds since the start of the movement.
    pub t: u32,
    /// In picture pixels.
    pub x: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlideAnswer {
    pub id: Uuid,
    /// The final horizontal position of the piece, in picture pixels.
    pub x: u32,
    pub trail: Vec<TrailPoint>,
    /// The solution of the proof of work.
    pub number: u32,
}

impl Identity {
    /// Creates a check with a picture.
    pub async fn slide(&self) -> Result<SlideChallenge> {
        let art = std::sync::Arc::clone(&self.ports.art);
        let seed = self.secret();
        let picture = tokio::task::spawn_blocking(move || art.draw(seed)).await.map_err(Error::internal)??;
        let (work, number) = self.work(self.settings.proof_of_work);
        let (id, expires_at) = self.insert_slide(Some(picture.x), number, CHECK_LIFETIME).await?;
        Ok(SlideChallenge { id, picture: SlidePicture { x: 0, ..picture }, work, expires_at })
    }

    /// Creates a check without a picture.
    pub async fn slide_by_work(&self) -> Result<WorkChallenge> {
        let (work, number) = self.work(self.settings.proof_of_work.saturating_mul(WORK_WITHOUT_PICTURE));
        let (id, expires_at) = self.insert_slide(None, number, ALONE_LIFETIME).await?;
        Ok(WorkChallenge { id, work, expires_at })
    }

    async fn insert_slide(&self, x: Option<u32>, pow_number: u32, life: Duration) -> Result<(Uuid, Timestamp)> {
        let (mut tx, now) = self.context.begin().await?;
        let slide =
            Slide { id: self.context.fresh(now), x, pow_number, expires_at: after(now, life), tries_left: MAX_ANSWERS };
        slides::insert(&mut tx, &slide).await?;
        tx.commit().await?;
        Ok((slide.id, slide.expires_at))
    }

    /// Creates a proof of work with its solution.
    fn work(&self, most: u32) -> (Work, u32) {
        let most = most.max(1);
        let salt = text_of(&self.secret::<32>());
        let number = u32::from_be_bytes(self.secret()).checked_rem(most).unwrap_or(0);
        let hash = hex::encode(Sha256::digest(format!("{salt}{number}")));
        (Work { salt, hash, most }, number)
    }

    /// Returns a token, valid for one command, for the solution of a check without a picture.
    pub async fn verify_work(&self, id: Uuid, number: u32) -> Result<String> {
        self.token_if(id, |slide| slide.x.is_none() && slide.pow_number == number).await
    }

    /// Returns a token, valid for one command, for a correct answer to a check with a picture.
    pub async fn verify_slide(&self, answer: &SlideAnswer) -> Result<String> {
        let right = |slide: &Slide| {
            let near = slide.x.is_some_and(|x| x.abs_diff(answer.x) <= TOLERANCE);
            near && answer.number == slide.pow_number && by_hand(&answer.trail, answer.x)
        };
        self.token_if(answer.id, right).await
    }

    /// Returns a token if the answer is correct; otherwise counts a failed attempt.
    async fn token_if(&self, id: Uuid, right: impl FnOnce(&Slide) -> bool) -> Result<String> {
        let failed = || Error::from(IdentityRefusal::SlideFailed);
        let (mut tx, now) = self.context.begin().await?;
        let slide = slides::lock(&mut tx, id, now).await?.ok_or_else(failed)?;
        if !right(&slide) {
            slides::tried(&mut tx, slide.id).await?;
            tx.commit().await?;
            return Err(failed());
        }
        let token = text_of(&self.secret::<32>());
        slides::solve(&mut tx, slide.id, &Sha256::digest(&token).into(), after(now, TOKEN_LIFETIME)).await?;
        tx.commit().await?;
        Ok(token)
    }

    /// Uses up a token for a command. The caller must commit.
    pub(super) async fn use_slide(&self, tx: &mut Tx, token: &str, command: &[u8; 32], now: Timestamp) -> Result<()> {
        if token.is_empty() {
            return Err(Refusal::Invalid { field: "slideToken", reason: "empty" }.into());
        }
        if slides::use_token(tx, &Sha256::digest(token).into(), command, now).await? {
            Ok(())
        } else {
            Err(IdentityRefusal::SlideFailed.into())
        }
    }
}

/// Returns whether a movement looks human (by pointer or arrow keys): it has a human duration and ascending times, ends
/// at the final position of the piece, and is not uniform.
fn by_hand(trail: &[TrailPoint], x: u32) -> bool {
    let (Some(first), Some(last)) = (trail.first(), trail.last()) else { return false };
    let forward = trail.windows(2).all(|pair| matches!(pair, [a, b] if a.t <= b.t));
    let speeds = trail.windows(2).filter_map(|pair| match pair {
        [a, b] => Some((b.t.saturating_sub(a.t), b.x.abs_diff(a.x))),
        _ => None,
    });
    let distinct: std::collections::BTreeSet<_> = speeds.collect();
    trail.len() >= POINTS
        && trail.len() <= 10_000
        && forward
        && MOVE_MILLISECONDS.contains(&last.t.saturating_sub(first.t))
        && last.x.abs_diff(x) <= 1
        && distinct.len() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(points: &[(u32, u32)]) -> Vec<TrailPoint> {
        points.iter().map(|(t, x)| TrailPoint { t: *t, x: *x }).collect()
    }

    #[test]
    fn a_hand_is_told_from_a_ruler() {
        assert!(by_hand(&trail(&[(0, 0), (100, 20), (220, 70), (400, 100)]), 100));
        assert!(by_hand(&trail(&[(0, 0), (100, 10), (230, 20), (340, 30)]), 30));
        for (points, why) in [
            (vec![], "nothing"),
            (vec![(0, 0), (400, 100)], "too few points"),
            (vec![(0, 0), (10, 20), (200, 100)], "too quick"),
            (vec![(0, 0), (100, 20), (61_000, 100)], "too slow"),
            (vec![(0, 0), (100, 25), (200, 50), (300, 75), (400, 100)], "one even stroke"),
            (vec![(0, 0), (300, 20), (200, 70), (400, 100)], "back in time"),
            (vec![(0, 0), (100, 20), (400, 90)], "ends elsewhere"),
        ] {
            assert!(!by_hand(&trail(&points), 100), "{why}");
        }
    }
}
