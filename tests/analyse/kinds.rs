//! Files compressed under any name, in pieces and cut, and pipes, in the commands that read games or positions.

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Uncompressed)
}

#[test]
fn all_kinds_of_files_and_pipes_are_read_by_all_commands() {
    let folder = TempDir::new().unwrap();
    let lines = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
    let games = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 *\n\n";
    for (command, text, count) in [("suite", lines, 2), ("analyse", lines, 2), ("analyse", games, 2)] {
        let (one, two) = text.split_at(text.len() / 2);
        let skippable = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let cut = |whole: Vec<u8>, part: Vec<u8>| [whole, part[..part.len() - 12].to_vec()].concat();
        for (name, bytes, is_cut) in [
            ("plain", text.as_bytes().to_vec(), false),
            ("plain.zst", text.as_bytes().to_vec(), false),
            ("gzip.pgn", gzip(text), false),
            ("members.epd", [gzip(one), gzip(two)].concat(), false),
            ("frames.txt", [zstandard(one), zstandard(two)].concat(), false),
            ("skippable.gz", [skippable.clone(), zstandard(one), skippable, zstandard(two)].concat(), false),
            ("cut", cut(gzip(text), gzip("# no more of it")), true),
            ("cut.fen", cut(zstandard(text), zstandard("# no more of it")), true),
        ] {
            fs::write(folder.path().join(name), &bytes).unwrap();
            for file in [name, "-", "/dev/stdin"] {
                if file.starts_with('/') && cfg!(not(unix)) {
                    continue;
                }
                let mut run = Command::new(env!("CARGO_BIN_EXE_halfpoint"));
                run.args([command, file, "--nodes", "100", "--json", "out.json", "--overwrite"]);
                run.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
                let mut child = run.spawn().unwrap();
                // A command that reads the file of this name does not read it.
                let _ = child.stdin.take().unwrap().write_all(&bytes);
                let output = child.wait_with_output().unwrap();
                let error = String::from_utf8(output.stderr).unwrap();
                let case = format!("{command} {file} {name}: {error}");
                assert_eq!(output.status.code(), Some(i32::from(is_cut)), "{case}");
                assert_eq!(error.contains("the rest of it cannot be read: the "), is_cut, "{case}");
                assert!(error.lines().count() == usize::from(is_cut), "{case}");
                let json = fs::read_to_string(folder.path().join("out.json")).unwrap();
                let found = if command == "suite" { json.matches("\"fen\"").count() } else { json.lines().count() };
                assert_eq!(found, count, "{case}");
            }
        }
    }
}

#[test]
fn what_stands_behind_games_is_named() {
    let folder = TempDir::new().unwrap();
    let games = "1. e4 e5 1-0\n\nThanks for reading.\n</pre>\n";
    let garbage = [zstandard(games), b"garbage".to_vec()].concat();
    for (bytes, code, message) in [
        (games.as_bytes().to_vec(), 0, "warning: games: line 3: text behind the games left out: 'Thanks for reading.'"),
        (
            b"[Result \"1-0\"]\n\n1. e4 e5 0-1\n".to_vec(),
            0,
            "warning: games: game 1, line 1: the tag says 1-0, but the moves end with 0-1; the tag counts",
        ),
        (garbage, 1, "what follows the Zstandard data is no Zstandard"),
        (b"BZh91AY&SY".to_vec(), 1, "compressed with bzip2, which is not read"),
    ] {
        fs::write(folder.path().join("games"), bytes).unwrap();
        let mut run = Command::new(env!("CARGO_BIN_EXE_halfpoint"));
        let run = run.args(["analyse", "games", "--depth", "1", "--json", "out.json", "--overwrite"]);
        let output = run.current_dir(&folder).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(code) && error.contains(message), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn json_on_standard_output_stands_there_alone() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("games"), "1. e4 e5 1-0\n").unwrap();
    fs::write(folder.path().join("suite"), "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;\n").unwrap();
    for command in ["analyse games", "suite suite", "suite suite --quiet"] {
        for output in ["-", "/dev/stdout"] {
            let mut run = Command::new(env!("CARGO_BIN_EXE_halfpoint"));
            let run = run.args(command.split(' ')).args(["--depth", "1", "--json", output]);
            let printed = run.current_dir(&folder).output().unwrap().stdout;
            assert!(serde_json::from_slice::<serde_json::Value>(&printed).is_ok(), "{command} {output}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_device_is_a_journal() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("games"), "1. e4 e5 1-0\n").unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("out.pgn.unfinished")).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_halfpoint"));
    let output = run.args(["analyse", "games", "--pgn", "out.pgn"]).current_dir(&folder).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("not a regular file"), "{error}");
}
