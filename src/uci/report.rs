//! Search results in the protocol's words: centipawns, moves to mate and per mille.

use crate::eval::{Contempt, Weights};
use crate::position::{GameHistory, Move, Position};
use crate::search::{Answer, Bound, Event, SearchReport};
use crate::wdl::model::Wdl;
use crate::wdl::profile::{Nominal, Profile, Scores, Traits};
use crate::wdl::score::{Kind, Score, printed_centipawns};
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

/// Largest probability of a draw that is printed uncorrected for a position that is no draw by the rules.
const MOST_DRAWN: f64 = 0.999;

/// Turns what a search of one position tells into lines.
#[derive(Clone, Copy, Debug)]
pub struct Reporter<'a> {
    /// The game up to the position searched.
    pub game: &'a GameHistory,
    /// Castling as king takes rook.
    pub chess960: bool,
    /// W/D/L beside each score.
    pub show_wdl: bool,
    /// The games that W/D/L are printed for; scores are for the engine's own.
    pub level: &'a Level,
    /// Contempt of the side to move that is taken out of scores and W/D/L.
    pub removed: Contempt,
    /// The weights that the search used.
    pub weights: &'a Weights,
}

impl Reporter<'_> {
    fn root(&self) -> &Position {
        self.game.position()
    }

    /// The `info` line of an event.
    #[must_use]
    pub fn event(&self, event: &Event<'_>) -> String {
        match event {
            Event::Report(report) => self.report(report),
            Event::CurrentMove { depth, number, m, .. } => {
                let text = self.root().format_move(*m, self.chess960);
                format!("info depth {depth} currmove {text} currmovenumber {number}")
            }
        }
    }

    /// The score of a line as it is printed.
    fn printed(&self, score: Score, pv: &[Move]) -> Score {
        let leaf = pv.iter().fold(*self.root(), |position, &m| position.play(m));
        self.removed.removed(score, &leaf, self.weights)
    }

    fn report(&self, report: &SearchReport<'_>) -> String {
        let value = self.printed(report.score, report.pv);
        let nominal = self.nominal(value, report.nodes, report.pv.first().copied());
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {}",
            report.depth,
            report.selective_depth,
            report.line,
            score(value, nominal)
        );
        line += match report.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        line += &self.wdl(value, nominal);
        let _ = write!(
            line,
            " nodes {} nps {} hashfull {} time {}",
            report.nodes,
            nodes_per_second(report.nodes, report.elapsed),
            report.hashfull,
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
        let result = if self.root().is_check() { Score::mated_in(0) } else { Score::DRAW };
        format!("info depth 0 score {}{}", score(result, None), self.wdl(result, None))
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

    /// What an estimate by so many nodes stands for in the engine's own games; `None` for what is proven. `first` is the
    /// first move of the line.
    fn nominal(&self, score: Score, nodes: u64, first: Option<Move>) -> Option<Wdl> {
        let is_proven =
            !score.is_heuristic() || self.is_over() || score == Score::DRAW && first.is_some_and(|m| self.ends(m));
        (!is_proven).then(|| Nominal::shipped().apply(score.wdl(), self.traits(), nodes))
    }

    fn traits(&self) -> Traits {
        Traits::of(&self.root().board().into(), self.root().turn(), self.root().halfmoves())
    }

    fn wdl(&self, score: Score, nominal: Option<Wdl>) -> String {
        if !self.show_wdl {
            return String::new();
        }
        let wdl = match (self.level, nominal) {
            (Level::Profile(profile), Some(_)) => profile.apply(score.wdl(), self.traits()),
            (Level::Nominal, Some(nominal)) => nominal,
            (Level::Uncorrected, Some(_)) => short_of_draw(score.wdl()),
            (Level::Profile(profile), None) if !self.is_over() => match score.kind() {
                Kind::Mate(plies) => profile.predict(Scores::mate(moves_to_mate(plies), self.traits()), self.traits()),
                Kind::Heuristic | Kind::Tablebase(_) => score.wdl(),
            },
            (_, None) => score.wdl(),
        };
        let [win, draw, loss] = wdl.per_mille();
        format!(" wdl {win} {draw} {loss}")
    }

    /// Whether the game is decided on the board.
    fn is_over(&self) -> bool {
        let root = self.root();
        root.has_no_moves() || root.is_insufficient_material()
    }

    /// Whether the game is over after a legal move.
    fn ends(&self, m: Move) -> bool {
        let mut game = self.game.clone();
        game.play(m);
        game.outcome().is_some()
    }
}

/// The same, but never rounded to a certain draw: profiles are fitted to what is printed uncorrected, and tell draws by the
/// rules from dead drawn positions.
fn short_of_draw(wdl: Wdl) -> Wdl {
    if wdl.draw <= MOST_DRAWN || wdl.draw >= 1.0 {
        return wdl;
    }
    let rest = 1.0 - MOST_DRAWN;
    let (win, loss) = if wdl.win > wdl.loss { (rest, 0.0) } else { (0.0, rest) };
    Wdl { win, draw: MOST_DRAWN, loss }
}

