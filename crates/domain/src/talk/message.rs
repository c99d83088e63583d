//! Messages: their form, and the time in which they can be sent.

use chrono::Duration;

use super::warning::{Warning, WarningWords};
use crate::checks::unspeakable;
use crate::clock::{Timestamp, after};
use crate::files::FileKind;
use crate::identity::words::ForbiddenWords;
use crate::orders::Order;
use crate::refusal::Refusal;
use crate::text::is_blank;

/// The maximum length of a message, in characters.
pub const MAX_TEXT: usize = 1_000;
/// The maximum length of an automatic reply, in characters.
pub const MAX_AUTOMATIC_REPLY: usize = 300;
/// The maximum number of files of a message.
pub const MAX_FILES: usize = 5;
/// The maximum number of videos among the files of a message.
pub const MAX_VIDEOS: usize = 1;
/// The maximum number of files that a party attaches to all messages about an order.
pub const MAX_FILES_OF_PARTY: u64 = 200;
/// The maximum size of these files, in bytes.
pub const MAX_BYTES_OF_PARTY: u64 = 500_000_000;
/// The field of a message with the IDs of its files, for refusals.
pub const FILES: &str = "files";

/// Checks the text of a message with a number of files, and returns it without the whitespace around it. A text of which nothing
/// is visible counts as empty. Line breaks are
/// the only control characters that a message may contain.
pub fn check(text: &str, files: usize) -> Result<String, Refusal> {
    let text = check_text("text", text, MAX_TEXT)?;
    if text.is_empty() && files == 0 {
        return Err(Refusal::Invalid { field: "text", reason: "empty" });
    }
    if files > MAX_FILES {
        return Err(Refusal::Invalid { field: FILES, reason: "too many" });
    }
    Ok(text.to_owned())
}

/// Returns a text without the whitespace around it, with which it is at most `longest` characters long.
fn check_text<'a>(field: &'static str, text: &'a str, longest: usize) -> Result<&'a str, Refusal> {
    let text = if is_blank(text) { "" } else { text.trim() };
    let invalid = |reason| Err(Refusal::Invalid { field, reason });
    if text.chars().count() > longest {
        return invalid("too long");
    }
    if text.chars().any(|c| c != '\n' && (c.is_control() || reorders(c))) {
        return invalid("control characters");
    }
    Ok(text)
}

