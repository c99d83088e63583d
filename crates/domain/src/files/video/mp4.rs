//! MP4 and `QuickTime`: a file is a sequence of boxes, each with its size and a name of four letters (ISO/IEC 14496-12).

use super::{LARGEST_PART, VideoFault, number, to_ms};
use crate::files::MediaType;

/// The maximum size of `ftyp`, in bytes.
const LARGEST_BRANDS: u64 = 4_096;
/// Boxes with metadata or free space. Their content is removed wherever they occur.
const BLANKED: [&[u8; 4]; 7] = [b"free", b"skip", b"wide", b"uuid", b"udta", b"meta", b"pnot"];
/// The kinds of tracks that are kept. Others describe the recording, for example where the camera was at each moment.
const TRACKS: [&[u8]; 2] = [b"vide", b"soun"];
/// How deep boxes may be nested.
const DEEPEST: u32 = 8;

/// What happens to the rest of the current box.
type Rest = super::Rest<Whole>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole {
    Brands,
    Movie,
    Fragment,
}

#[derive(Default)]
pub(super) struct Mp4 {
    /// The start of a box header, or the collected content of a box.
    collected: Vec<u8>,
    /// The current box: what happens to its rest, and the number of missing bytes.
    current: Option<(Rest, u64)>,
    media: Option<MediaType>,
    milliseconds: Option<u64>,
    /// Whether the movie states the duration of all fragments.
    knows_fragments: bool,
    has_data: bool,
    has_fragments: bool,
}

impl Mp4 {
    pub(super) fn read(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) -> Result<(), VideoFault> {
        while !bytes.is_empty() {
            let Some((rest, missing)) = self.current else {
                bytes = self.begin(bytes, out)?;
                continue;
            };
            let taken = rest.take(missing, bytes, (&mut self.collected, out));
            (_, bytes) = bytes.split_at(taken);
            let taken = u64::try_from(taken).unwrap_or(u64::MAX);
            self.current = Some((rest, missing.saturating_sub(taken)));
            self.end_if_complete(out)?;
        }
        Ok(())
    }

    /// Reads the header of the next box. Returns the bytes after it.
    fn begin<'b>(&mut self, bytes: &'b [u8], out: &mut Vec<u8>) -> Result<&'b [u8], VideoFault> {
        // A header has 8 bytes, or 16 if its first number is 1.
        let long = self.collected.get(..4).is_some_and(|size| number(size) == 1);
        let needed = if long { 16 } else { 8_usize };
        let take = needed.saturating_sub(self.collected.len()).min(bytes.len());
        let (part, others) = bytes.split_at(take);
        self.collected.extend_from_slice(part);
        let Some(header) = Header::of(&self.collected)? else { return Ok(others) };
        let rest = self.rest_of(&header)?;
        if rest == Rest::Blank {
            header.write_free(out);
        } else {
            out.extend_from_slice(&self.collected);
        }
        self.collected.clear();
        self.current = Some((rest, header.content));
        self.end_if_complete(out)?;
        Ok(others)
    }

    fn rest_of(&mut self, header: &Header) -> Result<Rest, VideoFault> {
        let first = self.media.is_none();
        match &header.name {
            b"ftyp" if first && header.content <= LARGEST_BRANDS => Ok(Rest::Collect(Whole::Brands)),
            _ if first => Err(VideoFault::Damaged),
            b"moov" if self.milliseconds.is_none() && header.content <= LARGEST_PART => Ok(Rest::Collect(Whole::Movie)),
            b"mdat" => {
                self.has_data = true;
                Ok(Rest::Keep)
            }
            b"moof" if header.content <= LARGEST_PART => {
                self.has_fragments = true;
                Ok(Rest::Collect(Whole::Fragment))
            }
            b"sidx" | b"styp" | b"mfra" if header.content <= LARGEST_PART => Ok(Rest::Keep),
            name if BLANKED.contains(&name) => Ok(Rest::Blank),
            _ => Err(VideoFault::Damaged),
        }
    }

    fn end_if_complete(&mut self, out: &mut Vec<u8>) -> Result<(), VideoFault> {
        let Some((rest, 0)) = self.current else { return Ok(()) };
        self.current = None;
        let mut content = std::mem::take(&mut self.collected);
        match rest {
            Rest::Collect(Whole::Brands) => self.media = Some(brand_of(&content)?),
            Rest::Collect(Whole::Movie) => {
                let mut movie = Movie::default();
                movie.read(&mut content, *b"moov", 0)?;
                self.milliseconds = Some(movie.milliseconds()?);
                self.knows_fragments = movie.fragments.is_some();
            }
            Rest::Collect(Whole::Fragment) => Movie::default().read(&mut content, *b"moof", 0)?,
            Rest::Keep | Rest::Blank => {}
        }
        out.append(&mut content);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(MediaType, u64), VideoFault> {
        if self.current.is_some() || !self.collected.is_empty() {
            return Err(VideoFault::Truncated);
        }
        let media = self.media.ok_or(VideoFault::Format)?;
        let milliseconds = self.milliseconds.ok_or(VideoFault::Truncated)?;
        if !self.has_data {
            return Err(VideoFault::Truncated);
        }
        let unknown = self.has_fragments && !self.knows_fragments;
        if milliseconds == 0 || unknown { Err(VideoFault::NoDuration) } else { Ok((media, milliseconds)) }
    }
}

