use super::*;
use crate::dataset::{Eval, Ply, encode};
use crate::selfplay::datagen;
use clap::Parser;
use std::collections::BTreeSet;
use std::{fs, io};
use tempfile::TempDir;

#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

/// Runs a command line whose file names lie in `directory`.
fn run(directory: &TempDir, line: &str) -> Result<(), String> {
    let words = line.split(' ').map(|word| match word.strip_prefix('@') {
        Some(name) => directory.path().join(name).display().to_string(),
        None => word.to_owned(),
    });
    let line = Line::try_parse_from(std::iter::once("data".to_owned()).chain(words)).unwrap();
    line.command.run().map_err(|error| format!("{error:#}"))
}

fn generate(directory: &TempDir, name: &str, seed: u64, games: u64) {
    let options = datagen::Options {
        games,
        threads: 1,
        nodes: 40,
        hard_nodes: None,
        openings: "random:6".parse().unwrap(),
        seed,
        out: directory.path().join(name),
        chess960: false,
        syzygy: None,
        params: None,
    };
    datagen::run(&options).unwrap();
}

fn games(directory: &TempDir, name: &str) -> Vec<Vec<u8>> {
    let mut reader = dataset::read(&directory.path().join(name)).unwrap();
    std::iter::from_fn(|| reader.next().map(|game| game.map(|_| reader.bytes().to_vec()).unwrap())).collect()
}

fn game(start: &str, moves: &str, outcome: KnownOutcome, ending: Ending) -> Game {
    let start = Position::from_fen(start, false).unwrap();
    let mut position = start;
    let mut plies = Vec::new();
    for text in moves.split_whitespace() {
        let m = position.parse_move(text).unwrap();
        position = position.play(m);
        plies.push(Ply { m, eval: Eval::from_centipawns(13) });
    }
    Game { start, plies, outcome, ending }
}

fn store(directory: &TempDir, name: &str, games: &[Game]) {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| encode(game, &mut bytes).unwrap());
    fs::write(directory.path().join(name), bytes).unwrap();
}

#[test]
fn merged_and_shuffled_games_are_the_same_games() {
    let directory = TempDir::new().unwrap();
    generate(&directory, "a", 1, 5);
    generate(&directory, "b", 2, 5);
    let both = [games(&directory, "a"), games(&directory, "b")].concat();
    run(&directory, "merge @a @b --out @merged.gz").unwrap();
    assert_eq!(games(&directory, "merged.gz"), both);
    run(&directory, "shuffle @merged.gz --out @one.zst --seed 5").unwrap();
    run(&directory, "shuffle @a @b --out @two --seed 5").unwrap();
    run(&directory, "shuffle @a @b --out @three --seed 6").unwrap();
    let shuffled = games(&directory, "one.zst");
    assert_eq!(shuffled, games(&directory, "two"));
    assert_ne!(shuffled, games(&directory, "three"));
    assert_ne!(shuffled, both);
    let set = |games: Vec<Vec<u8>>| games.into_iter().collect::<BTreeSet<_>>();
    assert_eq!(set(shuffled), set(both));
    run(&directory, "check @a @b @merged.gz @one.zst").unwrap();
    run(&directory, "info @a @b").unwrap();
    // Nothing is overwritten, not even an input.
    assert!(run(&directory, "merge @a @b --out @a").is_err());
    assert_eq!(games(&directory, "a").len(), 5);
}

