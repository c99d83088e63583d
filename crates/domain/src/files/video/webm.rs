//! `WebM`: a file is a header and a segment, made of elements that each begin with an ID and a size (RFC 8794, RFC 9559).

use super::{LARGEST_PART, VideoFault, number};

/// The ID of the header, with which each file begins.
pub(super) const MAGIC: [u8; 4] = [0x1a, 0x45, 0xdf, 0xa3];

const HEADER: u32 = 0x1a45_dfa3;
const DOC_TYPE: u32 = 0x4282;
const SEGMENT: u32 = 0x1853_8067;
const SEEK_HEAD: u32 = 0x114d_9b74;
const INFO: u32 = 0x1549_a966;
const TIMESTAMP_SCALE: u32 = 0x2a_d7b1;
const DURATION: u32 = 0x4489;
const TRACKS: u32 = 0x1654_ae6b;
const TRACK_ENTRY: u32 = 0xae;
const TRACK_TYPE: u32 = 0x83;
/// Texts about a track.
const TRACK_TEXTS: [u32; 5] = [0x536e, 0x25_8688, 0x3a_9697, 0x3b_4040, 0x26_b240];
const CLUSTER: u32 = 0x1f43_b675;
const TIMESTAMP: u32 = 0xe7;
const CUES: u32 = 0x1c53_bb6b;
const CHAPTERS: u32 = 0x1043_a770;
const TAGS: u32 = 0x1254_c367;
const VOID: u32 = 0xec;
/// A checksum of the other elements beside it, which is no longer right when one of them is overwritten.
const CHECKSUM: u32 = 0xbf;
/// Elements of a cluster that are stored as they are: blocks and what describes them.
const IN_CLUSTER: [u32; 5] = [0xa3, 0xa0, 0xa7, 0xab, 0x5854];

/// The maximum size of the header, in bytes.
const LARGEST_HEADER: u64 = 4_096;
/// The type of a track with moving pictures.
const VIDEO_TRACK: u64 = 1;
/// The usual unit of timestamps, in nanoseconds.
const USUAL_SCALE: u64 = 1_000_000;

/// What happens to the rest of the current element. A collected element is known by its ID.
type Rest = super::Rest<u32>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    Nothing,
    Header,
    Segment,
}

/// An element inside which the next element begins, and the number of bytes until its end, if it is known.
#[derive(Debug, Clone, Copy)]
struct Open {
    id: u32,
    left: Option<u64>,
}

pub(super) struct WebM {
    /// The start of an element, or its collected content.
    collected: Vec<u8>,
    current: Option<(Rest, u64)>,
    open: Vec<Open>,
    /// The parts of the file that have begun.
    begun: Begun,
    has_video: bool,
    has_clusters: bool,
    /// The unit of timestamps, in nanoseconds.
    scale: u64,
    /// As stated, in units.
    duration: f64,
    /// The largest timestamp of a cluster, in units.
    last: u64,
}

impl Default for WebM {
    fn default() -> Self {
        Self {
            collected: Vec::new(),
            current: None,
            open: Vec::new(),
            begun: Begun::Nothing,
            has_video: false,
            has_clusters: false,
            scale: USUAL_SCALE,
            duration: 0.0,
            last: 0,
        }
    }
}

