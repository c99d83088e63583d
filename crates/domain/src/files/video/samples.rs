//! Builds small videos for tests.

/// Returns an MP4 box.
pub(crate) fn boxed(name: &[u8], content: &[u8]) -> Vec<u8> {
    let size = u32::try_from(content.len() + 8).unwrap();
    [size.to_be_bytes().as_slice(), name, content].concat()
}

pub(crate) fn brands(major: &[u8]) -> Vec<u8> {
    boxed(b"ftyp", &[major, &[0; 4], b"isom"].concat())
}

/// Returns `moov` of a video with one track and metadata, of a duration in milliseconds.
pub(crate) fn movie(milliseconds: u32) -> Vec<u8> {
    let head = [[0_u8; 12].as_slice(), &1_000_u32.to_be_bytes(), &milliseconds.to_be_bytes(), &[0; 80]].concat();
    let handler = boxed(b"hdlr", &[[0_u8; 8].as_slice(), b"vide", &[0; 13]].concat());
    let media = boxed(b"mdia", &[boxed(b"mdhd", &head), handler].concat());
    let track = boxed(b"trak", &media);
    boxed(b"moov", &[boxed(b"mvhd", &head), track, boxed(b"udta", b"+37.5665+126.9780/")].concat())
}

pub(crate) fn mp4(milliseconds: u32) -> Vec<u8> {
    [brands(b"isom"), boxed(b"free", b"free text"), boxed(b"mdat", &[7; 300]), movie(milliseconds)].concat()
}

/// Returns a recording in two fragments, as browsers write it: no header states a duration. The samples of the video last half
/// a second each by default, and those of the sound, of which there are `sounds` in each fragment, a quarter of a second.
pub(crate) fn fragmented(sounds: u32, extends: &[u8]) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>();
    let track = |id: u32, kind: &[u8], scale: u32| {
        let times = boxed(b"mdhd", &words(&[0, 0, 0, scale, 0, 0]));
        let handler = boxed(b"hdlr", &[[0_u8; 8].as_slice(), kind, &[0; 13]].concat());
        let media = boxed(b"mdia", &[times, handler].concat());
        boxed(b"trak", &[boxed(b"tkhd", &words(&[3, 0, 0, id, 0, 0])), media].concat())
    };
    let tracks = [track(1, b"vide", 600), track(2, b"soun", 48_000)].concat();
    let usual = boxed(b"trex", &words(&[0, 1, 1, 300, 0, 0]));
    let extends = boxed(b"mvex", &[extends, &usual].concat());
    let moov = boxed(b"moov", &[boxed(b"mvhd", &words(&[0, 0, 0, 1_000, 0, 0])), tracks, extends].concat());
    let video = [boxed(b"tfhd", &words(&[0x2_0000, 1])), boxed(b"trun", &words(&[0x1, 3, 8]))].concat();
    // The samples of the sound have a duration and a size each in the first run, and the duration of `tfhd` in the second.
    let each = (1..sounds).flat_map(|_| words(&[12_000, 4])).collect::<Vec<_>>();
    let runs =
        [boxed(b"trun", &[words(&[0x305, sounds - 1, 8, 0]), each].concat()), boxed(b"trun", &words(&[0x200, 1, 4]))];
    let sound = [boxed(b"tfhd", &words(&[0xb, 2, 0, 0, 1, 12_000])), runs.concat()].concat();
    let moof = boxed(b"moof", &[boxed(b"mfhd", &[0; 8]), boxed(b"traf", &video), boxed(b"traf", &sound)].concat());
    let fragment = [moof, boxed(b"mdat", b"samples")].concat();
    [brands(b"iso5"), moov, fragment.clone(), fragment].concat()
}

/// Returns a `WebM` element.
pub(crate) fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let size = 0x0100_0000_0000_0000_u64 | u64::try_from(content.len()).unwrap();
    [id, &size.to_be_bytes(), content].concat()
}

/// Returns the header of a `WebM` file.
pub(crate) fn header(kind: &[u8]) -> Vec<u8> {
    element(&[0x1a, 0x45, 0xdf, 0xa3], &element(&[0x42, 0x82], kind))
}

/// Returns the elements of a segment: information, a video track, and two clusters.
pub(crate) fn segment(milliseconds: u32) -> Vec<u8> {
    let info = element(&[0x44, 0x89], &f64::from(milliseconds).to_be_bytes());
    let track = element(&[0xae], &element(&[0x83], &[1]));
    let cluster = |at: u16, block: &[u8]| {
        let inside = [element(&[0xe7], &at.to_be_bytes()), element(&[0xa3], block)].concat();
        element(&[0x1f, 0x43, 0xb6, 0x75], &inside)
    };
    let void = element(&[0xec], b"secret");
    [
        element(&[0x15, 0x49, 0xa9, 0x66], &info),
        element(&[0x16, 0x54, 0xae, 0x6b], &track),
        void,
        cluster(0, &[1; 40]),
        cluster(900, &[2; 40]),
    ]
    .concat()
}

pub(crate) fn webm(milliseconds: u32) -> Vec<u8> {
    [header(b"webm"), element(&[0x18, 0x53, 0x80, 0x67], &segment(milliseconds))].concat()
}
