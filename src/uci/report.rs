//! Search results as lines of the protocol.

use crate::position::{Move, Position};
use crate::printing::{Lines, Printed, Printer};
use crate::search::{Answer, Bound, Event, SearchReport};
use crate::wdl::score::Score;
use std::fmt::Write as _;

/// Turns the events of a search of one position into lines.
#[derive(Clone, Debug)]
pub struct Reporter<'a> {
    /// The game up to the position searched, and how its scores are printed.
    printer: Printer<'a>,
    /// Castling as king takes rook.
    chess960: bool,
    /// W/D/L beside each score.
    show_wdl: bool,
    /// Whether scores and W/D/L are printed with contempt.
    shows_contempt: bool,
    /// Keeps the lines in order.
    lines: Lines,
    /// What was printed last for the best line.
    last: Option<Printed>,
}

impl<'a> Reporter<'a> {
    /// For a search of the last position of the printer's game. `chess960`: castling as king takes rook; `show_wdl`: W/D/L
    /// beside each score; `shows_contempt`: scores and W/D/L with contempt.
    #[must_use]
    pub fn new(printer: Printer<'a>, chess960: bool, show_wdl: bool, shows_contempt: bool) -> Reporter<'a> {
        Reporter { printer, chess960, show_wdl, shows_contempt, lines: Lines::default(), last: None }
    }

    fn root(&self) -> &Position {
        self.printer.game.position()
    }

    /// The `info` line of an event.
    #[must_use]
    pub fn event(&mut self, event: &Event<'_>) -> String {
        match event {
            Event::Report(report) => self.report(report),
            Event::Progress { depth, nodes, hashfull, elapsed } => {
                let (nps, time) = (nodes_per_second(*nodes, *elapsed), elapsed.as_millis());
                format!("info depth {depth} nodes {nodes} nps {nps} hashfull {hashfull} time {time}")
            }
            Event::CurrentMove { depth, number, m, .. } => {
                let text = self.root().format_move(*m, self.chess960);
                format!("info depth {depth} currmove {text} currmovenumber {number}")
            }
        }
    }

    fn report(&mut self, report: &SearchReport<'_>) -> String {
        let printed = if report.from_syzygy {
            self.printer.from_tables(report.score)
        } else {
            let estimate = if self.shows_contempt { report.estimate } else { report.objective };
            self.printer.print(report.score, estimate, report.nodes_of_one_thread(), report.pv.first().copied())
        };
        let printed = self.lines.next(report.line, report.score, printed);
        if report.line == 1 {
            self.last = Some(printed);
        }
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {}",
            report.depth, report.selective_depth, report.line, printed.score
        );
        line += match report.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        line += &self.wdl(printed);
        let _ = write!(
            line,
            " nodes {} nps {} hashfull {} tbhits {} time {}",
            report.nodes,
            nodes_per_second(report.nodes, report.elapsed),
            report.hashfull,
            report.syzygy_hits,
            report.elapsed.as_millis()
        );
        if !report.pv.is_empty() {
            line += " pv";
            line += &self.moves(report.pv);
        }
        line
    }

    /// The `info` line of a position without legal moves: mate or stalemate.
    #[must_use]
    pub fn game_over(&self) -> String {
        let printed = self.printer.proven(if self.root().is_check() { Score::mated_in(0) } else { Score::DRAW });
        format!("info depth 0 score {}{}", printed.score, self.wdl(printed))
    }

    /// W/D/L, if they are asked for.
    fn wdl(&self, printed: Printed) -> String {
        if !self.show_wdl {
            return String::new();
        }
        let [win, draw, loss] = printed.wdl.per_mille();
        format!(" wdl {win} {draw} {loss}")
    }

    /// W/D/L of the best line, as OpenBench takes them into the comment of a move.
    #[must_use]
    pub fn pgn_comment(&self) -> Option<String> {
        let [win, draw, loss] = self.last?.wdl.per_mille();
        Some(format!("info string pgncomment wdl {win} {draw} {loss}"))
    }

