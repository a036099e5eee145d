//! Which score and W/D/L are printed. The rules, in order:
//!
//! 1. Proven: a mate, a tablebase result, and what the rules of the game decide at the root or after the first move are
//!    printed as they are. A level profile may doubt a mate and a result of the tables.
//! 2. Uncorrected: W/D/L and centipawns are the search's own. D is never rounded to a certain draw, as profiles are fitted to
//!    it and a certain draw means one by the rules.
//! 3. Adjusted: any other score goes through the nominal numbers. W/D/L are those, or those of a level profile.
//! 4. Units: W/D/L in per mille; in centipawns the expected result of the search or of the nominal numbers.
//! 5. In order: of the lines of one search none is printed better than the one before unless the search has it better, see
//!    [`Lines`].

use super::BoardFacts;
use super::profile::{Inputs, ProfileNumbers};
use super::wdl_for::WdlFor;
use super::{Nominal, predict};
use crate::position::{FIFTY_MOVES, GameHistory, Move};
use crate::wdl::model::{Wdl, WiloDraw};
use crate::wdl::score::{Kind, Score, printed_score_cp};
use std::fmt;

/// Largest draw probability that is printed uncorrected unless a draw by the rules is seen.
const MAX_UNCERTAIN_DRAW: f64 = 0.999;

/// A score in the units of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if the side to move is mated.
    Mate(i32),
}

impl fmt::Display for PrintedScore {
    /// As `cp N` or `mate N`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrintedScore::Cp(cp) => write!(f, "cp {cp}"),
            PrintedScore::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// A score with its W/D/L, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The score.
    pub score: PrintedScore,
    /// Win, draw and loss.
    pub wdl: Wdl,
}

impl Printed {
    /// Cut to what is printed for a line that is at least as good.
    fn below(self, better: &Printed) -> Printed {
        let score = match (self.score, better.score) {
            (PrintedScore::Cp(cp), PrintedScore::Cp(limit)) => PrintedScore::Cp(cp.min(limit)),
            _ => self.score,
        };
        Printed { score, wdl: self.wdl.at_most(better.wdl) }
    }
}

/// Keeps the lines of a search in order. The adjusted result of a line depends on more than the expected result that the
/// search compares, so a worse line may come out better than the one before; then it is printed as that one.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The line printed last, by its number from 1, with its value in the search.
    last: Option<(usize, Score, Printed)>,
}

impl Lines {
    /// What is printed for line number `line`, after the lines before it.
    pub fn next(&mut self, line: usize, score: Score, printed: Printed) -> Printed {
        let printed = match &self.last {
            Some((number, value, better)) if number + 1 == line && score <= *value => printed.below(better),
            _ => printed,
        };
        self.last = Some((line, score, printed));
        printed
    }
}

/// Applies the rules to searches of one position.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    /// The game up to the position searched.
    pub game: &'a GameHistory,
    /// What scores mean in the engine's own games.
    pub nominal: &'a Nominal,
    /// Whose games W/D/L are for.
    pub wdl_for: &'a WdlFor,
}

