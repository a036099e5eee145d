//! Files of games and positions in every command that reads them.

use super::{ANSWER, Folder, Run, data};
use std::fs;

/// What the commands make of a file of `tests/data/cases`.
struct Case {
    file: &'static str,
    /// Positions that `count` counts.
    counted: usize,
    /// Distinct positions before a move that `verify` takes, and their games.
    verified: (usize, usize),
    /// Games that `tune` takes, and all their positions.
    tuned: (usize, usize),
    openings: usize,
    /// What is said of the file.
    message: &'static str,
}

const fn case(
    file: &'static str,
    counted: usize,
    verified: (usize, usize),
    tuned: (usize, usize),
    openings: usize,
    message: &'static str,
) -> Case {
    Case { file, counted, verified, tuned, openings, message }
}

const CASES: [Case; 18] = [
    case("quotes-in-tag.pgn", 7, (6, 2), (2, 7), 2, ""),
    case("space-before-tags.pgn", 4, (3, 2), (2, 4), 2, ""),
    case("blank-line-and-tags-in-comment.pgn", 4, (4, 1), (1, 4), 1, ""),
    case("headerless-second-game.pgn", 4, (3, 2), (2, 4), 2, ""),
    case("ep-suffix.pgn", 12, (6, 1), (2, 12), 2, ""),
    case("promotion-as-last-move.pgn", 3, (3, 1), (1, 3), 1, ""),
    case("german-letters.pgn", 0, (0, 0), (0, 0), 0, "german-letters.pgn: game 1, line 6: 'Sf3' is no move"),
    case("result-only-in-movetext.pgn", 8, (7, 2), (2, 8), 2, ""),
    case("result-mismatch.pgn", 8, (7, 2), (2, 8), 2, "result-mismatch.pgn: game 1, line 1: the tag says 1-0, but"),
    case("time-forfeit.pgn", 0, (0, 0), (0, 0), 1, "1 lost on time"),
    case("spaces-in-comments.pgn", 6, (6, 1), (1, 6), 1, ""),
    case("long-tag-minimal.pgn", 0, (3, 2), (322, 644), 322, ""),
    case("no-movetext-then-game.pgn", 2, (2, 1), (1, 2), 2, "1 without a result"),
    case("variant-names.pgn", 6, (4, 2), (3, 6), 3, "2 of other variants"),
    case("semicolon-lines-between-games.pgn", 7, (5, 2), (2, 7), 2, ""),
    case(
        "unterminated-brace.pgn",
        4,
        (3, 2),
        (2, 4),
        2,
        "unterminated-brace.pgn: game 1, line 6: unterminated comment",
    ),
    case("bom-crlf.txt", 0, (2, 2), (2, 2), 2, ""),
    case("no-space-before-semicolon.epd", 0, (0, 0), (0, 0), 2, "no-space-before-semicolon.epd: line 1: no result"),
];

/// Games of other positions, one on each line, since `verify` wants five at least.
const OTHERS: usize = 6;

fn others() -> String {
    (1..=OTHERS).map(|left| format!("4k3/8/8/8/8/8/{left}P{}/4K3 w - - 0 1;1\n", 7 - left)).collect()
}

impl Case {
    fn path(&self) -> String {
        format!("{}/{}", data!("cases"), self.file)
    }
}

#[test]
fn count_reads_all_cases() {
    let folder = Folder::new();
    for case in CASES.iter().filter(|case| case.file.ends_with(".pgn")) {
        let Run { out, error, code } = folder.lab(&format!("count {}", case.path()));
        assert_eq!(code == Some(0), case.counted > 0, "{}: {error}", case.file);
        if case.counted > 0 {
            let last = out.lines().last().unwrap();
            assert!(last.starts_with(&format!("{} positions", case.counted)), "{}: {out}", case.file);
        }
        // What does not count is in the summary.
        let in_summary = case.message.starts_with(|c: char| c.is_ascii_digit());
        assert!(in_summary || error.contains(case.message), "{}: {error}", case.file);
    }
}

