//! The arguments of `go`.

use super::error::{CommandError, number};
use crate::position::{InvalidMove, Position};
use crate::search::{Clock, Limits};
use crate::wdl::score::MAX_PLY;
use shakmaty::ByColor;
use std::time::Duration;
use thiserror::Error;

/// Longest time, in milliseconds: about 30 years. Longer ones are cut.
const MAX_TIME_MS: i64 = 1_000_000_000_000;

/// A `go` as it was sent: its moves are not yet checked, and it has the clocks of both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    search_moves: Vec<String>,
    ponder: bool,
    infinite: bool,
    depth: Option<usize>,
    nodes: Option<u64>,
    mate: Option<usize>,
    move_time: Option<Duration>,
    time: ByColor<Option<Duration>>,
    increment: ByColor<Duration>,
    moves_to_go: Option<u32>,
}

/// Why a well-formed `go` does not fit the position.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "fields of errors say what they are")]
pub enum GoError {
    #[error("go searchmoves: {0}")]
    SearchMove(#[from] InvalidMove),
    /// Only the opponent's time is given.
    #[error("go: no time for the side to move, {0} is missing")]
    NoTime(&'static str),
}

/// The words that end a list of moves.
const KEYWORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Go {
    /// Reads the arguments of `go`. Negative times count as 1 ms, negative increments as 0, `movestogo 0` as the rest of
    /// the game.
    ///
    /// # Errors
    ///
    /// [`CommandError`] with the word that is unknown, missing, malformed or out of range.
    pub fn parse<'a>(tokens: impl Iterator<Item = &'a str>) -> Result<Go, CommandError> {
        let mut tokens = tokens.peekable();
        let mut go = Go::default();
        while let Some(token) = tokens.next() {
            match token {
                "searchmoves" => {
                    while let Some(m) = tokens.next_if(|next| !KEYWORDS.contains(next)) {
                        go.search_moves.push(m.to_owned());
                    }
                    if go.search_moves.is_empty() {
                        return Err(CommandError::Missing { place: "go searchmoves", expected: "moves".to_owned() });
                    }
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.time.white = Some(time("go wtime", tokens.next())?),
                "btime" => go.time.black = Some(time("go btime", tokens.next())?),
                "winc" => go.increment.white = increment("go winc", tokens.next())?,
                "binc" => go.increment.black = increment("go binc", tokens.next())?,
                "movestogo" => {
                    let moves = number("go movestogo", tokens.next(), 0, u32::MAX)?;
                    go.moves_to_go = (moves > 0).then_some(moves);
                }
                "depth" => go.depth = Some(number("go depth", tokens.next(), 1, usize::MAX)?.min(MAX_PLY)),
                "nodes" => go.nodes = Some(number("go nodes", tokens.next(), 1, u64::MAX)?),
                "mate" => go.mate = Some(number("go mate", tokens.next(), 1, usize::MAX)?.min(MAX_PLY)),
                "movetime" => go.move_time = Some(time("go movetime", tokens.next())?),
                _ => return Err(CommandError::Unexpected { place: "go", token: token.to_owned() }),
            }
        }
        Ok(go)
    }

    /// The limits for a search of `position`.
    ///
    /// # Errors
    ///
    /// [`GoError`] if a move to search is illegal, or if only the opponent has a clock and there is no other limit.
    pub fn limits(&self, position: &Position) -> Result<Limits, GoError> {
        let search_moves =
            self.search_moves.iter().map(|text| position.parse_move(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(Limits {
            soft_nodes: None,
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            move_time: self.move_time,
            clock: self.clock(position)?,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
        })
    }

    /// Whether there is a limit other than the clock.
    fn is_limited(&self) -> bool {
        let plies = self.depth.is_some() || self.mate.is_some();
        plies || self.nodes.is_some() || self.move_time.is_some() || self.infinite
    }

    fn clock(&self, position: &Position) -> Result<Option<Clock>, GoError> {
        let turn = position.turn();
        match (self.time[turn], self.time[!turn]) {
            (Some(remaining), _) => {
                Ok(Some(Clock { remaining, increment: self.increment[turn], moves_to_go: self.moves_to_go }))
            }
            (None, Some(_)) if !self.is_limited() => Err(GoError::NoTime(turn.fold_wb("wtime", "btime"))),
            (None, _) => Ok(None),
        }
    }
}

fn milliseconds(place: &'static str, token: Option<&str>, least: i64) -> Result<Duration, CommandError> {
    let value = number(place, token, i64::MIN, i64::MAX)?.clamp(least, MAX_TIME_MS);
    Ok(Duration::from_millis(value.unsigned_abs()))
}

fn time(place: &'static str, token: Option<&str>) -> Result<Duration, CommandError> {
    milliseconds(place, token, 1)
}

fn increment(place: &'static str, token: Option<&str>) -> Result<Duration, CommandError> {
    milliseconds(place, token, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Limits {
        Go::parse(text.split_whitespace()).unwrap().limits(&Position::default()).unwrap()
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let clock = limits("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5").clock.unwrap();
        assert_eq!((clock.remaining, clock.increment), (Duration::from_secs(1), Duration::from_millis(10)));
        assert_eq!(clock.moves_to_go, Some(5));
        assert_eq!(limits("wtime 1 btime 1 movestogo 0").clock.unwrap().moves_to_go, None);
    }

    #[test]
    fn an_overdrawn_clock_has_a_millisecond_left() {
        let clock = limits("wtime -30 btime 10 winc -5 binc 0").clock.unwrap();
        assert_eq!((clock.remaining, clock.increment), (Duration::from_millis(1), Duration::ZERO));
        assert_eq!(limits("movetime 0").move_time, Some(Duration::from_millis(1)));
    }

    #[test]
    fn moves_end_at_the_next_keyword() {
        let limits = limits("searchmoves e2e4 d2d4 depth 3 infinite");
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(limits.depth, Some(3));
        assert!(limits.infinite && !limits.ponder);
    }

    #[test]
    fn bad_arguments_are_named() {
        for (text, named) in [
            ("depth", "go depth"),
            ("depth x", "'x'"),
            ("depth 0", "'0'"),
            ("depth -3", "'-3'"),
            ("nodes 1e6", "'1e6'"),
            ("nodes 99999999999999999999999999", "'99999999999999999999999999'"),
            ("wtime soon", "'soon'"),
            ("movestogo -1", "'-1'"),
            ("mate 0", "'0'"),
            ("wtime 5 quickly", "'quickly'"),
            ("searchmoves depth 3", "go searchmoves"),
        ] {
            let message = Go::parse(text.split_whitespace()).unwrap_err().to_string();
            assert!(message.contains(named), "{text}: {message}");
        }
    }

    #[test]
    fn what_does_not_fit_the_position_is_refused() {
        for text in ["searchmoves e2e5", "searchmoves nonsense", "btime 1000"] {
            let go = Go::parse(text.split_whitespace()).unwrap();
            assert!(go.limits(&Position::default()).is_err(), "{text}");
        }
    }
}
