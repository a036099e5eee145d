//! The arguments of `go`.

use crate::position::Position;
use crate::printing::Clocks;
use crate::search::{Clock, Limits, Spent};
use crate::wdl::score::MAX_PLY;
use shakmaty::{ByColor, Color};
use std::time::Duration;

/// Longest time, in milliseconds: about 30 years. Longer ones are cut.
const MAX_TIME_MS: i128 = 1_000_000_000_000;

/// Most moves of `searchmoves` that are read; no position has more.
const MAX_SEARCH_MOVES: usize = 256;
/// Most messages about one `go`.
const MAX_NOTES: usize = 8;
/// Time for a move if no limit of those sent is understood.
const FALLBACK_TIME: Duration = Duration::from_secs(1);

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
    /// Whether a limit was sent without a value that can be read.
    lost_limit: bool,
    /// What is not understood.
    notes: Vec<String>,
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
    /// Reads the arguments of `go`. Numbers are cut to their range: depth, nodes and mate to at least 1, times to at least
    /// 1 ms, increments to at least 0. `movestogo 0` is the rest of the game. What is not understood is left out and noted.
    pub fn parse<'a>(tokens: impl Iterator<Item = &'a str>) -> Go {
        let mut tokens = tokens.peekable();
        let mut go = Go::default();
        while let Some(token) = tokens.next() {
            match token {
                "searchmoves" => {
                    while let Some(m) = tokens.next_if(|next| !KEYWORDS.contains(next)) {
                        if go.search_moves.len() < MAX_SEARCH_MOVES {
                            go.search_moves.push(m.to_owned());
                        }
                    }
                    if go.search_moves.is_empty() {
                        go.note("searchmoves: moves missing".to_owned());
                    }
                    continue;
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                keyword if KEYWORDS.contains(&keyword) => {
                    let value = tokens.next_if(|next| !KEYWORDS.contains(next));
                    go.read_number(keyword, value);
                }
                _ => go.note(format!("'{token}' is ignored")),
            }
        }
        go
    }

    /// Takes the value of a keyword.
    fn read_number(&mut self, keyword: &str, token: Option<&str>) {
        let Some(value) = token.and_then(whole_number) else {
            self.note(token.map_or_else(
                || format!("{keyword} without a value is ignored"),
                |token| format!("{keyword}: '{token}' is not a number"),
            ));
            self.lost_limit |= !["winc", "binc", "movestogo"].contains(&keyword);
            return;
        };
        match keyword {
            "wtime" => self.time.white = Some(milliseconds(value, 1)),
            "btime" => self.time.black = Some(milliseconds(value, 1)),
            "movetime" => self.move_time = Some(milliseconds(value, 1)),
            "winc" => self.increment.white = milliseconds(value, 0),
            "binc" => self.increment.black = milliseconds(value, 0),
            "movestogo" => {
                self.moves_to_go = u32::try_from(value.min(u32::MAX.into())).ok().filter(|&moves| moves > 0);
                if value < 0 {
                    self.note(format!("movestogo {value} is ignored"));
                }
            }
            _ => {
                if value < 1 {
                    self.note(format!("{keyword} {value} counts as 1"));
                }
                let plies = value.clamp(1, MAX_PLY as i128) as usize;
                match keyword {
                    "depth" => self.depth = Some(plies),
                    "mate" => self.mate = Some(plies),
                    _ => self.nodes = Some(value.clamp(1, u64::MAX.into()) as u64),
                }
            }
        }
    }

    /// The clocks, if those of both sides were sent.
    pub fn clocks(&self) -> Option<Clocks> {
        let (white, black) = self.time.white.zip(self.time.black)?;
        Some(Clocks { left: ByColor { white, black }, increment: self.increment })
    }

    fn note(&mut self, text: String) {
        add_note(&mut self.notes, text);
    }

    /// The limits for a search of `position`, and messages about what was left out or replaced. Illegal moves are left out;
    /// a missing clock of the side to move is that of the other side; where no limit that was sent can be used, the time
    /// for the move is a second.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut notes = self.notes.clone();
        let mut search_moves = Vec::new();
        for text in &self.search_moves {
            match position.parse_move(text) {
                Ok(m) => search_moves.push(m),
                Err(error) => add_note(&mut notes, format!("searchmoves: {error}")),
            }
        }
        let clock = self.clock(position, &mut notes);
        let opponent_clock = self.clock_of(!position.turn());
        let is_limited = clock.is_some()
            || self.depth.is_some()
            || self.mate.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.infinite;
        let mut move_time = self.move_time;
        if self.lost_limit && !is_limited {
            add_note(&mut notes, format!("no limit is left, so the move takes {} ms", FALLBACK_TIME.as_millis()));
            move_time = Some(FALLBACK_TIME);
        }
        let limits = Limits {
            soft_nodes: None,
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            move_time,
            clock,
            opponent_clock,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
            spent: Spent::default(),
        };
        (limits, notes)
    }

    fn clock(&self, position: &Position, notes: &mut Vec<String>) -> Option<Clock> {
        let turn = position.turn();
        let own = self.time[turn];
        let side = if own.is_some() { turn } else { !turn };
        let clock = self.clock_of(side)?;
        if own.is_none() {
            // With another limit the opponent's clock is of no interest.
            if self.depth.or(self.mate).is_some() || self.nodes.is_some() || self.move_time.is_some() || self.infinite {
                return None;
            }
            let [missing, found] = [turn, side].map(|side| side.fold_wb("wtime", "btime"));
            add_note(notes, format!("{missing} is missing, {found} counts"));
        }
        Some(clock)
    }

    fn clock_of(&self, side: Color) -> Option<Clock> {
        let remaining = self.time[side]?;
        Some(Clock { remaining, increment: self.increment[side], moves_to_go: self.moves_to_go })
    }
}