#[test]
fn verify_and_profile_read_all_cases() {
    let folder = Folder::new();
    folder.write("others.txt", others());
    let engine = folder.engine("engine.sh", "", ANSWER);
    for case in &CASES {
        let files = format!("{} others.txt --spacing 1 --skip-first 0", case.path());
        let Run { out, error, code } = folder.lab(&format!("verify {files} --nodes 1 --no-refit --engine {engine}"));
        let (positions, games) = (case.verified.0 + OTHERS, case.verified.1 + OTHERS);
        assert_eq!(code, Some(0), "{}: {error}", case.file);
        assert!(out.starts_with(&format!("{positions} positions of {games} games")), "{}: {out}", case.file);
        assert!(error.contains(case.message), "{}: {error}", case.file);
        let is_broken = case.message.contains("line") && !case.message.contains("the tag says");
        assert_eq!(error.contains("warning"), is_broken, "{error}");
        let Run { error, code, .. } = folder.lab(&format!("profile {files} --name a -o profiles.toml"));
        let reason = format!("for a: {games} games, 100 are needed");
        assert!(code == Some(1) && error.contains(&reason), "{}: {error}", case.file);
    }
}

#[test]
fn tune_reads_all_cases() {
    let folder = Folder::new();
    for case in &CASES {
        // More folds than there are positions for, so that nothing is fitted.
        let all = "--validation 0 --test 0 --noisy keep --checks keep --mates keep --folds 100";
        let Run { error, code, .. } = folder.lab(&format!("tune {} --out new.toml {all}", case.path()));
        let (games, positions) = case.tuned;
        let expected = match games {
            0 => "no game with a result in it".to_owned(),
            _ => format!("{games} games, {positions} of {positions} positions used"),
        };
        let is_said = error.contains(&expected) && error.contains(case.message);
        assert!(code == Some(1) && is_said, "{}: {error}", case.file);
    }
}

#[test]
fn datagen_takes_openings_from_all_cases() {
    let folder = Folder::new();
    for case in &CASES {
        let (file, path) = (case.file, case.path());
        let line = format!("datagen --games 1 --nodes 1 --openings {path} --out {file}.vf");
        let Run { error, code, .. } = folder.lab(&line);
        assert_eq!(code == Some(0), case.openings > 0, "{file}: {error}");
        if case.openings > 0 {
            let settings = folder.read(&format!("{file}.vf.toml"));
            assert!(settings.contains(&format!("\"{file}, {} positions, ", case.openings)), "{settings}");
        } else {
            assert!(error.contains(case.message), "{error}");
        }
    }
}

#[test]
fn formats_are_known_by_their_content() {
    let folder = Folder::new();
    fs::copy(data!("cases/quotes-in-tag.pgn"), folder.path("games.txt")).unwrap();
    folder.write("lines.pgn", format!("# positions\n{}", others()));
    let engine = folder.engine("engine.sh", "", ANSWER);
    let taken = "--spacing 1 --skip-first 0 --nodes 1 --no-refit";
    let out = folder.done(&format!("verify games.txt lines.pgn {taken} --engine {engine}"));
    assert!(out.starts_with("12 positions of 8 games"), "{out}");
    folder.write("unknown.doc", "nothing");
    for command in ["verify", "tune --out new.toml", "datagen --games 1 --out x.vf --openings"] {
        folder.assert_refused(&format!("{command} unknown.doc"), "unknown.doc' holds neither games nor positions");
    }
}

#[test]
fn exported_positions_are_verified() {
    let folder = Folder::new();
    folder.done("datagen --games 6 --nodes 1 --out games.vf");
    let engine = folder.engine("engine.sh", "", ANSWER);
    let positions = |file: &str, format: &str| {
        folder.done(&format!("data export games.vf --format {format} --out {file}"));
        let Run { out, error, code } = folder.lab(&format!("verify {file} --nodes 1 --no-refit --engine {engine}"));
        assert!(code == Some(0) && !error.contains("warning"), "{error}");
        out.split(" of ").next().unwrap().to_owned()
    };
    assert_eq!(positions("positions.epd.gz", "epd"), positions("positions.txt.zst", "fen"));
}