impl WebM {
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
            self.consume(taken)?;
            self.end_if_complete(out)?;
        }
        Ok(())
    }

    /// Reads the ID and size of the next element. Returns the bytes after them.
    fn begin<'b>(&mut self, bytes: &'b [u8], out: &mut Vec<u8>) -> Result<&'b [u8], VideoFault> {
        let Some((byte, others)) = bytes.split_first() else { return Ok(bytes) };
        self.collected.push(*byte);
        let Some(element) = Element::of(&self.collected)? else { return Ok(others) };
        let length = u64::try_from(self.collected.len()).unwrap_or(u64::MAX);
        self.close_ended(element.id);
        self.consume(length)?;
        if let (Some(size), Some(left)) = (element.size, self.open.last().and_then(|open| open.left))
            && size > left
        {
            return Err(VideoFault::Damaged);
        }
        if matches!(element.id, SEGMENT | CLUSTER) {
            out.append(&mut self.collected);
            self.enter(element)?;
        } else {
            let size = element.size.ok_or(VideoFault::Damaged)?;
            let rest = self.rest_of(element.id, size)?;
            if rest == Rest::Blank {
                write_void(&mut self.collected, size);
            }
            out.append(&mut self.collected);
            self.current = Some((rest, size));
            self.end_if_complete(out)?;
        }
        Ok(others)
    }

    /// Closes the elements that end before the next one: those that are complete, and a cluster of unknown size when an
    /// element begins that clusters do not contain.
    fn close_ended(&mut self, next: u32) {
        let in_cluster = matches!(next, TIMESTAMP | VOID | CHECKSUM) || IN_CLUSTER.contains(&next);
        while let Some(open) = self.open.last() {
            let ended = match open.left {
                Some(left) => left == 0,
                None => open.id == CLUSTER && !in_cluster,
            };
            if !ended {
                return;
            }
            self.open.pop();
        }
    }

    /// Counts bytes of all open elements.
    fn consume(&mut self, bytes: u64) -> Result<(), VideoFault> {
        for open in &mut self.open {
            if let Some(left) = &mut open.left {
                *left = left.checked_sub(bytes).ok_or(VideoFault::Damaged)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, element: Element) -> Result<(), VideoFault> {
        let inside = self.open.last().map(|open| open.id);
        match (element.id, inside) {
            (SEGMENT, None) if self.begun == Begun::Header => self.begun = Begun::Segment,
            (CLUSTER, Some(SEGMENT)) => self.has_clusters = true,
            _ => return Err(VideoFault::Damaged),
        }
        self.open.push(Open { id: element.id, left: element.size });
        Ok(())
    }

    fn rest_of(&mut self, id: u32, size: u64) -> Result<Rest, VideoFault> {
        match (id, self.open.last().map(|open| open.id)) {
            (HEADER, None) if self.begun == Begun::Nothing && size <= LARGEST_HEADER => Ok(Rest::Collect(HEADER)),
            (INFO | TRACKS, Some(SEGMENT)) if size <= LARGEST_PART => Ok(Rest::Collect(id)),
            (TIMESTAMP, Some(CLUSTER)) if size <= 8 => Ok(Rest::Collect(id)),
            (VOID | CHECKSUM, Some(_)) | (CHAPTERS | TAGS, Some(SEGMENT)) => Ok(Rest::Blank),
            (SEEK_HEAD | CUES, Some(SEGMENT)) if size <= LARGEST_PART => Ok(Rest::Keep),
            (_, Some(CLUSTER)) if IN_CLUSTER.contains(&id) => Ok(Rest::Keep),
            _ => Err(VideoFault::Damaged),
        }
    }

    fn end_if_complete(&mut self, out: &mut Vec<u8>) -> Result<(), VideoFault> {
        let Some((rest, 0)) = self.current else { return Ok(()) };
        self.current = None;
        let mut content = std::mem::take(&mut self.collected);
        match rest {
            Rest::Collect(HEADER) => {
                let kind = value(&content, DOC_TYPE)?.ok_or(VideoFault::Format)?;
                if kind != b"webm" {
                    return Err(VideoFault::Format);
                }
                self.begun = Begun::Header;
            }
            Rest::Collect(INFO) => {
                self.scale = value(&content, TIMESTAMP_SCALE)?.map_or(USUAL_SCALE, number).max(1);
                self.duration = value(&content, DURATION)?.map_or(Ok(0.0), float)?.max(self.duration);
                for (id, element) in elements_mut(&mut content)? {
                    if !matches!(id, TIMESTAMP_SCALE | DURATION) {
                        overwrite(element)?;
                    }
                }
            }
            Rest::Collect(TRACKS) => {
                for (id, entry) in elements(&content)? {
                    let video = id == TRACK_ENTRY && value(entry, TRACK_TYPE)?.map(number) == Some(VIDEO_TRACK);
                    self.has_video |= video;
                }
                for (id, entry) in elements_mut(&mut content)? {
                    match id {
                        TRACK_ENTRY => remove_texts(entry)?,
                        _ => overwrite(entry)?,
                    }
                }
            }
            Rest::Collect(_) => self.last = self.last.max(number(&content)),
            Rest::Keep | Rest::Blank => {}
        }
        out.append(&mut content);
        Ok(())
    }

    /// Ends the file. Returns the duration in milliseconds.
    pub(super) fn finish(self) -> Result<u64, VideoFault> {
        let missing = self.open.iter().any(|open| open.left.is_some_and(|left| left > 0));
        if self.current.is_some() || !self.collected.is_empty() || missing || !self.has_clusters {
            return Err(VideoFault::Truncated);
        }
        if !self.has_video {
            return Err(VideoFault::NoVideo);
        }
        let units = u128::from(self.last).max(whole(self.duration)?);
        let ms = units.checked_mul(self.scale.into()).and_then(|ns| ns.checked_div(1_000_000));
        match ms.and_then(|ms| u64::try_from(ms).ok()) {
            None => Err(VideoFault::Damaged),
            Some(0) => Err(VideoFault::NoDuration),
            Some(ms) => Ok(ms),
        }
    }
}

/// An ID and the size of the content, which is unknown in a live recording.
#[derive(Debug, Clone, Copy)]
struct Element {
    id: u32,
    /// The number of bytes of ID and size.
    head: usize,
    size: Option<u64>,
}

impl Element {
    /// Reads the start of an element, or returns `None` if it is not complete.
    fn of(bytes: &[u8]) -> Result<Option<Self>, VideoFault> {
        let Some(first) = bytes.first() else { return Ok(None) };
        // The number of leading zero bits is the number of further bytes.
        let id_length = length_of(*first, 4)?;
        let Some((id, rest)) = bytes.split_at_checked(id_length) else { return Ok(None) };
        let Some(first) = rest.first() else { return Ok(None) };
        let size_length = length_of(*first, 8)?;
        let Some(size) = rest.get(..size_length) else { return Ok(None) };
        let bits = u32::try_from(size_length).unwrap_or(8).saturating_mul(7);
        let mask = 1_u64.wrapping_shl(bits).wrapping_sub(1);
        let size = number(size) & mask;
        let id = u32::try_from(number(id)).map_err(|_| VideoFault::Damaged)?;
        let head = id_length.saturating_add(size_length);
        Ok(Some(Self { id, head, size: (size != mask).then_some(size) }))
    }
}

/// Returns the number of bytes of a number that begins with `first`.
fn length_of(first: u8, most: u32) -> Result<usize, VideoFault> {
    let length = first.leading_zeros().saturating_add(1);
    if length > most { Err(VideoFault::Damaged) } else { usize::try_from(length).map_err(|_| VideoFault::Damaged) }
}

/// Returns the elements that fill `content` exactly.
fn elements(mut content: &[u8]) -> Result<Vec<(u32, &[u8])>, VideoFault> {
    let mut found = Vec::new();
    while !content.is_empty() {
        let element = Element::of(content)?.ok_or(VideoFault::Damaged)?;
        let size = usize::try_from(element.size.ok_or(VideoFault::Damaged)?).map_err(|_| VideoFault::Damaged)?;
        let inside = content.get(element.head..).ok_or(VideoFault::Damaged)?;
        let (inside, others) = inside.split_at_checked(size).ok_or(VideoFault::Damaged)?;
        found.push((element.id, inside));
        content = others;
    }
    Ok(found)
}

/// Returns the elements that fill `content` exactly, each with its ID and size.
fn elements_mut(content: &mut [u8]) -> Result<Vec<(u32, &mut [u8])>, VideoFault> {
    let mut found = Vec::new();
    let mut rest = content;
    while !rest.is_empty() {
        let element = Element::of(rest)?.ok_or(VideoFault::Damaged)?;
        let size = usize::try_from(element.size.ok_or(VideoFault::Damaged)?).map_err(|_| VideoFault::Damaged)?;
        let size = element.head.checked_add(size).ok_or(VideoFault::Damaged)?;
        let (whole, others) = rest.split_at_mut_checked(size).ok_or(VideoFault::Damaged)?;
        found.push((element.id, whole));
        rest = others;
    }
    Ok(found)
}

/// Removes texts and checksums from a track, which is a whole element.
fn remove_texts(track: &mut [u8]) -> Result<(), VideoFault> {
    let head = Element::of(track)?.ok_or(VideoFault::Damaged)?.head;
    for (id, element) in elements_mut(track.get_mut(head..).ok_or(VideoFault::Damaged)?)? {
        if id == VOID || id == CHECKSUM || TRACK_TEXTS.contains(&id) {
            overwrite(element)?;
        }
    }
    Ok(())
}

/// Turns a whole element into free space of the same size, so that the positions of all others stay right.
fn overwrite(element: &mut [u8]) -> Result<(), VideoFault> {
    let Element { head, size, .. } = Element::of(element)?.ok_or(VideoFault::Damaged)?;
    let mut void = element.get(..head).ok_or(VideoFault::Damaged)?.to_vec();
    write_void(&mut void, size.ok_or(VideoFault::Damaged)?);
    element.fill(0);
    element.get_mut(..head).ok_or(VideoFault::Damaged)?.copy_from_slice(&void);
    Ok(())
}

/// Replaces the ID and size of an element with those of free space that takes as many bytes. `size` is that of the content.
fn write_void(head: &mut Vec<u8>, size: u64) {
    let total = head.len();
    // A size has at most 8 bytes; what is left of a longer head belongs to the free space.
    let length = total.saturating_sub(1).min(8);
    let extra = total.saturating_sub(1).saturating_sub(length);
    let size = size.saturating_add(u64::try_from(extra).unwrap_or(u64::MAX));
    let bits = u32::try_from(length).unwrap_or(8).saturating_mul(7);
    let marked = (1_u64.wrapping_shl(bits) | size).to_be_bytes();
    head.clear();
    head.push(0xec);
    head.extend(marked.iter().skip(marked.len().saturating_sub(length)));
    head.resize(total, 0);
}

/// Returns the content of the first element with an ID.
fn value(content: &[u8], id: u32) -> Result<Option<&[u8]>, VideoFault> {
    Ok(elements(content)?.into_iter().find(|(found, _)| *found == id).map(|(_, value)| value))
}

fn float(bytes: &[u8]) -> Result<f64, VideoFault> {
    if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
        return Ok(f32::from_be_bytes(bytes).into());
    }
    <[u8; 8]>::try_from(bytes).map(f64::from_be_bytes).map_err(|_| VideoFault::Damaged)
}

/// Rounds a duration up to whole units.
fn whole(units: f64) -> Result<u128, VideoFault> {
    if !(0.0..1e15).contains(&units) {
        return Err(VideoFault::Damaged);
    }
    format!("{:.0}", units.ceil()).parse().map_err(|_| VideoFault::Damaged)
}
