//! E-mail codes: sent, and tried at most five times.

use domain::clock::{Moment, after};
use domain::identity::IdentityRefusal;
use domain::identity::email::{
    CODE_LIFE, CODE_PAUSE, CODE_TRIES, CODES_A_DAY, CodePurpose, Email, check_code_form, code_digits,
};
use domain::ids::UserId;
use domain::refusal::Refusal;
use store::Tx;
use store::identity::accounts;
use store::identity::codes::{self, Code};
use subtle::ConstantTimeEq;

use super::letters::code_letter;
use super::once::digest;
use super::ports::Letter;
use super::{Identity, Once};
use crate::{Error, Result};

/// A code to be sent.
#[derive(Debug, Clone)]
pub struct SendCode {
    /// To whom; somebody with a session may leave it out and gets it to their own address.
    pub email: String,
    /// What for.
    pub purpose: CodePurpose,
    /// Proves a person behind the screen; needed without a session.
    pub slide_token: Option<String>,
    /// The reader's language, as `en_US`.
    pub language: String,
}

impl Identity {
    /// Sends a code; answers when the next one may be asked for.
    ///
    /// Nobody learns here whether an address has an account: for a new password, and for an address that is taken, the
    /// answer is the same whether a letter goes out or not.
    pub async fn send_code(&self, once: &Once, session: Option<UserId>, ask: &SendCode) -> Result<Moment> {
        let command = once.name("email");
        let (mut tx, now) = self.context.begin().await?;
        let email = match (session, ask.email.trim()) {
            (Some(user), "") => {
                let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
                Email::parse(&account.email, "email")?
            }
            (_, typed) => Email::parse(typed, "email")?,
        };
        if session.is_none() {
            let token = ask.slide_token.as_deref().unwrap_or_default();
            self.use_slide(&mut tx, token, &command, now).await?;
        }
        let registered = accounts::by_email(&mut tx, email.as_str()).await?.is_some();
        if registered && ask.purpose == CodePurpose::Register {
            return Err(Refusal::from(IdentityRefusal::EmailRegistered).into());
        }
        let before = codes::lock(&mut tx, email.as_str(), ask.purpose).await?;
        let sent_that_day = match &before {
            Some(code) if code.asked_by == command => return Ok(after(code.sent_at, CODE_PAUSE)),
            Some(code) if now < after(code.sent_at, CODE_PAUSE) => {
                let retry_after = after(code.sent_at, CODE_PAUSE).signed_duration_since(now);
                return Err(Refusal::TooMany { retry_after }.into());
            }
            Some(code) if code.sent_at.date_naive() == now.date_naive() => code.sent_that_day,
            _ => 0,
        };
        if sent_that_day >= CODES_A_DAY {
            let tomorrow = now.date_naive().succ_opt().and_then(|day| day.and_hms_opt(0, 0, 0)).map(|at| at.and_utc());
            let retry_after = tomorrow.map_or(CODE_LIFE, |at| at.signed_duration_since(now));
            return Err(Refusal::TooMany { retry_after }.into());
        }
        let secret = self.secret();
        let number = secret.first_chunk().copied().map_or(0, u64::from_be_bytes);
        let text = code_digits(number);
        let salt = self.secret().to_vec();
        codes::put(
            &mut tx,
            &Code {
                email: email.as_str().to_owned(),
                purpose: ask.purpose,
                hash: digest(&[&salt, text.as_bytes()]),
                salt,
                sent_at: now,
                expires_at: after(now, CODE_LIFE),
                tries_left: CODE_TRIES,
                used: false,
                sent_that_day: sent_that_day.saturating_add(1),
                asked_by: command,
            },
        )
        .await?;
        tx.commit().await?;
        if !registered && ask.purpose == CodePurpose::Reset {
            // No letter, but the same answer now and the same wait.
            return Ok(after(now, CODE_PAUSE));
        }
        let letter = code_letter(email.as_str(), &text, &ask.language);
        let (identity, purpose) = (self.clone(), ask.purpose);
        // A task of its own: whoever asked may hang up, and the letter is sent or the code taken back all the same.
        let delivery = tokio::spawn(async move { identity.deliver(letter, &email, purpose, &command, before).await });
        if ask.purpose == CodePurpose::Reset {
            // Not waited for: how long it takes, or that it fails, would tell that the address has an account.
            return Ok(after(now, CODE_PAUSE));
        }
        delivery.await.map_err(|error| Error::Internal(error.to_string()))??;
        Ok(after(now, CODE_PAUSE))
    }

