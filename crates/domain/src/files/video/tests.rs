use proptest::prelude::*;

use super::samples::{boxed, brands, element, fragmented, header, movie, mp4, segment, webm};
use super::*;

/// Reads a video in pieces and returns its facts and the stored bytes.
fn read_in(bytes: &[u8], piece: usize) -> Result<(VideoFacts, Vec<u8>), VideoFault> {
    let mut reader = VideoReader::new(180);
    let mut out = Vec::new();
    for part in bytes.chunks(piece.max(1)) {
        reader.read(part, &mut out)?;
    }
    reader.finish().map(|facts| (facts, out))
}

fn read(bytes: &[u8]) -> Result<(VideoFacts, Vec<u8>), VideoFault> {
    read_in(bytes, usize::MAX)
}

fn fault(bytes: &[u8]) -> VideoFault {
    read(bytes).unwrap_err()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_video_is_recognized_by_its_content() {
    let facts = |bytes: Vec<u8>| read(&bytes).unwrap().0;
    assert_eq!(facts(mp4(1_500)), VideoFacts { media: MediaType::Mp4, milliseconds: 1_500 });
    let mov = [brands(b"qt  "), boxed(b"wide", b""), boxed(b"mdat", b"x"), movie(2_000)].concat();
    assert_eq!(facts(mov), VideoFacts { media: MediaType::QuickTime, milliseconds: 2_000 });
    assert_eq!(facts(webm(1_200)), VideoFacts { media: MediaType::WebM, milliseconds: 1_200 });
    // A live recording states no duration, but its clusters have timestamps.
    assert_eq!(facts(webm(0)), VideoFacts { media: MediaType::WebM, milliseconds: 900 });
}

#[test]
fn the_duration_of_a_recording_in_fragments_is_that_of_its_longest_track() {
    for (sounds, milliseconds) in [(2, 3_000), (6, 3_000), (7, 3_500), (360, 180_000)] {
        let video = fragmented(sounds, b"");
        for piece in [1, 7, usize::MAX] {
            let (facts, stored) = read_in(&video, piece).unwrap();
            assert_eq!(facts, VideoFacts { media: MediaType::Mp4, milliseconds });
            assert_eq!(stored, video);
        }
    }
    // What the movie states counts if it is longer.
    let states = |ms: u32| boxed(b"mehd", &[[0; 4], ms.to_be_bytes()].concat());
    assert_eq!(read(&fragmented(2, &states(4_000))).unwrap().0.milliseconds, 4_000);
    assert_eq!(read(&fragmented(2, &states(9))).unwrap().0.milliseconds, 3_000);
    assert_eq!(fault(&fragmented(361, &states(9))), VideoFault::TooLong);
    assert_eq!(fault(&fragmented(361, b"")), VideoFault::TooLong);
}

#[test]
fn fragments_that_contradict_the_movie_are_refused() {
    let good = fragmented(2, b"");
    // The number of samples of the first run with a duration each: 2 instead of 1.
    let run = [0, 0, 3, 5, 0, 0, 0, 1];
    let at = good.windows(8).position(|window| window == run).unwrap();
    let mut bad = good.clone();
    bad[at + 7] = 2;
    assert_eq!(fault(&bad), VideoFault::Damaged);
    // No fragment belongs to a track of the movie.
    let bytes = replaced(replaced(good, b"tkhd", b"none"), b"tkhd", b"none");
    assert_eq!(fault(&bytes), VideoFault::NoDuration);
}

#[test]
fn segments_and_clusters_of_unknown_size_are_read() {
    let unknown = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    let cluster = |at: u8| {
        [&[0x1f, 0x43, 0xb6, 0x75], unknown.as_slice(), &element(&[0xe7], &[at]), &element(&[0xa3], b"....")].concat()
    };
    let tracks = element(&[0x16, 0x54, 0xae, 0x6b], &element(&[0xae], &element(&[0x83], &[1])));
    let cues = element(&[0x1c, 0x53, 0xbb, 0x6b], b"");
    let live = [header(b"webm"), [&[0x18, 0x53, 0x80, 0x67], unknown.as_slice()].concat(), tracks, cluster(1)].concat();
    let live = [live, cluster(70), cues].concat();
    assert_eq!(read(&live).unwrap().0.milliseconds, 70);
    assert_eq!(fault(&[live.as_slice(), b"PK\x03\x04foreign"].concat()), VideoFault::Damaged);
}

#[test]
fn metadata_and_free_space_are_not_stored() {
    let (_, stored) = read(&mp4(1_000)).unwrap();
    assert_eq!(stored.len(), mp4(1_000).len());
    assert!(contains(&mp4(1_000), b"+37.5665") && !contains(&stored, b"+37.5665"));
    assert!(!contains(&stored, b"free text") && !contains(&stored, b"udta"));
    let (_, stored) = read(&webm(1_000)).unwrap();
    assert_eq!(stored.len(), webm(1_000).len());
    assert!(contains(&webm(1_000), b"secret") && !contains(&stored, b"secret"));
}

#[test]
fn metadata_of_webm_becomes_free_space_of_the_same_size() {
    let texts = [
        element(&[0x4d, 0x80], b"muxer-secret"),
        element(&[0x57, 0x41], b"writer-secret"),
        element(&[0x7b, 0xa9], b"title-secret"),
        element(&[0x44, 0x61], b"date-sec"),
        element(&[0xbf], b"crc!"),
        // The shortest head: an ID of two bytes and a size of one.
        [&[0x73, 0xa4, 0x8a][..], b"uid-secret"].concat(),
    ];
    let duration = element(&[0x44, 0x89], &2_000_f64.to_be_bytes());
    let scale = element(&[0x2a, 0xd7, 0xb1], &[0x0f, 0x42, 0x40]);
    let info = element(&[0x15, 0x49, 0xa9, 0x66], &[texts.concat(), scale.clone(), duration.clone()].concat());
    let track = [element(&[0x83], &[1]), element(&[0x53, 0x6e], b"name-secret"), element(&[0x86], b"V_VP9")].concat();
    let tracks = element(&[0x16, 0x54, 0xae, 0x6b], &element(&[0xae], &track));
    let tag = element(&[0x67, 0xc8], b"LOCATION +37.5665+126.9780");
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], &element(&[0x73, 0x73], &tag));
    let chapters = element(&[0x10, 0x43, 0xa7, 0x70], b"chapter-secret");
    let block = element(&[0xa3], b"a block");
    let checked = [element(&[0xbf], b"sum!"), element(&[0xe7], &[9]), block.clone()].concat();
    let cluster = element(&[0x1f, 0x43, 0xb6, 0x75], &checked);
    let seek = element(&[0x11, 0x4d, 0x9b, 0x74], b"positions");
    let content = [seek.clone(), info, tracks, tags, chapters, cluster].concat();
    let video = [header(b"webm"), element(&[0x18, 0x53, 0x80, 0x67], &content)].concat();
    for piece in [1, 7, usize::MAX] {
        let (facts, stored) = read_in(&video, piece).unwrap();
        assert_eq!((facts.milliseconds, stored.len()), (2_000, video.len()));
        for part in [b"secret".as_slice(), b"LOCATION", b"37.5665", b"date-sec", b"crc!", b"sum!"] {
            assert!(contains(&video, part) && !contains(&stored, part), "{}", String::from_utf8_lossy(part));
        }
        for kept in [&seek, &scale, &duration, &block, &element(&[0x86], b"V_VP9")] {
            let position = |bytes: &[u8]| bytes.windows(kept.len()).position(|window| window == kept.as_slice());
            assert!(position(&video).is_some() && position(&stored) == position(&video), "{kept:02x?}");
        }
        // What is stored is a video whose metadata are free space.
        assert_eq!(read(&stored).unwrap(), (facts, stored));
    }
}

