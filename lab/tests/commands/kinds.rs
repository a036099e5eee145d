//! Files as they are, compressed under any name, in pieces and cut, and pipes, in every command that reads games or positions.

use super::{ANSWER, Folder, Run, end};
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs::File;
use std::io::Write;
use std::process::Stdio;

const GAMES: usize = 8;

fn boards() -> impl Iterator<Item = String> {
    (0..GAMES).map(|left| {
        let empty = |count: usize| if count == 0 { String::new() } else { count.to_string() };
        format!("4k3/8/8/8/8/8/{}P{}/4K3 w - - 0 1", empty(left), empty(7 - left))
    })
}

fn games() -> String {
    let game = |fen: String| {
        format!("[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n1. Kd1 {{+0.50/9}} Kd7 {{+0.40/9}} 2. Kc1 {{+0.50/9}} 1-0\n\n")
    };
    boards().map(game).collect()
}

fn lines() -> String {
    boards().map(|fen| format!("{fen};1-0\n")).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstandard(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

/// The text in all kinds, with names that say nothing of it, and whether the end is cut.
fn kinds(text: &str) -> Vec<(&'static str, Vec<u8>, bool)> {
    let (one, two) = text.split_at(text.len() / 2);
    let skippable = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let cut = |whole: Vec<u8>, part: Vec<u8>| [whole, part[..part.len() - 12].to_vec()].concat();
    vec![
        ("plain", text.as_bytes().to_vec(), false),
        ("plain.zst", text.as_bytes().to_vec(), false),
        ("gzip.pgn", gzip(text), false),
        ("members.epd", [gzip(one), gzip(two)].concat(), false),
        ("frames.txt", [zstandard(one), zstandard(two)].concat(), false),
        ("skippable.gz", [skippable.clone(), zstandard(one), skippable, zstandard(two)].concat(), false),
        ("cut", cut(gzip(text), gzip("; no more of it")), true),
        ("cut.fen", cut(zstandard(text), zstandard("; no more of it")), true),
    ]
}

/// What a command prints when the file comes through a pipe.
fn piped(folder: &Folder, line: &str, bytes: &[u8]) -> Run {
    let [out, log] = ["stdout.txt", "stderr.txt"].map(|name| folder.path(name));
    let mut child = folder.start_with(line, Stdio::piped(), File::create(&out).unwrap(), File::create(&log).unwrap());
    // A command that fails does not read all of it.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    let code = end(child).code();
    Run { out: folder.read("stdout.txt"), error: folder.read("stderr.txt"), code }
}

/// A command, where it names the file as `FILE`, with what it says if it has read all.
fn commands(is_pgn: bool, engine: &str) -> Vec<(String, String)> {
    let all = "--validation 0 --test 0 --noisy keep --checks keep --mates keep --folds 100";
    let positions = if is_pgn { 3 * GAMES } else { GAMES };
    let taken = format!("{positions} positions of {GAMES} games");
    let mut commands = vec![
        (format!("verify FILE --spacing 1 --skip-first 0 --nodes 1 --no-refit --engine {engine}"), taken),
        (
            format!("tune FILE --out new.toml {all}"),
            format!("{GAMES} games, {positions} of {positions} positions used"),
        ),
        ("datagen --games 1 --nodes 1 --openings FILE --out NEW".to_owned(), format!("{GAMES} positions, CRC-32")),
    ];
    if is_pgn {
        commands.push(("count FILE".to_owned(), format!("\n{positions} positions in")));
    }
    commands
}

#[test]
fn all_kinds_of_files_and_pipes_are_read_by_all_commands() {
    let folder = Folder::new();
    let engine = folder.engine("engine.sh", "", ANSWER);
    for (is_pgn, text) in [(true, games()), (false, lines())] {
        for (name, bytes, is_cut) in kinds(&text) {
            folder.write(name, &bytes);
            for (command, expected) in commands(is_pgn, &engine) {
                for file in [name, "/dev/stdin", "-"] {
                    if file.starts_with('/') && cfg!(not(unix)) {
                        continue;
                    }
                    let new = format!("new-{}-{is_pgn}-{name}.vf", file.replace('/', ""));
                    let line = command.replace("FILE", file).replace("NEW", &new);
                    let Run { out, error, .. } =
                        if file == name { folder.lab(&line) } else { piped(&folder, &line, &bytes) };
                    let settings = std::fs::read_to_string(folder.path(&format!("{new}.toml"))).unwrap_or_default();
                    let said = format!("{out}{error}{settings}");
                    assert!(said.contains(&expected), "{name}: {line}: {said}");
                    let is_told = error.contains(&format!("{file}: the rest of it cannot be read: the "));
                    assert_eq!(is_told, is_cut, "{name}: {line}: {said}");
                }
            }
        }
    }
}

#[test]
fn datasets_are_known_by_their_games_where_no_name_says_it() {
    let folder = Folder::new();
    let engine = folder.engine("engine.sh", "", ANSWER);
    folder.done("datagen --games 8 --nodes 1 --out games.vf");
    let bytes = std::fs::read(folder.path("games.vf")).unwrap();
    let verify = format!("verify FILE --nodes 1 --no-refit --engine {engine}");
    let expected = folder.done(&verify.replace("FILE", "games.vf"));
    folder.write("games", &bytes);
    assert_eq!(folder.done(&verify.replace("FILE", "games")), expected);
    assert_eq!(piped(&folder, &verify.replace("FILE", "-"), &bytes).out, expected);
    assert!(piped(&folder, "data info -", &bytes).out.contains("8 games"));
}

#[test]
fn what_is_wrong_with_what_is_read_is_said_with_its_place() {
    let folder = Folder::new();
    let engine = folder.engine("engine.sh", "", ANSWER);
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w Q - 0 1";
    folder.write("games.pgn", format!("{}[White Elo \"2\"]\n[FEN \"{fen}\"]\n\n1. Kd1 {{+0.50/9}} 1-0\n", games()));
    folder.write("lines.txt", format!("{}{fen};1\n", lines()));
    for (file, command, places) in [
        ("games.pgn", "count FILE".to_owned(), &["game 9, line 41: malformed tag", "game 9, line 42: FEN: "][..]),
        (
            "games.pgn",
            format!("verify FILE --skip-first 0 --nodes 1 --no-refit --engine {engine}"),
            &["game 9, line 42: "],
        ),
        ("games.pgn", "tune FILE --out new.toml --folds 100".to_owned(), &["game 9, line 41: "]),
        ("games.pgn", "datagen --games 1 --nodes 1 --openings FILE --out a.vf".to_owned(), &["game 9, line 42: "]),
        ("lines.txt", format!("verify FILE --skip-first 0 --nodes 1 --no-refit --engine {engine}"), &["line 9: "]),
        ("lines.txt", "tune FILE --out new.toml --folds 100".to_owned(), &["line 9: "]),
        ("lines.txt", "datagen --games 1 --nodes 1 --openings FILE --out b.vf".to_owned(), &["line 9: "]),
    ] {
        let error = folder.lab(&command.replace("FILE", file)).error;
        for place in places {
            assert!(error.contains(&format!("warning: {file}: {place}")), "{command}: {error}");
        }
    }
}

#[test]
fn positions_without_move_numbers_are_games_of_their_own() {
    let folder = Folder::new();
    let engine = folder.engine("engine.sh", "", ANSWER);
    let line = |fen: String| format!("{} c9 \"1-0\";\n", fen.strip_suffix(" 0 1").unwrap());
    folder.write("a.epd", boards().map(line).collect::<String>());
    let turns = boards().enumerate().map(|(index, fen)| if index % 2 == 0 { fen } else { fen.replace(" w ", " b ") });
    folder.write("b.epd", turns.map(line).collect::<String>());
    for file in ["a.epd", "b.epd"] {
        let out = folder.done(&format!("verify {file} --nodes 1 --no-refit --engine {engine}"));
        assert!(out.starts_with(&format!("{GAMES} positions of {GAMES} games")), "{out}");
    }
}
