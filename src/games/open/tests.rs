use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn skippable(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[0x50 + number, 0x2a, 0x4d, 0x18][..], &(bytes.len() as u32).to_le_bytes(), bytes].concat()
}

/// What can be read, and the error behind it.
fn read(packed: Vec<u8>) -> (Vec<u8>, Option<String>) {
    let mut text = Vec::new();
    match decompressed(Cursor::new(packed)) {
        Ok(mut reader) => {
            let failure = reader.read_to_end(&mut text).err();
            assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0, "the end follows an error");
            (text, failure.map(|error| error.to_string()))
        }
        Err(error) => (text, Some(error.to_string())),
    }
}

/// Text that compresses and takes more than one buffer.
fn text() -> Vec<u8> {
    (0..200_000_u32).map(|n| format!("{} ", n.wrapping_mul(2_654_435_761) % 977)).collect::<String>().into_bytes()
}

#[test]
fn members_and_frames_are_read_one_after_the_other() {
    let text = text();
    let (one, two) = text.split_at(70_001);
    let named =
        [&[0x1f, 0x8b, 8, 0b1_1110, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7][..], b"name\0note\0\x12\x34", &gzip(two)[10..]];
    for (name, packed) in [
        ("plain", text.clone()),
        ("gzip", gzip(&text)),
        ("gzip members", [gzip(one), gzip(b""), gzip(two)].concat()),
        ("gzip padded", [gzip(one), vec![0; 70_000], gzip(two), vec![0; 1000]].concat()),
        ("gzip header with all fields", [gzip(one), named.concat()].concat()),
        ("Zstandard", zstandard(&text)),
        ("Zstandard frames", [zstandard(one), zstandard(b""), zstandard(two)].concat()),
        ("Zstandard padded", [zstandard(one), vec![0; 9], zstandard(two), vec![0; 70_000]].concat()),
        (
            "skippable frames",
            [
                skippable(0, b"\x01\0\0\0"),
                zstandard(one),
                skippable(15, &[9; 70_000]),
                zstandard(two),
                skippable(3, b""),
            ]
            .concat(),
        ),
    ] {
        let (found, failure) = read(packed);
        assert!(found == text && failure.is_none(), "{name}: {} bytes, {failure:?}", found.len());
    }
    assert_eq!(read(Vec::new()), (Vec::new(), None));
    assert_eq!(read(skippable(2, b"x")), (Vec::new(), None));
}

#[test]
fn what_stands_before_a_fault_is_read() {
    let text = text();
    for (name, packed) in [("gzip", gzip(&text)), ("Zstandard", zstandard(&text))] {
        let early = format!("the {name} data end early");
        let mut before = 0;
        for cut in (5..packed.len()).step_by(9973).chain([packed.len() - 9, packed.len() - 1]) {
            let (found, failure) = read(packed[..cut].to_vec());
            assert!(text.starts_with(&found) && found.len() >= before, "{name}: {cut}");
            assert_eq!(failure, Some(early.clone()), "{name}: {cut}");
            before = found.len();
        }
        assert_eq!(before, text.len(), "{name}");
        let (found, failure) = read([packed.clone(), b"no more".to_vec()].concat());
        assert!(found == text && failure.is_some(), "{name}: {failure:?}");
        let (found, failure) = read([packed.clone(), packed[..packed.len() / 2].to_vec()].concat());
        assert!(found.len() > text.len() && failure == Some(early), "{name}: {failure:?}");
        // A bit falls over: wrong from there on, and said.
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 4;
        let (found, failure) = read(damaged);
        assert!(found.len() > text.len() / 4, "{name}: {} bytes", found.len());
        assert!(found[..text.len() / 4] == text[..text.len() / 4] && failure.is_some(), "{name}: {failure:?}");
    }
    assert_eq!(read(skippable(0, b"1234")[..9].to_vec()).1.unwrap(), "the Zstandard data end early");
}
