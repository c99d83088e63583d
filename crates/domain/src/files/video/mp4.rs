//! MP4 and `QuickTime`: a file is a sequence of boxes, each with its size and a name of four letters (ISO/IEC 14496-12).

use std::collections::BTreeMap;

use super::{LARGEST_PART, VideoFault, number, to_ms};
use crate::files::MediaType;

/// The maximum size of `ftyp`, in bytes.
const LARGEST_BRANDS: u64 = 4_096;
/// Boxes with metadata or free space. Their content is removed wherever they occur.
const BLANKED: [&[u8; 4]; 7] = [b"free", b"skip", b"wide", b"uuid", b"udta", b"meta", b"pnot"];
/// The kinds of tracks that are kept. Others describe the recording, for example where the camera was at each moment.
const TRACKS: [&[u8]; 2] = [b"vide", b"soun"];
/// How deep boxes may be nested.
const MAX_DEPTH: u32 = 8;

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
    movie: Option<Movie>,
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
            b"moov" if self.movie.is_none() && header.content <= LARGEST_PART => Ok(Rest::Collect(Whole::Movie)),
            b"mdat" => {
                self.has_data = true;
                Ok(Rest::Keep)
            }
            b"moof" if self.movie.is_some() && header.content <= LARGEST_PART => {
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
                if !movie.has_video {
                    return Err(VideoFault::NoVideo);
                }
                self.movie = Some(movie);
            }
            Rest::Collect(Whole::Fragment) => {
                self.movie.as_mut().ok_or(VideoFault::Damaged)?.read(&mut content, *b"moof", 0)?;
            }
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
        let movie = self.movie.ok_or(VideoFault::Truncated)?;
        if !self.has_data {
            return Err(VideoFault::Truncated);
        }
        let fragments = movie.fragments_ms()?;
        // A header may state the duration with or without the fragments.
        let milliseconds = movie.longest_ms.unwrap_or(0).max(fragments);
        let unknown = self.has_fragments && fragments == 0;
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

/// The name and the content of a box.
type Named<'b> = ([u8; 4], &'b [u8]);

/// Returns the boxes that fill `content` exactly.
fn boxes(mut content: &[u8]) -> Result<Vec<Named<'_>>, VideoFault> {
    let mut found = Vec::new();
    while !content.is_empty() {
        let header = Header::of(content)?.ok_or(VideoFault::Damaged)?;
        let size = usize::try_from(header.size).map_err(|_| VideoFault::Damaged)?;
        let (whole, others) = content.split_at_checked(size).ok_or(VideoFault::Damaged)?;
        let inside = whole.get(if header.long { 16 } else { 8 }..).ok_or(VideoFault::Damaged)?;
        found.push((header.name, inside));
        content = others;
    }
    Ok(found)
}

/// Returns the content of the first box with a name.
fn inside_of(content: &[u8], name: [u8; 4]) -> Result<Option<&[u8]>, VideoFault> {
    Ok(boxes(content)?.into_iter().find(|(found, _)| *found == name).map(|(_, inside)| inside))
}

/// Reads the four bytes at a position.
fn word(bytes: &[u8], at: usize) -> Result<u64, VideoFault> {
    let end = at.saturating_add(4);
    bytes.get(at..end).map(number).ok_or(VideoFault::Damaged)
}

/// A track whose samples are in fragments.
struct Track {
    id: u64,
    /// The number of time units per second.
    timescale: u64,
    /// The duration of the samples in all fragments so far, in units of `timescale`.
    ticks: u64,
}

impl Track {
    /// Reads the ID and the time units of `trak`. Returns `None` if it has no ID, so that no fragment can refer to it.
    fn of(track: &[u8]) -> Result<Option<Self>, VideoFault> {
        let Some(head) = inside_of(track, *b"tkhd")? else { return Ok(None) };
        let media = inside_of(track, *b"mdia")?.unwrap_or_default();
        let times = inside_of(media, *b"mdhd")?.ok_or(VideoFault::Damaged)?;
        let long = |header: &[u8]| header.first() == Some(&1);
        let id = word(head, if long(head) { 20 } else { 12 })?;
        let timescale = word(times, if long(times) { 20 } else { 12 })?;
        Ok(Some(Self { id, timescale, ticks: 0 }))
    }
}