#[test]
fn metadata_of_mp4_is_removed_from_tracks_and_fragments() {
    let head = [[0_u8; 12].as_slice(), &1_000_u32.to_be_bytes(), &9_000_u32.to_be_bytes(), &[0; 80]].concat();
    let handler = |kind: &[u8]| boxed(b"hdlr", &[[0_u8; 8].as_slice(), kind, &[0; 13]].concat());
    let track = |kind: &[u8], more: &[u8]| {
        boxed(b"trak", &[more, &boxed(b"mdia", &[boxed(b"mdhd", &head), handler(kind)].concat())].concat())
    };
    let tracks = [
        track(b"vide", &boxed(b"udta", b"track-secret")),
        track(b"soun", &boxed(b"meta", b"sound-secret")),
        track(b"meta", &boxed(b"tkhd", b"place-secret")),
        boxed(b"trak", &boxed(b"tkhd", b"no kind: secret")),
    ];
    let shown = boxed(b"meta", b"movie-secret");
    let moov = boxed(b"moov", &[boxed(b"mvhd", &head), shown, tracks.concat()].concat());
    let traf = boxed(b"traf", &[boxed(b"tfhd", &[1; 8]), boxed(b"uuid", b"fragment-secret")].concat());
    let moof = boxed(b"moof", &[boxed(b"mfhd", &[2; 8]), traf, boxed(b"meta", b"moof-secret")].concat());
    let whole = [brands(b"isom"), moov, boxed(b"mdat", &[7; 30])].concat();
    let (facts, stored) = read(&whole).unwrap();
    assert_eq!((facts.milliseconds, stored.len()), (9_000, whole.len()));
    assert!(contains(&whole, b"secret") && !contains(&stored, b"secret"));
    assert!(contains(&stored, b"vide") && contains(&stored, b"soun") && contains(&stored, b"mvhd"));
    assert_eq!(read(&stored).unwrap(), (facts, stored));

    let mut out = Vec::new();
    VideoReader::new(180).read(&[brands(b"isom"), movie(9), moof.clone()].concat(), &mut out).unwrap();
    assert!(contains(&moof, b"secret") && !contains(&out, b"secret") && contains(&out, b"tfhd"));
}