/// Returns the format that `ftyp` names. Brands of still pictures and audio are refused.
fn brand_of(content: &[u8]) -> Result<MediaType, VideoFault> {
    let major = content.get(..4).ok_or(VideoFault::Damaged)?;
    if !content.len().is_multiple_of(4) {
        return Err(VideoFault::Damaged);
    }
    match major {
        b"qt  " => Ok(MediaType::QuickTime),
        b"isom" | b"iso2" | b"iso3" | b"iso4" | b"iso5" | b"iso6" | b"iso7" | b"iso8" | b"iso9" | b"mp41" | b"mp42"
        | b"avc1" | b"M4V " | b"M4VH" | b"M4VP" | b"MSNV" | b"XAVC" | b"dash" | b"hvc1" | b"3gp4" | b"3gp5"
        | b"3gp6" | b"3gp7" => Ok(MediaType::Mp4),
        _ => Err(VideoFault::Format),
    }
}

struct Header {
    name: [u8; 4],
    /// Whether the size has 8 bytes.
    long: bool,
    /// The size of the whole box.
    size: u64,
    /// The size of the content.
    content: u64,
}

impl Header {
    /// Reads a header, or returns `None` if it is not complete.
    fn of(bytes: &[u8]) -> Result<Option<Self>, VideoFault> {
        let (Some(size), Some(name)) = (bytes.get(..4), bytes.get(4..8)) else { return Ok(None) };
        let long = number(size) == 1;
        let size = if long {
            let Some(size) = bytes.get(8..16) else { return Ok(None) };
            number(size)
        } else {
            number(size)
        };
        // A size of 0 would mean "up to the end of the file", and thereby include whatever is appended.
        let content = size.checked_sub(if long { 16 } else { 8 }).ok_or(VideoFault::Damaged)?;
        Ok(Some(Self { name: name.try_into().map_err(|_| VideoFault::Damaged)?, long, size, content }))
    }

    /// Writes the header of free space of the same size.
    fn write_free(&self, out: &mut Vec<u8>) {
        match u32::try_from(self.size) {
            Ok(size) if !self.long => out.extend_from_slice(&size.to_be_bytes()),
            _ => out.extend_from_slice(&1_u32.to_be_bytes()),
        }
        out.extend_from_slice(b"free");
        if self.long {
            out.extend_from_slice(&self.size.to_be_bytes());
        }
    }
}

/// Turns a box into free space.
fn blank(head: &mut [u8], inside: &mut [u8]) {
    if let Some(name) = head.get_mut(4..8) {
        name.copy_from_slice(b"free");
    }
    inside.fill(0);
}

/// Returns whether a track has pictures or sound. The track without its entry is found by no player, although its samples stay in
/// the media data.
fn is_kept(track: &[u8]) -> Result<bool, VideoFault> {
    let media = inside_of(track, *b"mdia")?.unwrap_or_default();
    let kind = inside_of(media, *b"hdlr")?.and_then(|handler| handler.get(8..12));
    Ok(kind.is_some_and(|kind| TRACKS.contains(&kind)))
}

