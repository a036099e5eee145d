//! A fixed set of positions, searched to a fixed depth. The node count is a signature of the search, the time measures its
//! speed.

use super::report::nodes_per_second;
use crate::clock::Instant;
use crate::output::{info_string, line};
use crate::position::{GameHistory, InvalidFen, Position};
#[cfg(feature = "statistics")]
use crate::search::statistics;
use crate::search::{Limits, OutOfMemory, Pool, Settings, Signals};
use std::time::Duration;
use thiserror::Error;

/// The node count of this version at the default depth, as text.
pub const SIGNATURE: &str = include_str!("../../tests/data/bench.txt").trim_ascii();
/// Default depth, in plies.
pub const DEFAULT_DEPTH: usize = 13;
/// Deepest bench, in plies.
pub const MAX_DEPTH: usize = 100;
/// Size of the transposition table, in MiB.
const HASH_MIB: usize = 16;

/// Why a bench cannot run.
#[derive(Debug, Error)]
pub enum BenchError {
    /// There is no memory for the transposition table.
    #[error("bench: {0}")]
    Hash(#[from] OutOfMemory),
    /// A position of the set is malformed.
    #[error("bench: {0}")]
    Fen(#[from] InvalidFen),
}

/// Searches every position with one thread and an empty table. Prints a line for each, and `N nodes M nps` at the end; N
/// is the same every time, and only searching is timed. Once `is_cancelled`, that it was stopped stands in place of the
/// last line; `signals` can end the search of a position.
///
/// # Errors
///
/// [`BenchError`] if there is no memory for the transposition table.
pub fn run(depth: usize, pool: &Pool, signals: &Signals, is_cancelled: &dyn Fn() -> bool) -> Result<(), BenchError> {
    let mut pool = pool.like(HASH_MIB, 1)?;
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    #[cfg(feature = "statistics")]
    statistics::reset();
    for (index, fen) in POSITIONS.iter().enumerate() {
        let position = Position::from_fen(fen, false)?;
        pool.clear();
        let game = GameHistory::new(position);
        let start = Instant::now();
        let answer = pool.search(&game, &limits, &Settings::default(), signals, &mut |_| {});
        time += start.elapsed();
        if is_cancelled() {
            info_string("bench was stopped before its end");
            return Ok(());
        }
        nodes += answer.nodes;
        let best = answer.best.map_or("(none)".to_owned(), |m| game.position().format_move(m, false));
        line(format_args!("{:2}/{} {:>10} nodes  {best:<6} {fen}", index + 1, POSITIONS.len(), answer.nodes));
    }
    #[cfg(feature = "statistics")]
    statistics::table().into_iter().for_each(line);
    line(format_args!("{nodes} nodes {} nps", nodes_per_second(nodes, time)));
    Ok(())
}

/// Openings, middlegames, endgames, won and drawn endings, mates and a finished game.
const POSITIONS: [&str; 50] = [
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "rnbqk2r/pppp1ppp/4pn2/8/1bPP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
    "rnbqkbnr/pp2pppp/2p5/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
    "r1bqk1nr/pppp1ppp/2n5/2b1p3/1PB1P3/5N2/P1PP1PPP/RNBQK2R b KQkq - 0 4",
    "rnbqk1nr/pp3ppp/4p3/2ppP3/3P4/P1P5/2P2PPP/R1BQKBNR b KQkq - 0 6",
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    // Middlegames.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    // Endgames.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "5k2/5p1p/p3B1p1/Pp2b3/1P6/4K1P1/7P/8 w - - 0 1",
    "8/3k4/p2b2p1/1p1p1p1p/1P1P1P1P/P1K1B1P1/8/8 w - - 0 1",
    "4k3/4q3/8/3p4/3P4/8/4Q3/4K3 w - - 12 60",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    // Won and drawn endings with few pieces.
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
    "8/8/8/8/8/7k/7p/7K w - - 0 1",
    // Mates and a finished game.
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn positions_are_sound_and_differ() {
        let keys: HashSet<_> = POSITIONS.iter().map(|fen| Position::from_fen(fen, false).unwrap().key()).collect();
        assert_eq!(keys.len(), POSITIONS.len());
    }
}
