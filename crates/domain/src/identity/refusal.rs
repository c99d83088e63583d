//! Refusals of commands about accounts, the pass or the login.

use super::binding::BindingObstacle;
use super::nickname::NicknameFault;
use crate::clock::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdentityRefusal {
    // --- email, passwords, the slide check
    EmailRegistered,
    /// The password is wrong or the account does not exist. The refusal does not reveal which.
    WrongCredentials,
    EmailCodeWrong {
        left: u32,
    },
    CodeFormat,
    MailUnavailable,
    /// The slide check failed, or its token was already used.
    SlideFailed,
    /// The login needs a slide check, because the account does not know the device or because passwords were wrong. The refusal does
    /// not reveal which, nor whether there is an account.
    SlideNeeded,
    /// The secret cannot be decrypted: the key is old, or the nonce was used or has expired.
    SecretUnreadable,
    SamePassword {
        /// The new password's field in the request.
        field: &'static str,
    },
    SecurityPasswordFormat,
    SecurityEqualsLogin {
        /// The new password's field in the request.
        field: &'static str,
    },

    // --- the pass
    ScanPending,
    ScanExpired,
    /// The challenge does not exist, or the statement answers another challenge.
    ScanInvalid,
    /// The user declined the request in the pass.
    ScanDenied,
    /// The signature, issuer, audience or time of the statement is wrong.
    StatementInvalid,
    /// No account is bound to this pass.
    NotRegistered,
    /// The pass or the address is bound to another account.
    BoundElsewhere,
    /// The account is bound to another pass.
    BoundMismatch,
    /// The user has no bound address.
    NotBound,
    /// The bound address may not change now.
    BindingBlocked {
        obstacles: Vec<BindingObstacle>,
    },
    RegionMissing,
    /// The pass does not state the user's ME ID.
    MeIdMissing,
    /// The pass does not state a valid address of the user.
    StatedAddressMissing,

    // --- the profile
    NicknameInvalid(NicknameFault),
    /// Another user has this nickname or one that looks like it.
    NicknameTaken,
    /// The nickname was changed less than a week ago.
    NicknameTooSoon {
        until: Timestamp,
    },
    /// The address does not match its chain type, or the chain type is unknown.
    AddressTypeMismatch,
    /// Another account uses this receiving address.
    ReceivingAddressTaken,
}

impl From<IdentityRefusal> for crate::refusal::Refusal {
    fn from(refusal: IdentityRefusal) -> Self {
        Self::Identity(refusal)
    }
}