/// Returns the content of the first box with a name.
fn inside_of(mut content: &[u8], name: [u8; 4]) -> Result<Option<&[u8]>, VideoFault> {
    while !content.is_empty() {
        let header = Header::of(content)?.ok_or(VideoFault::Damaged)?;
        let size = usize::try_from(header.size).map_err(|_| VideoFault::Damaged)?;
        let (whole, others) = content.split_at_checked(size).ok_or(VideoFault::Damaged)?;
        if header.name == name {
            return Ok(whole.get(if header.long { 16 } else { 8 }..));
        }
        content = others;
    }
    Ok(None)
}

/// What `moov` says about the tracks.
#[derive(Default)]
struct Movie {
    /// The longest duration that any header states.
    longest_ms: Option<u64>,
    /// The number of time units per second of the whole movie.
    timescale: Option<u64>,
    /// The duration of all fragments, in units of `timescale`.
    fragments: Option<u64>,
    has_video: bool,
}

impl Movie {
    /// Reads the boxes inside a box, and removes metadata. They must fill it exactly.
    fn read(&mut self, content: &mut [u8], parent: [u8; 4], depth: u32) -> Result<(), VideoFault> {
        if depth > DEEPEST {
            return Err(VideoFault::Damaged);
        }
        let mut rest = content;
        while !rest.is_empty() {
            let header = Header::of(rest)?.ok_or(VideoFault::Damaged)?;
            let size = usize::try_from(header.size).map_err(|_| VideoFault::Damaged)?;
            if size > rest.len() {
                return Err(VideoFault::Damaged);
            }
            let (whole, others) = rest.split_at_mut(size);
            rest = others;
            let (head, inside) = whole.split_at_mut(if header.long { 16 } else { 8 });
            match (&header.name, &parent) {
                (name, _) if BLANKED.contains(&name) => blank(head, inside),
                (b"trak", b"moov") if !is_kept(inside)? => blank(head, inside),
                (b"mvhd", b"moov") => {
                    self.timescale = Some(self.duration(inside)?);
                }
                (b"mdhd", b"mdia") => {
                    self.duration(inside)?;
                }
                (b"mehd", b"mvex") => {
                    let long = inside.first() == Some(&1);
                    let duration = if long { inside.get(4..12) } else { inside.get(4..8) };
                    self.fragments = Some(number(duration.ok_or(VideoFault::Damaged)?));
                }
                (b"hdlr", b"mdia") => self.has_video |= inside.get(8..12) == Some(b"vide".as_slice()),
                (name @ (b"trak" | b"mvex"), b"moov") | (name @ b"mdia", b"trak") | (name @ b"traf", b"moof") => {
                    self.read(inside, *name, depth.saturating_add(1))?;
                }
                // A compressed movie could hide anything.
                (b"cmov", _) => return Err(VideoFault::Damaged),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the duration in a movie or media header. Returns its time units per second.
    fn duration(&mut self, inside: &[u8]) -> Result<u64, VideoFault> {
        let (scale, duration) = match inside.first() {
            Some(0) => (inside.get(12..16), inside.get(16..20)),
            Some(1) => (inside.get(20..24), inside.get(24..32)),
            _ => return Err(VideoFault::Damaged),
        };
        let (scale, length) = (scale.ok_or(VideoFault::Damaged)?, duration.ok_or(VideoFault::Damaged)?);
        // All bits are set if the duration is not known.
        let known = length.iter().any(|byte| *byte != u8::MAX);
        let (scale, ticks) = (number(scale), if known { number(length) } else { 0 });
        let ms = to_ms(ticks, scale).ok_or(VideoFault::Damaged)?;
        self.longest_ms = Some(self.longest_ms.unwrap_or(0).max(ms));
        Ok(scale)
    }

    fn milliseconds(&self) -> Result<u64, VideoFault> {
        if !self.has_video {
            return Err(VideoFault::NoVideo);
        }
        let scale = self.timescale.ok_or(VideoFault::Damaged)?;
        let fragments = to_ms(self.fragments.unwrap_or(0), scale).ok_or(VideoFault::Damaged)?;
        Ok(self.longest_ms.unwrap_or(0).max(fragments))
    }
}
