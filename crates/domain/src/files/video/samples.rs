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
