//! The outside, as the use cases ask for it: mail, the pass, slide checks. Only binaries join these to the product.

pub mod fakes;
mod mail;
mod pass;
mod slide_art;

pub use mail::{SmtpMail, SmtpSettings};
pub use pass::{KeySource, PassSettings, SignedPass};
pub use slide_art::DrawnSlides;
