//! Why a command about an account is refused.

use super::nickname::NicknameFault;
use crate::clock::Timestamp;

/// Why a command about accounts, the pass or log-in is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdentityRefusal {
    // --- e-mail, passwords, the slide check
    /// The e-mail address has an account.
    EmailRegistered,
    /// E-mail and password do not belong together, or there is no such account: the answer is the same.
    WrongCredentials,
    /// The e-mail code is wrong, used up or expired.
    EmailCodeWrong {
        /// How many attempts the code has left.
        left: u32,
    },
    /// The code is not six digits.
    CodeFormat,
    /// The mail server does not take our mail just now.
    MailUnavailable,
    /// The slide check was not passed, or its token was used before.
    SlideFailed,
    /// What was encrypted cannot be read: an old key, or a nonce that was used or has expired.
    SecretUnreadable,
    /// The new password is the old one.
    SamePassword {
        /// The new password's name in the request.
        field: &'static str,
    },
    /// The security password does not have the form that is asked for.
    SecurityPasswordFormat,
    /// The security password would equal the login password.
    SecurityEqualsLogin {
        /// The new password's name in the request.
        field: &'static str,
    },

    // --- the pass
    /// Nobody has answered the challenge yet.
    ScanPending,
    /// The challenge has expired or was used.
    ScanExpired,
    /// No such challenge, or the statement answers another one.
    ScanInvalid,
    /// The person said no in the pass.
    ScanDenied,
    /// The statement is not one of the pass: its signature, issuer, audience or time is wrong.
    StatementInvalid,
    /// The pass's person has no account here.
    NotRegistered,
    /// The pass's person, or the address, belongs to another account.
    BoundElsewhere,
    /// The pass's person is not the one that the account is bound to.
    BoundMismatch,
    /// The account is not bound to a pass.
    NotBound,
    /// The statement has no region.
    RegionMissing,

    // --- the profile
    /// The nickname is not one.
    NicknameInvalid(NicknameFault),
    /// Somebody else has the nickname, or one that looks like it.
    NicknameTaken,
    /// The nickname was changed less than a week ago.
    NicknameTooSoon {
        /// When it may be changed again.
        until: Timestamp,
    },
    /// The text has words that are not allowed.
    ForbiddenWords,
    /// The address is not one of its chain type, or the chain type is unknown.
    AddressTypeMismatch,
    /// The receiving address belongs to another account.
    ReceivingAddressTaken,
}

impl From<IdentityRefusal> for crate::refusal::Refusal {
    fn from(refusal: IdentityRefusal) -> Self {
        Self::Identity(refusal)
    }
}
