//! What an officer does to an account. Each act is recorded for ever, in the same commit.

use crate::{Context, Result};

/// An officer's decision about whether somebody is a certified trader, which fiat adverts need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certification {
    /// The account's e-mail.
    pub email: String,
    /// Whether they are certified from now on.
    pub certified: bool,
    /// Who decides: 1 to 100 characters.
    pub officer: String,
    /// Why: 1 to 500 characters.
    pub reason: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certified {
    /// It is so from now on.
    Done,
    /// It was so before. Nothing was written.
    Already,
    /// Nobody has the e-mail.
    Unknown,
}

/// Certifies somebody, or takes that back.
pub async fn certify(context: &Context, certification: &Certification) -> Result<Certified> {
    let (mut tx, now) = context.begin().await?;
    let email = certification.email.trim().to_lowercase();
    let Some(user) = store::identity::accounts::by_email(&mut tx, &email).await? else {
        return Ok(Certified::Unknown);
    };
    store::people::lock(&mut tx, &[user]).await?;
    if !store::officers::set_certified(&mut tx, user, certification.certified).await? {
        return Ok(Certified::Already);
    }
    let act = if certification.certified { "certify" } else { "decertify" };
    store::officers::record(&mut tx, &certification.officer, act, user, &certification.reason, now).await?;
    tx.commit().await?;
    Ok(Certified::Done)
}
