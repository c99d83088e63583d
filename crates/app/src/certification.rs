//! Users apply for certification; officers decide in the console.

use domain::certification::{self, Application, Check, Facts};
use domain::clock::Timestamp;
use domain::ids::{CertificationId, UserId};
use domain::refusal::Refusal;
use domain::reputation::Record;
use domain::users::User;
use store::console::users::accounts;
use store::{Tx, certifications, users};

use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::reputation::records_at;
use crate::{Context, Result};

/// A user's certification, as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certification {
    pub certified: bool,
    pub checks: Vec<Check>,
    /// The latest application.
    pub application: Option<Application>,
    /// When the user may apply again after a rejection; `None` if there is nothing to wait for.
    pub rests_until: Option<Timestamp>,
    /// Whether the user can apply now.
    pub may_apply: bool,
}

/// What certification depends on, as read from the database.
pub(crate) struct Applicant {
    pub(crate) user: User,
    has_security_password: bool,
    payment_methods: usize,
    joined_at: Timestamp,
    record: Record,
}

impl Applicant {
    pub(crate) async fn of(tx: &mut Tx, user: User, now: Timestamp) -> Result<Self> {
        let id = user.id;
        let account = accounts(tx, &[id]).await?.pop().ok_or(Refusal::NotFound)?;
        let record = records_at(tx, &[id], now).await?.pop().ok_or(Refusal::NotFound)?.1;
        let payment_methods = store::payment_methods::of_user(tx, id).await?.len();
        Ok(Self {
            user,
            has_security_password: account.has_security_password,
            payment_methods,
            joined_at: account.created_at,
            record,
        })
    }

    pub(crate) fn facts(&self, now: Timestamp) -> Facts<'_> {
        Facts {
            user: &self.user,
            has_security_password: self.has_security_password,
            payment_methods: self.payment_methods,
            joined_at: self.joined_at,
            record: self.record,
            now,
        }
    }

    async fn view(&self, tx: &mut Tx, now: Timestamp) -> Result<Certification> {
        let facts = self.facts(now);
        let application = certifications::latest(tx, self.user.id).await?.map(|stored| stored.application);
        Ok(Certification {
            certified: self.user.certified,
            checks: certification::checks(&facts),
            rests_until: application.as_ref().and_then(|latest| latest.rests_until(now)),
            may_apply: certification::apply(&facts, application.as_ref()) == Ok(true),
            application,
        })
    }
}

/// Returns a user's certification: what it takes, and what has become of the latest application.
pub async fn show(context: &Context, user: UserId) -> Result<Certification> {
    let (mut tx, now) = context.begin().await?;
    let row = users::read(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    Applicant::of(&mut tx, row, now).await?.view(&mut tx, now).await
}

/// Applies for certification. Changes nothing if the user is certified or has applied already.
pub async fn apply(context: &Context, key: &IdempotencyKey, user: UserId) -> Result<Certification> {
    let (mut tx, now) = context.begin().await?;
    let row = users::lock(&mut tx, &[user]).await?.pop().ok_or(Refusal::SessionInvalid)?;
    let applicant = Applicant::of(&mut tx, row, now).await?;
    if key.response(&mut tx, user).await?.is_none() {
        let latest = certifications::latest(&mut tx, user).await?.map(|stored| stored.application);
        if certification::apply(&applicant.facts(now), latest.as_ref())? {
            certifications::insert(&mut tx, CertificationId(context.fresh(now)), user, now).await?;
        }
        key.remember(&mut tx, user, Response::default(), now).await?;
    }
    let view = applicant.view(&mut tx, now).await?;
    tx.commit().await?;
    Ok(view)
}
