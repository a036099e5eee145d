//! Prints what is read of files of positions (EPD), a JSON object for each line: for comparisons with other readers.
//!
//! ```text
//! cargo run --release --example read_positions -- suite.epd more.epd.gz
//! ```

use halfpoint::games::{CastlingRights, LineTexts, PositionLine, move_words, open, read_move};
use halfpoint::position::Position;
use serde_json::{Value, json};
use shakmaty::CastlingMode;
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

fn print(path: &str, out: &mut impl Write) -> io::Result<()> {
    for text in LineTexts::new(open(Path::new(path))?) {
        let text = text?;
        let object = match text.parse(CastlingRights::Either) {
            Ok(line) => line_object(&line),
            Err(broken) => json!({ "line": text.number, "broken": broken.reason }),
        };
        writeln!(out, "{object}")?;
    }
    Ok(())
}

fn line_object(line: &PositionLine) -> Value {
    // Moves to play and to avoid in UCI notation, or why there is none.
    let moves = |text: &str| -> Vec<String> {
        let read = |word| match read_move(&line.position, word) {
            Ok(m) => m.to_uci(CastlingMode::Standard).to_string(),
            Err(fault) => fault,
        };
        move_words(text).map(read).collect()
    };
    let mut object =
        json!({ "line": line.number, "fen": Position::from_chess(&line.position).fen(), "mends": line.mends });
    for (code, text) in &line.operations {
        object[code] = if matches!(code.as_str(), "bm" | "am") { json!(moves(text)) } else { json!(text) };
    }
    object
}
