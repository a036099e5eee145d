//! The answers to `uci` and `help`.

use super::options;
use crate::VERSION;
use crate::output::line;

/// Answers `uci`.
pub fn introduce() {
    line(format_args!("id name Halfpoint {VERSION}"));
    line("id author the Halfpoint authors");
    options::declarations().for_each(line);
    line("uciok");
}

/// Answers `help`.
pub fn help() {
    line(HELP);
    options::descriptions().for_each(line);
}

const HELP: &str = "\
Commands:
  uci                    name the engine and its options
  isready                answer readyok when all earlier commands are done; at once during a search
  ucinewgame             forget what earlier searches found
  position startpos|fen FEN [moves M...]
                         set up a position
  go [searchmoves M...] [ponder] [wtime T] [btime T] [winc T] [binc T] [movestogo N]
     [depth N] [nodes N] [mate N] [movetime T] [infinite]
                         search; times in milliseconds
  go perft DEPTH         count move sequences
  stop                   end the search
  ponderhit              the expected move was played: search on, with the clock running
  setoption name NAME [value VALUE]
                         set an option
  debug on|off           report the limits of each search, and commands that wait
  d                      print the board, FEN, key and checkers
  eval                   explain the evaluation of the position
  bench [DEPTH]          search fixed positions; the node count is a signature of the search
  genfens N [seed S] [book FILE|None] [plies P]
                         print N openings for OpenBench
  help                   print this text
  quit                   end the session
Options:";