/// The limits of a search in words, for `debug on`.
pub fn describe(limits: &Limits, overhead: Duration) -> String {
    let mut parts = Vec::new();
    let ms = |time: Duration| format!("{} ms", time.as_millis());
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(limits.mate.map(|moves| format!("mate in {moves}")));
    parts.extend(limits.move_time.map(|time| format!("{} for the move", ms(time))));
    parts.extend(limits.clock.map(|clock| {
        let moves = clock.moves_to_go.map(|moves| format!(" for {moves} moves")).unwrap_or_default();
        format!("clock {} + {}{moves}", ms(clock.remaining), ms(clock.increment))
    }));
    parts.extend(limits.infinite.then(|| "infinite".to_owned()));
    parts.extend(limits.ponder.then(|| "ponder".to_owned()));
    if !limits.search_moves.is_empty() {
        parts.push(format!("{} root moves", limits.search_moves.len()));
    }
    if parts.is_empty() {
        parts.push("no limit".to_owned());
    }
    format!("search: {}; overhead {}", parts.join(", "), ms(overhead))
}

fn add_note(notes: &mut Vec<String>, text: String) {
    if notes.len() < MAX_NOTES {
        notes.push(text);
    }
}

/// The whole part of a number in any notation; `None` if the text is not a number.
fn whole_number(text: &str) -> Option<i128> {
    let fraction = || text.parse::<f64>().ok().filter(|value| !value.is_nan()).map(|value| value as i128);
    text.parse().ok().or_else(fraction)
}

fn milliseconds(value: i128, least: i128) -> Duration {
    Duration::from_millis(value.clamp(least, MAX_TIME_MS) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> Limits {
        Go::parse(text.split_whitespace()).limits(&Position::default()).0
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
    fn numbers_are_cut_to_their_range() {
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("depth 99999999999999999999999999999999999999999999").depth, Some(MAX_PLY));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("nodes 18446744073709551615").nodes, Some(u64::MAX));
        assert_eq!(limits("nodes 18446744073709551616").nodes, Some(u64::MAX));
        assert_eq!(limits("wtime 1000.5 btime 1").clock.unwrap().remaining, Duration::from_millis(1000));
        let longest = Duration::from_millis(MAX_TIME_MS as u64);
        for time in ["9223372036854775808", "99999999999999999999", "1e300", "inf"] {
            assert_eq!(limits(&format!("wtime {time} btime 1")).clock.unwrap().remaining, longest, "{time}");
        }
        assert_eq!(limits("movetime 100 movestogo -1").move_time, Some(Duration::from_millis(100)));
        assert_eq!(limits("wtime 5 btime 5 movestogo 4294967296").clock.unwrap().moves_to_go, Some(u32::MAX));
    }

    #[test]
    fn what_is_not_understood_is_left_out_and_named() {
        for (text, named, used) in [
            ("depth 4 quickly", "'quickly'", "depth 4"),
            ("nodes 7 depth", "depth without a value", "nodes 7"),
            ("depth movetime 30", "depth without a value", "movetime 30"),
            ("depth x nodes 7", "'x'", "nodes 7"),
            ("wtime soon movetime 30", "'soon'", "movetime 30"),
            ("depth -3", "depth -3 counts as 1", "depth 1"),
            ("mate 0", "mate 0 counts as 1", "mate 1"),
            ("depth 2 movestogo -1", "movestogo -1", "depth 2"),
            ("searchmoves depth 3", "searchmoves", "depth 3"),
            ("searchmoves e2e5 depth 3", "'e2e5'", "depth 3"),
            ("searchmoves nonsense e2e4 depth 3", "'nonsense'", "searchmoves e2e4 depth 3"),
            ("btime 1000", "wtime is missing", "wtime 1000 btime 1000"),
            ("depth", "1000 ms", "movetime 1000"),
            ("wtime x", "1000 ms", "movetime 1000"),
        ] {
            let (left, notes) = Go::parse(text.split_whitespace()).limits(&Position::default());
            assert!(notes.iter().any(|note| note.contains(named)), "{text}: {notes:?}");
            assert_eq!(left, limits(used), "{text}");
        }
        let many = "x ".repeat(100_000);
        assert_eq!(Go::parse(many.split_whitespace()).notes.len(), MAX_NOTES);
    }

    #[test]
    fn limits_are_described_in_words() {
        let all = limits("wtime 1000 btime 5 winc 10 movestogo 3 depth 4 nodes 5 ponder searchmoves e2e4");
        assert_eq!(
            describe(&all, Duration::from_millis(10)),
            "search: depth 4, nodes 5, clock 1000 ms + 10 ms for 3 moves, ponder, 1 root moves; overhead 10 ms"
        );
        assert_eq!(describe(&limits(""), Duration::ZERO), "search: no limit; overhead 0 ms");
    }
}