/// A score as `cp` or `mate` with its number.
fn score(score: Score, nominal: Option<Wdl>) -> String {
    match (score.kind(), nominal) {
        (_, Some(wdl)) => format!("cp {}", printed_centipawns(wdl.expected())),
        (Kind::Mate(plies), None) => format!("mate {}", moves_to_mate(plies)),
        (Kind::Heuristic | Kind::Tablebase(_), None) => format!("cp {}", score.centipawns()),
    }
}

/// Moves to a mate in plies, negative if the side to move is mated: the winner makes the first and the last move, the
/// loser only answers.
fn moves_to_mate(plies: i32) -> i32 {
    plies.signum() * ((plies.abs() + 1) / 2)
}

/// Speed of a search; a time too short to measure counts as a microsecond.
#[must_use]
pub fn nodes_per_second(nodes: u64, elapsed: std::time::Duration) -> u64 {
    (u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::model;
    use proptest::prelude::*;
    use std::sync::{Arc, LazyLock};
    use std::time::Duration;

    const NODES: u64 = 50_000;

    /// A game of one position.
    fn game(fen: &str) -> GameHistory {
        GameHistory::new(Position::from_fen(fen, false).unwrap())
    }

    /// Score and W/D/L as they are printed.
    fn texts(reporter: &Reporter, value: Score) -> (String, String) {
        let nominal = reporter.nominal(value, NODES, None);
        (score(value, nominal), reporter.wdl(value, nominal))
    }

    fn reporter(game: &GameHistory) -> Reporter<'_> {
        static WEIGHTS: LazyLock<Arc<Weights>> = LazyLock::new(Weights::shipped);
        Reporter {
            game,
            chess960: false,
            show_wdl: true,
            level: &Level::Nominal,
            removed: Contempt::NONE,
            weights: &WEIGHTS,
        }
    }

    #[test]
    fn mates_count_moves() {
        let score = |value| score(value, None);
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(score(Score::mate_in(plies)), format!("mate {moves}"));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(score(Score::mated_in(plies)), format!("mate {moves}"));
        }
    }

    #[test]
    fn table_results_lie_beyond_heuristic_scores() {
        let game = GameHistory::default();
        let score = |value| texts(&reporter(&game), value).0;
        assert_eq!(score(Score::tablebase_win(7)), "cp 19993");
        assert_eq!(score(-Score::tablebase_win(7)), "cp -19993");
        assert_eq!(score(Score::tablebase_win(0)), "cp 20000");
        assert_eq!(score(-Score::tablebase_win(0)), "cp -20000");
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
            bound: Bound::Lower,
            nodes: 500,
            hashfull: 12,
            elapsed: Duration::from_millis(250),
            pv: &pv,
        };
        assert_eq!(
            reporter(&game).report(&report),
            "info depth 7 seldepth 9 multipv 2 score mate 2 lowerbound wdl 1000 0 0 \
             nodes 500 nps 2000 hashfull 12 time 250 pv e2e4"
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

    #[test]
    fn a_profile_changes_wdl_alone_and_nothing_proven() {
        let profile = Profile { wilo_factor: 0.5, draw_offset: -1.0, ..Profile::PLAIN };
        let slow = Level::Profile(Box::new(profile.clone()));
        let start = GameHistory::default();
        let level = Reporter { level: &slow, ..reporter(&start) };
        let value = Score::heuristic(300, 50);
        let (nominal, printed) = (texts(&reporter(&start), value), texts(&level, value));
        assert!(nominal.0 == printed.0 && nominal.1 != printed.1, "{nominal:?} {printed:?}");
        let [win, draw, loss] = profile.apply(value.wdl(), reporter(&start).traits()).per_mille();
        assert_eq!(printed.1, format!(" wdl {win} {draw} {loss}"));
        for proven in [Score::mate_in(9), Score::mated_in(4), Score::tablebase_win(3)] {
            assert_eq!(texts(&level, proven), texts(&reporter(&start), proven));
        }
        assert_ne!(texts(&level, Score::DRAW).1, " wdl 0 1000 0", "others may avoid a repetition");
        for over in ["4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1"] {
            let over = game(over);
            let level = Reporter { level: &slow, ..reporter(&over) };
            assert_eq!(texts(&level, Score::DRAW).1, " wdl 0 1000 0");
        }
    }

    #[test]
    fn games_that_stand_still_are_the_more_drawn() {
        let profile = Level::Profile(Box::new(Profile { draw_idle: 1.0, ..Profile::PLAIN }));
        let printed = |clock: u32| {
            let game = game(&format!("4k3/4p3/8/8/8/8/4P3/4K2R w - - {clock} 60"));
            texts(&Reporter { level: &profile, ..reporter(&game) }, Score::heuristic(200, 0)).1
        };
        let draws = [0, 8, 16, 90].map(|clock| printed(clock).split(' ').nth(3).unwrap().parse::<u32>().unwrap());
        assert_eq!(draws, [500, 622, 731, 731]);
    }

    #[test]
    fn a_profile_may_doubt_a_mate_but_no_game_that_is_over() {
        let doubting = Level::Profile(Box::new(Profile { wilo_mate: 3.0, draw_mate: -3.0, ..Profile::PLAIN }));
        let printed = |game: &GameHistory, value| texts(&Reporter { level: &doubting, ..reporter(game) }, value);
        let start = GameHistory::default();
        let (text, wdl) = printed(&start, Score::mate_in(9));
        assert!(text == "mate 5" && wdl != " wdl 1000 0 0", "{text}{wdl}");
        assert_eq!(
            printed(&start, Score::mated_in(10)).1.split(' ').rev().take(3).collect::<Vec<_>>().join(" "),
            wdl[5..]
        );
        let mated = game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(printed(&mated, Score::mated_in(0)).1, " wdl 0 0 1000");
    }

    #[test]
    fn only_draws_by_the_rules_are_certain_uncorrected() {
        let game = GameHistory::default();
        let uncorrected = Reporter { level: &Level::Uncorrected, ..reporter(&game) };
        assert_eq!(texts(&uncorrected, Score::DRAW).1, " wdl 0 1000 0");
        assert_eq!(texts(&uncorrected, Score::heuristic(0, 900)).1, " wdl 0 999 1");
        assert_eq!(texts(&uncorrected, Score::heuristic(100, 900)).1, " wdl 1 999 0");
        assert_eq!(texts(&uncorrected, Score::heuristic(0, 0)).1, " wdl 250 500 250");
    }

    #[test]
    fn a_draw_is_proven_by_a_move_that_ends_the_game() {
        let mut game = GameHistory::default();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
            let m = game.position().parse_move(text).unwrap();
            game.play(m);
        }
        let is_proven = |value, text| {
            let first = game.position().parse_move(text).unwrap();
            reporter(&game).nominal(value, NODES, Some(first)).is_none()
        };
        assert!(is_proven(Score::DRAW, "f6g8"));
        assert!(!is_proven(Score::DRAW, "e7e5"));
        assert!(!is_proven(Score::heuristic(50, 300), "f6g8"));
    }

    #[test]
    fn a_bare_king_does_not_win() {
        let wins = |fen: &str, level: &Level| {
            let game = game(fen);
            let text = texts(&Reporter { level, ..reporter(&game) }, Score::DRAW).1;
            let numbers: Vec<u32> = text.split(' ').skip(2).map(|number| number.parse().unwrap()).collect();
            [numbers[0], numbers[2]]
        };
        let doubting = Level::Profile(Box::new(Profile { draw_certain: 0.0, ..Profile::PLAIN }));
        for level in [Level::Nominal, doubting] {
            let pawn = wins("k7/P7/8/8/8/8/8/1K6 w - - 0 1", &level);
            assert!(pawn[0] > 0 && pawn[1] == 0, "{pawn:?}");
            let king = wins("k7/P7/8/8/8/8/8/1K6 b - - 0 1", &level);
            assert!(king[0] == 0 && king[1] > 0, "{king:?}");
            let both = wins("k7/P7/8/8/8/8/p7/1K6 w - - 0 1", &level);
            assert!(both[0] > 0 && both[1] > 0, "{both:?}");
        }
    }

    #[test]
    fn what_is_proven_has_no_contempt() {
        let game = GameHistory::default();
        let objective = Reporter { removed: Contempt { middlegame: 300, endgame: 100 }, ..reporter(&game) };
        for proven in [Score::mate_in(9), Score::mated_in(4), Score::tablebase_win(3), Score::DRAW] {
            assert_eq!(texts(&objective, objective.printed(proven, &[])), texts(&reporter(&game), proven));
        }
    }

    proptest! {
        #[test]
        fn centipawns_and_wdl_agree(wilo in -2500..2500i32, draw in -900..900i32) {
            let game = GameHistory::default();
            let (text, wdl) = texts(&reporter(&game), Score::heuristic(wilo, draw));
            let wdl: Vec<f64> = wdl.split(' ').skip(2).map(|number| number.parse().unwrap()).collect();
            let per_mille = wdl[0] + wdl[1] / 2.0;
            let printed: f64 = text.strip_prefix("cp ").unwrap().parse().unwrap();
            let low = model::centipawns(((per_mille - 0.501) / 1000.0).max(1e-12));
            let high = model::centipawns(((per_mille + 0.501) / 1000.0).min(1.0 - 1e-12));
            prop_assert!(low - 0.5 <= printed && printed <= high + 0.5, "{low} {printed} {high}");
        }
    }
}
