//! Checks uploaded videos while they arrive. Videos are not decoded: the check reads the structure of the container, so
//! that only a video in a known format, of a bounded length and with nothing appended is stored.
//!
//! What no player needs is overwritten with zeros: free space, and metadata such as the place of the recording.

mod mp4;
mod webm;

#[cfg(test)]
pub(crate) mod samples;

use crate::files::MediaType;

/// The number of bytes from which the format is recognized.
const FORMAT_BYTES: usize = 12;
/// The maximum size of a part that has to be read as a whole, in bytes.
const LARGEST_PART: u64 = 4 * 1024 * 1024;

/// Why an upload is not an acceptable video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VideoFault {
    #[error("not a video in a supported format")]
    Format,
    /// The structure is damaged, or has parts that do not belong to a video.
    #[error("damaged")]
    Damaged,
    #[error("ends early")]
    Truncated,
    #[error("no video track")]
    NoVideo,
    #[error("no duration")]
    NoDuration,
    #[error("too long")]
    TooLong,
}

impl VideoFault {
    /// Returns the reason in a refusal, which clients act on.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Format => "not a video",
            Self::Damaged | Self::NoVideo | Self::NoDuration => "damaged",
            Self::Truncated => "truncated",
            Self::TooLong => "too long",
        }
    }
}

/// A complete video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VideoFacts {
    pub media: MediaType,
    pub milliseconds: u32,
}

/// Reads a video in pieces of any size.
pub struct VideoReader {
    longest_ms: u64,
    state: State,
}

enum State {
    /// Fewer than [`FORMAT_BYTES`] bytes have arrived.
    Sniffing(Vec<u8>),
    Mp4(Box<mp4::Mp4>),
    WebM(Box<webm::WebM>),
}

impl VideoReader {
    /// Reads a video of at most `longest_seconds`.
    pub fn new(longest_seconds: u32) -> Self {
        Self { longest_ms: u64::from(longest_seconds).saturating_mul(1_000), state: State::Sniffing(Vec::new()) }
    }

    /// Reads the next bytes, and appends to `out` the bytes to store. They may lag behind, but have the same total
    /// length.
    pub fn read(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), VideoFault> {
        match &mut self.state {
            State::Mp4(mp4) => mp4.read(bytes, out),
            State::WebM(webm) => webm.read(bytes, out),
            State::Sniffing(start) => {
                start.extend_from_slice(bytes);
                if start.len() < FORMAT_BYTES {
                    return Ok(());
                }
                let start = std::mem::take(start);
                self.state = sniff(&start).ok_or(VideoFault::Format)?;
                self.read(&start, out)
            }
        }
    }

    /// Ends the video. Nothing may be missing.
    pub fn finish(self) -> Result<VideoFacts, VideoFault> {
        let (media, milliseconds) = match self.state {
            State::Sniffing(_) => return Err(VideoFault::Format),
            State::Mp4(mp4) => mp4.finish()?,
            State::WebM(webm) => (MediaType::WebM, webm.finish()?),
        };
        if milliseconds > self.longest_ms {
            return Err(VideoFault::TooLong);
        }
        let milliseconds = u32::try_from(milliseconds).map_err(|_| VideoFault::TooLong)?;
        Ok(VideoFacts { media, milliseconds })
    }
}

fn sniff(start: &[u8]) -> Option<State> {
    if start.get(4..8) == Some(b"ftyp".as_slice()) {
        return Some(State::Mp4(Box::default()));
    }
    start.starts_with(&webm::MAGIC).then(|| State::WebM(Box::default()))
}

/// What happens to the rest of the part that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest<K> {
    /// It is stored as it is.
    Keep,
    /// It is replaced with zeros.
    Blank,
    /// It is collected and read as a whole, according to its kind.
    Collect(K),
}

impl<K> Rest<K> {
    /// Handles the bytes up to the end of the part, of which `missing` are still to come. Returns how many it used.
    fn take(&self, missing: u64, bytes: &[u8], (collected, out): (&mut Vec<u8>, &mut Vec<u8>)) -> usize {
        let taken = usize::try_from(missing).unwrap_or(usize::MAX).min(bytes.len());
        let (part, _) = bytes.split_at(taken);
        match self {
            Self::Keep => out.extend_from_slice(part),
            Self::Blank => out.resize(out.len().saturating_add(taken), 0),
            Self::Collect(_) => collected.extend_from_slice(part),
        }
        taken
    }
}

/// Reads a big-endian number of at most 8 bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |sum: u64, byte| sum.wrapping_shl(8) | u64::from(*byte))
}

/// Computes `ticks / per_second` in milliseconds.
fn to_ms(ticks: u64, per_second: u64) -> Option<u64> {
    let ms = u128::from(ticks).checked_mul(1_000)?.checked_div(per_second.into())?;
    u64::try_from(ms).ok()
}

#[cfg(test)]
mod tests;
