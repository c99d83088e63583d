//! Implementations of the ports of `app` to external services: mail, the pass, and slide checks. Only binaries depend
//! on this crate.

pub mod fakes;
mod mail;
mod pass;
mod slide_art;

pub use mail::{SmtpMail, SmtpSettings};
pub use pass::{KeySource, PassSettings, SignedPass};
pub use slide_art::DrawnSlides;