impl Printer<'_> {
    /// What is printed for a score after so many nodes. `estimate` is [`Score::estimate`] or that without contempt, `first`
    /// the first move of the line.
    #[must_use]
    pub fn print(&self, score: Score, estimate: Option<WiloDraw>, nodes: u64, first: Option<Move>) -> Printed {
        if self.is_proven(score, first) {
            return self.proven(score);
        }
        let by = |numbers: &ProfileNumbers, inputs: fn(WiloDraw, BoardFacts) -> Inputs, board: BoardFacts| {
            let inputs = estimate.map_or_else(|| Inputs::rule_draw(board), |scores| inputs(scores, board));
            predict(numbers, &inputs, board)
        };
        let nominal = || by(&self.nominal.at(nodes as f64), Inputs::evaluation, self.board());
        let (expected, wdl) = match self.wdl_for {
            WdlFor::Nominal => {
                let nominal = nominal();
                (nominal.expected(), nominal)
            }
            WdlFor::Uncorrected => {
                // Without an estimate it is a draw by rule.
                let own = estimate.map_or_else(|| score.wdl(), |WiloDraw { wilo, draw }| Wdl::from_scores(wilo, draw));
                (own.expected(), estimate.map_or(own, |_| short_of_a_certain_draw(own)))
            }
            WdlFor::Profile { numbers, white_advantage } => {
                let inputs = |WiloDraw { wilo, draw }, board| {
                    let wdl = Wdl::from_scores(wilo, draw);
                    Inputs::printed(wdl, wdl.expected(), board)
                };
                (nominal().expected(), by(numbers, inputs, self.board_of_players(*white_advantage)))
            }
        };
        Printed { score: PrintedScore::Cp(printed_score_cp(expected)), wdl }
    }

    /// What is printed for a score that needs no adjustment, and for a game that is over.
    #[must_use]
    pub fn proven(&self, score: Score) -> Printed {
        let printed = |score, wdl| Printed { score, wdl };
        match score.kind() {
            Kind::Heuristic => printed(PrintedScore::Cp(score.printed_score_cp()), score.wdl()),
            Kind::Tablebase(plies) => {
                printed(PrintedScore::Cp(score.printed_score_cp()), self.win_of(score, moves_to_mate(plies)))
            }
            Kind::Mate(plies) => {
                let moves = moves_to_mate(plies);
                printed(PrintedScore::Mate(moves), self.win_of(score, moves))
            }
        }
    }

    /// What is printed for a score of the endgame tables. Players may miss a drawing line as they may miss a mate.
    #[must_use]
    pub fn from_tables(&self, score: Score) -> Printed {
        match self.wdl_for {
            WdlFor::Profile { numbers, white_advantage } if score.is_heuristic() && !self.is_over() => {
                let board = self.board_of_players(*white_advantage);
                let wdl = predict(numbers, &Inputs::rule_draw(board), board);
                Printed { score: PrintedScore::Cp(score.printed_score_cp()), wdl }
            }
            _ => self.proven(score),
        }
    }

    /// W/D/L of a mate or a table win; its moves are those to mate, or to the next capture or pawn move.
    fn win_of(&self, score: Score, moves: i32) -> Wdl {
        match self.wdl_for {
            WdlFor::Profile { numbers, .. } if !self.is_over() => {
                predict(numbers, &Inputs::mate(moves, self.board()), self.board())
            }
            _ => score.wdl(),
        }
    }

    fn board(&self) -> BoardFacts {
        BoardFacts::of_position(self.game.position())
    }

    fn board_of_players(&self, white_advantage: i32) -> BoardFacts {
        let advantage = self.game.position().turn().fold_wb(white_advantage, white_advantage.saturating_neg());
        BoardFacts { advantage, ..self.board() }
    }

    fn is_proven(&self, score: Score, first: Option<Move>) -> bool {
        let is_drawn = score == Score::DRAW && (self.is_claimable() || first.is_some_and(|m| self.ends(m)));
        !score.is_heuristic() || self.is_over() || is_drawn
    }

    /// Whether the side to move may claim a draw by the fifty-move rule.
    fn is_claimable(&self) -> bool {
        self.game.position().halfmoves() >= FIFTY_MOVES
    }

    /// Whether the game is decided on the board.
    fn is_over(&self) -> bool {
        let root = self.game.position();
        root.has_no_moves() || root.is_insufficient_material()
    }

    /// Whether the game is over after a legal move.
    fn ends(&self, m: Move) -> bool {
        self.game.after(m).outcome().is_some()
    }
}

/// Probabilities of an estimate with the most D that is printed for one.
fn short_of_a_certain_draw(wdl: Wdl) -> Wdl {
    if wdl.draw <= MAX_UNCERTAIN_DRAW {
        return wdl;
    }
    let rest = 1.0 - MAX_UNCERTAIN_DRAW;
    let (win, loss) = if wdl.win > wdl.loss { (rest, 0.0) } else { (0.0, rest) };
    Wdl { win, draw: MAX_UNCERTAIN_DRAW, loss }
}