    /// The `bestmove` line.
    #[must_use]
    pub fn best_move(&self, answer: &Answer) -> String {
        let Some(best) = answer.best else { return "bestmove (none)".to_owned() };
        let mut line = format!("bestmove {}", self.root().format_move(best, self.chess960));
        if let Some(reply) = answer.ponder {
            let _ = write!(line, " ponder {}", self.root().play(best).format_move(reply, self.chess960));
        }
        line
    }

    fn moves(&self, pv: &[Move]) -> String {
        let mut text = String::new();
        let mut position = *self.root();
        for &m in pv {
            text.push(' ');
            text += &position.format_move(m, self.chess960);
            position = position.play(m);
        }
        text
    }
}

/// Speed of a search; a time too short to measure counts as a microsecond.
#[must_use]
pub fn nodes_per_second(nodes: u64, elapsed: std::time::Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::GameHistory;
    use crate::printing::Nominal;
    use crate::printing::WdlFor;
    use std::time::Duration;

    /// A game of one position.
    fn game(fen: &str) -> GameHistory {
        GameHistory::new(Position::from_fen(fen, false).unwrap())
    }

    fn reporter(game: &GameHistory) -> Reporter<'_> {
        let printer = Printer { game, nominal: Nominal::shipped(), wdl_for: &WdlFor::Nominal };
        Reporter::new(printer, false, true, false)
    }

    #[test]
    fn threads_count_for_less_than_their_nodes() {
        let game = GameHistory::default();
        let report = |nodes, threads| SearchReport {
            depth: 20,
            selective_depth: 20,
            line: 1,
            score: Score::heuristic(80, 0),
            estimate: Score::heuristic(80, 0).estimate(),
            objective: Score::heuristic(80, 0).estimate(),
            bound: Bound::Exact,
            from_syzygy: false,
            syzygy_hits: 0,
            nodes,
            threads,
            hashfull: 12,
            elapsed: Duration::from_millis(250),
            pv: &[],
        };
        let wdl = |nodes, threads| {
            let printed = reporter(&game).report(&report(nodes, threads));
            printed.split_once(" wdl ").unwrap().1.split(" nodes ").next().unwrap().to_owned()
        };
        // Two threads are worth half as much time again; their nodes are twice as many.
        assert_eq!(wdl(60_000, 2), wdl(44_845, 1));
        assert!(wdl(60_000, 64) != wdl(60_000, 1));
    }

    #[test]
    fn a_report_becomes_one_line() {
        let game = GameHistory::default();
        let pv = [game.position().parse_move("e2e4").unwrap()];
        let report = SearchReport {
            depth: 7,
            selective_depth: 9,
            line: 2,
            score: Score::mate_in(3),
            estimate: None,
            objective: None,
            bound: Bound::Lower,
            from_syzygy: false,
            syzygy_hits: 7,
            nodes: 500,
            threads: 1,
            hashfull: 12,
            elapsed: Duration::from_millis(250),
            pv: &pv,
        };
        assert_eq!(
            reporter(&game).report(&report),
            "info depth 7 seldepth 9 multipv 2 score mate 2 lowerbound wdl 1000 0 0 \
             nodes 500 nps 2000 hashfull 12 tbhits 7 time 250 pv e2e4"
        );
    }

    #[test]
    fn castling_is_printed_in_the_notation_asked_for() {
        let game = game("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let best = Some(game.position().parse_move("e1g1").unwrap());
        let answer = Answer { best, ponder: None, score: Score::DRAW, nodes: 0 };
        assert_eq!(reporter(&game).best_move(&answer), "bestmove e1g1");
        assert_eq!(Reporter { chess960: true, ..reporter(&game) }.best_move(&answer), "bestmove e1h1");
    }

    #[test]
    fn finished_games_are_lost_or_drawn() {
        let mated = game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(reporter(&mated).game_over(), "info depth 0 score mate 0 wdl 0 0 1000");
        let stalemate = game("7k/8/6Q1/8/8/8/8/K7 b - - 0 1");
        assert_eq!(reporter(&stalemate).game_over(), "info depth 0 score cp 0 wdl 0 1000 0");
    }
}