/// Returns the duration of the samples of a `trun`, in units of the track.
fn duration_of(run: &[u8], usual: u64) -> Result<u64, VideoFault> {
    let (flags, count) = (word(run, 0)?, word(run, 4)?);
    let has = |flag: u64| flags & flag != 0;
    if !has(0x100) {
        return Ok(count.saturating_mul(usual));
    }
    let start = [0x1, 0x4].into_iter().filter(|flag| has(*flag)).fold(8, |at: usize, _| at.saturating_add(4));
    let fields = [0x100, 0x200, 0x400, 0x800].into_iter().filter(|flag| has(*flag)).count();
    let count = usize::try_from(count).map_err(|_| VideoFault::Damaged)?;
    let samples = run.get(start..).unwrap_or_default().chunks_exact(fields.saturating_mul(4));
    if samples.len() != count {
        return Err(VideoFault::Damaged);
    }
    samples.map(|sample| word(sample, 0)).try_fold(0, |sum: u64, ticks| Ok(sum.saturating_add(ticks?)))
}

/// What `moov` and the fragments say about the tracks.
#[derive(Default)]
struct Movie {
    /// The longest duration that any header states.
    longest_ms: Option<u64>,
    /// The number of time units per second of the whole movie.
    timescale: Option<u64>,
    /// The duration of all fragments as stated, in units of `timescale`.
    fragments: u64,
    tracks: Vec<Track>,
    /// The usual duration of a sample in the fragments of a track, by its ID.
    usual: BTreeMap<u64, u64>,
    has_video: bool,
}

impl Movie {
    /// Reads the boxes inside a box, and removes metadata. They must fill it exactly.
    fn read(&mut self, content: &mut [u8], parent: [u8; 4], depth: u32) -> Result<(), VideoFault> {
        if depth > MAX_DEPTH {
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
                (b"trex", b"mvex") => {
                    self.usual.insert(word(inside, 4)?, word(inside, 12)?);
                }
                (b"mvhd", b"moov") => {
                    self.timescale = Some(self.duration(inside)?);
                }
                (b"mdhd", b"mdia") => {
                    self.duration(inside)?;
                }
                (b"mehd", b"mvex") => {
                    let long = inside.first() == Some(&1);
                    let duration = if long { inside.get(4..12) } else { inside.get(4..8) };
                    self.fragments = number(duration.ok_or(VideoFault::Damaged)?);
                }
                (b"hdlr", b"mdia") => self.has_video |= inside.get(8..12) == Some(b"vide".as_slice()),
                (b"trak", b"moov") => {
                    self.tracks.extend(Track::of(inside)?);
                    self.read(inside, *b"trak", depth.saturating_add(1))?;
                }
                (b"traf", b"moof") => {
                    self.add_fragment(inside)?;
                    self.read(inside, *b"traf", depth.saturating_add(1))?;
                }
                (name @ b"mvex", b"moov") | (name @ b"mdia", b"trak") => {
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

    /// Adds the samples of a `traf` to its track. Players skip fragments of other tracks.
    fn add_fragment(&mut self, fragment: &[u8]) -> Result<(), VideoFault> {
        let head = inside_of(fragment, *b"tfhd")?.ok_or(VideoFault::Damaged)?;
        let (flags, id) = (word(head, 0)?, word(head, 4)?);
        let Some(track) = self.tracks.iter_mut().find(|track| track.id == id) else { return Ok(()) };
        let usual = if flags & 0x8 == 0 {
            self.usual.get(&id).copied().unwrap_or_default()
        } else {
            // The position of the data and the number of the description come first.
            let at = [(0x1, 8), (0x2, 4)].into_iter().filter(|(flag, _)| flags & flag != 0);
            word(head, at.fold(8, |at: usize, (_, size)| at.saturating_add(size)))?
        };
        for (_, run) in boxes(fragment)?.into_iter().filter(|(name, _)| name == b"trun") {
            track.ticks = track.ticks.saturating_add(duration_of(run, usual)?);
        }
        Ok(())
    }

    /// Returns the duration of all fragments: as stated, or that of the longest track. Recordings that are written while they
    /// last, as browsers and phones do, do not state it.
    fn fragments_ms(&self) -> Result<u64, VideoFault> {
        let scale = self.timescale.ok_or(VideoFault::Damaged)?;
        let tracks = self.tracks.iter().filter(|track| track.ticks > 0).map(|track| (track.ticks, track.timescale));
        let all = tracks.chain([(self.fragments, scale)]);
        all.map(|(ticks, scale)| to_ms(ticks, scale).ok_or(VideoFault::Damaged))
            .try_fold(0, |longest: u64, ms| Ok(longest.max(ms?)))
    }
}