/// Checks an automatic reply, which takers read in the conversation of each new order, and returns it without the whitespace around
/// it; `None` if nothing is left. It must not contain what a message is warned of: nobody would be asked before it is sent.
pub fn check_automatic_reply(
    text: &str,
    words: &ForbiddenWords,
    warning_words: &WarningWords,
) -> Result<Option<String>, Refusal> {
    let field = "automaticReply";
    let text = check_text(field, text, MAX_AUTOMATIC_REPLY)?;
    let warned = warning_words.warnings(text).into_iter().next().map(|warning| match warning {
        Warning::OffPlatform => "contact information",
        Warning::EarlyRelease => "early release",
    });
    if let Some(reason) = unspeakable(text, words).or(warned) {
        return Err(Refusal::Unspeakable { field, reason });
    }
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// Checks what the files of a message are: pictures, and at most [`MAX_VIDEOS`] videos.
pub fn check_kinds(kinds: impl IntoIterator<Item = FileKind>) -> Result<(), Refusal> {
    let videos = kinds.into_iter().filter(|kind| *kind == FileKind::Video).count();
    if videos > MAX_VIDEOS { Err(Refusal::Invalid { field: FILES, reason: "too many videos" }) } else { Ok(()) }
}

/// Checks the number and size of all files that a party has attached to the messages about an order, a new message included.
pub fn check_room(files: u64, bytes: u64) -> Result<(), Refusal> {
    if files > MAX_FILES_OF_PARTY || bytes > MAX_BYTES_OF_PARTY {
        return Err(Refusal::UploadFailed { reason: "conversation full" });
    }
    Ok(())
}

/// Returns whether a character changes the direction of the text after it, with which a text could show as another.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns when the conversation of an order becomes read-only; `None` while the order is open. `kept_open` is the time
/// after the end of the order.
pub fn closes_at(order: &Order, kept_open: Duration) -> Option<Timestamp> {
    order.progress.ended_at.filter(|_| order.state.ended()).map(|ended| after(ended, kept_open))
}

/// Returns whether the parties can send messages.
pub fn is_open(order: &Order, now: Timestamp, kept_open: Duration) -> bool {
    closes_at(order, kept_open).is_none_or(|at| now < at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_trimmed_and_keeps_its_lines() {
        assert_eq!(check("  你好\nI have paid 👨‍👩‍👧 \n", 0), Ok("你好\nI have paid 👨‍👩‍👧".to_owned()));
        assert_eq!(check(" ", 1), Ok(String::new()));
        assert_eq!(check("\u{200b}", 1), Ok(String::new()));
        assert_eq!(check(&"客".repeat(1_000), 5), Ok("客".repeat(1_000)));
    }

    #[test]
    fn a_message_has_at_most_one_video() {
        use FileKind::{Image, Video};
        for fine in [&[][..], &[Image; 5], &[Video], &[Image, Video, Image]] {
            assert_eq!(check_kinds(fine.iter().copied()), Ok(()), "{fine:?}");
        }
        let refused = Err(Refusal::Invalid { field: "files", reason: "too many videos" });
        assert_eq!(check_kinds([Video, Image, Video]), refused);
    }

    #[test]
    fn the_files_of_a_party_are_limited_by_number_and_size() {
        assert_eq!(check_room(MAX_FILES_OF_PARTY, MAX_BYTES_OF_PARTY), Ok(()));
        let refused = Err(Refusal::UploadFailed { reason: "conversation full" });
        assert_eq!(check_room(MAX_FILES_OF_PARTY + 1, 0), refused);
        assert_eq!(check_room(1, MAX_BYTES_OF_PARTY + 1), refused);
    }

    #[test]
    fn an_automatic_reply_contains_nothing_that_a_message_is_warned_of() {
        let words = ForbiddenWords::new(["scam"]);
        let warned = [("telegram", Warning::OffPlatform), ("release first", Warning::EarlyRelease)];
        let check = |text: &str| check_automatic_reply(text, &words, &WarningWords::new(&warned));
        assert_eq!(
            check(" Hello!\nI answer within 5 minutes. "),
            Ok(Some("Hello!\nI answer within 5 minutes.".to_owned()))
        );
        for empty in ["", " \n", "\u{200b}"] {
            assert_eq!(check(empty), Ok(None), "{empty:?}");
        }
        assert_eq!(check(&"客".repeat(300)).map(|text| text.is_some()), Ok(true));
        let field = "automaticReply";
        for (text, reason) in [
            ("no scam", "forbidden words"),
            ("write to a@example.org", "contact information"),
            ("My Telegram", "contact information"),
            ("call 010-1234-5678", "contact information"),
            ("please release first", "early release"),
        ] {
            assert_eq!(check(text), Err(Refusal::Unspeakable { field, reason }), "{text}");
        }
        assert_eq!(check(&"客".repeat(301)), Err(Refusal::Invalid { field, reason: "too long" }));
        assert_eq!(check("a\u{202e}b"), Err(Refusal::Invalid { field, reason: "control characters" }));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for (text, files, field, reason) in [
            (" \n", 0, "text", "empty"),
            ("\u{200b}", 0, "text", "empty"),
            ("\u{2060}\u{3164}\u{ad}", 0, "text", "empty"),
            (&"x".repeat(1_001), 0, "text", "too long"),
            ("a\0b", 0, "text", "control characters"),
            ("a\tb", 0, "text", "control characters"),
            ("a\u{1b}[0m", 0, "text", "control characters"),
            ("pay \u{202e}gnp.exe", 0, "text", "control characters"),
            ("a\u{2066}b", 0, "text", "control characters"),
            ("photos", 6, "files", "too many"),
        ] {
            assert_eq!(check(text, files), Err(Refusal::Invalid { field, reason }), "{text:?}");
        }
    }
}