    /// Hands a code's letter to the mail server; takes the code back if that does not take it.
    async fn deliver(
        &self,
        letter: Letter,
        email: &Email,
        purpose: CodePurpose,
        command: &[u8; 32],
        before: Option<Code>,
    ) -> Result<()> {
        let Err(error) = self.ports.mail.send(letter).await else { return Ok(()) };
        self.take_back(email, purpose, command, before).await?;
        match error {
            Error::Unavailable { what } => {
                tracing::warn!(what, "a letter was not taken");
                Err(Refusal::from(IdentityRefusal::MailUnavailable).into())
            }
            other => Err(other),
        }
    }

    /// Forgets a code that nobody was sent, so that the person can ask again at once. The one before it stands again: its
    /// letter may have arrived, and how many were sent that day is not forgotten either.
    async fn take_back(
        &self,
        email: &Email,
        purpose: CodePurpose,
        command: &[u8; 32],
        before: Option<Code>,
    ) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        let ours = codes::lock(&mut tx, email.as_str(), purpose).await?.is_some_and(|code| code.asked_by == *command);
        if !ours {
            return Ok(());
        }
        match before {
            None => codes::forget(&mut tx, email.as_str(), purpose).await?,
            Some(before) => {
                codes::put(&mut tx, &before).await?;
                if before.used {
                    codes::spend(&mut tx, email.as_str(), purpose, now).await?;
                }
            }
        }
        Ok(tx.commit().await?)
    }

    /// Whether a code is right, without using it. A wrong one counts.
    pub async fn verify_code(&self, email: &str, purpose: CodePurpose, code: &str) -> Result<()> {
        let email = Email::parse(email, "email")?;
        let (mut tx, now) = self.context.begin().await?;
        let checked = self.check_code(&mut tx, email.as_str(), purpose, code, now).await;
        tx.commit().await?;
        checked
    }

    /// As [`Self::verify_code`], of the asking person's own address.
    pub async fn verify_own_code(&self, user: UserId, purpose: CodePurpose, code: &str) -> Result<()> {
        let (mut tx, now) = self.context.begin().await?;
        let account = accounts::read(&mut tx, user).await?.ok_or(Refusal::SessionInvalid)?;
        let checked = self.check_code(&mut tx, &account.email, purpose, code, now).await;
        tx.commit().await?;
        checked
    }

    /// Compares a code and counts a wrong one. The caller commits, whatever comes of it.
    pub(super) async fn check_code(
        &self,
        tx: &mut Tx,
        email: &str,
        purpose: CodePurpose,
        code: &str,
        now: Moment,
    ) -> Result<()> {
        let code = code.trim();
        if code.is_empty() {
            return Err(Refusal::Invalid { field: "emailCode", reason: "empty" }.into());
        }
        if !check_code_form(code) {
            return Err(Refusal::from(IdentityRefusal::CodeFormat).into());
        }
        let wrong = |left| Error::from(Refusal::from(IdentityRefusal::EmailCodeWrong { left }));
        let Some(known) = codes::lock(tx, email, purpose).await? else { return Err(wrong(0)) };
        if known.used || known.tries_left == 0 || now >= known.expires_at {
            return Err(wrong(0));
        }
        if bool::from(digest(&[&known.salt, code.as_bytes()]).ct_eq(&known.hash)) {
            return Ok(());
        }
        codes::tried(tx, email, purpose).await?;
        Err(wrong(known.tries_left.saturating_sub(1)))
    }
}
