//! Prints what is read of files of games, a JSON object for each game: for comparisons with other readers.
//!
//! ```text
//! cargo run --release --example read_games -- games.pgn more.pgn.zst
//! ```

use halfpoint::games::{BrokenGame, Exclusion, GameRecord, GameTexts, ReadOptions, open};
use serde_json::{Value, json};
use shakmaty::Position as _;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    for path in std::env::args().skip(1) {
        if let Err(error) = print(&path, &mut out) {
            eprintln!("error: {path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Prints the games of a file. What ends the file early is an object of its own.
fn print(path: &str, out: &mut impl Write) -> io::Result<()> {
    for text in GameTexts::new(open(Path::new(path))?) {
        let object = match text {
            Ok(text) => match text.parse(&ReadOptions::default()) {
                Ok(game) => game_object(&game),
                Err(broken) => broken_object(&broken),
            },
            Err(reason) => json!({ "cut": reason.to_string() }),
        };
        writeln!(out, "{object}")?;
    }
    Ok(())
}

fn game_object(game: &GameRecord) -> Value {
    let mode = game.start.castles().mode();
    let moves: Vec<_> = game.moves.iter().map(|played| played.m.to_uci(mode).to_string()).collect();
    json!({
        "number": game.number,
        "line": game.line,
        "tags": game.tags.iter().collect::<Vec<_>>(),
        "moves": moves.join(" "),
        "result": game.result.to_string(),
        "otherVariant": game.exclusion == Some(Exclusion::OtherVariant),
        "warnings": game.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn broken_object(broken: &BrokenGame) -> Value {
    json!({ "number": broken.number, "line": broken.line, "broken": broken.fault.to_string() })
}