/// Moves to a mate in plies, negative if the side to move is mated: the winner makes the first and the last move.
fn moves_to_mate(plies: i32) -> i32 {
    plies.signum() * ((plies.abs() + 1) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::printing::apply;
    use crate::wdl::model;
    use proptest::prelude::*;

    const NODES: u64 = 50_000;

    /// A game of one position.
    fn game(fen: &str) -> GameHistory {
        GameHistory::new(Position::from_fen(fen, false).unwrap())
    }

    fn printer(game: &GameHistory) -> Printer<'_> {
        Printer { game, nominal: Nominal::shipped(), wdl_for: &WdlFor::Nominal }
    }

    /// Score and W/D/L as they are printed.
    fn printed(printer: &Printer, score: Score) -> (String, [u32; 3]) {
        let printed = printer.print(score, score.estimate(), NODES, None);
        (printed.score.to_string(), printed.wdl.per_mille())
    }

    #[test]
    fn mates_count_moves() {
        let game = GameHistory::default();
        let text = |score| printer(&game).proven(score).score.to_string();
        for (plies, moves) in [(1, 1), (3, 2), (5, 3)] {
            assert_eq!(text(Score::mate_in(plies)), format!("mate {moves}"));
        }
        for (plies, moves) in [(0, 0), (2, -1), (4, -2)] {
            assert_eq!(text(Score::mated_in(plies)), format!("mate {moves}"));
        }
    }

    #[test]
    fn table_results_lie_beyond_heuristic_scores() {
        let game = GameHistory::default();
        let text = |score| printed(&printer(&game), score).0;
        assert_eq!(text(Score::tablebase_win(7)), "cp 19993");
        assert_eq!(text(-Score::tablebase_win(7)), "cp -19993");
        assert_eq!(text(Score::tablebase_win(0)), "cp 20000");
        assert_eq!(text(-Score::tablebase_win(0)), "cp -20000");
    }

    #[test]
    fn a_profile_changes_wdl_alone_and_nothing_proven() {
        let numbers = ProfileNumbers { wilo_factor: 0.5, draw_offset: -1.0, ..ProfileNumbers::default() };
        let slow = WdlFor::of_equals(numbers.clone());
        let start = GameHistory::default();
        let level = Printer { wdl_for: &slow, ..printer(&start) };
        let value = Score::heuristic(300, 50);
        let (nominal, found) = (printed(&printer(&start), value), printed(&level, value));
        assert!(nominal.0 == found.0 && nominal.1 != found.1, "{nominal:?} {found:?}");
        assert_eq!(found.1, apply(&numbers, value.wdl(), level.board()).per_mille());
        for proven in [Score::mate_in(9), Score::mated_in(4), Score::tablebase_win(3)] {
            assert_eq!(printed(&level, proven), printed(&printer(&start), proven));
        }
        assert_ne!(printed(&level, Score::DRAW).1, [0, 1000, 0], "others may avoid a repetition");
        for over in ["4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "7k/8/6Q1/8/8/8/8/K7 b - - 0 1"] {
            let over = game(over);
            let level = Printer { wdl_for: &slow, ..printer(&over) };
            assert_eq!(printed(&level, Score::DRAW).1, [0, 1000, 0]);
        }
    }

    #[test]
    fn games_that_stand_still_are_the_more_drawn() {
        let idle = WdlFor::of_equals(ProfileNumbers { draw_idle: 1.0, ..ProfileNumbers::default() });
        let draws = [0, 8, 16, 90].map(|clock| {
            let game = game(&format!("4k3/4p3/8/8/8/8/4P3/4K2R w - - {clock} 60"));
            printed(&Printer { wdl_for: &idle, ..printer(&game) }, Score::heuristic(200, 0)).1[1]
        });
        assert_eq!(draws, [500, 622, 731, 731]);
    }

    #[test]
    fn a_profile_may_doubt_a_mate_but_no_game_that_is_over() {
        let numbers = ProfileNumbers { wilo_mate: 3.0, draw_mate: -3.0, ..ProfileNumbers::default() };
        let doubting = WdlFor::of_equals(numbers);
        let printed = |game: &GameHistory, value| printed(&Printer { wdl_for: &doubting, ..printer(game) }, value);
        let start = GameHistory::default();
        let (text, wdl) = printed(&start, Score::mate_in(9));
        assert!(text == "mate 5" && wdl != [1000, 0, 0], "{text} {wdl:?}");
        let mut reverse = printed(&start, Score::mated_in(10)).1;
        reverse.reverse();
        assert_eq!(reverse, wdl);
        let mated = game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(printed(&mated, Score::mated_in(0)).1, [0, 0, 1000]);
    }

    proptest! {
        #[test]
        fn uncorrected_centipawns_are_those_of_the_search(wilo in -2000..2000i32, draw in -600..800i32) {
            let game = GameHistory::default();
            let uncorrected = Printer { wdl_for: &WdlFor::Uncorrected, ..printer(&game) };
            let score = Score::heuristic(wilo, draw);
            let printed = uncorrected.print(score, score.estimate(), 1000, None);
            let cp = printed_score_cp(score.expected());
            prop_assert!(matches!(printed.score, PrintedScore::Cp(own) if (own - cp).abs() <= 1), "{printed:?} {cp}");
            if printed.wdl.draw < MAX_UNCERTAIN_DRAW {
                prop_assert_eq!(printed.score, PrintedScore::Cp(printed_score_cp(printed.wdl.expected())));
            }
        }
    }

    #[test]
    fn only_draws_by_the_rules_are_certain_uncorrected() {
        let game = GameHistory::default();
        let uncorrected = Printer { wdl_for: &WdlFor::Uncorrected, ..printer(&game) };
        assert_eq!(printed(&uncorrected, Score::DRAW).1, [0, 1000, 0]);
        assert_eq!(printed(&uncorrected, Score::heuristic(0, 900)).1, [0, 999, 1]);
        assert_eq!(printed(&uncorrected, Score::heuristic(100, 900)).1, [1, 999, 0]);
        assert_eq!(printed(&uncorrected, Score::heuristic(0, 0)).1, [250, 500, 250]);
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
            printer(&game).is_proven(value, Some(first))
        };
        assert!(is_proven(Score::DRAW, "f6g8"));
        assert!(!is_proven(Score::DRAW, "e7e5"));
        assert!(!is_proven(Score::heuristic(50, 300), "f6g8"));
    }

    #[test]
    fn a_draw_that_may_be_claimed_is_proven_whatever_the_move() {
        for (clock, is_claimable) in [(99, false), (100, true)] {
            let game = game(&format!("8/8/8/8/8/3k4/1K6/R6q w - - {clock} 90"));
            let capture = game.position().parse_move("a1h1").unwrap();
            assert_eq!(printer(&game).is_proven(Score::DRAW, Some(capture)), is_claimable);
        }
    }

    #[test]
    fn a_king_alone_does_not_win() {
        let wins = |fen: &str, wdl_for: &WdlFor| {
            let game = game(fen);
            let [win, _, loss] = printed(&Printer { wdl_for, ..printer(&game) }, Score::DRAW).1;
            [win, loss]
        };
        let doubting = WdlFor::of_equals(ProfileNumbers { draw_certain: 0.0, ..ProfileNumbers::default() });
        for level in [WdlFor::Nominal, doubting] {
            let pawn = wins("k7/P7/8/8/8/8/8/1K6 w - - 0 1", &level);
            assert!(pawn[0] > 0 && pawn[1] == 0, "{pawn:?}");
            let king = wins("k7/P7/8/8/8/8/8/1K6 b - - 0 1", &level);
            assert!(king[0] == 0 && king[1] > 0, "{king:?}");
            let both = wins("k7/P7/8/8/8/8/p7/1K6 w - - 0 1", &level);
            assert!(both[0] > 0 && both[1] > 0, "{both:?}");
        }
    }

    proptest! {
        #[test]
        fn centipawns_and_wdl_agree(wilo in -2500..2500i32, draw in -900..900i32) {
            let game = GameHistory::default();
            let (text, wdl) = printed(&printer(&game), Score::heuristic(wilo, draw));
            let per_mille = f64::from(wdl[0]) + f64::from(wdl[1]) / 2.0;
            let score: f64 = text.strip_prefix("cp ").unwrap().parse().unwrap();
            let low = model::centipawns(((per_mille - 0.501) / 1000.0).max(1e-12));
            let high = model::centipawns(((per_mille + 0.501) / 1000.0).min(1.0 - 1e-12));
            prop_assert!(low - 0.5 <= score && score <= high + 0.5, "{low} {score} {high}");
        }
    }
}