#[test]
fn positions_are_exported_with_results_and_counters() {
    let directory = TempDir::new().unwrap();
    let white = KnownOutcome::Decisive { winner: Color::White };
    let mate = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 7 30", "h2h3 h7h6 a1a8", white, Ending::Resigned);
    let draw = game("8/8/4k3/8/8/3K4/4p3/8 w - - 0 1", "d3e2", KnownOutcome::Draw, Ending::Rules);
    store(&directory, "games", &[mate, draw]);
    run(&directory, "export @games --out @lines").unwrap();
    run(&directory, "export @games --format epd --out @lines.epd").unwrap();
    run(&directory, "export @games --out @lines.gz").unwrap();
    let text = fs::read_to_string(directory.path().join("lines")).unwrap();
    assert_eq!(
        text,
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 7 30;1.0\n\
         6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 30;1.0\n\
         6k1/5pp1/7p/8/8/7P/5PP1/R5K1 w - - 0 31;1.0\n\
         8/8/4k3/8/8/3K4/4p3/8 w - - 0 1;0.5\n"
    );
    let epd = fs::read_to_string(directory.path().join("lines.epd")).unwrap();
    assert_eq!(epd.lines().next().unwrap(), "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - c9 \"1-0\"; hmvc 7; fmvn 30;");
    assert_eq!(epd.lines().last().unwrap(), "8/8/4k3/8/8/3K4/4p3/8 w - - c9 \"1/2-1/2\"; hmvc 0; fmvn 1;");
    let packed = io::read_to_string(halfpoint::games::open(&directory.path().join("lines.gz")).unwrap()).unwrap();
    assert_eq!(packed, text);
}

#[test]
fn the_check_finds_games_against_the_rules() {
    let white = KnownOutcome::Decisive { winner: Color::White };
    let rook = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let cases = [
        (game(rook, "a1a8", KnownOutcome::Draw, Ending::Rules), Some("its result is 1/2-1/2, but by the rules 1-0")),
        (game(rook, "a1a7", white, Ending::Rules), Some("it stops before the end by rule that it claims")),
        (
            game("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "d3e3", KnownOutcome::Draw, Ending::Unknown),
            Some("it goes on after 0 plies"),
        ),
        (game("8/8/4k3/8/8/3K4/8/R7 w - - 98 80", "d3e3 e6e5", KnownOutcome::Draw, Ending::Rules), None),
        (
            game("8/8/4k3/8/8/3K4/8/R7 w - - 99 80", "d3e3 e6e5", KnownOutcome::Draw, Ending::Rules),
            Some("it goes on after 1"),
        ),
        (game("7k/R7/6K1/8/8/8/8/8 w - - 99 80", "a7a8", white, Ending::Rules), None),
        (game(rook, "a1a7", white, Ending::Resigned), None),
        (game(rook, "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1 f8g8", KnownOutcome::Draw, Ending::Rules), None),
        (
            game(rook, "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1 f8g8 a1a2", white, Ending::Unknown),
            Some("it goes on after 8"),
        ),
    ];
    for (game, expected) in &cases {
        let found = fault(game);
        match expected {
            None => assert_eq!(found, None),
            Some(expected) => assert!(found.as_ref().is_some_and(|found| found.starts_with(expected)), "{found:?}"),
        }
    }
    let directory = TempDir::new().unwrap();
    let (good, bad): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| case.1.is_none());
    store(&directory, "good", &good.into_iter().map(|case| case.0).collect::<Vec<_>>());
    store(&directory, "bad", &bad.into_iter().map(|case| case.0).collect::<Vec<_>>());
    fs::write(directory.path().join("empty"), "").unwrap();
    let whole = fs::read(directory.path().join("good")).unwrap();
    fs::write(directory.path().join("cut"), &whole[..whole.len() - 1]).unwrap();
    run(&directory, "check @good").unwrap();
    assert_eq!(run(&directory, "check @good @bad").unwrap_err(), "1 of 2 files are wrong");
    assert_eq!(run(&directory, "check @cut @good @empty").unwrap_err(), "2 of 3 files are wrong");
}

#[test]
fn broken_inputs_leave_no_output() {
    let directory = TempDir::new().unwrap();
    generate(&directory, "good", 1, 2);
    fs::write(directory.path().join("bad"), [7; 100]).unwrap();
    for line in ["merge @good @bad --out @out", "shuffle @good @bad --out @out", "export @good @bad --out @out"] {
        assert!(run(&directory, line).unwrap_err().contains("bad: corrupt at byte "), "{line}");
        assert!(!directory.path().join("out").exists(), "{line}");
    }
}