#[test]
fn what_is_no_video_is_refused() {
    let picture = brands(b"heic");
    for (bytes, expected) in [
        (b"".to_vec(), VideoFault::Format),
        (b"<html><script>alert(1)</script>".to_vec(), VideoFault::Format),
        (b"GIF89a..........".to_vec(), VideoFault::Format),
        ([picture, movie(1)].concat(), VideoFault::Format),
        ([header(b"matroska"), segment(1)].concat(), VideoFault::Format),
        // No pictures, only sound.
        (mp4(1), VideoFault::NoVideo),
        ([brands(b"isom"), boxed(b"mdat", b"x")].concat(), VideoFault::Truncated),
        ([brands(b"isom"), movie(9)].concat(), VideoFault::Truncated),
        ([brands(b"isom"), boxed(b"mdat", b"x"), movie(0)].concat(), VideoFault::NoDuration),
        ([brands(b"isom"), boxed(b"mdat", b"x"), movie(9), movie(9)].concat(), VideoFault::Damaged),
        (
            [brands(b"isom"), movie(9), boxed(b"moof", &boxed(b"mfhd", &[0; 8])), boxed(b"mdat", b"x")].concat(),
            VideoFault::NoDuration,
        ),
        (
            [brands(b"isom"), boxed(b"moof", &boxed(b"mfhd", &[0; 8])), boxed(b"mdat", b"x"), movie(9)].concat(),
            VideoFault::Damaged,
        ),
        // A box up to the end of the file.
        ([mp4(9), b"\0\0\0\0mdat".to_vec()].concat(), VideoFault::Damaged),
        (mp4(180_001), VideoFault::TooLong),
        (webm(180_001), VideoFault::TooLong),
    ] {
        let bytes = if expected == VideoFault::NoVideo { replaced(bytes, b"vide", b"soun") } else { bytes };
        assert_eq!(fault(&bytes), expected, "{}", String::from_utf8_lossy(&bytes));
    }
    assert!(read(&mp4(180_000)).is_ok());
}

fn replaced(mut bytes: Vec<u8>, part: &[u8], by: &[u8]) -> Vec<u8> {
    let at = bytes.windows(4).position(|window| window == part).unwrap();
    bytes[at..at + 4].copy_from_slice(by);
    bytes
}

#[test]
fn appended_content_is_refused() {
    for foreign in [
        b"<script>alert(1)</script>".as_slice(),
        b"PK\x03\x04\x14\0\0\0\0\0\0\0",
        b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        b"%PDF-1.7\n",
        b"x",
        &boxed(b"html", b"<script>"),
        &element(&[0x19, 0x41, 0xa4, 0x69], b"attached"),
    ] {
        for video in [mp4(1_000), webm(1_000)] {
            let refused = fault(&[video.as_slice(), foreign].concat());
            assert!(matches!(refused, VideoFault::Damaged | VideoFault::Truncated), "{refused:?}");
        }
    }
    let hidden = [segment(9), element(&[0x19, 0x41, 0xa4, 0x69], b"attached")].concat();
    assert_eq!(fault(&[header(b"webm"), element(&[0x18, 0x53, 0x80, 0x67], &hidden)].concat()), VideoFault::Damaged);
}

#[test]
fn a_video_that_ends_early_is_refused() {
    for video in [mp4(1_000), webm(1_000)] {
        for length in 0..video.len() {
            assert!(read(&video[..length]).is_err(), "{length} of {} bytes", video.len());
        }
    }
}

proptest! {
    /// Whatever arrives, the reader neither panics nor stores more than it has read.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600), kind in 0..3_u8) {
        let start = match kind { 0 => brands(b"isom"), 1 => header(b"webm"), _ => Vec::new() };
        let bytes = [start, bytes].concat();
        if let Ok((_, stored)) = read(&bytes) {
            prop_assert_eq!(stored.len(), bytes.len());
        }
    }

    /// A damaged video is read or refused in the same way, however it is divided.
    #[test]
    fn the_pieces_do_not_matter(piece in 1..64_usize, at in any::<prop::sample::Index>(), byte in any::<u8>(),
                                kind in 0..3_u8) {
        let mut video = match kind { 0 => mp4(1_000), 1 => fragmented(3, b""), _ => webm(1_000) };
        let at = at.index(video.len());
        video[at] = byte;
        prop_assert_eq!(read_in(&video, piece), read(&video));
    }
}
