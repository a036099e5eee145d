//! Search results in the protocol's words: centipawns, moves to mate and per mille.

use crate::draw_model::Wdl;
use crate::position::{FIFTY_MOVES, Move, Position};
use crate::profile::{Nominal, Profile, material};
use crate::score::{Kind, Score, printed_centipawns};
use crate::search::{Answer, Bound, Event, Report};
use std::fmt::Write as _;

/// The games that W/D/L are printed for.
#[derive(Clone, Debug)]
pub enum Level {
    /// The engine's own.
    Nominal,
    /// None: as the search has it.
    Uncorrected,
    /// Those of a profile.
    Profile(Box<Profile>),
}

/// Turns what a search of one position tells into lines.
#[derive(Clone, Copy, Debug)]
pub struct Reporter<'a> {
    /// The position searched.
    pub root: &'a Position,
    /// Castling as king takes rook.
    pub chess960: bool,
    /// W/D/L beside each score.
    pub show_wdl: bool,
    /// The games that W/D/L are printed for; scores are for the engine's own.
    pub level: &'a Level,
    /// Contempt that is taken out of scores and W/D/L: centipawns of wilo for the side to move.
    pub removed: i32,
}

impl Reporter<'_> {
    /// The `info` line of an event.
    #[must_use]
    pub fn event(&self, event: &Event<'_>) -> String {
        match event {
            Event::Report(report) => self.report(report),
            Event::CurrentMove { depth, number, m, .. } => {
                let text = self.root.format_move(*m, self.chess960);
                format!("info depth {depth} currmove {text} currmovenumber {number}")
            }
        }
    }

    /// The score as it is printed: only one that rests on an evaluation contains contempt, and a draw probability does
    /// not change with it.
    fn printed(&self, score: Score) -> Score {
        if self.removed == 0 { score } else { score.plus_wilo(-self.removed) }
    }

    fn report(&self, report: &Report<'_>) -> String {
        let value = self.printed(report.score);
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {}",
            report.depth,
            report.selective_depth,
            report.line,
            self.score(value, report.nodes)
        );
        line += match report.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        line += &self.wdl(value, report.nodes);
        let _ = write!(
            line,
            " nodes {} nps {} hashfull {} tbhits {} time {}",
            report.nodes,
            nodes_per_second(report.nodes, report.elapsed),
            report.hashfull,
            report.table_hits,
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
        let result = if self.root.is_check() { Score::mated_in(0) } else { Score::DRAW };
        format!("info depth 0 score {}{}", self.score(result, 0), self.wdl(result, 0))
    }

    /// The `bestmove` line.
    #[must_use]
    pub fn best_move(&self, answer: &Answer) -> String {
        let Some(best) = answer.best else { return "bestmove (none)".to_owned() };
        let mut line = format!("bestmove {}", self.root.format_move(best, self.chess960));
        if let Some(reply) = answer.ponder {
            let _ = write!(line, " ponder {}", self.root.play(best).format_move(reply, self.chess960));
        }
        line
    }

    fn moves(&self, pv: &[Move]) -> String {
        let mut text = String::new();
        let mut position = *self.root;
        for &m in pv {
            text.push(' ');
            text += &position.format_move(m, self.chess960);
            position = position.play(m);
        }
        text
    }

    /// What an estimate by so many nodes stands for in the engine's own games; `None` for what is proven.
    fn nominal(&self, score: Score, nodes: u64) -> Option<Wdl> {
        let is_estimate = score.is_heuristic() && !self.is_over();
        is_estimate.then(|| Nominal::shipped().apply(score.wdl(), self.material(), nodes))
    }

    fn material(&self) -> u32 {
        material(&self.root.board().into())
    }

    /// A score as `cp` or `mate` with its number.
    fn score(&self, score: Score, nodes: u64) -> String {
        match (score.kind(), self.nominal(score, nodes)) {
            (_, Some(wdl)) => format!("cp {}", printed_centipawns(wdl.expected())),
            // The winner makes the first and the last move, the loser only answers.
            (Kind::Mate(plies), None) => format!("mate {}", plies.signum() * ((plies.abs() + 1) / 2)),
            (Kind::Heuristic | Kind::Tablebase(_), None) => format!("cp {}", score.centipawns()),
        }
    }

    fn wdl(&self, score: Score, nodes: u64) -> String {
        if !self.show_wdl {
            return String::new();
        }
        let wdl = match (self.level, self.nominal(score, nodes)) {
            (Level::Profile(profile), Some(nominal)) => profile.apply(nominal, self.material()),
            (Level::Nominal, Some(nominal)) => nominal,
            // What is proven is so at every level.
            (Level::Uncorrected, _) | (_, None) => score.wdl(),
        };
        let [win, draw, loss] = wdl.per_mille();
        format!(" wdl {win} {draw} {loss}")
    }

    /// Whether the game is decided on the board.
    fn is_over(&self) -> bool {
        let root = self.root;
        root.has_no_moves() || root.is_insufficient_material() || root.halfmoves() >= FIFTY_MOVES
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
    use crate::draw_model;
    use proptest::prelude::*;
    use std::time::Duration;

    const NODES: u64 = 50_000;

    fn reporter(root: &Position) -> Reporter<'_> {
        Reporter { root, chess960: false, show_wdl: true, level: &Level::Nominal, removed: 0 }
    }

    #[test]
    fn mates_count_moves() {
        let root = Position::default();
        let score = |score| reporter(&root).score(score, NODES);
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(score(Score::mate_in(plies)), format!("mate {moves}"));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(score(Score::mated_in(plies)), format!("mate {moves}"));
        }
    }

    #[test]
    fn table_results_lie_beyond_heuristic_scores() {
        let root = Position::default();
        let score = |score| reporter(&root).score(score, NODES);
        assert_eq!(score(Score::tablebase_win(7)), "cp 19993");
        assert_eq!(score(-Score::tablebase_win(7)), "cp -19993");
        assert_eq!(score(Score::tablebase_win(0)), "cp 20000");
        assert_eq!(score(-Score::tablebase_win(0)), "cp -20000");
    }

    #[test]
    fn a_report_becomes_one_line() {
        let root = Position::default();
        let pv = [root.parse_move("e2e4").unwrap()];
        let report = Report {
            depth: 7,
            selective_depth: 9,
            line: 2,
            score: Score::DRAW,
            bound: Bound::Lower,
            nodes: 500,
            table_hits: 3,
            hashfull: 12,
            elapsed: Duration::from_millis(250),
            pv: &pv,
        };
        assert_eq!(
            reporter(&root).report(&report),
            "info depth 7 seldepth 9 multipv 2 score cp 0 lowerbound wdl 0 1000 0 \
             nodes 500 nps 2000 hashfull 12 tbhits 3 time 250 pv e2e4"
        );
    }

    #[test]
    fn castling_is_printed_in_the_notation_asked_for() {
        let root = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1", false).unwrap();
        let best = Some(root.parse_move("e1g1").unwrap());
        let answer = Answer { best, ponder: None, score: Score::DRAW, nodes: 0 };
        assert_eq!(reporter(&root).best_move(&answer), "bestmove e1g1");
        assert_eq!(Reporter { chess960: true, ..reporter(&root) }.best_move(&answer), "bestmove e1h1");
    }

    #[test]
    fn finished_games_are_lost_or_drawn() {
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", false).unwrap();
        assert_eq!(reporter(&mated).game_over(), "info depth 0 score mate 0 wdl 0 0 1000");
        let stalemate = Position::from_fen("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", false).unwrap();
        assert_eq!(reporter(&stalemate).game_over(), "info depth 0 score cp 0 wdl 0 1000 0");
    }

    #[test]
    fn a_profile_changes_wdl_alone_and_nothing_proven() {
        let profile = Profile { wilo_factor: 0.5, draw_offset: -1.0, ..Profile::UNCORRECTED };
        let slow = Level::Profile(Box::new(profile.clone()));
        let root = Position::default();
        let level = Reporter { level: &slow, ..reporter(&root) };
        let value = Score::heuristic(300, 50);
        assert_ne!(level.wdl(value, NODES), reporter(&root).wdl(value, NODES));
        assert_eq!(level.score(value, NODES), reporter(&root).score(value, NODES));
        let expected = profile.apply(Nominal::shipped().apply(value.wdl(), 78, NODES), 78).per_mille();
        assert_eq!(level.wdl(value, NODES), format!(" wdl {} {} {}", expected[0], expected[1], expected[2]));
        for proven in [Score::mate_in(9), Score::mated_in(4), Score::tablebase_win(3)] {
            assert_eq!(level.wdl(proven, NODES), reporter(&root).wdl(proven, NODES));
        }
        assert_ne!(level.wdl(Score::DRAW, NODES), " wdl 0 1000 0", "others may avoid a repetition");
        for over in ["4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1"] {
            let root = Position::from_fen(over, false).unwrap();
            let level = Reporter { level: &slow, ..reporter(&root) };
            assert_eq!(level.wdl(Score::DRAW, NODES), " wdl 0 1000 0");
        }
    }

    #[test]
    fn what_is_proven_has_no_contempt() {
        let root = Position::default();
        let objective = Reporter { removed: 300, ..reporter(&root) };
        for proven in [Score::mate_in(9), Score::mated_in(4), Score::tablebase_win(3), Score::DRAW] {
            let printed = objective.printed(proven);
            assert_eq!(
                (objective.score(printed, NODES), objective.wdl(printed, NODES)),
                (reporter(&root).score(proven, NODES), reporter(&root).wdl(proven, NODES))
            );
        }
    }

    proptest! {
        #[test]
        fn contempt_can_be_taken_out_again(wilo in -600..600i32, draw in -600..500i32, contempt in -250..=250i32) {
            let root = Position::default();
            let objective = Reporter { removed: contempt, ..reporter(&root) };
            let (plain, shifted) = (Score::heuristic(wilo, draw), Score::heuristic(wilo + contempt, draw));
            let printed = objective.printed(shifted);
            prop_assert!((printed.centipawns() - plain.centipawns()).abs() <= 1, "{plain:?} {printed:?}");
            let (wdl, expected) = (printed.wdl().per_mille(), plain.wdl().per_mille());
            prop_assert!(wdl.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1), "{wdl:?} {expected:?}");
        }

        #[test]
        fn centipawns_and_wdl_agree(wilo in -2500..2500i32, draw in -900..900i32) {
            let (root, value) = (Position::default(), Score::heuristic(wilo, draw));
            let (text, wdl) = (reporter(&root).score(value, NODES), reporter(&root).wdl(value, NODES));
            let wdl: Vec<f64> = wdl.split(' ').skip(2).map(|number| number.parse().unwrap()).collect();
            let per_mille = wdl[0] + wdl[1] / 2.0;
            let printed: f64 = text.strip_prefix("cp ").unwrap().parse().unwrap();
            let low = draw_model::centipawns(((per_mille - 0.501) / 1000.0).max(1e-12));
            let high = draw_model::centipawns(((per_mille + 0.501) / 1000.0).min(1.0 - 1e-12));
            prop_assert!(low - 0.5 <= printed && printed <= high + 0.5, "{low} {printed} {high}");
        }
    }
}
