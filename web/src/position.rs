//! A position of the live board.

use halfpoint::position::{GameHistory, Move, Position};
use serde::Serialize;
use shakmaty::CastlingMode;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;

/// A position after moves, and what can be played in it.
#[derive(Serialize)]
pub struct Shown {
    /// The position.
    fen: String,
    /// The position before the moves, as the engine writes it.
    start: String,
    /// Whether castling is written as king takes rook.
    chess960: bool,
    /// The moves that led here, in standard algebraic notation.
    sans: Vec<String>,
    /// The legal moves; none if the game is over by rule.
    choices: Vec<Choice>,
    /// `1-0`, `1/2-1/2` or `0-1` if the game is over by rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
}

/// A legal move.
#[derive(Serialize)]
struct Choice {
    uci: String,
    san: String,
}

impl Shown {
    /// The position after moves in UCI notation.
    ///
    /// # Errors
    ///
    /// What is wrong with the FEN or a move.
    pub fn after(fen: &str, moves: &[String]) -> Result<Shown, String> {
        // Rights that only Chess960 has are such; others mean the same in both.
        let read = |chess960| Position::from_fen(fen, chess960).map_err(|error| error.to_string());
        let start = read(false).or_else(|error| read(true).map_err(|_| error))?;
        let chess960 = start.to_chess().castles().mode() == CastlingMode::Chess960;
        let mut game = GameHistory::new(start);
        let mut sans = Vec::new();
        for text in moves {
            let m = game.position().parse_move(text).map_err(|error| error.to_string())?;
            sans.push(san(game.position(), m));
            game.play(m);
        }
        let position = game.position();
        let outcome = game.outcome();
        let legal = if outcome.is_some() { Vec::new() } else { position.legal_moves().into_iter().collect() };
        let choice = |m| Choice { uci: position.format_move(m, chess960), san: san(position, m) };
        Ok(Shown {
            fen: position.fen(),
            start: start.fen(),
            chess960,
            sans,
            choices: legal.into_iter().map(choice).collect(),
            result: outcome.map(|outcome| outcome.as_str()),
        })
    }
}

/// A legal move in standard algebraic notation.
pub fn san(position: &Position, m: Move) -> String {
    SanPlus::from_move(position.to_chess(), position.to_shakmaty(m)).to_string()
}
